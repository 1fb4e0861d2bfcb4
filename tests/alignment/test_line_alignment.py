"""Texts that are out of line: which are found, where, whom they are blamed on, and what their repairs give back."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

import pytest

from bleu_core.alignment import MisalignedText, Place, check_lines
from bleu_core.dataset import Column, LineRepair, Role, repaired

LINES = 60
VOCABULARY = [f"{a}{b}{c}" for a in ("ka", "lo", "mi", "nu") for b in ("ra", "se", "ti", "vo", "pu") for c in "aeiou"]


def texts(count: int, *, lines: int = LINES, words: int = 9, seed: int = 5) -> list[list[str]]:
    """Texts that agree in most of their words, each with words of its own, and that have no line twice."""
    draw = random.Random(seed)
    common = [[draw.choice(VOCABULARY) for _ in range(draw.randint(4, 2 * words))] for _ in range(lines)]
    return [
        [
            f"{i} " * (i % 7 == 0) + " ".join(w if draw.random() < 0.8 else draw.choice(VOCABULARY) for w in line)
            for i, line in enumerate(common)
        ]
        for _ in range(count)
    ]


def columns(*all_texts: Sequence[str | None], roles: Sequence[Role] = ("reference",)) -> list[Column]:
    """The texts with these roles, and systems."""
    systems: list[Role] = ["system"] * (len(all_texts) - len(roles))
    given: list[Role] = [*roles, *systems]
    return [Column(role, f"t{i}", tuple(text)) for i, (role, text) in enumerate(zip(given, all_texts, strict=True))]


def check(*all_texts: Sequence[str | None], roles: Sequence[Role] = ("reference",)) -> dict[str, MisalignedText]:
    """What is found, by the name of the text: t0 and so on."""
    return {one.column.name: one for one in check_lines(columns(*all_texts, roles=roles))}


FAULTS = [
    ("missing", 21, lambda t: [*t[:20], *t[21:]], [Place("missing", 21, 1)], [LineRepair("missing", 21, 1)]),
    ("five missing", 21, lambda t: [*t[:20], *t[25:]], [Place("missing", 21, 5)], [LineRepair("missing", 21, 5)]),
    ("first missing", 1, lambda t: t[1:], [Place("missing", 1, 1)], [LineRepair("missing", 1, 1)]),
    ("cut off", 41, lambda t: t[:40], [Place("missing", 41, 20)], [LineRepair("missing", 41, 20)]),
    ("doubled", 22, lambda t: [*t[:21], *t[20:]], [Place("doubled", 22, 1)], [LineRepair("doubled", 22, 1)]),
    ("tripled", 22, lambda t: [*t[:21], t[20], *t[20:]], [Place("doubled", 22, 2)], [LineRepair("doubled", 22, 2)]),
    ("block doubled", 26, lambda t: [*t[:25], *t[20:]], [Place("doubled", 26, 5)], [LineRepair("doubled", 26, 5)]),
    (
        "joined",
        21,
        lambda t: [*t[:20], t[20] + " " + t[21], *t[22:]],
        [Place("joined", 21, 2)],
        [LineRepair("joined", 21, 2)],
    ),
    (
        "three joined",
        21,
        lambda t: [*t[:20], " ".join(t[20:23]), *t[23:]],
        [Place("joined", 21, 3)],
        [LineRepair("joined", 21, 3)],
    ),
    (
        "split",
        21,
        lambda t: [*t[:20], *halves(t[20]), *t[21:]],
        [Place("split", 21, 2)],
        [LineRepair("split", 21, 2)],
    ),
    (
        "split in three",
        21,
        lambda t: [*t[:20], *thirds(t[20]), *t[21:]],
        [Place("split", 21, 3)],
        [LineRepair("split", 21, 3)],
    ),
    ("blank line", 21, lambda t: [*t[:20], "", *t[20:]], [Place("split", 21, 2)], [LineRepair("split", 21, 2)]),
    (
        "blank line in, last line lost",
        21,
        lambda t: [*t[:20], "", *t[20:-1]],
        [Place("shifted", 21, 40)],
        [LineRepair("split", 21, 2), LineRepair("missing", 61, 1)],
    ),
    (
        "first line lost, last line doubled",
        1,
        lambda t: [*t[1:], t[-1]],
        [Place("shifted", 1, 59)],
        [LineRepair("missing", 1, 1), LineRepair("doubled", 60, 1)],
    ),
    (
        "three faults",
        11,
        lambda t: [*t[:10], *t[11:40], t[39], *t[40:50], t[50] + " " + t[51], *t[52:]],
        [Place("shifted", 11, 29), Place("joined", 51, 2)],
        [LineRepair("missing", 11, 1), LineRepair("doubled", 40, 1), LineRepair("joined", 51, 2)],
    ),
]


def halves(line: str) -> list[str]:
    words = line.split()
    return [" ".join(words[: len(words) // 2]), " ".join(words[len(words) // 2 :])]


def thirds(line: str) -> list[str]:
    words = line.split()
    third = len(words) // 3
    return [" ".join(words[:third]), " ".join(words[third : 2 * third]), " ".join(words[2 * third :])]


@pytest.mark.parametrize("others", [1, 4])
@pytest.mark.parametrize(
    ("line", "fault", "places", "repairs"), [fault[1:] for fault in FAULTS], ids=[f[0] for f in FAULTS]
)
def test_each_fault_is_found_where_it_is(line: int, fault: Any, places: Any, repairs: Any, others: int) -> None:
    *rest, damaged = texts(others + 1)
    found = check(*rest, fault(damaged))
    assert list(found) == [f"t{others}"]
    one = found[f"t{others}"]
    assert one.places[0].line == line
    assert (list(one.places), list(one.repairs)) == (places, repairs)


@pytest.mark.parametrize("fault", [fault[2] for fault in FAULTS], ids=[f[0] for f in FAULTS])
def test_repairs_give_back_every_line_that_is_not_lost(fault: Any) -> None:
    whole, damaged = texts(2)
    one = check(whole, fault(damaged))["t1"]
    text = repaired(one.column.segments, one.repairs)
    assert len(text.segments) == LINES
    lost = [i for i, (found, line) in enumerate(zip(text.segments, damaged, strict=True), start=1) if found != line]
    assert set(lost) <= set(text.absent)


def test_texts_as_they_are_have_no_place() -> None:
    assert check(*texts(5)) == {}
    assert check(*texts(3), roles=("reference", "reference")) == {}


@pytest.mark.parametrize(
    ("roles", "damaged"),
    [
        (("reference", "system"), 1),
        (("reference", "system", "system"), 0),
        (("reference", "reference", "system"), 1),
        (("reference", "system", "system", "system"), 2),
        (("source", "reference", "system"), 0),
        (("source", "reference", "system"), 1),
        (("source", "reference", "system"), 2),
    ],
)
@pytest.mark.parametrize("number_is_right", [False, True])
def test_the_text_that_disagrees_with_the_others_is_blamed(
    roles: tuple[Role, ...], damaged: int, *, number_is_right: bool
) -> None:
    given = texts(len(roles))
    given[damaged][25:25] = [""]
    if number_is_right:
        given[damaged].pop()
    assert list(check(*given, roles=roles)) == [f"t{damaged}"]


def test_of_a_reference_and_a_system_alone_the_system_is_blamed_whichever_comes_first() -> None:
    one, other = texts(2)
    shifted = ["", *one[:-1]]
    assert list(check(shifted, other, roles=("reference", "system"))) == ["t1"]
    assert list(check(shifted, other, roles=("system", "reference"))) == ["t0"]


def test_several_texts_out_of_line_are_all_found() -> None:
    given = texts(6)
    given[2] = given[2][:30] + given[2][31:]
    given[4] = [*given[4][:10], "", *given[4][10:-1]]
    given[5] = [*given[5][:51], *given[5][50:]]
    found = check(*given)
    assert {name: one.places for name, one in found.items()} == {
        "t2": (Place("missing", 31, 1),),
        "t4": (Place("shifted", 11, 50),),
        "t5": (Place("doubled", 52, 1),),
    }


def test_texts_that_have_nothing_in_common_have_no_place() -> None:
    (one,), (other,) = texts(1), texts(1, seed=99)
    other = [line.upper()[::-1] for line in other]
    assert check(one, other) == {}
    assert check(one, other[:-1]) == {}


@pytest.mark.parametrize("times", [2, 3])
def test_a_text_that_was_written_several_times_is_doubled_as_a_whole(times: int) -> None:
    *rest, twice = texts(4)
    (one,) = check(*rest, twice * times).values()
    assert one.repairs == (LineRepair("doubled", LINES + 1, (times - 1) * LINES),)
    assert list(repaired(one.column.segments, one.repairs).segments) == list(twice)


def test_of_identical_lines_any_may_be_the_surplus_one() -> None:
    alike = ["the same words in each line"] * 20
    assert check(alike, alike) == {}
    longer, shorter = check(alike, [*alike, alike[0]])["t1"], check(alike, alike[1:])["t1"]
    assert [(place.kind, place.lines) for place in longer.places] == [("doubled", 1)]
    assert [(place.kind, place.lines) for place in shorter.places] == [("missing", 1)]


@pytest.mark.parametrize("line", ["", "?", "yes", "是"])
def test_short_and_empty_lines_make_no_place(line: str) -> None:
    one, other = texts(2)
    for text in (one, other):
        text[10:30] = [line] * 20
    assert check(one, other) == {}
    assert check([line] * 30, [line] * 30) == {}
    assert check([line], [line]) == {}


def test_a_few_lines_that_a_system_shifted_by_saying_one_twice_in_other_words_make_no_place() -> None:
    one, other = texts(2)
    reworded = " ".join(reversed(other[20].split()))
    shifted = [*other[:21], reworded, *other[21:30], *other[31:]]
    assert check(one, shifted) == {}
    assert check(shifted, one, other) == {}
    exact = [*other[:21], other[20], *other[21:30], *other[31:]]
    assert check(one, exact)["t1"].places == (Place("shifted", 22, 10),)


def test_references_may_lack_segments() -> None:
    reference, system = texts(2)
    gaps = [None if i % 4 == 0 else line for i, line in enumerate(reference)]
    assert check(gaps, system) == {}
    found = check(gaps, [*system[:30], *system[31:]])
    assert found["t1"].places == (Place("missing", 31, 1),)


def test_scripts_without_spaces_are_compared_by_characters() -> None:
    draw = random.Random(3)
    characters = [chr(0x4E00 + i) for i in range(300)]
    one = ["".join(draw.choice(characters) for _ in range(12)) for _ in range(40)]
    other = [line[:3] + draw.choice(characters) + line[4:] for line in one]
    assert check(one, other) == {}
    assert check(one, [*other[:20], *other[21:]])["t1"].places == (Place("missing", 21, 1),)


def test_a_source_in_another_language_is_compared_by_lengths_numbers_and_names() -> None:
    (target,) = texts(1, words=14)
    source = [
        " ".join([w[::-1].upper() if not w.isdigit() else w for w in line.split()]) + " x" * (len(line) // 9)
        for line in target
    ]
    damaged = [*target[:30], *target[32:]]
    found = check(source, damaged, roles=("source",))
    assert list(found) == ["t1"]
    (place,) = found["t1"].places
    assert (place.kind, place.lines) == ("missing", 2)
    assert abs(place.line - 31) <= 1


def test_documents_are_not_compared() -> None:
    one, other = texts(2)
    documents = Column("document", "documents", ("a",) * (LINES + 3))
    assert check_lines([*columns(one, other), documents]) == ()
    assert check_lines([columns(one)[0], documents]) == ()


def test_a_long_run_of_missing_lines_is_found_without_comparing_all_pairs() -> None:
    one, other = texts(2, lines=6000)
    found = check(one, [*other[:1000], *other[5000:]])
    assert found["t1"].places == (Place("missing", 1001, 4000),)


def test_a_shift_by_many_lines_widens_the_band() -> None:
    one, other = texts(2, lines=300)
    found = check(one, [*other[:100], *other[160:], *[""] * 60])
    assert found["t1"].places == (Place("shifted", 101, 139),)
    assert found["t1"].repairs == (LineRepair("missing", 101, 60), LineRepair("split", 240, 61))


def test_progress_ends_when_all_is_compared() -> None:
    calls: list[tuple[int, int]] = []
    check_lines(columns(*texts(4)), progress=lambda done, total: calls.append((done, total)))
    assert calls == [(1, 4), (2, 4), (3, 4), (4, 4)]


@pytest.mark.parametrize(
    ("place", "sentence"),
    [
        (Place("missing", 17, 1), "line 17 is missing"),
        (Place("doubled", 1017, 2), "lines 1,017 to 1,018 are doubled"),
        (Place("split", 17, 2), "lines 17 to 18 are one segment"),
        (Place("joined", 17, 2), "line 17 has the text of 2 segments"),
        (Place("shifted", 17, 40), "lines 17 to 56 are shifted"),
    ],
)
def test_a_sentence_says_what_is_wrong(place: Place, sentence: str) -> None:
    assert place.sentence == sentence
