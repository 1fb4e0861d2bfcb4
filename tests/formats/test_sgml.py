"""SGML of WMT and NIST: sets, names, entities, ids of segments, as sacreBLEU's own reader has them."""

from __future__ import annotations

import html
import random
from pathlib import Path

import pytest
from calls import assert_refused
from conftest import Runner, Writer
from sacrebleu.dataset.fake_sgml import FakeSGMLDataset
from timed import within_seconds

from bleu_core.dataset import SegmentId, fit
from bleu_core.errors import FormatError
from bleu_core.formats import Contents, FileRole, inspect, read
from bleu_core.limits import LimitError, Limits
from bleu_core.scoring import BleuSettings, evaluate


def document(name: str, texts: dict[int, str], sysid: str = "", attributes: str = "") -> str:
    segments = "".join(f'<seg id="{number}">{text}</seg>\n' for number, text in texts.items())
    return f'<doc {f"sysid={sysid!r} " if sysid else ""}docid="{name}" {attributes}>\n<p>\n{segments}</p>\n</doc>\n'


def collection(kind: str, *documents: str) -> str:
    return f'<{kind} setid="t" srclang="de" trglang="en">\n{"".join(documents)}</{kind}>\n'


def columns(contents: Contents) -> dict[tuple[str, str], tuple[str | None, ...]]:
    return {(column.role, column.name): column.segments for column in contents.columns}


TEXTS = {1: "one & only", 2: 'a < b &amp;&lt;&quot; &apos;x&#39;&#x41; &nbsp; &bad &amp;lt; "', 3: " three "}
READ = ("one & only", "a < b &<\" 'x'A &nbsp; &bad &lt; \"", "three")


@pytest.mark.parametrize(
    ("kind", "role", "name"), [("srcset", "source", "source"), ("refset", "reference", "a"), ("tstset", "system", "a")]
)
@pytest.mark.parametrize("upper", [False, True])
def test_every_kind_of_set_is_read(kind: str, role: FileRole, name: str, *, upper: bool) -> None:
    data = collection(kind, document("d1", TEXTS, "S"), document("d2", {1: "x"}, "S")).encode()
    if upper:
        for tag in (b"srcset", b"refset", b"tstset", b"doc", b"seg", b"docid", b"sysid"):
            data = data.replace(tag, tag.upper())
        data = b"<!DOCTYPE MTEVAL>\n" + data
    found = inspect(data, "a.sgm")
    assert (found.format, found.role) == ("sgml", role)
    contents = read(data, "a.sgm", role)
    assert columns(contents) == {
        (role, name): (*READ, "x"),
        ("document", "documents"): ("d1", "d1", "d1", "d2"),
    }


@pytest.mark.parametrize("role", ["source", "reference", "system"])
def test_a_set_may_have_another_role(role: FileRole) -> None:
    contents = read(collection("refset", document("d", TEXTS, "ref")).encode(), "a.sgm", role)
    assert list(columns(contents)) == [(role, "source" if role == "source" else "a")]


def test_several_systems_or_references_in_a_file_have_their_own_names() -> None:
    systems = collection("tstset", *(document("d", {1: name}, name) for name in ("S", "T")))
    assert columns(read(systems.encode(), "a.sgm", "system")) == {("system", "S"): ("S",), ("system", "T"): ("T",)}
    first, other = {1: "x", 2: "y"}, {1: "X"}
    references = collection("refset", document("d", first, "A"), document("d", other, "B"))
    assert columns(read(references.encode(), "a.sgm", "reference"))["reference", "B"] == ("X", None)


def test_a_file_of_all_sets_is_a_test_set() -> None:
    sets = [
        collection("srcset", document("d", {1: "eins", 2: "zwei"}, attributes='genre="news"')),
        collection("refset", document("d", {1: "one", 2: "two"})).replace("setid", 'refid="r1" setid'),
        collection("tstset", document("d", {2: "two"})).replace("setid", 'sysid="S" setid'),
    ]
    data = f'<?xml version="1.0" encoding="utf-8"?>\n<!DOCTYPE mteval SYSTEM "x.dtd">\n<mteval>{"".join(sets)}</mteval>'
    assert (inspect(data.encode(), "a.xml").format, inspect(data.encode(), "a.xml").role) == ("sgml", "archive")
    contents = read(data.encode(), "a.xml", "archive")
    assert columns(contents) == {
        ("source", "source"): ("eins", "zwei"),
        ("reference", "r1"): ("one", "two"),
        ("system", "S"): ("two",),
    }
    assert list(columns(read(data.encode(), "a.xml", "reference"))) == [("reference", "r1")]


