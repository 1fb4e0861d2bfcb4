"""The packages that the tests import are declared, so that what CONTRIBUTING.md installs is enough to run them."""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from importlib.metadata import packages_distributions
from pathlib import Path

TESTS = Path(__file__).parent
ROOT = TESTS.parent

#: Folders whose programs have dependencies of their own, and modules that Python finds beside the tests.
APART = ("benchmarks", "plugins")
OWN = {
    "bleu_core",
    "dashboard",
    "sample_data",
    "tests",
    *(path.stem for path in TESTS.rglob("*") if path.suffix in ("", ".py")),
}


def test_the_tests_import_declared_packages_only() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    extras = project["optional-dependencies"]
    declared = {_name(spec) for spec in (*project["dependencies"], *(s for name in extras for s in extras[name]))}
    distributions = packages_distributions()
    undeclared = {
        f"{path.relative_to(ROOT)}: {module}"
        for path in TESTS.rglob("*.py")
        if path.relative_to(TESTS).parts[0] not in APART
        for module in _imported(ast.parse(path.read_text("utf-8")))
        if module not in OWN and module not in sys.stdlib_module_names
        if not declared & {_name(found) for found in distributions.get(module, [module])}
    }
    assert undeclared == set()


def _imported(tree: ast.Module) -> set[str]:
    """The top-level names of what a module imports."""
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            found.add(node.module.partition(".")[0])
    return found


def _name(requirement: str) -> str:
    return re.split(r"[^\w.-]", requirement, maxsplit=1)[0].lower().replace("_", "-").replace(".", "-")
