"""A slice of the text: every page shows the numbers of files that hold only its lines, and calls segments as before."""

from __future__ import annotations

import random
import re
from collections.abc import Mapping, Sequence

import pandas as pd
import pytest
from calls import SAMPLE, SEGMENTS, TRUTH
from conftest import Opener
from nightly import nightly
from pages import UnopenedSession, html_of, listed_segments, load, said, visit, widget_of, with_parameters
from streamlit.testing.v1 import AppTest

from bleu_core.dataset import FIELDS

SYSTEMS = ("S1", "S2", "S3", "H1")
CHOSEN = sorted(random.Random(3).sample(range(1, SEGMENTS + 1), 31))
EXPRESSION = f"segment in {', '.join(map(str, CHOSEN))}"
PAGES = (
    *("", "scores", "significance", "two-systems", "slices", "precision", "blocks", "segments", "ngrams"),
    *("system-agreement", "segment-agreement", "metrics", "judges", "rater-differences", "paper"),
)
#: Pages that every run compares: one of each kind.
EVERY_RUN = ("", "scores", "significance", "slices", "segments", "system-agreement", "judges")


def files(segments: Sequence[int]) -> list[tuple[str, bytes]]:
    """Files with these segments only, which are numbered anew in the ratings."""
    texts = {**{f"{name}.txt": SAMPLE[name] for name in SYSTEMS}, "ref.txt": TRUTH}
    texts["docs.txt"] = [f"d{n // 7}" for n in range(SEGMENTS)]
    found = {name: "".join(f"{lines[n - 1]}\n" for n in segments) for name, lines in texts.items()}
    rows = [
        f"{number},{system},{judge},{(7 * n + 3 * len(judge) + k * 5) % 11}\n"
        for number, n in enumerate(segments, start=1)
        for k, system in enumerate(SYSTEMS)
        for judge in ("x", "yy")
        if (n + len(judge)) % 3
    ]
    found["human.csv"] = "segment,system,judge,score\n" + "".join(rows)
    return [(name, text.encode()) for name, text in found.items()]


def choose(app: AppTest, expression: str) -> AppTest:
    return widget_of(app.text_input, "slice").set_value(expression).run()


def tables(app: AppTest, numbers: Sequence[int]) -> list[pd.DataFrame]:
    """All tables of the page, with the segments of these numbers numbered from 1 on."""
    found: list[pd.DataFrame] = [frame.value.copy() for frame in app.dataframe]
    place = {number: place for place, number in enumerate(numbers, start=1)}
    for frame in found:
        if "segment" in frame:
            frame["segment"] = frame["segment"].map(place)
    return found


def texts_shown(app: AppTest) -> list[str]:
    """The texts of the segments that the page shows, with their marks and numbers."""
    return [body for body in html_of(app) if 'class="labelled-texts"' in body]


def with_all_segments(app: AppTest, expression: str) -> AppTest:
    """The files, and a slice of them."""
    return load(with_parameters(app, slice=expression), *files(range(1, SEGMENTS + 1)))


@pytest.mark.parametrize(
    ("metric", "paths"),
    [
        ("BLEU", EVERY_RUN),
        *nightly([("BLEU", [path for path in PAGES if path not in EVERY_RUN]), ("chrF2", ["scores", "blocks"])]),
    ],
)
def test_every_page_has_the_numbers_of_files_with_only_these_lines(
    hashes: Mapping[str, str],
    on_sample: None,  # noqa: ARG001
    metric: str,
    paths: Sequence[str],
) -> None:
    parameters = {"slice": EXPRESSION, "slice_planned": "true", "metric": metric}
    sliced = load(with_parameters(UnopenedSession(hashes), **parameters), *files(range(1, SEGMENTS + 1)))
    alone = load(with_parameters(UnopenedSession(hashes), metric=metric), *files(CHOSEN))
    for path in paths:
        visit(sliced, path)
        visit(alone, path)
        assert not sliced.exception, path
        assert f"{len(CHOSEN)} of {SEGMENTS} segments" in said(sliced), path
        expected = tables(alone, range(1, len(CHOSEN) + 1))
        assert expected or path in ("", "paper", "segments")
        assert texts_shown(sliced) == texts_shown(alone)
        assert texts_shown(alone) or path != "segments"
        for found, wanted in zip(tables(sliced, CHOSEN), expected, strict=True):
            pd.testing.assert_frame_equal(found, wanted, check_dtype=False, obj=path)
        answer, wanted_answer = (
            next(m.value for m in app.markdown if m.value.startswith("##")) for app in (sliced, alone)
        )
        assert re.sub(r"In this slice, | in this slice", "", answer) == wanted_answer, path


