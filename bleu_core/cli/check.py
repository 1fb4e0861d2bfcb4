"""`bleu-core check`: where lines of a text are missing, doubled, split, joined or shifted, and where BLEU misleads."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING

from bleu_core.alignment import check_lines
from bleu_core.cli.arguments import Parser
from bleu_core.cli.files import Files
from bleu_core.cli.inputs import settings_of
from bleu_core.cli.options import add_common, add_documents, add_human_translations, add_judgments
from bleu_core.cli.result import Result
from bleu_core.cli.steps import evaluated
from bleu_core.cli.terminal import progress_bar
from bleu_core.dataset import Column, first_without_reference, length_mismatch, most_common_length
from bleu_core.errors import AlignmentError, SettingsError

if TYPE_CHECKING:  # loaded where there is something to look at
    from bleu_core.diagnostics import Finding

HELP = "find lines that are missing, doubled, split, joined or shifted, and warn where BLEU misleads"

DIFFERENT_LENGTHS = "the texts differ in their numbers of lines"
NO_REFERENCE = "there is no reference"


def add_options(parser: Parser) -> None:
    """Add the options of the command."""
    add_common(parser)
    add_judgments(parser)
    add_human_translations(parser)
    add_documents(parser, "a file with one document id per line, to find out whether few documents decide")
    parser.checks.append(_check_whole)


def run(options: argparse.Namespace) -> Result:
    """Compare all texts line by line, and look for warnings; the status is 1 if there is a place or an alarm.

    Raises:
        AlignmentError: a text has another number of lines than most and nothing in common with them.
    """
    from bleu_core.results.check import check_report, check_sentences, check_tables  # loaded when first needed

    files = Files(options)
    texts = files.texts()
    with progress_bar() as progress:
        found = check_lines(texts, progress=progress)
    explained, expected = [one.column for one in found], most_common_length(texts)
    for column in texts:
        if len(column.segments) != expected and column not in explained:
            raise AlignmentError(length_mismatch(column, texts))
    reason = why_not_scored(texts)
    warned = None if reason else _findings(options, files)
    report = check_report(texts, found, settings=settings_of(options), findings=warned, reason=reason)
    alarmed = any(one.strength == "alarm" for one in warned or ())
    return Result(
        report,
        check_tables(report, whole=options.format in ("tsv", "latex")),
        check_sentences(report),
        warnings=tuple(dict.fromkeys(files.warnings)),  # the files were read for lines and for warnings
        repairs=files.repairs,
        humans=files.human_translations,
        status=1 if found or alarmed else 0,
    )


def why_not_scored(texts: Sequence[Column]) -> str:
    """Why texts cannot be scored; empty if they can."""
    if len({len(column.segments) for column in texts}) > 1:
        return DIFFERENT_LENGTHS
    references = [column.segments for column in texts if column.role == "reference"]
    if not references:
        return NO_REFERENCE
    segment = first_without_reference(references)
    return f"segment {segment:,} has no reference" if segment else ""


def _findings(options: argparse.Namespace, files: Files) -> tuple[Finding, ...]:
    """What the warnings find in texts that fit together."""
    from bleu_core.diagnostics import DiagnosticInput, findings  # loaded when first needed

    dataset = files.dataset(copies="none")
    material = DiagnosticInput(
        dataset.corpus,
        evaluated(options, dataset.corpus),
        dataset.ratings.rated,
        humans=files.human_translations,
    )
    return findings(material)


def _check_whole(options: argparse.Namespace) -> None:
    """Check that the whole text is asked for.

    Raises:
        SettingsError: a slice is asked for.
    """
    if options.slice is not None:
        raise SettingsError("argument --slice: check compares whole texts; remove --slice")
