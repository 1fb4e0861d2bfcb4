"""The table of a session's files, and what is known about each; tables of results are in bleu_core.reports."""

from __future__ import annotations

import math
from collections.abc import Mapping

from bleu_core.dataset import ROLE_NAMES, plural
from bleu_core.fields import Cell, Field, Table
from bleu_core.formats import FileRole
from dashboard.session.workspace import Entry, Workspace

ROLE_TITLES: Mapping[FileRole, str] = {
    **ROLE_NAMES,
    "judgments": "judgments",
    "scores": "metric scores",
    "archive": "archive",
}

NOT_USED = "not used"

FILES: Mapping[str, Field] = {
    "file": Field("text", "Name of the file. Select its row to see more about it, and to edit it."),
    "type": Field("text", "What the file contains."),
    "names": Field("text", "The systems, references or metrics in it."),
    "segments": Field("count", "Number of segments in each text, or of rated segments."),
    "ratings": Field("count", "Number of ratings, or of metric scores. An archive may have several kinds of ratings."),
    "status": Field("text", "Whether the file is used, and how many warnings there are about it."),
}


def file_table(workspace: Workspace) -> Table:
    """One row per file: what it contains, and whether it is used."""
    return Table(FILES, tuple(_row(entry) for entry in workspace.entries))


def file_status(entry: Entry) -> str:
    """Whether the file is used, and the number of its warnings."""
    if entry.problem:
        return NOT_USED
    count = len(entry.warnings)
    return f"in use, {count:,} {plural(count, 'warning')}" if count else "in use"


def file_details(entry: Entry) -> str:
    """How the file was read and what is in it, as one line; empty if it could not be read."""
    report = entry.report
    if report is None:
        return ""
    found = [f"Read as {report.format}", f"encoding {report.encoding}"]
    if entry.file.role not in ("judgments", "scores"):
        found.append(f"{report.tokens:,} {plural(report.tokens, 'word')}")
        found.append(f"{report.empty_segments:,} empty {plural(report.empty_segments, 'segment')}")
    if report.repairs:
        found.append(f"repaired: {', '.join(report.repairs)}")
    return " · ".join(found)


def _row(entry: Entry) -> tuple[Cell, ...]:
    report, role = entry.report, entry.file.role
    start = (entry.file.name, ROLE_TITLES[role], ", ".join(entry.names))
    if report is None:
        return (*start, math.nan, math.nan, file_status(entry))
    ratings = report.ratings if role in ("judgments", "scores", "archive") else math.nan
    return (*start, report.segments, ratings, file_status(entry))
