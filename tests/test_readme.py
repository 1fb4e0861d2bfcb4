"""README is true: its code runs, and its commands print what it shows."""

from __future__ import annotations

import re
import shlex
import tomllib
from pathlib import Path

import pytest

from bleu_core.cli.commands import main

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("code", re.findall(r"```python\n(.*?)```", README, re.DOTALL))
def test_the_code_runs(code: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    exec(compile(code, "README.md", "exec"), {})  # noqa: S102 # it is our own README


@pytest.mark.parametrize("session", re.findall(r"```console\n\$ (.*?)```", README, re.DOTALL))
def test_the_commands_print_what_is_shown(
    session: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    command, shown = session.split("\n", 1)
    assert main(shlex.split(command)[1:]) == 0
    printed = capsys.readouterr().out
    assert printed == shown


def test_every_option_of_the_command_lines_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    for command in ("score", "blocks", "compare", "gate", "correlate", "paper"):
        with pytest.raises(SystemExit):
            main([command, "--help"])
        for option in re.findall(r"--[a-z-]+", capsys.readouterr().out):
            assert option in README or option == "--help", option


def test_the_pinned_versions_are_the_same_in_both_places() -> None:
    pinned = (ROOT / "constraints.txt").read_text(encoding="utf-8").split()
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    assert pinned == project["tool"]["uv"]["constraint-dependencies"]
