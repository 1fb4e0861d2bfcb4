"""The file of a campaign while it is in use: deleted, replaced, restored, locked; what is acknowledged is in it."""

from __future__ import annotations

import contextlib
import os
import shutil
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from campaigned import corpus, plan

from bleu_core.campaigns import CampaignStore, StoreError, UnusableFileError, create_store, database, design_campaign


def made(path: Path, seed: int = 12345) -> Path:
    create_store(path, design_campaign(plan(seed=seed), corpus()), corpus())
    return path


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return made(tmp_path / "campaign.db")


@pytest.fixture
def store(path: Path) -> Iterator[CampaignStore]:
    with CampaignStore(path) as store:
        store.add_event("opened")
        yield store


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Wait for locks of others only shortly, and look again at once at a file that was refused."""
    monkeypatch.setattr(database, "WRITE_TIMEOUT_S", 0.05)
    monkeypatch.setattr(database, "RECHECK_INTERVAL_S", 0.0)


def rate(store: CampaignStore, number: int) -> int:
    slots = store.slots("people 1")
    place = number % len(slots)
    item = slots[place].items[0].item
    return store.add_rating("people 1", place, item, 3, client=f"id {number}", shown=1, given=2)


def ids_in(path: Path) -> set[str]:
    """Ids of the answers in the file itself, whatever is in a log beside it."""
    with contextlib.closing(sqlite3.connect(f"{path.as_uri()}?mode=ro&immutable=1", uri=True)) as connection:
        return {client for (client,) in connection.execute("SELECT client FROM answers")}


def log_of(path: Path) -> Path:
    return path.with_name(f"{path.name}-wal")


def delete(path: Path) -> None:
    path.unlink()


def move(path: Path) -> None:
    path.rename(path.with_name("moved.db"))


def replace_by_another(path: Path) -> None:
    made(path.with_name("other.db"), seed=7).replace(path)


def replace_by_an_older_copy(path: Path) -> None:
    path.with_name("older.db").replace(path)


def overwrite_by_an_older_copy(path: Path) -> None:
    shutil.copy(path.with_name("older.db"), path)


def overwrite_by_another(path: Path) -> None:
    shutil.copy(made(path.with_name("other.db"), seed=7), path)


def overwrite_by_text(path: Path) -> None:
    path.write_text("no database\n" * 1000, encoding="utf-8")


ACCIDENTS: list[Callable[[Path], None]] = [
    delete,
    move,
    replace_by_another,
    replace_by_an_older_copy,
    overwrite_by_an_older_copy,
    overwrite_by_another,
    overwrite_by_text,
]


def test_an_answer_is_in_the_file_itself_when_it_is_acknowledged(store: CampaignStore, path: Path) -> None:
    for number in range(3):
        rate(store, number)
        assert f"id {number}" in ids_in(path)
        assert log_of(path).stat().st_size == 0


@pytest.mark.usefixtures("impatient")
@pytest.mark.parametrize("accident", ACCIDENTS)
@pytest.mark.parametrize("held", [False, True], ids=["no log", "log"])
def test_a_file_that_is_not_the_one_with_all_answers_is_refused_and_nothing_is_mixed(
    store: CampaignStore, path: Path, accident: Callable[[Path], None], *, held: bool
) -> None:
    shutil.copy(path, path.with_name("older.db"))
    rate(store, 0)
    shutil.copy(path, path.with_name("whole.db"))
    with contextlib.closing(sqlite3.connect(path)) as other:
        if held:  # a reader of another program, because of which the log is not empty
            other.execute("BEGIN")
            other.execute("SELECT count(*) FROM answers").fetchall()
            rate(store, 1)
            assert log_of(path).stat().st_size > 0
        accident(path)
        content = path.read_bytes() if path.exists() else None
        for _ in range(2):
            with pytest.raises(UnusableFileError, match=r"campaign\.db.*Nothing is stored now"):
                rate(store, 2)
            with pytest.raises(UnusableFileError, match="Nothing is stored now"):
                store.token_owner("x")
        assert (path.read_bytes() if path.exists() else None) == content
        store.close()
        assert (path.read_bytes() if path.exists() else None) == content


@pytest.mark.usefixtures("impatient")
@pytest.mark.parametrize("accident", ACCIDENTS)
def test_the_file_with_all_answers_is_used_again_when_it_is_back(
    store: CampaignStore, path: Path, accident: Callable[[Path], None]
) -> None:
    shutil.copy(path, path.with_name("older.db"))
    rate(store, 0)
    shutil.copy(path, path.with_name("whole.db"))
    accident(path)
    with pytest.raises(UnusableFileError):
        rate(store, 1)
    path.with_name("whole.db").replace(path)
    assert store.state == "open"
    rate(store, 1)
    assert ids_in(path) == {"id 0", "id 1"}


def test_another_campaign_is_not_mixed_with_the_log_of_this_one(path: Path) -> None:
    """As where the server was killed, and a file was copied to the place of the campaign before the next start."""
    older = shutil.copy(path, path.with_name("older.db"))
    with CampaignStore(path) as store, contextlib.closing(sqlite3.connect(path)) as other:
        store.add_event("opened")
        other.execute("BEGIN")
        other.execute("SELECT count(*) FROM answers").fetchall()
        rate(store, 0)
        crashed = path.with_name("crashed.db")
        shutil.copy(path, crashed)
        shutil.copy(log_of(path), log_of(crashed))
    log = log_of(crashed).read_bytes()
    with CampaignStore(crashed) as store:
        assert len(store.answers()) == 1  # of the file and its own log
    for file in (older, made(path.with_name("other.db"), seed=7)):
        shutil.copy(file, crashed)
        log_of(crashed).write_bytes(log)
        with pytest.raises(StoreError, match=r"a file to which crashed\.db-wal does not belong found"):
            CampaignStore(crashed)
        assert crashed.read_bytes() == Path(file).read_bytes()


def test_processes_that_use_the_file_properly_are_no_accident(store: CampaignStore, path: Path) -> None:
    with CampaignStore(path) as other:
        for number in range(4):
            rate(store if number % 2 else other, number)
            assert len(store.answers()) == len(other.answers()) == number + 1
    code = "import sys; from bleu_core.campaigns import CampaignStore as C; C(sys.argv[1]).add_event('paused')"
    subprocess.run([sys.executable, "-c", code, str(path)], check=True)
    assert store.state == "paused"
    os.utime(path)
    store.add_event("reopened")
    with contextlib.closing(sqlite3.connect(path)) as editor:
        editor.execute("VACUUM")
        editor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    rate(store, 4)
    assert len(ids_in(path)) == 5


@pytest.mark.usefixtures("impatient")
def test_a_lock_of_another_program_holds_up_writers_only(store: CampaignStore, path: Path) -> None:
    rate(store, 0)
    token = store.new_token("people 1")
    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as editor:
        editor.execute("BEGIN IMMEDIATE")
        with pytest.raises(UnusableFileError, match="a lock of another program found"):
            rate(store, 1)
        assert store.token_owner(token) == ("judge", "people 1")
        assert len(store.answers()) == 1
    assert rate(store, 1) == 1


def test_nobody_who_reads_waits_for_a_writer(store: CampaignStore) -> None:
    began, end = threading.Event(), threading.Event()

    def write() -> None:
        with store.transaction():
            rate(store, 0)
            began.set()
            end.wait(30)

    writer = threading.Thread(target=write)
    writer.start()
    try:
        assert began.wait(30)
        assert store.answers() == ()  # what is not committed is seen by nobody else
    finally:
        end.set()
        writer.join()
    assert len(store.answers()) == 1


def test_answers_that_are_stored_together_are_stored_at_once_without_those_that_are_refused(
    store: CampaignStore,
) -> None:
    with store.transaction():
        rate(store, 0)
        with pytest.raises(StoreError, match="a number from 1 to 5"):
            store.add_rating("people 1", 1, 0, 9, client="off the scale", shown=1, given=2)
        rate(store, 1)
    assert len(store.answers()) == 2
    with contextlib.suppress(ZeroDivisionError), store.transaction():
        rate(store, 2)
        raise ZeroDivisionError
    assert len(store.answers()) == 2


def test_after_closing_the_one_file_has_everything(path: Path) -> None:
    with CampaignStore(path) as store:
        store.add_event("opened")
        for number in range(5):
            rate(store, number)
    assert sorted(file.name for file in path.parent.iterdir()) == ["campaign.db"]
    moved = path.rename(path.with_name("elsewhere.db"))
    with CampaignStore(moved) as store:
        assert len(store.answers()) == 5


def test_a_backup_is_complete_while_others_write(store: CampaignStore, path: Path) -> None:
    copy = path.with_name("copy.db")
    with contextlib.closing(sqlite3.connect(path)) as other:
        other.execute("BEGIN")
        other.execute("SELECT count(*) FROM answers").fetchall()
        for number in range(3):
            rate(store, number)  # is in the log only, because of the reader
        store.backup(copy)
    assert sorted(file.name for file in path.parent.glob("copy*")) == ["copy.db"]
    assert copy.stat().st_mode & 0o777 == 0o600
    with CampaignStore(copy) as copied:
        assert [answer.number for answer in copied.answers()] == [1, 2, 3]
        assert copied.digest == store.digest
    with pytest.raises(StoreError, match="the file already exists"):
        store.backup(copy)
    with pytest.raises(StoreError, match="the file already exists"):
        store.backup(path)


def test_a_file_of_the_first_layout_is_used_as_before(store: CampaignStore, path: Path) -> None:
    rate(store, 0)
    store.close()
    with contextlib.closing(sqlite3.connect(path)) as connection:
        connection.executescript("DROP TABLE commits; DROP INDEX comments_of_judge; PRAGMA user_version = 1")
    with CampaignStore(path) as old:
        rate(old, 1)
        assert ids_in(path) == {"id 0", "id 1"}
    with CampaignStore(path) as old:
        assert rate(old, 2) == 1
