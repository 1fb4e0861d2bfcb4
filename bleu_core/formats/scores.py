"""Metric scores in long tables with a header."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from types import MappingProxyType

import numpy as np

from bleu_core.dataset import ScoreTable, plural
from bleu_core.errors import FormatError
from bleu_core.formats.cells import (
    SEGMENT_HEADERS,
    SYSTEM_HEADERS,
    check_systems,
    join_cells,
    parse_scores,
    parse_segments,
    strip_cells,
)
from bleu_core.formats.column_kinds import TRANSLATION_HEADERS, text_column
from bleu_core.formats.compression import stem_of
from bleu_core.formats.contents import Contents, score_contents
from bleu_core.formats.declaration import Format, Options
from bleu_core.formats.delimited import SUFFIXES, Table, header_names, parse_table
from bleu_core.formats.directions import with_direction
from bleu_core.formats.source import Source
from bleu_core.limits import DEFAULT_LIMITS, Limits

LABEL = "metric scores, one per row"
SYNONYMS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "segment": SEGMENT_HEADERS,
        "system": SYSTEM_HEADERS,
        "metric": ("metric", "metric_name"),
        "score": ("score", "value"),
    }
)
#: The most cells of a file's tables of systems by segments: a single wrong segment number could exhaust the memory.
MAX_CELLS = 2 * 10**7


def is_scores(first_line: str, name: str = "") -> bool:
    """Return whether the first line of a file is a header of metric scores, with a system, a metric and a score."""
    names = header_names(first_line, name)
    return all(not set(SYNONYMS[needed]).isdisjoint(names) for needed in ("system", "metric", "score"))


def read_scores(
    table: Table | None, origin: str, *, first_segment: int = 1, limits: Limits = DEFAULT_LIMITS
) -> tuple[ScoreTable, ...]:
    """Read a long table with a header: system and score, and metric and segment if there are such columns.

    A metric without a name is named after the file. Systems and metrics keep the file's order. Without segments each
    row is the score of a system. A score is missing where it has no row or an empty cell. Lower is better for metrics
    with the name of an error rate, unless one has a score below 0: its sign has been flipped already.

    Args:
        table: the table; None if it is empty.
        origin: the file, for messages.
        first_segment: the number the file gives the first segment, 1 or 0.
        limits: the limits for the file.

    Raises:
        FormatError: a required column is missing or occurs twice, a score or segment is not a number, an item has two
            scores of one metric, or there is no score.
        LimitError: there are too many columns, systems or metrics.
    """
    if table is None or not table.lines:
        raise FormatError(f"{origin}: no score below the header, at least 1 expected")
    where: dict[str, int] = {}
    for name, synonyms in SYNONYMS.items():
        places = table.places(synonyms)
        if len(places) > 1:
            raise FormatError(f"{origin}, line {table.line}: {len(places)} columns give the {name}; keep one")
        if places:
            where[name] = places[0]
        elif name in ("system", "score"):
            raise FormatError(
                f"{origin}, line {table.line}: no column {name} in the header ({join_cells(table.header)})"
            )
    cells = {name: strip_cells(table.columns[i]) for name, i in where.items()}
    lines = table.lines
    check_systems(cells["system"], lines, origin)
    limits.check("systems", len(set(cells["system"])), origin)
    limits.check("metrics", len(set(cells.get("metric", ()))), origin)
    values = parse_scores(cells["score"], lines, origin, decimal_commas=table.decimal_commas)
    if np.isnan(values).all():
        raise FormatError(f"{origin}: no score in {len(values):,} rows below the header, at least 1 expected")
    numbers = parse_segments(cells["segment"], lines, origin, first_segment) if "segment" in cells else [0] * len(lines)
    metrics = cells.get("metric") or [stem_of(origin)] * len(lines)
    rows: dict[str, dict[tuple[str, int], tuple[float, int]]] = {}
    for metric, system, number, value, line in zip(
        metrics, cells["system"], numbers, values.tolist(), lines, strict=True
    ):
        first_scores = rows.setdefault(metric, {})
        first = first_scores.setdefault((system, number), (value, line))[1]
        if first != line:
            item = join_cells(
                [metric or "the metric", f"{system}, segment {number + first_segment - 1}" if number else system],
                " for ",
            )
            raise FormatError(
                f"{origin}, line {line}: second score of {item} found, 1 expected; the first is in line {first}"
            )
    _check_places(rows.values(), origin)
    column = text_column(table, TRANSLATION_HEADERS)
    texts = {} if column is None else dict(zip(lines, column, strict=True))
    return tuple(
        _table(
            metric or stem_of(origin),
            {key: value for key, (value, _) in first_scores.items()},
            {key: texts[line] for key, (_, line) in first_scores.items()} if texts else {},
            origin,
        )
        for metric, first_scores in rows.items()
    )


def _check_places(metrics: Iterable[Mapping[tuple[str, int], object]], origin: str) -> None:
    """Check that no segment number makes the tables of systems by segments too large for the memory."""
    n_places = 0
    for scores in metrics:
        width, systems = max(number for _, number in scores), len({system for system, _ in scores})
        n_places += width * systems
        if n_places > MAX_CELLS:
            raise FormatError(
                f"{origin}: segment {width:,} of {systems:,} {plural(systems, 'system')} found, at most {MAX_CELLS:,} "
                "scores expected; are the segments numbered from 1?"
            )


def _table(
    name: str, scores: Mapping[tuple[str, int], float], texts: Mapping[tuple[str, int], str], origin: str
) -> ScoreTable:
    systems = tuple(dict.fromkeys(system for system, _ in scores))
    width = max(number for _, number in scores)
    if not width:
        by_system = {system: value for (system, _), value in scores.items()}
        return with_direction(ScoreTable.of_systems(name, by_system, origin=origin))
    values = np.full((len(systems), width), np.nan)
    order = {system: k for k, system in enumerate(systems)}
    for (system, number), value in scores.items():
        values[order[system], number - 1] = value
    table = ScoreTable.of_segments(name, systems, values, origin=origin, numbered=True)
    if texts:
        scored = (tuple(texts.get((system, n), "") for n in range(1, width + 1)) for system in systems)
        table = replace(table, texts=tuple(scored))
    return with_direction(table)


def _sniff(source: Source) -> float:
    return 0.7 if is_scores(source.first_line, source.name) else 0


def _read(source: Source, options: Options) -> Contents:
    table = parse_table(source.text, source.name, limits=source.limits)
    tables = read_scores(table, source.name, first_segment=options.first_segment, limits=source.limits)
    return score_contents(tables, source, LABEL, options.lower_is_better, notes=() if table is None else table.notes)


FORMAT = Format(
    key="scores",
    label=LABEL,
    description="tables with a header that names system, metric and score",
    roles=("scores",),
    sniff=_sniff,
    read=_read,
    endings=SUFFIXES,
)
