"""Documents of WMT25 and WMT26, made by hand in the layouts that their repositories describe."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from bleu_core.dataset import SegmentId
from bleu_core.errors import FormatError, LanguagePairError
from bleu_core.formats import Contents, FileRole, inspect, read
from bleu_core.formats.document_ids import parse_document_id
from bleu_core.limits import DEFAULT_LIMITS, LimitError


def id26(document: str, pair: tuple[str, str] = ("eng_Latn", "isl_Latn"), domain: str = "news") -> str:
    return f"WMT26_###_{domain}_###_{pair[0]}_###_{pair[1]}_###_{document}"


def document(doc_id: str, src: str, tgt: str, source: str, refs: object, **more: object) -> dict[str, object]:
    beside = {"video": None, "prompt_instruction": "Translate the following text.", "domain": "news"}
    return {"doc_id": doc_id, "src_lang": src, "tgt_lang": tgt, "src_text": source, "refs": refs} | beside | more


def lines(*rows: object) -> bytes:
    return "".join(json.dumps(row) + "\n" for row in rows).encode()


WMT26 = lines(
    document(
        id26("a"),
        "eng_Latn",
        tgt="isl_Latn",
        source="<p>One</p>\n<p>Two</p>",
        refs={"refA": "<p>Einn</p>\n<p>Tveir</p>"},
    ),
    document(id26("b"), "eng_Latn", tgt="isl_Latn", source="Three", refs={}, domain="social"),
    document(id26("c"), "eng_Latn", tgt="isl_Latn", source="Four", refs={"refA": "Fjórir"}, domain="speech"),
    document(id26("a", ("eng_Latn", "ces_Latn")), "eng_Latn", tgt="ces_Latn", source="One", refs={"refA": "Jedna"}),
)
WMT25 = lines(
    document("en-is_IS_#_news_#_a", "en", tgt="is_IS", source="One\n\nTwo", refs={"refA": {"ref": "Einn\n\nTveir"}}),
    document("en-is_IS_#_news_#_b", "en", tgt="is_IS", source="Three", refs={"refA": {"ref": "Þrír"}}),
)
OUTPUT = lines(
    {"doc_id": id26("b"), "hypothesis": "Þrír", "metadata": {"output_tokens": 3}},
    {"doc_id": id26("a", ("eng_Latn", "ces_Latn")), "hypothesis": "Jeden"},
    {"doc_id": id26("a"), "hypothesis": "<p>Einn</p>\n<p>Tvö</p>"},
)
ISLANDIC = "eng_Latn-isl_Latn"


def documents(data: bytes, role: FileRole = "archive", name: str = "t.jsonl", **options: Any) -> Contents:
    return read(data, name, role, **options)


def texts(found: Contents) -> dict[tuple[str, str], tuple[str | None, ...]]:
    return {(column.role, column.name): column.segments for column in found.columns}


def test_a_test_set_is_recognised_and_gives_a_document_per_segment() -> None:
    assert (inspect(WMT26, "t.jsonl").role, inspect(WMT26, "t.jsonl").format) == ("archive", "wmt-documents")
    found = documents(WMT26, pair=ISLANDIC)
    assert texts(found) == {
        ("source", "source"): ("<p>One</p> <p>Two</p>", "Three", "Four"),
        ("reference", "refA"): ("<p>Einn</p> <p>Tveir</p>", None, "Fjórir"),
        ("document", "documents"): ("news_###_a", "news_###_b", "news_###_c"),
    }
    (ids,) = {column.ids for column in found.columns}
    assert ids == (SegmentId("news_###_a", ""), SegmentId("news_###_b", ""), SegmentId("news_###_c", ""))
    assert found.labels is not None
    # The document without a reference is not scored.
    assert (found.labels.keys, found.labels.columns) == (("news_###_a", "news_###_c"), {"domain": ("news", "speech")})
    assert found.report.notes == ()


def test_wmt25_has_references_in_objects_and_other_ids() -> None:
    found = documents(WMT25, "reference")
    assert texts(found)["reference", "refA"] == ("Einn Tveir", "Þrír")
    assert found.columns[0].ids == (SegmentId("news_#_a", ""), SegmentId("news_#_b", ""))
    assert found.pairs == ("en-is_IS",)


def test_a_systems_output_is_of_the_file_and_of_the_chosen_pair() -> None:
    assert inspect(OUTPUT, "GPT 5.5.jsonl").role == "system"
    found = documents(OUTPUT, "system", "GPT 5.5.jsonl", pair="eng_Latn---isl_Latn")
    assert texts(found) == {("system", "GPT 5.5"): ("Þrír", "<p>Einn</p> <p>Tvö</p>")}
    assert found.columns[0].ids == (SegmentId("news_###_b", ""), SegmentId("news_###_a", ""))


def test_the_language_pair_is_asked_for_where_there_are_several() -> None:
    asked: tuple[tuple[bytes, FileRole], ...] = ((WMT26, "archive"), (WMT26, "reference"), (OUTPUT, "system"))
    for data, role in asked:
        with pytest.raises(LanguagePairError) as caught:
            documents(data, role)
        assert set(caught.value.pairs) == {ISLANDIC, "eng_Latn-ces_Latn"}
        assert "2 language pairs found, 1 expected; choose one with --language-pair" in str(caught.value)
    with pytest.raises(
        LanguagePairError, match=r"^t\.jsonl: no language pair en-de; choose one of eng_Latn-isl_Latn, "
    ):
        documents(WMT26, pair="en-de")
    assert len(documents(WMT26, default_pair=ISLANDIC).columns) == 3


def test_a_system_without_the_pair_has_no_text_and_says_so() -> None:
    found = documents(OUTPUT, "system", "A.jsonl", pair="ces_Latn-deu_Latn")
    assert found.columns == ()
    assert found.report.notes == (
        "no document of the language pair ces_Latn-deu_Latn: not used; it has eng_Latn-isl_Latn, eng_Latn-ces_Latn",
    )


def test_a_missing_hypothesis_is_no_empty_one() -> None:
    rows = [{"doc_id": f"en-de_#_n_#_{k}", "hypothesis": text} for k, text in enumerate(("x", None, ""))]
    found = documents(lines(*rows), "system", "A.jsonl")
    assert texts(found) == {("system", "A"): ("x", "")}
    assert found.columns[0].ids == (SegmentId("n_#_0", ""), SegmentId("n_#_2", ""))
    assert found.report.notes == ("1 document without hypothesis: missing, not empty",)


def test_outputs_in_a_test_set_are_systems_and_references_by_their_names() -> None:
    row = document("en-de_#_n_#_a", "en", tgt="de", source="One", refs={}, tgt_text={"refA": "Eins", "GPT": "Ein"})
    row2 = document("en-de_#_n_#_b", "en", tgt="de", source="Two", refs={}, tgt_text={"refA": "Zwei"})
    found = documents(lines(row, row2))
    assert texts(found)["reference", "refA"] == ("Eins", "Zwei")
    assert texts(found)["system", "GPT"] == ("Ein",)
    assert texts(documents(lines(row, row2), "system"))["system", "GPT"] == ("Ein",)


def test_a_reference_in_the_layout_of_an_output_is_one() -> None:
    found = documents(OUTPUT, "reference", "synthetic.jsonl", pair=ISLANDIC)
    assert texts(found) == {("reference", "synthetic"): ("Þrír", "<p>Einn</p> <p>Tvö</p>")}


GOOD = document("en-de_#_n_#_a", "en", tgt="de", source="One", refs={"refA": "Eins"})


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ({"src_text": "x"}, 't.jsonl, line 2: \'{"src_text": "x"}\' found, an object with doc_id expected'),
        ({"doc_id": "en-de_#_b"}, "t.jsonl, line 2: neither src_text nor hypothesis found, one of them expected"),
        (GOOD, "t.jsonl, line 2: a second row of the document n_#_a found, 1 expected; the first is in line 1"),
        (GOOD | {"tgt_lang": "fr"}, "t.jsonl, line 2: languages en-fr found, en-de expected as in the doc_id"),
        (GOOD | {"doc_id": "b", "src_text": None}, "t.jsonl, line 2: no src_text found, a text expected"),
        (GOOD | {"doc_id": "b", "src_text": ["x"]}, "t.jsonl, line 2: src_text \"['x']\" found, a text expected"),
        (GOOD | {"doc_id": "b", "refs": "x"}, "t.jsonl, line 2: refs without names found, an object expected"),
        (GOOD | {"doc_id": "b", "refs": {"A": {"ref": 3}}}, "t.jsonl, line 2: refs.A '3' found, a text expected"),
        (GOOD | {"doc_id": "b", "src_text": "a\0b"}, "t.jsonl, line 2: NUL character found in src_text"),
        (GOOD | {"doc_id": "b", "src_text": "a\ud800"}, "t.jsonl, line 2: half of a surrogate pair found in src_text"),
    ],
)
def test_what_is_wrong_is_named_with_its_line(row: dict[str, object], message: str) -> None:
    with pytest.raises(FormatError) as caught:
        documents(lines(GOOD, row))
    assert str(caught.value).startswith(message)


def test_a_file_without_the_role_says_what_it_has() -> None:
    with pytest.raises(FormatError, match=r"^t\.jsonl: no system for the language pair en-is_IS found, at least 1 exp"):
        documents(WMT25, "system")
    no_reference = lines(document("en-de_#_n_#_a", "en", tgt="de", source="One", refs={}))
    with pytest.raises(FormatError, match=r"no reference for the language pair en-de found, .* the file has source$"):
        documents(no_reference, "reference")


def test_tables_with_ids_of_segments_stay_tables() -> None:
    rows = [{"doc_id": "d", "seg_id": k, "source": "x", "hypothesis": f"two words {k}"} for k in range(3)]
    assert inspect(lines(*rows), "A.jsonl").format == "json-lines"
    rows = [{"doc_id": "en-de_#_d", "seg_id": k, "hypothesis": f"two words {k}"} for k in range(3)]
    assert inspect(lines(*rows), "A.jsonl").format == "json-lines"


def test_limits_hold() -> None:
    with pytest.raises(LimitError, match=r"t\.jsonl"):
        documents(WMT25, limits=replace(DEFAULT_LIMITS, objects=1))
    row = document("en-de_#_n_#_a", "en", tgt="de", source="One", refs={"a": "x", "b": "y"})
    with pytest.raises(LimitError, match=r"t\.jsonl"):
        documents(lines(row), limits=replace(DEFAULT_LIMITS, references=1))


@pytest.mark.parametrize(
    ("text", "pair", "document"),
    [
        ("zh-ja_JP_#_speech_#_vid_1", "zh-ja_JP", "speech_#_vid_1"),
        ("en-sr_Cyrl_RS_#_news_#_x", "en-sr_Cyrl_RS", "news_#_x"),
        (id26("x-y.1", ("eng_Latn", "zho_Hant_TW")), "eng_Latn-zho_Hant_TW", "news_###_x-y.1"),
        ("social_###_116316727640084135", "", "social_###_116316727640084135"),
        ("doc-1", "", "doc-1"),
    ],
)
def test_ids_are_taken_apart(text: str, pair: str, document: str) -> None:
    assert parse_document_id(text)[:2] == (pair, document)
