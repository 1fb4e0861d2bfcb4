"""Judges who are confounded with systems: their detection for two systems, and differences adjusted for them."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from bleu_core.arrays import Integers
from bleu_core.dataset import ErrorAnnotations, Judgments
from bleu_core.error_spans.kinds import Breakdown, ErrorKind, error_kinds
from bleu_core.error_spans.profile import TOKENS_PER_RATE
from bleu_core.fields import P_VALUE, field, result
from bleu_core.inference import CONFIDENCE, SEED, Interval
from bleu_core.judges import AdjustedMeans, adjusted_means, is_confounded

#: Why a difference is not tested.
OTHER_JUDGES = (
    "judges are confounded with systems: the two systems have no judges in common, so the difference may be that of "
    "their judges"
)
MISLEADING = (
    "judges are confounded with systems: they differ in how many such errors they mark, and the difference is not "
    "significant, or reversed, if it is adjusted for them"
)


#: Why a raw difference is not tested if judges are confounded with the systems of the data.
ADJUSTED = "judges are confounded with systems; the difference adjusted for judges is tested instead"


@result
class AdjustedErrorDifference:
    """A difference of two systems in errors of a kind per 1,000 tokens, adjusted for judges.

    Attributes:
        low, high, p_value: NaN if there is no standard error.
    """

    delta: float = field(
        "decimal",
        "Difference adjusted for judges and segments by least squares, if judges are confounded with systems.",
        label="adjusted",
    )
    low: float = field(
        "decimal", f"Lower end of its {100 * CONFIDENCE:g}% interval (Student's t).", label="adjusted low"
    )
    high: float = field("decimal", f"Upper end of its {100 * CONFIDENCE:g}% interval.", label="adjusted high")
    p_value: float = field(P_VALUE, label="adjusted p")
    p_value_adjusted: float = field(
        P_VALUE, "p-value corrected for the rows of the table (Holm).", label="adjusted p (Holm)"
    )


class AdjustedErrors:
    """The errors of all systems of the data, adjusted for judges by least squares with systems, segments and judges.

    Args:
        annotations: of the judges, in all systems of the data, as two alone may have too few to tell judges from
            systems.
        documents: the document of each segment, if known.
    """

    def __init__(self, annotations: ErrorAnnotations, documents: Sequence[str] | None = None) -> None:
        self._annotations, self._documents = annotations, documents
        self._means: dict[tuple[Breakdown, str, str], AdjustedMeans] = {}

    def difference(
        self, by: Breakdown, kind: ErrorKind, system: str, baseline: str, *, tokens: float
    ) -> AdjustedErrorDifference | None:
        """Return the adjusted difference of two systems in errors of a kind; None if it is undefined.

        Args:
            by: what errors are divided by.
            kind: of errors.
            system: name.
            baseline: name.
            tokens: mean number of tokens of a segment, by which the difference per segment is divided.
        """
        means = self._adjusted(by, kind)
        if means is None or means.reason:
            return None
        a, b = (means.systems.index(name) for name in (system, baseline))
        delta = -float(means.differences[a, b])  # more errors are lower ratings
        rate = TOKENS_PER_RATE / tokens
        interval, p_value = Interval(math.nan, math.nan, CONFIDENCE), math.nan
        if means.variances is not None:
            interval = means.variances.interval(a, b, delta)
            p_value = float(means.variances.p_values(means.adjusted)[a, b])
        return AdjustedErrorDifference(
            delta=delta * rate,
            low=interval.low * rate,
            high=interval.high * rate,
            p_value=p_value,
            p_value_adjusted=p_value,
        )

    def _adjusted(self, by: Breakdown, kind: ErrorKind) -> AdjustedMeans | None:
        key = by, kind.part, kind.name
        if key not in self._means:
            kinds = {(other.part, other.name): other.errors for other in error_kinds(self._annotations, by)}
            errors = kinds.get((kind.part, kind.name))
            if errors is None:
                return None
            counts = _counts(self._annotations, errors)
            self._means[key] = adjusted_means(
                _ratings(self._annotations, counts), self._annotations.systems, self._documents
            )
        return self._means[key]


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
    if same_judges(annotations):
        return [""] * len(kinds)
    if not _share_judges(annotations):
        return [OTHER_JUDGES] * len(kinds)
    reasons: list[str] = []
    for errors in kinds:
        ratings = _ratings(annotations, _counts(annotations, errors))
        reasons.append(MISLEADING if is_confounded(ratings, documents=documents, seed=seed) else "")
    return reasons


def same_judges(annotations: ErrorAnnotations) -> bool:
    """Return whether each segment has the same judges for both systems."""
    codes = annotations.item_annotator * annotations.segments + annotations.item_segment
    first, second = (np.unique(codes[annotations.item_system == system]) for system in range(2))
    return np.array_equal(first, second)


def _share_judges(annotations: ErrorAnnotations) -> bool:
    """Return whether a judge looked at both systems."""
    first, second = (annotations.item_annotator[annotations.item_system == system] for system in range(2))
    return bool(np.isin(first, second).any())


def _counts(annotations: ErrorAnnotations, errors: npt.NDArray[np.bool_]) -> Integers:
    """Return the number of some of the errors in each item."""
    return np.bincount(annotations.span_item[errors], minlength=len(annotations.item_system))


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
