"""Marks on systems that were optimised for a metric."""

from __future__ import annotations

from bleu_core.dataset import OptimisedSystem, optimised_for, optimised_note


def marks(*pairs: tuple[str, str]) -> list[OptimisedSystem]:
    return [OptimisedSystem(system=system, metric=metric) for system, metric in pairs]


def test_a_mark_concerns_the_metric_with_that_key_or_label_in_any_case_and_no_variant_of_it() -> None:
    given = marks(("a", "CHRF2"), ("b", "chrF2++"), ("c", "comet"))
    assert [mark.system for mark in optimised_for(given, "chrf2", "chrF2")] == ["a"]
    assert [mark.system for mark in optimised_for(given, "chrf2++", "chrF2++")] == ["b"]
    assert [mark.system for mark in optimised_for(given, "COMET")] == ["c"]
    assert optimised_for(given, "bleu", "BLEU") == ()


def test_a_system_that_is_marked_twice_counts_once() -> None:
    assert len(optimised_for(marks(("a", "BLEU"), ("a", "bleu")), "bleu", "BLEU")) == 1


def test_the_note_is_empty_without_marks() -> None:
    assert optimised_note([]) == ""
