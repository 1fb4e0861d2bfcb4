"""The page Segments: which segments are listed in which order, with their texts, marks and numbers."""

from __future__ import annotations

import re
from html import unescape
from inspect import unwrap
from io import BytesIO
from typing import Any

import numpy as np
import pandas as pd
import pytest
from conftest import Downloads, Opener
from pages import html_of, listed_segments, load, said, visit, with_parameters
from sacrebleu.metrics.bleu import BLEU
from sacrebleu.metrics.ter import TER
from streamlit.testing.v1 import AppTest

from bleu_core.slicing import find_text

REFERENCE = [
    *("the cat sat on the mat", "it was a sunny day in the park", "we all went home at night"),
    *("there is nothing new under the sun", "he reads the paper every day", "they sing"),
    *("a long walk by the sea does them good every time", "snow fell", "who knows"),
    *("this is the end of the text", "my friend", "rain again"),
]
OURS = [*REFERENCE[:3], "there is nothing", "he reads a book", "we sing", *REFERENCE[6:]]
THEIRS = ["the the the cat", "it was sunny", *REFERENCE[2:9], "that was all", "my foe", "rain again"]


def text(lines: list[str]) -> bytes:
    return "".join(f"{line}\n" for line in lines).encode()


def opened_with(app: AppTest, *files: tuple[str, bytes]) -> AppTest:
    texts = [("ours.txt", text(OURS)), ("theirs.txt", text(THEIRS)), ("ref.txt", text(REFERENCE))]
    load(app, *texts, *files)
    return visit(app, "segments")


def listed(app: AppTest) -> pd.DataFrame:
    """The segments that are shown, with what the page says of each."""
    found: list[dict[str, Any]] = []
    for body in html_of(app):
        if 'class="segment-number"' in body:
            facts = re.findall(r"<li>(?:(\S[^<]*) <b>)?([^<]*)(?:</b>)?</li>", body)
            number = re.findall(r'data-number="(\d+)"', body)[0]
            found.append({"segment": int(number)} | {unescape(name) or "document": unescape(v) for name, v in facts})
        for label in re.findall(r'<p class="text-label">(.*?)</p>', body):
            name = unescape(re.findall("<b>(.*?)</b>", label)[0])
            for what, pattern in (
                ("score", r"<b>([\d.]+) \S+</b>"),
                ("length", r"([\d,]+) tokens?"),
                ("rating", "rating (.+)"),
            ):
                if value := re.search(pattern, label.partition("</b>")[2]):
                    found[-1][f"{what} of {name}"] = float(value[1].replace("−", "-"))
    for row, button in zip(found, stars(app), strict=True):
        row["star"] = button.label == "Starred"
    return pd.DataFrame(found)


def stars(app: AppTest) -> list[Any]:
    return [button for button in app.button if re.fullmatch(r"reader-star|star-\d+", button.key or "")]


def rows(downloads: Downloads) -> pd.DataFrame:
    """All rows of the list, as the page offers them as a file."""
    return pd.read_csv(BytesIO(downloads["tsv-segments-listed"]()), sep="\t", keep_default_na=False)


def cards(app: AppTest) -> list[str]:
    """The texts of each segment that is shown, as HTML."""
    return [body for body in html_of(app) if 'class="labelled-texts"' in body]


def marked(app: AppTest) -> list[str]:
    """The texts of the segment that keys act on, as HTML."""
    return re.findall(r'<p class="segment-text".*?</p>', cards(app)[listed_segments(app).index(read(app))])


def shown(app: AppTest) -> list[str]:
    """The texts of the segment that keys act on, without their marks."""
    return [unescape(re.sub(r"<.*?>", "", body)) for body in marked(app)]


def details(app: AppTest) -> AppTest:
    return app.button(key="reader-details").click().run()


def read(app: AppTest) -> int:
    return int(app.session_state["read_segment"])


def order(app: AppTest, name: str) -> AppTest:
    return app.selectbox(key="segments_order").set_value(name).run()


def search(app: AppTest, wanted: str) -> AppTest:
    return app.text_input(key="segments_search").set_value(wanted).run()


def without_each(scorer: Any, output: list[str]) -> np.ndarray:
    """The corpus score without each segment."""
    others = [[k for k in range(len(output)) if k != left] for left in range(len(output))]
    return np.array(
        [scorer.corpus_score([output[k] for k in rest], [[REFERENCE[k] for k in rest]]).score for rest in others]
    )


