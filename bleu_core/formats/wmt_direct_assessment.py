"""Direct assessment by crowd workers at WMT (into English, until 2021): ratings, and averages by segment or system."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal

from bleu_core.dataset import Judgments, UnusedRows
from bleu_core.errors import FormatError
from bleu_core.formats.cells import cell_count, parse_scores, parse_segments
from bleu_core.formats.contents import Contents, judgment_contents
from bleu_core.formats.declaration import Format, Options
from bleu_core.formats.source import Source
from bleu_core.formats.text import Text, split_lines
from bleu_core.limits import DEFAULT_LIMITS, Limits

LABEL = "WMT crowd DA"
RATINGS = frozenset({"HITId", "WorkerId", "sys_id", "type", "sid", "score"})
AVERAGES = frozenset({"SYS", "RAW.SCR", "Z.SCR", "N"})
NUMBERED = re.compile(r"(.+)\.\d+")
QUALITY_CONTROL = {"REF": "quality control (REF)", "BAD_REF": "quality control (BAD_REF)"}


def is_wmt_da(first_line: str) -> bool:
    """Return whether the first line of a file is the header of ratings or averages, separated by blanks."""
    names = set(first_line.split())
    return names >= RATINGS or names >= AVERAGES


def read_wmt_da(
    text: Text,
    origin: str,
    *,
    column: Literal["z", "raw"] = "z",
    first_segment: int = 1,
    limits: Limits = DEFAULT_LIMITS,
) -> Judgments:
    """Read ratings (ad-XXen-good-stnd-redup.csv), or averages by segment (ad-seg-scores) or system.

    The names of the header are separated by blanks, the cells of rows by blanks or tabs. Rows of the types SYSTEM and
    REPEAT are ratings of systems; a REPEAT is a judge's second rating of the same item. WMT's averages count both
    ratings; here, the second is averaged with the first. References and damaged references (REF, BAD_REF) are not used.
    The number at the end of every system (Online-B.4) is not part of its name.

    Args:
        text: the file's text.
        origin: the file, for messages.
        column: the averages to read: of standardised ratings (z, by which WMT ranks) or of raw ones. Individual ratings
            are always standardised.
        first_segment: the number the file gives the first segment, 1 or 0.
        limits: the limits for the file.

    Raises:
        FormatError: a row has another width than the header, a score or segment is not a number, or there is no rating.
        LimitError: there are too many columns, systems or judges.
    """
    lines, _ = split_lines(text)
    header = lines[0].split() if lines else []
    limits.check("columns", len(header), f"{origin}, line 1")
    if set(header) >= RATINGS:
        return _ratings(header, _rows(lines, header, origin), origin=origin, first_segment=first_segment, limits=limits)
    if set(header) >= AVERAGES:
        return _averages(
            header,
            _rows(lines, header, origin),
            origin=origin,
            column=column,
            first_segment=first_segment,
            limits=limits,
        )
    raise FormatError(
        f"{origin}, line 1: header {' '.join(header)[:60]!r} found, that of WMT crowd DA expected "
        "(HITId WorkerId ... sys_id rid type sid score time, or SYS SID RAW.SCR Z.SCR N)"
    )


def _ratings(
    header: list[str], rows: Sequence[tuple[int, list[str]]], origin: str, first_segment: int, limits: Limits
) -> Judgments:
    position_of = {name: header.index(name) for name in RATINGS}
    kinds = [cells[position_of["type"]].upper() for _, cells in rows]
    known = {"SYSTEM", "REPEAT"}
    unused_rows = [
        (QUALITY_CONTROL.get(kind, f"type {kind}"), line)
        for kind, (line, _) in zip(kinds, rows, strict=True)
        if kind not in known
    ]
    kept = [row for kind, row in zip(kinds, rows, strict=True) if kind in known]
    lines = [line for line, _ in kept]

    def cells(name: str) -> list[str]:
        return [row[position_of[name]] for _, row in kept]

    systems, notes = _names(cells("sys_id"))
    return Judgments.from_ratings(
        systems,
        parse_scores(cells("score"), lines, origin),
        lines,
        origin,
        segments=parse_segments(cells("sid"), lines, origin, first_segment),
        judges=cells("WorkerId"),
        first_segment=first_segment,
        format=f"{LABEL}, ratings",
        unused_rows=UnusedRows.tally(unused_rows, origin),
        notes=("scores are standardised per judge (z-scores)", *notes),
        limits=limits,
    )


def _averages(
    header: list[str],
    rows: Sequence[tuple[int, list[str]]],
    origin: str,
    column: str,
    first_segment: int,
    *,
    limits: Limits,
) -> Judgments:
    lines = [line for line, _ in rows]

    def cells(name: str) -> list[str]:
        position = header.index(name)
        return [row[position] for _, row in rows]

    systems, notes = _names(cells("SYS"))
    score_column = "Z.SCR" if column == "z" else "RAW.SCR"
    return Judgments.from_ratings(
        systems,
        parse_scores(cells(score_column), lines, origin),
        lines,
        origin,
        segments=parse_segments(cells("SID"), lines, origin, first_segment) if "SID" in header else None,
        judges="mean of judges",
        averages=True,
        first_segment=first_segment,
        format=f"{LABEL}, averages",
        notes=(f"scores are {score_column}, {'standardised per judge' if column == 'z' else 'as given'}", *notes),
        limits=limits,
    )


def _rows(lines: Sequence[str], header: Sequence[str], origin: str) -> list[tuple[int, list[str]]]:
    rows: list[tuple[int, list[str]]] = []
    for number, line in enumerate(lines[1:], start=2):
        cells = [cell.strip() for cell in line.split("\t")] if "\t" in line else line.split()
        while len(cells) > len(header) and not cells[-1]:  # tabs after the last cell
            cells.pop()
        if len(cells) != len(header):
            raise FormatError(
                f"{origin}, line {number}: {cell_count(cells)} found, {len(header)} expected as in line 1"
            )
        rows.append((number, cells))
    return rows


def _names(systems: list[str]) -> tuple[list[str], tuple[str, ...]]:
    """Return the system names without the number at the end, if all of them have one, and a note."""
    matches = [NUMBERED.fullmatch(system) for system in systems]
    names = [match[1] for match in matches if match]
    if not names or len(names) < len(systems):
        return systems, ()
    return names, (f"system names shortened: {systems[0]} to {names[0]}",)


def _sniff(source: Source) -> float:
    return 0.85 if is_wmt_da(source.first_line) else 0


def _read(source: Source, options: Options) -> Contents:
    return judgment_contents(
        read_wmt_da(source.text, source.name, first_segment=options.first_segment, limits=source.limits), source
    )


FORMAT = Format(
    key="crowd",
    label=LABEL,
    description="crowd ratings as WMT publishes them",
    roles=("judgments",),
    sniff=_sniff,
    read=_read,
    endings=(".csv",),
)
