"""Conditions of slices as users select them: a field, a comparison, and a value."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from bleu_core.dataset import Corpus, Judgments
from bleu_core.progress import Progress
from bleu_core.slicing import FIELDS_OF_ERRORS, HALVES, NEGATION_LANGUAGES, quoted
from bleu_core.uploads import Workspace
from dashboard import session

Kind = Literal["number", "text", "choice"]

#: Maximum number of values of a label that are listed; more are typed.
MAX_VALUES = 300

#: Label of a comparison -> operator, by kind; "contains" ignores case.
COMPARISONS: Mapping[Kind, Mapping[str, str]] = {
    "number": {"at least": ">=", "at most": "<=", "more than": ">", "less than": "<", "is": "=", "is not": "!="},
    "text": {"contains": "~", "does not contain": "~", "is": "=", "is not": "!="},
    "choice": {"is": "=", "is not": "!="},
}


@dataclass(frozen=True, slots=True)
class SliceField:
    """A field of conditions.

    Attributes:
        name: in the language of slices.
        kind: of its values.
        is_label: whether it is a label of the data.
        names: the options of each name that follows the field.
        values: options of the value; typed if empty.
    """

    name: str
    kind: Kind
    is_label: bool = False
    names: tuple[tuple[str, ...], ...] = ()
    values: tuple[str, ...] = ()


def slice_fields(workspace: Workspace) -> tuple[SliceField, ...]:
    """Return the fields that conditions can have with the loaded data, labels first."""
    corpus, systems = workspace.corpus, tuple(workspace.corpus.systems)
    fields = list(_listed_fields(workspace.scope, corpus))
    fields += [SliceField(name, "number") for name in ("length", "segment")]
    if corpus.source is not None:
        fields.append(SliceField("source", "text"))
    fields.append(SliceField("reference", "text"))
    if systems:
        fields += [SliceField("system", "text", names=(systems,)), SliceField("score", "number", names=(systems,))]
    if systems[1:]:
        fields.append(SliceField("equal", "choice", names=(systems, systems), values=("no", "yes")))
    fields += [SliceField(name, "number") for name in ("numbers", "capitalised", "quotes")]
    fields.append(SliceField("negations", "number", names=(tuple(NEGATION_LANGUAGES),)))
    if workspace.judgments is not None:
        fields += [SliceField(name, "number") for name in ("ratings", "disputed")]
        fields += _fields_of_errors(workspace.scope, workspace.judgments, systems)
    fields.append(SliceField("half", "choice", values=tuple(HALVES)))
    return tuple(fields)


def condition(field: SliceField, names: Sequence[str], comparison: str, value: str) -> str:
    """Return a condition in the language of slices.

    Args:
        field: the field.
        names: that follow the field, as many as it needs.
        comparison: one of COMPARISONS of the field's kind.
        value: a number, a text to search for, or one of the field's values.
    """
    sign = COMPARISONS[field.kind][comparison]
    of_system = ["of"] if not field.is_label and field.name in FIELDS_OF_ERRORS else []
    named = " ".join([quoted(field.name) if field.is_label else field.name, *of_system, *map(quoted, names)])
    if sign == "~":
        value = f"(?i){re.escape(value)}"
    expression = f"{named} {sign} {value.strip() if field.kind == 'number' else quoted(value)}"
    return f"not {expression}" if comparison == "does not contain" else expression


@session.cached("Reading labels", "labels")
def _listed_fields(_: Progress, corpus: Corpus) -> tuple[SliceField, ...]:
    labels = [_listed_field(name, values, is_label=True) for name, values in corpus.labels.items()]
    return (*labels, *([] if corpus.documents is None else [_listed_field("document", corpus.documents)]))


@session.cached("Reading marked errors", "errors")
def _fields_of_errors(_: Progress, judgments: Judgments, systems: tuple[str, ...]) -> tuple[SliceField, ...]:
    """Return the fields of the errors that judges marked; none without any."""
    if not judgments.has_errors or not systems:
        return ()
    errors = [error for *_, marked in judgments.annotations() for error in marked]
    categories = dict.fromkeys(error.category for error in errors)
    broader = [category.partition("/")[0] for category in categories if "/" in category]
    severities = dict.fromkeys(error.severity for error in errors)
    return (
        SliceField("errors", "number", names=(systems,)),
        _field_of_values("category", sorted({*categories, *broader}), names=(systems,)),
        _field_of_values("severity", sorted(severities), names=(systems,)),
    )


def _listed_field(name: str, values: Sequence[str], *, is_label: bool = False) -> SliceField:
    """Return a field whose values are selected from a list, if they are few."""
    return replace(_field_of_values(name, tuple(dict.fromkeys(values))), is_label=is_label)


def _field_of_values(name: str, values: Sequence[str], *, names: tuple[tuple[str, ...], ...] = ()) -> SliceField:
    """Return a field with different values, which are selected from a list if they are few, else typed."""
    if len(values) > MAX_VALUES:
        return SliceField(name, "text", names=names)
    return SliceField(name, "choice", names=names, values=tuple(values))
