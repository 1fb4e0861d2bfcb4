"""N-grams of a worked example, marked."""

from __future__ import annotations

from collections.abc import Mapping

from bleu_core.segments import Mark, WorkedExample
from dashboard.literal import literal

#: Mark of an n-gram -> its colour, and a sign that does not depend on colour.
MARKS: Mapping[Mark, tuple[str, str]] = {
    "matched": ("green", " ✓"),
    "exhausted": ("orange", " ↺"),
    "not found": ("red", " ✗"),
}


def marked(worked: WorkedExample, order: int) -> str:
    """Return a candidate's n-grams as Markdown, each marked as matched, exhausted or not found."""
    tokens = worked.candidate
    ngrams = [" ".join(tokens[i : i + order]) for i in range(len(tokens) - order + 1)]
    chips = [
        f":{MARKS[mark][0]}-background[{literal(ngram)}{MARKS[mark][1]}]"
        for ngram, mark in zip(ngrams, worked.marks(order), strict=True)
    ]
    legend = " ".join(f":{color}-background[{mark}{sign}]" for mark, (color, sign) in MARKS.items())
    return f"{' '.join(chips)}\n\n{legend}"
