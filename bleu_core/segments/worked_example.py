"""Comparison of a candidate with its references by n-gram, as in Examples 1 to 4 of Papineni et al. (2002)."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from typing import Literal

import numpy as np

from bleu_core.errors import AlignmentError
from bleu_core.fields import derived, field, fields_of, inline, result
from bleu_core.scoring import PRESETS, Bleu, BleuSettings, Brevity, bleu, brevity, tokens_of

Tokens = tuple[str, ...]
Mark = Literal["matched", "exhausted", "not found"]

NO_NGRAM = "there is no n-gram of this order"


@result
class NgramCount:
    """The occurrences of an n-gram."""

    ngram: Tokens = field("object", "Words of the n-gram.")
    count: int = field("count", "How often the n-gram occurs in the candidate.")
    in_references: tuple[int, ...] = field(
        "count", "How often the n-gram occurs in reference {}.", columns="reference_{}", label="reference {}"
    )

    @derived("count", "Highest number of times that the n-gram occurs in any one reference.", key="most")
    def max_in_references(self) -> int:
        """Max_Ref_Count: the maximum count in any single reference."""
        return max(self.in_references)

    @derived("count", "Occurrences that match after clipping.")
    def clipped(self) -> int:
        """Count_clip: the number of the candidate's occurrences that match."""
        return min(self.count, self.max_in_references)

    @derived("count", "Occurrences beyond the highest count in any one reference, which do not match.")
    def exhausted(self) -> int:
        """Occurrences that do not match because the references' occurrences are exhausted."""
        return self.count - self.clipped if self.max_in_references else 0


@result
class OrderCounts:
    """The n-grams of one order, in the order of their first occurrence in the candidate."""

    order: int = field("count", "Length of the n-grams, in words.")
    ngrams: tuple[NgramCount, ...] = field("object", "The n-grams.")

    @derived("count", "N-grams of the candidate.")
    def total(self) -> int:
        """The n-grams of the candidate: the denominator."""
        return sum(n.count for n in self.ngrams)

    @derived("count", "Matches after clipping.")
    def matches(self) -> int:
        """Clipped matches: the numerator of the modified precision."""
        return sum(n.clipped for n in self.ngrams)

    @derived("count", "N-grams that occur in any reference.")
    def standard_matches(self) -> int:
        """Occurrences of n-grams that are in any reference: the numerator of the standard precision."""
        return sum(n.count for n in self.ngrams if n.max_in_references)

    @derived("fraction", "Matches after clipping divided by the number of n-grams.", undefined=NO_NGRAM)
    def modified_precision(self) -> float:
        """A fraction; NaN if the candidate has no such n-gram."""
        return self.matches / self.total if self.total else math.nan

    @derived("fraction", "N-grams that occur in any reference divided by the number of n-grams.", undefined=NO_NGRAM)
    def standard_precision(self) -> float:
        """A fraction; NaN if the candidate has no such n-gram."""
        return self.standard_matches / self.total if self.total else math.nan


@result
class Recall:
    """The naive recall that section 2.2.1 warns of: over the distinct words of all references, in their order."""

    recalled: Tokens = field("object", "Words of the references that the candidate has.")
    missed: Tokens = field("object", "Words of the references that the candidate lacks.")

    @derived(
        "fraction", "Share of the references' words that the candidate has.", undefined="the references have no word"
    )
    def value(self) -> float:
        """A fraction; NaN if the references have no word."""
        words = len(self.recalled) + len(self.missed)
        return len(self.recalled) / words if words else math.nan


@result
class WorkedExample:
    """A candidate and R references.

    Attributes:
        orders: of n-grams, 1 to N.
        bleu: BLEU of the candidate, with its precisions as scored; each of its arrays has no leading axis.
    """

    candidate: Tokens = field("object", "Words of the candidate.", key="tokens")
    references: tuple[Tokens, ...] = field("object", "Words of each reference.")
    orders: tuple[OrderCounts, ...] = field("object", "N-gram counts by order.")
    recall: Recall = field("object", "Naive recall.")
    brevity: Brevity = inline(Brevity, "hypothesis_length", "reference_lengths")
    bleu: Bleu

    @derived(fields_of(Brevity)["effective"])
    def reference_length(self) -> float:
        """The effective reference length, tokens."""
        return self.brevity.effective

    @derived(fields_of(Brevity)["penalty"])
    def brevity_penalty(self) -> float:
        """The brevity penalty, a fraction."""
        return self.brevity.penalty

    @derived("points", "BLEU of the candidate.", key="bleu")
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
    ngrams = (
        NgramCount(ngram=n, count=count, in_references=tuple(c[n] for c in reference_counts))
        for n, count in counts.items()
    )
    return OrderCounts(order=order, ngrams=tuple(ngrams))


def _ngrams(tokens: Tokens, order: int) -> list[Tokens]:
    return [tokens[i : i + order] for i in range(len(tokens) - order + 1)]
