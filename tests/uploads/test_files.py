"""Files of a workspace, read and fitted together."""

from __future__ import annotations

import io
import tracemalloc
import zipfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from same_content import BILINGUAL, wmt_xml
from small_files import workbook
from timed import within_seconds

import bleu_core.collection.sources
import bleu_core.uploads.files
from bleu_core.collection import open_uploads
from bleu_core.dataset import Corpus, FilePart, LineRepair, RepairKind, identical_texts
from bleu_core.errors import AlignmentError
from bleu_core.formats import PUBLISHED, FileRole, MqmWeights, read
from bleu_core.limits import DEFAULT_LIMITS, Limits
from bleu_core.uploads import File, Workspace, assemble, create_file, parts_of


def text(*lines: str) -> bytes:
    return "".join(line + "\n" for line in lines).encode()


def files(*given: tuple[str, bytes, FileRole]) -> list[File]:
    return [File(name, data, role) for name, data, role in given]


def unpacked(name: str, data: bytes, role: FileRole | None) -> list[File]:
    return list(open_uploads([(name, lambda: data)], role).files)


def from_folders(arrived: Iterable[tuple[str, Callable[[], bytes]]]) -> tuple[list[File], list[str]]:
    division = open_uploads(arrived)
    return list(division.files), list(division.problems)


def problems(workspace: Workspace) -> list[str]:
    return [entry.problem for entry in workspace.problems]


def systems(workspace: Workspace) -> Sequence[str]:
    return list(workspace.corpus.systems)


THREE = text("a b", "c d", "e f")
PAIR: tuple[tuple[str, bytes, FileRole], ...] = (("a.txt", THREE, "system"), ("r.txt", THREE, "reference"))

ARCHIVE = {
    "sources/xx-yy.txt": "uno\ndos\ntres\n",
    "references/xx-yy.refA.txt": "one\ntwo\nthree\n",
    "references/xx-yy.refB.txt": "a one\na two\na three\n",
    "system-outputs/xx-yy/S1.txt": "one\nto\ntree\n",
    "system-outputs/xx-yy/refA.txt": "one\ntwo\nthree\n",
    "documents/xx-yy.docs": "news\td1\nnews\td1\nnews\td2\n",
    "human-scores/xx-yy.mqm.seg.score": "S1\t-1\nS1\tNone\nS1\t-2\ngone\t0\ngone\t0\ngone\t-1\n",
    "metric-scores/xx-yy/M-refA.seg.score": "S1\t0.5\nS1\t0.75\nS1\t1\n",
    "metric-scores/xx-yy/Q-src.sys.score": "S1\t0.1\ngone\t0.2\n",
}


def packed(contents: Mapping[str, str | bytes]) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        for name, content in contents.items():
            archive.writestr(name, content)
    return stream.getvalue()


def warnings(workspace: Workspace) -> list[str]:
    return [warning for entry in workspace.entries for warning in entry.warnings]


def test_files_that_fit_are_all_in_use() -> None:
    workspace = assemble(files(("s.txt", THREE, "system"), ("r.txt", THREE + b"", "reference")))
    assert systems(workspace) == ["s"]
    assert list(workspace.corpus.references) == ["r"]
    assert problems(workspace) == []


def test_progress_is_the_number_of_bytes_read_of_all_files() -> None:
    reported: list[tuple[int, int]] = []
    given = files(("s.txt", b"a\nb\n", "system"), ("bad.txt", b"\xff", "system"), ("r.txt", b"aa\nb\n", "reference"))
    assemble(given, progress=lambda done, total: reported.append((done, total)))
    ends = [(4, 10), (5, 10), (10, 10)]
    assert [each for each in reported if each in ends] == ends
    assert reported == sorted(reported)  # also within files


