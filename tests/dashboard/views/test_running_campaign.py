"""The page Campaign of a server that was started with a campaign, and its ratings on the other pages."""

from __future__ import annotations

import csv
import io
import re
import sys
import time
import zipfile
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from random import Random
from typing import Any

import pytest
from campaigned import corpus, plan
from pages import APP, UnopenedSession, said, upload, visit
from sample import corpus as sample_corpus
from streamlit.testing.v1 import AppTest

from bleu_core.campaigns import (
    CampaignStore,
    JudgeGroup,
    StoppingRule,
    analysis_points,
    create_store,
    design_campaign,
    planned_ratings,
    ratings_csv,
)
from bleu_core.dataset import Corpus
from dashboard.literal import literal
from dashboard.session import RATINGS_NAME
from dashboard.views.campaign.analysis.running import base_address, campaign_exports, links_csv, make_links

HOSTILE = ("**bold**", "<b>tag</b>", "=1+1", "$x^2$ and $y$", "[link](javascript:1)")


def rate(store: CampaignStore, judge: str, places: range, score: float | None = None, seconds: float = 8) -> None:
    """Rate places of a judge's list; the score depends on the system if none is given."""
    with store.transaction():
        for slot in store.slots(judge)[places.start : places.stop]:
            for item in slot.items:
                given = 1 + int(item.system[1:]) if score is None else score
                client = f"{judge} {slot.place} {item.item}"
                now = time.time()
                store.add_rating(judge, slot.place, item.item, given, client=client, shown=now - seconds, given=now)


@pytest.fixture
def texts() -> Corpus:
    return corpus()


@pytest.fixture
def store(tmp_path: Path, texts: Corpus) -> Iterator[CampaignStore]:
    """A campaign of 12 segments of 4 systems and 3 judges."""
    groups = (JudgeGroup("people", 2), JudgeGroup(HOSTILE[2], 1))
    with_checks = plan(groups=groups, repeats=0.1, degraded=0.1, ratings=1)
    create_store(tmp_path / "campaign.db", design_campaign(with_checks, texts), texts)
    with CampaignStore(tmp_path / "campaign.db") as opened:
        yield opened


@pytest.fixture
def opened(
    texts: Corpus, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, hashes: Mapping[str, str]
) -> Callable[[CampaignStore], AppTest]:
    """Opens the page of the lead, with the files of the systems."""
    files: list[str] = []
    for name, segments in texts.systems.items():
        (tmp_path / f"{name}.txt").write_text("".join(f"{text}\n" for text in segments), encoding="utf-8")
        files.append(str(tmp_path / f"{name}.txt"))
    reference = tmp_path / "reference.txt"
    reference.write_text("".join(f"{text}!\n" for text in texts.systems["S0"]), encoding="utf-8")

    def call(store: CampaignStore) -> AppTest:
        monkeypatch.setattr(sys, "argv", ["app.py", "--campaign", str(store.path), "--ref", str(reference), *files])
        return visit(UnopenedSession(hashes), "campaign")

    return call


@pytest.fixture
def page(store: CampaignStore, opened: Callable[[CampaignStore], AppTest]) -> AppTest:
    """The page of the lead of that campaign."""
    return opened(store)


def ratings_of(app: AppTest) -> bytes | None:
    """The file with the ratings, in the session."""
    return next((file.data for file in app.session_state["held"].files if file.name == RATINGS_NAME), None)


def test_the_state_changes_by_buttons_and_closing_is_confirmed(page: AppTest, store: CampaignStore) -> None:
    assert not page.exception
    assert "not open yet" in said(page)
    for button, state in (("opened", "open"), ("paused", "paused"), ("reopened", "open")):
        page.button(key=f"campaign-{button}").click().run()
        assert store.state == state
    page.button(key="campaign-closed").click().run()
    assert store.state == "open"
    page.button(key="campaign-cancelled").click().run()
    page.button(key="campaign-closed").click().run()
    page.button(key="campaign-confirmed").click().run()
    assert store.state == "closed"
    page.button(key="campaign-reopened").click().run()
    assert [event for event, *_ in store.events] == ["opened", "paused", "reopened", "closed", "reopened"]


