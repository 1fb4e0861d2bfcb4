"""`bleu-core score`: scores of each system."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from bleu_core.cli.arguments import Parser
from bleu_core.cli.counts_files import names_counts
from bleu_core.cli.files import Files
from bleu_core.cli.inputs import plain_files, settings_of
from bleu_core.cli.options import add_common, add_documents, add_human_translations, add_metric, add_repeatable
from bleu_core.cli.result import Result
from bleu_core.cli.steps import evaluated, metric_warnings, read_scored, scored, undefined_notes
from bleu_core.cli.streaming import StreamedScores, score_files, score_files_in_processes
from bleu_core.cli.terminal import progress_bar
from bleu_core.counts import IrregularError, processes_for_files
from bleu_core.dataset import Corpus, human_note, translations_of
from bleu_core.errors import SettingsError
from bleu_core.inference import RESAMPLES, ScoreIntervals, score_intervals
from bleu_core.results.scores import score_report, score_table
from bleu_core.scoring import BleuEvaluation, CorpusScores

if TYPE_CHECKING:  # scoring does without these unless scores are compared
    from bleu_core.dataset import MissingText, PrintedScore

HELP = "score each system by BLEU or another metric"


def add_options(parser: Parser) -> None:
    """Add the options of the command."""
    add_common(parser)
    add_metric(parser)
    add_human_translations(parser)
    add_documents(parser, "a file with one document id per line, for --slice")
    parser.add_argument(
        "--intervals",
        action="store_true",
        help=f"add 95%% intervals from {RESAMPLES:,} bootstrap resamples of the segments",
    )
    add_repeatable(
        parser,
        "--metric-scores",
        "FILE",
        "scores that sacreBLEU has printed as JSON, which are compared with those computed here; repeatable",
    )
    parser.checks.append(_check_whole)


def run(options: argparse.Namespace) -> Result:
    """Score the systems."""
    if names_counts(options):
        return _of_counts(options)
    if options.metric == "bleu" and not options.intervals:  # the others need every segment
        streamed = _streamed(options)
        if streamed is not None:
            humans = translations_of(streamed.scores.systems, streamed.copies)
            warnings = [*streamed.oddities, *filter(None, [human_note(humans)])]
            return replace(_result(streamed.scores, warnings), humans=humans)
    files = Files(options)
    corpus = files.corpus(copies="note")
    printed = files.printed_scores() if files.slice is None else ()  # they are of the whole text
    evaluation = evaluated(options, corpus)
    if options.metric != "bleu":
        found = _by_metric(options, files, corpus, evaluation)
    else:
        intervals = score_intervals(evaluation) if options.intervals else None
        found = _result(evaluation, files.warnings, intervals, files.missing_systems)
        found = replace(found, slice=files.slice, repairs=files.repairs)
    found = replace(found, humans=files.human_translations)
    return _with_reproduced(found, printed, corpus, evaluation) if printed else found


def _of_counts(options: argparse.Namespace) -> Result:
    """The scores of systems in counts files."""
    given = read_scored(options, humans="noted")
    intervals = None
    if options.intervals:
        evaluation = given.evaluation
        intervals = score_intervals(evaluation if isinstance(evaluation, BleuEvaluation) else given.metric.statistics)
    return replace(_result(given.evaluation, given.warnings, intervals), humans=given.humans)


def _with_reproduced(
    found: Result, printed: Sequence[PrintedScore], corpus: Corpus, evaluation: BleuEvaluation
) -> Result:
    """The result with the scores that sacreBLEU has printed beside those computed here."""
    from bleu_core.results.reproduction import reproduced_scores, reproduction_sentence, reproduction_table

    compared = reproduced_scores(printed, evaluation, lambda key: scored(corpus, evaluation, key))
    return replace(
        found,
        content=replace(found.content, reproduced=compared),
        tables=[*found.tables, reproduction_table(compared)],
        notes=[*found.notes, reproduction_sentence(compared)],
    )


def _check_whole(options: argparse.Namespace) -> None:
    """Check that printed scores are compared with those of the whole text.

    Raises:
        SettingsError: a slice is asked for, too.
    """
    if options.metric_scores and options.slice is not None:
        raise SettingsError("argument --metric-scores: the scores in files are of the whole text; remove --slice")


def _result(
    scores: CorpusScores | BleuEvaluation,
    warnings: Sequence[str],
    intervals: ScoreIntervals | None = None,
    missing: Sequence[MissingText] = (),
) -> Result:
    return Result(
        score_report(scores, intervals, missing=missing),
        [score_table(scores, intervals, missing=missing)],
        [scores.signature],
        warnings=warnings,
    )


def _by_metric(options: argparse.Namespace, files: Files, corpus: Corpus, evaluation: BleuEvaluation) -> Result:
    """The scores by another metric than BLEU."""
    from bleu_core.results.scores import metric_score_report, metric_score_table  # loaded when first needed

    found = scored(corpus, evaluation, options.metric)
    intervals = None
    if options.intervals:
        with progress_bar() as progress:
            intervals = score_intervals(found.statistics, progress=progress)
    return Result(
        metric_score_report(found, evaluation, intervals, missing=files.missing_systems),
        [metric_score_table(found, intervals, missing=files.missing_systems)],
        [*undefined_notes(found), found.signature],
        warnings=[*files.warnings, *metric_warnings(corpus, evaluation, options.metric)],
        slice=files.slice,
        repairs=files.repairs,
    )


def _streamed(options: argparse.Namespace) -> StreamedScores | None:
    """Score plain files without keeping them; None where a Corpus has to find out what is wrong."""
    if options.slice is not None or options.labels or options.source or options.documents or options.metric_scores:
        return None
    if options.human_system or options.include_human or options.without_reference:
        return None
    plain = plain_files(options)
    if plain is None:
        return None
    systems, references = plain
    settings = settings_of(options)
    with processes_for_files([*systems.values(), *references.values()]) as run, progress_bar() as progress:
        score = (
            score_files
            if run.workers == 1 or settings.reference_length == "average"
            else partial(score_files_in_processes, run=run)
        )
        try:
            return score(
                systems, references, settings, encoding=options.encoding, limits=options.limits, progress=progress
            )
        except IrregularError:
            return None
