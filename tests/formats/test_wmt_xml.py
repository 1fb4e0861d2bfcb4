"""XML of WMT: sides, documents, test sets and language pairs, as sacreBLEU's own reader has them."""

from __future__ import annotations

import io
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from sacrebleu.dataset.wmt_xml import WMTXMLDataset
from timed import within_seconds

import bleu_core as bc
from bleu_core.dataset import SegmentId
from bleu_core.errors import FormatError
from bleu_core.formats import Contents, FileRole, inspect, read
from bleu_core.limits import LimitError, Limits


def side(name: str, attributes: str, texts: dict[int, str]) -> str:
    segments = "".join(f'<seg id="{number}">{text}</seg>\n' for number, text in texts.items())
    return f"<{name} {attributes}><p>{segments}</p></{name}>\n"


def document(name: str, *sides: str, attributes: str = "") -> str:
    return f'<doc origlang="de" id="{name}" {attributes}>{"".join(sides)}</doc>\n'


def dataset(*documents: str) -> bytes:
    return f'<?xml version="1.0" encoding="utf-8"?>\n<dataset id="t">{"".join(documents)}</dataset>'.encode()


def columns(contents: Contents) -> dict[tuple[str, str], tuple[str | None, ...]]:
    return {(column.role, column.name): column.segments for column in contents.columns}


SOURCE = side("src", 'lang="de"', {1: "eins", 2: "zwei"})
A = side("ref", 'lang="en" translator="A"', {1: "one", 2: "two"})
B = side("ref", 'lang="en" translator="B"', {1: "ONE"})
S = side("hyp", 'lang="en" system="S"', {1: "s1", 2: "s2"})
T = side("hyp", 'lang="en" system="T"', {2: "t2"})
FIRST = document("d1", SOURCE, A, B, S, T, attributes='domain="news"')
LAST = document("d2", SOURCE, A, S, attributes='domain="talk"')


def test_all_sides_are_read_by_document() -> None:
    data = dataset(FIRST, LAST)
    found = inspect(data, "t.xml")
    assert (found.role, found.format) == ("archive", "wmt-xml")
    contents = read(data, "t.xml", "archive")
    assert columns(contents) == {
        ("source", "source"): ("eins", "zwei") * 2,
        ("reference", "A"): ("one", "two") * 2,
        ("reference", "B"): ("ONE", None, None, None),
        ("system", "S"): ("s1", "s2") * 2,
        ("system", "T"): ("t2",),
        ("document", "documents"): ("d1", "d1", "d2", "d2"),
    }
    (column,) = (column for column in contents.columns if column.name == "T")
    assert column.ids == (SegmentId("d1", "2"),)
    assert contents.labels is not None
    assert dict(contents.labels.columns) == {"domain": ("news", "news", "talk", "talk")}
    assert contents.archive is not None
    assert (contents.archive.pair, contents.report.format) == ("de-en", "WMT XML, de-en")


@pytest.mark.parametrize(
    ("role", "expected"),
    [
        ("system", [("system", "S"), ("system", "T")]),
        ("reference", [("reference", "A"), ("reference", "B")]),
        ("source", [("source", "source")]),
        ("document", []),
    ],
)
def test_a_role_selects_its_texts(role: FileRole, expected: list[tuple[str, str]]) -> None:
    contents = read(dataset(FIRST, LAST), "t.xml", role)
    assert list(columns(contents)) == [*expected, ("document", "documents")]
    assert contents.archive is None


def test_a_segment_without_any_reference_is_left_out_and_a_surplus_one_is_counted() -> None:
    late = document("d3", SOURCE, side("ref", 'lang="en" translator="A"', {2: "two", 9: "nine"}))
    contents = read(dataset(FIRST, late), "t.xml", "archive")
    assert columns(contents)["source", "source"] == ("eins", "zwei", "zwei")
    assert contents.report.notes == (
        "1 segment with ids that the source does not have not used",
        "1 segment without any reference left out",
    )
    blind = read(dataset(document("d", SOURCE)), "t.xml", "archive")
    assert columns(blind) == {("source", "source"): ("eins", "zwei")}


