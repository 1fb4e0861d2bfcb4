"""`bleu-core report`: results as one file in HTML, to read, send or print."""

from __future__ import annotations

import argparse
import shlex
import sys
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from bleu_core.cli import CommandResult, Parser, add_repeatable, with_marks
from bleu_core.errors import SettingsError
from bleu_core.fields import field, result
from bleu_core.formats import printable_path
from bleu_core.results.envelope import Envelope, envelope_fields
from dashboard.commands.gathering import CommandData, add_data_options, add_out, gather, marks_in_use, write_out
from dashboard.commands.saved_view import FORM, PARTS, control_of, is_as_saved

if TYPE_CHECKING:  # loaded when a report is written, not for the help
    from bleu_core.project import ReportText, SavedWorkspace
    from dashboard.export import Source, UsedFile

HELP = "write a report in HTML that can be read without network, and printed"

#: Options that name files.
FILES = ("ref", "systems", "archive", "documents", "source", "labels", "human", "metric_scores")


@result
class Written(Envelope):
    """The report that was written."""

    out: str = field("text", "The file.", default="")
    parts: tuple[str, ...] = field("object", "Keys of the parts that it has.", default=())


def add_options(parser: Parser) -> None:
    """Add the options of the command."""
    add_data_options(parser)
    add_out(parser, "file to write, for example report.html")
    add_repeatable(parser, "--part", "PART", "a part of the report; repeatable (default: all that the data allow)")
    parser.add_argument("--short", action="store_true", help="the short form, which fits one page")
    parser.add_argument("--title", default="", help="heading of the report")
    parser.add_argument("--introduction", default="", metavar="TEXT", help="plain text below the heading")
    parser.checks.append(_check_parts)


def run(options: argparse.Namespace) -> CommandResult:
    """Write the report."""
    from dashboard.export import make_report, make_short_report  # loaded when first needed

    gathered = gather(options)
    source, text = _source(gathered), _text(options)
    if _is_short(gathered.options):
        report = make_short_report(source, title=text.heading, introduction=text.introduction)
    else:
        parts = _parts(gathered.options, source)
        report = make_report(source, parts, title=text.heading, introduction=text.introduction)
    write_out(options, report.html(datetime.now().astimezone().date()))
    name = printable_path(options.out)
    keys = tuple(section.key for section in report.sections)
    result = CommandResult(
        Written(**envelope_fields(gathered.data.view.evaluation, gathered.data.scored), out=name, parts=keys),
        sentence=f"{name}: written ({', '.join(keys)})",
        warnings=gathered.warnings,
        slice=gathered.slice,
        assessment=gathered.data.assessment(ratings=True),
    )
    return with_marks(options, result, marks_in_use(gathered))


def _source(gathered: CommandData) -> Source:
    """Return the source of the report; for a workspace, that of its page."""
    from dashboard import session
    from dashboard.export import DataInUse, Source, cautions, report_commands, used_files

    options, data = gathered.options, gathered.data
    warnings = cautions(data.view)
    if options.workspace is None:
        return Source(data, files=_files(options), calls=_calls(), cautions=(*gathered.notes, *warnings))
    saved: SavedWorkspace = options.saved_workspace
    calls = report_commands(DataInUse(data.view, saved.choices), data) if is_as_saved(options) else _calls()
    notes = session.saved_notes(saved.notes, options.loaded_workspace.corpus)
    return Source(data=data, notes=notes, files=used_files(data.view), calls=calls, cautions=warnings)


def _text(options: argparse.Namespace) -> ReportText:
    """Return the heading and the introduction: those of the call, else those of a workspace."""
    from bleu_core.project import ReportText
    from dashboard import session

    if options.workspace is None:
        return ReportText(heading=options.title, introduction=options.introduction)
    saved: SavedWorkspace = options.saved_workspace
    text, given = session.saved_report_text(saved.report), options.given
    return ReportText(
        heading=options.title if "title" in given else text.heading,
        introduction=options.introduction if "introduction" in given else text.introduction,
    )


def _is_short(options: argparse.Namespace) -> bool:
    """Return whether the report is in the short form: as in a workspace, unless the call selects parts."""
    if options.short or options.part or options.workspace is None:
        return bool(options.short)
    return control_of(options, FORM) == "short"


def _parts(options: argparse.Namespace, source: Source) -> list[str] | None:
    """Return the keys of the parts: those of the call, else those of a workspace; None for all possible ones."""
    from dashboard.export import possible_parts

    if options.part or options.workspace is None:
        return options.part or None
    saved: SavedWorkspace = options.saved_workspace
    titles = saved.controls.get(PARTS, ())
    return [part.key for part in possible_parts(source) if part.title in titles] or None


def _files(options: argparse.Namespace) -> tuple[UsedFile, ...]:
    from dashboard.export import UsedFile

    files: list[UsedFile] = []
    for name in FILES:
        value = getattr(options, name) or ()
        for path in map(Path, [value] if isinstance(value, str) else value):
            data = path.read_bytes() if path.is_file() else None
            files.append(UsedFile.of(path.name, data))
    return tuple(files)


def _calls() -> tuple[str, ...]:
    """Return the call itself, as it was typed."""
    arguments = sys.argv[1:]
    return (shlex.join(["bleu-core", *arguments]),) if arguments[:1] == ["report"] else ()


def _check_parts(options: argparse.Namespace) -> None:
    """Check that no parts are requested for the short form.

    Raises:
        SettingsError: parts are requested.
    """
    if options.short and options.part:
        raise SettingsError("--short and --part found; the short form has no parts to choose, leave one out")
