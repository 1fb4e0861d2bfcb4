"""Sentences of the page Data. Pure functions."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from bleu_core.dataset import plural
from bleu_core.errors import listed
from bleu_core.uploads import Entry, File, set_label

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


def removed_sentence(removed: Sequence[File], test_sets: Collection[str], *, replaced: bool) -> str:
    """Name the files that were removed or replaced, or the test set that they were.

    Args:
        removed: the files, one or more.
        test_sets: the names of the present test sets.
        replaced: whether they were replaced by others.
    """
    if replaced:
        what = "Replaced"
    else:
        of = {file.test_set for file in removed}
        count = f"{len(removed):,} {plural(len(removed), 'file')}"
        if len(of) > 1:
            return f"Removed {count} of {len(of):,} test sets."
        name = of.pop()
        if name not in test_sets:
            return f"Removed the test set {set_label(name)} with {count}."
        what = "Removed"
    return f"{what} {listed((file.name for file in removed), max_items=MAX_REMOVED)}."


def warnings_title(warnings: int, files: int) -> str:
    """Count the listed warnings, and the files that they are about."""
    return f"{warnings:,} {plural(warnings, 'warning')} about {files:,} {plural(files, 'file')}"
