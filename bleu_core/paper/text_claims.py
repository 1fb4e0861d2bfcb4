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

#: How much of the variance of log p_n a line has to explain for a decay to count as exponential.
STRAIGHT = 0.95

#: The share of draws in which the order has to hold.
SHARE = 0.95

#: With two systems the closest two are the whole range apart.
TWO = 2

ONE_SYSTEM, NO_HUMANS = "1 system, at least 2 needed", "no human translator is named"


@dataclass(frozen=True, slots=True)
class Outcome:
    """What is found of a claim.

    Attributes:
        holds: None where the data cannot tell.
        found: what was seen, in words; empty where the data cannot tell.
        reason: why they cannot, else empty.
    """

    holds: bool | None
    found: str = ""
    reason: str = ""


def untold(reason: str) -> Outcome:
    """The claim cannot be tested on the data."""
    return Outcome(None, reason=reason)


def human_from_machine(found: PaperResults) -> Outcome:
    """How the precisions of Figure 1 compare."""
    figure = found.figure_1
    if len(figure.systems) == 1 or [name in found.humans for name in figure.systems] != [False, True]:
        return untold(NO_HUMANS)
    machine, human = figure.systems
    lower, higher = np.nan_to_num(figure.precisions)
    if not lower[0]:
        return untold(f"{machine} has no matches")
    ratios = np.divide(higher, lower, out=np.full(len(lower), np.inf), where=lower > 0)
    holds = bool(ratios[0] > 1 and (higher > 0).all() and (ratios[1:] > ratios[:-1]).all())
    many = " ".join("∞" if math.isinf(r) else f"{r:.2f}" for r in ratios)
    return Outcome(holds, f"ratio of {human}'s precisions to {machine}'s: {many}")


def every_order(found: PaperResults) -> Outcome:
    """Whether the orders of Figure 2 rank alike."""
    rankings = found.figure_2.rankings
    if len(found.figure_2.systems) == 1:
        return untold(ONE_SYSTEM)
    if len(rankings) == 1:
        return untold("1 order, at least 2 needed")
    others = [str(n) for n, ranking in enumerate(rankings, start=1) if ranking != rankings[0]]
    if not others:
        return Outcome(holds=True, found=f"orders 1 to {len(rankings)} give the same ranking: {' '.join(rankings[0])}")
    return Outcome(holds=False, found=f"ranking differs from that of order 1: {_orders(others)}")


def decay(found: PaperResults) -> Outcome:
    """How straight log precision falls."""
    fits = dict(zip(found.evaluation.systems, fit_decay(found.evaluation.scores), strict=True))
    known = {name: fit.r_squared for name, fit in fits.items() if not math.isnan(fit.r_squared)}
    if not known:
        return untold("no system has 3 orders with matches")
    worst = min(known, key=lambda name: known[name])
    return Outcome(known[worst] >= STRAIGHT, f"at least {known[worst]:.1%} ({worst})")


def vanished(found: PaperResults) -> Outcome:
    """Whether a precision is 0."""
    matches = found.figure_2.matches[:, :BEST_ORDER]
    empty = [name for name, row in zip(found.figure_2.systems, matches, strict=True) if not row.all()]
    blocks = int(found.table_2.zero_blocks.sum())
    said = f"no match at some order: {', '.join(empty)}" if empty else "every order has matches"
    return Outcome(not empty, f"{said}; of {found.table_2.scores.size} blocks {blocks} score 0")


def averaged_penalties(found: PaperResults) -> Outcome:
    """The segments' penalties beside the corpus's."""
    penalties = found.penalties
    if (penalties.means == 1).all():
        return untold("no segment is shorter than its reference")
    said = per_system(
        penalties.systems, [f"{m:.3f} (corpus {c:.3f})" for m, c in zip(penalties.means, penalties.corpus, strict=True)]
    )
    return Outcome(bool((penalties.means < penalties.corpus).all()), said)


