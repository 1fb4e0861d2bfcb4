"""What import-linter cannot express about the architecture."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest

DASHBOARD = Path(__file__).parents[1] / "dashboard"

#: Packages of the core whose functions pages call: they describe data and results.
DESCRIBING = frozenset({"dataset", "errors", "fields", "invocation", "results"})

#: Other functions of the core that pages call, as they take no time: they look something up or put text together.
INSTANT = frozenset(
    {
        "broken_metrics",
        "check_columns",
        "combination_table",
        "find_warning",
        "flagged_judges",
        "is_installed",
        "known_languages",
        "combine_expressions",
        "methods_paragraph",
        "ngram_table",
        "segments_among",
        "sentinel_sentence",
        "systems_beaten",
        "with_tokenizer",
    }
)


def modules_of_pages() -> Iterator[Path]:
    """Yield the modules that show something, which are neither analysis nor sentences."""
    yield DASHBOARD / "app.py"
    yield from (DASHBOARD / "widgets").rglob("*.py")
    for module in (DASHBOARD / "views").rglob("*.py"):
        if not {"analysis", "words"} & {*module.parts, module.stem}:
            yield module


def modules_with(*names: str, package: str = "dashboard") -> Iterator[Path]:
    """Yield the modules of a package in whose text a name is found: the others need not be parsed."""
    for module in DASHBOARD.with_name(package).rglob("*.py"):
        text = module.read_text(encoding="utf-8")
        if any(name in text for name in names):
            yield module


def functions_of_the_core(module: Path) -> set[str]:
    """Return the names of functions that a module imports from packages of the core that describe nothing."""
    functions: set[str] = set()
    for node in ast.walk(ast.parse(module.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("bleu_core."):
            imported = import_module(node.module or "")
            if imported.__name__.split(".")[1] not in DESCRIBING:
                functions |= {name.name for name in node.names if inspect.isroutine(getattr(imported, name.name))}
    return functions


def streamlit_names(module: Path) -> set[str]:
    """Return the names of Streamlit that a module uses."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(module.read_text(encoding="utf-8"))):
        if (
            isinstance(node, ast.Attribute)
            and isinstance(node.value, ast.Name)
            and node.value.id in ("streamlit", "st")
        ):
            names.add(node.attr)
        elif isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "streamlit":
            names |= {name.name for name in node.names}
    return names


def test_only_the_session_uses_what_streamlit_keeps_for_a_session() -> None:
    kept = {"session_state", "query_params"}
    users = {path for path in modules_with(*kept) if kept & streamlit_names(path)}
    assert users
    assert {path.parent for path in users} == {DASHBOARD / "session"}


def cached_functions(module: Path) -> Iterator[str]:
    """Yield the names of functions with parameters that a module caches other than by the decorators of the session."""
    for node in ast.walk(ast.parse(module.read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef) and (node.args.args or node.args.kwonlyargs):
            decorators = [each.func if isinstance(each, ast.Call) else each for each in node.decorator_list]
            if {"cache", "lru_cache"} & {ast.unparse(each).rpartition(".")[2] for each in decorators}:
                yield node.name


def test_results_are_cached_by_the_decorators_of_the_session_alone() -> None:
    decorators = {"cache_data", "cache_resource"}
    assert not [path for path in modules_with(*decorators) if decorators & streamlit_names(path)]
    functions = {name for path in modules_with("cache") for name in cached_functions(path)}
    assert functions <= {"_counting"}  # of settings, which are validated once and not in every run


def makes_tables_by_hand(module: Path) -> bool:
    """Whether a module calls the class of tables, and not `table_of`, `table_of_columns` or methods of tables."""
    tree = ast.parse(module.read_text(encoding="utf-8"))
    imported = any(
        isinstance(node, ast.ImportFrom)
        and node.module == "bleu_core.fields"
        and "Table" in {n.name for n in node.names}
        for node in ast.walk(tree)
    )
    calls = {node.func.id for node in ast.walk(tree) if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)}
    return imported and "Table" in calls


def test_tables_are_made_of_declared_columns_in_one_module() -> None:
    modules = {*modules_with("Table"), *modules_with("Table", package="bleu_core")}
    by_hand = {module.relative_to(DASHBOARD.parent).as_posix() for module in modules if makes_tables_by_hand(module)}
    assert by_hand <= {"dashboard/analysis/segment_agreement.py"}


@pytest.mark.parametrize("module", sorted(modules_of_pages()), ids=lambda path: path.relative_to(DASHBOARD).as_posix())
def test_pages_compute_by_way_of_analysis(module: Path) -> None:
    assert functions_of_the_core(module) <= INSTANT


def test_each_function_that_takes_no_time_is_called_by_a_page() -> None:
    assert set[str]().union(*map(functions_of_the_core, modules_of_pages())) == INSTANT
