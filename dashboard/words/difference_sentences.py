"""What a difference between two scores means to judges, in plain language. Pure functions."""

from __future__ import annotations

import math

from bleu_core.agreement import INTERVAL_COVERAGE, MIN_SYSTEMS, PUBLISHED, DifferenceCurve
from dashboard.words.formatting import INTERVAL, percent
from dashboard.words.sentences import too_few_rated

PAIRS, SOURCE = "6,530 pairs of systems", "Kocmi et al. 2024"


def meaning_to_raters(difference: float, label: str, curve: DifferenceCurve | None) -> str:
    """State how often judges agree with a difference of that size, on these data or else in a published study.

    Args:
        difference: of two scores, in the metric's unit.
        label: of the metric.
        curve: of the data; None where there are no ratings.

    Returns:
        A sentence; empty where nothing is known.
    """
    if curve is not None and curve.rated is not None and curve.rated.too_few:
        few = too_few_rated(curve.rated, "judges agree with a difference of that size")
        return f"{few} {published_meaning(difference, label)}".rstrip()
    if curve is not None and curve.is_fitted:
        return _fitted(difference, label, curve)
    return published_meaning(difference, label)


def published_meaning(difference: float, label: str) -> str:
    """State how often judges agreed with such a difference in a published study; empty if none is known."""
    published = PUBLISHED.get(label)
    if published is None or not math.isfinite(difference):
        return ""
    size = f"{_size(difference)} {label}"
    share = published.share(difference)
    if math.isnan(share):
        up_to = f"differences of up to {published.min_difference:.2f} {label}"
        return f"In a study of {PAIRS} ({SOURCE}), judges agreed with {up_to} no more often than by chance."
    return f"In a study of {PAIRS} ({SOURCE}), judges agreed with a difference of {size} in {percent(share)} of pairs."


def _fitted(difference: float, label: str, curve: DifferenceCurve) -> str:
    size, bounds = f"{_size(difference, curve.decimals)} {label}", curve.share_interval(difference)
    if math.isnan(bounds.low):
        interval = f"no interval: fewer than {MIN_SYSTEMS} systems"
    else:
        interval = f"{INTERVAL} {percent(bounds.low)} to {percent(bounds.high)}"
    preference = f"On these data, judges prefer the system with the better score in {percent(curve.share(difference))} "
    beyond = abs(difference) > curve.max_difference * (1 + 1e-9)
    extrapolated = (
        f" The greatest difference found here is {_size(curve.max_difference, curve.decimals)}." if beyond else ""
    )
    return f"{preference}of the pairs that differ by {size} (estimate; {interval}).{extrapolated}"


def pairs_beyond(difference: float, label: str, curve: DifferenceCurve) -> str:
    """State how many of the pairs with a greater difference judges put in the same order."""
    if curve.rated is not None and curve.rated.too_few:
        return ""
    beyond = curve.beyond(difference)
    if not beyond.pairs:
        return f"No two systems differ by more than {_size(difference, curve.decimals)} {label}."
    pairs = "pair of systems differs" if beyond.pairs == 1 else "pairs of systems differ"
    return (
        f"{beyond.pairs:,} {pairs} by more than {_size(difference, curve.decimals)} {label}; "
        f"judges agree with the order in {beyond.agreeing:,}."
    )


def basis_of_curve(curve: DifferenceCurve) -> str:
    """Describe the data of the curve, and how far its interval can be trusted."""
    data = (
        f"Logistic curve through {len(curve.differences):,} pairs of {len(curve.systems)} systems, which is 50% at 0."
    )
    if math.isnan(curve.interval.low):
        return data
    low, high = INTERVAL_COVERAGE
    return (
        f"{data} Pairs share systems, so the interval comes from leaving out each system (jackknife). In simulations "
        f"with 8 to 20 systems it covered the true curve in {percent(low)} to {percent(high)} of cases."
    )


def basis_of_published(label: str) -> str:
    """Name the source of the published curve and its limits; empty if there is none for the metric."""
    published = PUBLISHED.get(label)
    if published is None:
        return ""
    return (
        f"Dashed: the curve that Kocmi et al. (2024, Table 2) fitted to {PAIRS} in 94 languages. "
        f"It starts at {published.min_difference:.2f} {label}, where it passes 50%, and never exceeds "
        f"{percent(published.ceiling)}. Their texts, systems and judges differ from yours."
    )


def _size(difference: float, decimals: int = 2) -> str:
    """Format a difference without its sign; small ones have two significant digits."""
    size = abs(difference)
    return f"{size:.2g}" if 0 < size < 10 ** (1 - decimals) else f"{size:.{decimals}f}"
