"""An unknown spreadsheet, described by hand in a browser."""

from __future__ import annotations

from pathlib import Path

import pytest
from accessibility import problems
from small_files import workbook
from visitor import Visitor

HEADER = ["Nr.", "Gold", "Alpha", "Beta"]
ROWS = [
    [str(n), f"the cat number {n} sat on the mat", f"the cat number {n} sat", f"a cat number {n} sits on a mat"]
    for n in range(1, 40)
]


@pytest.mark.slow
def test_the_columns_of_a_spreadsheet_are_chosen_by_hand(visitor: Visitor, tmp_path: Path) -> None:
    (tmp_path / "engines.xlsx").write_bytes(workbook([HEADER, *ROWS]))
    visitor.goto("/data")
    visitor.upload([tmp_path / "engines.xlsx"])
    visitor.page.get_by_text(
        "engines.xlsx: the headers do not say which columns are outputs (Gold, Alpha, Beta); say what its columns are"
    ).wait_for()
    visitor.page.get_by_role("button", name="Choose the columns").click()
    visitor.idle()
    assert problems(visitor) == []
    for column, title in zip(HEADER[1:], ("reference", "system", "system"), strict=True):
        assert visitor.page.get_by_role("combobox", name=column).input_value() == title
    visitor.page.get_by_role("button", name="Use these columns").click()
    visitor.idle()
    visitor.page.get_by_text("In use: 2 systems, 1 reference, 39 segments").wait_for()
    visitor.page.get_by_role("link", name="Overview").first.click()
    visitor.page.get_by_text("Alpha scores").first.wait_for()
