"""Exports of Appraise (ExportSystemScoresToCSV): direct, document, ESA and MQM campaigns, without a header."""

from __future__ import annotations

import ast
import csv
import json
import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple, cast

from bleu_core.errors import FormatError
from bleu_core.formats.cells import counted_from_1, numbering, scores, whole_numbers
from bleu_core.formats.delimited import Row, ragged_rows
from bleu_core.formats.text import Text
from bleu_core.formats.weights import PUBLISHED, MqmWeights
from bleu_core.judgments import Judgments, Numbering, SetAside

FORMAT = "Appraise (CSV)"
MQM_FORMAT = f"{FORMAT}, MQM"
ITEM_TYPES = frozenset({"TGT", "BAD", "REF", "CHK", "SRC", "BAD.REF"})
LANGUAGE = re.compile(r"[a-z]{3}")
NUMBER = re.compile(r"-?\d+(\.\d+)?")
NUMBERED = re.compile(r"[0-9]{1,12}")
HEADER = ("userid", "systemid")
#: Cells below such a header: a judge, a system, an item, its type and a score.
NARROWEST = 5
#: In a document's name: not a translation as the system gave it, or not part of the campaign.
CONTROL = re.compile(r"#(bad|dup|incomplete)|-(tutorial)")
TEST_SET = re.compile(r"((?:wmt|newstest|newsdev|generaltest)\d{2,4}\.).+")
PAIR_ENDING = re.compile(r".+(\.\d+\.[a-z]{2,3}-[a-z]{2,3}(?:\.(?:txt|sgm))?)")
KINDS: Mapping[int, tuple[str, ...]] = {  # by the width of a row, what stands after the score
    7: (),
    8: ("label",),
    9: ("document", "complete"),
    10: ("document", "complete", "spans"),
    11: ("document", "complete", "start", "end"),
    12: ("document", "complete", "spans", "start", "end"),
}
NOTES: Mapping[Numbering, str] = {
    "line": "the item numbers are taken for lines of the texts",
    "document": (
        "the item numbers count within documents: with the documents' names beside the texts they are placed, "
        "without them the ratings count for systems only"
    ),
    "item": (
        "the item numbers are positions in what each judge saw, and no lines of the texts: the ratings count for "
        "systems, and belong to no segment"
    ),
}


class _Item(NamedTuple):
    """A row: what was rated, by whom, and how."""

    line: int
    judge: str
    system: str
    number: str
    kind: str
    score: str
    document: str = ""
    complete: bool = False
    spans: str = ""

    @property
    def control(self) -> str:
        """Why the row is no rating of a system's segment; empty if it is one."""
        if self.kind != "TGT":
            return f"quality control ({self.kind})"
        control = CONTROL.search(self.document) or CONTROL.search(self.system)
        if control:
            return f"quality control (#{control[1]})" if control[1] else "tutorial"
        return "score of a whole document" if self.complete else ""


def is_appraise(first_lines: str) -> bool:
    """Whether the first line that is not blank is a row of an export: of ratings, or of an assessment of data."""
    cells = _cells(next((line for line in first_lines.split("\n") if line.strip()), ""))
    return _is_header(cells) or _is_rating(cells) or _is_data(cells)


