"""Scores of metrics, or of people: mt-metrics-eval's score files, and long tables with a header."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import PurePath
from types import MappingProxyType

import numpy as np

from bleu_core.dataset import Judgments, ScoreTable, plural
from bleu_core.errors import FormatError
from bleu_core.formats.cells import joined, score, scores, segments, stripped
from bleu_core.formats.delimited import columns, delimiter
from bleu_core.formats.text import Text, first_line, split_lines
from bleu_core.limits import DEFAULT_LIMITS, Limits

FORMAT = "scores of metrics, a row each"
EVAL_FORMAT = "mt-metrics-eval scores"
SYNONYMS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "segment": ("segment", "segment_id", "seg_id", "segid", "seg", "line", "line_id", "item", "item_id"),
        "system": ("system", "system_id", "sys", "sys_id", "sysid"),
        "metric": ("metric", "metric_name"),
        "score": ("score", "value"),
    }
)
#: NAME.LEVEL.score, as mt-metrics-eval calls its files.
SUFFIX = re.compile(r"(?P<name>.+?)\.(?P<level>sys|domain|doc|seg)\.score")
#: SRC-TGT.NAME of human scores; those of metrics lie in a folder SRC-TGT.
HUMAN = re.compile(r"(?P<pair>[a-z]{2,3}-[a-z]{2,3}(?:_[A-Za-z]+)?)\.(?P<name>[^.]+)")
#: Places for scores of all metrics of a file, each of its systems by segments: what one segment number too large must
#: not exceed.
LARGEST = 2 * 10**7
#: Metrics of errors, without blanks and hyphens in their names.
OF_ERRORS = frozenset(
    {"ter", "hter", "wer", "mwer", "per", "cer", "cder", "character", "eed", "errors", "errorcount", "errorrate"}
)
#: Possessive: a cell of many digits that is no number takes no longer than one that is.
NUMBER = re.compile(r"[+-]?(?:\d++(?:\.\d*+)?|\.\d++)(?:[eE][+-]?\d++)?")


def is_scores(first_line: str, name: str = "") -> bool:
    """Whether a file's first line is a header of metric scores: a system, a metric and a score."""
    cells = first_line.rstrip("\r").split(delimiter(first_line, name))
    names = {_key(cell.strip('"')) for cell in cells}
    return all(names.intersection(SYNONYMS[needed]) for needed in ("system", "metric", "score"))


def is_eval_scores(first_lines: str, name: str = "") -> bool:
    """Whether every line is a system and a score (or a domain, a system and a score), as mt-metrics-eval writes.

    A single line may be a sentence that ends in a number, unless the file's name ends in .score.
    """
    lines = [line.split() for line in first_lines.removesuffix("\n").split("\n")]
    suffix = PurePath(name).suffix.lower()
    if suffix == ".docs":  # a domain and a document, which may be a number
        return False
    return (len(lines) > 1 or suffix == ".score") and all(
        len(cells) == len(lines[0])
        and len(cells) in (2, 3)
        and (cells[-1] == "None" or NUMBER.fullmatch(cells[-1]) is not None)
        and not NUMBER.fullmatch(cells[0])
        for cells in lines
    )


def is_human_score(name: str) -> bool:
    """Whether a file's name is that of mt-metrics-eval's human scores, as en-de.mqm.seg.score."""
    return _human(name) is not None


