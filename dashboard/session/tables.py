"""Tables of the dashboard's own things; tables of results are in bleu_core.reports."""

from __future__ import annotations

import math
from collections.abc import Mapping

from bleu_core.dataset import ROLE_NAMES
from bleu_core.fields import Cell, Field, Table
from bleu_core.formats import FileRole
from dashboard.session.workspace import Entry, Workspace

ROLE_TITLES: Mapping[FileRole, str] = {
    **ROLE_NAMES,
    "judgments": "judgments",
    "scores": "metric scores",
    "archive": "archive",
}


FILES: Mapping[str, Field] = {
    "file": Field("text", "Name of the file."),
    "holds": Field("text", "What the file is taken for; can be changed below."),
    "format": Field("text", "What the file was read as; for judgments and scores it can be changed below."),
    "name": Field("text", "Names of the systems, references or metrics in it."),
    "segments": Field("count", "Segments in each text, or rated segments."),
    "empty": Field("count", "Segments without any text."),
    "tokens": Field("count", "Words between white space."),
    "ratings": Field("count", "Scores in the file, of people or of metrics; in an archive all those of people."),
    "encoding": Field("text", "How the bytes were read."),
    "repaired": Field("text", "What was put right while reading."),
    "in use": Field("text", "Whether the file is used, or set aside because it does not fit.", "in use"),
}


def file_table(workspace: Workspace) -> Table:
    """What was found in each file."""
    return Table(FILES, tuple(_row(entry) for entry in workspace.entries))


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
