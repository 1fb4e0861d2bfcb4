"""Tests of the paper's claims on the data.

The criterion of a test is often not the paper's, which gives none, and is therefore stated. A claim holds, does not
hold, or cannot be tested on the data.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from operator import itemgetter
from types import MappingProxyType

import numpy as np

from bleu_core.arrays import Floats
from bleu_core.fields import field, result, table_of
from bleu_core.inference import DECIMALS, one_sample_t
from bleu_core.paper.combining import MEANS, Mean
from bleu_core.paper.judge_groups import GroupAgreement, GroupDifferences
from bleu_core.paper.printed import BEST_ORDER, BILINGUAL, COMPARABLE_ORDERS, MONOLINGUAL, corresponds
from bleu_core.paper.repetition import PaperResults
from bleu_core.paper.shared import NO_JUDGMENTS, POINTS, group_name
from bleu_core.paper.step import PaperInput, Step, StepResult
from bleu_core.scoring import Basis, fit_decay

#: Minimum share of the variance of log p_n that a line explains if the decay is exponential.
MIN_LINEAR_R_SQUARED = 0.95

#: Minimum share of draws in which the order holds.
MIN_ORDER_SHARE = 0.95

#: Maximum difference of comparable correlations.
MAX_COMPARABLE_DIFFERENCE = 0.01

#: With two systems, the smallest difference is the range.
TWO_SYSTEMS = 2

ONE_SYSTEM, NO_HUMANS = "1 system, at least 2 needed", "no human translator is named"

VERDICTS: Mapping[bool | None, str] = {True: "yes", False: "no", None: "cannot be tested"}


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


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of the test of a claim: its `holds`, `found` and `reason`."""

    holds: bool | None
    found: str = ""
    reason: str = ""


@result
class Row:
    """A claim."""

    place: str = field("text", "Location in the paper.")
    claim: str = field("text", "The claim, paraphrased.")
    criterion: str = field("text", "Criterion by which the claim is tested here.")
    holds: str = field("text", "Whether the claim holds on these data.")
    found: str = field("text", "What these data show (BLEU from 0 to 1), or why the claim cannot be tested.")


Test = Callable[[PaperResults], Outcome]

#: Tests of all claims, in the order of the paper.
_TESTS: list[Callable[[PaperResults, Mapping[Basis, str]], Claim]] = []


def _claim(
    key: str, place: str, said: str, criterion: str, *, compares: tuple[Basis, ...] = ()
) -> Callable[[Test], Test]:
    """Declare the claim that a function tests.

    Args:
        key: as in Claim, like the arguments that follow.
        place: section or figure of the paper.
        said: the claim, paraphrased.
        criterion: condition under which it holds.
        compares: what the comparison of systems rests on; empty for claims about each system by itself.
    """

    def declare(test: Test) -> Test:
        def tested(results: PaperResults, obstacles: Mapping[Basis, str]) -> Claim:
            outcome = test(results)
            obstacle = next((obstacles[basis] for basis in compares if basis in obstacles), "")
            if obstacle and outcome.holds is not None:
                outcome = not_testable(obstacle)
            return Claim(
                key=key,
                place=place,
                said=said,
                criterion=criterion,
                holds=outcome.holds,
                found=outcome.found,
                reason=outcome.reason,
            )

        _TESTS.append(tested)
        return test

    return declare


def claims(results: PaperResults, obstacles: Mapping[Basis, str] = MappingProxyType({})) -> tuple[Claim, ...]:
    """Test every claim, in the order of the paper.

    Args:
        results: of the repeated experiment.
        obstacles: what scores or ratings rest on -> why systems are not comparable by them; claims that compare
            systems by these cannot be tested.
    """
    return tuple(tested(results, obstacles) for tested in _TESTS)


def compute(data: PaperInput) -> StepResult:
    """Test every claim."""
    tested = claims(data.results, data.obstacles)
    rows = [
        Row(place=c.place, claim=c.said, criterion=c.criterion, holds=VERDICTS[c.holds], found=c.found or c.reason)
        for c in tested
    ]
    return StepResult(tested, tables=(table_of(rows, Row),))


