"""Error spans of judges on the page Segments: in the texts, in the controls and in files."""

from __future__ import annotations

import re
from html import unescape
from io import BytesIO

import pandas as pd
from conftest import Downloads
from pages import html_of, load, said, visit
from streamlit.testing.v1 import AppTest

SOURCE = ["der schnelle Fuchs", "es regnet", "das Ende"]
REFERENCE = ["the quick brown fox", "it is raining", "the end"]
OURS = ["a quick fox jumps", "it rains", "the end"]
THEIRS = ["the slow dog", "it snows", "the end"]
HEADER = "system\tdoc\tdoc_id\tseg_id\trater\tsource\ttarget\tcategory\tseverity"
MQM = [
    "ours\td\t1\t1\tann\tder schnelle Fuchs\ta <v>quick fox</v> jumps\tStyle/Awkward\tMinor",
    "ours\td\t1\t1\tann\tder <v>schnelle</v> Fuchs\ta quick fox jumps\tAccuracy/Omission\tMajor",
    "ours\td\t1\t1\tbob\tder schnelle Fuchs\ta quick <v>fox jumps</v>\tAccuracy/Addition\tCritical",
    "ours\td\t2\t2\tann\tes regnet\tit rains\tAccuracy/Omission\tMajor",
    "ours\td\t2\t2\tbob\tes regnet\tit rains\tNo-error\tNo-error",
    "theirs\td\t1\t1\tann\tder schnelle Fuchs\tthe <v>slow</v> dog\tAccuracy/<b>x</b>\tMajor",
]


def lines(texts: list[str]) -> bytes:
    return "".join(f"{line}\n" for line in texts).encode()


def opened(app: AppTest, mqm: list[str] = MQM) -> AppTest:
    texts = {"ours": OURS, "theirs": THEIRS, "ref": REFERENCE, "source": SOURCE}
    files = [(f"{name}.txt", lines(text)) for name, text in texts.items()]
    load(app, *files, ("mqm.tsv", lines([HEADER, *mqm])) if mqm else files[0])
    visit(app, "segments")
    app.selectbox(key="segments_order").set_value("Segment number").run()
    return app.selectbox(key="pair_system").set_value("ours").run()


def texts_of(app: AppTest, segment: int) -> dict[str, str]:
    """The HTML of each text of a segment by its label."""
    cards = [body for body in html_of(app) if 'class="labelled-texts"' in body]
    parts = cards[segment - 1].split('<div class="labelled-text ')[1:]
    return {re.findall("<b>(.*?)</b>", part)[0]: part.partition('<p class="segment-text')[2] for part in parts}


def plain(html: str) -> str:
    """HTML of a text without its elements and its notes."""
    without_notes = re.sub(r'<span class="error-note".*?</mark>', "</mark>", html)
    return unescape(re.sub("<[^>]*>", "|", without_notes))


def notes(html: str) -> list[str]:
    return [
        unescape(re.sub("</?span>", "", note))
        for note in re.findall(r'role="tooltip" id="[^"]*">(.*?)</span></m', html)
    ]


def test_errors_of_judges_are_marked_in_outputs_and_source(app: AppTest) -> None:
    opened(app)
    shown = texts_of(app, 1)
    assert notes(shown["ours"]) == [
        "minor, Style/Awkward (ann)",
        "minor, Style/Awkward (ann)critical, Accuracy/Addition (bob)",
        "critical, Accuracy/Addition (bob)",
    ]
    assert re.findall(r'class="error-line (\w+) layer-(\d)', shown["ours"]) == [
        *(("minor", "1"), ("critical", "2"), ("minor", "1"), ("critical", "2")),
    ]
    assert "Lines from top to bottom: ann (1 error), bob (1 error)." in shown["ours"]
    assert "“quick fox”: minor, Style/Awkward (ann)" in shown["ours"]
    assert notes(shown["Source"]) == ["major, Accuracy/Omission, in the source (ann, output of ours)"]
    assert "&lt;b&gt;x&lt;/b&gt;" in shown["theirs"]
    assert "error" not in shown["ref"]
    second = texts_of(app, 2)["ours"]
    assert "<li>Missing text: major, Accuracy/Omission (ann)</li>" in second
    assert "No errors: bob." in second
    assert "error" not in texts_of(app, 3)["ours"]
    assert "dotted = minor, double = major, thick = critical, dashed = other" in said(app)


