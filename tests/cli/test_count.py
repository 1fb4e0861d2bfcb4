"""`bleu-core count` and `bleu-core merge`."""

from __future__ import annotations

import gzip
import random
from pathlib import Path
from typing import Any

import pytest
from calls import assert_refused
from conftest import Runner, Writer
from nightly import nightly

import sample_data
from bleu_core.counts import read_counts

SYSTEMS = [str(path) for path in sample_data.systems()][:3]
REFERENCES = [argument for path in sample_data.references() for argument in ("--ref", str(path))]


@pytest.mark.parametrize(
    "options", [(), ("--bundles",), ("--bundles", "40"), ("--preset", "paper", "--max-order", "6")]
)
@pytest.mark.parametrize("of", [1, 4, 11])
def test_the_file_merged_from_parts_is_that_of_one_count(
    run: Runner, tmp_path: Path, options: tuple[str, ...], of: int
) -> None:
    call = ["count", *REFERENCES, *SYSTEMS, "--format", "json"]
    parts: list[Path] = []
    for number in range(1, of + 1):
        parts.append(tmp_path / f"part-{number}.counts")
        done = run(*call, "--part", f"{number}/{of}", "--out", parts[-1], *options)
        assert done.status == 0, done.err
        assert done.json["segments"] == 500
    random.Random(of).shuffle(parts)
    merged = run("merge", *parts, "--out", tmp_path / "all.counts", "--format", "json")
    whole = run(*call, "--out", tmp_path / "whole.counts", *options)
    assert (tmp_path / "all.counts").read_bytes() == (tmp_path / "whole.counts").read_bytes()
    assert without_file(merged.json) == without_file(whole.json)
    assert not list(tmp_path.glob(".*"))


def without_file(content: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in content.items() if key != "file"}


def test_the_counts_are_those_of_score(run: Runner, tmp_path: Path) -> None:
    counted = run("count", *REFERENCES, *SYSTEMS, "--out", tmp_path / "x.counts", "--format", "json").json
    scored = run("score", *REFERENCES, *SYSTEMS, "--format", "json").json
    for ours, theirs in zip(counted["systems"], scored["systems"], strict=True):
        assert {name: theirs[name] for name in ours} == ours
    assert counted["signature"] in scored["signature"].replace("|eff:no", "").replace("|smooth:exp", "")


def test_tables_and_packed_files_are_counted_as_plain_ones(run: Runner, tmp_path: Path) -> None:
    lines = [Path(path).read_text(encoding="utf-8").split("\n")[:-1] for path in (SYSTEMS[0], REFERENCES[1])]
    table = tmp_path / "table.tsv"
    rows = ["S1\tR1", *("\t".join(pair) for pair in zip(*lines, strict=True))]
    table.write_text("\n".join(rows) + "\n", encoding="utf-8")
    packed = tmp_path / "S1.txt.gz"
    packed.write_bytes(gzip.compress(Path(SYSTEMS[0]).read_bytes()))
    calls = {
        "plain": [*REFERENCES[:2], SYSTEMS[0]],
        "packed": [*REFERENCES[:2], packed],
        "table": [table, "--columns", "S1=system,R1=reference"],
    }
    for name, call in calls.items():
        for part in ("1/2", "2/2"):
            done = run("count", *call, "--part", part, "--out", tmp_path / f"{name}-{part[0]}.counts")
            assert done.status == 0, done.err
    for part in "12":
        found = {(tmp_path / f"{name}-{part}.counts").read_bytes() for name in calls}
        assert len(found) == 1


def test_what_is_odd_about_texts_is_told_whole_and_merged(run: Runner, write: Writer, tmp_path: Path) -> None:
    system = write("s.txt", "a b\u200b c\n\nd e f\ng\n")
    reference = write("r.txt", "a b c\nx\nd e f\ng\n")
    for part in ("1/2", "2/2"):
        run("count", "--ref", reference, system, "--part", part, "--out", tmp_path / part[0])
    merged = run("merge", tmp_path / "2", tmp_path / "1", "--out", tmp_path / "all")
    assert "warning: s: 1 segment without text\n" in merged.err
    assert "s: invisible characters in the texts, which may keep words from matching: 1 zero-width space" in merged.err


def test_a_copy_of_a_reference_is_told(run: Runner, write: Writer, tmp_path: Path) -> None:
    paths = [write(name, "a b c\nd e f\n") for name in ("s.txt", "r.txt")]
    done = run("count", "--ref", paths[1], paths[0], "--out", tmp_path / "x")
    assert "s is identical to the reference r" in done.err


