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

from bleu_core.arrays import Floats, read_only
from bleu_core.dataset import Corpus, Judgments, ScoreTable, plural
from bleu_core.errors import AlignmentError, SettingsError, listed
from bleu_core.scoring import BleuSettings
from bleu_core.slicing.error_fields import MarkedValues, is_marked
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


@dataclass(frozen=True, slots=True, eq=False)
class Slice:
    """Some of the segments of a corpus.

    Attributes:
        expression: that selects them; empty for all that are not excluded.
        mask: (S,) whether each segment of the text is in the slice.
        excluded: numbers, from 1, ascending, of segments that are excluded independently of the expression.
        incomplete_files: names of the files that lack the excluded segments.
    """

    expression: str
    mask: Mask
    excluded: tuple[int, ...] = ()
    incomplete_files: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "mask", read_only(self.mask))

    @classmethod
    def whole(cls, segments: int) -> Slice:
        """Return the slice of all segments."""
        return cls("", np.ones(segments, np.bool_))

    def without(self, numbers: Collection[int], incomplete_files: Sequence[str] = ()) -> Slice:
        """Exclude segments, independently of the expression.

        Args:
            numbers: of the segments, from 1.
            incomplete_files: names of the files that lack them, if that is the reason.

        Raises:
            AlignmentError: no segment is left.
        """
        if not numbers:
            return self
        mask = self.mask.copy()
        mask[np.array(list(numbers), np.int64) - 1] = False
        reduced = Slice(
            self.expression,
            mask,
            tuple(sorted({*self.excluded, *numbers})),
            (*self.incomplete_files, *incomplete_files),
        )
        if not reduced.segments:
            where = f"slice {self.expression!r}: " if self.expression else ""
            raise AlignmentError(f"{where}no segment is left: {reduced.exclusion}")
        return reduced

    @property
    def exclusion(self) -> str:
        """The number of excluded segments and the reason, a sentence without a full stop; empty if there are none."""
        count = len(self.excluded)
        if not count:
            return ""
        files = len(self.incomplete_files)
        lack = f"{'lacks' if files == 1 else 'lack'} {'it' if count == 1 else 'them'}"
        reason = f" because {listed(self.incomplete_files)} {lack}"
        return (
            f"{count:,} of {self.total:,} {plural(self.total, 'segment')} {'is' if count == 1 else 'are'} excluded"
            f"{reason if files else ''}"
        )

    @property
    def segments(self) -> int:
        """The number of segments in the slice."""
        return int(self.mask.sum())

    @property
    def total(self) -> int:
        """S, the number of segments of the text."""
        return len(self.mask)

    @property
    def digest(self) -> str:
        """BLAKE2b hash of the mask, a cache key that does not depend on the expression."""
        return hashlib.blake2b(np.packbits(self.mask).tobytes(), digest_size=16).hexdigest()

    @property
    def fingerprint(self) -> str:
        """Cache key of the segments, independent of the expression."""
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
    scores: Sequence[ScoreTable] = (),
) -> Slice:
    """Find the segments for which an expression holds.

    Args:
        expression: in the language of `bleu_core.slicing.expression`.
        corpus: the texts, with their documents and labels.
        references: names of those in use; all if None.
        settings: of tokenisation, for the field length, and of scoring, for the field score; sacreBLEU's defaults if
            None.
        judgments: ratings aligned with the texts, for the fields ratings, disputed, errors, category and severity.
        scores: of metrics, aligned with the texts, for the errors that they marked.

    Raises:
        SettingsError: the expression is invalid, names an unknown field or system or compares incompatible values, or a
            regular expression in it is invalid or takes too long.
        AlignmentError: the corpus lacks a text, or there are no ratings, that the expression needs, or no segment is in
            the slice.
    """
    in_use = tuple(corpus.references) if references is None else tuple(references)
    fields = SegmentFields(corpus, in_use, settings or BleuSettings(), judgments, scores=scores)
    result = Slice(expression, _mask(parse(expression), fields))
    if not result.segments:
        raise AlignmentError(f"slice {expression!r}: holds for none of {result.total:,} segments, at least 1 expected")
    return result


def _mask(expression: Expression, fields: SegmentFields) -> Mask:
    """Return whether the expression holds for each segment, (S,)."""
    if isinstance(expression, Not):
        return ~_mask(expression.term, fields)
    if isinstance(expression, Joined):
        join = np.logical_and if expression.by == "and" else np.logical_or
        return join.reduce([_mask(term, fields) for term in expression.terms])
    values = fields.values(expression)
    if expression.operator == "!=":
        return ~_holds(replace(expression, operator="="), values) & _is_known(expression, values)
    return _holds(expression, values)


