"""Overview: the answer first, then the figures that carry it."""

from __future__ import annotations

from functools import partial

import streamlit as st

from bleu_core.agreement import Agreement
from bleu_core.errors import AlignmentError
from bleu_core.inference import BLOCKS as DEFAULT_BLOCKS
from bleu_core.inference import RESAMPLES, Comparisons, systems_beaten
from bleu_core.results.agreement import agreement_table
from bleu_core.results.headlines import HeadlineClass
from bleu_core.scoring import Metric
from dashboard import analysis, session, words
from dashboard.exhibits import BLOCKS, PRECISION, SCORES, bleu_and_ratings, precision_of, scores_table
from dashboard.export import overview_code
from dashboard.literal import literal
from dashboard.plots.theme import axis_title
from dashboard.widgets import (
    BAR_HINT,
    chart,
    comparison_options,
    data_in_use,
    headline,
    metric_choice,
    note_humans,
    page_controls,
    read_block_score,
    read_segments,
    show,
    show_code,
    show_warnings,
    system_styles,
    view_or_stop,
)

FIGURE_HEIGHT = 400


def render() -> None:
    """Show who leads, by how much and how far people agree, and the figures behind that."""
    st.caption(words.PURPOSE)
    _welcome()
    view = view_or_stop()
    first = st.container(key="answer")
    with page_controls(folded=True):
        metric = metric_choice(view)
    scores = analysis.score_systems(view, metric.key)
    agreement = _agreement(view, metric)
    descriptive = view.descriptive
    comparisons = None if descriptive else analysis.compare_leaders(scores, comparison_options(view))
    known = analysis.obstructions_are_known(view)  # a warning may say that the scores are not comparable
    with first:
        answered = st.empty()
        if known:
            with answered.container():
                _answer(scores, comparisons, agreement)
        else:
            answered.caption("Looking for reasons why scores may not be comparable")
        warnings = st.container(key="place-of-warnings")
        _how_to_read(scores)
    note_humans(view)
    _doubt(view)
    left, right = st.columns(2, gap="large")
    evaluation = view.compared
    names = [name for name in scores.ordered_systems() if name in evaluation.systems]
    with left:
        st.subheader("Scores", anchor=False)
        st.caption(literal(f"Corpus {metric.label} of each system, best first."))
        show(
            SCORES,
            scores,
            system_styles(view),
            names=names,
            notes=words.wins_by_system(systems_beaten(comparisons)) if comparisons else None,
            height=FIGURE_HEIGHT,
            data=partial(scores_table, scores, list(evaluation.systems)),
            key="overview-scores",
            alt=f"Bars of corpus {metric.label}, best first",
            on_pick=lambda bar: read_segments(names[bar[-1]]),
            hint=BAR_HINT,
        )
        session.page_link("Scores", "All scores, and the signature to quote")
    session.after_answers()
    if not known:  # the figure does not wait for it
        with answered.container():
            _answer(scores, comparisons, agreement)
    with right:
        st.subheader("Precision", anchor=False)
        precision = precision_of(view)
        kept = words.precision_kept(evaluation.systems, evaluation.scores, precision.decays)
        st.caption(literal(kept))
        show(
            PRECISION,
            precision,
            system_styles(view),
            fits=False,
            height=FIGURE_HEIGHT,
            key="overview-precision",
            alt=kept,
            on_pick=lambda point: read_segments(evaluation.systems[point[-1]]),
        )
        session.page_link("Precision", "How fast precision decays")
    session.after_answers()
    _third(scores, agreement)
    session.after_answers()
    with warnings:  # last, as looking for them in long texts takes a while
        show_warnings(view)
    compared = comparison_options(view) if comparisons is not None else None
    show_code(overview_code(data_in_use(view), metric.key, intervals=view.with_intervals, compared=compared))


def _welcome() -> None:
    """Introduce the sample data, with a link to the page where files are added."""
    if session.dataset() != "sample" or session.unmatched_link() is not None:
        return
    with st.container(border=True, horizontal=True, vertical_alignment="center", key="welcome"):
        st.markdown(
            "These are **sample data**: synthetic news with three systems, two human translators and four "
            "references. Your own files work the same way.",
            width="content",
        )
        session.page_link("Data", "Use your own files")


