"""The Paper page in a session without a browser: the sample's settings, each step, and data that lack something."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
import sample
from conftest import Opener, Runner
from nightly import nightly
from pages import UnopenedSession, load, said, untick, unticked, upload, visit, with_parameters
from streamlit.testing.v1 import AppTest

import sample_data
from bleu_core.dataset import RatedSegments
from bleu_core.paper import all_steps
from bleu_core.paper import printed as paper
from bleu_core.scoring import PRESETS
from bleu_core.segments import work_example
from dashboard.session.settings import INITIAL_VALUES
from dashboard.views.paper import page as paper_page

REFERENCE = b"the cat sat on the mat\nit rains today\na dog barks\nhello world again my friend\n"
OTHER = b"a cat sat on the mat\nit is raining today\na dog is barking\nhello world again friend\n"
OUTPUTS = {
    "good": b"the cat sat on the mat\nit rains today\na dog barks loud\nhello world again my dear\n",
    "fair": b"the cat sat on a mat\nit rains now\na dog bark\nhello world again my man\n",
    "poor": b"cat sat on the rug\nrain today\ndog barks\nhello world my friend\n",
}


def outputs(*names: str) -> list[tuple[str, bytes]]:
    return [(f"{name}.txt", OUTPUTS[name]) for name in names or OUTPUTS]


def judged(*groups: str) -> tuple[str, bytes]:
    rows = [
        f"{n},{name},{judge} {group},{score + n % 2},{group}"
        for name, score in {"good": 4, "fair": 3, "poor": 1}.items()
        for n in range(1, 5)
        for group in groups
        for judge in ("Ann", "Bob")
    ]
    return "human.csv", "\n".join(["segment,system,judge,score,group", *rows, ""]).encode()


#: The sections that can be unfolded at once.
SECTIONS = [step.key.replace("_", "-") for step in all_steps()]


def visit_paper(app: AppTest, *sections: str) -> AppTest:
    """The page with these of its sections open, or with all."""
    state = vars(app)["_session_state"]
    for section in sections or SECTIONS:
        state[f"section-{section}"] = True
    return visit(app, "paper")


def frame(app: AppTest, *columns: str) -> pd.DataFrame:
    return next(d.value for d in app.dataframe if set(columns) <= set(d.value.columns))


def figure(app: AppTest, number: int) -> dict[str, Any]:
    return json.loads(app.get("plotly_chart")[number].proto.spec)


@pytest.fixture
def address(on_sample: None, hashes: Mapping[str, str]) -> Callable[..., AppTest]:  # noqa: ARG001
    """`address(tokenizer="char")`: a session opened by a link to the page, with its first table unfolded."""

    def call(**parameters: str | list[str]) -> AppTest:
        return visit_paper(with_parameters(UnopenedSession(hashes), **parameters), "table-1")

    return call


@pytest.fixture
def in_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Write files into the current folder, so that their paths are their names."""
    monkeypatch.chdir(tmp_path)

    def write(*files: tuple[str, bytes]) -> None:
        for name, data in files:
            (tmp_path / name).write_bytes(data)

    return write


@pytest.fixture
def page(app: AppTest) -> AppTest:
    """The page of the sample data, with its first table unfolded."""
    return visit_paper(app, "table-1")


@pytest.fixture(scope="module")
def shown(hashes: Mapping[str, str]) -> AppTest:
    """The page of the sample data with all its sections open, which tests only look at."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("sys.argv", ["app.py"])
        return visit_paper(UnopenedSession(hashes))


@pytest.fixture
def example_page(app: AppTest) -> AppTest:
    """The page of the sample data, with the examples unfolded."""
    return visit_paper(app, "examples")


# --- settings of the page ---------------------------------------------------------------------------------------

AS_IN_PAPER = "Computed as in the paper: preset Papineni et al. (2002)"
AS_IN_SIDEBAR = "Computed as in the sidebar: preset"
#: As addresses of the page said while visiting it set the sidebar as in the paper.
BROUGHT = {"tokenizer": "none", "lowercase": "true", "smoothing": "none", "without_references": ["R3", "R4"]}


def choose(app: AppTest, settings: str) -> AppTest:
    return app.segmented_control(key="paper_settings").set_value(settings).run()


def parameter(app: AppTest) -> list[str]:
    """What the address says about the page's settings."""
    found = app.query_params.get("paper_settings", [])
    return [found] if isinstance(found, str) else list(found)


