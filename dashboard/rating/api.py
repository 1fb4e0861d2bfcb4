"""The API of the rating page: a judge's list, and answers.

Places and positions count from 0. Systems, segments and kinds of places are not sent, as they would reveal the systems
and the checks.
"""

from __future__ import annotations

import json
import math
import secrets
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, NoReturn, cast

from bleu_core.campaigns import CampaignStore, ShownSlot, StoreError, UnusableFileError
from bleu_core.fields import exact

#: Maximum number of answers and comments in one request, and of its bytes.
MAX_SENT, MAX_BYTES = 200, 2**20


class BadRequestError(Exception):
    """A request that the rating page never sends; the message explains the problem."""


class Times(NamedTuple):
    """When a place was shown and answered, by the judge's clock, in seconds since 1970."""

    shown: float
    given: float


class JudgeApi:
    """Answers the requests of rating pages; its methods block, and are called in threads.

    Args:
        store: of the campaign.
    """

    def __init__(self, store: CampaignStore) -> None:
        self._store = store
        self._slots: dict[str, tuple[ShownSlot, ...]] = {}
        self._server = secrets.token_hex(8)  # tells pages that the server, and maybe its file, has changed

    def list_of(self, judge: str) -> dict[str, Any]:
        """Return everything that a judge's page shows, with the answers so far; no texts after the end."""
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
                        {"score": answer.score, "reason": answer.reason} if answer else None
                        for item in slot.items
                        for answer in [newest.get((slot.place, item.item))]
                    ],
                    "comment": comments.get(slot.place, ""),
                }
                for slot in (() if ended else self._slots_of(judge))
            ],
            **self._standing(judge),
        }

    def store_all(self, judge: str, body: bytes) -> dict[str, Any]:
        """Store the answers and comments of a page in one transaction, except those that are refused.

        Returns:
            The ids of what is stored, and the reasons for refusals.

        Raises:
            BadRequestError: the request is not from a rating page.
            UnusableFileError: the file cannot be written; everything not acknowledged has to be sent again.
        """
        answers, comments = _parsed(body)
        stored: list[str] = []
        refused: list[dict[str, str]] = []
        received: list[tuple[Mapping[str, object], Callable[[str, Mapping[str, object]], None]]] = [
            *((answer, self._answer) for answer in answers),
            *((comment, self._comment) for comment in comments),
        ]
        with self._store.transaction():
            for entry, store in received:
                client = cast("str", entry["client"])
                try:
                    store(judge, entry)
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
    """Return the answers and the comments of a request, which all have ids."""
    try:
        content: object = json.loads(body, parse_constant=_no_number)
    except (ValueError, RecursionError):
        raise BadRequestError("no JSON found, an object with answers and comments expected") from None
    if not isinstance(content, dict):
        raise BadRequestError("no object found, one with answers and comments expected")
    parts: list[list[Mapping[str, object]]] = []
    for key in ("answers", "comments"):
        entries: object = cast("Mapping[str, object]", content).get(key, [])
        if not isinstance(entries, list):
            raise BadRequestError(f"{key} that are no list found, a list expected")
        for entry in cast("list[object]", entries):
            if not isinstance(entry, dict) or not isinstance(cast("Mapping[str, object]", entry).get("client"), str):
                raise BadRequestError(f"one of the {key} without an id found, an object with a text as client expected")
        parts.append(cast("list[Mapping[str, object]]", entries))
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
        except OverflowError:  # an integer beyond all floats
            pass
    raise StoreError(f"{key}: a number expected")


def _text(sent: Mapping[str, object], key: str) -> str:
    value = sent.get(key)
    if not isinstance(value, str):
        raise StoreError(f"{key}: a text expected")
    return value
