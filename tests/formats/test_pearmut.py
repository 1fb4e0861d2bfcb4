"""Pearmut's result log."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from bleu_core.dataset import Judgments, SegmentId
from bleu_core.errors import FormatError, LanguagePairError
from bleu_core.formats import Contents, inspect, read, recognise


def entry(user: str, items: dict[str, dict[str, object]], **changes: Any) -> dict[str, Any]:
    """A submitted document: item -> system -> score."""
    return {
        "annotation": [{s: {"score": score, "error_spans": []} for s, score in of.items()} for of in items.values()],
        "item": [{"item_id": name, "src": "a\nb", "tgt": dict.fromkeys(of, "x")} for name, of in items.items()],
        "actions": [{"action": "load"}, {"action": "submit"}],
        "user_id": user,
        "item_i": 0,
    } | changes


def log(*entries: dict[str, Any]) -> bytes:
    return "".join(f"{json.dumps(each)}\n" for each in entries).encode()


def judgments(*entries: dict[str, Any], pair: str | None = None) -> Judgments:
    found = read(log(*entries), "l.jsonl", "judgments", pair=pair).judgments
    assert found is not None
    return found


def item(document: str, number: int, pair: str = "en-de") -> str:
    return f"{pair}_#_news_#_{document}_#_{number}"


def test_all_judges_of_an_item_count() -> None:
    items = {item("d", 0): {"A": 70, "B": 50.5}, item("d", 1): {"A": None, "B": 3}, item("e", 0): {"A": 1, "B": 2}}
    entries = [entry("x", items), entry("y", {item("d", 0): {"A": 80}})]
    assert recognise(log(*entries), "l.jsonl") == "judgments"
    found = judgments(*entries)
    rated = found.rated
    assert list(
        zip(rated["judge"], rated["document"], rated["position"], rated["system"], rated["score"], strict=True)
    ) == [
        ("x", "news_#_d", 0, "A", 70),
        ("x", "news_#_d", 0, "B", 50.5),
        ("x", "news_#_d", 1, "B", 3),
        ("x", "news_#_e", 0, "A", 1),
        ("x", "news_#_e", 0, "B", 2),
        ("y", "news_#_d", 0, "A", 80),
    ]
    assert found.numbering == "document"
    placed, aside = found.place(("A", "B"), 3, ["news_#_d", "news_#_d", "news_#_e"])
    assert placed.rated["segment"].tolist() == [1, 1, 2, 3, 3, 1]
    assert aside == ()
    assert [str(each) for each in found.unused_rows] == ["l.jsonl: 1 row not used (line 1): no score"]


@pytest.mark.parametrize(("numbers", "documents", "segments"), [((1, 2, 3), "dde", [1, 2, 3]), ((4, 1), "xy", [4, 1])])
def test_numbers_that_go_on_from_document_to_document_are_lines(
    numbers: tuple[int, ...], documents: str, segments: list[int]
) -> None:
    found = judgments(entry("x", {item(d, n): {"A": n} for d, n in zip(documents, numbers, strict=True)}))
    assert (found.numbering, found.rated["segment"].tolist()) == ("line", segments)


def test_tutorials_checks_and_skipped_items_do_not_count() -> None:
    check = entry("x", {item("d", 0): {"A": 1}, item("d", 1): {"A": 2}})
    check["item"][1]["validation"] = {"A": [{"score": [0, 50]}]}
    found = judgments(
        entry("x", {"tutorial_1": {"A": 9}}, item_i="welcome_1"),
        check,
        entry("x", {item("d", 2): {"A": 8}}, actions=[{"action": "submit_skip"}]),
    )
    assert found.rated["score"].tolist() == [1]
    assert [str(each) for each in found.unused_rows] == [
        "l.jsonl: 1 row not used (line 1): tutorial",
        "l.jsonl: 1 row not used (line 2): a check of the judge",
        "l.jsonl: 1 row not used (line 3): skipped by the judge",
    ]


def test_items_with_other_names_are_no_lines() -> None:
    found = judgments(entry("x", {"en-es-0": {"A": 1}, "en-es-1": {"A": 2}}))
    assert (found.numbering, found.rated["segment"].isna().all()) == ("item", True)
    assert len(found.notes) == 1


def test_a_language_pair_is_chosen() -> None:
    entries = [entry("x", {item("d", 0): {"A": 1}}), entry("x", {item("d", 0, "cs-uk"): {"A": 2}})]
    assert judgments(*entries).rated["score"].tolist() == [1]
    assert judgments(*entries, pair="cs-uk").rated["score"].tolist() == [2]
    nameless = entry("x", {item("d", 0).replace("en-de", "news"): {"A": 3}})
    assert judgments(nameless, *entries).rated["score"].tolist() == [3]
    with pytest.raises(LanguagePairError, match=r"^l\.jsonl: no language pair a-b; choose one of en-de, cs-uk$"):
        judgments(*entries, pair="a-b")


GOOD = entry("x", {item("d", 0): {"A": 1}})


@pytest.mark.parametrize(
    ("bad", "message"),
    [
        ({"a": 1}, "an object with annotation, item and user_id expected"),
        (GOOD | {"annotation": []}, "0 annotations found, 1 expected as there are items"),
        (GOOD | {"annotation": {}}, "annotation that is not a list found, a list expected"),
        (GOOD | {"annotation": [3]}, "annotation without names found, an object expected"),
        (GOOD | {"annotation": [{"A": 3}]}, "rating without names found, an object expected"),
        (GOOD | {"annotation": [{"A": {"score": "good"}}]}, "score 'good' found, a number expected"),
        (GOOD | {"item": [{"src": "x"}]}, "no item_id found, a name expected"),
        (GOOD | {"user_id": None}, "no user_id found, a name expected"),
    ],
)
def test_what_is_no_log_is_refused_with_its_line(bad: dict[str, Any], message: str) -> None:
    with pytest.raises(FormatError, match=rf"^l\.jsonl, line 2: .*{re.escape(message)}$"):
        read(log(GOOD, bad), "l.jsonl", "judgments")


def test_a_log_without_ratings_is_refused() -> None:
    with pytest.raises(FormatError, match=r"^l\.jsonl: no rating"):
        judgments(entry("x", {"t": {"A": 9}}, item_i="welcome_1"))


def item26(document: str, number: int) -> str:
    return f"news_###_{document}_###_{number}"


def download(**campaigns: list[dict[str, Any]]) -> bytes:
    return json.dumps({name.replace("__", "---"): rows for name, rows in campaigns.items()}).encode()


def texts(found: Contents) -> dict[tuple[str, str], tuple[str | None, ...]]:
    return {(column.role, column.name): column.segments for column in found.columns}


def test_items_of_wmt26_are_segments_and_their_domain_is_no_language_pair() -> None:
    found = judgments(entry("x", {item26("d", 0): {"A": 1}, "social_###_e_###_0": {"A": 2}, item26("d", 1): {"A": 3}}))
    rated = found.rated
    assert list(zip(rated["document"], rated["position"], strict=True)) == [
        ("news_###_d", 0),
        ("social_###_e", 0),
        ("news_###_d", 1),
    ]
    assert found.unused_rows == ()


def test_what_a_reset_undoes_does_not_count() -> None:
    reset = {"annotation": "__RESET__", "user_id": "x", "item_i": 0}
    found = judgments(
        entry("x", {item("d", 0): {"A": 1, "B": 2}}),
        entry("x", {item("d", 1): {"A": 3}}, item_i=1),
        entry("y", {item("d", 0): {"A": 4}}),
        reset,
        entry("x", {item("d", 0): {"A": 5}}),
    )
    assert found.rated["score"].tolist() == [3, 4, 5]
    assert [str(each) for each in found.unused_rows] == ["l.jsonl: 1 row not used (line 1): reset afterwards"]
    assert judgments(entry("x", {item("d", 0): {"A": 1}}, item_i=3), reset | {"user_id": "y"}).rated[
        "score"
    ].tolist() == [1]


def test_items_that_are_no_translations_of_the_campaign_do_not_count() -> None:
    skipped = entry("x", {item("d", 0): {"A": 1}, item("d", 1): {"A": 2}})
    skipped["annotation"][1] = None
    found = judgments(
        skipped,
        entry("x", {"attention_check_3": {"A": 9}}),
        entry("x", {"deen_#_tutorial_#_1": {"A": 9}}),
        entry("x", {item("d", 5): {"A": 9}}, item_i="random_2"),
    )
    assert found.rated["score"].tolist() == [1]
    assert {each.reason: each.count for each in found.unused_rows} == {
        "skipped by the judge": 1,
        "attention check": 2,
        "tutorial": 1,
    }


ROWS = [
    entry("x", {item26("d", 0): {"A": 70, "B": 50}, item26("d", 1): {"A": 60, "B": None}}),
    entry("y", {item26("e", 0): {"A": 10, "C": 20}}),
    entry("y", {item26("d", 0): {"A": 80}}),
]


def described(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The rows with texts that differ from item to item and from system to system."""
    rows = json.loads(json.dumps(rows))
    for row in rows:
        for each in row["item"]:
            each["src"] = f"source of {each['item_id']}\nin two lines"
            each["tgt"] = {system: f"{each['item_id']} by {system}" for system in each["tgt"]}
    return rows


