"""What a file is taken for, and the report of what was found in it."""

from __future__ import annotations

import codecs
import io
import subprocess
import sys
import zipfile

import pytest

from bleu_core.dataset import UnusedRows
from bleu_core.errors import FormatError, SettingsError
from bleu_core.formats import FORMATS, FileReport, FileRole, MqmWeights, formats_of, read, recognise

TEXT = b"the cat sat\non the mat\n"
DOCUMENTS = b"d1\nd1\nd1\nd2\nd2\n"


@pytest.mark.parametrize(
    ("data", "name", "role"),
    [
        (TEXT, "Online-A.txt", "system"),
        (TEXT, "A", "system"),
        (TEXT, "refined.txt", "system"),
        (TEXT, "preferred.txt", "system"),
        (TEXT, "documentary-mt.txt", "system"),
        (TEXT, "opensource.txt", "system"),
        (TEXT, "ref.txt", "reference"),
        (TEXT, "ref.A.txt", "reference"),
        (TEXT, "refA.txt", "reference"),
        (TEXT, "ref1.txt", "reference"),
        (TEXT, "newstest2020-ref.en.txt", "reference"),
        (TEXT, "REFERENCES.txt", "reference"),
        (TEXT, "synthetic_ref.txt", "reference"),
        (TEXT, "Human reference.txt", "reference"),
        (TEXT, "reference 2.txt", "reference"),
        (TEXT, "my source.txt", "source"),
        (TEXT, "source.txt", "source"),
        (TEXT, "newstest2020-src.de.txt", "source"),
        (TEXT, "docs.txt", "document"),
        (TEXT, "en-de.docs", "system"),
        (DOCUMENTS, "en-de.txt", "document"),
        (DOCUMENTS, "Online-A.txt", "document"),
        (b"yes\nno\nyes\nno\n", "A.txt", "system"),
        (b"d1\nd1\n", "A.txt", "system"),
        (b"a\nb\nc\nd\n", "A.txt", "system"),
        (b"segment,system,score\n1,A,2\n", "ref.csv", "judgments"),
        (b"system\tscore\nA\t2\n", "A.txt", "judgments"),
        (codecs.BOM_UTF8 + b"system,score\r\nA,2\r\n", "A.csv", "judgments"),
    ],
)
def test_a_file_is_recognised_by_content_and_name(data: bytes, name: str, role: FileRole) -> None:
    assert recognise(data, name) == role


def test_a_file_that_cannot_be_read_is_not_guessed_at() -> None:
    with pytest.raises(FormatError, match=r"a\.txt, line 1"):
        recognise(b"\xff\xff", "a.txt")
    with pytest.raises(SettingsError, match="unknown encoding"):
        recognise(b"a", "a.txt", "no-such")


def test_a_plain_file_is_a_column_of_its_stem() -> None:
    contents = read(codecs.BOM_UTF8 + b"the cat\r\n\r\n  \r\n", "dir/Online-A.v2.txt", "system")
    (column,) = contents.columns
    assert (column.name, column.origin, column.segments) == (
        "Online-A.v2",
        "dir/Online-A.v2.txt",
        ("the cat", "", "  "),
    )
    assert contents.judgments is None
    assert contents.report == FileReport(
        name="dir/Online-A.v2.txt",
        role="system",
        segments=3,
        empty_segments=2,
        tokens=2,
        encoding="UTF-8",
        repairs=("byte order mark removed", "3 Windows line ends (CRLF) read as LF"),
        format="text, one segment per line",
    )


def test_a_table_is_columns() -> None:
    contents = read(
        b"ref_1\tref_2\r\nthe cat\t\r\nit is\tthis is it\r\n", "refs.tsv", "reference", own={"header": "yes"}
    )
    assert [column.name for column in contents.columns] == ["ref_1", "ref_2"]
    report = contents.report
    assert (report.segments, report.empty_segments, report.tokens) == (2, 1, 7)
    assert report.repairs == ("3 Windows line ends (CRLF) read as LF",)


def test_judgments_are_counted() -> None:
    data = b"segment,system,judge,score\n1,A,x,1\n1,B,x,2\n2,A,x,\n3,A,x,4\n"
    contents = read(data, "h.csv", "judgments")
    assert contents.columns == ()
    assert contents.judgments is not None
    assert contents.report == FileReport(
        name="h.csv",
        role="judgments",
        segments=2,
        empty_segments=0,
        tokens=0,
        encoding="UTF-8",
        repairs=(),
        ratings=3,
        format="ratings, one per row",
        unused_rows=(UnusedRows("no score", 1, 4, "h.csv"),),
    )