@pytest.mark.parametrize(("label", "scorer", "sign"), [("BLEU", BLEU(), 1), ("TER", TER(), -1)])
def test_segments_are_listed_by_what_they_add_to_the_difference(
    app: AppTest, downloads: Downloads, label: str, scorer: Any, sign: int
) -> None:
    opened_with(app)
    app.selectbox(key="metric").set_value(label)
    app.selectbox(key="pair_system").set_value("ours")
    app.selectbox(key="pair_baseline").set_value("theirs").run()
    whole = scorer.corpus_score(OURS, [REFERENCE]).score - scorer.corpus_score(THEIRS, [REFERENCE]).score
    influence = sign * (whole - without_each(scorer, OURS) + without_each(scorer, THEIRS))
    ascending = rows(downloads)
    assert len(ascending) == 12
    assert ascending["influence"].to_numpy() == pytest.approx(np.sort(influence))
    assert ascending["influence"].to_numpy() == pytest.approx(influence[ascending["segment"] - 1])
    assert listed_segments(app) == ascending["segment"].tolist()[:10]
    effects = listed(app)[f"effect on {label}"].str.replace("−", "-").astype(float)
    assert effects.to_numpy() == pytest.approx(np.sort(influence)[:10], abs=0.005)
    assert read(app) == ascending["segment"].iloc[0]
    order(app, "Largest gain")
    assert rows(downloads)["influence"].to_numpy() == pytest.approx(-np.sort(-influence))


def test_the_answer_leaves_out_the_segments_that_add_most(app: AppTest) -> None:
    opened_with(app)
    whole = BLEU().corpus_score(OURS, [REFERENCE]).score - BLEU().corpus_score(THEIRS, [REFERENCE]).score
    influence = whole - without_each(BLEU(), OURS) + without_each(BLEU(), THEIRS)
    rest = sorted(np.argsort(-influence)[10:].tolist())
    ours, theirs = (
        BLEU().corpus_score([lines[k] for k in rest], [[REFERENCE[k] for k in rest]]).score for lines in (OURS, THEIRS)
    )
    assert whole > 0 > ours - theirs  # else the sentence is another
    assert (
        f"ours scores {whole:.2f} BLEU higher than theirs; without its 10 best segments, ours would be "
        f"{theirs - ours:.2f} behind."
    ) in said(app)
    assert "The outputs differ in 7 of 12 segments." in said(app)


def test_scores_and_lengths_of_segments_are_sacrebleus(app: AppTest, downloads: Downloads) -> None:
    opened_with(app)
    found = listed(order(app, "Segment number"))
    assert found["segment"].tolist() == list(range(1, 11))
    scorer = BLEU(effective_order=True)
    for name, lines in (("ours", OURS), ("theirs", THEIRS)):
        scores = [scorer.sentence_score(line, [ref]).score for line, ref in zip(lines, REFERENCE, strict=True)][:10]
        assert found[f"score of {name}"].tolist() == pytest.approx(scores, abs=0.005)
        assert found[f"length of {name}"].tolist() == [len(line.split()) for line in lines[:10]]
        assert rows(downloads)[f"score_{name}"].tolist()[:10] == pytest.approx(scores)
    assert found["length of ref"].tolist() == [len(line.split()) for line in REFERENCE[:10]]


def test_next_and_previous_walk_through_the_list_and_its_rows_follow(app: AppTest) -> None:
    opened_with(app)
    order(app, "Longest")
    lengths = [len(line.split()) for line in REFERENCE]
    expected = sorted(range(1, 13), key=lambda number: -lengths[number - 1])
    seen = [read(app)]
    assert app.button(key="reader-previous").disabled
    while not app.button(key="reader-next").disabled:
        app.button(key="reader-next").click().run()
        seen.append(read(app))
        assert seen[-1] in listed_segments(app)
        assert shown(app)[0] == REFERENCE[seen[-1] - 1]
    assert seen == expected
    assert len(listed_segments(app)) == 2
    app.button(key="reader-previous").click().run()
    assert read(app) == expected[-2]
    app.number_input(key="list_position").set_value(1).run()
    assert read(app) == expected[0]
    app.number_input(key="read_segment").set_value(12).run()
    assert read(app) == 12
    assert app.session_state["list_position"] == expected.index(12) + 1