def test_genre_and_original_language_are_labels() -> None:
    parts = [document("d1", {1: "x"}, attributes='genre="news" origlang="de"')]
    parts += [document("d2", {1: "x", 2: "y"}, attributes='genre="talk" origlang="en"')]
    labels = read(collection("srcset", *parts).encode(), "a.sgm", "source").labels
    assert labels is not None
    assert dict(labels.columns) == {"genre": ("news", "talk", "talk"), "origlang": ("de", "en", "en")}


def test_segments_keep_their_ids() -> None:
    parts = [document(f"d{n}", dict.fromkeys(numbers, "x"), "S") for n, numbers in enumerate([[1, 3], [2]])]
    roles: dict[str, FileRole] = {"tstset": "system", "refset": "reference", "srcset": "source"}
    for kind, role in roles.items():
        for column in read(collection(kind, *parts).encode(), "a.sgm", role).columns:
            assert column.ids == (SegmentId("d0", "1"), SegmentId("d0", "3"), SegmentId("d1", "2"))


def test_files_are_joined_by_their_ids(run: Runner, write: Writer) -> None:
    numbers = {"d1": (1, 2, 3), "d2": (1, 2)}
    texts = {name: {n: f"the cat {name} sat on mat {n}" for n in own} for name, own in numbers.items()}
    parts = [document(name, own) for name, own in texts.items()]
    lacking = [document(name, {n: text for n, text in own.items() if n != 2}) for name, own in texts.items()]
    ref = write("ref.sgm", collection("refset", *parts))
    whole, other = write("A.sgm", collection("tstset", *parts[::-1])), write("B.sgm", collection("tstset", *lacking))
    found = run("score", "--format", "json", "--ref", ref, whole, other).json
    assert [(row["system"], row["bleu"]) for row in found["systems"]] == [("A", pytest.approx(100)), ("B", None)]
    assert found["systems"][1]["reason"] == "no score: no text for 2 of 5 segments (d1 2, d2 2)"
    shared = run("score", "--format", "json", "--shared-segments", "--ref", ref, whole, other).json
    assert (shared["segments"], [row["bleu"] for row in shared["systems"]]) == (3, [pytest.approx(100)] * 2)
    plain = write("ref.txt", "".join(f"{text}\n" for own in texts.values() for text in own.values()))
    assert_refused(run("score", "--ref", plain, other), "B.sgm has 3 segments, 2 fewer")


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (
            collection("srcset", document("d", {1: "x", 2: "y"})).replace("</seg>", "", 1),
            "a.sgm, line 4: <seg> without",
        ),
        (collection("srcset", document("d", {1: "x"})).replace("</seg>", ""), "a.sgm, line 4: <seg> without </seg>"),
        (collection("srcset", '<seg id="1">x</seg>'), "a.sgm, line 2: <seg> outside of <doc> found"),
        (collection("srcset", document("d", {1: "x"}) * 2), "a.sgm, line 7: document d found a second time"),
        (
            collection("srcset", document("d", {1: "x", 2: "y"}).replace('"2"', '"1"')),
            "a.sgm, line 5: a second segment with the id 1 found",
        ),
        (collection("srcset"), "a.sgm: 0 segments found"),
        (
            '<!DOCTYPE srcset [\n<!ENTITY x "y">]>' + collection("srcset", document("d", {1: "x"})),
            "a.sgm, line 2: declaration of an entity found, none allowed",
        ),
    ],
)
def test_what_cannot_be_read_is_refused_with_its_line(data: str, message: str) -> None:
    with pytest.raises(FormatError) as error:
        read(data.encode(), "a.sgm", "source")
    assert str(error.value).startswith(message)