def test_what_another_window_has_done_already_is_explained(page: AppTest, store: CampaignStore) -> None:
    store.add_event("opened")
    store.add_event("paused")
    page.button(key="campaign-opened").click().run()
    assert "it can be opened when it is new" in said(page)
    assert not page.exception
    page.button(key="campaign-reopened").click().run()
    assert "it can be" not in said(page)


def test_links_are_shown_once_and_void_older_ones(page: AppTest, store: CampaignStore) -> None:
    former = store.new_token("people 1")  # after the page was drawn
    page.text_input(key="campaign_address").set_value("https://mt.example/rating/").run()
    page.multiselect(key="campaign_link_judges").set_value(["people 1", "people 2"]).run()
    page.button(key="campaign-make-links").click().run()
    assert "Replace this link? Judges lose access until you send the new ones: people 1." in said(page)
    assert not [block.value for block in page.code if "/rate#" in block.value]
    assert store.token_owner(former) == ("judge", "people 1")
    page.button(key="campaign-replace-links").click().run()
    links = [block.value for block in page.code if "/rate#" in block.value]
    assert len(links) == 2
    for judge, link in zip(("people 1", "people 2"), links, strict=True):
        address, _, token = link.partition("#")
        assert address == "https://mt.example/rating/rate"
        assert store.token_owner(token) == ("judge", judge)
    assert store.token_owner(former) is None
    assert store.token_created(f"{HOSTILE[2]} 1") is None
    page.button(key="campaign-hide-links").click().run()
    assert not [block.value for block in page.code if "/rate#" in block.value]
    assert page.session_state["campaign_links"] is None


def test_judges_without_a_link_are_chosen_and_links_are_replaced_only_after_a_question(
    store: CampaignStore, opened: Callable[[CampaignStore], AppTest]
) -> None:
    other = f"{HOSTILE[2]} 1"
    kept = store.new_token("people 2")
    page = opened(store)
    assert page.multiselect(key="campaign_link_judges").value == ["people 1", other]
    page.text_input(key="campaign_address").set_value("https://mt.example").run()
    page.button(key="campaign-make-links").click().run()
    assert len([block for block in page.code if "/rate#" in block.value]) == 2
    assert page.multiselect(key="campaign_link_judges").value == []
    assert page.button(key="campaign-make-links").disabled
    visit(visit(page, "judges/agreement"), "campaign")
    assert page.multiselect(key="campaign_link_judges").value == []
    page.text_input(key="campaign_address").set_value("https://mt.example").run()
    page.button(key="campaign-all-judges").click().run()
    page.button(key="campaign-make-links").click().run()
    assert "Replace 3 links? Judges lose access until you send the new ones: people 1, people 2," in said(page)
    page.button(key="campaign-keep-links").click().run()
    assert "Replace" not in said(page)
    page.button(key="campaign-make-links").click().run()
    page.multiselect(key="campaign_link_judges").set_value(["people 2"]).run()  # another choice is asked about anew
    assert "Replace" not in said(page)
    assert store.token_owner(kept) == ("judge", "people 2")


def test_no_cell_of_the_file_with_links_is_a_formula(store: CampaignStore) -> None:
    rows = list(csv.reader(io.StringIO(links_csv(make_links(store, store.judges, "http://a")).decode("utf-8-sig"))))
    assert [row[0] for row in rows] == ["judge", "people 1", "people 2", "'=1+1 1"]
    assert all(re.fullmatch(r"http://a/rate#[\w-]{22}", row[1]) for row in rows[1:])


@pytest.mark.parametrize(
    ("url", "address"),
    [
        ("http://localhost:8501/campaign", "http://localhost:8501"),
        ("https://mt.example/a/b/campaign?data=1&x=/campaign", "https://mt.example/a/b"),
        ("https://mt.example/campaign/campaign/", "https://mt.example/campaign"),
        ("", ""),
    ],
)
def test_links_begin_like_the_address_of_the_page(url: str, address: str) -> None:
    assert base_address(url, "campaign") == address


