"""The SQLite file of a campaign: what is written is in the file that the path names now, or the caller is told.

A file can be deleted, renamed, replaced or overwritten while it is in use, which SQLite does not notice: it would write
into a file that has no name any more, or combine the write-ahead log with a file to which it does not belong. So every
transaction gets a random mark, which stands in the table `commits` and in the header of the file (`user_version`). A
file is used while it has the marks of all transactions that were seen in it, and its header has one of those on which
the log builds.

After each transaction the log is copied into the file and emptied. Only a reader that another process has left open
prevents that; then what is stored is in the file and the log together.
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

from bleu_core.campaigns.schema import ADDITIONS, APPLICATION, LAYOUT, statements
from bleu_core.errors import BleuCoreError
from bleu_core.invocation import invocation

LOGGER = logging.getLogger(__name__)

#: Seconds that a writer waits for another thread, and for another process. Together they are less than a rating page
#: waits for an answer.
PATIENCE = 5.0
#: Seconds that emptying the log waits for readers.
PATIENCE_WITH_READERS = 0.1
#: Bits of `user_version` below the mark, which hold the layout, and of the mark.
LAYOUT_BITS, MARK_BITS = 8, 23
#: Seconds after which a file that was refused is looked at again, even if it has not changed.
LOOK_AGAIN = 5.0
#: How often a file is looked at that another process is writing to, and the seconds in between.
TRIES, PAUSE = 5, 0.02


class StoreError(BleuCoreError):
    """The store refuses what is asked of it."""


class UnusableFileError(StoreError):
    """The file cannot be read or written now, as where the disk is full; the same may succeed later."""


class Commit(NamedTuple):
    """A transaction: its number and its mark."""

    number: int
    mark: int


class Stamp(NamedTuple):
    """What changes when a file is replaced or written to."""

    device: int
    inode: int
    size: int
    modified: int


@dataclass(slots=True)
class Handle:
    """An open connection, and the stamp of the file when it was last known to be as it should."""

    connection: sqlite3.Connection
    stamp: Stamp


class Database:
    """The open file of a campaign, with a connection for writing and one for reading, which waits for no writer.

    Args:
        path: of the file.

    Raises:
        StoreError: there is no such file, it is damaged or no campaign, or it was written by a newer version.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._writing = threading.Lock()
        self._reading = threading.RLock()  # taken after the other one, or by a reader that does not wait for that
        self._writer: Handle | None = None
        self._reader: Handle | None = None
        self._owner: int | None = None  # the thread that writes
        self._newest: Commit | None = None  # that was seen in the file
        self._refused: tuple[Stamp | None, float] | None = None  # the file that was refused, and when to look again
        self._problem = ""
        self._logged = ""
        self._closed = False
        if not path.is_file():
            raise StoreError(f"{path}: no file found, a campaign expected; create one first")
        with self._writing, self._reading:
            self._open()

    def close(self) -> None:
        """Close the file, which then holds everything, unless the path names another one now."""
        with self._writing, self._reading:
            if self._writer is not None and self._reader is not None:
                with contextlib.suppress(sqlite3.Error, StoreError):
                    self._settle()
                    self._reader.connection.close()  # first, so that SQLite removes the log
            self._closed = True
            self._discard()

    def read(self, query: str, *values: object) -> list[Any]:
        """The rows of a query: within a transaction of this thread as it sees them, else what is committed."""
        if self._owner == threading.get_ident() and self._writer is not None:
            return self._writer.connection.execute(query, values).fetchall()
        with self._reading, self._refusing():
            return self._current_reader().connection.execute(query, values).fetchall()

    @contextlib.contextmanager
    def write(self) -> Generator[sqlite3.Connection]:
        """One transaction, in which no other process writes; what it raises leaves nothing behind.

        Within a transaction of the same thread it is a part of that one, and is stored with it.

        Raises:
            UnusableFileError: what was written is not, or may not be, in the file that the path names.
        """
        if self._owner == threading.get_ident() and self._writer is not None:
            with _savepoint(self._writer.connection) as connection:
                yield connection
            return
        if not self._writing.acquire(timeout=PATIENCE):
            raise UnusableFileError(f"{self.path}: others write to the file for {PATIENCE:g} seconds; try again")
        try:
            with self._refusing():
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
        """Write a copy of what is committed now into a new file, and check it; others can write meanwhile.

        Raises:
            StoreError: the file exists, or the copy is damaged.
            OSError: it cannot be written.
        """
        new_file(target)
        try:
            with contextlib.closing(_connect(target)) as copy:
                with self._refusing(), contextlib.closing(_connect(self.path, "ro")) as source:
                    source.backup(copy)
                _check_content(copy, target)
        except BaseException:
            target.unlink(missing_ok=True)
            raise

    # Opening, and noticing that the file is another one.

    def _current_reader(self) -> Handle:
        """The connection for reading, if the file is still the same; the lock for reading is held."""
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
        """The connection for writing, if the file is still the same; the lock for writing is held."""
        now, writer = _stamp(self.path), self._writer
        if writer is not None and now == writer.stamp:
            return writer
        if writer is not None and self._reader is not None and _is_same(now, writer.stamp):
            self._writer = self._renewed(writer, now, "rw")
            return self._writer
        with self._reading:
            return self._reopen(now)[0]

    def _begin(self) -> Handle:
        """Begin a transaction in a file that nobody has changed since it was last looked at."""
        end = time.monotonic() + PATIENCE
        while True:
            writer = self._current_writer()
            writer.connection.execute("BEGIN IMMEDIATE")
            if _stamp(self.path) == writer.stamp:
                return writer
            writer.connection.execute("ROLLBACK")  # another process has stored something meanwhile
            if time.monotonic() > end:
                raise UnusableFileError(f"{self.path}: a file that others keep changing found; try again")

    def _renewed(self, old: Handle, now: Stamp, mode: str) -> Handle:
        """A new connection to a file that was written to: by another process of ours, or by a copy over it."""
        with self._remembering(now):
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
        """Open what the path names now in place of what was opened before; both locks are held."""
        if self._closed:
            raise UnusableFileError(f"{self.path}: a campaign that was closed found, an open one expected")
        with self._remembering(now):
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
        """Open both connections: for writing, and for reading."""
        try:
            for _ in range(TRIES):
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
                if _add_what_is_new(connection):
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
        raise StoreError(f"{self.path}: a file that others change found, a campaign expected; try again")

    def _discard(self) -> None:
        """Close both connections. The last one cannot write, so that nothing of the log gets into the file."""
        for handle in (self._writer, self._reader):
            if handle is not None:
                handle.connection.close()
        self._writer = self._reader = None

    def _verify(self, connection: sqlite3.Connection) -> None:
        """Refuse a file that lacks what was stored, or that the log beside it does not continue.

        Raises:
            UnusableFileError: it is such a file.
        """
        problem = ""
        for _ in range(TRIES):
            try:
                problem = self._problem_of(connection)
            except sqlite3.DatabaseError as error:
                if self._newest is None:
                    raise
                problem = f"a damaged file ({error})"
            if not problem:
                return
            time.sleep(PAUSE)
        otherwise = "start the server again to use this one"
        if _is_log_used(self.path):
            otherwise = f"move {_log(self.path)} away and start again to use this one, without the last answers"
        raise UnusableFileError(
            f"{self.path}: {problem} found, the file with all that was stored expected. Nothing is stored now. "
            f"Put that file back, or {otherwise}"
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
        """Mark the transaction that is under way."""
        newest = _newest_commit(connection)
        commit = Commit(newest[0] + 1, secrets.randbits(MARK_BITS))
        base = newest[2] if _is_log_used(self.path) else newest[0]
        connection.execute("INSERT INTO commits (number, mark, base) VALUES (?, ?, ?)", (*commit, base))
        connection.execute(f"PRAGMA user_version = {commit.mark << LAYOUT_BITS | LAYOUT}")
        return commit

    def _settle(self) -> None:
        """Copy the log into the file, and see that the path names a file that has what was stored."""
        writer, newest = self._current_writer(), self._newest
        connection, before = writer.connection, writer.stamp
        connection.execute(f"PRAGMA busy_timeout = {round(1000 * PATIENCE_WITH_READERS)}")
        try:
            ((busy, pages, copied),) = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
        finally:
            connection.execute(f"PRAGMA busy_timeout = {round(1000 * PATIENCE)}")
        now, in_header = _stamp(self.path), _mark_in_header(self.path)
        complete = newest is not None and (not busy or pages == copied)
        least = newest.number if newest is not None and complete else _newest_commit(connection)[2]
        if not _is_same(now, before) or in_header is None or not _is_marked(connection, in_header, least):
            writer.stamp = before._replace(modified=-1)  # another process has written to it since, or it was replaced
            self._current_writer()
            return
        writer.stamp = now
        with self._reading:
            if self._reader is not None and self._reader.stamp == before:
                self._reader.stamp = now

    # Problems.

    @contextlib.contextmanager
    def _remembering(self, now: Stamp | None) -> Generator[None]:
        """Refuse a file that was refused a moment ago at once."""
        if self._refused is not None and self._refused[0] == now and time.monotonic() < self._refused[1]:
            raise UnusableFileError(self._problem)
        try:
            with self._refusing():
                yield
        except StoreError as error:
            self._refused, self._problem = (now, time.monotonic() + LOOK_AGAIN), str(error)
            raise
        self._refused = None

    @contextlib.contextmanager
    def _refusing(self) -> Generator[None]:
        """Report what SQLite says, such as a full disk or a damaged page, as an error of the store."""
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
        """Tell whoever runs the server, once; an empty message: that all is well again."""
        if message != self._logged:
            self._logged = message
            LOGGER.warning("%s", message or f"{self.path}: the file can be used again")


def new_file(path: Path) -> None:
    """Make an empty file, readable and writable by its owner only.

    Raises:
        StoreError: it exists.
        OSError: it cannot be made.
    """
    try:
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    except FileExistsError:
        raise StoreError(f"{path}: a file found, none expected; choose another name") from None


@contextlib.contextmanager
def new_database(path: Path) -> Generator[sqlite3.Connection]:
    """One transaction that fills a new campaign file; what it raises leaves no file behind.

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
        connection.execute(f"PRAGMA application_id = {APPLICATION}")
        _first_commit(connection)
        yield connection
        connection.execute("COMMIT")
    except BaseException:
        connection.close()
        path.unlink()
        raise
    connection.close()


def _connect(path: Path, mode: str = "rw") -> sqlite3.Connection:
    """A connection to a file that exists."""
    uri = f"{path.absolute().as_uri()}?mode={mode}"
    return sqlite3.connect(uri, timeout=PATIENCE, isolation_level=None, check_same_thread=False, uri=True)


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
    layout = version & (1 << LAYOUT_BITS) - 1
    if application != APPLICATION:
        raise StoreError(f"{path}: another database or an unfinished file found, a campaign expected")
    if layout > LAYOUT:
        raise StoreError(f"{path}: layout {layout} found, at most {LAYOUT} expected; open it with a newer version")


def _check_content(connection: sqlite3.Connection, path: Path) -> None:
    if connection.execute("PRAGMA quick_check(1)").fetchall() != [("ok",)]:
        raise StoreError(
            f"{path}: a damaged file found, a campaign expected; restore a copy made by "
            f"`{invocation('bleu-core')} campaign backup`"
        )


def _add_what_is_new(connection: sqlite3.Connection) -> bool:
    """Add to a file of an earlier layout what it lacks; returns whether that was necessary."""
    missing = "SELECT count(*) FROM sqlite_master WHERE name IN ('commits', 'comments_of_judge')"
    if connection.execute(missing).fetchone()[0]:
        return False
    connection.execute("BEGIN IMMEDIATE")
    try:
        if connection.execute(missing).fetchone()[0] == 0:
            for statement in statements(ADDITIONS):
                connection.execute(statement)
            connection.execute("INSERT INTO commits (number, mark, base) VALUES (0, 0, 0)")  # that of the old layout
            _first_commit(connection, base=0)
        connection.execute("COMMIT")
    except BaseException:
        connection.execute("ROLLBACK")
        raise
    return True


def _first_commit(connection: sqlite3.Connection, base: int = 1) -> None:
    mark = secrets.randbits(MARK_BITS)
    connection.execute("INSERT INTO commits (number, mark, base) VALUES (1, ?, ?)", (mark, base))
    connection.execute(f"PRAGMA user_version = {mark << LAYOUT_BITS | LAYOUT}")


def _newest_commit(connection: sqlite3.Connection) -> tuple[int, int, int]:
    """Number and mark of the newest transaction, and the number of one that the file had when its log began."""
    number, mark, base = connection.execute(
        "SELECT number, mark, base FROM commits ORDER BY number DESC LIMIT 1"
    ).fetchone()
    return number, mark, base


def _is_commit(connection: sqlite3.Connection, commit: Commit) -> bool:
    return bool(connection.execute("SELECT 1 FROM commits WHERE number = ? AND mark = ?", commit).fetchall())


def _is_marked(connection: sqlite3.Connection, mark: int, least: int) -> bool:
    """Whether a transaction has this mark and at least this number."""
    query = "SELECT 1 FROM commits WHERE number >= ? AND mark = ?"
    return bool(connection.execute(query, (least, mark)).fetchall())


def _mark_in_header(path: Path) -> int | None:
    """The mark in the header of the file that the path names, whatever its log has; None where it cannot be read.

    SQLite reads it, as closing a file that this process has read otherwise would end SQLite's locks.
    """
    try:
        uri = f"{path.absolute().as_uri()}?mode=ro&immutable=1"
        with contextlib.closing(sqlite3.connect(uri, uri=True)) as connection:
            return int(connection.execute("PRAGMA user_version").fetchone()[0]) >> LAYOUT_BITS
    except sqlite3.Error:
        return None


def _log(path: Path) -> Path:
    """SQLite's write-ahead log of a file."""
    real = path.resolve()
    return real.with_name(f"{real.name}-wal")


def _is_log_used(path: Path) -> bool:
    try:
        return _log(path).stat().st_size > 0
    except OSError:
        return False


def _stamp(path: Path) -> Stamp | None:
    """The stamp of the file that the path names now; None where there is none."""
    try:
        found = path.stat()
    except OSError:
        return None
    return Stamp(found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns)


def _is_same(now: Stamp | None, before: Stamp) -> TypeGuard[Stamp]:
    """Whether it is the same file, which may have been written to."""
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
