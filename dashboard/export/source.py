"""What a report is about: the material, and what a person knows of it besides: files, notes and commands."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field

from bleu_core.errors import BleuCoreError
from dashboard.analysis import View
from dashboard.export.material import Material
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


def used_files(view: View) -> tuple[UsedFile, ...]:
    """The files of a view that are in use."""
    entries = (view.whole or view).workspace.entries
    files = (entry.file for entry in entries if not entry.problem)
    return tuple(UsedFile(file.name, hashlib.sha256(file.data).hexdigest()) for file in files)


@dataclass(frozen=True, slots=True)
class Source:
    """What a report is made of.

    Attributes:
        material: the data and settings, and what is computed of them.
        notes: number of a segment -> its star and note.
        files: all files in use.
        calls: commands that compute the same numbers.
        cautions: what a reader must know before the numbers: files that are not used or out of line.
    """

    material: Material
    notes: Mapping[int, SegmentNote] = field(default_factory=dict[int, SegmentNote])
    files: tuple[UsedFile, ...] = ()
    calls: tuple[str, ...] = ()
    cautions: tuple[str, ...] = ()

    @property
    def starred(self) -> tuple[int, ...]:
        """The numbers of the starred segments that are in the text, or in the slice of it."""
        here = set(self.material.view.numbers)
        return tuple(number for number, note in self.notes.items() if note.starred and number in here)

    @property
    def has_pair(self) -> bool:
        """Whether two systems can be compared."""
        return len(self.material.view.compared.systems) > 1

    @property
    def has_ratings(self) -> bool:
        """Whether the judges can be compared with the metric."""
        if self.material.ratings is None:
            return False
        try:
            _ = self.material.agreement
        except BleuCoreError:
            return False
        return True
