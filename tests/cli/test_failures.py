"""Whatever goes wrong, a command ends with one line on standard error, status 2, and nothing on standard output."""

from __future__ import annotations

import argparse
import csv
import io
import json
import os
import signal
import subprocess
import sys
import threading
import zipfile
from pathlib import Path
from typing import Any

import pytest
from calls import MQM
from conftest import Run, Runner, Writer
from nightly import nightly

from bleu_core.cli.arguments import ADDED_LATER, build_parser
from bleu_core.cli.command_result import CommandResult
from bleu_core.cli.commands import COMMANDS, load
from bleu_core.inference.resampling import MAX_DRAWS
from bleu_core.limits import DEFAULT_LIMITS, NAMES

#: A campaign scores nothing, and merge and table take no texts; test_campaign.py, test_count.py and test_table.py have
#: their calls.
SCORING = tuple(name for name in COMMANDS if name not in {"campaign", "merge", "table"})

REFERENCE = "the cat sat on the mat\na dog ran in the park\nit is late now\n"
SECOND = "the cat was on a mat\na dog runs in the park\nit is very late\n"
BETTER = "the cat sat on the mat\na dog ran in a park\nit is very late now\n"
WORSE = "a cat sat on a mat\none dog walks in the park\nlate it is\n"
UNPRINTABLE = [chr(code) for code in (*range(0x20), *range(0x7F, 0xA0), 0x2028, 0x2029, 0x202E, 0xDCFF)]
POSIX = pytest.mark.skipif(sys.platform == "win32", reason="such file names, or pipes, are not possible")
LINUX = pytest.mark.skipif(not Path("/proc/self/mem").exists(), reason="no file that cannot be read by anybody")


@pytest.fixture
def files(write: Writer) -> dict[str, str]:
    """A reference, two systems of three segments, ratings of them, and labels of the segments."""
    ratings = [f"{n},{system},j,{n + len(system)}" for n in (1, 2, 3) for system in ("better", "worse")]
    return {
        "ref": str(write("ref.txt", REFERENCE)),
        "ref2": str(write("ref2.txt", SECOND)),
        "better": str(write("better.txt", BETTER)),
        "worse": str(write("worse.txt", WORSE)),
        "mqm": str(
            write("mqm.tsv", "".join(line for line in MQM.splitlines(keepends=True) if not line.startswith("third")))
        ),
        "human": str(write("human.csv", "\n".join(["segment,system,judge,score", *ratings]) + "\n")),
        "labels": str(write("labels.tsv", "segment\tkind\n1\tnews\n2\tnews\n3\ttalk\n")),
    }


def lengthen(command: str, files: dict[str, str], *others: Path) -> None:
    """Write each text twice where the command is the gate, which needs six segments."""
    for path in (*(Path(files[name]) for name in ("ref", "better", "worse")), *others) if command == "gate" else ():
        path.write_text(2 * path.read_text(encoding="utf-8"), encoding="utf-8")


def call(
    command: str, files: dict[str, str], *more: object, systems: tuple[str, ...] = ("better", "worse")
) -> list[str]:
    """A call of a command that works, with further options."""
    options = {
        "blocks": ["--blocks", "3"],
        "compare": ["--resamples", "20"],
        "slices": ["--by", "kind", "--labels", files["labels"], "--resamples", "20", "--trials", "9"],
        "references": ["--ref", files["ref2"]],
        "gate": ["--resamples", "20"],
        "correlate": ["--human", files["human"]],
        "review": ["--human", files["human"]],
        "errors": ["--human", files["mqm"]],
        "probe": ["--metric", "bleu"],
        "paper": ["--human", files["human"], "--draws", "20"],
        "count": ["--out", str(Path(files["ref"]).with_name("x.counts"))],
    }
    names = [files.get(system, system) for system in systems]
    return [command, "--ref", files["ref"], *options.get(command, []), *map(str, more), *names]


def assert_refused(result: Run, *fragments: str) -> None:
    """Status 2, nothing printed, and one line of printable characters that holds all fragments."""
    assert (result.status, result.out) == (2, "")
    assert result.err.endswith("\n")
    assert not any(character in result.err[:-1] for character in UNPRINTABLE), result.err
    assert len(result.err) <= 1100
    for fragment in fragments:
        assert fragment in result.err


