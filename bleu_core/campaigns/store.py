"""The file of a campaign: design, judges and ratings. It is append only: no row is ever changed or removed."""

from __future__ import annotations

import hashlib
import json
import math
import secrets
import sqlite3
import time
from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any, Literal, Self, get_args

from bleu_core.campaigns.database import Database, StoreError, new_database
from bleu_core.campaigns.declaration import CampaignPlan, JudgeGroup, plan_from, plan_tables
from bleu_core.campaigns.design import Design, SlotKind
from bleu_core.dataset import Corpus, Judgments

Event = Literal["opened", "paused", "reopened", "closed", "stopped"]
State = Literal["new", "open", "paused", "closed", "stopped"]

#: Event -> the states in which it can happen, and the resulting state.
EVENTS: dict[str, tuple[tuple[State, ...], State]] = {
    "opened": (("new",), "open"),
    "paused": (("open",), "paused"),
    "reopened": (("paused", "closed"), "open"),
    "closed": (("open", "paused"), "closed"),
    "stopped": (("open", "paused", "closed"), "stopped"),
}
#: Bytes of a token: 128 bits.
TOKEN_BYTES = 16
#: Bytes of a completion code; short, because judges copy it by hand.
CODE_BYTES = 4
#: Characters of a reason or a comment, and of the id that a page gives to a request.
MAX_TEXT_LENGTH, MAX_ID_LENGTH = 5000, 100
#: Answers to an item in a place, and comments on a place, revisions included.
MAX_REVISIONS, MAX_COMMENTS = 100, 100
#: Characters of all comments and reasons of a judge.
MAX_JUDGE_TEXT = 1_000_000
#: Latest valid time, in seconds since 1970: the end of the year 9999.
MAX_TIME = 253_402_300_799.0


@dataclass(frozen=True, slots=True)
class ShownItem:
    """A text in a slot: its number, the system (hidden from judges), its segment from 1, and its text."""

    item: int
    system: str
    segment: int
    text: str


@dataclass(frozen=True, slots=True)
class ShownSlot:
    """A place in a judge's list: from 0, its kind, its texts in the order of the columns, and the source."""

    place: int
    kind: SlotKind
    items: tuple[ShownItem, ...]
    source: str | None


@dataclass(frozen=True, slots=True)
class Answer:
    """A rating or a skip as it was stored.

    Attributes:
        judge, group: the judge who gave it, and the judge's group.
        place: in the judge's list, from 0.
        kind: of the slot: "first", "repeat" or "degraded".
        item: number of the item; `degraded`: whether it is a degraded copy.
        segment: from 1; `document`: its document, if known.
        system: the system that made the translation, or the original of the degraded copy.
        revision: from 1; the newest of a place and item counts.
        score: in points of the scale; None for a skip.
        reason: why it was skipped; None for a rating.
        shown, given, stored: times in seconds since 1970: the first two by the judge's clock, or the server's where the
            judge's is ahead of it, the last by the server's.
        number: of the row.
    """

    judge: str
    group: str
    place: int
    kind: SlotKind
    item: int
    degraded: bool
    segment: int
    document: str | None
    system: str
    revision: int
    score: float | None
    reason: str | None
    shown: float
    given: float
    stored: float
    number: int


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeProgress:
    """Progress of a judge.

    Attributes:
        judge, group: the judge and the judge's group.
        slots: places in the list.
        rated, skipped: places whose newest answers are all ratings, and places with a skip among them.
        seconds: median time per answered place since it was shown; NaN if no place was answered.
    """

    judge: str
    group: str
    slots: int
    rated: int
    skipped: int
    seconds: float


@dataclass(frozen=True, slots=True)
class Exclusion:
    """An excluded judge, with the reason and the time of the exclusion (seconds since 1970)."""

    judge: str
    reason: str
    stored: float


@dataclass(frozen=True, slots=True)
class SampledSegment:
    """A segment that was drawn.

    Attributes:
        segment: its number in the corpus, from 1.
        source, document: None if unknown.
        probability: of inclusion in the sample.
    """

    segment: int
    source: str | None
    document: str | None
    probability: float


