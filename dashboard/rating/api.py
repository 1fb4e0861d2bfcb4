"""What the rating page asks for and sends: a judge's list, and answers.

Places and positions count from 0. Systems, segments and kinds of places are not sent: they would reveal which systems
there are and which places are checks.
"""

from __future__ import annotations

import json
import math
import secrets
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, NoReturn, cast

from bleu_core.campaigns import CampaignStore, ShownSlot, StoreError, UnusableFileError
from bleu_core.fields import exact

#: Answers and comments in one request, and bytes of one.
MAX_SENT, MAX_BYTES = 200, 2**20


class BadRequestError(Exception):
    """A request that no rating page sends; the message says what is wrong."""


class Times(NamedTuple):
    """When a place was shown and answered, by the judge's clock, in seconds since 1970."""

    shown: float
    given: float


class JudgeApi:
    """Answers the requests of rating pages; what it is asked blocks, and is asked in a thread.

    Args:
        store: of the campaign.
    """

    def __init__(self, store: CampaignStore) -> None:
        self._store = store
        self._slots: dict[str, tuple[ShownSlot, ...]] = {}
        self._server = secrets.token_hex(8)  # by which pages see that the server, and maybe its file, is another one

    def list_of(self, judge: str) -> dict[str, Any]:
        """Everything that a judge's page shows, with the answers given so far; no texts after the campaign's end."""
        plan = self._store.plan
        ended = self._store.state in ("closed", "stopped")
        scale = plan.scale
        comments = self._store.comments_of(judge)
        newest = {(a.place, a.item): a for a in self._store.answers(judge=judge)}
        sees = self._store.group(judge).source
        return {
            "judge": judge,
            "title": plan.title,
            "question": plan.question,
            "instructions": plan.instructions,
            "presentation": plan.presentation,
            "scale": {
                "lowest": scale.lowest,
                "highest": scale.highest,
                "step": scale.step,
                "names": {exact(number): name for number, name in scale.names.items()},
            },
            "training": [
                {
                    "source": example.source if sees and example.source else None,
                    "text": example.text,
                    "lowest": example.lowest,
                    "highest": example.highest,
                    "feedback": example.feedback,
                }
                for example in plan.training
            ],
            "places": [
                {
                    "source": slot.source,
                    "texts": [item.text for item in slot.items],
                    "answers": [
                        {"score": found.score, "reason": found.reason} if found else None
                        for item in slot.items
                        for found in [newest.get((slot.place, item.item))]
                    ],
                    "comment": comments.get(slot.place, ""),
                }
                for slot in (() if ended else self._slots_of(judge))
            ],
            **self._standing(judge),
        }

    def store_all(self, judge: str, body: bytes) -> dict[str, Any]:
        """Store what a page has sent: all of it at once, without what is refused.

        Returns:
            The ids of what is stored now, and why something is refused.

        Raises:
            BadRequestError: the request is none of a rating page.
            UnusableFileError: the file cannot be written; what was not acknowledged is to be sent again.
        """
        answers, comments = _parsed(body)
        stored: list[str] = []
        refused: list[dict[str, str]] = []
        given: list[tuple[Mapping[str, object], Callable[[str, Mapping[str, object]], None]]] = [
            *((each, self._answer) for each in answers),
            *((each, self._comment) for each in comments),
        ]
        with self._store.transaction():
            for each, store in given:
                client = cast("str", each["client"])
                try:
                    store(judge, each)
                    stored.append(client)
                except UnusableFileError:
                    raise
                except StoreError as error:
                    refused.append({"client": client, "message": str(error)})
        return {"stored": stored, "refused": refused, **self._standing(judge)}

    def _answer(self, judge: str, sent: Mapping[str, object]) -> None:
        place, position = _whole(sent, "place"), _whole(sent, "position")
        slot = self._slot(judge, place)
        if not 0 <= position < len(slot.items):
            raise StoreError(f"position {position} found, one from 0 to {len(slot.items) - 1} expected")
        item = slot.items[position].item
        client, times = _text(sent, "client"), Times(_number(sent, "shown"), _number(sent, "given"))
        if (sent.get("score") is None) == (sent.get("reason") is None):
            raise StoreError("both or neither of score and reason found, one of them expected")
        if sent.get("score") is None:
            reason = _text(sent, "reason")
            self._store.add_skip(judge, place, item, reason, client=client, shown=times.shown, given=times.given)
        else:
            score = _number(sent, "score")
            self._store.add_rating(judge, place, item, score, client=client, shown=times.shown, given=times.given)

    def _comment(self, judge: str, sent: Mapping[str, object]) -> None:
        place = self._slot(judge, _whole(sent, "place")).place
        self._store.add_comment(judge, place, _text(sent, "text"), client=_text(sent, "client"))

    def _standing(self, judge: str) -> dict[str, Any]:
        completion = self._store.completion_code(judge)
        return {"state": self._store.state, "completion": completion, "server": self._server}

    def _slot(self, judge: str, place: int) -> ShownSlot:
        slots = self._slots_of(judge)
        if not 0 <= place < len(slots):
            raise StoreError(f"place {place} found, a place of the judge's list expected")
        return slots[place]

    def _slots_of(self, judge: str) -> tuple[ShownSlot, ...]:
        if judge not in self._slots:  # lists never change
            self._slots[judge] = self._store.slots(judge)
        return self._slots[judge]


def _parsed(body: bytes) -> tuple[list[Mapping[str, object]], list[Mapping[str, object]]]:
    """The answers and the comments of a request, each with an id."""
    try:
        found: object = json.loads(body, parse_constant=_no_number)
    except (ValueError, RecursionError):
        raise BadRequestError("no JSON found, an object with answers and comments expected") from None
    if not isinstance(found, dict):
        raise BadRequestError("no object found, one with answers and comments expected")
    parts: list[list[Mapping[str, object]]] = []
    for key in ("answers", "comments"):
        of_key: object = cast("Mapping[str, object]", found).get(key, [])
        if not isinstance(of_key, list):
            raise BadRequestError(f"{key} that are no list found, a list expected")
        for each in cast("list[object]", of_key):
            if not isinstance(each, dict) or not isinstance(cast("Mapping[str, object]", each).get("client"), str):
                raise BadRequestError(f"one of the {key} without an id found, an object with a text as client expected")
        parts.append(cast("list[Mapping[str, object]]", of_key))
    answers, comments = parts
    if len(answers) + len(comments) > MAX_SENT:
        raise BadRequestError(
            f"{len(answers) + len(comments):,} answers and comments found, at most {MAX_SENT} expected"
        )
    return answers, comments


def _no_number(name: str) -> NoReturn:
    raise ValueError(name)


def _whole(sent: Mapping[str, object], key: str) -> int:
    value = sent.get(key)
    if not isinstance(value, int) or isinstance(value, bool):
        raise StoreError(f"{key}: a whole number expected")
    return value


def _number(sent: Mapping[str, object], key: str) -> float:
    value = sent.get(key)
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        try:
            if math.isfinite(value):
                return float(value)
        except OverflowError:  # a whole number beyond all floats
            pass
    raise StoreError(f"{key}: a number expected")


def _text(sent: Mapping[str, object], key: str) -> str:
    value = sent.get(key)
    if not isinstance(value, str):
        raise StoreError(f"{key}: a text expected")
    return value
