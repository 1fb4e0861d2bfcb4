"""Finished results kept in a SQLite file, so that work that was interrupted counts only the rest.

A result is kept under the digest of its task, of the function and of the version of this project. Several processes may
use a file at the same time. A process that is killed loses at most the results of its last moments.
"""

from __future__ import annotations

import hashlib
import sqlite3
import time
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from itertools import chain, count, islice
from pathlib import Path
from typing import TYPE_CHECKING, Generic, TypeVar

from bleu_core.digests import DIGEST_BYTES, digest_of
from bleu_core.errors import BleuCoreError
from bleu_core.formats import printable_path
from bleu_core.progress import Progress
from bleu_core.version import VERSION

if TYPE_CHECKING:
    from bleu_core.counts.counting import Run

Task = TypeVar("Task")
Result = TypeVar("Result")

#: Marks a file of ours among SQLite's ("BLEU" in ASCII).
APPLICATION = 0x424C4555
LAYOUT = 1

#: Seconds to wait for another process that writes.
WAIT_SECONDS = 10.0

#: Seconds between two writes: results that come faster are written together.
WRITE_SECONDS = 0.2

#: Tasks that are looked up together.
LOOKED_UP = 500


class KeptError(BleuCoreError):
    """A file of kept results cannot be used."""


@dataclass(frozen=True, slots=True)
class _LookedUp(Generic[Task, Result]):
    """A task, its position, and its result if it is kept."""

    position: int
    task: Task
    digest: bytes
    kept: tuple[Result] | None


