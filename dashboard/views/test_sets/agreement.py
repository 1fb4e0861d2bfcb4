"""Agreement with judges over test sets: the metrics by the average of their agreement."""

from __future__ import annotations

import streamlit as st

from bleu_core.collection import Level
from bleu_core.errors import BleuCoreError
from bleu_core.results.agreement_over_sets import (
    agreement_over_sets_methods,
    agreement_over_sets_notes,
    agreement_over_sets_report,
    agreement_over_sets_table,
    average_pairs_table,
)
from dashboard import analysis, words
from dashboard.export import agreement_over_sets_code
from dashboard.literal import literal
from dashboard.widgets import (
    CORRECTION_LABELS,
    LONG_TABLE_HEIGHT_PX,
    adjustment_switch,
    answer,
    downloads,
    page_controls,
    select_button,
    select_many,
    select_one,
    sets_or_stop,
    show_code,
    show_table,
    significance_level,
    slice_of_sets,
)

LEVELS: dict[str, tuple[Level, ...]] = {
    "systems and segments": ("system", "segment"),
    "systems": ("system",),
    "segments": ("segment",),
}

LEVEL_HELP = (
    "Systems: soft pairwise accuracy. Segments: pairwise accuracy with calibrated ties (acc_eq). WMT24 and WMT25 "
    "average both."
)

#: Minimum number of metrics of a comparison.
MIN_METRICS = 2


def render() -> None:
    """Rank the metrics by their agreement with judges, averaged over test sets."""
    sets = sets_or_stop()
    first = st.container(key="answer")
    if not analysis.has_ratings(sets):
        first.info("No test set has ratings. Add them on the Data page to compare metrics with judges.")
        return
    labels, default = analysis.rankable_over_sets(sets)
    with page_controls():
        metrics = select_many("Metrics", labels, key="sets_metrics", default=default)
        level = select_button("Level", list(LEVELS), key="sets_levels", help=LEVEL_HELP)
        correction = select_one(
            "Correction",
            list(CORRECTION_LABELS),
            key="metric_correction",
            help="Corrects p for the number of pairs.",
        )
        alpha = significance_level()
    if len(metrics) < MIN_METRICS:
        first.info("Choose at least two metrics.")
        return
    try:
        result = analysis.agreement_of_sets(
            sets, metrics, levels=LEVELS[level], correction=CORRECTION_LABELS[correction], alpha=alpha
        )
    except BleuCoreError as error:
        first.info(literal(f"Metrics cannot be compared with judges: {error}."))
        return
    methods = agreement_over_sets_methods(result)
    with first:
        for name, ratings in analysis.confounded_sets(sets):
            st.warning(literal(f"{name}: {words.adjustment(ratings)}"))
        answer(words.best_agreement_over_sets(result))
        adjustment_switch(analysis.confounded_ratings(sets))
        adjusted = analysis.adjusted_sets(sets)
        if adjusted:
            raw = analysis.agreement_of_sets(
                sets, metrics, levels=LEVELS[level], correction=CORRECTION_LABELS[correction], alpha=alpha, raw=True
            )
            st.caption(literal(words.adjusted_over_sets(adjusted, raw)))
        st.caption(literal(words.clusters_over_sets(result)))
    for note in agreement_over_sets_notes(result):
        st.caption(literal(note))
    table, report = agreement_over_sets_table(result), agreement_over_sets_report(result)
    show_table(
        table,
        key="agreement-over-sets",
        alt="Metrics by their average agreement with judges, and on each test set",
        bold_best=True,
    )
    downloads(table, key="agreement-over-sets", content=lambda: report, caption=methods, within=slice_of_sets())
    if result.pairs:
        st.subheader("Differences of averages", anchor=False)
        pairs = average_pairs_table(result)
        show_table(
            pairs,
            key="average-pairs",
            alt="Differences of average agreement between metrics, and p",
            max_height=LONG_TABLE_HEIGHT_PX,
        )
        downloads(pairs, key="average-pairs", content=lambda: report, caption=methods, within=slice_of_sets())
    st.subheader("To quote", anchor=False)
    st.caption("Sentences for the methods section.")
    st.code(methods, language=None, wrap_lines=True)
    code = agreement_over_sets_code(
        sets, metrics, levels=LEVELS[level], correction=CORRECTION_LABELS[correction], alpha=alpha
    )
    if code is not None:
        show_code(code)
