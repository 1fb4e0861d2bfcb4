"""What the core may import when it is imported itself."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

CORE = Path(__file__).parents[1] / "bleu_core"

#: Packages that cost more to import than scoring: `bleu-core score` has to start quickly.
IMPORTED_IN_FUNCTIONS = frozenset(
    {
        "dask",
        "distributed",
        "fsspec",
        "lxml",
        "pandas",
        "pyarrow",
        "python_calamine",
        "sacrebleu",
        "scipy",
        "xlsxwriter",
    }
)


def imported_at_once(nodes: list[ast.stmt]) -> Iterator[str]:
    """Yield the packages that a module imports as it is imported; what is for type checkers only does not count."""
    for node in nodes:
        match node:
            case ast.Import():
                yield from (name.name.split(".")[0] for name in node.names)
            case ast.ImportFrom(level=0, module=str(module)):
                yield module.split(".")[0]
            case ast.If(test=ast.Name(id="TYPE_CHECKING")):
                yield from imported_at_once(node.orelse)
            case ast.If() | ast.Try() | ast.With() | ast.ClassDef():
                yield from imported_at_once(node.body)
            case _:
                pass


@pytest.mark.parametrize("module", sorted(CORE.rglob("*.py")), ids=lambda path: path.relative_to(CORE).as_posix())
def test_packages_that_are_slow_to_import_are_imported_in_functions(module: Path) -> None:
    imported = set(imported_at_once(ast.parse(module.read_text(encoding="utf-8")).body))
    assert not imported & IMPORTED_IN_FUNCTIONS
