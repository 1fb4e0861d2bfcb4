"""Sentences about errors of two systems and the agreement of spans."""

from __future__ import annotations

import numpy as np

from bleu_core.error_spans import ErrorDifferences, error_differences, span_agreement
from dashboard.words import agreement_of_error_spans, errors_of_two_systems, evidence_of_errors
from tests.marked_errors import Item, annotated, error


def differences(a: int, b: int, segments: int = 40, *, apart: bool = False) -> ErrorDifferences:
    """System A has a errors in each segment, B has b in every other one; perhaps each has its own judge."""
    items: list[Item] = []
    for segment in range(segments):
        judges = ("J1", "J2") if apart else ("J", "J")
        items.append(("A", segment, judges[0], [error(1, 5)] * a))
        items.append(("B", segment, judges[1], [error(1, 5)] * (b * (segment % 2))))
    return error_differences(annotated(*items), np.full((2, segments), 20), "A", "B", trials=200)


def test_the_system_with_more_errors_is_named() -> None:
    assert errors_of_two_systems(differences(2, 1)) == (
        "A has significantly more errors than B: 100.00 and 25.00 per 1,000 tokens."
    )
    assert errors_of_two_systems(differences(0, 2), "xCOMET") == (
        "A has significantly fewer errors than B: 0.00 and 50.00 per 1,000 tokens by xCOMET."
    )
    assert "No significant difference in errors between A and B" in errors_of_two_systems(differences(1, 2))


def test_the_evidence_has_the_interval_and_p_or_the_reason() -> None:
    evidence = evidence_of_errors(differences(2, 1))
    assert evidence.startswith("The difference is +75.00 (95% interval ")
    assert "corrected p" in evidence
    assert evidence.endswith("on 40 segments that were annotated for both.")
    assert "It is not tested: judges are confounded with systems" in evidence_of_errors(differences(2, 1, apart=True))


def test_what_cannot_be_compared_is_said_to_be() -> None:
    without = differences(0, 0)
    assert errors_of_two_systems(without).startswith("The errors of A and B cannot be compared: no error was marked")
    assert evidence_of_errors(without) == ""


def test_the_agreement_of_spans_is_that_of_all_judges_or_of_the_only_pair() -> None:
    two: list[Item] = [("A", s, judge, [error(0, 4)]) for s in range(8) for judge in ("J1", "J2")]
    assert agreement_of_error_spans(span_agreement(annotated(*two))) == (
        "Error spans of J1 and J2 agree with an F1 of 1.00 (95% interval 1.00 to 1.00)."
    )
    three = [*two, *(("A", s, "J3", [error(0, 4)]) for s in range(8))]
    assert "Error spans of two judges agree" in agreement_of_error_spans(span_agreement(annotated(*three)))
    alone = annotated(("A", 0, "J1", [error(0, 4)]))
    assert "is not known: no two annotators" in agreement_of_error_spans(span_agreement(alone))