def test_the_list_is_shown_ten_by_ten(app: AppTest) -> None:
    order(opened_with(app), "Segment number")
    assert "Segments 1 to 10 of 12." in said(app)
    assert [button.key for button in app.button if (button.key or "").startswith("list-")] == ["list-behind"]
    assert app.button(key="list-behind").label == "Show segments 11 to 12"
    app.button(key="list-behind").click().run()
    assert listed_segments(app) == [11, 12]
    assert read(app) == 11
    assert app.query_params["read_segment"] == "11"
    assert app.button(key="list-before").label == "Show segments 1 to 10"
    app.button(key="list-before").click().run()
    assert listed_segments(app) == list(range(1, 11))


def test_a_segment_that_is_asked_for_is_shown_before_a_list_without_it(app: AppTest) -> None:
    order(opened_with(app), "Segment number")
    app.toggle(key="segments_differing").set_value(True).run()
    app.number_input(key="read_segment").set_value(3).run()
    assert listed_segments(app) == [3, 1, 2, 4, 5, 6, 10, 11]
    assert shown(app)[0] == REFERENCE[2]
    assert "not in the list" in next(body for body in html_of(app) if 'data-number="3"' in body)
    app.button(key="reader-next").click().run()
    assert listed_segments(app) == [1, 2, 4, 5, 6, 10, 11]


def test_the_outputs_of_all_systems_are_shown_on_demand(app: AppTest, downloads: Downloads) -> None:
    others = {"third": THEIRS[::-1], "fourth": [line.upper() for line in REFERENCE]}
    opened_with(app, *((f"{name}.txt", text(lines)) for name, lines in others.items()))
    order(app, "Segment number")
    assert [column for column in map(str, listed(app)) if column.startswith("score")] == [
        "score of ours",
        "score of theirs",
    ]
    app.toggle(key="segments_all_systems").set_value(True).run()
    found = listed(app)
    outputs = {"ours": OURS, "theirs": THEIRS, **others}
    scorer = BLEU(effective_order=True)
    best = sorted(outputs, key=lambda name: -BLEU().corpus_score(outputs[name], [REFERENCE]).score)
    assert [column for column in map(str, found) if column.startswith("score")] == [f"score of {name}" for name in best]
    for name, lines in outputs.items():
        scores = [scorer.sentence_score(line, [ref]).score for line, ref in zip(lines, REFERENCE, strict=True)][:10]
        assert found[f"score of {name}"].tolist() == pytest.approx(scores, abs=0.005)
    number = 5
    app.number_input(key="read_segment").set_value(number).run()
    assert shown(app) == [REFERENCE[number - 1], *(outputs[name][number - 1] for name in best)]
    assert app.query_params["segments_all_systems"] == "true"
    app.toggle(key="word_differences").set_value(True).run()
    assert '<mark class="different">' in marked(app)[1 + best.index("fourth")]
    star(app)
    written = downloads["md-examples"]().decode()
    assert all(f"| Output of {name} |" in written for name in best)


def test_only_segments_that_differ_are_listed_on_demand(app: AppTest) -> None:
    opened_with(app)
    order(app, "Segment number")
    app.toggle(key="segments_differing").set_value(True).run()
    assert listed_segments(app) == [1, 2, 4, 5, 6, 10, 11]
    assert "Segments 1 to 7 of 7 in the list (12 in all)." in said(app)


@pytest.mark.parametrize(
    ("wanted", "regular", "found"),
    [("SUN", False, [2, 4]), ("foe", False, [11]), (r"^my \w+$", True, [11]), ("Rain", True, []), ("(", False, [])],
)
def test_a_search_lists_the_segments_with_the_text(
    app: AppTest, wanted: str, *, regular: bool, found: list[int]
) -> None:
    found_by = {"segments_regular": str(regular).lower(), "segments_search": wanted}
    opened_with(with_parameters(app, segments_order="Segment number", **found_by))
    assert app.text_input(key="segments_search").value == wanted
    assert not app.error
    if found:
        assert listed_segments(app) == found
        assert read(app) == found[0]
        assert "Found in " in said(app)
    else:
        assert "No segment is left" in said(app)


def test_a_search_that_finds_another_text_says_where(app: AppTest) -> None:
    search(opened_with(app), "foe")
    assert "Found in the output of theirs." in said(app)


