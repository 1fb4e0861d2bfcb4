"""Metrics: which scores agree best with judges, and whether the others agree significantly less."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from bleu_core.agreement import (
    NOT_OVER_SYSTEMS,
    SENTINELS,
    Grouping,
    MetricRanking,
    MetricTest,
    SegmentLevel,
    SystemLevel,
    TestedMethod,
    sentinel_sentence,
)
from bleu_core.agreement import TRIALS as METRIC_TRIALS
from bleu_core.fields import Table
from bleu_core.results.agreement import (
    ranked_segment_table,
    ranked_system_table,
    segment_level_report,
    system_level_report,
)
from bleu_core.results.envelope import Envelope
from bleu_core.results.judge_as_metric import compared_table, judge_as_metric_note, judge_coefficients_table
from dashboard import analysis, words
from dashboard.exhibits import MAX_NUMBERED, METRIC_PAIRS, METRICS, RankedMetrics
from dashboard.export import metrics_code
from dashboard.literal import literal
from dashboard.widgets import (
    CORRECTION_LABELS,
    LONG_TABLE_HEIGHT_PX,
    answer,
    begin_people_page,
    data_in_use,
    downloads,
    note_adjustment,
    section,
    select_many,
    select_one,
    show_code,
    show_exhibit,
    show_table,
    warn_of_directions,
)

SYSTEMS, SEGMENTS = "systems", "segments"
OF_SYSTEMS: dict[str, TestedMethod] = {
    "Pearson": "pearson",
    "Spearman": "spearman",
    "Kendall": "kendall",
    "pairwise accuracy": "pairwise-accuracy",
}
OF_SEGMENTS: dict[str, TestedMethod] = {
    "Kendall": "kendall",
    "pairwise accuracy, ties calibrated": "acc-eq",
    "Pearson": "pearson",
    "Spearman": "spearman",
}
GROUPINGS: dict[str, Grouping] = {"by segment": "item", "by system": "system", "all segments": "none"}
TESTS: dict[str, MetricTest] = {"permutation of scores": "perm-both", "Williams": "williams"}

TEST_HELP = (
    f"permutation of scores: the two metrics' scores are swapped at random, {METRIC_TRIALS:,} times "
    "(PERM-BOTH, Deutsch et al. 2021). Williams: for Pearson's r of systems (Graham and Baldwin 2014)."
)


def render() -> None:
    """Rank BLEU, BLEU under other settings and other metrics by their agreement with judges."""
    first, row, ratings = begin_people_page()
    with row:
        labels = select_many(
            "Compare BLEU with",
            list(analysis.rankable_metrics(ratings))[1:],
            key="metrics",
            default=analysis.default_metrics(ratings),
            help="Uploaded metrics, chrF2 and TER are compared by default. Add other metrics, or BLEU with other "
            "settings, such as fewer n-gram orders. The last entry, a length, is a sentinel: it does not look at "
            "translations, so that metrics that measure quality agree significantly better with judges.",
        )
        level = select_one("Level", [SYSTEMS, SEGMENTS], key="level_of", width=140)
        methods = OF_SYSTEMS if level == SYSTEMS else OF_SEGMENTS
        method = methods[select_one("Agreement by", list(methods), key=f"method_{level}", width=260)]
        grouping, test = "by segment", "permutation of scores"
        if level == SEGMENTS:
            # All segments have millions of pairs, and each trial calibrates them again.
            groupings = ["by segment"] if method == "acc-eq" else list(GROUPINGS)
            grouping = select_one("Compared", groupings, key="grouping", help=words.GROUPING_HELP)
        elif method == "pearson":
            test = select_one("Test", list(TESTS), key="metric_test", width=220, help=TEST_HELP)
        correction = select_one(
            "Correction",
            list(CORRECTION_LABELS),
            key="metric_correction",
            help="Corrects p for the number of pairs.",
        )
    if not labels:
        st.info("Select a metric to compare with BLEU.")
        return
    labels = _comparable(ratings, labels, level)
    options = analysis.RankingOptions(
        metrics=tuple(labels),
        method=method,
        test=TESTS[test],
        correction=CORRECTION_LABELS[correction],
        grouping=GROUPINGS[grouping],
    )
    if not labels:
        st.info("No metric is left to compare with BLEU.")
    elif level == SYSTEMS:
        _systems(first, ratings, options)
    else:
        _segments(first, ratings, options)
    if labels:
        _judge(ratings, options, over_systems=level == SYSTEMS)
    first.caption(literal(words.who_rated(ratings)))
    if labels:
        show_code(metrics_code(data_in_use(ratings.view), ratings, options, by_segments=level == SEGMENTS))


def _comparable(ratings: analysis.RatingsInUse, labels: Sequence[str], level: str) -> list[str]:
    """Return the metrics that can be compared on a level; say which are left out, and what to note about the others."""
    comparable, problems = analysis.scorable_metrics(ratings, labels)
    if level == SYSTEMS:
        problems += [f"{label}: {NOT_OVER_SYSTEMS}" for label in comparable if label in SENTINELS]
        comparable = [label for label in comparable if label not in SENTINELS]
    if problems:
        st.text("\n".join(f"left out: {problem}" for problem in problems))
    flipped = words.flipped_signs(analysis.lower_is_better(ratings, comparable))
    if flipped:
        st.caption(literal(flipped))
    warn_of_directions(ratings, comparable)
    return comparable


def _systems(first: DeltaGenerator, ratings: analysis.RatingsInUse, options: analysis.RankingOptions) -> None:
    result: SystemLevel = analysis.rank_by_system(ratings, options)
    bounds = analysis.ranking_intervals(result, options.method)
    if result.ranking is not None:
        _ranking(
            first,
            result.ranking,
            data=ranked_system_table(result),
            content=system_level_report(result, ratings.evaluation),
            bounds=bounds,
        )
    raw = analysis.raw_ratings(ratings)
    _adjusted(first, ratings, None if raw is None else analysis.rank_by_system(raw, options).ranking)


def _segments(first: DeltaGenerator, ratings: analysis.RatingsInUse, options: analysis.RankingOptions) -> None:
    result: SegmentLevel = analysis.rank_by_segment(ratings, options)
    if result.ranking is not None:
        _ranking(
            first,
            result.ranking,
            ranked_segment_table(result),
            segment_level_report(result, ratings.evaluation),
        )
    _without_segments(result)
    raw = analysis.raw_ratings(ratings)
    _adjusted(first, ratings, None if raw is None else analysis.rank_by_segment(raw, options).ranking)


def _adjusted(first: DeltaGenerator, ratings: analysis.RatingsInUse, raw: MetricRanking | None) -> None:
    """Say that ratings are adjusted for judges, with the ranking by raw ones."""
    with first:
        note_adjustment(ratings, "" if raw is None else words.best_metric(raw))


def _ranking(
    first: DeltaGenerator,
    ranking: MetricRanking,
    data: Table,
    content: Envelope,
    bounds: analysis.Intervals | None = None,
) -> None:
    with first:
        answer(words.best_metric(ranking))
        st.caption(literal(words.ranking_method(ranking)))
        sentinel = sentinel_sentence(ranking)
        if sentinel:
            st.markdown(literal(sentinel))
    for name, reason in ranking.excluded:
        st.text(f"not ranked: {name}: {reason}")
    if not ranking.metrics:
        return
    ranked = RankedMetrics(ranking=ranking, intervals=bounds)
    few = len(ranking.metrics) <= MAX_NUMBERED
    left, right = st.columns(2, gap="large") if few else (st.container(), st.container())
    with left:
        st.subheader("Agreement", anchor=False)
        st.caption("Metrics in the same band are tied: none agrees significantly better than another.")
        show_exhibit(METRICS, ranked, alt=words.best_metric(ranking))
    with right:
        st.subheader("Pairwise comparison", anchor=False)
        st.caption("Corrected p of the difference between two metrics.")
        show_exhibit(METRIC_PAIRS, ranked, alt="Corrected p of each pair of metrics.")
    show_table(data, key="metric-ranking", alt="Metrics by agreement with the judges", max_height=LONG_TABLE_HEIGHT_PX)
    downloads(data, key="metric-ranking", content=content)


def _judge(ratings: analysis.RatingsInUse, options: analysis.RankingOptions, *, over_systems: bool) -> None:
    """Show a judge beside the metrics, compared with the mean of the other judges."""
    part = section("judge-as-metric", "Compare the metrics with a judge")
    if part is None:
        return
    comparison = analysis.judge_beside_metrics(ratings, options, over_systems=over_systems)
    with part:
        st.caption(literal(judge_as_metric_note(comparison)))
        if comparison.defined:
            table = compared_table(comparison)
            show_table(table, key="judge-as-metric", alt="A judge and the metrics by agreement with the other judges")
            downloads(table, key="judge-as-metric")
            show_table(
                judge_coefficients_table(comparison),
                key="judges-as-metrics",
                alt="Each judge's agreement with the others",
                max_height=LONG_TABLE_HEIGHT_PX,
            )


def _without_segments(result: SegmentLevel) -> None:
    if result.left_out:
        st.text("\n".join(f"left out: {name}: {reason}" for name, reason in result.left_out))
