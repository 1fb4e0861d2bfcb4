"""The page Slices: what `bleu-core slices` finds, as a figure, tables and sentences."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

import pandas as pd
import pytest
from calls import SAMPLE, SEGMENTS, TRUTH
from conftest import Opener, Runner, Writer
from nightly import nightly
from pages import load, said, visit
from streamlit.testing.v1 import AppTest

SYSTEMS = ("S1", "S2", "S3")
DOMAINS = ["news" if segment < 24 else "talk" for segment in range(SEGMENTS)]
HOSTILE = ["**bold** :red[x] <b>", "=1+1", "a,b|c \\"]


def texts(documents: Sequence[str] | None = None, labels: Mapping[str, Sequence[str]] | None = None) -> dict[str, str]:
    """Files by name."""
    found = {f"{name}.txt": "\n".join(SAMPLE[name]) + "\n" for name in SYSTEMS}
    found["ref.txt"] = "\n".join(TRUTH) + "\n"
    if documents:
        found["docs.txt"] = "\n".join(documents) + "\n"
    if labels:
        rows = zip(range(1, SEGMENTS + 1), *labels.values(), strict=True)
        found["labels.tsv"] = "\n".join("\t".join(map(str, row)) for row in [("segment", *labels), *rows]) + "\n"
    return found


def page(opened: Opener, files: Mapping[str, str], **parameters: str) -> AppTest:
    app = opened("", **parameters)
    load(app, *((name, text.encode()) for name, text in files.items()))
    return visit(app, "two-systems/slices")


def frames(app: AppTest) -> dict[str, pd.DataFrame]:
    """The tables of the page: pairs, scores and, of three systems, variation."""
    pairs, scores, variation = (frame.value for frame in app.dataframe)
    return {"pairs": pairs, "scores": scores, "variation": variation}


@pytest.mark.parametrize(
    ("parameters", "options"),
    [
        (
            {"units": "documents", "slices_by": "document", "slice": "length > 9"},
            ["--by", "document", "--slice", "length > 9"],
        ),
        *nightly(
            [
                (
                    {"slices_by": "half", "seed": "7", "draws": "200"},
                    ["--by", "half", "--seed", "7", "--resamples", "200"],
                ),
                ({}, ["--by", "domain"]),
                ({"slices_by": "length", "metric": "chrF2"}, ["--by", "length", "--metric", "chrf2"]),
                ({"slices_by": "half", "slice": "segment in 5-50"}, ["--by", "half", "--slice", "segment in 5-50"]),
                ({"units": "documents", "level": "0.1"}, ["--by", "domain", "--alpha", "0.1"]),
            ]
        ),
    ],
)
def test_the_page_has_the_numbers_of_the_command(
    opened: Opener, run: Runner, write: Writer, parameters: dict[str, str], options: list[str]
) -> None:
    documents = [f"d{segment // 6}" for segment in range(SEGMENTS)] if "units" in parameters else None
    files = texts(documents, {"domain": DOMAINS})
    app = page(opened, files, pair_system="S2", pair_baseline="S1", **parameters)
    assert not app.exception
    paths = {name: write(name, text) for name, text in files.items()}
    call: list[object] = ["slices", *options, "--labels", paths["labels.tsv"], "--baseline", "S1", "--format", "json"]
    call += ["--ref", paths["ref.txt"], *(paths[f"{name}.txt"] for name in SYSTEMS)]
    expected = run(*call, *(["--documents", paths["docs.txt"]] if documents else [])).json
    found = frames(app)
    rows = [("all segments", expected), *((one["label"], one) for one in expected["slices"])]
    assert list(found["scores"].iloc[:, 0]) == list(found["pairs"].iloc[:, 0]) == [label for label, _ in rows]
    for n, (_, one) in enumerate(rows):
        assert found["pairs"]["segments"][n] == one["segments"]
        assert [found["scores"][f"score_{name}"][n] for name in SYSTEMS] == [s["score"] for s in one["systems"]]
        pair = next(pair for pair in one["pairs"] if pair["system"] == "S2")
        for key in ("delta", "low", "high", "p_value", "p_value_adjusted", "verdict"):
            shown = found["pairs"][key][n]
            assert shown == pair[key] or (pd.isna(shown) and pair[key] is None), key
    for row, one in zip(found["variation"].to_dict("records"), expected["variation"], strict=True):
        assert (row["system"], row["baseline"]) == (one["system"], "S1")
        assert row.get("reason", "") == one.get("reason", "")
        for key in ("q", "p_value"):
            assert pd.isna(row[key]) if one[key] is None else row[key] == one[key]


def test_the_answer_counts_slices_and_says_whether_the_difference_varies(opened: Opener) -> None:
    app = page(opened, texts(labels={"domain": DOMAINS, "part": [f"p{n // 8}" for n in range(SEGMENTS)]}))
    assert "of 2 slices" in said(app)
    assert "between the slices (Cochran's Q = " in said(app)
    assert "2 slices by domain. Each is compared by the jackknife over its segments with Student's t" in said(app)
    app.selectbox(key="slices_by").set_value("part").run()
    assert (
        "Whether the difference varies between the slices is not tested: p7 has 4 segments, at least 10 per slice "
        "expected." in said(app)
    )
    app.selectbox(key="pair_system").set_value("S1").run()
    app.selectbox(key="pair_baseline").set_value("S1").run()
    assert "Choose two different systems." in said(app)


def test_without_labels_the_text_is_divided_by_length_and_the_page_asks_for_labels(opened: Opener) -> None:
    app = page(opened, texts())
    assert app.selectbox(key="slices_by").options == ["length", "half"]
    assert "4 slices by the length of the first reference (tokens)." in said(app)
    assert "To divide the text by domain, topic or the like, add a file of labels." in said(app)


def test_only_the_largest_slices_are_drawn_when_there_are_many(opened: Opener, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dashboard.exhibits.slices.MAX_DRAWN", 5)
    app = page(opened, texts(labels={"part": [f"p{segment // 8}" for segment in range(SEGMENTS)]}))
    assert "The figure has the 5 slices with the most segments of 8; the table has all." in said(app)
    assert len(frames(app)["pairs"]) == 9
    drawn = json.loads(app.get("plotly_chart")[0].proto.spec)["data"]
    assert [len(trace["x"]) for trace in drawn] == [1, 5]


def test_slices_of_single_segments_cannot_be_compared(opened: Opener) -> None:
    app = page(opened, texts(labels={"each": [f"n{segment}" for segment in range(SEGMENTS)]}))
    assert not app.exception
    assert "cannot be compared in any slice" in said(app)


def test_labels_are_shown_as_they_are(opened: Opener) -> None:
    labels = [HOSTILE[segment % len(HOSTILE)] for segment in range(SEGMENTS)]
    app = page(opened, texts(labels={"**by** $x$": labels}))
    assert not app.exception
    assert "3 slices by **by** $x$." in said(app)
    assert set(frames(app)["pairs"]["label"]) == {"all segments", *HOSTILE}


def test_one_system_is_not_compared(opened: Opener) -> None:
    files = {name: text for name, text in texts().items() if name in ("S1.txt", "ref.txt")}
    assert "1 system output loaded, at least 2 needed" in said(page(opened, files))
