"""`bleu-core review`: the score from which segments can skip review by people."""

from __future__ import annotations

import argparse
from dataclasses import replace
from typing import TYPE_CHECKING

from bleu_core.agreement import MAX_UNACCEPTABLE
from bleu_core.cli.arguments import Parser, without_effect
from bleu_core.cli.command_result import CommandResult
from bleu_core.cli.input_files import InputFiles
from bleu_core.cli.judge_choices import rating_choices, unused_weights
from bleu_core.cli.loading import expression_of
from bleu_core.cli.optimised import add_optimised, marked_scores, with_marks
from bleu_core.cli.options import (
    add_common,
    add_documents,
    add_human_translations,
    add_judgments,
    add_repeatable,
    add_seed,
)
from bleu_core.cli.ratings import add_rated_data, read_rated
from bleu_core.cli.scored_data import assessed, bases, metric_warnings, scored
from bleu_core.dataset import Corpus, labelled
from bleu_core.errors import SettingsError
from bleu_core.fields import exact
from bleu_core.scoring import BUILT_IN_METRICS, DEFAULT_METRIC, SETTINGS, BleuEvaluation, find_metric

if TYPE_CHECKING:
    from bleu_core.agreement import MetricScores
    from bleu_core.dataset import AlignedData

HELP = "find the score from which segments can be published without review"


def add_options(parser: Parser) -> None:
    """Add the options of the command."""
    add_common(parser)
    parser.checks.append(_check)
    add_judgments(parser, needed=True)
    add_documents(parser, "a file with one document id per line; whole documents are drawn for the halves")
    add_repeatable(
        parser,
        "--metric",
        "METRIC",
        f"a metric to compute: {', '.join(BUILT_IN_METRICS)}, or one added by an installed package; repeatable "
        "(default: bleu, or none with --metric-scores)",
    )
    parser.add_argument(
        "--acceptable",
        type=float,
        metavar="VALUE",
        help="mean rating from which a segment is acceptable, in the direction of the ratings: larger is better, MQM "
        "errors are negative (default: derived from the scale of the ratings)",
    )
    parser.add_argument(
        "--max-unacceptable",
        type=_share,
        default=MAX_UNACCEPTABLE,
        metavar="SHARE",
        help="limit of the share of unacceptable segments among those that skip review, such as 5%% or 0.05 "
        f"(default: {100 * MAX_UNACCEPTABLE:g}%%)",
    )
    add_seed(parser)
    add_rated_data(parser)
    add_human_translations(parser)
    add_optimised(parser)


def run(options: argparse.Namespace) -> CommandResult:
    """Choose the threshold of each metric in one half, and test it in the other."""
    from bleu_core.agreement import correlate, default_acceptable, review_threshold, segment_ratings
    from bleu_core.results.envelope import rating_notes
    from bleu_core.results.review_threshold import (  # loaded when first needed
        review_method,
        review_report,
        review_sentence,
        review_table,
        reviewed_systems_table,
        thresholds_table,
    )

    files = InputFiles(options)
    rated = read_rated(options, files)
    corpus, evaluation, judgments, humans = rated.data.corpus, rated.evaluation, rated.judgments, rated.humans
    compared = correlate(corpus, evaluation, judgments, without=humans)
    ratings = segment_ratings(judgments, compared.systems, corpus.segments)
    acceptable = options.acceptable
    if acceptable is None:
        acceptable = default_acceptable(rated.given.rated["score"].to_numpy())
    metrics, warnings = _metrics(options, rated.data, evaluation)
    metrics, marks = marked_scores(options, metrics)
    reviews = [
        review_threshold(
            metric.select(compared.systems),
            ratings,
            corpus.documents,
            acceptable=acceptable,
            max_unacceptable=options.max_unacceptable,
            seed=options.seed,
        )
        for metric in metrics
    ]
    content, notes = rating_choices(options, files.human_scores(), judgments)
    notes = [
        *(f"left out: {e.system}: {e.reason}" for e in compared.excluded if e.system not in humans),
        *notes,
        *dict.fromkeys(review.note for review in reviews if review.note),
        *(f"{review.metric}: {review_method(review)}" for review in reviews),
    ]
    if options.acceptable is None:
        notes.append(f"acceptable: {exact(acceptable)}, derived from the scale of the ratings; set it by --acceptable")
    report = review_report(
        reviews,
        evaluation,
        excluded=compared.excluded,
        acceptable_is_default=options.acceptable is None,
        warnings=rating_notes(compared.rated),
    )
    warnings = [*unused_weights(options, judgments), *rated.warnings, *report.warnings, *warnings]
    result = CommandResult(
        replace(report, **content),
        [review_table(reviews), reviewed_systems_table(reviews), *(thresholds_table(review) for review in reviews)],
        [*notes, *(f"{review.metric}: {review.signature}" for review in reviews if review.signature)],
        headline=[review_sentence(review) for review in reviews],
        warnings=tuple(dict.fromkeys(warnings)),
        slice=files.slice,
        repairs=files.repairs,
        humans=files.human_translations,
        assessment=assessed(options, corpus, evaluation, bases(metrics, judgments), judgments),
    )
    return with_marks(options, result, marks)


def _metrics(
    options: argparse.Namespace, data: AlignedData, evaluation: BleuEvaluation
) -> tuple[list[MetricScores], list[str]]:
    """Return the metrics of files and those that the call names, and warnings about the latter."""
    from bleu_core.agreement import MetricScores

    corpus: Corpus = data.corpus
    keys = list(dict.fromkeys(options.metric)) or ([] if data.scores else [DEFAULT_METRIC])
    named = [find_metric(key) for key in keys]
    settings = () if named or expression_of(options) else ("preset", *SETTINGS)
    warnings = without_effect(options, settings, "no metric of this call depends on it")
    tables = labelled(data.scores, {metric.label for metric in named}).items()
    metrics = [MetricScores.of_table(replace(table, name=label), corpus) for label, table in tables]
    metrics += [MetricScores.of_metric(scored(corpus, evaluation, metric)) for metric in named]
    return metrics, [*warnings, *(w for metric in named for w in metric_warnings(corpus, evaluation, metric))]


def _share(text: str) -> float:
    """Read a share such as 5% or 0.05."""
    try:
        value = float(text.removesuffix("%")) / (100 if text.endswith("%") else 1)
    except ValueError:
        value = -1.0
    if not 0 < value < 1:
        raise argparse.ArgumentTypeError(f"{text!r} found, a share between 0 and 1 expected, such as 5% or 0.05")
    return value


def _check(options: argparse.Namespace) -> None:
    """Check the numbers and the metrics before any file is read.

    Raises:
        SettingsError: a number is out of its range, or a metric does not exist.
    """
    from bleu_core.agreement import check_review

    if options.acceptable is not None:
        check_review(options.acceptable, options.max_unacceptable)
    for key in options.metric:
        if key not in BUILT_IN_METRICS:
            try:
                find_metric(key)
            except SettingsError as error:
                raise SettingsError(f"argument --metric: {error}") from error
