"""Sentences of the page Data. Pure functions."""

from __future__ import annotations

from collections.abc import Sequence

from bleu_core.dataset import plural
from bleu_core.errors import listed
from bleu_core.uploads import Entry, File

#: Maximum number of files that the sentence on removed files names.
MAX_REMOVED = 3

SETS_HINT = "Click on a row to show a test set on all pages, as the box at the top of each page does."

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


def removed_sentence(files: Sequence[File], *, replaced: bool, lost_set: str) -> str:
    """Name the files that were removed or replaced, or the test set that they were.

    Args:
        files: one or more.
        replaced: whether other files have replaced them.
        lost_set: label of the test set that was removed with them; empty if it has further files.
    """
    if replaced:
        return f"Replaced {listed((file.name for file in files), max_items=MAX_REMOVED)}."
    count, sets = f"{len(files):,} {plural(len(files), 'file')}", len({file.test_set for file in files})
    if sets > 1:
        return f"Removed {count} of {sets:,} test sets."
    if lost_set:
        return f"Removed the test set {lost_set} with {count}."
    return f"Removed {listed((file.name for file in files), max_items=MAX_REMOVED)}."


def warnings_title(warnings: int, files: int) -> str:
    """Count the listed warnings, and the files that they are about."""
    return f"{warnings:,} {plural(warnings, 'warning')} about {files:,} {plural(files, 'file')}"
