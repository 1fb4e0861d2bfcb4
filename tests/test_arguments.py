"""Calls of our own functions and classes name their arguments, all but the first four."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
MODULES = sorted(
    path for package in ("bleu_core", "dashboard", "sample_data") for path in (ROOT / package).rglob("*.py")
)
MAX_POSITIONAL = 4


def _parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def ours() -> set[str]:
    """The names of functions and classes that have parameters of their own, and no *args."""
    named: set[str] = set()
    variadic: set[str] = set()
    for path in MODULES:
        for node in ast.walk(_parsed(path)):
            if isinstance(node, ast.ClassDef):
                named.add(node.name)
            elif isinstance(node, ast.FunctionDef):
                (variadic if node.args.vararg else named).add(node.name)
    return named - variadic


def _too_long(path: Path, ours: set[str]) -> Iterator[str]:
    for node in ast.walk(_parsed(path)):
        if isinstance(node, ast.Call) and len(node.args) > MAX_POSITIONAL:
            name = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
            if name in ours:
                yield f"{path.relative_to(ROOT)}, line {node.lineno}: {name} with {len(node.args)}"


def test_no_call_has_more_than_four_arguments_without_names(ours: set[str]) -> None:
    assert [found for path in MODULES for found in _too_long(path, ours)] == []
