"""The same content in every format of tables gives the same corpus and the same scores."""

from __future__ import annotations

import bz2
import csv
import gzip
import io
import json
import lzma
from collections.abc import Callable
from pathlib import Path

import pytest
import zstandard
from small_files import open_document, open_document_rows, parquet, workbook

import sample_data
from bleu_core import evaluate, load
from bleu_core.formats import parse_columns, read
from bleu_core.uploads import assemble, create_file

SYSTEMS = sample_data.systems()[:3]
REFERENCES = sample_data.references()[:2]


def lines(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").removesuffix("\n").split("\n")


#: Texts by the headers of a table that needs no explanation.
TEXTS = {f"ref.{path.stem}": lines(path) for path in REFERENCES} | {path.stem: lines(path) for path in SYSTEMS}
HEADER = list(TEXTS)
ROWS: list[list[object]] = [list(row) for row in zip(*TEXTS.values(), strict=True)]


def separated(separator: str) -> bytes:
    stream = io.StringIO()
    csv.writer(stream, delimiter=separator, lineterminator="\r\n").writerows([HEADER, *ROWS])
    return stream.getvalue().encode("utf-8-sig")


def tsv() -> bytes:
    return "".join("\t".join(map(str, row)) + "\n" for row in [HEADER, *ROWS]).encode()


def json_lines() -> bytes:
    return "".join(f"{json.dumps(dict(zip(HEADER, row, strict=True)))}\n" for row in ROWS).encode()


def long_json_lines() -> bytes:
    """One row per segment and system, system by system."""
    rows = [
        {"seg_id": n, "system": path.stem, "hyp": text} for path in SYSTEMS for n, text in enumerate(TEXTS[path.stem])
    ]
    return "".join(f"{json.dumps(row, ensure_ascii=False)}\n" for row in rows).encode()


FILES: dict[str, Callable[[], bytes]] = {
    "a.tsv": tsv,
    "a.csv": lambda: separated(","),
    "b.csv": lambda: separated(";"),
    "a.xlsx": lambda: workbook([HEADER, *ROWS]),
    "a.ods": lambda: open_document(open_document_rows([HEADER, *ROWS])),
    "a.jsonl": json_lines,
    "a.parquet": lambda: parquet(dict(TEXTS.items())),
    "b.parquet": lambda: parquet(dict(TEXTS.items()), compression="zstd", use_dictionary=False, row_group_size=7),
    "a.tsv.gz": lambda: gzip.compress(tsv()),
    "a.csv.xz": lambda: lzma.compress(separated(";")),
    "a.jsonl.zst": lambda: zstandard.ZstdCompressor().compress(json_lines()),
    "a.xlsx.bz2": lambda: bz2.compress(workbook([HEADER, *ROWS])),
}


def renamed(name: str) -> str:
    return name.removeprefix("ref.")


@pytest.mark.parametrize("name", FILES)
def test_the_same_content_gives_the_same_corpus_and_scores(name: str, tmp_path: Path) -> None:
    expected = load(SYSTEMS, REFERENCES).corpus
    path = tmp_path / name
    path.write_bytes(FILES[name]())
    roles = [
        f"{header}={'reference' if header.startswith('ref.') else 'system'}:{renamed(header)}" for header in HEADER
    ]
    found = load([path], columns=",".join(roles)).corpus
    assert found.digest == expected.digest
    assert evaluate(found).scores.score.tolist() == evaluate(expected).scores.score.tolist()
    by_header = load([path]).corpus  # references are then called ref.R1 and ref.R2
    assert by_header.systems == expected.systems
    assert list(by_header.references.values()) == list(expected.references.values())


@pytest.mark.parametrize("name", ["a.jsonl", "a.jsonl.gz"])
def test_rows_of_segments_and_systems_give_the_same_corpus(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_bytes(gzip.compress(long_json_lines()) if name.endswith(".gz") else long_json_lines())
    assert load([path], REFERENCES).corpus.digest == load(SYSTEMS, REFERENCES).corpus.digest


@pytest.mark.parametrize("name", FILES)
def test_the_page_and_the_library_read_the_same(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_bytes(FILES[name]())
    found = assemble([create_file(name, path.read_bytes(), None)])
    assert [entry.problem for entry in found.entries] == [""]
    assert found.corpus.digest == load([path]).corpus.digest


@pytest.mark.parametrize("name", FILES)
def test_no_row_is_lost(name: str) -> None:
    contents = read(FILES[name](), name, "system", columns=parse_columns(f"{HEADER[-1]}=system"))
    assert contents.columns[0].segments == tuple(TEXTS[HEADER[-1]])
