"""Definitions that several modules share: fields of the JSON and of tables, and labels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from bleu_core.dataset import plural
from bleu_core.fields import SYSTEM, Field, Table, field, result

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
    points = {name: column for name, column in table.columns.items() if column.kind == "points"}
    rows = (
        tuple(float(cell) / POINTS if name in points else cell for name, cell in zip(table.columns, row, strict=True))
        for row in table.rows
    )
    return Table(table.columns, tuple(rows)).redeclared(
        {
            name: replace(column, kind="bleu", help=f"{column.help.removesuffix('.')}, 0 to 1.")
            for name, column in points.items()
        }
    )


def number_of(things: Sequence[object], noun: str) -> str:
    """Format a number of things with its noun."""
    return f"{len(things)} {plural(len(things), noun)}"


def group_name(group: str | None) -> str:
    """Return the label of a group of judges."""
    return ALL_JUDGES if group is None else group


def group_column(group: str | None) -> str:
    """Return a group of judges as part of a column's name, distinct from all other columns."""
    return ALL_JUDGES if group is None else f"group {group}"
