"""A text in place of a collection is refused by every public function, class and method of the core."""

from __future__ import annotations

import builtins
import importlib
import inspect
import os
import pickle
import pkgutil
import typing
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from types import UnionType
from typing import Any
from unittest.mock import MagicMock

import pytest

import bleu_core
from bleu_core.argument_types import refuses_texts

PACKAGES = ["bleu_core", *(f"bleu_core.{m.name}" for m in pkgutil.iter_modules(bleu_core.__path__) if m.ispkg)]


class Names(dict[str, object]):
    """The names in an annotation; Any for names that only type checkers import."""

    def __init__(self, function: Callable[..., object]) -> None:
        self.globals = inspect.unwrap(function).__globals__

    def __missing__(self, name: str) -> object:
        if name.startswith("__"):
            raise KeyError(name)  # pytest looks for such names in the frames of a traceback
        return self.globals.get(name, getattr(builtins, name, MagicMock()))


def public_callables(package: str) -> Iterator[tuple[str, Callable[..., object]]]:
    """Yield the public functions, classes and methods of a package, classes as their initialisers."""
    module = importlib.import_module(package)
    for name in dir(module):
        value = getattr(module, name)
        if name.startswith("_") or not getattr(value, "__module__", "").startswith("bleu_core"):
            continue
        if not isinstance(value, type):
            if inspect.isfunction(value):
                yield f"{package}.{name}", value
            continue
        for attribute in ("__init__", "__new__", *(key for key in vars(value) if not key.startswith("_"))):
            method = inspect.getattr_static(value, attribute)
            function = getattr(method, "__func__", method)
            if inspect.isfunction(function):
                yield f"{package}.{name}.{attribute}", function


def alternatives(hint: object) -> tuple[object, ...]:
    return typing.get_args(hint) if typing.get_origin(hint) in (typing.Union, UnionType) else (hint,)


def may_be_text(hint: object) -> bool:
    return any(
        kind in (str, bytes, object, Any, os.PathLike) or typing.get_origin(kind) in (typing.Literal, os.PathLike)
        for kind in alternatives(hint)
    )


def texts_in_place_of(hint: object) -> Iterator[object]:
    """Yield what is refused where this type is expected: a text, and collections of one text in place of another."""
    kinds = [kind for kind in alternatives(hint) if isinstance(typing.get_origin(kind), type)]
    kinds = [kind for kind in kinds if issubclass(typing.cast("type", typing.get_origin(kind)), Iterable)]
    kinds = [kind for kind in kinds if typing.get_args(kind) and "numpy" not in str(typing.get_origin(kind))]
    if not kinds or may_be_text(hint):
        return
    yield from ("the cat", b"the cat", Path("the cat"))
    for kind in kinds:
        origin, members = typing.cast("type", typing.get_origin(kind)), typing.get_args(kind)
        if issubclass(origin, Mapping):
            yield from ({"A": inner} for inner in texts_in_place_of(members[1]))
        elif origin is not tuple or members[1:] == (...,):
            yield from ([inner] for inner in texts_in_place_of(members[0]))


def collections_of(function: Callable[..., object]) -> Iterator[tuple[str, int | None, list[object]]]:
    """Yield the parameters that are collections: name, position and what is refused."""
    for position, (name, parameter) in enumerate(inspect.signature(function).parameters.items()):
        annotation = getattr(parameter.annotation, "__forward_arg__", parameter.annotation)
        if annotation is parameter.empty or parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
            continue
        hint = eval(annotation, {}, Names(function)) if isinstance(annotation, str) else annotation  # noqa: S307 # ours
        if texts := list(texts_in_place_of(hint)):
            yield name, None if parameter.kind is parameter.KEYWORD_ONLY else position, texts


def refusal(function: Callable[..., object], *arguments: object, **named: object) -> str:
    try:
        function(*arguments, **named)
    except TypeError as error:
        return str(error)
    except Exception as error:
        return repr(error)
    return "accepted"


@pytest.mark.parametrize("package", PACKAGES)
def test_a_text_is_refused_where_a_collection_is_expected(package: str) -> None:
    wrong: list[str] = []
    for place, function in public_callables(package):
        for name, position, texts in collections_of(function):
            for text in texts:
                messages = [refusal(function, **{name: text})]
                if position is not None:
                    messages.append(refusal(function, *[None] * position, text))
                wrong += [
                    f"{place}({name}={text!r}): {message}"
                    for message in messages
                    if f" expects {name} to be " not in message or " is the " not in message
                ]
    print(*wrong, sep="\n")
    assert wrong == []
