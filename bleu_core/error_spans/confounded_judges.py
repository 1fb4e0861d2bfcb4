"""Detection of judges who are confounded with two systems, for each kind of errors."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from bleu_core.arrays import Integers
from bleu_core.dataset import ErrorAnnotations, Judgments
from bleu_core.inference import SEED
from bleu_core.judges import is_confounded

#: Why a difference is not tested.
OTHER_JUDGES = (
    "judges are confounded with systems: the two systems have no judges in common, so the difference may be that of "
    "their judges"
)
MISLEADING = (
    "judges are confounded with systems: they differ in how many such errors they mark, and the difference is not "
    "significant, or reversed, if it is adjusted for them"
)


def confounded_reasons(
    annotations: ErrorAnnotations,
    kinds: Sequence[npt.NDArray[np.bool_]],
    documents: Sequence[str] | None = None,
    *,
    seed: int = SEED,
) -> list[str]:
    """Return why the difference of two systems is not tested, for each kind of errors; empty if it is.

    The number of errors of a kind that a judge marks in an item is a rating, to which `bleu_core.judges.confounding`
    is applied. Where the same judges looked at both systems in every segment, they cannot be confounded.

    Args:
        annotations: of two systems, on segments that both have annotated.
        kinds: for each kind, (E,), whether each error is of the kind.
        documents: the document of each segment, if known.
        seed: of the random rosters.
    """
    if _same_judges(annotations):
        return [""] * len(kinds)
    if not _share_judges(annotations):
        return [OTHER_JUDGES] * len(kinds)
    reasons: list[str] = []
    for errors in kinds:
        counts = np.bincount(annotations.span_item[errors], minlength=len(annotations.item_system))
        ratings = _ratings(annotations, counts)
        reasons.append(MISLEADING if is_confounded(ratings, documents=documents, seed=seed) else "")
    return reasons


def _same_judges(annotations: ErrorAnnotations) -> bool:
    """Return whether each segment has the same judges for both systems."""
    codes = annotations.item_annotator * annotations.segments + annotations.item_segment
    first, second = (np.unique(codes[annotations.item_system == system]) for system in range(2))
    return np.array_equal(first, second)


def _share_judges(annotations: ErrorAnnotations) -> bool:
    """Return whether a judge looked at both systems."""
    first, second = (annotations.item_annotator[annotations.item_system == system] for system in range(2))
    return bool(np.isin(first, second).any())


def _ratings(annotations: ErrorAnnotations, counts: Integers) -> Judgments:
    """Return numbers of errors of items as ratings; more errors are lower ratings."""
    annotators = [annotations.annotators[int(number)] for number in annotations.item_annotator]
    return Judgments.from_ratings(
        [annotations.systems[int(k)] for k in annotations.item_system],
        -counts.astype(np.float64),
        list(range(1, len(counts) + 1)),
        "error spans",
        segments=(annotations.item_segment + 1).tolist(),
        judges=[annotator.name for annotator in annotators],
        groups=[annotator.group for annotator in annotators],
    )
