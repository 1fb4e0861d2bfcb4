"""Sentences of the page Data. Pure functions."""

from __future__ import annotations

from bleu_core.dataset import plural
from bleu_core.uploads import Entry

HINT = (
    "Click anywhere in a row to see more about a file and to edit it. By keyboard: the arrow keys select a file, "
    "Escape closes it."
)


def columns_asked(entry: Entry) -> str:
    """Ask for the columns of a table that its headers do not identify."""
    name = entry.file.name
    if entry.problem and entry.unclear:
        return f"Which column is the translation? {entry.problem}."
    if entry.problem:
        return entry.problem
    return f"{name}: which column is the translation? Its headers do not say what the columns are."


def warnings_title(warnings: int, files: int) -> str:
    """Count the listed warnings, and the files that they are about."""
    return f"{warnings:,} {plural(warnings, 'warning')} about {files:,} {plural(files, 'file')}"
