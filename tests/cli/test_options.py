"""Options of all commands: formats, settings, help and wrong calls."""

from __future__ import annotations

import math
import re
import sys
from copy import deepcopy
from pathlib import Path

import pytest
import sacrebleu
from calls import COMMANDS, COMPARING, FORMATS, arguments, assert_refused
from conftest import Runner
from nightly import nightly

import sample_data
from bleu_core.cli.arguments import Parser, parse
from bleu_core.cli.commands import COMMANDS as ALL_COMMANDS
from bleu_core.cli.commands import load


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("form", FORMATS)
def test_every_command_prints_every_format(run: Runner, corpus: dict[str, Path], command: str, form: str) -> None:
    result = run(*arguments(command, corpus), "--format", form)
    assert result.status == 0
    about_people = command in ("correlate", "review", "paper")
    assert re.fullmatch("bleu-core .*: Only 3 segments are rated: .*\n" if about_people else "", result.err)
    for name in ("better", "worse", "third"):
        assert name in result.out


@pytest.mark.parametrize("command", COMMANDS)
def test_the_table_names_the_signature(run: Runner, corpus: dict[str, Path], command: str) -> None:
    assert (
        f"nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:{sacrebleu.__version__}"
        in run(*arguments(command, corpus)).out
    )


@pytest.mark.parametrize("preset", ["sacrebleu", "paper", "shortest-reference"])
def test_presets_set_what_they_say(run: Runner, corpus: dict[str, Path], preset: str) -> None:
    found = run(*arguments("score", corpus), "--preset", preset, "--format", "json").json["settings"]
    wanted = {"tokenizer": "13a", "lowercase": False, "smoothing": "exp", "reference_length": "closest"}
    wanted |= {
        "sacrebleu": {},
        "paper": {"tokenizer": "none", "lowercase": True, "smoothing": "none"},
        "shortest-reference": {"reference_length": "shortest"},
    }[preset]
    assert {key: found[key] for key in wanted} == wanted


def test_options_change_a_preset(run: Runner, corpus: dict[str, Path]) -> None:
    call = [*arguments("score", corpus), "--preset", "paper", "--no-lowercase", "--smoothing", "floor"]
    found = run(*call, "--smoothing-value", "0.2", "--format", "json").json["settings"]
    assert (found["tokenizer"], found["lowercase"]) == ("none", False)
    assert (found["smoothing"], found["smoothing_value"]) == ("floor", 0.2)


def test_weights_and_order_are_taken(run: Runner, corpus: dict[str, Path]) -> None:
    call = [*arguments("score", corpus), "--max-order", 2, "--weights", "0.75,0.25", "--format", "json"]
    found = run(*call).json
    assert found["settings"]["weights"] == [0.75, 0.25]
    for system in found["systems"]:
        p1, p2 = system["precisions"]
        mean = math.exp(0.75 * math.log(p1) + 0.25 * math.log(p2))
        assert system["bleu"] == pytest.approx(100 * system["brevity_penalty"] * mean)


BAD_OPTIONS: dict[str, tuple[list[str], tuple[str, ...]]] = {
    "weights that do not sum to 1": (["--weights", "0.5,0.5,0.5,0.5"], ("enter weights that sum to 1", "the sum is 2")),
    "too few weights": (["--weights", "0.5,0.5"], ("enter 4 weights", "(2 given)")),
    "a weight of 0": (["--weights", "1,0,0,0"], ("enter positive weights",)),
    "a negative weight": (["--weights=0.5,0.5,0.5,-0.5"], ("enter positive weights",)),
    "weights that are no numbers": (["--weights", "a,b"], ("--weights", "'a,b'")),
    "a weight that is nan": (["--weights", "nan,0.5,0.25,0.25"], ("enter positive weights",)),
    "no weights": (["--weights", ""], ("enter 4 weights", "(0 given)")),
    "order 0": (["--max-order", "0"], ("0 found", "1 to 9 expected")),
    "order 10": (["--max-order", "10"], ("10 found", "1 to 9 expected")),
    "order -1": (["--max-order=-1"], ("-1 found", "1 to 9 expected")),
    "an order that is no number": (["--max-order", "four"], ("--max-order", "'four'")),
    "a value for exp": (["--smoothing-value", "1"], ("exp takes no value",)),
    "a value for none": (["--smoothing", "none", "--smoothing-value", "1"], ("none takes no value",)),
    "a value of 0": (["--smoothing", "floor", "--smoothing-value", "0"], ("0 found", "positive")),
    "a value of inf": (["--smoothing", "add-k", "--smoothing-value", "inf"], ("inf found", "positive")),
    "unknown smoothing": (["--smoothing", "magic"], ("--smoothing", "'magic'")),
    "unknown tokenizer": (["--tokenizer", "magic"], ("--tokenizer", "'magic'")),
    "unknown reference length": (["--reference-length", "longest"], ("--reference-length", "'longest'")),
    "unknown preset": (["--preset", "magic"], ("--preset", "'magic'")),
    "unknown format": (["--format", "xml"], ("--format", "'xml'")),
    "unknown option": (["--magic"], ("--magic",)),
}


