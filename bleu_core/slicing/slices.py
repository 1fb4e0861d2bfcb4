"""Slices: the segments of a corpus for which an expression holds."""

from __future__ import annotations

import hashlib
import operator
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
import numpy.typing as npt

from bleu_core.arrays import Floats
from bleu_core.dataset import Corpus, Judgments, plural
from bleu_core.errors import AlignmentError, SettingsError, listed
from bleu_core.scoring import BleuSettings
from bleu_core.slicing.expression import Condition, Expression, Joined, Not, parse
from bleu_core.slicing.search import MAX_SECONDS as SEARCH_SECONDS
from bleu_core.slicing.search import matcher
from bleu_core.slicing.segment_fields import Choice, FieldValues, Label, SegmentFields, Texts

Mask = npt.NDArray[np.bool_]

_ORDERED: Mapping[str, Callable[[Floats, float], Mask]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
_RANGE = re.compile(r"(-?[0-9]+(?:\.[0-9]+)?)-(-?[0-9]+(?:\.[0-9]+)?)")


@dataclass(frozen=True, slots=True)
class Slice:
    """Some of the segments of a corpus.

    Attributes:
        expression: how they were chosen; empty for all that are not excluded.
        mask: (S,) whether each segment of the whole is in the slice.
        excluded: numbers, from 1, ascending, of segments that are not in the slice whatever its expression says.
        lacking: names of the files that lack them.
    """

    expression: str
    mask: Mask
    excluded: tuple[int, ...] = ()
    incomplete_files: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        self.mask.flags.writeable = False

    @classmethod
    def whole(cls, segments: int) -> Slice:
        """The slice of all segments."""
        return cls("", np.ones(segments, np.bool_))

    def without(self, numbers: Collection[int], incomplete_files: Sequence[str] = ()) -> Slice:
        """Exclude segments, whatever the expression says.

        Args:
            numbers: of the segments, from 1.
            lacking: names of the files that lack them, if that is why.

        Raises:
            AlignmentError: no segment is left.
        """
        if not numbers:
            return self
        mask = self.mask.copy()
        mask[np.array(list(numbers), np.int64) - 1] = False
        found = Slice(
            self.expression,
            mask,
            tuple(sorted({*self.excluded, *numbers})),
            (*self.incomplete_files, *incomplete_files),
        )
        if not found.segments:
            where = f"slice {self.expression!r}: " if self.expression else ""
            raise AlignmentError(f"{where}no segment is left: {found.exclusion}")
        return found

    @property
    def exclusion(self) -> str:
        """How many segments are excluded, and why, as a sentence without a full stop; empty if none is."""
        count = len(self.excluded)
        if not count:
            return ""
        files = len(self.incomplete_files)
        why = f" because {listed(self.incomplete_files)} {'lacks' if files == 1 else 'lack'} {'it' if count == 1 else 'them'}"
        return (
            f"{count:,} of {self.total:,} {plural(self.total, 'segment')} {'is' if count == 1 else 'are'} excluded"
            f"{why if files else ''}"
        )

    @property
    def segments(self) -> int:
        """The number of segments in the slice."""
        return int(self.mask.sum())

    @property
    def total(self) -> int:
        """S, the number of segments of the whole."""
        return len(self.mask)

    @property
    def digest(self) -> str:
        """blake2b of the mask: a key for caches, however the segments were chosen."""
        return hashlib.blake2b(np.packbits(self.mask).tobytes(), digest_size=16).hexdigest()

    @property
    def fingerprint(self) -> str:
        """Stands for the segments of the slice in caches, however they were chosen."""
        return self.digest

    @property
    def rows(self) -> tuple[int, ...]:
        """The positions of its segments, from 0."""
        return tuple(np.flatnonzero(self.mask).tolist())

    @property
    def numbers(self) -> tuple[int, ...]:
        """The numbers of its segments, from 1."""
        return tuple((np.flatnonzero(self.mask) + 1).tolist())


def slice_corpus(
    expression: str,
    corpus: Corpus,
    *,
    references: Sequence[str] | None = None,
    settings: BleuSettings | None = None,
    judgments: Judgments | None = None,
) -> Slice:
    """Find the segments for which an expression holds.

    Args:
        expression: in the language of `bleu_core.slicing.expression`.
        corpus: the texts, with their documents and labels.
        references: names of those in use; all if None.
        settings: how texts become tokens, for the field length, and how segments are scored, for the field score;
            sacreBLEU's defaults if None.
        judgments: ratings placed beside the texts, for the fields ratings and disputed.

    Raises:
        SettingsError: the expression is not in the language, names an unknown field or system, compares what cannot be
            compared, or a regular expression in it is not valid or takes too long.
        AlignmentError: the corpus does not have a text that the expression needs, or there are no ratings and it needs
            them, or no segment is in the slice.
    """
    in_use = tuple(corpus.references) if references is None else tuple(references)
    fields = SegmentFields(corpus, in_use, settings or BleuSettings(), judgments)
    found = Slice(expression, _mask(parse(expression), fields))
    if not found.segments:
        raise AlignmentError(f"slice {expression!r}: holds for none of {found.total:,} segments, at least 1 expected")
    return found


def _mask(expression: Expression, fields: SegmentFields) -> Mask:
    """(S,) whether the expression holds for each segment."""
    if isinstance(expression, Not):
        return ~_mask(expression.term, fields)
    if isinstance(expression, Joined):
        join = np.logical_and if expression.by == "and" else np.logical_or
        return join.reduce([_mask(term, fields) for term in expression.terms])
    if expression.operator == "!=":
        return ~_mask(replace(expression, operator="="), fields)
    return _holds(expression, fields.values(expression))


def _holds(condition: Condition, values: FieldValues) -> Mask:
    """Return whether a condition without a negation holds."""
    if isinstance(values, Label):
        numbers = _numbers(values.values)
        if condition.operator == "~" or numbers is None or "" in condition.values:
            return _text_holds(condition, [values.values])
        return _number_holds(condition, numbers)
    if isinstance(values, Texts):
        return _text_holds(condition, values.columns)
    if isinstance(values, Choice):
        return _choice_holds(condition, values)
    return _number_holds(condition, values)


def _number_holds(condition: Condition, numbers: Floats) -> Mask:
    """(S,) whether a condition holds for numbers; it never does for NaN."""
    if condition.operator == "~":
        raise SettingsError(f"slice: {condition.field} ~ found, but it is a number; use = != < <= > >= or in")
    if condition.operator in _ORDERED:
        return _ORDERED[condition.operator](numbers, _number(condition, condition.values[0]))
    found = np.zeros(len(numbers), np.bool_)
    for value in condition.values:
        ends = _RANGE.fullmatch(value) if condition.operator == "in" else None
        low, high = (ends[1], ends[2]) if ends else (value, value)
        found |= (_number(condition, low) <= numbers) & (numbers <= _number(condition, high))
    return found


def _number(condition: Condition, value: str) -> float:
    try:
        number = float(value)
    except ValueError:
        number = np.nan
    if not np.isfinite(number):
        raise SettingsError(f"slice: {condition.field} {condition.operator} {value!r} found, a number expected")
    return number


def _choice_holds(condition: Condition, of_segments: Choice) -> Mask:
    """(S,) whether a condition holds for a field that has one of some values."""
    choices = of_segments.choices
    if condition.operator not in ("=", "in"):
        raise SettingsError(
            f"slice: {condition.field} {condition.operator} found, but it is one of {listed(choices)}; use = != or in"
        )
    for value in condition.values:
        if value not in choices:
            raise SettingsError(f"slice: {condition.field} = {value!r} found, one of {listed(choices)} expected")
    return np.array([value in condition.values for value in of_segments.values], np.bool_)


def _text_holds(condition: Condition, columns: Sequence[Sequence[str | None]]) -> Mask:
    """(S,) whether a condition holds for the text of any of the columns."""
    if condition.operator in _ORDERED:
        raise SettingsError(f"slice: {condition.field} {condition.operator} found, but it is text; use = != ~ or in")
    holds = (
        matcher(condition.values[0], SEARCH_SECONDS)
        if condition.operator == "~"
        else partial(operator.contains, condition.values)
    )
    found = np.zeros(len(columns[0]), np.bool_)
    for column in columns:
        for i in np.flatnonzero(~found).tolist():
            text = column[i]
            found[i] = text is not None and holds(text)
    return found


def _numbers(labels: Sequence[str]) -> Floats | None:
    """Labels as numbers, NaN where there is none; None if they are not all numbers."""
    try:
        found = np.array([float(label) if label else np.nan for label in labels], np.float64)
    except ValueError:
        return None
    return found if np.isfinite(found).any() and not np.isinf(found).any() else None
