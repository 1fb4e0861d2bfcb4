"""All regular expressions of the project with the operations that they are used with, and text that makes them slow."""

from __future__ import annotations

import ast
import importlib
import pkgutil
import re
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any, cast

import regex

import bleu_core
import dashboard

#: Operations that scan a text; `finditer` stands for all that look for matches everywhere.
OPERATIONS = {
    "match": "match", "fullmatch": "fullmatch",
    **dict.fromkeys(("search", "sub", "subn", "split", "findall", "finditer"), "finditer"),
}  # fmt: skip
#: Modules whose import has effects.
PROGRAMS = ("dashboard.app", "dashboard.rating.app")
#: Patterns that are given to functions -> what these do with them.
GIVEN = {"bleu_core.formats.resource_files.PROPERTY": "match", "bleu_core.formats.resource_files.YAML_ENTRY": "match"}


@dataclass(frozen=True, slots=True)
class Used:
    """A pattern with the places where it is declared, and its operations."""

    pattern: Any
    places: tuple[str, ...]
    operations: frozenset[str]


@cache
def modules() -> tuple[ModuleType, ...]:
    """All modules of the project."""
    names = [
        module.name
        for package in (bleu_core, dashboard)
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}.")
    ]
    return tuple(importlib.import_module(name) for name in names if not name.endswith(("__main__", *PROGRAMS)))


@cache
def patterns() -> tuple[tuple[Used, ...], tuple[str, ...]]:
    """All patterns, and the functions that build further ones from their arguments."""
    found: dict[tuple[Any, int], Any] = {}
    places: dict[tuple[Any, int], list[str]] = defaultdict(list)
    operations: dict[tuple[Any, int], set[str]] = defaultdict(set)
    built: dict[str, None] = {}

    def add(pattern: Any, place: str) -> tuple[Any, int]:
        key = pattern.pattern, pattern.flags
        found.setdefault(key, pattern)
        places[key].append(place)
        return key

    for module in modules():
        declared = {name: list(_inside(value, 0)) for name, value in vars(module).items()}
        keys = {add(pattern, f"{module.__name__}.{name}") for name, inner in declared.items() for pattern in inner}
        nodes = list(_nodes(ast.parse(Path(str(module.__file__)).read_text(encoding="utf-8"))))
        in_variables: set[str] = set()
        for owner, operation in _used(nodes, module):
            if owner is None:
                in_variables.add(operation)
            else:
                operations[owner].add(operation)
        for function, call, name in _expressions(nodes):
            try:
                key = add(_value(call, name, module), f"{module.__name__}.{function}")
            except NameError:
                built[f"{module.__name__}.{function}"] = None
                continue
            operations[key] |= {OPERATIONS[name]} if name in OPERATIONS else set()
            keys.add(key)
        for key in [key for key in keys if not operations[key]]:
            given = {operation for place, operation in GIVEN.items() if place in places[key]}
            operations[key] |= given or in_variables
    used = [Used(pattern, tuple(places[key]), frozenset(operations[key])) for key, pattern in found.items()]
    return tuple(used), tuple(built)


def _owner(node: ast.expr, module: ModuleType) -> Any:
    """The object of which an attribute is used, if it is at the level of a module."""
    if isinstance(node, ast.Name):
        return {"re": re, "regex": regex}.get(node.id) or vars(module).get(node.id)
    return getattr(_owner(node.value, module), node.attr, None) if isinstance(node, ast.Attribute) else None


def _inside(value: Any, depth: int) -> Iterator[Any]:
    if isinstance(value, re.Pattern | regex.Pattern):
        yield value
    elif depth < 3:
        if isinstance(value, Mapping):
            inner: list[Any] = [*value, *value.values()]
        elif isinstance(value, tuple | list | frozenset | set):
            inner = list(value)
        elif is_dataclass(value) and not isinstance(value, type):
            inner = [getattr(value, item.name, None) for item in fields(value)]
        else:
            return
        for item in inner:
            yield from _inside(item, depth + 1)


