"""Segment scores from a file as the metric of the pages: Overview, Ranking, Two systems, Segments and Blocks."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Iterator
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from conftest import Opener
from pages import html_of, load, said, visit, with_parameters, with_state
from streamlit.testing.v1 import AppTest

SEGMENTS = 40
SYSTEMS = ("first", "second", "third")
PAGES = (
    "",
    "ranking/scores",
    "ranking/pairs",
    "two-systems/difference",
    "two-systems/slices",
    "two-systems/how-much-text",
    "segments",
    "blocks",
    "report/printed",
    "report/figures",
)

LINES = [f"the sentence number {s} of this text" + " is long" * (s % 3) for s in range(SEGMENTS)]


def scores() -> dict[str, np.ndarray]:
    generator = np.random.default_rng(4)
    levels = zip(SYSTEMS, (0.70, 0.80, 0.74), strict=True)
    return {name: (level + generator.normal(0, 0.05, SEGMENTS)).round(6) for name, level in levels}


def texts(name: str) -> bytes:
    return "".join(f"{line} {name}\n" for line in LINES).encode()


def score_file(values: dict[str, np.ndarray], *, metric: str = "COMET") -> bytes:
    rows = [f"{n},{s},{metric},{v}" for n, column in values.items() for s, v in enumerate(column, 1) if not np.isnan(v)]
    return "\n".join(["system,segment,metric,score", *rows]).encode()


def scored(app: AppTest, *files: tuple[str, bytes]) -> AppTest:
    systems = [(f"{name}.txt", texts(name)) for name in SYSTEMS]
    return load(app, ("ref.txt", texts("ref")), *systems, *files)


def choose(app: AppTest, label: str = "COMET") -> AppTest:
    visit(app, "ranking/scores")
    return app.selectbox(key="metric").set_value(label).run()


def test_the_scores_are_the_means_with_the_decimals_of_the_scale(app: AppTest) -> None:
    values = scores()
    scored(app, ("comet.csv", score_file(values)))
    choose(app)
    listed = next(frame.value for frame in app.dataframe if "score" in frame.value)
    found = dict(zip(listed["system"], listed["score"], strict=True))
    assert found == pytest.approx({name: column.mean() for name, column in values.items()})
    assert f"second scores significantly higher than all others ({values['second'].mean():.4f} COMET)." in said(app)
    assert any("COMET|scores:" in block.value for block in app.code)


#: Sections of pages that are folded at first.
FOLDED = ("influence", "left-out")
#: Numbers with two decimals that are no scores: p-values, significance levels, t, and Cochran's Q.
NOT_SCORES = re.compile(r"(\bp|corrected|level of|\bt|t above|below|Q) ?[=<≤≈]? ?−?\d+\.\d\d(?!\d)")
TWO_DECIMALS = re.compile(r"(?<![\d.,])\d+\.\d\d(?!\d)|(?<!\bt )(?<!beyond )%\{[xyz]:\.2f\}")
OTHER_COLUMNS = ("p_value", "p_value_adjusted", "t", "q")
#: Parts of figures whose values are not shown.
NOT_SHOWN = ("template", "hoveron", "boxpoints", "points", "fillcolor")


def figures_say(app: AppTest) -> Iterator[str]:
    """All texts of the figures: titles, labels, names, hover texts."""
    for element in app.get("plotly_chart"):
        yield from strings(json.loads(element.proto.spec))  # pyright: ignore[reportAttributeAccessIssue]


def strings(part: Any) -> Iterator[str]:
    if isinstance(part, str):
        yield part
    elif isinstance(part, dict):
        yield from (text for key, value in part.items() if key not in NOT_SHOWN for text in strings(value))
    elif isinstance(part, list):
        yield from (text for value in part for text in strings(value))


def cells(app: AppTest) -> Iterator[tuple[str, str]]:
    """The columns and the displayed texts of the cells of all tables."""
    for frame in app.dataframe:
        displayed = frame.proto.arrow_data.styler.display_values
        table = pa.ipc.open_stream(io.BytesIO(displayed)).read_all().to_pydict()
        yield from ((column, str(text)) for column, texts in table.items() for text in texts)


def open_page(app: AppTest, path: str) -> AppTest:
    visit(with_state(app, {f"section-{section}": True for section in FOLDED}), path)
    assert not app.exception, app.exception
    return app


@pytest.mark.parametrize("path", PAGES)
def test_every_page_shows_an_uploaded_metric_and_rounds_no_score_from_0_to_1_to_two_decimals(
    path: str, app: AppTest
) -> None:
    values = scores()
    scored(with_parameters(app, metric="COMET"), ("comet.csv", score_file(values)))
    open_page(app, path)
    assert not app.error, [error.value for error in app.error]
    assert "COMET" in said(app)
    figures = list(figures_say(app))
    segments = [re.sub("<[^>]*>", " ", body) for body in html_of(app) if 'class="segment-number"' in body]
    listed = [text for column, text in cells(app) if column not in OTHER_COLUMNS]
    texts = [said(app), *figures, *listed, *segments, *(str(block.value) for block in app.code)]
    rounded = [text for text in texts if TWO_DECIMALS.search(NOT_SCORES.sub("", text))]
    assert not rounded, rounded
    assert not [text for text in figures if "points" in text]
    assert "COMET (points)" not in "\n".join(texts)
    if path not in ("", "report/figures"):
        assert re.search(r"\d\.\d{4}(?!\d)", "\n".join(texts))


def test_scores_from_0_to_100_have_two_decimals_and_from_0_to_10_three(app: AppTest) -> None:
    values = scores()
    judged = {name: (100 * column).round(2) for name, column in values.items()}
    graded = {name: (10 * column).round(3) for name, column in values.items()}
    scored(app, ("judge.csv", score_file(judged, metric="Judge")), ("grade.csv", score_file(graded, metric="Grade")))
    for metric, shown in (("Judge", f"{judged['second'].mean():.2f}"), ("Grade", f"{graded['second'].mean():.3f}")):
        choose(app, metric)
        assert ("score", shown) in list(cells(app))
        visit(app, "")
        assert shown in "\n".join(figures_say(app))
        assert shown in said(app)


def test_a_metric_without_a_unit_of_which_lower_is_better_says_only_that(app: AppTest) -> None:
    scored(with_parameters(app, metric="MetricX"), ("metricx.csv", score_file(scores(), metric="MetricX")))
    visit(app, "")
    assert "MetricX (lower is better)" in list(figures_say(app))


def with_ratings(app: AppTest, values: dict[str, np.ndarray]) -> AppTest:
    rated = [f"{name},{s},J,{1 + (s + k) % 7}" for k, name in enumerate(SYSTEMS) for s in range(1, SEGMENTS + 1)]
    ratings = "\n".join(["system,segment,judge,score", *rated]).encode()
    return scored(app, ("comet.csv", score_file(values)), ("ratings.csv", ratings))


def test_scores_of_segments_beside_ratings_have_the_decimals_of_the_scale(app: AppTest) -> None:
    values = scores()
    with_ratings(with_parameters(app, metric="COMET", segment_metric="COMET"), values)
    visit(app, "agreement/by-segment")
    assert re.search(r"COMET: 0\.\d{4} \(percentile", said(app))
    listed = [text for column, text in cells(app) if column == "score"]
    assert listed
    assert set(listed) <= {f"{score:.4f}" for column in values.values() for score in column}


def test_gaps_are_named_and_pairs_compared_on_common_segments(app: AppTest) -> None:
    values = scores()
    values["second"][:12] = np.nan
    scored(app, ("comet.csv", score_file(values)))
    choose(app)
    listed = next(frame.value for frame in app.dataframe if "scored_segments" in frame.value)
    assert dict(zip(listed["system"], listed["scored_segments"], strict=True)) == {
        "first": 40,
        "second": 28,
        "third": 40,
    }
    visit(app, "ranking/pairs")
    assert "compared on the segments that both have (28 to 40 of 40)" in said(app)
    pairs = next(frame.value for frame in app.dataframe if "p_value" in frame.value)
    visit(app, "two-systems/difference")
    assert not app.exception
    tests = next(frame.value for frame in app.dataframe if "test" in frame.value)
    pair = pairs[(pairs["system"] == "second") & (pairs["baseline"] == "third")].iloc[0]
    assert tests["delta"].iloc[0] == pytest.approx(pair["delta"])
    assert tests["p_value"].iloc[0] == pytest.approx(pair["p_value"])
    visit(app, "two-systems/how-much-text")
    assert not app.exception


def test_two_systems_with_few_common_segments_are_not_tested(app: AppTest) -> None:
    values = scores()
    values["second"][:30] = np.nan
    scored(with_parameters(app, metric="COMET"), ("comet.csv", score_file(values)))
    for part in ("difference", "how-much-text"):
        visit(app, f"two-systems/{part}")
        assert not app.exception
        assert "is not tested: only 10 segments with scores by both systems, 20 expected." in said(app)


def test_a_slice_uses_the_scores_of_its_segments(app: AppTest) -> None:
    values = scores()
    scored(with_parameters(app, metric="COMET", slice="length > 8"), ("comet.csv", score_file(values)))
    visit(app, "ranking/scores")
    rows = [s for s, line in enumerate(LINES) if len(line.split()) + 1 > 8]
    listed = next(frame.value for frame in app.dataframe if "score" in frame.value)
    found = dict(zip(listed["system"], listed["score"], strict=True))
    assert found == pytest.approx({name: column[rows].mean() for name, column in values.items()})


def test_rankings_by_reference_say_why_they_do_not_take_it(app: AppTest) -> None:
    scored(app, ("ref2.txt", texts("other")), ("comet.csv", score_file(scores())))
    visit(with_parameters(app, metric="COMET"), "ranking/by-reference")
    assert not app.exception
    assert "the scores of COMET are from a file, of one set of references" in said(app)


def test_the_choice_is_in_the_address_and_another_file_without_it_falls_back(app: AppTest, opened: Opener) -> None:
    scored(app, ("comet.csv", score_file(scores())))
    choose(app)
    assert app.query_params["metric"] == "COMET"
    other = opened("ranking/scores?metric=COMET")  # the sample, which has no such scores
    assert not other.exception
    assert other.selectbox(key="metric").value == "BLEU"


def test_one_table_has_the_systems_by_all_metrics(app: AppTest) -> None:
    values = scores()
    whole = b"system,metric,score\nfirst,Whole,1.5\nsecond,Whole,2.5\n"
    scored(app, ("comet.csv", score_file(values)), ("whole.csv", whole))
    visit(app, "ranking/by-metric")
    assert not app.exception
    listed = next(frame.value for frame in app.dataframe if "score_COMET" in frame.value)
    assert [name for name in listed.columns if name.startswith("score_")] == [
        "score_BLEU",
        "score_chrF2",
        "score_TER",
        "score_COMET",
        "score_Whole",
    ]
    found = dict(zip(listed["system"], listed["score_COMET"], strict=True))
    assert found == pytest.approx({name: column.mean() for name, column in values.items()})
    assert "Whole: the file has scores of whole systems only, so they have no interval and no tier." in said(app)
    assert "Best score by BLEU, chrF2, TER: first; by COMET: second." in said(app)
    app.selectbox(key="order_by_metric").set_value("COMET").run()
    listed = next(frame.value for frame in app.dataframe if "score_COMET" in frame.value)
    assert listed["system"].tolist() == ["second", "third", "first"]
    assert app.query_params["order_by_metric"] == "COMET"
    assert any(block.value.count("\n") == 3 and "COMET: COMET|scores:" in block.value for block in app.code)


def test_tiers_and_disagreements_of_metrics(app: AppTest) -> None:
    values = scores()
    opposite = {name: 1 - column for name, column in values.items()}
    scored(app, ("comet.csv", score_file(values)), ("other.csv", score_file(opposite, metric="Other")))
    visit(app, "ranking/by-metric")
    app.toggle(key="metric_tiers").set_value(True).run()  # as AppTest has it
    assert not app.exception
    listed = next(frame.value for frame in app.dataframe if "tier_COMET" in frame.value)
    of_comet, of_other = (
        dict(zip(listed["system"], listed[f"tier_{name}"], strict=True)) for name in ("COMET", "Other")
    )
    assert of_comet["second"] == of_other["first"] == 1
    assert of_other["second"] > 1
    buttons = [button.label for button in app.button if "significantly better than" in button.label]
    assert any(label.startswith("first is significantly better than second by chrF2, Other, and") for label in buttons)
    assert "Tier 1 by COMET: second" in said(app)