def test_a_regular_expression_that_is_wrong_or_takes_too_long_is_explained(
    app: AppTest, monkeypatch: pytest.MonkeyPatch
) -> None:
    function = unwrap(find_text)
    monkeypatch.setattr(function, "__kwdefaults__", {**(function.__kwdefaults__ or {}), "seconds": 0.2})
    load(app, ("a.txt", b"x" * 300 + b"\n"), ("ref.txt", b"y\n"))
    visit(app, "segments")
    app.toggle(key="segments_regular").set_value(True).run()
    search(app, "(")
    assert "Regular expression '(' is not valid: missing ) at position 1." in said(app)
    search(app, r"(x|xx|x\w)+\d")
    assert "The regular expression took longer than 0.2 seconds and was stopped" in said(app)
    search(app, "x+$")
    assert not app.error


def test_marks_show_what_matches_and_what_is_clipped(app: AppTest) -> None:
    opened_with(app)
    app.number_input(key="read_segment").set_value(1).run()
    theirs = next(body for body in marked(app) if "the the" in body)
    assert '<mark class="order-1">the the</mark> <mark class="order-2 clipped">the</mark>' in theirs
    assert "Clipped, because" not in said(app)
    details(app)
    assert "Clipped, because no reference has them as often: “the” (2 of 3 counted)." in said(app)
    app.toggle(key="word_differences").set_value(True).run()
    assert any('<mark class="different">' in body for body in marked(app))
    assert not any("order-2" in body for body in marked(app))


def test_the_score_is_explained_on_demand(app: AppTest) -> None:
    opened_with(app)
    app.number_input(key="read_segment").set_value(1).run()
    details(app)
    assert "Brevity penalty" not in said(app)
    app.session_state["section-why-1"] = True
    app.run()
    score = BLEU(effective_order=True).sentence_score(THEIRS[0], [REFERENCE[0]])
    assert f"= {score.score:.2f}." in said(app)
    steps = next(frame.value for frame in app.dataframe if "as_scored" in frame.value)
    assert (100 * steps["as_scored"]).tolist() == pytest.approx(score.precisions)
    assert steps["matches"].tolist() == score.counts
    assert steps["ngrams"].tolist() == score.totals
    assert any("exhausted" in frame.value for frame in app.dataframe)


def test_one_system_is_read_without_a_baseline(app: AppTest, downloads: Downloads) -> None:
    opened_with(app)
    app.toggle(key="one_system").set_value(True).run()
    assert shown(app)[1:] == [OURS[read(app) - 1]]
    whole, without = BLEU().corpus_score(OURS, [REFERENCE]).score, without_each(BLEU(), OURS)
    assert rows(downloads)["influence"].to_numpy() == pytest.approx(np.sort(whole - without))
    assert f"ours scores {whole:.2f} BLEU; without the 10 segments that lower its score most" in said(app)
    assert "The outputs differ" not in said(app)


def test_ratings_order_segments_and_are_shown_by_judge(app: AppTest) -> None:
    ratings = ["segment,system,judge,score"]
    ratings += [f"{s},{name},{j},{3}" for s in range(1, 13) for name in ("ours", "theirs") for j in ("x", "y")]
    ratings = [line.replace("7,theirs,x,3", "7,theirs,x,1").replace("9,ours,y,3", "9,ours,y,4") for line in ratings]
    opened_with(app, ("ratings.csv", "\n".join(ratings).encode()))
    order(app, "Most disputed")
    assert listed_segments(app)[:2] == [7, 9]
    assert listed(app)["rating of theirs"].iloc[0] == 2
    details(app)
    of_judges = [frame.value for frame in app.dataframe if "judge" in frame.value]
    assert [frame["rating"].tolist() for frame in of_judges] == [[3, 3], [1, 3]]
    order(app, "Metric and judges disagree")
    assert read(app) in range(1, 13)


def test_without_ratings_no_order_needs_them(app: AppTest) -> None:
    options = opened_with(app).selectbox(key="segments_order").options
    assert not {"Most disputed", "Metric and judges disagree"} & set(options)
    assert not any("rating" in str(column) for column in listed(app))


@pytest.mark.parametrize("lines", [["one line"], ["", ""]])
def test_a_single_segment_and_empty_ones_work(app: AppTest, lines: list[str]) -> None:
    load(
        app,
        ("a.txt", text(lines)),
        ("b.txt", text(["other"] * len(lines))),
        ("ref.txt", text(["one line", ""][: len(lines)])),
    )
    visit(app, "segments")
    assert not app.exception
    assert not app.error
    assert read(app) == 1
    for k in range(2):
        app.session_state[f"section-why-{k}"] = True
    details(app)
    assert "so BLEU is 0." in said(app)
    assert not app.exception


