"""The register of warnings, and material of which parts are taken."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from diagnostics.material import drawn_set, material
from diagnostics.page import register_list, register_table
from timed import within_seconds

from bleu_core.diagnostics import MAX_RATE, STRENGTHS, WARNINGS, DiagnosticInput, count_texts, find_warning, findings
from bleu_core.diagnostics.characters import Count, character_counts
from bleu_core.inference.jackknife import effects
from bleu_core.scoring import BleuSettings, evaluate

PAGE = (Path(__file__).parents[2] / "docs" / "warnings.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("key", WARNINGS)
def test_every_warning_says_what_it_is(key: str) -> None:
    warning = find_warning(key)
    assert warning.key == key
    assert not warning.title.endswith(".")
    for text in (warning.checked, warning.misleads, warning.advice):
        assert text.endswith(".")
    assert (warning.false_alarms is None) is not warning.inferred
    assert (warning.false_alarms or 0) <= MAX_RATE


def test_the_page_shows_the_register() -> None:
    assert register_table() in PAGE, "print the table with python -m tests.diagnostics.page"
    assert register_list() in PAGE, "print the list with python -m tests.diagnostics.page"


def test_findings_are_in_the_order_of_their_strength() -> None:
    outputs, reference = drawn_set()
    outputs["S1"] = ["" for _ in reference]
    found = findings(material(outputs, {"R": reference}))
    order = [STRENGTHS.index(one.strength) for one in found]
    assert order == sorted(order, reverse=True)
    assert {one.key for one in found} >= {"empty", "length", "one-reference"}


def test_what_was_counted_of_the_texts_serves_under_other_settings() -> None:
    outputs, reference = drawn_set()
    outputs["S0"] = [
        "and so on and so on and so on and so on" if i % 3 == 0 else line for i, line in enumerate(reference)
    ]
    outputs["S1"] = [line.upper() for line in outputs["S1"]]
    of = material(outputs, {"R": reference})
    tables = count_texts(of)
    assert {table.dtype.itemsize for table in tables.values()} == {1}
    for lowercase in (False, True):
        settings = BleuSettings(lowercase=lowercase)
        counted = DiagnosticInput(of.corpus, evaluate(of.corpus, settings), tables=tables)
        alone = material(outputs, {"R": reference}, settings=settings)
        rows = range(0, 200, 2)
        assert findings(counted) == findings(alone)
        assert findings(counted.subset(rows)) == findings(alone.subset(rows))
        for compute, table in tables.items():
            assert counted.segment_values(compute) is not table  # in which sums would not fit
            assert np.array_equal(counted.segment_values(compute), alone.segment_values(compute))


def test_a_part_finds_what_the_same_segments_find_by_themselves() -> None:
    outputs, reference = drawn_set()
    outputs["S0"] = [
        "and so on and so on and so on and so on" if i % 3 == 0 else line for i, line in enumerate(reference)
    ]
    outputs["S1"] = [line.replace(",", " ,").replace(".", " .") for line in outputs["S1"]]
    outputs["S2"] = [line[: len(line) // 3] if i % 20 == 0 else line for i, line in enumerate(outputs["S2"])]
    whole = material(outputs, {"R": reference, "Q": [line.upper() for line in reference]})
    rows = np.random.default_rng(2).permutation(200)[:100].tolist()
    part = whole.subset(rows)
    alone = material(
        {name: [text[i] for i in rows] for name, text in outputs.items()},
        {name: [text[i] for i in rows] for name, text in whole.corpus.references.items()},
    )
    assert findings(part) == findings(alone)
    assert len(findings(part)) > 2


def test_errors_of_differences_are_those_of_the_bootstrap() -> None:
    outputs, reference = drawn_set(systems=3, segments=400)
    table = material(outputs, {"R": reference}).evaluation.statistics
    drawn = np.random.default_rng(1).multinomial(400, np.full(400, 1 / 400), size=3000)
    scores = table.score(table.weighted_sums(drawn.astype(np.float64)))
    of_systems = effects(table)
    for k, b in ((0, 1), (1, 2), (0, 2)):
        assert of_systems.error(k, b) == pytest.approx(float(np.std(scores[k] - scores[b])), rel=0.06)
        assert of_systems.errors[k, b] == pytest.approx(of_systems.error(k, b))


def test_characters_are_counted_as_python_counts_them() -> None:
    lines = ['"Hé", l\u2019été dit-il .', "", "A\u0301 B , c. \u201eNein\u201c &quot; x", "don't @-@ @@"]
    counts = character_counts(material({"S": lines}, {"R": lines}))[0]
    assert counts[:, Count.UPPER].tolist() == [sum(map(str.isupper, line)) for line in lines]
    assert counts[:, Count.LOWER].tolist() == [sum(map(str.islower, line)) for line in lines]
    assert counts[:, Count.PRINTED].tolist() == [len("".join(line.split())) for line in lines]
    assert counts[:, Count.STRAIGHT_QUOTE].tolist() == [2, 0, 0, 0]
    assert counts[:, Count.TYPESET_QUOTE].tolist() == [0, 0, 2, 0]
    assert counts[:, Count.STRAIGHT_APOSTROPHE].tolist() == [0, 0, 0, 1]
    assert counts[:, Count.TYPESET_APOSTROPHE].tolist() == [1, 0, 0, 0]
    assert counts[:, Count.SPACED_MARK].tolist() == [1, 0, 1, 0]
    assert counts[:, Count.ATTACHED_MARK].tolist() == [0, 0, 1, 0]
    assert counts[:, Count.MARKUP].tolist() == [0, 0, 1, 2]
    assert counts[:, Count.NOT_COMPOSED].tolist() == [0, 0, 1, 0]


@pytest.mark.parametrize(
    "settings",
    [BleuSettings(), BleuSettings(max_order=1), BleuSettings(smoothing="none", max_order=9, tokenizer="none")],
)
@pytest.mark.parametrize(
    ("text", "reference"),
    [
        (["", ""] * 20, ["a b", "c d"] * 20),
        ([""] * 40, [""] * 40),
        (["a \ud800 b\nc", "\u2028x"] * 20, ["a \ud800 b\nc", "y"] * 20),
        (["x"], ["x y"]),
    ],
)
def test_odd_texts_can_be_looked_at(text: list[str], reference: list[str], settings: BleuSettings) -> None:
    systems = {name: [f"{name} {line}".strip() if line else line for line in text] for name in "ABCDEF"}
    documents = [f"d{i % 5}" for i in range(len(text))]
    of = material(systems, {"R": reference, "Q": text}, documents=documents, source=text, settings=settings)
    assert {one.key for one in findings(of)} <= set(WARNINGS)


@pytest.mark.slow
def test_all_warnings_take_less_than_counting_allows_on_a_large_set() -> None:
    outputs, reference = drawn_set(systems=15, segments=500)
    outputs = {name: text * 6 for name, text in outputs.items()}
    of = material(outputs, {"R": reference * 6}, source=reference * 6)
    within_seconds(5, lambda: findings(of))  # about a second where nothing else runs


def test_a_warning_that_is_often_raised_without_cause_says_so() -> None:
    assert find_warning("empty").caveat == ""
    assert find_warning("tokenization").caveat == ""
    often = replace(find_warning("tokenization"), false_alarms=0.034)
    assert often.caveat == "Raised without cause in 3.4% of random halves of real test sets."
