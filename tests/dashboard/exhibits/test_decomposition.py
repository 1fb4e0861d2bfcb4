"""The waterfall of a difference of BLEU shows the terms it is given; names in it stay literal."""

from __future__ import annotations

from typing import Any

import numpy as np

from bleu_core.scoring import Decomposition
from dashboard.exhibits.two_systems import difference_terms
from dashboard.plots.theme import styles

NAMES = ("<b>ours</b>", "$x$ theirs")
FOUND = Decomposition(system=NAMES[0], baseline=NAMES[1], delta=1.5, precisions=np.array([2.0, -1.0]), brevity=0.5)


def drawn() -> dict[str, Any]:
    return difference_terms(FOUND, styles(NAMES)).to_dict()


def test_bars_are_the_terms_and_their_sum() -> None:
    (bars,) = drawn()["data"]
    assert list(bars["x"]) == ["precision 1", "precision 2", "brevity", "difference"]
    assert list(bars["y"]) == [2.0, -1.0, 0.5, 1.5]
    assert list(bars["measure"]) == ["relative", "relative", "relative", "total"]


def test_colours_are_those_of_the_system_that_a_term_favours() -> None:
    (bars,) = drawn()["data"]
    looks = styles(NAMES)
    assert bars["increasing"]["marker"]["color"] == looks[NAMES[0]].color
    assert bars["decreasing"]["marker"]["color"] == looks[NAMES[1]].color


def test_names_are_literal() -> None:
    title = drawn()["layout"]["yaxis"]["title"]["text"]
    assert "<b>" not in title
    assert "&lt;b&gt;ours" in title
