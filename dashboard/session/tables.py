"""The table of a session's files, and details of each; tables of results are in bleu_core.results."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping

from bleu_core.counts import describe_counts
from bleu_core.dataset import ROLE_NAMES, Role, plural
from bleu_core.errors import listed
from bleu_core.fields import Table, field, result, table_of
from bleu_core.uploads import Entry, HeldRole, Workspace

ROLE_TITLES: Mapping[HeldRole, str] = {
    **ROLE_NAMES,
    "judgments": "judgments",
    "scores": "metric scores",
    "labels": "labels",
    "archive": "archive",
    "counts": "counts",
}

NOT_USED = "not used"
IGNORED = "ignored (copy)"
UNCLEAR = "columns not known"

#: Label of the test set without a name, where there are others.
UNNAMED = "Unnamed"

#: Maximum number of names in the details of a file; further ones are counted.
MAX_NAMED = 30


@result
class _FileRow:
    """A file of the session."""

    file: str = field("text", "Name of the file. Click on its row to see more about it, and to edit it.")
    status: str = field("text", "Whether the file is used, and how many warnings there are about it.")
    type: str = field("text", "What the file contains.")
    names: str = field("text", "The systems, references, metrics or labels in it.")
    segments: float = field("count", "Number of segments in each text, or of rated segments.")
    ratings: float = field(
        "count", "Number of ratings, or of metric scores. An archive may have several kinds of ratings."
    )


def file_table(workspace: Workspace, unclear: Collection[int] = ()) -> Table:
    """Return one row per file: whether it is used, and what it contains; ratings only where some file has any.

    Args:
        workspace: the files.
        unclear: the positions of tables whose columns the user has to identify.
    """
    rows = [_row(entry, unclear=position in unclear) for position, entry in enumerate(workspace.entries)]
    table = table_of(rows, _FileRow)
    return (
        table if any(entry.report and entry.report.ratings for entry in workspace.entries) else table.without("ratings")
    )


@result
class _SetRow:
    """A test set of the session."""

    test_set: str = field("text", "Name of the test set. Click on its row to show it on all pages.", label="test set")
    files: int = field("count", "Number of its files.")
    systems: int = field("count", "Number of systems in use.")
    problems: int = field("count", "Number of files that are not used.")
    warnings: int = field("count", "Number of warnings about files that are used.")
    references: int = field("count", "Number of references in use.")
    segments: int = field("count", "Number of segments of each text.")


def set_label(name: str) -> str:
    """Return the name of a test set for users."""
    return name or UNNAMED


def set_table(workspaces: Mapping[str, Workspace]) -> Table:
    """Return one row per test set: what it contains, and how many of its files are not used.

    Args:
        workspaces: the data of each test set, by its name.
    """
    return table_of([_set_row(name, workspace) for name, workspace in workspaces.items()], _SetRow)


def _set_row(name: str, workspace: Workspace) -> _SetRow:
    corpus = workspace.corpus
    return _SetRow(
        test_set=set_label(name),
        files=len(workspace.entries),
        systems=len(corpus.systems),
        references=len(corpus.references),
        segments=corpus.segments,
        problems=len(workspace.problems),
        warnings=sum(len(entry.warnings) for entry in workspace.entries if not entry.problem),
    )


def file_status(entry: Entry, *, unclear: bool = False) -> str:
    """Return whether the file is used, and the number of its warnings."""
    if unclear:
        return UNCLEAR
    if entry.problem:
        return NOT_USED
    if entry.copied:
        return IGNORED
    count = len(entry.warnings)
    return f"in use, {count:,} {plural(count, 'warning')}" if count else "in use"


def file_details(entry: Entry) -> str:
    """Describe how the file was read and its content, as one line; empty if it could not be read."""
    report = entry.report
    if entry.counts is not None:
        return f"Read as counts file · {describe_counts(entry.counts)}"
    if report is None:
        return ""
    details = [f"Read as {report.format}", f"encoding {report.encoding}"]
    if len(entry.names) > 1:
        details.append(f"{len(entry.names):,} names: {listed(entry.names, max_items=MAX_NAMED)}")
    if entry.file.role not in ("judgments", "scores", "labels"):
        details.append(f"{report.tokens:,} {plural(report.tokens, 'word')}")
        details.append(f"{report.empty_segments:,} empty {plural(report.empty_segments, 'segment')}")
    if report.repairs:
        details.append(f"repaired: {', '.join(report.repairs)}")
    return " · ".join(details)


def _row(entry: Entry, *, unclear: bool) -> _FileRow:
    report, counted = entry.report, entry.counts
    segments = counted.range.lines if counted is not None else math.nan if report is None else report.segments
    has_ratings = report is not None and counted is None and entry.file.role in ("judgments", "scores", "archive")
    return _FileRow(
        file=entry.file.name,
        status=file_status(entry, unclear=unclear),
        type=_type_of(entry),
        names=", ".join(entry.names),
        segments=segments,
        ratings=report.ratings if report is not None and has_ratings else math.nan,
    )


def _type_of(entry: Entry) -> str:
    """Return the type of a file's content; for a table of texts without a system or reference, that of its columns."""
    role = entry.file.role
    if role in ("system", "reference"):
        text_roles: list[Role] = [column.role for column in entry.file.texts]
        if len(set(text_roles)) == 1 and role not in text_roles:
            return ROLE_NAMES[text_roles[0]]
    return ROLE_TITLES[role]
