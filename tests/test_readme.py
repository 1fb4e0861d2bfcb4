"""README and docs are true: their code runs, their commands print what they show, and their links lead somewhere."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from bleu_core.cli.commands import COMMANDS, main
from dashboard.views import PAGES as PAGES_OF_THE_APP

ROOT = Path(__file__).parents[1]
#: README and the pages it points to.
PAGES = {path.name: path.read_text(encoding="utf-8") for path in (ROOT / "README.md", *(ROOT / "docs").glob("*.md"))}
OPTIONS = PAGES["command-line.md"] + PAGES["settings.md"]


def _found(pattern: str) -> list[object]:
    """What a pattern finds on all pages, each named after its page."""
    return [
        pytest.param(found, id=f"{name}-{number}")
        for name, text in sorted(PAGES.items())
        for number, found in enumerate(re.findall(pattern, text, re.DOTALL), start=1)
    ]


@pytest.mark.parametrize("code", _found(r"```python\n(.*?)```"))
def test_the_code_runs(code: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    exec(compile(code, "README.md", "exec"), {})  # noqa: S102 # it is our own page


@pytest.mark.parametrize("session", _found(r"```console\n\$ (.*?)```"))
def test_the_commands_print_what_is_shown(
    session: str, capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "sample_data").symlink_to(ROOT / "sample_data")
    monkeypatch.chdir(tmp_path)  # a command may write a file
    command, shown = session.split("\n", 1)
    assert main(shlex.split(command)[1:]) == 0
    printed = capsys.readouterr().out
    assert printed == shown


def test_every_option_of_the_command_lines_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    for command in COMMANDS:
        with pytest.raises(SystemExit):
            main([command, "--help"])
        for option in re.findall(r"--[a-z-]+", capsys.readouterr().out):
            assert option in OPTIONS or option == "--help", option


@pytest.mark.parametrize("name", PAGES)
def test_links_lead_to_files(name: str) -> None:
    folder = ROOT if name == "README.md" else ROOT / "docs"
    for target in re.findall(r"\]\((?!https?:)([^)#]+)", PAGES[name]):
        assert (folder / target).exists(), target


def test_the_first_command_stands_within_one_screen() -> None:
    lines = PAGES["README.md"].split("\n")
    assert next(n for n, line in enumerate(lines) if "uv run bleu-dashboard" in line) < 24


def test_readme_lists_every_page() -> None:
    rows = [f"| {page.title} | {page.question} |" for page in PAGES_OF_THE_APP]
    assert "\n".join(rows) in PAGES["README.md"]
