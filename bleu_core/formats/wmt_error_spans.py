"""Error spans that metrics submit to WMT: the tables of WMT25's second subtask, and those of quality estimation."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from bleu_core.dataset import NO_PLACE, Errors, MarkedError, ScoreTable, normal_severity
from bleu_core.errors import FormatError
from bleu_core.formats.cells import check_systems, parse_whole_numbers, strip_cells
from bleu_core.formats.contents import Contents, score_contents
from bleu_core.formats.declaration import Format, Options
from bleu_core.formats.delimited import parse_table
from bleu_core.formats.document_ids import language_pair, select_pair
from bleu_core.formats.error_spans import MISSING, NO_NUMBERS
from bleu_core.formats.source import Source
from bleu_core.formats.weights import PUBLISHED

LABEL = "error spans of WMT (TSV)"
#: The columns of errors, each with one entry per error, separated by blanks.
SPANS = ("start_indices", "end_indices", "error_types")
#: Further columns that a table of WMT25 needs.
REQUIRED = ("source_lang", "target_lang", "segment_id", "system_id")
TEXT, SET = "hypothesis_segment", "set_id"
OFFICIAL = "official"
NO_ERROR = "no-error"
WHOLE_NUMBER = re.compile(r"-?[0-9]{1,9}")
#: The lines before the rows of quality estimation: disk footprint, parameters and ensembled models.
QE_LINES = 3
QE_WIDTH = 7
COMPUTED = "scores computed from the error spans: minus the sum of their weights in MQM"


class _Row(NamedTuple):
    """The errors of one system in one segment; its line is for messages."""

    pair: str
    system: str
    number: int
    text: str
    errors: Errors
    line: int


def is_wmt25(first_line: str) -> bool:
    """Return whether the first line of a file is the header of WMT25's error spans."""
    names = _names(first_line.rstrip("\r").split("\t"))
    return all(name in names for name in (*SPANS, *REQUIRED))


def is_quality_estimation(first_lines: str) -> bool:
    """Return whether a file begins with three numbers and a row of error spans of quality estimation."""
    lines = [line.rstrip("\r") for line in first_lines.split("\n")[: QE_LINES + 1]]
    if len(lines) <= QE_LINES or not all(re.fullmatch(r"\s*[0-9]+\s*", line) for line in lines[:QE_LINES]):
        return False
    cells = lines[QE_LINES].split("\t")
    return len(cells) == QE_WIDTH and bool(language_pair(cells[0])) and cells[2].strip().isdecimal()


def _wmt25(source: Source) -> Iterable[_Row]:
    """Yield the rows of a table of WMT25; those of the official set, if it has others, too."""
    table = parse_table(source.text, source.name, separator="\t", limits=source.limits)
    if table is None:
        return
    names, columns = _names(table.header), [strip_cells(column) for column in table.columns]
    column_of = {name: columns[names.index(name)] for name in (*REQUIRED, *SPANS, SET) if name in names}
    check_systems(column_of["system_id"], table.lines, source.name)
    numbers = parse_whole_numbers(column_of["segment_id"], table.lines, source.name)
    # Places count white space around the text, too.
    texts = table.columns[names.index(TEXT)] if TEXT in names else [""] * len(numbers)
    sets = column_of.get(SET, [""] * len(numbers))
    has_official = OFFICIAL in sets
    spans = zip(*(column_of[name] for name in SPANS), strict=True)
    cells = zip(column_of["source_lang"], column_of["target_lang"], column_of["system_id"], numbers, strict=True)
    for (from_, to, system, number), own, text, name, line in zip(cells, spans, texts, sets, table.lines, strict=True):
        if name == OFFICIAL or not has_official:
            yield _Row(f"{from_}-{to}", system, number, text, errors=_errors(own, text, line), line=line)


def _quality_estimation(source: Source, system: str) -> Iterable[_Row]:
    """Yield the rows below the three numbers."""
    for n, line in enumerate(source.text.content.split("\n"), start=1):
        cells = line.rstrip("\r").split("\t")
        if n <= QE_LINES or not line.strip():
            continue
        if len(cells) != QE_WIDTH:
            raise FormatError(f"{source.name}, line {n}: {len(cells)} cells found, {QE_WIDTH} expected")
        (number,) = parse_whole_numbers([cells[2].strip()], [n], source.name)
        errors = _errors(cells[4:], cells[3], n, last_is_inside=True)
        yield _Row(cells[0].strip(), system, number, cells[3], errors=errors, line=n)


