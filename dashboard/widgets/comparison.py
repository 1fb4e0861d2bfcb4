"""How systems are compared: controls that Ranking and Two systems share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial

import streamlit as st

from bleu_core.inference import BLOCKS, SEED, Comparisons, Correction
from bleu_core.inference import TESTS as TEST_KEYS
from bleu_core.results.significance import TEST_NAMES
from dashboard import analysis, session, words
from dashboard.literal import literal
from dashboard.widgets.controls import PageControls, choice, metric_choice
from dashboard.widgets.page import note_humans, view_or_stop

EACH_PAIR = "each other"
SEGMENTS, DOCUMENTS = "segments", "documents"
CORRECTION_LABELS: dict[str, Correction] = {
    "Holm": "holm",
    "Benjamini-Hochberg": "benjamini-hochberg",
    "none": "none",
}
LEVELS = ["0.05", "0.01", "0.1"]
TESTS = [TEST_NAMES[test] for test in TEST_KEYS]
#: Keys on the page of counts files whose options are not those of other pages.
COUNTS_WITH, COUNTS_BLOCKS = "counts_with", "counts_blocks"
#: The numbers of the draws, by key.
DRAWS = {
    "draws": "Resamples or trials",
    "seed": "Seed",
    "t_blocks": "Blocks of the paired t",
    COUNTS_BLOCKS: "Blocks of the paired t",
}
MAX_DRAWS = 1_000_000
#: Bounds and default of the numbers that depend on no data, by key.
DRAWN: Mapping[str, tuple[int, int, int | None]] = {
    "draws": (1, MAX_DRAWS, None),
    "seed": (0, 2**31 - 1, SEED),
}


def compared_or_stop() -> analysis.View:
    """The data and settings of a page that compares systems; if there are not two, show why and stop the page."""
    view = view_or_stop(systems=2)
    if len(view.compared.systems) == 1:
        note_humans(view)
        st.info("Only one system is left, so there is nothing to compare.")
        st.stop()
    return view


def pair_choice(order: Sequence[str]) -> tuple[str, str]:
    """Boxes for a system and its baseline, the first two at first, and a button that swaps them."""
    with PageControls.place_in_view():
        system, baseline = (
            choice(label, order, key=key, usual=usual)
            for label, key, usual in zip(("System", "Baseline"), analysis.PAIR_KEYS, order, strict=False)
        )
        swap_button(system, baseline)
    return system, baseline


def swap_button(system: str, baseline: str) -> None:
    """A button that makes the baseline the system, and the system the baseline."""
    swapped = dict(zip(analysis.PAIR_KEYS, (baseline, system), strict=True))
    st.button("Swap", key="swap-pair", icon=":material/swap_horiz:", on_click=partial(session.put, **swapped))


def comparison_controls(view: analysis.View, *, of_pair: bool = False, of_slices: bool = False) -> None:
    """Boxes that choose what is compared, and how.

    Args:
        view: the data and settings of the page.
        of_pair: whether the page itself chooses which two systems are compared.
        of_slices: whether they are compared by the paired bootstrap, with p-values corrected for the number of slices.
    """
    options, bounds = _restored(view)
    if not of_pair:
        choice("Compare systems with", options["compare_with"], key="compare_with")
    metric_choice(view)
    if not of_slices:
        _test_choice("How p is computed. The page Two systems shows three tests side by side.")
    _units_choice(options)
    if not of_slices:
        _correction_choice()
    _level_choice()
    _numbers(bounds)


def comparison_cautions(found: Comparisons) -> None:
    """What to bear in mind about a comparison of several systems."""
    for warning in found.warnings:
        st.warning(literal(warning))
    if found.test == "sacrebleu-bootstrap":
        st.info(literal(words.SACREBLEU_RULE))


def counts_controls(systems: Sequence[str], units: int) -> analysis.ComparisonOptions:
    """Boxes that choose how systems of counts files are compared, and what they choose.

    Where choices are the same as on other pages, they are shared with these.

    Args:
        systems: that are compared.
        units: segments, or bundles of them.
    """
    each = _each_pair(systems)
    baseline = choice("Compare systems with", [each, *systems], key=COUNTS_WITH)
    _test_choice("How p is computed.")
    _correction_choice()
    _level_choice()
    bounds = {key: DRAWN[key] for key in ("draws", "seed")}
    bounds[COUNTS_BLOCKS] = (1, units, min(BLOCKS, units))
    for key, (low, high, usual) in bounds.items():
        session.restore_number(key, low, high, usual)
    _numbers(bounds)
    return replace(_chosen(), baseline=None if baseline == each else baseline, blocks=int(session.get(COUNTS_BLOCKS)))


def reference_controls(view: analysis.View) -> None:
    """Boxes that choose how references are compared: the metric, the units of standard errors and the level."""
    options, _ = _restored(view)
    metric_choice(view)
    _units_choice(options)
    _level_choice()


def comparison_options(view: analysis.View) -> analysis.ComparisonOptions:
    """How systems are compared, on every page, by the choices in those boxes."""
    options, _ = _restored(view)
    baseline = session.get("compare_with")
    return replace(
        _chosen(),
        metric=analysis.metrics_on_offer(view)[session.get("metric")].key,
        by_documents=session.get("units") == DOCUMENTS,
        baseline=None if baseline == options["compare_with"][0] else baseline,
        blocks=int(session.get("t_blocks")),
    )


def _chosen() -> analysis.ComparisonOptions:
    """What is chosen in the boxes whose options depend on no data."""
    test = session.get("test")
    return analysis.ComparisonOptions(
        test=next(name for name, of_name in TEST_NAMES.items() if of_name == test),
        correction=CORRECTION_LABELS[session.get("correction")],
        alpha=float(session.get("level")),
        draws=session.get("draws"),
        seed=int(session.get("seed")),
    )


def _test_choice(explained: str) -> None:
    choice("Test", TESTS, key="test", width=300, help=explained)


def _correction_choice() -> None:
    choice(
        "Correction",
        list(CORRECTION_LABELS),
        key="correction",
        help="Corrects p for the number of pairs. Holm limits the probability of any false positive to the "
        "significance level; Benjamini-Hochberg limits the expected share of false positives.",
    )


def _numbers(bounds: Mapping[str, tuple[int, int, int | None]]) -> None:
    """Boxes for the numbers of the draws, which have been restored."""
    with st.popover("Resampling", key="draws-popover"):
        for key, (low, high, usual) in bounds.items():
            empty = None if usual is not None else "as many as the correction needs"
            st.number_input(DRAWS[key], low, high, key=key, placeholder=empty)


def _units_choice(options: Mapping[str, Sequence[str]]) -> None:
    if len(options["units"]) > 1:
        choice(
            "Units",
            options["units"],
            key="units",
            width=150,
            help="The unit of resampling. Segments of the same document are not independent; with about 30 "
            "documents or more, choose documents.",
        )


def _level_choice() -> None:
    choice(
        "Significance level",
        LEVELS,
        key="level",
        width=150,
        help="Differences with a smaller corrected p are significant.",
    )


def _restored(view: analysis.View) -> tuple[dict[str, list[str]], dict[str, tuple[int, int, int | None]]]:
    """The options of each box, and the bounds and default of each number; all are restored."""
    systems, most = list(view.compared.systems), view.evaluation.segments
    options = {
        "compare_with": [_each_pair(systems), *systems],
        "metric": list(analysis.metrics_on_offer(view)),
        "test": TESTS,
        "units": [SEGMENTS, DOCUMENTS] if view.workspace.corpus.documents is not None else [SEGMENTS],
        "correction": list(CORRECTION_LABELS),
        "level": LEVELS,
    }
    bounds = {**DRAWN, "t_blocks": (1, most, min(BLOCKS, most))}
    for key, names in options.items():
        session.restore_choice(key, names)
    for key, (low, high, usual) in bounds.items():
        session.restore_number(key, low, high, usual)
    return options, bounds


def _each_pair(systems: Sequence[str]) -> str:
    """What stands for all pairs; a system may be called so."""
    each = EACH_PAIR
    while each in systems:
        each += " pair"
    return each
