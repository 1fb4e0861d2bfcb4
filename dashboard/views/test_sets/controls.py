"""The controls that the parts of the page share, and the results under them."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from bleu_core.errors import BleuCoreError
from dashboard import analysis, session, words
from dashboard.literal import literal
from dashboard.widgets import select_one, significance_controls

#: Keys of the controls.
METRIC, BASELINE = "metric", "sets_baseline"

METRIC_HELP = "A metric can be chosen if some test set has scores by it; test sets without them are left out."


def choose_metric(sets: analysis.SetsInUse) -> str:
    """Draw the box of the metric and return its label."""
    return select_one("Metric", list(analysis.metrics_over_sets(sets)), key=METRIC, help=METRIC_HELP)


def choose_baseline(sets: analysis.SetsInUse) -> str:
    """Draw the box of the baseline and return its name; empty for none."""
    systems = analysis.systems_over_sets(sets)
    no_baseline = none_of(systems)
    chosen = select_one(
        "Baseline", [no_baseline, *systems], key=BASELINE, help="Show each system's difference from this one."
    )
    return "" if chosen == no_baseline else chosen


def none_of(names: Sequence[str]) -> str:
    """Return the option for no system, which differs from their names."""
    option = "none"
    while option in names:
        option = f"({option})"
    return option


def options_of(metric: str, baseline: str) -> analysis.OverSetsOptions:
    """Draw the controls of tests, and return the options of the comparison."""
    tests = significance_controls()
    return analysis.OverSetsOptions(
        metric=metric, baseline=baseline, alpha=tests.alpha, resamples=tests.draws, seed=tests.seed
    )


def compared_or_stop(sets: analysis.SetsInUse, options: analysis.OverSetsOptions) -> analysis.OverSets:
    """Return the systems over test sets; if nothing can be compared, say why and stop the page."""
    try:
        return analysis.compare_over_sets(sets, options)
    except BleuCoreError as error:
        st.info(literal(str(error)))
        st.stop()


def note_left_out(over: analysis.OverSets) -> None:
    """Name the test sets that are left out, with the reasons, and say whether results are descriptive only."""
    if over.results.comparisons is not None and over.results.comparisons.obstacle:
        st.warning(literal(over.results.comparisons.obstacle), icon=":material/error:")
    sentence = words.sets_left_out(over.left_out)
    if sentence:
        st.caption(literal(sentence))
    if session.selection().descriptive:
        st.caption("Nothing is tested, since the slice may follow the results: intervals and p are descriptive only.")
