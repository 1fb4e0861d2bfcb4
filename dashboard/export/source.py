"""The content of a report: the data with the user's notes, files and commands."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field

from bleu_core.errors import BleuCoreError
from dashboard import analysis, words
from dashboard.analysis import View
from dashboard.exhibits import Data
from dashboard.session import SegmentNote


@dataclass(frozen=True, slots=True)
class UsedFile:
    """A file that the numbers come from.

    Attributes:
        name: without its folder.
        sha256: of its bytes, in hexadecimal; empty where it is a folder.
    """

    name: str
    sha256: str

    @classmethod
    def of(cls, name: str, data: bytes | None) -> UsedFile:
        """Return a file by its bytes; None for a folder."""
        return cls(name, "" if data is None else hashlib.sha256(data).hexdigest())


def used_files(view: View) -> tuple[UsedFile, ...]:
    """Return the files of a view that are in use."""
    entries = (view.whole or view).workspace.entries
    return tuple(UsedFile.of(entry.file.name, entry.file.data) for entry in entries if not entry.problem)


def cautions(view: View) -> tuple[str, ...]:
    """Return what a reader of a report on a view must know before the numbers."""
    workspace = (view.whole or view).workspace
    misaligned = analysis.misaligned_systems(workspace)
    low = [name for name in analysis.far_below(view) if name not in misaligned]
    sentences = (
        *(f"human scores of {file}: {name}" for file, name in workspace.human_scores.items()),
        words.files_not_used(workspace, explained=False),
        words.files_out_of_line(misaligned, explained=False) if misaligned else "",
        words.far_below_others(low) if low else "",
        *words.warnings_as_cautions(analysis.open_findings(view)),
    )
    return tuple(filter(None, sentences))


@dataclass(frozen=True, slots=True)
class Source:
    """The content of a report.

    Attributes:
        data: the data, settings and results.
        notes: number of a segment -> its star and note.
        files: all files in use.
        calls: commands that reproduce the numbers.
        cautions: cautions before the numbers: files that are not used or misaligned, and warnings.
    """

    data: Data
    notes: Mapping[int, SegmentNote] = field(default_factory=dict[int, SegmentNote])
    files: tuple[UsedFile, ...] = ()
    calls: tuple[str, ...] = ()
    cautions: tuple[str, ...] = ()

    @property
    def starred(self) -> tuple[int, ...]:
        """The numbers of the starred segments that are in the text, or in the slice of it."""
        here = set(self.data.view.numbers)
        return tuple(number for number, note in self.notes.items() if note.starred and number in here)

    @property
    def has_pair(self) -> bool:
        """Return whether two systems can be compared."""
        return len(self.data.view.compared.systems) > 1

    @property
    def has_errors(self) -> bool:
        """Return whether the errors of the two systems can be compared."""
        try:
            _ = self.data.error_pair
        except BleuCoreError:
            return False
        return True

    @property
    def has_ratings(self) -> bool:
        """Return whether the judges can be compared with the metric."""
        return self.data.has_agreement