@pytest.mark.parametrize(
    ("limits", "message"),
    [
        (Limits(systems=1), "a.sgm: 2 systems found, at most 1 allowed"),
        (Limits(line_length=65), "a.sgm, line 5: 81 characters found, at most 65 allowed"),
        (Limits(lines=20), "a.sgm: 53 lines found, at most 20 allowed"),
    ],
)
def test_limits_hold(limits: Limits, message: str) -> None:
    data = collection(
        "tstset", document("d", {1: "x", 2: "y\n" * 40 + "y"}, "S"), document("d", {1: "x"}, "T")
    ).encode()
    with pytest.raises(LimitError) as error:
        read(data, "a.sgm", "system", limits=limits)
    assert str(error.value).startswith(message)


@pytest.mark.parametrize("seed", range(20))
def test_texts_are_those_of_sacrebleu(seed: int, tmp_path: Path) -> None:
    chance = random.Random(seed)
    words = ["Käse", "&amp;", "&lt;b&gt;", "R & D", "“x”", "猫", "&quot;", "5 < 6"]
    documents = [
        document(f"d{n}", {i: " ".join(chance.choices(words, k=4)) for i in range(1, chance.randint(2, 6))}, "S")
        for n in range(4)
    ]
    path, text = tmp_path / "a.sgm", tmp_path / "a.txt"
    path.write_text(collection("refset", *documents), encoding="utf-8")
    FakeSGMLDataset("x")._convert_format(str(path), str(text))  # noqa: SLF001 # what sacreBLEU calls after a download
    expected = text.read_text(encoding="utf-8").splitlines()
    (found,) = (c.segments for c in read(path.read_bytes(), "a.sgm", "reference").columns if c.role == "reference")
    assert list(found) == [html.unescape(line) for line in expected]  # sacreBLEU leaves entities to its tokeniser


def test_entities_change_no_score() -> None:
    texts = {1: "the &quot;cat&quot; &amp; the dog &lt;here&gt;", 2: "AT&amp;T &amp;lt; x"}
    outputs = read(b'the "cat" & a dog <here>\nAT&T &lt; x', "s.txt", "system").parts(1)
    as_sgml = read(collection("refset", document("d", texts)).encode(), "a.sgm", "reference").parts(0)
    as_text = read("\n".join(texts.values()).encode(), "a.txt", "reference").parts(0)
    one, other = (evaluate(fit([*parts, *outputs]).corpus, BleuSettings()) for parts in (as_sgml, as_text))
    assert one.scores.score == other.scores.score


def test_many_systems_of_many_documents_take_time_in_proportion() -> None:
    documents = "".join(f'<doc docid="{n}"><seg id="1">a</seg></doc>\n' for n in range(200))
    data = "".join(f'<tstset setid="t" sysid="s{n}">{documents}</tstset>\n' for n in range(100)).encode()
    # It takes 0.2 s, and 20 s where all segments are counted for each document.
    found = within_seconds(5, lambda: read(data, "a.sgm", "system"))
    assert len(found.columns) == 100 + 1  # the documents


def test_a_tag_of_a_million_attributes_is_refused() -> None:
    data = b'<srcset setid="t"><doc docid="d">\n<seg ' + b"a=b " * 100_000 + b">x</seg></doc></srcset>\n"
    with pytest.raises(FormatError, match=r"^a\.sgm, line 2: tag of 400,001 characters found, at most 65,536 expected"):
        read(data, "a.sgm", "source")


def test_documents_without_segments_are_as_if_they_were_not_there() -> None:
    empty = "".join(f'<doc docid="e{n}"></doc>\n' for n in range(9))
    data = f'<srcset setid="t">{empty}<doc docid="d"><seg id="1">x</seg></doc>\n{empty}</srcset>'.encode()
    assert [column.segments for column in read(data, "a.sgm", "source").columns if column.role == "source"] == [("x",)]


@pytest.mark.parametrize("quote", ['"', "'", ""])
def test_segments_that_are_counted_from_0_are_all_read(quote: str) -> None:
    segments = "".join(f"<seg id={quote}{number}{quote}> s{number} </seg>\n" for number in (0, 1, 3))
    data = f'<tstset setid="t"><doc sysid="A" docid="d">{segments}</doc></tstset>'.encode()
    found = read(data, "a.sgm", "system")
    assert columns(found) == {("system", "a"): ("s0", "s1", "s3")}
