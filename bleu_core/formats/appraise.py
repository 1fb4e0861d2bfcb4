"""CSV exports of Appraise (ExportSystemScoresToCSV), without a header: direct assessment, documents, ESA and MQM."""

from __future__ import annotations

import ast
import json
import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple, cast

import numpy as np

from bleu_core.dataset import Judgments, Numbering, UnusedRows
from bleu_core.errors import FormatError
from bleu_core.formats.cells import (
    check_filled,
    detect_numbering,
    parse_scores,
    parse_whole_numbers,
    renumber_from_1,
    strip_cells,
)
from bleu_core.formats.contents import Contents, judgment_contents
from bleu_core.formats.declaration import Format, Options
from bleu_core.formats.delimited import iter_rows, parse_table
from bleu_core.formats.error_spans import appraise_errors, mqm_score
from bleu_core.formats.source import Source
from bleu_core.formats.text import Text
from bleu_core.limits import Limits

LABEL = "Appraise (CSV)"
ITEM_TYPES = frozenset({"TGT", "BAD", "REF", "CHK", "SRC", "BAD.REF"})
LANGUAGE = re.compile(r"[a-z]{3}")
NUMBER = re.compile(r"-?\d+(\.\d+)?")
NUMBERED = re.compile(r"[0-9]{1,12}")
HEADER = ("userid", "systemid")
#: The columns up to the score, below such a header and without one.
HEADED = ("judge", "system", "number", "kind", "score")
FIRST = ("judge", "system", "number", "kind", "source", "target", "score")
#: Parts of document names that mark items which are not the system's own translation or not part of the campaign.
CONTROL = re.compile(r"#(bad|dup|incomplete)|-(tutorial)")
TUTORIAL = "tutorial"
DECODER = json.JSONDecoder()
#: The most characters of spans that are parsed as Python literals, which is slow.
MAX_SPANS_LENGTH = 2**16
#: Text with only those escapes that Python itself writes: its parser warns about others on standard error.
PLAIN_LITERAL = re.compile(r"""(?:[^\\]++|\\[\\'"nrtxuU])*+""")
#: Systems A+B that are named in notes; the others are only counted.
MAX_JOINED = 20
TEST_SET = re.compile(r"((?:wmt|newstest|newsdev|generaltest)\d{2,4}\.).+")
PAIR_ENDING = re.compile(r".+(\.\d+\.[a-z]{2,3}-[a-z]{2,3}(?:\.(?:txt|sgm))?)")
COLUMNS_BY_WIDTH: Mapping[int, tuple[str, ...]] = {  # cells of a row -> the columns after the score
    7: (),
    8: ("label",),
    9: ("document", "complete"),
    10: ("document", "complete", "spans"),
    11: ("document", "complete", "start", "end"),
    12: ("document", "complete", "spans", "start", "end"),
}
NOTES: Mapping[Numbering, str] = {
    "line": "the item numbers are read as lines of the texts",
    "document": (
        "the item numbers count within documents: the ratings can be matched with segments only if a file of documents "
        "is loaded; otherwise they count for systems only"
    ),
    "item": (
        "the item numbers are positions in what each judge saw, not lines of the texts: the ratings count for systems "
        "only"
    ),
}


class _Items(NamedTuple):
    """The rows of an export, by column; each column has one entry per row."""

    lines: Sequence[int]
    judges: Sequence[str]
    systems: Sequence[str]
    numbers: Sequence[str]
    kinds: Sequence[str]
    scores: Sequence[str]
    documents: Sequence[str]
    complete: Sequence[bool]
    spans: Sequence[str]

    def subset(self, rows: Sequence[int]) -> _Items:
        """Return the rows at these positions, in this order."""
        return self._make([column[i] for i in rows] for column in self)

    def controls(self) -> list[str]:
        """Return, for each row, why it is not a rating of a system's segment; empty if it is one."""
        kinds = _map_distinct(self.kinds, lambda kind: "" if kind == "TGT" else f"quality control ({kind})")
        documents, systems = _map_distinct(self.documents, _control), _map_distinct(self.systems, _control)
        return [
            kind or document or system or ("score of a whole document" if complete else "")
            for kind, document, system, complete in zip(kinds, documents, systems, self.complete, strict=True)
        ]