class KeptResults(Generic[Task, Result]):
    """Runs tasks whose results are not kept yet, and keeps them.

    Args:
        path: of the file, which is made if it does not exist; on a disk of this machine.
        encode: a result as bytes.
        decode: the result of such bytes.

    Raises:
        KeptError: the file is something else, or cannot be made or read.
    """

    def __init__(
        self, path: str | Path, *, encode: Callable[[Result], bytes], decode: Callable[[bytes], Result]
    ) -> None:
        self._path = str(path)
        self._encode = encode
        self._decode = decode
        with self._connection() as connection:
            _prepare(connection, self._name)

    def run(
        self,
        run: Run,
        function: Callable[[Task], Result],
        tasks: Iterable[Task],
        /,
        *,
        total: int | None = None,
        progress: Progress | None = None,
    ) -> Iterator[tuple[int, Result]]:
        """Run tasks, as Run has it.

        Args:
            run: runs the tasks that have no result yet.
            function: of a module; the same task always has the same result.
            tasks: values that `digest_of` knows; those with results at the beginning are not held in memory.
            total: how many there are, where it is known.
            progress: told how many tasks of how many are done, kept ones too; may raise, which ends the work.

        Yields:
            The position of a task, from 0, and its result: in any order, each once.

        Raises:
            KeptError: the file cannot be read or written, as the disk is full; what was kept stays.
            TypeError: a task holds a value that `digest_of` does not know.
        """
        looked_up = self._looked_up(function, tasks)
        done = 0

        def tell(_done: int = 0, _total: int = 0) -> None:
            if progress and total:
                progress(done, total)

        for found in self._found(run, function, looked_up=looked_up, total=total, tell=tell):
            done += 1
            yield found
            tell()

    def _found(
        self,
        run: Run,
        function: Callable[[Task], Result],
        looked_up: Iterator[_LookedUp[Task, Result]],
        total: int | None,
        tell: Progress,
    ) -> Iterator[tuple[int, Result]]:
        """The results that are kept and, from the first task on that has none, those that are counted."""
        first: _LookedUp[Task, Result] | None = None
        for first in looked_up:
            if not first.kept:
                break
            yield first.position, first.kept[0]
        if first is None or first.kept:
            return
        ready: deque[tuple[int, Result]] = deque()
        given: dict[int, _LookedUp[Task, Result]] = {}

        def rest() -> Iterator[Task]:
            number = count()
            for task in chain([first], looked_up):
                if task.kept:
                    ready.append((task.position, task.kept[0]))
                else:
                    given[next(number)] = task
                    yield task.task

        for found in self._keeping(run(function, rest(), total=total, progress=tell), given):
            yield found
            while ready:
                yield ready.popleft()
        yield from ready

    def _keeping(
        self, results: Iterable[tuple[int, Result]], given: dict[int, _LookedUp[Task, Result]]
    ) -> Iterator[tuple[int, Result]]:
        """The results with the positions of their tasks; they are kept as they come.

        Args:
            results: by the numbers of those that were given out.
            given: number -> the task.
        """
        unwritten: list[tuple[bytes, bytes]] = []
        written = float("-inf")
        try:
            for number, result in results:
                task = given.pop(number)
                unwritten.append((task.digest, self._encode(result)))
                if time.monotonic() - written >= WRITE_SECONDS:
                    self._write(unwritten)
                    unwritten = []
                    written = time.monotonic()
                yield task.position, result
        finally:
            self._write(unwritten)

    def _looked_up(
        self, function: Callable[[Task], Result], tasks: Iterable[Task]
    ) -> Iterator[_LookedUp[Task, Result]]:
        """The tasks, with the results that are kept."""
        named = f"{function.__module__}.{function.__qualname__}"
        upcoming = enumerate(tasks)
        size = 1  # a task that is given out is not to wait for many others
        while batch := list(islice(upcoming, size)):
            digests = [digest_of((VERSION, named, task)) for _, task in batch]
            found = self._read(digests)
            size = min(2 * size, LOOKED_UP) if found else 1
            for (position, task), digest in zip(batch, digests, strict=True):
                yield _LookedUp(position, task, digest, found.get(digest))

    def _read(self, digests: Sequence[bytes]) -> dict[bytes, tuple[Result]]:
        """The results that are kept; a damaged one is as if it were not there."""
        marks = ",".join("?" * len(digests))
        with self._connection() as connection:
            rows = connection.execute(
                f"SELECT digest, result, checksum FROM results WHERE digest IN ({marks})",  # noqa: S608 # marks only
                digests,
            ).fetchall()
        return {
            digest: (self._decode(result),)
            for digest, result, checksum in rows
            if isinstance(result, bytes) and checksum == _checksum(digest, result)
        }

    def _write(self, results: Sequence[tuple[bytes, bytes]]) -> None:
        if not results:
            return
        rows = [(digest, result, _checksum(digest, result)) for digest, result in results]
        with self._connection() as connection, connection:
            connection.executemany("INSERT OR REPLACE INTO results VALUES (?, ?, ?)", rows)

    @property
    def _name(self) -> str:
        return printable_path(self._path)

    @contextmanager
    def _connection(self) -> Generator[sqlite3.Connection]:
        """A connection for one operation; the errors of SQLite are those of a file here.

        Raises:
            KeptError: the operation failed.
        """
        try:
            with closing(sqlite3.connect(self._path, timeout=WAIT_SECONDS)) as connection:
                connection.execute("PRAGMA synchronous=NORMAL")
                yield connection
        except sqlite3.OperationalError as error:
            raise KeptError(
                f"{self._name}: {error}; what was kept so far stays, see that the disk has space and that the folder "
                "can be written, and start again"
            ) from None
        except sqlite3.DatabaseError as error:
            raise KeptError(
                f"{self._name}: {error}; a file of kept results expected, name a new one or delete this one"
            ) from None


def _checksum(digest: bytes, result: bytes) -> bytes:
    return hashlib.blake2b(digest + result, digest_size=DIGEST_BYTES).digest()


def _prepare(connection: sqlite3.Connection, name: str) -> None:
    """Make the table in a new file, or check that the file is ours.

    Raises:
        KeptError: it is another's.
    """
    connection.isolation_level = None
    connection.execute("BEGIN IMMEDIATE")  # another process may make the file at the same moment
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    (layout,) = connection.execute("PRAGMA user_version").fetchone()
    if application == APPLICATION and layout == LAYOUT:
        connection.execute("ROLLBACK")
        return
    if application or layout or connection.execute("SELECT * FROM sqlite_master").fetchone():
        connection.execute("ROLLBACK")
        raise KeptError(
            f"{name}: a database of another program or version found, a file of kept results expected; name a new one"
        )
    connection.execute("CREATE TABLE results (digest BLOB PRIMARY KEY, result BLOB NOT NULL, checksum BLOB NOT NULL)")
    connection.execute(f"PRAGMA application_id={APPLICATION}")
    connection.execute(f"PRAGMA user_version={LAYOUT}")
    connection.execute("COMMIT")
    connection.execute("PRAGMA journal_mode=WAL")
