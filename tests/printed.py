"""Tables that slow tests print: what they measured, under a title each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass

from tabulate import tabulate


@dataclass(frozen=True, slots=True)
class Printed:
    """Rows of the tables to print, by title."""

    rows: dict[str, list[Mapping[str, object]]]

    def add(self, title: str, row: Mapping[str, object]) -> None:
        """Put a row under a title."""
        self.rows.setdefault(title, []).append(row)


@contextmanager
def printed_at_the_end(decimals: int) -> Iterator[Printed]:
    """Where the rows go; all tables are printed at the end, with so many decimals."""
    found = Printed({})
    yield found
    for title, rows in found.rows.items():
        table = tabulate(rows, headers="keys", floatfmt=f".{decimals}f", intfmt=",")
        print(f"\n\n{title}\n\n{table}")  # noqa: T201 # what this module is for