def _is_known(condition: Condition, values: FieldValues) -> Mask | bool:
    """Return whether somebody annotated each segment, (S,), for a condition on marked errors; True for others."""
    if isinstance(values, MarkedValues):
        return np.array([own is not None for own in values.values], np.bool_)
    return ~np.isnan(values) if isinstance(values, np.ndarray) and condition.field == "errors" else True


def _holds(condition: Condition, values: FieldValues) -> Mask:
    """Return whether a condition without a negation holds for each segment, (S,)."""
    if isinstance(values, Label):
        numbers = _numbers(values.values)
        if condition.operator == "~" or numbers is None or "" in condition.values:
            return _text_holds(condition, [values.values])
        return _number_holds(condition, numbers)
    if isinstance(values, Texts):
        return _text_holds(condition, values.columns)
    if isinstance(values, MarkedValues):
        return _marked_holds(condition, values)
    if isinstance(values, Choice):
        return _choice_holds(condition, values)
    return _number_holds(condition, values)


def _number_holds(condition: Condition, numbers: Floats) -> Mask:
    """Return whether a condition holds for numbers, (S,); it does not for NaN."""
    if condition.operator == "~":
        raise SettingsError(f"slice: {condition.field} ~ found, but it is a number; use = != < <= > >= or in")
    if condition.operator in _ORDERED:
        return _ORDERED[condition.operator](numbers, _number(condition, condition.values[0]))
    mask = np.zeros(len(numbers), np.bool_)
    for value in condition.values:
        ends = _RANGE.fullmatch(value) if condition.operator == "in" else None
        low, high = (ends[1], ends[2]) if ends else (value, value)
        mask |= (_number(condition, low) <= numbers) & (numbers <= _number(condition, high))
    return mask


def _number(condition: Condition, value: str) -> float:
    try:
        number = float(value)
    except ValueError:
        number = np.nan
    if not np.isfinite(number):
        raise SettingsError(f"slice: {condition.field} {condition.operator} {value!r} found, a number expected")
    return number


def _choice_holds(condition: Condition, field_values: Choice) -> Mask:
    """Return whether a condition holds for a field with one of several values, (S,)."""
    choices = field_values.choices
    if condition.operator not in ("=", "in"):
        raise SettingsError(
            f"slice: {condition.field} {condition.operator} found, but it is one of {listed(choices)}; use = != or in"
        )
    for value in condition.values:
        if value not in choices:
            raise SettingsError(f"slice: {condition.field} = {value!r} found, one of {listed(choices)} expected")
    return np.array([value in condition.values for value in field_values.values], np.bool_)


def _marked_holds(condition: Condition, field_values: MarkedValues) -> Mask:
    """Return whether a condition holds for the category or severity of any error, (S,)."""
    if condition.operator in _ORDERED:
        raise SettingsError(f"slice: {condition.field} {condition.operator} found, but it is text; use = != ~ or in")
    holds: Callable[[str], bool] = (
        matcher(condition.values[0], SEARCH_SECONDS)
        if condition.operator == "~"
        else lambda own: any(is_marked(value, own) for value in condition.values)
    )
    names = {name for own in field_values.values for name in own or ()}
    wanted = {name for name in names if holds(name)}
    return np.array([own is not None and not wanted.isdisjoint(own) for own in field_values.values], np.bool_)


def _text_holds(condition: Condition, columns: Sequence[Sequence[str | None]]) -> Mask:
    """Return whether a condition holds for the text of any column, (S,)."""
    if condition.operator in _ORDERED:
        raise SettingsError(f"slice: {condition.field} {condition.operator} found, but it is text; use = != ~ or in")
    holds = (
        matcher(condition.values[0], SEARCH_SECONDS)
        if condition.operator == "~"
        else partial(operator.contains, condition.values)
    )
    mask = np.zeros(len(columns[0]), np.bool_)
    for column in columns:
        for i in np.flatnonzero(~mask).tolist():
            text = column[i]
            mask[i] = text is not None and holds(text)
    return mask


def _numbers(labels: Sequence[str]) -> Floats | None:
    """Convert labels to numbers, empty ones to NaN; return None if not all are numbers."""
    try:
        numbers = np.array([float(label) if label else np.nan for label in labels], np.float64)
    except ValueError:
        return None
    return numbers if np.isfinite(numbers).any() and not np.isinf(numbers).any() else None