def read_appraise(text: Text, origin: str, *, weights: MqmWeights = PUBLISHED, first_segment: int = 1) -> Judgments:
    """Read an export's ratings; rows of quality control, tutorials and whole documents are set aside.

    Rows have 7 cells (direct), 8 or 9 (with labels of errors, times, or a document), 11 (document) or 12 (ESA and
    MQM, with spans). Where a campaign with spans has only scores of 0 it is one of MQM, and a score is minus the sum
    of the weights of its spans. A system A+B, of equal outputs rated once, is both A and B where each stands alone
    elsewhere. A test set before, and a language pair after every system's name, are no part of it.

    What an item number counts is told from the documents and judges beside it (cells.numbering) and said in the
    notes: only lines are joined to the texts as they are.

    Args:
        text: the file's text.
        origin: the file, for messages.
        weights: what errors cost in a campaign of MQM.
        first_segment: the number the file gives the first segment, 1 or 0, where item numbers are lines.

    Raises:
        FormatError: a row has another width, a cell holds something else than it should, there is no rating, or
            the file is an assessment of data.
    """
    items = _items(ragged_rows(text, origin, ","), origin)
    controls = [item.control for item in items]
    aside = [(why, item.line) for why, item in zip(controls, items, strict=True) if why]
    kept = [item for why, item in zip(controls, items, strict=True) if not why]
    set_aside = SetAside.tally(aside, origin)
    if not kept:
        why = "; ".join(f"{s.count} {s.reason}" for s in set_aside)
        raise FormatError(f"{origin}: no rating in {len(items)} rows, at least 1 expected" + (why and f": {why}"))
    lines = [item.line for item in kept]
    values = scores([item.score for item in kept], lines, origin)
    errors = [_spans(item, origin) for item in kept]
    of_mqm = all(item.spans for item in kept) and not values.any()
    if of_mqm:
        values[:] = [-sum(weights.of(*error) for error in found) for found in errors]
    kept, again, plus = _each_system(kept)
    names, shortened = _short([item.system for item in kept])
    documents = [_document(item, name) for item, name in zip(kept, names, strict=True)]
    counting, numbers = _numbers(items, kept, origin)
    as_lines = counted_from_1(numbers, [i.line for i in kept], origin, first_segment) if counting == "line" else None
    return Judgments.from_ratings(
        names,
        values[again],
        [item.line for item in kept],
        origin,
        segments=as_lines,
        positions=None if as_lines else numbers,
        judges=[item.judge for item in kept],
        documents=[document or None for document in documents],
        first_segment=first_segment,
        format=f"{FORMAT}, {_campaign(kept[0], of_mqm=of_mqm)}",
        numbering=counting,
        set_aside=set_aside,
        notes=(
            *(["scores computed from the error spans", *weights.notes] if of_mqm else []),
            *shortened,
            *plus,
            NOTES[counting],
        ),
    )


def _cells(line: str) -> list[str]:
    try:
        return next(csv.reader([line.rstrip("\r")]))
    except (csv.Error, StopIteration):
        return []


def _is_header(cells: Sequence[str]) -> bool:
    return tuple(cell.strip().lower() for cell in cells[:2]) == HEADER


def _is_rating(cells: Sequence[str]) -> bool:
    return (
        len(cells) in KINDS
        and cells[3].upper() in ITEM_TYPES
        and all(LANGUAGE.match(cell) for cell in cells[4:6])
        and NUMBER.fullmatch(cells[6]) is not None
    )


def _is_data(cells: Sequence[str]) -> bool:
    return len(cells) > 6 and "::" in cells[3] and cells[5].upper() in ITEM_TYPES  # noqa: PLR2004 # user to language


def _items(rows: Sequence[Row], origin: str) -> list[_Item]:
    with_header = bool(rows) and _is_header(rows[0].cells)  # as in the data of Hassan et al. (2018)
    body = rows[1:] if with_header else rows
    width = len(rows[0].cells) if rows else 0
    if rows and _is_data(rows[0].cells):
        raise FormatError(
            f"{origin}: an Appraise assessment of data found, which rates source documents; one of systems expected"
        )
    known = width >= NARROWEST if with_header else width in KINDS
    if not known or not body:
        raise FormatError(
            f"{origin}, line 1: {width} cells found, 7 to 12 expected: UserID, SystemID, ItemID, ItemType, SrcLang, "
            "TgtLang, Score, ..."
        )
    found: list[_Item] = []
    for row in body:
        if len(row.cells) != width:
            raise FormatError(f"{origin}, line {row.line}: {len(row.cells)} cells found, {width} expected as in line 1")
        judge, system, number, kind, *rest = row.cells
        if not system.strip():
            raise FormatError(f"{origin}, line {row.line}: no system, a name expected")
        start = row.line, judge.strip(), system.strip(), number.strip(), kind.strip().upper()
        found.append(_Item(*start, rest[0].strip()) if with_header else _item(start, rest[2:], KINDS[width]))
    return found