def test_outputs_marked_as_another_language_are_read_if_the_name_says_that_of_the_references() -> None:
    marked = side("hyp", 'lang="em" system="S"', {1: "s1", 2: "s2"})
    data = dataset(document("d1", SOURCE, A, marked), document("d2", SOURCE, A, marked))
    contents = read(data, "wmttest2022.de-en.all.xml", "archive")
    assert columns(contents)["system", "S"] == ("s1", "s2") * 2
    assert contents.archive is not None
    assert contents.archive.pairs == ("de-en",)
    assert "outputs are marked as em and read as en, as the references and the file's name say" in contents.report.notes
    others = read(data, "t.xml", "archive")
    assert ("system", "S") not in columns(others)
    assert "other language pairs in this file: de-em" in others.report.notes


def test_test_suites_are_left_out_unless_one_is_chosen() -> None:
    suite = document("x", SOURCE, A, S, attributes='testsuite="probe"')
    data = dataset(FIRST, suite)
    contents = read(data, "t.xml", "archive")
    assert contents.report.segments == 2
    assert contents.report.notes == (
        "test suites in this file that are not used: probe; the option testset chooses one",
    )
    chosen = read(data, "t.xml", "archive", own={"testset": "probe"})
    assert columns(chosen)["source", "source"] == ("eins", "zwei")
    assert ("reference", "B") not in columns(chosen)
    assert read(dataset(suite), "t.xml", "archive").report.segments == 2
    with pytest.raises(FormatError, match=r"^t\.xml: no test set 'y'; choose one of t, probe$"):
        read(data, "t.xml", "archive", own={"testset": "y"})


def test_collections_are_test_sets_of_one_file() -> None:
    data = dataset(*(f'<collection id="{name}">{FIRST}</collection>' for name in ("general", "medical")))
    contents = read(data, "t.xml", "archive")
    assert contents.labels is not None
    assert contents.labels.columns["testset"] == ("general",) * 2 + ("medical",) * 2
    assert contents.report.notes[0].startswith("test sets in this file, all in use: general, medical;")
    assert read(data, "t.xml", "archive", own={"testset": "medical"}).report.segments == 2


def test_one_of_several_language_pairs_is_read() -> None:
    french = side("ref", 'lang="fr" translator="F"', {1: "un", 2: "deux"})
    data = dataset(document("d1", SOURCE, A, french, S))
    assert ("reference", "F") not in columns(read(data, "t.xml", "archive"))
    contents = read(data, "t.xml", "archive", pair="de-fr")
    assert list(columns(contents)) == [("source", "source"), ("reference", "F")]
    assert contents.report.notes == ("other language pairs in this file: de-en",)
    with pytest.raises(FormatError, match=r"^t\.xml: no language pair 'de-it'; choose one of de-en, de-fr$"):
        read(data, "t.xml", "archive", pair="de-it")


@pytest.mark.parametrize(
    ("data", "role", "message"),
    [
        (dataset(document("d", SOURCE, A, A)), "archive", "t.xml, line 8: a second ref A of document d found"),
        (
            dataset(document("d", SOURCE.replace('id="2"', 'id="1"'))),
            "archive",
            "t.xml, line 3: a second segment with the id 1 found, 1 expected",
        ),
        (dataset(document("d")), "archive", "t.xml: 0 segments found, at least 1 expected"),
        (
            dataset(document("d", SOURCE, A)),
            "system",
            "t.xml: no system found, at least 1 expected; the file has source, reference A",
        ),
    ],
)
def test_what_cannot_be_used_is_refused(data: bytes, role: FileRole, message: str) -> None:
    with pytest.raises(FormatError) as error:
        read(data, "t.xml", role)
    assert str(error.value).startswith(message)


@pytest.mark.parametrize(
    ("limits", "message"),
    [
        (Limits(systems=1), "t.xml: 2 systems found, at most 1 allowed"),
        (Limits(references=1), "t.xml: 2 references found, at most 1 allowed"),
        (Limits(lines=1), "t.xml, segments: 2 lines found, at most 1 allowed"),
        (Limits(elements=9), "t.xml: 20 elements found, at most 9 allowed"),
    ],
)
def test_limits_hold(limits: Limits, message: str) -> None:
    with pytest.raises(LimitError) as error:
        read(dataset(FIRST), "t.xml", "archive", limits=limits)
    assert str(error.value).startswith(message)


