"""The table of a difference's terms: points that add up, and shares where there are some."""

from __future__ import annotations

import numpy as np
import pytest

from bleu_core.results.decomposition import decomposition_table
from bleu_core.scoring import Decomposition


def test_shares_are_given_where_all_terms_have_one_sign() -> None:
    table = decomposition_table(
        Decomposition(system="A", baseline="B", delta=-2.0, precisions=np.array([-1.0, 0.0]), brevity=-1.0)
    )
    assert list(table.columns) == ["factor", "term", "share"]
    assert table.rows == (
        ("precision of order 1", -1.0, 0.5),
        ("precision of order 2", 0.0, 0.0),
        ("brevity penalty", -1.0, 0.5),
    )


@pytest.mark.parametrize("terms", [(1.0, -2.0), (0.0, 0.0)])
def test_there_are_no_shares_of_terms_that_cancel_or_of_no_difference(terms: tuple[float, float]) -> None:
    first, brevity = terms
    table = decomposition_table(
        Decomposition(system="A", baseline="B", delta=first + brevity, precisions=np.array([first]), brevity=brevity)
    )
    assert list(table.columns) == ["factor", "term"]
    assert [row[1] for row in table.rows] == [first, brevity]
