"""The fuzzer of files, on a few mutants: that it runs, finds nothing, and finds what there is to find."""

from __future__ import annotations

import sys
from pathlib import Path
from types import ModuleType

import pytest

from fuzz import aborting, files
from fuzz.damage import MAX_BYTES, OF_ARCHIVES, OF_BYTES, packed

MUTANTS = range(40)


@pytest.fixture(autouse=True)
def _small_files(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("BLEU_CONFORMANCE_DATA", raising=False)
    for cached in (files.sources, files.role_of, files.healthy):
        cached.cache_clear()


def test_mutants_are_read_or_refused(tmp_path: Path) -> None:
    tally = files.fuzz(MUTANTS, 1, tmp_path, seconds=float("inf"))
    assert tally.failures == []
    assert tally.mutants == len(MUTANTS)
    for stage in ("recognise: ", "read as system: ", "fit: in use", "fit: set aside", "bleu-core "):
        assert any(outcome.startswith(stage) for outcome in tally.outcomes), stage


def test_a_mutant_follows_from_the_seed_and_its_number() -> None:
    once, again, other = ([files.mutant_of(n, seed)[1] for n in MUTANTS] for seed in (1, 1, 2))
    assert once == again
    assert once != other


def test_an_unexpected_error_is_a_failure_in_every_stage(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def broken(*_: object, **__: object) -> None:
        raise KeyError("x")

    monkeypatch.setattr(files, "COMMANDS", 1.0)
    files.fuzz([1], 1, tmp_path, seconds=float("inf"))  # makes the healthy files
    for stage in ("recognise", "read", "assemble", "command_line"):
        monkeypatch.setattr(files, stage, broken)
    tally = files.fuzz([1], 1, tmp_path, seconds=float("inf"))
    assert {failure.stage.split()[0] for failure in tally.failures} == {"recognise", "read", "fit", "bleu-core"}
    assert all("KeyError" in failure.cause for failure in tally.failures)


def test_a_mutant_that_ends_the_process_is_a_failure_and_the_rest_are_tried(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # After a test of a page, the main module is that page's script, which new processes would run again.
    monkeypatch.setitem(sys.modules, "__main__", ModuleType("__main__"))
    tally = files.in_processes(4, None, jobs=1, folder=tmp_path, work=aborting.at_the_third)
    assert (tally.mutants, tally.outcomes["read"]) == (4, 3)
    assert [(each.number, each.stage, each.cause.partition(",")[0]) for each in tally.failures] == [
        (2, "process", "the process was killed by SIGABRT")
    ]


@pytest.mark.parametrize("kind", ["parquet", "spreadsheet", "ods", "compressed"])
def test_files_that_are_no_text_are_damaged_and_read_or_refused(tmp_path: Path, kind: str) -> None:
    tally = files.fuzz(range(4), 1, tmp_path, seconds=float("inf"), kinds=(kind,))
    assert tally.failures == []
    assert tally.mutants == 4


def test_a_file_that_stops_its_reader_is_counted_as_such() -> None:
    for reason, how in (("SIGABRT", "Parquet reader stopped"), ("", "refused")):
        told = f"a: cannot be read: the file makes the Parquet reader stop ({reason}); it" if reason else "a: wrong"
        assert files._how_refused(told) == how  # noqa: SLF001 # pyright: ignore[reportPrivateUsage]
    with pytest.raises(AssertionError, match="too long"):
        files._how_refused("a: start with --limit reader_seconds=2")  # noqa: SLF001 # pyright: ignore[reportPrivateUsage]


@pytest.mark.parametrize("message", ["", "two\nlines", "\x1b[31m", "x" * 2000])
def test_a_message_that_no_terminal_should_see_is_a_failure(message: str) -> None:
    with pytest.raises(AssertionError, match="refusal"):
        files._check_message(message)  # noqa: SLF001 # pyright: ignore[reportPrivateUsage]


@pytest.mark.parametrize("kind", [*OF_BYTES, *OF_ARCHIVES])
def test_every_kind_of_damage_takes_any_file_and_changes_some(kind: str) -> None:
    damage = {**OF_BYTES, **OF_ARCHIVES}[kind]
    given = (b"", b"\n", b"\xff\x00", b'doc\tscore\n"a"\t1\n', packed({"t/a.txt": b"one\n", "t/b.txt": b"two\n"}))
    changed = [damage(data, files.Random(seed)) != data for data in given for seed in range(5)]
    assert any(changed)


@pytest.mark.parametrize("kind", ["change_lines", "change_cells"])
def test_damage_to_damage_stays_bounded(kind: str) -> None:
    data = b"a" * 1_000_000 + b"\tb\n1\t2\n"
    largest = max(len(OF_BYTES[kind](data, files.Random(seed))) for seed in range(30))
    assert MAX_BYTES / 2 < largest < 5 * MAX_BYTES


@pytest.mark.parametrize("kind", files.DESCRIBED)
def test_what_describes_other_files_is_accepted_as_it_is(kind: str) -> None:
    [source] = [source for source in files.sources() if source.kind == kind]
    assert files.DESCRIBED[kind](source.data) == "read"
