"""`bleu-core` as a process of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from calls import BAD_FILES, POSIX_ONLY, REFERENCE, WORSE, arguments
from conftest import Writer
from nightly import nightly

from bleu_core.cli.commands import main

#: The command as the console script runs it.
PROGRAM = [sys.executable, "-c", "import sys; from bleu_core.cli import main; sys.exit(main())"]

Console = Callable[..., "subprocess.CompletedProcess[bytes]"]


@pytest.fixture
def console() -> Console:
    """The command as a process of its own."""

    def call(*arguments: object, **environment: str) -> subprocess.CompletedProcess[bytes]:
        return subprocess.run(
            [*PROGRAM, *map(str, arguments)],
            capture_output=True,
            check=False,
            cwd=Path(__file__).parents[2],
            env=os.environ | environment,
        )

    return call


def test_a_process_prints_json_and_ends_with_0(console: Console, corpus: dict[str, Path]) -> None:
    result = console(*arguments("score", corpus), "--format", "json")
    assert (result.returncode, result.stderr) == (0, b"")
    assert [system["system"] for system in json.loads(result.stdout)["systems"]] == ["better", "worse", "third"]


def test_a_process_refuses_bad_input_with_2(console: Console, corpus: dict[str, Path], write: Writer) -> None:
    data, fragments = BAD_FILES["too short"]
    result = console("score", "--ref", corpus["ref"], write("bad.txt", data))
    assert (result.returncode, result.stdout) == (2, b"")
    assert result.stderr.count(b"\n") == 1
    assert all(fragment.encode() in result.stderr for fragment in fragments)


def test_a_process_refuses_a_bad_call_with_2(console: Console) -> None:
    result = console("score")
    assert (result.returncode, result.stdout, result.stderr.count(b"\n")) == (2, b"", 1)


@pytest.mark.parametrize("encoding", ["ascii", *nightly(["latin-1", "utf-8"])])
def test_json_is_json_whatever_the_terminal_can_show(console: Console, write: Writer, encoding: str) -> None:
    names = ["\u00e9t\u00e9", "\u65e5\u672c", "\U0001f600"]
    systems = [write(f"{name}.txt", WORSE) for name in names]
    reference = write("ref.txt", REFERENCE)
    result = console("score", "--ref", reference, "--format", "json", *systems, PYTHONIOENCODING=encoding)
    assert result.returncode == 0
    found = json.loads(result.stdout.decode(encoding))
    assert [system["system"] for system in found["systems"]] == names


def test_a_table_is_printed_whatever_the_terminal_can_show(console: Console, write: Writer) -> None:
    reference, system = write("ref.txt", REFERENCE), write("\u65e5\u672c.txt", WORSE)
    result = console("score", "--ref", reference, system, PYTHONIOENCODING="ascii")
    assert (result.returncode, result.stderr) == (0, b"")


@POSIX_ONLY
def test_a_reader_that_has_seen_enough_is_no_error(corpus: dict[str, Path]) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    try:
        result = subprocess.run(
            [*PROGRAM, *map(str, arguments("score", corpus))],
            stdout=writing,
            stderr=subprocess.PIPE,
            check=False,
            cwd=Path(__file__).parents[2],
        )
    finally:
        os.close(writing)
    assert (result.returncode, result.stderr) == (0, b"")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
def test_a_full_disk_is_one_line(corpus: dict[str, Path]) -> None:
    with Path("/dev/full").open("wb") as full:
        result = subprocess.run(
            [*PROGRAM, *map(str, arguments("score", corpus))],
            stdout=full,
            stderr=subprocess.PIPE,
            check=False,
            cwd=Path(__file__).parents[2],
        )
    assert result.returncode != 0
    assert b"Traceback" not in result.stderr
    assert result.stderr.count(b"\n") == 1


def test_the_program_takes_its_arguments_from_the_process(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], corpus: dict[str, Path]
) -> None:
    monkeypatch.setattr(sys, "argv", ["bleu-core", *map(str, arguments("score", corpus))])
    assert main() == 0
    assert "better" in capsys.readouterr().out