def _sniff(source: Source) -> float:
    """Recognise a first nonblank line that is a row of an export of ratings or of a data assessment."""
    line = next((line for line in source.first_lines.split("\n") if line.strip()), "")
    try:
        cells = next(iter_rows(lambda: (line.rstrip("\r"),), ",", quoted=True, strict=False))[1]
    except (FormatError, StopIteration):
        return 0
    return 0.4 if _is_header(cells) or _is_rating(cells) or _is_data(cells) else 0


def _is_header(cells: Sequence[str]) -> bool:
    return tuple(cell.strip().lower() for cell in cells[:2]) == HEADER


def _is_rating(cells: Sequence[str]) -> bool:
    return (
        len(cells) in COLUMNS_BY_WIDTH
        and cells[3].upper() in ITEM_TYPES
        and all(LANGUAGE.match(cell) for cell in cells[4:6])
        and NUMBER.fullmatch(cells[6]) is not None
    )


def _is_data(cells: Sequence[str]) -> bool:
    return len(cells) > 6 and "::" in cells[3] and cells[5].upper() in ITEM_TYPES  # noqa: PLR2004 # user to language


def _items(text: Text, origin: str, limits: Limits) -> tuple[_Items, tuple[str, ...]]:
    """Return the rows of an export, and notes about them."""
    table = parse_table(text, origin, separator=",", ragged=True, limits=limits)
    first = () if table is None else table.header
    with_header = _is_header(first)  # as in the data of Hassan et al. (2018)
    if _is_data(first):
        raise FormatError(
            f"{origin}: Appraise assessment of data found, which rates source documents; ratings of systems expected"
        )
    width = len(first)
    known = width >= len(HEADED) if with_header else width in COLUMNS_BY_WIDTH
    if table is None or not known or (with_header and not table.lines and table.irregular is None):
        raise FormatError(
            f"{origin}, line 1: {width} cells found, 7 to 12 expected: UserID, SystemID, ItemID, ItemType, SrcLang, "
            "TgtLang, Score, ..."
        )
    table = table if with_header else table.without_header(first)
    names = HEADED if with_header else (*FIRST, *COLUMNS_BY_WIDTH[width])
    cells = {name: strip_cells(column) for name, column in zip(names, table.columns, strict=False)}
    lines = table.lines
    regular = len(lines) if table.irregular is None else bisect_left(lines, table.irregular.line)
    check_filled(cells["system"][:regular], lines, origin)
    table.check_width(origin)
    documents, complete, spans = _described(cells, len(lines))
    items = _Items(
        lines=lines,
        judges=cells["judge"],
        systems=cells["system"],
        numbers=cells["number"],
        kinds=_map_distinct(cells["kind"], str.upper),
        scores=cells["score"],
        documents=documents,
        complete=complete,
        spans=spans,
    )
    return items, table.notes


def _described(cells: Mapping[str, Sequence[str]], rows: int) -> tuple[Sequence[str], Sequence[bool], Sequence[str]]:
    """Return the document, whether all of it was rated, and the spans of each row, from its cells by column."""
    nothing = [""] * rows
    if "complete" not in cells:
        return nothing, [False] * rows, nothing
    complete = _map_distinct(cells["complete"], str.lower)
    documents, spans = cells["document"], cells.get("spans", nothing)
    described = [cell in ("true", "false") for cell in complete]  # else times, or labels of errors
    if not all(described):
        documents, spans = (
            [cell if is_described else "" for cell, is_described in zip(cells, described, strict=True)]
            for cells in (documents, spans)
        )
    return documents, [cell == "true" for cell in complete], spans


