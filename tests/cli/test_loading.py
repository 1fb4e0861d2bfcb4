"""Files of texts that cannot be used are refused in one line that names them."""

from __future__ import annotations

from pathlib import Path

import pytest
from calls import BAD_FILES, BETTER, COMMANDS, REFERENCE, WORSE, arguments, assert_refused
from conftest import Runner, Writer
from nightly import nightly

from bleu_core.uploads import assemble, create_file


@pytest.mark.parametrize("kind", BAD_FILES)
@pytest.mark.parametrize("role", ["system", "reference"])
@pytest.mark.parametrize(
    "command", ["score", "compare", *nightly(command for command in COMMANDS if command != "score")]
)
def test_a_bad_text_file_is_refused(
    run: Runner, corpus: dict[str, Path], write: Writer, *, kind: str, role: str, command: str
) -> None:
    data, fragments = BAD_FILES[kind]
    bad = write("bad.txt", data)
    extra: list[object] = [bad] if role == "system" else ["--ref", bad]
    assert_refused(run(*arguments(command, corpus), *extra), "bad.txt", *fragments)


def test_a_short_reference_is_blamed_when_all_else_agrees(run: Runner, corpus: dict[str, Path], write: Writer) -> None:
    short = write("short.txt", "one\ntwo\n")
    result = run("score", "--ref", short, *(corpus[name] for name in ("better", "worse", "third")))
    assert_refused(result, "short.txt has 2 lines, 1 fewer than")


def test_a_single_system_is_held_against_the_reference(run: Runner, corpus: dict[str, Path], write: Writer) -> None:
    result = run("score", "--ref", corpus["ref"], write("short.txt", "one\n"))
    assert_refused(result, "short.txt has 1 line, 2 fewer than", "ref.txt (3). Lines were probably lost or joined.")


def test_two_files_of_one_stem_are_both_named(run: Runner, corpus: dict[str, Path], write: Writer) -> None:
    one, two = write("monday/mine.txt", WORSE), write("friday/mine.txt", BETTER)
    assert_refused(run("score", "--ref", corpus["ref"], one, two), str(one), str(two), "mine")


def test_two_references_of_one_stem_are_both_named(run: Runner, corpus: dict[str, Path], write: Writer) -> None:
    one, two = write("monday/ref.txt", REFERENCE), write("friday/ref.txt", REFERENCE)
    assert_refused(run("score", "--ref", one, "--ref", two, corpus["better"]), str(one), str(two), "references")


@pytest.mark.parametrize("role", ["system", "reference", "documents", "judgments"])
def test_a_missing_file_is_named(run: Runner, corpus: dict[str, Path], tmp_path: Path, role: str) -> None:
    missing = tmp_path / "missing.txt"
    call: list[object] = {
        "system": ["score", "--ref", corpus["ref"], missing],
        "reference": ["score", "--ref", missing, corpus["better"]],
        "documents": ["blocks", "--ref", corpus["ref"], "--documents", missing, corpus["better"]],
        "judgments": ["correlate", "--ref", corpus["ref"], "--human", missing, corpus["better"]],
    }[role]
    assert_refused(run(*call), "missing.txt", "no such file")


def test_a_directory_is_named(run: Runner, corpus: dict[str, Path], tmp_path: Path) -> None:
    assert_refused(run("score", "--ref", corpus["ref"], tmp_path), str(tmp_path), "directory")


@pytest.mark.parametrize("encoding", ["no-such-encoding", "rot13", "hex", "base64"])
def test_an_unknown_encoding_is_named(run: Runner, corpus: dict[str, Path], encoding: str) -> None:
    assert_refused(run(*arguments("score", corpus), "--encoding", encoding), encoding)


BAD_TABLES: dict[str, tuple[str, tuple[str, ...]]] = {
    "only numbers the rows": ("id\n1\n2\n3\n", ("bad.csv",)),
    "a row too short": ("doc,mine\nd,a b\nd\nd,c d\n", ("bad.csv, line 3", "1 cell found", "2 expected")),
    "only a header": ("doc,mine\n", ("bad.csv", "only a header")),
    "a name twice": ("reference,reference\na b,c d\ne f,g h\n", ("bad.csv, line 1", "'reference'")),
    "only a source": ("source,id\na b,1\nc d,2\ne f,3\n", ()),
}


@pytest.mark.parametrize("kind", BAD_TABLES)
@pytest.mark.parametrize("role", ["system", "reference"])
def test_a_bad_table_of_texts_is_refused(
    run: Runner, corpus: dict[str, Path], write: Writer, kind: str, role: str
) -> None:
    content, fragments = BAD_TABLES[kind]
    bad = write("bad.csv", content)
    call = ["--ref", corpus["ref"], bad] if role == "system" else ["--ref", bad, corpus["better"]]
    assert_refused(run("score", *call), *fragments)


@pytest.mark.parametrize(
    "options", [["score", "--max-order", "0"], ["score", "--weights", "1"], ["blocks", "--blocks", "99"]]
)
def test_an_error_is_one_line_even_where_a_system_equals_a_reference(
    run: Runner, corpus: dict[str, Path], options: list[str]
) -> None:
    assert_refused(run(*options, "--ref", corpus["ref"], corpus["ref"]))


@pytest.mark.parametrize("other", [(), ("--intervals",)])
def test_what_is_unusual_about_texts_is_said_once_in_the_words_of_the_data_page(
    run: Runner, write: Writer, other: tuple[str, ...]
) -> None:
    ref = write("ref.txt", "one\u200b two\n\nthree\n")
    system = write("A.txt", "one\u00ad two\n \n\u200ethree\u200e\n")
    found = run("score", "--format", "json", "--ref", ref, system, *other).json
    files = [
        create_file(ref.name, ref.read_bytes(), "reference"),
        create_file(system.name, system.read_bytes(), "system"),
    ]
    of_page = [warning for entry in assemble(files).entries for warning in entry.warnings]
    assert len(of_page) == 4
    paths = [ref, ref, system, system]
    assert found["warnings"] == [f"{path}: {warning}" for path, warning in zip(paths, of_page, strict=True)]


def test_a_system_identical_to_the_source_is_said_in_the_words_of_the_data_page(run: Runner, write: Writer) -> None:
    ref, source, system = write("ref.txt", "one\n"), write("src.txt", "uno\n"), write("A.txt", "uno\n")
    found = run("score", "--format", "json", "--ref", ref, "--source", source, system).json
    assert found["warnings"] == ["A is identical to the source"]
