"""Definitions that several modules share: fields of the JSON and of tables, and labels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from bleu_core.dataset import plural
from bleu_core.fields import SYSTEM, Field, Table, field, result, table_of_columns

#: Points for BLEU 1; tables and figures show BLEU from 0 to 1, as in the paper, and the JSON has points.
POINTS = 100

ALL_JUDGES = "all judges"
NO_JUDGMENTS = "no judgments"

BLEU = Field("points", "Corpus BLEU.", "BLEU")
GROUP = Field("text", "Group of judges; null for all judges.", null=True)
GROUP_NAME = Field("text", "Group of judges.")
RATED_SYSTEMS = Field("count", "Systems that have BLEU and ratings.")


@result
class SystemBleu:
    """BLEU of a system."""

    system: str = field(SYSTEM)
    bleu: float = field(BLEU)


def from_0_to_1(table: Table) -> Table:
    """Return the table with BLEU from 0 to 1 in place of points."""
    columns: dict[str, tuple[Field, Sequence[object]]] = {}
    for place, (name, column) in enumerate(table.columns.items()):
        cells = [row[place] for row in table.rows]
        if column.kind == "points":
            in_paper = replace(column, kind="bleu", help=f"{column.help.removesuffix('.')}, 0 to 1.")
            columns[name] = in_paper, [float(cell) / POINTS for cell in cells]
        else:
            columns[name] = column, cells
    return table_of_columns(columns)


def number_of(things: Sequence[object], noun: str) -> str:
    """Format a number of things with its noun."""
    return f"{len(things)} {plural(len(things), noun)}"


def group_name(group: str | None) -> str:
    """Return the label of a group of judges."""
    return ALL_JUDGES if group is None else group


def group_column(group: str | None) -> str:
    """Return a group of judges as part of a column's name, distinct from all other columns."""
    return ALL_JUDGES if group is None else f"group {group}"
