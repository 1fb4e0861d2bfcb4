"""Blocks: how BLEU spreads over the text, and Table 2."""

from __future__ import annotations

import streamlit as st

from bleu_core.reports import block_report, block_score_table, block_table
from dashboard import analysis, session, words
from dashboard.figures import block_distributions, joined_blocks
from dashboard.widgets import answer, chart, downloads, literal, note_left_out, system_styles, table, view_or_stop

DIVISIONS: tuple[analysis.Division, ...] = ("blocks", "size", "documents")


def render() -> None:
    """Divide the text into blocks, show the spread of BLEU over them, and test neighbours."""
    st.title(PAGE.title)
    view = view_or_stop()
    result = _divided(view)
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
        alt=f"Distribution of block BLEU per system. {spread}",
    )
    if len(result.systems) > 1:
        st.subheader("The same blocks across systems", anchor=False)
        st.caption("A line is a block. Where lines rise together the difference is steady, whatever the block.")
        chart(
            joined_blocks(result, system_styles(view)),
            block_score_table(result),
            key="joined",
            alt="Block scores of the systems, joined by block.",
        )
    st.subheader("Each system against the next lower one", anchor=False)
    if len(sizes) > 1:
        st.caption(
            literal(
                "As Table 2 of the 2002 paper. "
                f"For {len(sizes)} blocks a t above {result.critical_t:.2f} is significant at 5 %, one-sided."
            )
        )
    data = block_table(result, view.intervals)
    table(data, key="blocks", alt="Mean, standard deviation and paired t per system")
    downloads(data, key="blocks", content=block_report(result, view.compared))


def _divided(view: analysis.View) -> analysis.BlockScores:
    division: analysis.Division
    corpus = view.workspace.corpus
    divisions: list[analysis.Division] = [d for d in DIVISIONS if d != "documents" or corpus.documents is not None]
    with st.container(horizontal=True, vertical_alignment="bottom", key="block-controls"):
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
    return analysis.score_blocks(view, division, number, size)


def _whole_number(label: str, usual: int, most: int, *, key: str) -> int:
    return st.number_input(
        label, 1, most, min(usual, most), key=key, bind="query-params", persist_state="session", width=140
    )


PAGE = session.Page("Blocks", "blocks", "How do scores spread over blocks of text or documents?", render)