OTHER_COMMANDS = [command for command in (*COMMANDS, *COMPARING) if command != "score"]


@pytest.mark.parametrize(
    ("command", "kind"),
    [
        *(("score", kind) for kind in BAD_OPTIONS),
        *((command, "unknown tokenizer") for command in OTHER_COMMANDS),
        *nightly((c, kind) for c in OTHER_COMMANDS for kind in BAD_OPTIONS if kind != "unknown tokenizer"),
    ],
)
def test_a_bad_setting_is_refused(run: Runner, corpus: dict[str, Path], kind: str, command: str) -> None:
    options, fragments = BAD_OPTIONS[kind]
    assert_refused(run(*arguments(command, corpus), *options), *fragments)


@pytest.mark.parametrize(
    "call",
    [
        [],
        ["score"],
        ["magic"],
        ["score", "x.txt"],
        ["score", "--ref", "x.txt"],
        ["compare", "--ref", "x.txt"],
        ["gate", "--ref", "x.txt", "one.txt"],
        ["gate", "--ref", "x.txt", "one.txt", "two.txt", "three.txt"],
    ],
)
def test_an_incomplete_call_is_refused(run: Runner, call: list[str]) -> None:
    assert_refused(run(*call), "--help")


#: Commands without files of texts: of counts files, and of campaigns that are prepared.
WITHOUT_TEXTS = ("merge", "campaign")


@pytest.mark.parametrize("command", [name for name in ALL_COMMANDS if name not in WITHOUT_TEXTS])
def test_every_command_that_reads_texts_has_the_options_for_reading_them(command: str) -> None:
    parser = Parser(prog=command)
    load(command).add_options(parser)
    options = {action.dest for action in parser._actions}  # noqa: SLF001 # argparse has no public list of options
    expected = {"encoding", "language_pair", "paragraphs", "shared_segments", "limit"}
    if "collection" not in options:
        expected |= {"columns", "format_of"}
    if "human" in options or "collection" in options:
        expected |= {"first_segment", "human_scores"}
    assert expected <= options


@pytest.mark.parametrize("call", [["--help"], *([command, "--help"] for command in (*COMMANDS, *COMPARING))])
def test_help_is_printed(run: Runner, call: list[str]) -> None:
    result = run(*call)
    assert result.status == 0
    assert "usage: bleu-core" in result.out


def test_a_tokenizer_that_is_not_installed_says_what_it_needs(
    run: Runner, corpus: dict[str, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "MeCab", None)  # an import of None raises ImportError
    result = run(*arguments("score", corpus), "--tokenizer", "ja-mecab")
    assert_refused(result, "ja-mecab", "the package mecab-python3 (pip install 'sacrebleu[ja]')")


@pytest.mark.parametrize("command", [*COMMANDS, *COMPARING])
def test_a_command_changes_none_of_its_options(corpus: dict[str, Path], longer: dict[str, Path], command: str) -> None:
    given = arguments(command, longer if command == "gate" else corpus)
    options = parse([command], load, [str(argument) for argument in given])
    vars(options).pop("parser")  # which has no need to be copied
    before = deepcopy(options)
    load(command).run(options)
    assert options == before


def test_former_names_of_options_work_with_a_note(run: Runner) -> None:
    references = [part for path in sample_data.references()[:2] for part in ("--ref", path)]
    systems = sample_data.systems()
    former = run("score", *references, "--without-system", "S2", *systems)
    current = run("score", *references, "--exclude-system=S2", *systems)
    assert former.out == current.out
    assert former.status == current.status == 0
    assert (
        "bleu-core score: note: --without-system is now called --exclude-system; the former name works "
        "until version 0.4" in former.err
    )
    assert "note: --" not in current.err
