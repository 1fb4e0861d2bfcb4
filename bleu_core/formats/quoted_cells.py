"""Whether cells between tabs are in quotation marks, as Excel and the csv module of Python write them."""

from __future__ import annotations

import re

#: A quoted cell, from separator to separator; it may have tabs and line breaks. It begins with the mark and looks
#: behind afterwards: there are few marks, and they are found at once.
CELL = re.compile(r'"(?<![^\t\n]")[^"]*+(?:""[^"]*+)*+"(?![^\t\r\n])')
BREAK = re.compile(r"[\t\r\n]")
#: Cells with commas from which on it is no chance that these, and no others, are quoted: Excel quotes them, too.
MIN_COMMA_CELLS = 3


def count_quoted_cells(content: str) -> int:
    """Return the number of quoted cells of a tab-separated text; 0 where marks are, or may be, part of the texts.

    Cells are quoted consistently if each one with a quotation mark begins and ends with one and has all inner ones
    doubled. Since a text may be in quotation marks, too, one of these has to hold as well: a cell has doubled marks;
    a cell has a tab or a line break, without which rows would differ in width; cells with commas, and no others, are
    quoted; or all cells of several columns are.
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
    """Return whether all rows have the same number of cells, more than one."""
    counts = {line.count("\t") for line in content.rstrip("\r\n").split("\n")}
    return len(counts) == 1 and 0 not in counts
