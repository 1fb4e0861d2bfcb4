"""The line above each page: the product's name, and which data are in use, chosen there."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import streamlit as st

from bleu_core.dataset import plural
from bleu_core.uploads import Workspace
from dashboard import analysis, session, words
from dashboard.literal import literal
from dashboard.widgets.slice_bar import slice_choice

NAME = "BLEU dashboard"

DATASET_LABELS = {"sample": "Sample data", "own": "My files"}


def header() -> None:
    """Name the product and the data in use, with what chooses among the data, and the part of the text."""
    workspace = session.current_workspace()
    line = st.container(horizontal=True, vertical_alignment="center", key="header")
    with line:
        st.markdown(f"**{NAME}**", width="content", help=words.PURPOSE)
        if session.unmatched_link() is not None:  # no other data appear under its URL
            return
        names = [DATASET_LABELS[session.dataset()], *words.pairs_and_ratings(workspace)]
        with st.popover(literal(" · ".join(names)), key="data-in-use", type="tertiary", icon=":material/dataset:"):
            _dataset(workspace)
            _pairs(workspace)
            _human_scores(workspace)
            session.page_link("Data", "See all files")
    slice_choice(line)


def _dataset(workspace: Workspace) -> None:
    """Which data are shown, with a switch where there are two."""
    corpus = workspace.corpus
    if session.own_files():
        session.put(dataset_shown=session.dataset())
        st.segmented_control(
            "Data",
            list(DATASET_LABELS),
            format_func=DATASET_LABELS.__getitem__,
            key="dataset_shown",
            required=True,
            on_change=lambda: session.show_dataset(session.get("dataset_shown") or "own"),
        )
    else:
        st.markdown("**Sample data** (synthetic)")
    counts = {"reference": len(corpus.references), "segment": corpus.segments}
    loaded = [words.systems_in_use(workspace), *(f"{count:,} {plural(count, noun)}" for noun, count in counts.items())]
    if workspace.counts is not None:
        of_counts = words.counts_of_systems(workspace.counts)
        loaded = [*loaded, of_counts] if corpus.segments else [of_counts]
    st.caption(literal(", ".join(loaded)))


def _pairs(workspace: Workspace) -> None:
    """Which language pair is taken of files that have several; once for those that ask for one, as it holds for all."""
    asking = [n for n, entry in enumerate(workspace.entries) if len(entry.pairs) > 1 and analysis.asks_pair(entry)]
    if asking:
        pairs = list(dict.fromkeys(pair for n in asking for pair in workspace.entries[n].pairs))
        chosen = next(
            (entry.file.pair for entry in workspace.entries if entry.file.pair and analysis.asks_pair(entry)), None
        )
        _choice("Language pair in use", pairs, chosen, partial(_take_pair, tuple(asking)))
    for n, entry in enumerate(workspace.entries):
        if entry.file.role == "archive" and len(entry.pairs) > 1:
            _choice(
                f"Language pair of {entry.file.name}",
                list(entry.pairs),
                entry.file.pair or entry.pairs[0],
                partial(_take_pair, (n,)),
            )


def _human_scores(workspace: Workspace) -> None:
    """Which human scores are taken of archives that have several."""
    for n, entry in enumerate(workspace.entries):
        if len(entry.human_scores) > 1:
            _choice(
                f"Ratings of {entry.file.name}",
                list(entry.human_scores),
                entry.file.human_scores or entry.human_scores[0],
                lambda name, n=n: session.change_file(n, human_scores=name),
            )


def _choice(label: str, options: list[str], chosen: str | None, take: Callable[[str], None]) -> None:
    """A box for one of several options; the files remember what was chosen."""
    key = f"in-use-{label}"
    session.put(**{key: chosen})
    st.selectbox(literal(label), options, key=key, on_change=lambda: take(str(session.get(key))), width=280)


def _take_pair(positions: tuple[int, ...], pair: str) -> None:
    """Take a language pair of files; where several ask for one, that of the first holds for all."""
    for n in positions:
        file = session.own_files()[n]
        session.change_file(n, pair=pair if n == positions[0] else None)
        if file.human_scores is not None:  # which another pair may not have
            session.change_file(n, human_scores=None)
