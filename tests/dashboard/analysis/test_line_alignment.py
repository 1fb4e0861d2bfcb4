"""What stands around a place where lines are not those of the others, beside what the repairs make of it."""

from __future__ import annotations

import math
from typing import Any

import pytest

from bleu_core.alignment import MisalignedText, Place
from bleu_core.dataset import Column, LineRepair, repaired
from dashboard.analysis import MisalignedFile

LINES = tuple("abcdefgh")


def rows(repairs: tuple[LineRepair, ...], place: Place, lines: tuple[str, ...] = LINES) -> list[dict[str, Any]]:
    segments = len(repaired(lines, repairs).segments)
    text = MisalignedText(Column("system", "A", lines), (place,), repairs)
    beside = Column("reference", "r", tuple(f"r{n}" for n in range(1, segments + 1)))
    table = MisalignedFile(position=0, text=text, beside=beside, can_be_repaired=True).around(place)
    return [
        {name: None if isinstance(cell, float) and math.isnan(cell) else cell for name, cell in zip(table.columns, row)}  # noqa: B905
        for row in table.rows
    ]


def pairs(found: list[dict[str, Any]]) -> list[tuple[str, str]]:
    return [(row["text"], row["beside"]) for row in found]


@pytest.mark.parametrize(
    ("repair", "place", "expected"),
    [
        (LineRepair("missing", 3, 1), Place("missing", 3, 1), [("b", "r2"), ("", "r3"), ("c", "r4")]),
        (LineRepair("missing", 1, 1), Place("missing", 1, 1), [("", "r1"), ("a", "r2")]),
        (LineRepair("missing", 9, 1), Place("missing", 9, 1), [("h", "r8"), ("", "r9")]),
        (LineRepair("doubled", 3, 1), Place("doubled", 3, 1), [("b", "r2"), ("c", ""), ("d", "r3")]),
        (LineRepair("split", 3, 2), Place("split", 3, 2), [("b", "r2"), ("c", "r3"), ("d", "r3"), ("e", "r4")]),
        (LineRepair("joined", 3, 2), Place("joined", 3, 2), [("b", "r2"), ("c", "r3"), ("", "r4"), ("d", "r5")]),
    ],
)
def test_the_rows_around_a_place_are_its_neighbours(
    repair: LineRepair, place: Place, expected: list[tuple[str, str]]
) -> None:
    assert pairs(rows((repair,), place)) == expected


def test_a_shift_is_shown_where_it_begins() -> None:
    repairs = (LineRepair("missing", 3, 1), LineRepair("doubled", 8, 1))
    found = rows(repairs, Place("shifted", 3, 5))
    assert pairs(found) == [("b", "r2"), ("", "r3"), ("c", "r4"), ("d", "r5"), ("e", "r6"), ("f", "r7")]


@pytest.mark.parametrize(
    "repairs",
    [
        (),
        (LineRepair("missing", 1, 2), LineRepair("doubled", 4, 1), LineRepair("missing", 9, 1)),
        (LineRepair("split", 1, 3), LineRepair("joined", 6, 2), LineRepair("doubled", 8, 1)),
    ],
)
def test_lines_and_segments_belong_together_as_in_the_repaired_text(repairs: tuple[LineRepair, ...]) -> None:
    found = rows(repairs, Place("shifted", 1, len(LINES) + 10), LINES)
    texts: dict[int, list[str]] = {}
    for row in found:
        if row["segment"] is not None:
            texts.setdefault(row["segment"], []).append(row["text"])
    after = repaired(LINES, repairs).segments
    for number, parts in texts.items():
        assert " ".join(filter(None, parts)) == after[number - 1]
