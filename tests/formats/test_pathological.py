"""Text that drives careless patterns into quadratic time: every reader takes time in proportion to a file's length."""

from __future__ import annotations

import csv
import io
import json
import time
import zipfile
from collections.abc import Callable, Iterator
from contextlib import suppress

import pytest
from nightly import nightly
from small_files import open_document, open_document_rows, parquet, workbook
from timed import within_seconds

from bleu_core.errors import FormatError
from bleu_core.formats import FORMATS, delimited, formats_of, read, recognise

#: Characters of a piece repeated. What is quadratic with the constant of Python's regular expressions takes seconds at
#: the first, so that a test fails soon, and minutes at the second.
LENGTHS = (2_000, 20_000, 100_000)
#: Seconds of processor time for a file: what is linear takes some hundredths.
MAX_SECONDS = 2.0

#: Pieces, and what comes after them.
PIECES: dict[str, tuple[str, str]] = {
    "digits": ("1", "x"),
    "decimals": ("1.", "x"),
    "points": (".1", "x"),
    "exponents": ("1e", "x"),
    "underscores": ("1_", "x"),
    "signs": ("-", "1"),
    "quotation marks": ('"', "x"),
    "quoted cells": (',"', "x"),
    "empty quoted cells": (',""', '"x'),
    "misplaced quotation marks": (',""a', '"x'),
    "odd quotation marks": (',"""a', "x"),
    "apostrophes": ("'", "x"),
    "blanks": (" ", "x"),
    "tabs": ("\t", "x"),
    "returns": ("a b c d e\r", "x"),
    "backslashes": ("\\", "x"),
    "escapes": ("\\N{", "x"),
    "braces": ("{", "x"),
    "brackets": ("[", "x"),
    "objects": ('{"a":', "1"),
    "brackets in pairs": ("[],", "x"),
    "spans": ('{"start_i": 1, "end_i": 2},', "x"),
    "positions": ('_i":0,', "x"),
    "tags": ("<", "x"),
    "closed tags": ("<a>", "x"),
    "comments": ("<!--", "x"),
    "empty comments": ("<!---->", "x"),
    "instructions": ("<?x?>", "x"),
    "doctypes": ("<!DOCTYPE x []", "x"),
    "controls": ("#ba", "x"),
    "test sets": ("wmt2023", "x"),
    "language pairs": (".1.en-de", "x"),
    "joined systems": ("A+", "A"),
    "separators of ESA": ("_#_", "x"),
    "references": ("_ref", "x"),
    "colons": ("::", "x"),
    "commas": (",", "x"),
    "semicolons": (";", "x"),
    "dots": (".", "x"),
    "slashes": ("/", "x"),
}
#: Pieces that every run tries at the first length: a number, a quotation mark, a space, a bracket and a tag.
EVERY_RUN = {"decimals", "odd quotation marks", "blanks", "brackets in pairs", "closed tags"}
BEGINNINGS = ("<xliff ", "<xliff a", "<dataset>", "<!DOCTYPE x [", "<!--", '"', "1", "ref")


def row(*cells: str) -> str:
    stream = io.StringIO()
    csv.writer(stream, lineterminator="\n").writerow(cells)
    return stream.getvalue()


def archive(name: str) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as packed:
        packed.writestr("sources/aa-bb.txt", "x\n")
        packed.writestr(f"metric-scores/aa-bb/{name[:60_000]}.seg.score", "A 1\n")
    return stream.getvalue()


