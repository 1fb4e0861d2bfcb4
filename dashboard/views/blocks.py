"""Blocks: how scores spread over the text, and Table 2."""

from __future__ import annotations

import streamlit as st

from bleu_core.reports import block_report, block_score_table, block_table
from dashboard import analysis, session, words
from dashboard.figures import block_distributions, joined_blocks
from dashboard.widgets import (
    answer,
    chart,
    downloads,
    literal,
    metric_choice,
    note_left_out,
    system_styles,
    table,
    view_or_stop,
)

DIVISIONS: tuple[analysis.Division, ...] = ("blocks", "size", "documents")


def render() -> None:
    """Divide the text into blocks, show the spread of the scores over them, and test neighbours."""
    st.title(PAGE.title)
    view = view_or_stop()
    result = _divided(view)
    label, worse = result.metric.label, "lower" if result.metric.higher_is_better else "higher"
    intervals = analysis.score_systems(view, result.metric.key).intervals
    spread = words.spread_of_blocks(result)
    answer(spread)
    sizes = result.blocks.sizes
    st.caption(literal(words.division_into_blocks(result)))
    note_left_out(view)
    violin = st.toggle("Violins instead of boxes", key="violin", bind="query-params", persist_state="session")
    chart(
        block_distributions(result, system_styles(view), violin=violin),
        block_score_table(result),
        key="blocks",
        alt=f"Distribution of block {label} per system. {spread}",
    )
    if len(result.systems) > 1:
        st.subheader("The same blocks across systems", anchor=False)
        rise = "rise" if result.metric.higher_is_better else "fall"
        st.caption(f"A line is a block. Where lines {rise} together the difference is steady, whatever the block.")
        chart(
            joined_blocks(result, system_styles(view)),
            block_score_table(result),
            key="joined",
            alt="Block scores of the systems, joined by block.",
        )
    st.subheader(f"Each system against the next {worse} one", anchor=False)
    if len(sizes) > 1:
        st.caption(
            literal(
                "As Table 2 of the 2002 paper. "
                f"For {len(sizes)} blocks a t {_beyond(result)} is significant at 5 %, one-sided."
            )
        )
    data = block_table(result, intervals)
    table(data, key="blocks", alt="Mean, standard deviation and paired t per system")
    downloads(data, key="blocks", content=block_report(result, view.compared))


def _beyond(result: analysis.BlockScores) -> str:
    """From where on t is significant: where lower is better, a better system's t is negative."""
    t = result.critical_t
    return f"above {t:.2f}" if result.metric.higher_is_better else f"below {words.signed(-t)}"


def _divided(view: analysis.View) -> analysis.BlockScores:
    division: analysis.Division
    corpus = view.workspace.corpus
    divisions: list[analysis.Division] = [d for d in DIVISIONS if d != "documents" or corpus.documents is not None]
    with st.container(horizontal=True, vertical_alignment="bottom", key="block-controls"):
        metric = metric_choice(view)
        division = st.segmented_control(
            "Divide into",
            divisions,
            default="blocks",
            key="divide_into",
            bind="query-params",
            persist_state="session",
            required=True,
            help="A number of blocks as equal as can be, blocks of a size in segments, or the documents.",
        )
        number = size = analysis.BLOCKS  # also where documents were chosen and have been removed since
        if division == "blocks":
            number = _whole_number("Blocks", analysis.BLOCKS, corpus.segments, key="blocks_number")
        elif division == "size":
            size = _whole_number("Segments a block", 25, corpus.segments, key="blocks_size")
    return analysis.score_blocks(view, metric.key, division, number, size)


def _whole_number(label: str, usual: int, most: int, *, key: str) -> int:
    return st.number_input(
        label, 1, most, min(usual, most), key=key, bind="query-params", persist_state="session", width=140
    )


PAGE = session.Page("Blocks", "blocks", "How do scores spread over blocks of text or documents?", render)
