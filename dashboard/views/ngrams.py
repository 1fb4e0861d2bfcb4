"""N-grams: by which n-grams a system wins or loses against another, or differs from the references."""

from __future__ import annotations

from functools import partial

import streamlit as st

from bleu_core.fields import Table
from bleu_core.reports import (
    PAIR_NOTE,
    SYSTEM_NOTE,
    NgramPair,
    NgramSystem,
    ngram_pairs_report,
    ngram_systems_report,
    ngram_tables,
)
from dashboard import analysis, session, words
from dashboard.widgets import (
    PAIR_KEYS,
    answer,
    choice,
    downloads,
    few_choices,
    note_left_out,
    page_controls,
    pair_choice,
    read_segments,
    table,
    view_or_stop,
    whole_number,
)

ALL, SYSTEM, REFERENCES = "all", "another system", "the references"

#: The most n-grams that are listed of each order, and how many are at first.
MOST, USUAL = 1000, 10


def render() -> None:
    """Compare two systems, or a system and the references, n-gram by n-gram."""
    st.title(PAGE.title)
    view = view_or_stop()
    first = st.container(key="answer")
    systems = view.best_systems
    with page_controls():
        pairs = len(systems) > 1 and few_choices("Compare with", [SYSTEM, REFERENCES], key="ngrams_with") == SYSTEM
        system, baseline = pair_choice(systems) if pairs else (choice("System", systems, key=PAIR_KEYS[0]), "")
        orders = [ALL, *map(str, range(1, view.compared.settings.max_order + 1))]
        order = few_choices("Order", orders, key="ngrams_order")
        kind = few_choices("Kind", [ALL, *analysis.NGRAM_KINDS], key="ngrams_kind")
        most = whole_number("N-grams of each order", 1, MOST, USUAL, key="ngrams_most")
    if system == baseline:
        first.info("Choose two different systems.")
        return
    found = analysis.find_ngrams(
        view,
        system,
        baseline,
        most=most,
        order=None if order == ALL else int(order),
        kind=next((one for one in analysis.NGRAM_KINDS if one == kind), None),
    )
    with first:
        answer(words.ngrams_won(found) if isinstance(found, NgramPair) else words.ngrams_missing(found))
        note_left_out(view)
    if isinstance(found, NgramPair):
        counts, listed, divided = ngram_tables([found])
        _listed(found, listed, "won", [one.segments_gained for one in found.won])
        _listed(found, listed, "lost", [one.segments_lost for one in found.lost])
        report = ngram_pairs_report([found], view.compared)
    else:
        counts, listed, divided = ngram_tables([found])
        _listed(found, listed, "overused", [one.segments_overused for one in found.overused])
        _listed(found, listed, "missing", [one.segments_missing for one in found.missing])
        report = ngram_systems_report([found], view.compared)
    st.caption(PAIR_NOTE if isinstance(found, NgramPair) else SYSTEM_NOTE)
    downloads(listed, key="ngrams", content=report)
    st.subheader("Matches by order", anchor=False)
    table(counts.without("system", "baseline"), key="ngram-orders", alt="Matches of n-grams of each order")
    downloads(counts, key="ngram-orders")
    st.subheader("Matches by kind, frequency and length", anchor=False)
    st.caption(
        "Frequency is the number of possible matches of an n-gram in the whole text, length the number of tokens of a "
        "segment's first reference."
    )
    table(divided.without("system", "baseline"), key="ngram-groups", alt="Matches of groups of n-grams")
    downloads(divided, key="ngram-groups")


def _listed(found: NgramPair | NgramSystem, listed: Table, name: str, segments: list[tuple[int, ...]]) -> None:
    """One of the two lists, whose rows lead to the segments."""
    st.subheader(f"N-grams {name}", anchor=False)
    place = list(listed.columns).index("list")
    rows = Table(listed.columns, tuple(row for row in listed.rows if row[place] == name))
    if not rows.rows:
        st.caption("There are none.")
        return
    systems = (found.system, found.baseline) if isinstance(found, NgramPair) else (found.system,)
    table(
        rows.without("system", "baseline", "list"),
        key=f"ngrams-{name}",
        alt=f"N-grams {name} by {found.system}",
        on_pick=partial(_read, systems, segments),
        hint=f"Select a row to read the segments, the first {analysis.MOST_READ} of more.",
    )


def _read(systems: tuple[str, ...], segments: list[tuple[int, ...]], row: int) -> None:
    read_segments(*systems, within=analysis.segments_among(segments[row]))


PAGE = session.Page(
    "N-grams",
    "ngrams",
    "Which n-grams does one system get right, and which does it use too often or lack?",
    render,
    group="Why",
    icon=":material/format_quote:",
)