def test_an_address_opens_the_segment_in_its_order(opened: Opener) -> None:
    app = opened("segments", pair_system="S1", pair_baseline="S2", segments_order="Longest", read_segment="17")
    assert read(app) == 17
    assert app.selectbox(key="segments_order").value == "Longest"
    assert app.selectbox(key="pair_system").value == "S1"
    app.button(key="reader-next").click().run()
    assert app.query_params["read_segment"] == str(read(app))
    assert app.query_params["segments_order"] == "Longest"


def test_an_address_limits_the_list_as_it_was(opened: Opener) -> None:
    limits = {"segments_within": "segment in 1-200", "segments_from": "3", "segments_to": "150"}
    found = {"segments_search": "[0-9]", "segments_regular": "true", "segments_order": "Lowest score"}
    app = opened("segments", pair_system="S1", pair_baseline="S2", **limits, **found)
    first = listed(app)
    assert len(first) > 0
    assert first["segment"].max() <= 200
    app.button(key="reader-next").click().run()
    parameters = {key: str(value) for key, value in app.query_params.items() if key != "data"}
    other = opened("segments", **parameters)
    assert read(other) == read(app) == first["segment"].iloc[1]
    pd.testing.assert_frame_equal(listed(other), listed(app))


def test_two_equal_choices_are_refused(app: AppTest) -> None:
    opened_with(app)
    app.selectbox(key="pair_system").set_value("theirs").run()
    assert "Choose two different systems." in said(app)


def star(app: AppTest) -> AppTest:
    return app.button(key="reader-star").click().run()


def note(app: AppTest, content: str) -> AppTest:
    if "segment_note" not in [box.key for box in app.text_input]:
        details(app)
    return app.text_input(key="segment_note").set_value(content).run()


def test_stars_and_notes_stay_with_their_segments(app: AppTest, downloads: Downloads) -> None:
    opened_with(app)
    order(app, "Segment number")
    assert not listed(app)["star"].any()
    star(app)
    app.number_input(key="read_segment").set_value(5).run()
    details(app)
    assert app.text_input(key="segment_note").value == ""
    note(app, "**wrong** tense")
    assert listed(app)["star"].tolist() == [True] + [False] * 9
    assert "Note: **wrong** tense" in said(app)
    assert rows(downloads)["star"].tolist() == ["★"] + [""] * 11
    assert rows(downloads)["note"].tolist() == [""] * 4 + ["**wrong** tense"] + [""] * 7
    app.toggle(key="segments_noted").set_value(True).run()
    assert listed_segments(app) == [1, 5]
    assert read(app) == 1
    assert app.button(key="reader-star").label == "Starred"
    app.toggle(key="segments_noted").set_value(False).run()
    star(app)
    note(app, "")
    app.number_input(key="read_segment").set_value(5).run()
    note(app, "")
    assert not listed(app)["star"].any()
    assert "star" not in rows(downloads)
    stars(app)[7].click().run()
    assert listed(app)["star"].tolist() == [n == 8 for n in range(1, 11)]
    assert read(app) == 5


def test_stars_and_notes_survive_a_change_of_page_and_another_system(app: AppTest) -> None:
    opened_with(app)
    note(app, "here")
    number = read(app)
    load(app, ("third.txt", text(THEIRS[::-1])))
    visit(app, "segments")
    app.number_input(key="read_segment").set_value(number).run()
    assert app.text_input(key="segment_note").value == "here"


def test_stars_and_notes_keep_the_numbers_of_the_whole_text_in_a_slice(app: AppTest, downloads: Downloads) -> None:
    opened_with(app)
    app.number_input(key="read_segment").set_value(5).run()
    note(app, "in the whole")
    app.text_input(key="slice").set_value("segment in 4-6").run()
    order(app, "Segment number")
    assert listed_segments(app) == [4, 5, 6]
    assert rows(downloads)["note"].tolist() == ["", "in the whole", ""]
    app.number_input(key="read_segment").set_value(6).run()
    star(app)
    app.toggle(key="segments_noted").set_value(True).run()
    assert listed_segments(app) == [5, 6]
    app.text_input(key="slice").set_value("").run()
    assert listed_segments(app) == [5, 6]
    assert listed(app)["star"].tolist() == [False, True]