def _agreement(view: analysis.View, metric: Metric) -> Agreement | None:
    if view.workspace.judgments is None:
        return None
    try:
        ratings = analysis.choose_ratings(view)
        return analysis.system_agreement(ratings, analysis.score_rated_systems(ratings, metric.label))
    except AlignmentError:  # the page System agreement shows the reason
        return None


def _answer(scores: analysis.SystemScores, comparisons: Comparisons | None, agreement: Agreement | None) -> None:
    found = analysis.headline_of(scores, comparisons)
    headline(found)
    if found.class_ == HeadlineClass.NOT_COMPARABLE:
        comparisons = None
    adjusted = None
    if agreement is not None:
        adjusted = analysis.adjusted_agreement(analysis.choose_ratings(scores.view), scores.metric.label)
    for sentence in words.verdicts_of_leaders(scores, comparisons, agreement, adjusted=adjusted):
        st.markdown(literal(sentence))
    if comparisons is not None:
        with st.container(horizontal=True, key="more-of-the-answer"):
            session.page_link("Pairs of systems", "All pairs of systems")
            session.page_link("Difference", "The two best systems side by side")


def _doubt(view: analysis.View) -> None:
    """Point to files that are not used, and to those that are out of line with the others, or seem to be."""
    if session.dataset() != "own":
        return
    workspace = session.current_workspace()
    sentences = [words.files_not_used(workspace)]
    out_of_line = analysis.used_out_of_line(workspace)
    low = [name for name in analysis.far_below(view) if name not in out_of_line]
    if out_of_line:
        sentences.append(words.files_out_of_line(out_of_line))
    if low:
        sentences.append(words.far_below_others(low))
    for sentence in filter(None, sentences):
        st.warning(literal(sentence))
    if any(sentences):
        session.page_link("Data", "See the files on the Data page")


def _how_to_read(scores: analysis.SystemScores) -> None:
    """What the metric is, and what the error bars are, a line each."""
    view = scores.view
    meaning = words.meaning_of_bleu(view.evaluation.settings.max_order)
    if scores.metric.key != "bleu":
        meaning = f"{scores.metric.label}: {scores.metric.help}."
    lines = [meaning]
    if view.with_intervals:
        lines.append(words.meaning_of_error_bars(RESAMPLES))
    st.caption("  \n".join(map(literal, lines)))


def _third(scores: analysis.SystemScores, agreement: Agreement | None) -> None:
    """Agreement with people, if there are ratings, and the spread over blocks."""
    view, metric = scores.view, scores.metric
    left, right = st.columns(2, gap="large")
    if agreement is not None:
        with left:
            st.subheader("Human judgments", anchor=False)
            sentence = words.agreement_with_people(agreement)
            lower = words.flipped_signs([] if metric.higher_is_better else [metric.label])
            shown = f"Mean rating by {metric.label}, with the regression line and its 95% confidence band. {lower}"
            st.caption(literal(shown.rstrip()))
            intervals = scores.intervals
            figure = bleu_and_ratings(
                agreement,
                system_styles(view),
                view.workspace.human_systems,
                intervals=intervals and intervals.scores,
                score=axis_title(
                    metric.label, metric.unit if metric.higher_is_better else f"{metric.unit}, lower is better"
                ),
                height=FIGURE_HEIGHT,
            )
            chart(
                figure,
                agreement_table(agreement, intervals),
                key="overview-human",
                alt=sentence,
                on_pick=lambda point: read_segments(agreement.systems[point[0]]),
            )
            session.page_link("By system", "Agreement in detail")
    with left if agreement is None else right:
        st.subheader("Blocks", anchor=False)
        result = analysis.score_blocks(view, metric.key, division="blocks", number=DEFAULT_BLOCKS, size=DEFAULT_BLOCKS)
        spread = words.spread_of_blocks(result, tested=not view.descriptive)
        st.caption(literal(spread))
        read = partial(read_block_score, view, result)
        styles = system_styles(view)
        show(BLOCKS, result, styles, height=FIGURE_HEIGHT, key="overview-blocks", alt=spread, on_pick=read)
        session.page_link("Blocks", "Variation over the text, and tests of neighbours")


PAGE = session.Page(
    title="Overview",
    path="",
    question="Which system leads, is its lead significant, and do the judges agree?",
    parts=(session.Part(render=render, needs="systems"),),
    icon=":material/dashboard:",
)
