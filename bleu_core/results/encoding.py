"""Results as JSON, derived from the declared fields."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping, Sequence
from typing import Any, cast

import numpy as np

from bleu_core.fields import REASON_KEY, Table, fields_of, is_result, json_key, value_of, without_sign_of_zero

Json = dict[str, object]


def to_json(value: Any) -> Any:
    """Convert a result to JSON: lists, dictionaries, text, numbers, true, false and null.

    Undefined values are null. A result with an undefined value has a `reason`: its own, or the one that the field
    declares. Fields that are None are omitted unless they are declared as null; empty reasons are omitted.
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
    return {str(key): to_json(item) for key, item in values.items()}


def _of_all(values: Sequence[Any]) -> list[Any]:
    return [to_json(item) for item in values]


def table_json(table: Table) -> Json:
    """Convert a table to JSON, for tables that are not part of a command's report."""
    rows = [dict(zip(table.columns, row, strict=True)) for row in table.rows]
    return {"rows": [{name: to_json(cell) for name, cell in row.items() if name != REASON_KEY or cell} for row in rows]}


def _of_result(value: object) -> Json:
    content: Json = {}
    undefined = ""
    for name, declared in fields_of(value).items():
        item = value_of(value, name)
        if declared.only == "table" or (name == REASON_KEY and not item) or (item is None and not declared.null):
            continue
        key = json_key(name)
        content[key] = _as_integer(to_json(item)) if declared.kind == "count" else to_json(item)
        if declared.former:
            content[declared.former] = content[key]
        if declared.undefined and _is_undefined(content[key]):
            undefined = undefined or declared.undefined
    return content | {REASON_KEY: undefined} if undefined and REASON_KEY not in content else content


def _is_undefined(value: object) -> bool:
    """Return whether a value, or one of several, is undefined."""
    return None in value if isinstance(value, list) else value is None


def _as_integer(value: object) -> object:
    """Return a count as an integer; means of counts remain floats."""
    return int(value) if isinstance(value, float) and value.is_integer() else value
