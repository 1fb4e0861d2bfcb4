"""Checkpoint files: finished results in SQLite, so that interrupted work can be resumed.

The key of a result is the digest of its task, of the function and of the version of this project. Several processes may
use a file at the same time. A process that is killed loses at most the results of the last WRITE_SECONDS.
"""

from __future__ import annotations

import hashlib
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
    import sqlite3

    from bleu_core.counts.counting import Run

Task = TypeVar("Task")
Result = TypeVar("Result")

#: The id of this application in SQLite files ("BLEU" in ASCII).
APPLICATION_ID = 0x424C4555
LAYOUT = 1

#: Seconds to wait while another process writes.
LOCK_TIMEOUT_SECONDS = 10.0

#: Seconds between two writes; results that arrive in between are written together.
WRITE_SECONDS = 0.2

#: Maximum number of tasks per query.
MAX_QUERY_TASKS = 500


class CheckpointError(BleuCoreError):
    """A checkpoint file cannot be used."""


@dataclass(frozen=True, slots=True)
class _QueriedTask(Generic[Task, Result]):
    """A task, its position, and its stored result, if any."""

    position: int
    task: Task
    digest: bytes
    stored: tuple[Result] | None


class Checkpoint(Generic[Task, Result]):
    """A checkpoint file: tasks with stored results are skipped, and the results of others are stored.

    Args:
        path: path of the file, on a local disk; it is created if it does not exist.
        encode: converts a result to bytes.
        decode: converts such bytes to a result.

    Raises:
        CheckpointError: the file is of another kind, or cannot be created or read.
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
        """Run tasks, see Run.

        Args:
            run: runs the tasks that have no stored result.
            function: a function of a module; equal tasks must have equal results.
            tasks: values that `digest_of` accepts; those with stored results at the beginning are not held in memory.
            total: number of tasks, if known.
            progress: called with the number of finished tasks, including stored results, and of all tasks; may raise,
                which ends the work.

        Yields:
            The position of a task, from 0, and its result: in any order, each once.

        Raises:
            CheckpointError: the file cannot be read or written, for example as the disk is full; stored results remain.
            TypeError: a task holds a value that `digest_of` does not accept.
        """
        queried = self._query(function, tasks)
        done = 0

        def report(_done: int = 0, _total: int = 0) -> None:
            if progress and total:
                progress(done, total)

        for result in self._results(run, function, queried=queried, total=total, report=report):
            done += 1
            yield result
            report()

    def _results(
        self,
        run: Run,
        function: Callable[[Task], Result],
        queried: Iterator[_QueriedTask[Task, Result]],
        total: int | None,
        report: Progress,
    ) -> Iterator[tuple[int, Result]]:
        """Yield stored results; from the first task without one on, run the tasks that have none."""
        first: _QueriedTask[Task, Result] | None = None
        for first in queried:
            if not first.stored:
                break
            yield first.position, first.stored[0]
        if first is None or first.stored:
            return
        ready: deque[tuple[int, Result]] = deque()
        running: dict[int, _QueriedTask[Task, Result]] = {}

        def without_results() -> Iterator[Task]:
            number = count()
            for task in chain([first], queried):
                if task.stored:
                    ready.append((task.position, task.stored[0]))
                else:
                    running[next(number)] = task
                    yield task.task

        for result in self._stored(run(function, without_results(), total=total, progress=report), running):
            yield result
            while ready:
                yield ready.popleft()
        yield from ready

    def _stored(
        self, results: Iterable[tuple[int, Result]], running: dict[int, _QueriedTask[Task, Result]]
    ) -> Iterator[tuple[int, Result]]:
        """Store results as they arrive, and yield them with the positions of their tasks.

        Args:
            results: the results with the numbers of the running tasks.
            running: number -> task; finished tasks are removed.
        """
        unwritten: list[tuple[bytes, bytes]] = []
        written = float("-inf")
        try:
            for number, result in results:
                task = running.pop(number)
                unwritten.append((task.digest, self._encode(result)))
                if time.monotonic() - written >= WRITE_SECONDS:
                    self._write(unwritten)
                    unwritten = []
                    written = time.monotonic()
                yield task.position, result
        finally:
            self._write(unwritten)

    def _query(self, function: Callable[[Task], Result], tasks: Iterable[Task]) -> Iterator[_QueriedTask[Task, Result]]:
        """Yield the tasks with their stored results."""
        function_name = f"{function.__module__}.{function.__qualname__}"
        upcoming = enumerate(tasks)
        size = 1  # the first task to run does not wait for a long query
        while batch := list(islice(upcoming, size)):
            digests = [digest_of((VERSION, function_name, task)) for _, task in batch]
            stored = self._read(digests)
            size = min(2 * size, MAX_QUERY_TASKS) if stored else 1
            for (position, task), digest in zip(batch, digests, strict=True):
                yield _QueriedTask(position, task, digest, stored.get(digest))

    def _read(self, digests: Sequence[bytes]) -> dict[bytes, tuple[Result]]:
        """Read stored results; damaged ones are ignored."""
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
        """Connect to the file for one operation, and turn errors of SQLite into messages.

        Raises:
            CheckpointError: the operation failed.
        """
        import sqlite3  # not needed without a checkpoint, and slow to load

        try:
            with closing(sqlite3.connect(self._path, timeout=LOCK_TIMEOUT_SECONDS)) as connection:
                connection.execute("PRAGMA synchronous=NORMAL")
                yield connection
        except sqlite3.OperationalError as error:
            raise CheckpointError(
                f"{self._name}: {error}; the results stored so far remain; check that the disk has space and that the "
                "folder can be written, then start the program again"
            ) from None
        except sqlite3.DatabaseError as error:
            raise CheckpointError(
                f"{self._name}: {error}; a checkpoint file expected; name a new file or delete this one"
            ) from None


def _checksum(digest: bytes, result: bytes) -> bytes:
    return hashlib.blake2b(digest + result, digest_size=DIGEST_BYTES).digest()


def _prepare(connection: sqlite3.Connection, name: str) -> None:
    """Create the table in a new file, or check that the file is a checkpoint file.

    Raises:
        CheckpointError: the file belongs to another program or version.
    """
    connection.isolation_level = None
    connection.execute("BEGIN IMMEDIATE")  # another process may create the file at the same time
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    (layout,) = connection.execute("PRAGMA user_version").fetchone()
    if application == APPLICATION_ID and layout == LAYOUT:
        connection.execute("ROLLBACK")
        return
    if application or layout or connection.execute("SELECT * FROM sqlite_master").fetchone():
        connection.execute("ROLLBACK")
        raise CheckpointError(
            f"{name}: a database of another program or version found, a checkpoint file expected; name a new file"
        )
    connection.execute("CREATE TABLE results (digest BLOB PRIMARY KEY, result BLOB NOT NULL, checksum BLOB NOT NULL)")
    connection.execute(f"PRAGMA application_id={APPLICATION_ID}")
    connection.execute(f"PRAGMA user_version={LAYOUT}")
    connection.execute("COMMIT")
    connection.execute("PRAGMA journal_mode=WAL")
