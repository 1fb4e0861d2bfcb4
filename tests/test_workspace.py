"""Files of a session, read and fitted together."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from bleu_core.formats.recognise import FileRole
from dashboard.workspace import File, Workspace, assemble, sorted_in


def text(*lines: str) -> bytes:
    return "".join(line + "\n" for line in lines).encode()


def files(*given: tuple[str, bytes, FileRole]) -> list[File]:
    return [File(name, data, role) for name, data, role in given]


def problems(workspace: Workspace) -> list[str]:
    return [entry.problem for entry in workspace.problems]


def systems(workspace: Workspace) -> Sequence[str]:
    return list(workspace.corpus.systems)


THREE = text("a b", "c d", "e f")


def test_files_that_fit_are_all_in_use() -> None:
    workspace = assemble(files(("s.txt", THREE, "system"), ("r.txt", THREE + b"", "reference")))
    assert systems(workspace) == ["s"]
    assert list(workspace.corpus.references) == ["r"]
    assert problems(workspace) == []


def test_a_short_file_is_set_aside_with_counts_and_the_others_stay() -> None:
    workspace = assemble(
        files(("good.txt", THREE, "system"), ("short.txt", text("a b", "c d"), "system"), ("r.txt", THREE, "reference"))
    )
    assert systems(workspace) == ["good"]
    (problem,) = problems(workspace)
    assert problem.startswith("short.txt: line 3 is missing: 2 segments found, 3 expected")


def test_the_reference_can_be_the_odd_one_out() -> None:
    short = text("a b", "c d")
    workspace = assemble(files(("a.txt", THREE, "system"), ("b.txt", THREE, "system"), ("r.txt", short, "reference")))
    assert systems(workspace) == ["a", "b"]
    assert problems(workspace)[0].startswith("r.txt: line 3 is missing")


def test_with_one_file_each_the_reference_counts() -> None:
    workspace = assemble(files(("a.txt", text("x"), "system"), ("r.txt", THREE, "reference")))
    assert problems(workspace)[0].startswith("a.txt: line 2 is missing")


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "empty"),
        (b"a\0b\n", "NUL"),
        (b"\x89PNG\r\n\x1a\n\x00\x00", "not UTF-8"),
        ("a\nné\n".encode("latin-1"), "byte 0xE9 at offset 3"),
    ],
)
def test_an_unreadable_file_is_set_aside(data: bytes, said: str) -> None:
    workspace = assemble(files(("a.txt", THREE, "system"), ("r.txt", THREE, "reference"), ("bad.txt", data, "system")))
    assert systems(workspace) == ["a"]
    (problem,) = problems(workspace)
    assert problem.startswith("bad.txt")
    assert said in problem


def test_two_systems_of_one_stem_name_both_files() -> None:
    workspace = assemble(
        files(("a.txt", THREE, "system"), ("a.tok", text("x", "y", "z"), "system"), ("r.txt", THREE, "reference"))
    )
    assert systems(workspace) == ["a"]
    assert problems(workspace) == ["a.tok: a.txt already holds a system called a; rename or remove one"]


def test_a_second_source_is_set_aside() -> None:
    workspace = assemble(files(("x.txt", THREE, "source"), ("y.txt", THREE, "source")))
    assert problems(workspace) == ["y.txt: x.txt already holds the source; remove one of the two"]


def test_copies_are_warned_of() -> None:
    workspace = assemble(
        files(
            ("a.txt", THREE, "system"),
            ("b.txt", THREE, "system"),
            ("r.txt", THREE, "reference"),
            ("src.txt", THREE, "source"),
        )
    )
    said = [warning for entry in workspace.entries for warning in entry.warnings]
    assert "a is identical to the reference r" in said
    assert "b is identical to the system a" in said
    assert "a is identical to the source" in said
    assert workspace.copies_of(["r"]) == ("a", "b")


def test_judgments_beyond_the_text_are_set_aside() -> None:
    ratings = text("segment,system,score", "1,a,3", "4,a,2", "5,a,2")
    workspace = assemble(
        files(("a.txt", THREE, "system"), ("r.txt", THREE, "reference"), ("h.csv", ratings, "judgments"))
    )
    assert workspace.judgments is None
    assert problems(workspace) == [
        "h.csv, line 3: segment 4 found, 1 to 3 expected as in the texts (2 such lines)",
    ]


def test_ratings_of_a_system_without_text_are_warned_of() -> None:
    ratings = text("segment,system,score", "1,a,3", "1,ghost,2", "2,a,")
    workspace = assemble(
        files(("a.txt", THREE, "system"), ("r.txt", THREE, "reference"), ("h.csv", ratings, "judgments"))
    )
    assert workspace.entries[-1].warnings == (
        "1 row without a score, not counted",
        "rated, but no text is loaded: ghost",
    )


def test_two_files_of_judgments_become_two_groups() -> None:
    workspace = assemble(
        files(
            ("mono.csv", text("segment,system,judge,score", "1,a,x,3"), "judgments"),
            ("bi.csv", text("segment,system,judge,score", "1,a,x,5"), "judgments"),
        )
    )
    assert workspace.judgments is not None
    assert workspace.judgments.groups == ("mono.csv", "bi.csv")
    assert workspace.judgments.judge_count == 2
    assert workspace.judgments.system_means() == {"a": 4.0}


def test_a_gap_that_leaves_a_segment_without_reference_sets_the_table_aside() -> None:
    table = b"r1\tr2\na b c\td\n\t\ne f g\th\n"
    workspace = assemble(files(("a.txt", THREE, "system"), ("refs.tsv", table, "reference")))
    assert problems(workspace) == ["refs.tsv, line 2: no reference, at least 1 expected"]


def test_a_renamed_system_keeps_its_name_and_its_table_does_not() -> None:
    renamed = File("a.txt", THREE, "system", renamed="Better name")
    assert systems(assemble([renamed, File("r.txt", THREE, "reference")])) == ["Better name"]


def test_the_digest_ignores_the_order_of_files_and_minds_their_content() -> None:
    some = files(("a.txt", THREE, "system"), ("b.txt", text("x", "y", "z"), "system"), ("r.txt", THREE, "reference"))
    assert assemble(some).digest == assemble(some[::-1]).digest
    assert assemble(some).digest != assemble(some[1:]).digest


def test_human_translators_are_known_by_name() -> None:
    workspace = assemble([File("H.txt", THREE, "system", human=True), File("r.txt", THREE, "reference")])
    assert workspace.human_systems == ("H",)


@pytest.mark.parametrize(
    ("name", "data", "role"),
    [
        ("ref.B.txt", THREE, "reference"),
        ("newstest2021.ru-en.ref.A.en", THREE, "reference"),
        ("source.txt", THREE, "source"),
        ("docs.txt", THREE, "document"),
        ("ids.txt", text("d1", "d1", "d1", "d2", "d2", "d2"), "document"),
        ("human.csv", text("doc,seg_id,system,rater,score", "d,1,a,r,2"), "judgments"),
        ("Online-B.txt", THREE, "system"),
        ("preference.txt", THREE, "system"),
    ],
)
def test_files_are_sorted_by_name_and_content(name: str, data: bytes, role: str) -> None:
    assert sorted_in(name, data, None).role == role


def test_a_name_is_never_a_path() -> None:
    assert sorted_in("../../etc/passwd.txt", THREE, "system").name == "passwd.txt"
    assert sorted_in("C:\\out\\sys.txt", THREE, "system").name == "sys.txt"
