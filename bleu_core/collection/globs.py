"""Patterns for files inside a folder, and the files of a folder or zip that match them."""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cached_property, reduce
from pathlib import Path, PurePosixPath

from bleu_core.errors import FormatError, one_line
from bleu_core.formats import LooseFile, check_name, filter_companions, read_bytes
from bleu_core.limits import LimitError, Limits

#: A part of a pattern that stands for any number of folders.
ANY_FOLDERS = "**"
#: Characters that make a part of a pattern stand for several names.
WILDCARDS = re.compile(r"[*?\[]")
#: The longest pattern, and the most parts in it.
MAX_PATTERN_LENGTH, MAX_PARTS = 1000, 100


@dataclass(frozen=True)  # without slots, which would leave no place for the cached property
class Glob:
    """A pattern for paths inside a folder: * and ? and [abc] within a name, ** for any number of folders.

    A name that begins with a dot matches only a part of the pattern that does so.

    Attributes:
        text: the pattern, with / between folders.

    Raises:
        ValueError: it is empty, too long, or leads out of the folder; the message says what was found.
    """

    text: str

    def __post_init__(self) -> None:
        parts = self.text.split("/")
        first = parts[0]
        if not self.text.strip() or "\0" in self.text or all(part in {"", "."} for part in parts):
            raise ValueError("is empty, the path of a file expected")
        if len(self.text) > MAX_PATTERN_LENGTH or len(parts) > MAX_PARTS:
            raise ValueError(f"is longer than {MAX_PATTERN_LENGTH:,} characters or {MAX_PARTS} folders")
        if self.text.startswith("/") or first.startswith("~") or ":" in first or "\\" in self.text:
            raise ValueError("is not a relative path with / between folders")
        if ".." in parts:
            raise ValueError("leads out of the folder")

    @cached_property
    def parts(self) -> tuple[str, ...]:
        """The names and patterns of names, from the outermost folder."""
        return tuple(part for part in self.text.split("/") if part not in {"", "."})

    @property
    def start(self) -> frozenset[int]:
        """The state before the first name of a path: the numbers of the parts that may match next."""
        return self._with_skipped({0})

    def advance(self, state: Iterable[int], name: str) -> frozenset[int]:
        """Return the state after one more name of a path; empty if no path that begins so can match."""
        after = (i + (part != ANY_FOLDERS) for i in state for part in self.parts[i : i + 1] if _matches(part, name))
        return self._with_skipped(after)

    def is_match(self, state: Collection[int]) -> bool:
        """Return whether a path with this state matches."""
        return len(self.parts) in state

    def matches(self, path: PurePosixPath) -> bool:
        """Return whether a path matches."""
        return self.is_match(reduce(self.advance, path.parts, self.start))

    @property
    def naming_folder(self) -> int | None:
        """The position of the folder that names the files, as in */output.txt; None if their own names do."""
        wild = [i for i, part in enumerate(self.parts) if WILDCARDS.search(part)]
        return wild[0] if len(wild) == 1 and wild[0] < len(self.parts) - 1 and self.parts[wild[0]] != "**" else None

    def _with_skipped(self, state: Iterable[int]) -> frozenset[int]:
        """Return a state with the parts after each ** in it, which may match no folder."""
        after = set(state)
        for i, part in enumerate(self.parts):
            if i in after and part == ANY_FOLDERS:
                after.add(i + 1)
        return frozenset(after)


def _matches(part: str, name: str) -> bool:
    if not WILDCARDS.search(part):
        return part == name
    return (not name.startswith(".") or part.startswith(".")) and fnmatchcase(name, part)


class FileTree:
    """The files in a zip; on disk, those of a DiskTree.

    Attributes:
        origin: the folder or zip, for messages.
        unused: descriptions, backups and programs that match only patterns with wildcards, in the files found last.
    """

    unused: tuple[str, ...] = ()

    def __init__(self, files: Iterable[LooseFile], origin: str) -> None:
        self.origin = origin
        self._files = {file.path: (file.data, file.damage) for file in files}

    def find(self, globs: Collection[Glob]) -> dict[Glob, tuple[PurePosixPath, ...]]:
        """Return the paths that match each pattern, in alphabetical order.

        Raises:
            FormatError: a name has control characters, or a matching file is a link that leads out of the folder.
            LimitError: there are too many files.
        """
        paths = sorted(self._candidates(globs))
        return {glob: tuple(filter(glob.matches, paths)) for glob in globs}

    def _candidates(self, globs: Collection[Glob]) -> Iterable[PurePosixPath]:
        """Return paths of files, among them all that match a pattern; errors as for find."""
        del globs
        return self._files

    def read(self, path: PurePosixPath) -> tuple[bytes, str]:
        """Return the bytes of a file, and why they cannot be read; empty if they can.

        Raises:
            LimitError: the file is too large.
        """
        return self._files[path]


class DiskTree(FileTree):
    """The files in a folder on disk; links to folders are not followed."""

    def __init__(self, folder: Path, origin: str, limits: Limits) -> None:
        super().__init__((), origin)
        self._folder, self._limits = folder, limits
        self._resolved = folder.resolve()
        self._bytes = 0

    def _candidates(self, globs: Collection[Glob]) -> list[PurePosixPath]:
        """Return the paths that match a pattern; folders that no pattern can match are not listed.

        Descriptions, backups and programs, which are left out of zips, match patterns without wildcards only.
        """
        matching: list[PurePosixPath] = []
        unused: list[PurePosixPath] = []
        folders = [(PurePosixPath(), {glob: glob.start for glob in globs})]
        number = 0
        while folders:
            folder, states = folders.pop()
            for entry in self._list(folder):
                number += 1
                self._limits.check("entries", number, self.origin)
                path = folder / entry.name
                after = {glob: state for glob, old in states.items() if (state := glob.advance(old, entry.name))}
                wanted = [glob for glob, state in after.items() if glob.is_match(state)]
                if entry.is_dir(follow_symlinks=False):
                    folders += [(path, after)] if after else []
                elif filter_companions([path]) and all(WILDCARDS.search(glob.parts[-1]) for glob in wanted):
                    unused += [path] if wanted else []
                elif wanted and self._is_file(path, entry):
                    matching.append(path)
        self.unused = filter_companions(unused)
        return matching

    def _list(self, folder: PurePosixPath) -> list[os.DirEntry[str]]:
        try:
            with os.scandir(self._folder / folder) as entries:
                return list(entries)
        except OSError as error:
            place = one_line(str(folder))
            raise FormatError(f"{self.origin}: the folder {place} cannot be listed: {error.strerror}") from None

    def _is_file(self, path: PurePosixPath, entry: os.DirEntry[str]) -> bool:
        """Return whether a path is a file; errors as for find."""
        check_name(path, self.origin)
        if entry.is_symlink() and not Path(entry.path).resolve().is_relative_to(self._resolved):
            raise FormatError(f"{self.origin}: {path} is a symbolic link out of the folder, a file in it expected")
        return entry.is_file()

    def read(self, path: PurePosixPath) -> tuple[bytes, str]:
        """Return the bytes of a file, which is read once, and why they cannot be read; as FileTree."""
        if path not in self._files:
            self._files[path] = self._read(path)
        return self._files[path]

    def _read(self, path: PurePosixPath) -> tuple[bytes, str]:
        try:
            data = read_bytes(self._folder / path, self._limits)
        except LimitError:
            raise
        except OSError as error:
            return b"", f"cannot be read: {error.strerror}"
        self._bytes += len(data)
        self._limits.check("unpacked_bytes", self._bytes, self.origin)
        return data, ""
