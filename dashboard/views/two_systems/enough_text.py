"""The amount of text needed to show the difference of two systems."""

from __future__ import annotations

import streamlit as st

from dashboard import analysis, words
from dashboard.exhibits import BLOCK_SIZES, INTERVAL_WIDTH, EnoughText
from dashboard.literal import literal
from dashboard.views.two_systems.pair import chosen_pair
from dashboard.widgets import answer, show_exhibit


def render() -> None:
    """Show the width of the interval by the length of the text, and the paired t by the size of blocks."""
    chosen = chosen_pair()
    if chosen is None:
        return
    metric, compared = chosen.metric, (chosen.view, chosen.options, chosen.system, chosen.baseline)
    reason = analysis.why_not_tested(*compared)
    if reason:
        chosen.answer.info(literal(words.not_tested(chosen.system, chosen.baseline, reason)))
        return
    if analysis.run_three_tests(*compared).undefined:
        chosen.answer.info(literal(words.undefined_resamples(metric)))
        return
    needed, sizes = analysis.estimate_text_needed(*compared)
    result = EnoughText(needed=needed, sizes=sizes, scored=metric)
    sentence = words.enough_text(needed, metric.label)
    with chosen.answer:
        answer(sentence)
    left, right = st.columns(2, gap="large")
    with left:
        st.subheader("Width of the confidence interval", anchor=False)
        st.caption("The width falls with the square root of the number of segments; the dashed part is extrapolated.")
        show_exhibit(INTERVAL_WIDTH, result, alt=f"Interval width by number of segments. {sentence}")
    with right:
        st.subheader("Paired t by block size", anchor=False)
        st.caption("The block size is a compromise: large blocks are few, small blocks have noisy scores.")
        show_exhibit(BLOCK_SIZES, result, alt="Paired t for many block sizes, with the critical value.")
