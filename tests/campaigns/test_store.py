"""The file of a campaign: what is acknowledged stays, counts once, and cannot be changed."""

from __future__ import annotations

import contextlib
import resource
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from campaigned import corpus, plan

from bleu_core.campaigns import CampaignStore, JudgeGroup, StoreError, create_store
from bleu_core.campaigns import store as store_module
from bleu_core.campaigns.design import design_campaign

HOSTILE = [
    "'; DROP TABLE answers; --",
    "<script>alert(1)</script>",
    "a\x00b",
    "\u202eبالعكس",
    "**x** {y} %s",
    "👩\u200d🚀",
]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    made = design_campaign(plan(repeats=0.1, degraded=0.1), corpus())
    create_store(tmp_path / "campaign.db", made, corpus())
    return tmp_path / "campaign.db"


@pytest.fixture
def store(path: Path) -> Iterator[CampaignStore]:
    with CampaignStore(path) as store:
        store.add_event("opened")
        yield store


def rate(store: CampaignStore, place: int, score: float, client: str, judge: str = "people 1") -> int:
    item = store.slots(judge)[place].items[0].item
    return store.add_rating(judge, place, item, score, client=client, shown=100.0, given=107.0)


def test_a_file_holds_its_design(path: Path) -> None:
    made = design_campaign(plan(repeats=0.1, degraded=0.1), corpus())
    with CampaignStore(path) as store:
        assert (store.plan, store.digest, store.state) == (made.plan, made.digest, "new")
        assert store.judges == ("people 1", "people 2", "people 3")
        for judge in made.judges:
            for place, slot in zip(store.slots(judge.name), judge.slots, strict=True):
                assert place.kind == slot.kind
                assert tuple(item.item for item in place.items) == slot.items
                for item in place.items:
                    assert item.text == made.items[item.item].text
                    assert place.source == f"source {item.segment - 1}"
    assert path.stat().st_mode & 0o777 == 0o600


def test_judges_of_a_group_without_source_do_not_get_it(tmp_path: Path) -> None:
    made = design_campaign(plan(groups=(JudgeGroup("mono", 1, source=False), JudgeGroup("bi", 1))), corpus())
    create_store(tmp_path / "c.db", made, corpus())
    with CampaignStore(tmp_path / "c.db") as store:
        assert {slot.source for slot in store.slots("mono 1")} == {None}
        assert all(slot.source for slot in store.slots("bi 1"))


def test_a_rating_sent_twice_counts_once_and_the_newest_revision_counts(store: CampaignStore) -> None:
    assert rate(store, 0, 4, "a") == 1
    assert rate(store, 0, 4, "a") == 1
    assert rate(store, 0, 2, "b") == 2
    assert rate(store, 0, 4, "a") == 1  # a late copy changes nothing
    assert [answer.score for answer in store.answers()] == [2]
    assert [answer.score for answer in store.answers(all_revisions=True)] == [4, 2]
    with pytest.raises(StoreError, match="two different answers"):
        rate(store, 1, 4, "a")


def test_a_skip_is_an_answer_that_a_rating_can_replace(store: CampaignStore) -> None:
    item = store.slots("people 1")[3].items[0].item
    store.add_skip("people 1", 3, item, "not in my language", client="a", shown=1, given=2)
    assert (store.progress()[0].rated, store.progress()[0].skipped) == (0, 1)
    assert store.judgments() is None
    rate(store, 3, 5, "b")
    assert (store.progress()[0].rated, store.progress()[0].skipped) == (1, 0)


def test_ratings_are_taken_while_the_campaign_is_open(path: Path) -> None:
    with CampaignStore(path) as store:
        with pytest.raises(StoreError, match="the campaign is new"):
            rate(store, 0, 3, "a")
        store.add_event("opened")
        rate(store, 0, 3, "a")
        store.add_event("closed")
        assert rate(store, 0, 3, "a") == 1  # stored before: acknowledged again
        with pytest.raises(StoreError, match="the campaign is closed"):
            rate(store, 1, 3, "b")
        with pytest.raises(StoreError, match="it can be opened when it is new"):
            store.add_event("opened")
        store.add_event("reopened", "one more day")
        rate(store, 1, 3, "b")
        assert [kind for kind, _, _ in store.events] == ["opened", "closed", "reopened"]


