"""The kinds of errors that a profile counts: all, by severity, by category and by place."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
import numpy.typing as npt

from bleu_core.dataset import ErrorAnnotations
from bleu_core.errors import SettingsError

#: The property that a profile divides errors by.
Breakdown = Literal["severity", "category", "place"]

BREAKDOWNS: tuple[Breakdown, ...] = get_args(Breakdown)

#: Separates the levels of a category, as in Accuracy/Mistranslation.
LEVEL_SEPARATOR = "/"

#: Name of the row with all errors, and of errors without a category or severity.
ALL_ERRORS = "all errors"
NONE_GIVEN = "none given"

#: Severities in their order, the most severe first; others follow by name.
SEVERITY_ORDER = ("critical", "major", "minor", "neutral")

#: Last part of the category of an omission, in lower case.
OMISSIONS = ("omission", "missing", "missing content")

#: Category, or its part before the slash, of an error of the source itself, in lower case.
SOURCE_ERRORS = ("source", "source error", "source issue")

#: Names of the rows of a profile by place.
IN_TRANSLATION, IN_SOURCE, OMITTED, NOT_PLACED = "translation", "source", "omission", "without a place"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ErrorKind:
    """A kind of errors: a row of a profile.

    Attributes:
        name: a severity, a category, the part of several categories before the slash, or a place.
        part: "all" for all errors, "group" for categories with the same part before the slash, else "one".
        errors: (E,), whether each error is of the kind.
    """

    name: str
    part: Literal["all", "group", "one"]
    errors: npt.NDArray[np.bool_]


def error_kinds(annotations: ErrorAnnotations, by: Breakdown) -> tuple[ErrorKind, ...]:
    """Return the kinds of errors that occur: all errors first, then those of a breakdown.

    Severities are in the order of SEVERITY_ORDER. Categories are ordered by their number of errors, the most frequent
    first; those that share the part before the slash come together, after a row for all of them. By place, every error
    is counted once: an omission is an error whose category says so, wherever it is marked; other errors are in the
    source, if they are marked there or their category says so, in the translation, or without a place, if theirs is not
    known.

    Args:
        annotations: with E errors.
        by: the breakdown.

    Raises:
        SettingsError: there is no such breakdown.
    """
    kinds = {"severity": _by_severity, "category": _by_category, "place": _by_place}
    if by not in kinds:
        raise SettingsError(f"breakdown {by!r} found, one of {', '.join(BREAKDOWNS)} expected")
    everything = ErrorKind(name=ALL_ERRORS, part="all", errors=np.ones(len(annotations.span_item), np.bool_))
    return everything, *(kind for kind in kinds[by](annotations) if kind.errors.any())


def _by_severity(annotations: ErrorAnnotations) -> list[ErrorKind]:
    def position(name: str) -> tuple[int, str]:
        return SEVERITY_ORDER.index(name) if name in SEVERITY_ORDER else len(SEVERITY_ORDER), name

    order = sorted(range(len(annotations.severities)), key=lambda number: position(annotations.severities[number]))
    return [
        ErrorKind(
            name=annotations.severities[number] or NONE_GIVEN, part="one", errors=annotations.span_severity == number
        )
        for number in order
    ]


def _by_category(annotations: ErrorAnnotations) -> list[ErrorKind]:
    counts = np.bincount(annotations.span_category, minlength=len(annotations.categories))
    groups: dict[str, list[int]] = {}
    for number, name in enumerate(annotations.categories):
        if counts[number]:
            groups.setdefault(name.split(LEVEL_SEPARATOR, 1)[0].strip(), []).append(number)
    kinds: list[ErrorKind] = []
    for group, members in sorted(groups.items(), key=lambda item: (-int(counts[item[1]].sum()), item[0])):
        if len(members) > 1:
            kinds.append(ErrorKind(name=group, part="group", errors=np.isin(annotations.span_category, members)))
        for number in sorted(members, key=lambda member: (-int(counts[member]), annotations.categories[member])):
            name = annotations.categories[number] or NONE_GIVEN
            kinds.append(ErrorKind(name=name, part="one", errors=annotations.span_category == number))
    return kinds


def _by_place(annotations: ErrorAnnotations) -> Sequence[ErrorKind]:
    levels = [[level.strip().lower() for level in name.split(LEVEL_SEPARATOR)] for name in annotations.categories]
    omitted = np.array([parts[-1] in OMISSIONS for parts in levels], np.bool_)[annotations.span_category]
    of_source = np.array([parts[0] in SOURCE_ERRORS for parts in levels], np.bool_)[annotations.span_category]
    source = (annotations.span_in_source | of_source) & ~omitted
    in_translation = ~source & ~omitted
    places = {
        IN_TRANSLATION: in_translation & annotations.placed,
        IN_SOURCE: source,
        OMITTED: omitted,
        NOT_PLACED: in_translation & ~annotations.placed,
    }
    return [ErrorKind(name=name, part="one", errors=errors) for name, errors in places.items()]
