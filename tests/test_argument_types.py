"""A text in place of a collection is refused by every public function, class and method of the core."""

from __future__ import annotations

import importlib
import inspect
import os
import pickle
import pkgutil
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Literal, cast, get_args, get_origin

import pytest

import bleu_core
from tests.annotations import alternatives, resolved

PACKAGES = ["bleu_core", *(f"bleu_core.{m.name}" for m in pkgutil.iter_modules(bleu_core.__path__) if m.ispkg)]


def public_functions(package: str) -> Iterator[tuple[str, Callable[..., object]]]:
    """Yield the public functions, initialisers and methods of a package, with their places."""
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


def may_be_text(hint: object) -> bool:
    return any(
        kind in (str, bytes, object, Any) or get_origin(kind) in (Literal, os.PathLike) for kind in alternatives(hint)
    )


def texts_in_place_of(hint: object, depth: int = 2) -> Iterator[object]:
    """Yield what is refused where this type is expected: a text, and a collection of one where it has collections."""
    if may_be_text(hint) or not depth:
        return
    for kind in alternatives(hint):
        origin, members = cast("type", get_origin(kind)), get_args(kind)
        if not (isinstance(origin, type) and issubclass(origin, Iterable) and origin.__module__ != "numpy"):
            continue
        yield from ("the cat", b"the cat", Path("the cat"))
        if issubclass(origin, Mapping):
            yield from ({"A": text} for text in texts_in_place_of(members[1], depth - 1))
        elif origin is not tuple or members[1:] == (...,):
            yield from ([text] for text in texts_in_place_of(members[0], depth - 1))


def collections_of(function: Callable[..., object]) -> Iterator[tuple[str, int | None, object]]:
    """Yield the parameters that are collections: name, position, and something that is refused."""
    names = inspect.unwrap(function).__globals__
    for position, (name, parameter) in enumerate(inspect.signature(function).parameters.items()):
        if parameter.kind not in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
            by_name_only = parameter.kind is parameter.KEYWORD_ONLY
            for text in texts_in_place_of(resolved(parameter.annotation, names)):
                yield name, None if by_name_only else position, text


def refusal(function: Callable[..., object], *arguments: object, **named: object) -> str:
    try:
        function(*arguments, **named)
    except TypeError as error:
        return str(error)
    return "accepted"


@pytest.mark.parametrize("package", PACKAGES)
def test_a_text_is_refused_where_a_collection_is_expected(package: str) -> None:
    wrong: list[str] = []
    for place, function in public_functions(package):
        for name, position, text in collections_of(function):
            messages = [refusal(function, **{name: text})]
            if position is not None:
                messages.append(refusal(function, *[None] * position, text))
            wrong += [
                f"{place}({name}={text!r}): {message}"
                for message in messages
                if not (f" expects {name} to be " in message and f", but {name}" in message and "the cat" in message)
            ]
    assert wrong == []


def test_many_parameters_are_checked() -> None:
    assert sum(1 for package in PACKAGES for _, f in public_functions(package) for _ in collections_of(f)) > 1500


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda: bleu_core.load("A.txt"),
            "load expects systems to be Iterable[StrPath], but systems is the str 'A.txt'",
        ),
        (
            lambda: bleu_core.Corpus(systems={"A": cast("Any", "the cat")}, references={}),
            "Corpus expects systems to be Mapping[str, tuple[str, ...]], but systems['A'] is the str 'the cat'",
        ),
        (
            lambda: bleu_core.Corpus.from_columns(cast("Any", b"the cat")),
            "Corpus.from_columns expects columns to be Iterable[Column], but columns is the bytes b'the cat'",
        ),
        (
            lambda: bleu_core.Corpus({}, {}).subset(cast("Any", "1")),
            "Corpus.subset expects rows to be Sequence[int], but rows is the str '1'",
        ),
    ],
)
def test_the_message_names_the_argument_and_what_was_expected(call: Callable[[], object], message: str) -> None:
    with pytest.raises(TypeError) as raised:
        call()
    assert str(raised.value) == message


def test_a_text_is_accepted_where_it_is_one_of_the_types() -> None:
    judgments = bleu_core.Judgments.from_ratings(["A"], [1.0], [1], "f.csv", judges="J")
    assert judgments.table["judge"].tolist() == ["J"]


def test_public_functions_are_sent_to_processes_and_document_themselves() -> None:
    assert pickle.loads(pickle.dumps(bleu_core.load)) is bleu_core.load  # noqa: S301 # our own
    assert list(inspect.signature(bleu_core.load).parameters)[:2] == ["systems", "references"]
    assert (bleu_core.load.__module__, bleu_core.load.__name__) == ("bleu_core.uploads", "load")
    assert (bleu_core.load.__doc__ or "").startswith("Read files")
