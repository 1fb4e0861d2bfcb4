"""Warnings in words."""

from __future__ import annotations

from bleu_core.diagnostics import Finding, Strength
from dashboard import words


def finding(strength: Strength, found: str = "Found.", key: str = "length") -> Finding:
    return Finding(key=key, message=found, strength=strength, advice="Do this.")


def test_findings_are_counted_by_strength_the_strongest_first() -> None:
    assert words.warnings_counted([]) == ""
    found = [finding("note"), finding("alarm"), finding("note"), finding("caution")]
    assert words.warnings_counted(found) == "1 alarm, 1 caution and 2 notes"


def test_notes_are_no_cautions_of_a_report() -> None:
    found = [finding("alarm", "A."), finding("note", "B."), finding("caution", "C.")]
    assert words.warnings_as_cautions(found) == ("A.", "C.")


def test_a_report_lists_open_findings_and_then_those_dismissed_with_the_reason() -> None:
    found = [finding("alarm", "A.", "empty"), finding("note", "B."), finding("note", "C.")]
    titles = {"empty": "Empty", "length": "Length"}
    assert words.warnings_described(found, titles, {"length": "known"}) == (
        "Empty (alarm). A. Do this.",
        "Dismissed: Length. Reason: known. Found: B. C.",
    )
    assert words.dismissal("Length", "") == "Dismissed: Length. No reason was given."
