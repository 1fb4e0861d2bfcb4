"""Lines out of place in real test sets: nothing is found in the texts as they are, and faults put in are found."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from nightly import nightly

from bleu_core.alignment import MisalignedText, Place, check_lines
from bleu_core.cli.commands import main
from bleu_core.dataset import Column, repaired

SETS = ("ted-zhen", "newstest2020-ruen-2sys", "wmt23-ende-3raters")
LONG = SETS[:2]
KINDS = ("missing", "doubled", "joined", "split", "shifted")


def lines(path: Path) -> tuple[str, ...]:
    return tuple(path.read_text(encoding="utf-8").removesuffix("\n").split("\n"))


@cache
def columns(data: Path) -> tuple[Column, ...]:
    """All references, all systems, and the source."""
    return (
        *(Column("reference", path.stem, lines(path)) for path in sorted((data / "refs").iterdir())),
        *(Column("system", path.stem, lines(path)) for path in sorted((data / "systems").iterdir())),
        Column("source", "source", lines(data / "source.txt")),
    )


def of_role(texts: Sequence[Column], role: str) -> list[Column]:
    return [column for column in texts if column.role == role]


@pytest.mark.parametrize("name", [SETS[1], *nightly([SETS[0], SETS[2]])])
def test_texts_as_they_are_have_no_place(folder: Path, name: str) -> None:
    texts = columns(folder / "data" / name)
    systems, references, source = (of_role(texts, role) for role in ("system", "reference", "source"))
    assert check_lines(texts) == ()
    assert check_lines([*references, *systems]) == ()
    for reference in references:
        assert check_lines([reference, *source]) == ()
        for system in systems:
            assert check_lines([reference, system]) == ()
            assert check_lines([reference, system, *source]) == ()
    for system in systems:
        assert check_lines([system, *source]) == ()


def test_the_command_finds_nothing_in_the_files_as_they_are(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data = folder / "data" / "ted-zhen"
    references = [each for path in sorted((data / "refs").iterdir()) for each in ("--ref", str(path))]
    systems = map(str, sorted((data / "systems").iterdir()))
    status = main(["check", *references, "--source", str(data / "source.txt"), *systems, "--format", "json"])
    assert (status, json.loads(capsys.readouterr().out)["places"]) == (0, [])


def damaged(
    text: tuple[str, ...], kind: str, i: int, draw: random.Random, count: int = 1
) -> tuple[tuple[str, ...], Place]:
    """The text with a fault at line i, from 0, and its place."""
    n, line, place = len(text), text[i], i + 1
    if kind == "missing":
        return (*text[:i], *text[i + count :]), Place("missing", place, count)
    if kind == "doubled":
        return (*text[: i + 1], *text[i:]), Place("doubled", place + 1, 1)
    if kind == "joined":
        return (*text[:i], f"{line} {text[i + 1]}", *text[i + 2 :]), Place("joined", place, 2)
    if kind == "split":
        words = line.split(" ") if " " in line else list(line)
        blank = " " if " " in line else ""
        cut = min(max(round(len(words) * draw.uniform(0.3, 0.7)), 1), len(words) - 1)
        return (*text[:i], blank.join(words[:cut]), blank.join(words[cut:]), *text[i + 1 :]), Place("split", place, 2)
    return (*text[:i], "", *text[i:-1]), Place("shifted", place, n - i)


def line_to_damage(text: Sequence[str], kind: str, draw: random.Random, count: int = 1) -> int:
    """A random line, from 0, that differs from its neighbours."""
    while True:
        i = draw.randrange(1, len(text) - 1 - count)
        if text[i] not in (text[i - 1], text[i + 1]) and (kind != "split" or len(text[i]) > 1):
            return i


Found = tuple[Place, MisalignedText | None, tuple[str, ...]]


def trials(
    texts: Sequence[Column], of: Sequence[int], kind: str, number: int, *, count: int = 1, seed: int = 1
) -> Iterator[Found]:
    """Faults at random lines of random texts: the place, what was found of the text, and the text as it was."""
    draw = random.Random(f"{kind} {seed}")
    for _ in range(number):
        k = draw.choice(of)
        whole: Any = texts[k].segments
        text, place = damaged(whole, kind, i=line_to_damage(whole, kind, draw, count), draw=draw, count=count)
        given = [*texts[:k], Column(texts[k].role, texts[k].name, text), *texts[k + 1 :]]
        found = check_lines(given)
        assert all(one.column is given[k] for one in found), "another text is blamed"
        yield place, found[0] if found else None, whole


def is_found(place: Place, found: MisalignedText | None) -> bool:
    """Whether the place is found within one line and with the right kind."""
    return found is not None and any(one.kind == place.kind and abs(one.line - place.line) <= 1 for one in found.places)


def rate(found: Iterator[Found]) -> float:
    results = [is_found(place, one) for place, one, _ in found]
    return sum(results) / len(results)


def yardsticks(texts: Sequence[Column], which: str) -> tuple[list[Column], list[int]]:
    """Texts that are compared, and the positions of those that are damaged."""
    systems, references, source = (of_role(texts, role) for role in ("system", "reference", "source"))
    targets = [*references, *(c for c in systems if c.segments not in [r.segments for r in references])]
    if which == "all":
        return targets, list(range(len(targets)))
    if which == "a system and a reference":
        return [references[-1], systems[0]], [1]
    if which == "a reference beside a system and the source":
        return [references[-1], systems[0], *source], [0]
    if which == "the source beside all":
        return [*targets, *source], [len(targets)]
    return [*source, systems[0]], [1]


#: Texts that are compared -> the least rate of faults that are found within a line and with their kind.
MIN_FOUND = {
    "all": 0.95,
    "a system and a reference": 0.95,
    "a reference beside a system and the source": 0.9,
    "the source beside all": 0.8,
    "a system and the source alone": 0.8,
}


@pytest.mark.slow
@pytest.mark.parametrize("name", LONG)
@pytest.mark.parametrize("kind", KINDS)
def test_a_fault_is_found_in_systems_and_references(folder: Path, name: str, kind: str) -> None:
    texts, of = yardsticks(columns(folder / "data" / name), "all")
    assert rate(trials(texts, of, kind, 10)) >= 0.9


@pytest.mark.slow
@pytest.mark.parametrize("name", LONG)
def test_repairs_give_back_every_line_that_is_not_lost(folder: Path, name: str) -> None:
    texts, of = yardsticks(columns(folder / "data" / name), "all")
    for kind in KINDS[:4]:
        for place, one, whole in trials(texts, of, kind, 3, seed=2):
            assert one is not None
            text = repaired(one.column.segments, one.repairs)
            assert len(text.segments) == len(whole)
            if one.places == (place,):
                pairs = enumerate(zip(text.segments, whole, strict=True), start=1)
                assert {i for i, (found, line) in pairs if found != line} <= set(text.absent)


@pytest.mark.slow
@pytest.mark.parametrize("name", LONG)
@pytest.mark.parametrize("kind", [*KINDS, "five missing"])
@pytest.mark.parametrize(("which", "least"), MIN_FOUND.items())
def test_faults_at_200_lines_are_found(folder: Path, name: str, kind: str, which: str, least: float) -> None:
    texts, of = yardsticks(columns(folder / "data" / name), which)
    count = 5 if kind == "five missing" else 1
    assert rate(trials(texts, of, kind.removeprefix("five "), 200, count=count)) >= least


@pytest.mark.slow
@pytest.mark.parametrize("name", LONG)
def test_three_faults_in_one_text_are_found(folder: Path, name: str) -> None:
    texts, of = yardsticks(columns(folder / "data" / name), "all")
    draw = random.Random(3)
    found: list[bool] = []
    for _ in range(100):
        k = draw.choice(of)
        whole: Any = texts[k].segments
        text, expected = three_faults(whole, draw)
        given = [*texts[:k], Column(texts[k].role, texts[k].name, text), *texts[k + 1 :]]
        repairs = [repair for one in check_lines(given) for repair in one.repairs]
        found += [
            any(place.kind == repair.kind and abs(place.line - repair.line) <= 1 for repair in repairs)
            for place in expected
        ]
    assert sum(found) / len(found) >= 0.95


def three_faults(whole: tuple[str, ...], draw: random.Random) -> tuple[tuple[str, ...], list[Place]]:
    """A text with three faults, at least 20 lines apart, and their places."""
    lines_of = sorted(draw.sample(range(1, len(whole) // 20 - 1), 3))
    text, places = whole, list[Place]()
    for at in lines_of:
        kind = draw.choice(KINDS[:4])
        i = at * 20 + line_to_damage(whole[at * 20 : at * 20 + 12], kind, draw)
        text, place = damaged(text, kind, i + len(text) - len(whole), draw)
        places.append(place)
    return text, places
