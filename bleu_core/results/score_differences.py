"""Agreement of judges with differences between two scores, by size of the difference, as tables."""

from __future__ import annotations

import math

import numpy as np

from bleu_core.agreement import PUBLISHED, DifferenceCurve, PublishedCurve
from bleu_core.fields import BASELINE, SYSTEM, Table, bounds, field, inline, result, table_of
from bleu_core.inference import CONFIDENCE, Interval
from bleu_core.results.table import DECIMALS

#: Shares of pairs in the table of differences.
SHARES = (0.55, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95)

#: Reason of an undefined difference.
NEVER = "the curve does not reach the share"


@result
class _PairOfSystems:
    """A pair of systems, and whether judges agree with its order."""

    system: str = field(SYSTEM)
    baseline: str = field(BASELINE)
    difference: float = field("number", "Score of the system minus that of the baseline, which has the lower score.")
    raters_agree: str = field(
        "text", "Whether judges order the two the same way; a tie agrees with a tie.", label="judges agree"
    )
    fitted: float = field(
        "fraction", "Share of pairs with this difference in which judges agree, by the curve fitted to these pairs."
    )
    interval: Interval = inline(bounds("fraction", f"{100 * CONFIDENCE:g}% interval of that share"))


@result
class _DifferenceNeeded:
    """The difference at which judges agree in a share of pairs."""

    share: float = field("fraction", "Share of pairs in which judges agree.")
    fitted: float = field("decimal", "Difference at which the curve of these pairs reaches the share.", undefined=NEVER)
    published: float | None = field(
        "decimal",
        "Difference at which the curve of Kocmi et al. (2024) reaches the share.",
        undefined=NEVER,
        default=None,
    )


@result
class ScoreDifferences:
    """Agreement of judges with differences between two scores, by size: a logistic curve without intercept."""

    curve: DifferenceCurve = inline(DifferenceCurve)
    needed: tuple[_DifferenceNeeded, ...] = field("object", "Differences at which judges agree in a share of pairs.")


def score_differences_report(curve: DifferenceCurve) -> ScoreDifferences:
    """Return the curve fitted to all pairs of systems and the published one of the metric, if any."""
    return ScoreDifferences(curve=curve, needed=_needed(curve, PUBLISHED.get(curve.metric)))


def score_differences_table(curve: DifferenceCurve) -> Table:
    """Return all pairs of systems, the greatest difference first."""
    rows: list[_PairOfSystems] = []
    for k in np.argsort(-curve.differences, kind="stable").tolist():
        difference, high, low = float(curve.differences[k]), int(curve.pairs[k, 0]), int(curve.pairs[k, 1])
        rows.append(
            _PairOfSystems(
                system=curve.systems[high],
                baseline=curve.systems[low],
                difference=difference,
                raters_agree="yes" if curve.agrees[k] else "no",
                fitted=curve.share(difference),
                interval=curve.share_interval(difference),
            )
        )
    return table_of(rows, _PairOfSystems).with_decimals(max(curve.decimals, DECIMALS["number"]), "difference")


def differences_needed_table(curve: DifferenceCurve | None, published: PublishedCurve | None) -> Table:
    """Return the differences at which judges agree in 55 to 95 percent of pairs.

    Args:
        curve: the curve of the data; None without ratings.
        published: the published curve of the metric, if any.
    """
    table = table_of(_needed(curve, published), _DifferenceNeeded)
    return table.without("fitted") if curve is None else table.with_decimals(curve.decimals, "fitted")


def _needed(curve: DifferenceCurve | None, published: PublishedCurve | None) -> tuple[_DifferenceNeeded, ...]:
    return tuple(
        _DifferenceNeeded(
            share=share,
            fitted=math.nan if curve is None else curve.needed(share),
            published=None if published is None else published.needed(share),
        )
        for share in SHARES
    )
