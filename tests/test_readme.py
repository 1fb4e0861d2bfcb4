"""README and docs are true: their code runs, their commands print what they show, and their links lead somewhere."""

from __future__ import annotations

import re
import shlex
import signal
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest
from nightly import nightly

from bleu_core.cli.commands import COMMANDS, main
from dashboard.views import PAGES as PAGES_OF_THE_APP

ROOT = Path(__file__).parents[1]
#: README and the pages it points to.
PAGES = {path.name: path.read_text(encoding="utf-8") for path in (ROOT / "README.md", *(ROOT / "docs").glob("*.md"))}
README = PAGES["README.md"]
#: How README runs programs, in a copy in which they are not installed for all folders.
BY_UV = "uv run "
#: The calls of the dashboard that README shows; where the tests run, it is installed.
CALLS = sorted(
    {
        command.strip().removeprefix(BY_UV).removeprefix(".venv/bin/")
        for command in re.findall(r"^    (?:.* && )?(.*bleu-dashboard\b[^#\n]*)", README, re.MULTILINE)
    }
)
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
    program, *options = shlex.split(command.removeprefix(BY_UV))
    assert program == "bleu-core"
    assert main(options) == 0
    printed = capsys.readouterr().out
    assert printed == shown


@pytest.mark.skipif(sys.platform == "win32", reason="the commands are those of a POSIX shell")
@pytest.mark.parametrize("call", [*nightly(CALLS[:-1]), CALLS[-1]])  # the last one names files
def test_the_dashboard_starts_as_shown_and_serves_its_first_page(call: str) -> None:
    assert call.startswith("bleu-dashboard")
    with subprocess.Popen(
        ["/bin/sh", "-c", f"exec {call} --no-browser --port 0"],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        cwd=ROOT,
    ) as server:
        try:
            assert server.stdout
            printed = b""
            while not (found := re.search(rb"http://\S+", printed)) and (line := server.stdout.readline()):
                printed += line
            assert found, printed.decode()
            with urllib.request.urlopen(found[0].decode(), timeout=60) as answer:
                assert answer.status == 200
                assert b"<title>Streamlit</title>" in answer.read()
            server.send_signal(signal.SIGINT)
            rest, _ = server.communicate(timeout=60)
            assert b"Traceback" not in rest
            assert server.returncode == 0
        finally:
            server.kill()


def test_readmes_commands_need_no_installation_before() -> None:
    """What stands in a block or a session begins with what installs it, or is run by what the line before installed."""
    lines = [*re.findall(r"^    (\S.*)", README, re.MULTILINE), *re.findall(r"^\$ (.*)", README, re.MULTILINE)]
    called = [line for line in lines if re.search(r"\b(bleu-core|bleu-dashboard|pytest)\b", line)]
    assert len(called) >= 6
    assert [line for line in called if not re.match(r"(pip install uv && )?uv run |\.venv/bin/", line)] == []


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