def test_a_judge_is_left_out_and_included_again_with_a_reason_each(page: AppTest, store: CampaignStore) -> None:
    store.add_event("opened")
    rate(store, "people 1", range(5))
    page.run()
    page.button(key="campaign-exclude-button").click().run()
    assert "no reason found" in said(page)
    page.text_input(key="campaign_exclude_reason").set_value("only **fives**").run()
    page.button(key="campaign-exclude-button").click().run()
    assert [(gone.judge, gone.reason) for gone in store.exclusions] == [("people 1", "only **fives**")]
    assert "only **fives**" in said(page)
    assert ratings_of(page) is None
    page.text_input(key="campaign_exclude_reason").set_value("a misunderstanding").run()
    page.button(key="campaign-exclude-button").click().run()
    assert store.exclusions == ()
    judgments = store.judgments()
    assert judgments is not None
    assert ratings_of(page) == ratings_csv(judgments)


def table(app: AppTest, column: str) -> Any:
    """The table that has this column."""
    return next(frame.value for frame in app.dataframe if column in frame.value)


def test_means_are_hidden_until_the_end_unless_they_are_asked_for(page: AppTest, store: CampaignStore) -> None:
    store.add_event("opened")
    rate(store, "people 1", range(10))
    page.run()
    assert "Means are hidden until the campaign has ended." in said(page)
    assert not any("mean" in frame.value for frame in page.dataframe)
    page.checkbox(key="campaign_peek").check().run()
    shown = table(page, "mean")
    assert dict(zip(shown["system"], shown["mean"], strict=True)) == {"S3": 4, "S2": 3, "S1": 2, "S0": 1}
    page.checkbox(key="campaign_peek").uncheck().run()
    for judge in store.judges:
        rate(store, judge, range(10 if judge == "people 1" else 0, 99))
    page.run()
    assert "hidden" not in said(page)
    assert len(table(page, "mean")) == 4
    assert len(table(page, "width")) == 6
    page.button(key="campaign-stopped").click().run()
    page.button(key="campaign-confirmed").click().run()
    assert store.state == "stopped"


def test_the_looks_of_the_rule_are_announced(
    texts: Corpus, tmp_path: Path, opened: Callable[[CampaignStore], AppTest]
) -> None:
    path = tmp_path / "width.db"
    rule = StoppingRule(width=0.5, looks=4)
    create_store(path, design_campaign(plan(judges=3, stopping=rule), texts), texts)
    with CampaignStore(path) as store:
        page = opened(store)
        assert table(page, "look")["ratings"].tolist() == list(analysis_points(store.plan, planned_ratings(store)))
        assert "Means are hidden until the first interim analysis" in said(page)
        assert "freeze the ratings" in said(page)


def test_progress_is_that_of_the_store(page: AppTest, store: CampaignStore) -> None:
    store.add_event("opened")
    rate(store, "people 1", range(10))
    page.run()
    shown = table(page, "share")
    for one, rated, share in zip(store.progress(), shown["rated"], shown["share"], strict=True):
        assert (rated, share) == (one.rated, pytest.approx(100 * one.rated / one.slots))


def test_a_judge_who_rates_by_chance_is_proposed_and_still_counts(
    texts: Corpus, tmp_path: Path, opened: Callable[[CampaignStore], AppTest]
) -> None:
    path = tmp_path / "careless.db"
    with_checks = plan(segments=30, groups=(JudgeGroup("people", 4),), repeats=0.2, degraded=0.2)
    create_store(path, design_campaign(with_checks, texts), texts)
    with CampaignStore(path) as store:
        store.add_event("opened")
        random = Random(5)
        for judge in store.judges:
            for slot in store.slots(judge):
                quality = 1 + int(slot.items[0].system[1:]) - 0.7 * (slot.kind == "degraded")
                score = random.uniform(1, 5) if judge == "people 3" else random.gauss(quality, 0.4)
                rate(store, judge, range(slot.place, slot.place + 1), min(5, max(1, round(score))))
        page = opened(store)
        assert "people 3's ratings may be unreliable." in said(page)
        assert "people 1 may have" not in said(page)
        assert page.selectbox(key="campaign_exclude_judge").value == "people 3"
        assert store.exclusions == ()