def not_testable(reason: str) -> Outcome:
    """Return the outcome of a claim that cannot be tested on the data."""
    return Outcome(None, reason=reason)


@_claim(
    "human-from-machine",
    "section 2.1.2, Figure 1",
    "n-gram precision distinguishes a good human from a machine, and more so for longer n-grams",
    "the ratio of the human's precision to the machine's is above 1 and grows with every order",
    compares=("references",),
)
def human_from_machine(results: PaperResults) -> Outcome:
    """Compare the precisions of Figure 1."""
    figure = results.figure_1
    if len(figure.systems) == 1 or [name in results.humans for name in figure.systems] != [False, True]:
        return not_testable(NO_HUMANS)
    machine, human = figure.systems
    lower, higher = np.nan_to_num(figure.precisions)
    if not lower[0]:
        return not_testable(f"{machine} has no matches")
    ratios = np.divide(higher, lower, out=np.full(len(lower), np.inf), where=lower > 0)
    holds = bool(ratios[0] > 1 and (higher > 0).all() and (ratios[1:] > ratios[:-1]).all())
    ratio_list = " ".join("∞" if math.isinf(r) else f"{r:.2f}" for r in ratios)
    return Outcome(holds, f"ratio of {human}'s precisions to {machine}'s: {ratio_list}")


@_claim(
    "every-order-ranks-alike",
    "section 2.1.2, Figure 2",
    "every single n-gram order ranks the systems in the same way",
    "the precisions of every order rank the systems identically",
    compares=("references",),
)
def every_order(results: PaperResults) -> Outcome:
    """Test whether all orders of Figure 2 give the same ranking."""
    rankings = results.figure_2.rankings
    if len(results.figure_2.systems) == 1:
        return not_testable(ONE_SYSTEM)
    if len(rankings) == 1:
        return not_testable("1 order, at least 2 needed")
    others = [str(n) for n, ranking in enumerate(rankings, start=1) if ranking != rankings[0]]
    if not others:
        return Outcome(holds=True, found=f"orders 1 to {len(rankings)} give the same ranking: {' '.join(rankings[0])}")
    return Outcome(holds=False, found=f"ranking differs from that of order 1: {_orders(others)}")


@_claim(
    "order-of-the-judges",
    "section 2.1.2",
    "BLEU ranks the systems as human judges do",
    "BLEU and mean rating agree on every pair of systems, for every group of judges",
    compares=("references", "raw ratings"),
)
def order_of_judges(results: PaperResults) -> Outcome:
    """Test whether BLEU and ratings order systems alike."""
    agreements = [a for a in _agreements(results) if a.everyone.pairwise_accuracy.pairs]
    if not agreements:
        return not_testable("fewer than 2 systems with ratings" if results.ratings else NO_JUDGMENTS)
    accuracies = [(a, a.everyone.pairwise_accuracy) for a in agreements]
    evidence = ", ".join(f"{group_name(a.group)}: {p.agreeing} of {p.pairs} pairs" for a, p in accuracies)
    return Outcome(all(p.agreeing == p.pairs for _, p in accuracies), evidence)


@_claim(
    "exponential-decay",
    "section 2.1.3",
    "precision decays roughly exponentially with the n-gram order",
    f"a straight line explains at least {MIN_LINEAR_R_SQUARED:.0%} of the variance of log precision, for every system",
)
def decay(results: PaperResults) -> Outcome:
    """Test how linear the decay of log precision is."""
    fits = dict(zip(results.evaluation.systems, fit_decay(results.evaluation.scores), strict=True))
    known = {name: fit.r_squared for name, fit in fits.items() if not math.isnan(fit.r_squared)}
    if not known:
        return not_testable("no system has 3 orders with matches")
    worst = min(known, key=lambda name: known[name])
    return Outcome(known[worst] >= MIN_LINEAR_R_SQUARED, f"at least {known[worst]:.1%} ({worst})")


