"""The SQLite file of a campaign. Data that were written are in the file at its path; otherwise an error is raised.

A file can be deleted, renamed, replaced or overwritten while it is in use, and SQLite does not notice: it would write
into an unlinked file, or combine the write-ahead log with a file to which it does not belong. Therefore every
transaction gets a random mark, which is stored in the table `commits` and in the header of the file (`user_version`). A
file is accepted as long as it has the marks of all transactions that were seen in it, and its header has the mark of a
transaction on which the log builds.

After each transaction the log is copied into the file and truncated. Only an open reader of another process prevents
that; then the file and its log together hold the data.
"""

from __future__ import annotations

import contextlib
import logging
import os
import secrets
import sqlite3
import threading
import time
from collections.abc import Generator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple, TypeGuard

from bleu_core.campaigns.schema import APPLICATION_ID, SCHEMA_VERSION, VERSION_2_TABLES, statements
from bleu_core.errors import BleuCoreError
from bleu_core.invocation import invocation

LOGGER = logging.getLogger(__name__)

#: Seconds that a writer waits for another thread, and for another process; their sum is below the timeout of a rating
#: page.
WRITE_TIMEOUT_S = 5.0
#: Seconds that a checkpoint of the log waits for readers.
CHECKPOINT_TIMEOUT_S = 0.1
#: Bits of `user_version`: of the schema's version, and of the mark above it.
VERSION_BITS, MARK_BITS = 8, 23
#: Seconds after which a refused file is checked again even if it has not changed.
RECHECK_INTERVAL_S = 5.0
#: Number of attempts to open a file that another process is writing to, and seconds between them.
MAX_TRIES, RETRY_DELAY_S = 5, 0.02


class StoreError(BleuCoreError):
    """The campaign file cannot be opened, or does not allow the operation."""


class UnusableFileError(StoreError):
    """The file cannot be read or written now, for example because the disk is full; a later attempt may succeed."""


class Commit(NamedTuple):
    """Number and mark of a transaction."""

    number: int
    mark: int


class Stamp(NamedTuple):
    """File metadata that change when a file is replaced or written to."""

    device: int
    inode: int
    size: int
    modified: int


@dataclass(slots=True)
class Handle:
    """An open connection, and the stamp of the file when it was last verified."""

    connection: sqlite3.Connection
    stamp: Stamp


