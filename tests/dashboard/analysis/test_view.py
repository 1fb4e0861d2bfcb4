"""How two expressions are combined so that both keep their meaning."""

from __future__ import annotations

import pytest

from bleu_core.slicing import combine_expressions


@pytest.mark.parametrize(
    ("one", "by", "other", "expected"),
    [
        ("", "and", "a = 1", "a = 1"),
        ("a = 1", "or", "", "a = 1"),
        ("a = 1", "and", "not b = 2", "a = 1 and not b = 2"),
        ("a = 1 and b = 2", "and", "c = 3", "a = 1 and b = 2 and c = 3"),
        ("a = 1 and b = 2", "or", "c = 3", "(a = 1 and b = 2) or c = 3"),
        ("a = 1 or b = 2", "and", "c = 3 or d = 4", "(a = 1 or b = 2) and (c = 3 or d = 4)"),
        ("a =", "and", "c = 3", "(a =) and c = 3"),
        ("a in 1, 2", "and", "c = 3", "a in 1, 2 and c = 3"),
    ],
)
def test_two_expressions_keep_their_meaning(one: str, by: str, other: str, expected: str) -> None:
    assert combine_expressions(one, by, other) == expected
