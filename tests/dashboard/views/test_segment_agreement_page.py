"""The page Segment agreement: coefficients, edge cases, and what is read of a segment."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from judged import read_ratings
from nightly import nightly
from pages import load, said, untick, visit, with_parameters
from sacrebleu.metrics.bleu import BLEU
from sacrebleu.metrics.chrf import CHRF
from sacrebleu.metrics.ter import TER
from streamlit.testing.v1 import AppTest

import sample_data
from bleu_core.agreement import SEGMENT_METHODS, Grouping, calibrated_accuracy, scatter, segment_correlation
from bleu_core.formats.text import Text

REFERENCE = ["the cat sat on the mat", "it was a sunny day in the park", "we all went home at night", "good night"]
OUTPUTS = {
    "A": ["the cat sat on a mat", "it was a fine day in the park", "we all went home by night", ""],
    "B": ["a cat sits on the mat", "that was a sunny day at the park", "all of us went home at night", "night"],
}
HOSTILE = (
    "<b>HB</b> <img src=x onerror=alert(1)>",
    "**MB** _it_ `co` [L](javascript:alert(3)) ![i](http://127.0.0.1:9/x.png)",
    "cost $5 and $10 :material/upload: :red[RED] &lt;b&gt;",
    "# H1 - ~~str~~ a<-b -> c >= http://127.0.0.1:9/auto www.ex.org a@ex.org",
)


@pytest.fixture
def app(app: AppTest) -> AppTest:
    """A session on the sample data, of which all five systems are ranked."""
    return with_parameters(app, rank_humans="true")


def segments(app: AppTest, *files: tuple[str, str]) -> AppTest:
    """The page, on the sample or on files just uploaded."""
    if files:
        load(app, *((name, text.encode("utf-8")) for name, text in files))
    visit(app, "agreement/by-segment")
    assert not app.exception
    return app


def texts(outputs: dict[str, list[str]] | None = None) -> list[tuple[str, str]]:
    found = {"ref-R": REFERENCE} | (OUTPUTS if outputs is None else outputs)
    return [(f"{name}.txt", "\n".join(lines) + "\n") for name, lines in found.items()]


def sheet(name: str, header: Sequence[str], rows: Sequence[Sequence[object]]) -> tuple[str, str]:
    out = io.StringIO()
    csv.writer(out).writerows([header, *rows])
    return name, out.getvalue()


def ratings(rows: Sequence[Sequence[object]]) -> tuple[str, str]:
    return sheet("human.csv", ("segment", "system", "judge", "score"), rows)


RATINGS = ratings([(s, k, j, s + (k == "A") + (j == "y")) for s in range(1, 5) for k in "AB" for j in "xy"])


def table(app: AppTest, first: str) -> Any:
    """The table whose first column has that name."""
    return next(frame.value for frame in app.dataframe if frame.value.columns[0] == first)


def lines(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").split("\n")[:-1]


def sample_scores() -> tuple[tuple[str, ...], np.ndarray, np.ndarray]:
    """The systems, sentence BLEU by sacreBLEU, and mean ratings."""
    paths = sample_data.systems()
    names = tuple(path.stem for path in paths)
    references = [lines(path) for path in sample_data.references()]
    bleu = BLEU(effective_order=True)
    scores = [
        [bleu.sentence_score(line, list(of)).score for line, *of in zip(lines(path), *references, strict=True)]
        for path in paths
    ]
    judgments = read_ratings(Text(sample_data.JUDGMENTS.read_text(encoding="utf-8"), "utf-8", ()), "judgments.csv")
    return names, np.array(scores), judgments.segment_means(names, len(scores[0])).scores


def test_coefficients_are_those_of_sacrebleus_sentence_scores(app: AppTest) -> None:
    segments(app)
    _, scores, human = sample_scores()
    rows = table(app, "compared").set_index("compared")
    named: dict[Grouping, str] = {"none": "all segments", "system": "by system", "item": "by segment"}
    for grouping, name in named.items():
        for method in SEGMENT_METHODS:
            expected = segment_correlation(scores, human, method, grouping)
            assert rows.loc[name, method] == pytest.approx(expected.coefficient, abs=1e-9)
            assert rows.loc[name, "groups"] == expected.groups
    calibrated = calibrated_accuracy(scores, human)
    assert rows.loc["by segment", "pairwise_accuracy"] == pytest.approx(calibrated.accuracy)
    assert f"agree on {100 * calibrated.accuracy:.0f}% of pairs" in said(app)


def test_the_segment_of_the_largest_difference_is_open_at_first(app: AppTest) -> None:
    segments(app)
    names, scores, human = sample_scores()
    found = scatter(scores, human)
    expected = [divmod(int(found.entry[p]), found.segments) for p in found.furthest(10)]
    listed = next(f.value for f in app.dataframe if "score_percentile" in f.value and len(f.value) == 10)
    assert list(zip(listed["system"], listed["segment"], strict=True)) == [(names[k], s + 1) for k, s in expected]
    system, segment = names[expected[0][0]], expected[0][1] + 1
    assert app.selectbox(key="read_system").value == system
    assert app.number_input(key="read_segment").value == segment
    assert lines(sample_data.FOLDER / "systems" / f"{system}.txt")[segment - 1] in said(app)
    for path in sample_data.references():
        assert lines(path)[segment - 1] in said(app)
    assert f"BLEU: {scores[expected[0]]:.2f} (percentile" in said(app)


def test_another_segment_is_read_from_the_boxes_and_kept(app: AppTest) -> None:
    segments(app)
    app.selectbox(key="read_system").set_value("S1")
    app.number_input(key="read_segment").set_value(2).run()
    text = lines(sample_data.FOLDER / "systems" / "S1.txt")[1]
    assert text in said(app)
    assert "It has no ratings." in said(app)
    assert "Mean rating: undefined" in said(app)
    assert app.query_params["read_segment"] == "2"
    assert app.query_params["read_system"] == "S1"
    segments(visit(app, "ranking/scores"))
    assert text in said(app)


@pytest.mark.parametrize(("number", "shown"), [("5", 5), ("501", None), *nightly([("0", None), ("x", None)])])
def test_a_link_opens_the_segment_it_names(app: AppTest, number: str, shown: int | None) -> None:
    segments(with_parameters(app, read_system="S2", read_segment=number))
    assert app.selectbox(key="read_system").value == "S2"
    assert shown in (None, app.number_input(key="read_segment").value)


def test_each_judges_ratings_are_listed_with_the_repeated_ones(app: AppTest) -> None:
    rows = [(1, "A", "y", 4), (1, "A", "x", 1), (1, "A", "x", 3), (1, "B", "x", 5), (2, "A", "x", 2), (2, "B", "x", 4)]
    segments(app, *texts(), ratings(rows))
    app.selectbox(key="read_system").set_value("A")
    app.number_input(key="read_segment").set_value(1).run()
    listed = table(app, "judge")
    assert list(zip(listed["judge"], listed["rating"], strict=True)) == [("x", 1.0), ("x", 3.0), ("y", 4.0)]
    # The mean of x, 2, and of y, 4; of the four means 3, 5, 2 and 4 one is worse.
    assert "Mean rating: 3.000 (percentile 37.5)" in said(app)
    untick(app, "judges", "y")
    assert table(app, "judge")["rating"].tolist() == [1.0, 3.0]
    assert "Mean rating: 2.000" in said(app)
    app.toggle(key="zscore").set_value(True).run()
    assert table(app, "judge")["as_given"].tolist() == [1.0, 3.0]


def test_an_uploaded_metric_can_be_chosen_even_one_called_bleu(app: AppTest) -> None:
    rows = [(k, s, name, s + (k == "A")) for name in ("COMET", "BLEU") for k in "AB" for s in range(1, 5)]
    systems = [("A", "", "whole", 1), ("B", "", "whole", 2)]
    header = ("system", "segment", "metric", "score")
    of_systems = sheet("whole.csv", ("system", "metric", "score"), [(k, m, v) for k, _, m, v in systems])
    segments(app, *texts(), RATINGS, sheet("metrics.csv", header, rows), of_systems)
    offered = list(app.selectbox(key="segment_metric").options)
    assert offered[:6] == ["BLEU", "COMET", "BLEU (uploaded)", "chrF2", "chrF2++", "TER"]
    assert "whole" not in offered
    assert "Unavailable (system scores only): whole." in said(app)
    for name in ("COMET", "BLEU (uploaded)"):
        app.selectbox(key="segment_metric").set_value(name).run()
        assert not app.exception
        assert table(app, "compared")["kendall"].tolist() == [pytest.approx(1.0)] * 3
        assert f"Only 4 segments are rated, too few to say whether {name} agrees with the judges" in said(app)
        assert f"\n{name}: " in f"\n{said(app)}"
    assert app.query_params["segment_metric"] == "BLEU (uploaded)"


def test_ratings_of_whole_systems_are_told_and_texts_can_still_be_read(app: AppTest) -> None:
    segments(app, *texts(), sheet("human.csv", ("system", "score"), [("A", 3), ("B", 4)]))
    assert "Segments cannot be compared: the ratings are for whole systems, not for segments." in said(app)
    assert OUTPUTS["A"][0] in said(app)
    app.number_input(key="read_segment").set_value(4).run()
    assert "(empty)" in said(app)
    assert not app.exception


WITHIN_DOCUMENTS = [("u", i, d) for d in ("d", "e") for i in (1, 2)]
THROUGH_A_JUDGES_WORK = [(j, i, f"{j}-{i // 3}") for j in "uv" for i in range(1, 13)]


@pytest.mark.parametrize(
    ("items", "expected"),
    [
        (WITHIN_DOCUMENTS, "the lines of the texts; add a file that names the document of each line."),
        (THROUGH_A_JUDGES_WORK, "the lines of the texts."),
    ],
)
def test_ratings_numbered_in_another_way_than_the_lines_are_told(
    app: AppTest, items: list[tuple[str, int, str]], expected: str
) -> None:
    rows = [f"{j},{s},{i},TGT,eng,deu,{50 + i},{d},False" for j, i, d in items for s in "AB"]
    segments(app, *texts(), ("appraise.csv", "\r\n".join(rows) + "\r\n"))
    assert f"the ratings number their items differently from {expected}" in said(app)
    assert OUTPUTS["A"][0] in said(app)


@pytest.mark.parametrize(
    ("outputs", "rated", "expected"),
    [
        (
            None,
            lambda _s, _k: 3,
            "all ratings of a segment are the same. All segments together cannot either: all ratings are the same",
        ),
        (None, lambda s, _k: s, "cannot be compared: all ratings of a segment are the same"),
        ({k: [""] * 4 for k in "AB"}, lambda s, k: s + (k == "A"), "all scores are the same"),
        ({"A": OUTPUTS["A"]}, lambda s, _k: s, "cannot be compared: there is only one system"),
    ],
)
def test_why_nothing_is_correlated_is_said(app: AppTest, outputs: Any, rated: Any, expected: str) -> None:
    chosen = OUTPUTS if outputs is None else outputs
    rows = [(s, k, "x", rated(s, k)) for s in range(1, 5) for k in chosen]
    segments(app, *texts(outputs), ratings(rows))
    assert expected in said(app)
    correlated = table(app, "compared").set_index("compared")
    assert np.isnan(correlated.loc["by segment", "kendall"])
    assert not app.error


COMPUTED: dict[str, Any] = {
    "chrF2": CHRF(),
    "TER": TER(),
    "BLEU-2": BLEU(max_ngram_order=2, effective_order=True),
    "BLEU, tokeniser char": BLEU(tokenize="char", effective_order=True),
}


@pytest.mark.parametrize("metric", ["BLEU, tokeniser char", *nightly(["chrF2", "TER", "BLEU-2"])])
def test_a_metric_computed_here_is_that_of_sacrebleu(app: AppTest, metric: str) -> None:
    segments(app, *texts(), RATINGS)
    app.selectbox(key="segment_metric").set_value(metric).run()
    assert not app.exception
    listed = next(frame.value for frame in app.dataframe if "score_percentile" in frame.value)
    assert len(listed) == sum(map(len, OUTPUTS.values()))
    expected = {
        (system, number): COMPUTED[metric].sentence_score(output, [reference]).score
        for system, outputs in OUTPUTS.items()
        for number, (output, reference) in enumerate(zip(outputs, REFERENCE, strict=True), start=1)
    }
    scores = dict(zip(zip(listed["system"], listed["segment"], strict=True), listed["score"], strict=True))
    assert scores == pytest.approx(expected)
    assert ("Lower TER is better" in said(app)) == (metric == "TER")
    for (system, number), score in list(expected.items())[::5]:  # of both systems
        app.selectbox(key="read_system").set_value(system)
        app.number_input(key="read_segment").set_value(number).run()
        told = re.search(rf"(?:^|\n){metric}: (\S+) \(percentile", said(app))
        assert told is not None
        assert float(told[1]) == pytest.approx(score, abs=0.05)


def test_a_metric_without_scores_of_rated_segments_is_told(app: AppTest) -> None:
    rows = [("A", 3, "COMET", 0.5), ("B", 3, "COMET", 0.4)]
    metric = sheet("metrics.csv", ("system", "segment", "metric", "score"), rows)
    segments(app, *texts(), ratings([(1, "A", "x", 3), (1, "B", "x", 4)]), metric)
    app.selectbox(key="segment_metric").set_value("COMET").run()
    assert "COMET has no scores for rated segments of these systems" in said(app)
    assert not app.exception


def test_texts_are_literal_whatever_they_hold(app: AppTest) -> None:
    outputs = {"A": list(HOSTILE), "B": ["مرحبا بالعالم.", " ", "x" * 3000, "night"]}
    segments(app, *texts(outputs), RATINGS)
    for number, text in enumerate(HOSTILE, start=1):
        app.selectbox(key="read_system").set_value("A")
        app.number_input(key="read_segment").set_value(number).run()
        assert text in [block.value for block in app.text]  # st.text interprets nothing
    app.selectbox(key="read_system").set_value("B")
    for number, shown in ((1, "\u2067مرحبا بالعالم.\u2069"), (2, "(empty)"), (3, "x" * 3000)):
        app.number_input(key="read_segment").set_value(number).run()
        assert shown in [block.value for block in app.text]


def test_hostile_names_do_no_harm(app: AppTest) -> None:
    name, judge = "**m** :red[r] [l](javascript:a)", "<b>j</b> $x$"
    outputs = {name: OUTPUTS["A"], "B": OUTPUTS["B"]}
    rows = [(s, k, judge, s + (k == "B")) for s in range(1, 5) for k in outputs]
    metric = [(k, s, ":material/x: *M*", s) for k in outputs for s in range(1, 5)]
    header = ("system", "segment", "metric", "score")
    segments(app, *texts(outputs), ratings(rows), sheet("metrics.csv", header, metric))
    app.selectbox(key="segment_metric").set_value(":material/x: *M*")
    app.selectbox(key="read_system").set_value(name).run()
    assert not app.exception
    assert f"Output of {name}" in said(app)
    assert table(app, "judge")["judge"].tolist() == [judge]
    for block in [*app.markdown, *app.caption]:
        assert ":red[" not in str(block.value)
        assert " *M*" not in str(block.value)


def test_a_name_far_longer_than_the_others_is_not_cut(app: AppTest) -> None:
    name = "a-system-with-a-name-of-forty-characters"
    outputs = {name: OUTPUTS["A"], **{str(k): OUTPUTS["B"] for k in range(6)}}
    rows = [(s, k, "x", s + (k == name)) for s in range(1, 5) for k in outputs]
    segments(app, *texts(outputs), ratings(rows))
    listed = next(frame for frame in app.dataframe if "score_percentile" in frame.value)
    assert name in listed.value["system"].tolist()
    assert json.loads(listed.proto.columns)["system"]["width"] >= 7 * len(name)