def _map_distinct(cells: Sequence[str], change: Callable[[str], str]) -> list[str]:
    """Apply a function to cells, once per distinct value: a million cells have few distinct values."""
    results = {cell: change(cell) for cell in set(cells)}
    return [results[cell] for cell in cells]


def _control(name: str) -> str:
    """Return why items of a document or system of that name do not count; empty if they do."""
    match = CONTROL.search(name)
    if not match:
        return ""
    return f"quality control (#{match[1]})" if match[1] else TUTORIAL


def _spans(cell: str, line: int, origin: str) -> list[dict[str, object]]:
    """Parse the spans of a cell; old exports contain Python dictionaries instead of JSON."""
    try:
        value, end = DECODER.raw_decode(cell)  # faster than json.loads, which also strips white space
        if end < len(cell):
            raise ValueError(cell)  # noqa: TRY301 # as json.loads does
    except (ValueError, RecursionError):
        try:
            value = ast.literal_eval(cell) if len(cell) <= MAX_SPANS_LENGTH and PLAIN_LITERAL.fullmatch(cell) else None
        except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
            value = None
    spans = cast("list[object]", value if isinstance(value, list) else [value])
    if not set(map(type, spans)) <= {dict}:
        raise FormatError(f"{origin}, line {line}: spans {cell[:40]!r} found, a list of objects expected")
    return cast("list[dict[str, object]]", spans)


def _campaign(kept: _Items, *, is_mqm: bool) -> str:
    if kept.spans[0]:
        return "MQM" if is_mqm else "ESA"
    return "documents" if kept.documents[0] else "direct assessment"


def _split_joined_systems(items: _Items) -> tuple[_Items, list[int] | None, tuple[str, ...]]:
    """Return the ratings with A+B as A and as B, the row of each (None if there is no A+B), and notes."""
    names = set(items.systems)
    alone = {name for name in names if "+" not in name}
    joined = {name for name in names - alone if alone.issuperset(name.split("+"))}
    if not joined:
        return items, None, ()
    parts = {name: name.split("+") if name in joined else [name] for name in names}
    source_rows = [i for i, name in enumerate(items.systems) for _ in parts[name]]
    systems = [part for name in items.systems for part in parts[name]]
    notes = tuple(f"ratings of {name} count for both systems" for name in sorted(joined)[:MAX_JOINED])
    if len(joined) > MAX_JOINED:
        notes = (*notes, f"ratings of {len(joined) - MAX_JOINED:,} more such pairs count for both systems")
    return items.subset(source_rows)._replace(systems=systems), source_rows, notes


def _short(systems: Sequence[str]) -> tuple[Sequence[str], tuple[str, ...]]:
    """Return the system names without the common test set before and language pair after them, and a note."""
    names = {system: system for system in systems}
    for pattern, cut in ((TEST_SET, str.removeprefix), (PAIR_ENDING, str.removesuffix)):
        matches = {system: pattern.fullmatch(name) for system, name in names.items()}
        affixes = {system: match[1] for system, match in matches.items() if match}
        if len(affixes) == len(names) and (cut is str.removesuffix or len(set(affixes.values())) == 1):
            names = {system: cut(name, affixes[system]) for system, name in names.items()}
    short = [names[system] for system in systems]
    if all(system == name for system, name in names.items()) or len(set(names.values())) < len(names):
        return systems, ()
    return short, (f"system names shortened: {systems[0]} to {short[0]}",)


def _document(cell: str, system: str, name: str) -> str:
    """Return the document without the system that some campaigns append to it."""
    document, mark, named = cell.rpartition("#")
    return document if mark and named in (system, name) else cell


