"""Tables of the dashboard's own things; tables of results are in bleu_core.report."""

from __future__ import annotations

import math
from collections.abc import Mapping

from bleu_core.corpus import ROLE_NAMES
from bleu_core.formats.recognise import FileRole
from bleu_core.table import Cell, Kind, Table
from dashboard.workspace import Entry, Workspace

ROLE_TITLES: Mapping[FileRole, str] = {**ROLE_NAMES, "judgments": "judgments"}


def file_table(workspace: Workspace) -> Table:
    """What was found in each file, a file a row."""
    kinds: dict[str, Kind] = {
        "file": "text",
        "holds": "text",
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
    start = (entry.file.name, ROLE_TITLES[entry.file.role], ", ".join(entry.names))
    in_use = "set aside" if entry.problem else "yes"
    if report is None:
        return (*start, *[math.nan] * 4, "", "", in_use)
    judged = entry.file.role == "judgments"
    of_text = (math.nan, math.nan) if judged else (report.empty_segments, report.tokens)
    ratings = report.ratings if judged else math.nan
    return (*start, report.segments, *of_text, ratings, report.encoding, ", ".join(report.repairs), in_use)