def scores(segments: list[int]) -> float:
    """The difference of ours and theirs in some segments, numbered from 1."""
    references = [[REFERENCE[n - 1] for n in segments]]
    ours, theirs = (BLEU().corpus_score([lines[n - 1] for n in segments], references).score for lines in (OURS, THEIRS))
    return ours - theirs


def within(app: AppTest, expression: str) -> AppTest:
    """Limit the list, as a click on another page does."""
    app.session_state["segments_within"] = expression
    return app.run()


def test_an_expression_limits_the_list_and_nothing_else(app: AppTest, downloads: Downloads) -> None:
    opened_with(app)
    order(app, "Segment number")
    answer = next(m.value for m in app.markdown if m.value.startswith("##"))
    influences = rows(downloads)["influence"].tolist()
    within(app, "segment in 4-6, 11")
    assert listed_segments(app) == [4, 5, 6, 11]
    assert rows(downloads)["influence"].tolist()[:3] == influences[3:6]
    assert read(app) == 4
    assert answer in [m.value for m in app.markdown]
    assert "Only segments where segment in 4-6, 11 (4 of 12)" in said(app)
    assert app.query_params["segments_within"] == "segment in 4-6, 11"
    others = [n for n in range(1, 13) if n not in (4, 5, 6, 11)]
    assert (
        f"Where segment in 4-6, 11 (4 of 12 segments), ours scores {abs(scores([4, 5, 6, 11])):.2f} BLEU "
        f"{'higher' if scores([4, 5, 6, 11]) > 0 else 'lower'} than theirs; elsewhere {abs(scores(others)):.2f} "
    ) in said(app)
    app.button(key="within-all").click().run()
    assert len(listed_segments(app)) == 10
    assert "segments_within" not in app.query_params
    assert "elsewhere" not in said(app)


def test_an_expression_of_an_address_that_cannot_be_used_is_taken_away_by_a_click(opened: Opener) -> None:
    app = opened("segments", segments_within="segment in 9000-9999")
    assert not listed_segments(app)
    app.button(key="within-all").click().run()
    assert not app.exception
    assert listed_segments(app)
    assert "segments_within" not in app.query_params


def test_an_expression_means_the_numbers_of_the_whole_text_and_becomes_a_slice_within_the_slice(app: AppTest) -> None:
    opened_with(app)
    app.text_input(key="slice").set_value("segment in 4-12").run()
    order(app, "Segment number")
    within(app, "segment in 1-5 or length < 3")
    assert listed_segments(app) == [4, 5, 6, 8, 9, 11, 12]
    assert "(7 of 9)" in said(app)
    app.button(key="within-slice").click().run()
    assert app.query_params["slice"] == "segment in 4-12 and (segment in 1-5 or length < 3)"
    assert listed_segments(app) == [4, 5, 6, 8, 9, 11, 12]
    assert "Segments 1 to 7 of 7." in said(app)
    assert app.session_state["segments_within"] == ""
    assert "Only segments where" not in said(app)


def test_another_expression_shows_its_first_segment_unless_the_one_that_is_read_has_it(app: AppTest) -> None:
    opened_with(app)
    order(app, "Segment number")
    app.number_input(key="read_segment").set_value(5).run()
    assert read(within(app, "segment in 8-10")) == 8
    app.number_input(key="read_segment").set_value(9).run()
    assert read(within(app, "segment in 9-10")) == 9
    app.number_input(key="read_segment").set_value(2).run()
    assert read(app) == 2  # which a person has asked for


@pytest.mark.parametrize(
    ("expression", "reason"),
    [
        ("segment >", "the end found, a value expected"),
        ("nonsense = 3", "field 'nonsense' found"),
        ("segment in 90-99", "holds for none of 12 segments"),
        ("segment = 1", "'segment = 1' holds for no segment of the slice 'segment in 4-12'"),
        ('source ~ "a"', "source"),
    ],
)
def test_an_expression_that_cannot_be_used_is_explained(app: AppTest, expression: str, reason: str) -> None:
    within(opened_with(with_parameters(app, slice="segment in 4-12")), expression)
    assert not app.exception
    assert reason in app.error[0].value.replace("\\", "")
    assert [button.key for button in app.button if (button.key or "").startswith("within")] == ["within-all"]
    app.button(key="within-all").click().run()
    assert not app.error
    assert len(listed_segments(app)) == 9


