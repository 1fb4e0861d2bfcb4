"""Tables of the dashboard's own things; tables of results are in bleu_core.reports."""

from __future__ import annotations

import math
from collections.abc import Mapping

from bleu_core.dataset import ROLE_NAMES
from bleu_core.formats import FileRole
from bleu_core.fields import Cell, Kind, Table
from dashboard.session.workspace import Entry, Workspace

ROLE_TITLES: Mapping[FileRole, str] = {
    **ROLE_NAMES,
    "judgments": "judgments",
    "scores": "metric scores",
    "archive": "archive",
}


def file_table(workspace: Workspace) -> Table:
    """What was found in each file, a file a row."""
    kinds: dict[str, Kind] = {
        "file": "text",
        "holds": "text",
        "format": "text",
        "name": "text",
        "segments": "count",
        "empty": "count",
        "tokens": "count",
        "ratings": "count",
        "encoding": "text",
        "repaired": "text",
        "in use": "text",
    }
    return Table(kinds, tuple(_row(entry) for entry in workspace.entries))


def _row(entry: Entry) -> tuple[Cell, ...]:
    report = entry.report
    start = (entry.file.name, ROLE_TITLES[entry.file.role])
    names = ", ".join(entry.names)
    in_use = "set aside" if entry.problem else "yes"
    if report is None:
        return (*start, "", names, *[math.nan] * 4, "", "", in_use)
    numbers = entry.file.role in ("judgments", "scores")
    of_text = (math.nan, math.nan) if numbers else (report.empty_segments, report.tokens)
    ratings = report.ratings if numbers or entry.file.role == "archive" else math.nan
    found = (report.format, names, report.segments, *of_text, ratings)
    return (*start, *found, report.encoding, ", ".join(report.repairs), in_use)
