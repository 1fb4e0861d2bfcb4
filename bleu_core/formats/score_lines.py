"""Scores in plain lines: numbers alone, as of BLEURT, and what comet-score and sacreBLEU print."""

from __future__ import annotations

import re
from dataclasses import replace

from bleu_core.errors import FormatError
from bleu_core.formats.cells import parse_score
from bleu_core.formats.contents import Contents, score_contents
from bleu_core.formats.declaration import Format, Options
from bleu_core.formats.score_tables import NUMBER, system_of_path, tables_of
from bleu_core.formats.source import Source
from bleu_core.formats.text import split_lines
from bleu_core.formats.text_roles import guess_text_role

KEY = "score-lines"
LABEL = "scores, one per line"
#: The name of scores in a file that names no metric.
UNNAMED = "score"
COMET = "COMET"
SCORE = rf"(?P<score>{NUMBER.pattern}|nan)"
SCORE_LINE = re.compile(SCORE, re.IGNORECASE)
#: A line of comet-score, for a segment or a system, perhaps with the variance of its dropout (comet/cli/score.py).
COMET_LINE = re.compile(
    rf"(?P<system>[^\t]+)\t(?:Segment (?P<segment>\d{{1,12}})\t)?score: {SCORE}(?:\tvariance: \S+)?", re.IGNORECASE
)
#: A line of sacreBLEU: metric|signature = score, and what the score is computed from.
SACREBLEU_LINE = re.compile(rf"\s*(?P<metric>[A-Za-z][\w+-]*)\|\S+ = {SCORE}(?:\s.*)?", re.IGNORECASE)
LINES = (SCORE_LINE, COMET_LINE, SACREBLEU_LINE)
#: The fewest numbers in lines that are recognised: a single one may be a text.
MIN_LINES = 2


def _sniff(source: Source) -> float:
    first = source.first_line.strip()
    if COMET_LINE.fullmatch(first) or SACREBLEU_LINE.fullmatch(first):
        return 0.9
    lines = source.first_lines.removesuffix("\n").split("\n")
    if len(lines) < MIN_LINES or not all(SCORE_LINE.fullmatch(line.strip()) for line in lines):
        return 0
    return 0.4 if guess_text_role(source) == "system" else 0  # a list of documents may be numbers


def _read(source: Source, options: Options) -> Contents:
    """Read scores, one per line in the order of the segments; a single line of sacreBLEU is the score of the system.

    There is a table per metric; that of comet-score has the scores of segments and of systems.

    Raises:
        FormatError: a line is in another form than the first one, systems differ in their number of segments or
            segments are not numbered from 0, or there is no score.
        LimitError: there are too many systems or metrics.
    """
    origin, metric = source.name, options.own.get("metric", "")
    lines, _ = split_lines(source.text)
    first = lines[0].strip() if lines else ""
    form = next((form for form in LINES if form.fullmatch(first)), None)
    if form is None:
        raise FormatError(f"{origin}, line 1: {first[:40]!r} found, a number expected")
    scores: dict[str, dict[str, list[float]]] = {}
    of_systems: dict[str, float] = {}
    paths: dict[str, str] = {}
    names = {"": options.own.get("system") or source.stem}
    for number, line in enumerate(lines, start=1):
        match = form.fullmatch(line.strip())
        if match is None:
            raise FormatError(f"{origin}, line {number}: {line[:40]!r} found, a score expected as in line 1")
        groups = match.groupdict()
        score = parse_score(match["score"], f"{origin}, line {number}")
        path = groups.get("system") or ""
        if path not in names:
            names[path] = system_of_path(path, paths, origin)
        name = names[path]
        if form is COMET_LINE and groups["segment"] is None:
            of_systems[name] = score
            continue
        own = scores.setdefault(metric or groups.get("metric") or (COMET if path else UNNAMED), {}).setdefault(name, [])
        if path and int(groups["segment"]) != len(own):
            raise FormatError(
                f"{origin}, line {number}: segment {groups['segment']} of {name} found, {len(own)} expected"
            )
        own.append(score)
    if not scores:
        scores, of_systems = {metric or COMET: {system: [score] for system, score in of_systems.items()}}, {}
    tables = [
        replace(
            table,
            system_scores=[of_systems.get(system, score) for system, score in table.scores_of_systems.items()],
            naming_format="" if paths else KEY,
        )
        for table in tables_of(scores, source.name, source.limits, of_segments=form is SCORE_LINE or bool(of_systems))
    ]
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