def test_documents_bundle_their_segments(run: Runner, write: Writer, tmp_path: Path) -> None:
    documents = write("docs.txt", "".join(f"d{i // 10}\n" for i in range(500)))
    call = ["count", *REFERENCES, *SYSTEMS, "--bundles", "500", "--documents", documents]
    done = run(*call, "--out", tmp_path / "x", "--format", "json").json
    assert (done["bundles"], done["bundled_by"]) == (500, "documents")
    data: Any = read_counts(tmp_path / "x").data
    sizes = data.segments_by_presence.sum(axis=1)
    assert sizes.sum() == 500
    assert not (sizes % 10).any()


def test_wrong_calls_are_refused(run: Runner, write: Writer, tmp_path: Path) -> None:
    out = tmp_path / "x.counts"
    call = ["count", *REFERENCES, *SYSTEMS, "--out", out]
    documents = write("docs.txt", "d\n" * 499)
    assert_refused(run(*call, "--part", "0/3"), "argument --part: '0/3' found, parts from 1/3 to 3/3 expected")
    assert_refused(run(*call, "--part", "501/501"), "501 parts found, at most 500 expected")
    assert_refused(run(*call, "--bundles", "0"), "--bundles: 0 found, at least 1 expected")
    assert_refused(run(*call, "--documents", documents), "add --bundles")
    assert_refused(run(*call, "--documents", documents, "--bundles"), "docs.txt", "499", "500")
    assert_refused(run("count", SYSTEMS[0], "--out", out), "the following arguments are required: --ref")
    assert_refused(run("count", *REFERENCES, "nowhere.txt", "--out", out), "nowhere.txt: no such file")
    assert_refused(run("merge", SYSTEMS[0], "--out", out), "S1.txt: not a counts file")
    assert_refused(run("merge", "nowhere.counts", "--out", out), "nowhere.counts: no such file")
    assert not out.exists()


def test_parts_that_do_not_make_a_whole_are_refused(run: Runner, tmp_path: Path) -> None:
    out = tmp_path / "all.counts"
    for part in ("1/3", "2/3", "3/3"):
        run("count", *REFERENCES, *SYSTEMS, "--part", part, "--out", tmp_path / part[0])
    other = tmp_path / "other"
    run("count", *REFERENCES, *SYSTEMS, "--part", "2/3", "--lowercase", "--out", other)
    assert_refused(run("merge", tmp_path / "1", tmp_path / "3", "--out", out), "lines 168 to 334 of 500 are missing")
    twice = run("merge", *(tmp_path / name for name in ("1", "2", "2", "3")), "--out", out)
    assert_refused(twice, "2: lines 168 to 334 are in", "give each part once")
    assert_refused(
        run("merge", tmp_path / "1", other, tmp_path / "3", "--out", out), "other: case:lc", "case:mixed", "expected"
    )
    cut = tmp_path / "cut"
    cut.write_bytes((tmp_path / "2").read_bytes()[:-200])
    assert_refused(run("merge", tmp_path / "1", cut, tmp_path / "3", "--out", out), "cut")
    assert not out.exists()


@pytest.mark.parametrize("command", ["count", "compare", *nightly(["score", "blocks"])])
def test_processes_change_no_digit(run: Runner, tmp_path: Path, command: str) -> None:
    call = [command, *REFERENCES, *SYSTEMS, "--format", "json"]
    if command == "count":
        call += ["--out", str(tmp_path / "x.counts")]
    expected = run(*call)
    assert expected.status == 0
    for workers in ("1", "2", "3"):
        assert run(*call, "--workers", workers).out == expected.out


@pytest.mark.parametrize(
    ("system", "messages"),
    [
        (b"a\n\xff\n", ["s.txt, line 2: byte 0xFF at offset 2 is not UTF-8"]),
        *nightly([(b"a\0\nb\n", ["s.txt, line 1: NUL character found"]), (b"a\n", ["s.txt has 1 ", "r.txt (2)"])]),
    ],
)
def test_processes_leave_odd_files_to_whoever_explains_them(
    run: Runner, write: Writer, system: bytes, messages: list[str]
) -> None:
    call = ["score", "--ref", write("r.txt", "a\nb\n"), "--workers", "2"]
    assert_refused(run(*call, write("s.txt", system)), *messages)


@pytest.mark.parametrize("workers", ["0", "-1", "1025", "two", "1.5"])
def test_a_wrong_number_of_processes_is_refused(run: Runner, workers: str) -> None:
    call = ["score", *REFERENCES, *SYSTEMS, "--workers", workers]
    assert_refused(run(*call), "argument --workers", "a whole number from 1 to 1024 expected")