@_claim(
    "best-order",
    "section 2.1.3",
    "n-gram orders up to 4 correlate best with monolingual judges",
    "among N = 1 to 9 (geometric mean, uniform weights), N = 4 has the highest Pearson's r",
    compares=("references", "raw ratings"),
)
def best_order(results: PaperResults) -> Outcome:
    """Find the N with the highest correlation."""
    correlations = _r_by_order(results)
    if not correlations:
        return not_testable(_why_uncorrelated(results))
    top, r = max(correlations.items(), key=itemgetter(1))
    label = group_name(_monolingual(results))
    return Outcome(top == BEST_ORDER, f"{label}: N = {top} with {r:z.4f}; {_by_order(correlations)}")


@_claim(
    "comparable-orders",
    "section 2.1.3",
    "n-gram orders up to 3 or 5 correlate about as well with monolingual judges",
    f"Pearson's r for N = 3 and N = 5 differs from that for N = 4 by at most {MAX_COMPARABLE_DIFFERENCE}",
    compares=("references", "raw ratings"),
)
def comparable_orders(results: PaperResults) -> Outcome:
    """Compare the correlations for N = 3 and 5 with that for N = 4."""
    correlations = _r_by_order(results)
    if any(n not in correlations for n in (BEST_ORDER, *COMPARABLE_ORDERS)):
        return not_testable(_why_uncorrelated(results))
    distance = max(abs(correlations[n] - correlations[BEST_ORDER]) for n in COMPARABLE_ORDERS)
    evidence = f"{group_name(_monolingual(results))}: {_by_order(correlations)}"
    return Outcome(distance <= MAX_COMPARABLE_DIFFERENCE, evidence)


@_claim(
    "geometric-mean",
    "section 2.1.3, footnote 6",
    "the geometric mean correlates slightly better with the judges than the best arithmetic mean",
    "the highest Pearson's r of the geometric means is above that of the arithmetic means",
    compares=("references", "raw ratings"),
)
def geometric_mean(results: PaperResults) -> Outcome:
    """Compare the best correlations of both means."""
    by_mean = [_r_by_order(results, mean) for mean in MEANS]
    if not all(by_mean):
        return not_testable(_why_uncorrelated(results))
    tops = [max(correlations.items(), key=itemgetter(1)) for correlations in by_mean]
    evidence = [f"{mean} {r:z.4f} at N = {n}" for mean, (n, r) in zip(MEANS, tops, strict=True)]
    (_, geometric), (_, arithmetic) = tops
    return Outcome(geometric > arithmetic, f"{group_name(_monolingual(results))}: {', '.join(evidence)}")


@_claim(
    "no-vanished-precision",
    "section 2.1.3, footnote 5",
    "a precision of 0 is extremely rare in a corpus of reasonable size",
    "every system has matches at every order up to 4",
)
def vanished(results: PaperResults) -> Outcome:
    """Test whether a precision is 0."""
    matches = results.figure_2.matches[:, :BEST_ORDER]
    empty = [name for name, row in zip(results.figure_2.systems, matches, strict=True) if not row.all()]
    blocks = int(results.table_2.zero_blocks.sum())
    evidence = f"no match at some order: {', '.join(empty)}" if empty else "every order has matches"
    return Outcome(not empty, f"{evidence}; of {results.table_2.scores.size} blocks {blocks} score 0")


@_claim(
    "averaged-penalties",
    "section 2.2.2",
    "averaging segment-level brevity penalties punishes more than one penalty for the corpus",
    "the mean segment-level penalty is below the corpus penalty, for every system",
)
def averaged_penalties(results: PaperResults) -> Outcome:
    """Compare the mean segment-level penalty with that of the corpus."""
    penalties = results.penalties
    if (penalties.means == 1).all():
        return not_testable("no segment is shorter than its reference")
    evidence = _per_system(
        penalties.systems, [f"{m:.3f} (corpus {c:.3f})" for m, c in zip(penalties.means, penalties.corpus, strict=True)]
    )
    return Outcome(bool((penalties.means < penalties.corpus).all()), evidence)


