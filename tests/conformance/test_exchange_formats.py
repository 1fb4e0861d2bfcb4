"""Real files of XLIFF, TMX, and the test sets of WMT in XML and SGML, beside what other programs find in them."""

from __future__ import annotations

import html
from collections.abc import Mapping
from pathlib import Path

import pytest
from sacrebleu.dataset.fake_sgml import FakeSGMLDataset
from sacrebleu.dataset.wmt_xml import WMTXMLDataset
from same_content import BILINGUAL, sgml, wmt_xml

from bleu_core.dataset import FilePart, fit
from bleu_core.errors import FormatError
from bleu_core.formats import Contents, FileRole, inspect, read
from bleu_core.scoring import BleuSettings, evaluate

#: The files that have no segment, or are not well-formed, and why they are refused.
REFUSED: Mapping[str, str] = {
    "empty.xliff": "0 segments found",
    "almostEmpty.xlf": "0 segments found",
    "bad_NoFile.xlf": "0 segments found",
    "bad_NoUnitOrGroupInFile.xlf": "0 segments found",
    "bad_UnitWithoutSegment.xlf": "0 segments found",
    "minimal.tmx": "0 segments found",
    "file-with-complex-structure.xliff": "line 91: well-formed XML expected: Namespace prefix iws",
}


def texts(contents: Contents) -> dict[tuple[str, str], tuple[str | None, ...]]:
    return {(column.role, column.name): column.segments for column in contents.columns}


@pytest.mark.parametrize("folder_of", ["xliff", "xliff-oasis-2.1", "tmx", "wmt-xml", "wmt-sgml"])
def test_every_file_is_recognised_and_read_or_refused_for_a_reason(folder: Path, folder_of: str) -> None:
    paths = sorted(path for path in (folder / "data" / "formats" / folder_of).rglob("*") if path.is_file())
    assert paths
    found = {path: inspect(path.read_bytes(), path.name) for path in paths}
    expected = folder_of.removesuffix("-oasis-2.1").removeprefix("wmt-s")
    assert {each.format for each in found.values()} == {{"xml": "wmt-xml", "gml": "sgml"}.get(expected, expected)}
    refused: dict[str, str] = {}
    for path, each in found.items():
        try:
            read(path.read_bytes(), path.name, each.role)
        except FormatError as error:
            refused[path.name] = str(error)
            if "no translation in" in refused[path.name]:
                assert read(path.read_bytes(), path.name, "source").report.segments
                del refused[path.name]
    assert {name: message for name, message in refused.items() if REFUSED.get(name, "-") not in message} == {}


def test_segments_of_xliff_and_tmx_of_the_same_texts_are_equal(folder: Path) -> None:
    data = folder / "data" / "formats"
    paths = [data / "xliff" / "OpenXLIFF_Java_es.xlf", data / "tmx" / "OpenXLIFF_Java_es.tmx"]
    one, other = (texts(read(path.read_bytes(), path.name, "system")) for path in paths)
    for side in (("source", "source"), ("system", "OpenXLIFF_Java_es")):
        assert len(one[side]) == 519
        assert sorted(map(str, one[side])) == sorted(map(str, other[side]))


def test_xml_of_wmt_has_the_texts_that_sacrebleu_finds(folder: Path) -> None:
    path = folder / "data" / "formats" / "wmt-xml" / "newstest2021.ru-en.2docs.xml"
    expected = WMTXMLDataset._unwrap_wmt21_or_later(str(path))  # noqa: SLF001 # what sacreBLEU calls after a download
    contents = read(path.read_bytes(), path.name, "archive")
    found = {f"ref:{name}" if role == "reference" else name: each for (role, name), each in texts(contents).items()}
    found = {{"source": "src", "documents": "docid"}.get(name, name): list(each) for name, each in found.items()}
    assert len(found["src"]) == 16
    assert found == {name: each for name, each in expected.items() if name != "origlang"}
    assert (contents.report.notes, contents.report.repairs) == ((), ())


def test_sgml_of_wmt_has_the_texts_that_sacrebleu_finds(folder: Path, tmp_path: Path) -> None:
    path = folder / "data" / "formats" / "wmt-sgml" / "newstest2017-zhen-src.zh.3docs.sgm"
    output = tmp_path / "a.txt"
    FakeSGMLDataset("x")._convert_format(str(path), str(output))  # noqa: SLF001
    expected = output.read_text(encoding="utf-8").removesuffix("\n").split("\n")
    found = texts(read(path.read_bytes(), path.name, "source"))
    assert len(expected) == 78
    assert [" ".join(str(text).split()) for text in found["source", "source"]] == list(map(html.unescape, expected))
    assert len(set(found["document", "documents"])) == 3


@pytest.mark.parametrize("kind", [*BILINGUAL, "WMT XML", "SGML"])
def test_a_real_test_set_in_every_format_gives_the_same_corpus(folder: Path, kind: str) -> None:
    data = folder / "data" / "ted-zhen"
    named = {"source": data / "source.txt"}
    named |= {path.stem: path for path in [data / "refs" / "ref.A.txt", *sorted((data / "systems").glob("[A-Z]*.txt"))]}
    lines = {name: path.read_text(encoding="utf-8").removesuffix("\n").split("\n") for name, path in named.items()}
    source = lines.pop("source")
    files: list[tuple[str, FileRole, str]] = [("source.txt", "source", "\n".join(source))]
    plain = files + [(f"{name}.txt", _role(name), "\n".join(each)) for name, each in lines.items()]
    if kind == "WMT XML":
        systems = {name: each for name, each in lines.items() if name != "ref.A"}
        files = [("t.xml", "archive", wmt_xml(source, {"ref.A": lines["ref.A"]}, systems))]
    elif kind == "SGML":
        files.extend((f"{name}.sgm", _role(name), sgml("tstset", each)) for name, each in lines.items())
    else:
        ending, write = BILINGUAL[kind]
        files.extend((f"{name}{ending}", _role(name), write(source, each)) for name, each in lines.items())
    one, other = (fit(_parts(each), refuse=True).corpus for each in (files, plain))
    assert one.digest == other.digest
    scores = [evaluate(each, BleuSettings()).scores.score.tolist() for each in (one, other)]
    assert scores[0] == scores[1]


def _role(name: str) -> FileRole:
    return "reference" if name == "ref.A" else "system"


def _parts(files: list[tuple[str, FileRole, str]]) -> list[FilePart]:
    return [
        part
        for number, (name, role, content) in enumerate(files)
        for part in read(content.encode(), name, role).parts(number)
    ]
