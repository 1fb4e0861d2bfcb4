"""The page Agreement by class in a session without a browser."""

from __future__ import annotations

from pages import said, visit
from streamlit.testing.v1 import AppTest


def test_the_page_says_that_no_class_has_enough_segments(app: AppTest) -> None:
    visit(app, "agreement-by-class")
    assert not app.exception
    assert "No class has enough rated segments to be compared with the others." in said(app)
    app.selectbox(key="class").set_value("with negation").run()
    assert not app.exception
