"""`bleu-core correlate`: agreement of BLEU and other metrics with human judgments."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import partial
from typing import TYPE_CHECKING, Any, get_args

import numpy as np

from bleu_core.agreement import BLEU, RANKING_METHODS, TRIALS
from bleu_core.arrays import Floats
from bleu_core.cli.arguments import Parser, without_effect
from bleu_core.cli.chosen_metrics import chosen_metrics
from bleu_core.cli.command_result import CommandResult
from bleu_core.cli.input_files import InputFiles
from bleu_core.cli.judge_as_metric import about_judge_as_metric, add_judge_as_metric
from bleu_core.cli.judge_choices import rating_choices, unused_weights
from bleu_core.cli.optimised import add_optimised, marked_scores, with_marks
from bleu_core.cli.options import (
    add_common,
    add_correction,
    add_documents,
    add_human_translations,
    add_judgments,
    add_repeatable,
    add_seed,
)
from bleu_core.cli.ratings import add_rated_data, assess_rated, read_rated
from bleu_core.cli.sentinels import about_sentinel, without_sentinel
from bleu_core.cli.terminal import progress_bar
from bleu_core.dataset import Corpus, Judgments, RatedSegments, ScoreTable
from bleu_core.errors import SettingsError
from bleu_core.fields import Table
from bleu_core.judges import Adjustment
from bleu_core.scoring import DEFAULT_METRIC, BleuEvaluation

if TYPE_CHECKING:
    from bleu_core.agreement import MetricScores
    from bleu_core.results.agreement import MetricAgreement, SegmentLevelReport, SystemLevelReport
    from bleu_core.results.agreement_by_class import ClassesReport

HELP = "measure how well BLEU and other metrics agree with human judgments"


def add_options(parser: Parser) -> None:
    """Add the options of the command."""
    add_common(parser)
    parser.checks.append(_check_ranking)
    add_judgments(parser, needed=True)
    add_documents(parser, "a file with one document id per line, to align ratings by document")
    parser.add_argument(
        "--level", choices=["system", "segment"], default="system", help="unit of comparison: systems or segments"
    )
    parser.add_argument(
        "--method",
        choices=RANKING_METHODS,
        help="coefficient that metrics are ranked by (default: pearson for systems, kendall for segments); "
        "acc-eq, the accuracy with ties calibrated, is for segments only, and spa, the soft pairwise accuracy, for "
        "systems only",
    )
    parser.add_argument(
        "--grouping",
        choices=["item", "system", "none"],
        default="item",
        help=(
            "grouping of segments for the ranking: coefficients averaged over segments (item) or over systems "
            "(system), or one coefficient of all (none) (default: item)"
        ),
    )
    parser.add_argument(
        "--test",
        choices=["perm-both", "williams"],
        default="perm-both",
        help=(
            "test that compares two metrics: permutation of paired scores, or Williams' test for Pearson's r of systems"
        ),
    )
    parser.add_argument(
        "--trials",
        type=int,
        default=TRIALS,
        metavar="N",
        help="number of trials per permutation test (default: %(default)s)",
    )
    add_correction(parser)
    parser.add_argument(
        "--interval",
        choices=["formula", "bootstrap"],
        default="formula",
        help=(
            "interval over systems in the table: Fisher's formula and its rank equivalents, or a bootstrap of "
            "systems; JSON has both"
        ),
    )
    add_seed(parser)
    add_repeatable(
        parser,
        "--metric",
        "METRIC",
        "a metric to compare, for example bleu, chrf2, a metric of --metric-scores, BLEU-2, 'BLEU, tokeniser char', "
        "'BLEU, lower-case', 'BLEU, smoothing none' or the sentinel 'source length'; the first is reported in full, "
        f"and an unknown name prints the list; repeatable (default: {DEFAULT_METRIC} and all of --metric-scores, which "
        "are added if none of them is named)",
    )
    add_repeatable(parser, "--also", "NAME", f"former spelling of --metric, which also adds {BLEU}")
    parser.checks.append(_note_also)
    parser.add_argument(
        "--classes",
        action="store_true",
        help="also compare agreement inside and outside classes of segments: with numbers, names, negation, quotations "
        "or questions, short and long; with --level segment",
    )
    parser.add_argument(
        "--language",
        metavar="CODE",
        help="language of the references for --classes, such as en (default: guessed from their words)",
    )
    parser.add_argument(
        "--human-ranking",
        choices=get_args(Adjustment),
        help="also rank the systems by their ratings, with intervals, tiers and a table of judges by systems: by means "
        "adjusted for judges if judges are confounded with systems (auto), by raw or by adjusted means",
    )
    parser.add_argument("--judges", action="store_true", help="also report on the judges and how well they agree")
    add_judge_as_metric(parser)
    parser.add_argument(
        "--differences",
        choices=["neighbours", "all"],
        help="also compare the ratings of systems: neighbours by mean rating, or all pairs",
    )
    add_rated_data(parser)
    add_human_translations(parser)
    parser.set_defaults(continues_without_bleu=True)
    add_optimised(parser)
    for key, level in (("grouping", "segment"), ("interval", "system"), ("test", "system")):
        parser.only(key, partial(_is_level, level), f"is for {level}s; add --level {level}, or remove the option")
    parser.only("trials", lambda call: call.test != "williams", "Williams' test has no trials; remove the option")


def _is_level(level: str, options: argparse.Namespace) -> bool:
    return options.level == level


def run(options: argparse.Namespace) -> CommandResult:
    """Correlate scores with ratings, and rank the metrics."""
    from bleu_core.results.envelope import rating_notes  # loaded when first needed

    files = InputFiles(options)
    rated = read_rated(options, files)
    corpus, evaluation, judgments, humans = rated.data.corpus, rated.evaluation, rated.judgments, rated.humans
    warnings = list(rated.warnings)
    selected = chosen_metrics(options.metric, rated.data, evaluation, also=options.also)
    compared, sentinel_left_out = without_sentinel(selected.metrics, options.level)
    metrics, marks = marked_scores(options, compared)
    if len(metrics) == 1:
        warnings += _notes_on_ranking(options)
    elif options.level == "system":
        reason = "the table of several metrics has no intervals, and JSON has both"
        warnings += without_effect(options, ["interval"], reason)
    choices, choice_notes = _choices(options, files.human_scores(), judgments, selected.tables)
    warnings += unused_weights(options, judgments)
    correlate = _segment_level if options.level == "segment" else _system_level
    correlated = correlate(options, corpus, evaluation, judgments=judgments, metrics=metrics, humans=humans)
    beside: dict[str, Any] = {}
    if options.level == "system" and rated.adjusted is not None:
        beside["adjusted"] = _adjusted(corpus, evaluation, rated.adjusted, metrics, humans=humans)
    warnings += rating_notes(correlated.rated)
    warnings += _about_directions(selected.of_files, correlated.systems, judgments, corpus)
    sentinel, sentinel_notes = about_sentinel(correlated.content, sentinel_left_out)
    about_judges, judge_tables = _about_judges(options, judgments, correlated.systems)
    judge, compared_tables, compared_notes = about_judge_as_metric(options, rated.given, metrics, correlated.systems)
    ranked, rank_tables, rank_notes = _human_ranking(options, corpus, rated.given)
    signature = [correlated.signature] if correlated.signature else []
    result = CommandResult(
        replace(correlated.content, **choices, **beside, **sentinel, **about_judges, **judge, **ranked),
        [*correlated.tables, *compared_tables, *judge_tables, *rank_tables],
        [*correlated.notes, *sentinel_notes, *compared_notes, *choice_notes, *rank_notes, *signature],
        warnings=tuple(dict.fromkeys(warnings)),  # unused rows were also reported when each file was read
        slice=files.slice,
        repairs=files.repairs,
        humans=files.human_translations,
        assessment=assess_rated(options, rated, files, metrics),
        raw_ratings=rated.adjusted is not None and "adjusted" not in beside,
    )
    return with_marks(options, result, marks)


def _notes_on_ranking(options: argparse.Namespace) -> list[str]:
    """Return notes on options that have no effect, as they are for comparisons of metrics and there is only one."""
    used: set[str] = set()
    if options.judge_as_metric:
        used |= {"method", "grouping"}
    if options.classes:
        used |= {"method", "trials"}
    if options.level == "system" or options.classes or options.human_ranking:
        used.add("seed")
    keys = [key for key in ("method", "grouping", "test", "trials", "correction", "seed") if key not in used]
    reason = "it is for comparisons of metrics, and there is one metric; add --metric"
    return without_effect(options, keys, reason)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Correlated:
    """Results on one level.

    Attributes:
        content: the report.
        tables, notes: tables and notes of the other formats.
        systems: the correlated systems.
        signature: signature of the first metric; empty if it has none.
        rated: the number of rated segments of these systems.
    """

    content: SystemLevelReport | SegmentLevelReport
    tables: list[Table]
    notes: list[str]
    systems: Sequence[str]
    signature: str
    rated: RatedSegments | None


def _system_level(
    options: argparse.Namespace,
    corpus: Corpus,
    evaluation: BleuEvaluation,
    *,
    judgments: Judgments,
    metrics: Sequence[MetricScores],
    humans: Mapping[str, str],
) -> _Correlated:
    from bleu_core.agreement import RankingTest, metrics_robustness, system_level
    from bleu_core.results.agreement import (  # loaded when first needed
        agreement_table,
        coefficients_table,
        ranking_table,
        stability_table,
        system_level_report,
        system_table,
    )

    with progress_bar() as progress:
        result = system_level(
            corpus,
            evaluation,
            judgments,
            metrics,
            ranking=RankingTest(
                method=options.method,
                test=options.test,
                correction=options.correction,
                trials=options.trials,
                seed=options.seed,
            ),
            without=humans,
            progress=progress,
        )
    first = result.agreements[0]
    robustness = metrics_robustness(result, metrics, judgments, corpus.segments, seed=options.seed)
    if len(metrics) > 1:
        coefficients = system_table(result, robustness)
    else:
        bootstrap = options.interval == "bootstrap"
        coefficients = coefficients_table(first, robustness[first.metric], bootstrap=bootstrap)
    tables = [agreement_table(first), coefficients, stability_table(robustness[first.metric])]
    notes = [f"left out: {e.system}: {e.reason}" for e in first.excluded if e.system not in humans]
    if result.ranking:
        tables.append(ranking_table(result.ranking))
        notes += [f"not ranked: {name}: {reason}" for name, reason in result.ranking.excluded]
    content = system_level_report(result, evaluation, robustness)
    return _Correlated(
        content=content,
        tables=tables,
        notes=notes,
        systems=first.systems,
        signature=first.signature,
        rated=first.rated,
    )


def _adjusted(
    corpus: Corpus,
    evaluation: BleuEvaluation,
    judgments: Judgments,
    metrics: Sequence[MetricScores],
    *,
    humans: Mapping[str, str],
) -> tuple[MetricAgreement, ...]:
    """Return the agreement of each metric with mean ratings that are adjusted for judges."""
    from bleu_core.agreement import system_level
    from bleu_core.results.agreement import metric_agreements  # loaded when first needed

    result = system_level(corpus, evaluation, judgments, metrics[:1], without=humans)
    others = (system_level(corpus, evaluation, judgments, [metric], without=humans) for metric in metrics[1:])
    return metric_agreements([each for level in (result, *others) for each in level.agreements])


def _segment_level(
    options: argparse.Namespace,
    corpus: Corpus,
    evaluation: BleuEvaluation,
    *,
    judgments: Judgments,
    metrics: Sequence[MetricScores],
    humans: Mapping[str, str],
) -> _Correlated:
    from bleu_core.agreement import RankingTest, segment_level, segment_ratings
    from bleu_core.results.agreement import (  # loaded when first needed
        ranking_table,
        segment_level_report,
        segment_table,
    )

    with progress_bar() as progress:
        result = segment_level(
            corpus,
            evaluation,
            judgments,
            metrics,
            ranking=RankingTest(
                method=options.method,
                grouping=options.grouping,
                correction=options.correction,
                trials=options.trials,
                seed=options.seed,
            ),
            without=humans,
            progress=progress,
        )
    tables = [segment_table(result)]
    notes = [f"left out: {e.system}: {e.reason}" for e in result.excluded if e.system not in humans]
    notes += [f"left out: {name}: {reason}" for name, reason in result.left_out]
    if result.ranking:
        tables.append(ranking_table(result.ranking))
        notes += [f"left out: {name}: {reason}" for name, reason in result.ranking.excluded]
    content = segment_level_report(result, evaluation)
    if options.classes:
        ratings = segment_ratings(judgments, result.systems, corpus.segments)
        selected = [metric.select(result.systems) for metric in metrics if metric.has_segments]
        class_reports = _by_class(options, corpus, evaluation=evaluation, metrics=selected, ratings=ratings)
        content = replace(content, classes=tuple(report for report, _, _ in class_reports))
        tables += [table for _, table, _ in class_reports]
        notes += [
            f"classes by {report.metric} not tested: {missing}" for report, _, missing in class_reports if missing
        ]
    return _Correlated(
        content=content,
        tables=tables,
        notes=notes,
        systems=result.systems,
        signature=result.signature,
        rated=result.rated,
    )


def _by_class(
    options: argparse.Namespace,
    corpus: Corpus,
    evaluation: BleuEvaluation,
    metrics: Sequence[MetricScores],
    ratings: Floats,
) -> list[tuple[ClassesReport, Table, str]]:
    """Return agreement of metrics with (K, S) ratings by class of segment, and why no class is tested, if so."""
    from bleu_core.agreement import agreement_by_class
    from bleu_core.diagnostics import DiagnosticInput, guessed_language
    from bleu_core.results.agreement_by_class import classes_report, classes_table  # loaded when first needed
    from bleu_core.slicing import classify_segments

    language = guessed_language(DiagnosticInput(corpus, evaluation)) if options.language is None else options.language
    classes = classify_segments(
        corpus, references=evaluation.references, settings=evaluation.settings, language=language
    )
    results: list[tuple[ClassesReport, Table, str]] = []
    for metric in metrics:
        with progress_bar() as progress:
            agreement = agreement_by_class(
                metric.segment_scores,
                ratings,
                classes,
                corpus.documents,
                method=options.method or "kendall",
                trials=options.trials,
                seed=options.seed,
                progress=progress,
            )
        report = classes_report(agreement, metric.name, language)
        results.append((report, classes_table(agreement, metric.name), agreement.missing))
    return results


def _choices(
    options: argparse.Namespace, human_scores: Mapping[str, str], judgments: Judgments, metrics: Sequence[ScoreTable]
) -> tuple[dict[str, Any], list[str]]:
    """Return the options and guesses that change numbers: fields of the report, and notes."""
    content, notes = rating_choices(options, human_scores, judgments)
    lower = [table.name for table in metrics if not table.higher_is_better]
    if lower:
        content["lower_is_better"] = tuple(lower)
        notes.append(f"lower is better, so the sign of the scores is flipped: {', '.join(lower)}")
    return content, notes


def _about_directions(
    metrics: Sequence[MetricScores], systems: Sequence[str], judgments: Judgments, corpus: Corpus
) -> list[str]:
    """Return warnings about metrics of files whose direction contradicts the judges."""
    from bleu_core.agreement import doubtful_directions, segment_ratings  # loaded when first needed

    means = judgments.system_means()
    system_ratings = np.array([means.get(name, np.nan) for name in systems])
    ratings = segment_ratings(judgments, systems, corpus.segments)
    return [direction.sentence for direction in doubtful_directions(metrics, systems, system_ratings, ratings)]


def _about_judges(
    options: argparse.Namespace, judgments: Judgments, systems: Sequence[str]
) -> tuple[dict[str, Any], list[Table]]:
    """Return judges' agreement and rating differences, if requested: fields of the report, and tables."""
    from bleu_core.results.judges import (  # loaded when first needed
        JudgesReport,
        difference_rows,
        judge_tables,
        judges_report,
    )

    report = judges_report(judgments, systems) if options.judges else JudgesReport()
    if options.differences:
        report = replace(report, rater_differences=difference_rows(judgments, systems, options.differences))
    return {f.name: getattr(report, f.name) for f in fields(report)}, judge_tables(report)


