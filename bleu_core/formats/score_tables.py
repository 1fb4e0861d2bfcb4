"""Shared parts of the readers of scores: tables of them, and names of systems from file names."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

import numpy as np

from bleu_core.dataset import ScoreTable
from bleu_core.errors import FormatError
from bleu_core.formats.cells import check_equal_counts
from bleu_core.formats.compression import stem_of
from bleu_core.formats.directions import with_direction
from bleu_core.limits import Limits

#: A number. The possessive quantifiers keep matching linear for a long cell of digits that is not a number.
NUMBER = re.compile(r"[+-]?(?:\d++(?:\.\d*+)?|\.\d++)(?:e[+-]?\d++)?", re.IGNORECASE)


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
