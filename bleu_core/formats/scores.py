"""Metric scores in tables with a header: a row per score, or per segment with a column per metric or system."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

import numpy as np

from bleu_core.dataset import ScoreTable, plural
from bleu_core.errors import FormatError, listed
from bleu_core.formats.cells import (
    SEGMENT_HEADERS,
    SYSTEM_HEADERS,
    check_equal_counts,
    check_systems,
    join_cells,
    normal_header,
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
from bleu_core.formats.number_tables import OWN, NumberTable, is_number_table, layout_of
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
#: Names of metrics in headers.
METRICS = re.compile(
    r"(?:^|_)(?:x?comet|metricx|bleurt|kiwi|cometkiwi|bleu|sacrebleu|chrf|ter|hter|wer|cer|bertscore|bartscore|yisi|"
    r"meteor|prism|gemba|unite|rouge|nist|ribes|sescore|eed|matese|maee|xlsim|mee)|comet|metricx|bleurt|kiwi|bleu|chrf"
)
#: The header of MetricX's scores, which does not name the metric -> its name.
NAMES: Mapping[str, str] = MappingProxyType({"prediction": "MetricX"})
KIND = NumberTable(key="scores", what="score", columns=SYNONYMS, several=METRICS, named="metric", by_stem=True)
#: The most cells of a file's tables of systems by segments: a single wrong segment number could exhaust the memory.
MAX_CELLS = 2 * 10**7


def is_scores(first_line: str, name: str = "") -> bool:
    """Return whether the first line of a file is a header of metric scores, with a system, a metric and a score."""
    names = header_names(first_line, name)
    return all(not set(SYNONYMS[needed]).isdisjoint(names) for needed in ("system", "metric", "score"))


def read_scores(
    table: Table | None,
    origin: str,
    *,
    kind: NumberTable = KIND,
    own: Mapping[str, str] = MappingProxyType({}),
    first_segment: int = 1,
    limits: Limits = DEFAULT_LIMITS,
) -> tuple[tuple[ScoreTable, ...], tuple[str, ...]]:
    """Read a table with a header: a row per score, or per segment with a column per metric or system.

    A metric without a name is named after the file, and so is a system, whose metric is then called score. Systems and
    metrics keep the file's order. Without segments each row is the score of a system, or in tables with a column per
    system of the next segment. A score is missing where it has no row or an empty cell. Lower is better for metrics
    with the name of an error rate, unless one has a score below 0: its sign has been flipped already.

    Args:
        table: the table; None if it is empty.
        origin: the file, for messages.
        kind: the kind of tables.
        own: the options of the format: those of number_tables, and the metric.
        first_segment: the number the file gives the first segment, 1 or 0.
        limits: the limits for the file.

    Returns:
        A table per metric, and sentences about what was recognised and is not used.

    Raises:
        FormatError: a required column is missing or occurs twice, a score or segment is not a number, an item has two
            scores of one metric, systems differ in their number of segments, or there is no score.
        LimitError: there are too many columns, systems or metrics.
    """
    if table is None or not table.lines:
        raise FormatError(f"{origin}: no score below the header, at least 1 expected")
    layout = layout_of(table, kind, own, origin)
    lines, metric = table.lines, own.get("metric", "")
    cells = {name: strip_cells(table.columns[i]) for name, i in layout.roles.items()}
    if "system" in cells:
        check_systems(cells["system"], lines, origin)
    names = [NAMES.get(normal_header(name), name) for _, name in layout.numbers]
    if layout.named == "metric" and metric and len(names) > 1:
        raise FormatError(
            f"{origin}, line {table.line}: {len(names)} columns of scores ({listed(names)}) and the name {metric} "
            "found, 1 column expected; leave out the name, or the other columns"
        )
    limits.check("systems", len(set(names if layout.named == "system" else cells.get("system", ()))), origin)
    limits.check("metrics", max(len(set(cells.get("metric", ()))), len(names) * (layout.named == "metric")), origin)
    rows_of_systems = kind.in_order or (len(lines) > 1 and cells.keys().isdisjoint(("system", "metric")))
    in_order = "segment" not in cells and rows_of_systems
    numbers = parse_segments(cells["segment"], lines, origin, first_segment) if "segment" in cells else [0] * len(lines)
    if in_order:
        numbers = _places_of(cells.get("system") or [layout.system] * len(lines), origin)
    unnamed = "score" if layout.by_stem else stem_of(origin)
    rows: dict[str, dict[tuple[str, int], tuple[float, int]]] = {}
    for (place, _), name in zip(layout.numbers, names, strict=True):
        values = parse_scores(strip_cells(table.columns[place]), lines, origin, decimal_commas=table.decimal_commas)
        of_metric = metric or (name if layout.named == "metric" else "")
        if np.isnan(values).all():
            what = f"score of {of_metric or name}" if of_metric or name else "score"
            raise FormatError(f"{origin}: no {what} in {len(values):,} rows, at least 1 expected")
        metrics = [of_metric] * len(lines) if of_metric or "metric" not in cells else cells["metric"]
        systems = [name] * len(lines) if layout.named == "system" else cells.get("system")
        for of_row, system, number, value, line in zip(
            metrics, systems or [layout.system] * len(lines), numbers, values.tolist(), lines, strict=True
        ):
            first_scores = rows.setdefault(of_row or unnamed, {})
            first = first_scores.setdefault((system, number), (value, line))[1]
            if first != line:
                item = f"{system}, segment {number + first_segment - 1}" if number else system
                raise FormatError(
                    f"{origin}, line {line}: second score of {join_cells([of_row or unnamed, item], ' for ')} found, "
                    f"1 expected; the first is in line {first}"
                )
    _check_places(rows.values(), origin)
    column = text_column(table, TRANSLATION_HEADERS) if layout.named == "metric" else None
    texts = {} if column is None else dict(zip(lines, column, strict=True))
    tables = tuple(
        replace(
            _table(
                name,
                {key: value for key, (value, _) in first_scores.items()},
                {key: texts[line] for key, (_, line) in first_scores.items()} if texts else {},
                origin,
                numbered=not in_order,
            ),
            naming_format=kind.key if layout.by_stem else "",
        )
        for name, first_scores in rows.items()
    )
    return tables, (*table.notes, *layout.notes)


def _places_of(systems: Sequence[str], origin: str) -> list[int]:
    """Return the segment of each row, counted from 1 for each system, which have equally many."""
    counts: Counter[str] = Counter()
    numbers: list[int] = []
    for system in systems:
        counts[system] += 1
        numbers.append(counts[system])
    check_equal_counts(counts, "row", origin)
    return numbers


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
    name: str,
    scores: Mapping[tuple[str, int], float],
    texts: Mapping[tuple[str, int], str],
    origin: str,
    *,
    numbered: bool,
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
    table = ScoreTable.of_segments(name, systems, values, origin=origin, numbered=numbered)
    if texts:
        scored = (tuple(texts.get((system, n), "") for n in range(1, width + 1)) for system in systems)
        table = replace(table, texts=tuple(scored))
    return with_direction(table)


def _sniff(source: Source) -> float:
    if is_scores(source.first_line, source.name):
        return 0.7
    return 0.5 if is_number_table(source.first_line, source.name, KIND) else 0


def _read(source: Source, options: Options) -> Contents:
    table = parse_table(source.text, source.name, limits=source.limits)
    first, own = options.first_segment, options.own
    tables, notes = read_scores(table, source.name, own=own, first_segment=first, limits=source.limits)
    return score_contents(tables, source, LABEL, options.lower_is_better, notes=notes)


FORMAT = Format(
    key="scores",
    label=LABEL,
    description="tables of metric scores: a row per score, or a column per metric or system",
    roles=("scores",),
    sniff=_sniff,
    read=_read,
    endings=SUFFIXES,
    own={**OWN, "metric": "Metric"},
)