@pytest.mark.parametrize("reason", ["", " ", "\n\t\u3000"])
def test_a_skip_without_a_reason_is_refused(store: CampaignStore, reason: str) -> None:
    item = store.slots("people 1")[0].items[0].item
    with pytest.raises(StoreError, match="a reason for skipping the text expected"):
        store.add_skip("people 1", 0, item, reason, client="a", shown=1, given=2)
    assert store.progress()[0].skipped == 0


@pytest.mark.parametrize(
    ("shown", "given"), [(-1e308, 1e308), (float("nan"), 2), (1, float("inf")), (-1, 2), (1, 1e12)]
)
def test_a_time_that_no_clock_shows_is_refused(store: CampaignStore, shown: float, given: float) -> None:
    item = store.slots("people 1")[0].items[0].item
    with pytest.raises(StoreError, match="seconds since 1970 expected"):
        store.add_rating("people 1", 0, item, 3, client="a", shown=shown, given=given)
    assert store.answers() == ()


def test_an_answer_of_a_clock_that_is_ahead_has_the_time_of_the_server(store: CampaignStore) -> None:
    item = store.slots("people 1")[0].items[0].item
    before = time.time()
    store.add_rating("people 1", 0, item, 3, client="a", shown=4e9, given=4e9 + 7)
    (answer,) = store.answers()
    assert before <= answer.given == answer.stored <= time.time()
    assert answer.given - answer.shown == pytest.approx(7)


def test_what_one_judge_can_store_is_bounded(store: CampaignStore, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store_module, "MAX_REVISIONS", 3)
    monkeypatch.setattr(store_module, "MAX_COMMENTS", 2)
    monkeypatch.setattr(store_module, "MAX_JUDGE_TEXT", 50)
    for n in range(3):
        rate(store, 0, 3, f"a{n}")
    with pytest.raises(StoreError, match="3 answers to this text found already, at most 3 expected"):
        rate(store, 0, 3, "a3")
    rate(store, 0, 3, "a0")  # is stored already
    rate(store, 1, 3, "b")
    for n in range(2):
        store.add_comment("people 1", 0, "x" * 20, client=f"c{n}")
    with pytest.raises(StoreError, match="2 comments on this text found, at most 2 expected"):
        store.add_comment("people 1", 0, "", client="c2")
    item = store.slots("people 1")[1].items[0].item
    for add in (
        lambda: store.add_comment("people 1", 1, "x" * 11, client="d"),
        lambda: store.add_skip("people 1", 1, item, "x" * 11, client="d", shown=1, given=2),
    ):
        with pytest.raises(StoreError, match="51 characters of comments and reasons found, at most 50 expected"):
            add()
    store.add_skip("people 1", 1, item, "x" * 10, client="d", shown=1, given=2)
    store.add_comment("people 2", 0, "x" * 50, client="e")  # others have their own share
    with pytest.raises(StoreError, match=r"a text of 5,001 characters found, at most 5,000 expected"):
        store.add_comment("people 3", 0, "x" * 5001, client="f")


