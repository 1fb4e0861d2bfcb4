"""Copies of a data set's parts have its digest, which is computed again only of other content."""

from __future__ import annotations

import dataclasses
import pickle
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import bleu_core
from bleu_core.dataset import Judgments, MarkedError, ScoreTable
from bleu_core.uploads import File
from tests.test_comparison import dataclasses_of

ERRORS = ((MarkedError(severity="major", category="style", start=0, end=3),),)
JUDGMENTS = Judgments.from_ratings(["A", "B"], [1.0, 2.0], [1, 2], "f.csv", segments=[1, 1])
OTHER = Judgments.from_ratings(["A", "B"], [1.0, 3.0], [1, 2], "f.csv", segments=[1, 1])
SCORES = ScoreTable("M", ("A",), np.ones((1, 1)), np.ones(1), errors=(ERRORS,))

#: A value, the fields with its digests, a change of something else, and changes of the content.
CASES: list[tuple[Any, tuple[str, ...], dict[str, Any], list[dict[str, Any]]]] = [
    (File("a.txt", b"the cat", "system"), ("digest",), {"role": "reference"}, [{"data": b"the dog"}]),
    (
        JUDGMENTS,
        ("digest", "fingerprint"),
        {"notes": ("read",)},
        [{"table": OTHER.table}, {"adjusted_means": {"A": 1.0, "B": 2.0}}],
    ),
    (SCORES, ("errors_hash",), {"higher_is_better": False}, [{"errors": ((None,),)}, {"errors": None}]),
]


def digests(value: Any, names: tuple[str, ...]) -> list[object]:
    return [getattr(value, name) for name in names]


def test_all_classes_that_copy_their_digests_are_known() -> None:
    copying = {
        kind
        for kind in dataclasses_of(bleu_core)
        if "hashed" in {field.name for field in dataclasses.fields(kind)}  # type: ignore[arg-type]
    }
    assert copying == {type(value) for value, *_ in CASES}


@pytest.mark.parametrize(("value", "names", "other", "contents"), CASES, ids=lambda v: getattr(type(v), "__name__", ""))
def test_a_copy_has_the_digest_unless_its_content_is_replaced(
    value: Any, names: tuple[str, ...], other: dict[str, Any], contents: list[dict[str, Any]]
) -> None:
    assert replace(value, **other).hashed is value.hashed
    assert digests(replace(value, **other), names) == digests(value, names)
    for content in contents:
        changed = replace(value, **content)
        assert all(new != old for new, old in zip(digests(changed, names), digests(value, names), strict=True))
        assert digests(changed, names) == digests(replace(changed, hashed=None), names)
        assert digests(replace(changed, **{name: getattr(value, name) for name in content}), names) == digests(
            value, names
        )


def test_a_copy_in_another_process_still_has_the_digest() -> None:
    file = pickle.loads(pickle.dumps(File("a.txt", b"the cat", "system")))  # noqa: S301 # our own
    assert replace(file, role="reference").hashed is file.hashed
    assert file.digest == File("a.txt", b"the cat", "system").digest
