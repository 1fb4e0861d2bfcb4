"""Removal of a negation, which reverses the meaning of the sentence."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import groupby
from types import MappingProxyType

from bleu_core.diagnostics.probes.declaration import Change, Probe, Task
from bleu_core.errors import listed
from bleu_core.slicing import NEGATION_LANGUAGES, negation_spans

#: Ends of clauses, as indicated by punctuation.
CLAUSE_ENDS = re.compile(
    '[,.;:!?\u2026\u2014\u2013()\\[\\]"\u201c\u201d\u201e\u00ab\u00bb\u3001\u3002\uff0c\uff1b\uff1a\uff01\uff1f\u060c\u061b\u061f]'
)

#: Beginning of a contraction with n't -> the word without it, if it is different.
STEMS: Mapping[str, str] = MappingProxyType({"ca": "can", "wo": "will", "sha": "shall", "ai": "is"})
CONTRACTED = re.compile(r"\b(?:ca|wo|sha|ai)$", re.IGNORECASE)

#: Words of which only the negating end is removed -> number of letters that are kept.
KEPT_LETTERS: Mapping[str, int] = MappingProxyType({"cannot": len("can")})

UNKNOWN = "the language of the references was not recognised"

Span = tuple[int, int]


def _change(task: Task) -> Sequence[Change]:
    language = task.language
    if not language:
        return [task.unchanged(UNKNOWN)]
    if language not in NEGATION_LANGUAGES:
        known = listed(NEGATION_LANGUAGES, max_items=len(NEGATION_LANGUAGES))
        return [task.unchanged(f"negation words are known for {known}, and not for {language}")]
    places, generator = negation_spans(language), task.generator()
    after: list[str] = []
    for text in task.output:
        clauses = _by_clause(text, places(text))
        clause = clauses[int(generator.integers(len(clauses)))] if clauses else []
        shorter = without(text, clause)
        after.append(shorter if any(map(str.isalnum, shorter)) else text)
    return [task.changed(after, f"no segment has a negation word of the list for {language}")]


def _by_clause(text: str, places: Sequence[Span]) -> list[list[Span]]:
    """Group places in a text by clause."""
    ends = [match.start() for match in CLAUSE_ENDS.finditer(text)]
    return [
        list(places_in_clause)
        for _, places_in_clause in groupby(places, key=lambda place: sum(end < place[0] for end in ends))
    ]


def without(text: str, places: Sequence[Span]) -> str:
    """Remove places from a text, and correct its blanks and capitals.

    >>> without("Never say that you can't.", [(0, 5), (21, 24)])
    'Say that you can.'
    """
    for begin, end in reversed(places):
        start = begin + KEPT_LETTERS.get(text[begin:end].lower(), 0)
        before, removed, after = text[:start], text[start:end], text[end:]
        if not before or before[-1].isspace():
            if after[:1].isspace():
                after = after[1:]
            elif not after[:1].isalnum():
                before = before[:-1]
        if removed[:1].isupper():
            after = after[:1].upper() + after[1:]
        stem = CONTRACTED.search(before) if removed[1:2] in ("'", "\u2019") else None
        if stem is not None:
            full_word = STEMS[stem[0].lower()]
            before = before[: stem.start()] + stem[0][0] + full_word[1:]
        text = before + after
    return text


PROBE = Probe(
    key="negation",
    title="A negation dropped",
    doing="Dropping a negation",
    changed="In each segment with negation words, those of one clause are left out: not, never, ne and pas, and the "
    f"like. There are lists of such words for {len(NEGATION_LANGUAGES)} languages.",
    noticed="The sentence says the opposite.",
    source="Karpinska et al. (2022), DEMETR: Diagnosing Evaluation Metrics for Translation",
    change=_change,
)
