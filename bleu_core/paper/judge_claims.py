"""Claims of Papineni et al. (2002) about judges (sections 2.1, 4 and 5), tested on the data."""

from __future__ import annotations

import math

from bleu_core.paper.combining import MEANS, best
from bleu_core.paper.judge_groups import GroupAgreement, GroupDifferences
from bleu_core.paper.printed import BEST_ORDER, BILINGUAL, COMPARABLE_ORDERS, MONOLINGUAL, corresponds
from bleu_core.paper.repetition import PaperResults
from bleu_core.paper.text_claims import NO_HUMANS, Outcome, not_testable

#: Maximum difference of comparable correlations.
MAX_COMPARABLE_DIFFERENCE = 0.01

NO_JUDGMENTS = "no judgments"


def order_of_judges(results: PaperResults) -> Outcome:
    """Test whether BLEU and ratings order systems alike."""
    agreements = [a for a in _agreements(results) if a.everyone.pairwise_accuracy.pairs]
    if not agreements:
        return not_testable("fewer than 2 systems with ratings" if results.ratings else NO_JUDGMENTS)
    accuracies = [(a, a.everyone.pairwise_accuracy) for a in agreements]
    evidence = ", ".join(f"{_label(a.group)}: {p.agreeing} of {p.pairs} pairs" for a, p in accuracies)
    return Outcome(all(p.agreeing == p.pairs for _, p in accuracies), evidence)


def best_order(results: PaperResults) -> Outcome:
    """Find the N with the highest correlation."""
    correlations, label = _geometric(results)
    if not correlations:
        return not_testable(_why_uncorrelated(results))
    top = max(correlations, key=lambda n: correlations[n])
    return Outcome(top == BEST_ORDER, f"{label}: N = {top} with {correlations[top]:z.4f}; {_by_order(correlations)}")


def comparable_orders(results: PaperResults) -> Outcome:
    """Compare the correlations for N = 3 and 5 with that for N = 4."""
    correlations, label = _geometric(results)
    if any(n not in correlations for n in (BEST_ORDER, *COMPARABLE_ORDERS)):
        return not_testable(_why_uncorrelated(results))
    distance = max(abs(correlations[n] - correlations[BEST_ORDER]) for n in COMPARABLE_ORDERS)
    return Outcome(distance <= MAX_COMPARABLE_DIFFERENCE, f"{label}: {_by_order(correlations)}")


def geometric_mean(results: PaperResults) -> Outcome:
    """Compare the best correlations of both means."""
    group, label = _monolingual(results)
    agreements = results.ratings.combination_agreements if results.ratings else ()
    tops = [best(agreements, group, mean) for mean in MEANS]
    if any(top is None for top in tops):
        return not_testable(_why_uncorrelated(results))
    evidence = [
        f"{t.combination.mean} {t.pearson.coefficient:z.4f} at N = {t.combination.max_order}" for t in tops if t
    ]
    geometric, arithmetic = (t.pearson.coefficient for t in tops if t)
    return Outcome(geometric > arithmetic, f"{label}: {', '.join(evidence)}")


def judges_tell(results: PaperResults) -> Outcome:
    """Test the differences of Figure 3."""
    group, label = _monolingual(results)
    group_differences = next((d for d in _differences(results) if d.group == group), None)
    if group_differences is None or not group_differences.pairs:
        return not_testable("fewer than 2 systems with ratings" if results.ratings else NO_JUDGMENTS)
    tested = [(pair, pair.by_judge_and_segment) for pair in group_differences.pairs]
    if any(math.isnan(d.interval.low) for _, d in tested):
        return not_testable(next(d.reason for _, d in tested if math.isnan(d.interval.low)))
    evidence = ", ".join(f"{p.better} and {p.worse} {d.mean:+z.3f} ± {d.interval.high - d.mean:.3f}" for p, d in tested)
    return Outcome(all(d.interval.low > 0 for _, d in tested), f"{label}: {evidence}")


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
    evidence = ", ".join(f"{_label(group.group)}: {pair.better} and {pair.worse}" for group, pair in largest)
    holds = all(pair.better in results.humans and pair.worse not in results.humans for _, pair in largest)
    return Outcome(holds, evidence)


def tracks(results: PaperResults) -> Outcome:
    """Test the correlations of Figures 5 and 6."""
    known = [(a, a.everyone.pearson) for a in _agreements(results) if not a.everyone.pearson.reason]
    if not known:
        return not_testable(_why_uncorrelated(results))
    evidence = ", ".join(
        f"{_label(a.group)} {p.coefficient:z.3f} ({p.interval.low:z.2f} to {p.interval.high:z.2f})" for a, p in known
    )
    return Outcome(all(p.interval.low > 0 for _, p in known), evidence)


def closer(results: PaperResults) -> Outcome:
    """Compare the correlations with both groups."""
    r = {a.group: a.everyone.pearson.coefficient for a in _agreements(results)}
    if any(math.isnan(r.get(group, math.nan)) for group in (MONOLINGUAL, BILINGUAL)):
        return not_testable("no groups named monolingual and bilingual both have a correlation")
    return Outcome(r[MONOLINGUAL] > r[BILINGUAL], f"{r[MONOLINGUAL]:z.3f} and {r[BILINGUAL]:z.3f}")


def _agreements(results: PaperResults) -> tuple[GroupAgreement, ...]:
    return results.ratings.agreements if results.ratings else ()


def _differences(results: PaperResults) -> tuple[GroupDifferences, ...]:
    return results.ratings.differences if results.ratings else ()


def _monolingual(results: PaperResults) -> tuple[str | None, str]:
    """Return the monolingual group, or all judges if there is none, and its label."""
    group = MONOLINGUAL if any(a.group == MONOLINGUAL for a in _agreements(results)) else None
    return group, _label(group)


def _geometric(results: PaperResults) -> tuple[dict[int, float], str]:
    """Return Pearson's r by N of geometric means with uniform weights, and the label of the judges."""
    group, label = _monolingual(results)
    group_agreements = (
        [f for f in results.ratings.combination_agreements if f.group == group] if results.ratings else []
    )
    correlations = {
        f.combination.max_order: f.pearson.coefficient
        for f in group_agreements
        if f.combination.mean == "geometric" and f.combination.weights is None and not f.pearson.reason
    }
    return correlations, label


def _why_uncorrelated(results: PaperResults) -> str:
    if not results.ratings:
        return NO_JUDGMENTS
    reasons = (f.pearson.reason for f in results.ratings.combination_agreements)
    return next((reason for reason in reasons if reason), "the correlation is undefined")


def _by_order(correlations: dict[int, float]) -> str:
    wanted = sorted((BEST_ORDER, *COMPARABLE_ORDERS))
    return ", ".join(f"N = {n} {correlations[n]:z.4f}" for n in wanted if n in correlations)


def _label(group: str | None) -> str:
    return "all judges" if group is None else group


def _least_if_nan(value: float) -> float:
    return -math.inf if math.isnan(value) else value
