"""Tests of the paper's claims on the data.

The criterion of a test is often not the paper's, which gives none, and is therefore stated. A claim holds, does not
hold, or cannot be tested on the data.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from operator import itemgetter
from types import MappingProxyType

import numpy as np

from bleu_core.arrays import Floats
from bleu_core.fields import field, result, table_of
from bleu_core.inference import DECIMALS, one_sample_t
from bleu_core.judges import RatingDifference
from bleu_core.paper.combining import MEANS, Mean
from bleu_core.paper.printed import BEST_ORDER, BILINGUAL, COMPARABLE_ORDERS, MONOLINGUAL, corresponds
from bleu_core.paper.repetition import PaperResults, Ratings
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
FEW_RATED = "fewer than 2 systems with ratings"
NONE_SHORTER = "no segment is shorter than its reference"

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
    holds: bool | None = None
    found: str = ""
    reason: str = ""


class UntestableError(Exception):
    """A claim cannot be tested on the data, for the reason given."""


@result
class Row:
    """A claim."""

    place: str = field("text", "Location in the paper.")
    claim: str = field("text", "The claim, paraphrased.")
    criterion: str = field("text", "Criterion by which the claim is tested here.")
    holds: str = field("text", "Whether the claim holds on these data.")
    found: str = field("text", "What these data show (BLEU from 0 to 1), or why the claim cannot be tested.")


#: Returns whether a claim holds, and what was found.
Test = Callable[[PaperResults], tuple[bool, str]]

#: Claims, in the order of the paper, what the comparison of systems rests on for each, and its test.
_CLAIMS: list[tuple[Claim, tuple[Basis, ...], Test]] = []


def _claim(place: str, said: str, criterion: str, *, compares: tuple[Basis, ...] = ()) -> Callable[[Test], Test]:
    """Declare the claim that a function tests, which raises an UntestableError if the data do not allow it.

    The key of the claim is the name of the function, with hyphens.

    Args:
        place: as in Claim, like the arguments that follow.
        said: the claim, paraphrased.
        criterion: condition under which it holds.
        compares: what the comparison of systems rests on; empty for claims about each system by itself.
    """

    def declare(test: Test) -> Test:
        key = test.__name__.replace("_", "-")
        _CLAIMS.append((Claim(key=key, place=place, said=said, criterion=criterion), compares, test))
        return test

    return declare


def claims(results: PaperResults, obstacles: Mapping[Basis, str] = MappingProxyType({})) -> tuple[Claim, ...]:
    """Test every claim, in the order of the paper.

    Args:
        results: of the repeated experiment.
        obstacles: what scores or ratings rest on -> why systems are not comparable by them; claims that compare
            systems by these cannot be tested.
    """
    tested: list[Claim] = []
    for claim, compares, test in _CLAIMS:
        try:
            holds, evidence = test(results)
        except UntestableError as error:
            tested.append(replace(claim, reason=str(error)))
            continue
        obstacle = next((obstacles[basis] for basis in compares if basis in obstacles), "")
        tested.append(replace(claim, reason=obstacle) if obstacle else replace(claim, holds=holds, found=evidence))
    return tuple(tested)


def compute(data: PaperInput) -> StepResult:
    """Test every claim."""
    tested = claims(data.results, data.obstacles)
    rows = [
        Row(place=c.place, claim=c.said, criterion=c.criterion, holds=VERDICTS[c.holds], found=c.found or c.reason)
        for c in tested
    ]
    return StepResult(tested, tables=(table_of(rows, Row),))


@_claim(
    "section 2.1.2, Figure 1",
    "n-gram precision distinguishes a good human from a machine, and more so for longer n-grams",
    "the ratio of the human's precision to the machine's is above 1 and grows with every order",
    compares=("references",),
)
def human_from_machine(results: PaperResults) -> tuple[bool, str]:
    """Compare the precisions of Figure 1."""
    figure = results.figure_1
    if len(figure.systems) == 1 or [name in results.humans for name in figure.systems] != [False, True]:
        raise UntestableError(NO_HUMANS)
    machine, human = figure.systems
    lower, higher = np.nan_to_num(figure.precisions)
    if not lower[0]:
        raise UntestableError(f"{machine} has no matches")
    ratios = np.divide(higher, lower, out=np.full(len(lower), np.inf), where=lower > 0)
    holds = bool(ratios[0] > 1 and (higher > 0).all() and (ratios[1:] > ratios[:-1]).all())
    ratio_list = " ".join("∞" if math.isinf(r) else f"{r:.2f}" for r in ratios)
    return holds, f"ratio of {human}'s precisions to {machine}'s: {ratio_list}"


@_claim(
    "section 2.1.2, Figure 2",
    "every single n-gram order ranks the systems in the same way",
    "the precisions of every order rank the systems identically",
    compares=("references",),
)
def every_order_ranks_alike(results: PaperResults) -> tuple[bool, str]:
    """Test whether all orders of Figure 2 give the same ranking."""
    rankings = results.figure_2.rankings
    if len(results.figure_2.systems) == 1:
        raise UntestableError(ONE_SYSTEM)
    if len(rankings) == 1:
        raise UntestableError("1 order, at least 2 needed")
    others = [str(n) for n, ranking in enumerate(rankings, start=1) if ranking != rankings[0]]
    if not others:
        return True, f"orders 1 to {len(rankings)} give the same ranking: {' '.join(rankings[0])}"
    return False, f"ranking differs from that of order 1: {_orders(others)}"


@_claim(
    "section 2.1.2",
    "BLEU ranks the systems as human judges do",
    "BLEU and mean rating agree on every pair of systems, for every group of judges",
    compares=("references", "raw ratings"),
)
def order_of_the_judges(results: PaperResults) -> tuple[bool, str]:
    """Test whether BLEU and ratings order systems alike."""
    accuracies = [(a.group, a.everyone.pairwise_accuracy) for a in _ratings(results).agreements]
    accuracies = [(group, p) for group, p in accuracies if p.pairs]
    if not accuracies:
        raise UntestableError(FEW_RATED)
    evidence = ", ".join(f"{group_name(group)}: {p.agreeing} of {p.pairs} pairs" for group, p in accuracies)
    return all(p.agreeing == p.pairs for _, p in accuracies), evidence


@_claim(
    "section 2.1.3",
    "precision decays roughly exponentially with the n-gram order",
    f"a straight line explains at least {MIN_LINEAR_R_SQUARED:.0%} of the variance of log precision, for every system",
)
def exponential_decay(results: PaperResults) -> tuple[bool, str]:
    """Test how linear the decay of log precision is."""
    fits = dict(zip(results.evaluation.systems, fit_decay(results.evaluation.scores), strict=True))
    known = {name: fit.r_squared for name, fit in fits.items() if not math.isnan(fit.r_squared)}
    if not known:
        raise UntestableError("no system has 3 orders with matches")
    worst = min(known, key=lambda name: known[name])
    return known[worst] >= MIN_LINEAR_R_SQUARED, f"at least {known[worst]:.1%} ({worst})"


@_claim(
    "section 2.1.3",
    "n-gram orders up to 4 correlate best with monolingual judges",
    "among N = 1 to 9 (geometric mean, uniform weights), N = 4 has the highest Pearson's r",
    compares=("references", "raw ratings"),
)
def best_order(results: PaperResults) -> tuple[bool, str]:
    """Find the N with the highest correlation."""
    ratings = _ratings(results)
    correlations, label = _r_by_order(ratings), group_name(_monolingual(ratings))
    top, r = max(correlations.items(), key=itemgetter(1))
    return top == BEST_ORDER, f"{label}: N = {top} with {r:z.4f}; {_by_order(correlations)}"


@_claim(
    "section 2.1.3",
    "n-gram orders up to 3 or 5 correlate about as well with monolingual judges",
    f"Pearson's r for N = 3 and N = 5 differs from that for N = 4 by at most {MAX_COMPARABLE_DIFFERENCE}",
    compares=("references", "raw ratings"),
)
def comparable_orders(results: PaperResults) -> tuple[bool, str]:
    """Compare the correlations for N = 3 and 5 with that for N = 4."""
    ratings = _ratings(results)
    correlations, label = _r_by_order(ratings), group_name(_monolingual(ratings))
    if any(n not in correlations for n in (BEST_ORDER, *COMPARABLE_ORDERS)):
        raise UntestableError(_why_uncorrelated(ratings))
    distance = max(abs(correlations[n] - correlations[BEST_ORDER]) for n in COMPARABLE_ORDERS)
    return distance <= MAX_COMPARABLE_DIFFERENCE, f"{label}: {_by_order(correlations)}"


@_claim(
    "section 2.1.3, footnote 6",
    "the geometric mean correlates slightly better with the judges than the best arithmetic mean",
    "the highest Pearson's r of the geometric means is above that of the arithmetic means",
    compares=("references", "raw ratings"),
)
def geometric_mean(results: PaperResults) -> tuple[bool, str]:
    """Compare the best correlations of both means."""
    ratings = _ratings(results)
    tops = [max(_r_by_order(ratings, mean).items(), key=itemgetter(1)) for mean in MEANS]
    evidence = [f"{mean} {r:z.4f} at N = {n}" for mean, (n, r) in zip(MEANS, tops, strict=True)]
    (_, geometric), (_, arithmetic) = tops
    return geometric > arithmetic, f"{group_name(_monolingual(ratings))}: {', '.join(evidence)}"


@_claim(
    "section 2.1.3, footnote 5",
    "a precision of 0 is extremely rare in a corpus of reasonable size",
    "every system has matches at every order up to 4",
)
def no_vanished_precision(results: PaperResults) -> tuple[bool, str]:
    """Test whether a precision is 0."""
    matches = results.figure_2.matches[:, :BEST_ORDER]
    empty = [name for name, row in zip(results.figure_2.systems, matches, strict=True) if not row.all()]
    blocks = int(results.table_2.zero_blocks.sum())
    evidence = f"no match at some order: {', '.join(empty)}" if empty else "every order has matches"
    return not empty, f"{evidence}; of {results.table_2.scores.size} blocks {blocks} score 0"


@_claim(
    "section 2.2.2",
    "averaging segment-level brevity penalties punishes more than one penalty for the corpus",
    "the mean segment-level penalty is below the corpus penalty, for every system",
)
def averaged_penalties(results: PaperResults) -> tuple[bool, str]:
    """Compare the mean segment-level penalty with that of the corpus."""
    systems = results.penalties.systems
    if all(s.mean_of_segments == 1 for s in systems):
        raise UntestableError(NONE_SHORTER)
    evidence = [f"{s.system} {s.mean_of_segments:.3f} (corpus {s.corpus:.3f})" for s in systems]
    return all(s.mean_of_segments < s.corpus for s in systems), ", ".join(evidence)


@_claim(
    "section 2.2.2",
    "segment-level brevity penalties would be harshest on short segments",
    "the shortest quarter of the segments has the lowest mean penalty, for every system",
)
def short_segments(results: PaperResults) -> tuple[bool, str]:
    """Compare segment-level penalties by length."""
    penalties = results.penalties
    if all(s.mean_of_segments == 1 for s in penalties.systems):
        raise UntestableError(NONE_SHORTER)
    if len(penalties.bands) == 1:
        raise UntestableError("1 segment, at least 2 needed")
    by_band = np.array([band.penalties for band in penalties.bands])
    names = [s.system for s in penalties.systems]
    evidence = _per_system(names, [" ".join(f"{p:.3f}" for p in column) for column in by_band.T])
    return bool((by_band[0] < by_band[1:]).all()), f"from the shortest to the longest: {evidence}"


@_claim(
    "section 2.3",
    "the ranking of the systems is more apparent in log BLEU than in BLEU",
    "the smallest difference between two systems is a larger share of the range in log BLEU than in BLEU",
    compares=("references",),
)
def log_domain(results: PaperResults) -> tuple[bool, str]:
    """Compare the smallest difference between two systems in BLEU and in log BLEU."""
    systems = results.definitions[0].systems
    scores, log_scores = np.array([(s.bleu, s.log_bleu) for s in systems]).T
    if len(systems) == 1:
        raise UntestableError(ONE_SYSTEM)
    if not np.isfinite(log_scores).all():
        raise UntestableError("the logarithm of a score of 0 is undefined")
    if len(systems) == TWO_SYSTEMS:
        raise UntestableError("2 systems, at least 3 needed")
    if len(set(scores.round(DECIMALS).tolist())) < len(systems):
        raise UntestableError("two systems have the same score")
    share_in_bleu, share_in_log = _closest(scores), _closest(log_scores)
    evidence = f"smallest difference: {share_in_bleu:.2%} of the range in BLEU, {share_in_log:.2%} in log BLEU"
    return share_in_log > share_in_bleu, evidence


@_claim(
    "section 3",
    "the more references there are, the higher the score",
    "the mean score over all sets of references grows with their number, for every system",
)
def more_references(results: PaperResults) -> tuple[bool, str]:
    """Test whether BLEU increases with the number of references."""
    numbers = results.references_by_number
    if len(numbers) == 1:
        raise UntestableError("one number of references, at least 2 needed")
    means = np.array([[system.mean for system in number.by_system] for number in numbers])
    label = " ".join(str(number.number) for number in numbers)
    evidence = _per_system(numbers[0].systems, [" ".join(map(_unit, column)) for column in means.T])
    return bool((np.diff(means, axis=0) > 0).all()), f"BLEU with {label} references: {evidence}"


@_claim(
    "section 3, Tables 1 and 2",
    "means over blocks stay close to the score of the whole",
    "corpus BLEU lies in the 95% interval of the mean over blocks, for every system",
)
def block_means(results: PaperResults) -> tuple[bool, str]:
    """Compare means over blocks with corpus BLEU."""
    table = results.table_2
    if table.scores.shape[1] == 1:
        raise UntestableError("1 block, at least 2 needed")
    inside: list[bool] = []
    for scores, bleu in zip(table.scores, table.corpus_scores, strict=True):
        interval = one_sample_t(scores).interval()
        # Rounded, because blocks with equal scores have an interval of width 0.
        inside.append(round(interval.low, DECIMALS) <= round(float(bleu), DECIMALS) <= round(interval.high, DECIMALS))
    evidence = [f"{_unit(m)} (corpus {_unit(b)})" for m, b in zip(table.means, table.corpus_scores, strict=True)]
    return all(inside), _per_system(table.systems, evidence)


@_claim(
    "section 3, Table 2",
    "the differences between neighbouring systems are significant",
    "every paired t over the blocks is above the one-sided 5% critical value",
    compares=("references",),
)
def neighbours_differ(results: PaperResults) -> tuple[bool, str]:
    """Test whether every t of Table 2 is significant."""
    pairs = results.table_2.pairs
    if not pairs:
        raise UntestableError(ONE_SYSTEM)
    undefined = next((f"{p.system} and {p.baseline}: {p.test.reason}" for p in pairs if p.test.reason), "")
    if undefined:
        raise UntestableError(undefined)
    critical = results.table_2.one_sided_critical_t
    evidence = ", ".join(f"{pair.system} and {pair.baseline} {pair.test.t:z.1f}" for pair in pairs)
    return all(pair.test.t > critical for pair in pairs), f"t (critical value {critical:.2f}): {evidence}"


@_claim(
    "section 3",
    "with a single reference per document, drawn at random, the systems keep their order",
    f"the order is kept in at least {MIN_ORDER_SHARE:.0%} of the draws",
    compares=("references",),
)
def single_reference(results: PaperResults) -> tuple[bool, str]:
    """Test how often single references keep the order of the systems."""
    single = results.single_reference
    if len(single.systems) == 1:
        raise UntestableError(ONE_SYSTEM)
    if len(single.references) == 1:
        raise UntestableError("1 reference, at least 2 needed")
    evidence = f"in {single.order_kept:.1%} of {len(single.scores):,} draws of one reference per {single.unit}"
    return single.order_kept >= MIN_ORDER_SHARE, evidence


@_claim(
    "section 4.1, Figure 3",
    "monolingual judges distinguish every system from its neighbour",
    "every mean difference is positive and its 95% interval excludes 0",
    compares=("raw ratings",),
)
def judges_tell_neighbours_apart(results: PaperResults) -> tuple[bool, str]:
    """Test the differences of Figure 3."""
    ratings = _ratings(results)
    group = _monolingual(ratings)
    pairs = next(differences.pairs for differences in ratings.differences if differences.group == group)
    if not pairs:
        raise UntestableError(FEW_RATED)
    tested = [pair.by_judge_and_segment for pair in pairs]
    undefined = [d.reason for d in tested if math.isnan(d.interval.low)]
    if undefined:
        raise UntestableError(undefined[0])
    return all(d.interval.low > 0 for d in tested), f"{group_name(group)}: {', '.join(map(_difference, pairs))}"


@_claim(
    "section 4.2, Figure 4",
    "bilingual judges distinguish S3 from S2, but not the two humans from each other",
    "the 95% interval excludes 0 for S3 and S2, and includes 0 for H2 and H1",
    compares=("raw ratings",),
)
def bilingual_judges_and_humans(results: PaperResults) -> tuple[bool, str]:
    """Test two differences of Figure 4."""
    groups = results.ratings.differences if results.ratings else ()
    pairs = {(pair.better, pair.worse): pair for group in groups if group.group == BILINGUAL for pair in group.pairs}
    machines, humans = pairs.get(("S3", "S2")), pairs.get(("H2", "H1"))
    if machines is None or humans is None or not corresponds(results.evaluation.systems):
        raise UntestableError("S2, S3, H1 and H2 do not all have ratings by a bilingual group")
    return machines.significant and not humans.significant, f"{_difference(machines)}, {_difference(humans)}"


@_claim(
    "section 5, Figure 7",
    "the largest gap is between machines and humans",
    "the largest mean difference between neighbours is between a human and a machine, for every group of judges",
    compares=("raw ratings",),
)
def large_gap(results: PaperResults) -> tuple[bool, str]:
    """Find the neighbours with the largest difference."""
    groups, humans = _ratings(results).differences, set(results.humans)
    largest = [
        (group_name(group.group), max(group.pairs, key=lambda p: _least_if_nan(p.by_judge_and_segment.mean)))
        for group in groups
        if group.pairs
    ]
    rated = set(groups[0].systems)
    if not rated & humans or rated <= humans or not largest:
        raise UntestableError(NO_HUMANS)
    evidence = ", ".join(f"{group}: {pair.better} and {pair.worse}" for group, pair in largest)
    return all(pair.better in humans and pair.worse not in humans for _, pair in largest), evidence


@_claim(
    "section 5, Figures 5 and 6",
    "BLEU tracks human judgment well",
    "the 95% interval of Pearson's r lies above 0, for every group of judges",
    compares=("references", "raw ratings"),
)
def tracks_the_judges(results: PaperResults) -> tuple[bool, str]:
    """Test the correlations of Figures 5 and 6."""
    ratings = _ratings(results)
    known = [(a.group, a.everyone.pearson) for a in ratings.agreements if not a.everyone.pearson.reason]
    if not known:
        raise UntestableError(_why_uncorrelated(ratings))
    evidence = ", ".join(
        f"{group_name(group)} {r.coefficient:z.3f} ({r.interval.low:z.2f} to {r.interval.high:z.2f})"
        for group, r in known
    )
    return all(r.interval.low > 0 for _, r in known), evidence


@_claim(
    "section 5",
    "BLEU agrees better with monolingual judges than with bilingual ones",
    "Pearson's r is higher for the monolingual group",
    compares=("references", "raw ratings"),
)
def closer_to_monolingual_judges(results: PaperResults) -> tuple[bool, str]:
    """Compare the correlations with both groups."""
    agreements = results.ratings.agreements if results.ratings else ()
    r = {a.group: a.everyone.pearson.coefficient for a in agreements}
    if any(math.isnan(r.get(group, math.nan)) for group in (MONOLINGUAL, BILINGUAL)):
        raise UntestableError("no groups named monolingual and bilingual both have a correlation")
    return r[MONOLINGUAL] > r[BILINGUAL], f"{r[MONOLINGUAL]:z.3f} and {r[BILINGUAL]:z.3f}"


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


def _ratings(results: PaperResults) -> Ratings:
    """Return the results that use ratings.

    Raises:
        UntestableError: there are none.
    """
    if results.ratings is None:
        raise UntestableError(NO_JUDGMENTS)
    return results.ratings


def _monolingual(ratings: Ratings) -> str | None:
    """Return the name of the monolingual group; None, which is all judges, if there is no such group."""
    return MONOLINGUAL if any(a.group == MONOLINGUAL for a in ratings.agreements) else None


def _r_by_order(ratings: Ratings, mean: Mean = "geometric") -> dict[int, float]:
    """Return Pearson's r by N, of one kind of mean with uniform weights, with the monolingual group or all judges.

    Raises:
        UntestableError: no correlation is defined.
    """
    group = _monolingual(ratings)
    correlations = {
        agreement.combination.max_order: agreement.pearson.coefficient
        for agreement in ratings.combination_agreements
        if agreement.group == group
        and agreement.combination.mean == mean
        and agreement.combination.weights is None
        and not agreement.pearson.reason
    }
    if not correlations:
        raise UntestableError(_why_uncorrelated(ratings))
    return correlations


def _why_uncorrelated(ratings: Ratings) -> str:
    reasons = (agreement.pearson.reason for agreement in ratings.combination_agreements)
    return next(filter(None, reasons), "the correlation is undefined")


def _by_order(correlations: dict[int, float]) -> str:
    wanted = sorted((BEST_ORDER, *COMPARABLE_ORDERS))
    return ", ".join(f"N = {n} {correlations[n]:z.4f}" for n in wanted if n in correlations)


def _difference(pair: RatingDifference) -> str:
    """Format a mean difference of ratings and its interval."""
    difference = pair.by_judge_and_segment
    half_width = difference.interval.high - difference.mean
    return f"{pair.better} and {pair.worse} {difference.mean:+z.3f} ± {half_width:.3f}"


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
