"""Systems compared on the slices of a division of the text, in plain language. Pure functions."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from bleu_core.dataset import plural
from bleu_core.slicing import DOCUMENT, HALF, LENGTH, Variation
from dashboard.words.formatting import p_of

if TYPE_CHECKING:
    from dashboard.analysis import SlicedComparison


def slices_verdict(divided: SlicedComparison, system: str) -> str:
    """State in how many slices a system is significantly better and worse than the baseline."""
    (_, _, whole), *rows = divided.rows_of(system)
    tested = [result.verdict(pair) for _, result, pair in rows if not math.isnan(pair.p_value)]
    if not tested:
        return f"{whole.system} and {whole.baseline} cannot be compared in any slice: {rows[0][2].reason}."
    count = f"{len(tested)} {plural(len(tested), 'slice')}"
    if len(tested) < len(rows):
        count += f" that can be tested, of {len(rows)}"
    better, worse = tested.count(1), tested.count(-1)
    if not better and not worse:
        return f"{whole.system} and {whole.baseline} do not differ significantly in any of {count}."
    return (
        f"{whole.system} is significantly better than {whole.baseline} in {better or 'none'} of {count}, and "
        f"significantly worse in {worse or 'none'}."
    )


def variation_verdict(variation: Variation, alpha: float) -> str:
    """State whether a difference varies between slices more than chance."""
    if variation.reason:
        return f"Whether the difference varies between the slices is not tested: {variation.reason}."
    evidence = f"(Cochran's Q = {variation.q:.2f}, p {p_of(variation.p_value)})"
    if variation.p_value < alpha:
        return f"The difference varies significantly between the slices {evidence}."
    return f"The difference does not vary significantly between the slices {evidence}."


def division(divided: SlicedComparison) -> str:
    """Describe how the text is divided, and how slices are compared."""
    count, by = len(divided.comparisons.slices), divided.grouping.by
    ways = {
        DOCUMENT: "by document",
        LENGTH: "by the length of the first reference (tokens)",
        HALF: "into halves, one to explore and one to test",
    }
    compared, first_slice = divided.comparisons, divided.comparisons.slices[0].comparisons
    return (
        f"{count:,} {plural(count, 'slice')} {ways.get(by, f'by {by}')}. Each is compared by {compared.tested_by}, "
        f"seed {first_slice.seed}; p corrected for "
        f"{count:,} {plural(count, 'slice')} by Holm."
    )


def slices_drawn(drawn: int, count: int) -> str:
    """State which slices a figure shows, if not all."""
    return f"The figure has the {drawn} slices with the most segments of {count:,}; the table has all."
