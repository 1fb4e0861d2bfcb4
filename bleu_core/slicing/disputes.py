"""The range of ratings per item."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from bleu_core.arrays import Floats
from bleu_core.dataset import Judgments


def rating_ranges(judgments: Judgments, systems: Sequence[str], segments: int) -> Floats:
    """Return the highest minus the lowest rating of each item, after averaging a judge's repeated ratings.

    Args:
        judgments: ratings aligned with the texts.
        systems: K names.
        segments: S.

    Returns:
        (K, S); NaN if fewer than two named judges rated the item.
    """
    rated = judgments.rated[judgments.of_named_judges]
    rated = rated[rated["system"].isin(list(systems)) & rated["segment"].notna()]
    items = ["system", "segment"]
    by_judge = rated.groupby([*items, "group", "judge"], dropna=False, observed=True)["score"].mean()
    extremes = by_judge.groupby(items, observed=True).agg(["min", "max", "count"])
    extremes = extremes[extremes["count"] > 1].reset_index()
    ranges = np.full((len(systems), segments), np.nan)
    rows = extremes["system"].map({name: k for k, name in enumerate(systems)}).to_numpy(np.int64)
    ranges[rows, extremes["segment"].to_numpy(np.int64) - 1] = (extremes["max"] - extremes["min"]).to_numpy(np.float64)
    return ranges
