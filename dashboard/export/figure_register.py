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


@dataclass(frozen=True, slots=True, kw_only=True)
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
        intervals=material.intervals,
        styles=material.styles,
        label=metric.label,
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
        material.agreement.systems,
        pearson.coefficient,
        without=pearson.without.tolist(),
        styles=material.styles,
        label="Pearson's r",
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
    PrintedFigure(name="scores", page="Scores", label="Scores", draw=_scores, table=_scores_table, key="scores"),
    PrintedFigure(
        name="precision",
        page="Precision",
        label="Precision by n-gram order, as lines",
        draw=_precision,
        table=lambda m: precision_table(m.view.compared, m.view.intervals),
        key="precision",
    ),
    PrintedFigure(
        name="precision-bars",
        page="Precision",
        label="Precision by n-gram order, as bars",
        draw=partial(_precision, bars=True),
        table=lambda m: precision_table(m.view.compared, m.view.intervals),
    ),
    PrintedFigure(
        name="blocks",
        page="Blocks",
        label="Scores on blocks of text",
        draw=lambda m: figures.block_distributions(m.block_scores, m.styles),
        table=lambda m: block_score_table(m.block_scores),
        key="blocks",
    ),
    PrintedFigure(
        name="same-blocks",
        page="Blocks",
        label="The same blocks across systems",
        draw=lambda m: figures.joined_blocks(m.block_scores, m.styles),
        table=lambda m: block_score_table(m.block_scores),
        needs=("two systems",),
        key="joined",
    ),
    PrintedFigure(
        name="pairs",
        page="Significance",
        label="Pairwise comparison",
        draw=_grid,
        table=lambda m: grid_table(m.comparisons),
        needs=("two systems",),
        key="grid",
    ),
    PrintedFigure(
        name="tiers",
        page="Significance",
        label="Tiers",
        draw=_tiers,
        table=lambda m: tier_table(m.comparisons, m.intervals),
        needs=("two systems",),
        key="tiers",
    ),
    PrintedFigure(
        name="baseline",
        page="Significance",
        label="Differences to the baseline",
        draw=_against,
        table=lambda m: comparison_table(m.against_baseline),
        needs=("two systems",),
        key="against",
    ),
    PrintedFigure(
        name="resampled",
        page="Two systems",
        label="Resampled differences",
        draw=_deltas,
        table=lambda m: deltas_table(m.tests.deltas),
        needs=("two systems",),
        subject="pair",
        key="deltas",
    ),
    PrintedFigure(
        name="block-differences",
        page="Two systems",
        label="Difference by block or document",
        draw=_block_differences,
        table=lambda m: pair_blocks_table(_baseline_first(m), m.tests.blocks, m.tests.block_scores),
        needs=("two systems",),
        subject="pair",
        key="block-differences",
    ),
    PrintedFigure(
        name="causes",
        page="Two systems",
        label="Why the scores differ",
        draw=lambda m: figures.difference_terms(m.decomposition, m.styles_of_pair),
        table=lambda m: decomposition_table(m.decomposition),
        needs=("two systems",),
        subject="pair",
        key="causes",
    ),
    PrintedFigure(
        name="interval-width",
        page="Two systems",
        label="Width of the confidence interval",
        draw=_interval_width,
        table=lambda m: text_needed_table(m.text_needed[0]),
        needs=("two systems",),
        subject="pair",
        key="widths",
    ),
    PrintedFigure(
        name="block-sizes",
        page="Two systems",
        label="Paired t by block size",
        draw=lambda m: figures.t_over_block_size(m.text_needed[1]),
        table=lambda m: block_sizes_table(m.text_needed[1]),
        needs=("two systems",),
        subject="pair",
        key="block-sizes",
    ),
    PrintedFigure(
        name="slices",
        page="Slices",
        label="Difference in each slice",
        draw=_slices,
        table=_slices_table,
        needs=("two systems",),
        subject="pair",
        key="slice-differences",
    ),
    PrintedFigure(
        name="reference-ranks",
        page="References",
        label="Ranks with each reference",
        draw=lambda m: figures.rank_lines(m.reference_rankings, m.styles),
        table=lambda m: reference_scores_table(m.reference_rankings),
        needs=("two systems", "two references"),
        key="reference-ranks",
    ),
    PrintedFigure(
        name="reference-advantages",
        page="References",
        label="Systems that a reference favours",
        draw=lambda m: figures.reference_advantages(m.reference_rankings),
        table=lambda m: advantages_table(m.reference_rankings),
        needs=("two systems", "two references"),
        key="reference-advantages",
    ),
    PrintedFigure(
        name="ngrams",
        page="N-grams",
        label="N-grams with the greatest effects",
        draw=lambda m: figures.ngram_effects(m.ngrams, m.styles_of_pair),
        table=_ngrams_table,
        subject="pair",
        key="ngram-effects",
    ),
    PrintedFigure(
        name="influence",
        page="Segments",
        label="How the difference comes about, segment by segment",
        draw=_influence,
        table=lambda m: analysis.curve_table(m.segments, m.curve),
        needs=("two systems",),
        subject="pair",
        key="influence",
    ),
    PrintedFigure(
        name="agreement",
        page="System agreement",
        label="Scores and mean ratings",
        draw=_human,
        table=_human_table,
        needs=("judgments",),
        subject="judges",
        key="human",
    ),
    PrintedFigure(
        name="without-each",
        page="System agreement",
        label="Influence of each system",
        draw=_without_each,
        table=lambda m: leave_one_out_table(m.robustness),
        needs=("judgments",),
        subject="judges",
        key="leave-one-out",
    ),
    PrintedFigure(
        name="normalised",
        page="System agreement",
        label="Scores and mean ratings, each scaled to its range",
        draw=_normalised,
        table=lambda m: agreement_table(m.rated.agreement),
        needs=("judgments",),
        subject="judges",
        key="normalised",
    ),
    PrintedFigure(
        name="segment-agreement",
        page="Segment agreement",
        label="Scores and ratings of segments",
        draw=_segment_agreement,
        table=_segment_agreement_table,
        needs=("judgments",),
        subject="judges",
        key="segments",
    ),
    PrintedFigure(
        name="agreement-by-class",
        page="Agreement by class",
        label="Agreement inside and outside classes of segments",
        draw=_agreement_by_class,
        table=lambda m: classes_table(m.agreement_by_class),
        needs=("judgments",),
        subject="judges",
        key="class-agreement",
    ),
    PrintedFigure(
        name="metrics",
        page="Metrics",
        label="Agreement of metrics with the judges",
        draw=_metrics,
        table=lambda m: ranking_table(m.ranked_metrics),
        needs=("judgments",),
        subject="judges",
        key="metric-ranks",
    ),
    PrintedFigure(
        name="metric-pairs",
        page="Metrics",
        label="Pairwise comparison of metrics",
        draw=lambda m: figures.metric_p_values(m.ranked_metrics),
        table=lambda m: p_values_table(m.ranked_metrics),
        needs=("judgments",),
        subject="judges",
        key="metric-p",
    ),
    PrintedFigure(
        name="judges",
        page="Judges",
        label="Each judge",
        draw=_judges,
        table=lambda m: distribution_table(m.judges.by_mean),
        needs=("judgments",),
        subject="judges",
        key="judge-ratings",
    ),
    PrintedFigure(
        name="alphas",
        page="Judges",
        label="How well judges agree",
        draw=_alphas,
        table=lambda m: alpha_table(m.judges.alphas),
        needs=("judgments",),
        subject="judges",
        key="alphas",
    ),
    PrintedFigure(
        name="judge-pairs",
        page="Judges",
        label="Pairs of judges",
        draw=_judge_pairs,
        table=_judge_pairs_table,
        needs=("judgments",),
        subject="judges",
        key="judge-pairs",
    ),
    PrintedFigure(
        name="variance",
        page="Judges",
        label="Variance of the ratings",
        draw=lambda m: figures.variance_shares(m.judges.variance),
        table=lambda m: variance_table(m.judges.variance),
        needs=("judgments",),
        subject="judges",
        key="variance",
    ),
    PrintedFigure(
        name="judge-groups",
        page="Judges",
        label="Groups of judges",
        draw=lambda m: figures.group_means(m.judges.groups, rating=f"mean {_rating(m)}"),
        table=lambda m: group_means_table(m.judges.groups),
        needs=("judgments",),
        subject="judges",
        key="group-means",
    ),
    PrintedFigure(
        name="rater-differences",
        page="Rater differences",
        label="Rating differences of neighbouring systems",
        draw=_differences,
        table=lambda m: differences_table({"": m.rating_differences}, ("segment",)),
        needs=("judgments",),
        subject="judges",
        key="differences-0",
    ),
    PrintedFigure(
        name="score-differences",
        page="Score differences",
        label="Agreement of raters by score difference",
        draw=_score_differences,
        table=lambda m: score_differences_table(m.difference_curve),
        needs=("judgments",),
        subject="judges",
        key="score-differences",
    ),
)

#: Name -> figure, in the order of the pages.
FIGURES: Mapping[str, PrintedFigure] = MappingProxyType({figure.name: figure for figure in _ALL})
