"""Claims of Papineni et al. (2002) about judges (sections 2.1, 4 and 5), tested on the data."""

from __future__ import annotations

import math

from bleu_core.paper.combining import MEANS, best
from bleu_core.paper.judge_groups import GroupAgreement, GroupDifferences
from bleu_core.paper.printed import BEST_ORDER, BILINGUAL, COMPARABLE_ORDERS, MONOLINGUAL, corresponds
from bleu_core.paper.repetition import PaperResults
from bleu_core.paper.text_claims import NO_HUMANS, Outcome, untold

#: Correlations that differ by no more are comparable.
COMPARABLE = 0.01

NO_JUDGMENTS = "no judgments"


def order_of_judges(found: PaperResults) -> Outcome:
    """Whether BLEU and ratings order systems alike."""
    agreements = [a for a in _agreements(found) if a.everyone.pairwise_accuracy.pairs]
    if not agreements:
        return untold("fewer than 2 systems with ratings" if found.ratings else NO_JUDGMENTS)
    accuracies = [(a, a.everyone.pairwise_accuracy) for a in agreements]
    said = ", ".join(f"{_label(a.group)}: {p.agreeing} of {p.pairs} pairs" for a, p in accuracies)
    return Outcome(all(p.agreeing == p.pairs for _, p in accuracies), said)


def best_order(found: PaperResults) -> Outcome:
    """Which N follows judges best."""
    correlations, label = _geometric(found)
    if not correlations:
        return untold(_why_uncorrelated(found))
    top = max(correlations, key=lambda n: correlations[n])
    return Outcome(top == BEST_ORDER, f"{label}: N = {top} with {correlations[top]:z.4f}; {_by_order(correlations)}")


def comparable_orders(found: PaperResults) -> Outcome:
    """Differences between the correlations for N = 3 and 5 and that for N = 4."""
    correlations, label = _geometric(found)
    if any(n not in correlations for n in (BEST_ORDER, *COMPARABLE_ORDERS)):
        return untold(_why_uncorrelated(found))
    distance = max(abs(correlations[n] - correlations[BEST_ORDER]) for n in COMPARABLE_ORDERS)
    return Outcome(distance <= COMPARABLE, f"{label}: {_by_order(correlations)}")


def geometric_mean(found: PaperResults) -> Outcome:
    """Which mean follows judges better."""
    group, label = _monolingual(found)
    results = found.ratings.combination_agreements if found.ratings else ()
    tops = [best(results, group, mean) for mean in MEANS]
    if any(top is None for top in tops):
        return untold(_why_uncorrelated(found))
    said = [f"{t.combination.mean} {t.pearson.coefficient:z.4f} at N = {t.combination.max_order}" for t in tops if t]
    geometric, arithmetic = (t.pearson.coefficient for t in tops if t)
    return Outcome(geometric > arithmetic, f"{label}: {', '.join(said)}")


def judges_tell(found: PaperResults) -> Outcome:
    """The differences of Figure 3."""
    group, label = _monolingual(found)
    of_group = next((d for d in _differences(found) if d.group == group), None)
    if of_group is None or not of_group.pairs:
        return untold("fewer than 2 systems with ratings" if found.ratings else NO_JUDGMENTS)
    tested = [(pair, pair.by_judge_and_segment) for pair in of_group.pairs]
    if any(math.isnan(d.interval.low) for _, d in tested):
        return untold(next(d.reason for _, d in tested if math.isnan(d.interval.low)))
    said = ", ".join(f"{p.better} and {p.worse} {d.mean:+z.3f} ± {d.interval.high - d.mean:.3f}" for p, d in tested)
    return Outcome(all(d.interval.low > 0 for _, d in tested), f"{label}: {said}")


