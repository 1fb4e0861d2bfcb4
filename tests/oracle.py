"""BLEU as the paper writes it, slow and obvious: what the fast code is held against.

Papineni et al. (2002): modified n-gram precision in sections 2.1 and 2.1.1, brevity penalty and BLEU in 2.3. Nothing
here comes from bleu_core. Precisions are exact fractions; only the last step, the geometric mean, is in floats.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction

Tokens = Sequence[str]


def ngrams(tokens: Tokens, order: int) -> Counter[tuple[str, ...]]:
    """How often each n-gram of one order occurs."""
    found: Counter[tuple[str, ...]] = Counter()
    for start in range(len(tokens) - order + 1):
        found[tuple(tokens[start : start + order])] += 1
    return found


def clipped(hypothesis: Tokens, references: Sequence[Tokens], order: int) -> tuple[int, int]:
    """Count_clip and Count of one segment: min(Count, Max_Ref_Count), summed, and all n-grams of the hypothesis."""
    matches = 0
    counts = ngrams(hypothesis, order)
    for ngram, count in counts.items():
        most = max((ngrams(reference, order)[ngram] for reference in references), default=0)
        matches += min(count, most)
    return matches, sum(counts.values())


def best_match_length(hypothesis: Tokens, references: Sequence[Tokens]) -> int:
    """The reference length closest to the hypothesis; of two equally close ones the shorter."""
    return min((len(reference) for reference in references), key=lambda r: (abs(r - len(hypothesis)), r))


def precision(hypotheses: Sequence[Tokens], references: Sequence[Sequence[Tokens]], order: int) -> Fraction:
    """p_n of a corpus: sums of clipped counts over sums of counts; 0 where there is no n-gram at all."""
    pairs = [clipped(h, r, order) for h, r in zip(hypotheses, references, strict=True)]
    matches, totals = sum(m for m, _ in pairs), sum(t for _, t in pairs)
    return Fraction(matches, totals) if totals else Fraction(0)


def brevity_penalty(c: int, r: int) -> float:
    """BP = 1 if c > r else exp(1 - r/c); 0 for no words at all."""
    if c >= r:
        return 1.0
    return math.exp(1 - r / c) if c else 0.0


def bleu(hypotheses: Sequence[Tokens], references: Sequence[Sequence[Tokens]], max_order: int = 4) -> float:
    """BLEU of a corpus in points, uniform weights, no smoothing."""
    product = Fraction(1)
    for order in range(1, max_order + 1):
        product *= precision(hypotheses, references, order)
    c = sum(len(hypothesis) for hypothesis in hypotheses)
    r = sum(best_match_length(h, refs) for h, refs in zip(hypotheses, references, strict=True))
    return 100 * brevity_penalty(c, r) * float(product) ** (1 / max_order)
