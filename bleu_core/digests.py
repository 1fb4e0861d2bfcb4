"""Digests of values by their content."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass
from operator import is_
from typing import Any, Generic, TypeVar, cast

import numpy as np

DIGEST_BYTES = 16

Value = TypeVar("Value")


def digest_of(value: object) -> bytes:
    """Return a digest of a value's content, the same in all processes.

    Args:
        value: None, a truth value, number, string, bytes or array, or a sequence, mapping or dataclass of such values.

    Raises:
        TypeError: the value contains an object of another type.
    """
    digest = hashlib.blake2b(digest_size=DIGEST_BYTES)
    for piece in _pieces(value):
        digest.update(len(piece).to_bytes(8, "big") + piece)
    return digest.digest()


@dataclass(frozen=True, slots=True, eq=False)
class Hashed(Generic[Value]):
    """Objects, and what was computed from their content, such as a digest."""

    objects: tuple[object, ...]
    value: Value


def hashed(known: Hashed[Value] | None, *content: object, by: Callable[[], Value]) -> Hashed[Value]:
    """Return what is computed from the content of a frozen object, which `dataclasses.replace` need not compute again.

    The object holds it in a field that is copied with the others.

    Args:
        known: that field; None in a new object.
        content: the fields that it is computed from. They are compared by identity, and none of them is changed.
        by: computes it.
    """
    if known is not None and all(map(is_, known.objects, content)):
        return known
    return Hashed(content, by())


def _pieces(value: object) -> Iterator[bytes]:
    yield type(value).__name__.encode()
    if value is None or isinstance(value, bool | int | float):
        yield repr(value).encode()
    elif isinstance(value, str):
        yield value.encode("utf-8", "surrogatepass")
    elif isinstance(value, bytes):
        yield value
    elif isinstance(value, np.ndarray):
        array = cast("np.ndarray[Any, Any]", value)
        yield f"{array.dtype.str} {array.shape}".encode()
        yield array.tobytes()
    else:
        members = list(_members(value))
        yield str(len(members)).encode()
        for item in members:
            yield from _pieces(item)


def _members(value: object) -> Iterable[object]:
    """Return the members of a value, in order.

    Raises:
        TypeError: the type is not supported.
    """
    if is_dataclass(value) and not isinstance(value, type):
        return [(field.name, getattr(value, field.name)) for field in fields(value)]
    if isinstance(value, Mapping):
        return cast("Mapping[object, object]", value).items()
    if isinstance(value, Sequence):
        return cast("Sequence[object]", value)
    raise TypeError(f"no digest of a {type(value).__name__}")
