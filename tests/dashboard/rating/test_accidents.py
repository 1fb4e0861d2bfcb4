"""A server whose process is killed, and whose file is deleted, replaced, restored and locked while judges rate.

`pytest -m slow -s tests/dashboard/rating/test_accidents.py` has 50 kills and ten of each other accident, and prints
what happened.
"""

from __future__ import annotations

import contextlib
import os
import random
import shutil
import sqlite3
import threading
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from campaigned import corpus, plan
from rating_protocol import PageWithoutScreen
from visitor import Server

from bleu_core.campaigns import CampaignStore, create_store, design_campaign

#: Seconds after which the test gives up, and answers that each judge gives around an accident.
PATIENCE, ANSWERS = 600, 2


class Accidents:
    """A served campaign to which something happens.

    Args:
        folder: of the campaign.
        path: of its file.
    """

    def __init__(self, folder: Path, path: Path) -> None:
        self.path, self.folder = path, folder
        self.server = Server(folder, ["--campaign", str(path)])
        self.chance = random.Random(50)

    def wait(self) -> None:
        """Let the judges go on for a while."""
        time.sleep(self.chance.uniform(0.01, 0.4))

    def kill(self) -> None:
        """End the server at once."""
        self.server.kill()
        self.server.start()

    def lock(self) -> None:
        """Hold the lock of the database, as an editor of databases does."""
        with contextlib.closing(sqlite3.connect(self.path, isolation_level=None)) as editor:
            editor.execute("BEGIN IMMEDIATE")
            self.wait()

    def move(self) -> None:
        """Move the file away and back."""
        kept = self.path.rename(self.folder / "kept.db")
        self.wait()
        kept.rename(self.path)

    def replace(self) -> None:
        """Put another campaign in the place of the file, and the file back."""
        os.link(self.path, self.folder / "kept.db")
        shutil.copy(self.folder / "other.db", self.folder / "another.db")
        (self.folder / "another.db").replace(self.path)
        self.wait()
        (self.folder / "kept.db").replace(self.path)

    def delete(self) -> None:
        """Delete the file, and put a copy in its place that was made before; the server has to be started again."""
        copy = self._backup()
        self.wait()
        self.path.unlink()
        self.wait()
        copy.replace(self.path)
        self.wait()
        self.server.stop()
        self.server.start()

    def restore(self) -> None:
        """Copy an older copy over the file while it is served."""
        copy = self._backup()
        self.wait()
        shutil.copy(copy, self.path)
        copy.unlink()
        self.wait()
        self.server.stop()
        self.server.start()

    def _backup(self) -> Path:
        with CampaignStore(self.path) as store:
            store.backup(self.folder / "copy.db")
        return self.folder / "copy.db"


@pytest.fixture
def store(tmp_path: Path) -> Iterator[CampaignStore]:
    """A campaign of three judges with 160 texts each, beside another one."""
    for name, seed in (("campaign.db", 1), ("other.db", 2)):
        create_store(tmp_path / name, design_campaign(plan(segments=40, seed=seed), corpus()), corpus())
    with CampaignStore(tmp_path / "campaign.db") as store:
        store.add_event("opened")
        yield store


@pytest.mark.slow
def test_no_acknowledged_answer_is_lost_by_an_accident(store: CampaignStore, tmp_path: Path) -> None:
    check(store, tmp_path, ["kill"], ["restore"])


@pytest.mark.slow
def test_no_acknowledged_answer_is_lost_by_many_accidents(store: CampaignStore, tmp_path: Path) -> None:
    first = [*["kill"] * 40, *["lock", "move", "replace"] * 10]
    then = [*["kill"] * 10, *["delete", "restore"] * 10]
    for kinds in (first, then):
        random.Random(1).shuffle(kinds)
    check(store, tmp_path, first, then)