def test_what_a_judge_is_shown_takes_the_same_work_whatever_others_have_stored(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    steps = 0

    def count() -> None:
        nonlocal steps
        steps += 1

    def connect(*args: Any, **options: Any) -> sqlite3.Connection:
        connection = usual(*args, **options)
        connection.set_progress_handler(count, 10)
        return connection

    usual = sqlite3.connect
    monkeypatch.setattr(sqlite3, "connect", connect)

    def work() -> int:
        nonlocal steps
        steps = 0
        assert store.comments_of("people 1") == {0: "mine"}
        assert [answer.score for answer in store.answers(judge="people 1")] == [3]
        return steps

    with CampaignStore(path) as store:
        store.add_event("opened")
        store.add_comment("people 1", 0, "mine", client="c")
        rate(store, 0, 3, "a")
        before = work()
        with store.transaction():
            for n in range(60):
                store.add_comment("people 2", n % 20, "theirs", client=f"c{n}")
                rate(store, n % 20, score=3, client=f"a{n}", judge="people 2")
        assert work() <= before + 2


@pytest.mark.parametrize("score", [0, 6, 2.5, float("nan"), float("inf")])
def test_a_score_off_the_scale_is_refused(store: CampaignStore, score: float) -> None:
    with pytest.raises(StoreError, match="a number from 1 to 5 in steps of 1"):
        rate(store, 0, score, "a")
    assert store.answers() == ()


def test_an_item_of_another_judge_or_place_is_refused(store: CampaignStore) -> None:
    item = store.slots("people 1")[0].items[0].item
    for judge, place, other in (("people 1", 1, item), ("people 1", 999, item), ("people 1", 0, 10**6)):
        with pytest.raises(StoreError, match="an item in the list"):
            store.add_rating(judge, place, other, 3, client="x", shown=1, given=2)
    with pytest.raises(StoreError, match="a judge of the campaign"):
        store.add_rating("nobody", 0, item, 3, client="x", shown=1, given=2)


def test_tokens_are_kept_as_hashes_and_a_new_one_voids_the_old(store: CampaignStore, path: Path) -> None:
    first, other, lead = store.new_token("people 1"), store.new_token("people 2"), store.new_token(None)
    assert store.token_owner(first) == ("judge", "people 1")
    assert store.token_owner(lead) == ("lead", "")
    second = store.new_token("people 1")
    assert store.token_owner(first) is None
    assert store.token_owner(second) == ("judge", "people 1")
    assert store.token_owner(other) == ("judge", "people 2")
    assert store.token_owner("") is None
    assert len({first, second, other, lead}) == 4
    assert len(first) >= 128 // 6
    content = path.read_bytes() + path.with_name(path.name + "-wal").read_bytes()
    assert not any(token.encode() in content for token in (first, second, other, lead))


def test_the_time_of_a_valid_token_is_known(store: CampaignStore) -> None:
    assert (store.token_created("people 1"), store.token_created(None)) == (None, None)
    before = time.time()
    store.new_token(None)
    assert store.token_created("people 1") is None
    made = store.token_created(None)
    assert made is not None
    assert before <= made <= time.time()
    with pytest.raises(StoreError, match="a judge of the campaign"):
        store.token_created("nobody")


def test_excluded_judges_do_not_count_and_nothing_is_lost(store: CampaignStore) -> None:
    for judge in ("people 1", "people 2"):
        rate(store, 0, score=4, client=judge, judge=judge)

    def counted(**options: bool) -> set[str]:
        judgments = store.judgments(**options)
        return set() if judgments is None else {judge.name for judge in judgments.judges}

    store.exclude("people 2", "rates degraded copies as high")
    assert [(gone.judge, gone.reason) for gone in store.exclusions] == [("people 2", "rates degraded copies as high")]
    assert counted() == {"people 1"}
    assert counted(with_excluded=True) == {"people 1", "people 2"}
    assert len(store.answers()) == 2
    with pytest.raises(StoreError, match="is excluded already"):
        store.exclude("people 2", "again")
    store.include("people 2", "the copy was as good")
    assert (store.exclusions, counted()) == ((), {"people 1", "people 2"})
    with pytest.raises(StoreError, match="is not excluded"):
        store.include("people 2", "again")
    store.exclude("people 1", "first")
    store.exclude("people 2", "second")
    assert [gone.judge for gone in store.exclusions] == ["people 1", "people 2"]
    assert counted() == set()
    for judge, reason, message in (("nobody", "x", "a judge of the campaign"), ("people 3", " ", "a reason expected")):
        with pytest.raises(StoreError, match=message):
            store.exclude(judge, reason)


@pytest.mark.parametrize("presentation", ["single", "side by side"])
def test_a_completion_code_is_shown_when_every_item_has_an_answer(tmp_path: Path, presentation: str) -> None:
    asked = plan(segments=6, presentation=presentation, repeats=0.2)
    create_store(tmp_path / "c.db", design_campaign(asked, corpus()), corpus())
    with CampaignStore(tmp_path / "c.db") as store:
        store.add_event("opened")
        assert len(set(store.codes.values())) == 3
        shown = [(slot.place, item.item) for slot in store.slots("people 1") for item in slot.items]
        for n, (place, item) in enumerate(shown):
            assert store.completion_code("people 1") is None
            if n % 2:
                store.add_rating("people 1", place, item, 3, client=f"{n}", shown=1, given=2)
            else:
                store.add_skip("people 1", place, item, "no idea", client=f"{n}", shown=1, given=2)
        assert store.completion_code("people 1") == store.codes["people 1"]
        assert store.completion_code("people 2") is None


def test_completion_codes_do_not_follow_from_the_seed(tmp_path: Path) -> None:
    made = design_campaign(plan(), corpus())
    codes: list[str] = []
    for name in ("a.db", "b.db"):
        create_store(tmp_path / name, made, corpus())
        with CampaignStore(tmp_path / name) as store:
            codes += store.codes.values()
    assert len(set(codes)) == 6


def test_the_sample_and_the_size_of_the_corpus_are_kept(store: CampaignStore) -> None:
    made = design_campaign(plan(repeats=0.1, degraded=0.1), corpus())
    assert store.corpus_segments == 40
    assert tuple(found.segment - 1 for found in store.segments) == made.sample.segments
    assert tuple(found.probability for found in store.segments) == made.sample.probabilities
    assert all(found.source == f"source {found.segment - 1}" for found in store.segments)
    assert all(found.document == f"doc{(found.segment - 1) // 4}" for found in store.segments)


def test_a_full_disk_is_an_error_of_the_store_and_what_was_stored_stays(store: CampaignStore, path: Path) -> None:
    rate(store, 0, 4, "a")
    usual = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (path.with_name(path.name + "-wal").stat().st_size, usual[1]))
    try:
        with pytest.raises(StoreError, match=r"campaign\.db: the file cannot be used"):
            rate(store, 1, 2, "b")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, usual)
    assert [answer.score for answer in store.answers()] == [4]
    assert rate(store, 1, 2, "b") == 1


