"""The difference of two systems: three tests, its causes, the segments that decide it, and documents."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from functools import partial

import streamlit as st

from bleu_core.dataset import plural
from bleu_core.inference import Comparison, Comparisons
from bleu_core.results.reversal import usual_share_of
from bleu_core.results.significance import pair_blocks_table, parts_table, tests_table
from bleu_core.scoring import ScoredCorpus
from dashboard import analysis, session, words
from dashboard.exhibits import BLOCK_DIFFERENCES, CAUSES, RESAMPLED, TestedPair
from dashboard.export import two_systems_code
from dashboard.literal import literal
from dashboard.views.two_systems.pair import chosen_pair
from dashboard.widgets import (
    BLOCK_HINT,
    ROW_HINT,
    adjustment_switch,
    data_in_use,
    downloads,
    exclude_segments,
    headline,
    note_adjustment,
    open_block,
    open_deciding,
    section,
    show_code,
    show_exhibit,
    show_table,
    system_styles,
)

#: Maximum size of a set of segments that can be ticked, and the number of further segments in the list.
MAX_TICKED, MORE_SEGMENTS = 500, 10


def render() -> None:
    """Show which of two systems is better, by which tests, why, and in which documents."""
    chosen = chosen_pair()
    if chosen is None:
        return
    view, first, options, metric = chosen.view, chosen.answer, chosen.options, chosen.metric
    system, baseline = chosen.system, chosen.baseline
    comparisons = analysis.compare_systems(view, replace(options, baseline=None))
    pair, descriptive = comparisons.between(system, baseline), view.descriptive
    if pair is None:
        first.info("These two systems cannot be compared.")
        return
    scores = analysis.score_systems(view, options.metric)
    with first:
        headline(analysis.headline_of(scores, comparisons, systems=(system, baseline)))
    reason = analysis.why_not_tested(view, options, system, baseline)
    tested = None if reason else analysis.run_three_tests(view, options, system, baseline)
    meaning = "" if descriptive or tested is None else words.meaning_of_p(comparisons, pair)
    if meaning:
        first.caption(literal(meaning))
    if tested is None:
        st.info(literal(words.not_tested(system, baseline, reason)))
    else:
        if tested.undefined:
            st.info(literal(words.undefined_resamples(metric)))
        else:
            _distributions(view, tested, metric, (baseline, system))
        if not descriptive:
            _meaning_to_raters(view, metric, pair)
        _tests(tested, descriptive=descriptive)
    _causes(view, options, system, baseline)
    _deciding(view, options, comparisons, pair)
    _documents(view, metric, (baseline, system))
    session.page_link("How much text", "How much text it takes to show the difference")
    show_code(two_systems_code(data_in_use(view), options, system, baseline))


def _meaning_to_raters(view: analysis.View, metric: ScoredCorpus, pair: Comparison) -> None:
    """Say how often judges prefer the better one of systems with such a difference, where there are ratings."""
    ratings = None if view.workspace.judgments is None else analysis.ratings_or_none(view)
    sentence = words.meaning_to_raters(pair.delta, metric.label, analysis.curve_of_metric(ratings, metric.label))
    if sentence:
        st.caption(literal(sentence))
    adjustment_switch(ratings)
    raw = None if ratings is None else analysis.raw_ratings(ratings)
    raw_curve = None if raw is None else analysis.curve_of_metric(raw, metric.label)
    note_adjustment(ratings, raw_curve and words.meaning_to_raters(pair.delta, metric.label, raw_curve))


def _tests(tested: analysis.PairTests, *, descriptive: bool) -> None:
    st.subheader("Three tests", anchor=False)
    if not descriptive:
        st.markdown(literal(words.three_tests_verdict(tested.tests)))
    data = tests_table(list(tested.tests))
    show_table(data.without("resampled", "null_hypothesis"), key="tests", alt="Three tests of the two systems")
    st.text(words.meaning_of_tests(tested.tests))
    downloads(data, key="tests")


def _distributions(
    view: analysis.View, tested: analysis.PairTests, metric: ScoredCorpus, names: tuple[str, str]
) -> None:
    """Draw the resampled differences, and those on the blocks of the paired t."""
    left, right = st.columns(2, gap="large")
    baseline, system = names
    pair = TestedPair(tests=tested, scored=metric, names=names)
    with left:
        st.subheader(
            "Resampled differences",
            anchor=False,
            help="Bootstrap: the difference on other texts of this kind. Randomisation: the difference when outputs "
            "are swapped at random.",
        )
        show_exhibit(RESAMPLED, pair, alt=f"Distribution of resampled differences between {system} and {baseline}.")
    with right:
        blocks = tested.blocks
        count = len(blocks.names)
        st.subheader(
            f"Difference by {blocks.unit}",
            anchor=False,
            help=f"The paired t averages these {count} {plural(count, blocks.unit)}. A bar has the colour of the "
            "system that is better there.",
        )
        show_exhibit(
            BLOCK_DIFFERENCES,
            pair,
            system_styles(view, names[::-1]),
            alt=f"Difference between {system} and {baseline} on each {blocks.unit}.",
            on_pick=lambda bar: open_block(view, blocks, bar[-1], names[::-1]),
            hint=BLOCK_HINT.format(mark="bar", unit=blocks.unit),
        )


def _causes(view: analysis.View, options: analysis.ComparisonOptions, system: str, baseline: str) -> None:
    """Show the parts of a difference of BLEU that are due to each precision and to brevity."""
    decomposition = analysis.decompose_difference(view, options, system, baseline)
    if decomposition is None:
        return
    st.subheader("Why the scores differ", anchor=False)
    sentence = words.causes_of_difference(decomposition)
    st.markdown(literal(sentence))
    st.caption(
        "The logarithm of BLEU is a weighted sum of the logarithms of the precisions, plus that of the brevity "
        "penalty. Each part of the difference of two scores follows from one of them; all parts add up to the whole."
    )
    show_exhibit(
        CAUSES, decomposition, system_styles(view, (system, baseline)), alt=f"Parts of the difference. {sentence}"
    )


def _deciding(
    view: analysis.View,
    options: analysis.ComparisonOptions,
    comparisons: Comparisons,
    pair: Comparison,
) -> None:
    """Show how few segments decide which system leads, a button that opens them, and the difference without them."""
    st.subheader("Segments that decide the lead", anchor=False)
    (reversal,) = analysis.deciding_segments(view, options, [pair])
    st.markdown(literal(words.deciding_segments(reversal, usual_share_of(comparisons, pair))))
    deciding = reversal.positions or ()
    if deciding:
        st.caption(words.DECIDING_CAUTION)
        open_them = session.callback("read-deciding", partial(open_deciding, reversal, view.numbers))
        more = (
            f"the first {analysis.MAX_LISTED_SEGMENTS} of these"
            if len(deciding) > analysis.MAX_LISTED_SEGMENTS
            else "these"
        )
        st.button(f"Read {more} segments", key="read-deciding", icon=":material/arrow_forward:", on_click=open_them)
    if len(deciding) <= MAX_TICKED and view.evaluation.segments > 1:
        _left_out(view, options, comparisons=comparisons, pair=pair, deciding=deciding)


def _left_out(
    view: analysis.View,
    options: analysis.ComparisonOptions,
    comparisons: Comparisons,
    pair: Comparison,
    deciding: Collection[int],
) -> None:
    """Show the difference, p and tiers without ticked segments, by default those that decide the lead."""
    part = section("left-out", "Leave segments out")
    if part is None:
        return
    segments, listed = analysis.segments_by_lead(view, options.metric, pair, deciding)
    rows = range(min(len(deciding) + MORE_SEGMENTS, len(listed) - 1))
    with part:
        st.caption(literal(words.segments_to_leave_out(segments)))
        ticked = show_table(
            analysis.segment_rows(view, segments, listed, rows, notes={}),
            key="left-out",
            alt="The segments with the largest influence on the lead; those ticked are left out",
            ticked=range(len(deciding)),
        )
        numbers = sorted(listed.number(row) for row in ticked)
        if not numbers:
            st.caption("No segment is ticked.")
            return
        count = len(numbers)
        parts = {
            f"all {comparisons.segments:,}": comparisons,
            f"without the {count:,} ticked": analysis.compare_without(view, options, numbers),
        }
        data = parts_table(parts, pair.system, pair.baseline)
        show_table(
            data.without("system", "baseline"), key="left-out-pairs", alt="The pair with and without these segments"
        )
        st.caption(words.LEFT_OUT_CAUTION)
        with st.container(horizontal=True):
            st.button(
                "Leave these out on every page",
                key="leave-out",
                icon=":material/filter_alt:",
                on_click=exclude_segments,
                args=("Difference", numbers, pair.system, pair.baseline),
                help="Adds them to the slice, which all pages use and which can be changed at the top of each page.",
            )
            downloads(data, key="left-out-pairs")


def _documents(view: analysis.View, metric: ScoredCorpus, names: tuple[str, str]) -> None:
    """Show the difference on each document by name, the largest loss first."""
    document_scores = analysis.score_documents(view, metric.metric.key, names)
    if document_scores is None:
        return
    documents, scores = document_scores
    baseline, system = names
    st.subheader("Documents", anchor=False)
    st.caption(literal(f"The documents in which {system} loses most against {baseline} come first."))
    data = pair_blocks_table(names, documents, scores).with_decimals(metric.metric.decimals)
    show_table(
        data,
        key="documents",
        alt=f"Scores of {system} and {baseline} on each document",
        on_pick=lambda row: open_block(view, documents, row, (system, baseline)),
        hint=ROW_HINT,
    )
    downloads(data, key="documents")
