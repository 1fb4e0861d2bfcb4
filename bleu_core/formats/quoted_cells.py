"""Detection of quoted cells in tab-separated text, as Excel and Python's csv module write them."""

from __future__ import annotations

import re

#: A quoted cell, from separator to separator, which may contain tabs and line breaks. The pattern begins with the
#: quotation mark, followed by a lookbehind, since regular expressions search literals fast.
CELL = re.compile(r'"(?<![^\t\n]")[^"]*+(?:""[^"]*+)*+"(?![^\t\r\n])')
BREAK = re.compile(r"[\t\r\n]")
#: The fewest cells with commas that show that exactly these are quoted, as Excel does.
MIN_COMMA_CELLS = 3


def count_quoted_cells(content: str) -> int:
    """Return the number of quoted cells of a tab-separated text; 0 if the marks may be part of the texts.

    Cells are quoted consistently if each cell with a quotation mark begins and ends with one and has all inner marks
    doubled. Since a text may be in quotation marks, one of these conditions must also hold: a cell has doubled marks; a
    cell has a tab or a line break, and rows would otherwise differ in width; exactly the cells with commas are quoted;
    or all cells of several columns are.
    """
    if '"' not in content:
        return 0
    cells: list[str] = CELL.findall(content)
    rest = CELL.sub("", content)
    if not cells or '"' in rest:
        return 0
    if any(map(BREAK.search, cells)):
        return len(cells) if _is_regular(rest) and not _is_regular(content) else 0
    doubled = any('""' in cell[1:-1] for cell in cells)
    with_commas = len(cells) >= MIN_COMMA_CELLS and "," not in rest and all("," in cell for cell in cells)
    everywhere = not rest.strip() and _is_regular(rest) and len(cells) > rest.find("\n") + 1
    return len(cells) if doubled or with_commas or everywhere else 0


def _is_regular(content: str) -> bool:
    """Return whether all rows have the same number of cells, which is more than one."""
    counts = {line.count("\t") for line in content.rstrip("\r\n").split("\n")}
    return len(counts) == 1 and 0 not in counts
