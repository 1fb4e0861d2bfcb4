"""What import-linter cannot express about the architecture."""

from __future__ import annotations

import ast
from pathlib import Path

DASHBOARD = Path(__file__).parents[1] / "dashboard"


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
    kept = {"session_state", "query_params", "cache_data", "cache_resource"}
    users = {path for path in DASHBOARD.rglob("*.py") if kept & streamlit_names(path)}
    assert users
    assert {path.parent for path in users} == {DASHBOARD / "session"}
