"""Names of systems that mean something to Markdown, HTML, LaTeX or a spreadsheet are printed as they are."""

from __future__ import annotations

import csv
import io
import re
from pathlib import Path

import pytest
from calls import FORMATS, HOSTILE, LATEX, POSIX_ONLY, REFERENCE, WORSE
from conftest import Runner, Writer
from nightly import nightly


@POSIX_ONLY
def test_json_keeps_hostile_names(run: Runner, hostile: list[Path]) -> None:
    found = run("score", "--ref", hostile[0], "--format", "json", *hostile[1:]).json
    assert tuple(system["system"] for system in found["systems"]) == HOSTILE


@POSIX_ONLY
def test_tsv_keeps_hostile_names(run: Runner, hostile: list[Path]) -> None:
    printed = run("score", "--ref", hostile[0], "--format", "tsv", *hostile[1:]).out
    rows = list(csv.reader(io.StringIO(printed, newline=""), dialect="excel-tab"))
    assert tuple(row[0] for row in rows[1:]) == HOSTILE
    assert {len(row) for row in rows} == {len(rows[0])}


@POSIX_ONLY
@pytest.mark.parametrize("name", LATEX)
def test_latex_escapes_hostile_names(run: Runner, write: Writer, name: str) -> None:
    result = run("score", "--ref", write("ref.txt", REFERENCE), "--format", "latex", write(f"{name}.txt", WORSE))
    (row,) = [line for line in result.out.split("\n") if line.endswith(r"\\")][1:]
    assert row.split(" & ")[0].strip() == LATEX[name]


@POSIX_ONLY
@pytest.mark.parametrize("name", ["[L](javascript:alert(3))", "**bold** _it_ `co`"])
def test_latex_names_are_no_argument_of_the_line_before(run: Runner, write: Writer, name: str) -> None:
    # LaTeX looks past blanks and line ends after \\ and \midrule for a star or an optional argument in brackets.
    systems = [write("a.txt", WORSE), write(f"{name}.txt", WORSE)]
    for order in (systems, systems[::-1]):
        result = run("score", "--ref", write("ref.txt", REFERENCE), "--format", "latex", *order)
        assert not re.search(r"(\\\\|\\midrule)\s*[*\[]", result.out)


@POSIX_ONLY
@pytest.mark.parametrize(
    ("command", "form"),
    [
        *(("blocks", form) for form in FORMATS),
        *(("correlate", "json"), ("paper", "json")),
        *nightly((command, form) for command in ("correlate", "paper") for form in FORMATS if form != "json"),
    ],
)
def test_other_commands_print_hostile_names(
    run: Runner, write: Writer, hostile: list[Path], command: str, form: str
) -> None:
    def quoted(name: str) -> str:
        return '"' + name.replace('"', '""') + '"'

    human = write("human.csv", "system,score\n" + "".join(f"{quoted(n)},{i}\n" for i, n in enumerate(HOSTILE)))
    options: list[object] = ["--blocks", 2] if command == "blocks" else ["--human", human]
    result = run(command, "--ref", hostile[0], *options, "--format", form, *hostile[1:])
    assert result.status == 0
    about_people = command in ("correlate", "paper")
    assert re.fullmatch("bleu-core .*: The ratings are of whole systems, .*\n" if about_people else "", result.err)
    if form == "json":
        systems = result.json["table_1"]["computed"] if command == "paper" else result.json["systems"]
        assert {system["system"] for system in systems} == set(HOSTILE)
