"""Files whose lines are not those of the other files, and what stands around the places."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import compress

import numpy as np

from bleu_core.alignment import MisalignedText, Place, check_lines
from bleu_core.dataset import Column, aligned_lines, join, most_common_length
from bleu_core.fields import Cell, Field, Table
from bleu_core.progress import Progress
from bleu_core.uploads import Entry, Workspace
from dashboard import session
from dashboard.analysis.table_columns import needs_columns
from dashboard.analysis.view import View

#: Rows around a place: before and after it, and in it at most.
BESIDE, MAX_WITHIN = 1, 4

#: Lines of all texts that are checked without being asked.
MAX_CHECKED = 100_000

#: A system scores far below the others if its BLEU is less than this part of their median, or this many points.
FAR_BELOW, FEW_POINTS = 0.33, 3.0
#: Scores of fewer segments vary too much for that.
MIN_SEGMENTS = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class OutOfLine:
    """A file with a text whose lines are not those of the other texts.

    Attributes:
        position: of the file among those of the session.
        text: the text, the places in it and what repairs them.
        beside: the text that it is shown beside.
        can_be_repaired: whether its lines are those of one file.
        member: its path in a zip or folder; empty where it is the file.
    """

    position: int
    text: MisalignedText
    beside: Column
    can_be_repaired: bool
    member: str = ""

    def around(self, place: Place) -> Table:
        """The segments and lines around a place, as they belong together once the file is repaired."""
        rows = list(aligned_lines(len(self.text.column.segments), self.text.repairs))
        lines = [line or math.inf for _, line, _ in rows]
        first = next((i for i, line in enumerate(lines) if place.line <= line < math.inf), len(rows))
        while first and lines[first - 1] == math.inf and place.kind in ("missing", "shifted"):
            first -= 1  # to the first segment that is missing
        shown = rows[max(first - BESIDE, 0) : first + min(place.lines, MAX_WITHIN) + BESIDE]
        texts, others = self.text.column.segments, self.beside.segments
        cells: list[tuple[Cell, ...]] = [
            (
                math.nan if line is None else line,
                "" if line is None else texts[line - 1] or "",
                math.nan if segment is None else segment,
                "" if segment is None else others[segment - 1] or "",
            )
            for segment, line, _ in shown
        ]
        columns = {
            "line": Field("count", "Number of the line in the file."),
            "text": Field("text", "The text of the line.", self.text.column.name),
            "segment": Field("count", "Number of the segment."),
            "beside": Field("text", "Its text in another file.", self.beside.name),
        }
        return Table(columns, tuple(cells))


def check_files(workspace: Workspace) -> tuple[OutOfLine, ...]:
    """The texts whose lines are not those of the others; repaired ones are not checked again."""
    return _checked(workspace.scope, workspace)


@session.cached("Comparing lines", "comparisons")
def _checked(progress: Progress, workspace: Workspace) -> tuple[OutOfLine, ...]:
    texts = _texts(workspace)
    columns = [column for _, column in texts]
    expected = most_common_length(columns)
    found: list[OutOfLine] = []
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
            found.append(
                OutOfLine(
                    position=position,
                    text=text,
                    beside=beside,
                    can_be_repaired=alone or bool(member),
                    member=member,
                )
            )
    return tuple(found)


def unfit_texts(workspace: Workspace) -> tuple[tuple[int, Column], ...]:
    """The texts that are not used, with the positions of their files; without tables that nobody has explained yet."""
    return tuple((i, column) for i, column in _texts(workspace) if _is_unfit(workspace.entries[i], column))


def _is_unfit(entry: Entry, column: Column) -> bool:
    """Tell whether a text of a file is not used."""
    return bool(entry.problem) or (column.role, column.name) in {(text.role, text.name) for text in entry.missing}


def is_checked_unasked(workspace: Workspace) -> bool:
    """Whether lines are checked without being asked: a text does not fit, and all together are not long."""
    lines = sum(len(column.segments) for _, column in _texts(workspace))
    return bool(unfit_texts(workspace)) and lines <= MAX_CHECKED


def used_out_of_line(workspace: Workspace) -> tuple[str, ...]:
    """The names of systems in use whose lines are not those of the others, as far as this is checked unasked."""
    if not is_checked_unasked(workspace):
        return ()
    texts = ((one.position, one.text.column) for one in check_files(workspace))
    return tuple(
        column.name
        for position, column in texts
        if column.role == "system" and not _is_unfit(workspace.entries[position], column)
    )


def far_below(view: View) -> tuple[str, ...]:
    """Systems whose BLEU is far below that of the others, as if their lines were out of order."""
    if view.compared.segments < MIN_SEGMENTS:
        return ()
    scores = dict(zip(view.compared.systems, view.compared.scores.score.tolist(), strict=True))
    found: list[str] = []
    for name, score in scores.items():
        others = [other for each, other in scores.items() if each != name]
        if score < FEW_POINTS or (others and score < FAR_BELOW * float(np.median(others))):
            found.append(name)
    return tuple(found)


def _texts(workspace: Workspace) -> list[tuple[int, Column]]:
    """All texts of files, used or not, with the positions of their files, as far as their lines are segments in order.

    Not of tables that nobody has explained, nor texts whose rows are joined with others by ids.
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