def read_scores(
    text: Text, origin: str, *, first_segment: int = 1, limits: Limits = DEFAULT_LIMITS
) -> tuple[ScoreTable, ...]:
    """Read a long table with a header: system and score, metric and segment where they are.

    A metric without a name is called after the file. Systems and metrics keep the file's order. Without segments a
    row is the score of a system. What has no row, or an empty score, is missing. Of a metric that counts errors, as
    its name says, lower is better, unless it has a score below 0: then its sign is turned already.

    Args:
        text: the file's text.
        origin: the file, for messages.
        first_segment: the number the file gives the first segment, 1 or 0.
        limits: the most that the file may hold.

    Raises:
        FormatError: a needed column is missing or named twice, a score or segment is no number, an item has two
            scores of a metric, or there is no score.
        LimitError: there are too many columns, systems or metrics.
    """
    table = columns(text, origin, limits=limits)
    if table is None or not table.lines:
        raise FormatError(f"{origin}: no score in 0 rows below the header, at least 1 expected")
    where: dict[str, int] = {}
    for name, synonyms in SYNONYMS.items():
        places = [i for i, cell in enumerate(table.header) if _key(cell) in synonyms]
        if len(places) > 1:
            raise FormatError(f"{origin}, line 1: {len(places)} columns mean {name}, 1 expected; keep one")
        if places:
            where[name] = places[0]
        elif name in ("system", "score"):
            raise FormatError(f"{origin}, line 1: no column {name} in the header ({joined(table.header)})")
    cell = {name: stripped(table.columns[i]) for name, i in where.items()}
    lines = table.lines
    if "" in cell["system"]:
        raise FormatError(f"{origin}, line {lines[cell['system'].index('')]}: no system, a name expected")
    limits.check("systems", len(set(cell["system"])), origin)
    limits.check("metrics", len(set(cell.get("metric", ()))), origin)
    values = scores(cell["score"], lines, origin)
    if np.isnan(values).all():
        raise FormatError(f"{origin}: no score in {len(values)} rows below the header, at least 1 expected")
    numbers = segments(cell["segment"], lines, origin, first_segment) if "segment" in cell else [0] * len(lines)
    metrics = cell.get("metric") or [PurePath(origin).stem] * len(lines)
    rows: dict[str, dict[tuple[str, int], tuple[float, int]]] = {}
    for metric, system, number, value, line in zip(
        metrics, cell["system"], numbers, values.tolist(), lines, strict=True
    ):
        known = rows.setdefault(metric, {})
        first = known.setdefault((system, number), (value, line))[1]
        if first != line:
            item = joined(
                [metric or "the metric", f"{system}, segment {number + first_segment - 1}" if number else system],
                " for ",
            )
            raise FormatError(
                f"{origin}, line {line}: a second score of {item} found, 1 expected; the first is in line {first}"
            )
    _check_places(rows.values(), origin)
    return tuple(
        _table(metric or PurePath(origin).stem, {key: value for key, (value, _) in known.items()}, origin)
        for metric, known in rows.items()
    )


def read_eval_scores(text: Text, origin: str, *, limits: Limits = DEFAULT_LIMITS) -> tuple[ScoreTable, ...]:
    """Read a score file of mt-metrics-eval, of systems or segments; of domains or documents a table each.

    Every line is a system and a score; None is missing. Of segments a system has a line each, in their order. A
    score of metric and reference is called METRIC-REFERENCE, a human one by its name, as the file's name says.

    Args:
        text: the file's text.
        origin: the file; its name gives the name and the level, which may also be told from the content.
        limits: the most that the file may hold.

    Raises:
        FormatError: a line has other cells, a score is no number, systems differ in their number of lines, or there
            is no score.
        LimitError: there are too many systems, or too many domains or documents, which count as metrics.
    """
    lines, _ = split_lines(text)
    human = _human(origin)
    named = SUFFIX.fullmatch(PurePath(origin).name)
    name = human or (named["name"] if named else PurePath(origin).stem)
    rows: dict[str, dict[str, list[float]]] = {}
    last: dict[tuple[str, str], int] = {}
    width = len(lines[0].split()) if lines else 0
    for number, line in enumerate(lines, start=1):
        cells = line.split()
        if len(cells) != width or width not in (2, 3):
            raise FormatError(
                f"{origin}, line {number}: {len(cells)} cells found, a system and a score expected, "
                "or a domain, a system and a score"
            )
        part = cells[0] if width > 2 else ""  # noqa: PLR2004 # domain, system, score
        of_part = rows.setdefault(part, {})
        of_system = of_part.setdefault(cells[-2], [])
        if not of_system:
            limits.check("metrics", len(rows), origin)
            limits.check("systems", len(of_part), origin)
        of_system.append(score(cells[-1], number, origin))
        last[part, cells[-2]] = number
    if all(math.isnan(value) for part in rows.values() for found in part.values() for value in found):
        raise FormatError(f"{origin}: no score in {len(lines)} lines, at least 1 expected")
    tables: list[ScoreTable] = []
    for part, systems in rows.items():
        lengths = {system: len(found) for system, found in systems.items()}
        expected = Counter(lengths.values()).most_common(1)[0][0]
        for system, found in lengths.items():
            if found != expected:
                raise FormatError(
                    f"{origin}, line {last[part, system]}: {found} scores of {system} found, "
                    f"{expected} expected as of other systems"
                )
        called = f"{name}, {part}" if part else name
        if expected > 1 or (named and named["level"] == "seg"):
            tables.append(
                ScoreTable.of_segments(called, tuple(systems), np.array(list(systems.values())), origin=origin)
            )
        else:
            tables.append(ScoreTable.of_systems(called, {s: found[0] for s, found in systems.items()}, origin=origin))
    return tuple(tables)


