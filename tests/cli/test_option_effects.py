"""Every option of every command has an effect, or is refused, or is noted to have none, for every kind of input."""

from __future__ import annotations

import argparse
import io
import json
import shlex
import shutil
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Literal

import pytest
from conftest import Run, Runner
from nightly import nightly
from option_files import write_files
from option_grid import VARIED, WITHOUT_RESULT, Call, calls, options_of, parsers, variations

from bleu_core.cli import BAD_INPUT

#: What an option does: "unavailable" if what it needs does not go with the kind of input.
Outcome = Literal["effect", "refused", "noted", "exempt", "unavailable", "ignored"]
CALLS = calls()
#: What every run tries: a call of each way of reading files.
BY_DAY = {("score", "texts"), ("score", "saved documents"), ("compare", "counts"), ("campaign links", "campaign")}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The files of the grid."""
    return write_files(tmp_path_factory.mktemp("options"))


class Caller:
    """Runs calls in the folder of the files; a call is run once."""

    def __init__(self, run: Runner, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self._run, self._folder, self._monkeypatch = run, folder, monkeypatch
        self._known: dict[tuple[str, ...], tuple[Run, dict[str, bytes]]] = {}
        for name in "ABC":
            if not (folder / f"{name}.counts").exists():
                self(["count", "--ref", "@ref.txt", "--ref", "@ref2.txt", f"@{name}.txt", "--out", f"@{name}.counts"])
        for part in "12" * (not (folder / "A.part1").exists()):
            self(["count", "--ref", "@ref.txt", "@A.txt", "--part", f"{part}/2", "--out", f"@A.part{part}"])
        if not (folder / "pilot.db").exists():
            self(["campaign", "create", "@plan.toml", "--out", "@pilot.db", "@A.txt", "@B.txt"])

    def __call__(self, arguments: Sequence[str]) -> tuple[Run, dict[str, bytes]]:
        """What a call does, and the files that it writes."""
        key = tuple(arguments)
        if key not in self._known:
            out = self._folder / "out"
            shutil.rmtree(out, ignore_errors=True)
            out.mkdir()
            text = (self._folder / "C.txt").read_bytes()
            self._monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(text)))
            found = self._run(*(argument.replace("@", f"{self._folder}/") for argument in arguments))
            written = {path.name: path.read_bytes() for path in out.rglob("*") if path.is_file()}
            self._known[key] = found, written
        return self._known[key]

    def outcome(self, before: Sequence[str], option: str, given: Sequence[str]) -> Outcome:
        """What an option does to a call."""
        without, written = self(before)
        if without.status == BAD_INPUT:
            return "unavailable"
        found, changed = self([*before, *given])
        if found.status == BAD_INPUT:
            return "refused"
        if f"{option} has no effect" in found.err:
            return "noted"
        equal = (found.status, found.out, found.err, changed) == (without.status, without.out, without.err, written)
        return "ignored" if equal and self.json([*before, *given]) == self.json(before) else "effect"

    def json(self, arguments: Sequence[str]) -> Any:
        """The JSON of a call without the settings, which it repeats."""
        found, _ = self([*arguments, "--format", "json"])
        return {key: value for key, value in json.loads(found.out).items() if key != "settings"}


@pytest.fixture
def caller(run: Runner, folder: Path, monkeypatch: pytest.MonkeyPatch) -> Caller:
    return Caller(run, folder, monkeypatch)


@pytest.mark.parametrize(
    "call",
    [
        *(call for call in CALLS if (call.command, call.kind) in BY_DAY),
        *nightly(call for call in CALLS if (call.command, call.kind) not in BY_DAY),
    ],
    ids=str,
)
def test_no_option_is_ignored(caller: Caller, call: Call) -> None:
    found = list(cells(caller, call))
    ignored = [shlex.join([*needed, "&&", *given]) for _, needed, given, outcome in found if outcome == "ignored"]
    assert ignored == []


def cells(caller: Caller, call: Call) -> Iterator[tuple[str, list[str], list[str], Outcome]]:
    """The outcome of each value of each option of a call, after the option and what the value needs."""
    plain, _ = caller(call.arguments)
    assert plain.status in (0, 1, 3), plain.err
    for option in options_of(parsers()[call.command]):
        if not WITHOUT_RESULT.keys().isdisjoint((option, f"{call.command} {option}")):
            yield option, [], [], "exempt"
            continue
        for needed, given in variations(call, option):
            yield option, needed, given, caller.outcome([*call.arguments, *needed], option, given)


def test_every_option_is_varied() -> None:
    missing = [
        f"{command} {option}"
        for command, parser in parsers().items()
        for option in options_of(parser)
        if not VARIED.get(f"{command} {option}", VARIED.get(option))
        and WITHOUT_RESULT.keys().isdisjoint((option, f"{command} {option}"))
    ]
    assert missing == []


@pytest.mark.parametrize("command", parsers())
def test_an_option_of_one_value_is_not_given_twice(run: Runner, command: str) -> None:
    for option, action in options_of(parsers()[command]).items():
        if action.nargs == 0 or isinstance(action.default, list) or isinstance(action, argparse._AppendAction):  # noqa: SLF001
            continue
        text = next(iter(VARIED.get(f"{command} {option}", VARIED.get(option, ()))), f"{option} 1")
        value = shlex.split(text.rpartition(" && ")[2].rpartition(": ")[2])
        found = run(*command.split(), *value, *value)
        assert (found.status, found.out) == (2, ""), option
        assert f"argument {option}: given twice, 1 value expected; keep one" in found.err
