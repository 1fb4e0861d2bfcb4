"""Ways to divide all segments into slices: by a label, by document, by length, or into halves."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from bleu_core.arrays import Integers
from bleu_core.dataset import Corpus
from bleu_core.errors import AlignmentError, SettingsError, listed
from bleu_core.scoring import BleuSettings
from bleu_core.slicing.expression import Condition, quoted
from bleu_core.slicing.half import HALVES, halves
from bleu_core.slicing.segment_fields import SegmentFields

#: Names of divisions without labels.
DOCUMENT, LENGTH, HALF = "document", "length", "half"

#: Number of groups by length, of about equal size.
LENGTH_GROUPS = 4


@dataclass(frozen=True, slots=True)
class Grouping:
    """A division of the segments into slices.

    Attributes:
        by: its name: a label, or one of document, length and half.
        labels: S values, one per segment; a segment whose value is empty is in no slice.
        order: the different values, in the order of the slices.
    """

    by: str
    labels: tuple[str, ...]
    order: tuple[str, ...]

    def expression(self, label: str) -> str:
        """Return the expression of the slice with a value."""
        if self.by == LENGTH:
            return f"{LENGTH} in {label}"
        return f"{self.by if self.by in (DOCUMENT, HALF) else quoted(self.by)} = {quoted(label)}"


def grouping_names(corpus: Corpus) -> tuple[str, ...]:
    """Return the names of the divisions of a corpus, labels first."""
    documents = () if corpus.documents is None else (DOCUMENT,)
    return (*corpus.labels, LENGTH, *documents, HALF)


def group_segments(
    corpus: Corpus,
    by: str,
    *,
    references: Sequence[str] | None = None,
    settings: BleuSettings | None = None,
    numbers: Sequence[int] | None = None,
) -> Grouping:
    """Divide the segments of a corpus.

    Args:
        corpus: the texts.
        by: one of grouping_names. Slices by label and by document are in the order of their first segments; slices by
            length are quarters of the segments, from short to long.
        references: names of those in use, whose lengths count; all if None.
        settings: how texts become tokens; sacreBLEU's defaults if None.
        numbers: the numbers of the segments in the whole text, from 1, which determine halves if documents are not
            known; consecutive if None.

    Raises:
        SettingsError: there is no such label.
        AlignmentError: documents are required and not known.
    """
    known = grouping_names(corpus)
    if by not in known and by != DOCUMENT:
        raise SettingsError(f"label {by!r} found, one of {listed(known, max_items=30)} expected")
    if by == LENGTH:
        in_use = tuple(corpus.references) if references is None else tuple(references)
        lengths = SegmentFields(corpus, in_use, settings or BleuSettings()).values(
            Condition(field=LENGTH, operator="=", values=())
        )
        return group_by_length(np.asarray(lengths, np.int64))  # of the first reference
    if by == HALF:
        half_labels = halves(corpus.documents, range(1, corpus.segments + 1) if numbers is None else numbers)
        return Grouping(by, half_labels, tuple(half for half in HALVES if half in half_labels))
    labels = corpus.documents if by == DOCUMENT else corpus.labels[by]
    if labels is None:
        raise AlignmentError("the documents of the segments are not known; add a file with one document id per line")
    return Grouping(by, labels, tuple(dict.fromkeys(label for label in labels if label)))


def group_by_length(lengths: Integers) -> Grouping:
    """Divide segments into quarters by number of tokens; segments of equal length are in the same group.

    Args:
        lengths: (S,).
    """
    shares = np.arange(1, LENGTH_GROUPS) / LENGTH_GROUPS
    groups = np.searchsorted(np.quantile(lengths, shares, method="inverted_cdf"), lengths)
    labels = {int(group): _range(lengths[groups == group].tolist()) for group in np.unique(groups)}
    return Grouping(LENGTH, tuple(labels[group] for group in groups.tolist()), tuple(labels.values()))


def _range(numbers: Sequence[int]) -> str:
    """Return the range of numbers as text."""
    low, high = min(numbers), max(numbers)
    return f"{low}" if low == high else f"{low}-{high}"
