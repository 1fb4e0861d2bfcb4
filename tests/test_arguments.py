"""Calls of our own functions and classes name their arguments, all but the first four."""

from __future__ import annotations

import ast
from pathlib import Path

ROOT = Path(__file__).parents[1]
MODULES = sorted(
    path for package in ("bleu_core", "dashboard", "sample_data") for path in (ROOT / package).rglob("*.py")
)
MAX_POSITIONAL = 4


def test_no_call_has_more_than_four_arguments_without_names() -> None:
    named: set[str] = set()  # functions and classes that have parameters of their own, and no *args
    variadic: set[str] = set()
    long: list[tuple[str, str]] = []
    for path in MODULES:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ClassDef):
                named.add(node.name)
            elif isinstance(node, ast.FunctionDef):
                (variadic if node.args.vararg else named).add(node.name)
            elif isinstance(node, ast.Call) and len(node.args) > MAX_POSITIONAL:
                name = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
                long.append((name, f"{path.relative_to(ROOT)}, line {node.lineno}: {name} with {len(node.args)}"))
    ours = named - variadic
    assert len(ours) > 1000
    assert [place for name, place in long if name in ours] == []