def _numbers(items: _Items, controls: Sequence[str], kept: _Items, origin: str) -> tuple[Numbering, list[int]]:
    """Return what the item numbers count, and the numbers of the ratings that are kept.

    Documents that name their system come from campaigns whose items are numbered within a batch. Rows of quality
    control are numbered like all rows; tutorials may have any number.
    """
    numbers = parse_whole_numbers(kept.numbers, kept.lines, origin, "item")
    documents_of_systems = dict.fromkeys(zip(kept.documents, kept.systems, strict=True))
    if any(_document(cell, system, system.rpartition(".")[2]) != cell for cell, system in documents_of_systems):
        return "item", numbers
    has_number = {number: NUMBERED.fullmatch(number) is not None for number in set(items.numbers)}
    numbered_items = items.subset(
        [i for i, number in enumerate(items.numbers) if has_number[number] and controls[i] != TUTORIAL]
    )
    documents = _map_distinct(numbered_items.documents, lambda document: CONTROL.split(document)[0])
    return detect_numbering(list(map(int, numbered_items.numbers)), documents, numbered_items.judges), numbers


def _read(source: Source, options: Options) -> Contents:
    """Read an export's ratings; rows of quality control, tutorials and whole documents are not used.

    Rows have 7 cells (direct), 8 or 9 (with labels of errors, times, or a document), 11 (document) or 12 (ESA and
    MQM, with spans). A campaign with spans whose scores are all 0 is one of MQM: a score is minus the sum of the
    weights of its spans. A system A+B (equal outputs, rated once) counts as A and as B if each occurs alone
    elsewhere. If all names of systems begin with the same test set, or end with a language pair, these are removed.

    The documents and judges in the same rows decide what item numbers count (cells.detect_numbering); a note states it.
    Only line numbers are matched with the texts directly.

    Raises:
        FormatError: a row has another width, a cell has the wrong content, there is no rating, or the file is an
            assessment of data.
        LimitError: there are too many columns, systems or judges.
    """
    origin, weights, first_segment = source.name, options.weights, options.first_segment
    items, notes = _items(source.text, origin, source.limits)
    controls = items.controls()
    unused_rows = [(why, line) for why, line in zip(controls, items.lines, strict=True) if why]
    kept = items.subset([i for i, why in enumerate(controls) if not why])
    if not kept.lines:
        why = "; ".join(f"{s.count} {s.reason}" for s in UnusedRows.tally(unused_rows, origin))
        raise FormatError(
            f"{origin}: no rating in {len(items.lines):,} rows, at least 1 expected" + (why and f": {why}")
        )
    values = parse_scores(kept.scores, kept.lines, origin)
    is_mqm = all(kept.spans) and not values.any()
    errors = [
        None if not cell else () if cell == "[]" else appraise_errors(_spans(cell, line, origin), None, line)
        for line, cell in zip(kept.lines, kept.spans, strict=True)
    ]
    if is_mqm:
        values = np.array([mqm_score(marked or (), weights) for marked in errors])
        severities = Counter(error.severity for marked in errors for error in marked or ())
        notes = (*notes, "scores computed from the error spans", *weights.notes_on(severities))
    kept, source_rows, joined_notes = _split_joined_systems(kept)
    names, shortened = _short(kept.systems)
    documents = [_document(*cells) for cells in zip(kept.documents, kept.systems, names, strict=True)]
    detected_numbering, numbers = _numbers(items, controls, kept, origin)
    if detected_numbering == "line":
        numbers = renumber_from_1(numbers, kept.lines, origin, first_segment)
    judgments = Judgments.from_ratings(
        names,
        values if source_rows is None else values[source_rows],
        kept.lines,
        origin,
        segments=numbers,
        judges=kept.judges,
        documents=documents,
        errors=errors if source_rows is None else [errors[i] for i in source_rows],
        first_segment=first_segment,
        format=f"{LABEL}, {_campaign(kept, is_mqm=is_mqm)}",
        numbering=detected_numbering,
        unused_rows=unused_rows,
        notes=(*notes, *shortened, *joined_notes, NOTES[detected_numbering]),
        limits=source.limits,
    )
    return judgment_contents(judgments, source, weights=weights if is_mqm else None)


FORMAT = Format(
    key="appraise",
    label=LABEL,
    description="results of Appraise (CSV)",
    roles=("judgments",),
    sniff=_sniff,
    read=_read,
    endings=(".csv",),
)
