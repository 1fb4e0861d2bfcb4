"""Scores: the systems by all test sets in one table, or their differences from a baseline."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import streamlit as st

from bleu_core.collection import CorrectedOver
from bleu_core.errors import as_sentence
from bleu_core.results.test_sets import dagger_note, headline_over_sets, methods_over_sets, missing_cells_notes
from dashboard import analysis, session, words
from dashboard.exhibits import SystemsBySets, systems_by_sets
from dashboard.export import over_sets_code
from dashboard.literal import literal
from dashboard.plots.shades import shade
from dashboard.views.test_sets.controls import (
    choose_baseline,
    choose_metric,
    compared_or_stop,
    note_left_out,
    options_of,
)
from dashboard.widgets import (
    Looks,
    answer,
    downloads,
    open_test_set,
    page_controls,
    select_button,
    sets_or_stop,
    show_cells,
    show_code,
    slice_of_sets,
    switch,
)

SCORES, DIFFERENCES = "scores", "differences"
CORRECTED: dict[str, CorrectedOver] = {"each test set": "column", "the whole table": "table"}

CELL_HINT = "Select a cell for its interval and its test, and to open its test set. A click on a header sorts."


def render() -> None:
    """Show the systems by all test sets, shaded by size and marked where they differ from the baseline."""
    sets = sets_or_stop()
    first = st.container(key="answer")
    row = page_controls()
    with row.in_view:
        metric = choose_metric(sets)
        baseline = choose_baseline(sets)
    with row:
        cells = select_button("Cells", [DIFFERENCES, SCORES], key="sets_cells") if baseline else SCORES
        corrected = (
            select_button(
                "p corrected over",
                list(CORRECTED),
                key="sets_corrected",
                help="The differences for which p-values in cells are corrected together, by Holm's method.",
            )
            if baseline
            else next(iter(CORRECTED))
        )
        intervals = switch("Intervals in cells", key="sets_intervals", help="Add the 95% interval to each cell.")
        options = options_of(metric, baseline)
    over = compared_or_stop(sets, replace(options, corrected_over=CORRECTED[corrected]))
    results, differences = over.results, cells == DIFFERENCES
    with first:
        _answer(over)
    tested = not session.selection().descriptive
    shown = systems_by_sets(results, differences=differences, intervals=intervals, tested=tested)
    marks = dagger_note(results) if tested else ""
    st.caption(literal(words.what_is_shaded(results, differences=differences)))
    dark = st.context.theme.type == "dark"
    styles = {name: [shade(value, dark=dark) for value in values] for name, values in shown.strengths.items()}
    picked = show_cells(
        shown.table,
        Looks(texts=shown.texts, styles=styles, pinned="system", printed=shown.full),
        key="test-sets",
        alt=f"{metric} of each system on each test set",
        hint=CELL_HINT,
    )
    if picked is not None:
        _picked(over, shown, *picked)
    notes = [
        marks,
        "" if results.mean_reason else words.what_the_mean_is(results),
        words.all_segments_together(results),
    ]
    st.caption(literal(" ".join(as_sentence(note) for note in notes if note)))
    missing_cells = missing_cells_notes(results)
    if missing_cells:  # the sets of the means are named above
        st.caption(literal(as_sentence(missing_cells[0])))
    note_left_out(over)
    downloads(
        shown.full,
        key="test-sets",
        content=partial(analysis.report_over_sets, over),
        caption=f"{metric} over test sets. {as_sentence(marks)} {methods_over_sets(results)}",
        within=slice_of_sets(),
    )
    _links(sets)
    show_code(over_sets_code(over, differences=differences, intervals=intervals))


def _answer(over: analysis.OverSets) -> None:
    """Say which system is better overall, how sure that is, and where it is not."""
    lead, *evidence = headline_over_sets(over.results, analysis.obstructed_sets(over), slice_chosen=over.slice_chosen)
    answer(lead)
    if evidence:
        st.markdown(literal(" ".join(evidence)))


def _picked(over: analysis.OverSets, shown: SystemsBySets, row: int, column: str) -> None:
    """Describe the cell that is selected, with a button that opens its test set."""
    cell = shown.cell(over.results, row, column)
    if cell is None:
        return
    with st.container(horizontal=True, vertical_alignment="center", key="picked-cell"):
        st.markdown(literal(words.cell_described(over.results, cell)), width="content")
        _open_button(cell.test_set, f"Open {cell.test_set}", key="open-picked-set")


def _links(sets: analysis.SetsInUse) -> None:
    """Draw a button for each test set, which opens it on the Overview."""
    st.subheader("Open a test set", anchor=False)
    with st.container(horizontal=True, key="open-sets"):
        for number, name in enumerate((*sets.views, *sets.left_out)):
            _open_button(name, name, key=f"open-set-{number}")


def _open_button(label: str, text: str, *, key: str) -> None:
    name = next(name for name in session.test_sets() if session.set_label(name) == label)
    st.button(
        literal(text),
        key=key,
        type="tertiary",
        icon=":material/arrow_forward:",
        on_click=open_test_set,
        args=(name, "Overview"),
    )
