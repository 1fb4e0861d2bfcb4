"""Comparison of a candidate with its references by n-gram, as in Examples 1 to 4 of Papineni et al. (2002)."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from bleu_core.errors import AlignmentError
from bleu_core.scoring import PRESETS, Bleu, BleuSettings, Brevity, bleu, brevity, tokens_of

Tokens = tuple[str, ...]
Mark = Literal["matched", "exhausted", "not found"]


@dataclass(frozen=True, slots=True)
class NgramCount:
    """The occurrences of an n-gram.

    Attributes:
        ngram: its tokens.
        count: in the candidate.
        in_references: in each reference.
    """

    ngram: Tokens
    count: int
    in_references: tuple[int, ...]

    @property
    def max_in_references(self) -> int:
        """Max_Ref_Count: the maximum count in any single reference."""
        return max(self.in_references)

    @property
    def clipped(self) -> int:
        """Count_clip: the number of the candidate's occurrences that match."""
        return min(self.count, self.max_in_references)

    @property
    def exhausted(self) -> int:
        """Occurrences that do not match because the references' occurrences are exhausted."""
        return self.count - self.clipped if self.max_in_references else 0


@dataclass(frozen=True, slots=True)
class OrderCounts:
    """The n-grams of one order, in the order of their first occurrence in the candidate."""

    order: int
    ngrams: tuple[NgramCount, ...]

    @property
    def total(self) -> int:
        """The n-grams of the candidate: the denominator."""
        return sum(n.count for n in self.ngrams)

    @property
    def matches(self) -> int:
        """Clipped matches: the numerator of the modified precision."""
        return sum(n.clipped for n in self.ngrams)

    @property
    def standard_matches(self) -> int:
        """Occurrences of n-grams that are in any reference: the numerator of the standard precision."""
        return sum(n.count for n in self.ngrams if n.max_in_references)

    @property
    def modified_precision(self) -> float:
        """A fraction; NaN if the candidate has no such n-gram."""
        return self.matches / self.total if self.total else math.nan

    @property
    def standard_precision(self) -> float:
        """A fraction; NaN if the candidate has no such n-gram."""
        return self.standard_matches / self.total if self.total else math.nan


@dataclass(frozen=True, slots=True)
class Recall:
    """The naive recall that section 2.2.1 warns of: over the distinct words of all references together.

    Attributes:
        recalled: words of the references that the candidate has, in the references' order.
        missed: words that the candidate lacks.
    """

    recalled: Tokens
    missed: Tokens

    @property
    def value(self) -> float:
        """A fraction; NaN if the references have no word."""
        words = len(self.recalled) + len(self.missed)
        return len(self.recalled) / words if words else math.nan


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkedExample:
    """A candidate and R references.

    Attributes:
        candidate: its tokens.
        references: R times tokens.
        orders: of n-grams, 1 to N.
        recall: naive, of words.
        brevity: lengths and penalty.
        bleu: BLEU of the candidate, with its precisions as scored; each of its arrays has no leading axis.
    """

    candidate: Tokens
    references: tuple[Tokens, ...]
    orders: tuple[OrderCounts, ...]
    recall: Recall
    brevity: Brevity
    bleu: Bleu

    @property
    def score(self) -> float:
        """BLEU of the candidate, points."""
        return float(self.bleu.score)

    def marks(self, order: int) -> tuple[Mark, ...]:
        """Return the mark of the n-gram at each position: its first occurrences match, further ones are exhausted."""
        counts = {n.ngram: n for n in self.orders[order - 1].ngrams}
        seen: Counter[Tokens] = Counter()
        marks: list[Mark] = []
        for ngram in _ngrams(self.candidate, order):
            seen[ngram] += 1
            if seen[ngram] <= counts[ngram].clipped:
                marks.append("matched")
            else:
                marks.append("exhausted" if counts[ngram].max_in_references else "not found")
        return tuple(marks)


def work_example(
    candidate: str,
    references: Sequence[str],
    settings: BleuSettings = PRESETS["paper"],
    *,
    single_segment: bool = False,
) -> WorkedExample:
    """Count the n-grams of a candidate in its references.

    Args:
        candidate: a translation.
        references: R translations of the same segment.
        settings: of tokenisation and scoring; orders up to its max_order are counted.
        single_segment: whether BLEU is that of a segment, as in BleuEvaluation.segment_scores; else that of a corpus of
            one segment. They differ if the candidate is too short for an order and effective_order is None.

    Raises:
        AlignmentError: there is no reference.
        SettingsError: a requirement of the tokeniser is not installed.

    Source:
        Papineni et al. (2002), section 2.1, footnote 2 and sections 2.2 to 2.2.2.
    """
    if not references:
        raise AlignmentError("no reference found, at least 1 expected; add a reference translation")
    words = tokens_of(candidate, settings.counting)
    others = tuple(tokens_of(reference, settings.counting) for reference in references)
    orders = tuple(_order(words, others, order) for order in range(1, settings.max_order + 1))
    lengths = brevity(len(words), [len(other) for other in others], settings.reference_length)
    sums = [len(words), lengths.effective, *(o.matches for o in orders), *(o.total for o in orders)]
    distinct = tuple(dict.fromkeys(word for other in others for word in other))
    known = set(words)
    recall = Recall(
        recalled=tuple(word for word in distinct if word in known),
        missed=tuple(word for word in distinct if word not in known),
    )
    score = bleu(np.array(sums, np.float64), settings, single_segments=single_segment)
    return WorkedExample(candidate=words, references=others, orders=orders, recall=recall, brevity=lengths, bleu=score)


def _order(candidate: Tokens, references: Sequence[Tokens], order: int) -> OrderCounts:
    counts = Counter(_ngrams(candidate, order))
    reference_counts = [Counter(_ngrams(reference, order)) for reference in references]
    return OrderCounts(
        order, tuple(NgramCount(n, count, tuple(c[n] for c in reference_counts)) for n, count in counts.items())
    )


def _ngrams(tokens: Tokens, order: int) -> list[Tokens]:
    return [tokens[i : i + order] for i in range(len(tokens) - order + 1)]
