"""The claims of Papineni et al. (2002), each tested on the data.

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
    """A claim and its test on the data.

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
        "n-gram precision distinguishes a good human from a machine, and more so for longer n-grams",
        "the ratio of the human's precision to the machine's is above 1 and grows with every order",
        text_claims.human_from_machine,
    ),
    _Tested(
        "every-order-ranks-alike",
        "section 2.1.2, Figure 2",
        "every single n-gram order ranks the systems in the same way",
        "the precisions of every order rank the systems identically",
        text_claims.every_order,
    ),
    _Tested(
        "order-of-the-judges",
        "section 2.1.2",
        "BLEU ranks the systems as human judges do",
        "BLEU and mean rating agree on every pair of systems, for every group of judges",
        judge_claims.order_of_judges,
    ),
    _Tested(
        "exponential-decay",
        "section 2.1.3",
        "precision decays roughly exponentially with the n-gram order",
        (
            f"a straight line explains at least {text_claims.STRAIGHT:.0%} of the variance of log precision, for "
            "every system"
        ),
        text_claims.decay,
    ),
    _Tested(
        "best-order",
        "section 2.1.3",
        "n-gram orders up to 4 correlate best with monolingual judges",
        "among N = 1 to 9 (geometric mean, uniform weights), N = 4 has the highest Pearson's r",
        judge_claims.best_order,
    ),
    _Tested(
        "comparable-orders",
        "section 2.1.3",
        "n-gram orders up to 3 or 5 correlate about as well with monolingual judges",
        f"Pearson's r for N = 3 and N = 5 differs from that for N = 4 by at most {judge_claims.COMPARABLE}",
        judge_claims.comparable_orders,
    ),
    _Tested(
        "geometric-mean",
        "section 2.1.3, footnote 6",
        "the geometric mean correlates slightly better with the judges than the best arithmetic mean",
        "the highest Pearson's r of the geometric means is above that of the arithmetic means",
        judge_claims.geometric_mean,
    ),
    _Tested(
        "no-vanished-precision",
        "section 2.1.3, footnote 5",
        "a precision of 0 is extremely rare in a corpus of reasonable size",
        "every system has matches at every order up to 4",
        text_claims.vanished,
    ),
    _Tested(
        "averaged-penalties",
        "section 2.2.2",
        "averaging segment-level brevity penalties punishes more than one penalty for the corpus",
        "the mean segment-level penalty is below the corpus penalty, for every system",
        text_claims.averaged_penalties,
    ),
    _Tested(
        "short-segments",
        "section 2.2.2",
        "segment-level brevity penalties would be harshest on short segments",
        "the shortest quarter of the segments has the lowest mean penalty, for every system",
        text_claims.short_segments,
    ),
    _Tested(
        "log-domain",
        "section 2.3",
        "the ranking of the systems is more apparent in log BLEU than in BLEU",
        "the smallest difference between two systems is a larger share of the range in log BLEU than in BLEU",
        text_claims.log_domain,
    ),
    _Tested(
        "more-references",
        "section 3",
        "the more references there are, the higher the score",
        "the mean score over all sets of references grows with their number, for every system",
        text_claims.more_references,
    ),
    _Tested(
        "block-means",
        "section 3, Tables 1 and 2",
        "means over blocks stay close to the score of the whole",
        "corpus BLEU lies in the 95% interval of the mean over blocks, for every system",
        text_claims.block_means,
    ),
    _Tested(
        "neighbours-differ",
        "section 3, Table 2",
        "the differences between neighbouring systems are significant",
        "every paired t over the blocks is above the one-sided 5% critical value",
        text_claims.neighbours_differ,
    ),
    _Tested(
        "single-reference",
        "section 3",
        "with a single reference per document, drawn at random, the systems keep their order",
        f"the order is kept in at least {text_claims.SHARE:.0%} of the draws",
        text_claims.single_reference,
    ),
    _Tested(
        "judges-tell-neighbours-apart",
        "section 4.1, Figure 3",
        "monolingual judges distinguish every system from its neighbour",
        "every mean difference is positive and its 95% interval excludes 0",
        judge_claims.judges_tell,
    ),
    _Tested(
        "bilingual-judges-and-humans",
        "section 4.2, Figure 4",
        "bilingual judges distinguish S3 from S2, but not the two humans from each other",
        "the 95% interval excludes 0 for S3 and S2, and includes 0 for H2 and H1",
        judge_claims.bilinguals,
    ),
    _Tested(
        "large-gap",
        "section 5, Figure 7",
        "the largest gap is between machines and humans",
        ("the largest mean difference between neighbours is between a human and a machine, for every group of judges"),
        judge_claims.gap,
    ),
    _Tested(
        "tracks-the-judges",
        "section 5, Figures 5 and 6",
        "BLEU tracks human judgment well",
        "the 95% interval of Pearson's r lies above 0, for every group of judges",
        judge_claims.tracks,
    ),
    _Tested(
        "closer-to-monolingual-judges",
        "section 5",
        "BLEU agrees better with monolingual judges than with bilingual ones",
        "Pearson's r is higher for the monolingual group",
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