def test_damage_while_in_use_is_an_error_of_the_store(store: CampaignStore, path: Path) -> None:
    with contextlib.closing(sqlite3.connect(path)) as other:
        other.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    with path.open("r+b") as file:
        file.seek(4096)
        file.write(b"\xff" * (path.stat().st_size - 4096))
    with pytest.raises(StoreError, match="a damaged file"):
        store.slots("people 1")


def test_no_row_can_be_changed_removed_or_replaced(store: CampaignStore, path: Path) -> None:
    rate(store, 0, 4, "a")
    store.add_comment("people 1", 0, "hm", client="c")
    store.new_token("people 1")
    store.exclude("people 1", "careless")
    connection = sqlite3.connect(path)
    tables = [name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
    assert len(tables) == 12
    for table in tables:
        column = connection.execute("SELECT name FROM pragma_table_info(?)", (table,)).fetchone()[0]
        for statement in (
            f'UPDATE {table} SET "{column}" = "{column}"',  # noqa: S608 # our own names
            f"DELETE FROM {table}",  # noqa: S608
            f"INSERT OR REPLACE INTO {table} SELECT * FROM {table}",  # noqa: S608
        ):
            with pytest.raises(sqlite3.IntegrityError, match="append only"):
                connection.execute(statement)
    connection.close()


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_stays_text(tmp_path: Path, text: str) -> None:
    texts = corpus()
    hostile = type(texts)({text: texts.systems["S0"], "S1": (text,) * texts.segments}, {}, (text,) * texts.segments)
    asked = plan(title=text, question=text, instructions=text, groups=(JudgeGroup(text, 2),), systems=(text, "S1"))
    create_store(tmp_path / "c.db", design_campaign(asked, hostile), hostile)
    with CampaignStore(tmp_path / "c.db") as store:
        store.add_event("opened", text)
        judge = f"{text} 1"
        slot = store.slots(judge)[0]
        store.add_skip(judge, 0, slot.items[0].item, text, client=text, shown=1, given=2)
        store.add_comment(judge, 0, text, client=text)
        assert store.token_owner(text) is None
        rate(store, 1, score=3, client=text + "2", judge=judge)
        assert (store.plan.title, slot.source, store.events[0][1]) == (text, text, text)
        assert store.answers()[0].reason == text
        assert store.comments[0][:3] == (judge, 0, text)
        assert text in {item.text for slot in store.slots(judge) for item in slot.items}
        judgments = store.judgments()
        assert judgments is not None
        assert judgments.judges[0].name == judge


def test_ratings_come_back_one_for_one_with_repeats_and_checks_apart(store: CampaignStore) -> None:
    given: dict[str, list[tuple[int, str, float]]] = {"first": [], "repeat": [], "degraded": []}
    for place, slot in enumerate(store.slots("people 2")):
        score = 1 + place % 5
        rate(store, place, score=score, client=str(place), judge="people 2")
        given[slot.kind].append((slot.items[0].segment, slot.items[0].system, score))
    assert given["repeat"]
    assert given["degraded"]
    for kind, judgments in (("first", store.judgments()), ("repeat", store.repeats())):
        assert judgments is not None
        table = judgments.table[["segment", "system", "score"]]
        assert [tuple(row) for row in table.itertuples(index=False)] == given[kind]
    assert len(store.checks()) == len(given["degraded"])
    for copy, whole in store.checks():
        assert (copy.degraded, whole.degraded, copy.system) == (True, False, whole.system)
    progress = store.progress()[1]
    assert (progress.rated, progress.slots, progress.seconds) == (sum(map(len, given.values())),) * 2 + (7.0,)


@pytest.mark.parametrize("content", [b"", b"not a database at all" * 100, b"SQLite format 3\x00" + bytes(5000)])
def test_a_foreign_file_is_refused(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "x.db").write_bytes(content)
    with pytest.raises(StoreError, match="a campaign expected"):
        CampaignStore(tmp_path / "x.db")
    assert (tmp_path / "x.db").read_bytes() == content
    with pytest.raises(StoreError, match="the file already exists"):
        create_store(tmp_path / "x.db", design_campaign(plan(), corpus()), corpus())


def test_a_missing_another_and_a_newer_file_are_refused(tmp_path: Path, path: Path) -> None:
    with pytest.raises(StoreError, match="no file found"):
        CampaignStore(tmp_path / "none.db")
    other = sqlite3.connect(tmp_path / "other.db")
    other.execute("CREATE TABLE t (x)")
    other.commit()
    other.close()
    with pytest.raises(StoreError, match="another database"):
        CampaignStore(tmp_path / "other.db")
    newer = sqlite3.connect(path)
    newer.execute("PRAGMA user_version = 99")
    newer.close()
    with pytest.raises(StoreError, match="schema version 99 found"):
        CampaignStore(path)


@pytest.mark.parametrize("page", [1, 3, 7])
def test_a_damaged_file_is_refused(path: Path, page: int) -> None:
    content = bytearray(path.read_bytes())
    content[page * 4096 : (page + 1) * 4096] = b"\xff" * 4096
    path.write_bytes(content)
    with pytest.raises(StoreError, match="damaged file"):
        CampaignStore(path)


def test_threads_and_processes_write_at_once_and_nothing_is_lost(store: CampaignStore, path: Path) -> None:
    def work(judge: str) -> None:
        with CampaignStore(path) as own:
            for place in range(20):
                rate(own if place % 2 else store, place, score=3, client=f"{judge} {place}", judge=judge)

    threads = [threading.Thread(target=work, args=(judge,)) for judge in store.judges]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(store.answers()) == 60


CHILD = """
import sys
from bleu_core.campaigns import CampaignStore
store = CampaignStore(sys.argv[1])
slots = store.slots("people 1")
n = int(sys.argv[2])
while True:
    place = n % len(slots)
    store.add_rating("people 1", place, slots[place].items[0].item, 1 + n % 5, client=str(n), shown=1, given=2)
    print(n, flush=True)
    n += 1
"""


def killed_at_moments(path: Path, moments: int) -> None:
    acknowledged = -1
    for moment in range(moments):
        with subprocess.Popen(
            [sys.executable, "-c", CHILD, str(path), str(acknowledged + 1)], stdout=subprocess.PIPE, text=True
        ) as child:
            assert child.stdout is not None
            acknowledged = int(child.stdout.readline())
            time.sleep(0.0037 * moment)
            child.send_signal(signal.SIGKILL)
            acknowledged = max([acknowledged, *map(int, child.stdout.read().split("\n")[:-1])])
        with CampaignStore(path) as store:
            stored = [answer.score for answer in store.answers(all_revisions=True)]
            # The last one may be stored without its acknowledgement having arrived; it is sent again.
            assert len(stored) in (acknowledged + 1, acknowledged + 2)
            assert stored == [1 + n % 5 for n in range(len(stored))]


def test_a_killed_process_loses_nothing_that_was_acknowledged(store: CampaignStore, path: Path) -> None:
    assert store.state == "open"
    killed_at_moments(path, 3)


@pytest.mark.slow
def test_a_process_killed_at_many_moments_loses_nothing(store: CampaignStore, path: Path) -> None:
    assert store.state == "open"
    killed_at_moments(path, 50)