@_claim(
    "short-segments",
    "section 2.2.2",
    "segment-level brevity penalties would be harshest on short segments",
    "the shortest quarter of the segments has the lowest mean penalty, for every system",
)
def short_segments(results: PaperResults) -> Outcome:
    """Compare segment-level penalties by length."""
    penalties = results.penalties
    if (penalties.means == 1).all():
        return not_testable("no segment is shorter than its reference")
    if len(penalties.bands) == 1:
        return not_testable("1 segment, at least 2 needed")
    by_band = np.array([band.penalties for band in penalties.bands])
    evidence = _per_system(penalties.systems, [" ".join(f"{p:.3f}" for p in column) for column in by_band.T])
    return Outcome(bool((by_band[0] < by_band[1:]).all()), f"from the shortest to the longest: {evidence}")


@_claim(
    "log-domain",
    "section 2.3",
    "the ranking of the systems is more apparent in log BLEU than in BLEU",
    "the smallest difference between two systems is a larger share of the range in log BLEU than in BLEU",
    compares=("references",),
)
def log_domain(results: PaperResults) -> Outcome:
    """Compare the smallest difference between two systems in BLEU and in log BLEU."""
    definition = results.definitions[0]
    if len(definition.systems) == 1:
        return not_testable(ONE_SYSTEM)
    if not np.isfinite(definition.log_bleu).all():
        return not_testable("the logarithm of a score of 0 is undefined")
    if len(definition.systems) == TWO_SYSTEMS:
        return not_testable("2 systems, at least 3 needed")
    if len(set(definition.scores.round(DECIMALS).tolist())) < len(definition.systems):
        return not_testable("two systems have the same score")
    share_in_bleu, share_in_log = (_closest(values) for values in (definition.scores, definition.log_bleu))
    evidence = f"smallest difference: {share_in_bleu:.2%} of the range in BLEU, {share_in_log:.2%} in log BLEU"
    return Outcome(share_in_log > share_in_bleu, evidence)


@_claim(
    "more-references",
    "section 3",
    "the more references there are, the higher the score",
    "the mean score over all sets of references grows with their number, for every system",
)
def more_references(results: PaperResults) -> Outcome:
    """Test whether BLEU increases with the number of references."""
    numbers = results.references_by_number.numbers
    if len(numbers) == 1:
        return not_testable("one number of references, at least 2 needed")
    means = np.array([[system.mean for system in number.by_system] for number in numbers])
    label = " ".join(str(number.number) for number in numbers)
    evidence = _per_system(results.references_by_number.systems, [" ".join(map(_unit, column)) for column in means.T])
    return Outcome(bool((np.diff(means, axis=0) > 0).all()), f"BLEU with {label} references: {evidence}")


@_claim(
    "block-means",
    "section 3, Tables 1 and 2",
    "means over blocks stay close to the score of the whole",
    "corpus BLEU lies in the 95% interval of the mean over blocks, for every system",
)
def block_means(results: PaperResults) -> Outcome:
    """Compare means over blocks with corpus BLEU."""
    table = results.table_2
    if table.scores.shape[1] == 1:
        return not_testable("1 block, at least 2 needed")
    inside: list[bool] = []
    for scores, bleu in zip(table.scores, table.corpus_scores, strict=True):
        interval = one_sample_t(scores).interval()
        # Rounded, because blocks with equal scores have an interval of width 0.
        inside.append(round(interval.low, DECIMALS) <= round(float(bleu), DECIMALS) <= round(interval.high, DECIMALS))
    evidence = [f"{_unit(m)} (corpus {_unit(b)})" for m, b in zip(table.means, table.corpus_scores, strict=True)]
    return Outcome(all(inside), _per_system(table.systems, evidence))


@_claim(
    "neighbours-differ",
    "section 3, Table 2",
    "the differences between neighbouring systems are significant",
    "every paired t over the blocks is above the one-sided 5% critical value",
    compares=("references",),
)
def neighbours_differ(results: PaperResults) -> Outcome:
    """Test whether every t of Table 2 is significant."""
    pairs = results.table_2.pairs
    if not pairs:
        return not_testable(ONE_SYSTEM)
    undefined = next((f"{p.system} and {p.baseline}: {p.test.reason}" for p in pairs if p.test.reason), "")
    if undefined:
        return not_testable(undefined)
    critical = results.table_2.one_sided_critical_t
    evidence = ", ".join(f"{pair.system} and {pair.baseline} {pair.test.t:z.1f}" for pair in pairs)
    return Outcome(all(pair.test.t > critical for pair in pairs), f"t (critical value {critical:.2f}): {evidence}")