def test_work_that_progress_stops_goes_on_with_the_files_not_read_yet() -> None:
    given = files(("s.txt", b"a\n", "system"), ("r.txt", b"b\n", "reference"))

    def stop(*_: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        assemble(given, progress=stop)
    assert systems(assemble(given)) == ["s"]


def test_a_short_file_is_set_aside_with_counts_and_the_others_stay() -> None:
    workspace = assemble(
        files(("good.txt", THREE, "system"), ("short.txt", text("a b", "c d"), "system"), ("r.txt", THREE, "reference"))
    )
    assert systems(workspace) == ["good"]
    (problem,) = problems(workspace)
    assert problem == "short.txt has 2 lines, 1 fewer than the 2 other files (3). A line was probably lost or joined."


def test_the_reference_can_be_the_odd_one_out() -> None:
    short = text("a b", "c d")
    workspace = assemble(files(("a.txt", THREE, "system"), ("b.txt", THREE, "system"), ("r.txt", short, "reference")))
    assert systems(workspace) == ["a", "b"]
    assert problems(workspace)[0].startswith("r.txt has 2 lines, 1 fewer than the 2 other files (3).")


def test_with_one_file_each_the_reference_counts() -> None:
    workspace = assemble(files(("a.txt", text("x"), "system"), ("r.txt", THREE, "reference")))
    assert problems(workspace)[0].startswith("a.txt has 1 line, 2 fewer than r.txt (3).")


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


def test_another_source_is_set_aside_and_a_copy_is_ignored() -> None:
    other = text("a b", "c d", "e")
    workspace = assemble(files(("x.txt", THREE, "source"), ("y.txt", other, "source"), ("z.txt", THREE, "source")))
    assert problems(workspace) == [
        "y.txt: its source differs from that in x.txt (first in segment 3); remove one of the two"
    ]
    assert warnings(workspace) == []
    assert workspace.entries[2].notes == (
        "the source is already loaded from x.txt; the identical copy in z.txt is ignored",
    )


def test_a_short_table_is_named_even_where_its_source_comes_first() -> None:
    rows_of = {name: [row.partition(",")[2] for row in rows] for name, rows in ENGINES.items()}
    tables = [File(f"{name}.csv", text("Source,Target", *rows), "system") for name, rows in rows_of.items()]
    workspace = assemble([*tables, *files(("r.txt", THREE, "reference"))])
    assert problems(workspace) == [
        "Short.csv has 2 segments, 1 fewer than the 3 other files (3). A segment was probably lost or joined."
    ]
    assert systems(workspace) == ["DeepX", "Goggle"]
    assert workspace.corpus.source == ("u", "v", "w")


def test_a_table_with_ids_lacks_a_segment_and_takes_part_on_shared_segments() -> None:
    tables = [File(f"{name}.csv", text("ID,Source,Target", *rows), "system") for name, rows in ENGINES.items()]
    loaded = [*tables, *files(("r.txt", THREE, "reference"))]
    workspace = assemble(loaded)
    assert problems(workspace) == []  # its source is in use
    assert workspace.entries[0].warnings == ("not used: Short.csv: no text for 1 of 3 segments (2)",)
    assert [(text.name, text.reason) for text in workspace.missing] == [("Short", "no text for 1 of 3 segments (2)")]
    assert (systems(workspace), workspace.incomplete, workspace.unshared) == (["DeepX", "Goggle"], ("Short",), 0)
    shared = assemble(loaded, shared_segments=True)
    assert shared.corpus.systems == {"Short": ("x y", "z z"), "DeepX": ("a b", "e"), "Goggle": ("a", "e e")}
    assert shared.corpus.source == ("u", "w")
    assert (shared.missing, shared.incomplete, shared.unshared) == ((), ("Short",), 1)
    assert shared.digest != workspace.digest


#: Tables as an engine exports them: rows of a number, the source and the translation.
ENGINES = {
    "Short": ("1,u,x y", "3,w,z z"),
    "DeepX": ("1,u,a b", "2,v,c d", "3,w,e"),
    "Goggle": ("1,u,a", "2,v,c", "3,w,e e"),
}


@pytest.mark.parametrize("role", [None, "system"])
def test_tables_of_engines_with_the_same_source_load_together_whether_or_not_their_role_is_given(
    role: FileRole | None,
) -> None:
    exports = {name: rows for name, rows in ENGINES.items() if name != "Short"}
    tables = [
        create_file(f"{name}.csv", text("ID;Source;Target", *rows).replace(b",", b";"), role)
        for name, rows in exports.items()
    ]
    workspace = assemble(
        [*tables, create_file("reference.txt", THREE, None), File("source.txt", text(*"uvw"), "source")]
    )
    assert problems(workspace) == []
    assert systems(workspace) == ["DeepX", "Goggle"]
    assert warnings(workspace) == []
    assert [entry.notes for entry in workspace.entries] == [
        (),
        ("the source is already loaded from DeepX.csv; the identical copy in Goggle.csv is ignored",),
        (),
        ("the source is already loaded from DeepX.csv; the identical copy in source.txt is ignored",),
    ]


def test_a_table_of_one_system_can_be_renamed_and_one_of_two_cannot() -> None:
    table = text("ID;Source;Target", "1;u;a b", "2;v;c d", "3;w;e f")
    two = text("X;Y", "x y;x", "x;y y", "z;z")
    workspace = assemble(
        [File("DeepX.csv", table, "system", renamed="My engine"), File("two.csv", two, "system", renamed="Z")]
    )
    assert systems(workspace) == ["My engine", "X", "Y"]
    assert [entry.can_be_renamed for entry in workspace.entries] == [True, False]


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


def test_ratings_that_cannot_be_placed_are_counted_and_the_rest_is_used() -> None:
    ratings = text("segment,system,score", "1,a,3", "4,a,2", "1,ghost,2", "2,a,", "2,ghost,", "5,a,2")
    workspace = assemble(files(*PAIR, ("h.csv", ratings, "judgments")))
    assert problems(workspace) == []
    assert workspace.judgments is not None
    assert workspace.judgments.system_means() == {"a": 3.0}
    assert workspace.entries[-1].warnings == (
        "2 rows not used (first: line 5): no score",
        "2 rows not used (first: line 3): the segment is beyond the texts, which have 3 segments",
        "1 row not used (line 4): ghost is not loaded as a system",
    )


@pytest.mark.parametrize(
    ("ratings", "problem"),
    [
        (("4,a,2", "5,a,2"), "h.csv, line 2: rating of segment 4 found, but the texts have 3 segments (2 such rows)"),
        (("1,ghost,2",), "h.csv: no rating can be used: they are of ghost, but the systems loaded are a"),
    ],
)
def test_judgments_of_which_nothing_can_be_placed_are_set_aside(ratings: Sequence[str], problem: str) -> None:
    workspace = assemble(files(*PAIR, ("h.csv", text("segment,system,score", *ratings), "judgments")))
    assert workspace.judgments is None
    assert problems(workspace) == [problem]


def test_files_that_number_segments_in_their_own_ways_are_placed_before_they_are_merged() -> None:
    by_document = text(
        *(
            f"j,a,{item},TGT,eng,deu,{score},{doc},False,0,1"
            for item, doc, score in ((1, "d", 4), (2, "d", 2), (1, "e", 1))
        )
    )
    by_line = text("segment,system,score", "3,a,5")
    documents = text("d", "d", "e")
    workspace = assemble(
        files(
            *PAIR,
            ("docs.txt", documents, "document"),
            ("x.csv", by_document, "judgments"),
            ("y.csv", by_line, "judgments"),
        )
    )
    assert problems(workspace) == []
    assert workspace.judgments is not None
    assert workspace.judgments.numbering == "line"
    assert workspace.judgments.table["segment"].tolist() == [1, 2, 3, 3]


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
    table = b"ref1\tref2\na b c\td\n\t\ne f g\th\n"
    workspace = assemble(files(("a.txt", THREE, "system"), ("refs.tsv", table, "reference")))
    assert problems(workspace) == ["refs.tsv, line 2: no reference, at least 1 expected"]


def test_a_renamed_system_keeps_its_name_and_its_table_does_not() -> None:
    renamed = File("a.txt", THREE, "system", renamed="Better name")
    assert systems(assemble([renamed, File("r.txt", THREE, "reference")])) == ["Better name"]


def test_the_digest_ignores_the_order_of_files_and_minds_their_content() -> None:
    some = files(("a.txt", THREE, "system"), ("b.txt", text("x", "y", "z"), "system"), ("r.txt", THREE, "reference"))
    assert assemble(some).digest == assemble(some[::-1]).digest
    assert assemble(some).digest != assemble(some[1:]).digest


def test_the_digest_minds_which_reference_is_the_first() -> None:
    some = files(("a.txt", THREE, "system"), ("r.txt", THREE, "reference"), ("s.txt", text("x", "y", "z"), "reference"))
    assert assemble(some).corpus.digest == assemble(some[::-1]).corpus.digest
    assert assemble(some).digest != assemble(some[::-1]).digest


def test_the_digest_keeps_names_apart_whatever_is_in_them() -> None:
    systems = {"a": ("x",), "b": ("y",), "a\nb": ("z",)}
    digests = [
        Workspace.of_data(Corpus(systems, {"r": ("x",)}), None, human, ()).digest for human in (("a", "b"), ("a\nb",))
    ]
    assert digests[0] != digests[1]
    assert {len(bytes.fromhex(digest)) for digest in digests} == {16}


def test_a_slice_has_a_digest_of_its_own() -> None:
    whole = assemble(files(*PAIR))
    digests = [whole.digest, *(whole.subset(rows).digest for rows in ((0,), (1,), (0, 1), (0, 1, 2)))]
    assert len(set(digests)) == len(digests)
    assert {len(bytes.fromhex(digest)) for digest in digests} == {16}


def test_data_are_known_by_the_digest_that_earlier_versions_wrote() -> None:
    found = assemble(files(*PAIR, ("M.sys.score", b"a 1\n", "scores")))
    assert found.has_digest(found.digest)
    assert found.has_digest("75211594b769b994")
    assert not found.has_digest("")
    short = File("b.txt", text("a b", "e f"), "system", repairs=(LineRepair("missing", 2, 1),))
    lacking = assemble([*files(*PAIR), short])
    assert lacking.has_digest(lacking.digest)
    assert not lacking.has_digest("99e1c3f74203df79")  # which did not say whether a line was missing or empty


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
    assert create_file(name, data, None).role == role


def test_a_name_is_never_a_path() -> None:
    assert create_file("../../etc/passwd.txt", THREE, "system").name == "passwd.txt"
    assert create_file("C:\\out\\sys.txt", THREE, "system").name == "sys.txt"


# --- archives and metric scores ---------------------------------------------------------------------------------


def test_an_archive_fills_the_workspace_and_other_files_stand_beside_it() -> None:
    more = text("segment,system,metric,score", "1,S1,COMET,0.5", "3,S2,COMET,0.25")
    archive = File("x.zip", packed(ARCHIVE), "archive", human_names=("refA", "refB", "gone"))
    workspace = assemble([archive, *files(("S2.txt", THREE, "system"), ("m.csv", more, "scores"))])
    assert problems(workspace) == []
    assert systems(workspace) == ["S1", "refA", "S2"]
    assert list(workspace.corpus.references) == ["refA", "refB"]
    assert workspace.corpus.documents == ("d1", "d1", "d2")
    assert workspace.corpus.source == ("uno", "dos", "tres")
    assert workspace.judgments is not None
    assert workspace.judgments.system_means() == {"S1": -1.5}
    assert workspace.human_systems == ("refA",)
    assert workspace.entries[0].names == ("refA", "refB", "S1")
    assert [(table.name, table.systems) for table in workspace.scores] == [
        (name, ("S1", "refA", "S2")) for name in ("M-refA", "Q-src", "COMET")
    ]
    np.testing.assert_array_equal(workspace.scores[0].scores, [[0.5, 0.75, 1], [np.nan] * 3, [np.nan] * 3])
    np.testing.assert_array_equal(workspace.scores[2].system_scores, [0.5, np.nan, 0.25])
    assert warnings(workspace) == [
        "human-scores/xx-yy.mqm.seg.score: 3 rows not used (first: line 4): gone is not loaded as a system",
        "1 score of Q-src is not used: no output of gone is loaded",
        "refA is identical to the reference refA",
        "COMET: 4 of 6 scores missing",
    ]
    assert "human scores in use: mqm; available: mqm" in workspace.entries[0].notes


def test_one_text_of_an_archive_that_does_not_fit_is_left_out_alone() -> None:
    odd = {**ARCHIVE, "system-outputs/xx-yy/S3.txt": "one\n"}
    workspace = assemble(files(("x.zip", packed(odd), "archive")))
    assert systems(workspace) == ["S1", "refA"]
    assert problems(workspace) == []
    assert any(
        w.startswith("not used: x.zip/system-outputs/xx-yy/S3.txt has 1 line, 2 fewer than the 6 other files (3).")
        for w in warnings(workspace)
    )


def missing(workspace: Workspace) -> list[tuple[str, str]]:
    return [(each.name, each.reason) for each in workspace.missing]


BAD_OUTPUTS: dict[str, tuple[bytes, str]] = {
    "empty": (b"", "the file is empty (0 lines, 3 expected)"),
    "unreadable": (b"a\nb\0\nc\n", "line 2: NUL character found, text expected; "),
    "short": (b"one\n", "the file has 1 line, 3 expected"),
    "long": (b"a b\n" * 6, "the file has 6 lines, 3 expected"),
}


@pytest.mark.parametrize("kind", BAD_OUTPUTS)
def test_a_bad_output_is_missing_whether_it_came_in_a_test_set_in_a_zip_or_alone(kind: str) -> None:
    data, reason = BAD_OUTPUTS[kind]
    name = "system-outputs/xx-yy/Bad.txt"
    other = {path.replace("xx-yy", "aa-bb"): content for path, content in ARCHIVE.items()}
    plain = packed({"a.txt": THREE.decode(), "r/ref.txt": THREE.decode(), "Bad.txt": data})
    (folder,), said = from_folders(
        (
            (f"set/{path}", lambda c=content: c.encode() if isinstance(c, str) else c)
            for path, content in {**ARCHIVE, name: data}.items()
        )
    )
    test_set = File("x.zip", packed({**ARCHIVE, **other, name: data}), "archive", pair="xx-yy")
    for given, place in (
        ([test_set], f"x.zip/{name}"),
        ([folder], f"set/{name}"),
        (unpacked("p.zip", plain, None), "Bad.txt"),
        (files(*PAIR, ("Bad.txt", data, "system")), "Bad.txt"),
    ):
        found = assemble(given)
        assert systems(found)
        assert "Bad" not in systems(found)
        ((bad, why),) = missing(found)
        assert bad == "Bad"
        assert why.startswith(reason)
        (problem,) = found.unused
        assert problem.startswith(place)
        assert missing(found.subset([0])) == missing(found)
    assert said == []
    assert missing(assemble([replace(test_set, pair="aa-bb")])) == []


def test_a_bad_output_is_no_longer_missing_once_a_good_one_is_there() -> None:
    archive = File("x.zip", packed({**ARCHIVE, "system-outputs/xx-yy/Bad.txt": ""}), "archive")
    found = assemble([archive, *files(("Bad.txt", THREE, "system"))])
    assert systems(found) == ["S1", "refA", "Bad"]
    assert missing(found) == []


def test_without_any_usable_output_all_are_missing_and_the_references_stay() -> None:
    bad = {f"system-outputs/xx-yy/{name}.txt": "" for name in ("S1", "refA")}
    found = assemble(files(("x.zip", packed({**ARCHIVE, **bad}), "archive")))
    assert (systems(found), list(found.corpus.references)) == ([], ["refA", "refB"])
    assert [name for name, _ in missing(found)] == ["S1", "refA"]


def test_files_that_cannot_be_read_and_are_no_outputs_are_no_missing_systems() -> None:
    found = assemble([create_file(name, b"a\0\n", None) for name in ("ref.txt", "ratings.csv", "A.txt")])
    assert [name for name, _ in missing(found)] == ["A"]
    assert len(found.problems) == 3


def test_a_file_that_is_damaged_in_its_zip_is_missing_alone() -> None:
    data = packed({"a.txt": THREE.decode(), "ref.txt": THREE.decode(), "Bad.txt": "here it is\n" * 3})
    given = unpacked("p.zip", data.replace(b"here it is\nhere", b"lost it is\nlost"), None)
    found = assemble(given)
    assert systems(found) == ["a"]
    ((name, reason),) = missing(found)
    assert name == "Bad"
    assert reason.startswith("cannot be unpacked: Bad CRC-32")
    other = File("Bad.txt", THREE, "system")
    assert systems(assemble([file.replaced_by(other) if file.damage else file for file in given])) == ["Bad", "a"]


def test_one_text_of_an_archive_is_repaired_alone_in_its_language_pair() -> None:
    path = "system-outputs/xx-yy/Bad.txt"
    both = {**ARCHIVE, path: "one\ntree\n", path.replace("xx-yy", "aa-bb"): "x\ny\n"}
    both |= {f"{folder}/aa-bb.txt": "a\nb\nc\n" for folder in ("sources",)}
    repair = LineRepair("missing", 2, 1, path)
    file = File("x.zip", packed(both), "archive", pair="xx-yy", repairs=(repair,))
    found = assemble([file])
    assert found.corpus.systems["Bad"] == ("one", "", "tree")
    assert found.corpus.systems["S1"] == ("one", "to", "tree")
    assert (found.absent, missing(found)) == ((2,), [])
    assert found.repairs == ((f"x.zip/{path}", repair),)
    assert [name for name, _ in missing(assemble([replace(file, repairs=())]))] == ["Bad"]
    in_other_pair = assemble([replace(file, pair="aa-bb")])
    assert (in_other_pair.repairs, in_other_pair.absent) == ((), ())


def test_an_archive_of_other_texts_is_set_aside_with_its_judgments_and_scores() -> None:
    four = text("a", "b", "c", "d")
    others = [(f"{name}.txt", four, "system") for name in ("S1", "b", "c", "d", "e", "f", "g")]
    workspace = assemble([*(File(n, d, "system") for n, d, _ in others), File("x.zip", packed(ARCHIVE), "archive")])
    assert (workspace.judgments, workspace.scores) == (None, ())
    (problem,) = problems(workspace)
    assert problem.startswith("x.zip/sources/xx-yy.txt has 3 lines, 1 fewer than")


def test_the_language_pair_of_an_archive_is_chosen() -> None:
    both = {**ARCHIVE, "sources/aa-bb.txt": "x\n", "system-outputs/aa-bb/S.txt": "y\n"}
    workspace = assemble(files(("x.zip", packed(both), "archive")))
    assert systems(workspace) == ["S"]
    assert workspace.entries[0].pairs == ("aa-bb", "xx-yy")
    assert systems(assemble([File("x.zip", packed(both), "archive", pair="xx-yy")])) == ["S1", "refA"]
    assert problems(assemble([File("x.zip", packed(both), "archive", pair="cc-dd")])) == [
        "x.zip: no language pair 'cc-dd'; choose one of aa-bb, xx-yy"
    ]


def test_scores_of_segments_and_of_systems_go_together_and_a_second_time_is_one_too_many() -> None:
    workspace = assemble(
        files(
            *PAIR,
            ("M-r.sys.score", b"a 0.75\n", "scores"),
            ("M-r.seg.score", b"a 0.5\na None\na 1\n", "scores"),
            ("M-r.csv", text("system,metric,score", "a,M-r,2"), "scores"),
        )
    )
    (table,) = workspace.scores
    assert (table.level, table.system_scores.tolist()) == ("segment", [0.75])
    np.testing.assert_array_equal(table.scores, [[0.5, np.nan, 1]])
    assert problems(workspace) == ["M-r.csv: M-r.sys.score already holds scores of M-r; rename or remove one"]


@pytest.mark.parametrize(
    ("name", "data", "problem"),
    [
        (
            "M.seg.score",
            b"a 1\na 2\n",
            "M.seg.score: the scores of M cover 2 segments, 1 fewer than the texts have (3)",
        ),
        ("M.sys.score", b"b 1\nc 2\n", "M.sys.score: the scores of M are for b, c, but the systems loaded are a"),
        ("M.csv", b"system,metric,score\na,x,good\n", "M.csv, line 2: score 'good' found, a number expected"),
    ],
)
def test_scores_that_do_not_fit_are_set_aside(name: str, data: bytes, problem: str) -> None:
    workspace = assemble(files(*PAIR, (name, data, "scores")))
    assert (workspace.scores, systems(workspace)) == ((), ["a"])
    assert problems(workspace) == [problem]


def test_one_metric_of_a_file_can_be_set_aside_alone() -> None:
    rows = text("system,segment,metric,score", "a,1,x,1", "b,1,y,1")
    workspace = assemble(files(*PAIR, ("m.csv", rows, "scores")))
    assert [table.name for table in workspace.scores] == ["x"]
    assert warnings(workspace)[-1] == "not used: m.csv: the scores of y are for b, but the systems loaded are a"


def test_the_digest_minds_the_scores_and_not_the_order_of_files() -> None:
    some = files(
        *PAIR,
        ("b.txt", text("x", "y", "z"), "system"),
        ("M.sys.score", b"a 1\nb 2\n", "scores"),
        ("N.sys.score", b"a 1\n", "scores"),
    )
    assert assemble(some).digest == assemble(some[::-1]).digest
    digests = {assemble(some[:n]).digest for n in (3, 4, 5)}
    digests.add(assemble([*some[:3], File("M.sys.score", b"a 1\nb 3\n", "scores")]).digest)
    assert len(digests) == 4


@pytest.mark.parametrize(
    ("role", "chosen", "fits"), [("scores", "scores", False), ("scores", None, True), ("system", "scores", True)]
)
def test_a_format_can_be_overruled_and_one_of_another_role_is_passed_over(
    role: FileRole,
    chosen: str | None,
    fits: bool,  # noqa: FBT001
) -> None:
    file = File("b", b"a 1\na 2\na 3\n", role, format=chosen)
    assert bool(assemble([*files(*PAIR), file]).problems) is not fits


def test_whatever_decides_how_a_file_is_read_is_in_its_key() -> None:
    plain = File("b", b"", "scores")
    changes: tuple[dict[str, Any], ...] = (
        {"format": "scores"},
        {"pair": "xx-yy"},
        {"human_scores": "mqm"},
        {"human_names": ("a",)},
        {"weights": MqmWeights(major=6)},
        {"lower_is_better": ()},
        {"lower_is_better": ("a",)},
    )
    keys = [plain.fingerprint, *(replace(plain, **change).fingerprint for change in changes)]
    assert len(set(keys)) == len(changes) + 1


def test_weights_of_errors_change_the_ratings_and_the_digest() -> None:
    header = "system\tdoc\tdoc_id\tseg_id\trater\tsource\ttarget\tcategory\tseverity"
    data = text(header, "a\td\t1\t1\tr\t\t\tStyle\tMajor", "a\td\t1\t2\tr\t\t\tStyle\tMinor")
    file = File("m.tsv", data, "judgments")
    usual, changed = (assemble([*files(*PAIR), replace(file, weights=w)]) for w in (PUBLISHED, MqmWeights(major=9)))
    assert usual.judgments is not None
    assert changed.judgments is not None
    assert (usual.judgments.system_means(), changed.judgments.system_means()) == ({"a": -3}, {"a": -5})
    assert usual.digest != changed.digest
    assert "MQM weights: major 9 instead of 5" in warnings(changed)
    assert not any("weights" in warning for warning in warnings(usual))


def test_the_human_scores_of_an_archive_are_chosen() -> None:
    both = {**ARCHIVE, "human-scores/xx-yy.da.sys.score": "S1\t70\n"}
    file = File("x.zip", packed(both), "archive")
    usual, chosen, wrong = (assemble([replace(file, human_scores=name)]) for name in (None, "da", "esa"))
    assert usual.judgments is not None
    assert chosen.judgments is not None
    assert (usual.judgments.system_means(), chosen.judgments.system_means()) == ({"S1": -1.5}, {"S1": 70})
    assert usual.entries[0].human_scores == chosen.entries[0].human_scores == ("mqm", "da")
    assert "human scores in use: da; available: da, mqm" in chosen.entries[0].notes
    assert usual.digest != chosen.digest
    assert problems(wrong) == ["x.zip: no human scores 'esa' for xx-yy; choose one of da, mqm"]


def test_whether_lower_is_better_is_guessed_and_can_be_said() -> None:
    data = text("system,metric,score", "a,TER,60", "a,COMET,1")
    file = File("m.csv", data, "scores")

    def lower(*given: File) -> list[str]:
        return [table.name for table in assemble([*files(*PAIR), *given]).scores if not table.higher_is_better]

    assert lower(file) == ["TER"]
    assert lower(replace(file, lower_is_better=())) == []
    assert lower(replace(file, lower_is_better=("COMET", "gone"))) == ["COMET"]
    assert assemble([*files(*PAIR), file]).entries[-1].metrics == {"TER": True, "COMET": False}
    assert "TER: lower is assumed to be better because of the name" in warnings(assemble([*files(*PAIR), file]))
    assert lower(File("x.zip", packed(ARCHIVE), "archive", lower_is_better=("Q-src",))) == ["Q-src"]
    # Scores of segments that are turned and of systems that are not have no common sense.
    more = File("TER.seg.score", b"a 1\na 2\na 3\n", "scores")
    (problem,) = problems(assemble([*files(*PAIR), file, more]))
    assert problem == "TER.seg.score: lower TER is better in only one of this file and m.csv; make them the same"
    assert lower(file, replace(more, lower_is_better=("TER",))) == ["TER"]


@pytest.mark.slow
def test_a_million_ratings_are_read_within_five_seconds() -> None:
    random = np.random.default_rng(1)
    segments, judges, names = 5000, 10, [f"s{k}" for k in range(20)]
    scores = random.integers(0, 101, (segments, len(names), judges)).tolist()
    rows = [
        f"{segment},{name},j{(segment * 7 + judge) % 40},{score}"
        for segment, of_segment in enumerate(scores, start=1)
        for name, of_system in zip(names, of_segment, strict=True)
        for judge, score in enumerate(of_system)
    ]
    texts = [File(f"{name}.txt", text(*map(str, range(segments))), "system") for name in names]
    data = text("segment,system,judge,score", *rows)
    workspace = within_seconds(5, lambda: assemble([*texts, create_file("r.csv", data, None)]))
    assert workspace.judgments is not None
    assert len(workspace.judgments.rated) == 10**6


def test_a_folder_is_an_archive_under_its_name() -> None:
    inside = [(f"set/{name}", content.encode()) for name, content in ARCHIVE.items()]
    inside.append(("set/.git/HEAD", b"x"))

    def taken(order: int) -> tuple[list[File], list[str]]:
        return from_folders([(name, lambda data=data: data) for name, data in inside[::order]])

    (file,), said = taken(1)
    assert (file.name, file.role, said) == ("set", "archive", [])
    assert [f.digest for f in taken(-1)[0]] == [file.digest]
    workspace = assemble([file])
    assert systems(workspace) == ["S1", "refA"]
    assert problems(workspace) == []


def test_several_folders_are_opened_and_single_files_are_themselves() -> None:
    given = [("b\\x.txt", b"1"), ("./a/y.txt", b"2"), ("en-de.txt", b"3")]
    found, said = from_folders([(name, lambda data=data: data) for name, data in given])
    assert ([file.name for file in found], said) == (["x.txt", "y.txt", "en-de.txt"], [])


def test_a_zip_of_other_files_is_its_files() -> None:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        for engine in ("A", "B"):
            archive.writestr(f"set/{engine}/out.txt", THREE)
            archive.writestr(f"set/{engine}/.hidden", b"x")
        archive.writestr("set/references/x.txt", THREE)
        archive.writestr("set/ratings.csv", text("system,segment,score", "A/out,1,2", "B/out,1,3"))
        archive.writestr("__MACOSX/set/A/out.txt", b"x")
    found = unpacked("set.zip", stream.getvalue(), None)
    assert [(file.name, file.role) for file in found] == [
        ("A/out.txt", "system"),
        ("B/out.txt", "system"),
        ("ratings.csv", "judgments"),
        ("x.txt", "reference"),
    ]
    workspace = assemble(found)
    assert (systems(workspace), problems(workspace)) == (["A/out", "B/out"], [])
    assert workspace.judgments is not None
    assert {file.role for file in unpacked("set.zip", stream.getvalue(), "source")} == {"source"}
    (whole,) = unpacked("a.zip", b"PK\x03\x04 damaged", None)
    assert whole.name == "a.zip"


def test_paths_of_a_folder_that_lead_out_stay_inside() -> None:
    found, _ = from_folders([("set/../../sources/xx-yy.txt", lambda: b"x")])
    assert [file.name for file in found] == ["set"]
    assert list(assemble(found).corpus.systems) == []


# --- whatever a file does, the others are used ------------------------------------------------------------------


@pytest.mark.parametrize(
    ("header", "role", "reason"),
    [
        (("doc", "doc_id"), "documents", "the documents are"),
        (("document", "doc_id"), "documents", "the documents are"),
        (("source", "src"), "source", "the source is"),
    ],
)
def test_of_two_columns_of_one_role_in_a_table_the_first_is_used(
    header: tuple[str, str], role: str, reason: str
) -> None:
    table = text("\t".join((*header, "b")), "d\te\tx y", "d\tf\tx", "d\tg\tz")
    workspace = assemble([*files(*PAIR), create_file("x.tsv", table, None)])
    assert not workspace.problems
    used = f"columns used: {header[0]} ({role}), b (system)"
    assert workspace.entries[-1].warnings == (f"{used}; not used: {header[1]} ({reason} in {header[0]})",)
    assert systems(workspace) == ["a", "b"]
    corpus = workspace.corpus
    assert (corpus.source if role == "source" else corpus.documents) == ("d", "d", "d")


@pytest.mark.parametrize("missing", ["seg_id", "category", "severity"])
def test_error_annotations_that_lack_a_column_are_set_aside(missing: str) -> None:
    row = {"system": "a", "doc": "d", "doc_id": "1", "seg_id": "1", "rater": "r", "source": "x", "target": "y"}
    row |= {"category": "Style", "severity": "Major"}
    names = [name for name in row if name != missing]
    rows = ["\t".join(names), *("\t".join(row[name] for name in names) for _ in range(3))]
    workspace = assemble([*files(*PAIR), create_file("mqm.tsv", text(*rows), None)])
    assert [entry.file.name for entry in workspace.problems] == ["mqm.tsv"]
    assert systems(workspace) == ["a"]


def test_a_table_that_repeats_the_source_and_the_documents_keeps_its_other_columns() -> None:
    one = text("source\tdoc\ta", "u\td\tx", "v\td\ty", "w\te\tz")
    two = text("src\tdocument\tb", "u\td\tx x", "v\td\ty y", "w\te\tz z")
    other = text("source\tdoc\tc", "u\td\tx", "v\td\ty", "w\tf\tz")
    workspace = assemble(files(("one.tsv", one, "system"), ("two.tsv", two, "system"), ("other.tsv", other, "system")))
    assert systems(workspace) == ["a", "b"]
    assert workspace.corpus.source == ("u", "v", "w")
    assert problems(workspace) == [
        "other.tsv: its document ids differ from those in one.tsv (first in segment 3); remove one of the two"
    ]


ERRORS = [KeyError("x"), MemoryError(), RecursionError("deep"), UnicodeEncodeError("utf-8", "\ud800", 0, 1, "no")]


@pytest.mark.parametrize("error", ERRORS, ids=lambda error: type(error).__name__)
@pytest.mark.parametrize("name", ["a.txt", "bad.txt"])
def test_an_unexpected_error_while_a_file_is_read_sets_it_aside_and_is_logged(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, name: str, error: Exception
) -> None:
    def failing(data: bytes, of: str, *arguments: Any, **options: Any) -> Any:
        if of == name:
            raise error
        return read(data, of, *arguments, **options)

    monkeypatch.setattr(bleu_core.uploads.files, "read", failing)
    given = files(("a.txt", THREE, "system"), ("bad.txt", text("x", "y", "z"), "system"), ("r.txt", THREE, "reference"))
    workspace = assemble(given)
    kind = type(error).__name__
    why = f"because of an unexpected error ({kind}) while reading it; please report it with the file"
    assert problems(workspace) == [f"{name}: cannot be used {why}"]
    assert len(systems(workspace)) == 1
    assert [record.exc_info[1] for record in caplog.records if record.exc_info] == [error]
    caplog.clear()


@pytest.mark.parametrize("culprits", [{"s0"}, {"s7"}, {"s2", "s5", "s6"}])
def test_files_that_make_the_others_fail_are_found_in_few_attempts_and_set_aside(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, culprits: set[str]
) -> None:
    attempts = 0

    def failing(corpus: Corpus) -> Any:
        nonlocal attempts
        attempts += 1
        if culprits & set(corpus.systems):
            raise KeyError("x")
        return identical_texts(corpus)

    monkeypatch.setattr(bleu_core.uploads.files, "identical_texts", failing)
    workspace = assemble([File(f"s{k}.txt", text("a", str(k)), "system") for k in range(8)])
    assert [entry.file.stem for entry in workspace.problems] == sorted(culprits)
    sentence = "cannot be used because of an unexpected error (KeyError) while combining it with the other files"
    assert all(sentence in entry.problem for entry in workspace.problems)
    assert systems(workspace) == [f"s{k}" for k in range(8) if f"s{k}" not in culprits]
    assert attempts <= 1 + 4 * len(culprits)  # at first, and then log2(8) + 1 for each
    caplog.clear()


def test_of_two_files_that_fail_together_the_later_is_set_aside(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def failing(corpus: Corpus) -> Any:
        if {"s1", "s3"} <= set(corpus.systems):
            raise AlignmentError("s1 and s3 do not go together")
        return identical_texts(corpus)

    monkeypatch.setattr(bleu_core.uploads.files, "identical_texts", failing)
    workspace = assemble([File(f"s{k}.txt", text("a", str(k)), "system") for k in range(5)])
    assert [(entry.file.stem, entry.problem) for entry in workspace.problems] == [
        ("s3", "s1 and s3 do not go together")
    ]
    assert not caplog.records


def test_the_file_that_fails_with_shared_segments_is_set_aside(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    aligned = bleu_core.uploads.files.fit

    def failing(parts: Sequence[FilePart], *, shared_segments: bool, **options: Any) -> Any:
        if shared_segments and any(part.name == "s1.txt" for part in parts):
            raise KeyError("x")
        return aligned(parts, shared_segments=shared_segments, **options)

    monkeypatch.setattr(bleu_core.uploads.files, "fit", failing)
    files = [File(f"s{k}.txt", text("a", str(k)), "system") for k in range(4)]
    workspace = assemble(files, shared_segments=True)
    assert [entry.file.stem for entry in workspace.problems] == ["s1"]
    caplog.clear()


@pytest.mark.parametrize(
    ("module", "step"), [(bleu_core.uploads.files, "inspect"), (bleu_core.collection.sources, "pack_files")]
)
def test_an_unexpected_error_while_files_are_taken_in_is_no_end(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, module: ModuleType, step: str
) -> None:
    def failing(*arguments: Any, **options: Any) -> Any:
        raise RecursionError(arguments, options)

    monkeypatch.setattr(module, step, failing)
    assert create_file("x.txt", THREE, None).role == "system"
    found, said = from_folders([("set/x.txt", lambda: b"x")])
    if step == "inspect":
        assert ([file.name for file in found], said) == (["x.txt"], [])
    else:
        assert found == []
        assert said[0].startswith(
            "set: cannot be used because of an unexpected error (RecursionError) while opening it;"
        )
    assert caplog.records
    caplog.clear()


def test_a_name_that_no_page_can_show_is_replaced() -> None:
    assert create_file("a\udcffb.txt", THREE, "system").name == "a?b.txt"


def test_files_after_too_many_segments_are_not_read(monkeypatch: pytest.MonkeyPatch) -> None:
    data = b"\n" * 1000
    given = [create_file(f"{name}.txt", data, "system" if n else "reference") for n, name in enumerate("RABCD")]
    read_files: list[str] = []
    of = File.read

    def recorded(file: File, *arguments: Any, **options: Any) -> Any:
        read_files.append(file.name)
        return of(file, *arguments, **options)

    monkeypatch.setattr(File, "read", recorded)
    found = assemble(given, Limits(segments=2500))
    assert set(read_files) == {"R.txt", "A.txt", "B.txt"}
    assert list(found.corpus.systems) == ["A", "B"]
    assert [entry.problem for entry in found.entries[3:]] == [
        f"{name}.txt: not read, after files with many segments: 3,000 segments found, at most 2,500 allowed; to allow "
        "more, start with --limit segments=3000"
        for name in "CD"
    ]
    read_files.clear()
    assert len(parts_of([entry.file for entry in found.entries], Limits(segments=2500))) == 3
    assert not {"C.txt", "D.txt"} & set(read_files)


def test_systems_and_references_beyond_the_limits_are_set_aside_and_the_rest_is_used() -> None:
    table = text("c\td", *(f"x {n}\ty {n}" for n in range(3)))
    given = files(*PAIR, ("b.txt", text(*"xyz"), "system"), ("t.tsv", table, "system"), ("e.txt", THREE, "system"))
    more = File("q.txt", THREE, "reference")
    workspace = assemble([*given, more], replace(DEFAULT_LIMITS, systems=3, references=1))
    assert systems(workspace) == ["a", "b", "e"]
    assert list(workspace.corpus.references) == ["r"]
    systems_refused, references_refused = problems(workspace)
    assert systems_refused.startswith("t.tsv, with the files before it: 4 systems found, at most 3 allowed;")
    assert references_refused.startswith("q.txt, with the files before it: 2 references found, at most 1 allowed;")


def test_of_hundreds_of_equal_texts_each_is_compared_with_the_first_only() -> None:
    given = [File(f"s{k}.txt", THREE, "system") for k in range(300)]
    workspace = assemble([*given, *(File(f"r{k}.txt", THREE, "reference") for k in range(4))])
    assert len(workspace.identical) == 300 * 4 + 299
    assert workspace.entries[299].warnings[-1] == "s299 is identical to the system s0"


def test_of_many_warnings_the_first_are_kept_and_the_others_counted() -> None:
    copies = text("\t".join(f"b{k}" for k in range(71)), *("\t".join([f"{line} {line}"] * 71) for line in "xyz"))
    workspace = assemble(files(*PAIR, ("t.tsv", copies, "system")))
    assert len(workspace.entries[-1].warnings) == 51
    assert workspace.entries[-1].warnings[-1] == "21 more warnings like these"


def test_problems_and_warnings_are_of_bounded_length_whatever_names_they_quote() -> None:
    ratings = text("segment,system,score", *(f"1,{'s' * 400}{k},3" for k in range(20)))
    workspace = assemble(files(*PAIR, ("h.csv", ratings, "judgments")))
    (problem,) = problems(workspace)
    assert len(problem) <= 1000
    assert problem.endswith("but the systems loaded are a")


def test_a_file_that_was_never_read_can_be_replaced() -> None:
    first, second = (create_file("h.csv", f"system,score\nA,{score}\n".encode(), None) for score in (1, 2))
    workspace = assemble([replace(first, human=True).replaced_by(second)])
    assert workspace.judgments is not None
    assert workspace.judgments.system_means() == {"A": 2.0}


RATED = b"segment,system,score\n1,a,1\n2,a,2\n1,b,3\n2,b,4\n"
SCORED = b"system,metric,score\na,Mine,1\nb,Mine,2\n"


def renamed(to: str, ratings: bytes = RATED) -> Workspace:
    first, *others = files(
        ("a.txt", text("u", "v", "w"), "system"),
        ("b.txt", text("x", "y", "z"), "system"),
        ("r.txt", THREE, "reference"),
        ("human.csv", ratings, "judgments"),
        ("mine.csv", SCORED, "scores"),
    )
    return assemble([replace(first, renamed=to), *others])


def test_a_renamed_system_keeps_its_ratings_and_scores() -> None:
    workspace = renamed("ours")
    assert workspace.judgments is not None
    assert sorted(workspace.judgments.systems) == ["b", "ours"]
    assert len(workspace.judgments.rated) == 4
    assert [sorted(table.systems) for table in workspace.scores] == [["b", "ours"]]
    assert warnings(workspace) == []


def test_ratings_of_the_new_name_are_those_of_the_renamed_system() -> None:
    workspace = renamed("ours", RATED + b"3,ours,5\n")
    assert workspace.judgments is not None
    rated = workspace.judgments.rated
    assert rated.loc[rated["system"] == "ours", "score"].tolist() == [5]
    assert any("2 rows not used" in warning for warning in warnings(workspace))


def test_an_xliff_per_engine_with_the_same_source_makes_one_comparison() -> None:
    ending, write = BILINGUAL["XLIFF 1.2"]
    given = {"ref": ("one", "two"), "A": ("one", "to"), "B": ("won", "two")}
    arrived = [
        create_file(f"{name}{ending}", write(("uno", "dos"), texts).encode(), None) for name, texts in given.items()
    ]
    assert [file.role for file in arrived] == ["reference", "system", "system"]
    workspace = assemble(arrived)
    assert problems(workspace) == []
    assert dict(workspace.corpus.systems) == {name: given[name] for name in "AB"}
    assert (dict(workspace.corpus.references), workspace.corpus.source) == ({"ref": given["ref"]}, ("uno", "dos"))
    assert warnings(workspace) == []
    assert workspace.entries[1].notes == (
        "the source is already loaded from ref.xlf; the identical copy in A.xlf is ignored",
    )


def test_a_test_set_in_xml_is_read_whole_and_one_of_its_test_sets_can_be_chosen() -> None:
    one, other = (wmt_xml(("uno",), {"R": ("one",)}, {name: ("won",)}) for name in "AB")
    both = (
        (one + other)
        .replace('<dataset id="t">', "<collection id='x'>", 1)
        .replace("</dataset>\n", "</collection>\n", 1)
    )
    both = both.replace('<dataset id="t">', "<collection id='y'>").replace("</dataset>", "</collection>")
    data = f"<dataset id='t'>{both}</dataset>".encode()
    file = create_file("t.xml", data, None)
    assert (file.role, assemble([file]).corpus.segments) == ("archive", 2)
    chosen = assemble([replace(file, own={"testset": "y"})])
    assert (systems(chosen), chosen.corpus.segments) == (["B"], 1)
    assert problems(assemble([replace(file, pair="a-b")])) == ["t.xml: no language pair 'a-b'; choose one of de-en"]


def test_a_repaired_file_fits_and_its_missing_segments_are_known() -> None:
    short = File("b.txt", text("a b", "e f"), "system", repairs=(LineRepair("missing", 2, 1),))
    found = assemble([*files(*PAIR), short])
    assert not problems(found)
    assert found.corpus.systems["b"] == ("a b", "", "e f")
    assert found.absent == (2,)
    assert [entry.file.name for entry in found.repaired] == ["b.txt"]
    assert found.entries[2].report is not None
    assert found.entries[2].report.segments == 3
    assert found.digest != assemble([*files(*PAIR), replace(short, repairs=())]).digest


def test_a_missing_line_and_an_empty_one_are_different_data() -> None:
    missing = File("b.txt", text("a b", "e f"), "system", repairs=(LineRepair("missing", 2, 1),))
    lacking, empty = (assemble([*files(*PAIR), b]) for b in (missing, File("b.txt", text("a b", "", "e f"), "system")))
    assert lacking.corpus.digest == empty.corpus.digest
    assert lacking.digest != empty.digest


def test_repairs_of_lines_that_a_file_does_not_have_are_refused() -> None:
    other = File("b.txt", text("a b", "e f"), "system", repairs=(LineRepair("missing", 9, 1),))
    (problem,) = problems(assemble([*files(*PAIR), other]))
    assert problem.startswith("b.txt: its lines cannot be repaired: line 9: the text ends before this repair")
    assert problem.endswith("undo the repairs")


@pytest.mark.parametrize(("lines", "why"), [(1001, "1,001 segments added to 2 lines"), (20_000_000, "lines=20000002")])
@pytest.mark.parametrize("kind", ["missing", "joined"])
def test_repairs_that_add_many_segments_are_refused_before_they_are_made(
    kind: RepairKind, lines: int, why: str
) -> None:
    many = File("b.txt", text("a b", "e f"), "system", repairs=(LineRepair(kind, 1, lines + (kind == "joined")),))
    tracemalloc.start()
    try:
        (problem,) = problems(assemble([*files(*PAIR), many]))
        assert tracemalloc.get_traced_memory()[1] < 2**20
    finally:
        tracemalloc.stop()
    assert problem.startswith("b.txt: ")
    assert why in problem


def test_other_bytes_are_not_repaired_as_those_before_them() -> None:
    short = File("b.txt", text("a b", "e f"), "system", repairs=(LineRepair("missing", 2, 1),))
    assert short.replaced_by(File("b.txt", THREE, "system")).repairs == ()


def test_which_sheet_is_read_is_a_note_and_no_warning() -> None:
    book = workbook([["source", "A"], ["uno", "one"]], [["x", "y"]])
    (entry,) = assemble([create_file("a.xlsx", book, "system")]).entries
    assert entry.notes == ("sheet Sheet1 read; other sheets: Sheet2",)
    assert entry.warnings == ()