def short_segments(found: PaperResults) -> Outcome:
    """The segments' penalties by length."""
    penalties = found.penalties
    if (penalties.means == 1).all():
        return untold("no segment is shorter than its reference")
    if len(penalties.bands) == 1:
        return untold("1 segment, at least 2 needed")
    by_band = np.array([band.penalties for band in penalties.bands])
    said = per_system(penalties.systems, [" ".join(f"{p:.3f}" for p in column) for column in by_band.T])
    return Outcome(bool((by_band[0] < by_band[1:]).all()), f"from the shortest to the longest: {said}")


def log_domain(found: PaperResults) -> Outcome:
    """The smallest difference between two systems, in BLEU and in log BLEU."""
    definition = found.definitions[0]
    if len(definition.systems) == 1:
        return untold(ONE_SYSTEM)
    if not np.isfinite(definition.log_bleu).all():
        return untold("the logarithm of a score of 0 is undefined")
    if len(definition.systems) == TWO:
        return untold("2 systems, at least 3 needed")
    if len(set(definition.scores.round(DECIMALS).tolist())) < len(definition.systems):
        return untold("two systems have the same score")
    of_bleu, of_logarithm = (_closest(values) for values in (definition.scores, definition.log_bleu))
    said = f"smallest difference: {of_bleu:.2%} of the range in BLEU, {of_logarithm:.2%} in log BLEU"
    return Outcome(of_logarithm > of_bleu, said)


def more_references(found: PaperResults) -> Outcome:
    """BLEU by number of references."""
    numbers = found.references_by_number.numbers
    if len(numbers) == 1:
        return untold("one number of references, at least 2 needed")
    means = np.array([number.means for number in numbers])
    label = " ".join(str(number.number) for number in numbers)
    said = per_system(found.references_by_number.systems, [" ".join(map(unit, column)) for column in means.T])
    return Outcome(bool((np.diff(means, axis=0) > 0).all()), f"BLEU with {label} references: {said}")


def block_means(found: PaperResults) -> Outcome:
    """Means over blocks beside the whole."""
    table = found.table_2
    if table.scores.shape[1] == 1:
        return untold("1 block, at least 2 needed")
    inside: list[bool] = []
    for scores, bleu in zip(table.scores, table.corpus_scores, strict=True):
        interval = one_sample_t(scores).interval()
        # Rounded: blocks of equal scores have an interval without width.
        inside.append(round(interval.low, DECIMALS) <= round(float(bleu), DECIMALS) <= round(interval.high, DECIMALS))
    said = [f"{unit(m)} (corpus {unit(b)})" for m, b in zip(table.means, table.corpus_scores, strict=True)]
    return Outcome(all(inside), per_system(table.systems, said))


def neighbours_differ(found: PaperResults) -> Outcome:
    """The t of Table 2."""
    pairs = found.table_2.pairs
    if not pairs:
        return untold(ONE_SYSTEM)
    undefined = next((f"{p.system} and {p.baseline}: {p.test.reason}" for p in pairs if p.test.reason), "")
    if undefined:
        return untold(undefined)
    critical = found.table_2.one_sided_critical_t
    said = ", ".join(f"{pair.system} and {pair.baseline} {pair.test.t:z.1f}" for pair in pairs)
    return Outcome(all(pair.test.t > critical for pair in pairs), f"t (critical value {critical:.2f}): {said}")


def single_reference(found: PaperResults) -> Outcome:
    """How often the order holds with single references."""
    single = found.single_reference
    if len(single.systems) == 1:
        return untold(ONE_SYSTEM)
    if len(single.references) == 1:
        return untold("1 reference, at least 2 needed")
    said = f"in {single.order_kept:.1%} of {len(single.scores):,} draws of one reference per {single.unit}"
    return Outcome(single.order_kept >= SHARE, said)


def per_system(systems: Iterable[str], values: Iterable[str]) -> str:
    """Each system with its finding."""
    return ", ".join(f"{name} {value}" for name, value in zip(systems, values, strict=True))


def unit(points: float) -> str:
    """BLEU from 0 to 1, as the paper writes it."""
    return f"{points / 100:.4f}"


def _closest(values: npt.NDArray[np.float64]) -> float:
    """The least difference of two values, as a fraction of the range of all."""
    return float(np.diff(np.sort(values)).min() / np.ptp(values))


def _orders(numbers: list[str]) -> str:
    return f"order{'s' if len(numbers) > 1 else ''} {', '.join(numbers)}"
