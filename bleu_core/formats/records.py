"""JSON objects as rows of a table."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import cast

from bleu_core.errors import FormatError, listed
from bleu_core.formats.delimited import has_words, table_to_text
from bleu_core.formats.harness_logs import deep_values, find_log, only_text
from bleu_core.formats.source import Source

#: The deepest objects whose values are columns.
MAX_DEPTH = 3
#: Names of lists whose items are columns, namely several references.
REFERENCES = re.compile(r"refs?|references?", re.IGNORECASE)


class Records:
    """A table that grows by one object at a time; its columns are the names of all objects in order of appearance.

    The values of an object within an object are columns called OUTER.INNER, and the items of a list of references are
    columns called NAME.1, NAME.2. A list of one text is that text. Other lists, and objects deeper than MAX_DEPTH, are
    not used, except for the texts in logs that harness_logs declares.
    """

    def __init__(self, source: Source, count: int, *, row: str = "line") -> None:
        """Begin with no row.

        Args:
            source: the file.
            count: the number of rows that will be added, to check the number of cells early.
            row: what messages call a row.
        """
        self.source = source
        self.count = count
        self.row = row
        self.columns: dict[str, int] = {}
        self.unused: dict[str, None] = {}
        self.lists: dict[str, bool] = {}  # names of lists, and whether they have several texts in some row
        self.empty: dict[str, None] = {}  # names of empty lists
        self.rows: list[list[object]] = []
        self._size = 0  # of the texts

    def add(self, record: Mapping[str, object]) -> None:
        """Add a row.

        Raises:
            FormatError: two of its values have the name of one column.
            LimitError: there are too many columns or cells, or too much text.
        """
        row: list[object] = [None] * len(self.columns)
        values = [*self._values(record, "", 1), *self._texts(deep_values(record))]
        if len({name for name, _ in values}) < len(values):
            names = [name for name, _ in values]
            shared = next(name for name in names if names.count(name) > 1)
            place = f"{self.source.name}, {self.row} {len(self.rows) + 1}"
            raise FormatError(f"{place}: two values of the column {shared!r} found, 1 expected; rename one of the keys")
        for name, value in values:
            place = self.columns.setdefault(name, len(self.columns))
            if place >= len(row):
                limits, file = self.source.limits, self.source.name
                limits.check("columns", place + 1, f"{file}, {self.row} {len(self.rows) + 1}")
                limits.check("cells", (place + 1) * (self.count + 1), file)
                row += [None] * (place + 1 - len(row))
            row[place] = value
            if isinstance(value, str):
                self._size += len(value)
        self.rows.append(row)
        if self._size > self.source.limits.table_bytes:
            self.source.limits.check("table_bytes", self._size, self.source.name)

    def table(self, kind: str, notes: Sequence[str] = ()) -> Source:
        """Return the table as a source with text.

        Args:
            kind: the kind of the file.
            notes: sentences about the file.

        Raises:
            FormatError, LimitError: as table_to_text; FormatError if all values are lists or nested too deeply.
        """
        if self.unused and not self.columns:
            raise FormatError(
                f"{self.source.name}: only lists or objects found, in {listed(self.unused)}, texts expected; write an "
                "object per segment with a text under each key"
            )
        text, left_out = table_to_text(self._all_rows(), kind, self.source.name, limits=self.source.limits)
        text = replace(text, header=True)
        nested = [*self.unused, *(name for name in self.empty if name not in {**self.columns, **self.unused})]
        if find_log(self.columns, self.lists) is not None:  # its notes say what is used
            nested = []
        source = self.source.with_table(text, (*notes, *unused_value_notes(nested), *left_out))
        return replace(source, lists=self.lists)

    def _all_rows(self) -> Iterator[Sequence[object]]:
        """Yield the header and the rows, without columns that have lists of several values in some rows."""
        dropped = [place for name, place in self.columns.items() if name in self.lists and name in self.unused]
        if self.rows:
            yield [name for name, place in self.columns.items() if place not in dropped]
        width = len(self.columns)
        for row in self.rows:
            cells = row + [None] * (width - len(row))
            yield [cell for place, cell in enumerate(cells) if place not in dropped] if dropped else cells

    def _values(self, record: Mapping[str, object], before: str, depth: int) -> Iterator[tuple[str, object]]:
        for key, value in record.items():
            name = f"{before}{key}"
            if isinstance(value, dict) and depth < MAX_DEPTH:
                yield from self._values(cast("Mapping[str, object]", value), f"{name}.", depth + 1)
            elif isinstance(value, list) and REFERENCES.fullmatch(key):
                items = {str(i): item for i, item in enumerate(cast("list[object]", value), start=1)}
                yield from self._values(items, f"{name}.", MAX_DEPTH)
            elif isinstance(value, (dict, list)):
                yield from self._texts([(name, cast("object", value))])
            else:
                yield name, value

    def _texts(self, values: Iterable[tuple[str, object]]) -> Iterator[tuple[str, object]]:
        """Yield the texts of values that may be lists of one text, and remember the other lists and objects."""
        for name, value in values:
            text = only_text(value)
            if isinstance(value, list) and len(self.lists) < self.source.limits.columns:
                several = not isinstance(text, str) and _has_texts(cast("list[object]", value))
                self.lists[name] = several or self.lists.get(name, False)
            if isinstance(text, str):
                yield name, text
            elif len(names := self.unused if value else self.empty) < self.source.limits.columns:
                names[name] = None


def _has_texts(value: object) -> bool:
    """Return whether a value is a text with words, or a list or an object with one at any depth."""
    if isinstance(value, (list, dict)):
        items = cast("dict[str, object]", value).values() if isinstance(value, dict) else cast("list[object]", value)
        return any(map(_has_texts, items))
    return isinstance(value, str) and has_words(value)


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
