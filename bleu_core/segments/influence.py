"""What each segment adds to a difference of corpus scores."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from bleu_core.scoring import SumTable


def scores_without_each(table: SumTable) -> npt.NDArray[np.float64]:
    """The corpus score of every system with one segment left out at a time.

    Args:
        table: of K systems and S segments.

    Returns:
        (K, S), in points.
    """
    sums = table.sums()
    return table.score(sums[:, None, :] - table.table)
