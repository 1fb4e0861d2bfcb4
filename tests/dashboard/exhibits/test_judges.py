"""Figures of judges and of the systems they tell apart: traces, axes with units, names that Plotly cannot interpret."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from judged import read_ratings

from bleu_core.dataset import Judgments
from bleu_core.formats.text import Text
from bleu_core.judges import (
    UNITS,
    compare_groups,
    compare_ratings,
    judge_summaries,
    judge_variance,
    krippendorff_alpha,
    pairwise_kendall,
)
from bleu_core.results.judges import tau_counts
from dashboard.exhibits import judges as figures
from dashboard.exhibits.rater_differences import common_axis, mean_differences

SAMPLE = Path(__file__).parents[3] / "sample_data" / "judgments.csv"
HOSTILE = "<b>x</b> &lt; <a href='http://127.0.0.1:9/'>y</a> %{x}"


@pytest.fixture(scope="module")
def sample() -> Judgments:
    return read_ratings(Text(SAMPLE.read_text(encoding="utf-8"), "UTF-8"), "judgments.csv")


def made(judges: int, *, groups: int = 2, name: str = "{}") -> Judgments:
    generator, rows = np.random.default_rng(1), 40 * judges
    judge, system = generator.integers(0, judges, rows), generator.integers(0, 3, rows)
    table = {
        "segment": pd.array(generator.integers(1, 21, rows), dtype="Int64"),
        "system": pd.array([name.format(f"S{k}") for k in system], dtype="string"),
        "judge": pd.array([name.format(f"j{j}") for j in judge], dtype="string"),
        "score": np.round(generator.normal(50, 20, rows) + 5 * system, 1),
        "group": pd.array([name.format(f"g{j % groups}") for j in judge], dtype="string"),
    }
    return Judgments(pd.DataFrame(table).assign(document=None, origin="h.csv", line=range(2, rows + 2)))


@pytest.mark.parametrize(("judges", "kind"), [(1, "bar"), (12, "bar"), (13, "heatmap"), (1000, "heatmap")])
def test_histograms_of_1_to_1000_judges_fit_on_a_page(judges: int, kind: str) -> None:
    summaries = judge_summaries(made(judges))
    figure = figures.rating_histograms(summaries)
    drawn: dict[str, Any] = figure.to_dict()
    assert {trace["type"] for trace in drawn["data"]} == {kind, "scatter"}
    assert drawn["layout"]["height"] <= figures.MAX_HEIGHT
    assert drawn["layout"]["xaxis"]["title"]["text"] == "rating"
    assert list(drawn["data"][-1]["x"]) == [s.mean for s in summaries]
    assert drawn["layout"]["yaxis"].get("showticklabels", True) == (len(summaries) <= figures.MAX_NAMES)


def test_bars_of_a_judge_stand_on_the_judges_line_and_never_reach_the_next(sample: Judgments) -> None:
    summaries = judge_summaries(sample)[:3]
    bars = [trace for trace in figures.rating_histograms(summaries).to_dict()["data"] if trace["type"] == "bar"]
    for place, bar in enumerate(bars):
        assert set(bar["base"]) == {place}
        assert -1 < min(bar["y"]) <= max(bar["y"]) <= 0
        assert sum(bar["y"]) / min(min(b["y"]) for b in bars) == pytest.approx(
            1 / max(float(s.histogram.max()) / s.ratings for s in summaries)
        )


def test_alpha_is_drawn_with_its_interval_beside_the_bounds(sample: Judgments) -> None:
    alpha = krippendorff_alpha(sample, resamples=50)
    undefined = krippendorff_alpha(Judgments(sample.table[:1]), resamples=50)
    drawn = figures.krippendorff_alphas({"all": (alpha,), "none": (undefined,)}, {"least": 0.667}).to_dict()
    line, points = drawn["data"]
    assert (line["name"], list(line["x"])) == ("least", [0.667, 0.667])
    assert list(points["x"]) == [alpha.coefficient]  # what is undefined is not drawn at 0
    assert points["error_x"]["array"][0] == pytest.approx(alpha.interval.high - alpha.coefficient)
    assert drawn["layout"]["xaxis"]["title"]["text"] == "Krippendorff's alpha"


def test_every_two_judges_have_a_cell_and_numbers_only_where_there_is_room() -> None:
    few, many = (figures.kendall_matrix(pairwise_kendall(made(n, groups=1))).to_dict()["data"][0] for n in (5, 20))
    assert [row[i] for i, row in enumerate(few["z"])] == [None] * 5
    assert few["texttemplate"] == "%{text}"
    assert "items rated by both" in few["customdata"][0][1]
    assert "texttemplate" not in many


def test_judges_without_a_common_item_have_an_empty_matrix() -> None:
    table = "segment,system,judge,score\n1,A,x,1\n2,A,y,2\n"
    heat = figures.kendall_matrix(pairwise_kendall(read_ratings(Text(table, "UTF-8"), "h.csv"))).to_dict()["data"][0]
    assert heat["z"] == [[None, None], [None, None]]
    assert "0 items rated by both, at least 3 needed" in heat["customdata"][0][1]


def test_pairs_of_many_judges_are_counted() -> None:
    found = pairwise_kendall(made(40))
    drawn = figures.kendall_counts(tau_counts(found), found.mean).to_dict()
    assert sum(sum(bar["y"]) for bar in drawn["data"][:2]) == found.pairs
    assert list(drawn["data"][2]["x"]) == [found.mean] * 2
    assert drawn["layout"]["yaxis"]["title"]["text"] == "pairs of judges"


def test_shares_of_the_variance(sample: Judgments) -> None:
    (bar,) = figures.variance_shares(judge_variance(sample)).to_dict()["data"]
    assert sum(bar["x"]) == pytest.approx(1)
    assert list(bar["y"]) == ["systems", "segments", "judges", "residual"]


def test_means_of_groups_have_a_marker_a_group_and_system(sample: Judgments) -> None:
    found = compare_groups(sample, resamples=20)
    drawn = figures.group_means(found).to_dict()
    points = [trace for trace in drawn["data"] if trace["mode"] == "markers"]
    assert [trace["name"] for trace in points] == ["bilingual", "monolingual"]
    assert dict(zip(points[0]["y"], points[0]["x"], strict=True)) == found.groups[0].system_means
    assert drawn["layout"]["xaxis"]["title"]["text"] == "mean rating"


def test_differences_are_drawn_with_intervals_hollow_where_they_are_not_shown() -> None:
    generator = np.random.default_rng(4)
    rows = [
        (segment, system, judge, value)
        for segment in range(1, 31)
        for judge in "xyz"
        for system, value in (("A", generator.normal()), ("B", generator.normal()), ("C", 5 + generator.normal()))
    ]
    columns = ["segment", "system", "judge", "score"]
    found = compare_ratings(pd.DataFrame(rows, columns=pd.Index(columns)).assign(group=None))
    drawn = mean_differences(found, UNITS).to_dict()
    named = [trace for trace in drawn["data"] if trace.get("name") and trace["x"]]
    assert [trace["name"] for trace in named] == [f"by {unit}" for unit in UNITS]
    assert [symbol.endswith("-open") for symbol in named[0]["marker"]["symbol"]] == [True, False]
    pair = found.pairs[1].by("judge and segment")
    assert named[0]["x"][1] == pair.mean
    assert named[0]["error_x"]["array"][1] == pytest.approx(pair.interval.high - pair.mean)
    assert drawn["layout"]["xaxis"]["title"]["text"] == "difference of mean ratings"
    low, high = drawn["layout"]["xaxis"]["range"]
    assert low < min(0, pair.interval.low)
    assert high > pair.interval.high


def test_a_difference_without_an_interval_has_none_drawn_and_one_without_a_mean_no_point() -> None:
    table = pd.DataFrame(
        {"segment": [1, 1, 2], "system": list("ABC"), "judge": "x", "score": [1.0, 2.0, 3.0], "group": None}
    )
    drawn = mean_differences(compare_ratings(table), ["segment"]).to_dict()
    bounded, bare = drawn["data"][1:]
    assert list(bounded["x"]) == []
    assert list(bare["x"]) == [1.0]
    assert bare["error_x"] == {"visible": False}


def test_intervals_of_very_few_units_do_not_widen_the_axis() -> None:
    rows = [(s, system, "x", float(system == "B") + s % 3) for s in range(1, 21) for system in "AB"]
    rows += [(s, "A", "y", 0.0) for s in range(1, 21)] + [(1, "B", "y", 90.0)]
    columns = ["segment", "system", "judge", "score"]
    found = compare_ratings(pd.DataFrame(rows, columns=pd.Index(columns)).assign(group=None))
    by_judge = found.pairs[0].by_judge
    assert by_judge.interval.high > 100
    assert common_axis([found], UNITS)[1] < by_judge.interval.high
    assert common_axis([found], ["judge"])[1] > by_judge.interval.high  # there is nothing else to see


def test_names_cannot_be_interpreted_by_plotly() -> None:
    judgments = made(4, name=f"{HOSTILE.replace('{x}', '{{x}}')} {{}}")
    assert any(HOSTILE in name for name in judgments.systems)
    groups = compare_groups(judgments, resamples=10)
    found = compare_ratings(judgments.table)
    alpha = {HOSTILE: (krippendorff_alpha(judgments, resamples=10),)}
    for figure in (
        figures.rating_histograms(judge_summaries(judgments)),
        figures.rating_histograms(judge_summaries(made(20, name=f"{HOSTILE.replace('{x}', '{{x}}')} {{}}"))),
        figures.krippendorff_alphas(alpha, {}),
        figures.kendall_matrix(pairwise_kendall(judgments)),
        figures.group_means(groups),
        mean_differences(found, UNITS),
    ):
        drawn: dict[str, Any] = figure.to_dict()
        for trace in drawn["data"]:  # raw categories are no text: axes have their own
            if trace["type"] == "scatter" and trace.get("y") and isinstance(trace["y"][0], str):
                trace["y"] = []
        axis = drawn["layout"]["yaxis"]
        for raw in ("categoryarray", "tickvals"):
            axis.pop(raw, None)
        text = json.dumps(drawn, default=str)
        assert "<b>" not in text
        assert "<a " not in text
        assert "%{x}" not in text.replace("%{x:.3f}", "").replace("%{x:.1%}", "")