# --- unexpected errors ------------------------------------------------------------------------------------------

ERRORS = {
    "KeyError: 'x'": KeyError("x"),
    "MemoryError": MemoryError(),
    "MemoryError: Unable to allocate 7 TiB": MemoryError("Unable to allocate 7 TiB"),
    "RecursionError: maximum recursion depth exceeded": RecursionError("maximum recursion depth exceeded"),
    "ValueError: two\\nlines\\x1b[31m": ValueError("two\nlines\x1b[31m"),
    "AssertionError": AssertionError(),
}


def broken(monkeypatch: pytest.MonkeyPatch, error: BaseException) -> None:
    """Make every command raise an error."""

    def fail(_: argparse.Namespace) -> CommandResult:
        raise error

    for command in COMMANDS:
        monkeypatch.setattr(load(command), "run", fail)


@pytest.mark.parametrize("what", ERRORS)
def test_an_unexpected_error_is_one_line(
    run: Runner, files: dict[str, str], monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    broken(monkeypatch, ERRORS[what])
    for command in SCORING:
        result = run(*call(command, files))
        assert (result.status, result.out) == (2, "")
        assert result.err == (
            f"bleu-core {command}: unexpected error: {what}; run with --debug for the traceback, and please report it\n"
        )


def test_debug_prints_the_traceback_of_an_unexpected_error(
    run: Runner, files: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    broken(monkeypatch, KeyError("x"))
    for command in SCORING:
        result = run(*call(command, files, "--debug"))
        assert (result.status, result.out) == (2, "")
        first, *_, last = result.err.splitlines()
        assert first == "Traceback (most recent call last):"
        assert last == f"bleu-core {command}: unexpected error: KeyError: 'x'; please report it"


def test_debug_changes_nothing_else(run: Runner, files: dict[str, str]) -> None:
    assert run(*call("score", files, "--debug")) == run(*call("score", files))
    assert_refused(run(*call("score", files, "--debug", systems=("nowhere.txt",))), "nowhere.txt: no such file")


def test_an_error_while_the_result_is_formatted_prints_nothing(
    run: Runner, files: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bleu_core.cli.command_result.to_text", lambda _: 1 / 0)
    assert_refused(run(*call("score", files)), "ZeroDivisionError")


def test_an_error_of_the_system_without_a_file_names_none(
    run: Runner, files: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    broken(monkeypatch, OSError(5, "Input/output error"))
    assert run(*call("score", files)).err == "bleu-core score: input/output error\n"


def test_an_interrupted_command_ends_quietly(
    run: Runner, files: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    broken(monkeypatch, KeyboardInterrupt())
    result = run(*call("score", files))
    assert (result.status, result.out, result.err) == (130, "", "")


# --- wrong calls ------------------------------------------------------------------------------------------------


UNKNOWN = [(option, place) for option in ("--zzz", "--zzz=3", "-x", "--zzz\x1b[31m") for place in (1, -3, -2, 100)]


@pytest.mark.parametrize(
    ("command", "option", "place"),
    [
        *(("score", *each) for each in UNKNOWN),
        *((command, *UNKNOWN[-1]) for command in SCORING if command != "score"),
        *nightly((command, *each) for command in SCORING if command != "score" for each in UNKNOWN[:-1]),
    ],
)
def test_an_unknown_option_is_named_alone(
    run: Runner, files: dict[str, str], command: str, option: str, place: int
) -> None:
    given = [command, *call(command, files)[3:], "--ref", files["ref"]]
    given.insert(place, option)
    result = run(*given)
    shown = option.partition("=")[0].replace("\x1b", "\\x1b")
    assert (result.status, result.out) == (2, "")
    assert result.err == f"bleu-core {command}: unknown option {shown}; see bleu-core {command} --help\n"


@pytest.mark.parametrize(
    ("command", "option", "meant"),
    [
        ("score", "--tokeniser", "--tokenizer"),
        ("score", "--lower-case", "--lowercase"),
        ("compare", "--resampels=5", "--resamples"),
        ("correlate", "--metric-score-s", "--metric-scores"),
        ("gate", "--jnuit", "--junit"),
    ],
)
def test_the_closest_option_is_suggested(
    run: Runner, files: dict[str, str], command: str, option: str, meant: str
) -> None:
    assert_refused(
        run(*call(command, files, option)), f"unknown option {option.partition('=')[0]} (did you mean {meant}?)"
    )


def test_an_unknown_command_is_named_with_the_closest_one(run: Runner) -> None:
    assert_refused(run("scor", "a.txt", "--zzz"), "bleu-core: unknown command 'scor' (did you mean score?), one of")
    assert_refused(run("xyz"), "unknown command 'xyz', one of score, blocks, ")
    assert_refused(run("--format", "json", "score"), "option --format found, a command expected first (score, blocks, ")


def test_files_and_options_come_in_any_order(run: Runner, files: dict[str, str]) -> None:
    mixed = ["score", files["better"], "--ref", files["ref"], files["worse"], "--format", "json"]
    assert run(*mixed).json == run(*call("score", files, "--format", "json")).json


def test_a_third_file_of_the_gate_is_named(run: Runner, files: dict[str, str]) -> None:
    assert_refused(
        run(*call("gate", files, systems=("better", "worse", "third.txt"))), "unexpected argument 'third.txt'"
    )


@pytest.mark.parametrize("command", SCORING)
def test_no_abbreviation_is_lost_to_an_option_that_was_added_later(command: str) -> None:
    def options_of(abbreviation: str) -> set[str]:
        found: list[Any] = parser._get_option_tuples(abbreviation)  # noqa: SLF001
        return {each[1] for each in found}

    built = build_parser({command: load(command)})
    (commands,) = (a for a in built._actions if isinstance(a, argparse._SubParsersAction))  # noqa: SLF001
    parser = commands.choices[command]
    known = [option for option in parser._option_string_actions if option.startswith("--")]  # noqa: SLF001
    for option in known:
        for end in range(3, len(option)):
            meant = {each for each in known if each.startswith(option[:end])}
            assert options_of(option[:end]) == (meant - set(ADDED_LATER) or meant)


def test_the_closest_abbreviations_still_work(run: Runner, files: dict[str, str], write: Writer) -> None:
    documents = write("docs.txt", "a\nb\nc\n")
    short = run(*call("compare", files, "--d", documents, "--format", "json"))
    assert short.json == run(*call("compare", files, "--documents", documents, "--format", "json")).json
    assert run(*call("gate", files, "--l")).out == run(*call("gate", files, "--lowercase")).out


# --- limits -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("command", SCORING)
def test_every_command_takes_limits(run: Runner, files: dict[str, str], command: str) -> None:
    assert_refused(
        run(*call(command, files, "--limit", "references=9", "--limit", "systems=1")),
        f"bleu-core {command}: all files together: 2 systems found, at most 1 allowed; ",
        "to allow more, start with --limit systems=2",
    )
    lengthen(command, files)
    assert run(*call(command, files, "--limit", "systems=2")).status in (0, 1)
    assert_refused(run(*call(command, files, "--limit", "system=2")), "limit 'system' found, one of file_bytes, ")
    assert_refused(
        run(*call(command, files, "--limit", "systems=many")), "systems='many' found, a whole number expected"
    )
    assert_refused(run(*call(command, files, "--limit", "systems=0")), "limit systems=0 found, at least 1 expected")


@pytest.mark.parametrize("command", SCORING)
def test_help_lists_the_limits(run: Runner, command: str) -> None:
    shown = "".join(run(command, "--help").out.split())
    for name in NAMES:
        assert f"{name}={getattr(DEFAULT_LIMITS, name)}" in shown


def test_references_of_all_files_together_are_limited(run: Runner, files: dict[str, str], write: Writer) -> None:
    table = write("refs.tsv", "refA\trefB\n" + "".join(f"{line}\t{line}\n" for line in REFERENCE.splitlines()))
    given = call("score", files, "--ref", table, "--limit", "references=2")
    assert_refused(run(*given), "all files together: 3 references found, at most 2 allowed")


def test_too_many_files_are_refused_before_any_is_read(run: Runner, files: dict[str, str]) -> None:
    many = [f"nowhere{n}.txt" for n in range(DEFAULT_LIMITS.systems + 1)]
    for more in ([], ["--intervals"]):
        assert_refused(run(*call("score", files, *more, systems=tuple(many))), "501 systems found, at most 500 allowed")


@pytest.mark.parametrize("option", ["SYSTEM", "--ref", "--human", "--metric-scores", "--documents", "--archive"])
def test_a_file_is_refused_by_its_size_without_being_read(
    run: Runner, files: dict[str, str], tmp_path: Path, option: str
) -> None:
    large = tmp_path / "large.txt"
    with large.open("wb") as file:
        file.truncate(DEFAULT_LIMITS.file_bytes + 1)  # a hole: it takes no room
    given = call("correlate", files, *([large] if option == "SYSTEM" else [option, large]))
    assert_refused(
        run(*given), f"{large}: 524,288,001 bytes found, at most 524,288,000 allowed; ", "file_bytes=524288001"
    )


@pytest.mark.parametrize(
    ("name", "data", "limit", "message"),
    [
        ("t.txt", "one\ntwo\nthree\n", "line_length=4", "t.txt, line 3: 5 characters found, at most 4 allowed"),
        ("t.tsv", "A\tB\n1\t1\n2\t2\n3\t3\n", "columns=1", "2 columns found, at most 1 allowed"),
        ("t.tsv", "A\tB\n1\t1\n2\t2\n3\t3\n", "lines=3", "4 lines found, at most 3 allowed"),
    ],
)
def test_limits_reach_the_readers(
    run: Runner, files: dict[str, str], write: Writer, *, name: str, data: str, limit: str, message: str
) -> None:
    Path(files["ref"]).write_text("a\nb\nc\n", encoding="utf-8")
    assert_refused(run(*call("score", files, "--limit", limit, systems=(str(write(name, data)),))), message)


@pytest.mark.parametrize(("limit", "found"), [("entries=2", "3 files"), ("unpacked_bytes=5", "unpacked bytes")])
def test_limits_reach_archives(run: Runner, tmp_path: Path, limit: str, found: str) -> None:
    with zipfile.ZipFile(tmp_path / "t.zip", "w") as archive:
        for member in ("sources/xx-yy.txt", "references/xx-yy.refA.txt", "system-outputs/xx-yy/S1.txt"):
            archive.writestr(f"t/{member}", "one\ntwo\n")
    given = ["score", "--archive", tmp_path / "t.zip"]
    assert run(*given).status == 0
    assert_refused(run(*given, "--limit", limit), "t.zip: ", found)


def fed(path: Path, data: bytes) -> threading.Thread:
    """A named pipe that somebody else writes to."""
    os.mkfifo(path)

    def feed() -> None:
        with path.open("wb") as pipe:
            try:
                pipe.write(data)
                pipe.flush()
            except BrokenPipeError:  # the reader has enough
                return

    thread = threading.Thread(target=feed, daemon=True)
    thread.start()
    return thread


@POSIX
@pytest.mark.parametrize("command", ["score", "blocks"])
def test_pipes_are_read_once(run: Runner, files: dict[str, str], tmp_path: Path, command: str) -> None:
    pipe = tmp_path / "pipe" / "better.txt"
    pipe.parent.mkdir()
    feeder = fed(pipe, BETTER.encode())
    found = run(*call(command, files, "--format", "json", systems=(str(pipe), "worse")))
    feeder.join(timeout=60)
    assert found.json == run(*call(command, files, "--format", "json")).json


@POSIX
def test_no_more_of_a_pipe_is_read_than_is_allowed(run: Runner, files: dict[str, str], tmp_path: Path) -> None:
    feeder = fed(tmp_path / "pipe", b"x\n" * 10_000_000)
    given = call("score", files, "--limit", "file_bytes=1000", systems=(str(tmp_path / "pipe"),))
    assert_refused(run(*given), "pipe: 1,001 bytes found, at most 1,000 allowed")
    feeder.join(timeout=60)
    assert not feeder.is_alive()


# --- files ------------------------------------------------------------------------------------------------------


@LINUX
@pytest.mark.parametrize("command", ["score", "blocks"])
def test_an_error_while_reading_names_the_file(run: Runner, files: dict[str, str], command: str) -> None:
    assert_refused(run(*call(command, files, systems=("/proc/self/mem",))), f"bleu-core {command}: /proc/self/mem: ")


def test_a_name_that_is_too_long_is_refused_in_one_short_line(run: Runner, files: dict[str, str]) -> None:
    assert_refused(run(*call("score", files, systems=("x" * 5000,))), "file name too long")
    assert_refused(run(*call("score", files, "--max-order", "9" * 5000)), "--max-order")


ODD = b"\x1b[31mred\xff\ttab\rline\n_.txt".decode("utf-8", "surrogateescape")
SHOWN = r"\x1b[31mred\xff\ttab\rline\n_"


@POSIX
@pytest.mark.parametrize(
    ("command", "form"),
    [
        *((command, "table") for command in SCORING),
        *(("score", form) for form in ("json", "tsv", "latex")),
        *nightly((command, form) for command in SCORING if command != "score" for form in ("json", "tsv", "latex")),
    ],
)
def test_names_with_control_characters_reach_no_terminal(
    run: Runner, files: dict[str, str], tmp_path: Path, command: str, form: str
) -> None:
    odd = tmp_path / ODD
    odd.write_text(WORSE, encoding="utf-8")
    given = call(command, files, "--format", form, systems=("better", str(odd)))
    lengthen(command, files, odd)
    if command in ("correlate", "review", "paper"):
        ratings = "".join(f'{n},"{name}",{n}\n' for n in (1, 2, 3) for name in ("better", "worse"))
        Path(files["human"]).write_text("segment,system,score\n" + ratings, encoding="utf-8")
    result = run(*given)
    assert result.status in (0, 1)
    assert not any(character in result.err.replace("\n", "") for character in UNPRINTABLE)
    assert all(": warning: " in line for line in result.err.splitlines())
    result.out.encode("utf-8")
    if form == "table":
        assert not any(character in result.out.replace("\n", "") for character in UNPRINTABLE)
        assert command == "gate" or SHOWN in result.out
    if form == "json":
        json.loads(result.out)
    if form == "tsv" and command == "score":
        rows = list(csv.reader(io.StringIO(result.out, newline=""), dialect="excel-tab"))
        assert [row[0] for row in rows] == [
            "system",
            "better",
            SHOWN.encode().decode("unicode_escape").replace("ÿ", "\\xff"),
        ]


@POSIX
@pytest.mark.parametrize("command", SCORING)
def test_refusals_name_odd_files_in_one_line(run: Runner, files: dict[str, str], tmp_path: Path, command: str) -> None:
    odd = tmp_path / ODD
    assert_refused(run(*call(command, files, systems=("better", str(odd)))), rf"{tmp_path}/{SHOWN}.txt: no such file")
    odd.write_bytes(b"one\n")
    assert_refused(
        run(*call(command, files, systems=("better", str(odd)))),
        SHOWN,
        f".txt has 1 line, 2 fewer than the {3 if command == 'references' else 2} other files (3).",
    )


@POSIX
def test_a_warning_about_an_odd_name_is_one_line(run: Runner, files: dict[str, str], tmp_path: Path) -> None:
    odd = tmp_path / ODD
    odd.write_text(REFERENCE, encoding="utf-8")
    result = run(*call("score", files, systems=(str(odd),)))
    assert result.err == (
        "bleu-core score: warning: human translations, which are not ranked: "
        f"{SHOWN} (identical to the reference ref)\n"
    )


@pytest.mark.parametrize("encoding", ["\udcff", "no-such\x1b-encoding", "x" * 3000])
@pytest.mark.parametrize("command", ["score", "blocks"])
def test_an_encoding_that_there_is_not_is_refused(
    run: Runner, files: dict[str, str], command: str, encoding: str
) -> None:
    assert_refused(run(*call(command, files, "--encoding", encoding)), "ref.txt: ")


# --- numbers ----------------------------------------------------------------------------------------------------

HUGE = 10**12
NUMBERS = [
    *(
        (command, option, str(number))
        for number in (0, -1, HUGE, MAX_DRAWS + 1)
        for command, option in [
            ("compare", "--resamples"),
            ("compare", "--trials"),
            ("gate", "--resamples"),
            ("correlate", "--trials"),
            ("paper", "--draws"),
        ]
    ),
    *((command, "--seed", "-1") for command in ("compare", "slices", "gate", "correlate", "review", "probe", "paper")),
    *(
        (command, "--alpha", number)
        for command in ("compare", "slices", "references", "gate")
        for number in ("nan", "inf", "0", "1", "-1")
    ),
    *(("gate", "--margin", number) for number in ("nan", "inf", "-inf", "-1", "1e999")),
    *(("score", "--weights", weights) for weights in ("nan,nan,nan,nan", "inf,0,0,0", "1e308,1e308,1e308,1e308", "1")),
    *(("score", "--max-order", order) for order in ("0", "-1", "10", "1000000000")),
    *(("score", "--smoothing-value", value) for value in ("nan", "inf", "0", "-1")),
    *(("blocks", option, n) for option in ("--blocks", "--block-size") for n in ("0", "-1", "4", "1000000000")),
    *(("ngrams", option, number) for option in ("--top", "--order") for number in ("0", "-1")),
    ("ngrams", "--order", "5"),
    *(("paper", "--table-references", number) for number in ("0", "-1")),
    ("compare", "--blocks", "1000000000"),
    ("gate", "--junit", "nowhere/at/all.xml"),
    ("gate", "--junit", ""),
]


@pytest.mark.parametrize(("command", "option", "number"), NUMBERS)
def test_a_number_out_of_its_range_is_refused(
    run: Runner, files: dict[str, str], command: str, option: str, number: str
) -> None:
    more = ["--test", "t"] if option == "--blocks" and command == "compare" else []
    more += ["--smoothing", "floor"] if option == "--smoothing-value" else []
    if option == "--block-size":
        given = ["blocks", "--ref", files["ref"], f"{option}={number}", files["better"]]
    else:
        given = call(command, files, *more, f"{option}={number}")
    assert_refused(run(*given), f"bleu-core {command}: ")


def test_an_alpha_that_no_number_of_draws_can_reach_is_told(run: Runner, files: dict[str, str]) -> None:
    result = run(*call("compare", files, "--test", "sacrebleu-bootstrap", "--alpha", "1e-322", "--format", "json"))
    assert result.json["resamples"] == 20
    assert "20 draws" in result.err


# --- processes --------------------------------------------------------------------------------------------------

PROGRAM = [sys.executable, "-c", "import sys; from bleu_core.cli import main; sys.exit(main())"]
SHELL = pytest.mark.skipif(not Path("/bin/sh").exists(), reason="no shell")


@SHELL
@pytest.mark.parametrize(
    ("redirection", "system", "status", "out", "err"),
    [
        (">&-", "better", 2, b"", b"bleu-core score: standard output: closed\n"),
        ("2>&-", "ref", 0, None, b""),
        ("2>/dev/full", "nowhere.txt", 2, b"", b""),
        *nightly([("2>&-", "nowhere.txt", 2, b"", b""), (">&- 2>&-", "better", 2, b"", b"")]),
    ],
)
def test_closed_streams_are_no_tracebacks(
    files: dict[str, str], *, redirection: str, system: str, status: int, out: bytes | None, err: bytes
) -> None:
    given = [*PROGRAM, *call("score", files, systems=(system,))]
    result = subprocess.run(
        ["/bin/sh", "-c", f'"$@" {redirection}', "sh", *given],
        capture_output=True,
        check=False,
        cwd=Path(__file__).parents[2],
    )
    assert result.returncode == status
    assert result.stderr == err
    assert result.stdout == out if out is not None else result.stdout.startswith(b"system ")


@POSIX
def test_a_process_that_is_interrupted_ends_quietly(files: dict[str, str], tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    given = [*PROGRAM, *call("blocks", files, systems=(str(pipe),))]
    process = subprocess.Popen(given, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=Path(__file__).parents[2])
    with pipe.open("wb"):  # opens as soon as the process reads
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
    assert (process.returncode, out, err) == (130, b"", b"")
