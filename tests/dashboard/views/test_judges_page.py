"""The pages Judges and Rating differences, without a browser."""

from __future__ import annotations

from typing import Any

import pytest
from judged import read_ratings
from nightly import nightly
from pages import load, said, untick, visit, with_parameters
from streamlit.testing.v1 import AppTest

import sample_data
from bleu_core.dataset import Judgments
from bleu_core.formats.text import Text
from bleu_core.judges import UNITS, adjusted_means, compare_ratings, judge_variance, krippendorff_alpha, standardised

REFERENCE = b"the cat sat on the mat\nit was a sunny day in the park\nwe all went home at night\n"
SYSTEMS = (
    ("A.txt", b"the cat sat on a mat\nit was a fine day in the park\nwe all went home by night\n"),
    ("B.txt", b"a cat sits on the mat\nthat was a sunny day at the park\nall of us went home at night\n"),
    ("C.txt", b"a dog sits on the mat\nthat was a rainy day at the park\nsome of us went home at night\n"),
)
HOSTILE = ("**bold**", "<b>tag</b>", ":material/upload:", "$x^2$ and $y$", "[link](javascript:1)", "%{x}", "# heading")


@pytest.fixture
def app(app: AppTest) -> AppTest:
    """A session on the sample data, of which all five systems are ranked."""
    return with_parameters(app, rank_humans="true")


def opened(app: AppTest, path: str, human: str | None = None) -> AppTest:
    """A page on small texts of our own with those ratings, or on the sample data."""
    if human is not None:
        load(app, ("ref.txt", REFERENCE), *SYSTEMS, ("human.csv", human.encode()))
    visit(app, path)
    assert not app.exception
    return app


def table(app: AppTest, column: str) -> Any:
    """The table that has this column."""
    return next(frame.value for frame in app.dataframe if column in frame.value)


def sample() -> Judgments:
    return read_ratings(Text(sample_data.JUDGMENTS.read_text(encoding="utf-8"), "UTF-8"), "judgments.csv")


def test_the_judges_of_the_sample(app: AppTest) -> None:
    opened(app, "judges/agreement")
    alpha, shares = krippendorff_alpha(sample()), judge_variance(sample()).shares
    assert f"Krippendorff's alpha of the judges is {alpha.coefficient:.2f}" in said(app)
    assert f"{alpha.interval.low:.2f} to {alpha.interval.high:.2f}" in said(app)
    assert f"{100 * shares['system']:.0f}% is due to systems" in said(app)
    assert len(table(app, "repeats")) == 20
    assert len(app.get("plotly_chart")) == 5
    assert table(app, "pearson")["systems"].tolist() == [5]


def test_human_translators_left_out_of_the_page_are_out_of_the_judges_too(app: AppTest) -> None:
    opened(app, "judges/agreement")
    app.toggle(key="rank_humans").set_value(False).run()
    assert set(table(app, "repeats")["systems"]) == {3}
    visit(app, "judges/human-ranking")
    assert set(table(app, "baseline")["system"]) == {"S2", "S3"}


def test_standardised_ratings_are_said_to_be_so(app: AppTest) -> None:
    opened(with_parameters(app, zscore="true"), "judges/agreement")
    assert "Ratings are standardised per judge" in said(app)
    assert f"alpha of the judges is {krippendorff_alpha(standardised(sample())).coefficient:.2f}" in said(app)
    assert table(app, "repeats")["standard_deviation"].tolist() == pytest.approx([1.0] * 20)
    assert not app.exception


def test_ratings_can_be_adjusted_for_judges(app: AppTest) -> None:
    opened(app, "judges/human-ranking")
    raw = dict(table(app, "mean_raw")[["system", "mean"]].to_numpy().tolist())
    app.button_group(key="adjust_judges").set_value("adjusted").run()
    assert not app.exception
    assert "adjusted for judges" in said(app)
    systems = tuple(sorted(raw))
    found = adjusted_means(sample(), systems)
    ranking = table(app, "mean_raw")
    means = dict(ranking[["system", "mean"]].to_numpy().tolist())
    assert [means[name] for name in systems] == pytest.approx(found.adjusted.tolist())
    given = dict(ranking[["system", "mean_raw"]].to_numpy().tolist())
    assert [given[name] for name in systems] == pytest.approx(found.raw.tolist())
    assert raw == pytest.approx(given)
    visit(app, "agreement/by-system")
    assert "adjusted for judges" in said(app)


def test_judges_by_systems_are_shown(app: AppTest) -> None:
    opened(app, "judges/agreement")
    shares = table(app, "mean_severity")
    judges = [name for name in shares if name not in ("system", "mean_severity")]
    assert len(judges) == sample().judge_count
    assert shares[judges].sum(axis=1).tolist() == pytest.approx([1.0] * len(shares))
    assert set(table(app, "adjusted")["system"]) == set(shares["system"])


def test_judges_left_out_are_out_of_every_table(app: AppTest) -> None:
    opened(app, "judges/agreement")
    untick(app, "groups", "monolingual")
    assert len(table(app, "repeats")) == 10
    assert "Groups of judges" not in said(app)
    assert not app.exception