def bleu(app: AppTest) -> list[float]:
    return frame(app, "bleu", "system")["bleu"].tolist()


def test_the_sample_data_are_computed_as_in_the_paper(shown: AppTest) -> None:
    assert not shown.exception
    assert f"{AS_IN_PAPER} (lower-cased, no tokeniser, no smoothing), 2 of 4 references (R1, R2)" in said(shown)
    assert "5 systems, 500 segments, 2 references (R1, R2)" in said(shown)
    assert bleu(shown) == pytest.approx((sample.repeated().table_2.corpus_scores / 100).tolist())
    assert parameter(shown) == []


def test_visiting_the_page_changes_no_setting_and_no_other_page(app: AppTest) -> None:
    visit(app, "ranking/scores")
    signature, scores = app.code[0].value, app.dataframe[0].value
    assert signature.startswith("nrefs:4|case:mixed|eff:no|tok:13a|smooth:exp")
    visit(app, "paper")
    assert app.selectbox(key="preset").value == "sacrebleu"
    assert unticked(app, "references") == []
    assert not set(app.query_params) & set(INITIAL_VALUES)
    choose(app, "sidebar")
    choose(app, "paper")
    visit(app, "ranking/scores")
    assert app.code[0].value == signature
    pd.testing.assert_frame_equal(app.dataframe[0].value, scores)


def test_as_in_the_sidebar_the_page_follows_the_sidebar(page: AppTest) -> None:
    before = bleu(page)
    choose(page, "sidebar")
    assert f"{AS_IN_SIDEBAR} sacreBLEU (the default), 4 of 4 references" in said(page)
    assert bleu(page) != before
    assert parameter(page) == ["sidebar"]
    page.selectbox(key="preset").set_value("paper").run()
    untick(page, "references", "R3", "R4")
    assert bleu(page) == before
    assert not page.exception


def test_as_in_the_paper_the_page_does_not_follow_the_sidebar(page: AppTest) -> None:
    before = bleu(page)
    page.selectbox(key="tokenizer").set_value("char").run()
    untick(page, "references", "R1")
    page.text_input(key="weights").set_value("1 2 3").run()  # which other pages refuse
    assert bleu(page) == before
    assert AS_IN_PAPER in said(page)


@pytest.mark.slow
def test_systems_left_out_in_the_sidebar_are_left_out_in_both_cases(page: AppTest) -> None:
    untick(page, "systems", "S1")
    assert "S1" not in frame(page, "bleu", "system")["system"].tolist()
    assert AS_IN_PAPER in said(page)
    choose(page, "sidebar")
    assert "S1" not in frame(page, "bleu", "system")["system"].tolist()


@pytest.mark.slow
def test_the_choice_stays_while_other_pages_are_visited(page: AppTest) -> None:
    choose(page, "sidebar")
    visit(page, "ranking/scores")
    visit_paper(page)
    assert AS_IN_SIDEBAR in said(page)


def test_own_files_are_computed_as_in_the_sidebar(app: AppTest) -> None:
    visit(load(app, ("ref.txt", REFERENCE), *outputs()), "paper")
    assert f"{AS_IN_SIDEBAR} sacreBLEU (the default), 1 of 1 reference (ref)" in said(app)
    assert parameter(app) == []
    assert not app.exception
    choose(app, "paper")
    assert f"{AS_IN_PAPER} (lower-cased, no tokeniser, no smoothing), 1 of 1 reference (ref)" in said(app)
    assert parameter(app) == ["paper"]


def test_other_data_have_their_own_default(page: AppTest) -> None:
    choose(page, "paper")
    visit(load(page, ("ref.txt", REFERENCE), *outputs()), "paper")
    assert AS_IN_SIDEBAR in said(page)
    choose(page, "paper")
    load(page, ("ref2.txt", OTHER))
    visit(page, "paper")
    assert AS_IN_PAPER in said(page)  # the same data with one file more
    visit(page, "data")
    page.segmented_control(key="dataset_shown").set_value("sample").run()
    visit(page, "paper")
    assert AS_IN_PAPER in said(page)
    assert parameter(page) == []


