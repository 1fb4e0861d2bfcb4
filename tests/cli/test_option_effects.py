"""Every option of every command has an effect, or is refused, or is noted to have none, for every kind of input."""

from __future__ import annotations

import argparse
import io
import json
import shlex
import shutil
import sys
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Literal

import pytest
from conftest import Run, Runner
from nightly import nightly
from option_files import write_files
from option_grid import REFERENCES, SYSTEMS, VARIED, WITHOUT_RESULT, Call, calls, options_of, parsers, variations

from bleu_core.cli import BAD_INPUT
from dashboard import launch
from dashboard.commands.figure import OPTIONS as FIGURE_OPTIONS
from dashboard.exhibits import EXHIBITS

#: What an option does: "unavailable" if what it needs does not go with the kind of input.
Outcome = Literal["effect", "refused", "noted", "exempt", "unavailable", "ignored"]
CALLS = calls()
#: Values of the options of figures.
OF_FIGURES: dict[str, str] = {
    "metric": "ter",
    "system": "C",
    "baseline": "C",
    "test": "randomization",
    "blocks": "3",
    "units": "segments",
    "resamples": "30",
    "correction": "none",
    "seed": "7",
    "alpha": "0.3",
    "by": "length",
    "block_size": "5",
    "document_blocks": "",
    "also": "chrF2",
}
#: What options of tests need beside them.
BY_SEGMENTS = ("--units", "segments")
BESIDE: Mapping[str, Sequence[str]] = {
    "blocks": ("--test", "t", *BY_SEGMENTS),
    "resamples": BY_SEGMENTS,
    "seed": BY_SEGMENTS,
    "correction": BY_SEGMENTS,
}
#: Figures of two systems that are the same by all metrics; only which two are the best depends on the metric.
OF_ANY_METRIC = ("ngrams", "error-rates")
#: Figures that refuse all metrics but BLEU.
OF_BLEU = ("causes",)
#: Figures that the few systems of these files do not have.
NOT_DRAWN = ("metrics", "metric-pairs")
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
        if not (folder / "pilot.db.saved").exists():
            actions = {"pilot": (), "open": ("open",), "paused": ("open", "pause")}
            for name, done in actions.items():
                self(["campaign", "create", "@plan.toml", "--out", f"@{name}.db", "@A.txt", "@B.txt"])
                for action in done:
                    self(["campaign", action, f"@{name}.db"])
            for name in actions:
                shutil.copyfile(folder / f"{name}.db", folder / f"{name}.db.saved")

    def __call__(self, arguments: Sequence[str]) -> tuple[Run, dict[str, bytes]]:
        """What a call does, and the files that it writes."""
        key = tuple(arguments)
        if key not in self._known:
            for saved in self._folder.glob("*.db.saved"):  # as other calls have changed the campaigns
                shutil.copyfile(saved, saved.with_suffix(""))
            out = self._folder / "out"
            shutil.rmtree(out, ignore_errors=True)
            out.mkdir()
            text = (self._folder / "D.txt").read_bytes()
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
        if equal and ("--format" in before or self.json([*before, *given]) == self.json(before)):
            return "ignored"
        return "effect"

    def json(self, arguments: Sequence[str]) -> Any:
        """The JSON of a call without the settings, which it repeats."""
        found, _ = self([*arguments, "--format", "json"])
        return {key: value for key, value in json.loads(found.out).items() if key != "settings"}


@pytest.fixture
def caller(run: Runner, folder: Path, monkeypatch: pytest.MonkeyPatch) -> Caller:
    monkeypatch.setattr(
        "dashboard.export.figure_file", lambda figure, *_: figure.to_json().encode()
    )  # without a browser
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


@pytest.mark.parametrize("name", nightly(name for name in EXHIBITS if name not in NOT_DRAWN))
def test_a_figure_changes_by_the_options_that_it_uses_and_refuses_others(caller: Caller, name: str) -> None:
    ratings = "@mqm.tsv" if "marked errors" in EXHIBITS[name].needs else "@human.csv"
    files = [*REFERENCES, *SYSTEMS, "--documents", "@docs.txt", "--labels", "@labels.tsv", "--human", ratings]
    files += ["--metric-scores", "@scores.tsv", "--lower-is-better", "COMET"]  # by which C is the best system
    call = ["figure", name, "--out", "@out/x.svg", "--format", "tsv", *files]
    used = {key for option in EXHIBITS[name].options for key in FIGURE_OPTIONS.get(option, ())}
    used -= {"metric"} if name in OF_BLEU else set()
    values = OF_FIGURES | ({"metric": "COMET"} if name in OF_ANY_METRIC else {})
    outcomes: dict[str, Outcome] = {}
    for key in dict.fromkeys(chain.from_iterable(FIGURE_OPTIONS.values())):
        option = f"--{key.replace('_', '-')}"
        beside = BESIDE.get(key, ()) if key in used and "tests" in EXHIBITS[name].options else ()
        outcome = caller.outcome([*call, *beside], option, [option, *shlex.split(values[key])])
        outcomes[key] = outcome
    own = {
        key for option in EXHIBITS[name].options if option != "tests" for key in FIGURE_OPTIONS.get(option, ())
    } & used
    assert {key for key, outcome in outcomes.items() if outcome not in ("refused", "noted")} == used
    assert [key for key in own if outcomes[key] != "effect"] == []


def test_every_option_is_varied() -> None:
    missing = [
        f"{command} {option}"
        for command, parser in parsers().items()
        for option in options_of(parser)
        if not VARIED.get(f"{command} {option}", VARIED.get(option))
        and WITHOUT_RESULT.keys().isdisjoint((option, f"{command} {option}"))
    ]
    assert missing == []


@pytest.mark.parametrize("command", [*parsers(), "bleu-dashboard"])
def test_an_option_of_one_value_is_not_given_twice(
    run: Runner, capsys: pytest.CaptureFixture[str], command: str
) -> None:
    served = command == "bleu-dashboard"
    for option, action in options_of(launch.build_parser() if served else parsers()[command]).items():
        if action.nargs == 0 or isinstance(action.default, list) or isinstance(action, argparse._AppendAction):  # noqa: SLF001
            continue
        text = next(iter(VARIED.get(f"{command} {option}", VARIED.get(option, ()))), f"{option} 1")
        value = shlex.split(text.rpartition(" && ")[2].rpartition(": ")[2])
        problem = f"argument {option}: given twice, 1 value expected; keep one"
        if served:
            with pytest.raises(SystemExit, match="2"):
                launch.parse([*value, *value])
            assert problem in capsys.readouterr().err
            continue
        found = run(*command.split(), *value, *value)
        assert (found.status, found.out) == (2, ""), option
        assert problem in found.err
