"""The order of the work of several sessions: answers first, then what follows them, one session after the other."""

from __future__ import annotations

import threading

import pytest

from dashboard.session.turns import MAX_ANSWER_S, MAX_TURN_S, MAX_WAIT_S, Turns

#: Seconds after which a thread that should have ended fails the test.
PATIENCE = 30


class Clock:
    """A clock that goes on when it is told to."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        """The time in seconds."""
        return self.now


class Run:
    """A run of a page in a thread of its own, which begins, waits for its cue, and then follows its answer."""

    def __init__(self, turns: Turns, done: list[str], name: str) -> None:
        self._turns, self._done, self._name = turns, done, name
        self.waits, self.followed, self.cue, self.end = (threading.Event() for _ in range(4))
        self._begun = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()
        assert self._begun.wait(PATIENCE)

    def _run(self) -> None:
        with self._turns.take(self.waits.set) as turn:
            self._begun.set()
            assert self.cue.wait(PATIENCE)
            self._turns.follow(turn, self.waits.set)
            self._done.append(self._name)
            self.followed.set()
            assert self.end.wait(PATIENCE)

    def finish(self) -> None:
        """Let it end, and wait for that."""
        self.cue.set()
        self.end.set()
        self._thread.join(PATIENCE)
        assert not self._thread.is_alive()


def test_what_follows_waits_for_the_answers_of_others_and_goes_on_in_order() -> None:
    turns, done = Turns(9, 1, Clock()), list[str]()
    first, second, third = (Run(turns, done, name) for name in "ABC")
    first.cue.set()
    assert first.waits.wait(PATIENCE)
    second.cue.set()
    assert second.waits.wait(PATIENCE)
    assert done == []  # the third has not answered
    third.cue.set()
    assert first.followed.wait(PATIENCE)
    second.waits.clear()
    assert second.waits.wait(PATIENCE)
    assert done == ["A"]  # one at a time
    first.finish()
    assert second.followed.wait(PATIENCE)
    assert done == ["A", "B"]
    second.finish()
    third.finish()
    assert done == ["A", "B", "C"]


def test_answers_are_given_in_the_order_in_which_they_are_asked_for() -> None:
    turns, begun = Turns(1, 1, Clock()), list[str]()
    waits, end = (threading.Event() for _ in range(2)), threading.Event()

    def answer(name: str, check: threading.Event) -> None:
        with turns.take(check.set):
            begun.append(name)
            assert end.wait(PATIENCE)

    with turns.take(pytest.fail):
        threads: list[threading.Thread] = []
        for name, check in zip("AB", waits, strict=True):
            threads.append(threading.Thread(target=answer, args=(name, check), daemon=True))
            threads[-1].start()
            assert check.wait(PATIENCE)
        assert begun == []
    end.set()
    for thread in threads:
        thread.join(PATIENCE)
    assert begun == ["A", "B"]


def test_an_answer_that_takes_long_gives_up_its_place() -> None:
    clock = Clock()
    turns = Turns(1, 1, clock)
    with turns.take(pytest.fail):
        clock.now = MAX_TURN_S + 0.1
        with turns.take(pytest.fail) as turn:
            assert turn.waited == 0


def test_a_run_that_is_no_longer_wanted_does_not_begin() -> None:
    turns = Turns(1, 1)

    def check() -> None:
        raise InterruptedError

    with turns.take(pytest.fail), pytest.raises(InterruptedError), turns.take(check):
        pytest.fail("it began")
    with turns.take(pytest.fail):
        pass


def test_a_run_that_follows_lets_a_new_answer_pass_and_then_goes_on_before_the_others() -> None:
    turns, done = Turns(9, 1, Clock()), list[str]()
    with turns.take(pytest.fail) as turn:
        turns.follow(turn, pytest.fail)
        other = Run(turns, done, "other")
        other.cue.set()
        assert other.waits.wait(PATIENCE)
        answering = Run(turns, done, "answer")
        again = threading.Event()

        def check() -> None:
            again.set()
            answering.end.set()
            answering.cue.set()

        turns.follow(turn, check)
        done.append("first")
        assert again.is_set()
    other.finish()
    answering.finish()
    assert done[0] == "first"


def test_nobody_waits_for_an_answer_that_takes_long() -> None:
    clock = Clock()
    turns = Turns(9, 1, clock)
    with turns.take(pytest.fail) as turn, turns.take(pytest.fail):
        clock.now = MAX_ANSWER_S + 0.1
        turns.follow(turn, pytest.fail)


def test_a_run_waits_for_a_limited_time_in_all() -> None:
    clock = Clock()
    turns = Turns(9, 1, clock)
    checks: list[float] = []

    def check() -> None:
        checks.append(clock.now)
        clock.now += MAX_WAIT_S / 4

    with turns.take(pytest.fail) as other, turns.take(pytest.fail) as turn:
        clock.now = MAX_ANSWER_S + 1
        turns.follow(other, pytest.fail)  # which holds the only place
        turns.follow(turn, check)
        assert len(checks) == 4
        turns.follow(turn, pytest.fail)


def test_a_run_that_is_no_longer_wanted_ends_while_it_waits() -> None:
    turns = Turns(9, 1)

    def check() -> None:
        raise InterruptedError

    with turns.take(pytest.fail), pytest.raises(InterruptedError), turns.take(pytest.fail) as unwanted:
        turns.follow(unwanted, check)
    with turns.take(pytest.fail) as turn:
        turns.follow(turn, pytest.fail)