def test_segments_keep_their_numbers(app: AppTest) -> None:
    with_all_segments(app, "segment in 11, 17, 40-44")
    visit(app, "segments")
    assert sorted(listed_segments(app)) == [11, 17, 40, 41, 42, 43, 44]
    app.number_input(key="read_segment").set_value(41).run()
    heading = next(body for body in html_of(app) if 'data-number="41"' in body)
    assert 'aria-current="true"' in heading
    assert "<li>d5</li>" in heading
    app.number_input(key="read_segment").set_value(12).run()
    assert "Segment 12 is not in the slice; segment" in said(app)
    visit(app, "agreement/by-segment")
    assert "Segment 12 is not in the slice; segment" in said(app)
    app.number_input(key="read_segment").set_value(44).run()
    assert SAMPLE[str(app.selectbox(key="read_system").value)][43] in said(app)


def test_a_slice_by_ratings_is_of_the_judges_in_use(app: AppTest) -> None:
    expression = (
        "segment in 1-5 and ratings = 4"  # x rates the outputs of segments 1, 3 and 4, and yy those of 2, 3 and 5
    )
    visit(with_all_segments(app, expression), "ranking/scores")
    assert f"4 of {SEGMENTS} segments" in said(app)
    app.session_state["without_judges"] = ["yy"]
    visit(app, "judges/agreement")
    assert f"3 of {SEGMENTS} segments" in said(app)
    visit(app, "segments")
    assert sorted(listed_segments(app)) == [1, 3, 4]
    visit(app, "agreement/by-segment")
    app.number_input(key="read_segment").set_value(3).run()
    assert SAMPLE[str(app.selectbox(key="read_system").value)][2] in said(app)
    assert not app.exception
    app.session_state["without_judges"] = ["x", "yy"]
    visit(app, "ranking/scores")
    assert "slice: no rating is in use; use “Reset all” above, or another slice" in said(app)
    app.button(key="reset-all").click().run()
    assert not app.error


def test_a_slice_by_scores_follows_the_settings(app: AppTest) -> None:
    visit(with_all_segments(app, 'score "S1" = 0'), "ranking/scores")
    assert "holds for none" in said(app)
    app.selectbox(key="smoothing").set_value("none").run()
    assert "holds for none" not in said(app)
    assert re.search(rf"[1-9][0-9]* of {SEGMENTS} segments", said(app))


def test_a_slice_that_cannot_be_found_is_explained_and_can_be_left(opened: Opener) -> None:
    app = opened("ranking/scores", slice="genre = news")
    assert f"slice: field 'genre' found, one of {', '.join(FIELDS)}" in said(app)
    assert "scores significantly" not in said(app)
    app.button(key="slice-whole").click().run()
    assert "S3 scores significantly higher" in said(app)
    assert "slice" not in app.query_params


def test_a_slice_by_references_is_no_fault_while_none_is_ticked(opened: Opener) -> None:
    app = opened("ranking/scores", slice='reference ~ "a" and length > 3', without_references=["R1", "R2", "R3", "R4"])
    assert "no reference is selected, at least 1 needed" in said(app)
    assert not app.exception


def test_a_slice_without_ratings_says_so_on_the_pages_about_people(app: AppTest) -> None:
    load(app, *(each for each in files(range(1, SEGMENTS + 1)) if each[0] != "human.csv"))
    load(app, ("human.csv", b"segment,system,judge,score\n1,S1,x,3\n1,S2,x,4\n"))
    with_parameters(app, slice="segment > 1")
    for path in ("system-agreement", "segment-agreement", "metrics", "judges", "rater-differences"):
        assert "No rating is of a segment in the slice." in said(visit(app, path)), path
    visit(app, "")
    assert not app.exception


def test_user_text_in_a_slice_is_not_interpreted(opened: Opener) -> None:
    hostile = 'not system = "**b** <i>x</i> :red[r] [l](javascript:alert(1)) $x$"'
    app = opened("ranking/scores", slice=hostile)
    assert f"Slice: {hostile} (500 of 500 segments)" in said(app)
    assert not [m for m in app.markdown if "**b**" in m.value or "<i>x" in m.value]


def grey(app: AppTest) -> set[str]:
    """The columns of the first table whose text has another colour than the rest."""
    style = app.dataframe[0].proto.arrow_data.styler.styles
    frame = app.dataframe[0].value
    return {frame.columns[int(column)] for column in re.findall(r"row0_col(\d+)", style)}


