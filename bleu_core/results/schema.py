"""The JSON Schema of a result, derived from its declared fields."""

from __future__ import annotations

import dataclasses
import types
from collections.abc import Mapping, Sequence
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

import numpy as np

from bleu_core.fields import REASON_KEY, Field, Kind, fields_of, json_key, types_of
from bleu_core.results.encoding import Json
from bleu_core.scoring import SETTINGS, BleuSettings

#: The unit of a kind of value, for the schema.
UNITS: Mapping[Kind, str] = {"points": "points", "difference": "points", "bleu": "0 to 1", "fraction": "a fraction"}


def json_schema(title: str, *kinds: type) -> Json:
    """Return the JSON Schema (2020-12) of JSON that is a result of one of some classes.

    Args:
        title: title of the schema.
        kinds: the classes of results.
    """
    definitions: dict[str, Json] = {}
    objects = [_object(kind, definitions) for kind in kinds]
    head: Json = {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": title}
    head |= objects[0] if len(objects) == 1 else {"anyOf": objects}
    return head | ({"$defs": dict(sorted(definitions.items()))} if definitions else {})


def _object(kind: type, definitions: dict[str, Json]) -> Json:
    declared = fields_of(kind)
    hints = types_of(kind) if declared else get_type_hints(kind)
    properties: dict[str, Json] = {}
    required: list[str] = []
    for name, hint in hints.items():
        if name in declared and declared[name].only == "table":
            continue
        left_out = name in declared and not declared[name].null
        inner, optional = _without_none(hint) if left_out else (hint, False)
        schema = _schema_of(inner, definitions)
        key, former = json_key(name), declared[name].former if name in declared else ""
        properties[key] = schema | _described(declared.get(name) or _of_setting(kind, name))
        if former:
            properties[former] = schema | {"description": f"Former key of {key}, until version 0.4."}
        if not optional and name != REASON_KEY:
            required += [key, *([former] if former else [])]
    if declared and REASON_KEY not in properties and any(field.undefined for field in declared.values()):
        properties[REASON_KEY] = {"type": "string", "description": "Why a value is null."}
    return {"type": "object", "properties": properties, "required": required, "additionalProperties": False}


def _of_setting(kind: type, name: str) -> Field | None:
    """Return the field of a setting; None for other classes."""
    return Field("text", SETTINGS[name].help) if kind is BleuSettings and name in SETTINGS else None


def _described(declared: Field | None) -> Json:
    if declared is None:
        return {}
    meaning = declared.help.format("n") if declared.columns else declared.help
    unit = UNITS.get(declared.kind, "")
    return {"description": f"{meaning} Unit: {unit}." if unit else meaning}


def _without_none(hint: Any) -> tuple[Any, bool]:
    """Return a type without None, and whether None was part of it."""
    if get_origin(hint) not in (Union, types.UnionType):
        return hint, False
    kept = [member for member in get_args(hint) if member is not type(None)]
    return Union[tuple(kept)], len(kept) < len(get_args(hint))  # noqa: UP007 # made from a list


def _schema_of(hint: Any, definitions: dict[str, Json]) -> Json:
    origin, arguments = get_origin(hint), get_args(hint)
    if origin in (Union, types.UnionType):
        return {"anyOf": [_schema_of(member, definitions) for member in arguments]}
    values = _values_of(hint)
    if values:
        return {"enum": values}
    if isinstance(origin, type) and issubclass(origin, Mapping):
        return {"type": "object", "additionalProperties": _schema_of(arguments[1], definitions)}
    if isinstance(origin, type) and issubclass(origin, Sequence | np.ndarray):
        item = float if origin is np.ndarray else arguments[0]
        return {"type": "array", "items": _schema_of(item, definitions)}
    if dataclasses.is_dataclass(hint) and isinstance(hint, type):
        if hint.__name__ not in definitions:
            definitions[hint.__name__] = {}  # reserved first, for classes that contain themselves
            definitions[hint.__name__] = _object(hint, definitions)
        return {"$ref": f"#/$defs/{hint.__name__}"}
    return dict(SCALARS.get(hint, {}))


def _values_of(hint: Any) -> list[Any]:
    """Return the values of a literal type or an enumeration; empty for other types."""
    if get_origin(hint) is Literal:
        return list(get_args(hint))
    members: Mapping[str, Any] = getattr(hint, "__members__", {})
    return [member.value for member in members.values()]


#: Schemas of scalars; a number may be null, if undefined.
SCALARS: Mapping[Any, Json] = {
    bool: {"type": "boolean"},
    int: {"type": "integer"},
    float: {"type": ["number", "null"]},
    str: {"type": "string"},
    type(None): {"type": "null"},
}