@pytest.mark.parametrize(
    ("settings", "chosen", "written"),
    [
        pytest.param({}, "paper", [], marks=pytest.mark.slow),
        ({}, "sidebar", ["sidebar"]),
        pytest.param({"tokenizer": "char"}, "paper", ["paper"], marks=pytest.mark.slow),
        pytest.param({"tokenizer": "char"}, "sidebar", [], marks=pytest.mark.slow),
        pytest.param({"without_systems": ["S1"]}, "paper", ["paper"], marks=pytest.mark.slow),
    ],
)
def test_the_address_shows_somebody_else_the_same(
    app: AppTest, address: Callable[..., AppTest], settings: dict[str, Any], chosen: str, written: list[str]
) -> None:
    for key, value in settings.items():
        if isinstance(value, str):
            app.selectbox(key=key).set_value(value).run()
        else:
            untick(app, key.removeprefix("without_"), *value)
    visit_paper(app, "table-1")
    choose(app, chosen)
    assert parameter(app) == written
    # AppTest lacks the part of Streamlit's page that puts what a person sets into the address.
    somebody = address(**dict(app.query_params.items()) | settings)
    assert said(somebody) == said(app)
    assert bleu(somebody) == bleu(app)
    assert parameter(somebody) == written


@pytest.mark.slow
def test_an_address_from_before_shows_the_numbers_of_the_sidebar(address: Callable[..., AppTest]) -> None:
    brought = address(**BROUGHT)
    assert AS_IN_SIDEBAR in said(brought)
    assert brought.selectbox(key="tokenizer").value == "none"
    assert unticked(brought, "references") == ["R3", "R4"]
    assert bleu(brought) == pytest.approx((sample.repeated().table_2.corpus_scores / 100).tolist())
    changed = address(**BROUGHT | {"tokenizer": "char"})
    assert changed.selectbox(key="tokenizer").value == "char"
    assert bleu(changed) != bleu(brought)
    assert parameter(changed) == []


def test_an_address_of_another_page_with_settings_leads_to_the_numbers_of_the_sidebar(opened: Opener) -> None:
    app = visit(opened("ranking/scores", tokenizer="char"), "paper")
    assert AS_IN_SIDEBAR in said(app)


@pytest.mark.unknown_choices
@pytest.mark.parametrize("parameters", [{}, {"paper_settings": "x"}, *nightly([{"paper_settings": "paper"}])])
def test_an_address_without_settings_is_computed_as_in_the_paper(
    address: Callable[..., AppTest], parameters: dict[str, str]
) -> None:
    opened = address(**parameters)
    assert AS_IN_PAPER in said(opened)
    assert opened.selectbox(key="preset").value == "sacrebleu"
    assert parameter(opened) == list(parameters.values())  # as it was opened, until something changes


# --- the steps --------------------------------------------------------------------------------------------------


def test_the_page_opens_with_the_claims_and_a_list_of_all_steps(shown: AppTest) -> None:
    assert "\n## 18 of the paper's 20 claims hold on these data, 2 do not.\n" in said(shown)
    anchors = [block.proto.anchor for block in shown.header]
    contents = next(part.proto for part in shown.get("bidi_component") if part.proto.component_name == "contents")
    assert [link["anchor"] for link in json.loads(contents.json)["sections"]] == anchors
    steps = [key for key in (step.key.replace("_", "-") for step in all_steps()) if key in anchors]
    assert anchors == [*steps, "what-bleu-cannot-see"]


def test_figures_are_in_view_and_tables_are_not_sent_until_they_are_unfolded(app: AppTest) -> None:
    visit(app, "paper")
    assert len(app.get("plotly_chart")) == 13
    assert not app.dataframe
    folded = [part.label for part in app.expander]
    assert sum(label in ("1 table", "2 tables") for label in folded) == len(app.header) - 1  # all steps shown
    app.button(key="open-sections").click().run()
    assert len(app.get("plotly_chart")) == 13
    assert len(app.dataframe) > len(app.header)
    app.button(key="fold-sections").click().run()
    assert len(app.get("plotly_chart")) == 13
    assert not app.dataframe


