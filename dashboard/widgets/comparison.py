"""Controls of comparisons, which Ranking and Two systems share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial

import streamlit as st

from bleu_core.error_spans import BREAKDOWNS, Breakdown
from bleu_core.inference import BLOCKS, SEED, Comparisons, Correction
from bleu_core.inference import TESTS as TEST_KEYS
from bleu_core.results.significance import TEST_NAMES
from dashboard import analysis, session, words
from dashboard.literal import literal
from dashboard.widgets.controls import PageControls, metric_choice, select_one
from dashboard.widgets.page import note_humans, note_optimised, view_or_stop

#: Help of the controls of marked errors.
ERRORS_BY_HELP = (
    "Severities and categories are as marked. By place: in the translation, in the source, omissions, or unknown."
)
MARKED_BY_HELP = "Errors that judges marked, averaged over the judges of a segment, or errors that a metric marked."

EACH_PAIR = "each other"
SEGMENTS, DOCUMENTS = "segments", "documents"
CORRECTION_LABELS: dict[str, Correction] = {
    "Holm": "holm",
    "Benjamini-Hochberg": "benjamini-hochberg",
    "none": "none",
}
TESTS = [TEST_NAMES[test] for test in TEST_KEYS]
#: Keys of controls of counts files whose options differ from those of other pages.
COUNTS_WITH, COUNTS_BLOCKS = "counts_with", "counts_blocks"
#: Labels of the numbers of draws, by key.
DRAWS = {
    "draws": "Resamples or trials",
    "seed": "Seed",
    "t_blocks": "Blocks of the paired t",
    COUNTS_BLOCKS: "Blocks of the paired t",
}
#: Bounds and default of the numbers that do not depend on the data, by key.
DRAW_BOUNDS: Mapping[str, tuple[int, int, int | None]] = {
    "draws": (1, analysis.MAX_DRAWS, None),
    "seed": (0, analysis.MAX_SEED, SEED),
}


def compared_or_stop() -> analysis.View:
    """Return the data and settings of a page that compares systems; without two, explain it and stop the page."""
    view = view_or_stop(systems=2)
    if len(_compared(view)) == 1:
        note_humans(view)
        note_optimised(view)
        st.info("Only one system is left, so there is nothing to compare.")
        st.stop()
    return view


def pair_choice(order: Sequence[str]) -> tuple[str, str]:
    """Draw boxes for a system and its baseline, by default the first two, and a button that swaps them."""
    with PageControls.place_in_view():
        system, baseline = (
            select_one(label, order, key=key, default=default)
            for label, key, default in zip(("System", "Baseline"), analysis.PAIR_KEYS, order, strict=False)
        )
        swap_button(system, baseline)
    return system, baseline


def swap_button(system: str, baseline: str) -> None:
    """Draw a button that swaps the system and the baseline."""
    swapped = dict(zip(analysis.PAIR_KEYS, (baseline, system), strict=True))
    st.button("Swap", key="swap-pair", icon=":material/swap_horiz:", on_click=partial(session.set_controls, **swapped))


def comparison_controls(view: analysis.View, *, of_pair: bool = False, of_slices: bool = False) -> None:
    """Draw the controls of a comparison.

    Args:
        view: the data and settings of the page.
        of_pair: whether the page itself selects the two systems.
        of_slices: whether they are compared by the paired bootstrap, with p-values corrected for the number of slices.
    """
    options, bounds = _restored(view)
    if not of_pair:
        select_one("Compare systems with", options["compare_with"], key="compare_with")
    metric_choice(view)
    if not of_slices:
        _test_choice("How p is computed. The page Two systems shows three tests side by side.")
    _units_choice(options)
    if not of_slices:
        _correction_choice()
    _level_choice()
    _numbers(bounds)


def comparison_cautions(comparisons: Comparisons) -> None:
    """Show cautions about a comparison of several systems."""
    for warning in comparisons.warnings:
        st.warning(literal(warning))
    if comparisons.test == "sacrebleu-bootstrap":
        st.info(literal(words.SACREBLEU_RULE))


def counts_controls(systems: Sequence[str], units: int) -> analysis.ComparisonOptions:
    """Draw the controls of a comparison of counts files, and return its options.

    Controls that have the same options on other pages are shared with these.

    Args:
        systems: that are compared.
        units: number of segments, or of bundles of them.
    """
    all_pairs = _all_pairs(systems)
    baseline = select_one("Compare systems with", [all_pairs, *systems], key=COUNTS_WITH)
    _test_choice("How p is computed.")
    _correction_choice()
    _level_choice()
    bounds = {key: DRAW_BOUNDS[key] for key in ("draws", "seed")}
    bounds[COUNTS_BLOCKS] = (1, units, min(BLOCKS, units))
    for key, (low, high, default) in bounds.items():
        session.restore_number(key, low, high, default)
    _numbers(bounds)
    options = _shared_options()
    return replace(
        options, baseline=None if baseline == all_pairs else baseline, blocks=int(session.control_value(COUNTS_BLOCKS))
    )


def significance_controls() -> analysis.ComparisonOptions:
    """Draw the controls of tests that do not depend on the data of one test set, and return their options."""
    session.restore_choice("level", analysis.LEVELS)
    bounds = {key: DRAW_BOUNDS[key] for key in ("draws", "seed")}
    for key, (low, high, default) in bounds.items():
        session.restore_number(key, low, high, default)
    _level_choice()
    _numbers(bounds)
    return analysis.ComparisonOptions(
        alpha=float(session.control_value("level")),
        draws=session.control_value("draws"),
        seed=int(session.control_value("seed")),
    )


def significance_level() -> float:
    """Draw the box of the significance level and return its value."""
    session.restore_choice("level", analysis.LEVELS)
    _level_choice()
    return float(session.control_value("level"))


def reference_controls(view: analysis.View) -> None:
    """Draw the controls of a comparison of references: the metric, the units of standard errors and the level."""
    options, _ = _restored(view)
    metric_choice(view)
    _units_choice(options)
    _level_choice()


def comparison_options(view: analysis.View) -> analysis.ComparisonOptions:
    """Return the options of comparisons, on every page, from those controls."""
    options, _ = _restored(view)
    baseline = session.control_value("compare_with")
    return replace(
        _shared_options(),
        metric=analysis.metrics_on_offer(view)[session.control_value("metric")].key,
        by_documents=session.control_value("units") == DOCUMENTS,
        baseline=None if baseline == options["compare_with"][0] else baseline,
        blocks=int(session.control_value("t_blocks")),
    )


def _shared_options() -> analysis.ComparisonOptions:
    """Return the options from the controls that do not depend on the data."""
    test = session.control_value("test")
    return analysis.ComparisonOptions(
        test=next(key for key, name in TEST_NAMES.items() if name == test),
        correction=CORRECTION_LABELS[session.control_value("correction")],
        alpha=float(session.control_value("level")),
        draws=session.control_value("draws"),
        seed=int(session.control_value("seed")),
    )


def _test_choice(help_text: str) -> None:
    select_one("Test", TESTS, key="test", width=300, help=help_text)


def _correction_choice() -> None:
    select_one(
        "Correction",
        list(CORRECTION_LABELS),
        key="correction",
        help="Corrects p for the number of pairs. Holm limits the probability of any false positive to the "
        "significance level; Benjamini-Hochberg limits the expected share of false positives.",
    )


def _numbers(bounds: Mapping[str, tuple[int, int, int | None]]) -> None:
    """Draw boxes for the numbers of the draws, which have been restored."""
    with st.popover("Resampling", key="draws-popover"), session.popover_content():
        for key, (low, high, default) in bounds.items():
            empty = None if default is not None else "as many as the correction needs"
            st.number_input(DRAWS[key], low, high, key=session.widget_key(key), placeholder=empty)


def _units_choice(options: Mapping[str, Sequence[str]]) -> None:
    if len(options["units"]) > 1:
        select_one(
            "Units",
            options["units"],
            key="units",
            width=150,
            help="The unit of resampling. Segments of the same document are not independent; with about 30 "
            "documents or more, choose documents.",
        )


def _level_choice() -> None:
    select_one(
        "Significance level",
        analysis.LEVELS,
        key="level",
        width=150,
        help="Differences with a smaller corrected p are significant.",
    )


def _restored(view: analysis.View) -> tuple[dict[str, list[str]], dict[str, tuple[int, int, int | None]]]:
    """Restore all controls; return the options of each box, and the bounds and default of each number."""
    systems, segments = list(_compared(view)), view.evaluation.segments
    options = {
        "compare_with": [_all_pairs(systems), *systems],
        "metric": list(analysis.metrics_on_offer(view)),
        "test": TESTS,
        "units": [SEGMENTS, DOCUMENTS] if view.workspace.corpus.documents is not None else [SEGMENTS],
        "correction": list(CORRECTION_LABELS),
        "level": list(analysis.LEVELS),
    }
    bounds = {**DRAW_BOUNDS, "t_blocks": (1, segments, min(BLOCKS, segments))}
    for key, names in options.items():
        session.restore_choice(key, names)
    for key, (low, high, default) in bounds.items():
        session.restore_number(key, low, high, default)
    return options, bounds


def _compared(view: analysis.View) -> tuple[str, ...]:
    """Return the systems that are compared by the selected metric."""
    offered = analysis.metrics_on_offer(view)
    session.restore_choice("metric", list(offered))
    return analysis.compared_by(view, offered[session.control_value("metric")].key)


def _all_pairs(systems: Sequence[str]) -> str:
    """Return the option for all pairs, which differs from the names of the systems."""
    option = EACH_PAIR
    while option in systems:
        option += " pair"
    return option


def error_options(row: PageControls, sources: Sequence[str]) -> analysis.ErrorOptions:
    """Draw the controls of a profile of errors, and return its options.

    Args:
        row: the controls of the page.
        sources: whose errors can be profiled, see analysis.error_sources.
    """
    with row, row.in_view:
        chosen = select_one("Errors by", BREAKDOWNS, key="errors_by", help=ERRORS_BY_HELP)
        source = select_one("Marked by", sources, key="errors_of", help=MARKED_BY_HELP)
    by: Breakdown = next(breakdown for breakdown in BREAKDOWNS if breakdown == chosen)
    return analysis.ErrorOptions(by=by, metric=None if source == analysis.ALL_JUDGES else source)
