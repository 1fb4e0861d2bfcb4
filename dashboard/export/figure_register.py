"""The figures of the pages that can be printed, by the name that `bleu-core figure` gives them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from types import MappingProxyType
from typing import Literal

import plotly.graph_objects as go

from bleu_core.fields import Table
from bleu_core.results.agreement import (
    agreement_table,
    leave_one_out_table,
    p_values_table,
    ranking_table,
    scatter_table,
)
from bleu_core.results.agreement_by_class import classes_table
from bleu_core.results.blocks import block_score_table
from bleu_core.results.decomposition import decomposition_table
from bleu_core.results.judges import (
    alpha_table,
    differences_table,
    distribution_table,
    group_means_table,
    judge_pairs_table,
    tau_counts,
    tau_counts_table,
    variance_table,
)
from bleu_core.results.ngrams import ngram_tables
from bleu_core.results.precisions import precision_table
from bleu_core.results.reference_rankings import advantages_table, reference_scores_table
from bleu_core.results.score_differences import score_differences_table
from bleu_core.results.scores import metric_score_table, score_table
from bleu_core.results.significance import (
    block_sizes_table,
    comparison_table,
    deltas_table,
    grid_table,
    pair_blocks_table,
    text_needed_table,
    tier_table,
)
from bleu_core.results.slices import slice_pair_table
from dashboard import analysis, figures, words
from dashboard.export.material import Material

#: What a figure needs beside a system and a reference.
Need = Literal["two systems", "two references", "judgments"]

#: What a figure shows: all systems, a pair of them, or ratings.
Subject = Literal["systems", "pair", "judges"]


@dataclass(frozen=True, slots=True)
class PrintedFigure:
    """A figure.

    Attributes:
        name: its name in files and on the command line.
        page: the title of the page that has it.
        label: what it shows, as the page calls it.
        draw: draws it as on the page; figures.for_print makes it stand on paper.
        table: the numbers behind it.
        needs: what the data must have.
        subject: whether it shows all systems or a pair.
        key: of the chart on the page.
    """

    name: str
    page: str
    label: str
    draw: Callable[[Material], go.Figure]
    table: Callable[[Material], Table]
    needs: tuple[Need, ...] = ()
    subject: Subject = "systems"
    key: str = ""


def _scores(material: Material) -> go.Figure:
    scores = material.scores
    names, intervals = scores.ordered_systems(), scores.intervals
    return figures.score_bars(
        names,
        [scores.of_system[name] for name in names],
        material.styles,
        intervals=intervals and [intervals.scores[name] for name in names],
        label=scores.metric.label,
        unit=scores.metric.unit,
    )


def _scores_table(material: Material) -> Table:
    scores = material.scores
    names = scores.ordered_systems()
    if scores.metric.key == "bleu":
        return score_table(material.view.evaluation.select(names), scores.intervals, missing=material.view.missing)
    return metric_score_table(scores.scored.select(names), scores.intervals, missing=material.view.missing)


def _precision(material: Material, *, bars: bool = False) -> go.Figure:
    compared, intervals = material.view.compared, material.view.intervals
    bounds = intervals and intervals.precisions
    if bars:
        return figures.precision_bars(compared.systems, compared.scores, material.styles, bounds)
    return figures.decay_lines(compared.systems, compared.scores, material.decays, material.styles, intervals=bounds)


def _tiers(material: Material) -> go.Figure:
    found, metric = material.comparisons, material.scored
    descriptive = analysis.only_describes()
    return figures.tier_lines(
        found,
        [found.ranked] if descriptive else material.tiers,
        material.intervals,
        material.styles,
        metric.label,
        unit=metric.metric.unit,
        beaten=None if descriptive else analysis.systems_beaten(found),
    )


def _grid(material: Material) -> go.Figure:
    tested = not analysis.only_describes()
    return figures.comparison_grid(material.comparisons, material.scored.label, tested=tested)


def _against(material: Material) -> go.Figure:
    metric = material.scored
    return figures.against_baseline(material.against_baseline, material.styles, metric.label, metric.metric.unit)


def _deltas(material: Material) -> go.Figure:
    metric, tests = material.scored, material.tests
    return figures.drawn_deltas(tests.deltas, tests.tests[0].pairs[0].delta, metric.label, metric.metric.unit)


def _baseline_first(material: Material) -> tuple[str, str]:
    system, baseline = material.names
    return baseline, system


def _block_differences(material: Material) -> go.Figure:
    metric, tests = material.scored.metric, material.tests
    return figures.block_differences(
        tests.block_scores,
        tests.blocks,
        _baseline_first(material),
        material.styles_of_pair,
        unit=metric.unit,
        higher_is_better=metric.higher_is_better,
    )


def _interval_width(material: Material) -> go.Figure:
    metric = material.scored
    return figures.interval_widths(material.text_needed[0], metric.label, metric.metric.unit)


def _slices(material: Material) -> go.Figure:
    divided, metric = material.divided, material.scored
    whole, *slices = divided.rows_of(material.names[0])
    drawn = [whole, *(slices[n] for n in divided.largest(figures.MOST_DRAWN))]
    style = material.styles_of_pair[material.names[0]]
    return figures.slice_differences(drawn, style, metric.label, metric.metric.unit)


def _slices_table(material: Material) -> Table:
    return slice_pair_table(material.divided.found, material.divided.grouping.by, material.names[0])


def _ngrams_table(material: Material) -> Table:
    return ngram_tables([material.ngrams])[1]


def _influence(material: Material) -> go.Figure:
    return figures.influence_curve(material.curve, material.segments.numbers, material.scored.label)


def _human(material: Material) -> go.Figure:
    result = material.agreement
    is_bleu = result.metric == analysis.BLEU
    bounds = material.view.intervals if is_bleu else None
    name = "BLEU (points)" if is_bleu else result.metric
    return figures.bleu_and_ratings(
        result,
        material.styles,
        material.rated.humans,
        intervals=bounds and bounds.scores,
        notes=words.coefficients_without_each(material.robustness),
        score=name if result.higher_is_better else f"{name} (lower is better)",
    )


def _human_table(material: Material) -> Table:
    bounds = material.view.intervals if material.agreement.metric == analysis.BLEU else None
    return agreement_table(material.agreement, bounds)


def _without_each(material: Material) -> go.Figure:
    pearson = material.robustness.leave_one_out[0]
    return figures.without_each(
        material.agreement.systems, pearson.coefficient, pearson.without.tolist(), material.styles, "Pearson's r"
    )


def _normalised(material: Material) -> go.Figure:
    return figures.normalised_lines(*analysis.normalised_scores(material.rated))


def _segment_agreement(material: Material) -> go.Figure:
    found = material.segment_agreement
    return figures.scores_and_ratings(
        found.points,
        found.metric,
        found.systems,
        material.styles,
        numbers=found.numbers,
        higher_is_better=found.higher_is_better,
    )


def _segment_agreement_table(material: Material) -> Table:
    found = material.segment_agreement
    return scatter_table(found.points, found.systems, numbers=found.numbers)


def _metrics(material: Material) -> go.Figure:
    ranking, level = material.ranked_metrics, material.metrics_by_system
    bounds = analysis.ranking_intervals(level, material.ranking_options.method)
    return figures.metric_ranking(ranking, words.COEFFICIENTS[ranking.method], bounds)


def _rating(material: Material) -> str:
    return "standardised rating" if material.rated.standardised else "rating"


def _judges(material: Material) -> go.Figure:
    return figures.rating_histograms(material.judges.by_mean, rating=_rating(material))


def _alphas(material: Material) -> go.Figure:
    return figures.krippendorff_alphas(material.judges.alphas, words.ALPHA_BOUNDS)


def _judge_pairs(material: Material) -> go.Figure:
    pairs = material.judge_pairs
    if len(pairs.judges) <= figures.MOST_IN_MATRIX:
        return figures.kendall_matrix(pairs)
    return figures.kendall_counts(tau_counts(pairs), pairs.mean)


def _judge_pairs_table(material: Material) -> Table:
    pairs = material.judge_pairs
    return (
        judge_pairs_table(pairs) if len(pairs.judges) <= figures.MOST_IN_MATRIX else tau_counts_table(tau_counts(pairs))
    )


def _differences(material: Material) -> go.Figure:
    rating = "standardised rating" if material.rated.standardised else "mean rating"
    return figures.mean_differences(material.rating_differences, ("segment",), rating=rating)


def _score_differences(material: Material) -> go.Figure:
    label = material.agreement.metric
    published = analysis.published_curve(label)
    return figures.agreement_by_difference(material.difference_curve, published, axis=f"difference in {label}")


def _agreement_by_class(material: Material) -> go.Figure:
    found = material.agreement_by_class
    return figures.agreement_by_class(found, axis=words.CLASS_COEFFICIENTS[found.method])


_ALL: tuple[PrintedFigure, ...] = (
    PrintedFigure("scores", "Scores", "Scores", _scores, _scores_table, key="scores"),
    PrintedFigure(
        "precision",
        "Precision",
        "Precision by n-gram order, as lines",
        _precision,
        lambda m: precision_table(m.view.compared, m.view.intervals),
        key="precision",
    ),
    PrintedFigure(
        "precision-bars",
        "Precision",
        "Precision by n-gram order, as bars",
        partial(_precision, bars=True),
        lambda m: precision_table(m.view.compared, m.view.intervals),
    ),
    PrintedFigure(
        "blocks",
        "Blocks",
        "Scores on blocks of text",
        lambda m: figures.block_distributions(m.block_scores, m.styles),
        lambda m: block_score_table(m.block_scores),
        key="blocks",
    ),
    PrintedFigure(
        "same-blocks",
        "Blocks",
        "The same blocks across systems",
        lambda m: figures.joined_blocks(m.block_scores, m.styles),
        lambda m: block_score_table(m.block_scores),
        ("two systems",),
        key="joined",
    ),
    PrintedFigure(
        "pairs",
        "Significance",
        "Pairwise comparison",
        _grid,
        lambda m: grid_table(m.comparisons),
        ("two systems",),
        key="grid",
    ),
    PrintedFigure(
        "tiers",
        "Significance",
        "Tiers",
        _tiers,
        lambda m: tier_table(m.comparisons, m.intervals),
        ("two systems",),
        key="tiers",
    ),
    PrintedFigure(
        "baseline",
        "Significance",
        "Differences to the baseline",
        _against,
        lambda m: comparison_table(m.against_baseline),
        ("two systems",),
        key="against",
    ),
    PrintedFigure(
        "resampled",
        "Two systems",
        "Resampled differences",
        _deltas,
        lambda m: deltas_table(m.tests.deltas),
        ("two systems",),
        "pair",
        key="deltas",
    ),
    PrintedFigure(
        "block-differences",
        "Two systems",
        "Difference by block or document",
        _block_differences,
        lambda m: pair_blocks_table(_baseline_first(m), m.tests.blocks, m.tests.block_scores),
        ("two systems",),
        "pair",
        key="block-differences",
    ),
    PrintedFigure(
        "causes",
        "Two systems",
        "Why the scores differ",
        lambda m: figures.difference_terms(m.decomposition, m.styles_of_pair),
        lambda m: decomposition_table(m.decomposition),
        ("two systems",),
        "pair",
        key="causes",
    ),
    PrintedFigure(
        "interval-width",
        "Two systems",
        "Width of the confidence interval",
        _interval_width,
        lambda m: text_needed_table(m.text_needed[0]),
        ("two systems",),
        "pair",
        key="widths",
    ),
    PrintedFigure(
        "block-sizes",
        "Two systems",
        "Paired t by block size",
        lambda m: figures.t_over_block_size(m.text_needed[1]),
        lambda m: block_sizes_table(m.text_needed[1]),
        ("two systems",),
        "pair",
        key="block-sizes",
    ),
    PrintedFigure(
        "slices",
        "Slices",
        "Difference in each slice",
        _slices,
        _slices_table,
        ("two systems",),
        "pair",
        key="slice-differences",
    ),
    PrintedFigure(
        "reference-ranks",
        "References",
        "Ranks with each reference",
        lambda m: figures.rank_lines(m.reference_rankings, m.styles),
        lambda m: reference_scores_table(m.reference_rankings),
        ("two systems", "two references"),
        key="reference-ranks",
    ),
    PrintedFigure(
        "reference-advantages",
        "References",
        "Systems that a reference favours",
        lambda m: figures.reference_advantages(m.reference_rankings),
        lambda m: advantages_table(m.reference_rankings),
        ("two systems", "two references"),
        key="reference-advantages",
    ),
    PrintedFigure(
        "ngrams",
        "N-grams",
        "N-grams with the greatest effects",
        lambda m: figures.ngram_effects(m.ngrams, m.styles_of_pair),
        _ngrams_table,
        subject="pair",
        key="ngram-effects",
    ),
    PrintedFigure(
        "influence",
        "Segments",
        "How the difference comes about, segment by segment",
        _influence,
        lambda m: analysis.curve_table(m.segments, m.curve),
        ("two systems",),
        "pair",
        key="influence",
    ),
    PrintedFigure(
        "agreement",
        "System agreement",
        "Scores and mean ratings",
        _human,
        _human_table,
        ("judgments",),
        "judges",
        key="human",
    ),
    PrintedFigure(
        "without-each",
        "System agreement",
        "Influence of each system",
        _without_each,
        lambda m: leave_one_out_table(m.robustness),
        ("judgments",),
        "judges",
        key="leave-one-out",
    ),
    PrintedFigure(
        "normalised",
        "System agreement",
        "Scores and mean ratings, each scaled to its range",
        _normalised,
        lambda m: agreement_table(m.rated.agreement),
        ("judgments",),
        "judges",
        key="normalised",
    ),
    PrintedFigure(
        "segment-agreement",
        "Segment agreement",
        "Scores and ratings of segments",
        _segment_agreement,
        _segment_agreement_table,
        ("judgments",),
        "judges",
        key="segments",
    ),
    PrintedFigure(
        "agreement-by-class",
        "Agreement by class",
        "Agreement inside and outside classes of segments",
        _agreement_by_class,
        lambda m: classes_table(m.agreement_by_class),
        ("judgments",),
        "judges",
        key="class-agreement",
    ),
    PrintedFigure(
        "metrics",
        "Metrics",
        "Agreement of metrics with the judges",
        _metrics,
        lambda m: ranking_table(m.ranked_metrics),
        ("judgments",),
        "judges",
        key="metric-ranks",
    ),
    PrintedFigure(
        "metric-pairs",
        "Metrics",
        "Pairwise comparison of metrics",
        lambda m: figures.metric_p_values(m.ranked_metrics),
        lambda m: p_values_table(m.ranked_metrics),
        ("judgments",),
        "judges",
        key="metric-p",
    ),
    PrintedFigure(
        "judges",
        "Judges",
        "Each judge",
        _judges,
        lambda m: distribution_table(m.judges.by_mean),
        ("judgments",),
        "judges",
        key="judge-ratings",
    ),
    PrintedFigure(
        "alphas",
        "Judges",
        "How well judges agree",
        _alphas,
        lambda m: alpha_table(m.judges.alphas),
        ("judgments",),
        "judges",
        key="alphas",
    ),
    PrintedFigure(
        "judge-pairs",
        "Judges",
        "Pairs of judges",
        _judge_pairs,
        _judge_pairs_table,
        ("judgments",),
        "judges",
        key="judge-pairs",
    ),
    PrintedFigure(
        "variance",
        "Judges",
        "Variance of the ratings",
        lambda m: figures.variance_shares(m.judges.variance),
        lambda m: variance_table(m.judges.variance),
        ("judgments",),
        "judges",
        key="variance",
    ),
    PrintedFigure(
        "judge-groups",
        "Judges",
        "Groups of judges",
        lambda m: figures.group_means(m.judges.groups, rating=f"mean {_rating(m)}"),
        lambda m: group_means_table(m.judges.groups),
        ("judgments",),
        "judges",
        key="group-means",
    ),
    PrintedFigure(
        "rater-differences",
        "Rater differences",
        "Rating differences of neighbouring systems",
        _differences,
        lambda m: differences_table({"": m.rating_differences}, ("segment",)),
        ("judgments",),
        "judges",
        key="differences-0",
    ),
    PrintedFigure(
        "score-differences",
        "Score differences",
        "Agreement of raters by score difference",
        _score_differences,
        lambda m: score_differences_table(m.difference_curve),
        ("judgments",),
        "judges",
        key="score-differences",
    ),
)

#: Name -> figure, in the order of the pages.
FIGURES: Mapping[str, PrintedFigure] = MappingProxyType({figure.name: figure for figure in _ALL})
