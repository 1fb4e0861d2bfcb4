"""Patterns for files inside a folder, and the files of a folder or zip that match them."""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from fnmatch import translate
from functools import cache, cached_property
from pathlib import Path, PurePosixPath
from typing import Protocol

from bleu_core.errors import FormatError, one_line
from bleu_core.formats import LooseFile, filter_companions, read_bytes
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
        return self._closure({0})

    def advance(self, state: Iterable[int], name: str) -> frozenset[int]:
        """Return the state after one more name of a path; empty if no path that begins so can match."""
        after: set[int] = set()
        for i in state:
            if i == len(self.parts):
                continue
            if self.parts[i] == ANY_FOLDERS:
                if not name.startswith("."):
                    after.add(i)
            elif _matches(self.parts[i], name):
                after.add(i + 1)
        return self._closure(after)

    def is_match(self, state: Collection[int]) -> bool:
        """Return whether a path with this state matches."""
        return len(self.parts) in state

    def matches(self, path: PurePosixPath) -> bool:
        """Return whether a path matches."""
        state = self.start
        for name in path.parts:
            state = self.advance(state, name)
        return self.is_match(state)

    @property
    def naming_folder(self) -> int | None:
        """The position of the folder that names the files, as in */output.txt; None if their own names do."""
        wild = [i for i, part in enumerate(self.parts) if WILDCARDS.search(part)]
        return wild[0] if len(wild) == 1 and wild[0] < len(self.parts) - 1 and self.parts[wild[0]] != "**" else None

    def _closure(self, state: set[int]) -> frozenset[int]:
        for i in sorted(state):
            at = i
            while at < len(self.parts) and self.parts[at] == ANY_FOLDERS:
                at += 1
                state.add(at)
        return frozenset(state)


@cache
def _compiled(part: str) -> re.Pattern[str]:
    return re.compile(translate(part))


def _matches(part: str, name: str) -> bool:
    if not WILDCARDS.search(part):
        return part == name
    return (not name.startswith(".") or part.startswith(".")) and _compiled(part).match(name) is not None


class FileTree(Protocol):
    """The files in a folder on disk or in a zip.

    Attributes:
        origin: the folder or zip, for messages.
        unused: descriptions, backups and programs that match only patterns with wildcards, in the files found last.
    """

    origin: str
    unused: tuple[str, ...]

    def find(self, globs: Collection[Glob]) -> dict[Glob, tuple[PurePosixPath, ...]]:
        """Return the paths that match each pattern, in alphabetical order.

        Raises:
            FormatError: a name has control characters, or a matching file is a link that leads out of the folder.
            LimitError: there are too many files.
        """
        ...

    def read(self, path: PurePosixPath) -> tuple[bytes, str]:
        """Return the bytes of a file, and why they cannot be read; empty if they can.

        Raises:
            LimitError: the file is too large.
        """
        ...


class PackedTree:
    """The files in a zip."""

    def __init__(self, files: Iterable[LooseFile], origin: str) -> None:
        self.origin, self.unused = origin, ()
        self._files: Mapping[PurePosixPath, LooseFile] = {file.path: file for file in files}

    def find(self, globs: Collection[Glob]) -> dict[Glob, tuple[PurePosixPath, ...]]:
        """Return the paths that match each pattern; as FileTree."""
        return {glob: tuple(path for path in sorted(self._files) if glob.matches(path)) for glob in globs}

    def read(self, path: PurePosixPath) -> tuple[bytes, str]:
        """Return the bytes of a file, and why they cannot be read; as FileTree."""
        file = self._files[path]
        return file.data, file.damage


class DiskTree:
    """The files in a folder on disk; links to folders are not followed."""

    def __init__(self, folder: Path, origin: str, limits: Limits) -> None:
        self.origin, self.unused = origin, ()
        self._folder, self._limits = folder, limits
        self._resolved = folder.resolve()
        self._bytes = 0

    def find(self, globs: Collection[Glob]) -> dict[Glob, tuple[PurePosixPath, ...]]:
        """Return the paths that match each pattern; folders that no pattern can match are not listed.

        Descriptions, backups and programs, which are left out of zips, match patterns without wildcards only.
        """
        matching: dict[Glob, list[PurePosixPath]] = {glob: [] for glob in globs}
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
                if not after:
                    continue
                if entry.is_dir(follow_symlinks=False):
                    folders.append((path, after))
                    continue
                wanted = [glob for glob, state in after.items() if glob.is_match(state)]
                if filter_companions([path]) and all(WILDCARDS.search(glob.parts[-1]) for glob in wanted):
                    unused += [path] if wanted else []
                    continue
                if wanted and self._is_file(path, entry):
                    for glob in wanted:
                        matching[glob].append(path)
        self.unused = filter_companions(unused)
        return {glob: tuple(sorted(paths)) for glob, paths in matching.items()}

    def _list(self, folder: PurePosixPath) -> list[os.DirEntry[str]]:
        try:
            with os.scandir(self._folder / folder) as entries:
                return list(entries)
        except OSError as error:
            place = one_line(str(folder))
            raise FormatError(f"{self.origin}: the folder {place} cannot be listed: {error.strerror}") from None

    def _is_file(self, path: PurePosixPath, entry: os.DirEntry[str]) -> bool:
        """Return whether a path is a file; errors as for find."""
        if one_line(str(path)) != str(path):
            raise FormatError(
                f"{self.origin}: the file name {str(path)!r} has control characters or is too long; rename it"
            )
        if entry.is_symlink() and not Path(entry.path).resolve().is_relative_to(self._resolved):
            raise FormatError(f"{self.origin}: {path} is a symbolic link out of the folder, a file in it expected")
        return entry.is_file()

    def read(self, path: PurePosixPath) -> tuple[bytes, str]:
        """Return the bytes of a file, and why they cannot be read; as FileTree."""
        try:
            data = read_bytes(self._folder / path, self._limits)
        except LimitError:
            raise
        except OSError as error:
            return b"", f"cannot be read: {error.strerror}"
        self._bytes += len(data)
        self._limits.check("unpacked_bytes", self._bytes, self.origin)
        return data, ""