class CampaignStore:
    """An open campaign file.

    One object can be used by several threads, and several processes can open the file. When a method returns, its data
    are on the disk, in the file at the path. A file that was deleted, replaced or overwritten is refused until the path
    names a file with all stored data.

    Args:
        path: of the file, which `create_store` creates.

    Raises:
        StoreError: the file does not exist, is damaged, is not a campaign, or was written by a newer version.
    """

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        self._database = Database(self.path)
        try:
            row = self._all("SELECT plan, digest, segments FROM campaign")
            if not row:
                raise StoreError(f"{self.path}: a campaign without a plan found; create it again")
            self.plan: CampaignPlan = plan_from(json.loads(row[0][0]), str(self.path))
            self.digest: str = row[0][1]
            self.corpus_segments: int = row[0][2]
        except (ValueError, RecursionError) as error:
            self._database.close()
            if isinstance(error, StoreError):
                raise
            raise StoreError(f"{self.path}: a damaged file found ({error}), a campaign expected") from None

    def close(self) -> None:
        """Close the file; the object cannot be used afterwards."""
        self._database.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def transaction(self) -> AbstractContextManager[sqlite3.Connection]:
        """Return a context manager that commits everything done within it as one transaction, or nothing on an error.

        Raises:
            UnusableFileError: the data may not be in the file at the path.
        """
        return self._database.write()

    def backup(self, copy: str | Path) -> None:
        """Write a complete, verified copy of the stored data, while the file is in use.

        Raises:
            StoreError: the target exists, or the copy is damaged.
            OSError: the copy cannot be written.
        """
        self._database.copy_to(Path(copy))

    # Judges and their tokens.

    @property
    def judges(self) -> tuple[str, ...]:
        """The judges' pseudonyms, in their order."""
        return tuple(name for (name,) in self._all("SELECT name FROM judges ORDER BY judge"))

    def group(self, judge: str) -> JudgeGroup:
        """Return the group of a judge.

        Raises:
            StoreError: there is no such judge.
        """
        name = self._all('SELECT "group" FROM judges WHERE judge = ?', self._judge(judge))[0][0]
        return next(group for group in self.plan.groups if group.name == name)

    def completion_code(self, judge: str) -> str | None:
        """Return the code that proves that a judge has answered every item; None before.

        Codes are drawn when the file is created, independently of the plan's seed.

        Raises:
            StoreError: there is no such judge.
        """
        number = self._judge(judge)
        open_items = self._all(
            "SELECT 1 FROM shown WHERE judge = ? AND NOT EXISTS (SELECT 1 FROM answers WHERE "
            "answers.judge = shown.judge AND answers.place = shown.place AND answers.item = shown.item) LIMIT 1",
            number,
        )
        return None if open_items else str(self._all("SELECT code FROM judges WHERE judge = ?", number)[0][0])

    @property
    def codes(self) -> dict[str, str]:
        """Judge -> completion code, for the lead; judges get theirs from `completion_code`."""
        return dict(self._all("SELECT name, code FROM judges ORDER BY judge"))

    def exclude(self, judge: str, reason: str) -> None:
        """Exclude a judge's ratings from `judgments`; they stay in the file.

        Raises:
            StoreError: there is no such judge, no reason, or the judge is excluded already.
        """
        self._exclude(judge, reason, excluded=True)

    def include(self, judge: str, reason: str) -> None:
        """Include the ratings of an excluded judge again.

        Raises:
            StoreError: there is no such judge, no reason, or the judge is not excluded.
        """
        self._exclude(judge, reason, excluded=False)

    @property
    def exclusions(self) -> tuple[Exclusion, ...]:
        """The judges who are excluded now, in the order of their exclusion."""
        rows = self._all(
            "SELECT name, reason, stored FROM exclusions JOIN judges USING (judge) WHERE excluded AND number = "
            "(SELECT max(number) FROM exclusions AS newer WHERE newer.judge = exclusions.judge) ORDER BY number"
        )
        return tuple(Exclusion(*row) for row in rows)

    def new_token(self, judge: str | None) -> str:
        """Create a token for a judge, or for the lead (None), and revoke the previous one.

        The token cannot be read again; the file stores only its hash.

        Raises:
            StoreError: there is no such judge.
        """
        token = secrets.token_urlsafe(TOKEN_BYTES)
        with self.transaction() as connection:
            number = None if judge is None else self._judge(judge)
            connection.execute(
                "INSERT INTO tokens (judge, hash, created) VALUES (?, ?, ?)", (number, _hash(token), time.time())
            )
        return token

    def token_owner(self, token: str) -> tuple[Literal["judge", "lead"], str] | None:
        """Return the owner of a token: a judge with the pseudonym, or the lead; None if it is unknown or revoked."""
        rows = self._all(
            "SELECT judges.name, tokens.judge FROM tokens LEFT JOIN judges USING (judge) WHERE hash = ? AND number = "
            "(SELECT max(number) FROM tokens AS newer WHERE newer.judge IS tokens.judge)",
            _hash(token),
        )
        if not rows:
            return None
        name, judge = rows[0]
        return ("lead", "") if judge is None else ("judge", str(name))

    def token_created(self, judge: str | None) -> float | None:
        """Return when the valid token of a judge, or of the lead (None), was created, in seconds since 1970.

        None without a token.

        Raises:
            StoreError: there is no such judge.
        """
        number = None if judge is None else self._judge(judge)
        return self._all("SELECT max(created) FROM tokens WHERE judge IS ?", number)[0][0]

    # Events.

    @property
    def state(self) -> State:
        """The state after the newest event."""
        rows = self._all("SELECT kind FROM events ORDER BY number DESC LIMIT 1")
        return EVENTS[rows[0][0]][1] if rows else "new"

    def add_event(self, event: Event, note: str = "") -> None:
        """Open, pause, reopen, close or stop the campaign.

        Raises:
            StoreError: the event is not possible in the present state.
        """
        if event not in get_args(Event):
            raise StoreError(f"event {event!r} found, one of {', '.join(EVENTS)} expected")
        with self.transaction() as connection:
            before, _ = EVENTS[event]
            if self.state not in before:
                raise StoreError(f"the campaign is {self.state}; it can be {event} when it is {' or '.join(before)}")
            connection.execute(
                "INSERT INTO events (kind, note, stored) VALUES (?, ?, ?)", (event, _text(note), time.time())
            )

    @property
    def events(self) -> tuple[tuple[Event, str, float], ...]:
        """Kind, note and time (seconds since 1970) of all events."""
        return tuple(self._all("SELECT kind, note, stored FROM events ORDER BY number"))

    @property
    def changes(self) -> tuple[int, int, int]:
        """Numbers of the newest answer, exclusion and event; 0 before the first. They increase with every change."""
        rows = self._all(
            "SELECT coalesce((SELECT max(number) FROM answers), 0), coalesce((SELECT max(number) FROM exclusions), 0), "
            "coalesce((SELECT max(number) FROM events), 0)"
        )
        return tuple(rows[0])

    @property
    def fingerprint(self) -> tuple[object, ...]:
        """Key of the stored data in caches."""
        return self.digest, str(self.path), self.changes

    # Lists and answers of judges.

    def slots(self, judge: str) -> tuple[ShownSlot, ...]:
        """Return a judge's list of places.

        Raises:
            StoreError: there is no such judge.
        """
        rows = self._all(
            "SELECT place, slots.kind, item, system, segment, text, source FROM slots JOIN shown USING (judge, place) "
            "JOIN items USING (item) JOIN segments USING (segment) WHERE judge = ? ORDER BY place, position",
            self._judge(judge),
        )
        rows_by_place: dict[int, list[tuple[Any, ...]]] = {}
        for row in rows:
            rows_by_place.setdefault(row[0], []).append(row)
        sees_source = self.group(judge).source
        return tuple(
            ShownSlot(
                place,
                place_rows[0][1],
                tuple(
                    ShownItem(item, system, segment + 1, text) for _, _, item, system, segment, text, _ in place_rows
                ),
                place_rows[0][6] if sees_source else None,
            )
            for place, place_rows in rows_by_place.items()
        )

    def add_rating(
        self, judge: str, place: int, item: int, score: float, *, client: str, shown: float, given: float
    ) -> int:
        """Store a rating. A request with a stored id is ignored; a later rating is a revision.

        Args:
            judge: the pseudonym.
            place: in the judge's list, from 0.
            item: number of an item in this place.
            score: in points of the scale.
            client: unique id that the page generated for this rating.
            shown: when the item was shown, by the judge's clock, in seconds since 1970.
            given: when the rating was given, by the same clock.

        Returns:
            The revision, from 1.

        Raises:
            StoreError: the campaign is not open, the judge has no such item in this place, the score is not a number
                of the scale, or the id belongs to another answer.
        """
        if not self.plan.scale.contains(score):
            scale = self.plan.scale
            raise StoreError(
                f"score {score} found, a number from {scale.lowest:g} to {scale.highest:g} in steps of {scale.step:g} "
                "expected"
            )
        return self._answer(judge, (place, item, float(score), None), client, (shown, given))

    def add_skip(
        self, judge: str, place: int, item: int, reason: str, *, client: str, shown: float, given: float
    ) -> int:
        """Store a skip of an item with its reason; arguments and revisions as `add_rating`.

        Raises:
            StoreError: as `add_rating`, or there is no reason.
        """
        if not reason.strip():
            raise StoreError("no reason found, a reason for skipping the text expected")
        return self._answer(judge, (place, item, None, _text(reason)), client, (shown, given))

    def add_comment(self, judge: str, place: int, text: str, *, client: str) -> None:
        """Store a comment on a place; a request with a stored id is ignored.

        Raises:
            StoreError: the campaign is not open, there is no such place, or the id belongs to another comment.
        """
        text = _text(text)
        with self.transaction() as connection:
            number = self._judge(judge)
            before = self._all("SELECT judge, place, text FROM comments WHERE client = ?", _id(client))
            if before:
                _check_same(before[0], (number, place, text), client)
                return
            self._check_open()
            if not self._all("SELECT 1 FROM slots WHERE judge = ? AND place = ?", number, place):
                raise StoreError(f"place {place} found, a place in the list of {judge} expected")
            ((count,),) = self._all("SELECT count(*) FROM comments WHERE judge = ? AND place = ?", number, place)
            if count >= MAX_COMMENTS:
                raise StoreError(f"{count:,} comments on this text found, at most {MAX_COMMENTS:,} expected")
            self._check_text(number, text)
            connection.execute(
                "INSERT INTO comments (client, judge, place, text, stored) VALUES (?, ?, ?, ?, ?)",
                (client, number, place, text, time.time()),
            )

    def comments_of(self, judge: str) -> dict[int, str]:
        """Return place (from 0) -> the judge's newest comment on it.

        Raises:
            StoreError: there is no such judge.
        """
        query = "SELECT place, text FROM comments WHERE judge = ? ORDER BY number"
        return dict(self._all(query, self._judge(judge)))

    @property
    def comments(self) -> tuple[tuple[str, int, str, float], ...]:
        """Judge, place (from 0), text and time (seconds since 1970) of all comments."""
        return tuple(
            self._all("SELECT name, place, text, stored FROM comments JOIN judges USING (judge) ORDER BY number")
        )

    # Queries.

    @property
    def segments(self) -> tuple[SampledSegment, ...]:
        """The segments that were drawn, in the order of the corpus."""
        rows = self._all("SELECT segment + 1, source, document, probability FROM segments ORDER BY segment")
        return tuple(SampledSegment(*row) for row in rows)

    def answers(self, *, all_revisions: bool = False, judge: str | None = None) -> tuple[Answer, ...]:
        """Return the newest answer to each item in each place, in the order in which they were stored.

        Args:
            all_revisions: include older revisions.
            judge: read only this judge's answers; None for all judges.

        Raises:
            StoreError: there is no such judge.
        """
        condition, parameters = ("", ()) if judge is None else ("answers.judge = ? AND", (self._judge(judge),))
        rows = self._all(
            'SELECT name, "group", place, slots.kind, item, items.kind, segment + 1, document, system, revision, '  # noqa: S608 # ours
            "score, reason, shown, given, stored, answers.number FROM answers JOIN slots USING (judge, place) "
            "JOIN judges USING (judge) JOIN items USING (item) JOIN segments USING (segment) "
            f"WHERE {condition} (? OR revision = (SELECT max(revision) FROM answers AS newer WHERE "
            "newer.judge = answers.judge AND newer.place = answers.place AND newer.item = answers.item)) "
            "ORDER BY answers.number",
            *parameters,
            all_revisions,
        )
        values_of_rows: list[list[Any]] = [[*row[:5], row[5] == "degraded", *row[6:]] for row in rows]
        return tuple(Answer(*values) for values in values_of_rows)

    def judgments(self, *, with_excluded: bool = False) -> Judgments | None:
        """Return the ratings in force: the newest of each item, without repeats and checks; None if there is none.

        Args:
            with_excluded: include ratings of excluded judges.
        """
        return self._as_judgments(
            "first", () if with_excluded else tuple(exclusion.judge for exclusion in self.exclusions)
        )

    def repeats(self) -> Judgments | None:
        """Return the ratings of repeated items, including those of excluded judges; None if there is none."""
        return self._as_judgments("repeat")

    def checks(self) -> tuple[tuple[Answer, Answer], ...]:
        """Return ratings of degraded copies, each with the same judge's first rating of the original.

        Ratings of excluded judges are included.
        """
        rated = [answer for answer in self.answers() if answer.score is not None]
        first = {(a.judge, a.segment, a.system): a for a in rated if a.kind == "first"}
        pairs = ((a, first.get((a.judge, a.segment, a.system))) for a in rated if a.degraded)
        return tuple((copy, original) for copy, original in pairs if original is not None)

    def progress(self) -> tuple[JudgeProgress, ...]:
        """Return the progress of each judge, in the order of the judges."""
        places = self._all(
            'SELECT name, "group", count(place) FROM judges LEFT JOIN slots USING (judge) GROUP BY judge ORDER BY judge'
        )
        shown = {
            (name, place): count
            for name, place, count in self._all(
                "SELECT name, place, count(*) FROM shown JOIN judges USING (judge) GROUP BY judge, place"
            )
        }
        answers_of: dict[str, dict[int, list[Answer]]] = {}
        for answer in self.answers():
            answers_of.setdefault(answer.judge, {}).setdefault(answer.place, []).append(answer)
        progress: list[JudgeProgress] = []
        for name, group, count in places:
            answered = {place: a for place, a in answers_of.get(name, {}).items() if len(a) == shown[name, place]}
            skipped = sum(any(answer.score is None for answer in a) for a in answered.values())
            times = [max(x.given for x in a) - min(x.shown for x in a) for a in answered.values()]
            times = [seconds for seconds in times if math.isfinite(seconds)]  # earlier versions did not check times
            progress.append(
                JudgeProgress(
                    judge=name,
                    group=group,
                    slots=count,
                    rated=len(answered) - skipped,
                    skipped=skipped,
                    seconds=median(times) if times else math.nan,
                )
            )
        return tuple(progress)

    def _as_judgments(self, kind: SlotKind, without: Sequence[str] = ()) -> Judgments | None:
        answers = [a for a in self.answers() if a.kind == kind and a.score is not None and a.judge not in without]
        if not answers:
            return None
        return Judgments.from_ratings(
            [a.system for a in answers],
            [a.score for a in answers if a.score is not None],
            [a.number for a in answers],
            self.path.name,
            segments=[a.segment for a in answers],
            judges=[a.judge for a in answers],
            groups=[a.group for a in answers],
            documents=[a.document for a in answers],
            format="campaign",
        )

    def _answer(
        self, judge: str, answer: tuple[int, int, float | None, str | None], client: str, times: tuple[float, float]
    ) -> int:
        """Store an answer (place, item, score, reason) with the times when the item was shown and answered.

        Where the judge's clock is ahead, the answer was given now, and the item was shown as long before.
        """
        if not all(0 <= time <= MAX_TIME for time in times):
            raise StoreError(f"times {times[0]:g} and {times[1]:g} found, seconds since 1970 expected")
        place, item, _, _ = answer
        stored = time.time()
        if (latest := max(times)) > stored:
            times = max(0.0, stored - (latest - times[0])), max(0.0, stored - (latest - times[1]))
        shown, given = times
        with self.transaction() as connection:
            number = self._judge(judge)
            before = self._all(
                "SELECT judge, place, item, score, reason, revision FROM answers WHERE client = ?", _id(client)
            )
            if before:
                _check_same(before[0][:5], (number, *answer), client)
                return int(before[0][5])
            self._check_open()
            if not self._all("SELECT 1 FROM shown WHERE judge = ? AND place = ? AND item = ?", number, place, item):
                raise StoreError(f"item {item} in place {place} found, an item in the list of {judge} expected")
            ((revision,),) = self._all(
                "SELECT count(*) + 1 FROM answers WHERE judge = ? AND place = ? AND item = ?", number, place, item
            )
            if revision > MAX_REVISIONS:
                raise StoreError(
                    f"{MAX_REVISIONS:,} answers to this text found already, at most {MAX_REVISIONS:,} expected"
                )
            if answer[3] is not None:
                self._check_text(number, answer[3])
            connection.execute(
                "INSERT INTO answers (client, judge, place, item, score, reason, revision, shown, given, stored) "
                "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (client, number, place, item, *answer[2:], revision, shown, given, stored),
            )
        return int(revision)

    def _exclude(self, judge: str, reason: str, *, excluded: bool) -> None:
        if not reason.strip():
            raise StoreError("no reason found, a reason expected")
        with self.transaction() as connection:
            number = self._judge(judge)
            if (judge in {exclusion.judge for exclusion in self.exclusions}) == excluded:
                raise StoreError(f"judge {judge!r} {'is excluded already' if excluded else 'is not excluded'}")
            connection.execute(
                "INSERT INTO exclusions (judge, excluded, reason, stored) VALUES (?, ?, ?, ?)",
                (number, int(excluded), _text(reason), time.time()),
            )

    def _judge(self, name: str) -> int:
        rows = self._all("SELECT judge FROM judges WHERE name = ?", _text(name))
        if not rows:
            raise StoreError(f"judge {name!r} found, a judge of the campaign expected")
        return int(rows[0][0])

    def _check_text(self, judge: int, text: str) -> None:
        """Raise an error if the text exceeds the limit on all texts of a judge."""
        ((before,),) = self._all(
            "SELECT (SELECT coalesce(sum(length(text)), 0) FROM comments WHERE judge = ?) + "
            "(SELECT coalesce(sum(length(reason)), 0) FROM answers WHERE judge = ?)",
            judge,
            judge,
        )
        if before + len(text) > MAX_JUDGE_TEXT:
            raise StoreError(
                f"{before + len(text):,} characters of comments and reasons found, at most {MAX_JUDGE_TEXT:,} expected"
            )

    def _check_open(self) -> None:
        if self.state != "open":
            raise StoreError(f"the campaign is {self.state}; ratings are accepted while it is open")

    def _all(self, query: str, *values: object) -> list[Any]:
        return self._database.read(query, *values)


