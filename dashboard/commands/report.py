"""`bleu-core report`: results as one file in HTML, to read, send or print."""

from __future__ import annotations

import argparse
import hashlib
import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from bleu_core.cli import Parser, Result, add_repeatable
from bleu_core.errors import SettingsError
from bleu_core.fields import field, result
from bleu_core.reports import Envelope
from dashboard.commands.gathering import add_material_options, gather

if TYPE_CHECKING:  # loaded when a report is written, not for the help
    from dashboard.export import UsedFile

HELP = "write a report in HTML that can be read without network, and printed"

#: The options that name files.
FILES = ("ref", "systems", "archive", "documents", "source", "labels", "human", "metric_scores")


@result
class Written(Envelope):
    """The report that was written."""

    out: str = field("text", "The file.", default="")
    parts: tuple[str, ...] = field("object", "Keys of the parts that it has.", default=())


def add_options(parser: Parser) -> None:
    """Add the options of the command."""
    add_material_options(parser)
    parser.add_argument("--out", required=True, metavar="FILE", help="file to write, for example report.html")
    parser.add_argument("--force", action="store_true", help="overwrite the file if it exists")
    add_repeatable(parser, "--part", "PART", "a part of the report; repeatable (default: all that the data allow)")
    parser.add_argument("--short", action="store_true", help="the short form, which fits one page")
    parser.add_argument("--title", default="", help="heading of the report")
    parser.add_argument("--introduction", default="", metavar="TEXT", help="plain text below the heading")


def run(options: argparse.Namespace) -> Result:
    """Write the report."""
    from dashboard import analysis, session, words  # loaded when first needed
    from dashboard.export import Source, make_report, make_short_report

    out = Path(options.out)
    if options.short and options.part:
        raise SettingsError("--short and --part found; the short form has no parts to choose, leave one out")
    if out.exists() and not options.force:
        raise SettingsError(f"{options.out} exists; choose another name, or add --force to overwrite it")
    with session.without_page():
        gathered = gather(options)
        low = analysis.far_below(gathered.material.view)
        cautions = (*gathered.notes, *((words.far_below_others(low),) if low else ()))
        source = Source(gathered.material, files=_files(options), calls=_calls(), cautions=cautions)
        if options.short:
            report = make_short_report(source, title=options.title, introduction=options.introduction)
        else:
            report = make_report(source, options.part or None, title=options.title, introduction=options.introduction)
    with out.open("wb" if options.force else "xb") as file:
        file.write(report.html())
    evaluation = gathered.material.view.evaluation
    parts = tuple(section.key for section in report.sections)
    return Result(
        Written(
            signature=report.signature,
            metric=options.metric,
            settings=evaluation.settings,
            references=tuple(evaluation.references),
            segments=evaluation.segments,
            out=str(out),
            parts=parts,
        ),
        sentence=f"{out}: written ({', '.join(parts)})",
        warnings=gathered.warnings,
        slice=gathered.slice,
    )


def _files(options: argparse.Namespace) -> tuple[UsedFile, ...]:
    from dashboard.export import UsedFile

    found: list[UsedFile] = []
    for name in FILES:
        given = getattr(options, name) or ()
        for path in map(Path, [given] if isinstance(given, str) else given):
            digest = hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else ""
            found.append(UsedFile(path.name, digest))
    return tuple(found)


def _calls() -> tuple[str, ...]:
    """The call itself, as it was typed."""
    given = sys.argv[1:]
    return (shlex.join(["bleu-core", *given]),) if given[:1] == ["report"] else ()