def test_the_marks_of_ngrams_stay_inside_and_word_differences_take_their_place(app: AppTest) -> None:
    opened(app)
    assert re.search(
        r'<span class="error-line minor layer-1"><mark class="order-1">quick </mark>', texts_of(app, 1)["ours"]
    )
    app.toggle(key="word_differences").set_value(True).run()
    shown = texts_of(app, 1)["ours"]
    assert '<mark class="different">quick' in shown
    assert "order-1" not in shown
    assert "error-line minor" in shown


def test_judges_are_chosen_and_the_choice_is_in_the_address(app: AppTest) -> None:
    opened(app)
    assert [button.label for button in app.button if (button.key or "").startswith("without_errors_of")] == [
        "All",
        "None",
    ]
    next(box for box in app.checkbox if box.key == "without_errors_of-0").uncheck().run()
    assert app.query_params["without_errors_of"] == "ann"
    assert notes(texts_of(app, 1)["ours"]) == ["critical, Accuracy/Addition (bob)"]
    assert "error" not in texts_of(app, 1)["Source"]
    app.button(key="without_errors_of-none").click().run()
    assert not any("error" in text for text in texts_of(app, 1).values())
    assert "thick = critical" not in said(app)
    assert app.query_params["without_errors_of"] == ["ann", "bob"]
    app.button(key="without_errors_of-all").click().run()
    assert len(notes(texts_of(app, 1)["ours"])) == 3
    assert "without_errors_of" not in app.query_params


def test_a_slice_keeps_errors_at_their_segments(app: AppTest) -> None:
    opened(app)
    app.query_params["slice"] = "segment > 1"
    app.session_state["slice"] = "segment > 1"
    visit(app, "segments")
    assert "<li>Missing text: major, Accuracy/Omission (ann)</li>" in texts_of(app, 1)["ours"]


def test_nothing_of_it_appears_without_errors_in_the_files(app: AppTest, downloads: Downloads) -> None:
    opened(app, mqm=[])
    assert not [box for box in app.checkbox if (box.key or "").startswith("without_errors_of")]
    assert "mark errors" not in said(app)
    assert not any("error" in body for body in html_of(app) if 'class="labelled-texts"' in body)
    assert not [name for name in table(downloads, "tsv-segments-listed") if str(name).startswith("errors")]


def table(downloads: Downloads, key: str) -> pd.DataFrame:
    return pd.read_csv(BytesIO(downloads[key]()), sep="\t", keep_default_na=False)


def test_files_have_the_errors_in_a_column(app: AppTest, downloads: Downloads) -> None:
    opened(app)
    rows = table(downloads, "tsv-segments-listed")
    ann = "ann: minor, Style/Awkward [2-11] “quick fox”; major, Accuracy/Omission, in the source [4-12] “schnelle”"
    assert rows["errors_ours"].tolist() == [
        f"{ann} | bob: critical, Accuracy/Addition [8-17] “fox jumps”",
        "ann: major, Accuracy/Omission, no place | bob: no errors",
        "",
    ]
    assert rows["errors_theirs"].tolist() == ["ann: major, Accuracy/<b>x</b> [4-8] “slow”", "", ""]
    app.button(key="reader-star").click().run()
    written = downloads["md-examples"]().decode()
    assert "| Errors of ours | ann: minor, Style/Awkward" in written
    workbook = pd.read_excel(BytesIO(downloads["xlsx-examples"]()), engine="calamine")
    assert {"output of ours", "errors of ours", "errors of theirs"} <= {*workbook}
