"""Names of the settings that the top of each page lists if they differ from the defaults."""

from __future__ import annotations

from collections.abc import Mapping

from bleu_core.scoring import SETTINGS
from dashboard import session

#: Controls of pages that affect numbers on other pages too -> their names; the sidebar's settings have labels.
NAMES: Mapping[str, str] = {
    session.SLICE: "Slice",
    session.HALF: "Half of the text",
    "metric": "Metric",
    "compare_with": "Compared with",
    "test": "Test",
    "units": "Units",
    "correction": "Correction",
    "level": "Significance level",
    "draws": "Resamples or trials",
    "seed": "Seed",
    "t_blocks": "Blocks of the paired t",
    session.ADJUST_JUDGES: "Ratings adjusted for judges",
}

#: Switches -> the state when they differ from the default.
SWITCHED: Mapping[str, str] = {
    "zscore": "Judges standardised",
    session.RANK_HUMANS: "Human translations ranked",
    "intervals": "No confidence intervals",
    session.PLANNED: "Slice chosen beforehand",
    session.SCORE_MISSING: "Missing lines scored as empty",
    session.SHARED_SEGMENTS: "Shared segments only",
}

#: Lists of names that are not ticked -> the kind of the names.
LISTS: Mapping[str, str] = {
    "without_systems": "Systems",
    "without_references": "References",
    "without_groups": "Groups",
    "without_judges": "Judges",
}

NAMED_SETTINGS = frozenset({**SETTINGS, **NAMES, **SWITCHED, **LISTS})
