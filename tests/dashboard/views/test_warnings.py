"""Warnings where BLEU misleads, in a session without a browser: shown, read, dismissed, and in the report."""

from __future__ import annotations

import pytest
from diagnostics.material import drawn_set
from pages import load, said, visit, with_parameters
from streamlit.testing.v1 import AppTest

from dashboard.session import work

REFERENCE = b"the cat sat on the mat\nit rains today\na dog barks\nhello world again my friend\n"
GOOD = b"the cat sat on the mat\nit rains today\na dog barks loud\nhello world again my dear\n"
#: The third segment is empty.
HOLE = b"the cat sat on a mat\nit rains now\n\nhello world again my man\n"


@pytest.fixture
def own(app: AppTest) -> AppTest:
    load(app, ("reference.txt", REFERENCE), ("good.txt", GOOD), ("<b>hole*.txt", HOLE))
    return visit(app, "")


def test_a_reference_made_from_a_system_that_is_not_selected_makes_scores_not_comparable(app: AppTest) -> None:
    outputs, reference = drawn_set(systems=3, segments=60)
    texts: dict[str, list[str]] = dict(zip(("Alpha", "Beta", "Gamma"), outputs.values(), strict=True))
    texts["ref"] = [texts["Gamma"][i] if i % 2 else line for i, line in enumerate(reference)]
    with_parameters(app, without_systems="Gamma")
    load(app, *((f"{name}.txt", "\n".join(lines).encode()) for name, lines in texts.items()))
    text = said(visit(app, ""))
    assert not app.exception
    assert "Not comparable: 50% of the reference's segments equal Gamma's output (Gamma is not ranked, " in text
    assert "The reference seems to be made from Gamma's output; get another reference." in text
    assert "Alpha scores" not in text


def test_the_overview_says_what_was_found_and_the_sidebar_how_many(own: AppTest) -> None:
    assert not own.exception
    text = said(own)
    assert "The systems are scored against one reference, reference." in text
    assert "<b>hole*" in text  # as it is, in the warning about the empty segment
    boxes = [box for box in own.text_input if (box.key or "").startswith("reason-")]
    assert len(boxes) > 1
    assert own.button(key="open-warnings").label == f"Warnings: {len(boxes)}"


def test_a_page_whose_warnings_are_known_does_not_wait_for_the_answers_of_other_sessions(
    own: AppTest, monkeypatch: pytest.MonkeyPatch
) -> None:
    waited: list[object] = []
    monkeypatch.setattr(work.TURNS, "follow", lambda turn, _: waited.append(turn))
    visit(own, "precision")  # which has no headline
    assert not waited
    own.toggle(key="lowercase").set_value(True).run()
    assert waited
    assert not own.exception


def test_the_overview_shows_additions_as_they_are(app: AppTest) -> None:
    lines = [f"{animal} sits on {place}" for animal in ("a cat", "the dog") for place in "abcdefgh"]
    marked = [f"**_{n}_ {line}**" for n, line in enumerate(lines)]
    load(app, *((f"{name}.txt", "\n".join(text).encode()) for name, text in (("ref", lines), ("bold", marked))))
    text = said(visit(app, ""))
    assert not app.exception
    assert (
        "bold: 100% of the lines begin like '**_0_' (0% in ref) and 100% of the lines end with '*' (0% in ref)." in text
    )


def test_the_number_in_the_sidebar_leads_to_the_warnings(own: AppTest) -> None:
    visit(own, "ranking/scores")
    own.button(key="open-warnings").click().run()
    assert own.title[0].value == "Overview"
    assert own.session_state["warnings"] is True


def test_a_warning_leads_to_its_segments(own: AppTest) -> None:
    buttons = [button for button in own.button if (button.key or "").startswith("warning-segments-")]
    assert buttons
    buttons[0].click().run()
    visit(own, "segments")
    assert own.session_state["segments_within"] == "segment in 3"


def test_a_dismissed_warning_is_hidden_and_comes_back(own: AppTest) -> None:
    box = next(each for each in own.text_input if (each.key or "").startswith("reason-one-reference"))
    box.set_value("only *one* exists").run()
    next(each for each in own.button if (each.key or "").startswith("dismiss-one-reference")).click().run()
    text = said(own)
    assert "The systems are scored against one reference" not in text
    assert "Dismissed: One reference. Reason: only *one* exists" in text
    visit(own, "report")
    assert "Dismissed: One reference. Reason: only *one* exists. Found: The systems are scored" in said(own)
    visit(own, "")
    own.button(key="restore-warning-one-reference").click().run()
    assert "The systems are scored against one reference" in said(own)