def test_tables_1_and_2_are_those_of_the_library_beside_those_published(shown: AppTest) -> None:
    found = sample.repeated().table_2
    one = frame(shown, "bleu", "published_bleu", "system")
    assert one["system"].tolist() == list(found.systems)
    assert one["bleu"].tolist() == pytest.approx((found.corpus_scores / 100).tolist())
    assert one["published_bleu"].tolist() == pytest.approx([v / 100 for v in paper.TABLE_1.values()])
    two = frame(shown, "mean", "published_mean")
    assert two["mean"].tolist() == pytest.approx((found.means / 100).tolist())
    assert two["published_mean"].tolist() == pytest.approx([v / 100 for v in paper.TABLE_2_MEANS.values()])


def test_published_numbers_of_other_systems_stand_by_themselves(app: AppTest) -> None:
    visit_paper(load(app, ("ref.txt", REFERENCE), *outputs(), judged("g")))
    assert [b.value for b in app.header][-2] == "Values printed in the paper"
    others = [d.value for d in app.dataframe if "system" in d.value.columns]
    assert not [name for one in others for name in one.columns if "published" in name]


def test_every_chart_says_what_it_shows(shown: AppTest) -> None:
    charts = shown.get("plotly_chart")
    assert len(charts) == 13
    assert all(chart.proto.alt for chart in charts)


# --- data that lack something -----------------------------------------------------------------------------------


def test_without_judgments_the_steps_on_them_are_left_out(app: AppTest) -> None:
    visit_paper(load(app, ("ref.txt", REFERENCE), *outputs()))
    assert said(app).count("Left out: no judgments.") == 4
    assert "there is no" not in said(app).lower()
    assert not app.exception
    assert not app.error


def test_one_system_against_one_reference(app: AppTest) -> None:
    visit_paper(load(app, ("ref.txt", REFERENCE), *outputs("good"), judged("g")))
    assert not app.exception
    assert "1 system, 4 segments, 1 reference (ref)" in said(app)


def test_two_references_and_groups_of_judges(app: AppTest) -> None:
    visit_paper(load(app, ("ref.txt", REFERENCE), ("ref2.txt", OTHER), *outputs(), judged("g", "h")))
    assert not app.exception
    found = frame(app, "references", "who", "r")
    assert found["references"].tolist() == ["ref", "ref2", "ref + ref2"]
    assert set(frame(app, "group", "baseline")["group"]) == {"all judges", "g", "h"}


def test_without_references_or_systems_the_page_says_what_is_missing(app: AppTest) -> None:
    visit_paper(load(app, *outputs()))
    assert "reference" in said(app)
    assert not app.dataframe
    assert not app.exception


def test_all_references_left_out(page: AppTest) -> None:
    untick(page, "references", "R1", "R2", "R3", "R4")
    assert AS_IN_PAPER in said(page)
    assert not page.error
    choose(page, "sidebar")
    assert "no reference is selected, at least 1 needed" in said(page)
    assert not page.exception
    choose(page, "paper")
    assert AS_IN_PAPER in said(page)


def test_all_judges_left_out_leaves_their_steps_out(app: AppTest) -> None:
    load(app, ("ref.txt", REFERENCE), *outputs(), judged("g"))
    with_parameters(app, without_judges=["Ann g", "Bob g"])
    visit_paper(app)
    assert said(app).count("Left out: no judgments.") == 4
    assert not app.exception


def test_a_group_left_out_is_followed(app: AppTest) -> None:
    page = visit_paper(with_parameters(app, without_groups="bilingual"), "figures-3-4")
    assert set(frame(page, "group", "baseline")["group"]) == {"all judges", "monolingual"}
    assert not page.exception


def test_human_translators_are_told_from_machines(app: AppTest) -> None:
    page = visit_paper(app)
    assert "No human translator is named" not in said(page)
    assert set(frame(page, "references", "who")["who"]) == {"all systems", "machine systems only"}
    untick(page, "systems", "H1", "H2")
    assert "No human translator is named" in said(page)
    assert set(frame(page, "references", "who")["who"]) == {"all systems"}
    assert not page.exception


def test_a_system_that_is_a_reference_is_compared_by_its_ratings_only(app: AppTest) -> None:
    files = [("ref.txt", REFERENCE), ("fair.txt", REFERENCE), *outputs("good", "poor"), judged("g")]
    visit_paper(load(app, *files))
    assert "Compared by ratings only: fair (identical to the reference ref)." in said(app)
    assert "fair" not in frame(app, "bleu", "system")["system"].tolist()
    assert "fair" in frame(app, "group", "baseline")["baseline"].tolist()