def test_a_slice_chosen_afterwards_only_describes(opened: Opener) -> None:
    app = opened("ranking/pairs", slice="length > 20")
    assert "Descriptive only" in said(app)
    assert grey(app) == {"low", "high", "p_value", "p_value_adjusted", "verdict"}
    assert "segments (length > 20) were used." in app.code[0].value
    assert "p-values only describe it" in app.code[0].value
    assert "Descriptive only: in this slice, S3 scores highest (" in said(app)
    assert "significantly" not in said(app)
    visit(app, "two-systems/difference")
    assert "Descriptive only: in this slice, S3 scores highest (" in said(app)
    for path in ("", "blocks"):
        assert "significantly" not in said(visit(app, path))
    visit(app, "ranking/pairs")
    app.toggle(key="slice_planned").set_value(True).run()
    assert "Descriptive only" not in said(app)
    assert grey(app) == set()


@pytest.mark.parametrize(
    ("expression", "describes"),
    [
        ("half = test and length > 20", False),
        ("half = test or length > 20", True),
        *nightly(
            [
                ("length > 20 and (half in test and segment > 3)", False),
                ("half = test", False),
                ("half = explore", False),
                ("not half = test and length > 20", True),
                ("half != test and length > 20", True),
            ]
        ),
    ],
)
def test_a_slice_says_itself_that_it_is_tested_in_a_half(opened: Opener, expression: str, *, describes: bool) -> None:
    assert ("Descriptive only" in said(opened("ranking/scores", slice=expression))) is describes


def test_the_halves_of_the_text_explore_and_test_a_slice(opened: Opener) -> None:
    app = opened("ranking/scores", slice="length > 20")
    sizes = {}
    for half in ("explore", "test"):
        widget_of(app.segmented_control, "half").set_value(half).run()
        assert ("Descriptive only" in said(app)) == (half == "explore")
        found = re.search(r"length > 20 and half = \w+ \((\d+) of 500 segments\)", said(app))
        assert found
        sizes[half] = int(found[1])
    whole = opened("ranking/scores", slice="length > 20")
    assert f"({sum(sizes.values())} of 500 segments)" in said(whole)
    widget_of(app.text_input, "slice").set_value("").run()
    assert "Half of the text: test" in said(app)
    app.button(key="slice-whole").click().run()
    assert "All segments" not in said(app)
    assert widget_of(app.segmented_control, "half").value == "all"


def test_conditions_are_added_by_boxes(opened: Opener) -> None:
    app = opened("ranking/scores")
    app.selectbox(key="condition_field").set_value("segment number").run()
    app.selectbox(key="condition_that_number").set_value("at most")
    app.number_input(key="condition_number").set_value(1234567.5)
    app.button(key="condition_add").click().run()
    assert widget_of(app.text_input, "slice").value == "segment <= 1234567.5"
    widget_of(app.text_input, "slice").set_value("").run()
    app.number_input(key="condition_number").set_value(40.0)
    app.button(key="condition_add").click().run()
    assert widget_of(app.text_input, "slice").value == "segment <= 40"
    app.selectbox(key="condition_field").set_value("equal outputs of two systems").run()
    app.selectbox(key="condition_value_equal").set_value("yes")
    app.segmented_control(key="condition_joined").set_value("or")
    app.button(key="condition_add").click().run()
    assert widget_of(app.text_input, "slice").value == 'segment <= 40 or equal "S1" "S2" = "yes"'
    assert not app.exception


HOSTILE = "**bold** <b>$x$ :red[a] [l](javascript:1)"


def test_a_condition_on_errors_is_added_from_boxes_and_any_category_stays_text(opened: Opener) -> None:
    header = "system\tdoc\tdoc_id\tseg_id\trater\tsource\ttarget\tcategory\tseverity\n"
    rows = (f"S1\td\t{n}\t{n}\t{HOSTILE}\t\t\t{HOSTILE}\tMinor\n" for n in (2, 3))
    texts = {"S1.txt": SAMPLE["S1"], "S2.txt": SAMPLE["S2"], "ref.txt": TRUTH}
    files = [(name, "".join(f"{line}\n" for line in lines[:9]).encode()) for name, lines in texts.items()]
    app = visit(load(opened("data"), *files, ("m.tsv", (header + "".join(rows)).encode())), "ranking/scores")
    app.selectbox(key="condition_field").set_value("category of a marked error").run()
    assert app.selectbox(key="condition_value_marked_category").options == [HOSTILE]
    app.button(key="condition_add").click().run()
    assert not app.exception
    assert widget_of(app.text_input, "slice").value == f'category of "S1" = "{HOSTILE}"'
    assert "2 of 9 segments" in said(app)
    choose(app, f'errors of "S1" by "{HOSTILE}" = 1')
    assert "2 of 9 segments" in said(app)
    choose(app, 'errors of "S2" = 0')
    assert "holds for none of 9 segments" in said(app)