def _nodes(tree: ast.Module) -> Iterator[tuple[str, ast.AST]]:
    """All nodes with the function that they are in; empty at the level of the module."""
    waiting: list[tuple[str, ast.AST]] = [("", tree)]
    while waiting:
        function, node = waiting.pop()
        yield function, node
        inside = node.name if isinstance(node, ast.FunctionDef) else function
        waiting += [(inside, child) for child in ast.iter_child_nodes(node)]


def _used(nodes: Iterable[tuple[str, ast.AST]], module: ModuleType) -> Iterator[tuple[tuple[Any, int] | None, str]]:
    """The operations in a module, each with its pattern; None for one in a variable of a function."""
    for _, node in nodes:
        if isinstance(node, ast.Attribute) and node.attr in OPERATIONS:
            owner = _owner(node.value, module)
            if isinstance(owner, re.Pattern | regex.Pattern):
                yield (owner.pattern, owner.flags), OPERATIONS[node.attr]
            elif owner not in (re, regex) and node.attr != "split":  # str has it, too
                yield None, OPERATIONS[node.attr]


def _expressions(nodes: Iterable[tuple[str, ast.AST]]) -> Iterator[tuple[str, ast.Call, str]]:
    """The calls of functions of re and regex with a pattern: the function that they are in, and their name."""
    for function, node in nodes:
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)):
            continue
        library, name = node.func.value, node.func.attr
        if isinstance(library, ast.Name) and library.id in ("re", "regex") and name in (*OPERATIONS, "compile"):
            yield function, node, name


def _value(call: ast.Call, name: str, module: ModuleType) -> Any:
    """The pattern of a call; raise NameError if it depends on arguments."""
    library = {"re": re, "regex": regex}[cast("ast.Name", cast("ast.Attribute", call.func).value).id]
    known = vars(module) | {"re": re, "regex": regex}
    given = [item.value for item in call.keywords if item.arg == "flags"]
    given += call.args[{"compile": 1, "split": 9, "sub": 9, "subn": 9}.get(name, 2) :]
    flags = 0
    for item in given:
        flags |= int(_evaluated(item, known))
    return library.compile(_evaluated(call.args[0], known), flags)


def _evaluated(node: ast.expr, known: Mapping[str, Any]) -> Any:
    return eval(compile(ast.Expression(node), "pattern", "eval"), dict(known))  # noqa: S307 # of our own modules


# --- text that makes patterns slow ------------------------------------------------------------------------------

CHARACTERS = "aA1 \n.,-_:/\"'<([{\\&#=é中+\r!"
ENDS = ("", "!\n")


