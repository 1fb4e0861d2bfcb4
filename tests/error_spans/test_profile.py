"""Errors per 1,000 tokens, against sums written out item by item."""

from __future__ import annotations

import math

import numpy as np
import pytest

from bleu_core.dataset import Annotator, Corpus, ErrorAnnotations
from bleu_core.error_spans import (
    BREAKDOWNS,
    Breakdown,
    metric_names,
    of_judges,
    of_metric,
    output_tokens,
    profile_errors,
)
from bleu_core.errors import SettingsError
from bleu_core.scoring import evaluate
from tests.marked_errors import annotated, error

TOKENS = np.array([[10, 20, 30], [40, 50, 60]])


def rates(given: ErrorAnnotations, by: Breakdown) -> dict[tuple[str, str], dict[str, float]]:
    return {
        (row.part, row.name): dict(row.rates) for row in profile_errors(given, TOKENS[: len(given.systems)], by).rates
    }


def test_a_rate_is_the_mean_over_the_judges_of_each_segment_per_1000_tokens() -> None:
    given = annotated(
        ("A", 0, "J1", [error(), error()]),
        ("A", 0, "J2", []),
        ("A", 1, "J1", [error()]),
        ("B", 2, "J2", [error()]),
        segments=3,
    )
    profile = profile_errors(given, TOKENS)
    assert dict(profile.rates[0].rates) == pytest.approx({"A": 1000 * (2 / 2 + 1) / 30, "B": 1000 / 60})
    assert [(s.system, s.segments, s.judges, s.tokens, s.errors) for s in profile.systems] == [
        ("A", 2, 2, 30, 3),
        ("B", 1, 1, 60, 1),
    ]


def test_categories_have_a_row_for_the_part_before_the_slash() -> None:
    given = annotated(
        ("A", 0, "J1", [error(category="Accuracy/Omission"), error(category="Accuracy/Mistranslation"), error()]),
        ("A", 1, "J1", [error(category="Accuracy/Mistranslation"), error(category="Fluency/Grammar")]),
        systems="AB",
        segments=3,
    )
    by_category = {name: values["A"] * 30 / 1000 for name, values in rates(given, "category").items()}
    assert by_category == pytest.approx(
        {
            ("all", "all errors"): 5,
            ("group", "Accuracy"): 3,
            ("one", "Accuracy/Mistranslation"): 2,
            ("one", "Accuracy/Omission"): 1,
            ("one", "none given"): 1,
            ("one", "Fluency/Grammar"): 1,
        }
    )


def test_severities_come_from_critical_to_neutral_and_others_last() -> None:
    marked = [error(severity=name) for name in ("odd", "neutral", "minor", "critical", "major")]
    rows = profile_errors(annotated(("A", 0, "J", marked), segments=3), TOKENS[:1]).rates
    assert [row.name for row in rows] == ["all errors", "critical", "major", "minor", "neutral", "odd"]


def test_each_error_has_one_place() -> None:
    marked = [
        error(1, 3),
        error(),
        error(2, 4, in_source=True),
        error(in_source=True),
        error(1, 2, category="Source error"),
        error(category="Accuracy/Omission"),
        error(1, 2, category="Omission", in_source=True),
    ]
    by_place = rates(annotated(("A", 0, "J", marked), ("B", 0, "J", []), segments=3), "place")
    assert {name: values["A"] / 100 for (_, name), values in by_place.items()} == {
        "all errors": 7,
        "translation": 1,
        "source": 3,
        "omission": 2,
        "without a place": 1,
    }


def test_a_system_without_annotated_segments_or_tokens_has_a_reason() -> None:
    given = annotated(("A", 0, "J", [error()]), systems="AB", segments=3)
    profile = profile_errors(given, TOKENS)
    assert math.isnan(profile.rates[0].rates["B"])
    assert profile.rates[0].reason == "B: no segment of the system was annotated"
    assert [row.reason for row in profile.rates[0].by_system] == ["", "no segment of the system was annotated"]
    empty = profile_errors(annotated(("A", 0, "J", []), segments=1), np.zeros((1, 1), np.int64))
    assert math.isnan(empty.rates[0].rates["A"])
    assert "have no tokens" in empty.rates[0].reason


def test_random_annotations_have_the_rates_of_a_plain_count() -> None:
    generator = np.random.default_rng(5)
    given, plain = [], {by: dict[str, dict[str, float]]() for by in BREAKDOWNS}
    tokens = {name: dict[int, int]() for name in "AB"}
    for k, system in enumerate("AB"):
        for segment in range(3):
            judges = [f"J{j}" for j in range(3) if generator.random() < 0.7]
            for judge in judges:
                names = [str(generator.choice(["minor", "major"])) for _ in range(generator.poisson(1.5))]
                given.append((system, segment, judge, [error(1, 5, name) for name in names]))
                tokens[system][segment] = int(TOKENS[k, segment])
                for name in names:
                    sums = plain["severity"].setdefault(name, dict.fromkeys("AB", 0.0))
                    sums[system] += 1 / len(judges)
    found = rates(annotated(*given, systems="AB", segments=3), "severity")
    for name, sums in plain["severity"].items():
        expected = {system: 1000 * sums[system] / sum(tokens[system].values()) for system in "AB"}
        assert found["one", name] == pytest.approx(expected)


def test_judges_and_metrics_are_profiled_apart() -> None:
    metric = Annotator("xCOMET", None, is_metric=True)
    given = annotated(
        ("A", 0, "J1", [error()]),
        ("A", 0, metric, [error(), error()]),
        ("A", 0, Annotator("J2", "experts"), []),
        segments=3,
    )
    assert metric_names(given) == ("xCOMET",)
    assert rates(of_judges(given), "severity")["all", "all errors"] == {"A": 50.0}
    assert rates(of_judges(given, ["J1"]), "severity")["all", "all errors"] == {"A": 100.0}
    assert rates(of_judges(given, groups=["experts"]), "severity")["all", "all errors"] == {"A": 0.0}
    assert rates(of_metric(given, "xCOMET"), "severity")["all", "all errors"] == {"A": 200.0}
    for select in (lambda: of_judges(given, ["xCOMET"]), lambda: of_metric(given, "J1")):
        with pytest.raises(SettingsError, match="these have marked errors"):
            select()


def test_tokens_are_those_of_the_tokeniser_in_force() -> None:
    texts = Corpus({"A": ("a b, c", "", "d")}, {"R": ("a", "b", "c")})
    assert output_tokens(evaluate(texts)).tolist() == [[4, 0, 1]]
