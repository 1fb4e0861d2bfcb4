"""Blocks: the spread of scores over the text, and Table 2 of the 2002 paper."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import streamlit as st

from bleu_core.fields import Table
from bleu_core.inference import BLOCKS as DEFAULT_BLOCKS
from bleu_core.inference import BlockScores, ScoreIntervals
from bleu_core.results.blocks import block_report, block_table
from dashboard import analysis, session, words
from dashboard.exhibits import BLOCK_SIZE, BLOCKS, MAX_JOINED, SAME_BLOCKS, is_sideways, steepest_blocks
from dashboard.export import blocks_code
from dashboard.literal import literal
from dashboard.widgets import (
    BLOCK_HINT,
    ROW_HINT,
    answer,
    data_in_use,
    downloads,
    integer_input,
    metric_choice,
    note_humans,
    note_optimised,
    open_block_score,
    open_row,
    page_controls,
    select_button,
    show_code,
    show_exhibit,
    show_table,
    switch,
    system_styles,
    view_or_stop,
)


def render() -> None:
    """Divide the text into blocks, show the spread of the scores over them, and test neighbours."""
    view = view_or_stop()
    first = st.container(key="answer")
    row = page_controls()
    with row:
        result, division, number = _divided(view)
    intervals = analysis.score_systems(view, result.metric.key).intervals
    spread = words.spread_of_blocks(result, tested=analysis.may_be_significant(view, result.metric))
    with first:
        answer(spread)
        st.caption(literal(words.division_into_blocks(result)))
    with row:
        violin = switch("Violins instead of boxes", key="violin")
        note_humans(view)
    note_optimised(view)
    open_block, hint = partial(open_block_score, view, result), BLOCK_HINT.format(mark="point", unit=result.blocks.unit)
    show_exhibit(
        BLOCKS,
        result,
        system_styles(view),
        violin=violin,
        alt=f"Distribution of block {result.metric.label} per system. {spread}",
        on_pick=open_block,
        hint=hint,
    )
    if len(result.systems) > 1:
        _same_blocks(view, result, on_pick=open_block, hint=hint)
    data = _neighbours(result, intervals)
    downloads(data, key="blocks", content=block_report(result, view.compared))
    show_code(blocks_code(data_in_use(view), result.metric.key, division, number, intervals=intervals is not None))


def _same_blocks(view: analysis.View, result: BlockScores, *, on_pick: Callable[[Any], None], hint: str) -> None:
    """Show the scores of all systems on each block."""
    rise = "rise" if result.metric.higher_is_better else "fall"
    if is_sideways(result):  # from the worst system, at the bottom
        rise = f"lean to the {'right' if result.metric.higher_is_better else 'left'}"
    st.subheader("The same blocks across systems", anchor=False)
    steepest = f" Thick: the blocks on which they {rise} least and most." if steepest_blocks(result) else ""
    st.caption(
        "Each point is one block: how far the system's score lies from the mean of all systems on that block."
        if len(result.blocks.sizes) > MAX_JOINED
        else f"Each line is one block. Where all lines {rise}, the difference between systems does not depend on "
        f"the block.{steepest}"
    )
    show_exhibit(
        SAME_BLOCKS,
        result,
        system_styles(view),
        alt="Block scores of the systems; a line joins the scores of each block.",
        on_pick=on_pick,
        hint=hint,
    )


def _neighbours(result: BlockScores, intervals: ScoreIntervals | None) -> Table:
    """Show each system compared with the next one, and return the table."""
    sizes, worse = result.blocks.sizes, "lower" if result.metric.higher_is_better else "higher"
    st.subheader(f"Each system compared with the next {worse} one", anchor=False)
    if len(sizes) > 1:
        st.caption(
            literal(
                "As in Table 2 of the 2002 paper. "
                f"With {len(sizes)} blocks, a t above {result.critical_t:.2f} or below "
                f"{words.signed(-result.critical_t)} is significant at the 5% level (two-sided, not corrected for the "
                "number of pairs)."
            )
        )
    data = block_table(result, intervals)
    show_table(
        data,
        key="blocks",
        alt="Mean, standard deviation and paired t per system",
        on_pick=open_row(data),
        hint=ROW_HINT,
    )
    return data


def _divided(view: analysis.View) -> tuple[BlockScores, analysis.Division, int]:
    """Return the scores on blocks, the division, and the number of blocks or of segments per block."""
    metric = metric_choice(view)
    division = select_button(
        "Divide into",
        analysis.block_divisions(view),
        key="divide_into",
        help=("Divide into a number of blocks of equal size, into blocks of a number of segments, or into documents."),
    )
    number = size = DEFAULT_BLOCKS  # also if documents were selected and have been removed since
    segments = view.workspace.corpus.segments
    if division == "blocks":
        number = integer_input("Blocks", 1, segments, min(DEFAULT_BLOCKS, segments), key="blocks_number")
    elif division == "size":
        size = integer_input("Segments per block", 1, segments, min(BLOCK_SIZE, segments), key="blocks_size")
    block_scores = analysis.score_blocks(view, metric.key, division=division, number=number, size=size)
    return block_scores, division, min(size if division == "size" else number, segments)


PAGE = session.Page(
    title="Blocks",
    path="blocks",
    question="How much do scores vary between blocks of text or documents?",
    parts=(session.Part(render=render, needs="systems"),),
    group="BLEU",
    icon=":material/view_column:",
)