def files(text: str) -> Iterator[tuple[str, bytes, str, tuple[str, ...]]]:
    """Files with the text in every place: the place, the file, its name, and the formats to read it as."""
    judged = formats_of("judgments")
    yield "line", f"{text}\nA b\n".encode(), "a.txt", (*judged, "text")
    for begin in BEGINNINGS:
        yield f"line after {begin!r}", f"{begin}{text}\nA b\n".encode(), "a.txt", ()
    yield "row", f"a,b\n{text}\n".encode(), "a.csv", ("table",)
    yield "header", f"{text}\na,b\n".encode(), "a.csv", ()
    yield "row of a TSV", f"a\tb\n{text}\n".encode(), "a.tsv", ()
    yield "score file", f"A {text}\n{text} 1\n".encode(), "a.score", ("eval-scores",)
    for place in range(3):
        cells = ["A", "1", "2"]
        cells[place] = text
        yield f"rating, cell {place}", ("system,segment,score\n" + row(*cells)).encode(), "a.csv", ("ratings", "scores")
    for place in (0, 1, 2, 3, 6, 7, 9):
        cells = ["u", "wmt23.A", "1", "TGT", "eng", "deu", "0", "d", "False", "[]", "1", "2"]
        cells[place] = text
        yield f"Appraise, cell {place}", row(*cells).encode(), "a.csv", ("appraise",)
    header = "system\tdoc\tdoc_id\tseg_id\trater\tsource\ttarget\tcategory\tseverity"
    for place in (0, 3, 7, 8):
        cells = ["A", "d", "1", "1", "r", "s", "t", "Style", "Major"]
        cells[place] = text
        yield f"MQM, cell {place}", (f"{header}\n" + "\t".join(cells) + "\n").encode(), "a.tsv", ("mqm",)
    header = "HITId WorkerId sys_id type sid score"
    yield "crowd", f"{header}\nh\tw\t{text}\tSYSTEM\t3\t0.5\n".encode(), "a.csv", ("crowd",)
    for name in ("system", "doc_id", "esa_score"):
        found = {"system": "A", "line_id": 1, "esa_score": "1", "doc_id": "d", "langs": "x"} | {name: text}
        yield f"ESA, {name}", json.dumps(found).encode() + b"\n", "a.jsonl", ("esa",)
    found = {"doc_id": text, "scores": {text: [{"score": 1}]}}
    yield "ESA, a segment", json.dumps(found).encode() + b"\n", "a.jsonl", ("esa",)
    yield "ESA, no text", f'{{"system": {text}\n'.encode(), "a.jsonl", ("esa",)
    error = json.dumps({"errors": [{"category": text, "severity": text}]})
    yield "errors of mt-metrics-eval", f"A\t{error}\n{text}\tNone\n".encode(), "a.rating", ("eval-ratings",)
    for name in ("item_id", "score", "user_id"):
        log = {
            "annotation": [{"A": {"score": text if name == "score" else 1}}],
            "item": [{"item_id": text if name == "item_id" else "a"}],
            "user_id": text if name == "user_id" else "x",
        }
        yield f"Pearmut, {name}", json.dumps(log).encode() + b"\n", "a.jsonl", ("pearmut",)
    score = json.dumps({"name": text, "score": 1, "signature": text, "verbose_score": f"hyp_len = {text}"})
    yield "sacreBLEU", score.encode(), "a.json", ("sacrebleu",)
    yield "sacreBLEU, systems", json.dumps([{"system": text, text: "1.0"}]).encode(), "a.json", ("sacrebleu",)
    yield "COMET", json.dumps({text: [{"src": text, "mt": text, "COMET": 1}]}).encode(), "a.json", ("comet",)
    yield "scores in lines", f"{text}\tscore: 1\n{text}\tscore: {text}\n".encode(), "a.txt", ("score-lines",)
    yield from beside_texts(text)
    yield from markup(text)
    yield "name", b"A 1\nB 2\n", text, ("eval-scores",)
    yield "name of scores", b"A 1\nB 2\n", f"{text}.seg.score", ("eval-scores",)
    yield "name of human scores", b"A 1\nB 2\n", f"en-de_{text}.mqm.seg.score", ("eval-scores",)
    rows = [{"source": text, "A": "x"}, {"source": "x", text[:60_000]: text}]
    yield "JSON lines", "".join(f"{json.dumps(row)}\n" for row in rows).encode(), "a.jsonl", ("json-lines",)
    yield "Parquet", parquet({"A": [text, "x"], text[:60_000]: ["x", text]}), "a.parquet", ("parquet",)
    yield "name in a zip", archive(text), "a.zip", ("archive",)
    yield "sheet", workbook([["A", "B"], [text[:32_000], "x"]]), "a.xlsx", ("spreadsheet",)
    rows = open_document_rows([["A", "B"], [text, "x"]])
    yield "sheet of ODS", open_document(rows), "a.ods", ("spreadsheet",)


