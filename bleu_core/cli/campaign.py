"""`bleu-core campaign`: design a campaign of judgments, create links, report its status and export its data."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from bleu_core.cli.arguments import Parser
from bleu_core.cli.command_result import CommandResult
from bleu_core.cli.input_files import InputFiles
from bleu_core.cli.options import add_judgments, add_output, add_repeatable, add_texts
from bleu_core.errors import SettingsError, listed
from bleu_core.formats import printable_path, read_bytes

if TYPE_CHECKING:
    from bleu_core.arrays import Floats
    from bleu_core.campaigns import CampaignPlan, Design, Event, ExpectedWidth
    from bleu_core.dataset import Corpus, Judgments

HELP = "collect judgments: design a campaign, create links for judges, show its status and export it"

#: The default address of `bleu-dashboard --campaign`.
DEFAULT_URL = "http://localhost:8501"

#: The exit status if a design is not written because its size does not meet the plan.
SHORTFALL = 1


class Action(NamedTuple):
    """A subcommand of `bleu-core campaign`."""

    help: str
    add_options: Callable[[Parser], None]
    run: Callable[[argparse.Namespace], CommandResult]


def add_options(parser: Parser) -> None:
    """Add the actions with their options."""
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    for name, action in ACTIONS.items():
        added = actions.add_parser(name, help=action.help, description=action.help)
        added.set_defaults(parser=added, workspace=None)
        action.add_options(added)
        add_output(added)


def run(options: argparse.Namespace) -> CommandResult:
    """Run an action."""
    return ACTIONS[options.action].run(options)


# Create.


def _add_create(parser: Parser) -> None:
    parser.add_argument("plan", metavar="PLAN.toml", help="the plan, see docs/campaigns.md")
    add_texts(parser)
    parser.add_argument("--out", metavar="FILE", help="the campaign file to write; it must not exist")
    parser.add_argument("--dry-run", action="store_true", help="design the campaign and write nothing")
    parser.add_argument(
        "--force",
        action="store_true",
        help="write the file even if the campaign is too small for the requirements of the plan",
    )
    add_judgments(parser)
    width = parser.add_argument_group("expected width of the interval of two systems' difference")
    width.add_argument(
        "--deviations",
        type=_deviations,
        metavar="SEGMENTS,JUDGES,REST",
        help="standard deviations of one judge's difference between two systems on one segment, in points of the "
        "scale, if no ratings of a pilot are given with --human",
    )
    width.add_argument(
        "--width", type=float, metavar="X", help="also find the size of a campaign that reaches this width"
    )
    parser.checks.append(_check_out)
    parser.only("deviations", lambda call: not call.human, "not allowed with --human; remove one of the two")


def _check_out(options: argparse.Namespace) -> None:
    if (options.out is None) != options.dry_run:
        raise SettingsError("either --out FILE or --dry-run is required")


def _deviations(text: str) -> tuple[float, float, float]:
    try:
        segments, judges, rest = (float(part) for part in text.split(","))
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} found, three numbers expected, such as 0.6,0.2,1.0") from None
    return segments, judges, rest


def _create(options: argparse.Namespace) -> CommandResult:
    from bleu_core.campaigns import create_store, design_campaign, read_plan  # loaded when first needed
    from bleu_core.results.campaigns import design_report, design_sentences, design_tables

    plan = read_plan(read_bytes(options.plan, options.limits), printable_path(options.plan))
    files = InputFiles(options)
    data = files.dataset()
    corpus = data.corpus
    design = design_campaign(plan, corpus, _scores(plan, corpus))
    expected = _width(options, design, data.ratings.judgments)  # raises before anything is written
    refused = bool(design.shortfalls) and not options.force
    written = None if options.dry_run or refused else options.out
    if written is not None:
        create_store(written, design, corpus)
    report = design_report(design, written, expected)
    sentences = design_sentences(report)
    if refused and not options.dry_run:
        sentences.append("Change the plan, or add --force to create the campaign as it is.")
    status = SHORTFALL if refused else 0
    return CommandResult(report, design_tables(report), sentences, warnings=files.warnings, status=status)


def _scores(plan: CampaignPlan, corpus: Corpus) -> Floats | None:
    """Return segment BLEU, by which translations to degrade are chosen; None without references or checks."""
    if not plan.degraded or not corpus.references or not set(plan.systems) <= set(corpus.systems):
        return None
    from bleu_core.scoring import evaluate  # loaded when first needed

    evaluation = evaluate(corpus)
    return evaluation.segment_scores.score[[evaluation.systems.index(name) for name in plan.systems]]


def _width(options: argparse.Namespace, design: Design, pilot: Judgments | None) -> ExpectedWidth | None:
    """Return the expected width of the interval; None if the variance of ratings is not known.

    Raises:
        SettingsError: the ratings of the pilot are on another scale, or a number is out of range.
    """
    from bleu_core.campaigns import assumed_components, difference_components, expected_width

    if options.deviations is not None:
        components = assumed_components(*options.deviations)
    elif pilot is not None:
        scores, scale = pilot.table["score"], design.plan.scale
        if not scores.between(scale.lowest, scale.highest).all():
            raise SettingsError(
                f"ratings from {scores.min():g} to {scores.max():g} found, numbers from {scale.lowest:g} to "
                f"{scale.highest:g} expected, as in the plan; remove the ratings, or use --deviations"
            )
        components = difference_components(pilot)
    elif options.width is not None:
        raise SettingsError("argument --width: needs ratings of a pilot with --human, or --deviations")
    else:
        return None
    return expected_width(design.plan, components, segments=len(design.sample.segments), wanted=options.width)


# Links.

LEAD_NOTE = (
    "The link is shown only once. Open it within {hours} hours, in at most {browsers} browsers. The lead's previous "
    "link and the sessions opened with it have ended."
)
LINKS_REPLACED = (
    "{count:,} of {of:,} judges had a link, which is not valid any more; send them the new links: {judges}."
)
LINKS_KEPT = (
    "{count:,} of {of:,} judges already have a link, which was kept: {judges}. Add --renew to replace it: these judges "
    "lose access until you send them the new links."
)


def _add_links(parser: Parser) -> None:
    _add_file(parser)
    parser.add_argument(
        "--renew", action="store_true", help="also replace existing links: these judges lose access at once"
    )
    parser.add_argument("--url", default=DEFAULT_URL, help="address of the dashboard for judges (default: %(default)s)")
    add_repeatable(parser, "--judge", "NAME", "a judge to create a link for; repeatable (default: all judges)")
    parser.add_argument(
        "--lead", action="store_true", help="create a new link for the lead only, which replaces the previous one"
    )
    parser.checks.append(_check_judges)
    parser.only("renew", lambda call: not call.lead, "the lead's link is always replaced; remove the option")


def _check_judges(options: argparse.Namespace) -> None:
    if options.lead and options.judge:
        raise SettingsError("argument --judge: not allowed with --lead; create the links in two calls")


def _links(options: argparse.Namespace) -> CommandResult:
    from bleu_core.campaigns import (  # loaded when first needed
        LEAD_LINK_HOURS,
        MAX_LEAD_SESSIONS,
        CampaignStore,
        judge_link,
        lead_link,
    )
    from bleu_core.results.campaigns import links_report, links_table

    with CampaignStore(options.file) as store:
        judges: list[str | None] = [None] if options.lead else list(options.judge or store.judges)
        linked = [judge for judge in judges if store.token_created(judge) is not None]  # raises for an unknown judge
        links: dict[str | None, str | None] = dict.fromkeys(judges)
        for judge in judges:
            if options.lead or options.renew or judge not in linked:
                token = store.new_token(judge)
                links[judge] = lead_link(options.url, token) if judge is None else judge_link(options.url, token)
        report = links_report(store, links)
    if options.lead:
        note = LEAD_NOTE.format(hours=LEAD_LINK_HOURS, browsers=MAX_LEAD_SESSIONS)
        return CommandResult(report, [links_table(report)], [note])
    notes = ["Links are shown only once: the file has only their hashes. Send each judge their own link."]
    if linked:
        note = LINKS_REPLACED if options.renew else LINKS_KEPT
        notes.append(note.format(count=len(linked), of=len(judges), judges=listed(linked, max_items=len(linked))))
    return CommandResult(report, [links_table(report)], notes)


# State.


def _add_file(parser: Parser) -> None:
    parser.add_argument("file", metavar="FILE", help="the campaign file")


def _changing(event: Event) -> Callable[[argparse.Namespace], CommandResult]:
    """Return the action that records an event."""

    def change(options: argparse.Namespace) -> CommandResult:
        from bleu_core.campaigns import CampaignStore  # loaded when first needed
        from bleu_core.results.campaigns import state_report

        with CampaignStore(options.file) as store:
            store.add_event(event)
            report = state_report(store)
        return CommandResult(report, sentence=f"The campaign {report.title} is {report.state}.")

    return change


# Status.


def _add_status(parser: Parser) -> None:
    _add_file(parser)
    parser.add_argument(
        "--show-interim",
        action="store_true",
        help="show means before the first interim analysis; intervals of a campaign that is stopped because of them "
        "have less than their nominal coverage",
    )


def _status(options: argparse.Namespace) -> CommandResult:
    from bleu_core.campaigns import CampaignStore, campaign_status, status_sentences, status_tables
    from bleu_core.results.campaigns import status_report

    with CampaignStore(options.file) as store:
        status = campaign_status(store)
        if options.show_interim:
            status = replace(status, means_shown=True)
        report = status_report(store, status)
    return CommandResult(report, status_tables(status), status_sentences(status))


# Export.


def _add_export(parser: Parser) -> None:
    _add_file(parser)
    parser.add_argument(
        "--out", required=True, metavar="FOLDER", help="folder for the files; created if it does not exist"
    )
    parser.add_argument("--overwrite", action="store_true", help="replace files of an earlier export")


def _export(options: argparse.Namespace) -> CommandResult:
    from bleu_core.campaigns import CampaignStore, export_files  # loaded when first needed
    from bleu_core.results.campaigns import export_report, export_table

    with CampaignStore(options.file) as store:
        exports = export_files(store)
        plan, digest = store.plan, store.digest
    folder = Path(options.out)
    paths = {name: folder / name for name in exports.files}
    there = next((path for path in paths.values() if path.exists()), None)
    if there is not None and not options.overwrite:
        raise SettingsError(f"{printable_path(str(there))}: the file already exists; add --overwrite to replace it")
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in exports.files.items():
        paths[name].write_bytes(content)
    report = export_report(plan, digest, exports, [str(path) for path in paths.values()])
    return CommandResult(report, [export_table(report)], warnings=exports.left_out)


# Backup.


def _add_backup(parser: Parser) -> None:
    _add_file(parser)
    parser.add_argument("copy", metavar="COPY", help="the copy to write; it must not exist")


def _backup(options: argparse.Namespace) -> CommandResult:
    from bleu_core.campaigns import CampaignStore  # loaded when first needed
    from bleu_core.results.campaigns import backup_report, backup_sentence

    with CampaignStore(options.file) as store:
        store.backup(options.copy)
    with CampaignStore(options.copy) as copy:
        report = backup_report(copy)
    return CommandResult(report, sentence=backup_sentence(report))


#: The actions, in the order of the help.
ACTIONS: Mapping[str, Action] = MappingProxyType(
    {
        "create": Action("design a campaign and write its file", _add_create, _create),
        "links": Action("create links for judges and the lead", _add_links, _links),
        "open": Action("let judges rate", _add_file, _changing("opened")),
        "pause": Action("stop rating for now", _add_file, _changing("paused")),
        "reopen": Action("let judges rate again", _add_file, _changing("reopened")),
        "close": Action("end a campaign", _add_file, _changing("closed")),
        "status": Action("show progress, agreement and the state of the stopping rule", _add_status, _status),
        "export": Action(
            "write ratings, answers, comments, scores, a Pearmut campaign and a paragraph", _add_export, _export
        ),
        "backup": Action("write a complete copy of a campaign file, even while it is served", _add_backup, _backup),
    }
)
