"""Significance of differences between systems."""

from __future__ import annotations

import streamlit as st

from bleu_core.inference import Comparisons, systems_beaten
from bleu_core.results.headlines import HeadlineClass
from bleu_core.results.reversal import reversal_table
from bleu_core.results.significance import (
    caption,
    comparison_report,
    comparison_table,
    is_large,
    methods,
    shown_pairs,
    shown_pairs_note,
)
from bleu_core.scoring import ScoredCorpus
from dashboard import analysis, session, words
from dashboard.exhibits import BASELINE, PAIRS, SCORE_INTERVALS, ComparedSystems
from dashboard.export import significance_code
from dashboard.literal import literal
from dashboard.widgets import (
    LONG_TABLE_HEIGHT_PX,
    PAIR_HINT,
    POINT_HINT,
    ROW_HINT,
    compared_or_stop,
    comparison_cautions,
    comparison_controls,
    comparison_options,
    data_in_use,
    downloads,
    headline,
    note_humans,
    note_optimised,
    open_deciding,
    open_row,
    open_segments,
    page_controls,
    show_code,
    show_exhibit,
    show_table,
    system_styles,
)

#: Maximum number of systems whose grid fits beside the tiers.
MAX_SIDE_BY_SIDE = 8


def render() -> None:
    """Compare all systems with each other, or with one of them."""
    view = compared_or_stop()
    first = st.container(key="answer")
    with page_controls():
        comparison_controls(view)
        note_humans(view)
    note_optimised(view)
    options = comparison_options(view)
    metric = analysis.score_under(view, options.metric)
    undefined = words.undefined_scores(metric)
    if undefined:
        first.info(literal(undefined))
        return
    comparisons = analysis.compare_systems(view, options)
    verdict = analysis.headline_of(analysis.score_systems(view, options.metric), comparisons)
    with first:
        headline(verdict)
        if verdict.class_ in (HeadlineClass.LEADER, HeadlineClass.LEADERS):
            others = len(comparisons.systems) - 1
            st.markdown(literal(words.wins_verdict(systems_beaten(comparisons), others)))
        st.caption(literal(words.comparison_method(comparisons)))
        comparison_cautions(comparisons)
    _all_systems(view, options, comparisons, metric)
    data, note = comparison_table(comparisons), shown_pairs_note(comparisons)
    shown = comparison_table(comparisons, shown_pairs(comparisons)) if note else data
    if note:
        st.subheader("Leader and neighbours", anchor=False)
        st.caption(literal(f"{note} {words.ALL_IN_DOWNLOADS}"))
    show_table(
        shown,
        key="comparisons",
        alt=f"{'Pairs of the leader and of neighbours' if note else 'All pairs'}: difference, interval and p",
        max_height=LONG_TABLE_HEIGHT_PX,
        on_pick=open_row(shown),
        hint=ROW_HINT,
    )
    content = comparison_report(comparisons, metric, view.compared, headline=verdict)
    about_text = words.slice_to_quote(view.slice, descriptive=view.descriptive)
    about_text += words.repairs_to_quote(session.current_workspace())
    to_quote = [quoted(comparisons, metric, view.compared) + about_text for quoted in (methods, caption)]
    downloads(data, key="comparisons", content=content, caption=to_quote[-1])
    _deciding(view, options, comparisons)
    session.page_link("Difference", "Two systems compared by three tests")
    st.subheader("To quote", anchor=False)
    st.caption("A sentence for the methods section, and a caption.")
    for text in to_quote:
        st.code(text, language=None, wrap_lines=True)
    show_code(significance_code(data_in_use(view), options, comparisons))


def _all_systems(
    view: analysis.View,
    options: analysis.ComparisonOptions,
    comparisons: Comparisons,
    metric: ScoredCorpus,
) -> None:
    descriptive = view.descriptive
    compared = ComparedSystems(
        comparisons=comparisons,
        scored=metric,
        intervals=analysis.intervals_by_system(view, options),
        tested=comparisons.tested and not descriptive,
    )
    if options.baseline is not None:
        shown = words.differences_shown(options.baseline)
        st.caption(literal(f"{shown} {words.HOLLOW}"))
        pairs = comparisons.pairs
        show_exhibit(
            BASELINE,
            compared,
            system_styles(view),
            alt=shown,
            on_pick=lambda point: open_segments(pairs[point[0]].system, pairs[point[0]].baseline),
            hint=PAIR_HINT.format(mark="point"),
        )
        return
    if is_large(comparisons):
        _tiers(view, compared)
        return
    # Many columns need the whole width for their numbers.
    left, right = (
        (st.container(key="wide-grid"), st.container())
        if len(comparisons.systems) > MAX_SIDE_BY_SIDE
        else st.columns([3, 2], gap="large")
    )
    with left:
        st.subheader("Pairwise comparison", anchor=False)
        shown = words.grid_shown(metric.label)
        st.caption(literal(f"{shown} Descriptive only." if descriptive else shown))
        show_exhibit(
            PAIRS,
            compared,
            alt=shown,
            on_pick=lambda cell: open_segments(*(comparisons.ranked[place] for place in cell[-2:])),
            hint=PAIR_HINT.format(mark="cell"),
        )
    with right:
        _tiers(view, compared)


def _tiers(view: analysis.View, compared: ComparedSystems) -> None:
    """Show the scores with their intervals, in tiers if there are several."""
    comparisons = compared.comparisons
    st.subheader("Tiers" if compared.tiers[1:] else SCORE_INTERVALS.title, anchor=False)
    about_intervals = f"The score of each system with its interval.{' Descriptive only.' if view.descriptive else ''}"
    st.caption(words.tiers_verdict(comparisons, compared.tiers) if compared.tested else about_intervals)
    show_exhibit(
        SCORE_INTERVALS,
        compared,
        system_styles(view),
        alt=f"The scores with intervals{', in tiers' if compared.tiers[1:] else ''}",
        on_pick=lambda point: open_segments(comparisons.systems[point[0]]),
        hint=POINT_HINT,
    )


def _deciding(view: analysis.View, options: analysis.ComparisonOptions, comparisons: Comparisons) -> None:
    """Show how few segments decide the order of systems next to each other, with p."""
    pairs = analysis.neighbouring_pairs(comparisons)
    reversals = analysis.deciding_segments(view, options, pairs)
    st.subheader("Segments that decide the order", anchor=False)
    if options.baseline is None:
        st.caption(
            "How few segments would have to be left out for a system and the next one in the ranking to change places."
        )
    else:
        what = "How few segments would have to be left out for a system to change places with"
        st.caption(literal(f"{what} {options.baseline}."))
    data = reversal_table(comparisons, reversals, view.numbers, pairs=pairs)
    show_table(
        data.without("segments"),
        key="deciding",
        alt="Smallest sets of segments found without which two systems change places, and p",
        on_pick=lambda row: open_deciding(reversals[row], view.numbers),
        hint=f"Select a row to read these segments, at most {analysis.MAX_LISTED_SEGMENTS}.",
    )
    st.caption(words.DECIDING_CAUTION)
    downloads(data, key="deciding")
