"""Rows joined by the ids of their segments."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest

from bleu_core.dataset import Column, Role, SegmentId, join


def numbered(role: Role, name: str, *numbers: object, texts: Sequence[str | None] = (), document: str = "") -> Column:
    ids = tuple(SegmentId(document, str(number)) for number in numbers)
    return Column(role, name, tuple(texts) or tuple(f"{name} {number}" for number in numbers), f"{name}.csv", ids=ids)


def plain(role: Role, name: str, count: int) -> Column:
    return Column(role, name, tuple(f"{name} {n}" for n in range(1, count + 1)), f"{name}.txt")


def in_documents(role: Role, name: str, *ids: tuple[str, str]) -> Column:
    return Column(role, name, tuple(map(str, ids)), f"{name}.csv", ids=tuple(SegmentId(*each) for each in ids))


def test_columns_without_ids_are_not_joined() -> None:
    assert join([plain("reference", "R", 2), plain("system", "A", 2)]) is None


def test_random_rows_find_their_segments() -> None:
    rng = random.Random(5)
    for _ in range(200):
        count = rng.randint(1, 30)
        reference = rng.sample(range(1, 100), count)
        own = rng.sample(range(1, 100), rng.randint(1, 40))
        if not set(own) & set(reference):
            continue
        found = join([numbered("reference", "R", *reference), numbered("system", "A", *own)])
        assert found is not None
        assert [key.segment for key in found.ids] == list(map(str, reference))
        rows = found.rows[1]
        assert rows is not None
        assert [own[row] if row >= 0 else None for row in rows] == [n if n in own else None for n in reference]
        assert [key.segment for key in found.holes(1)] == [str(n) for n in reference if n not in own]
        assert [key.segment for key in found.surplus.get(1, ())] == [str(n) for n in own if n not in reference]
        assert not found.notes


def test_segments_are_those_with_a_reference() -> None:
    first = numbered("reference", "R", 1, 2, 3, texts=("a", None, None))
    second = numbered("reference", "Q", 3, 2, texts=("c", None))
    found = join([first, second, numbered("system", "A", 1, 2, 3)])
    assert found is not None
    assert [key.segment for key in found.ids] == ["1", "3"]
    assert found.surplus == {0: (SegmentId("", "2"),), 1: (SegmentId("", "2"),), 2: (SegmentId("", "2"),)}


def test_without_references_they_are_those_of_the_source_else_of_all_systems() -> None:
    systems = [numbered("system", "A", 1, 3), numbered("system", "B", 2, 3, 4)]
    of_systems = join(systems)
    of_source = join([*systems, numbered("source", "s", 3, 1)])
    assert of_systems is not None
    assert of_source is not None
    assert [key.segment for key in of_systems.ids] == ["2", "3", "4", "1"]
    assert [key.segment for key in of_source.ids] == ["3", "1"]


def test_what_has_no_ids_stands_in_the_order_of_a_column_of_its_length() -> None:
    found = join([plain("reference", "R", 3), numbered("system", "A", 2, 1), numbered("system", "B", 3, 1, 2)])
    assert found is not None
    assert [key.segment for key in found.ids] == ["3", "1", "2"]
    assert found.rows == (None, (-1, 1, 0), range(3))


@pytest.mark.parametrize(
    ("reference", "own", "rows"),
    [
        ((1, 2, 3), (0, 1, 2), (0, 1, 2)),
        ((1, 2, 3), (0, 1), (0, 1, -1)),  # the last one is missing, and the first one is counted as 0
        ((0, 1, 2), (1, 2, 3), (0, 1, 2)),
        ((0, 1, 2), (1, 2), (-1, 0, 1)),  # counted from 0, too: the first one is missing
        ((1, 2, 3), (0, 2, 3), (-1, 1, 2)),
        ((1, 2, 3), (2, 3, 4), (-1, 0, 1)),
    ],
)
def test_counting_from_0_and_from_1(reference: tuple[int, ...], own: tuple[int, ...], rows: tuple[int, ...]) -> None:
    found = join([numbered("reference", "R", *reference), numbered("system", "A", *own)])
    assert found is not None
    assert tuple(found.rows[1] or ()) == rows
    shifted = rows != tuple(own.index(n) if n in own else -1 for n in reference)
    assert bool(found.notes) is shifted


def test_counting_from_0_within_documents() -> None:
    reference = in_documents("reference", "R", ("x", "1"), ("x", "2"), ("y", "1"))
    own = in_documents("system", "A", ("z", "0"), ("y", "0"), ("x", "1"), ("x", "0"))
    found = join([reference, own])
    assert found is not None
    assert found.rows[1] == (3, 2, 1)
    assert found.surplus == {1: (SegmentId("z", "0"),)}


def test_documents_count_only_where_all_name_them() -> None:
    found = join([in_documents("reference", "R", ("x", "a"), ("y", "b")), numbered("system", "A", "b", "a")])
    assert found is not None
    assert found.rows == (range(2), (1, 0))
    twice = join([in_documents("reference", "R", ("x", "1"), ("y", "1")), numbered("system", "A", 1, 2)])
    assert twice is not None
    assert twice.rows[0] is None
    assert twice.notes == {
        0: ("not all files name documents and language pairs, which its ids need: its rows are joined by order",)
    }


def test_other_ids_are_joined_by_order_but_not_other_documents() -> None:
    reference = numbered("reference", "R", 1, 2)
    others = join([reference, numbered("system", "A", "a7", "a8")])
    assert others is not None
    assert others.rows[1] is None
    assert others.notes[1] == ("it has no id in common with the other files: its rows are joined by order",)
    apart = join([in_documents("reference", "R", ("x", "1")), in_documents("system", "A", ("y", "1"))])
    assert apart is not None
    assert apart.rows[1] == (-1,)


def test_a_column_has_one_id_per_segment_and_none_twice() -> None:
    with pytest.raises(ValueError, match="1 ids found, 2 expected"):
        Column("system", "A", ("a", "b"), ids=(SegmentId("", "1"),))
    twice = numbered("system", "A", 1, 1)
    for columns in ([twice], [numbered("reference", "R", 1, 2), twice]):
        with pytest.raises(ValueError, match="1 different ids found, 2 expected"):
            join(columns)
