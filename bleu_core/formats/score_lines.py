"""Scores in plain lines: numbers alone, as of BLEURT, and what comet-score and sacreBLEU print."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np

from bleu_core.dataset import ScoreTable
from bleu_core.errors import FormatError
from bleu_core.formats.cells import check_equal_counts, parse_score
from bleu_core.formats.contents import Contents, score_contents
from bleu_core.formats.declaration import Format, Options
from bleu_core.formats.directions import with_direction
from bleu_core.formats.json_scores import check_writable, system_of_path
from bleu_core.formats.source import Source
from bleu_core.formats.text import split_lines
from bleu_core.formats.text_roles import guess_text_role

KEY = "score-lines"
LABEL = "scores, one per line"
#: The name of scores in a file that names no metric.
UNNAMED = "score"
COMET = "COMET"
_NUMBER = r"(?P<score>[+-]?(?:\d++(?:\.\d*+)?|\.\d++)(?:e[+-]?\d++)?|nan)"
NUMBER = re.compile(_NUMBER, re.IGNORECASE)
#: A line of comet-score, for a segment or a system, perhaps with the variance of its dropout (comet/cli/score.py).
COMET_LINE = re.compile(
    rf"(?P<system>[^\t]+)\t(?:Segment (?P<segment>\d{{1,12}})\t)?score: {_NUMBER}(?:\tvariance: \S+)?", re.IGNORECASE
)
#: A line of sacreBLEU: metric|signature = score, and what the score is computed from.
SACREBLEU_LINE = re.compile(rf"\s*(?P<metric>[A-Za-z][\w+-]*)\|\S+ = {_NUMBER}(?:\s.*)?", re.IGNORECASE)
LINES = (NUMBER, COMET_LINE, SACREBLEU_LINE)
#: The fewest numbers in lines that are recognised: a single one may be a text.
MIN_LINES = 2


def read_score_lines(source: Source, *, system: str, metric: str = "") -> tuple[ScoreTable, ...]:
    """Read scores, one per line in the order of the segments; a single line of sacreBLEU is the score of the system.

    Args:
        source: the file.
        system: the name of the system, unless lines name systems by the paths of their files.
        metric: the name of the metric; empty if lines or the format name it.

    Returns:
        A table per metric; that of comet-score has the scores of segments and of systems.

    Raises:
        FormatError: a line is in another form than the first one, systems differ in their number of segments or
            segments are not numbered from 0, or there is no score.
        LimitError: there are too many systems or metrics.
    """
    origin = source.name
    lines, _ = split_lines(source.text)
    first = lines[0].strip() if lines else ""
    form = next((form for form in LINES if form.fullmatch(first)), None)
    if form is None:
        raise FormatError(f"{origin}, line 1: {first[:40]!r} found, a number expected")
    rows: dict[tuple[str, str], list[float]] = {}
    of_systems: dict[str, float] = {}
    paths: dict[str, str] = {}
    name_of: dict[str, str] = {}
    for number, line in enumerate(lines, start=1):
        match = form.fullmatch(line.strip())
        if match is None:
            raise FormatError(f"{origin}, line {number}: {line[:40]!r} found, a score expected as in line 1")
        groups = match.groupdict()
        score = parse_score(match["score"], number, origin)
        path = groups.get("system") or ""
        if path and path not in name_of:
            name_of[path] = system_of_path(path, paths, origin)
            paths[name_of[path]] = path
            source.limits.check("systems", len(paths), origin)
        name = name_of[path] if path else system
        if form is COMET_LINE and groups["segment"] is None:
            of_systems[name] = score
            continue
        own = rows.setdefault((metric or groups.get("metric") or (COMET if path else UNNAMED), name), [])
        if path and int(groups["segment"]) != len(own):
            raise FormatError(
                f"{origin}, line {number}: segment {groups['segment']} of {name} found, {len(own)} expected"
            )
        own.append(score)
    return tuple(
        replace(with_direction(table), naming_format="" if paths else KEY)
        for table in _tables(rows, of_systems, metric or COMET, source, of_segments=form is NUMBER)
    )


def _tables(
    rows: dict[tuple[str, str], list[float]],
    of_systems: dict[str, float],
    metric: str,
    source: Source,
    *,
    of_segments: bool,
) -> list[ScoreTable]:
    """Return a table per metric.

    Args:
        rows: (metric, system) -> its scores.
        of_systems: system -> its printed score.
        metric: the metric of these.
        source: the file.
        of_segments: whether a single score is that of a segment.

    Raises:
        FormatError: systems differ in their number of segments, or there is no score.
        LimitError: there are too many metrics.
    """
    origin = source.name
    if all(np.isnan(scores).all() for scores in (*rows.values(), list(of_systems.values()))):
        raise FormatError(f"{origin}: no score found, at least 1 expected")
    metrics = tuple(dict.fromkeys(check_writable(name, origin) for name, _ in rows))
    source.limits.check("metrics", len(metrics), origin)
    if not rows:
        return [ScoreTable.of_systems(metric, of_systems, origin=origin)]
    tables: list[ScoreTable] = []
    for name in metrics:
        scores = {system: own for (of_metric, system), own in rows.items() if of_metric == name}
        count = check_equal_counts({system: len(own) for system, own in scores.items()}, "score", origin)
        if count == 1 and not of_segments and not of_systems:
            tables.append(
                ScoreTable.of_systems(name, {system: own[0] for system, own in scores.items()}, origin=origin)
            )
            continue
        table = ScoreTable.of_segments(name, tuple(scores), np.array(list(scores.values())), origin=origin)
        means = [of_systems.get(system, mean) for system, mean in zip(table.systems, table.system_scores, strict=True)]
        tables.append(replace(table, system_scores=np.array(means)))
    return tables


def _sniff(source: Source) -> float:
    first = source.first_line.strip()
    if COMET_LINE.fullmatch(first) or SACREBLEU_LINE.fullmatch(first):
        return 0.9
    lines = source.first_lines.removesuffix("\n").split("\n")
    if len(lines) < MIN_LINES or not all(NUMBER.fullmatch(line.strip()) for line in lines):
        return 0
    return 0.4 if guess_text_role(source) == "system" else 0  # a list of documents may be numbers


def _read(source: Source, options: Options) -> Contents:
    own = options.own
    tables = read_score_lines(source, system=own.get("system") or source.stem, metric=own.get("metric", ""))
    return score_contents(tables, source, LABEL, options.lower_is_better)


FORMAT = Format(
    key=KEY,
    label=LABEL,
    description="lines with a score each: numbers alone, as of BLEURT, or what comet-score and sacreBLEU print",
    roles=("scores",),
    sniff=_sniff,
    read=_read,
    endings=(".scores",),
    own={"system": "System", "metric": "Metric"},
)