@_claim(
    "single-reference",
    "section 3",
    "with a single reference per document, drawn at random, the systems keep their order",
    f"the order is kept in at least {MIN_ORDER_SHARE:.0%} of the draws",
    compares=("references",),
)
def single_reference(results: PaperResults) -> Outcome:
    """Test how often single references keep the order of the systems."""
    single = results.single_reference
    if len(single.systems) == 1:
        return not_testable(ONE_SYSTEM)
    if len(single.references) == 1:
        return not_testable("1 reference, at least 2 needed")
    evidence = f"in {single.order_kept:.1%} of {len(single.scores):,} draws of one reference per {single.unit}"
    return Outcome(single.order_kept >= MIN_ORDER_SHARE, evidence)


@_claim(
    "judges-tell-neighbours-apart",
    "section 4.1, Figure 3",
    "monolingual judges distinguish every system from its neighbour",
    "every mean difference is positive and its 95% interval excludes 0",
    compares=("raw ratings",),
)
def judges_tell(results: PaperResults) -> Outcome:
    """Test the differences of Figure 3."""
    group = _monolingual(results)
    group_differences = next((d for d in _differences(results) if d.group == group), None)
    if group_differences is None or not group_differences.pairs:
        return not_testable("fewer than 2 systems with ratings" if results.ratings else NO_JUDGMENTS)
    tested = [(pair, pair.by_judge_and_segment) for pair in group_differences.pairs]
    if any(math.isnan(d.interval.low) for _, d in tested):
        return not_testable(next(d.reason for _, d in tested if math.isnan(d.interval.low)))
    evidence = ", ".join(f"{p.better} and {p.worse} {d.mean:+z.3f} ± {d.interval.high - d.mean:.3f}" for p, d in tested)
    return Outcome(all(d.interval.low > 0 for _, d in tested), f"{group_name(group)}: {evidence}")


@_claim(
    "bilingual-judges-and-humans",
    "section 4.2, Figure 4",
    "bilingual judges distinguish S3 from S2, but not the two humans from each other",
    "the 95% interval excludes 0 for S3 and S2, and includes 0 for H2 and H1",
    compares=("raw ratings",),
)
def bilinguals(results: PaperResults) -> Outcome:
    """Test two differences of Figure 4."""
    group_differences = next((d for d in _differences(results) if d.group == BILINGUAL), None)
    pairs = {(pair.better, pair.worse): pair for pair in group_differences.pairs} if group_differences else {}
    machines, humans = pairs.get(("S3", "S2")), pairs.get(("H2", "H1"))
    if machines is None or humans is None or not corresponds(results.evaluation.systems):
        return not_testable("S2, S3, H1 and H2 do not all have ratings by a bilingual group")
    evidence = ", ".join(
        f"{p.better} and {p.worse} {p.by_judge_and_segment.mean:+z.3f} "
        f"± {p.by_judge_and_segment.interval.high - p.by_judge_and_segment.mean:.3f}"
        for p in (machines, humans)
    )
    return Outcome(machines.significant and not humans.significant, evidence)


@_claim(
    "large-gap",
    "section 5, Figure 7",
    "the largest gap is between machines and humans",
    "the largest mean difference between neighbours is between a human and a machine, for every group of judges",
    compares=("raw ratings",),
)
def gap(results: PaperResults) -> Outcome:
    """Find the neighbours with the largest difference."""
    if not results.ratings:
        return not_testable(NO_JUDGMENTS)
    largest = [
        (group, max(group.pairs, key=lambda p: _least_if_nan(p.by_judge_and_segment.mean)))
        for group in _differences(results)
        if group.pairs
    ]
    rated = set(results.ratings.differences[0].systems)
    if not rated & set(results.humans) or rated <= set(results.humans) or not largest:
        return not_testable(NO_HUMANS)
    evidence = ", ".join(f"{group_name(group.group)}: {pair.better} and {pair.worse}" for group, pair in largest)
    holds = all(pair.better in results.humans and pair.worse not in results.humans for _, pair in largest)
    return Outcome(holds, evidence)


