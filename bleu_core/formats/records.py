"""JSON objects as rows of a table."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import cast

from bleu_core.errors import listed
from bleu_core.formats.delimited import table_to_text
from bleu_core.formats.source import Source

#: The deepest objects whose values are columns.
MAX_DEPTH = 3
#: Names of lists whose items are columns, namely several references.
REFERENCES = re.compile(r"refs?|references?", re.IGNORECASE)


class Records:
    """A table that grows by one object at a time; its columns are the names of all objects in order of appearance.

    The values of an object within an object are columns called OUTER.INNER, and the items of a list of references are
    columns called NAME.1, NAME.2. Other lists, and objects deeper than DEEPEST, are not used.
    """

    def __init__(self, source: Source, count: int) -> None:
        """Begin with no row.

        Args:
            source: the file.
            count: the number of rows that will be added, to check the number of cells early.
        """
        self.source = source
        self.count = count
        self.columns: dict[str, int] = {}
        self.unused: dict[str, None] = {}
        self.rows: list[list[object]] = []
        self._size = 0  # of the texts

    def add(self, record: Mapping[str, object]) -> None:
        """Add a row.

        Raises:
            LimitError: there are too many columns or cells, or too much text.
        """
        row: list[object] = [None] * len(self.columns)
        for name, value in self._values(record, "", 1):
            place = self.columns.setdefault(name, len(self.columns))
            if place >= len(row):
                limits, file = self.source.limits, self.source.name
                limits.check("columns", place + 1, f"{file}, line {len(self.rows) + 1}")
                limits.check("cells", (place + 1) * (self.count + 1), file)
                row += [None] * (place + 1 - len(row))
            row[place] = value
            if isinstance(value, str):
                self._size += len(value)
        self.rows.append(row)
        if self._size > self.source.limits.table_bytes:
            self.source.limits.check("table_bytes", self._size, self.source.name)

    def table(self, kind: str) -> Source:
        """Return the table as a source with text; kind is that of the file.

        Raises:
            FormatError, LimitError: as table_to_text.
        """
        text, left_out = table_to_text(self._all_rows(), kind, self.source.name, limits=self.source.limits)
        text = replace(text, header=True)
        notes = (*unused_value_notes(self.unused), *left_out)
        return self.source.with_table(text, notes)

    def _all_rows(self) -> Iterator[Sequence[object]]:
        if self.rows:
            yield list(self.columns)
        width = len(self.columns)
        for row in self.rows:
            yield row + [None] * (width - len(row))

    def _values(self, record: Mapping[str, object], before: str, depth: int) -> Iterator[tuple[str, object]]:
        for key, value in record.items():
            name = f"{before}{key}"
            if isinstance(value, dict) and depth < MAX_DEPTH:
                yield from self._values(cast("Mapping[str, object]", value), f"{name}.", depth + 1)
            elif isinstance(value, list) and REFERENCES.fullmatch(key):
                items = {str(i): item for i, item in enumerate(cast("list[object]", value), start=1)}
                yield from self._values(items, f"{name}.", MAX_DEPTH)
            elif isinstance(value, (dict, list)):
                if len(self.unused) < self.source.limits.columns:
                    self.unused[name] = None
            else:
                yield name, value


def unused_value_notes(nested: Collection[str], no_text: Collection[str] = ()) -> tuple[str, ...]:
    """Return notes on values that are not columns.

    Args:
        nested: the names of lists and of too deeply nested objects.
        no_text: the names of bytes that are not text.
    """
    return (
        *((f"not used, since they are lists or nested too deeply: {listed(nested)}",) if nested else ()),
        *((f"not used, since they are bytes that are not text: {listed(no_text)}",) if no_text else ()),
    )
