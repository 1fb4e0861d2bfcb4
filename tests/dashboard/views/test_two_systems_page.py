"""The page Two systems: documents by name, the largest loss first, with the scores of other programs."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from nightly import nightly
from pages import load, said, untick, visit, with_parameters
from sacrebleu.metrics.bleu import BLEU
from sacrebleu.metrics.chrf import CHRF
from sacrebleu.metrics.ter import TER
from streamlit.testing.v1 import AppTest

import sample_data

REFERENCE = ["the cat sat on the mat", "it was a sunny day in the park", "we all went home at night"] * 4
OURS = [line.replace("mat", "rug") if k % 2 else line.replace("night", "noon") for k, line in enumerate(REFERENCE)]
THEIRS = [line.replace("the", "a") if k < 5 else line for k, line in enumerate(REFERENCE)]
NAMES = ["news 1"] * 3 + ["**bold** :red[x]"] * 2 + ["talk"] * 4 + ["last"] * 3


def lines(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").split("\n")[:-1]


def by_document(scorer: Any, documents: list[str], output: list[str], references: list[list[str]]) -> dict[str, float]:
    """The corpus score of each document's lines."""
    found: dict[str, float] = {}
    for name in dict.fromkeys(documents):
        of_name = [k for k, document in enumerate(documents) if document == name]
        texts = [[lines[k] for k in of_name] for lines in references]
        found[name] = scorer.corpus_score([output[k] for k in of_name], texts).score
    return found


def documents_shown(app: AppTest) -> pd.DataFrame:
    """The table of documents."""
    return next(frame.value for frame in app.dataframe if list(frame.value)[:1] == ["document"])


def compared(app: AppTest, system: str, baseline: str) -> AppTest:
    visit(app, "two-systems/difference")
    app.selectbox(key="pair_system").set_value(system).run()
    return app.selectbox(key="pair_baseline").set_value(baseline).run()


@pytest.fixture
def app(app: AppTest) -> AppTest:
    """A session on the sample data, of which all five systems are ranked."""
    return with_parameters(app, rank_humans="true")


@pytest.mark.parametrize(("system", "baseline"), [("S1", "H2"), *nightly([("S2", "S1")])])
def test_documents_are_scored_as_sacrebleu_does_the_largest_loss_first(
    app: AppTest, system: str, baseline: str
) -> None:
    shown = documents_shown(compared(app, system, baseline))
    documents, references = lines(sample_data.DOCUMENTS), [lines(path) for path in sample_data.references()]
    scores = {
        name: by_document(BLEU(), documents, lines(sample_data.FOLDER / "systems" / f"{name}.txt"), references)
        for name in (system, baseline)
    }
    assert len(shown) == len(set(documents)) == 40
    for row in shown.to_dict("records"):
        document = row["document"]
        assert row["segments"] == documents.count(document)
        assert row[f"score_{system}"] == pytest.approx(scores[system][document], rel=1e-9)
        assert row[f"score_{baseline}"] == pytest.approx(scores[baseline][document], rel=1e-9)
        assert row["difference"] == pytest.approx(scores[system][document] - scores[baseline][document], abs=1e-9)
    assert shown["difference"].is_monotonic_increasing


@pytest.mark.parametrize(("label", "scorer"), [("TER", TER()), *nightly([("chrF2", CHRF())])])
def test_where_lower_is_better_a_loss_is_a_higher_score(app: AppTest, label: str, scorer: Any) -> None:
    files = {"ref.txt": REFERENCE, "ours.txt": OURS, "theirs.txt": THEIRS, "documents.txt": NAMES}
    load(app, *((name, "\n".join([*text, ""]).encode()) for name, text in files.items()))
    compared(app, "ours", "theirs")
    app.selectbox(key="metric").set_value(label).run()
    shown = documents_shown(app)
    ours, theirs = (by_document(scorer, NAMES, text, [REFERENCE]) for text in (OURS, THEIRS))
    gains = {name: (ours[name] - theirs[name]) * (-1 if label == "TER" else 1) for name in ours}
    assert shown["document"].tolist() == sorted(gains, key=gains.__getitem__)
    assert shown["score_ours"].tolist() == pytest.approx([ours[name] for name in shown["document"]])
    assert not app.exception


def test_without_documents_none_are_listed(app: AppTest) -> None:
    files = {"ref.txt": REFERENCE, "ours.txt": OURS, "theirs.txt": THEIRS}
    load(app, *((name, "\n".join([*text, ""]).encode()) for name, text in files.items()))
    visit(app, "two-systems/difference")
    assert not app.exception
    assert not [frame for frame in app.dataframe if "document" in frame.value]
    assert "Documents" not in [heading.value for heading in app.subheader]


def test_the_two_best_systems_are_compared_at_first(app: AppTest) -> None:
    visit(app, "two-systems/difference")
    assert (app.selectbox(key="pair_system").value, app.selectbox(key="pair_baseline").value) == ("H2", "H1")
    assert (app.selectbox(key="pair_system").label, app.selectbox(key="pair_baseline").label) == ("System", "Baseline")
    untick(app, "systems", "H1")
    assert (app.selectbox(key="pair_system").value, app.selectbox(key="pair_baseline").value) == ("H2", "S3")
    untick(app, "systems", "H1", "H2", "S1", "S2")
    assert "1 of 5 systems" in said(app)
    assert not app.exception


def test_the_parts_of_a_difference_of_bleu_are_shown_and_of_no_other_metric(app: AppTest) -> None:
    page = compared(app, "S3", "S1")
    assert "Why the scores differ" in [heading.value for heading in page.subheader]
    texts = lines(sample_data.FOLDER / "systems" / "S3.txt"), lines(sample_data.FOLDER / "systems" / "S1.txt")
    references = [lines(path) for path in sample_data.references()]
    one, other = (BLEU().corpus_score(text, references) for text in texts)
    size = f"{one.score - other.score:.2f}"
    assert re.search(rf"(of the {size} points by which S3 leads S1|, \+{size} in all)", said(page))
    page.selectbox(key="metric").set_value("chrF2").run()
    assert "Why the scores differ" not in [heading.value for heading in page.subheader]
