"""XLIFF of both versions: segments, targets, labels, alternative translations, and what becomes of what is missing."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from timed import within_seconds

from bleu_core.dataset import Corpus, fit
from bleu_core.errors import FormatError
from bleu_core.formats import Contents, FileRole, inspect, read, recognise
from bleu_core.limits import LimitError, Limits

V1 = 'version="1.2" xmlns="urn:oasis:names:tc:xliff:document:1.2"'
V2 = (
    'version="2.1" srcLang="de" trgLang="en" xmlns="urn:oasis:names:tc:xliff:document:2.0" '
    'xmlns:mtc="urn:oasis:names:tc:xliff:matches:2.0"'
)


def version_1(*units: str, file: str = 'original="a.html"') -> bytes:
    return f"<xliff {V1}>\n<file {file}><header/><body>\n{''.join(units)}</body></file>\n</xliff>".encode()


def version_2(*units: str, file: str = "") -> bytes:
    return f'<xliff {V2}>\n<file id="f1" {file}>\n{"".join(units)}</file>\n</xliff>'.encode()


def unit_1(source: str, rest: str, **attributes: str) -> str:
    given = "".join(f' {name}="{value}"' for name, value in attributes.items())
    return f"<trans-unit{given}><source>{source}</source>{rest}</trans-unit>\n"


def unit_2(*segments: tuple[str, str], **attributes: str) -> str:
    given = "".join(f' {name}="{value}"' for name, value in attributes.items())
    inside = "".join(f"<segment><source>{s}</source>{t}</segment>" for s, t in segments)
    return f"<unit{given}>{inside}</unit>\n"


def columns(contents: Contents) -> dict[tuple[str, str], tuple[str | None, ...]]:
    return {(column.role, column.name): column.segments for column in contents.columns}


def labels(contents: Contents) -> dict[str, tuple[str, ...]]:
    return {} if contents.labels is None else dict(contents.labels.columns)


PAIRS = [("eins", "one"), ("zwei", "two"), ("drei", "")]
FILES = {
    "1.2": version_1(*(unit_1(s, f"<target>{t}</target>") for s, t in PAIRS)),
    "1.2 in groups": version_1(
        "<group>", unit_1("eins", "<target>one</target>"),
        "<group><note>no</note>", unit_1("zwei", "<target>two</target>"),
        "</group></group>", unit_1("drei", "<note>no</note>"),
    ),
    "1.2, segmented": version_1(
        '<trans-unit><source>eins zwei</source><seg-source><g id="1"><mrk mtype="seg" mid="1">eins</mrk> '
        '<mrk mtype="seg" mid="2">zwei</mrk></g></seg-source><target><g id="1"><mrk mtype="seg" mid="1">one</mrk> '
        '<mrk mtype="seg" mid="2">two</mrk></g></target></trans-unit>',
        '<trans-unit><source>drei</source><seg-source><mrk mtype="seg" mid="1">drei</mrk></seg-source></trans-unit>',
    ),
    "1.2 without a namespace": version_1(*(unit_1(s, f"<target>{t}</target>") for s, t in PAIRS)).replace(
        V1.encode(), b'version="1.2"'
    ),
    "2.1": version_2(*(unit_2((s, f"<target>{t}</target>")) for s, t in PAIRS)),
    "2.1 with several segments in a unit": version_2(
        "<group><notes><note>no</note></notes>",
        unit_2(("eins", "<target>one</target>"), ("zwei", "<target>two</target>")).replace(
            "</segment><segment>", "</segment><ignorable><source> </source><target> </target></ignorable><segment>"
        ),
        "</group>", unit_2(("drei", "")),
    ),
}  # fmt: skip


@pytest.mark.parametrize("file", FILES)
@pytest.mark.parametrize("name", ["MT.xlf", "MT.txt", "MT"])
def test_segments_of_every_structure_are_read_in_order(file: str, name: str) -> None:
    assert (inspect(FILES[file], name).format, recognise(FILES[file], name)) == ("xliff", "system")
    contents = read(FILES[file], name, "system")
    assert columns(contents) == {("source", "source"): ("eins", "zwei", "drei"), ("system", "MT"): ("one", "two", "")}
    assert contents.report.notes == ("1 segment without translation read as empty",)


@pytest.mark.parametrize("file", FILES)
def test_a_reference_lacks_what_is_not_translated_and_a_source_needs_no_translation(file: str) -> None:
    contents = read(FILES[file], "R.xlf", "reference")
    assert columns(contents)["reference", "R"] == ("one", "two", None)
    assert contents.report.notes == ("1 segment without translation read as without reference",)
    assert list(columns(read(FILES[file], "R.xlf", "source"))) == [("source", "source")]


SEGMENTED = (
    '<trans-unit><source>a b</source><seg-source><mrk mtype="seg" mid="{0}">a</mrk> <mrk mtype="seg" mid="{1}">b</mrk>'
    "</seg-source><target>{2}</target></trans-unit>"
)


@pytest.mark.parametrize(
    ("unit", "expected"),
    [
        (SEGMENTED.format(1, 2, '<mrk mtype="seg" mid="2">d</mrk>'), (("a", "b", "x"), ("", "d", "y"))),
        (SEGMENTED.format(1, 2, ""), (("a", "b", "x"), ("", "", "y"))),
        (SEGMENTED.format(1, 2, "c d"), (("a b", "x"), ("c d", "y"))),
        (SEGMENTED.format(1, 2, '<mrk mtype="seg" mid="3">c</mrk>'), (("a b", "x"), ("c", "y"))),
        (SEGMENTED.format(1, 1, '<mrk mtype="seg" mid="1">c</mrk>'), (("a b", "x"), ("c", "y"))),
    ],
)
def test_a_unit_is_whole_where_source_and_target_are_segmented_differently(
    unit: str, expected: tuple[tuple[str, ...], ...]
) -> None:
    contents = read(version_1(unit, unit_1("x", "<target>y</target>")), "a.xlf", "system")
    assert tuple(column.segments for column in contents.columns) == expected


@pytest.mark.parametrize(
    ("name", "data", "role"),
    [
        ("ref.B.xlf", FILES["1.2"], "reference"),
        ("source.xlf", FILES["1.2"], "source"),
        ("docs.xlf", FILES["1.2"], "system"),
        ("a.xlf", version_2(unit_2(("eins", ""))), "source"),
        ("a.xlf", version_2(unit_2(("eins", "<target/>"))).decode().encode("utf-16"), "system"),
    ],
)
def test_the_role_follows_from_the_name_and_from_targets(name: str, data: bytes, role: FileRole) -> None:
    assert recognise(data, name) == role


def test_a_file_of_another_type_than_it_may_hold_is_refused_with_advice() -> None:
    for role in ("judgments", "scores", "labels", "document", "archive"):
        with pytest.raises(FormatError, match=r"^a: XLIFF found, which may hold system, reference, source; choose one"):
            read(FILES["2.1"], "a", role)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (version_1(), "0 segments found, at least 1 expected"),
        (version_2(unit_2(("a", ""), ("b", "<target> </target>"))), "no translation in 2 segments found, at least 1"),
    ],
)
def test_a_file_without_texts_is_refused(data: bytes, message: str) -> None:
    with pytest.raises(FormatError, match=f"^a.xlf: {message}"):
        read(data, "a.xlf", "system")


@pytest.mark.parametrize("unit", ["<trans-unit/>", '<trans-unit id="1"><note>no</note></trans-unit>'])
def test_a_unit_without_source_and_target_has_no_segments(unit: str) -> None:
    whole = unit_1("eins", "<target>one</target>")
    expected = columns(read(version_1(whole), "MT.xlf", "system"))
    assert columns(read(version_1(unit, whole, unit), "MT.xlf", "system")) == expected
    with pytest.raises(FormatError, match=r"^MT\.xlf: 0 segments found, at least 1 expected$"):
        read(version_1(unit, unit), "MT.xlf", "source")


def test_files_in_a_file_are_documents() -> None:
    data = version_1(unit_1("a", "<target>b</target>") * 2).decode()
    data = data.replace("</xliff>", data[data.index("<file") :].replace("a.html", "b.html"))
    assert columns(read(data.encode(), "A.xlf", "system"))["document", "documents"] == ("a.html",) * 2 + ("b.html",) * 2
    assert ("document", "documents") not in columns(read(FILES["1.2"], "A.xlf", "system"))


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (
            version_1(
                unit_1("a", '<target state="final">b</target>'),
                unit_1("a", '<target state="translated">b</target>', translate="no"),
                "<group translate='no'>",
                unit_1("a", "<target>b</target>", translate="yes"),
                unit_1("a", "<target>b</target>"),
                "</group>",
            ),
            {"state": ("final", "translated", "", ""), "locked": ("no", "yes", "no", "yes")},
        ),
        (
            version_2(
                unit_2(("a", "<target>b</target>")).replace("<segment>", '<segment state="reviewed">'),
                unit_2(("a", "<target>b</target>"), translate="no"),
            ),
            {"state": ("reviewed", "initial"), "locked": ("no", "yes")},
        ),
        (
            version_1(
                '<trans-unit><source>a b</source><seg-source><mrk mtype="seg" mid="7">a</mrk><mrk mtype="seg" mid="8">b'
                '</mrk></seg-source><target><mrk mtype="seg" mid="7">c</mrk><mrk mtype="seg" mid="8">d</mrk></target>'
                '<sdl:seg-defs xmlns:sdl="http://sdl.com/FileTypes/SdlXliff/1.0"><sdl:seg id="7" conf="Draft"/>'
                '<sdl:seg id="8" conf="Translated" locked="true"/></sdl:seg-defs></trans-unit>'
            ),
            {"state": ("Draft", "Translated"), "locked": ("no", "yes")},
        ),
        (
            version_1(
                '<trans-unit xmlns:m="http://www.memsource.com/mxlf/2.0" m:locked="true"><source>a</source><target>b'
                "</target></trans-unit>",
                unit_1("a", "<target>b</target>"),
            ),
            {"locked": ("yes", "no")},
        ),
        (FILES["1.2"], {}),
    ],
)
def test_states_and_locks_are_labels_where_they_vary(data: bytes, expected: dict[str, tuple[str, ...]]) -> None:
    assert labels(read(data, "a.xlf", "system")) == expected


def test_what_is_not_to_be_translated_is_its_own_translation() -> None:
    data = version_1(
        unit_1("a", "<target>b</target>"), unit_1("ACME", "", translate="no"), unit_1("<x/>", "", translate="no")
    )
    contents = read(data, "A.xlf", "system")
    assert columns(contents) == {("source", "source"): ("a", "ACME"), ("system", "A"): ("b", "ACME")}
    assert contents.report.notes == ("1 segment not to be translated and without translation: the source is used",)


ALTERNATIVES = '<alt-trans origin="X"><target>{}</target></alt-trans>' * 2


def test_alternative_translations_of_one_origin_are_a_further_system() -> None:
    units = [
        unit_1("a", "<target>b</target>" + ALTERNATIVES.format("1", "2")),
        unit_1("c", ALTERNATIVES.format("3", "4")),
    ]
    contents = read(version_1(*units), "A.xlf", "system")
    assert columns(contents)["system", "A.X"] == ("1", "3")
    assert columns(contents)["system", "A"] == ("b", "")
    assert ("system", "A.X") not in columns(read(version_1(*units), "A.xlf", "reference"))
    only = read(version_1(*(unit.replace("<target>b</target>", "<target/>") for unit in units)), "A.xlf", "system")
    assert list(columns(only)) == [("source", "source"), ("system", "A.X")]
    partial = read(version_1(*units, unit_1("e", "<target>f</target>")), "A.xlf", "system")
    assert ("system", "A.X") not in columns(partial)
    assert partial.report.notes == (
        "alternative translations of X not used: not every segment has one of that origin",
        "1 segment without translation read as empty",
    )


def test_matches_of_version_2_are_alternative_translations() -> None:
    matches = (
        '<mtc:matches><mtc:match ref="#1" origin="TM"><source>x</source><target>one</target></mtc:match>'
        '<mtc:match ref="#2" origin="TM"><source>x</source><target>two</target></mtc:match></mtc:matches>'
    )
    unit = unit_2(("a", "<target>b</target>"), ("c", "<target>d</target>")).replace("<unit>", f"<unit>{matches}")
    for number in "12":
        unit = unit.replace("<segment>", f'<segment id="{number}">', 1)
    assert columns(read(version_2(unit), "A.xlf", "system"))["system", "A.TM"] == ("one", "two")


def test_too_many_systems_are_refused() -> None:
    others = "".join(f'<alt-trans origin="o{n}"><target>x</target></alt-trans>' for n in range(9))
    with pytest.raises(LimitError, match=r"^A\.xlf: 10 systems found, at most 9 allowed"):
        read(version_1(unit_1("a", "<target>b</target>" + others)), "A.xlf", "system", limits=Limits(systems=9))


def engine(*targets: str, state: str = "translated") -> bytes:
    states = ("final", state, "final")
    pairs = zip(PAIRS, targets, states, strict=True)
    return version_1(*(unit_1(s, f'<target state="{state}">{t}</target>') for (s, _), t, state in pairs))


def test_a_file_per_system_with_the_same_source_makes_one_corpus() -> None:
    files = {"A": engine("a", "b", "c"), "B": engine("d", "e", "f"), "C": engine("g", "h", "i", state="new")}
    given: list[tuple[str, bytes, FileRole]] = [(name, data, "system") for name, data in files.items()]
    given.append(("R", engine("j", "k", "l"), "reference"))
    parts = [p for n, (name, data, role) in enumerate(given) for p in read(data, f"{name}.xlf", role).parts(n)]
    found = fit(parts, refuse=True)
    assert isinstance(found.corpus, Corpus)
    assert found.corpus.source == ("eins", "zwei", "drei")
    assert dict(found.corpus.systems) == {"A": ("a", "b", "c"), "B": ("d", "e", "f"), "C": ("g", "h", "i")}
    assert dict(found.corpus.references) == {"R": ("j", "k", "l")}
    assert dict(found.corpus.labels) == {"state": ("final", "translated", "final")}
    sentences = [sentence for of_part in found.warnings.values() for sentence in of_part]
    assert "its labels called state are not used: A.xlf already holds others" in sentences
    assert sum("labels" in sentence for sentence in sentences) == 1


def test_scores_are_those_of_the_same_texts(tmp_path: Path, run: Callable[..., Any]) -> None:
    for name, targets in {"A": ("the cat sat", "on the mat", "x"), "R": ("the cat sat", "on a mat", "x")}.items():
        (tmp_path / f"{name}.xlf").write_bytes(engine(*targets))
        (tmp_path / f"{name}.txt").write_text("\n".join(targets), encoding="utf-8")
    one, other = (
        run("score", "--ref", tmp_path / f"R.{ending}", tmp_path / f"A.{ending}", "--format", "json").json
        for ending in ("xlf", "txt")
    )
    assert one["systems"] == other["systems"]


def test_many_matches_of_many_segments_take_time_in_proportion() -> None:
    segments = "".join(f'<segment id="s{n}"><source>a</source><target>b</target></segment>' for n in range(10_000))
    matches = "<matches>" + '<match ref="#s9999"><target>c</target></match>' * 10_000 + "</matches>"
    data = f'<xliff version="2.0"><file id="f"><unit id="u">{segments}{matches}</unit></file></xliff>'.encode()
    # It takes 0.2 s, and 14 s where all segments are searched for each match.
    found = within_seconds(5, lambda: read(data, "a.xlf", "system"))
    assert found.report.segments == 10_000