# --- all numbers as JSON ----------------------------------------------------------------------------------------


@pytest.fixture
def offered(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """The files that the page offers, by name."""
    found: dict[str, Any] = {}

    def offer(_title: str, content: Any, file_name: str, *, key: str) -> None:  # noqa: ARG001
        found[file_name] = content

    monkeypatch.setattr(paper_page, "file_download", offer)
    return found


def both(app: AppTest, offered: dict[str, Any], run: Runner, *arguments: object) -> tuple[Any, Any]:
    """The page's JSON, and the command's."""
    visit(app, "paper")
    assert not app.exception
    assert not app.error
    return json.loads(offered["paper.json"]()), run("paper", "--format", "json", *arguments).json


def test_the_pages_json_of_the_sample_data_is_that_of_the_command(
    app: AppTest, offered: dict[str, Any], run: Runner
) -> None:
    references = [option for path in sample_data.references() for option in ("--ref", path)]
    humans = [option for name in paper.HUMANS for option in ("--human-system", name)]
    rest = ["--human", sample_data.JUDGMENTS, "--documents", sample_data.DOCUMENTS, *sample_data.systems()]
    of_page, of_command = both(app, offered, run, *references, *humans, *rest)
    assert of_page == of_command
    assert of_page["ratings_left_out"] == []


@pytest.mark.slow
def test_the_files_that_the_page_offers_follow_its_settings(app: AppTest, offered: dict[str, Any]) -> None:
    visit_paper(app)
    for settings, signature in (
        ("paper", "nrefs:2|case:lc|eff:no|tok:none|smooth:none"),
        ("sidebar", "nrefs:4|case:mixed|eff:no|tok:13a|smooth:exp"),
    ):
        choose(app, settings)
        assert json.loads(offered["paper.json"]())["signature"].startswith(signature)
        assert signature in offered["paper.html"]().decode()


ELSEWHERE = b"2,elsewhere,Ann g,3,g\n4,elsewhere,Bob g,,g\n1,nowhere,Bob g,1,g\n"


def test_ratings_without_a_text_are_in_the_pages_json_as_in_the_commands(
    app: AppTest, offered: dict[str, Any], run: Runner, in_folder: Callable[..., None]
) -> None:
    name, ratings = judged("g")
    files = [("ref.txt", REFERENCE), *outputs(), (name, ratings + ELSEWHERE)]
    in_folder(*files)
    call = ["--preset", "sacrebleu", "--ref", "ref.txt", "--human", name, *(name for name, _ in outputs())]
    of_page, of_command = both(upload(app, *files), offered, run, *call)
    few = RatedSegments(fewest=4).note
    assert of_command.pop("warnings") == ["human.csv: 1 row not used (line 27): no score", few]
    assert of_page.pop("warnings") == [few]  # the page shows what readers notice beside the file
    assert of_page == of_command
    assert of_page["ratings_left_out"] == [
        "human.csv: 2 rows not used (first: line 26): elsewhere is not loaded as a system",
        "human.csv: 1 row not used (line 28): nowhere is not loaded as a system",
    ]


def test_ratings_of_documents_that_there_are_not_are_in_both(
    app: AppTest, offered: dict[str, Any], run: Runner, in_folder: Callable[..., None]
) -> None:
    rows = [
        {"system": system, "doc_id": document, "line_id": line, "esa_score": score}
        for system, score in {"good": 90, "fair": 70, "poor": 20, "elsewhere": 50}.items()
        for document, line in (("a", 0), ("a", 1), ("b", 0), ("b", 1), ("b", 2), ("c", 0))
    ]
    named = {"annotator": "Ann", "langs": "en-xx", "esa_spans": []}
    ratings = "".join(json.dumps(row | named) + "\n" for row in rows).encode()
    files = [("ref.txt", REFERENCE), ("docs.txt", b"a\na\nb\nb\n"), *outputs(), ("human.jsonl", ratings), judged("g")]
    in_folder(*files)
    call = ["--preset", "sacrebleu", "--ref", "ref.txt", "--documents", "docs.txt", "--human", "human.jsonl"]
    of_page, of_command = both(
        upload(app, *files), offered, run, *call, "--human", "human.csv", *(name for name, _ in outputs())
    )
    warning, few = of_command.pop("warnings")  # the page shows what readers notice beside the file
    assert warning.startswith("human.jsonl: the segment numbers are not lines of the texts")
    assert of_page.pop("warnings") == [few]
    assert of_page == of_command
    reasons = [row.split("): ")[1] for row in of_page["ratings_left_out"]]
    assert reasons == [
        "the texts have no such document, or the document no such segment",
        "elsewhere is not loaded as a system",
    ]


def test_ratings_of_an_archive_without_a_text_are_in_both(
    app: AppTest, offered: dict[str, Any], run: Runner, in_folder: Callable[..., None]
) -> None:
    ratings = "".join(f"{s}\t{n}\n" for s in ("good", "fair", "poor", "elsewhere") for n in range(4))
    contents = {
        "sources/en-xx.txt": REFERENCE,
        "references/en-xx.refA.txt": REFERENCE,
        "human-scores/en-xx.mqm.seg.score": ratings.encode(),
    } | {f"system-outputs/en-xx/{name}.txt": data for name, data in OUTPUTS.items()}
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as target:
        for name, data in contents.items():
            target.writestr(name, data)
    files = [("set.zip", stream.getvalue())]
    in_folder(*files)
    of_page, of_command = both(upload(app, *files), offered, run, "--preset", "sacrebleu", "--archive", "set.zip")
    few = RatedSegments(fewest=4).note
    assert of_command.pop("warnings") == ["set.zip: human scores in use: mqm; available: mqm", few]
    assert of_page.pop("warnings") == [few]  # the page shows what readers notice beside the file
    assert of_page == of_command
    (row,) = of_page["ratings_left_out"]
    assert row.endswith("elsewhere is not loaded as a system")


# --- the example to change --------------------------------------------------------------------------------------


def example(app: AppTest, candidate: str | None = None, references: str | None = None) -> AppTest:
    if candidate is not None:
        app.text_area(key="candidate-Example 1, candidate 1").set_value(candidate)
    if references is not None:
        app.text_area(key="references-Example 1, candidate 1").set_value(references)
    return app.run()


def test_the_example_counts_what_is_written(example_page: AppTest) -> None:
    example(example_page, "the the the cat", "The cat is on the mat\n\nThere is a cat")
    worked = work_example("the the the cat", ["The cat is on the mat", "There is a cat"], PRESETS["paper"])
    assert "Order 1: 4 of 4 n-grams occur in a reference (standard precision 1.000); after clipping, 3 count" in said(
        example_page
    )
    assert f"BLEU: {worked.score / 100:.4f}" in said(example_page)
    assert ":orange-background[the ↺]" in said(example_page)
    ngrams = frame(example_page, "ngram", "clipped")
    columns = ["ngram", "count", "reference_1", "reference_2", "clipped"]
    assert ngrams[columns].to_numpy().tolist()[0] == ["the", 3, 2, 0, 2]


@pytest.mark.slow
def test_every_example_of_the_paper_is_one_choice_away(example_page: AppTest) -> None:
    for number in (1, 2, 3, 4):
        names = [name for name in example_page.selectbox(key="example").options if name.startswith(f"Example {number}")]
        assert names
        for name in names:
            example_page.selectbox(key="example").set_value(name).run()
            assert example_page.text_area(key=f"candidate-{name}").value == next(
                candidate
                for one in paper.EXAMPLES
                if one.number == number
                for candidate in one.candidates
                if not name.endswith(" 2") or candidate is one.candidates[-1]
            )
            assert not example_page.exception


def test_an_example_without_references_asks_for_one(example_page: AppTest) -> None:
    example(example_page, references=" \n\n")
    assert "Write at least one reference." in said(example_page)
    assert not example_page.exception
    assert next(step.look for step in all_steps() if step.key == "table_1") in said(example_page)


def test_an_order_beyond_the_candidate_is_said(example_page: AppTest) -> None:
    example(example_page, "two words")
    example_page.segmented_control(key="example_order").set_value("4").run()
    assert "no n-grams of order 4: it is too short" in said(example_page)
    assert not example_page.exception


def test_an_empty_candidate_is_no_failure(example_page: AppTest) -> None:
    example(example_page, "")
    assert not example_page.exception
    assert "The candidate has 0 words, the references" in said(example_page)


def test_an_order_that_a_lower_maximum_takes_away_is_no_failure(example_page: AppTest) -> None:
    choose(example_page, "sidebar")
    example_page.segmented_control(key="example_order").set_value("4").run()
    example_page.slider(key="max_order").set_value(2).run()
    assert not example_page.exception
    assert "Order 1:" in said(example_page)


def test_hostile_text_in_the_example_is_literal(example_page: AppTest) -> None:
    text = "<b>x</b> ![i](http://x/y.png) $x^2$ :red[r] :material/upload: `c` ] **b**"
    example(example_page, text, text)
    chips = next(m.value for m in example_page.markdown if "-background[" in m.value)
    for token in text.split():
        assert f"[{token} " not in chips.replace("[r]", "") or token.isalnum()
    assert r"\:" in chips
    assert r"\]" in chips
    assert "18" not in frame(example_page, "ngram")["ngram"].tolist()
    assert frame(example_page, "ngram")["ngram"].tolist()[0] == "<b>x</b>"
    assert not example_page.exception


# --- weights by hand, intervals ---------------------------------------------------------------------------------


def test_weights_by_hand_give_both_means_and_how_they_follow_people(app: AppTest) -> None:
    page = visit_paper(app, "combining")
    page.text_input(key="paper_weights").set_value("0.4, 0.3 0.2; 0.1").run()
    assert not page.exception
    mine = next(d.value for d in page.dataframe if "weights" in d.value.columns and len(d.value) == 2)
    assert mine["mean"].tolist() == ["geometric", "arithmetic"]
    assert mine["weights"].tolist() == ["0.4/0.3/0.2/0.1"] * 2
    precisions = sample.repeated().figure_2.precisions[0]
    arithmetic = sum(w * p for w, p in zip((0.4, 0.3, 0.2, 0.1), precisions, strict=True))
    assert mine["BLEU of S1"].iloc[1] == pytest.approx(arithmetic)  # its brevity penalty is 1
    assert "geometric mean, monolingual: Pearson's r = 0.9" in said(page)


def test_weights_that_do_not_do_are_refused_and_the_rest_of_the_page_stays(app: AppTest) -> None:
    page = visit_paper(app, "combining")
    assert not page.error
    for weights in ("a b", "0.5 0.6", " ".join(["0.1"] * 10), "-0.5 1.5", "nan 1", "inf 0"):
        page.text_input(key="paper_weights").set_value(weights).run()
        assert not page.exception, weights
        assert "weights" in page.error[0].value
        assert next(step.look for step in all_steps() if step.key == "table_1") in said(page)


def test_weights_by_hand_without_judgments_have_no_correlation(app: AppTest) -> None:
    visit_paper(load(app, ("ref.txt", REFERENCE), *outputs()), "combining")
    app.text_input(key="paper_weights").set_value("0.5 0.5").run()
    assert "The correlation with the judges is undefined." in said(app)
    assert not app.exception


def names_of_intervals(app: AppTest) -> set[str]:
    charts = [figure(app, i) for i in range(len(app.get("plotly_chart")))]
    return {t["name"] for one in charts for t in one["data"] if t.get("name", "").startswith("by ")}


def test_the_box_of_intervals_changes_the_figure_and_the_address(page: AppTest) -> None:
    assert names_of_intervals(page) == {"by judge and segment"}
    page.selectbox(key="paper_intervals").set_value("by segment and by judge, too").run()
    assert names_of_intervals(page) == {"by judge and segment", "by segment", "by judge"}
    assert page.query_params["paper_intervals"] == "by segment and by judge, too"


@pytest.mark.unknown_choices
@pytest.mark.parametrize(
    ("chosen", "number"),
    [("by segment and by judge, too", 3), ("x", 1), *nightly([("by judge and segment, as in the paper", 1)])],
)
def test_a_link_says_which_intervals_are_drawn(address: Callable[..., AppTest], chosen: str, number: int) -> None:
    app = address(paper_intervals=chosen)
    assert len(names_of_intervals(app)) == number
    assert not app.exception


def test_a_tokeniser_that_lacks_what_it_needs_is_said_once(page: AppTest) -> None:
    choose(page, "sidebar")
    page.selectbox(key="tokenizer").set_value("ja-mecab").run()
    assert not page.exception
    assert len(page.error) <= 1