def slow_texts(pattern: Any, length: int, *, all_pairs: bool) -> Iterator[str]:
    """Runs of characters and of what the pattern repeats, which are longer than it expects and end otherwise."""
    text = pattern.pattern if isinstance(pattern.pattern, str) else pattern.pattern.decode("latin-1")
    words = dict.fromkeys(re.findall(r"[A-Za-z]{2,}|[^\w\s]", text))
    units = list(dict.fromkeys([*CHARACTERS, *words]))
    if all_pairs:
        units += [one + two for one in units for two in units if one != two]
    for unit in units:
        for end in ENDS:
            yield unit * (length // len(unit)) + end
    if isinstance(pattern, re.Pattern):
        for before, repeated in dict.fromkeys(_repetitions(pattern)):
            for end in ENDS:
                yield before + repeated * (length // len(repeated)) + end
            for unit in {before, before + repeated} - {""}:
                yield unit * (length // len(unit))


def _repetitions(pattern: re.Pattern[Any]) -> Iterator[tuple[str, str]]:
    """What may be before each repetition in a pattern, and what it repeats."""
    examples = _Examples()
    examples.of(importlib.import_module("re._parser").parse(pattern.pattern, pattern.flags), "")
    yield from examples.repetitions


class _Examples:
    """Examples of what parts of a pattern match, and the repetitions among these parts."""

    def __init__(self) -> None:
        self.repetitions: list[tuple[str, str]] = []
        self.codes: Any = importlib.import_module("re._constants")

    def of(self, sequence: Any, before: str) -> str:
        """An example of what a sequence of parts matches."""
        text = ""
        for code, argument in sequence:
            text += self._of_part(code, argument, before + text)
        return text

    def _of_part(self, code: Any, argument: Any, before: str) -> str:
        codes = self.codes
        inside = {
            codes.BRANCH: lambda: self.of(argument[1][0], before),
            codes.SUBPATTERN: lambda: self.of(argument[3], before),
            codes.ATOMIC_GROUP: lambda: self.of(argument, before),
            codes.ASSERT: lambda: self.of(argument[1], before)[:0],
            codes.ASSERT_NOT: lambda: self.of(argument[1], before)[:0],
            **dict.fromkeys(
                (codes.MAX_REPEAT, codes.MIN_REPEAT, codes.POSSESSIVE_REPEAT), lambda: self._repeated(argument, before)
            ),
        }
        return inside[code]() if code in inside else next(self._characters(code, argument), "")

    def _repeated(self, argument: Any, before: str) -> str:
        least, most, body = argument
        text = self.of(body, before)
        if most > 20:
            several = [text]
            if len(body) == 1:
                several += list(self._characters(*body[0]))[:12]
            if len(body) == 1 and body[0][0] is self.codes.SUBPATTERN and body[0][1][3][0][0] is self.codes.BRANCH:
                several += [self.of(branch, before) for branch in body[0][1][3][0][1][1]]
            self.repetitions.extend((before, repeated) for repeated in several if repeated)
        return text * max(least, 1)

    def _characters(self, code: Any, argument: Any) -> Iterator[str]:
        """Characters that match a part."""
        if code is self.codes.LITERAL:
            yield chr(argument)
            return
        for choice in [*map(ord, CHARACTERS), *range(33, 127), 0xE3, 0x3042, 0x2019, 0x80, 0]:
            is_other = code is self.codes.NOT_LITERAL and choice != argument
            is_in = code is self.codes.IN and _is_in(argument, chr(choice), self.codes)
            if code is self.codes.ANY or is_other or is_in:
                yield chr(choice)


def _is_in(items: Any, character: str, codes: Any) -> bool:
    negated = contained = False
    kinds: dict[str, Callable[[str], bool]] = {"DIGIT": str.isdigit, "SPACE": str.isspace, "WORD": str.isidentifier}
    for code, argument in items:
        if code is codes.NEGATE:
            negated = True
        elif code is codes.LITERAL:
            contained |= ord(character) == argument
        elif code is codes.RANGE:
            contained |= argument[0] <= ord(character) <= argument[1]
        elif code is codes.CATEGORY:
            name = str(argument).rpartition("_")[2]
            is_kind = kinds[name](f"a{character}" if name == "WORD" else character)
            contained |= is_kind != ("_NOT_" in str(argument))
    return contained != negated


def takes_more_than_linear_time(used: Used, length: int, *, all_pairs: bool = False) -> list[str]:
    """The texts for which an operation takes time that grows faster than the length, one for each operation."""
    found: list[str] = []
    for operation in sorted(used.operations):
        for text in slow_texts(used.pattern, length, all_pairs=all_pairs):
            if _seconds(used, operation, text) > MAX_SECONDS * length and _grows(used, operation, text):
                found.append(f"{operation} of {text[:20]!r} … {text[-4:]!r}")
                break
    return found


#: Seconds per character that only a pattern with more than linear time takes, and the ratio of its times for a text
#: and a quarter of it: 16 for a quadratic one, 4 for a linear one. As with timeit, the least of several times counts.
MAX_SECONDS, MAX_RATIO, ATTEMPTS = 1e-6, 8.0, 5


def _grows(used: Used, operation: str, text: str) -> bool:
    """Whether the time for a text is more than twice that of its four quarters."""
    quarter = text[: len(text) // 4] + text[-2:]
    times = [(_seconds(used, operation, text), _seconds(used, operation, quarter)) for _ in range(ATTEMPTS)]
    long, short = (min(each) for each in zip(*times, strict=True))
    return long > MAX_SECONDS * len(text) and long > MAX_RATIO * short


def _seconds(used: Used, operation: str, text: str) -> float:
    """The processor time of this thread for an operation."""
    given = text.encode("latin-1", "replace") if isinstance(used.pattern.pattern, bytes) else text
    start = time.thread_time()
    if operation == "finditer":
        for _ in used.pattern.finditer(given):
            pass
    else:
        getattr(used.pattern, operation)(given)
    return time.thread_time() - start
