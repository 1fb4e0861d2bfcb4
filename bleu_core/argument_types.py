"""Refusal of a single text where several values are expected.

A text is a sequence of its characters, so that Python would take "A.txt" for a list of five systems. Each package ends
its `__init__.py` with `refuse_texts(__name__)`, which makes its public functions, classes and methods raise TypeError
for a text, bytes or a path in place of a collection. The annotations of the parameters say where one is expected.
Modules from which `bleu_core` itself takes names do the same.
"""

from __future__ import annotations

import ast
import inspect
import os
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from functools import cache, partial, wraps
from types import FunctionType, MappingProxyType
from typing import Any, cast, get_origin

from bleu_core.errors import shortened

#: Names of collections in annotations, and of types that a text may have.
COLLECTIONS = ("Collection", "Iterable", "Iterator", "Mapping", "Sequence", "dict", "frozenset", "list", "set", "tuple")
TEXTS = ("Any", "Hashable", "Literal", "PathLike", "bytes", "object", "str")

METHODS = (FunctionType, classmethod, staticmethod)

_COLLECTION = re.compile(rf"\b(?:{'|'.join(COLLECTIONS)})\[")


def refuse_texts(package: str) -> None:
    """Make the public functions and classes of a package refuse a text in place of a collection.

    Functions are replaced in the package only: its modules call each other without these checks.

    Args:
        package: the name of the package, or of a module that is public itself, after all its names have been defined.
    """
    public = vars(sys.modules[package])
    for name, value in list(public.items()):
        if not issubclass(type(value), (type, FunctionType)):  # any attribute of others might load them
            continue
        if name.startswith("_") or not f"{value.__module__}.".startswith(f"{package}."):
            continue
        if isinstance(value, type):
            _refuse_in_methods(value)
        elif (checked := refuses_texts(value)) is not value:
            checked.__module__ = package  # where pickle looks for it
            public[name] = checked


def _refuse_in_methods(kind: type) -> None:
    members: Mapping[str, Any] = vars(kind)
    for name, value in list(members.items()):
        if type(value) in METHODS and (name in ("__init__", "__new__") or not name.startswith("_")):
            function = value if type(value) is FunctionType else value.__func__
            if (checked := refuses_texts(function)) is not function:
                setattr(kind, name, checked if function is value else cast("Any", type(value))(checked))


def refuses_texts(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function that raises TypeError for a text in place of a collection; itself if it takes no collection."""
    if type(function) is not FunctionType or hasattr(function, "__wrapped__"):
        return function
    annotations: Mapping[str, object] = function.__annotations__
    for name, annotation in annotations.items():
        if name != "return" and _has_collection(_written(annotation, function.__globals__)):
            break
    else:
        return function

    @wraps(function)
    def checked(*arguments: Any, **named: Any) -> Any:
        for name, position, check in _checks(function):
            value = arguments[position] if position < len(arguments) else named.get(name)
            if value is not None:
                check(value)
        return function(*arguments, **named)

    return checked


@cache  # made at the first call, since a program calls few of the functions
def _checks(function: FunctionType) -> Sequence[tuple[str, int, Callable[[object], None]]]:
    """Return the name, the position and the check of each parameter that is a collection."""
    checks: list[tuple[str, int, Callable[[object], None]]] = []
    names = function.__globals__
    for position, (name, parameter) in enumerate(inspect.signature(function).parameters.items()):
        annotation = _written(parameter.annotation, names)
        if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
            continue
        if depth := collection_depth(annotation, names):
            expected = f"{function.__qualname__.removesuffix('.__init__')} expects {name} to be {annotation}"
            by_name_only = parameter.kind is parameter.KEYWORD_ONLY
            checks.append((name, sys.maxsize if by_name_only else position, partial(_check, depth, name, expected)))
    return checks


def _check(depth: int, name: str, expected: str, value: object) -> None:
    if isinstance(value, (str, bytes, os.PathLike)):
        raise _refusal(expected, name, cast("object", value))
    if depth > 1 and isinstance(value, (Mapping, list, tuple)):  # one level is enough, and takes no time
        members = cast("Mapping[object, object] | Sequence[object]", value)
        for key, member in members.items() if isinstance(members, Mapping) else enumerate(members):
            if isinstance(member, (str, bytes, os.PathLike)):
                raise _refusal(expected, f"{name}[{shortened(repr(key))}]", cast("object", member))


def _refusal(expected: str, place: str, value: object) -> TypeError:
    return TypeError(f"{expected}, but {place} is the {type(value).__name__} {shortened(repr(value))}")


def _written(annotation: object, names: Mapping[str, object]) -> str:
    """Return an annotation as it is written in the source, or what it is an alias of."""
    text = annotation if type(annotation) is str else str(getattr(annotation, "__forward_arg__", annotation))
    return (text in names and _definition(names[text])) or text


@cache
def _has_collection(annotation: str) -> bool:
    return _COLLECTION.search(annotation) is not None


@cache
def _definition(value: object) -> str:
    """Return the definition of an alias of a type with parameters or a union; empty for any other value."""
    return "" if get_origin(value) is None else str(value)


def collection_depth(annotation: str, names: Mapping[str, object] = MappingProxyType({})) -> int:
    """Return how many collections are nested in values with this annotation; 0 if a value may be a text.

    Args:
        annotation: the annotation, as it is written.
        names: aliases of types, by their names.

    >>> collection_depth("Mapping[str, Sequence[str]] | None"), collection_depth("Sequence[str]")
    (2, 1)
    >>> collection_depth("Sequence[str] | str"), collection_depth("tuple[str, str]")
    (0, 1)
    """
    if not _has_collection(annotation):
        return 0
    return _depth(_Aliases(names).visit(ast.parse(annotation, mode="eval")).body)


class _Aliases(ast.NodeTransformer):
    """Replaces aliases in an annotation by their definitions, and qualified names by their last part."""

    def __init__(self, names: Mapping[str, object]) -> None:
        self.names = names

    def visit_Name(self, node: ast.Name) -> ast.AST:
        definition = _definition(self.names.get(node.id))
        return self.visit(ast.parse(definition, mode="eval").body) if definition else node

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        return ast.Name(id=node.attr)


def _depth(node: ast.expr) -> int:
    match node:
        case ast.BinOp(left=left, right=right):
            return 0 if _may_be_text(left) or _may_be_text(right) else max(_depth(left), _depth(right))
        case ast.Subscript(value=ast.Name(id=name), slice=ast.Tuple(elts=[first, last])) if name in COLLECTIONS:
            is_sequence = isinstance(last, ast.Constant)  # tuple[str, ...]; the members of a pair differ in type
            return 1 + _depth(first if is_sequence else last) * (name != "tuple" or is_sequence)
        case ast.Subscript(value=ast.Name(id=name), slice=member) if name in COLLECTIONS:
            return 1 + _depth(member)
        case _:
            return 0


def _may_be_text(node: ast.expr) -> bool:
    match node:
        case ast.BinOp(left=left, right=right):
            return _may_be_text(left) or _may_be_text(right)
        case ast.Name(id=name) | ast.Subscript(value=ast.Name(id=name)):
            return name in TEXTS
        case _:
            return False