def test_system_level_judgments_are_of_no_segment() -> None:
    assert read(b"system,score\nA,1\n", "h.csv", "judgments").report.segments == 0


def test_judgments_need_no_suffix() -> None:
    assert read(b"system\tscore\nA\t1\n", "h.txt", "judgments").report.ratings == 1


def test_segments_that_count_from_0_are_shifted() -> None:
    contents = read(b"segment,system,score\n0,A,1\n", "h.csv", "judgments", first_segment=0)
    assert contents.judgments is not None
    assert contents.judgments.table["segment"].tolist() == [1]


def test_the_encoding_that_was_named_is_reported() -> None:
    contents = read("caf\u00e9\n".encode("latin-1"), "a.txt", "system", encoding="latin-1")
    assert contents.report.encoding == "latin-1"
    assert contents.columns[0].segments == ("caf\u00e9",)


MQM = b"system\tdoc\tdoc_id\tseg_id\trater\tsource\ttarget\tcategory\tseverity\nA\td\t1\t1\tr\ts\tt\tStyle\tMajor\n"
APPRAISE = b"u1,A,3,TGT,eng,deu,55\r\nu1,B,4,TGT,eng,deu,60\r\n"
CROWD = b"HITId WorkerId sys_id type sid score\nh\tw\tA.1\tSYSTEM\t3\t0.5\n"
ESA = b'{"langs":"en-cs","line_id":2,"doc_id":"d","esa_score":"70","system":"A","annotator":"x"}\n'
LONG = b"metric,system,segment,score\nCOMET,A,1,0.5\n"


@pytest.mark.parametrize(
    ("data", "name", "role", "said"),
    [
        (MQM, "a.csv", "judgments", "Google MQM (TSV)"),
        (b"system mqm_avg_score seg_id\nA\t-1 3\n", "a", "judgments", "Google MQM averages (TSV)"),
        (APPRAISE, "ref.txt", "judgments", "Appraise (CSV), direct assessment"),
        (CROWD, "a.csv", "judgments", "WMT crowd DA, ratings"),
        (b"SYS SID RAW.SCR Z.SCR N \nA.1 3 70 0.5 1 \n", "a.csv", "judgments", "WMT crowd DA, averages"),
        (ESA, "a.txt", "judgments", "ESA (JSONL), en-cs"),
        (LONG, "a.csv", "scores", "metric scores, one per row"),
        (b"A\t0.5\nB\tNone\n", "BLEU-refA.sys.score", "scores", "mt-metrics-eval scores"),
        (b"A 0.5\nB 0.25\n", "mine.txt", "scores", "mt-metrics-eval scores"),
        (b"A\t0.5\nA\tNone\n", "en-de.mqm.seg.score", "judgments", "mt-metrics-eval scores"),
        (b"A\t0.5\n", "en-zh_TW.mqm.sys.score", "judgments", "mt-metrics-eval scores"),
    ],
)
def test_judgments_and_scores_are_recognised_by_content(data: bytes, name: str, role: FileRole, said: str) -> None:
    assert recognise(data, name) == role
    report = read(data, name, role).report
    assert (report.role, report.format, report.ratings) == (role, said, 1 + (b"u1,B" in data or b"B 0.25" in data))


@pytest.mark.parametrize(
    ("data", "name"),
    [
        (b"chapter 5\n", "A.txt"),
        (b"chapter 5\nthe end\n", "A.txt"),
        (b"1 2\n3 4\n", "A.txt"),
        (b"news\t10\nnews\t10\n", "en-de.docs"),
        (b'{"text": "a cat"}\n', "A.txt"),
        (b'{"system": \n', "A.txt"),
        (b"one,two,three,TGT,five,six,seven\n", "A.txt"),
        (b"system rater category severity seg_id\n", "A.txt"),
    ],
)
def test_texts_that_resemble_judgments_stay_texts(data: bytes, name: str) -> None:
    assert recognise(data, name) == "system"


def test_a_guess_can_be_overruled() -> None:
    data = b"system,segment,score\nA,1,0.5\n"
    assert recognise(data, "COMET.csv") == "judgments"
    (table,) = read(data, "COMET.csv", "scores").scores
    assert (table.name, table.systems, table.scores.tolist()) == ("COMET", ("A",), [[0.5]])
    with pytest.raises(FormatError, match=r"^a\.csv, line 1: 2 cells found, 7 to 12 expected"):
        read(b"system,score\nA,1\n", "a.csv", "judgments", format="appraise")


