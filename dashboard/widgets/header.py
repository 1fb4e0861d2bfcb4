"""The line above each page: the product's name, the test set, and the selection of the data in use."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import streamlit as st

from bleu_core.dataset import plural
from bleu_core.uploads import Workspace
from dashboard import analysis, session, words
from dashboard.literal import literal
from dashboard.widgets.slice_filter import slice_controls
from dashboard.widgets.test_set_choice import note_unused_slice, test_set_choice

NAME = "BLEU dashboard"

DATASET_LABELS = {"sample": "Sample data", "own": "My files"}


def header() -> None:
    """Draw the product's name, the test set where there are several, the data in use, and the slice filter."""
    workspace = session.current_workspace()
    line = st.container(horizontal=True, vertical_alignment="center", key="header")
    with line:
        st.markdown(f"**{NAME}**", width="content", help=words.PURPOSE)
        if session.unmatched_link() is not None:  # no other data are shown under its URL
            return
        test_set_choice()
        names = [DATASET_LABELS[session.dataset()], *words.pairs_and_ratings(workspace)]
        title = literal(" · ".join(names))
        popover = st.popover(title, key="data-in-use", type="tertiary", icon=":material/dataset:")
        with popover, session.popover_content():
            _dataset(workspace)
            _pairs(workspace)
            _human_scores(workspace)
            session.page_link("Data", "See all files")
    slice_controls(line)
    session.note_other_tab()
    note_unused_slice()


def _dataset(workspace: Workspace) -> None:
    """Show which data are in use, with a switch where there are two."""
    corpus = workspace.corpus
    if session.own_files():
        session.set_controls(dataset_shown=session.dataset())
        st.segmented_control(
            "Data",
            list(DATASET_LABELS),
            format_func=DATASET_LABELS.__getitem__,
            key=session.widget_key("dataset_shown"),
            required=True,
            on_change=lambda: session.show_dataset(session.control_value("dataset_shown") or "own"),
        )
    else:
        st.markdown("**Sample data** (synthetic)")
    counts = {"reference": len(corpus.references), "segment": corpus.segments}
    loaded = [words.systems_in_use(workspace), *(f"{count:,} {plural(count, noun)}" for noun, count in counts.items())]
    if workspace.counts is not None:
        counts_files = words.counts_of_systems(workspace.counts)
        loaded = [*loaded, counts_files] if corpus.segments else [counts_files]
    st.caption(literal(", ".join(loaded)))


def _pairs(workspace: Workspace) -> None:
    """Draw the selection of the language pair of files that have several; one box for all formats that require one."""
    asking = {n: entry for n, entry in enumerate(workspace.entries) if entry.pairs and analysis.asks_pair(entry)}
    pairs = list(dict.fromkeys(pair for entry in asking.values() for pair in entry.pairs))
    if len(pairs) > 1:
        chosen = next((entry.file.pair for entry in asking.values() if entry.file.pair), None)
        _choice("Language pair in use", pairs, chosen, partial(use_pair, next(iter(asking))))
    for n, entry in enumerate(workspace.entries):
        if entry.file.role == "archive" and len(entry.pairs) > 1 and n not in asking:
            _choice(f"Language pair of {entry.file.name}", list(entry.pairs), entry.pair, partial(use_pair, n))


def _human_scores(workspace: Workspace) -> None:
    """Draw the selection of the human scores of archives that have several."""
    for n, entry in enumerate(workspace.entries):
        if len(entry.human_scores) > 1:
            _choice(
                f"Ratings of {entry.file.name}",
                list(entry.human_scores),
                entry.file.human_scores or entry.human_scores[0],
                lambda name, n=n: session.change_file(n, human_scores=name),
            )


def _choice(label: str, options: list[str], chosen: str | None, store: Callable[[str], None]) -> None:
    """Draw a box for one of several options; the files store the value."""
    key = f"in-use-{label}"
    session.set_controls(**{key: chosen})
    box = session.widget_key(key)
    st.selectbox(literal(label), options, key=box, on_change=lambda: store(str(session.control_value(key))), width=280)


def use_pair(position: int, pair: str | None) -> None:
    """Use a language pair of a file; that of a format that requires one applies to all such files.

    Args:
        position: of the file.
        pair: None for the default.
    """
    entries = session.current_workspace().entries
    if analysis.asks_pair(entries[position]):
        for other, entry in enumerate(entries):
            if other != position and entry.file.pair is not None and analysis.asks_pair(entry):
                session.change_file(other, pair=None)
    session.change_file(position, pair=pair, human_scores=None)  # another pair may not have these scores
