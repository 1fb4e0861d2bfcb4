"""The claims of Papineni et al. (2002), each tested on the data.

A claim is tested by a criterion of ours, which is said with it: the paper often gives none. It holds, it does not, or
these data cannot tell.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from bleu_core.paper import judge_claims, text_claims
from bleu_core.paper.repetition import PaperResults
from bleu_core.paper.text_claims import Outcome


@dataclass(frozen=True, slots=True, kw_only=True)
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


@dataclass(frozen=True, slots=True, kw_only=True)
class _Tested:
    """A claim with its test."""

    key: str
    place: str
    said: str
    criterion: str
    test: Callable[[PaperResults], Outcome]


_CLAIMS = (
    _Tested(
        key="human-from-machine",
        place="section 2.1.2, Figure 1",
        said="n-gram precision distinguishes a good human from a machine, and more so for longer n-grams",
        criterion="the ratio of the human's precision to the machine's is above 1 and grows with every order",
        test=text_claims.human_from_machine,
    ),
    _Tested(
        key="every-order-ranks-alike",
        place="section 2.1.2, Figure 2",
        said="every single n-gram order ranks the systems in the same way",
        criterion="the precisions of every order rank the systems identically",
        test=text_claims.every_order,
    ),
    _Tested(
        key="order-of-the-judges",
        place="section 2.1.2",
        said="BLEU ranks the systems as human judges do",
        criterion="BLEU and mean rating agree on every pair of systems, for every group of judges",
        test=judge_claims.order_of_judges,
    ),
    _Tested(
        key="exponential-decay",
        place="section 2.1.3",
        said="precision decays roughly exponentially with the n-gram order",
        criterion=(
            f"a straight line explains at least {text_claims.STRAIGHT:.0%} of the variance of log precision, for "
            "every system"
        ),
        test=text_claims.decay,
    ),
    _Tested(
        key="best-order",
        place="section 2.1.3",
        said="n-gram orders up to 4 correlate best with monolingual judges",
        criterion="among N = 1 to 9 (geometric mean, uniform weights), N = 4 has the highest Pearson's r",
        test=judge_claims.best_order,
    ),
    _Tested(
        key="comparable-orders",
        place="section 2.1.3",
        said="n-gram orders up to 3 or 5 correlate about as well with monolingual judges",
        criterion=f"Pearson's r for N = 3 and N = 5 differs from that for N = 4 by at most {judge_claims.COMPARABLE}",
        test=judge_claims.comparable_orders,
    ),
    _Tested(
        key="geometric-mean",
        place="section 2.1.3, footnote 6",
        said="the geometric mean correlates slightly better with the judges than the best arithmetic mean",
        criterion="the highest Pearson's r of the geometric means is above that of the arithmetic means",
        test=judge_claims.geometric_mean,
    ),
    _Tested(
        key="no-vanished-precision",
        place="section 2.1.3, footnote 5",
        said="a precision of 0 is extremely rare in a corpus of reasonable size",
        criterion="every system has matches at every order up to 4",
        test=text_claims.vanished,
    ),
    _Tested(
        key="averaged-penalties",
        place="section 2.2.2",
        said="averaging segment-level brevity penalties punishes more than one penalty for the corpus",
        criterion="the mean segment-level penalty is below the corpus penalty, for every system",
        test=text_claims.averaged_penalties,
    ),
    _Tested(
        key="short-segments",
        place="section 2.2.2",
        said="segment-level brevity penalties would be harshest on short segments",
        criterion="the shortest quarter of the segments has the lowest mean penalty, for every system",
        test=text_claims.short_segments,
    ),
    _Tested(
        key="log-domain",
        place="section 2.3",
        said="the ranking of the systems is more apparent in log BLEU than in BLEU",
        criterion="the smallest difference between two systems is a larger share of the range in log BLEU than in BLEU",
        test=text_claims.log_domain,
    ),
    _Tested(
        key="more-references",
        place="section 3",
        said="the more references there are, the higher the score",
        criterion="the mean score over all sets of references grows with their number, for every system",
        test=text_claims.more_references,
    ),
    _Tested(
        key="block-means",
        place="section 3, Tables 1 and 2",
        said="means over blocks stay close to the score of the whole",
        criterion="corpus BLEU lies in the 95% interval of the mean over blocks, for every system",
        test=text_claims.block_means,
    ),
    _Tested(
        key="neighbours-differ",
        place="section 3, Table 2",
        said="the differences between neighbouring systems are significant",
        criterion="every paired t over the blocks is above the one-sided 5% critical value",
        test=text_claims.neighbours_differ,
    ),
    _Tested(
        key="single-reference",
        place="section 3",
        said="with a single reference per document, drawn at random, the systems keep their order",
        criterion=f"the order is kept in at least {text_claims.SHARE:.0%} of the draws",
        test=text_claims.single_reference,
    ),
    _Tested(
        key="judges-tell-neighbours-apart",
        place="section 4.1, Figure 3",
        said="monolingual judges distinguish every system from its neighbour",
        criterion="every mean difference is positive and its 95% interval excludes 0",
        test=judge_claims.judges_tell,
    ),
    _Tested(
        key="bilingual-judges-and-humans",
        place="section 4.2, Figure 4",
        said="bilingual judges distinguish S3 from S2, but not the two humans from each other",
        criterion="the 95% interval excludes 0 for S3 and S2, and includes 0 for H2 and H1",
        test=judge_claims.bilinguals,
    ),
    _Tested(
        key="large-gap",
        place="section 5, Figure 7",
        said="the largest gap is between machines and humans",
        criterion=(
            "the largest mean difference between neighbours is between a human and a machine, for every group of judges"
        ),
        test=judge_claims.gap,
    ),
    _Tested(
        key="tracks-the-judges",
        place="section 5, Figures 5 and 6",
        said="BLEU tracks human judgment well",
        criterion="the 95% interval of Pearson's r lies above 0, for every group of judges",
        test=judge_claims.tracks,
    ),
    _Tested(
        key="closer-to-monolingual-judges",
        place="section 5",
        said="BLEU agrees better with monolingual judges than with bilingual ones",
        criterion="Pearson's r is higher for the monolingual group",
        test=judge_claims.closer,
    ),
)


def claims(found: PaperResults) -> tuple[Claim, ...]:
    """Test every claim, in the order of the paper."""
    outcomes = ((one, one.test(found)) for one in _CLAIMS)
    return tuple(
        Claim(
            key=one.key,
            place=one.place,
            said=one.said,
            criterion=one.criterion,
            holds=outcome.holds,
            found=outcome.found,
            reason=outcome.reason,
        )
        for one, outcome in outcomes
    )
