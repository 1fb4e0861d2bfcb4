"""Metric scores in tables with a header: a row per score, or per segment with a column per metric or system."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

from bleu_core.errors import FormatError, listed
from bleu_core.formats.cells import SEGMENT_HEADERS, SYSTEM_HEADERS, check_equal_counts, normal_header
from bleu_core.formats.column_kinds import TRANSLATION_HEADERS, text_column
from bleu_core.formats.compression import stem_of
from bleu_core.formats.contents import Contents, score_contents
from bleu_core.formats.declaration import Format, Options
from bleu_core.formats.delimited import SUFFIXES, parse_table
from bleu_core.formats.directions import with_direction
from bleu_core.formats.number_tables import OWN, NumberRows, TableKind
from bleu_core.formats.score_tables import second_score, tables_of_rows
from bleu_core.formats.source import Source

#: Names of metrics in headers.
METRICS = re.compile(
    r"(?:^|_)(?:x?comet|metricx|bleurt|kiwi|cometkiwi|bleu|sacrebleu|chrf|ter|hter|wer|cer|bertscore|bartscore|yisi|"
    r"meteor|prism|gemba|unite|rouge|nist|ribes|sescore|eed|matese|maee|xlsim|mee)|comet|metricx|bleurt|kiwi|bleu|chrf"
)
#: The header of MetricX's scores, which does not name the metric -> its name.
NAMES: Mapping[str, str] = {"prediction": "MetricX"}
KIND = TableKind(
    key="scores",
    label="metric scores, one per row",
    what="score",
    columns={
        "segment": SEGMENT_HEADERS,
        "system": SYSTEM_HEADERS,
        "metric": ("metric", "metric_name"),
        "score": ("score", "value"),
    },
    required=("system", "metric", "score"),
    several=METRICS,
    named="metric",
    by_stem=True,
)


def read_scores(source: Source, options: Options, *, kind: TableKind = KIND) -> Contents:
    """Read a table with a header: a row per score, or per segment with a column per metric or system.

    A metric without a name is named after the file, and so is a system, whose metric is then called score. Systems and
    metrics keep the file's order. Without segments each row is the score of a system, or in tables with a column per
    system of the next segment. A score is missing where it has no row or an empty cell. Lower is better for metrics
    with the name of an error rate, unless one has a score below 0: its sign has been flipped already.

    Args:
        source: the file.
        options: the options; those of the format are those of number_tables, and the metric.
        kind: the kind of tables.

    Raises:
        FormatError: a required column is missing or occurs twice, a score or segment is not a number, an item has two
            scores of one metric, systems differ in their number of segments, or there is no score.
        LimitError: there are too many columns, systems or metrics.
    """
    origin, limits = source.name, source.limits
    table = parse_table(source.text, origin, limits=limits)
    if table is None or not table.lines:
        raise FormatError(f"{origin}: no score below the header, at least 1 expected")
    rows = NumberRows(table, kind, origin, options)
    cells, lines, metric = rows.cells, table.lines, options.own.get("metric", "")
    names = [NAMES.get(normal_header(name), name) for name, _ in rows.numbers]
    are_metrics = rows.named == "metric"
    if are_metrics and metric and len(names) > 1:
        raise FormatError(
            f"{origin}, line {table.line}: {len(names)} columns of scores ({listed(names)}) and the name {metric} "
            "found, 1 column expected; leave out the name, or the other columns"
        )
    systems = cells.get("system") or [rows.system] * len(lines)
    limits.check("systems", len(set(systems if rows.named != "system" else names)), origin)
    limits.check("metrics", max(len(set(cells.get("metric", ()))), len(names) * are_metrics), origin)
    in_order = rows.segments is None and (kind.in_order or (len(lines) > 1 and cells.keys().isdisjoint(KIND.required)))
    numbers = rows.segments or (_places_of(systems, origin) if in_order else [0] * len(lines))
    unnamed = "score" if rows.by_stem else stem_of(origin)
    by_metric: dict[str, dict[tuple[str, int], tuple[float, int]]] = {}
    for name, (_, values) in zip(names, rows.numbers, strict=True):
        of_metric = metric or (name if are_metrics else "")
        metrics = [of_metric] * len(lines) if of_metric or "metric" not in cells else cells["metric"]
        own_systems = [name] * len(lines) if rows.named == "system" else systems
        for of_row, system, number, value, line in zip(
            metrics, own_systems, numbers, values.tolist(), lines, strict=True
        ):
            scores = by_metric.setdefault(of_row or unnamed, {})
            first = scores.setdefault((system, number), (value, line))[1]
            if first != line:
                item = f"{system}, segment {number + options.first_segment - 1}" if number else system
                raise second_score(f"{origin}, line {line}", of_row or unnamed, item, first)
    column = text_column(table, TRANSLATION_HEADERS) if are_metrics else None
    texts = {} if column is None else dict(zip(lines, column, strict=True))
    naming_format = kind.key if rows.by_stem else ""
    tables = [
        replace(with_direction(scored), naming_format=naming_format)
        for scored in tables_of_rows(by_metric, texts, origin, numbered=not in_order)
    ]
    return score_contents(tables, source, kind.label, options.lower_is_better, notes=rows.notes)


def _places_of(systems: Sequence[str], origin: str) -> list[int]:
    """Return the segment of each row, counted from 1 for each system, which have equally many."""
    counts: Counter[str] = Counter()
    numbers: list[int] = []
    for system in systems:
        counts[system] += 1
        numbers.append(counts[system])
    check_equal_counts(counts, "row", origin)
    return numbers


FORMAT = Format(
    key=KIND.key,
    label=KIND.label,
    description="tables of metric scores: a row per score, or a column per metric or system",
    roles=("scores",),
    sniff=KIND.confidence,
    read=read_scores,
    endings=SUFFIXES,
    own={**OWN, "metric": "Metric"},
)
