"""Segment scores in tables with the scored texts, one row per segment, as MetricX and COMET read and write them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from bleu_core.arrays import Floats
from bleu_core.dataset import ScoreTable, plural
from bleu_core.errors import FormatError, listed
from bleu_core.formats.cells import check_systems, join_cells, normal_header, parse_scores, strip_cells
from bleu_core.formats.column_roles import SYSTEM_HEADERS
from bleu_core.formats.contents import Contents, score_contents
from bleu_core.formats.declaration import Format, Options
from bleu_core.formats.delimited import SUFFIXES, Table, guess_delimiter, header_names, parse_table
from bleu_core.formats.directions import with_direction
from bleu_core.formats.source import Source
from bleu_core.formats.text import Text
from bleu_core.limits import DEFAULT_LIMITS, Limits

LABEL = "scores beside texts"
#: Headers of the scored texts.
TEXT_HEADERS = frozenset({"mt", "hypothesis", "translation", "hyp"})
#: The header of MetricX's scores, which does not name the model.
PREDICTION = "prediction"
METRICX = "MetricX"
#: Names of metrics in headers of scores, in lower case.
METRICS = re.compile("comet|metricx|bleurt|kiwi")
NUMBER = re.compile(r"[+-]?\d++(?:\.\d*+)?(?:e[+-]?\d++)?")
#: A header of scores of any metric.
SCORE = "score"


def is_metricx(first_lines: str, name: str = "") -> bool:
    """Return whether the first lines are those of a table of texts with predictions of MetricX."""
    rows = first_lines.split("\n")
    header = header_names(rows[0], name)
    if PREDICTION not in header or TEXT_HEADERS.isdisjoint(header) or len(rows) < 2:  # noqa: PLR2004 # a row below it
        return False
    place, separator = header.index(PREDICTION), guess_delimiter(rows[0], name)
    predictions = [row.rstrip("\r").split(separator)[place] for row in rows[1:] if row.count(separator) >= place]
    filled = [cell.strip() for cell in predictions if cell.strip()]
    return bool(filled) and all(map(NUMBER.fullmatch, filled))


def read_scored_texts(
    text: Text, origin: str, *, system: str, metric: str = "", limits: Limits = DEFAULT_LIMITS
) -> tuple[ScoreTable, ...]:
    """Read scores in the order of the segments, one per row, of the system in a column or of that of the file.

    Args:
        text: the file's text.
        origin: the file, for messages.
        system: the name of the system where no column names it.
        metric: the name of the scores, if there is one column of them; empty uses the header.
        limits: the limits for the file.

    Returns:
        A table per column of scores.

    Raises:
        FormatError: there is no column of scores, or no score in one; two columns are of one metric; a score is not a
            number; or systems differ in their number of rows.
        LimitError: there are too many systems or metrics.
    """
    table = parse_table(text, origin, limits=limits)
    if table is None or not table.lines:
        raise FormatError(f"{origin}: no score below the header, at least 1 expected")
    metric_columns = {i: name for i, cell in enumerate(table.header) if (name := _metric_of(cell))}
    if not metric_columns:
        raise FormatError(
            f"{origin}, line {table.line}: no column of scores in the header ({join_cells(table.header)}), "
            f"{PREDICTION}, {SCORE} or the name of a metric expected"
        )
    if metric and len(metric_columns) > 1:
        raise FormatError(
            f"{origin}, line {table.line}: {len(metric_columns)} columns of scores "
            f"({listed(metric_columns.values())}) and the name {metric} found, 1 column expected; leave out the name, "
            "or the other columns"
        )
    name, times = Counter(metric_columns.values()).most_common(1)[0]
    if times > 1:
        raise FormatError(f"{origin}, line {table.line}: {times} columns have scores of {name}; keep one")
    limits.check("metrics", len(metric_columns), origin)
    rows = _rows_of_systems(table, system, origin, limits)
    return tuple(
        _scores_of(table, i, metric=metric or name, rows=rows, origin=origin) for i, name in metric_columns.items()
    )


def _metric_of(header: str) -> str:
    """Return the metric of a column by its header; empty if it is not a column of scores."""
    word = normal_header(header)
    if word == PREDICTION:
        return METRICX
    return header.strip() if word == SCORE or METRICS.search(word) else ""


def _rows_of_systems(table: Table, system: str, origin: str, limits: Limits) -> dict[str, list[int]]:
    """Return the rows of each system, in their order."""
    places = table.places(SYSTEM_HEADERS)
    if not places:
        return {system: list(range(len(table.lines)))}
    rows_by_system: dict[str, list[int]] = {}
    systems = strip_cells(table.columns[places[0]])
    check_systems(systems, table.lines, origin)
    for row, name in enumerate(systems):
        rows_by_system.setdefault(name, []).append(row)
    limits.check("systems", len(rows_by_system), origin)
    expected = Counter(map(len, rows_by_system.values())).most_common(1)[0][0]
    for name, rows in rows_by_system.items():
        if len(rows) != expected:
            raise FormatError(
                f"{origin}: {len(rows):,} {plural(len(rows), 'row')} of {name} found, {expected:,} expected as for the "
                "other systems"
            )
    return rows_by_system


def _scores_of(table: Table, place: int, metric: str, rows: dict[str, list[int]], origin: str) -> ScoreTable:
    cells: Sequence[str] = table.columns[place]
    values: Floats = parse_scores(strip_cells(cells), table.lines, origin, decimal_commas=table.decimal_commas)
    if np.isnan(values).all():
        raise FormatError(f"{origin}: no score of {metric} in {len(values):,} rows, at least 1 expected")
    system_values = np.array([values[own] for own in rows.values()])
    scores = ScoreTable.of_segments(metric, tuple(rows), system_values, origin=origin)
    texts = [table.columns[i] for i in table.places(TEXT_HEADERS)]
    if len(texts) == 1:
        scores = replace(scores, texts=tuple(tuple(texts[0][row] for row in own) for own in rows.values()))
    return with_direction(scores)


def _sniff(source: Source) -> float:
    if is_metricx(source.first_lines, source.name):
        return 0.8
    header = header_names(source.first_line, source.name)
    scored = not TEXT_HEADERS.isdisjoint(header) and any(map(_metric_of, header))
    return 0.15 if scored else 0  # less than a table of texts, the format of such files in other roles


def _read(source: Source, options: Options) -> Contents:
    system, metric = options.own.get("system") or source.stem, options.own.get("metric", "")
    tables = read_scored_texts(source.text, source.name, system=system, metric=metric, limits=source.limits)
    return score_contents(tables, source, LABEL, options.lower_is_better)


FORMAT = Format(
    key="scored-texts",
    label=LABEL,
    description="tables with a text and its score per row, as MetricX and COMET have them",
    roles=("scores",),
    sniff=_sniff,
    read=_read,
    endings=SUFFIXES,
    own={"system": "System", "metric": "Metric"},
)
