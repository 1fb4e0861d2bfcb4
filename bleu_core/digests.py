"""Digests of values by what they hold."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass
from typing import Any, cast

import numpy as np

DIGEST_BYTES = 16


def digest_of(value: object) -> bytes:
    """A digest of a value by what it holds: the same in all processes.

    Args:
        value: None, a truth value, number, string, bytes or array, or a sequence, mapping or dataclass of such values.

    Raises:
        TypeError: it holds something else.
    """
    digest = hashlib.blake2b(digest_size=DIGEST_BYTES)
    for piece in _pieces(value):
        digest.update(len(piece).to_bytes(8, "big") + piece)
    return digest.digest()


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
        held = list(_held(value))
        yield str(len(held)).encode()
        for item in held:
            yield from _pieces(item)


def _held(value: object) -> Iterable[object]:
    """What a value holds, in its order.

    Raises:
        TypeError: that is not known.
    """
    if is_dataclass(value) and not isinstance(value, type):
        return [(field.name, getattr(value, field.name)) for field in fields(value)]
    if isinstance(value, Mapping):
        return cast("Mapping[object, object]", value).items()
    if isinstance(value, Sequence):
        return cast("Sequence[object]", value)
    raise TypeError(f"no digest of a {type(value).__name__}")
