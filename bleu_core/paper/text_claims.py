"""Claims of Papineni et al. (2002) about texts (sections 2 and 3), tested on the data."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from bleu_core.inference import DECIMALS, one_sample_t
from bleu_core.paper.printed import BEST_ORDER
from bleu_core.paper.repetition import PaperResults
from bleu_core.scoring import fit_decay

#: Minimum share of the variance of log p_n that a line explains if the decay is exponential.
MIN_LINEAR_R_SQUARED = 0.95

#: Minimum share of draws in which the order holds.
MIN_ORDER_SHARE = 0.95

#: With two systems, the smallest difference is the range.
TWO_SYSTEMS = 2

ONE_SYSTEM, NO_HUMANS = "1 system, at least 2 needed", "no human translator is named"


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of the test of a claim.

    Attributes:
        holds: None if the claim cannot be tested.
        evidence: the statistics, in words; empty if the claim cannot be tested.
        reason: why the claim cannot be tested; empty if it can.
    """

    holds: bool | None
    evidence: str = ""
    reason: str = ""


def not_testable(reason: str) -> Outcome:
    """Return the outcome of a claim that cannot be tested on the data."""
    return Outcome(None, reason=reason)


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


def every_order(results: PaperResults) -> Outcome:
    """Test whether all orders of Figure 2 give the same ranking."""
    rankings = results.figure_2.rankings
    if len(results.figure_2.systems) == 1:
        return not_testable(ONE_SYSTEM)
    if len(rankings) == 1:
        return not_testable("1 order, at least 2 needed")
    others = [str(n) for n, ranking in enumerate(rankings, start=1) if ranking != rankings[0]]
    if not others:
        return Outcome(
            holds=True, evidence=f"orders 1 to {len(rankings)} give the same ranking: {' '.join(rankings[0])}"
        )
    return Outcome(holds=False, evidence=f"ranking differs from that of order 1: {_orders(others)}")


def decay(results: PaperResults) -> Outcome:
    """Test how linear the decay of log precision is."""
    fits = dict(zip(results.evaluation.systems, fit_decay(results.evaluation.scores), strict=True))
    known = {name: fit.r_squared for name, fit in fits.items() if not math.isnan(fit.r_squared)}
    if not known:
        return not_testable("no system has 3 orders with matches")
    worst = min(known, key=lambda name: known[name])
    return Outcome(known[worst] >= MIN_LINEAR_R_SQUARED, f"at least {known[worst]:.1%} ({worst})")


def vanished(results: PaperResults) -> Outcome:
    """Test whether a precision is 0."""
    matches = results.figure_2.matches[:, :BEST_ORDER]
    empty = [name for name, row in zip(results.figure_2.systems, matches, strict=True) if not row.all()]
    blocks = int(results.table_2.zero_blocks.sum())
    evidence = f"no match at some order: {', '.join(empty)}" if empty else "every order has matches"
    return Outcome(not empty, f"{evidence}; of {results.table_2.scores.size} blocks {blocks} score 0")


def averaged_penalties(results: PaperResults) -> Outcome:
    """Compare the mean segment-level penalty with that of the corpus."""
    penalties = results.penalties
    if (penalties.means == 1).all():
        return not_testable("no segment is shorter than its reference")
    evidence = per_system(
        penalties.systems, [f"{m:.3f} (corpus {c:.3f})" for m, c in zip(penalties.means, penalties.corpus, strict=True)]
    )
    return Outcome(bool((penalties.means < penalties.corpus).all()), evidence)


def short_segments(results: PaperResults) -> Outcome:
    """Compare segment-level penalties by length."""
    penalties = results.penalties
    if (penalties.means == 1).all():
        return not_testable("no segment is shorter than its reference")
    if len(penalties.bands) == 1:
        return not_testable("1 segment, at least 2 needed")
    by_band = np.array([band.penalties for band in penalties.bands])
    evidence = per_system(penalties.systems, [" ".join(f"{p:.3f}" for p in column) for column in by_band.T])
    return Outcome(bool((by_band[0] < by_band[1:]).all()), f"from the shortest to the longest: {evidence}")


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


def more_references(results: PaperResults) -> Outcome:
    """Test whether BLEU increases with the number of references."""
    numbers = results.references_by_number.numbers
    if len(numbers) == 1:
        return not_testable("one number of references, at least 2 needed")
    means = np.array([number.means for number in numbers])
    label = " ".join(str(number.number) for number in numbers)
    evidence = per_system(results.references_by_number.systems, [" ".join(map(unit, column)) for column in means.T])
    return Outcome(bool((np.diff(means, axis=0) > 0).all()), f"BLEU with {label} references: {evidence}")


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
    evidence = [f"{unit(m)} (corpus {unit(b)})" for m, b in zip(table.means, table.corpus_scores, strict=True)]
    return Outcome(all(inside), per_system(table.systems, evidence))


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


def single_reference(results: PaperResults) -> Outcome:
    """Test how often single references keep the order of the systems."""
    single = results.single_reference
    if len(single.systems) == 1:
        return not_testable(ONE_SYSTEM)
    if len(single.references) == 1:
        return not_testable("1 reference, at least 2 needed")
    evidence = f"in {single.order_kept:.1%} of {len(single.scores):,} draws of one reference per {single.unit}"
    return Outcome(single.order_kept >= MIN_ORDER_SHARE, evidence)


def per_system(systems: Iterable[str], values: Iterable[str]) -> str:
    """List each system with its value."""
    return ", ".join(f"{name} {value}" for name, value in zip(systems, values, strict=True))


def unit(points: float) -> str:
    """Format BLEU from 0 to 1, as in the paper."""
    return f"{points / 100:.4f}"


def _closest(values: npt.NDArray[np.float64]) -> float:
    """Return the smallest difference of two values, as a fraction of the range."""
    return float(np.diff(np.sort(values)).min() / np.ptp(values))


def _orders(numbers: list[str]) -> str:
    return f"order{'s' if len(numbers) > 1 else ''} {', '.join(numbers)}"