def test_a_hurried_judge_is_named_first_with_the_evidence(
    texts: Corpus, tmp_path: Path, opened: Callable[[CampaignStore], AppTest]
) -> None:
    path = tmp_path / "hurried.db"
    groups = (JudgeGroup("people", 2), JudgeGroup(HOSTILE[0], 1))
    create_store(path, design_campaign(plan(groups=groups, repeats=0.1, degraded=0.1), texts), texts)
    with CampaignStore(path) as store:
        store.add_event("opened")
        for judge in store.judges:
            for slot in store.slots(judge):
                hurried = judge == "**bold** 1"
                quality = 2 + int(slot.items[0].system[1:]) - (slot.kind == "degraded")
                seconds = 0.7 if hurried else 14
                rate(
                    store,
                    judge,
                    places=range(slot.place, slot.place + 1),
                    score=3 if hurried else quality,
                    seconds=seconds,
                )
        page = opened(store)
        copies = len([slot for slot in store.slots("people 1") if slot.kind == "degraded"])
        evidence = (
            "**bold** 1 (fast, copies, disagreement): 0.7 s per place (median of the others 14 s); rated 0 of "
            f"{copies} degraded copies lower (the others {2 * copies} of {2 * copies}); rated "
        )
        (warning,) = (box for box in page.warning if "Look at the ratings" in box.value)
        assert evidence in said(page)
        assert literal(evidence) in warning.value
        assert warning.value.count("\n- ") == 1
        shown = table(page, "share")
        assert shown["judge"].tolist() == ["**bold** 1", "people 1", "people 2"]
        assert shown["flags"].tolist() == ["fast, copies, disagreement", "", ""]
        assert list(shown.columns)[:6] == ["judge", "flags", "share", "seconds", "degraded_lower", "checks"]
        visit(page, "judges/agreement")
        assert evidence in said(page)


def test_repeats_of_a_campaign_are_not_denied_on_the_page_of_judges(page: AppTest, store: CampaignStore) -> None:
    store.add_event("opened")
    visit(page, "judges/agreement")
    for judge in store.judges:
        rate(store, judge, range(99), 3)
    visit(page, "judges/agreement")
    repeats = sum(answer.kind == "repeat" for answer in store.answers())
    assert repeats > 1
    assert f"Of {repeats} translations rated twice, 100% got the same rating again." in said(page)
    assert "rated twice, so" not in said(page)


def test_new_ratings_are_on_the_other_pages_unless_they_are_frozen(page: AppTest, store: CampaignStore) -> None:
    store.add_event("opened")
    rate(store, "people 1", range(24))
    visit(page, "judges/agreement")
    assert not page.exception
    assert "people 1" in page.dataframe[0].value["judge"].tolist()
    before = ratings_of(page)
    visit(page, "campaign").button(key="campaign-freeze").click().run()
    rate(store, "people 2", range(24))
    visit(page, "judges/agreement")
    assert ratings_of(page) == before
    visit(page, "campaign")
    assert "New ratings or exclusions have come since" in said(page)
    page.button(key="campaign-live").click().run()
    judgments = store.judgments()
    assert judgments is not None
    assert ratings_of(page) == ratings_csv(judgments) != before
    assert any(answer.kind != "first" for answer in store.answers())
    assert len((ratings_of(page) or b"").splitlines()) == 1 + len(judgments.table)
    visit(page, "agreement/by-system")
    assert not page.exception


def test_the_address_stays_the_same_while_ratings_come(page: AppTest, store: CampaignStore) -> None:
    store.add_event("opened")
    rate(store, "people 1", range(3))
    visit(page, "judges/agreement")
    before = page.query_params["data"]
    rate(store, "people 2", range(3))
    assert page.run().query_params["data"] == before == store.digest