@pytest.mark.parametrize(
    ("human", "messages"),
    [
        (
            "segment,system,score\n1,A,1\n2,A,2\n3,A,3\n1,B,2\n2,B,3\n3,B,5\n",
            ["no item was rated by two judges", "1 judge, at least 2 needed", "without judge names"],
        ),
        ("system,score\nA,1\nB,2\nC,3\n", ["no rating refers to a segment", "1 judge, at least 2 needed"]),
        *nightly([("system,judge,score\nA,x,1\nB,x,2\nA,y,2\nB,y,3\n", ["no rating refers to a segment"])]),
        ("segment,system,judge,score\n1,A,x,1\n2,B,y,2\n", ["no item was rated by two judges", "at least 3 items"]),
        *nightly([("segment,system,judge,score\n1,A,x,4\n", ["no item was rated by two judges"])]),
        (
            "segment,system,judge,score\n" + "".join(f"{s},{k},{j},3\n" for s in (1, 2, 3) for k in "AB" for j in "xy"),
            ["all ratings are equal"],
        ),
        ("segment,system,judge,group,score\n1,A,x,g,1\n1,A,y,h,2\n2,A,x,g,\n", ["1 item with two ratings or more"]),
    ],
)
def test_what_cannot_be_computed_is_said_with_the_reason(app: AppTest, human: str, messages: list[str]) -> None:
    opened(app, "judges/agreement", human)
    for message in messages:
        assert message in said(app)
    assert "nan" not in said(app).lower()
    visit(app, "judges/human-ranking")
    assert not app.exception
    assert "nan" not in said(app).lower()


def test_neighbours_are_told_apart_by_segment(app: AppTest) -> None:
    opened(app, "judges/human-ranking")
    assert "All 4 pairs of neighbours differ significantly in their ratings." in said(app)
    found = compare_ratings(sample().table)
    shown = table(app, "baseline")
    assert shown["system"].tolist() == [pair.better for pair in found.pairs]
    assert set(shown["unit"]) == {"segment"}  # what the sentence decides by
    assert shown["mean_difference"].tolist() == [pair.by_segment.mean for pair in found.pairs]
    app.selectbox(key="rated_unit").set_value("judge and segment").run()
    assert "41% to 84% of samples" in said(app)
    shown = table(app, "baseline")
    assert shown["mean_difference"].tolist() == [pair.by_judge_and_segment.mean for pair in found.pairs]


def test_every_pair_group_and_unit_can_be_chosen(app: AppTest) -> None:
    opened(app, "judges/human-ranking")
    app.selectbox(key="rated_unit").set_value("all three").run()
    assert len(table(app, "baseline")) == 4 * 3
    app.selectbox(key="rated_pairs").set_value("all pairs")
    app.selectbox(key="rated_by").set_value("each group").run()
    assert len(table(app, "baseline")) == 2 * 10 * 3
    assert len(app.get("plotly_chart")) == 2 + 1  # the ranking has one
    for unit in UNITS:
        app.selectbox(key="rated_unit").set_value(unit).run()
        assert set(table(app, "baseline")["unit"]) == {unit}
    assert not app.exception


def test_one_pair_is_compared_whichever_is_named_first(app: AppTest) -> None:
    opened(app, "judges/human-ranking")
    app.selectbox(key="rated_pairs").set_value("one pair").run()
    app.selectbox(key="rated_system").set_value("S1")
    app.selectbox(key="rated_against").set_value("S3").run()
    assert "S3 is rated " in said(app)
    (pair,) = compare_ratings(sample().table, pairs=[("S1", "S3")]).pairs
    assert table(app, "baseline")["mean_difference"].tolist() == [pair.by_segment.mean]
    app.selectbox(key="rated_against").set_value("S1").run()
    assert "Choose two different systems" in said(app)
    assert not app.exception


def test_groups_are_shown_in_the_direction_of_all_judges(app: AppTest) -> None:
    rows = [f"{s},A,x,g,{s}\n{s},B,x,g,{s + 3}\n{s},A,y,h,{s + 1}\n{s},B,y,h,{s}\n" for s in (1, 2, 3)]
    opened(app, "judges/human-ranking", "segment,system,judge,group,score\n" + "".join(rows))
    app.selectbox(key="rated_by").set_value("each group").run()
    shown = table(app, "baseline")
    assert shown["system"].tolist() == ["B", "B"]
    assert shown["mean_difference"].tolist() == [3, -1]


def test_differences_between_judges_are_named_where_no_judge_rated_both_systems(app: AppTest) -> None:
    opened(
        app, "rater-differences", "segment,system,judge,score\n1,A,x,1\n2,A,x,2\n3,A,x,4\n1,B,y,2\n2,B,y,4\n3,B,y,5\n"
    )
    assert "no judge rated both systems" in said(app)


def test_only_one_rated_system_leaves_nothing_to_compare(app: AppTest) -> None:
    opened(app, "judges/human-ranking", "segment,system,judge,score\n1,A,x,1\n2,A,x,2\n")
    assert "Only one system has ratings" in said(app)


def test_names_are_shown_as_they_are(app: AppTest) -> None:
    rows = [
        f"{s},{system},{judge},group {judge},{s + n + m}\n"
        for s in (1, 2, 3)
        for n, system in enumerate("ABC")
        for m, judge in enumerate(HOSTILE)
    ]
    opened(app, "judges/agreement", "segment,system,judge,group,score\n" + "".join(rows))
    judges = table(app, "repeats")
    assert sorted(judges["judge"]) == sorted(HOSTILE)
    assert judges["mean"].tolist() == sorted(judges["mean"])  # as in the figure above the table
    for block in [*app.markdown, *app.caption]:
        for name in HOSTILE[:5]:
            assert name not in str(block.value)
    visit(app, "judges/human-ranking")
    app.selectbox(key="rated_by").set_value("each group").run()
    assert {text.value for text in app.text} >= {f"group {name}" for name in HOSTILE}
    assert not app.exception
