"""Packages, modules and imports: `python -m tests.architecture` prints what docs/architecture.md shows of them."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

from tabulate import tabulate

ROOT = Path(__file__).parents[1]
#: From the top down, as the contracts in pyproject.toml order them.
CORE = [
    "cli",
    "reports",
    "trust",
    "paper",
    "campaigns",
    "judges",
    "agreement",
    "segments",
    "inference",
    "workspace",
    "scaling",
    "scoring",
    "formats",
    "dataset",
    "isolation",
    "processes",
    "limits",
    "progress",
    "arrays",
    "digests",
    "errors",
    "fields",
    "version",
]
DASHBOARD = [
    "app",
    "__main__",
    "server",
    "rating",
    "views",
    "widgets",
    "commands",
    "export",
    "words",
    "analysis",
    "session",
    "launch",
    "literal",
    "figures",
    "stylesheet",
    "origin",
    "open_campaigns",
]


def packages(root: str) -> set[str]:
    """The packages and modules directly below the root."""
    found = {path.stem for path in (ROOT / root).iterdir() if path.suffix == ".py"}
    found |= {path.parent.name for path in (ROOT / root).glob("*/__init__.py")}
    return found - {"__init__"}


def table(root: str, order: list[str]) -> str:
    """A row per package that imports, a column per package imported: the number of modules that do so."""
    importing = {name: _modules_importing(root, name) for name in order}
    used = [name for name in order if any(name in of for of in importing.values())]
    rows = [[name, *(importing[name].get(other, "") for other in used)] for name in order if importing[name]]
    return tabulate(rows, ["", *used], tablefmt="simple")


def _modules_importing(root: str, package: str) -> dict[str, int]:
    counts: dict[str, int] = {}
    for module in _modules(root, package):
        imported = set(_imported(module, root)) - {package}
        for other in imported:
            counts[other] = counts.get(other, 0) + 1
    return counts


def _modules(root: str, package: str) -> list[Path]:
    place = ROOT / root / package
    return sorted(place.rglob("*.py")) if place.is_dir() else [place.with_suffix(".py")]


def _imported(module: Path, root: str) -> Iterator[str]:
    """The packages below the root that a module imports, anywhere in it."""
    for node in ast.walk(ast.parse(module.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            named = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            named = [f"{node.module}.{alias.name}" for alias in node.names]
        else:
            continue
        for name in named:
            first, _, rest = name.partition(".")
            if first == root and rest:
                yield rest.partition(".")[0]


def uses(module: Path, package: str, alias: str) -> set[str]:
    """The names of a package that a module uses, by the package's alias or imported from it or below it."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(module.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in (package, alias):
            found.add(node.attr)
        elif isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == package:
            found |= {name.name for name in node.names}
    return found


def contents(root: str, order: list[str]) -> str:
    """Every module of the packages, with the first line of its docstring."""
    lines: list[str] = []
    for package in order:
        for path in _modules(root, package):
            if path.name != "__init__.py":
                found = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
                name = ".".join(path.relative_to(ROOT / root).with_suffix("").parts)
                lines.append(f"{name:35} {found.partition(chr(10))[0]}".rstrip())
    return "\n".join(lines)


def main() -> None:
    """Print the tables and the modules."""
    for root, order in (("bleu_core", CORE), ("dashboard", DASHBOARD)):
        print(table(root, order), contents(root, order), sep="\n\n", end="\n\n")  # noqa: T201 # for people


if __name__ == "__main__":
    main()
