"""Metrics: which scores agree best with people, and which can be told apart."""

from __future__ import annotations

import streamlit as st

from bleu_core.agreement import TRIALS, Grouping, MetricRanking, MetricTest, SegmentLevel, SystemLevel, TestedMethod
from bleu_core.inference import Correction
from bleu_core.reports import (
    Json,
    Table,
    p_values_table,
    ranked_segment_table,
    ranked_system_table,
    ranking_table,
    segment_level_json,
    system_level_json,
)
from dashboard.analysis import available_metrics as metrics_in_use
from dashboard.analysis import ratings_in_use as people
from dashboard.figures import metrics as figures
from dashboard.widgets import answer, chart, choice, choices, downloads, literal, table
from dashboard.words import sentences

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
CORRECTIONS: dict[str, Correction] = {"Holm": "holm", "Benjamini-Hochberg": "benjamini-hochberg", "none": "none"}

MOST_HIGH = 460

HELP = {
    "rank": "No metric of a rank is shown to agree better than another of it.",
    "corrected_p_to_best": "Of the difference to the best metric, corrected for the number of pairs.",
    "acc_eq": "Pairwise accuracy with ties calibrated, segment by segment (Deutsch et al. 2023).",
    "threshold": "Of acc_eq: scores that differ by no more are ties.",
    "systems": "On how many systems the coefficients rest.",
}
TEST_HELP = (
    f"permutation of scores: each score is swapped between two metrics at random, {TRIALS:,} times (PERM-BOTH, "
    "Deutsch et al. 2021). Williams: for Pearson's r of systems (Graham and Baldwin 2014)."
)


def render(found: people.People) -> None:
    """Rank BLEU, BLEU under other settings and other metrics by their agreement with people."""
    chosen = choices(
        "Metrics beside BLEU as it is set",
        list(metrics_in_use.offered(found)),
        key="metrics",
        usual=metrics_in_use.usual(found),
        help="Uploaded metric scores are here at once; chrF2, chrF2++, TER and BLEU under other settings can be added.",
    )
    with st.container(horizontal=True, vertical_alignment="bottom", key="metrics-controls"):
        level = choice("Level", [SYSTEMS, SEGMENTS], key="level_of", width=140)
        methods = OF_SYSTEMS if level == SYSTEMS else OF_SEGMENTS
        method = methods[choice("Agreement by", list(methods), key=f"method_{level}", width=260)]
        grouping, test = "by segment", "permutation of scores"
        if level == SEGMENTS:
            # Pairs of all segments are millions, and each trial calibrates them anew.
            groupings = ["by segment"] if method == "acc-eq" else list(GROUPINGS)
            grouping = choice("Compared", groupings, key="grouping", help=sentences.GROUPING_HELP)
        elif method == "pearson":
            test = choice("Test", list(TESTS), key="metric_test", width=220, help=TEST_HELP)
        correction = choice("Correction", list(CORRECTIONS), key="metric_correction", help="For the number of pairs.")
    if not chosen:
        st.info("Choose a metric to compare with BLEU.")
        return
    chosen, problems = metrics_in_use.usable(found, chosen)
    if problems:
        st.text("\n".join(f"left out: {problem}" for problem in problems))
    turned = sentences.turned(metrics_in_use.lower_is_better(found, chosen))
    if turned:
        st.caption(literal(turned))
    asked = metrics_in_use.Ranked(tuple(chosen), method, TESTS[test], CORRECTIONS[correction], GROUPINGS[grouping])
    if not chosen:
        st.info("No metric is left to compare with BLEU.")
    elif level == SYSTEMS:
        _systems(found, asked)
    else:
        _segments(found, asked)


def _systems(found: people.People, asked: metrics_in_use.Ranked) -> None:
    result: SystemLevel = metrics_in_use.by_system(found, asked)
    bounds = metrics_in_use.intervals(result, asked.method)
    if result.ranking is not None:
        _ranking(result.ranking, ranked_system_table(result), system_level_json(result), bounds)


def _segments(found: people.People, asked: metrics_in_use.Ranked) -> None:
    result: SegmentLevel = metrics_in_use.by_segment(found, asked)
    if result.ranking is not None:
        _ranking(result.ranking, ranked_segment_table(result), segment_level_json(result))
    _without_segments(result)


def _ranking(
    ranking: MetricRanking, data: Table, content: Json, bounds: metrics_in_use.Intervals | None = None
) -> None:
    answer(sentences.best_metric(ranking))
    st.caption(literal(sentences.how_ranked(ranking)))
    for name, reason in ranking.excluded:
        st.text(f"not ranked: {name}: {reason}")
    if not ranking.metrics:
        return
    few = len(ranking.metrics) <= figures.MOST_NUMBERED
    left, right = st.columns(2, gap="large") if few else (st.container(), st.container())
    with left:
        st.subheader("Agreement", anchor=False)
        said = "Metrics on one band have one rank: none of them is shown to agree better than another of it."
        st.caption(said)
        label = sentences.COEFFICIENTS[ranking.method]
        chart(
            figures.ranked(ranking, label, bounds),
            ranking_table(ranking),
            key="metric-ranks",
            alt=sentences.best_metric(ranking),
        )
    with right:
        st.subheader("Each against each", anchor=False)
        st.caption("Corrected p of the difference between two metrics.")
        chart(
            figures.told_apart(ranking),
            p_values_table(ranking),
            key="metric-p",
            alt="Corrected p of each two metrics.",
        )
    table(data, key="metric-ranking", alt="Metrics by agreement with people", help_of=HELP, highest=MOST_HIGH)
    downloads(data, key="metric-ranking", content=content)


def _without_segments(result: SegmentLevel) -> None:
    if result.left_out:
        st.text("\n".join(f"left out: {name}: {reason}" for name, reason in result.left_out))
