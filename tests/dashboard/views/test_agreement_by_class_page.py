"""The page Agreement by class in a session without a browser."""

from __future__ import annotations

from pages import load, said, visit
from streamlit.testing.v1 import AppTest


def test_the_page_says_that_no_class_has_enough_segments(app: AppTest) -> None:
    visit(app, "agreement/by-class")
    assert not app.exception
    assert "Not tested: this needs 20 segments with ratings of several systems" in said(app)
    app.selectbox(key="class").set_value("with negation").run()
    assert not app.exception


def test_a_class_that_is_rated_otherwise_is_found_and_leads_to_its_segments(app: AppTest) -> None:
    words = ["the", "house", "has", "doors", "and", "a", "large", "garden", "behind", "it"]
    reference = [" ".join(words[n % 5 :]) + (f" {n}" if n % 2 else " so") for n in range(120)]
    good = [f"{line} now" for line in reference]
    bad = [" ".join(line.split()[:2]) for line in reference]
    rows = [
        f"{n + 1},{name},j,{(name == '<b>good*') == (n % 2 == 0)}" for n in range(120) for name in ("<b>good*", "bad")
    ]
    human = "\n".join(["segment,system,judge,score", *rows]).replace("True", "5").replace("False", "1")
    load(
        app,
        ("reference.txt", "\n".join(reference).encode()),
        ("<b>good*.txt", "\n".join(good).encode()),
        ("bad.txt", "\n".join(bad).encode()),
        ("human.csv", human.encode()),
    )
    visit(app, "agreement/by-class")
    assert not app.exception
    assert "BLEU agrees less with judges on segments with numbers" in said(app)