def test_ratings_that_were_removed_stay_removed_until_they_are_asked_for(page: AppTest, store: CampaignStore) -> None:
    store.add_event("opened")
    rate(store, "people 1", range(3))
    visit(page, "data")
    held = page.session_state["held"]
    held.files = tuple(file for file in held.files if file.name != RATINGS_NAME)
    rate(store, "people 1", range(3, 6))
    visit(page, "campaign")
    assert ratings_of(page) is None
    page.button(key="campaign-add-ratings").click().run()
    assert ratings_of(page) is not None


def test_systems_that_are_not_loaded_are_named(store: CampaignStore, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["app.py", "--campaign", str(store.path)])
    app = visit(AppTest.from_file(str(APP), default_timeout=60).run(), "campaign")
    assert not app.exception
    assert "4 systems of the campaign are not loaded: S0, S1, S2, S3" in said(app)
    visit(app, "judges/agreement")
    assert not app.exception


def test_all_files_are_in_one_zip(store: CampaignStore) -> None:
    store.add_event("opened")
    rate(store, "people 1", range(3))
    judgments = store.judgments()
    assert judgments is not None
    with zipfile.ZipFile(io.BytesIO(campaign_exports(store))) as archive:
        assert archive.read("ratings.csv") == ratings_csv(judgments)
        assert "methods.txt" in archive.namelist()


def test_a_file_that_is_no_campaign_is_said_to_be_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "other.db"
    path.write_bytes(b"SQLite?")
    monkeypatch.setattr(sys, "argv", ["app.py", "--campaign", str(path)])
    app = visit(AppTest.from_file(str(APP), default_timeout=60).run(), "campaign")
    assert not app.exception
    assert "other.db" in said(app)


def test_a_file_that_is_gone_is_said_to_be_gone_until_it_is_back(page: AppTest, store: CampaignStore) -> None:
    kept = store.path.rename(store.path.with_name("kept.db"))
    page.run()
    assert f"{store.path}: no file found, the campaign that was opened expected." in said(page)
    assert "Put the file back" in said(page)
    kept.rename(store.path)
    page.run()
    assert not page.error


def test_a_campaign_of_the_sample_has_the_sample_without_its_ratings(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    of_sample = plan(segments=5, systems=("S1", "H2"), groups=(JudgeGroup("people", 2, source=False),))
    create_store(tmp_path / "campaign.db", design_campaign(of_sample, sample_corpus()), sample_corpus())
    monkeypatch.setattr(sys, "argv", ["app.py", "--campaign", str(tmp_path / "campaign.db")])
    app = visit(AppTest.from_file(str(APP), default_timeout=60).run(), "campaign")
    assert "not loaded" not in said(app)
    assert not any(file.role == "judgments" for file in app.session_state["held"].files)


def test_uploads_go_on_beside_a_campaign(page: AppTest) -> None:
    upload(page, ("S9.txt", b"one\n" * 40))
    visit(page, "campaign")
    assert not page.exception


def test_ratings_stay_in_the_test_set_of_the_campaign(page: AppTest, store: CampaignStore) -> None:
    store.add_event("opened")
    visit(page, "data")
    page.text_input(key="new_set_name").input("Second")
    next(button for button in page.button if button.label == "Create test set").click().run()
    upload(page, ("ref.txt", b"a cat\na dog\n"), ("ours.txt", b"a cat\nthe dog\n"))
    digest = page.query_params["data"]
    assert digest != store.digest
    rate(store, "people 1", range(3))
    page.run()
    sets = {file.test_set for file in page.session_state["held"].files if file.name == RATINGS_NAME}
    assert sets == {""}
    assert page.query_params["data"] == digest
    assert "ratings by" not in said(page)
    page.selectbox(key="shown_set").select("").run()
    assert page.query_params["data"] == store.digest
    assert "ratings by" in said(page)
    before = ratings_of(page)
    page.selectbox(key="shown_set").select("Second").run()
    rate(store, "people 2", range(3))
    page.run()
    assert ratings_of(page) != before
    assert [file.test_set for file in page.session_state["held"].files if file.name == RATINGS_NAME] == [""]
