"""--format-of overrules what a file is recognised as."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from calls import COMMANDS, COMPARING, HUMAN, arguments, assert_refused
from conftest import Runner, Writer

from bleu_core.formats import FORMATS


def test_a_table_is_read_as_plain_text(run: Runner, write: Writer) -> None:
    ref, out = write("ref.txt", "a, b\nc, d\n"), write("out.csv", "a, b\nc, d\n")
    as_table = run("score", "--ref", ref, out, "--format", "json").json
    assert [system["system"] for system in as_table["systems"]] == ["out.1", "out.2"]
    as_text = run("score", "--ref", ref, out, "--format-of", f"{out}=text", "--format", "json").json
    assert [(system["system"], system["hypothesis_length"]) for system in as_text["systems"]] == [("out", 6)]


def test_plain_text_is_read_as_a_table(run: Runner, write: Writer) -> None:
    ref, out = write("ref.txt", "a\nb\n"), write("out.txt", "one\ttwo\na\tb c\nb\tb b\n")
    result = run("score", "--ref", ref, out, "--format-of", f"{out}=table", "--format", "json")
    assert [system["system"] for system in result.json["systems"]] == ["one", "two"]


def test_judgments_are_read_in_the_format_chosen(run: Runner, corpus: dict[str, Path], write: Writer) -> None:
    # By its header this is a table of ratings; read as Appraise it has too few cells.
    human = write("human.csv", HUMAN)
    call = [*arguments("correlate", {**corpus, "human": human}), "--format-of"]
    assert run(*call, f"{human}=ratings").status == 0
    assert_refused(run(*call, f"{human}=appraise"), f"{human}, line 1: 4 cells found, 7 to 12 expected")


def test_the_options_that_a_refusal_prints_read_the_file(run: Runner, write: Writer) -> None:
    ref, a, b = write("ref.txt", "x y\nz\n"), write("A.txt", "x q\nz\n"), write("B.txt", "x\nz\n")
    errors = write("lqa.csv", "System,Segment ID,Error category,Severity\nA,1,Style,Minor\nB,2,Accuracy,Major\n")
    call = ["correlate", "--ref", ref, a, b, "--human", errors]
    refused = run(*call)
    options = [shlex.split(option) for option in re.findall(r"--format-of [^;\s]+", refused.err)]
    assert (refused.status, len(options)) == (2, 2)
    without_errors, unrated = (run(*call, *option, "--format", "json").json["systems"] for option in options)
    assert {system["system"]: system["human"] for system in without_errors} == {"A": -0.5, "B": -2.5}
    assert {system["system"]: system["human"] for system in unrated} == {"A": -1.0, "B": -5.0}


def test_a_format_for_another_role_is_refused_with_those_that_fit(run: Runner, corpus: dict[str, Path]) -> None:
    call = [*arguments("score", corpus), "--format-of", f"{corpus['better']}=mqm"]
    assert_refused(
        run(*call), f"{corpus['better']}: format 'mqm' found, one of these expected for the role system: text, table"
    )


def test_an_archive_has_one_format(run: Runner, tmp_path: Path) -> None:
    call = ["score", "--archive", tmp_path, "--format-of"]
    assert_refused(run(*call, f"{tmp_path}=text"), "one of these expected for the role archive")
    assert_refused(run(*call, f"{tmp_path}=archive"), "not a test set of mt-metrics-eval")


BAD = {
    "no format": ("{better}", "FILE=FORMAT expected"),
    "an unknown file": ("nowhere.txt=text", "file 'nowhere.txt' found, one of "),
    "an unknown format": ("{better}=magic", f"format 'magic' found, one of {', '.join(FORMATS)} expected"),
    "an unknown option": ("{better}=text:sheet=2", "option 'sheet=2' of format text found, none expected"),
}


@pytest.mark.parametrize("kind", BAD)
@pytest.mark.parametrize("command", [*COMMANDS, *COMPARING])
def test_a_wrong_choice_is_refused(run: Runner, corpus: dict[str, Path], command: str, kind: str) -> None:
    value, message = BAD[kind]
    call = [*arguments(command, corpus), "--format-of", value.format(**corpus)]
    assert_refused(run(*call), "--format-of", message, "--help")


def test_two_formats_of_one_file_are_refused(run: Runner, corpus: dict[str, Path]) -> None:
    choice = f"{corpus['ref']}=text"
    assert_refused(run(*arguments("score", corpus), "--format-of", choice, "--format-of", choice), "two formats of")


def test_a_name_with_an_equals_sign_is_understood(run: Runner, write: Writer) -> None:
    ref, out = write("ref.txt", "a\nb\n"), write("beam=5.txt", "one\ttwo\na\tb c\nb\tb b\n")
    result = run("score", "--ref", ref, out, "--format-of", f"{out}=table", "--format", "json")
    assert [system["system"] for system in result.json["systems"]] == ["one", "two"]


def test_the_baseline_and_the_candidate_can_be_named(run: Runner, corpus: dict[str, Path]) -> None:
    call = arguments("gate", corpus)
    assert run(*call, "--format-of", f"{corpus['worse']}=text") == run(*call)


def test_abbreviations_of_format_still_mean_format(run: Runner, corpus: dict[str, Path]) -> None:
    call = arguments("score", corpus)
    assert run(*call, "--form", "json").out == run(*call, "--format", "json").out
