"""The files to compare before and after a change hold every part of a page, exhibit and command."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

import pytest

from bleu_core.cli.arguments import build_parser, parse
from bleu_core.cli.commands import COMMANDS, load, supplied_commands
from bleu_core.version import VERSION
from dashboard.exhibits import EXHIBITS
from dashboard.views import PAGES
from tests import golden

NAMES = (*COMMANDS, *supplied_commands())


def nested(parser: argparse.ArgumentParser, name: str = "") -> Iterator[str]:
    """The names of the commands of a parser that have no others below them."""
    below = [action.choices for action in parser._actions if isinstance(action, argparse._SubParsersAction)]  # noqa: SLF001
    if not below:
        yield name
    for choices in below:
        for key, each in choices.items():
            yield from nested(each, f"{name} {key}".strip())


def test_every_command_is_called() -> None:
    commands = list(nested(build_parser({name: load(name) for name in NAMES})))
    assert list(golden.commands()) == commands
    assert sorted(golden.CALLS) == sorted(commands), "declare arguments in CALLS"
    assert all(golden.CALLS.values())


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with what commands read."""
    made = tmp_path_factory.mktemp("golden")
    golden.make_inputs(made / "inputs")
    return made


@pytest.mark.parametrize("command", golden.CALLS)
def test_every_declared_call_can_be_parsed(command: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    for call in golden.CALLS[command]:
        arguments = golden.arguments_of(command, call, (), "json")
        parsed = parse(COMMANDS, load, [*command.split(), *arguments], supplied=supplied_commands)
        assert command.startswith(parsed.command)
        files = [part for part in arguments if part.startswith("inputs/")]
        assert [file for file in files if not Path(file).exists()] == []


def test_every_part_of_every_page_is_opened_by_its_address() -> None:
    expected = [(page.path, part.path) for page in PAGES for part in page.parts]
    assert [(path, "".join(parameters.values())) for path, parameters in golden.places()] == expected
    assert len({golden.name_of(*place) for place in golden.places()}) == len(expected)


def test_every_exhibit_is_drawn() -> None:
    assert golden.exhibits() == list(EXHIBITS)


def test_options_of_the_dashboard_that_a_command_lacks_are_left_out() -> None:
    options = ["--ref", "R", "--human=H", "--documents", "D", "--source", "S", "A", "B", "C"]
    assert golden.arguments_of("count", "{texts} --out x", options) == ["--ref", "R", "A", "B", "C", "--out", "x"]
    assert golden.arguments_of("gate", "{pair}", options) == [
        *("--ref", "R", "--human", "H", "--documents", "D", "--source", "S", "A", "B")
    ]


def test_what_a_commit_lacks_is_recorded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(golden, "CALLS", {"merge": ("none.counts --out all.counts",), "gone": ("x",)})
    golden.write_commands(golden.Output(golden.ROOT, tmp_path), ())
    skipped = (tmp_path / "skipped.txt").read_text(encoding="utf-8")
    assert "command gone: there is none of this name" in skipped
    assert "command score: no arguments are declared for it" in skipped
    written = (tmp_path / "commands" / "merge json.txt").read_text(encoding="utf-8")
    assert written.startswith("$ bleu-core merge none.counts --out all.counts --format json\nexit status 2\n")
    assert "none.counts: no such file" in written


def test_dates_ports_folders_and_versions_are_replaced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    replaced = [VERSION, "2026-01-31T10:59:00+02:00", "2026-01-31", "127.0.0.1:4321", f"{golden.ROOT}/x"]
    golden.Output(golden.ROOT, tmp_path).write("a.txt", "\n".join([*replaced, f"1.{VERSION}", "localhost:8501"]))
    written = (tmp_path / "a.txt").read_text(encoding="utf-8").split("\n")
    assert written == ["VERSION", "DATE", "DATE", "PORT", "SOURCES/x", f"1.{VERSION}", "localhost:8501", ""]


def test_a_difference_is_printed_if_there_is_one(tmp_path: Path) -> None:
    for side in ("before", "after"):
        for name in ("same.txt", "folder/other.txt"):
            path = tmp_path / side / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text("first\nsecond\n", encoding="utf-8")
    before, after = tmp_path / "before", tmp_path / "after"
    assert golden.compare(before, after) == ""
    (after / "folder/other.txt").write_text("first\nchanged\n", encoding="utf-8")
    (after / "new.txt").write_text("added\n", encoding="utf-8")
    printed = golden.compare(before, after)
    assert "-second\n+changed\n" in printed
    assert "+added\n" in printed
    assert "folder/other.txt" in printed
    assert "same.txt" not in printed


@pytest.mark.slow
def test_the_sample_data_are_written_the_same_twice(tmp_path: Path) -> None:
    first, second = (tmp_path / name for name in ("first", "second"))
    sides = [golden.start(golden.ROOT, folder, ()) for folder in (first, second)]
    assert [side.wait() for side in sides] == [0, 0]
    assert golden.compare(first, second) == ""
    texts = {str(p.relative_to(first)): p.read_text(encoding="utf-8") for p in first.rglob("*") if p.is_file()}
    assert [name for name, text in texts.items() if not text.strip()] == []
    assert "skipped.txt" not in texts
    assert {f"pages/data/{golden.name_of(*place)}.txt" for place in golden.places()} <= texts.keys()
    assert {f"exhibits/{name}.txt" for name in EXHIBITS} <= texts.keys()
    assert {f"files/figure-{name}.svg.txt" for name in EXHIBITS} <= texts.keys()
    assert {f"commands/{name} {form}.txt" for name in golden.CALLS for form in golden.FORMS} <= texts.keys()
    refused = [name for name, text in texts.items() if name.startswith("commands/") and "\nexit status 2\n" in text]
    assert refused == []
    assert "[plotly_chart] {" in texts["pages/data/ranking-scores.txt"]
    assert "Error spans" in texts["pages/marked/judges-error-spans.txt"]
    assert "VERSION" in texts["files/saved.zip.txt"]
