"""N-grams by which a system wins or loses against another, or differs from the references."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

import streamlit as st

from bleu_core.fields import Table
from bleu_core.results.ngrams import (
    PAIR_NOTE,
    SYSTEM_NOTE,
    NgramPair,
    NgramSystem,
    ngram_pairs_report,
    ngram_systems_report,
    ngram_tables,
)
from bleu_core.scoring import DEFAULT_METRIC
from bleu_core.segments import NGRAM_KINDS, NgramKind
from bleu_core.slicing import segments_among
from dashboard import analysis
from dashboard.exhibits import NGRAMS
from dashboard.export import ngrams_code
from dashboard.views.two_systems.words import ngrams_missing, ngrams_won
from dashboard.widgets import (
    answer,
    data_in_use,
    downloads,
    integer_input,
    note_humans,
    note_optimised_but_shown,
    open_segments,
    page_controls,
    pair_choice,
    select_button,
    select_one,
    show_code,
    show_exhibit,
    show_table,
    system_styles,
    view_or_stop,
)

ALL, SYSTEM, REFERENCES = "all", "another system", "the references"

#: Maximum and default number of listed n-grams of each order.
MAX_NGRAMS, DEFAULT_NGRAMS = 1000, 10


def render() -> None:
    """Compare two systems, or a system and the references, n-gram by n-gram."""
    view = view_or_stop()
    first = st.container(key="answer")
    systems = view.best_systems
    with page_controls():
        pairs = len(systems) > 1 and select_button("Compare with", [SYSTEM, REFERENCES], key="ngrams_with") == SYSTEM
        system, baseline = (
            pair_choice(systems) if pairs else (select_one("System", systems, key=analysis.PAIR_KEYS[0]), "")
        )
        orders = [ALL, *map(str, range(1, view.compared.settings.max_order + 1))]
        order = select_button("Order", orders, key="ngrams_order")
        kind = select_button("Kind", [ALL, *NGRAM_KINDS], key="ngrams_kind")
        max_ngrams = integer_input("N-grams of each order", 1, MAX_NGRAMS, DEFAULT_NGRAMS, key="ngrams_most")
        note_humans(view)
    if system == baseline:
        first.info("Choose two different systems.")
        return
    note_optimised_but_shown(view, analysis.metric_of(view, DEFAULT_METRIC), (system, baseline))
    only_order = None if order == ALL else int(order)
    only_kind: NgramKind | None = next((known for known in NGRAM_KINDS if known == kind), None)
    ngrams = analysis.find_ngrams(view, system, baseline, max_ngrams=max_ngrams, order=only_order, kind=only_kind)
    with first:
        answer(ngrams_won(ngrams) if isinstance(ngrams, NgramPair) else ngrams_missing(ngrams))
    if isinstance(ngrams, NgramPair):
        surplus, deficit = "won", "lost"
        report = ngram_pairs_report([ngrams], view.compared)
    else:
        surplus, deficit = "overused", "missing"
        report = ngram_systems_report([ngrams], view.compared)
    segments = {
        surplus: [ngram.surplus_segments for ngram in ngrams.surplus],
        deficit: [ngram.deficit_segments for ngram in ngrams.deficit],
    }
    counts, listed, divided = ngram_tables([ngrams])
    _largest(view, ngrams, segments)
    for name, row_segments in segments.items():
        _listed(ngrams, listed, name, row_segments)
    st.caption(PAIR_NOTE if isinstance(ngrams, NgramPair) else SYSTEM_NOTE)
    downloads(listed, key="ngrams", content=report, ranks=False)
    st.subheader("Matches by order", anchor=False)
    show_table(counts.without("system", "baseline"), key="ngram-orders", alt="Matches of n-grams of each order")
    downloads(counts, key="ngram-orders")
    st.subheader("Matches by kind, frequency and length", anchor=False)
    st.caption(
        "Frequency is the number of possible matches of an n-gram in the whole text, length the number of tokens of a "
        "segment's first reference."
    )
    show_table(divided.without("system", "baseline"), key="ngram-groups", alt="Matches of groups of n-grams")
    downloads(divided, key="ngram-groups")
    show_code(ngrams_code(data_in_use(view), system, baseline, max_ngrams=max_ngrams, order=only_order, kind=only_kind))


def _largest(
    view: analysis.View, ngrams: NgramPair | NgramSystem, segments: Mapping[str, Sequence[Sequence[int]]]
) -> None:
    """Draw a chart of the n-grams with the greatest effects, whose bars open their segments."""
    if not any(segments.values()):
        return
    systems = _systems(ngrams)
    st.subheader("Greatest effects", anchor=False)
    show_exhibit(
        NGRAMS,
        ngrams,
        system_styles(view, systems),
        alt="The n-grams with the greatest effects on BLEU",
        on_pick=lambda bar: _open(systems, segments[bar[0]], bar[1]),
        hint="Click a bar to read the segments that have the n-gram.",
    )


def _systems(ngrams: NgramPair | NgramSystem) -> tuple[str, ...]:
    return (ngrams.system, ngrams.baseline) if isinstance(ngrams, NgramPair) else (ngrams.system,)


def _listed(ngrams: NgramPair | NgramSystem, listed: Table, name: str, segments: Sequence[Sequence[int]]) -> None:
    """Show one of the two lists, whose rows open their segments."""
    st.subheader(f"N-grams {name}", anchor=False)
    rows = listed.where("list", name)
    if not rows.rows:
        st.caption("There are none.")
        return
    show_table(
        rows.without("system", "baseline", "list"),
        key=f"ngrams-{name}",
        alt=f"N-grams {name} by {ngrams.system}",
        on_pick=partial(_open, _systems(ngrams), segments),
        hint=f"Select a row to read the segments, at most {analysis.MAX_LISTED_SEGMENTS}.",
    )


def _open(systems: tuple[str, ...], segments: Sequence[Sequence[int]], row: int) -> None:
    open_segments(*systems, within=segments_among(segments[row], analysis.MAX_LISTED_SEGMENTS))
