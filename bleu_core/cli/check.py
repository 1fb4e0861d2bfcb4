"""`bleu-core check`: where lines of a text are missing, doubled, split, joined or shifted."""

from __future__ import annotations

import argparse

from bleu_core.cli.arguments import Parser
from bleu_core.cli.files import Files
from bleu_core.cli.inputs import settings_of
from bleu_core.cli.options import add_common
from bleu_core.cli.result import Result
from bleu_core.cli.terminal import progress_bar
from bleu_core.dataset import length_mismatch, most_common_length
from bleu_core.errors import AlignmentError, SettingsError
from bleu_core.segments import check_lines

HELP = "find lines that are missing, doubled, split, joined or shifted"


def add_options(parser: Parser) -> None:
    """Add the options of the command."""
    add_common(parser)
    parser.checks.append(_check_whole)


def run(options: argparse.Namespace) -> Result:
    """Compare all texts line by line; the exit status is 1 if there is a place.

    Raises:
        AlignmentError: a text has another number of lines than most and nothing in common with them.
    """
    from bleu_core.reports import check_report, check_sentence, check_tables  # loaded when first needed

    files = Files(options)
    texts = files.texts()
    with progress_bar() as progress:
        found = check_lines(texts, progress=progress)
    explained, expected = [one.column for one in found], most_common_length(texts)
    for column in texts:
        if len(column.segments) != expected and column not in explained:
            raise AlignmentError(length_mismatch(column, texts))
    report = check_report(texts, found, settings_of(options))
    return Result(
        report,
        check_tables(report),
        [check_sentence(report)],
        warnings=files.warnings,
        repairs=files.repairs,
        status=1 if found else 0,
    )


def _check_whole(options: argparse.Namespace) -> None:
    """Check that the whole text is asked for.

    Raises:
        SettingsError: a slice is asked for.
    """
    if options.slice is not None:
        raise SettingsError("argument --slice: check compares whole texts; remove --slice")
