"""How far the judges of a segment are apart."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from bleu_core.arrays import Floats
from bleu_core.dataset import Judgments


def rating_ranges(judgments: Judgments, systems: Sequence[str], segments: int) -> Floats:
    """The highest minus the lowest rating of each item; a judge's repeated ratings are averaged first.

    Args:
        judgments: ratings placed beside the texts.
        systems: K names.
        segments: S.

    Returns:
        (K, S); NaN where fewer than two named judges rated the item.
    """
    rated = judgments.rated[judgments.of_named_judges]
    rated = rated[rated["system"].isin(list(systems)) & rated["segment"].notna()]
    items = ["system", "segment"]
    by_judge = rated.groupby([*items, "group", "judge"], dropna=False, observed=True)["score"].mean()
    found = by_judge.groupby(items, observed=True).agg(["min", "max", "count"])
    found = found[found["count"] > 1].reset_index()
    ranges = np.full((len(systems), segments), np.nan)
    rows = found["system"].map({name: k for k, name in enumerate(systems)}).to_numpy(np.int64)
    ranges[rows, found["segment"].to_numpy(np.int64) - 1] = (found["max"] - found["min"]).to_numpy(np.float64)
    return ranges
