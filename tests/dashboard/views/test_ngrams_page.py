"""The page N-grams: what `bleu-core ngrams` finds, as tables whose rows lead to the segments."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import Any

import pandas as pd
import pytest
from calls import SAMPLE, SEGMENTS, TRUTH
from conftest import Opener, Runner, Writer
from nightly import nightly
from pages import load, said, visit
from streamlit.testing.v1 import AppTest

from bleu_core.dataset import Corpus
from bleu_core.slicing import segments_among, slice_corpus
from dashboard.analysis import MAX_LISTED_SEGMENTS

FILES = {f"{name}.txt": "\n".join(SAMPLE[name]) + "\n" for name in ("S1", "S2", "S3")}
FILES["ref.txt"] = "\n".join(TRUTH) + "\n"

#: The options of the command, by the names of the page's controls.
OPTIONS = {
    "ngrams_order": "--order",
    "ngrams_kind": "--kind",
    "ngrams_most": "--top",
    "slice": "--slice",
    "max_order": "--max-order",
    "tokenizer": "--tokenizer",
}


def page(opened: Opener, files: Mapping[str, str], **parameters: str) -> AppTest:
    app = opened("", **parameters)
    load(app, *((name, text.encode()) for name, text in files.items()))
    return visit(app, "two-systems/ngrams")


def rows(frame: pd.DataFrame) -> list[dict[Hashable, Any]]:
    found: list[dict[Hashable, Any]] = frame.to_dict("records")
    return found


@pytest.mark.parametrize(
    "parameters",
    [
        {"ngrams_order": "2", "ngrams_kind": "punctuation", "ngrams_most": "3", "slice": "segment in 5-50"},
        *nightly([{}, {"slice": "segment in 5-50"}, {"max_order": "6", "tokenizer": "char"}]),
    ],
)
@pytest.mark.parametrize("baseline", ["S1", ""])
def test_the_page_has_the_numbers_of_the_command(
    opened: Opener, run: Runner, write: Writer, parameters: dict[str, str], baseline: str
) -> None:
    beside = {"pair_baseline": baseline} if baseline else {"ngrams_with": "the references"}
    app = page(opened, FILES, pair_system="S2", **beside, **parameters)
    assert not app.exception
    options = [text for key, value in parameters.items() for text in (OPTIONS[key], value)]
    paths = {name: write(name, text) for name, text in FILES.items()}
    call = ["ngrams", "--ref", paths["ref.txt"], *options, *(["--baseline", baseline] if baseline else [])]
    found = run(*call, "--format", "json", *(paths[f"{name}.txt"] for name in ("S1", "S2", "S3"))).json
    (expected,) = [one for one in found["pairs" if baseline else "systems"] if one["system"] == "S2"]
    lists = ("won", "lost") if baseline else ("overused", "missing")
    first, second, orders, groups = (rows(frame.value) for frame in app.dataframe)
    shared = ("order", "ngram", "kind", "in_references", "effect", *(("gained", "lost") if baseline else lists))
    for shown, name in zip((first, second), lists, strict=True):
        assert [{key: row[key] for key in shared} for row in shown] == [
            {key: one[key] for key in shared} for one in expected[name]
        ]
    assert orders == expected["orders"]
    assert [{key: row[key] for key in row if key != "by"} for row in groups] == [
        one for name in ("kinds", "frequencies", "lengths") for one in expected[name]
    ]


def test_the_answer_counts_tokens(opened: Opener) -> None:
    app = page(opened, {"A.txt": "a b\n", "B.txt": "b c d\n", "ref.txt": "a c d\n"}, pair_system="A", pair_baseline="B")
    assert "A matches 1 token that B does not match, and B 2 tokens that A does not match" in said(app)
    app.selectbox(key="pair_baseline").set_value("A").run()
    assert "Choose two different systems." in said(app)
    app.segmented_control(key="ngrams_with").set_value("the references").run()
    assert "A has 1 unmatched of 2 tokens, and lacks 2 of 3 possible matches." in said(app)


def test_one_system_is_compared_with_the_references(opened: Opener) -> None:
    app = page(opened, {name: FILES[name] for name in ("S1.txt", "ref.txt")})
    assert not app.exception
    assert "N-grams overused" in said(app)
    assert "N-grams missing" in said(app)


def test_equal_outputs_have_nothing_won_or_lost(opened: Opener) -> None:
    app = page(opened, {"A.txt": "a b\n", "B.txt": "a b\n", "ref.txt": "a c\n"})
    assert not app.exception
    assert said(app).count("There are none.") == 2


def test_user_text_is_shown_as_it_is(opened: Opener) -> None:
    hostile = "**bold** :red[x] <b>x</b> $y$"
    files = {"**S**.txt": "x\n", ":red[B].txt": "y\n", "ref.txt": f"{hostile}\n"}
    app = page(opened, files, ngrams_with="the references", tokenizer="none", pair_system="**S**")
    assert not app.exception
    assert "**S** has 1 unmatched of 1 token, and lacks 4 of 4 possible matches." in said(app)
    assert "**bold**" in list(app.dataframe[1].value["ngram"])


def test_the_segments_of_an_ngram_are_an_expression_of_slices() -> None:
    corpus = Corpus({"A": tuple("x" * SEGMENTS)}, {"r": tuple("x" * SEGMENTS)})
    numbers = (1, 2, 3, 7, 20, 21, 60)
    expression = segments_among(numbers)
    assert expression == "segment in 1-3, 7, 20-21, 60"
    assert slice_corpus(expression, corpus).numbers == numbers
    many = segments_among(range(1, 10**6, 2), MAX_LISTED_SEGMENTS)
    assert many.count(",") == MAX_LISTED_SEGMENTS - 1
    assert len(many) < 10_000
