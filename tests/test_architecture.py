"""docs/architecture.md and docs/library.md show the packages as they are."""

from __future__ import annotations

import re
from textwrap import dedent

import pytest
from architecture import CORE, DASHBOARD, ROOT, contents, packages, table, uses

PICTURE = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
LIBRARY = (ROOT / "docs" / "library.md").read_text(encoding="utf-8")


@pytest.mark.parametrize(("root", "order"), [("bleu_core", CORE), ("dashboard", DASHBOARD)])
def test_the_tables_of_imports_are_those_of_the_code(root: str, order: list[str]) -> None:
    assert packages(root) == set(order)
    assert _shown("imports", root) == table(root, order), "print the table with python -m tests.architecture"


@pytest.mark.parametrize(("root", "order"), [("bleu_core", CORE), ("dashboard", DASHBOARD)])
def test_every_module_is_listed(root: str, order: list[str]) -> None:
    assert _shown("modules", root) == contents(root, order), "print the list with python -m tests.architecture"


def _shown(what: str, root: str) -> str:
    shown = re.search(rf"<!-- {what} of {root} -->\n\n```text\n(.*?)\n```", PICTURE, re.DOTALL)
    assert shown is not None
    return shown[1]


@pytest.mark.parametrize(("root", "order"), [("bleu_core", CORE), ("dashboard", DASHBOARD)])
def test_readme_lists_every_package_once(root: str, order: list[str]) -> None:
    listed = re.findall(rf"^    {root}/(\w+)", dedent(LIBRARY), re.MULTILINE)
    assert sorted(listed) == sorted(order)


def test_only_the_session_uses_what_streamlit_keeps_for_a_session() -> None:
    kept = {"session_state", "query_params", "cache_data", "cache_resource"}
    users = {path for path in (ROOT / "dashboard").rglob("*.py") if kept & uses(path, "streamlit", "st")}
    assert users
    assert {path.parent for path in users} == {ROOT / "dashboard" / "session"}
