"""Names and docstrings follow docs/style.md: limits are MAX_ and MIN_, functions are described by what they do."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGES = ("bleu_core", "dashboard", "sample_data")

#: Beginnings of constants that are limits, which begin with MAX_ or MIN_.
LIMITS = re.compile(r"_?(MOST|FEWEST|LEAST|LONGEST|SHORTEST|LARGEST|SMALLEST|HIGHEST|LOWEST|WIDEST)(_|$)")

#: Parameters that say nothing of their content, and what to write instead.
PARAMETERS = {
    "usual": "default",
    "most": "max_items, or the maximum of what",
    "least": "the minimum of what",
    "found": "the content: comparisons, table, result",
}

#: Variables called `found` in all of the product; new ones are named after their content.
MAX_FOUND = 10

#: First words of a function's docstring that are no verb and no noun phrase.
OPENINGS = ("What", "Which", "Whether", "Who", "How", "Where", "As above", "The same")


@cache
def modules() -> dict[str, ast.Module]:
    paths = [path for package in PACKAGES for path in sorted((ROOT / package).rglob("*.py"))]
    return {str(path.relative_to(ROOT)): ast.parse(path.read_text(encoding="utf-8")) for path in paths}


@cache
def functions() -> list[tuple[str, ast.FunctionDef | ast.AsyncFunctionDef]]:
    return [
        (path, node)
        for path, tree in modules().items()
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    ]


@pytest.fixture(scope="module", autouse=True)
def forgotten() -> Iterator[None]:
    """Keep the trees for these tests only: while they are in memory, looking for garbage takes long."""
    yield
    functions.cache_clear()
    modules.cache_clear()


def names_assigned(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id


def parameters(function: ast.FunctionDef | ast.AsyncFunctionDef) -> list[str]:
    of = function.args
    return [argument.arg for argument in (*of.posonlyargs, *of.args, *of.kwonlyargs)]


def is_property(function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Return whether the function is an attribute, which is described by a phrase such as "Whether it is rated"."""
    decorators = [ast.unparse(decorator) for decorator in function.decorator_list]
    return any(name.endswith("property") or name.startswith("derived(") for name in decorators)


def test_limits_are_called_max_and_min() -> None:
    wrong = [
        f"{path}: {name}" for path, tree in modules().items() for name in names_assigned(tree) if LIMITS.match(name)
    ]
    assert wrong == []


@pytest.mark.parametrize("name", PARAMETERS)
def test_parameters_are_named_after_their_content(name: str) -> None:
    wrong = [f"{path}:{f.lineno} {f.name}" for path, f in functions() if name in parameters(f)]
    assert wrong == [], f"write {PARAMETERS[name]}"


def test_few_variables_are_called_found() -> None:
    counts: Counter[str] = Counter()
    for path, function in functions():
        counts[path] += "found" in {*names_assigned(function), *parameters(function)}
    assert counts.total() <= MAX_FOUND, counts.most_common(10)


def test_docstrings_of_functions_say_what_the_function_does() -> None:
    wrong = [
        f"{path}:{f.lineno} {f.name}: {text.splitlines()[0]}"
        for path, f in functions()
        if (text := ast.get_docstring(f) or "").startswith(OPENINGS) and not is_property(f)
    ]
    assert wrong == []