def check(store: CampaignStore, folder: Path, harmless: Sequence[str], restoring: Sequence[str]) -> None:
    """Let judges rate while accidents happen.

    Args:
        store: of the campaign; closed before the server begins.
        folder: for the server.
        harmless: accidents after which the file has everything.
        restoring: accidents after which the file is a copy, whose missing answers are sent again.
    """
    accidents = Accidents(folder, store.path)
    judges = Judges(store, accidents.server.address)
    store.close()
    try:
        accidents.server.start()
        judges.start()
        for number, kind in enumerate([*harmless, *restoring]):
            if number == len(harmless):
                assert judges.sent_again == 0  # nothing was missing
            acknowledged = judges.acknowledged()
            judges.go_on()
            accidents.wait()
            getattr(accidents, kind)()
            if number < len(harmless):
                assert acknowledged <= ids_in(store.path), kind
        judges.finish()
    finally:
        judges.end.set()
        accidents.server.stop()
    assert not list(folder.glob("campaign.db-*"))
    with CampaignStore(store.path) as stored:
        answers = stored.answers(all_revisions=True)
    assert {f"{answer.judge} {answer.place}": answer.score for answer in answers} == judges.given
    assert len(answers) == len(judges.given)
    counts = ", ".join(f"{kind}: {count}" for kind, count in sorted(Counter([*harmless, *restoring]).items()))
    print(  # noqa: T201 # for who runs it by hand
        f"\n{counts}. {len(judges.given)} answers given, {len(answers)} in the file; {judges.refusals} requests "
        f"refused with 503, {judges.sent_again} acknowledged answers sent again to a restored copy"
    )


class Judges:
    """The judges of a campaign at their pages, each in a thread.

    Args:
        store: of the campaign.
        address: of the server.
    """

    def __init__(self, store: CampaignStore, address: str) -> None:
        self.given: dict[str, int] = {}
        self.end = threading.Event()
        self._pages = {judge: PageWithoutScreen(address, judge, store.new_token(judge)) for judge in store.judges}
        self._places = {judge: len(store.slots(judge)) for judge in store.judges}
        self._asked = {judge: threading.Semaphore(0) for judge in store.judges}
        self._threads = [threading.Thread(target=self._rate, args=(judge,), daemon=True) for judge in store.judges]

    @property
    def refusals(self) -> int:
        """Requests that the server has refused with 503."""
        return sum(page.refusals for page in self._pages.values())

    @property
    def sent_again(self) -> int:
        """Acknowledged answers that the server did not have any more."""
        return sum(page.sent_again for page in self._pages.values())

    def start(self) -> None:
        """Let them begin."""
        for thread in self._threads:
            thread.start()

    def go_on(self) -> None:
        """Let each give some more answers."""
        for semaphore in self._asked.values():
            semaphore.release(ANSWERS)

    def acknowledged(self) -> set[str]:
        """Ids of the answers of which the server has said that they are stored."""
        return {client for page in self._pages.values() for client in list(page.stored)}

    def finish(self) -> None:
        """Wait until everything is stored, also what the last copy did not have."""
        deadline = time.monotonic() + PATIENCE
        self.end.set()
        for thread in self._threads:
            thread.join(max(0, deadline - time.monotonic()))
            assert not thread.is_alive()
        for page in self._pages.values():
            while not page.send():
                assert time.monotonic() < deadline
                time.sleep(0.05)

    def _rate(self, judge: str) -> None:
        page, place = self._pages[judge], 0
        while page.waiting or not self.end.is_set():
            while place < self._places[judge] and self._asked[judge].acquire(blocking=False):
                self.given[f"{judge} {place}"] = 1 + place % 5
                page.give(place, 1 + place % 5)
                place += 1
            page.send()
            time.sleep(0.02)


def ids_in(path: Path) -> set[str]:
    """Ids of the answers in the file itself."""
    with contextlib.closing(sqlite3.connect(f"{path.as_uri()}?mode=ro&immutable=1", uri=True)) as connection:
        return {client for (client,) in connection.execute("SELECT client FROM answers")}