def bilinguals(found: PaperResults) -> Outcome:
    """Two differences of Figure 4."""
    of_group = next((d for d in _differences(found) if d.group == BILINGUAL), None)
    pairs = {(pair.better, pair.worse): pair for pair in of_group.pairs} if of_group else {}
    machines, people = pairs.get(("S3", "S2")), pairs.get(("H2", "H1"))
    if machines is None or people is None or not corresponds(found.evaluation.systems):
        return untold("S2, S3, H1 and H2 do not all have ratings by a bilingual group")
    said = ", ".join(
        f"{p.better} and {p.worse} {p.by_judge_and_segment.mean:+z.3f} "
        f"± {p.by_judge_and_segment.interval.high - p.by_judge_and_segment.mean:.3f}"
        for p in (machines, people)
    )
    return Outcome(machines.significant and not people.significant, said)


def gap(found: PaperResults) -> Outcome:
    """The neighbours with the largest difference."""
    if not found.ratings:
        return untold(NO_JUDGMENTS)
    largest = [
        (group, max(group.pairs, key=lambda p: _least_if_nan(p.by_judge_and_segment.mean)))
        for group in _differences(found)
        if group.pairs
    ]
    rated = set(found.ratings.differences[0].systems)
    if not rated & set(found.humans) or rated <= set(found.humans) or not largest:
        return untold(NO_HUMANS)
    said = ", ".join(f"{_label(group.group)}: {pair.better} and {pair.worse}" for group, pair in largest)
    holds = all(pair.better in found.humans and pair.worse not in found.humans for _, pair in largest)
    return Outcome(holds, said)


def tracks(found: PaperResults) -> Outcome:
    """The correlations of Figures 5 and 6."""
    known = [(a, a.everyone.pearson) for a in _agreements(found) if not a.everyone.pearson.reason]
    if not known:
        return untold(_why_uncorrelated(found))
    said = ", ".join(
        f"{_label(a.group)} {p.coefficient:z.3f} ({p.interval.low:z.2f} to {p.interval.high:z.2f})" for a, p in known
    )
    return Outcome(all(p.interval.low > 0 for _, p in known), said)


def closer(found: PaperResults) -> Outcome:
    """Which group BLEU is closer to."""
    r = {a.group: a.everyone.pearson.coefficient for a in _agreements(found)}
    if any(math.isnan(r.get(group, math.nan)) for group in (MONOLINGUAL, BILINGUAL)):
        return untold("no groups named monolingual and bilingual both have a correlation")
    return Outcome(r[MONOLINGUAL] > r[BILINGUAL], f"{r[MONOLINGUAL]:z.3f} and {r[BILINGUAL]:z.3f}")


def _agreements(found: PaperResults) -> tuple[GroupAgreement, ...]:
    return found.ratings.agreements if found.ratings else ()


def _differences(found: PaperResults) -> tuple[GroupDifferences, ...]:
    return found.ratings.differences if found.ratings else ()


def _monolingual(found: PaperResults) -> tuple[str | None, str]:
    """The monolingual group, or all judges where there is none, and what to call them."""
    group = MONOLINGUAL if any(a.group == MONOLINGUAL for a in _agreements(found)) else None
    return group, _label(group)


def _geometric(found: PaperResults) -> tuple[dict[int, float], str]:
    """Pearson's r by N of geometric means with uniform weights, and of whom."""
    group, label = _monolingual(found)
    of_group = [f for f in found.ratings.combination_agreements if f.group == group] if found.ratings else []
    correlations = {
        f.combination.max_order: f.pearson.coefficient
        for f in of_group
        if f.combination.mean == "geometric" and f.combination.weights is None and not f.pearson.reason
    }
    return correlations, label


def _why_uncorrelated(found: PaperResults) -> str:
    if not found.ratings:
        return NO_JUDGMENTS
    reasons = (f.pearson.reason for f in found.ratings.combination_agreements)
    return next((reason for reason in reasons if reason), "the correlation is undefined")


def _by_order(correlations: dict[int, float]) -> str:
    wanted = sorted((BEST_ORDER, *COMPARABLE_ORDERS))
    return ", ".join(f"N = {n} {correlations[n]:z.4f}" for n in wanted if n in correlations)


def _label(group: str | None) -> str:
    return "all judges" if group is None else group


def _least_if_nan(value: float) -> float:
    return -math.inf if math.isnan(value) else value