def _errors(spans: Sequence[str], text: str, line: int, *, last_is_inside: bool = False) -> Errors:
    """Return the errors in cells of starts, ends and severities: none for "no-error"."""
    starts, ends, types = (cell.split() for cell in spans)
    if not types or (len(types) == 1 and types[0].lower() == NO_ERROR):
        return ()
    errors: list[MarkedError] = []
    for k, kind in enumerate(types):
        error = MarkedError(NO_PLACE, NO_PLACE, normal_severity(kind), "", text=text or None, line=line)
        start, end = (cells[k] if k < len(cells) else "" for cells in (starts, ends))
        if MISSING in (start.lower(), end.lower()) or start == end == str(NO_PLACE):
            errors.append(error)
        elif WHOLE_NUMBER.fullmatch(start) and WHOLE_NUMBER.fullmatch(end):
            errors.append(error._replace(start=int(start), end=int(end) + last_is_inside))
        else:
            errors.append(error._replace(problem=NO_NUMBERS))
    return tuple(errors)


def _score(row: _Row | None) -> float:
    """Return minus the sum of the weights of errors, NaN for a segment without a row."""
    return float("nan") if row is None else -sum(PUBLISHED.of("", error.severity) for error in row.errors)


def _names(header: Sequence[str]) -> list[str]:
    return [name.strip().lower() for name in header]


def _sniff(source: Source) -> float:
    return 0.9 if is_wmt25(source.first_line) or is_quality_estimation(source.first_lines) else 0


def _read(source: Source, options: Options) -> Contents:
    """Read the error spans of one language pair; a score is minus the sum of the MQM weights of its errors.

    Tables of WMT25 have a header; places count Unicode code points without the end (scoring_esa.py slices with them).
    Segments are numbered from 0 or 1 within the language pair. Rows of quality estimation (WMT23, WMT24) follow three
    lines of numbers; their end is the last character of the span, segments count from 0, and there is one system. The
    options name the metric and that system, which the file does not name.

    Raises:
        FormatError: a segment is not a number, or there are two rows for a segment of a system.
        LanguagePairError: there are several language pairs and none is chosen, or the chosen one is not in the file.
        LimitError: there are too many systems.
    """
    is_qe = not is_wmt25(source.first_line)
    metric, system = options.own.get("metric") or source.stem, options.own.get("system") or source.stem
    rows = list(_quality_estimation(source, system) if is_qe else _wmt25(source))
    pairs = tuple(dict.fromkeys(row.pair for row in rows))
    selected = select_pair(source.name, pairs, options.pair)
    rows = [row for row in rows if row.pair == selected]
    if not rows:
        raise FormatError(f"{source.name}: no row of error spans found, at least 1 expected")
    systems = tuple(dict.fromkeys(row.system for row in rows))
    source.limits.check("systems", len(systems), source.name)
    first = 0 if is_qe else min(1, *(row.number for row in rows))
    width = max(row.number for row in rows) - first + 1
    source.limits.check("lines", width, f"{source.name}, segments")
    row_of: dict[tuple[str, int], _Row] = {}
    for row in rows:
        if row_of.setdefault((row.system, row.number), row) is not row:
            raise FormatError(
                f"{source.name}, line {row.line}: a second row of segment {row.number} of {row.system} found"
            )
    grid = [[row_of.get((system, number)) for number in range(first, first + width)] for system in systems]
    scores = np.array([[_score(row) for row in of_system] for of_system in grid], np.float64)
    table = ScoreTable.of_segments(metric, systems, scores + 0.0, origin=source.name, numbered=True)
    errors = tuple(tuple(row and row.errors for row in of_system) for of_system in grid)
    texts = tuple(tuple(row.text if row else "" for row in of_system) for of_system in grid)
    table = replace(table, errors=errors, texts=texts)
    label = f"{LABEL}, {selected}" if selected else LABEL
    contents = score_contents([table], source, label, options.lower_is_better, notes=(COMPUTED,))
    return replace(contents, pairs=pairs)


FORMAT = Format(
    key="wmt-error-spans",
    label=LABEL,
    description="error spans that metrics predict for WMT25's second subtask, or for quality estimation of WMT23",
    roles=("scores",),
    sniff=_sniff,
    read=_read,
    endings=(".tsv",),
    pairs=True,
    asks_pair=True,
    own={"metric": "Metric", "system": "System"},
)
