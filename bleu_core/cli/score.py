"""`bleu-core score`: scores of each system."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from bleu_core.cli.arguments import Parser
from bleu_core.cli.chosen_settings import settings_for
from bleu_core.cli.command_result import CommandResult
from bleu_core.cli.counts_files import names_counts
from bleu_core.cli.input_files import InputFiles, beginnings, plain_files
from bleu_core.cli.judge_choices import add_ratings_as_metric
from bleu_core.cli.optimised import add_optimised, used_marks, with_marks
from bleu_core.cli.options import add_common, add_documents, add_human_translations, add_metric_scores, add_metrics
from bleu_core.cli.replicates import add_groups, scored_groups
from bleu_core.cli.scored_data import (
    assessed,
    bases,
    evaluated,
    load_scored,
    metric_warnings,
    read_with_metrics,
    sampled_assessment,
    scored,
    undefined_notes,
)
from bleu_core.cli.streaming import StreamedScores, score_files, score_files_in_processes
from bleu_core.cli.terminal import progress_bar
from bleu_core.counts import IrregularError, processes_for_files
from bleu_core.dataset import Corpus, human_note, translations_of
from bleu_core.errors import SettingsError
from bleu_core.inference import RESAMPLES, ScoreIntervals, score_intervals
from bleu_core.results.scores import Scores, score_report, score_table, scores_report
from bleu_core.scoring import BUILT_IN_METRICS, DEFAULT_METRIC, BleuEvaluation, CorpusScores, ScoredCorpus, find_metric

if TYPE_CHECKING:  # loaded when first needed
    from bleu_core.dataset import HumanTranslation, MissingText, PrintedScore, ScoreTable
    from bleu_core.results.metric_scores import MetricColumn
    from bleu_core.scoring import Metric

HELP = "score each system by BLEU or another metric"


def add_options(parser: Parser) -> None:
    """Add the options of the command."""
    add_common(parser)
    add_metrics(parser)
    add_human_translations(parser)
    add_optimised(parser)
    add_documents(parser, "a file with one document id per line, for --slice", _uses_documents)
    parser.add_argument(
        "--intervals",
        action="store_true",
        help=f"add 95%% intervals from {RESAMPLES:,} bootstrap resamples of the segments",
    )
    add_metric_scores(parser, ", or scores that sacreBLEU has printed as JSON, to compare with those computed here")
    add_ratings_as_metric(parser)
    add_groups(parser, "the mean and the spread of each group are added as a table")


def run(options: argparse.Namespace) -> CommandResult:
    """Score the systems."""
    if names_counts(options):
        return _of_counts(options)
    if not options.intervals and not options.group:  # all else needs every segment
        plain = _streamed(options)
        if plain is not None:
            streamed, begin = plain
            scores, humans = streamed.scores, translations_of(streamed.scores.systems, streamed.copies)
            unsplit = metric_warnings(begin, scores, find_metric(DEFAULT_METRIC))
            warnings = [*streamed.oddities, *filter(None, [human_note(humans)]), *unsplit]
            names = [human.system for human in humans]
            metric = ScoredCorpus.of_bleu(scores)
            sample = replace(streamed.sample, languages=begin.languages)
            assessment = sampled_assessment(
                options, sample, scores.segments, counts=streamed.sample_counts, humans=humans
            )
            return replace(_result(metric, scores, warnings, not_ranked=names), humans=humans, assessment=assessment)
    files = InputFiles(options)
    in_use = read_with_metrics(options, files, copies="note")
    corpus, whole = in_use.corpus, in_use.whole
    chosen = in_use.metrics or (find_metric(DEFAULT_METRIC),)
    printed = files.printed_scores()
    if printed and options.slice is not None:
        raise SettingsError("argument --metric-scores: the scores in files are of the whole text; remove --slice")
    evaluation = evaluated(options, corpus)
    metrics = [scored(corpus, evaluation, metric) for metric in chosen]
    warnings = [*files.warnings]
    warnings += [text for metric in chosen for text in metric_warnings(corpus, evaluation, metric)]
    not_ranked = _not_ranked(options, chosen, files.human_translations)
    if len(metrics) == 1 and not whole:
        intervals, names = _intervals(options, metrics[0]), not_ranked[0]
        missing = files.missing_systems
        result = _result(metrics[0], evaluation, warnings, intervals, missing=missing, not_ranked=names)
    else:
        from bleu_core.results.metric_scores import MetricColumn  # loaded when first needed

        columns = [
            MetricColumn(scored=metric, intervals=_intervals(options, metric), not_ranked=names)
            for metric, names in zip(metrics, not_ranked, strict=True)
        ]
        result = _by_metrics(columns, evaluation, warnings, whole=whole, missing=files.missing_systems)
    result = _with_groups(options, result, metrics)
    result = replace(
        result,
        slice=files.slice,
        repairs=files.repairs,
        humans=files.human_translations,
        assessment=assessed(
            options,
            corpus,
            evaluation,
            bases(chosen),
            judgments=in_use.judgments,
            humans=files.human_translations,
            others=files.other_systems,
        ),
        raw_ratings=in_use.raw_ratings,
    )
    result = with_marks(options, result, used_marks(options, chosen))
    return _with_reproduced(result, printed, corpus, evaluation) if printed and files.slice is None else result


def _uses_documents(options: argparse.Namespace) -> bool:
    """Return whether a metric of a call may use documents, as ratings and metrics of other packages do."""
    return bool(set(options.metric).difference(BUILT_IN_METRICS))


def _not_ranked(
    options: argparse.Namespace, metrics: Sequence[Metric], humans: Sequence[HumanTranslation]
) -> list[tuple[str, ...]]:
    """Return the systems that are not ranked by each of the metrics."""
    names = [human.system for human in humans]
    return [(*names, *(mark.system for mark in used_marks(options, [metric]))) for metric in metrics]


def _by_metrics(
    columns: Sequence[MetricColumn],
    evaluation: BleuEvaluation,
    warnings: Sequence[str],
    *,
    whole: Mapping[str, ScoreTable],
    missing: Sequence[MissingText],
) -> CommandResult:
    """Return the systems by several metrics."""
    from bleu_core.results.metric_scores import metric_scores_table, whole_systems_note  # loaded when first needed

    metrics = [column.scored for column in columns]
    notes = [note for metric in metrics for note in undefined_notes(metric)]
    intervals = {column.scored.name: column.intervals for column in columns if column.intervals is not None}
    return CommandResult(
        scores_report(evaluation, metrics, intervals, whole=whole, missing=missing),
        [metric_scores_table(columns, whole=whole)],
        [*notes, *filter(None, [whole_systems_note(whole)]), *(f"{m.label}: {m.signature}" for m in metrics)],
        warnings=[*warnings, *(f"{text.name}: no score: {text.reason}" for text in missing)],
    )


def _of_counts(options: argparse.Namespace) -> CommandResult:
    """Score the systems in counts files."""
    given = load_scored(options, humans="noted")
    (not_ranked,) = _not_ranked(options, [given.metric.metric], given.humans)
    intervals = _intervals(options, given.metric)
    result = _result(given.metric, given.evaluation, given.warnings, intervals, not_ranked=not_ranked)
    result = _with_groups(options, result, [given.metric])
    result = replace(result, humans=given.humans, assessment=given.assessment)
    return with_marks(options, result, used_marks(options, [given.metric.metric]))


def _with_groups(options: argparse.Namespace, result: CommandResult, metrics: Sequence[ScoredCorpus]) -> CommandResult:
    """Return the result with the mean and the spread of groups of runs, if the call names groups."""
    if not options.group or not isinstance(result.content, Scores):
        return result
    from bleu_core.results.replicates import group_table, scores_of_groups  # loaded when first needed

    groups = scored_groups(options, metrics)
    tables = [group_table(scores, metric, several=len(metrics) > 1) for metric, scores in groups]
    return replace(result, content=scores_of_groups(result.content, groups), tables=[*result.tables, *tables])


def _with_reproduced(
    result: CommandResult, printed: Sequence[PrintedScore], corpus: Corpus, evaluation: BleuEvaluation
) -> CommandResult:
    """Return the result with a comparison of the scores that sacreBLEU has printed and those computed here."""
    from bleu_core.results.reproduction import reproduced_scores, reproduction_sentence, reproduction_table

    compared = reproduced_scores(printed, evaluation, lambda key: scored(corpus, evaluation, key))
    return replace(
        result,
        content=replace(result.content, reproduced=compared),
        tables=[*result.tables, reproduction_table(compared)],
        notes=[*result.notes, reproduction_sentence(compared)],
    )


def _intervals(options: argparse.Namespace, metric: ScoredCorpus) -> ScoreIntervals | None:
    """Return intervals of the scores, if the call asks for them."""
    if not options.intervals:
        return None
    with progress_bar() as progress:
        return score_intervals(metric, progress=progress)


def _result(
    metric: ScoredCorpus,
    evaluation: CorpusScores | BleuEvaluation,
    warnings: Sequence[str],
    intervals: ScoreIntervals | None = None,
    *,
    missing: Sequence[MissingText] = (),
    not_ranked: Sequence[str] = (),
) -> CommandResult:
    return CommandResult(
        score_report(evaluation, intervals, scored=metric, missing=missing),
        [score_table(metric, intervals, missing=missing).with_unranked(not_ranked)],
        [*undefined_notes(metric), metric.signature],
        warnings=warnings,
    )


def _streamed(options: argparse.Namespace) -> tuple[StreamedScores, Corpus] | None:
    """Score plain files without loading them, and return the beginnings of their references, too.

    Returns:
        None if a Corpus is needed to read them or to report an error.
    """
    if options.slice is not None or options.labels or options.source or options.documents or options.metric_scores:
        return None
    if options.human or options.human_system or options.include_human or options.exclude_reference or options.optimised:
        return None
    plain = plain_files(options)
    if plain is None or len(options.metric) > 1 or not find_metric(options.metric[0]).from_ngram_counts:
        return None
    systems, references = plain
    try:
        begin = beginnings(options, systems, references)
    except IrregularError:
        return None
    settings = settings_for(options, begin)
    with processes_for_files([*systems.values(), *references.values()]) as run, progress_bar() as progress:
        score = (
            score_files
            if run.workers == 1 or settings.reference_length == "average"
            else partial(score_files_in_processes, run=run)
        )
        try:
            scores = score(
                systems, references, settings, encoding=options.encoding, limits=options.limits, progress=progress
            )
        except IrregularError:
            return None
    return scores, begin
