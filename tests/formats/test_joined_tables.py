"""Random tables with ids, in several formats and orders, are joined as dictionaries join them."""

from __future__ import annotations

import csv
import io
import json
import random
from collections.abc import Callable, Mapping, Sequence

import pytest
from small_files import parquet, workbook

from bleu_core.dataset import AlignedData, FilePart, fit
from bleu_core.formats import read

Key = tuple[str, int]
Rows = Sequence[Sequence[object]]


def delimited(separator: str) -> Callable[[Rows], bytes]:
    def write(rows: Rows) -> bytes:
        text = io.StringIO()
        csv.writer(text, delimiter=separator, quoting=csv.QUOTE_MINIMAL).writerows(rows)
        return text.getvalue().encode()

    return write


def json_lines(rows: Rows) -> bytes:
    header, *others = rows
    return "".join(json.dumps(dict(zip(map(str, header), row, strict=True))) + "\n" for row in others).encode()


def sheet(rows: Rows) -> bytes:
    return workbook([list(row) for row in rows])


def columns_file(rows: Rows) -> bytes:
    header, *others = rows
    return parquet({str(name): [row[i] for row in others] for i, name in enumerate(header)})


WAYS: Mapping[str, Callable[[Rows], bytes]] = {
    "csv": delimited(","),
    "tsv": delimited("\t"),
    "jsonl": json_lines,
    "xlsx": sheet,
    "parquet": columns_file,
}
#: How ids are written: headers, and what a document and a number become.
STYLES: Sequence[tuple[tuple[str, ...], Callable[[Key], tuple[object, ...]]]] = (
    (("doc_id", "seg_id"), lambda key: key),
    (("segment", "document"), lambda key: (f"{key[1]:03}", f" {key[0]} ")),
    (("doc", "Segment"), lambda key: (key[0], f"{key[1]}.0")),
)
UNIQUE: Sequence[tuple[tuple[str, ...], Callable[[Key], tuple[object, ...]]]] = (
    (("id",), lambda key: (f"{key[0]}#{key[1]}",)),
    (("doc_id",), lambda key: (f"{key[0]}_###_{key[1]}",)),
)


def sentence(rng: random.Random) -> str:
    return " ".join(rng.choice(("the", "cat", "sat", "on", "a", "mat", "and", "slept", "well")) for _ in range(8)) + "."


@pytest.mark.parametrize("way", WAYS)
def test_tables_are_joined_as_dictionaries_join_them(way: str) -> None:
    rng = random.Random(way)
    for _ in range(25 if way in ("csv", "tsv", "jsonl") else 4):
        keys = [(f"d{d}", n) for d in range(rng.randint(2, 6)) for n in range(1, rng.randint(2, 7))]
        rng.shuffle(keys)
        styles = STYLES if rng.random() < 0.6 else [rng.choice(UNIQUE)]
        texts = {name: {key: sentence(rng) for key in keys} for name in ("ref", "A", "B", "C")}
        for name in "BC":  # which lack some segments, or have others
            for key in rng.sample(keys, rng.randint(0, len(keys) // 2)):
                del texts[name][key]
            if rng.random() < 0.5:
                texts[name]["other", 1] = sentence(rng)
        parts = [
            part
            for name, rows in texts.items()
            for part in table(way, name, rows=rows, style=rng.choice(styles), rng=rng)
        ]
        order = list(texts["ref"])
        check(fit(parts, refuse=True), texts, order, [n for n in "ABC" if set(order) <= set(texts[n])])
        shared = [key for key in order if all(key in texts[name] for name in "ABC")]
        if shared:
            check(fit(parts, refuse=True, shared_segments=True), texts, shared, "ABC")


def table(
    way: str,
    name: str,
    rows: dict[Key, str],
    style: tuple[tuple[str, ...], Callable[[Key], tuple[object, ...]]],
    rng: random.Random,
) -> tuple[FilePart, ...]:
    """A table with its rows in another order, which becomes that of the dictionary."""
    shuffled = rng.sample(list(rows.items()), len(rows))
    rows.clear()
    rows.update(shuffled)
    headers, written = style
    text = "reference" if name == "ref" else "hypothesis"
    cells = [(*headers, text), *((*map(str, written(key)), sentence) for key, sentence in rows.items())]
    return read(WAYS[way](cells), f"{name}.{way}", "reference" if name == "ref" else "system").parts()


def check(
    found: AlignedData, texts: Mapping[str, Mapping[Key, str]], keys: Sequence[Key], systems: Sequence[str]
) -> None:
    assert found.corpus.references == {"reference": tuple(texts["ref"][key] for key in keys)}
    assert found.corpus.systems == {name: tuple(texts[name][key] for key in keys) for name in systems}
    assert [text.name for text in found.missing_systems] == [n for n in "ABC" if n not in systems]
