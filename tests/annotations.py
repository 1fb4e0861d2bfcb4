"""Annotations of our own functions and classes, as types."""

from __future__ import annotations

import builtins
import typing
from collections.abc import Mapping
from types import UnionType
from unittest.mock import MagicMock


class _Names(dict[str, object]):
    """Names in an annotation; those that only type checkers import are of no use to tests."""

    def __init__(self, names: Mapping[str, object]) -> None:
        self.names = names

    def __missing__(self, name: str) -> object:
        if name.startswith("__"):
            raise KeyError(name)  # pytest looks for such names in the frames of a traceback
        return self.names.get(name, getattr(builtins, name, MagicMock()))


def resolved(annotation: object, names: Mapping[str, object]) -> object:
    """Return the type of an annotation in a module with these names."""
    text = getattr(annotation, "__forward_arg__", annotation)
    return eval(text, {}, _Names(names)) if isinstance(text, str) else text  # noqa: S307 # our own source


def alternatives(hint: object) -> tuple[object, ...]:
    """Return the members of a union, or the only type."""
    return typing.get_args(hint) if typing.get_origin(hint) in (typing.Union, UnionType) else (hint,)
