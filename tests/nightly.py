"""The nightly run: cases that are marked for it, and a command that runs all of it, or what is left of it.

    uv run --extra test python -m tests.nightly [--restart | --list]

The results are in the folder `.nightly`: the tests that passed in each step, the output of each step, and
`summary.txt`. A call resumes the last run; tests that passed, also those of an earlier commit, are not run again unless
`--restart` is given, and the summary names the commits. `--list` prints what only the nightly run covers, from the
markers of tests.
"""

from __future__ import annotations

import argparse
import itertools
import json
import os
import re
import shutil
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[1]
#: The folder of results.
RESULTS = ROOT / ".nightly"
#: Environment variables for pytest: the file of tests that passed before, and the file to write those that pass to.
PASSED_BEFORE, RECORD = "BLEU_PASSED_BEFORE", "BLEU_RECORD_PASSED"
#: Seconds that a test of the nightly run may take unless it has a limit of its own, and after which pytest ends a
#: process that even a signal does not reach.
TEST_TIMEOUT_S, PROCESS_TIMEOUT_S = 1800, 7200


def nightly(cases: Iterable[Any]) -> list[Any]:
    """Return cases of a parametrised test for the nightly run; a tuple has the values of several parameters."""
    return [
        pytest.param(*(case if isinstance(case, tuple) else (case,)), marks=pytest.mark.slow)  # pyright: ignore[reportUnknownArgumentType]
        for case in cases
    ]


@dataclass(frozen=True, slots=True)
class Step:
    """A step of the nightly run.

    Attributes:
        arguments: those of pytest, or of `python -m` for another program.
        pytest: whether it runs tests, which are recorded one by one.
        environment: additional variables.
    """

    arguments: tuple[str, ...]
    pytest: bool = True
    environment: Mapping[str, str] = field(default_factory=dict[str, str])

    def passed(self, status: int | None) -> bool:
        """Return whether an exit status means that all has passed; pytest has one for a run without tests."""
        return status == 0 or (self.pytest and status == pytest.ExitCode.NO_TESTS_COLLECTED)


def steps() -> dict[str, Step]:
    """Return the steps in their order, by name."""
    timed = sorted(
        str(path.relative_to(ROOT))
        for path in ROOT.glob("tests/**/test_*.py")
        if "within_seconds(" in path.read_text(encoding="utf-8")
    )
    return {
        "slow": Step(("-m", "slow")),
        "properties": Step(("-m", "hypothesis"), environment={"BLEU_EXAMPLES": "400"}),
        "time-limits": Step(("-m", "slow or not slow", *timed), environment={"BLEU_TIME_LIMITS": "1"}),
        "fuzz-counting": Step(("tests.fuzz", "counting", "--minutes", "10"), pytest=False),
        "fuzz-files": Step(("tests.fuzz", "files", "--mutants", "20000"), pytest=False),
    }


def run_step(name: str, step: Step, folder: Path) -> bool:
    """Run what is left of a step, add to its files in `folder`, and return whether all of it has passed."""
    passed, before, log = (folder / f"{name}.{ending}" for ending in ("passed", "before", "log"))
    if not step.pytest and passed.exists():
        return True
    environment = dict(os.environ, BLEU_REQUIRE_BROWSER="1", BLEU_REQUIRE_UV="1", **step.environment)
    command = [sys.executable, "-m", *step.arguments]
    if step.pytest:
        passed.touch()
        shutil.copyfile(passed, before)  # all processes exclude the same tests, also one that starts late
        path = os.pathsep.join((str(ROOT / "tests"), os.environ.get("PYTHONPATH", "")))
        environment |= {PASSED_BEFORE: str(before), RECORD: str(passed), "PYTHONPATH": path}
        options = ("-p", "nightly", "-p", "no:cacheprovider", f"--numprocesses={(os.cpu_count() or 1) + 1}")
        limit = ("--dist=loadfile", "-o", f"faulthandler_timeout={PROCESS_TIMEOUT_S}")
        command[2:2] = ["pytest", *options, *limit]
    started, status = time.monotonic(), None
    try:
        with log.open("a", encoding="utf-8") as out:
            status = subprocess.run(command, cwd=ROOT, env=environment, stdout=out, stderr=out, check=False).returncode
    finally:
        run = {"step": name, "status": status, "seconds": time.monotonic() - started, "commit": commit()}
        with (folder / "runs.jsonl").open("a", encoding="utf-8") as runs:
            runs.write(json.dumps(run) + "\n")
    if status == 0 and not step.pytest:
        passed.write_text(f"{commit()}\t{' '.join(step.arguments)}\n", encoding="utf-8")
    return step.passed(status)


