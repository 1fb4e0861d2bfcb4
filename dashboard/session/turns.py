"""The order of the work of several sessions: answers come before what follows them on their pages. No Streamlit.

Python runs one thread at a time for most of what pages do. Without an order, an answer that takes a third of a second
takes ten seconds while twenty sessions look for warnings, and twenty answers at once come all at the end.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

#: Seconds for which other answers wait for one, and what follows answers: for no answer that takes longer.
MAX_PLACE, MAX_ANSWER = 2, 10

#: Seconds that one run of a page waits for others, at most, in all.
MAX_WAIT = 20

#: Seconds between two looks whether a run that waits is still wanted.
LOOK = 0.1


@dataclass(eq=False, slots=True)
class Turn:
    """A run of a page.

    Attributes:
        begun: when it began, by the timer; None before that.
        waited: seconds that it has waited for others.
        results: what the run has made and may need again; dropped with it.
    """

    begun: float | None = None
    waited: float = 0.0
    results: dict[Hashable, Any] = field(default_factory=dict[Hashable, Any])


class Turns:
    """Which runs may go on; safe to use from several threads.

    Args:
        answering: how many runs begin at a time; further ones begin when these have answered, or take long.
        following: how many runs go on at a time after their answer, at most.
        timer: tells the time in seconds.
    """

    def __init__(self, answering: int, following: int, timer: Callable[[], float] = time.monotonic) -> None:
        self._max_answering, self._max_following = answering, following
        self._timer = timer
        self._changed = threading.Condition()
        self._answering: list[Turn] = []  # in the order they came; some have not begun
        self._waiting: list[Turn] = []  # after their answer; the first goes on first
        self._following: list[Turn] = []

    @property
    def running(self) -> int:
        """How many runs there are, whether they go on or wait."""
        with self._changed:
            return len(self._answering) + len(self._waiting) + len(self._following)

    @contextmanager
    def take(self, check: Callable[[], object]) -> Iterator[Turn]:
        """Begin a run when its turn has come; until it follows its answer, others that do wait for it.

        Args:
            check: called now and then while the run waits; raises if the run is to end.
        """
        turn, arrived = Turn(), self._timer()
        with self._changed:
            self._answering.append(turn)
        try:
            while True:
                with self._changed:
                    turn.waited = self._timer() - arrived
                    if self._may_begin(turn) or turn.waited >= MAX_WAIT:
                        turn.begun = self._timer()
                        break
                    self._changed.wait(LOOK)
                check()
            yield turn
        finally:
            with self._changed:
                self._remove(turn)

    def follow(self, turn: Turn, check: Callable[[], object]) -> None:
        """Go on with what follows the answer of a run, after the answers of others; called again, let these pass.

        Never to be called during work whose result others may wait for.

        Args:
            turn: the run.
            check: called now and then while the run waits; raises if the run is to end.
        """
        begun, waited = self._timer(), turn.waited
        with self._changed:
            place = 0 if turn in self._following else len(self._waiting)
            self._remove(turn)
            self._waiting.insert(place, turn)
        while True:
            with self._changed:
                turn.waited = waited + self._timer() - begun
                if self._may_follow(turn) or turn.waited >= MAX_WAIT:
                    self._remove(turn)
                    self._following.append(turn)
                    return
                self._changed.wait(LOOK)
            check()

    def _may_begin(self, turn: Turn) -> bool:
        now = self._timer()
        before = self._answering[: self._answering.index(turn)]
        return sum(other.begun is None or now - other.begun <= MAX_PLACE for other in before) < self._max_answering

    def _may_follow(self, turn: Turn) -> bool:
        now, free = self._timer(), max(self._max_following - len(self._following), 0)
        answered = all(other.begun is not None and now - other.begun > MAX_ANSWER for other in self._answering)
        return answered and turn in self._waiting[:free]

    def _remove(self, turn: Turn) -> None:
        for turns in (self._answering, self._waiting, self._following):
            if turn in turns:
                turns.remove(turn)
        self._changed.notify_all()
