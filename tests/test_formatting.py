"""Numbers are written in one way everywhere: with a minus sign, and none before what is rounded to zero."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bleu_core.fields import Field, Table, decimal, exact
from bleu_core.results.encoding import to_json
from bleu_core.results.latex import to_latex
from bleu_core.results.table import DECIMALS, SIGNED, format_cell, to_text, to_tsv

ROOT = Path(__file__).parents[1]

#: A sign of d3 in a hover text: Plotly writes a minus before what is rounded to zero.
SIGN_OF_D3 = re.compile(r"%\{\w+:\+")


@pytest.mark.parametrize("value", [-0.0, -1e-9, 1e-9, 0.0])
def test_what_is_rounded_to_zero_has_no_minus(value: float) -> None:
    for kind, decimals in DECIMALS.items():
        zero = f"{'+' if kind in SIGNED else ''}{0:.{decimals}f}"
        assert format_cell(value, kind) == zero
    assert decimal(value) == "0.00"
    assert decimal(value, 1, signed=True) == "+0.0"


def test_whole_numbers_have_no_sign_of_zero() -> None:
    assert (format_cell(-0.0, "count"), format_cell(-2.0, "count")) == ("0", "\u22122")


def test_negative_numbers_have_the_minus_sign() -> None:
    assert (decimal(-1.005, 1), decimal(-0.006, signed=True)) == ("\u22121.0", "\u22120.01")


def test_files_for_programs_have_all_digits_and_no_sign_of_zero() -> None:
    table = Table({"delta": Field("difference"), "count": Field("count")}, ((-0.0, 0), (-0.001, 1)))
    assert to_tsv(table) == "delta\tcount\n0.0\t0\n-0.001\t1\n"
    assert str(to_json((-0.0, -0.001, 0, False))) == "[0.0, -0.001, 0, False]"
    for text in (to_text(table), to_latex(table, "", "")):
        assert "+0.00" in text
        assert "\u22120.00" not in text


@given(st.floats(allow_nan=False))
def test_exact_numbers_are_read_as_the_same(value: float) -> None:
    assert float(exact(value)) == value


def _formats(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """The formats of numbers with a sign, and those whose minus is replaced by the minus sign."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FormattedValue) and node.format_spec is not None:
            spec = ast.unparse(node.format_spec).removeprefix("f").strip("'\"")
            if "+" in spec and spec.endswith("f"):
                yield node.lineno, spec
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            replaced = node.func.value if node.func.attr == "replace" else next(iter(node.args), None)
            minus = node.func.attr == "minus" or (node.func.attr == "replace" and "'-'" in ast.unparse(node))
            for inner in ast.walk(replaced) if minus and replaced is not None else ():
                if isinstance(inner, ast.FormattedValue) and inner.format_spec is not None:
                    spec = ast.unparse(inner.format_spec).removeprefix("f").strip("'\"")
                    if spec.endswith("f"):
                        yield inner.lineno, spec


@pytest.mark.parametrize("package", ["bleu_core", "dashboard"])
def test_no_format_writes_a_minus_before_what_is_rounded_to_zero(package: str) -> None:
    found: list[str] = []
    for path in sorted((ROOT / package).rglob("*.py")):
        text = path.read_text("utf-8")
        place = path.relative_to(ROOT).as_posix()
        found += [f"{place}:{line}: {spec}" for line, spec in _formats(ast.parse(text)) if "z" not in spec]
        found += [f"{place}: {sign[0]}" for sign in SIGN_OF_D3.finditer(text.replace("%{{", "%{"))]
    assert found == []