def test_a_download_opens_as_a_test_set_with_its_ratings() -> None:
    data = download(**{"eng_Latn__isl_Latn v3": described(ROWS), "eng_Latn__ces_Latn": []})
    assert (inspect(data, "annotations.json").role, inspect(data, "annotations.json").format) == ("archive", "pearmut")
    found = read(data, "annotations.json", "archive")
    names = [item26("d", 0), item26("d", 1), item26("e", 0)]
    assert texts(found) == {
        ("source", "source"): tuple(f"source of {name} in two lines" for name in names),
        ("system", "A"): tuple(f"{name} by A" for name in names),
        ("system", "B"): tuple(f"{name} by B" for name in names[:2]),
        ("system", "C"): (f"{names[2]} by C",),
        ("document", "documents"): ("news_###_d", "news_###_d", "news_###_e"),
    }
    ids = {column.name: column.ids for column in found.columns}
    assert ids["C"] == (SegmentId("news_###_e", "0"),)
    rated = found.judgments.rated if found.judgments is not None else None
    assert rated is not None
    assert list(zip(rated["judge"], rated["segment"], rated["system"], rated["score"], strict=True)) == [
        ("x", 1, "A", 70),
        ("x", 1, "B", 50),
        ("x", 2, "A", 60),
        ("y", 3, "A", 10),
        ("y", 3, "C", 20),
        ("y", 1, "A", 80),
    ]
    assert found.report.format == "Pearmut (JSON), eng_Latn-isl_Latn"
    assert [each.reason for each in found.report.unused_rows] == ["no score"]


