"""The part Unread segments of the page Metrics, in a session without a browser."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from conftest import Opener
from pages import load, said, visit
from streamlit.testing.v1 import AppTest

PATH = "metrics/unread-segments"
SEGMENTS = 300
WORDS = ("one", "two", "three", "four", "five", "six")
HOSTILE = "Kiwi *b* $x$ <i>"


def table(name: str, header: str, rows: Sequence[tuple[object, ...]]) -> tuple[str, bytes]:
    lines = [header, *(",".join(str(cell) for cell in row) for row in rows)]
    return name, ("\n".join(lines) + "\n").encode()


def files(*, documents: int | None = None, ratings: bool = True) -> list[tuple[str, bytes]]:
    """Two systems, ratings from 0 to 100, and a metric in a file that agrees well with them."""
    generator = np.random.default_rng(2)
    rated = (80 + 15 * generator.normal(size=(2, SEGMENTS))).clip(0, 100).round()
    kiwi = (0.5 + rated / 200 + 0.01 * generator.normal(size=rated.shape)).round(3)
    places = [(name, s + 1, k, s) for k, name in enumerate("ab") for s in range(SEGMENTS)]
    found = [
        ("reference.txt", "".join(f"{WORDS[s % 6]} {WORDS[s % 5]} {WORDS[s % 4]}\n" for s in range(SEGMENTS)).encode()),
        *(
            (
                f"{name}.txt",
                "".join(f"{WORDS[s % 6]} {WORDS[s % n]} {WORDS[s % 3]}\n" for s in range(SEGMENTS)).encode(),
            )
            for name, n in (("a", 5), ("b", 4))
        ),
        table(
            "scores.csv",
            "system,segment,metric,score",
            [(name, n, f'"{HOSTILE}"', f"{kiwi[k, s]:.3f}") for name, n, k, s in places],
        ),
    ]
    if ratings:
        rows = [(n, name, "x", f"{rated[k, s]:g}") for name, n, k, s in places]
        found.append(table("human.csv", "segment,system,judge,score", rows))
    if documents:
        found.append(("docs.txt", "".join(f"d{s * documents // SEGMENTS}\n" for s in range(SEGMENTS)).encode()))
    return found


@pytest.fixture
def app(opened: Opener) -> AppTest:
    """A session on uploaded files with an uploaded metric."""
    app = opened("")
    load(app, *files(documents=20))
    visit(app, PATH)
    assert not app.exception
    return app


def test_the_headline_names_the_share_the_threshold_and_the_acceptable_rating(app: AppTest) -> None:
    assert app.selectbox(key="review_metric").value == HOSTILE  # the uploaded metric is the default
    assert app.number_input(key="acceptable").value == 75
    text = said(app)
    assert "of segments can be published unread: at Kiwi" in text
    assert "have a mean rating below 75 in the 14 documents for the test, at most " in text
    assert "exceed the limit of 5%)" in text or "exceeds the limit of 5%)" in text
    assert "6 documents for the choice and 14 for the test, seed 12345" in text
    assert "same language pair and domain" in text
    assert "<i>" not in "".join(block.value for block in app.markdown if block.allow_html)


def test_another_acceptable_rating_and_limit_change_the_result_and_stay_in_the_address(app: AppTest) -> None:
    before = said(app)
    app.number_input(key="acceptable").set_value(85.0).run()
    strict = said(app)
    assert "with 85 as the lowest acceptable rating" in strict
    assert strict != before
    app.number_input(key="max_unacceptable").set_value(20.0).run()
    assert "keeps the limit of 20% is recommended" in said(app)
    assert (app.query_params["acceptable"], app.query_params["max_unacceptable"]) == ("85", "20")
    app.number_input(key="review_seed").set_value(3).run()
    assert "seed 3." in said(app)
    assert app.number_input(key="review_among").value == 1  # one metric is uploaded
    app.number_input(key="review_among").set_value(4).run()
    assert "with 95% confidence for 4 metrics together." in said(app)
    assert app.query_params["review_among"] == "4"


def test_a_metric_that_says_little_has_a_reason_in_place_of_a_threshold(app: AppTest) -> None:
    app.selectbox(key="review_metric").set_value("BLEU").run()
    assert not app.exception
    text = said(app)
    assert "No threshold of BLEU can be recommended with 75 as the lowest acceptable rating: " in text
    assert "keeps the share of unacceptable segments at or below 5%" in text
    assert "can be published unread: at" not in text
    assert any("No threshold" in str(box.value) for box in app.markdown)


def test_the_tables_show_both_parts_and_every_system(app: AppTest) -> None:
    frames = [table.value for table in app.dataframe] or [table.value for table in app.table]
    shown = "\n".join(frame.to_csv() for frame in frames)
    assert {"choice", "test"} <= set(shown.replace("\n", ",").split(","))
    text = said(app)
    for heading in ("Thresholds", "The threshold in both parts", "By system"):
        assert heading in [block.value for block in app.subheader] or heading in text


def test_few_documents_are_said(opened: Opener) -> None:
    app = opened("")
    load(app, *files(documents=5))
    visit(app, PATH)
    assert "5 documents with ratings found, at least 10 needed to draw whole documents" in said(app)


def test_without_ratings_the_part_says_what_is_needed(opened: Opener) -> None:
    app = opened("")
    load(app, *files(ratings=False))
    visit(app, PATH)
    assert not app.exception
    assert "judgments" in said(app)
    assert "published unread: at" not in said(app)


def test_ratings_of_whole_systems_have_a_reason(opened: Opener) -> None:
    app = opened("")
    load(app, *files(ratings=False), table("human.csv", "system,score", [("a", 80), ("b", 70)]))
    visit(app, PATH)
    assert not app.exception
    assert "as the lowest acceptable rating: no ratings of segments found." in said(app)
