"""Counts files: scores, precisions, blocks and comparisons of systems whose texts were counted elsewhere."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from bleu_core.inference import BLOCKS, Comparisons, systems_beaten
from bleu_core.results.blocks import block_score_table, block_table
from bleu_core.results.scores import score_report, score_table
from bleu_core.results.significance import (
    comparison_report,
    comparison_table,
    grid_table,
    is_large,
    shown_pairs,
    shown_pairs_note,
    tier_table,
)
from dashboard import analysis, session, words
from dashboard.exhibits import (
    PRECISION,
    Precision,
    against_baseline,
    block_distributions,
    comparison_grid,
    score_bars,
    tier_lines,
)
from dashboard.export import counts_code
from dashboard.literal import literal
from dashboard.plots.theme import Style, styles
from dashboard.widgets import (
    LONG_TABLE_HEIGHT_PX,
    comparison_cautions,
    counts_controls,
    counts_or_stop,
    downloads,
    headline,
    integer_input,
    page_controls,
    show_chart,
    show_code,
    show_exhibit,
    show_table,
)


def render() -> None:
    """Show the results that do not need the texts."""
    scores = counts_or_stop()
    first = st.container(key="answer")
    st.caption(literal(words.how_counted(scores, differs=analysis.differs_in_counting(scores))))
    for copy in scores.identical:
        st.warning(literal(f"{copy.sentence}; its score is not informative."))
    best = [name for name, _ in scores.best_first]
    drawn = styles(scores.evaluation.systems, best[:2])
    _scores(scores, drawn)
    _precisions(scores, drawn)
    options, comparisons = _comparison(scores, drawn)
    with first:
        headline(analysis.headline_of(scores, comparisons))
    if scores.has_segments:
        _blocks(scores, drawn)
    show_code(counts_code(scores, _files(), options))


def _files() -> tuple[str, ...]:
    """Return the names of the counts files in use."""
    return tuple(e.file.name for e in session.current_workspace().entries if e.counts and not e.problem)


def _scores(scores: analysis.CountsScores, drawn: Mapping[str, Style]) -> None:
    names, intervals = scores.ordered_systems(), scores.intervals
    evaluation = scores.evaluation.select(names)
    data = score_table(evaluation, intervals)
    figure = score_bars(
        names,
        [scores.of_system[name] for name in names],
        drawn,
        intervals=intervals and [intervals.scores[name] for name in names],
    )
    show_chart(figure, None, key="counts-bleu", alt="Bars of corpus BLEU, best first", within="")
    show_table(data, key="counts-scores", alt="BLEU, precisions, brevity penalty and lengths")
    downloads(data, key="counts-scores", content=score_report(evaluation, intervals), within="")
    st.caption("Quote the signature with the scores: it records how they were computed.")
    st.code(evaluation.signature, language=None)


def _precisions(scores: analysis.CountsScores, drawn: Mapping[str, Style]) -> None:
    intervals = scores.intervals if scores.has_segments else None
    precision = Precision(evaluation=scores.evaluation, decays=scores.decays, intervals=intervals)
    kept = words.precision_kept(scores.evaluation.systems, scores.evaluation.scores, scores.decays)
    st.subheader("Precision by n-gram order", anchor=False)
    st.caption(literal(kept))
    show_exhibit(
        PRECISION, precision, drawn, key="counts-precision", alt=f"Precision by n-gram order. {kept}", within=""
    )


def _comparison(
    scores: analysis.CountsScores, drawn: Mapping[str, Style]
) -> tuple[analysis.ComparisonOptions | None, Comparisons | None]:
    """Show which differences are significant; return the options and results of the tests, None without two systems."""
    metric = scores.compared
    systems = metric.statistics.systems
    st.subheader("Significance", anchor=False)
    if len(systems) == 1:
        st.info("Only one system is compared. Add counts files of other systems, with the same references.")
        return None, None
    undefined = words.undefined_scores(metric)
    if undefined:
        st.info(literal(undefined))
        return None, None
    first = st.container()
    with page_controls():
        options = counts_controls(systems, scores.units)
    comparisons = scores.compare(options)
    with first:
        if options.baseline is None:
            st.markdown(literal(words.tiers_verdict(comparisons, analysis.system_tiers(comparisons))))
            st.markdown(literal(words.wins_verdict(systems_beaten(comparisons), len(systems) - 1)))
        st.caption(literal(words.comparison_method(comparisons)))
        comparison_cautions(comparisons)
    if is_large(comparisons):
        figure = tier_lines(
            comparisons,
            analysis.system_tiers(comparisons),
            intervals=scores.intervals.scores if scores.intervals else {},
            styles=drawn,
            label=metric.label,
            unit=metric.metric.unit,
            beaten=systems_beaten(comparisons),
        )
        data = tier_table(comparisons, scores.intervals and scores.intervals.scores)
        show_chart(figure, data, key="counts-tiers", alt="The scores with intervals, in tiers", within="")
    elif options.baseline is None:
        shown = words.grid_shown(metric.label)
        st.caption(literal(shown))
        show_chart(
            comparison_grid(comparisons, metric.label), grid_table(comparisons), key="counts-grid", alt=shown, within=""
        )
    else:
        shown = words.differences_shown(options.baseline)
        st.caption(literal(f"{shown} {words.HOLLOW}"))
        figure = against_baseline(comparisons, drawn, metric.label, metric.metric.unit)
        show_chart(figure, None, key="counts-against", alt=shown, within="")
    data, note = comparison_table(comparisons), shown_pairs_note(comparisons)
    if note:
        st.caption(literal(f"{note} {words.ALL_IN_DOWNLOADS}"))
    show_table(
        comparison_table(comparisons, shown_pairs(comparisons)) if note else data,
        key="counts-comparisons",
        alt=f"{'Pairs of the leader and of neighbours' if note else 'All pairs'}: difference, interval and p",
        max_height=LONG_TABLE_HEIGHT_PX,
    )
    content = comparison_report(
        comparisons, metric, scores.evaluation, headline=analysis.headline_of(scores, comparisons)
    )
    downloads(data, key="counts-comparisons", content=content, within="")
    return options, comparisons


def _blocks(scores: analysis.CountsScores, drawn: Mapping[str, Style]) -> None:
    st.subheader("Blocks of text", anchor=False)
    units = scores.units
    number = integer_input("Blocks", 1, units, min(BLOCKS, units), key="counts_divided")
    block_scores = scores.blocks(number)
    spread = words.spread_of_blocks(block_scores)
    st.caption(literal(f"{spread} {words.division_into_blocks(block_scores)}"))
    figure, data = block_distributions(block_scores, drawn), block_score_table(block_scores)
    show_chart(figure, data, key="counts-blocks", alt=f"Distribution of block BLEU per system. {spread}", within="")
    alt = "Mean, standard deviation and paired t per system"
    data = block_table(block_scores, scores.intervals)
    show_table(data, key="counts-blocks", alt=alt)
    downloads(data, key="counts-blocks", within="")
