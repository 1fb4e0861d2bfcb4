"""Shared parts of the readers of scores: tables of them, and names of systems from file names."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np

from bleu_core.dataset import Errors, ScoreTable, plural
from bleu_core.errors import FormatError
from bleu_core.formats.cells import check_equal_counts, join_cells
from bleu_core.formats.compression import stem_of
from bleu_core.formats.directions import with_direction
from bleu_core.limits import Limits

#: A number. The possessive quantifiers keep matching linear for a long cell of digits that is not a number.
NUMBER = re.compile(r"[+-]?(?:\d++(?:\.\d*+)?|\.\d++)(?:e[+-]?\d++)?", re.IGNORECASE)
#: The most cells of a file's tables of systems by segments: a single wrong segment number could exhaust the memory.
MAX_CELLS = 2 * 10**7


def tables_of(
    scores: Mapping[str, Mapping[str, Sequence[float]]], origin: str, limits: Limits, *, of_segments: bool = False
) -> tuple[ScoreTable, ...]:
    """Return a table per metric, with the direction that its name suggests.

    Args:
        scores: metric -> system -> its scores in the order of the segments; NaN for a missing one.
        origin: the file, for messages.
        limits: the limits for the file.
        of_segments: whether a single score of each system is that of a segment, and not of the system.

    Raises:
        FormatError: the systems of a metric differ in their number of scores, there is none, or a name cannot be
            written.
        LimitError: there are too many systems or metrics.
    """
    limits.check("metrics", len(scores), origin)
    if all(np.isnan(own).all() for of_metric in scores.values() for own in of_metric.values()):
        raise FormatError(f"{origin}: no score found, at least 1 expected")
    tables: list[ScoreTable] = []
    for metric, of_metric in scores.items():
        check_writable(metric, origin)
        limits.check("systems", len(of_metric), origin)
        count = check_equal_counts({system: len(own) for system, own in of_metric.items()}, "score", origin)
        if count > 1 or of_segments:
            values = np.array(list(of_metric.values()), np.float64)
            table = ScoreTable.of_segments(metric, tuple(of_metric), values, origin=origin)
        else:
            table = ScoreTable.of_systems(metric, {system: own[0] for system, own in of_metric.items()}, origin=origin)
        tables.append(with_direction(table))
    return tuple(tables)


def second_score(place: str, metric: str, item: str, first: int) -> FormatError:
    """Return the error for a second score of a metric for an item; the first is in line `first`."""
    scored = join_cells([metric, item], " for ")
    return FormatError(f"{place}: second score of {scored} found, 1 expected; the first is in line {first}")


def tables_of_rows(
    by_metric: Mapping[str, Mapping[tuple[str, int], tuple[float, int]]],
    texts: Mapping[int, str],
    origin: str,
    *,
    errors: Mapping[int, Errors] | None = None,
    numbered: bool,
) -> Iterator[ScoreTable]:
    """Yield the table of each metric.

    Args:
        by_metric: metric -> system and segment, 0 for scores of systems -> the score, and its line.
        texts: line -> the scored text; empty if the file has none.
        origin: the file.
        errors: line -> the marked errors; None if the file has none.
        numbered: whether the file numbers the segments.

    Raises:
        FormatError: a segment number makes the tables too large for the memory.
    """
    n_places = 0
    for name, scores in by_metric.items():
        order = {system: k for k, system in enumerate(dict.fromkeys(system for system, _ in scores))}
        width = max(number for _, number in scores)
        n_places += width * len(order)
        if n_places > MAX_CELLS:
            raise FormatError(
                f"{origin}: segment {width:,} of {len(order):,} {plural(len(order), 'system')} found, at most "
                f"{MAX_CELLS:,} scores expected; are the segments numbered from 1?"
            )
        if not width:
            by_system = {system: value for (system, _), (value, _) in scores.items()}
            yield ScoreTable.of_systems(name, by_system, origin=origin)
            continue
        values = np.full((len(order), width), np.nan)
        scored = [[""] * width for _ in order] if texts else []
        marked: list[list[Errors | None]] = [[None] * width for _ in order] if errors else []
        for (system, number), (value, line) in scores.items():
            values[order[system], number - 1] = value
            if texts:
                scored[order[system]][number - 1] = texts[line]
            if errors:
                marked[order[system]][number - 1] = errors[line]
        table = ScoreTable.of_segments(name, tuple(order), values, origin=origin, numbered=numbered)
        yield replace(table, texts=tuple(map(tuple, scored)) or None, errors=tuple(map(tuple, marked)) or None)


def check_writable(name: str, origin: str) -> str:
    """Return the name of a system or a metric after checking that it can be written.

    Raises:
        FormatError: it has a lone surrogate, which JSON can express and a text file cannot.
    """
    try:
        name.encode("utf-8")
    except UnicodeEncodeError:
        raise FormatError(f"{origin}: the name {ascii(name)[:60]} has half of a surrogate pair; rename it") from None
    return name


def system_of_path(path: str, known: dict[str, str], origin: str) -> str:
    """Return the name of a system by the path of its output: the file name without folders and its last ending.

    Args:
        path: the path of the output, on any machine.
        known: system that has been read -> its path; this one is added.
        origin: the file of scores, for messages.

    Raises:
        FormatError: the name is empty, belongs to another system, or cannot be written.
    """
    name = check_writable(stem_of(path.replace("\\", "/").strip()), origin)
    if not name:
        raise FormatError(f"{origin}: {path[:40]!r} found as a system, the name of its file expected")
    if name in known:
        raise FormatError(f"{origin}: both {known[name]!r} and {path!r} are scores of {name}; rename one of the two")
    known[name] = path
    return name
