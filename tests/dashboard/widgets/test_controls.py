"""Boxes for several choices: the order of the clicks has no meaning."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

DASHBOARD = Path(__file__).parents[3] / "dashboard"


def test_only_one_function_draws_boxes_for_several_choices() -> None:
    drawn = {
        path.relative_to(DASHBOARD).as_posix(): len(re.findall(r"\.multiselect\(", path.read_text("utf-8")))
        for path in DASHBOARD.rglob("*.py")
    }
    in_form = {"views/data/sets.py": 1}  # whose box cannot react to clicks; it sorts what is submitted
    assert {path: count for path, count in drawn.items() if count} == {"widgets/controls.py": 1} | in_form


def test_the_choice_of_all_in_another_order_is_the_default(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.argv", ["app.py"])
    page = AppTest.from_file(str(DASHBOARD / "app.py"), default_timeout=60).run()
    address = dict(page.query_params)
    page.session_state["without_systems"] = []
    vars(page)["_page_hash"] = next(
        key for key, found in vars(page)["_registered_pages"].items() if found.get("url_pathname") == "report"
    )
    parts = page.run().multiselect(key="report_parts")
    assert len(parts.options) > 2
    parts.set_value(list(reversed(parts.options))).run()
    assert page.multiselect(key="report_parts").value == page.multiselect(key="report_parts").options
    assert dict(page.query_params) == address
    page.multiselect(key="report_parts").set_value(list(reversed(parts.options[:2]))).run()
    assert page.query_params["report_parts"] == parts.options[:2]
    assert not page.exception
