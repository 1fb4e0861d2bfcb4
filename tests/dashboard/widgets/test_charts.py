"""Tables and their menus in a session without a browser: what is seen, what is sorted, and what is offered."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from streamlit.dataframe_util import convert_arrow_bytes_to_pandas_df
from streamlit.testing.v1 import AppTest

from bleu_core.results.latex import PAGE_ROWS
from dashboard.literal import literal
from dashboard.widgets.charts import MAX_TABLE_HEIGHT_PX


@pytest.fixture(autouse=True)
def _without_slice(monkeypatch: pytest.MonkeyPatch) -> None:
    """Show tables without loaded data, of which there could be a slice."""
    monkeypatch.setattr("dashboard.widgets.charts.described_slice", str)


def page(rows: int, highest: int) -> None:
    """A page with a table; a function of its own, since Streamlit runs its source alone."""
    from bleu_core.fields import Field, Table
    from dashboard.widgets import downloads, show_table

    columns = {
        "system": Field("text", "Name of the :red[system]."),
        "delta": Field("difference"),
        "p_value": Field("p", label="p"),
        "segments": Field("count"),
    }
    cells = [("A", -1.234, 0.0004, 8837), ("B", 2.5, 0.041, 500), ("C", float("nan"), float("nan"), 1)]
    data = Table(columns, tuple(cells[k % 3] for k in range(rows)))
    show_table(data, key="t", alt="Test", max_height=highest)
    downloads(data, key="t", content={"a": 1})


def shown(rows: int, highest: int = MAX_TABLE_HEIGHT_PX) -> AppTest:
    app = AppTest.from_function(page, args=(rows, highest), default_timeout=30).run()
    assert not app.exception
    return app


def test_numbers_are_seen_as_people_read_them_and_sorted_as_numbers() -> None:
    proto: Any = shown(3).dataframe[0].proto
    seen = convert_arrow_bytes_to_pandas_df(proto.arrow_data.styler.display_values)
    assert seen["delta"].tolist() == ["−1.23", "+2.50", ""]
    assert seen["p_value"].tolist() == ["< 0.001", "0.041", ""]
    assert seen["segments"].tolist() == ["8,837", "500", "1"]
    held = convert_arrow_bytes_to_pandas_df(proto.arrow_data.data)
    assert held["p_value"].tolist()[:2] == [0.0004, 0.041]
    assert held["delta"].tolist()[:2] == [-1.234, 2.5]


def test_help_of_a_column_is_literal() -> None:
    proto: Any = shown(3).dataframe[0].proto
    assert (
        json.loads(proto.columns)["system"]["help"]
        == literal("Name of the :red[system].")
        != "Name of the :red[system]."
    )


@pytest.mark.parametrize(
    ("rows", "highest", "notes"),
    [
        (3, MAX_TABLE_HEIGHT_PX, []),
        (30, 200, []),
        (31, MAX_TABLE_HEIGHT_PX, ["Scroll for 1 more row."]),
        (1096, 35 * 12 + 3, ["Scroll for 1,085 more rows."]),
    ],
)
def test_up_to_30_rows_are_all_seen_and_a_longer_table_says_how_many_follow(
    rows: int, highest: int, notes: list[str]
) -> None:
    assert [caption.value for caption in shown(rows, highest).caption] == notes


def test_a_table_longer_than_a_page_is_offered_in_latex_for_one_and_for_two_columns() -> None:
    def labels(rows: int) -> list[str]:
        offered: Any = shown(rows).get("download_button")
        return [button.proto.label for button in offered if "LaTeX" in button.proto.label]

    assert labels(PAGE_ROWS) == ["Table (LaTeX)"]
    assert labels(PAGE_ROWS + 1) == ["Table (LaTeX, one column)", "Table (LaTeX, two columns)"]


def test_a_table_is_offered_in_one_menu_and_made_when_it_is_asked_for() -> None:
    app = shown(3)
    assert [menu.proto.popover.label for menu in app.get("popover")] == ["Download table"]
    offered: Any = app.get("download_button")
    assert [button.proto.label for button in offered] == [
        f"Table ({kind})" for kind in ("TSV", "XLSX", "LaTeX", "Markdown", "JSON")
    ]
    assert all(button.proto.deferred_file_id and not button.proto.url for button in offered)


def best_of_columns() -> None:
    """A table with best values, for a session."""
    from bleu_core.fields import Field, Table
    from dashboard.widgets import show_table

    columns = {
        "system": Field("text"),
        "bleu": Field("points", best="highest", unranked=frozenset({"human"})),
        "ter": Field("points", best="lowest"),
    }
    rows = (("A", 20.001, 61.0), ("B", 20.004, 60.0), ("C", 19.0, 60.0), ("human", 90.0, 70.0))
    show_table(Table(columns, rows), key="t", alt="Test", bold_best=True)


def test_the_best_values_of_a_column_are_bold_as_a_caption_says() -> None:
    app = AppTest.from_function(best_of_columns, default_timeout=30).run()
    assert not app.exception
    proto: Any = app.dataframe[0].proto
    bold = {
        (int(row), int(column))
        for names, style in re.findall(r"([^{}]+)\{([^}]*)\}", proto.arrow_data.styler.styles)
        if "font-weight: 700" in style
        for row, column in re.findall(r"row(\d+)_col(\d+)", names)
    }
    assert bold == {(0, 1), (1, 1), (1, 2), (2, 2)}
    assert (
        app.caption[0].value == "Bold: the best value of a column among the ranked systems; equal values are all bold."
    )
    assert convert_arrow_bytes_to_pandas_df(proto.arrow_data.data)["bleu"].tolist() == [20.001, 20.004, 19.0, 90.0]