def test_a_slice_is_compared_with_the_other_segments(app: AppTest) -> None:
    opened_with(app)
    assert "elsewhere" not in said(app)
    app.text_input(key="slice").set_value("segment <= 4").run()
    whole, inside, outside = scores(list(range(1, 13))), scores(list(range(1, 5))), scores(list(range(5, 13)))
    mixed = [BLEU().corpus_score(lines, [REFERENCE]).score for lines in (OURS[:4] + THEIRS[4:], THEIRS[:4] + OURS[4:])]
    both = [BLEU().corpus_score(lines, [REFERENCE]).score for lines in (OURS, THEIRS)]
    part = ((mixed[0] - both[1]) + (both[0] - mixed[1])) / 2
    assert part > 0  # else it has another sign
    assert (
        f"Where segment <= 4 (4 of 12 segments), ours scores {inside:.2f} BLEU higher than theirs; elsewhere "
        f"{abs(outside):.2f} {'higher' if outside > 0 else 'lower'}. Of the whole difference of +{whole:.2f}, "
        f"+{part:.2f} ({100 * part / whole:.0f}%) lies there."
    ) in said(app)
    app.toggle(key="one_system").set_value(True).run()
    alone = [BLEU().corpus_score(OURS[k], [REFERENCE[k]]).score for k in (slice(4), slice(4, 12))]
    assert f"ours scores {alone[0]:.2f} BLEU; elsewhere {alone[1]:.2f}." in said(app)


def open_curve(app: AppTest) -> AppTest:
    app.session_state["section-influence"] = True
    return app.run()


def test_a_stretch_of_the_curve_limits_the_list_to_its_ranks(app: AppTest) -> None:
    opened_with(app)
    order(app, "Largest gain")
    ranked = listed_segments(app)
    open_curve(app)
    app.number_input(key="segments_from").set_value(3).run()
    app.number_input(key="segments_to").set_value(5).run()
    assert listed_segments(app) == ranked[2:5]
    assert read(app) == ranked[2]
    assert "Where the rank by influence is 3 to 5 (3 of 12 segments), " in said(app)
    assert [app.query_params[key] for key in ("segments_from", "segments_to")] == ["3", "5"]
    app.session_state["section-influence"] = False
    assert listed_segments(app.run()) == ranked[2:5]
    app.button(key="influence-all").click().run()
    assert len(listed_segments(app)) == 10
    assert "segments_from" not in app.query_params


def test_the_curve_says_how_few_segments_make_half_of_the_difference(app: AppTest) -> None:
    opened_with(app)
    order(app, "Largest gain")
    ranked = listed_segments(app)
    ends = [BLEU().corpus_score(lines, [REFERENCE]).score for lines in (THEIRS, OURS)]
    reached = [
        BLEU().corpus_score([(OURS if n in ranked[:count] else THEIRS)[n - 1] for n in range(1, 13)], [REFERENCE]).score
        for count in range(11)
    ]
    count = next(count for count, score in enumerate(reached) if score >= sum(ends) / 2)
    few, makes = (f"The {count} segments", "make") if count > 1 else ("The segment", "makes")
    sentence = f"{few} most in favour of ours, of 12, {makes} half of the difference."
    assert sentence not in said(app)
    open_curve(app)
    assert sentence in said(app)
    assert f"ends at the whole difference of +{ends[1] - ends[0]:.2f} BLEU." in said(app)
    app.button(key="swap-pair").click().run()
    assert sentence in said(app)
    assert f"ends at the whole difference of −{ends[1] - ends[0]:.2f} BLEU." in said(app)


def test_outputs_that_are_the_same_have_no_curve(app: AppTest) -> None:
    load(app, ("a.txt", text(OURS)), ("b.txt", text(OURS)), ("ref.txt", text(REFERENCE)))
    visit(app, "segments")
    assert not app.exception
    assert "influence" not in [fold.label for fold in app.expander]
    assert not any("Cumulative difference by segment" in fold.label for fold in app.expander)


