"""Slices: the segments of a corpus for which an expression holds."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial

import numpy as np
import numpy.typing as npt

from bleu_core.arrays import Floats
from bleu_core.dataset import FIELDS, Corpus
from bleu_core.errors import AlignmentError, SettingsError, listed
from bleu_core.scoring import Counting, tokenizer
from bleu_core.segments.expression import Condition, Expression, Joined, Not, parse
from bleu_core.segments.halves import HALVES, halves
from bleu_core.segments.search import MOST_SECONDS as SEARCH_SECONDS
from bleu_core.segments.search import matcher

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
        expression: how they were chosen.
        mask: (S,) whether each segment of the whole is in the slice.
    """

    expression: str
    mask: Mask

    def __post_init__(self) -> None:
        self.mask.flags.writeable = False

    @property
    def segments(self) -> int:
        """The number of segments in the slice."""
        return int(self.mask.sum())

    @property
    def of(self) -> int:
        """S, the number of segments of the whole."""
        return len(self.mask)

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
    counting: Counting | None = None,
) -> Slice:
    """Find the segments for which an expression holds.

    Args:
        expression: in the language of `bleu_core.segments.expression`.
        corpus: the texts, with their documents and labels.
        references: names of those in use; all if None.
        counting: how texts become tokens, for the field length; sacreBLEU's defaults if None.

    Raises:
        SettingsError: the expression is not in the language, names an unknown field or system, compares what cannot be
            compared, or a regular expression in it is not valid or takes too long.
        AlignmentError: the corpus does not have a text that the expression needs, or no segment is in the slice.
    """
    fields = _Fields(
        corpus, tuple(corpus.references) if references is None else tuple(references), counting or Counting()
    )
    found = Slice(expression, fields.mask(parse(expression)))
    if not found.segments:
        raise AlignmentError(f"slice {expression!r}: holds for none of {found.of:,} segments, at least 1 expected")
    return found


@dataclass(frozen=True)  # without slots, which leave no place for what is computed once
class _Fields:
    """The fields of a corpus's segments.

    Attributes:
        corpus: the texts.
        references: names of those in use.
        counting: how texts become tokens.
    """

    corpus: Corpus
    references: tuple[str, ...]
    counting: Counting

    def mask(self, expression: Expression) -> Mask:
        """(S,) whether the expression holds for each segment."""
        if isinstance(expression, Not):
            return ~self.mask(expression.term)
        if isinstance(expression, Joined):
            join = np.logical_and if expression.by == "and" else np.logical_or
            return join.reduce([self.mask(term) for term in expression.terms])
        if expression.operator == "!=":
            return ~self.mask(replace(expression, operator="="))
        return self._holds(expression)

    def _holds(self, condition: Condition) -> Mask:
        """Whether a condition without a negation holds."""
        field = condition.field
        if condition.quoted or field not in FIELDS:
            return self._label_holds(condition)
        if field == "segment":
            return _number_holds(condition, np.arange(1, self.corpus.segments + 1, dtype=np.float64))
        if field == "length":
            return _number_holds(condition, self._lengths)
        if field == "half":
            return _choice_holds(condition, halves(self.corpus.documents, self.corpus.segments), HALVES)
        return _text_holds(condition, self._texts(field, condition.system))

    def _label_holds(self, condition: Condition) -> Mask:
        labels = self.corpus.labels.get(condition.field)
        if labels is None:
            known = [*FIELDS, *self.corpus.labels]
            raise SettingsError(f"slice: field {condition.field!r} found, one of {listed(known, most=30)} expected")
        numbers = _numbers(labels)
        if condition.operator == "~" or numbers is None or "" in condition.values:
            return _text_holds(condition, [labels])
        return _number_holds(condition, numbers)

    def _texts(self, field: str, system: str | None) -> Sequence[Sequence[str | None]]:
        """The texts that a field stands for: a condition holds if it does for one of them."""
        corpus = self.corpus
        if field == "system" and not corpus.systems:
            raise AlignmentError("slice: no system found, at least 1 expected; add the output of a system")
        if field == "system":
            if system is not None and system not in corpus.systems:
                raise SettingsError(f"slice: system {system!r} found, one of {listed(corpus.systems)} expected")
            return [corpus.systems[name] for name in ([system] if system is not None else corpus.systems)]
        if field == "reference":
            return [corpus.references[name] for name in self._references_in_use]
        text = corpus.source if field == "source" else corpus.documents
        if text is None:
            what = "the source text" if field == "source" else "a file with one document id per line"
            raise AlignmentError(f"slice: the {field} of the segments is not known; add {what}")
        return [text]

    @property
    def _references_in_use(self) -> tuple[str, ...]:
        if not self.references:
            raise AlignmentError("slice: no reference is in use, at least 1 expected")
        return self.references

    @cached_property
    def _lengths(self) -> Floats:
        """(S,) tokens of the first reference in use that has the segment."""
        tokenize = tokenizer(self.counting.tokenizer)
        texts = zip(*(self.corpus.references[name] for name in self._references_in_use), strict=True)
        first = (next((text for text in of_segment if text is not None), "") for of_segment in texts)
        return np.array([len(tokenize(text).split()) for text in first], np.float64)


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


def _choice_holds(condition: Condition, column: Sequence[str], choices: Sequence[str]) -> Mask:
    """(S,) whether a condition holds for a field that has one of some values."""
    if condition.operator not in ("=", "in"):
        raise SettingsError(
            f"slice: {condition.field} {condition.operator} found, but it is one of {listed(choices)}; use = != or in"
        )
    for value in condition.values:
        if value not in choices:
            raise SettingsError(f"slice: {condition.field} = {value!r} found, one of {listed(choices)} expected")
    return np.array([value in condition.values for value in column], np.bool_)


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
