"""The pages System agreement and Metrics, and judges left out; in a session without a browser."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest
from judges.rosters import confounded_rows
from nightly import nightly
from pages import load, said, tick, untick, visit, with_parameters, with_state
from scipy import stats
from streamlit.testing.v1 import AppTest

import sample_data
from bleu_core.agreement import MetricRanking
from bleu_core.scoring import all_metrics
from dashboard.analysis import available_metrics
from dashboard.words.sentences import best_metric

REFERENCE = b"the cat sat on the mat\nit rains today\na dog barks\nhello world again\n"
OUTPUTS = {
    "good": b"the cat sat on the mat\nit rains today\na dog barks loud\nhello world\n",
    "fair": b"the cat sat on a mat\nit rains now\na dog bark\nhello world again\n",
    "poor": b"cat mat\nrain today\ndog barks\nhello\n",
    "bad": b"x the cat y\nit z\na dog\nworld again\n",
}


def ratings(order: dict[str, float], judge: str) -> str:
    rows = [f"{k},{name},{judge},{score + 0.1 * k}" for name, score in order.items() for k in range(1, 5)]
    return "\n".join(rows) + "\n"


@pytest.fixture
def loaded(app: AppTest) -> AppTest:
    """Four systems, two judges who contradict each other, and two metrics."""
    ann = ratings({"good": 4, "fair": 3, "poor": 1, "bad": 2}, "Ann")
    bob = ratings({"good": 1, "fair": 2, "poor": 4, "bad": 5}, "Bob")
    human = f"segment,system,judge,score\n{ann}{bob}".encode()
    follows = b"system,metric,score\ngood,Follows,9\nfair,Follows,8\npoor,Follows,3\nbad,Follows,5\n"
    contrary = b"system,metric,score\ngood,Contrary,1\nfair,Contrary,2\npoor,Contrary,4\nbad,Contrary,3\n"
    load(app, ("ref.txt", REFERENCE), *((f"{name}.txt", data) for name, data in OUTPUTS.items()))
    load(app, ("human.csv", human), ("follows.csv", follows), ("contrary.csv", contrary))
    return visit(app, "agreement/by-system")


def table(app: AppTest, column: str) -> list:
    frame = next(d.value for d in app.dataframe if column in d.value.columns)
    return frame[column].tolist()


def test_a_judge_left_out_changes_what_people_say_everywhere(loaded: AppTest) -> None:
    both = table(loaded, "value")[0]
    untick(loaded, "judges", "Bob")
    alone = table(loaded, "value")[0]
    assert alone > both
    assert "16 ratings by 1 judge (1 of 2 judges)" in said(loaded)
    sentence = next(line for line in said(loaded).splitlines() if "too few to say whether BLEU agrees" in line)
    visit(loaded, "")
    assert sentence.lstrip("# ") in said(loaded)


def test_all_judges_left_out_is_said(loaded: AppTest) -> None:
    untick(loaded, "judges", "Ann", "Bob")
    assert "no judge is selected" in said(loaded)
    visit(loaded, "")
    assert not loaded.exception


def test_standardised_ratings_are_of_mean_zero(loaded: AppTest) -> None:
    loaded.toggle(key="zscore").set_value(True).run()
    assert "ratings are standardised per judge" in said(loaded)
    assert not loaded.exception


def test_any_score_can_be_held_against_people(loaded: AppTest) -> None:
    untick(loaded, "judges", "Bob")
    loaded.selectbox(key="score").set_value("Follows").run()
    r = stats.pearsonr([9, 8, 3, 5], [4, 3, 1, 2]).statistic
    assert table(loaded, "value")[0] == pytest.approx(r, abs=1e-9)
    assert "Only 4 segments are rated, too few to say whether Follows agrees with the judges" in said(loaded)
    assert "only system scores" in said(loaded)


def test_a_system_left_out_shows_both_coefficients(loaded: AppTest) -> None:
    loaded.selectbox(key="score").set_value("Follows").run()
    loaded.selectbox(key="one_out").set_value("bad").run()

    assert "Without bad" in said(loaded)
    assert np.isnan(table(loaded, "value_without")[0])


def test_metrics_are_ranked_and_follow_the_judges(loaded: AppTest) -> None:
    visit(loaded, "metrics/best-agreement")
    assert loaded.multiselect(key="metrics").value == ["Follows", "Contrary", "chrF2", "TER"]
    untick(loaded, "judges", "Bob")
    order = table(loaded, "metric")
    assert order.index("Follows") < order.index("Contrary")
    tick(loaded, "judges", "Bob")
    untick(loaded, "judges", "Ann")
    assert table(loaded, "metric")[0] == "Contrary"


def test_bleu_under_other_settings_is_a_metric(app: AppTest) -> None:
    visit(with_parameters(app, rank_humans="true"), "metrics/best-agreement")
    assert app.multiselect(key="metrics").value == ["chrF2", "TER"]
    app.multiselect(key="metrics").set_value(["BLEU-1", "BLEU, tokeniser char", "chrF2", "BLEU, lower-case"]).run()
    assert sorted(table(app, "metric")) == ["BLEU", "BLEU, lower-case", "BLEU, tokeniser char", "BLEU-1", "chrF2"]
    assert not app.exception
    signatures = dict(zip(table(app, "metric"), table(app, "signature"), strict=True))
    assert "tok:char" in signatures["BLEU, tokeniser char"]
    assert "case:lc" in signatures["BLEU, lower-case"]


def test_metrics_without_segments_are_left_out_of_segments_and_said(loaded: AppTest) -> None:
    visit(loaded, "metrics/best-agreement")
    loaded.selectbox(key="level_of").set_value("segments").run()
    assert "left out: Follows: it has only system scores" in said(loaded)
    loaded.multiselect(key="metrics").set_value(["BLEU-1"]).run()
    assert sorted(table(loaded, "metric")) == ["BLEU", "BLEU-1"]
    assert not loaded.exception


@pytest.mark.parametrize("path", ["system-agreement", *nightly(["metrics"])])
@pytest.mark.parametrize(
    "human",
    [
        b"system,score\ngood,1\nfair,2\npoor,3\nbad,4\n",
        b"system,score\ngood,1\n",
        b"system,score\ngood,1\nfair,1\npoor,1\nbad,1\n",
        b"segment,system,judge,score\n1,good,A,1\n1,fair,A,2\n",
        b"segment,system,judge,score\n1,good,A,1\n1,good,A,3\n2,good,A,1\n",
    ],
    ids=["of systems", "one system", "constant", "two systems", "repeated"],
)
def test_thin_ratings_are_explained(app: AppTest, path: str, human: bytes) -> None:
    load(app, ("ref.txt", REFERENCE), *((f"{name}.txt", data) for name, data in OUTPUTS.items()))
    load(app, ("human.csv", human))
    visit(app, path)
    assert not app.exception
    if path == "metrics":
        app.selectbox(key="level_of").set_value("segments").run()
        assert not app.exception


def test_names_from_files_are_shown_as_they_are(app: AppTest) -> None:
    name = "**x** $y$ <b>"
    rows = "\n".join(f"{k},S{i},{name},{i + k}" for i in (1, 2, 3) for k in (1, 2))
    load(app, ("human.csv", f"segment,system,judge,score\n{rows}\n".encode()))
    load(app, *((path.name, path.read_bytes()) for path in (*sample_data.references(), *sample_data.systems())))
    visit(app, "agreement/by-system")
    assert not app.exception


FOLLOWS = b"system,metric,score\ngood,Follows,9\nfair,Follows,8\npoor,Follows,3\nbad,Follows,5\n"
LOWER = b"system,metric,score\ngood,TER,1\nfair,TER,2\npoor,TER,4\nbad,TER,3\n"


def test_a_metric_of_which_less_is_better_is_drawn_as_it_is_and_ranks_in_its_direction(loaded: AppTest) -> None:
    load(loaded, ("ter.csv", LOWER))
    visit(loaded, "agreement/by-system")
    untick(loaded, "judges", "Bob")
    loaded.selectbox(key="score").set_value("TER (uploaded)").run()
    # Ann gives the four systems 4, 3, 1 and 2, and their mean segment adds 0.25.
    assert table(loaded, "value")[0] == pytest.approx(1)
    assert "mean rating = 5.250 − 1.000 × TER (uploaded)" in said(loaded)
    assert "Lower TER (uploaded) is better" in said(loaded)
    figure = json.loads(loaded.get("plotly_chart")[0].proto.spec)
    assert figure["layout"]["xaxis"]["title"]["text"] == "TER (uploaded) (lower is better)"
    points = {t["name"]: t["x"][0] for t in figure["data"] if t.get("mode") == "markers+text"}
    assert points == {"good": 1, "fair": 2, "poor": 4, "bad": 3}
    line = next(t for t in figure["data"] if t.get("name") == "regression")
    assert line["y"][0] > line["y"][-1]

    visit(loaded, "metrics/best-agreement")
    loaded.multiselect(key="metrics").set_value(["Follows", "TER (uploaded)"]).run()
    assert "Lower TER (uploaded) is better" in said(loaded)
    ranked = dict(zip(table(loaded, "metric"), table(loaded, "pearson"), strict=True))
    assert ranked["TER (uploaded)"] == pytest.approx(1)


def test_the_direction_of_a_metric_is_the_one_it_declares(loaded: AppTest, monkeypatch: pytest.MonkeyPatch) -> None:
    visit(loaded, "metrics/best-agreement")
    loaded.multiselect(key="metrics").set_value(["TER", "chrF2"]).run()
    assert "Lower TER is better" in said(loaded)
    offered = {m.label: replace(m, higher_is_better=False) for m in all_metrics().values()}
    monkeypatch.setattr(available_metrics, "registered_metrics", lambda _view: offered)
    loaded.run()
    assert "Lower chrF2 and TER is better" in said(loaded)  # as they are offered


def test_both_ends_of_the_draws_are_explained(loaded: AppTest) -> None:
    frame = next(d for d in loaded.dataframe if "median" in d.value.columns)
    explained = {name: column.get("help", "") for name, column in json.loads(frame.proto.columns).items()}
    assert explained["low"].replace("\\", "") == "Lower end of the range of 95% of the resamples."
    assert explained["high"].replace("\\", "") == "Upper end of the range of 95% of the resamples."


def test_every_part_calls_an_uploaded_metric_the_same(loaded: AppTest) -> None:
    rows = [
        f"{s},{k},{metric},{k}" for metric in ("BLEU", "chrF2", "BLEU (uploaded)") for s in OUTPUTS for k in range(1, 5)
    ]
    load(loaded, ("scores.csv", ("system,segment,metric,score\n" + "\n".join(rows) + "\n").encode()))
    visit(loaded, "agreement/by-system")
    own = ["BLEU (uploaded) (uploaded)", "chrF2 (uploaded)", "BLEU (uploaded)"]
    options = loaded.selectbox(key="score").options
    assert options[0] == "BLEU"
    assert set(own) <= set(options)
    visit(loaded, "agreement/by-segment")
    assert loaded.selectbox(key="segment_metric").options[:4] == ["BLEU", *own]
    visit(loaded, "metrics/best-agreement")
    assert set(own) <= set(loaded.multiselect(key="metrics").value)
    assert not loaded.exception


def test_the_overview_compares_human_translators_with_judges_where_the_page_does(app: AppTest) -> None:
    for systems in (3, 5):
        visit(app, "agreement/by-system")
        app.toggle(key="rank_humans").set_value(systems == 5).run()
        sentence = next(line for line in said(app).splitlines() if f"over {systems} systems" in line)
        visit(app, "")
        assert sentence.lstrip("# ") in said(app)


def test_calibrated_ties_are_of_segments_only(app: AppTest) -> None:
    with_parameters(app, level_of="segments", grouping="all segments", slice="segment <= 60", slice_planned="true")
    assert visit(app, "metrics/best-agreement").selectbox(key="grouping").value == "all segments"
    app.selectbox(key="method_segments").set_value("pairwise accuracy, ties calibrated").run()
    assert app.selectbox(key="grouping").options == ["by segment"]
    assert not app.exception


def test_a_metric_of_unrated_systems_does_not_stop_the_others(app: AppTest) -> None:
    human = ratings({"good": 4, "fair": 3, "poor": 1}, "Ann")
    load(app, ("ref.txt", REFERENCE), *((f"{name}.txt", data) for name, data in OUTPUTS.items()))
    load(app, ("human.csv", f"segment,system,judge,score\n{human}".encode()))
    load(app, ("lone.csv", b"system,metric,score\nbad,Lone,9\n"), ("all.csv", FOLLOWS))
    visit(app, "metrics/best-agreement")
    assert "scores of bad found, scores of at least one of good, fair, poor expected" in said(app)
    assert not app.error
    assert any("Follows" in frame.value.to_string() for frame in app.dataframe) or "not ranked: Follows" in said(app)


def test_only_metrics_told_from_the_best_are_said_to_agree_less() -> None:
    """The third opens a rank as the second agrees better than it; of the first that is not shown."""
    p = np.array([[np.nan, 1.0, 0.06], [1.0, np.nan, 0.04], [0.06, 0.04, np.nan]])
    ranking = MetricRanking(
        test="perm-both",
        method="kendall",
        grouping="item",
        metrics=("a", "b", "c"),
        coefficients=np.array([0.4, 0.3, 0.2]),
        p_values=p,
        p_values_adjusted=p,
        ranks=np.array([1, 1, 2]),
        alternative="two-sided",
        correction="holm",
        alpha=0.05,
        entries=100,
    )
    assert best_metric(ranking).endswith("but not significantly better than any other metric.")


def test_single_ratings_cannot_be_standardised_which_is_said(app: AppTest) -> None:
    load(app, ("ref.txt", REFERENCE), *((f"{name}.txt", data) for name, data in OUTPUTS.items()))
    load(app, ("human.csv", b"segment,system,judge,score\n1,good,Ann,4\n1,fair,Bob,3\n"))
    visit(app, "agreement/by-system")
    app.toggle(key="zscore").set_value(True).run()
    assert "no judge gave two or more ratings" in said(app)
    assert not app.exception


def test_a_metric_that_contradicts_the_judges_is_warned_of_where_it_is_compared(app: AppTest) -> None:
    outputs = {f"s{k}": "".join(f"w{k} w{i} a b c d\n" for i in range(12)) for k in range(3)}
    reference = "".join(f"w0 w{i} a b c d\n" for i in range(12))
    human = "".join(f"{name},{i + 1},j,{10 * k + i % 7}\n" for k, name in enumerate(outputs) for i in range(12))
    errors = "".join(
        f"{name},{i + 1},Faults,{99 - 10 * k - i % 7}\n" for k, name in enumerate(outputs) for i in range(12)
    )
    load(app, ("ref.txt", reference.encode()), *((f"{name}.txt", text.encode()) for name, text in outputs.items()))
    load(
        app,
        ("human.csv", f"system,segment,judge,score\n{human}".encode()),
        ("faults.csv", f"system,segment,metric,score\n{errors}".encode()),
    )
    warning = "Faults: its direction may be wrong: its scores are read as higher is better, and Kendall's tau"
    visit(app, "metrics/best-agreement")
    assert warning in said(app)
    visit(app, "agreement/by-system")
    assert warning not in said(app)  # BLEU is shown
    app.selectbox(key="score").set_value("Faults").run()
    assert warning in said(app)
    visit(app, "agreement/by-segment")
    app.selectbox(key="segment_metric").set_value("Faults").run()
    assert warning in said(app)


def test_raw_ratings_of_confounded_judges_have_a_warning_until_they_are_adjusted(app: AppTest) -> None:
    with_parameters(app, adjust_judges="raw")
    words = [f"word{n}" for n in range(16)]
    texts = {
        name: "".join(f"{' '.join(words[(s + i) % len(words)] for i in range(length))} {s}\n" for s in range(60))
        for name, length in {"ref": 13, "A": 7, "B": 8, "C": 9, "D": 10}.items()
    }
    rows = "".join(f"{s},{k},{j},{y!r}\n" for s, k, j, y in confounded_rows("ABCD", segments=60, better=2.0))
    files = [(f"{name}.txt", text.encode()) for name, text in texts.items()]
    load(app, *files, ("human.csv", f"segment,system,judge,score\n{rows}".encode()))
    visit(app, "agreement/by-system")
    assert not app.exception
    (warning,) = [one.value for one in app.warning if "judges are confounded with systems" in one.value]
    assert warning.startswith("Not comparable")
    assert "“automatic” under “Adjust for judges”" in warning
    app.button_group(key="adjust_judges").set_value("adjusted").run()
    assert not app.exception
    assert not [one.value for one in app.warning if "confounded" in one.value]


def test_the_sentinel_is_left_out_over_systems_and_explained_over_segments(app: AppTest) -> None:
    with_parameters(app, rank_humans="true", slice="segment <= 100", slice_planned="true")
    visit(app, "metrics/best-agreement")
    assert app.multiselect(key="metrics").options[-1] == "length of the reference"
    app.multiselect(key="metrics").set_value(["chrF2", "length of the reference"]).run()
    assert "left out: length of the reference: it is the same for all systems" in said(app)
    assert sorted(table(app, "metric")) == ["BLEU", "chrF2"]
    app.selectbox(key="level_of").set_value("segments").run()
    assert "The length of the reference is the same for all translations of a segment" in said(app)
    app.selectbox(key="grouping").set_value("all segments").run()
    assert sorted(table(app, "metric")) == ["BLEU", "chrF2", "length of the reference"]
    assert "than length of the reference, which does not look at the translations" in said(app)
    app.session_state["section-code"] = True
    app.run()
    assert any("sentinel_scores(corpus, evaluation)" in block.value for block in app.code)
    assert any("--metric 'source length'" in block.value for block in app.code)
    assert not app.exception


def test_a_judge_is_shown_beside_the_metrics(app: AppTest) -> None:
    with_parameters(with_state(app, {"section-judge-as-metric": True}), rank_humans="true", level_of="segments")
    visit(app, "metrics/best-agreement")
    assert "A judge and the metrics are compared with the mean rating of all other judges" in said(app)
    names = table(app, "lowest")
    assert len(names) == 1 + len({"BLEU", "chrF2", "TER"})
    rows = next(d.value for d in app.dataframe if "lowest" in d.value.columns)
    assert {"a judge", "BLEU", "chrF2", "TER"} == set(rows["name"])
    assert not app.exception
