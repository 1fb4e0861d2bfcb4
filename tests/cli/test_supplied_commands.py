"""Commands of other packages: listed in the help, run like the built-in ones, refused in one sentence if broken."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from calls import assert_refused
from conftest import Runner, Writer

from bleu_core.cli import commands

GREETING = '''
"""A command of another package."""
from bleu_core.cli import InputFiles, CommandResult, add_common, evaluated
from bleu_core.results.scores import score_report

HELP = "count systems"

def add_options(parser):
    add_common(parser)

def run(options):
    corpus = InputFiles(options).corpus()
    return CommandResult(score_report(evaluated(options, corpus)), sentence=f"{len(corpus.systems)} systems")
'''


@pytest.fixture
def packages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A package with a command that works, and one with two that do not."""
    site = tmp_path / "site"
    for package, lines in {
        "greeting": ["tally = greeting_command", "score = greeting_command"],
        "broken": ["crash = broken_command", "empty = string"],
    }.items():
        metadata = site / f"{package}-1.0.dist-info"
        metadata.mkdir(parents=True)
        (metadata / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n")
        (metadata / "entry_points.txt").write_text("\n".join([f"[{commands.GROUP}]", *lines, ""]))
    (site / "greeting_command.py").write_text(GREETING)
    (site / "broken_command.py").write_text("raise RuntimeError('out of order')\n")
    monkeypatch.syspath_prepend(site)
    commands._entry_points.cache_clear()  # noqa: SLF001
    yield
    monkeypatch.undo()
    commands._entry_points.cache_clear()  # noqa: SLF001


@pytest.mark.usefixtures("packages")
def test_a_supplied_command_is_in_the_help_and_runs(run: Runner, write: Writer) -> None:
    shown = run("--help").out
    assert "count systems" in " ".join(shown.split())
    assert "crash" not in shown
    result = run("tally", "--ref", write("r.txt", "a b\n"), write("s.txt", "a b\n"), write("t.txt", "a c\n"))
    assert (result.status, result.out) == (0, "2 systems\n")


@pytest.mark.usefixtures("packages")
def test_a_built_in_command_keeps_its_name(run: Runner, write: Writer) -> None:
    assert "BLEU" in run("score", "--ref", write("r.txt", "a b\n"), write("s.txt", "a c\n")).out


@pytest.mark.usefixtures("packages")
def test_a_broken_command_is_refused_and_an_unknown_one_lists_all(run: Runner) -> None:
    assert_refused(run("crash"), "command 'crash' of package broken cannot be loaded: RuntimeError: out of order")
    assert_refused(run("empty"), "command 'empty' of package broken has no HELP")
    assert_refused(run("taly"), "unknown command 'taly' (did you mean tally?)", "count, merge, ", "tally expected")


def test_a_built_in_command_reads_no_entry_points(run: Runner, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(**_: object) -> None:
        raise AssertionError

    commands._entry_points.cache_clear()  # noqa: SLF001
    monkeypatch.setattr("importlib.metadata.entry_points", fail)
    assert run("score", "--help").status == 0