@_claim(
    "tracks-the-judges",
    "section 5, Figures 5 and 6",
    "BLEU tracks human judgment well",
    "the 95% interval of Pearson's r lies above 0, for every group of judges",
    compares=("references", "raw ratings"),
)
def tracks(results: PaperResults) -> Outcome:
    """Test the correlations of Figures 5 and 6."""
    known = [(a, a.everyone.pearson) for a in _agreements(results) if not a.everyone.pearson.reason]
    if not known:
        return not_testable(_why_uncorrelated(results))
    evidence = ", ".join(
        f"{group_name(a.group)} {p.coefficient:z.3f} ({p.interval.low:z.2f} to {p.interval.high:z.2f})"
        for a, p in known
    )
    return Outcome(all(p.interval.low > 0 for _, p in known), evidence)


@_claim(
    "closer-to-monolingual-judges",
    "section 5",
    "BLEU agrees better with monolingual judges than with bilingual ones",
    "Pearson's r is higher for the monolingual group",
    compares=("references", "raw ratings"),
)
def closer(results: PaperResults) -> Outcome:
    """Compare the correlations with both groups."""
    r = {a.group: a.everyone.pearson.coefficient for a in _agreements(results)}
    if any(math.isnan(r.get(group, math.nan)) for group in (MONOLINGUAL, BILINGUAL)):
        return not_testable("no groups named monolingual and bilingual both have a correlation")
    return Outcome(r[MONOLINGUAL] > r[BILINGUAL], f"{r[MONOLINGUAL]:z.3f} and {r[BILINGUAL]:z.3f}")


def _per_system(systems: Iterable[str], values: Iterable[str]) -> str:
    """List each system with its value."""
    return ", ".join(f"{name} {value}" for name, value in zip(systems, values, strict=True))


def _unit(points: float) -> str:
    """Format BLEU from 0 to 1, as in the paper."""
    return f"{points / POINTS:.4f}"


def _closest(values: Floats) -> float:
    """Return the smallest difference of two values, as a fraction of the range."""
    return float(np.diff(np.sort(values)).min() / np.ptp(values))


def _orders(numbers: list[str]) -> str:
    return f"order{'s' if len(numbers) > 1 else ''} {', '.join(numbers)}"


def _agreements(results: PaperResults) -> tuple[GroupAgreement, ...]:
    return results.ratings.agreements if results.ratings else ()


def _differences(results: PaperResults) -> tuple[GroupDifferences, ...]:
    return results.ratings.differences if results.ratings else ()


def _monolingual(results: PaperResults) -> str | None:
    """Return the name of the monolingual group; None, which is all judges, if there is no such group."""
    return MONOLINGUAL if any(a.group == MONOLINGUAL for a in _agreements(results)) else None


def _r_by_order(results: PaperResults, mean: Mean = "geometric") -> dict[int, float]:
    """Return Pearson's r by N, of one kind of mean with uniform weights, with the monolingual group or all judges."""
    group = _monolingual(results)
    return {
        agreement.combination.max_order: agreement.pearson.coefficient
        for agreement in (results.ratings.combination_agreements if results.ratings else ())
        if agreement.group == group
        and agreement.combination.mean == mean
        and agreement.combination.weights is None
        and not agreement.pearson.reason
    }


def _why_uncorrelated(results: PaperResults) -> str:
    if not results.ratings:
        return NO_JUDGMENTS
    reasons = (f.pearson.reason for f in results.ratings.combination_agreements)
    return next((reason for reason in reasons if reason), "the correlation is undefined")


def _by_order(correlations: dict[int, float]) -> str:
    wanted = sorted((BEST_ORDER, *COMPARABLE_ORDERS))
    return ", ".join(f"N = {n} {correlations[n]:z.4f}" for n in wanted if n in correlations)


def _least_if_nan(value: float) -> float:
    return -math.inf if math.isnan(value) else value


STEP = Step(
    key="claims",
    heading="The paper's claims",
    look="Each claim of the paper, tested on these data by a criterion of our own.",
    compute=compute,
    numbers=tuple[Claim, ...],
    bare=True,
)
