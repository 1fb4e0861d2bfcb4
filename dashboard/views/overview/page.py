"""Overview: the answer first, then the figures that support it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from bleu_core.agreement import Agreement
from bleu_core.errors import AlignmentError
from bleu_core.inference import BLOCKS as DEFAULT_BLOCKS
from bleu_core.inference import RESAMPLES, Comparisons, systems_beaten
from bleu_core.results.agreement import agreement_table
from bleu_core.results.headlines import HeadlineClass
from bleu_core.scoring import Metric
from dashboard import analysis, session, words
from dashboard.exhibits import (
    BLOCKS,
    PRECISION,
    bleu_and_ratings,
    precision_of,
    ranked_scores,
    ranking_height,
    scores_table,
)
from dashboard.export import overview_code
from dashboard.literal import literal
from dashboard.plots.theme import Style, axis_title
from dashboard.widgets import (
    POINT_HINT,
    adjustment_switch,
    comparison_options,
    data_in_use,
    headline,
    metric_choice,
    note_humans,
    note_optimised,
    open_block_score,
    open_segments,
    page_controls,
    place_of_warnings,
    show_chart,
    show_code,
    show_exhibit,
    show_warnings,
    system_styles,
    view_or_stop,
)

FIGURE_HEIGHT = 400

#: Pixels; the figure beside the ranking of many systems is not as high as the ranking.
MAX_PRECISION_HEIGHT = 640


def render() -> None:
    """Show which system leads, by how much, how well judges agree, and the figures behind that.

    The headline and the first figure say whether the scores are comparable; all warnings are computed last.
    """
    _welcome()
    view = view_or_stop()
    answered = st.container(key="answer").empty()
    warnings = place_of_warnings(view)
    with warnings:
        _doubt(view)
    with page_controls():
        metric = metric_choice(view)
    scores = analysis.score_systems(view, metric.key)
    comparisons = None if view.descriptive else analysis.compare_leaders(scores, comparison_options(view))
    with answered.container():
        headline(analysis.headline_of(scores, comparisons))
    warnings_shown = analysis.findings_are_known(view)
    if warnings_shown:
        with warnings:
            show_warnings(view)
    left, right = st.columns(2, gap="medium")
    styles = system_styles(view, [name for name, _ in scores.best_first])
    with left:
        _ranking(scores, comparisons, styles)
    session.after_answers()
    with right:
        _precision(view, styles, height=min(ranking_height(len(view.compared.systems)), MAX_PRECISION_HEIGHT))
    note_humans(view)
    note_optimised(view)
    session.after_answers()
    ratings = None if view.workspace.judgments is None else analysis.ratings_or_none(view)
    _evidence(answered, scores, comparisons, ratings)
    agreement = None if ratings is None else _agreement(ratings, metric)
    _strength(scores, comparisons, None if ratings is None or ratings.policy.obstacle else agreement)
    left, right = st.columns(2, gap="medium")
    with left:
        _blocks(view, metric, styles)
    if agreement is not None and ratings is not None:
        with right:
            _human_judgments(scores, agreement, ratings, styles)
    session.after_answers()
    if not warnings_shown:
        with warnings:  # last, as checking long texts takes a while
            show_warnings(view)
    compared = comparison_options(view) if comparisons is not None else None
    show_code(overview_code(data_in_use(view), metric.key, intervals=view.with_intervals, compared=compared))


def _welcome() -> None:
    """Introduce the sample data, with a link to the page where files are added."""
    if session.dataset() != "sample" or session.unmatched_link() is not None:
        return
    with st.container(horizontal=True, vertical_alignment="center", key="welcome"):
        st.markdown(
            "**Sample data**: synthetic news, three systems, two human translators and four references.",
            width="content",
        )
        session.page_link("Data", "Use your own files")


def _evidence(
    answered: DeltaGenerator,
    scores: analysis.SystemScores,
    comparisons: Comparisons | None,
    ratings: analysis.RatingsInUse | None,
) -> None:
    """Add the evidence against the headline to it, for which the headline and the first figures do not wait."""
    if comparisons is None:
        return
    answer = analysis.headline_of(scores, comparisons)
    complete = analysis.with_evidence_of(
        answer, scores, comparisons, ratings=ratings, options=comparison_options(scores.view)
    )
    if complete != answer:
        with answered.container():
            headline(complete)


def _agreement(ratings: analysis.RatingsInUse, metric: Metric) -> Agreement | None:
    try:
        return analysis.system_agreement(ratings, analysis.score_rated_systems(ratings, metric.label))
    except AlignmentError:  # the part By system of Agreement shows the reason
        return None


def _doubt(view: analysis.View) -> None:
    """Name files that are not used, and those that are or seem to be misaligned."""
    if session.dataset() != "own":
        return
    workspace = session.current_workspace()
    sentences = [words.files_not_used(workspace)]
    misaligned = analysis.misaligned_systems(workspace)
    low = [name for name in analysis.far_below(view) if name not in misaligned]
    if misaligned:
        sentences.append(words.files_out_of_line(misaligned))
    if low:
        sentences.append(words.far_below_others(low))
    if not any(sentences):
        return
    with st.popover("Files to check", icon=":material/warning:", key="files-to-check"):
        for sentence in filter(None, sentences):
            st.warning(literal(sentence))
        session.page_link("Data", "See the files on the Data page")


def _ranking(scores: analysis.SystemScores, comparisons: Comparisons | None, styles: Mapping[str, Style]) -> None:
    """Show the scores with their intervals, and the systems that cannot be distinguished from the best."""
    view, metric = scores.view, scores.metric
    systems = list(analysis.compared_by(view, metric.key))
    names = [name for name in scores.ordered_systems() if name in systems]
    leading = analysis.leading_systems(scores, comparisons)
    tiers = [names] if comparisons is None else analysis.system_tiers(comparisons)
    intervals = scores.intervals
    st.subheader("Ranking", anchor=False, help=_how_to_read(scores))
    shown = words.ranking_shown(leading, len(tiers), intervals=intervals is not None)
    show_chart(
        ranked_scores(
            {name: scores.of_system[name] for name in names},
            styles,
            intervals=intervals and intervals.scores,
            parts=tiers,
            leading=leading,
            beaten=systems_beaten(comparisons) if comparisons and comparisons.tested else None,
            label=metric.label,
            unit=_unit(metric),
            decimals=metric.decimals,
        ),
        partial(scores_table, scores, systems),
        key="overview-scores",
        alt=f"Corpus {metric.label} of each system, best first. {shown}",
        on_pick=lambda point: open_segments(names[point[-1]]),
        hint=literal(f"{shown} {POINT_HINT}".lstrip()),
    )


def _precision(view: analysis.View, styles: Mapping[str, Style], height: int) -> None:
    st.subheader("Precision", anchor=False, help=words.MEANING_OF_DECAY)
    precision = precision_of(view)
    evaluation = precision.evaluation
    kept = words.precision_kept(evaluation.systems, evaluation.scores, precision.decays)
    show_exhibit(
        PRECISION,
        precision,
        styles,
        fits=False,
        height=height,
        key="overview-precision",
        alt=kept,
        on_pick=lambda point: open_segments(evaluation.systems[point[-1]]),
        hint=literal(kept),
    )


def _how_to_read(scores: analysis.SystemScores) -> str:
    """Explain the metric and the error bars."""
    view = scores.view
    lines = [words.meaning_of_metric(scores.metric, view.evaluation.settings.max_order)]
    if view.with_intervals:
        lines.append(words.meaning_of_error_bars(RESAMPLES))
    return "\n\n".join(map(literal, lines))


def _strength(scores: analysis.SystemScores, comparisons: Comparisons | None, agreement: Agreement | None) -> None:
    """Show further findings on the lead, unless scores are not comparable, and links to other pages."""
    comparable = analysis.headline_of(scores, comparisons).class_ != HeadlineClass.NOT_COMPARABLE
    if comparisons is not None and comparable:
        sentences = words.strength_of_lead(scores, comparisons, agreement)
        st.markdown("\n".join(f"- {literal(sentence)}" for sentence in sentences))
    with st.container(horizontal=True, vertical_alignment="center", key="more-of-the-answer"):
        if comparisons is not None and comparable:
            session.page_link("Pairs of systems", "All pairs of systems")
            session.page_link("Difference", "The two best systems side by side")
        session.page_link("Scores", "All scores, and the signature to quote")
        session.page_link("Precision", "How fast precision decays")


def _blocks(view: analysis.View, metric: Metric, styles: Mapping[str, Style]) -> None:
    """Show the spread over blocks of the text."""
    st.subheader("Blocks", anchor=False)
    result = analysis.score_blocks(view, metric.key, division="blocks", number=DEFAULT_BLOCKS, size=DEFAULT_BLOCKS)
    spread = words.spread_of_blocks(result, tested=analysis.may_be_significant(view, metric))
    open_block = partial(open_block_score, view, result)
    show_exhibit(
        BLOCKS,
        result,
        styles,
        height=FIGURE_HEIGHT,
        key="overview-blocks",
        alt=spread,
        on_pick=open_block,
        hint=literal(spread),
    )
    session.page_link("Blocks", "Variation over the text, and tests of neighbours")


def _human_judgments(
    scores: analysis.SystemScores,
    agreement: Agreement,
    ratings: analysis.RatingsInUse,
    styles: Mapping[str, Style],
) -> None:
    """Show how well the metric agrees with the judges, unless their mean ratings may not be compared."""
    view, metric, intervals = scores.view, scores.metric, scores.intervals
    lower = words.flipped_signs([] if metric.higher_is_better else [metric.label])
    explanation = f"Mean rating by {metric.label}, with the regression line and its 95% confidence band."
    st.subheader("Human judgments", anchor=False, help=literal(explanation))
    adjustment_switch(ratings)
    obstacle = analysis.obstacle_of(view, metric, agreement.systems)
    sentence = obstacle or words.agreement_verdict(agreement, ratings)
    if obstacle or ratings.policy.obstacle:
        st.warning(literal(sentence))
        return
    figure = bleu_and_ratings(
        agreement,
        styles,
        view.human_systems,
        intervals=intervals and intervals.scores,
        score=axis_title(metric.label, _unit(metric)),
        height=FIGURE_HEIGHT,
    )
    show_chart(
        figure,
        agreement_table(agreement, intervals),
        key="overview-human",
        alt=sentence,
        on_pick=lambda point: open_segments(agreement.systems[point[0]]),
        hint=literal(f"{sentence} {lower}".rstrip()),
    )
    session.page_link("By system", "Agreement in detail")


def _unit(metric: Metric) -> str:
    """Return the unit of a metric's scores, with a note if lower ones are better."""
    return ", ".join(filter(None, (metric.unit, "" if metric.higher_is_better else "lower is better")))


PAGE = session.Page(
    title="Overview",
    path="",
    question="Which system leads, is its lead significant, and do the judges agree?",
    parts=(session.Part(render=render, needs="systems", rests_on=()),),
    icon=":material/dashboard:",
)