def test_labels_stand_beside_the_document_under_names_of_their_own(app: AppTest, downloads: Downloads) -> None:
    labels = ["document\tdomain\tinfluence\tinfluence (label)", "d1\tnews\t<i>1</i>\t=1+1", "d2\tchat\t$x$\t:red[r]"]
    documents = text(["d1"] * 6 + ["d2"] * 6)
    opened_with(app, ("docs.txt", documents), ("labels.tsv", text(labels)))
    found = listed(order(app, "Segment number"))
    assert found[["document", "domain"]].to_numpy().tolist()[::6] == [["d1", "news"], ["d2", "chat"]]
    assert found["influence"].tolist()[::6] == ["<i>1</i>", "$x$"]
    table = rows(downloads)
    assert table.columns.tolist()[:5] == [
        "segment",
        "document",
        "domain",
        "influence (label)",
        "influence (label) (label)",
    ]
    assert table.iloc[0, 1:5].tolist() == ["d1", "news", "<i>1</i>", "=1+1"]
    assert table.iloc[6, 1:5].tolist() == ["d2", "chat", "$x$", ":red[r]"]
    assert table["influence"].abs().max() > 0
    within(app, "domain = chat")
    assert listed(app)["domain"].tolist() == ["chat"] * 6


def test_starred_segments_are_offered_as_examples_with_their_texts(app: AppTest) -> None:
    opened_with(app, ("docs.txt", text(["a|b"] * 12)), ("source.txt", text([f"<b>{n}</b> 5%" for n in range(1, 13)])))
    order(app, "Segment number")
    note(star(app), "=1+1 **wrong**")
    app.number_input(key="read_segment").set_value(6).run()
    star(app)
    app.number_input(key="read_segment").set_value(7).run()
    note(app, "not starred")
    assert "2 starred segments with their texts as examples:" in said(app)
    offered = {button.proto.label: button for button in app.get("download_button")}
    assert {"Examples (Markdown)", "Examples (LaTeX)", "Examples (XLSX)"} <= offered.keys()
    app.text_input(key="slice").set_value("segment in 2-9").run()
    assert "1 starred segment with its texts as examples:" in said(app)


def test_examples_keep_the_marks(app: AppTest, downloads: Downloads) -> None:
    opened_with(app)
    app.number_input(key="read_segment").set_value(
        5
    ).run()  # he reads a book; the reference: he reads the paper every day
    star(app)
    latex, markdown = (downloads[f"{kind}-examples"]().decode() for kind in ("tex", "md"))
    ours = r"\underline{he} \underline{reads} \textbf{a book}"
    assert rf"Output of ours & {ours} \\" in latex
    assert r"Reference ref & he reads the paper every day \\" in latex  # theirs has all words
    assert "| Output of ours | <ins>he reads</ins> <b>a book</b> |" in markdown
    app.toggle(key="one_system").set_value(True).run()
    assert r"Reference ref & he reads \textbf{the paper every day} \\" in downloads["tex-examples"]().decode()


def test_what_was_found_is_marked_in_the_texts_that_are_read(app: AppTest) -> None:
    opened_with(app)
    search(app, "SUN")
    assert read(app) in (2, 4)
    marks = [re.findall(r'<mark class="[^"]*found">(.*?)</mark>', body) for body in marked(app)]
    assert marks[0] == ["sun"]
    app.toggle(key="segments_regular").set_value(True).run()
    search(app, "su.?n")
    assert [re.findall(r'<mark class="[^"]*found">(.*?)</mark>', body) for body in marked(app)] == marks
    search(app, "")
    assert not any("found" in body for body in marked(app))


@pytest.mark.parametrize(
    ("baseline", "said_of"), [("poor", "good scores significantly higher than poor"), ("close", "No clear winner")]
)
def test_the_difference_of_two_systems_is_called_significant_or_not(app: AppTest, baseline: str, said_of: str) -> None:
    """None of the systems is close to the reference, as that would make them not comparable."""
    references = [[f"w{(7 * line + place) % 41}" for place in range(12)] for line in range(40)]
    good, close, poor = (
        [
            " ".join("x" if place % every == line % every else word for place, word in enumerate(words))
            for line, words in enumerate(references)
        ]
        for every in (4, 4, 2)
    )
    close[0] = close[0].replace("x", "y", 1).replace("w1 ", "w2 ", 1)
    load(with_parameters(app, pair_system="good", pair_baseline=baseline), ("good.txt", text(good)))
    load(app, ("close.txt", text(close)), ("poor.txt", text(poor)))
    load(app, ("ref.txt", text([" ".join(words) for words in references])))
    assert any(caption.value.startswith(said_of) for caption in visit(app, "segments").caption)