def create_store(path: str | Path, design: Design, corpus: Corpus) -> None:
    """Create a campaign file that only its owner can read and write.

    Args:
        path: of the file.
        design: of the campaign.
        corpus: from which the design was made; the documents of the segments are copied.

    Raises:
        StoreError: the file exists, or a text contains a lone surrogate, which cannot be encoded.
        OSError: it cannot be written.
    """
    path = Path(path)
    try:
        with new_database(path) as connection:
            for table, rows in _contents(design, corpus):
                places = ", ".join("?" * len(rows[0])) if rows else ""
                connection.executemany(f"INSERT INTO {table} VALUES ({places})", rows)  # noqa: S608 # our own names
    except UnicodeEncodeError:
        raise StoreError(f"{path}: a lone surrogate found in a text, whole characters expected") from None


def _contents(design: Design, corpus: Corpus) -> list[tuple[str, Sequence[tuple[object, ...]]]]:
    documents = corpus.documents
    codes = _codes(len(design.judges))
    sample = zip(design.sample.segments, design.sample.probabilities, strict=True)
    slots = [(j, n, slot) for j, judge in enumerate(design.judges) for n, slot in enumerate(judge.slots)]
    return [
        ("campaign", [(1, json.dumps(plan_tables(design.plan)), design.digest, time.time(), corpus.segments)]),
        ("segments", [(s, design.sources.get(s), documents[s] if documents else None, p) for s, p in sample]),
        ("items", [(n, item.segment, item.system, item.kind, item.text) for n, item in enumerate(design.items)]),
        ("judges", [(j, judge.name, judge.group, codes[j]) for j, judge in enumerate(design.judges)]),
        ("slots", [(j, n, slot.kind) for j, n, slot in slots]),
        ("shown", [(j, n, item, position) for j, n, slot in slots for position, item in enumerate(slot.items)]),
    ]


def _codes(count: int) -> list[str]:
    """Draw distinct completion codes."""
    codes: dict[str, None] = {}
    while len(codes) < count:
        codes[secrets.token_hex(CODE_BYTES).upper()] = None
    return list(codes)


def _hash(token: str) -> str:
    return hashlib.sha256(token.encode("utf-8", "replace")).hexdigest()


def _text(text: str) -> str:
    """Return the text with lone surrogates, which cannot be encoded, replaced by question marks."""
    if len(text) > MAX_TEXT_LENGTH:
        raise StoreError(f"a text of {len(text):,} characters found, at most {MAX_TEXT_LENGTH:,} expected")
    return text.encode("utf-8", "replace").decode()


def _id(client: str) -> str:
    if not 0 < len(client) <= MAX_ID_LENGTH or client != _text(client):
        raise StoreError(f"id {client[:MAX_ID_LENGTH]!r} found, 1 to {MAX_ID_LENGTH} whole characters expected")
    return client


def _check_same(before: tuple[object, ...], now: tuple[object, ...], client: str) -> None:
    if before != now:
        raise StoreError(f"id {client!r} found for two different answers, a unique id expected")
