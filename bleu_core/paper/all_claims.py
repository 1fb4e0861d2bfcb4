"""What Papineni et al. (2002) claim, each claim tested on the data at hand.

A claim is tested by a criterion of ours, which is said with it: the paper often gives none. It holds, it does not, or
these data cannot tell.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from bleu_core.paper import judge_claims, text_claims
from bleu_core.paper.repetition import Experiment
from bleu_core.paper.text_claims import Outcome


@dataclass(frozen=True, slots=True)
class Claim:
    """A claim and what these data say to it.

    Attributes:
        key: a short name that stays.
        place: where in the paper.
        said: the claim in other words.
        criterion: when it counts as true.
        holds: None where the data cannot tell.
        found: what was seen, in words, BLEU from 0 to 1; empty where the data cannot tell.
        reason: why they cannot, else empty.
    """

    key: str
    place: str
    said: str
    criterion: str
    holds: bool | None
    found: str
    reason: str = ""


@dataclass(frozen=True, slots=True)
class _Tested:
    """A claim with its test."""

    key: str
    place: str
    said: str
    criterion: str
    test: Callable[[Experiment], Outcome]


_CLAIMS = (
    _Tested(
        "human-from-machine",
        "section 2.1.2, Figure 1",
        "n-gram precision tells a good human from a machine, and the more clearly the longer the n-grams",
        "the human's precision is a multiple of the machine's that is above 1 and grows with every order",
        text_claims.human_from_machine,
    ),
    _Tested(
        "every-order-ranks-alike",
        "section 2.1.2, Figure 2",
        "each single order of n-grams ranks the systems in the same way",
        "precisions of every order put all systems in one order",
        text_claims.every_order,
    ),
    _Tested(
        "order-of-the-judges",
        "section 2.1.2",
        "the systems rank as human judges rank them",
        "BLEU and mean rating agree on every pair of systems, for every group of judges",
        judge_claims.order_of_judges,
    ),
    _Tested(
        "exponential-decay",
        "section 2.1.3",
        "precision decays roughly exponentially with the order",
        f"a line explains at least {text_claims.STRAIGHT:.0%} of the variance of log precision, for every system",
        text_claims.decay,
    ),
    _Tested(
        "best-order",
        "section 2.1.3",
        "orders up to 4 follow monolingual judges best",
        "of N from 1 to 9, uniform weights and the geometric mean, N = 4 has the highest Pearson correlation",
        judge_claims.best_order,
    ),
    _Tested(
        "comparable-orders",
        "section 2.1.3",
        "orders up to 3 or 5 follow monolingual judges about as well",
        f"their correlations differ from that of N = 4 by at most {judge_claims.COMPARABLE}",
        judge_claims.comparable_orders,
    ),
    _Tested(
        "geometric-mean",
        "section 2.1.3, footnote 6",
        "the geometric mean follows judges a little better than the best arithmetic mean",
        "the highest Pearson correlation of geometric means is above that of arithmetic means",
        judge_claims.geometric_mean,
    ),
    _Tested(
        "no-vanished-precision",
        "section 2.1.3, footnote 5",
        "a precision of 0 is an extremely rare event in a corpus of reasonable size",
        "no system has an order, up to 4, without any match",
        text_claims.vanished,
    ),
    _Tested(
        "averaged-penalties",
        "section 2.2.2",
        "averaging the segments' own brevity penalties is harsher than one penalty for the corpus",
        "the mean of the segments' penalties is below the corpus's, for every system",
        text_claims.averaged_penalties,
    ),
    _Tested(
        "short-segments",
        "section 2.2.2",
        "averaged, they would be harshest on short segments",
        "the shortest quarter of the segments has the lowest mean penalty, for every system",
        text_claims.short_segments,
    ),
    _Tested(
        "log-domain",
        "section 2.3",
        "the ranking of the systems is more apparent in log BLEU",
        "the least difference of two systems is a larger share of the range of all in log BLEU than in BLEU",
        text_claims.log_domain,
    ),
    _Tested(
        "more-references",
        "section 3",
        "the more references there are, the higher is the score",
        "the mean over all sets of references grows with their number, for every system",
        text_claims.more_references,
    ),
    _Tested(
        "block-means",
        "section 3, Tables 1 and 2",
        "means over blocks stay close to the score of the whole",
        "corpus BLEU lies in the 95 % interval of the mean over blocks, for every system",
        text_claims.block_means,
    ),
    _Tested(
        "neighbours-differ",
        "section 3, Table 2",
        "the differences between neighbouring systems are significant",
        "every paired t over the blocks is above the one-sided 5 % point",
        text_claims.neighbours_differ,
    ),
    _Tested(
        "single-reference",
        "section 3",
        "with a single reference, drawn for each document, systems keep their order",
        f"they do in at least {text_claims.SHARE:.0%} of the draws",
        text_claims.single_reference,
    ),
    _Tested(
        "judges-tell-neighbours-apart",
        "section 4.1, Figure 3",
        "monolingual judges tell every system from its neighbour",
        "every mean difference is positive and its 95 % interval leaves out 0",
        judge_claims.judges_tell,
    ),
    _Tested(
        "bilingual-judges-and-humans",
        "section 4.2, Figure 4",
        "bilingual judges tell S3 from S2, but not the two humans apart",
        "the 95 % interval leaves out 0 for S3 and S2, and holds 0 for H2 and H1",
        judge_claims.bilinguals,
    ),
    _Tested(
        "large-gap",
        "section 5, Figure 7",
        "the gap between machines and humans is the largest",
        "the largest mean difference of neighbours is between a human and a machine, for every group of judges",
        judge_claims.gap,
    ),
    _Tested(
        "tracks-the-judges",
        "section 5, Figures 5 and 6",
        "BLEU tracks human judgment well",
        "the 95 % interval of Pearson's r lies above 0, for every group of judges",
        judge_claims.tracks,
    ),
    _Tested(
        "closer-to-monolingual-judges",
        "section 5",
        "BLEU is closer to monolingual judges than to bilingual ones",
        "Pearson's r is higher with the monolingual group",
        judge_claims.closer,
    ),
)


def claims(found: Experiment) -> tuple[Claim, ...]:
    """Test every claim, in the order of the paper."""
    outcomes = ((one, one.test(found)) for one in _CLAIMS)
    return tuple(
        Claim(one.key, one.place, one.said, one.criterion, outcome.holds, outcome.found, outcome.reason)
        for one, outcome in outcomes
    )