def test_a_format_of_another_role_is_refused_with_those_that_fit() -> None:
    with pytest.raises(
        SettingsError, match=r"format 'mqm' found, one of these expected for the role scores: scores, eval-scores, "
    ):
        read(LONG, "a.csv", "scores", format="mqm")
    with pytest.raises(SettingsError, match=r"one of these expected for the role system: text, table"):
        read(TEXT, "a.txt", "system", format="mqm")


def test_every_format_has_a_role() -> None:
    roles: tuple[FileRole, ...] = (
        "system",
        "reference",
        "source",
        "document",
        "judgments",
        "scores",
        "labels",
        "archive",
    )
    assert {kind for role in roles for kind in formats_of(role)} == set(FORMATS)


def test_weights_reach_the_reader() -> None:
    contents = read(MQM, "a.tsv", "judgments", weights=MqmWeights(major=7))
    assert contents.judgments is not None
    assert dict(contents.judgments.system_means()) == {"A": -7.0}
    assert contents.report.weights == MqmWeights(major=7)
    assert read(ESA, "a.jsonl", "judgments", weights=MqmWeights(major=7)).report.weights is None
    assert read(APPRAISE, "a.csv", "judgments", weights=MqmWeights(major=7)).report.weights is None
    spans = b'"[{""severity"": ""major""}]"'
    campaign = b"u1,A,1,TGT,eng,deu,%d,d,False," + spans + b",1.0,2.0\r\n"
    for score, weights in ((0, MqmWeights(major=7)), (70, None)):  # of MQM, and of ESA
        assert read(campaign % score, "a.csv", "judgments", weights=MqmWeights(major=7)).report.weights == weights


@pytest.mark.parametrize(("chosen", "lower"), [(None, ["TER"]), ((), []), (("COMET", "gone"), ["COMET"])])
def test_which_metrics_are_better_when_lower_is_guessed_unless_said(
    chosen: tuple[str, ...] | None, lower: list[str]
) -> None:
    data = b"metric,system,score\nTER,A,60\nCOMET,A,1\n"
    contents = read(data, "a.csv", "scores", lower_is_better=chosen)
    assert [table.name for table in contents.scores if not table.higher_is_better] == lower
    guess = ("TER: lower is assumed to be better because of the name",) if chosen is None else ()
    assert contents.report.notes == guess


def test_scores_are_counted() -> None:
    report = read(b"A\t1\nA\tNone\nB\t3\nB\t4\n", "m.seg.score", "scores").report
    assert (report.segments, report.ratings) == (2, 3)


LONG_ROW = b"u1,A,3,TGT,eng,deu,55,%s,False,1,2\r\n" % (b"d" * 200_000)
OTHER_FIRST = (
    "import sys; from bleu_core.formats import read, recognise; "
    "first = sys.argv[1] == 'first' and read(b'system,score\\nA,1\\n', 'a.csv', 'judgments'); "
    "print(recognise(sys.stdin.buffer.read(), 'b.csv'))"
)


@pytest.mark.parametrize("order", ["first", "never"])
def test_recognition_does_not_depend_on_what_was_read_before(order: str) -> None:
    """In a process of its own: the csv module has one limit on the length of cells for all."""
    found = subprocess.run([sys.executable, "-c", OTHER_FIRST, order], input=LONG_ROW, capture_output=True, check=True)
    assert found.stdout.strip() == b"judgments"


def test_names_that_are_no_text_are_written_with_escapes() -> None:
    contents = read(b"a b\n", "S\udcff.txt", "system")
    assert (contents.report.name, contents.columns[0].name) == ("S\\udcff.txt", "S\\udcff")
    assert read(b"system,score\nA,1\n", "h\udcff.csv", "judgments").report.name == "h\\udcff.csv"


@pytest.mark.parametrize("role", ["system", "reference", "judgments", "scores"])
def test_a_zip_is_no_text(role: FileRole) -> None:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        archive.writestr("a.txt", "a\n")
    with pytest.raises(
        FormatError, match=r"^a\.txt: zip file found, text expected; unpack it, or load it as an archive"
    ):
        read(stream.getvalue(), "a.txt", role)


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("en-de.mqm.seg.score", b"A\t-1\nA\t-2\n"),
        ("x.avg_seg_scores.tsv", b"system mqm_avg_score seg_id\nA -1.5 1\n"),
        ("ad-seg-scores.csv", b"SYS SID RAW.SCR Z.SCR N\nA.1 1 70 0.5 3\n"),
        ("h.csv", b"segment,system,score\n1,A,3\n"),
    ],
)
def test_ratings_of_files_that_name_no_judge_have_no_named_judge(name: str, data: bytes) -> None:
    found = read(data, name, "judgments").judgments
    assert found is not None
    assert not found.named
    assert bool(found.averages) is (name != "h.csv")