def read_eval_judgments(text: Text, origin: str, *, limits: Limits = DEFAULT_LIMITS) -> Judgments:
    """Read a file of human scores, of systems or segments, as ratings of one judge, who has the scores' name.

    Raises:
        FormatError: as read_eval_scores, or the scores are of domains or documents.
        LimitError: as read_eval_scores.
    """
    tables = read_eval_scores(text, origin, limits=limits)
    if len(first_line(text.content).split()) > 2:  # noqa: PLR2004 # domain, system, score
        raise FormatError(
            f"{origin}, line 1: a score of a domain or document found, scores of systems or segments expected"
        )
    return as_judgments(tables[0], limits=limits)


def as_judgments(
    table: ScoreTable,
    *,
    format: str = EVAL_FORMAT,  # noqa: A002 # as the attribute
    limits: Limits = DEFAULT_LIMITS,
) -> Judgments:
    """Human scores as ratings of one judge, who has the scores' name; what is missing is no row.

    Line numbers are those of the score's place, systems in their order.

    Raises:
        FormatError: there is no score.
    """
    of_segments = table.level == "segment"
    values = table.scores if of_segments else table.system_scores[:, None]
    rows, places = np.nonzero(np.isfinite(values))
    return Judgments.from_ratings(
        [table.systems[k] for k in rows],
        values[rows, places],
        (rows * values.shape[1] + places + 1).tolist(),
        table.origin,
        segments=(places + 1).tolist() if of_segments else None,
        judges=table.name,
        format=format,
        limits=limits,
    )


def _human(name: str) -> str | None:
    named = SUFFIX.fullmatch(PurePath(name).name)
    human = HUMAN.fullmatch(named["name"]) if named else None
    return human["name"] if human else None


def _key(cell: str) -> str:
    return cell.strip().lower().replace(" ", "_").replace("-", "_")


def _check_places(metrics: Iterable[Mapping[tuple[str, int], object]], origin: str) -> None:
    """See that no segment number is so large that tables of systems by segments would not fit into memory."""
    places = 0
    for found in metrics:
        width, systems = max(number for _, number in found), len({system for system, _ in found})
        places += width * systems
        if places > LARGEST:
            raise FormatError(
                f"{origin}: segment {width} of {systems} {plural(systems, 'system')} found, {LARGEST:,} scores at most "
                "expected; are the segments numbered from 1 on?"
            )


def _table(name: str, found: Mapping[tuple[str, int], float], origin: str) -> ScoreTable:
    systems = tuple(dict.fromkeys(system for system, _ in found))
    of_errors = _key(name).replace("_", "") in OF_ERRORS and not any(value < 0 for value in found.values())
    width = max(number for _, number in found)
    if not width:
        table = ScoreTable.of_systems(name, {system: value for (system, _), value in found.items()}, origin=origin)
        return replace(table, higher_is_better=not of_errors)
    values = np.full((len(systems), width), np.nan)
    order = {system: k for k, system in enumerate(systems)}
    for (system, number), value in found.items():
        values[order[system], number - 1] = value
    table = ScoreTable.of_segments(name, systems, values, origin=origin, numbered=True)
    return replace(table, higher_is_better=not of_errors)