def beside_texts(text: str) -> Iterator[tuple[str, bytes, str, tuple[str, ...]]]:
    """As files, of documents, scores and labels of texts."""
    for name in ("doc_id", "src_text", "refs", "src_lang"):
        found = {"doc_id": "en-de_#_d", "src_text": "x", "refs": {"refA": text}, "src_lang": "en", "tgt_lang": "de"}
        found |= {name: {text: {"ref": text}} if name == "refs" else text}
        yield f"WMT documents, {name}", json.dumps(found).encode(), "a.jsonl", ("wmt-documents",)
    found = {"doc_id": f"en-de_#_{text}", "hypothesis": text}
    yield "WMT documents, output", json.dumps(found).encode(), "a.jsonl", ("wmt-documents",)
    found = {"document_id": text, "domain": text, "metric_scores": {text: [1, text]}, "language_pair": text}
    yield "WMT scores", json.dumps(found).encode(), "a.jsonl", ("wmt-scores",)
    names = ("source_lang", "target_lang", "segment_id", "system_id", "start_indices", "end_indices", "error_types")
    for place in range(len(names)):
        cells = ["en", "de", "1", "A", "0", "1", "major"]
        cells[place] = text.replace("\t", " ").replace("\n", " ")
        spans = ("\t".join(names) + "\n" + "\t".join(cells) + "\n").encode()
        yield f"WMT error spans, cell {place}", spans, "a.tsv", ("wmt-error-spans",)
    for place in range(3):
        cells = ["x", "A", "1"]
        cells[place] = text
        scored = ("hypothesis,system,prediction\n" + row(*cells)).encode()
        yield f"scores beside texts, cell {place}", scored, "a.csv", ("scored-texts",)
    for place in range(2):
        cells = ["d", "news"]
        cells[place] = text
        yield f"labels, cell {place}", ("document,domain\n" + row(*cells)).encode(), "a.csv", ("labels",)
    yield "label", f"document\t{text}\nd\tnews\n".encode(), "a.tsv", ("labels",)


def markup(text: str) -> Iterator[tuple[str, bytes, str, tuple[str, ...]]]:
    """As files, in the formats of translation tools and of test sets in XML."""
    escaped = text.replace("&", "&amp;").replace("<", "&lt;")
    unit = "<trans-unit id='1'><source>{}</source><target state='{}'>{}</target></trans-unit>"
    inside = unit.format(escaped, escaped.replace("'", ""), text)
    yield "XLIFF", f"<xliff version='1.2'><file><body>{inside}</body></file></xliff>".encode(), "a.xlf", ("xliff",)
    languages = f"<tuv xml:lang='{escaped}'><seg>{text}</seg></tuv><tuv xml:lang='en'><seg>{escaped}</seg></tuv>"
    tmx = f"<tmx version='1.4'><header srclang='en'/><body><tu>{languages}</tu></body></tmx>"
    yield "TMX", tmx.encode(), "a.tmx", ("tmx",)
    cue = "1\n00:00:01,000 --> 00:00:02,000\n"
    yield "SRT", f"{cue}{text}\n\n{text}\n{text}\n".encode(), "a.srt", ("subtitles",)
    yield "SRT, tags", f"{cue}{'<' * 9}{text}\n{text}>\n{'{' * 9}{text}".encode(), "a.srt", ("subtitles",)
    yield (
        "WebVTT",
        f"WEBVTT {text}\n\nSTYLE\n{text}\n\n{text}\n{cue[2:].replace(',', '.')}{text}\n".encode(),
        "a.vtt",
        ("subtitles",),
    )
    for ending in ("yml", "properties", "strings", "html", "json", "txt"):
        yield f"resources, {ending}", f"{text}\n{text}\n{text}\n".encode(), f"a.{ending}", ("text",)
    yield "PO", f'msgid "{text}"\nmsgstr "x"\n{text}\n"{text}"\n'.encode(), "a.po", ("po",)
    yield "PO, line by line", ('msgid "a"\nmsgstr ""\n' + f'"{text[:9]}"\n' * 3000).encode(), "a.po", ("po",)
    yield "PO, comments", ('msgid "a"\n' + f"# {text[:9]}\n" * 3000 + 'msgstr ""\n').encode(), "a.po", ("po",)
    segment = f"<seg id='1'>{text}</seg><seg id='{escaped}'>x</seg>"
    wmt = f"<dataset id='x'><doc id='d'><src lang='de'>{segment}</src></doc></dataset>"
    yield "WMT XML", wmt.encode(), "a.xml", ("wmt-xml",)
    for inside in (f" {text}", segment, f"<doc {text}>{segment}", f"<doc docid='1'>{text}</doc>"):
        yield "SGML", f"<srcset setid='x'><doc docid='d'>{inside}</doc></srcset>".encode(), "a.sgm", ("sgml",)


def calls(data: bytes, name: str, kinds: tuple[str, ...]) -> Iterator[tuple[str, Callable[[], object]]]:
    """What is done with a file: it is recognised, read as what it looks like, and in the formats given."""
    yield "recognise", lambda: recognise(data, name)
    yield "read", lambda: read(data, name, recognise(data, name))
    for kind in kinds:
        for role in FORMATS[kind].roles:
            yield f"{role}, {kind}", lambda role=role, kind=kind: read(data, name, role, format=kind)


