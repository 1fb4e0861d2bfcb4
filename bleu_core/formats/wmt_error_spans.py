"""Error spans that metrics submit to WMT: the tables of WMT25's second subtask, and those of quality estimation."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import compress

from bleu_core.dataset import NO_PLACE, Errors, MarkedError, normal_severity
from bleu_core.errors import FormatError
from bleu_core.formats.cells import cell_count, check_filled, parse_whole_number, parse_whole_numbers, strip_cells
from bleu_core.formats.contents import Contents, score_contents
from bleu_core.formats.declaration import Format, Options
from bleu_core.formats.delimited import parse_table
from bleu_core.formats.document_ids import label_of_pair, language_pair, select_pair
from bleu_core.formats.error_spans import MISSING, NO_NUMBERS, Rating, mqm_score
from bleu_core.formats.number_tables import TableKind
from bleu_core.formats.score_tables import second_score, tables_of_rows
from bleu_core.formats.source import Source
from bleu_core.formats.weights import PUBLISHED

LABEL = "error spans of WMT (TSV)"
#: The columns of errors, each with one entry per error, separated by blanks.
SPANS = ("start_indices", "end_indices", "error_types")
TEXT, SET = "hypothesis_segment", "set_id"
#: The columns of a table of WMT25 that are required.
REQUIRED = (*SPANS, "source_lang", "target_lang", "segment_id", "system_id")
KIND = TableKind(
    key="wmt-error-spans",
    label=LABEL,
    what="error",
    columns={name: (name,) for name in (*REQUIRED, TEXT, SET)},
    required=REQUIRED,
)
OFFICIAL = "official"
NO_ERROR = "no-error"
WHOLE_NUMBER = re.compile(r"-?[0-9]{1,9}")
#: The lines before the rows of quality estimation: disk footprint, parameters and ensembled models.
QE_LINES = 3
QE_WIDTH = 7
COMPUTED = "scores computed from the error spans: minus the sum of their weights in MQM"


def _sniff(source: Source) -> float:
    return 0.9 if _is_wmt25(source) or _is_quality_estimation(source.first_lines) else 0


def _is_wmt25(source: Source) -> bool:
    return KIND.names(source.first_line.rstrip("\r").split("\t"))


def _is_quality_estimation(first_lines: str) -> bool:
    """Return whether a file begins with three numbers and a row of error spans of quality estimation."""
    lines = [line.rstrip("\r") for line in first_lines.split("\n")[: QE_LINES + 1]]
    if len(lines) <= QE_LINES or not all(re.fullmatch(r"\s*[0-9]+\s*", line) for line in lines[:QE_LINES]):
        return False
    cells = lines[QE_LINES].split("\t")
    return len(cells) == QE_WIDTH and bool(language_pair(cells[0])) and cells[2].strip().isdecimal()


def _wmt25(source: Source) -> Iterator[Rating]:
    """Yield the rows of a table of WMT25; those of the official set, if it has others, too."""
    table = parse_table(source.text, source.name, separator="\t", limits=source.limits)
    if table is None:
        return
    at = KIND.columns_of(table.header, f"{source.name}, line {table.line}")
    cells = {role: strip_cells(table.columns[place]) for role, place in at.items()}
    check_filled(cells["system_id"], table.lines, source.name)
    numbers = parse_whole_numbers(cells["segment_id"], table.lines, source.name)
    # Places count white space around the text, too.
    texts = table.columns[at[TEXT]] if TEXT in at else [""] * len(numbers)
    official = [name == OFFICIAL for name in cells.get(SET, ())]
    used = official if any(official) else [True] * len(numbers)
    names = (cells[role] for role in ("source_lang", "target_lang", "system_id", *SPANS))
    for line, number, text, from_, to, system, *spans in compress(
        zip(table.lines, numbers, texts, *names, strict=True), used
    ):
        errors = _errors(spans, text, line)
        score, pair = mqm_score(errors, PUBLISHED), f"{from_}-{to}"
        yield Rating(line, number, system, score, pair=pair, errors=errors, translation=text)


def _quality_estimation(source: Source, system: str) -> Iterator[Rating]:
    """Yield the rows below the three numbers."""
    for line, row in enumerate(source.text.content.split("\n"), start=1):
        cells = row.rstrip("\r").split("\t")
        if line <= QE_LINES or not row.strip():
            continue
        place = f"{source.name}, line {line}"
        if len(cells) != QE_WIDTH:
            raise FormatError(f"{place}: {cell_count(cells)} found, {QE_WIDTH} expected")
        errors = _errors(cells[4:], cells[3], line, last_is_inside=True)
        number, score, pair = parse_whole_number(cells[2], place), mqm_score(errors, PUBLISHED), cells[0].strip()
        yield Rating(line, number, system, score, pair=pair, errors=errors, translation=cells[3])


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
    is_qe = not _is_wmt25(source)
    metric, system = options.own.get("metric") or source.stem, options.own.get("system") or source.stem
    rows = list(_quality_estimation(source, system) if is_qe else _wmt25(source))
    pairs = tuple(dict.fromkeys(row.pair for row in rows))
    selected = select_pair(source.name, pairs, options.pair)
    rows = [row for row in rows if row.pair == selected]
    if not rows:
        raise FormatError(f"{source.name}: no row of error spans found, at least 1 expected")
    source.limits.check("systems", len({row.system for row in rows}), source.name)
    start = 0 if is_qe else min(1, *(row.number for row in rows))
    scores: dict[tuple[str, int], tuple[float, int]] = {}
    for row in rows:
        first = scores.setdefault((row.system, row.number - start + 1), (row.score, row.line))[1]
        if first != row.line:
            item = f"{row.system}, segment {row.number}"
            raise second_score(f"{source.name}, line {row.line}", metric, item, first)
    texts = {row.line: row.translation or "" for row in rows}
    errors = {row.line: row.errors or () for row in rows}
    tables = tables_of_rows({metric: scores}, texts, source.name, errors=errors, numbered=True)
    label = label_of_pair(LABEL, selected)
    contents = score_contents(tables, source, label, options.lower_is_better, notes=(COMPUTED,))
    return replace(contents, pairs=pairs)


FORMAT = Format(
    key=KIND.key,
    label=KIND.label,
    description="error spans that metrics predict for WMT25's second subtask, or for quality estimation of WMT23",
    roles=("scores",),
    sniff=_sniff,
    read=_read,
    endings=(".tsv",),
    pairs=True,
    asks_pair=True,
    own={"metric": "Metric", "system": "System"},
)
