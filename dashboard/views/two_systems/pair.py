"""The two systems that the parts of the page compare, and the options of the comparison."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from bleu_core.scoring import ScoredCorpus
from dashboard import analysis, words
from dashboard.literal import literal
from dashboard.widgets import (
    compared_or_stop,
    comparison_controls,
    comparison_options,
    note_humans,
    note_optimised,
    page_controls,
    pair_choice,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ChosenPair:
    """A system, its baseline, and the options of their comparison.

    Attributes:
        view: the data and settings.
        answer: container of the page's answer.
        system: the system.
        baseline: the system that it is compared with.
        options: of the comparison.
        metric: the scores of all compared systems.
    """

    view: analysis.View
    answer: DeltaGenerator
    system: str
    baseline: str
    options: analysis.ComparisonOptions
    metric: ScoredCorpus


def chosen_pair() -> ChosenPair | None:
    """Return the selected pair; None, with the reason as the answer, if it cannot be compared."""
    view = compared_or_stop()
    first = st.container(key="answer")
    with page_controls():
        system, baseline = pair_choice(analysis.ranked_systems(view, comparison_options(view).metric))
        comparison_controls(view, of_pair=True)
        note_humans(view)
    note_optimised(view)
    options = comparison_options(view)
    metric = analysis.score_under(view, options.metric)
    problem = words.pair_problem(metric, system, baseline)
    if problem:
        first.info(literal(problem))
        return None
    return ChosenPair(view=view, answer=first, system=system, baseline=baseline, options=options, metric=metric)