def read_soon(call: Callable[[], object], what: str) -> None:
    """Read a file, or refuse it, in little time."""

    def read_or_refuse() -> None:
        with suppress(FormatError):
            call()

    within_seconds(MAX_SECONDS, read_or_refuse, what)


@pytest.fixture(autouse=True, scope="module")
def _pandas_is_loaded() -> None:
    """Loading takes more than a second, once."""
    read(b"system,score\nA,1\n", "a.csv", "judgments")


@pytest.mark.parametrize(
    ("piece", "length"),
    [
        pytest.param(piece, length, marks=[] if length == LENGTHS[0] and piece in EVERY_RUN else [pytest.mark.slow])
        for piece in PIECES
        for length in LENGTHS
    ],
)
def test_time_is_in_proportion_to_length(piece: str, length: int) -> None:
    repeated, end = PIECES[piece]
    text = repeated * (length // len(repeated)) + end
    for place, data, name, kinds in files(text):
        for call, run in calls(data, name, kinds):
            read_soon(run, f"{length} characters of {piece} in {place}: {call}")


@pytest.mark.slow
@pytest.mark.parametrize("piece", ["quotation marks", "quoted cells", "misplaced quotation marks", "returns"])
def test_large_tables_take_time_in_proportion_to_length(piece: str) -> None:
    repeated, end = PIECES[piece]
    for length in (20_000, 2 * delimited.MIN_PANDAS_CHARS):
        text = f"system,score\nA,{repeated * (length // len(repeated))}{end}\n"
        read_soon(lambda text=text: read(text.encode(), "a.csv", "judgments"), f"{length} characters of {piece}")


@pytest.mark.parametrize("length", [20_000, *nightly([100_000])])
@pytest.mark.parametrize("cell", ["a", "1", "(", " a", "a:", "\u4e00"])
def test_tables_with_a_long_cell_do_not_hold_the_interpreter(cell: str, length: int) -> None:
    long = cell * (length // len(cell))
    for header, row in (
        ("source,reference,SysA", f"{long} 1 b"),
        (f"source,{long} 1 b", "x,y"),
        ("source,A", f"( {long}"),
    ):
        data = f"{header}\nx,y,{row}\n1 b,1 b,1 b\n".encode()
        start = time.thread_time()
        with suppress(FormatError):
            read(data, "a.csv", recognise(data, "a.csv"))
        assert time.thread_time() - start < length / 5000  # seconds; what is quadratic takes four times as many


ROWS: dict[str, tuple[str, str, Callable[[int], str]]] = {
    "systems": ("ratings", "system,score\n", lambda n: f"S{n},1\n"),
    "judges": ("ratings", "system,judge,score\n", lambda n: f"A,j{n},1\n"),
    "groups": ("ratings", "system,group,score\n", lambda n: f"A,g{n},1\n"),
    "documents": ("ratings", "system,segment,document,score\n", lambda n: f"A,{n + 1},d{n},1\n"),
    "metrics": ("scores", "system,metric,score\n", lambda n: f"A,m{n},1\n"),
    "severities": (
        "mqm",
        "system\tdoc\tseg_id\trater\tcategory\tseverity\n",
        lambda n: f"A\td\t{n + 1}\tr\tc{n}\ts{n}\n",
    ),
    "types": ("crowd", "HITId WorkerId sys_id type sid score\n", lambda n: f"h\tw\tA.1\tT{n}\t3\t0.5\n"),
    "item types": ("appraise", "", lambda n: f"u,A,{n},TGT{n or ''},eng,deu,5,d{n},False,1,2\n"),
    "language pairs": ("esa", "", lambda n: f'{{"langs":"x{n}","line_id":1,"esa_score":1,"system":"A"}}\n'),
    "labels": ("labels", "document,domain\n", lambda n: f"d{n},l{n}\n"),
    "domains": ("eval-scores", "", lambda n: f"d{n} A 1\n"),
}


@pytest.mark.parametrize("number", [2_000, pytest.param(40_000, marks=pytest.mark.slow)])
@pytest.mark.parametrize("rows", ROWS)
def test_time_is_in_proportion_to_the_number_of_different_names(rows: str, number: int) -> None:
    kind, header, line = ROWS[rows]
    data = (header + "".join(map(line, range(number)))).encode()
    for call, run in calls(data, "a", (kind,)):
        read_soon(run, f"{number} {rows}: {call}")


def test_every_format_is_read() -> None:
    read_as = {kind for _, _, _, kinds in files("x") for kind in kinds}
    assert read_as >= set(FORMATS)
