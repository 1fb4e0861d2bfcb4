"""Misaligned files, and the lines around the misaligned places."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import compress

import numpy as np

from bleu_core.alignment import MisalignedText, Place, check_lines
from bleu_core.dataset import Column, aligned_lines, join, most_common_length
from bleu_core.fields import Field, Table, table_of_columns
from bleu_core.progress import Progress
from bleu_core.uploads import Entry, Workspace
from dashboard import session
from dashboard.analysis.table_columns import needs_columns
from dashboard.analysis.view import View

#: Maximum number of rows shown before and after a place, and in it.
MAX_CONTEXT_ROWS, MAX_PLACE_ROWS = 1, 4

#: Maximum number of lines of all texts that are checked automatically.
MAX_CHECKED = 100_000

#: A system scores far below the others if its BLEU is less than this share of their median, or this many points.
MAX_SHARE_OF_MEDIAN, MAX_LOW_SCORE = 0.33, 3.0
#: Minimum number of segments for that; scores of fewer vary too much.
MIN_SEGMENTS = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class MisalignedFile:
    """A file with a text that is misaligned with the other texts.

    Attributes:
        position: of the file in the session.
        text: the text, the misaligned places and their repairs.
        beside: an aligned text for comparison.
        can_be_repaired: whether its lines are those of one file.
        member: its path in a zip or folder; empty where it is the whole file.
    """

    position: int
    text: MisalignedText
    beside: Column
    can_be_repaired: bool
    member: str = ""

    def around(self, place: Place) -> Table:
        """Return the segments and lines around a place, as they are paired after the repair."""
        rows = list(aligned_lines(len(self.text.column.segments), self.text.repairs))
        lines = [line or math.inf for _, line, _ in rows]
        first = next((i for i, line in enumerate(lines) if place.line <= line < math.inf), len(rows))
        while first and lines[first - 1] == math.inf and place.kind in ("missing", "shifted"):
            first -= 1  # to the first missing segment
        shown = rows[max(first - MAX_CONTEXT_ROWS, 0) : first + min(place.lines, MAX_PLACE_ROWS) + MAX_CONTEXT_ROWS]
        texts, others = self.text.column.segments, self.beside.segments
        pairs = [(line, segment) for segment, line, _ in shown]
        columns = {
            "line": (Field("count", "Number of the line in the file."), [line for line, _ in pairs]),
            "text": (
                Field("text", "The text of the line.", self.text.column.name),
                [line and texts[line - 1] for line, _ in pairs],
            ),
            "segment": (Field("count", "Number of the segment."), [segment for _, segment in pairs]),
            "beside": (
                Field("text", "Its text in another file.", self.beside.name),
                [segment and others[segment - 1] for _, segment in pairs],
            ),
        }
        return table_of_columns(columns)


def check_files(workspace: Workspace) -> tuple[MisalignedFile, ...]:
    """Return the misaligned texts; repaired ones are not checked again."""
    return _checked(workspace.scope, workspace)


@session.cached("Comparing lines", "comparisons")
def _checked(progress: Progress, workspace: Workspace) -> tuple[MisalignedFile, ...]:
    texts = _texts(workspace)
    columns = [column for _, column in texts]
    expected = most_common_length(columns)
    misaligned: list[MisalignedFile] = []
    for text in check_lines(columns, progress=progress):
        place = next(i for i, column in enumerate(columns) if column is text.column)
        position = texts[place][0]
        fitting = (c for c in columns if c is not text.column and len(c.segments) == expected)
        order = {"reference": 0, "source": 1}
        beside = min(fitting, key=lambda column: order.get(column.role, 2))
        alone = sum(other == position for other, _ in texts) == 1
        file = workspace.entries[position].file
        member = file.member(text.column)
        if all(repair.member != member for repair in file.repairs):
            misaligned.append(
                MisalignedFile(
                    position=position,
                    text=text,
                    beside=beside,
                    can_be_repaired=alone or bool(member),
                    member=member,
                )
            )
    return tuple(misaligned)


def unfit_texts(workspace: Workspace) -> tuple[tuple[int, Column], ...]:
    """Return the texts that are not used, with the positions of their files; not of unidentified tables."""
    return tuple((i, column) for i, column in _texts(workspace) if _is_unfit(workspace.entries[i], column))


def _is_unfit(entry: Entry, column: Column) -> bool:
    """Return whether a text of a file is not used."""
    return bool(entry.problem) or (column.role, column.name) in {(text.role, text.name) for text in entry.missing}


def is_checked_automatically(workspace: Workspace) -> bool:
    """Return whether lines are checked automatically: a text does not fit, and all together are not long."""
    lines = sum(len(column.segments) for _, column in _texts(workspace))
    return bool(unfit_texts(workspace)) and lines <= MAX_CHECKED


def misaligned_systems(workspace: Workspace) -> tuple[str, ...]:
    """Return the names of misaligned systems in use, as far as this is checked automatically."""
    if not is_checked_automatically(workspace):
        return ()
    texts = ((file.position, file.text.column) for file in check_files(workspace))
    return tuple(
        column.name
        for position, column in texts
        if column.role == "system" and not _is_unfit(workspace.entries[position], column)
    )


def far_below(view: View) -> tuple[str, ...]:
    """Return systems whose BLEU is far below that of the others, as if their lines were misaligned."""
    if view.compared.segments < MIN_SEGMENTS:
        return ()
    scores = dict(zip(view.compared.systems, view.compared.scores.score.tolist(), strict=True))
    low: list[str] = []
    for name, score in scores.items():
        others = [other for other_name, other in scores.items() if other_name != name]
        if score < MAX_LOW_SCORE or (others and score < MAX_SHARE_OF_MEDIAN * float(np.median(others))):
            low.append(name)
    return tuple(low)


def _texts(workspace: Workspace) -> list[tuple[int, Column]]:
    """Return all texts of files, used or not, with the positions of their files, if their lines are segments in order.

    Exclude tables with unidentified columns, and texts whose rows are joined with others by ids.
    """
    texts = [
        (position, column)
        for position, entry in enumerate(workspace.entries)
        if not needs_columns(entry, workspace)
        for column in entry.file.texts
        if column.role != "document"
    ]
    joined = join([column for _, column in texts])
    if joined is None:
        return texts
    in_order = (rows is None or isinstance(rows, range) for rows in joined.rows)
    return list(compress(texts, in_order))
