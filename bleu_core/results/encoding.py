"""Results as JSON, derived from the declared fields."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping, Sequence
from typing import Any, cast

import numpy as np

from bleu_core.fields import REASON_KEY, Table, fields_of, is_result, json_key, without_sign_of_zero

Json = dict[str, object]


def to_json(value: Any) -> Any:
    """A result as JSON: lists, dictionaries, text, numbers, true, false and null.

    What is undefined is null. A result with an undefined value has a `reason`, its own or that which the field
    declares. Fields that do not apply, those that are None, are left out if they are not declared as null, and so is an
    empty reason.
    """
    if is_result(value):
        return _of_result(value)
    if dataclasses.is_dataclass(value):
        return {f.name: to_json(getattr(value, f.name)) for f in dataclasses.fields(value)}
    if isinstance(value, Mapping):
        return _of_items(cast("Mapping[Any, Any]", value))
    if isinstance(value, np.ndarray | np.generic):
        return to_json(value.tolist())
    if isinstance(value, Sequence) and not isinstance(value, str):
        return _of_all(cast("Sequence[Any]", value))
    return None if isinstance(value, float) and not math.isfinite(value) else without_sign_of_zero(value)


def _of_items(values: Mapping[Any, Any]) -> Json:
    return {str(key): to_json(one) for key, one in values.items()}


def _of_all(values: Sequence[Any]) -> list[Any]:
    return [to_json(one) for one in values]


def table_json(table: Table) -> Json:
    """A table as JSON, for tables that are no part of a command's report."""
    rows = [dict(zip(table.columns, row, strict=True)) for row in table.rows]
    return {"rows": [{name: to_json(cell) for name, cell in row.items() if name != REASON_KEY or cell} for row in rows]}


def _of_result(value: object) -> Json:
    content: Json = {}
    undefined = ""
    for name, declared in fields_of(value).items():
        found = getattr(value, name)
        if declared.only == "table" or (name == REASON_KEY and not found) or (found is None and not declared.null):
            continue
        key = json_key(name)
        content[key] = _whole(to_json(found)) if declared.kind == "count" else to_json(found)
        if declared.undefined and _lacks(content[key]):
            undefined = undefined or declared.undefined
    return content | {REASON_KEY: undefined} if undefined and REASON_KEY not in content else content


def _lacks(value: object) -> bool:
    """Whether a value, or one of several, is undefined."""
    return None in value if isinstance(value, list) else value is None


def _whole(value: object) -> object:
    """Counts are whole numbers, except for means of them."""
    return int(value) if isinstance(value, float) and value.is_integer() else value