def summarise(folder: Path) -> str:
    """Return for each step: whether it passed, the time of its runs, what passed at which commit, its last line."""
    runs = [json.loads(line) for line in _lines(folder / "runs.jsonl")]
    text: list[str] = []
    for name, step in steps().items():
        own = [run for run in runs if run["step"] == name]
        if not own:
            text.append(f"{name}: not run")
            continue
        commits = Counter(line.partition("\t")[0] for line in _lines(folder / f"{name}.passed"))
        counts = ", ".join(f"{count:,} at {found}" for found, count in commits.items()) or "none"
        state = "passed" if step.passed(own[-1]["status"]) else "FAILED"
        minutes = sum(run["seconds"] for run in own) / 60
        text.append(f"{name}: {state}, {minutes:.1f} minutes in {len(own)} runs; passed: {counts}")
        text += [f"  {line}" for line in _lines(folder / f"{name}.log")[-1:]]
    total = sum(run["seconds"] for run in runs) / 60
    return "\n".join([*text, f"all: {total:.1f} minutes", ""])


def commit() -> str:
    """Return the short name of the commit, with + if the working tree differs from it."""
    git = ("git", "describe", "--always", "--exclude=*", "--dirty=+")
    return subprocess.run(git, cwd=ROOT, check=True, capture_output=True, text=True).stdout.strip()


def list_tests(*paths: str) -> str:
    """Return what only the nightly run covers: by file, each test marked for it with the number of its cases."""
    command = [sys.executable, "-m", "pytest", "--collect-only", "--quiet", "-m", "slow", "--numprocesses=0", *paths]
    listed = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout
    cases = Counter(re.findall(r"^(tests/[^:\n]*)::(test_\w*)", listed, flags=re.MULTILINE))
    text: list[str] = []
    for file, tests in itertools.groupby(cases, key=lambda case: case[0]):
        text.append(file)
        text += [f"  {name.removeprefix('test_').replace('_', ' ')} ({cases[file, name]:,})" for _, name in tests]
    return "\n".join([*text, ""])


def _lines(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").split("\n")[:-1] if path.exists() else []


# --- a plugin of pytest, loaded in the nightly run: it excludes the tests that passed before, and records others ------


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Exclude the tests that passed before."""
    if path := os.environ.get(PASSED_BEFORE):
        passed = {line.partition("\t")[2] for line in _lines(Path(path))}
        config.hook.pytest_deselected(items=[item for item in items if _key(item.nodeid) in passed])
        items[:] = [item for item in items if _key(item.nodeid) not in passed]


class Recorder:
    """Writes each test that has passed, with the commit, as soon as it has ended."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._commit = commit()
        self._outcomes: dict[str, set[str]] = {}

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Record a test after its last phase if all of its phases passed."""
        outcomes = self._outcomes.setdefault(report.nodeid, set())
        outcomes.add(report.outcome)
        if report.when == "teardown" and self._outcomes.pop(report.nodeid) == {"passed"}:
            with self._path.open("a", encoding="utf-8") as passed:
                passed.write(f"{self._commit}\t{_key(report.nodeid)}\n")


def pytest_configure(config: pytest.Config) -> None:
    """Record in the process that collects the outcomes of all others."""
    if (path := os.environ.get(RECORD)) and not hasattr(config, "workerinput"):
        config.pluginmanager.register(Recorder(Path(path)))


def _key(test: str) -> str:
    """Return the name of a test in one line."""
    return test.encode("unicode_escape").decode("ascii")


def main() -> int:
    """Run what is left, print the summary, and return 1 if a step has failed."""
    parser = argparse.ArgumentParser(prog="python -m tests.nightly", description="Run what takes too long by day.")
    parser.add_argument("--restart", action="store_true", help="run all of it, also what has passed")
    parser.add_argument("--list", action="store_true", help="list what only the nightly run covers, and run nothing")
    options = parser.parse_args()
    if options.list:
        print(list_tests())
        return 0
    if options.restart:
        shutil.rmtree(RESULTS, ignore_errors=True)
    RESULTS.mkdir(exist_ok=True)
    passed = [run_step(name, step, RESULTS) for name, step in steps().items()]
    summary = summarise(RESULTS)
    (RESULTS / "summary.txt").write_text(summary, encoding="utf-8")
    print(summary)
    return int(not all(passed))


if __name__ == "__main__":
    sys.exit(main())
