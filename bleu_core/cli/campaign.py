"""`bleu-core campaign`: collect judgments: design a campaign, make links, follow it and export what was gathered."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from bleu_core.cli.arguments import Parser
from bleu_core.cli.files import Files
from bleu_core.cli.options import add_judgments, add_output, add_repeatable, add_texts
from bleu_core.cli.result import Result
from bleu_core.errors import SettingsError, listed
from bleu_core.formats import printable_path, read_bytes

if TYPE_CHECKING:
    from bleu_core.arrays import Floats
    from bleu_core.campaigns import CampaignPlan, Design, Event, ExpectedWidth
    from bleu_core.dataset import Corpus, Judgments

HELP = "collect judgments: design a campaign, make links for judges, follow it and export it"

#: Where `bleu-dashboard --campaign` serves by default.
URL = "http://localhost:8501"

#: The exit status of a design that is not written, as its size does not allow what was asked for.
SHORT = 1


class Action(NamedTuple):
    """A command of `bleu-core campaign`: its help, what adds its options, and what runs it."""

    help: str
    add_options: Callable[[Parser], None]
    run: Callable[[argparse.Namespace], Result]


def add_options(parser: Parser) -> None:
    """Add the actions, each with its own options."""
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    for name, action in ACTIONS.items():
        added = actions.add_parser(name, help=action.help, description=action.help)
        added.set_defaults(parser=added, workspace=None)
        action.add_options(added)
        add_output(added)


def run(options: argparse.Namespace) -> Result:
    """Run an action."""
    return ACTIONS[options.action].run(options)


# Create.


def _add_create(parser: Parser) -> None:
    parser.add_argument("plan", metavar="PLAN.toml", help="the plan, see docs/campaigns.md")
    add_texts(parser)
    parser.add_argument("--out", metavar="FILE", help="the campaign file to write; it must not exist")
    parser.add_argument("--dry-run", action="store_true", help="design the campaign and write nothing")
    parser.add_argument(
        "--accept-shortfalls",
        action="store_true",
        help="write the file although the size of the campaign does not allow all that the plan asks for",
    )
    add_judgments(parser)
    width = parser.add_argument_group("expected width of the interval of two systems' difference")
    width.add_argument(
        "--deviations",
        type=_deviations,
        metavar="SEGMENTS,JUDGES,REST",
        help="standard deviations of one judge's difference of two systems on one segment, in points of the scale, "
        "where no ratings of a pilot are given with --human",
    )
    width.add_argument("--width", type=float, metavar="X", help="also find what reaches this width")
    parser.checks.append(_check_out)


def _check_out(options: argparse.Namespace) -> None:
    if (options.out is None) != options.dry_run:
        raise SettingsError("either --out FILE or --dry-run is required")


def _deviations(text: str) -> tuple[float, float, float]:
    try:
        segments, judges, rest = (float(part) for part in text.split(","))
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} found, three numbers expected, such as 0.6,0.2,1.0") from None
    return segments, judges, rest


def _create(options: argparse.Namespace) -> Result:
    from bleu_core.campaigns import create_store, design_campaign, read_plan  # loaded when first needed
    from bleu_core.results.campaigns import design_report, design_sentences, design_tables

    plan = read_plan(read_bytes(options.plan, options.limits), printable_path(options.plan))
    files = Files(options)
    data = files.dataset()
    corpus = data.corpus
    design = design_campaign(plan, corpus, _scores(plan, corpus))
    expected = _width(options, design, data.ratings.judgments)  # before anything is written
    refused = bool(design.shortfalls) and not options.accept_shortfalls
    written = None if options.dry_run or refused else options.out
    if written is not None:
        create_store(written, design, corpus)
    report = design_report(design, written, expected)
    sentences = design_sentences(report)
    if refused and not options.dry_run:
        sentences.append("Change the plan, or add --accept-shortfalls to create the campaign as it is.")
    status = SHORT if refused else 0
    return Result(report, design_tables(report), sentences, warnings=files.warnings, status=status)


def _scores(plan: CampaignPlan, corpus: Corpus) -> Floats | None:
    """Segment BLEU, by which the translations that are degraded are chosen; None without references or checks."""
    if not plan.degraded or not corpus.references or not set(plan.systems) <= set(corpus.systems):
        return None
    from bleu_core.scoring import evaluate  # loaded when first needed

    evaluation = evaluate(corpus)
    return evaluation.segment_scores.score[[evaluation.systems.index(name) for name in plan.systems]]


def _width(options: argparse.Namespace, design: Design, pilot: Judgments | None) -> ExpectedWidth | None:
    """What the design can show; None where nothing is known about how ratings vary.

    Raises:
        SettingsError: the ratings of the pilot are on another scale, or a number means nothing.
    """
    from bleu_core.campaigns import assumed_components, difference_components, expected_width

    if options.deviations is not None:
        components = assumed_components(*options.deviations)
    elif pilot is not None:
        scores, scale = pilot.table["score"], design.plan.scale
        if not scores.between(scale.lowest, scale.highest).all():
            raise SettingsError(
                f"ratings from {scores.min():g} to {scores.max():g} found, numbers from {scale.lowest:g} to "
                f"{scale.highest:g} expected, as of the plan; leave them out, or give --deviations"
            )
        components = difference_components(pilot)
    elif options.width is not None:
        raise SettingsError("argument --width: needs ratings of a pilot with --human, or --deviations")
    else:
        return None
    return expected_width(design.plan, components, segments=len(design.sample.segments), wanted=options.width)


# Links.

LEAD_NOTE = (
    "The link is shown this once. Open it within {hours} hours, in {browsers} browsers at most. The lead's older "
    "link and the sessions that it began have ended."
)
REPLACED = "{count:,} of {of:,} had a link, which is not valid any more; send them the new ones: {judges}."
KEPT = (
    "{count:,} of {of:,} have a link already, which was kept: {judges}. Add --renew to replace it: they lose access "
    "until you send them the new ones."
)


def _add_links(parser: Parser) -> None:
    _add_file(parser)
    parser.add_argument(
        "--renew", action="store_true", help="also replace links made before: those judges lose access at once"
    )
    parser.add_argument("--url", default=URL, help="address at which judges reach the dashboard (default: %(default)s)")
    add_repeatable(parser, "--judge", "NAME", "a judge to make a link for; repeatable (default: all judges)")
    parser.add_argument(
        "--lead", action="store_true", help="make a new link for the lead only, which ends the one before"
    )
    parser.checks.append(_check_judges)


def _check_judges(options: argparse.Namespace) -> None:
    if options.lead and options.judge:
        raise SettingsError("argument --judge: not allowed with --lead; make the links in two calls")


def _links(options: argparse.Namespace) -> Result:
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
        linked = [judge for judge in judges if store.token_made(judge) is not None]  # an unknown judge is refused here
        links: dict[str | None, str | None] = dict.fromkeys(judges)
        for judge in judges:
            if options.lead or options.renew or judge not in linked:
                token = store.new_token(judge)
                links[judge] = lead_link(options.url, token) if judge is None else judge_link(options.url, token)
        report = links_report(store, links)
    if options.lead:
        note = LEAD_NOTE.format(hours=LEAD_LINK_HOURS, browsers=MAX_LEAD_SESSIONS)
        return Result(report, [links_table(report)], [note])
    notes = ["Links are shown this once: the file has only their hashes. Send each judge one of them."]
    if linked:
        note = REPLACED if options.renew else KEPT
        notes.append(note.format(count=len(linked), of=len(judges), judges=listed(linked, max_items=len(linked))))
    return Result(report, [links_table(report)], notes)


# State.


def _add_file(parser: Parser) -> None:
    parser.add_argument("file", metavar="FILE", help="the campaign file")


def _changing(event: Event) -> Callable[[argparse.Namespace], Result]:
    """What brings a campaign into another state."""

    def change(options: argparse.Namespace) -> Result:
        from bleu_core.campaigns import CampaignStore  # loaded when first needed
        from bleu_core.results.campaigns import state_report

        with CampaignStore(options.file) as store:
            store.add_event(event)
            report = state_report(store)
        return Result(report, sentence=f"The campaign {report.title} is {report.state}.")

    return change


# Status.


def _add_status(parser: Parser) -> None:
    _add_file(parser)
    parser.add_argument(
        "--peek",
        action="store_true",
        help="show means before the first look of the stopping rule; intervals of a campaign that is stopped because "
        "of them cover less often than they say",
    )


def _status(options: argparse.Namespace) -> Result:
    from bleu_core.campaigns import CampaignStore, campaign_status, status_sentences, status_tables
    from bleu_core.results.campaigns import status_report

    with CampaignStore(options.file) as store:
        found = campaign_status(store)
        if options.peek:
            found = replace(found, means_shown=True)
        report = status_report(store, found)
    return Result(report, status_tables(found), status_sentences(found))


# Export.


def _add_export(parser: Parser) -> None:
    _add_file(parser)
    parser.add_argument("--out", required=True, metavar="FOLDER", help="folder for the files; made where it is missing")
    parser.add_argument("--overwrite", action="store_true", help="replace files of an earlier export")


def _export(options: argparse.Namespace) -> Result:
    from bleu_core.campaigns import CampaignStore, export_files  # loaded when first needed
    from bleu_core.results.campaigns import export_report, export_table

    with CampaignStore(options.file) as store:
        exports = export_files(store)
        plan, digest = store.plan, store.digest
    folder = Path(options.out)
    paths = {name: folder / name for name in exports.files}
    there = next((path for path in paths.values() if path.exists()), None)
    if there is not None and not options.overwrite:
        raise SettingsError(f"{printable_path(str(there))}: a file found, none expected; add --overwrite to replace it")
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in exports.files.items():
        paths[name].write_bytes(content)
    report = export_report(plan, digest, exports, [str(path) for path in paths.values()])
    return Result(report, [export_table(report)], warnings=exports.left_out)


# Backup.


def _add_backup(parser: Parser) -> None:
    _add_file(parser)
    parser.add_argument("copy", metavar="COPY", help="the copy to write; it must not exist")


def _backup(options: argparse.Namespace) -> Result:
    from bleu_core.campaigns import CampaignStore  # loaded when first needed
    from bleu_core.results.campaigns import backup_report, backup_sentence

    with CampaignStore(options.file) as store:
        store.backup(options.copy)
    with CampaignStore(options.copy) as copy:
        report = backup_report(copy)
    return Result(report, sentence=backup_sentence(report))


#: The actions, in the order of the help.
ACTIONS: Mapping[str, Action] = MappingProxyType(
    {
        "create": Action("design a campaign and write its file", _add_create, _create),
        "links": Action("make links for judges and the lead", _add_links, _links),
        "open": Action("let judges rate", _add_file, _changing("opened")),
        "pause": Action("let judges rate no more for now", _add_file, _changing("paused")),
        "reopen": Action("let judges rate again", _add_file, _changing("reopened")),
        "close": Action("end a campaign", _add_file, _changing("closed")),
        "status": Action("show progress, agreement and what the stopping rule says", _add_status, _status),
        "export": Action(
            "write ratings, answers, comments, scores, a Pearmut campaign and a paragraph", _add_export, _export
        ),
        "backup": Action("write a complete copy of a campaign file, also while it is served", _add_backup, _backup),
    }
)
