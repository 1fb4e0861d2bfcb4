"""A small, plain BLEU, t and r, with which the generator checks its own targets.

This is a check and nothing else; the scoring of this project lives in `bleu_core`.
"""

import math
from collections import Counter
from collections.abc import Sequence

ORDERS = (1, 2, 3, 4)


def bleu(hypotheses: Sequence[str], references: Sequence[Sequence[str]]) -> float:
    """Return corpus BLEU as a fraction, computed as in Papineni et al. (2002).

    Lower case, tokens split at white space, orders 1 to 4 with equal weights, the closest reference length
    (the shorter of two), no smoothing.

    Args:
        hypotheses: a line for each segment.
        references: for each reference, a line for each segment.
    """
    matches, totals = Counter[int](), Counter[int]()
    length = reference_length = 0
    for hypothesis, *candidates in zip(hypotheses, *references, strict=True):
        words = hypothesis.lower().split()
        others = [candidate.lower().split() for candidate in candidates]
        length += len(words)
        reference_length += min((abs(len(other) - len(words)), len(other)) for other in others)[1]
        for order in ORDERS:
            counts = _ngrams(words, order)
            most = Counter[tuple[str, ...]]()
            for other in others:
                most |= _ngrams(other, order)
            matches[order] += (counts & most).total()
            totals[order] += counts.total()
    if not all(matches[order] for order in ORDERS):
        return 0.0
    mean = math.fsum(math.log(matches[order] / totals[order]) for order in ORDERS) / len(ORDERS)
    return math.exp(mean + min(0.0, 1 - reference_length / length))


def _ngrams(words: Sequence[str], order: int) -> Counter[tuple[str, ...]]:
    return Counter(tuple(words[at : at + order]) for at in range(len(words) - order + 1))


def block_scores(hypotheses: Sequence[str], references: Sequence[Sequence[str]], size: int) -> tuple[float, ...]:
    """Return the BLEU of each block of so many segments."""
    return tuple(
        bleu(hypotheses[at : at + size], [reference[at : at + size] for reference in references])
        for at in range(0, len(hypotheses), size)
    )


def paired_t(differences: Sequence[float]) -> float:
    """Return Student's t of paired differences against zero."""
    count = len(differences)
    mean = math.fsum(differences) / count
    variance = math.fsum((difference - mean) ** 2 for difference in differences) / (count - 1)
    return mean / math.sqrt(variance / count)


def pearson(xs: Sequence[float], ys: Sequence[float]) -> float:
    """Return the correlation coefficient of two rows of numbers."""
    x_mean, y_mean = math.fsum(xs) / len(xs), math.fsum(ys) / len(ys)
    joint = math.fsum((x - x_mean) * (y - y_mean) for x, y in zip(xs, ys, strict=True))
    x_spread = math.fsum((x - x_mean) ** 2 for x in xs)
    y_spread = math.fsum((y - y_mean) ** 2 for y in ys)
    return joint / math.sqrt(x_spread * y_spread)