def _human_ranking(
    options: argparse.Namespace, corpus: Corpus, judgments: Judgments
) -> tuple[dict[str, Any], list[Table], list[str]]:
    """Return the systems ranked by judges, if requested: fields of the report, tables and notes."""
    if not options.human_ranking:
        return {}, [], []
    from bleu_core.judges import human_ranking  # loaded when first needed
    from bleu_core.results.human_ranking import (
        confounding_sentences,
        human_pairs_table,
        human_ranking_report,
        human_ranking_table,
        judge_means_table,
        method,
        roster_table,
    )

    ranking = human_ranking(
        judgments,
        [name for name in judgments.systems if name in corpus.systems],
        corpus.documents,
        adjustment=options.human_ranking,
        seed=options.seed,
    )
    report = human_ranking_report(ranking)
    tables = [human_ranking_table(ranking), human_pairs_table(ranking)]
    tables += [roster_table(ranking.means), judge_means_table(ranking.means)]
    return (
        {f.name: getattr(report, f.name) for f in fields(report)},
        tables,
        [method(ranking), *confounding_sentences(ranking.confounding)],
    )


def _note_also(options: argparse.Namespace) -> None:
    """Print a note if the call has the former option --also."""
    if options.also:
        sys.stderr.write(
            "bleu-core correlate: note: --also is now called --metric, which compares the named metrics only "
            f"(--metric {DEFAULT_METRIC} adds BLEU); the former name works until version 0.4\n"
        )


def _check_ranking(options: argparse.Namespace) -> None:
    """Check that the options fit the level.

    Raises:
        SettingsError: a coefficient, a test or an option is not available on the level, or a number is out of range.
    """
    segment_level = options.level == "segment"
    if options.method == "acc-eq" and not (segment_level and options.grouping == "item"):
        raise SettingsError("--method acc-eq is for segments: add --level segment --grouping item")
    if options.method == "spa" and (segment_level or options.judge_as_metric):
        other = "--level segment" if segment_level else "--judge-as-metric"
        raise SettingsError(f"--method spa is for metrics of systems: remove {other}, or choose another --method")
    if options.test == "williams" and (segment_level or options.method not in (None, "pearson")):
        raise SettingsError("--test williams is for Pearson's r of systems: add --level system --method pearson")
    if options.classes and not (segment_level and options.grouping == "item"):
        raise SettingsError("--classes is for segments: add --level segment --grouping item")
    if options.language is not None:
        from bleu_core.diagnostics import check_language  # loaded when first needed

        check_language(options.language)
        if not options.classes:
            raise SettingsError("--language is for --classes: add --classes, or remove --language")
    if options.trials < 1:
        raise SettingsError(f"{options.trials} trials found, at least 1 expected")
