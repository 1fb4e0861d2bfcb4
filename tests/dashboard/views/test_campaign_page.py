"""The page Campaign while no campaign is served: a plan, what it comes to, and its file."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from conftest import Runner
from pages import load, said, upload, visit
from sample import corpus as sample_corpus
from streamlit.testing.v1 import AppTest

import sample_data
from bleu_core.campaigns import CampaignStore, design_campaign, plan_from, read_plan
from dashboard.views.campaign.analysis.design import CampaignFile, design_of
from dashboard.views.campaign.analysis.plan import plan_file, plan_of_values, plan_values

SYSTEMS = tuple((f"{name}.txt", "".join(f"{name} says {n} in words\n" for n in range(30)).encode()) for name in "ABC")
SOURCE = ("source.txt", "".join(f"Satz {n}\n" for n in range(30)).encode())
HOSTILE = ("**bold**", "<b>tag</b>", ":material/upload:", "$x^2$ and $y$", "[link](javascript:1)")


@pytest.fixture
def page(app: AppTest) -> AppTest:
    """The page on three systems of 30 segments without references."""
    load(app, *SYSTEMS)
    visit(app, "campaign")
    assert not app.exception
    return app


def test_systems_are_enough_for_a_campaign(page: AppTest) -> None:
    assert not page.error
    assert "6 judges give 270 ratings of 90 translations (30 segments)." in said(page)
    assert "no source text" in said(page)


def test_systems_with_the_text_of_a_reference_are_left_out_at_first(app: AppTest) -> None:
    (name, text), *_ = SYSTEMS
    upload(app, *SYSTEMS, ("human.txt", text.replace(b"says", b"said")))
    upload(app, ("gold.txt", text), ("ref.txt", text.replace(b"A says", b"Gold says")))
    files = app.session_state["held"].files
    position = next(n for n, file in enumerate(files) if file.name == "gold.txt")
    app.session_state["selected_file"] = position
    app.run()
    app.selectbox(key=f"role-{position}-gold.txt-{files[position].role}").set_value("reference").run()
    visit(app, "campaign")
    assert not app.exception
    assert name == "A.txt"
    assert app.multiselect(key="campaign_systems").value == ["B", "C", "human"]


def test_what_is_filled_in_stays_when_the_page_is_left(page: AppTest) -> None:
    page.number_input(key="campaign_segments").set_value(12).run()
    page.text_input(key="campaign_title").set_value("Pilot").run()
    visit(page, "data")
    visit(page, "campaign")
    assert page.number_input(key="campaign_segments").value == 12
    assert page.text_input(key="campaign_title").value == "Pilot"
    assert "of 36 translations (12 segments)" in said(page)


def test_the_papers_campaign_fills_in_the_form(page: AppTest) -> None:
    page.button(key="campaign-paper").click().run()
    assert not page.error
    assert page.text_input(key="campaign_group_name_0").value == "monolingual"
    assert page.toggle(key="campaign_group_source_0").value is False
    assert "20 judges give 1,800 ratings of 90 translations (30 segments)." in said(page)
    assert "Each judge rates 90 translations." in said(page)
    page.button(key="campaign-anew").click().run()
    assert "6 judges give" in said(page)


def test_a_plan_that_contradicts_itself_is_explained_at_the_form(page: AppTest) -> None:
    page.number_input(key="campaign_ratings").set_value(9).run()
    assert "The plan cannot be used: ratings: 9 found, at most 6, the judges of the group judges expected." in said(
        page
    )
    assert "campaign-file" not in [button.key for button in page.get("download_button")]
    page.number_input(key="campaign_ratings").set_value(2).run()
    assert not page.error
    page.text_area(key="campaign_names").set_value("1 is bad").run()
    assert "names of numbers, line 1: '1 is bad' found" in said(page)


def test_what_the_size_does_not_allow_is_said_before_a_file_is_made(page: AppTest) -> None:
    page.number_input(key="campaign_segments").set_value(4).run()
    page.toggle(key="campaign_every_judge").set_value(True).run()
    assert "What this size does not allow" in said(page)
    assert "With 4 segments per judge, translations of one segment are 3 places apart, not 10." in said(page)


def test_names_and_texts_of_people_are_shown_as_they_are(app: AppTest) -> None:
    load(app, *((f"{name.replace('/', '')}.txt", SYSTEMS[0][1]) for name in HOSTILE))
    visit(app, "campaign")
    for name in HOSTILE:
        app.text_input(key="campaign_group_name_0").set_value(name).run()
        app.number_input(key="campaign_ratings").set_value(9).run()
        assert f"the judges of the group {name} expected" in said(app)
        assert not app.exception


def test_without_a_system_the_page_says_what_to_add(app: AppTest) -> None:
    upload(app, ("ref.txt", SYSTEMS[0][1]))
    app.selectbox[0]
    visit(app, "campaign")
    assert not app.exception


def test_the_file_has_the_design_and_is_complete_by_itself(page: AppTest, tmp_path: Path) -> None:
    corpus = next(iter(page.session_state["held"].fitted.values())).corpus
    plan = plan_of_values({"campaign_segments": 12, "campaign_title": "Pilot"}, corpus)
    design = design_campaign(plan, corpus)
    path = tmp_path / "campaign.db"
    path.write_bytes(CampaignFile(design, corpus)())
    with CampaignStore(path) as store:
        assert store.digest == design.digest
        assert store.plan == plan
        assert [len(store.slots(judge)) for judge in store.judges] == [len(judge.slots) for judge in design.judges]


def test_the_command_makes_the_same_design_of_the_downloaded_plan(run: Runner, tmp_path: Path) -> None:
    corpus = sample_corpus()
    plan = plan_of_values({"campaign_segments": 12}, corpus)
    assert plan.degraded
    (tmp_path / "plan.toml").write_bytes(plan_file(plan))
    systems, references = sample_data.systems(), sample_data.references()
    named = [part for path in references for part in ("--ref", str(path))]
    named += ["--documents", str(sample_data.DOCUMENTS)]
    command = run(
        "campaign",
        "create",
        tmp_path / "plan.toml",
        "--dry-run",
        "--force",
        *named,
        *systems,
        "--format",
        "json",
    )
    assert command.json["digest"] == design_of(plan, corpus).digest


def test_a_plan_read_into_the_form_and_written_again_is_the_same(page: AppTest) -> None:
    corpus = next(iter(page.session_state["held"].fitted.values())).corpus
    for text in (
        'title = "a"\nsystems = ["C", "A"]\nsegments = 7\n',
        """
title = "b"
systems = ["A", "B"]
segments = 12
question = "Wie gut?"
instructions = "eins\\nzwei"
presentation = "side by side"
ratings = 2
repeats = 0.123456789
degraded = 0.075
seed = 7
groups = [{name = "x", judges = 4, source = false}, {name = "y", judges = 2, source = false}]
scale = {lowest = 0, highest = 10, step = 0.5, names = {"0" = "bad", "10" = "good"}}
stopping = {width = 0.25, looks = 4}
training = [{text = "so", lowest = 1, highest = 2.5, feedback = "bad"}]
""",
        'title = "c"\nsystems = ["A"]\nsegments = 3\nmode = "paper"\nstopping = {ratings = 20}\n',
    ):
        plan = read_plan(text.encode(), "plan.toml")
        again = plan_of_values(plan_values(text.encode(), "plan.toml", corpus), corpus)
        assert again == plan
        assert plan_from(tomllib.loads(plan_file(plan).decode()), "plan.toml") == plan
