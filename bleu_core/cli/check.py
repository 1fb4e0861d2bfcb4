"""`bleu-core check`: find missing, doubled, split, joined and shifted lines, and warn where BLEU misleads."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING

from bleu_core.alignment import check_lines
from bleu_core.cli.arguments import Parser
from bleu_core.cli.chosen_settings import settings_of
from bleu_core.cli.command_result import CommandResult
from bleu_core.cli.input_files import InputFiles
from bleu_core.cli.options import (
    add_common,
    add_documents,
    add_human_translations,
    add_judgments,
    add_metric_scores,
    add_metrics,
)
from bleu_core.cli.scored_data import evaluated, metric_warnings, metrics_of_data, scored
from bleu_core.cli.terminal import progress_bar
from bleu_core.dataset import Column, first_without_reference, length_mismatch, most_common_length
from bleu_core.errors import AlignmentError, SettingsError
from bleu_core.scoring import DEFAULT_METRIC, BleuSettings

if TYPE_CHECKING:  # loaded when first needed
    from bleu_core.diagnostics import Finding
    from bleu_core.results.check import CheckedMetric

HELP = "find missing, doubled, split, joined and shifted lines, and warn where BLEU misleads"

DIFFERENT_LENGTHS = "the texts differ in their numbers of lines"
NO_REFERENCE = "there is no reference"


def add_options(parser: Parser) -> None:
    """Add the options of the command."""
    add_common(parser)
    add_judgments(parser)
    add_metrics(parser, ratings=False)
    add_metric_scores(parser, ", whose gaps are counted")
    add_human_translations(parser)
    add_documents(parser, "a file with one document id per line, to check whether few documents decide the result")
    parser.set_defaults(continues_without_bleu=True)
    parser.checks.append(_check_no_slice)


def run(options: argparse.Namespace) -> CommandResult:
    """Compare all texts line by line, and search for warnings; the status is 1 if there is a place or an alarm.

    Raises:
        AlignmentError: a text differs from most others in its number of lines and has nothing in common with them.
    """
    from bleu_core.diagnostics import Assessment
    from bleu_core.results.check import check_report, check_sentences, check_tables  # loaded when first needed

    files = InputFiles(options)
    texts = files.texts()
    with progress_bar() as progress:
        places = check_lines(texts, progress=progress)
    explained, expected = [place.column for place in places], most_common_length(texts)
    for column in texts:
        if len(column.segments) != expected and column not in explained:
            raise AlignmentError(length_mismatch(column, texts))
    reason = why_not_scored(texts)
    settings, warnings, metrics = (settings_of(options), None, ()) if reason else _findings(options, files)
    report = check_report(texts, places, settings=settings, findings=warnings, metrics=metrics, reason=reason)
    has_alarm = any(warning.strength == "alarm" for warning in warnings or ())
    return CommandResult(
        report,
        check_tables(report, in_full=options.format != "table"),
        check_sentences(report),
        warnings=tuple(dict.fromkeys(files.warnings)),  # the files were read twice, for lines and for warnings
        repairs=files.repairs,
        humans=files.human_translations,
        assessment=Assessment.of_findings(warnings or ()) if not reason else Assessment(),
        status=1 if places or has_alarm else 0,
    )


def why_not_scored(texts: Sequence[Column]) -> str:
    """Return why texts cannot be scored; empty if they can."""
    if len({len(column.segments) for column in texts}) > 1:
        return DIFFERENT_LENGTHS
    references = [column.segments for column in texts if column.role == "reference"]
    if not references:
        return NO_REFERENCE
    segment = first_without_reference(references)
    return f"segment {segment:,} has no reference" if segment else ""


def _findings(
    options: argparse.Namespace, files: InputFiles
) -> tuple[BleuSettings, tuple[Finding, ...], tuple[CheckedMetric, ...]]:
    """Return the settings, the findings in texts that fit together, and the checked metrics if the call names any."""
    from bleu_core.diagnostics import DiagnosticInput, findings  # loaded when first needed
    from bleu_core.results.check import checked_metrics

    dataset = files.dataset(copies="none")
    corpus = dataset.corpus
    evaluation = evaluated(options, corpus)
    humans, others = files.human_translations, files.other_systems
    material = DiagnosticInput(corpus, evaluation, dataset.ratings.rated, humans=humans, others=others)
    if not options.metric_scores and options.metric == [DEFAULT_METRIC]:
        return evaluation.settings, findings(material), ()
    metrics = metrics_of_data(options, files, dataset)
    files.warnings += [text for metric in metrics.metrics for text in metric_warnings(corpus, evaluation, metric)]
    all_scored = [scored(corpus, evaluation, metric) for metric in metrics.metrics]
    return evaluation.settings, findings(material), checked_metrics(all_scored, metrics.whole)


def _check_no_slice(options: argparse.Namespace) -> None:
    """Check that the call has no slice.

    Raises:
        SettingsError: it has one.
    """
    if options.slice is not None:
        raise SettingsError("argument --slice: check compares whole texts; remove --slice")
