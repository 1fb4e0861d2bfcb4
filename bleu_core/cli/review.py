"""`bleu-core review`: the score from which segments can skip review by people."""

from __future__ import annotations

import argparse
from dataclasses import replace

from bleu_core.agreement import BLEU, MAX_UNACCEPTABLE
from bleu_core.cli.arguments import Parser, without_effect
from bleu_core.cli.chosen_metrics import chosen_metrics
from bleu_core.cli.chosen_settings import expression_of
from bleu_core.cli.command_result import CommandResult
from bleu_core.cli.input_files import InputFiles
from bleu_core.cli.judge_choices import rating_choices, unused_weights
from bleu_core.cli.optimised import add_optimised, marked_scores, with_marks
from bleu_core.cli.options import (
    add_common,
    add_documents,
    add_human_translations,
    add_judgments,
    add_repeatable,
    add_seed,
)
from bleu_core.cli.ratings import add_rated_data, assess_rated, read_rated
from bleu_core.cli.scored_data import metric_warnings
from bleu_core.errors import SettingsError
from bleu_core.fields import exact
from bleu_core.scoring import SETTINGS, find_metric

HELP = "find the score from which segments can be published without review"


def add_options(parser: Parser) -> None:
    """Add the options of the command."""
    add_common(parser)
    parser.checks.append(_check)
    add_judgments(parser, needed=True)
    add_documents(parser, "a file with one document id per line; whole documents are drawn for the parts")
    add_repeatable(
        parser,
        "--metric",
        "METRIC",
        "a metric to examine, for example bleu, chrf2, a metric of an archive or of --metric-scores, or 'BLEU, "
        "lower-case'; an unknown name prints the list; repeatable (default: all metrics of files, else bleu; all of "
        "--metric-scores are added if none of them is named)",
    )
    parser.add_argument(
        "--among",
        type=int,
        metavar="N",
        help="number of metrics among which you choose, if you examine others in other calls; the confidence holds for "
        "all of them together (default: number of metrics of this call with scores of segments)",
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
    parser.set_defaults(continues_without_bleu=True)


def run(options: argparse.Namespace) -> CommandResult:
    """Find a threshold of each metric in one part, and test it in the other."""
    from bleu_core.agreement import correlate, default_acceptable, review_threshold, segment_ratings
    from bleu_core.results.envelope import rating_notes
    from bleu_core.results.review_threshold import (  # loaded when first needed
        MEASURED,
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
    selected = chosen_metrics(
        options.metric,
        rated.data,
        evaluation,
        default=() if rated.data.scores else (BLEU,),
        with_files=bool(options.metric_scores) or not options.metric,
    )
    of_files_only = len(selected.tables) == len(selected.metrics)
    settings = ("preset", *SETTINGS) if of_files_only and not expression_of(options) else ()
    warnings = without_effect(options, settings, "no metric of this call depends on it")
    warnings += [w for key in selected.computed for w in metric_warnings(corpus, evaluation, find_metric(key))]
    metrics, marks = marked_scores(options, selected.metrics)
    examined = max(1, sum(metric.has_segments for metric in metrics))
    among = examined if options.among is None else options.among
    if among < examined:
        raise SettingsError(f"--among {among} found, at least {examined} expected: the number of metrics of this call")
    reviews = [
        review_threshold(
            metric.select(compared.systems),
            ratings,
            corpus.documents,
            acceptable=acceptable,
            max_unacceptable=options.max_unacceptable,
            seed=options.seed,
            among=among,
        )
        for metric in metrics
    ]
    content, notes = rating_choices(options, files.human_scores(), judgments)
    notes = [
        *(f"left out: {e.system}: {e.reason}" for e in compared.excluded if e.system not in humans),
        *notes,
        *dict.fromkeys(review.note for review in reviews if review.note),
        *(f"{review.metric}: {review_method(review)}" for review in reviews),
        MEASURED,
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
        assessment=assess_rated(options, rated, files, metrics),
        raw_ratings=rated.adjusted is not None,
    )
    return with_marks(options, result, marks)


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
    """Check the numbers before any file is read.

    Raises:
        SettingsError: a number is out of its range.
    """
    from bleu_core.agreement import check_review

    acceptable = 0 if options.acceptable is None else options.acceptable
    check_review(acceptable, options.max_unacceptable, 1 if options.among is None else options.among)
