"""Pearmut's result log."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from bleu_core.dataset import Judgments
from bleu_core.errors import FormatError
from bleu_core.formats import read, recognise


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
    assert [str(each) for each in found.set_aside] == ["l.jsonl: 1 row not used (line 1): no score"]


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
    assert [str(each) for each in found.set_aside] == [
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
    with pytest.raises(
        FormatError, match=r"^l\.jsonl: no rating of the language pair a-b; choose one of en-de, cs-uk$"
    ):
        judgments(*entries, pair="a-b")


GOOD = entry("x", {item("d", 0): {"A": 1}})


@pytest.mark.parametrize(
    ("bad", "message"),
    [
        ({"a": 1}, "an object with annotation, item and user_id expected"),
        (GOOD | {"annotation": []}, "0 annotations found, 1 expected as there are items"),
        (GOOD | {"annotation": {}}, "annotation found that is no list, a list expected"),
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