class Database:
    """The open file of a campaign, with a connection for writing and one for reading, which never waits for writers.

    Args:
        path: of the file.

    Raises:
        StoreError: the file does not exist, is damaged, is not a campaign, or was written by a newer version.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        # Both are held for one transaction or query, in which SQLite waits for other programs up to WRITE_TIMEOUT_S.
        self._writing = threading.Lock()
        self._reading = threading.RLock()  # acquired after `_writing`, or by a reader that does not wait for it
        self._writer: Handle | None = None
        self._reader: Handle | None = None
        self._owner: int | None = None  # id of the thread that writes
        self._newest: Commit | None = None  # newest transaction seen in the file
        self._refused: tuple[Stamp | None, float] | None = None  # refused file, and when to check it again
        self._problem = ""
        self._logged = ""
        self._closed = False
        if not path.is_file():
            raise StoreError(f"{path}: no file found, a campaign expected; create one first")
        with self._writing, self._reading:
            self._open()

    def close(self) -> None:
        """Checkpoint and close the file, unless its path names another file now."""
        with self._writing, self._reading:
            if self._writer is not None and self._reader is not None:
                with contextlib.suppress(sqlite3.Error, StoreError):
                    self._settle()
                    self._reader.connection.close()  # first, so that SQLite removes the log
            self._closed = True
            self._discard()

    def read(self, query: str, *values: object) -> list[Any]:
        """Return the rows of a query: committed ones, or within a transaction of this thread, those it sees."""
        if self._owner == threading.get_ident() and self._writer is not None:
            return self._writer.connection.execute(query, values).fetchall()
        with self._reading, self._converting_errors():
            return self._current_reader().connection.execute(query, values).fetchall()

    @contextlib.contextmanager
    def write(self) -> Generator[sqlite3.Connection]:
        """Run one transaction, which excludes other writers; an exception rolls it back.

        Within a transaction of the same thread it is a savepoint of that transaction.

        Raises:
            UnusableFileError: the data are not, or may not be, in the file at the path.
        """
        if self._owner == threading.get_ident() and self._writer is not None:
            with _savepoint(self._writer.connection) as connection:
                yield connection
            return
        if not self._writing.acquire(timeout=WRITE_TIMEOUT_S):
            raise UnusableFileError(
                f"{self.path}: the file has been locked by other writers for {WRITE_TIMEOUT_S:g} seconds; try again"
            )
        try:
            with self._converting_errors():
                connection = self._begin().connection
                self._owner = threading.get_ident()
                before = connection.total_changes
                try:
                    yield connection
                    newest = self._mark(connection) if connection.total_changes > before else None
                    connection.execute("COMMIT")
                except BaseException:
                    if connection.in_transaction:
                        connection.execute("ROLLBACK")
                    raise
                finally:
                    self._owner = None
                self._newest = newest or self._newest
                self._settle()
                if self._logged:
                    self._log("")
        finally:
            self._writing.release()

    def copy_to(self, target: Path) -> None:
        """Write a copy of the committed data into a new file and check it; others can write meanwhile.

        Raises:
            StoreError: the file exists, or the copy is damaged.
            OSError: it cannot be written.
        """
        new_file(target)
        try:
            with contextlib.closing(_connect(target)) as copy:
                with self._converting_errors(), contextlib.closing(_connect(self.path, "ro")) as source:
                    source.backup(copy)
                _check_content(copy, target)
        except BaseException:
            target.unlink(missing_ok=True)
            raise

    # Opening, and detecting that the file was replaced.

    def _current_reader(self) -> Handle:
        """Return the connection for reading, reopened if the file has changed; the caller holds the read lock."""
        now, reader = _stamp(self.path), self._reader
        if reader is not None and now == reader.stamp:
            return reader
        if reader is not None and self._writer is not None and _is_same(now, reader.stamp):
            self._reader = self._renewed(reader, now, "ro")
            return self._reader
        if not self._writing.acquire(blocking=False):
            raise UnusableFileError(f"{self.path}: another file found, the one that was opened expected; try again")
        try:
            return self._reopen(now)[1]
        finally:
            self._writing.release()

    def _current_writer(self) -> Handle:
        """Return the connection for writing, reopened if the file has changed; the caller holds the write lock."""
        now, writer = _stamp(self.path), self._writer
        if writer is not None and now == writer.stamp:
            return writer
        if writer is not None and self._reader is not None and _is_same(now, writer.stamp):
            self._writer = self._renewed(writer, now, "rw")
            return self._writer
        with self._reading:
            return self._reopen(now)[0]

    def _begin(self) -> Handle:
        """Begin a transaction in a file that has not changed since it was last verified."""
        end = time.monotonic() + WRITE_TIMEOUT_S
        while True:
            writer = self._current_writer()
            writer.connection.execute("BEGIN IMMEDIATE")
            if _stamp(self.path) == writer.stamp:
                return writer
            writer.connection.execute("ROLLBACK")  # another process has written meanwhile
            if time.monotonic() > end:
                raise UnusableFileError(f"{self.path}: a file that other programs keep changing found; try again")

    def _renewed(self, old: Handle, now: Stamp, mode: str) -> Handle:
        """Return a new connection to a file that another process has written to, or that was overwritten by a copy."""
        with self._caching_refusals(now):
            connection = _connect(self.path, mode)
            try:
                self._verify(connection)
                _prepare(connection)
            except BaseException:
                connection.close()
                raise
        old.connection.close()
        return Handle(connection, now)

    def _reopen(self, now: Stamp | None) -> tuple[Handle, Handle]:
        """Close the current file and open the file at the path; the caller holds both locks."""
        if self._closed:
            raise UnusableFileError(f"{self.path}: a campaign that was closed found, an open one expected")
        with self._caching_refusals(now):
            self._discard()
            if now is None:
                raise UnusableFileError(
                    f"{self.path}: no file found, the campaign that was opened expected. Nothing is stored now. "
                    "Put the file back"
                )
            try:
                return self._open()
            except UnusableFileError:
                raise
            except StoreError as error:
                raise UnusableFileError(f"{error}. Nothing is stored now. Put the file back that was there") from None

    def _open(self) -> tuple[Handle, Handle]:
        """Open the connections for writing and for reading."""
        try:
            for _ in range(MAX_TRIES):
                stamp = _stamp(self.path)
                if stamp is None:
                    break
                self._writer = Handle(_connect(self.path), stamp)
                connection = self._writer.connection
                _check_kind(connection, self.path)
                self._reader = Handle(_connect(self.path, "ro"), stamp)
                _prepare(connection)
                _prepare(self._reader.connection)
                self._verify(connection)
                _check_content(connection, self.path)
                if _migrate(connection):
                    self._verify(connection)
                self._settle()
                if self._reader.stamp == self._writer.stamp:
                    return self._writer, self._reader
                self._discard()
        except (sqlite3.Error, StoreError) as error:
            self._discard()
            if isinstance(error, sqlite3.Error):
                raise StoreError(f"{self.path}: a damaged file found ({error}), a campaign expected") from None
            raise
        raise StoreError(f"{self.path}: a file that other programs change found, a campaign expected; try again")

    def _discard(self) -> None:
        """Close both connections, the read-only one last, so that SQLite does not checkpoint the log into the file."""
        for handle in (self._writer, self._reader):
            if handle is not None:
                handle.connection.close()
        self._writer = self._reader = None

    def _verify(self, connection: sqlite3.Connection) -> None:
        """Check that the file has all stored data and that its log belongs to it.

        Raises:
            UnusableFileError: it lacks data, or the log does not belong to it.
        """
        problem = ""
        for _ in range(MAX_TRIES):
            try:
                problem = self._problem_of(connection)
            except sqlite3.DatabaseError as error:
                if self._newest is None:
                    raise
                problem = f"a damaged file ({error})"
            if not problem:
                return
            time.sleep(RETRY_DELAY_S)
        alternative = "start the server again to use this one"
        if _is_log_used(self.path):
            alternative = f"move {_log(self.path)} away and start again to use this one, without the last answers"
        raise UnusableFileError(
            f"{self.path}: {problem} found, the file with all stored data expected. Nothing is stored now. "
            f"Put that file back, or {alternative}"
        )

    def _problem_of(self, connection: sqlite3.Connection) -> str:
        connection.execute("BEGIN")  # one state for all queries
        try:
            if not connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'commits'").fetchall():
                return "" if self._newest is None else "an older copy, or another campaign,"
            number, mark, base = _newest_commit(connection)
            newest = self._newest
            if newest is not None and not _is_commit(connection, newest):
                return "an older copy, or another campaign,"
            in_header = _mark_in_header(self.path)
            if in_header is None and newest is not None:
                return "a damaged file"
            if in_header is not None and not _is_marked(connection, in_header, base):
                return f"a file to which {_log(self.path).name} does not belong"
        finally:
            connection.execute("ROLLBACK")
        if newest is None or number > newest.number:
            self._newest = Commit(number, mark)
        return ""

    # Storing.

    def _mark(self, connection: sqlite3.Connection) -> Commit:
        """Mark the current transaction."""
        newest = _newest_commit(connection)
        commit = Commit(newest[0] + 1, secrets.randbits(MARK_BITS))
        base = newest[2] if _is_log_used(self.path) else newest[0]
        connection.execute("INSERT INTO commits (number, mark, base) VALUES (?, ?, ?)", (*commit, base))
        connection.execute(f"PRAGMA user_version = {commit.mark << VERSION_BITS | SCHEMA_VERSION}")
        return commit

    def _settle(self) -> None:
        """Checkpoint the log, and verify that the file at the path has the stored data."""
        writer, newest = self._current_writer(), self._newest
        connection, before = writer.connection, writer.stamp
        connection.execute(f"PRAGMA busy_timeout = {round(1000 * CHECKPOINT_TIMEOUT_S)}")
        try:
            ((busy, pages, copied),) = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
        finally:
            connection.execute(f"PRAGMA busy_timeout = {round(1000 * WRITE_TIMEOUT_S)}")
        now, in_header = _stamp(self.path), _mark_in_header(self.path)
        complete = newest is not None and (not busy or pages == copied)
        min_number = newest.number if newest is not None and complete else _newest_commit(connection)[2]
        if not _is_same(now, before) or in_header is None or not _is_marked(connection, in_header, min_number):
            writer.stamp = before._replace(modified=-1)  # another process has written to it, or replaced it
            self._current_writer()
            return
        writer.stamp = now
        with self._reading:
            if self._reader is not None and self._reader.stamp == before:
                self._reader.stamp = now

    # Problems.

    @contextlib.contextmanager
    def _caching_refusals(self, now: Stamp | None) -> Generator[None]:
        """Refuse again, without a check, a file that was refused a moment ago."""
        if self._refused is not None and self._refused[0] == now and time.monotonic() < self._refused[1]:
            raise UnusableFileError(self._problem)
        try:
            with self._converting_errors():
                yield
        except StoreError as error:
            self._refused, self._problem = (now, time.monotonic() + RECHECK_INTERVAL_S), str(error)
            raise
        self._refused = None

    @contextlib.contextmanager
    def _converting_errors(self) -> Generator[None]:
        """Convert errors of SQLite, such as a full disk or a damaged page, into errors of the store."""
        try:
            yield
        except sqlite3.Error as error:
            problem = f"the file cannot be used ({error}), a campaign on a working disk expected; nothing was stored"
            if isinstance(error, sqlite3.OperationalError) and "locked" in str(error):
                problem = (
                    "a lock of another program found, a file that can be written expected; nothing was stored. Close "
                    "the program that has it open, such as an editor of databases"
                )
            self._log(f"{self.path}: {problem}")
            raise UnusableFileError(f"{self.path}: {problem}") from error
        except UnusableFileError as error:
            self._log(str(error))
            raise

    def _log(self, message: str) -> None:
        """Log a message once; an empty message says that the file can be used again."""
        if message != self._logged:
            self._logged = message
            LOGGER.warning("%s", message or f"{self.path}: the file can be used again")


def new_file(path: Path) -> None:
    """Create an empty file that only its owner can read and write.

    Raises:
        StoreError: the file exists.
        OSError: it cannot be created.
    """
    try:
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    except FileExistsError:
        raise StoreError(f"{path}: the file already exists; choose another name") from None


@contextlib.contextmanager
def new_database(path: Path) -> Generator[sqlite3.Connection]:
    """Run the transaction that fills a new campaign file; an exception removes the file.

    Raises:
        StoreError: the file exists.
        OSError: it cannot be written.
    """
    new_file(path)
    connection = _connect(path)
    try:
        _prepare(connection)
        connection.execute("BEGIN IMMEDIATE")
        for statement in statements():
            connection.execute(statement)
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        _first_commit(connection)
        yield connection
        connection.execute("COMMIT")
    except BaseException:
        connection.close()
        path.unlink()
        raise
    connection.close()


def _connect(path: Path, mode: str = "rw") -> sqlite3.Connection:
    """Return a connection to an existing file."""
    uri = f"{path.absolute().as_uri()}?mode={mode}"
    return sqlite3.connect(uri, timeout=WRITE_TIMEOUT_S, isolation_level=None, check_same_thread=False, uri=True)


def _prepare(connection: sqlite3.Connection) -> None:
    if connection.execute("PRAGMA journal_mode").fetchone()[0] != "wal":
        connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("PRAGMA wal_autocheckpoint = 0")
    connection.execute("PRAGMA foreign_keys = ON")
    connection.execute("PRAGMA recursive_triggers = ON")


def _check_kind(connection: sqlite3.Connection, path: Path) -> None:
    ((application,),) = connection.execute("PRAGMA application_id").fetchall()
    ((version,),) = connection.execute("PRAGMA user_version").fetchall()
    schema_version = version & (1 << VERSION_BITS) - 1
    if application != APPLICATION_ID:
        raise StoreError(f"{path}: another database or an unfinished file found, a campaign expected")
    if schema_version > SCHEMA_VERSION:
        raise StoreError(
            f"{path}: schema version {schema_version} found, at most {SCHEMA_VERSION} expected; "
            "open it with a newer version"
        )


def _check_content(connection: sqlite3.Connection, path: Path) -> None:
    if connection.execute("PRAGMA quick_check(1)").fetchall() != [("ok",)]:
        raise StoreError(
            f"{path}: a damaged file found, a campaign expected; restore a copy made by "
            f"`{invocation('bleu-core')} campaign backup`"
        )


def _migrate(connection: sqlite3.Connection) -> bool:
    """Add the tables of newer schema versions that the file lacks; return whether any were missing."""
    missing = "SELECT count(*) FROM sqlite_master WHERE name IN ('commits', 'comments_of_judge')"
    if connection.execute(missing).fetchone()[0]:
        return False
    connection.execute("BEGIN IMMEDIATE")
    try:
        if connection.execute(missing).fetchone()[0] == 0:
            for statement in statements(VERSION_2_TABLES):
                connection.execute(statement)
            connection.execute(
                "INSERT INTO commits (number, mark, base) VALUES (0, 0, 0)"
            )  # the mark of a file of version 1
            _first_commit(connection, base=0)
        connection.execute("COMMIT")
    except BaseException:
        connection.execute("ROLLBACK")
        raise
    return True


def _first_commit(connection: sqlite3.Connection, base: int = 1) -> None:
    mark = secrets.randbits(MARK_BITS)
    connection.execute("INSERT INTO commits (number, mark, base) VALUES (1, ?, ?)", (mark, base))
    connection.execute(f"PRAGMA user_version = {mark << VERSION_BITS | SCHEMA_VERSION}")


def _newest_commit(connection: sqlite3.Connection) -> tuple[int, int, int]:
    """Return number and mark of the newest transaction, and the number of the one on which the log builds."""
    number, mark, base = connection.execute(
        "SELECT number, mark, base FROM commits ORDER BY number DESC LIMIT 1"
    ).fetchone()
    return number, mark, base


def _is_commit(connection: sqlite3.Connection, commit: Commit) -> bool:
    return bool(connection.execute("SELECT 1 FROM commits WHERE number = ? AND mark = ?", commit).fetchall())


def _is_marked(connection: sqlite3.Connection, mark: int, min_number: int) -> bool:
    """Return whether a transaction has this mark and at least this number."""
    query = "SELECT 1 FROM commits WHERE number >= ? AND mark = ?"
    return bool(connection.execute(query, (min_number, mark)).fetchall())


def _mark_in_header(path: Path) -> int | None:
    """Return the mark in the header of the file at the path, without its log; None if it cannot be read.

    It is read through SQLite: POSIX drops SQLite's locks when the process closes another handle of the file.
    """
    try:
        uri = f"{path.absolute().as_uri()}?mode=ro&immutable=1"
        with contextlib.closing(sqlite3.connect(uri, timeout=WRITE_TIMEOUT_S, uri=True)) as connection:
            return int(connection.execute("PRAGMA user_version").fetchone()[0]) >> VERSION_BITS
    except sqlite3.Error:
        return None


def _log(path: Path) -> Path:
    """Return the path of SQLite's write-ahead log of a file."""
    real = path.resolve()
    return real.with_name(f"{real.name}-wal")


def _is_log_used(path: Path) -> bool:
    try:
        return _log(path).stat().st_size > 0
    except OSError:
        return False


def _stamp(path: Path) -> Stamp | None:
    """Return the stamp of the file at the path; None if there is none."""
    try:
        status = path.stat()
    except OSError:
        return None
    return Stamp(status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns)


def _is_same(now: Stamp | None, before: Stamp) -> TypeGuard[Stamp]:
    """Return whether both stamps are of the same file, which may have been written to."""
    return now is not None and (now.device, now.inode) == (before.device, before.inode)


@contextlib.contextmanager
def _savepoint(connection: sqlite3.Connection) -> Generator[sqlite3.Connection]:
    connection.execute("SAVEPOINT part")
    try:
        yield connection
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK TO part")
            connection.execute("RELEASE part")
        raise
    connection.execute("RELEASE part")