def test_documents_without_segments_are_left_out() -> None:
    empty = ['<doc id="e"/>', '<doc id="f"><src lang="de"/><hyp lang="en" system="X"><p/></hyp></doc>']
    found = read(dataset(*empty, FIRST, *empty), "t.xml", "archive")
    assert columns(found) == columns(read(dataset(FIRST), "t.xml", "archive"))
    for own in ({}, {"testset": "x"}):
        with pytest.raises(FormatError, match=r"^t\.xml: 0 segments found, at least 1 expected$"):
            read(dataset(*empty), "t.xml", "archive", format="wmt-xml", own=own)


def test_few_segments_of_many_systems_do_not_fill_the_memory() -> None:
    source = side("src", 'lang="de"', dict.fromkeys(range(1, 3001), "x"))
    systems = "".join(side("hyp", f'lang="en" system="S{n}"', {1: "y"}) for n in range(400))
    with pytest.raises(LimitError, match="segments that are missing: 1,199,600 lines found"):
        read(dataset(document("d", source, systems)), "t.xml", "archive", limits=Limits(lines=10_000))


@pytest.mark.parametrize("seed", range(20))
def test_texts_are_those_of_sacrebleu(seed: int) -> None:
    chance = random.Random(seed)
    words = ["Käse", "&amp;", "&lt;b&gt;", "“x”", "猫", "&quot;"]

    def texts(numbers: range, share: float) -> dict[int, str]:
        kept = [number for number in numbers if chance.random() < share]
        return {number: " ".join(chance.choices(words, k=chance.randint(1, 4))) for number in kept}

    documents: list[str] = []
    for n in range(4):
        numbers = range(1, chance.randint(2, 6))
        references = [side("ref", f'lang="en" translator="{name}"', texts(numbers, 0.6)) for name in "AB"]
        sides = [side("src", 'lang="de"', texts(numbers, 1)), *references, side("hyp", 'system="S"', texts(numbers, 1))]
        suite = 'testsuite="t"' if n == chance.randint(1, 6) else ""
        documents.append(document(f"d{n}", *sides, attributes=suite))
    expected = WMTXMLDataset._unwrap_wmt21_or_later(io.BytesIO(dataset(*documents)))  # noqa: SLF001 # what downloads call
    found = columns(read(dataset(*documents), "t.xml", "archive"))
    named = {"src": ("source", "source"), "S": ("system", "S"), "docid": ("document", "documents")}
    named |= {f"ref:{name}": ("reference", name) for name in "AB"}
    for field, key in named.items():
        assert [text or "" for text in found[key]] == expected[field]


def test_the_command_line_and_notebooks_read_it_as_a_test_set(tmp_path: Path, run: Callable[..., Any]) -> None:
    path = tmp_path / "t.xml"
    path.write_bytes(dataset(FIRST, LAST))
    found = run("score", "--archive", path, "--format", "json").json
    assert [(row["system"], row["bleu"]) for row in found["systems"]] == [("S", 0), ("T", None)]
    assert found["systems"][1]["reason"] == "no score: no text for 3 of 4 segments (d1 1, d2 1, d2 2)"
    assert (found["references"], found["segments"]) == (["A", "B"], 4)
    chosen = run("score", "--archive", path, "--format-of", f"{path}=wmt-xml:testset=t", "--format", "json").json
    assert chosen["systems"] == found["systems"]
    data = bc.load(archives=[path])
    assert list(data.corpus.systems) == ["S"]
    assert data.corpus.labels["domain"] == ("news", "news", "talk", "talk")


def test_many_texts_of_a_document_take_time_in_proportion() -> None:
    systems = "".join(f'<hyp system="s{n}"><seg>a</seg></hyp>' for n in range(20_000))
    data = f'<dataset id="t"><doc id="d"><src lang="en"><seg>a</seg></src>{systems}</doc></dataset>'.encode()

    def refuse() -> None:
        with pytest.raises(LimitError, match="20,000 systems found"):
            read(data, "t.xml", "archive")

    within_seconds(5, refuse)  # it takes 0.2 s, and 20 s where all texts are searched for each