def _item(start: tuple[int, str, str, str, str], rest: Sequence[str], names: Sequence[str]) -> _Item:
    """A row, from its first cells, those from the score on, and what stands after the score."""
    score = rest[0].strip()
    complete = rest[1 + names.index("complete")].strip().lower() if "complete" in names else ""
    if complete not in ("true", "false"):  # times, or labels of errors
        return _Item(*start, score)
    spans = rest[1 + names.index("spans")].strip() if "spans" in names else ""
    return _Item(*start, score, rest[1 + names.index("document")].strip(), complete == "true", spans)


def _spans(item: _Item, origin: str) -> list[tuple[str, str]]:
    """The category and severity of each error; old exports write Python's dictionaries instead of JSON."""
    if item.spans in ("", "[]"):
        return []
    try:
        found = json.loads(item.spans)
    except (ValueError, RecursionError):
        try:
            found = ast.literal_eval(item.spans)
        except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
            found = None
    spans = cast("list[object]", found if isinstance(found, list) else [found])
    if not all(isinstance(span, dict) for span in spans):
        raise FormatError(f"{origin}, line {item.line}: spans {item.spans[:40]!r} found, a list of objects expected")
    return [
        (_category(span.get("error_type")), str(span.get("severity")))
        for span in cast("list[dict[str, object]]", spans)
    ]


def _category(kind: object) -> str:
    if isinstance(kind, list):
        return "/".join(str(part) for part in cast("list[object]", kind))
    return "" if kind is None else str(kind)


def _campaign(item: _Item, *, of_mqm: bool) -> str:
    if item.spans:
        return "MQM" if of_mqm else "ESA"
    return "documents" if item.document else "direct assessment"


def _each_system(items: Sequence[_Item]) -> tuple[list[_Item], list[int], tuple[str, ...]]:
    """The ratings with A+B as A and as B, which rating each was, and what to tell."""
    alone = {item.system for item in items if "+" not in item.system}
    joined = {item.system for item in items if "+" in item.system and alone.issuperset(item.system.split("+"))}
    found: list[_Item] = []
    again: list[int] = []
    for i, item in enumerate(items):
        names = item.system.split("+") if item.system in joined else [item.system]
        found += [item if name == item.system else item._replace(system=name) for name in names]
        again += [i] * len(names)
    return found, again, tuple(f"ratings of {name} count for each of its systems" for name in sorted(joined))


def _short(systems: Sequence[str]) -> tuple[list[str], tuple[str, ...]]:
    """The systems without the test set before them and the language pair after them, where all have those."""
    names = list(systems)
    for pattern, cut in ((TEST_SET, str.removeprefix), (PAIR_ENDING, str.removesuffix)):
        matches = [pattern.fullmatch(name) for name in names]
        found = [match[1] for match in matches if match]
        if len(found) == len(names) and (cut is str.removesuffix or len(set(found)) == 1):
            names = [cut(name, part) for name, part in zip(names, found, strict=True)]
    if names == list(systems) or len(set(names)) < len(set(systems)):
        return list(systems), ()
    return names, (f"system names shortened: {systems[0]} to {names[0]}",)


def _document(item: _Item, name: str) -> str:
    """The document without the system that some campaigns put behind it."""
    document, mark, system = item.document.rpartition("#")
    return document if mark and system in (item.system, name) else item.document


def _numbers(items: Sequence[_Item], kept: Sequence[_Item], origin: str) -> tuple[Numbering, list[int]]:
    """What the item numbers count, and those of the ratings kept.

    Documents that name their system come from campaigns whose items are numbered within a batch. Rows of quality
    control have positions as all rows do; tutorials may have any number.
    """
    numbers = whole_numbers([item.number for item in kept], [item.line for item in kept], origin, "item")
    if any(_document(item, item.system.rpartition(".")[2]) != item.document for item in kept):
        return "item", numbers
    shown = [item for item in items if item.control != "tutorial" and NUMBERED.fullmatch(item.number)]
    judges = [item.judge for item in shown]
    bare = {document: CONTROL.split(document)[0] for document in {item.document for item in shown}}
    documents = [bare[item.document] for item in shown]
    return numbering([int(item.number) for item in shown], documents, judges), numbers
