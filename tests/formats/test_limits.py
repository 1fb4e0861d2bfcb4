"""Files that hold more than the limits allow are refused in a sentence, before the work on them begins."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from timed import within_seconds

from bleu_core.formats import FileRole, delimited, read, recognise
from bleu_core.formats.text import Text, decode
from bleu_core.limits import LimitError, Limits

#: Seconds of processor time to refuse a file; most take hundredths.
SOON = 1.0
RATINGS = "".join(f"S{n % 3},{n + 1},j{n % 4},g{n % 5},{n}\n" for n in range(60))
TABLE = f"system,segment,judge,group,score\n{RATINGS}".encode()
SCORES = b"metric,system,segment,score\n" + b"".join(b"M%d,S%d,1,0.5\n" % (n % 4, n // 4) for n in range(12))
MQM = b"system\tdoc\tseg_id\trater\tcategory\tseverity\n" + b"".join(
    b"S%d\td\t1\tr%d\tc\ts\n" % (n, n) for n in range(3)
)
CROWD = b"HITId WorkerId sys_id type sid score\nh\tw\tA.1\tSYSTEM\t3\t0.5\nh\tv\tB.1\tSYSTEM\t3\t0.5\n"
APPRAISE = b"u1,A,3,TGT,eng,deu,55\r\nu2,B,4,TGT,eng,deu,60\r\n"
ESA = b'{"system":"A","line_id":1,"esa_score":1,"annotator":"x"}\n{"system":"B","line_id":1,"esa_score":1}\n'
EVAL_RATINGS = b'A\t{"errors": []}\nB\tNone\n'
TEXTS = b"src,mt,COMET,BLEURT\na,b,0.5,0.7\n"
COMET = b'{"A.txt":[{"src":"a","mt":"b","COMET":1},{"src":"a","mt":"b","COMET":1}]}'
SACREBLEU = b'[{"system":"A","BLEU":"1.0"},{"system":"B","BLEU":"1.0"}]'
WMT_SCORES = b'{"document_id":"d","metric_scores":{"M":[1],"N":[2]}}\n'


@pytest.mark.parametrize(
    ("limits", "data", "message"),
    [
        (Limits(file_bytes=9), b"0123456789", "a.txt: 10 bytes found, at most 9 allowed"),
        (Limits(lines=2), b"a\nb\nc", "a.txt: 3 lines found, at most 2 allowed"),
        (Limits(lines=2), b"a\nb\nc\n", "a.txt: 3 lines found, at most 2 allowed"),
        (Limits(lines=2), b"a\rb\rc\n", "a.txt: 3 lines found, at most 2 allowed"),
        (Limits(line_length=3), b"0123\n", "a.txt, line 1: 4 characters found, at most 3 allowed"),
        (Limits(line_length=3), b"012\n\n1\n012\n01234\n0\n", "a.txt, line 5: 5 characters found, at most 3 allowed"),
        (Limits(line_length=3), b"0\n0123", "a.txt, line 2: 4 characters found, at most 3 allowed"),
    ],
)
def test_texts_that_are_too_large_are_refused(limits: Limits, data: bytes, message: str) -> None:
    for call in (decode, recognise):
        with pytest.raises(LimitError) as error:
            call(data, "a.txt", limits=limits)
        assert str(error.value).startswith(message)
        assert "start with --limit" in str(error.value)


@pytest.mark.parametrize("data", [b"012\n012\n\n012", b"012", b"", b"\n\n\n", "äöü\n".encode(), b"01\r\n"])
def test_texts_within_the_limits_are_read(data: bytes) -> None:
    limits = Limits(file_bytes=12, lines=4, line_length=3)
    assert decode(data, "a.txt", limits=limits).content == data.decode()


@pytest.mark.parametrize(
    ("limits", "data", "name", "role", "message"),
    [
        (Limits(columns=4), TABLE, "h.csv", "judgments", "h.csv, line 1: 5 columns found, at most 4 allowed"),
        (Limits(systems=1), b"A,B\nx y,y\n", "t.csv", "system", "t.csv: 2 systems found, at most 1 allowed"),
        (
            Limits(references=1),
            b"refA,refB\nx y,y\n",
            "t.csv",
            "reference",
            "t.csv: 2 references found, at most 1 allowed",
        ),
        (Limits(systems=2), TABLE, "h.csv", "judgments", "h.csv: 3 systems found, at most 2 allowed"),
        (Limits(judges=3), TABLE, "h.csv", "judgments", "h.csv: 4 judges found, at most 3 allowed"),
        (Limits(groups=4), TABLE, "h.csv", "judgments", "h.csv: 5 groups of judges found, at most 4 allowed"),
        (Limits(systems=2), SCORES, "m.csv", "scores", "m.csv: 3 systems found, at most 2 allowed"),
        (Limits(metrics=3), SCORES, "m.csv", "scores", "m.csv: 4 metrics found, at most 3 allowed"),
        (Limits(columns=3), SCORES, "m.csv", "scores", "m.csv, line 1: 4 columns found, at most 3 allowed"),
        (Limits(systems=1), b"A 1\nB 1\n", "x.sys.score", "scores", "x.sys.score: 2 systems found, at most 1"),
        (Limits(metrics=1), b"d A 1\ne A 1\n", "x.score", "scores", "x.score: 2 metrics found, at most 1"),
        (Limits(systems=1), b"A 1\nB 1\n", "en-de.mqm.sys.score", "judgments", "en-de.mqm.sys.score: 2 systems found"),
        (Limits(columns=5), MQM, "m.tsv", "judgments", "m.tsv, line 1: 6 columns found, at most 5 allowed"),
        (Limits(systems=2), MQM, "m.tsv", "judgments", "m.tsv: 3 systems found, at most 2 allowed"),
        (Limits(judges=2), MQM, "m.tsv", "judgments", "m.tsv: 3 judges found, at most 2 allowed"),
        (Limits(systems=1), b"system mqm_avg_score seg_id\nA\t1 1\nB\t1 1\n", "a", "judgments", "a: 2 systems found"),
        (Limits(columns=5), CROWD, "c.csv", "judgments", "c.csv, line 1: 6 columns found, at most 5 allowed"),
        (Limits(judges=1), CROWD, "c.csv", "judgments", "c.csv: 2 judges found, at most 1 allowed"),
        (Limits(systems=1), b"SYS SID RAW.SCR Z.SCR N\nA 1 1 1 1\nB 1 1 1 1\n", "c", "judgments", "c: 2 systems found"),
        (Limits(columns=6), APPRAISE, "a.csv", "judgments", "a.csv, line 1: 7 columns found, at most 6 allowed"),
        (Limits(judges=1), APPRAISE, "a.csv", "judgments", "a.csv: 2 judges found, at most 1 allowed"),
        (Limits(systems=1), ESA, "e.jsonl", "judgments", "e.jsonl: 2 systems found, at most 1 allowed"),
        (Limits(judges=1), ESA, "e.jsonl", "judgments", "e.jsonl: 2 judges found, at most 1 allowed"),
        (Limits(systems=1), EVAL_RATINGS, "r", "judgments", "r: 2 systems found, at most 1 allowed"),
        (Limits(metrics=1), TEXTS, "t.csv", "scores", "t.csv: 2 metrics found, at most 1 allowed"),
        (Limits(lines=1), COMET, "c.json", "scores", "c.json, segments of A: 2 lines found, at most 1 allowed"),
        (Limits(systems=1), SACREBLEU, "s.json", "scores", "s.json: 2 systems found, at most 1 allowed"),
        (Limits(metrics=1), WMT_SCORES, "w.jsonl", "scores", "w.jsonl: 2 metrics found, at most 1 allowed"),
    ],
)
@pytest.mark.parametrize("large", [False, True])
def test_tables_of_too_much_are_refused(  # noqa: PLR0917 # of one parametrisation
    monkeypatch: pytest.MonkeyPatch,
    limits: Limits,
    data: bytes,
    name: str,
    role: FileRole,
    message: str,
    large: bool,  # noqa: FBT001
) -> None:
    if large:  # read by pandas
        monkeypatch.setattr(delimited, "MIN_PANDAS_CHARS", 0)
    assert read(data, name, role).report.role == role
    with pytest.raises(LimitError) as error:
        read(data, name, role, limits=limits)
    assert str(error.value).startswith(message)


JSON = b'{"A":"x y"}\n{"A":"z"}\n'
SGML = b'<srcset a="1"><doc docid="1"><seg id="1">x</seg></doc><DOC docid="2"><seg id=1>y</seg></DOC></srcset>'
WMT = b"".join(b"<doc id='%d'><src><seg id='1'>x</seg></src></doc>" % n for n in range(2))


@pytest.mark.parametrize(
    ("limits", "data", "name", "role", "message"),
    [
        (Limits(json_bytes=21), JSON, "a.jsonl", "system", "a.jsonl: 22 bytes of JSON found, at most 21 allowed"),
        (Limits(json_bytes=97), ESA, "a.jsonl", "judgments", "a.jsonl: 98 bytes of JSON found, at most 97 allowed"),
        (Limits(objects=1), JSON, "a.jsonl", "system", "a.jsonl: 2 objects found, at most 1 allowed"),
        (Limits(cells=2), JSON, "a.jsonl", "system", "a.jsonl: 3 cells found, at most 2 allowed"),
        (Limits(table_bytes=3), JSON, "a.jsonl", "system", "a.jsonl: 4 bytes in the table found, at most 3 allowed"),
        (Limits(ratings=59), TABLE, "h.csv", "judgments", "h.csv: 60 lines of ratings found, at most 59 allowed"),
        (Limits(scores=11), SCORES, "m.csv", "scores", "m.csv: 12 lines of scores or labels found, at most 11"),
        (Limits(scores=1), b"segment,x\n1,a\n2,b\n", "l.csv", "labels", "l.csv: 2 lines of scores or labels found, at"),
        (Limits(documents=1), SGML, "a.sgm", "source", "a.sgm: 2 documents found, at most 1 allowed"),
        (Limits(elements=3), SGML, "a.sgm", "source", "a.sgm, segments and documents: 4 elements found, at most 3"),
        (
            Limits(documents=1),
            b"<dataset id='x'>%s</dataset>" % WMT,
            "a.xml",
            "source",
            "a.xml: 2 documents found, at most 1 allowed",
        ),
    ],
)
def test_each_kind_of_file_has_a_bound_for_what_takes_its_reader_long(
    limits: Limits, data: bytes, name: str, role: FileRole, message: str
) -> None:
    assert read(data, name, role).report.role == role
    with pytest.raises(LimitError) as error:
        read(data, name, role, limits=limits)
    assert str(error.value).startswith(message)


def test_cells_of_json_lines_are_counted_by_the_first_line() -> None:
    lines = b'{"A":"x","B":"y"}\n' + b"no object\n" * 9
    with pytest.raises(LimitError, match=r"^a\.jsonl: 11 cells found, at most 10 allowed"):
        read(lines, "a.jsonl", "system", format="json-lines", limits=Limits(cells=10))


@pytest.mark.parametrize(
    ("data", "name", "line"), [(b"A\tB\nx\ty\nx\ty\tz\n", "t.tsv", 3), (b'A,B\nx,"a,\nb"\nx,y,z\n', "t.csv", 4)]
)
def test_a_row_that_is_too_wide_is_refused_with_its_line(data: bytes, name: str, line: int) -> None:
    with pytest.raises(LimitError, match=rf"^{name}, line {line}: 3 columns found, at most 2 allowed"):
        read(data, name, "system", limits=Limits(columns=2))


HOSTILE: dict[str, tuple[str, Callable[[], bytes], str]] = {
    "many empty lines": ("a.txt", lambda: b"\n" * 50_000_000, "50,000,000 lines"),
    "many empty rows": ("a.csv", lambda: b"\n" * 50_000_000, "50,000,000 lines"),
    "rows that end in CR": ("a.csv", lambda: b"\r" * 50_000_000 + b"\n", "50,000,000 lines"),
    "a long line": ("a.txt", lambda: b"x" * 50_000_000, "50,000,000 characters"),
    "a wide table": ("a.tsv", lambda: b"\t".join(b"c%d" % n for n in range(4_000)) + b"\n", "4,000 columns"),
    "a very wide table": ("a.csv", lambda: b",".join(b"c%d" % n for n in range(100_000)) + b"\n", "100,000 columns"),
    "a wide row": ("a.csv", lambda: b"a,b\n" + b"," * 100_000 + b"\n", "100,001 columns"),
    "groups": (
        "h.csv",
        lambda: b"system,score,group\n" + b"".join(b"A,1,g%d\n" % n for n in range(100_000)),
        "100,000 groups of judges",
    ),
    "systems": ("h.score", lambda: b"".join(b"A%d 1\n" % n for n in range(100_000)), "100,000 systems"),
}


@pytest.mark.parametrize("file", HOSTILE)
def test_hostile_files_are_refused_soon(file: str) -> None:
    name, make, found = HOSTILE[file]
    data = make()
    read(b"system,score\nA,1\n", "a.csv", "judgments")  # loads pandas, once

    def refuse() -> None:
        with pytest.raises(LimitError, match=rf": {found} found, at most"):
            read(data, name, recognise(data, name))

    within_seconds(SOON, refuse)


def test_the_defaults_admit_a_million_lines() -> None:
    content = "the cat sat on the mat\n" * 10**6
    assert decode(content.encode(), "a.txt") == Text(content, "UTF-8")


def test_the_defaults_admit_xml_with_a_paragraph_for_each_of_130_000_segments_of_six_texts() -> None:
    Limits().check("elements", 6 * 130_000 * 2, "t.xml")


@pytest.mark.slow
def test_the_defaults_admit_a_million_ratings() -> None:
    rows = "".join(f"{n % 1000 + 1},S{n % 20},j{n % 50},{n % 101},{n}\n" for n in range(10**6))
    data = f"segment,system,judge,score,time\n{rows}".encode()
    assert read(data, "h.csv", "judgments").report.ratings == 10**6


@pytest.mark.parametrize(
    ("name", "table"),
    [("a.tsv", b"A\tB\nx\ty\nz\tw\n"), ("a.csv", b'A,B\n"x,\nx",y\nz,w\n'), ("a.csv", b"A;B\r\nx;y\r\nz;w")],
)
def test_the_cells_of_a_table_of_texts_are_counted_before_it_is_read(name: str, table: bytes) -> None:
    assert len(read(table, name, "system", limits=Limits(cells=6)).columns) == 2
    with pytest.raises(LimitError, match=f"{name}: 6 cells found, at most 5 allowed; .*--limit cells=6"):
        read(table, name, "system", limits=Limits(cells=5))


def test_the_cells_of_a_table_of_ratings_are_not_limited() -> None:
    assert read(TABLE, "a.csv", "judgments", limits=Limits(cells=5)).judgments is not None