def test_a_download_has_the_ratings_of_its_log() -> None:
    as_log, as_download = (
        read(data, name, "judgments").judgments
        for data, name in ((log(*ROWS), "l.jsonl"), (download(one=ROWS), "l.json"))
    )
    assert as_log is not None
    assert as_download is not None
    assert as_log.digest == as_download.digest


def test_the_language_pair_of_a_download_is_asked_for() -> None:
    data = download(eng_Latn__isl_Latn=ROWS, eng_Latn__ces_Latn=described(ROWS))
    for role in ("archive", "judgments"):
        with pytest.raises(
            LanguagePairError, match=r"2 language pairs found, 1 expected; choose one with --language-pair"
        ):
            read(data, "a.json", role)
    found = read(data, "a.json", "archive", pair="eng_Latn-ces_Latn")
    assert texts(found)["system", "C"] == (f"{item26('e', 0)} by C",)
    assert [str(each) for each in found.report.unused_rows] == [
        "a.json: 7 rows not used (first: line 1): another language pair, eng_Latn-isl_Latn",
        "a.json: 1 row not used (line 4): no score",
    ]


def test_items_without_documents_are_segments_of_a_test_set() -> None:
    found = read(log(*described([entry("x", {"en-es-1": {"A": 1}, "en-es-0": {"A": 2}})])), "l.jsonl", "archive")
    assert texts(found) == {
        ("source", "source"): ("source of en-es-1 in two lines", "source of en-es-0 in two lines"),
        ("system", "A"): ("en-es-1 by A", "en-es-0 by A"),
    }
    assert found.judgments is not None
    assert found.judgments.rated["segment"].tolist() == [1, 2]


def test_two_texts_of_a_segment_are_refused() -> None:
    rows = [*described(ROWS), *described(ROWS[2:])]
    rows[-1]["item"][0]["tgt"]["A"] = "something else"
    data = download(c=rows)
    assert read(data, "a.json", "judgments").judgments is not None
    message = (
        r"^a\.json, row 4 of c: another system of A of the item news_###_d_###_0 found than in a\.json, row 1 of c,"
    )
    with pytest.raises(FormatError, match=message):
        read(data, "a.json", "archive")


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ({"c": [GOOD, 3]}, "a.json, row 2 of c: row without names found, an object expected"),
        ({"c": [GOOD], "d": 3}, "a.json: log of d that is not a list found, a list expected"),
        (
            {"c": [GOOD | {"item": [{"item_id": "a", "tgt": {"A": 3}}]}]},
            "a.json, row 1 of c: tgt of A '3' found, a text",
        ),
        ({"c": [GOOD | {"item": [{"item_id": "a"}]}]}, "a.json: no text found in 1 items, at least 1 expected"),
    ],
)
def test_what_is_no_download_is_refused(value: object, message: str) -> None:
    with pytest.raises(FormatError) as caught:
        read(json.dumps(value).encode(), "a.json", "archive", format="pearmut")
    assert str(caught.value).startswith(message)
