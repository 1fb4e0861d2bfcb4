"""All exports of a campaign: answers, comments, Pearmut, and the paragraph for a paper."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from campaigned import corpus, plan

from bleu_core.campaigns import (
    EXPORTED,
    CampaignPlan,
    CampaignStore,
    JudgeGroup,
    Scale,
    StoppingRule,
    TrainingExample,
    create_store,
    design_campaign,
    export_files,
    methods_paragraph,
)
from bleu_core.campaigns.pearmut import pearmut_campaign
from bleu_core.dataset import Corpus, FilePart, fit
from bleu_core.errors import SettingsError
from bleu_core.formats import read

GROUPS = (JudgeGroup("monolingual", 2, source=False), JudgeGroup("bilingual", 2))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path


def opened(folder: Path, asked: CampaignPlan, texts: Corpus | None = None) -> CampaignStore:
    texts = texts or corpus()
    path = folder / "campaign.db"
    create_store(path, design_campaign(asked, texts), texts)
    store = CampaignStore(path)
    store.add_event("opened")
    return store


@pytest.fixture
def store(folder: Path) -> Iterator[CampaignStore]:
    """A campaign with checks, of which one judge has rated everything, and another one has skipped and commented."""
    with opened(folder, plan(groups=GROUPS, repeats=0.1, degraded=0.1)) as store:
        first, second = store.judges[0], store.judges[2]
        with store.transaction():
            for slot in store.slots(first):
                rate(store, first, slot.place, 1 + slot.place % 5)
        rate(store, first, place=0, score=5, client="again")
        item = store.slots(second)[0].items[0].item
        times: dict[str, Any] = {"client": "skipped", "shown": 0.0, "given": 1_700_000_000.5}
        store.add_skip(second, 0, item, "=HYPERLINK(1)", **times)
        store.add_comment(second, 1, "+1\n<b>hm</b>", client="comment")
        yield store


def rate(store: CampaignStore, judge: str, place: int, score: float, client: str = "") -> None:
    for item in store.slots(judge)[place].items:
        client = client or f"{judge} {place} {item.item}"
        store.add_rating(judge, place, item.item, score, client=client, shown=1.7e9, given=1.7e9 + 9)


def rows_of(content: bytes) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(content.decode(), newline="")))


def test_a_campaign_gives_all_files(store: CampaignStore) -> None:
    exports = export_files(store)
    assert tuple(exports.files) == tuple(EXPORTED)
    assert exports.left_out == ()


def test_all_answers_are_exported_with_excluded_judges(store: CampaignStore) -> None:
    store.exclude(store.judges[0], "careless")
    files = export_files(store).files
    answers = rows_of(files["answers.csv"])
    assert len(answers) == len(store.answers(all_revisions=True))
    assert {row["kind"] for row in answers} == {"first", "repeat", "degraded"}
    assert {(row["judge"], row["excluded"]) for row in answers} == {("monolingual 1", "yes"), ("bilingual 1", "no")}
    assert [row["score"] for row in answers if row["place"] == "1" and row["judge"] == "monolingual 1"] == ["1", "5"]
    assert answers[0]["given"] == "2023-11-14T22:13:29.000+00:00"
    assert "ratings.csv" not in files  # the only judge who has rated is excluded


def test_what_judges_write_is_no_formula(store: CampaignStore) -> None:
    files = export_files(store).files
    (skip,) = (row for row in rows_of(files["answers.csv"]) if row["reason"])
    assert (skip["reason"], skip["score"], skip["shown"]) == ("'=HYPERLINK(1)", "", "1970-01-01T00:00:00.000+00:00")
    (comment,) = rows_of(files["comments.csv"])
    assert (comment["judge"], comment["place"], comment["comment"]) == ("bilingual 1", "2", "'+1\n<b>hm</b>")


def test_no_name_in_a_table_is_a_formula(folder: Path) -> None:
    texts = Corpus({"=S": corpus().systems["S0"]}, {}, corpus().source, ("@doc",) * corpus().segments)
    with opened(folder, plan(systems=("=S",), groups=(JudgeGroup("-5", 2),)), texts) as store:
        rate(store, "-5 1", 0, 3)
        store.add_comment("-5 1", 1, "\0\x1b[31mred", client="comment")
        exports = export_files(store)
    (answer,) = rows_of(exports.files["answers.csv"])
    names = [answer[key] for key in ("judge", "group", "system", "document", "score", "escaped_by")]
    assert names == ["'-5 1", "'-5", "'=S", "'@doc", "3", "bleu-core"]
    (comment,) = rows_of(exports.files["comments.csv"])
    assert (comment["judge"], comment["comment"]) == ("'-5 1", "\\x00\\x1b[31mred")
    back = read(exports.files["ratings.csv"], "ratings.csv", role="judgments").judgments
    assert back is not None
    assert back.table[["system", "judge", "group", "document"]].to_numpy().tolist() == [["=S", "-5 1", "-5", "@doc"]]
    assert exports.left_out[0].startswith("campaign.seg.score: systems: '=S' found")


def test_an_export_that_cannot_be_made_is_named(folder: Path) -> None:
    texts = corpus(systems=2)
    texts = Corpus({"1": texts.systems["S0"], "a\tb": texts.systems["S1"]}, {}, texts.source)
    with opened(folder, plan(systems=("1", "a\tb"), groups=GROUPS), texts) as store:
        exports = export_files(store)
        assert [sentence.split(":")[0] for sentence in exports.left_out] == [
            "ratings.csv and campaign.seg.score",
            "pearmut.json",
        ]
        rate(store, store.judges[0], 0, 3)
        exports = export_files(store)
        assert exports.left_out[0].startswith("campaign.seg.score: systems: 'a\\tb' found")
        assert "ratings.csv" in exports.files


# --- Pearmut ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("presentation", ["single", "side by side"])
@pytest.mark.parametrize("documents", [True, False])
def test_pearmut_has_the_lists_and_its_log_gives_the_same_segments(
    folder: Path, presentation: str, *, documents: bool
) -> None:
    texts = corpus() if documents else Corpus(corpus().systems, {}, corpus().source)
    asked = plan(groups=GROUPS, repeats=0.1, degraded=0.1, presentation=presentation, title="A title: 1/2")
    with opened(folder, asked, texts) as store:
        found = json.loads(pearmut_campaign(store))
        lists = {judge: [slot for slot in store.slots(judge) if slot.kind == "first"] for judge in store.judges}
    assert found["campaign_id"] == "A_title_1_2"
    assert found["info"]["protocol"] == ("ESA" if presentation == "single" else "cESA")
    assert found["info"]["users"] == list(lists)
    for (judge, slots), task in zip(lists.items(), found["data"], strict=True):
        assert [list(item["tgt"].items()) for (item,) in task] == [
            [(shown.system, shown.text) for shown in slot.items] for slot in slots
        ]
        assert all(("src" in item) == judge.startswith("bilingual") for (item,) in task)
    log = "".join(
        json.dumps(
            {
                "user_id": judge,
                "item_i": n,
                "item": [item],
                "annotation": [{system: {"score": place_score(item), "error_spans": []} for system in item["tgt"]}],
                "actions": [{"action": "submit"}],
            }
        )
        + "\n"
        for judge, task in zip(found["info"]["users"], found["data"], strict=True)
        for n, (item,) in enumerate(task)
    )
    ratings = fit([*parts_of(texts), *read(log.encode(), "log.jsonl", role="judgments").parts()]).ratings.judgments
    assert ratings is not None
    table = ratings.table
    shown = {
        (judge, slot.items[0].segment, item.system) for judge, of in lists.items() for slot in of for item in slot.items
    }
    assert set(zip(table["judge"], table["segment"], table["system"], strict=True)) == shown
    assert (table["score"] == table["segment"]).all()


def place_score(item: dict[str, Any]) -> int:
    return int(item["item_id"].rsplit("_#_", 1)[1])


def parts_of(texts: Corpus) -> list[FilePart]:
    found = [read("\n".join(lines).encode(), f"{name}.txt", role="system") for name, lines in texts.systems.items()]
    if texts.documents is not None:
        found.append(read("\n".join(map(str, texts.documents)).encode(), "documents.txt", role="document"))
    return [part for contents in found for part in contents.parts()]


def test_training_goes_to_pearmut_on_its_scale(folder: Path) -> None:
    example = TrainingExample(text="bad <b>", lowest=1, highest=2, feedback="Too & bad", source="gut")
    with opened(folder, plan(training=(example,), instructions="Read.\n<script>")) as store:
        found = json.loads(pearmut_campaign(store))
    assert found["info"]["instructions"].endswith("<br>Read.<br>&lt;script&gt;")
    ((item,),) = found["data_welcome"]
    assert item["validation"] == {"example": {"warning": "Too &amp; bad", "score": [0, 25]}}


@pytest.mark.parametrize("name", ["7", 'a"b', "<b>"])
def test_names_that_break_pearmut_are_refused(folder: Path, name: str) -> None:
    texts = Corpus({name: corpus().systems["S0"]}, {}, corpus().source)
    with opened(folder, plan(systems=(name,)), texts) as store, pytest.raises(SettingsError, match="rename it"):
        pearmut_campaign(store)


def test_a_text_that_pearmut_would_run_is_refused(folder: Path) -> None:
    texts = Corpus({"A": ("<img src=x onerror=alert(1)>",) * 20}, {}, tuple("abcdefghijklmnopqrst"))
    with (
        opened(folder, plan(systems=("A",)), texts) as store,
        pytest.raises(SettingsError, match=r"segment .* '<img sr"),
    ):
        pearmut_campaign(store)


# --- methods ----------------------------------------------------------------------------------------------------


def test_the_paragraph_says_what_was_done(store: CampaignStore) -> None:
    store.exclude("monolingual 1", "gave the same score throughout")
    text = methods_paragraph(store)
    ratings = sum(slot.kind == "first" for slot in store.slots("monolingual 1"))
    for part in (
        "the translations of 12 of 40 segments by 4 systems (S0, S1, S2, S3)",
        "2 judges of the group monolingual, who did not see the source",
        "10% of a judge's items were shown a second time",
        f"gave {ratings} of {4 * ratings} planned ratings and skipped 1",
        f"The {ratings} ratings of 1 judge are excluded: ",
        "monolingual 1 (gave the same score throughout)",
        "when all items were rated",
        f"seed 12345, design {store.digest}",
    ):
        assert part in text, part


@pytest.mark.parametrize(
    ("changes", "part"),
    [
        ({"segments": 40}, "all 40 segments"),
        ({"segments": None, "documents": 3}, "which make up 3 documents drawn at random as a whole"),
        ({"strata": "domain"}, "in proportion to the values of domain"),
        ({"mode": "paper"}, "Papineni et al., 2002, section 4"),
        ({"presentation": "side by side"}, "side by side, without the systems' names"),
        ({"stopping": StoppingRule(ratings=90)}, "to stop after 90 ratings"),
        ({"stopping": StoppingRule(width=0.3, looks=4)}, "narrower than 0.3 points; this was fixed"),
        ({"scale": Scale(0, 1, 0.5, {0: "bad", 1: "good"})}, "from 0 to 1 in steps of 0.5 (0: bad; 1: good)"),
        ({"training": (TrainingExample(text="x", lowest=1, highest=2),)}, "rated 1 example and were shown"),
        ({}, "No rating has been given yet."),
    ],
)
def test_the_paragraph_follows_the_plan(folder: Path, changes: dict[str, Any], part: str) -> None:
    with opened(folder, plan(**changes)) as store:
        assert part in methods_paragraph(store)
