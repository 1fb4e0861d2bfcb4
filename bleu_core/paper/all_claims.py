"""The claims of Papineni et al. (2002), each tested on the data.

The criterion of a test is often not the paper's, which gives none, and is therefore stated. A claim holds, does not
hold, or cannot be tested on the data.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from bleu_core.paper import judge_claims, text_claims
from bleu_core.paper.repetition import PaperResults
from bleu_core.paper.text_claims import Outcome, not_testable
from bleu_core.scoring import Basis


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """A claim with the result of its test.

    Attributes:
        key: a short, stable name.
        place: section or figure of the paper.
        said: the claim, paraphrased.
        criterion: condition under which it holds.
        holds: None if it cannot be tested.
        found: the statistics, in words, with BLEU from 0 to 1; empty if it cannot be tested.
        reason: why it cannot be tested; empty if it can.
    """

    key: str
    place: str
    said: str
    criterion: str
    holds: bool | None
    found: str
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class _TestableClaim:
    """A claim with the function that tests it.

    Attributes:
        compares: what the comparison of systems rests on; empty for claims about each system by itself.
    """

    key: str
    place: str
    statement: str
    criterion: str
    test: Callable[[PaperResults], Outcome]
    compares: tuple[Basis, ...] = ()


_CLAIMS = (
    _TestableClaim(
        key="human-from-machine",
        place="section 2.1.2, Figure 1",
        statement="n-gram precision distinguishes a good human from a machine, and more so for longer n-grams",
        criterion="the ratio of the human's precision to the machine's is above 1 and grows with every order",
        test=text_claims.human_from_machine,
        compares=("references",),
    ),
    _TestableClaim(
        key="every-order-ranks-alike",
        place="section 2.1.2, Figure 2",
        statement="every single n-gram order ranks the systems in the same way",
        criterion="the precisions of every order rank the systems identically",
        test=text_claims.every_order,
        compares=("references",),
    ),
    _TestableClaim(
        key="order-of-the-judges",
        place="section 2.1.2",
        statement="BLEU ranks the systems as human judges do",
        criterion="BLEU and mean rating agree on every pair of systems, for every group of judges",
        test=judge_claims.order_of_judges,
        compares=("references", "raw ratings"),
    ),
    _TestableClaim(
        key="exponential-decay",
        place="section 2.1.3",
        statement="precision decays roughly exponentially with the n-gram order",
        criterion=(
            f"a straight line explains at least {text_claims.MIN_LINEAR_R_SQUARED:.0%} of the variance of log "
            "precision, for every system"
        ),
        test=text_claims.decay,
    ),
    _TestableClaim(
        key="best-order",
        place="section 2.1.3",
        statement="n-gram orders up to 4 correlate best with monolingual judges",
        criterion="among N = 1 to 9 (geometric mean, uniform weights), N = 4 has the highest Pearson's r",
        test=judge_claims.best_order,
        compares=("references", "raw ratings"),
    ),
    _TestableClaim(
        key="comparable-orders",
        place="section 2.1.3",
        statement="n-gram orders up to 3 or 5 correlate about as well with monolingual judges",
        criterion=(
            "Pearson's r for N = 3 and N = 5 differs from that for N = 4 by at most "
            f"{judge_claims.MAX_COMPARABLE_DIFFERENCE}"
        ),
        test=judge_claims.comparable_orders,
        compares=("references", "raw ratings"),
    ),
    _TestableClaim(
        key="geometric-mean",
        place="section 2.1.3, footnote 6",
        statement="the geometric mean correlates slightly better with the judges than the best arithmetic mean",
        criterion="the highest Pearson's r of the geometric means is above that of the arithmetic means",
        test=judge_claims.geometric_mean,
        compares=("references", "raw ratings"),
    ),
    _TestableClaim(
        key="no-vanished-precision",
        place="section 2.1.3, footnote 5",
        statement="a precision of 0 is extremely rare in a corpus of reasonable size",
        criterion="every system has matches at every order up to 4",
        test=text_claims.vanished,
    ),
    _TestableClaim(
        key="averaged-penalties",
        place="section 2.2.2",
        statement="averaging segment-level brevity penalties punishes more than one penalty for the corpus",
        criterion="the mean segment-level penalty is below the corpus penalty, for every system",
        test=text_claims.averaged_penalties,
    ),
    _TestableClaim(
        key="short-segments",
        place="section 2.2.2",
        statement="segment-level brevity penalties would be harshest on short segments",
        criterion="the shortest quarter of the segments has the lowest mean penalty, for every system",
        test=text_claims.short_segments,
    ),
    _TestableClaim(
        key="log-domain",
        place="section 2.3",
        statement="the ranking of the systems is more apparent in log BLEU than in BLEU",
        criterion="the smallest difference between two systems is a larger share of the range in log BLEU than in BLEU",
        test=text_claims.log_domain,
        compares=("references",),
    ),
    _TestableClaim(
        key="more-references",
        place="section 3",
        statement="the more references there are, the higher the score",
        criterion="the mean score over all sets of references grows with their number, for every system",
        test=text_claims.more_references,
    ),
    _TestableClaim(
        key="block-means",
        place="section 3, Tables 1 and 2",
        statement="means over blocks stay close to the score of the whole",
        criterion="corpus BLEU lies in the 95% interval of the mean over blocks, for every system",
        test=text_claims.block_means,
    ),
    _TestableClaim(
        key="neighbours-differ",
        place="section 3, Table 2",
        statement="the differences between neighbouring systems are significant",
        criterion="every paired t over the blocks is above the one-sided 5% critical value",
        test=text_claims.neighbours_differ,
        compares=("references",),
    ),
    _TestableClaim(
        key="single-reference",
        place="section 3",
        statement="with a single reference per document, drawn at random, the systems keep their order",
        criterion=f"the order is kept in at least {text_claims.MIN_ORDER_SHARE:.0%} of the draws",
        test=text_claims.single_reference,
        compares=("references",),
    ),
    _TestableClaim(
        key="judges-tell-neighbours-apart",
        place="section 4.1, Figure 3",
        statement="monolingual judges distinguish every system from its neighbour",
        criterion="every mean difference is positive and its 95% interval excludes 0",
        test=judge_claims.judges_tell,
        compares=("raw ratings",),
    ),
    _TestableClaim(
        key="bilingual-judges-and-humans",
        place="section 4.2, Figure 4",
        statement="bilingual judges distinguish S3 from S2, but not the two humans from each other",
        criterion="the 95% interval excludes 0 for S3 and S2, and includes 0 for H2 and H1",
        test=judge_claims.bilinguals,
        compares=("raw ratings",),
    ),
    _TestableClaim(
        key="large-gap",
        place="section 5, Figure 7",
        statement="the largest gap is between machines and humans",
        criterion=(
            "the largest mean difference between neighbours is between a human and a machine, for every group of judges"
        ),
        test=judge_claims.gap,
        compares=("raw ratings",),
    ),
    _TestableClaim(
        key="tracks-the-judges",
        place="section 5, Figures 5 and 6",
        statement="BLEU tracks human judgment well",
        criterion="the 95% interval of Pearson's r lies above 0, for every group of judges",
        test=judge_claims.tracks,
        compares=("references", "raw ratings"),
    ),
    _TestableClaim(
        key="closer-to-monolingual-judges",
        place="section 5",
        statement="BLEU agrees better with monolingual judges than with bilingual ones",
        criterion="Pearson's r is higher for the monolingual group",
        test=judge_claims.closer,
        compares=("references", "raw ratings"),
    ),
)


def claims(results: PaperResults, obstacles: Mapping[Basis, str] = MappingProxyType({})) -> tuple[Claim, ...]:
    """Test every claim, in the order of the paper.

    Args:
        results: of the repeated experiment.
        obstacles: what scores or ratings rest on -> why systems are not comparable by them; claims that compare
            systems by these cannot be tested.
    """
    outcomes = ((claim, _tested(claim, results, obstacles)) for claim in _CLAIMS)
    return tuple(
        Claim(
            key=claim.key,
            place=claim.place,
            said=claim.statement,
            criterion=claim.criterion,
            holds=outcome.holds,
            found=outcome.evidence,
            reason=outcome.reason,
        )
        for claim, outcome in outcomes
    )


def _tested(claim: _TestableClaim, results: PaperResults, obstacles: Mapping[Basis, str]) -> Outcome:
    outcome = claim.test(results)
    reason = next((obstacles[basis] for basis in claim.compares if basis in obstacles), "")
    return not_testable(reason) if reason and outcome.holds is not None else outcome
