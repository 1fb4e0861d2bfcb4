"""Scheduling of the work of several sessions: answers come before the remaining work of their pages. No Streamlit.

Python runs one thread at a time for most of the work of pages. Without scheduling, an answer that takes a third of a
second takes ten seconds while twenty sessions search for warnings, and twenty simultaneous answers all come at the end.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

#: Seconds after which further answers start, and after which remaining work starts, before an answer is complete.
MAX_TURN_S, MAX_ANSWER_S = 2, 10

#: Maximum seconds in all that one run of a page waits for others.
MAX_WAIT_S = 20

#: Seconds between two checks whether a waiting run is still wanted.
POLL_INTERVAL_S = 0.1


@dataclass(eq=False, slots=True)
class Turn:
    """A run of a page.

    Attributes:
        begun: when the run started, by the timer; None before that.
        waited: seconds that the run has waited for others.
        results: results that the run may need again; dropped with it.
    """

    begun: float | None = None
    waited: float = 0.0
    results: dict[Hashable, Any] = field(default_factory=dict[Hashable, Any])


class Turns:
    """The scheduler of runs; safe to use from several threads.

    Args:
        answering: how many runs start at a time; further ones start when these have answered, or take long.
        following: maximum number of runs that continue at a time after their answer.
        timer: returns the time in seconds.
    """

    def __init__(self, answering: int, following: int, timer: Callable[[], float] = time.monotonic) -> None:
        self._max_answering, self._max_following = answering, following
        self._timer = timer
        self._changed = threading.Condition()
        self._answering: list[Turn] = []  # in the order of arrival; some have not started
        self._waiting: list[Turn] = []  # after their answer; the first continues first
        self._following: list[Turn] = []

    @property
    def running(self) -> int:
        """The number of runs, active or waiting."""
        with self._changed:
            return len(self._answering) + len(self._waiting) + len(self._following)

    @contextmanager
    def take(self, check: Callable[[], object]) -> Iterator[Turn]:
        """Start a run when its turn has come; others wait for it until it has answered.

        Args:
            check: called repeatedly while the run waits; raises if the run is to end.
        """
        turn, arrived = Turn(), self._timer()
        with self._changed:
            self._answering.append(turn)
        try:
            while True:
                with self._changed:
                    turn.waited = self._timer() - arrived
                    if self._may_begin(turn) or turn.waited >= MAX_WAIT_S:
                        turn.begun = self._timer()
                        break
                    self._changed.wait(POLL_INTERVAL_S)
                check()
            yield turn
        finally:
            with self._changed:
                self._remove(turn)

    def follow(self, turn: Turn, check: Callable[[], object]) -> None:
        """Continue a run after its answer, once others have answered; called again, let these pass.

        Must not be called during work whose result others may wait for.

        Args:
            turn: the run.
            check: called repeatedly while the run waits; raises if the run is to end.
        """
        begun, waited = self._timer(), turn.waited
        with self._changed:
            place = 0 if turn in self._following else len(self._waiting)
            self._remove(turn)
            self._waiting.insert(place, turn)
        while True:
            with self._changed:
                turn.waited = waited + self._timer() - begun
                if self._may_follow(turn) or turn.waited >= MAX_WAIT_S:
                    self._remove(turn)
                    self._following.append(turn)
                    return
                self._changed.wait(POLL_INTERVAL_S)
            check()

    def _may_begin(self, turn: Turn) -> bool:
        now = self._timer()
        before = self._answering[: self._answering.index(turn)]
        return sum(other.begun is None or now - other.begun <= MAX_TURN_S for other in before) < self._max_answering

    def _may_follow(self, turn: Turn) -> bool:
        now, free = self._timer(), max(self._max_following - len(self._following), 0)
        answered = all(other.begun is not None and now - other.begun > MAX_ANSWER_S for other in self._answering)
        return answered and turn in self._waiting[:free]

    def _remove(self, turn: Turn) -> None:
        for turns in (self._answering, self._waiting, self._following):
            if turn in turns:
                turns.remove(turn)
        self._changed.notify_all()
