"""Columns of a Parquet table as text, read in batches of rows, without a Python object per cell."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from importlib import import_module
from typing import Any

from bleu_core.errors import FormatError
from bleu_core.formats.delimited import CELL_BREAKS, check_characters, empty_end_notes, format_cell, line_break_repairs
from bleu_core.formats.harness_logs import find_log
from bleu_core.formats.records import MAX_DEPTH, REFERENCES, unused_value_notes
from bleu_core.formats.source import Source
from bleu_core.formats.text import Text, check_lines

#: The most bytes of a value that is neither text nor a number; a UUID or a long decimal has fewer.
MAX_FIXED_WIDTH = 32


def load_module(name: str) -> Any:
    """Import a module of pyarrow, which has no types; importing it takes long."""
    return import_module(name)


@dataclass(frozen=True)
class _Values:
    """The values of one column.

    Attributes:
        texts: an array of texts, none of them null.
        indices: the index in texts of each row, null for none; None if each row has its own.
    """

    texts: Any
    indices: Any = None

    @cached_property
    def _lengths(self) -> Any:
        return load_module("pyarrow.compute").binary_length(self.texts)

    @property
    def size(self) -> int:
        """The bytes of all values, counting repetitions."""
        lengths = self._lengths if self.indices is None else self._lengths.take(self.indices)
        return load_module("pyarrow.compute").sum(lengths).as_py() or 0

    def expand(self) -> Any:
        """Return an array with a text for each row, which may be far larger."""
        return self.texts if self.indices is None else self.texts.take(self.indices).fill_null("")


class Columns:
    """A table that grows by groups of rows; its columns have the same names as those of Records."""

    def __init__(self, source: Source, schema: Any, wide: list[str], single: Collection[str] = ()) -> None:
        """Begin with no row.

        Args:
            source: the file.
            schema: the schema of its columns in pyarrow.
            wide: the paths of long values of fixed length.
            single: the paths of lists that have at most one item in every row.
        """
        self.source = source
        self.unused: dict[str, None] = {}
        self.bytes: dict[str, None] = {}
        self._names: dict[str, None] = {}
        self.lists: dict[str, bool] = {}
        self._wide = wide
        self._single = single
        self._groups: list[tuple[int, dict[str, Any]]] = []
        self._rows = self._size = 0
        #: The paths of the columns that have to be read.
        self.paths = [path for field in schema for path in self._used(field.name, field.name, field.type, 1)]

    def add_group(self, tables: Iterable[tuple[Any, Collection[str]]], rows: int) -> None:
        """Add a group of rows.

        Args:
            tables: some columns of these rows, with the paths of those that are added.
            rows: the number of these rows.

        Raises:
            FormatError: two columns have one name.
            LimitError: there are too many columns or cells, or too much text.
        """
        limits, name = self.source.limits, self.source.name
        self._rows += rows
        group: dict[str, Any] = {}
        for table, paths in tables:
            for field, column in zip(table.schema, table.combine_chunks().columns, strict=True):
                array = column.chunk(0) if column.num_chunks else load_module("pyarrow").array([], field.type)
                for column_name, values in self._columns(field.name, field.name, array=array, depth=1, paths=paths):
                    if column_name in group:
                        raise FormatError(f"{name}: two columns are named {column_name!r}; rename one")
                    self._names[column_name] = None
                    limits.check("columns", len(self._names), name)
                    limits.check("cells", len(self._names) * (self._rows + 1), name)
                    self._size += values.size
                    limits.check("table_bytes", self._size, name)
                    group[column_name] = values.expand()
        if any(len(texts) != rows for texts in group.values()):
            raise FormatError(f"{name}: other rows found than declared; write the file again")
        self._groups.append((rows, group))

    def table(self, kind: str) -> Source:
        """Return the table as a source with text; kind is that of the file.

        Raises:
            FormatError: a cell has characters that are not text.
            LimitError: there is too much text.
        """
        limits, source = self.source.limits, self.source
        names = [name for name in self._names if name not in self.bytes]
        names = [
            name for name in names if name or any(_has_text(group[name]) for _, group in self._groups if name in group)
        ]
        limits.check("table_bytes", self._size + len(names) * self._rows, source.name)
        header = [CELL_BREAKS.sub(" ", name) for name in names]
        n_mended = sum(name != written for name, written in zip(names, header, strict=True))
        pieces = ["\t".join(header) + "\n"] if self._rows and names else []
        while self._groups and names:
            count, columns = self._groups.pop(0)
            piece, broken = _lines(columns, names, count)
            pieces.append(piece)
            n_mended += broken
        content, dropped = _without_empty_end("".join(pieces))
        check_characters(content, source.name)
        check_lines(content, source.name, limits)
        text = Text(content, kind, line_break_repairs(n_mended), "\t", header=True)
        nested = {} if find_log(names, self.lists) is not None else self.unused  # its notes say what is used
        notes = (*unused_value_notes(nested, self.bytes), *empty_end_notes(dropped))
        return replace(source.with_table(text, notes), lists=self.lists)

    def _used(self, key: str, name: str, kind: Any, depth: int) -> Iterator[str]:
        """Yield the paths of the used columns in a column."""
        types = load_module("pyarrow").types
        if types.is_struct(kind) and depth < MAX_DEPTH:
            for field in kind:
                yield from self._used(field.name, f"{name}.{field.name}", field.type, depth + 1)
        elif types.is_nested(kind) and not _is_list_of_references(key, kind):
            single, texts = name in self._single, _is_list_of_texts(kind)
            self.lists[name] = texts and not single
            if single and texts:
                yield name
            else:
                self.unused[name] = None
        elif any(path == name or path.startswith(f"{name}.") for path in self._wide):
            self.bytes[name] = None
        else:
            yield name

    def _columns(
        self, key: str, name: str, array: Any, depth: int, paths: Collection[str]
    ) -> Iterator[tuple[str, _Values]]:
        """Yield the columns in a column, with their names."""
        types = load_module("pyarrow").types
        if types.is_struct(array.type) and depth < MAX_DEPTH:
            for field, child in zip(array.type, array.flatten(), strict=True):
                yield from self._columns(field.name, f"{name}.{field.name}", array=child, depth=depth + 1, paths=paths)
        elif name not in paths:
            return
        elif types.is_nested(array.type):
            if _is_list_of_references(key, array.type):
                yield from self._items(name, array)
            else:
                yield from ((name, values) for _, values in self._items(name, array))
        elif (values := _values(array)) is not None:
            yield name, values
        else:
            self.bytes[name] = None

    def _items(self, name: str, array: Any) -> Iterator[tuple[str, _Values]]:
        """Yield the first items of all lists in an array as a column, then the second items, and so on."""
        compute = load_module("pyarrow.compute")
        lengths = compute.list_value_length(array).fill_null(0)
        longest = compute.max(lengths).as_py() or 0
        self.source.limits.check("columns", longest, self.source.name)
        values = _values(array.values)
        if values is None:
            self.bytes[name] = None
            return
        starts = array.offsets[:-1]
        for number in range(longest):
            place = compute.add(starts, number)
            indices = compute.if_else(compute.greater(lengths, number), place, load_module("pyarrow").scalar(None))
            selected = indices if values.indices is None else values.indices.take(indices)
            yield f"{name}.{number + 1}", _Values(values.texts, selected)


def _is_list_of_texts(kind: Any) -> bool:
    types = load_module("pyarrow").types
    is_list = types.is_list(kind) or types.is_large_list(kind)
    return is_list and (types.is_string(kind.value_type) or types.is_large_string(kind.value_type))


def _is_list_of_references(key: str, kind: Any) -> bool:
    types = load_module("pyarrow").types
    is_list = types.is_list(kind) or types.is_large_list(kind)
    return is_list and REFERENCES.fullmatch(key) is not None and not types.is_nested(kind.value_type)


def _values(array: Any) -> _Values | None:
    """Return the values of an array as text; None if they are bytes that are not text."""
    if load_module("pyarrow").types.is_dictionary(array.type):
        texts = _texts(array.dictionary)
        return None if texts is None else _Values(texts, array.indices)
    texts = _texts(array)
    return None if texts is None else _Values(texts)


def _texts(array: Any) -> Any:
    """Convert an array to texts as format_cell does; return None if it has bytes that are not text."""
    pa, compute = load_module("pyarrow"), load_module("pyarrow.compute")
    types, kind = pa.types, array.type
    if types.is_null(kind):
        return _empty(len(array))
    if types.is_binary(kind) or types.is_large_binary(kind) or types.is_binary_view(kind):
        try:
            array = array.cast(pa.binary()).cast(pa.string())
        except pa.ArrowInvalid:
            return None
    elif types.is_boolean(kind):
        array = compute.utf8_upper(array.cast(pa.string()))
    elif types.is_floating(kind):
        array = pa.array(map(format_cell, array.to_numpy(zero_copy_only=False).tolist()), pa.large_string())
    elif not (types.is_integer(kind) or types.is_string(kind) or types.is_large_string(kind)):
        array = pa.array(map(format_cell, array.to_pylist()), pa.large_string())
    return array.cast(pa.large_string()).fill_null("")


def _empty(count: int) -> Any:
    pa = load_module("pyarrow")
    return pa.repeat(pa.scalar("", pa.large_string()), count)


def _has_text(texts: Any) -> bool:
    compute = load_module("pyarrow.compute")
    return (compute.max(compute.binary_length(texts)).as_py() or 0) > 0


def _lines(columns: dict[str, Any], names: list[str], count: int) -> tuple[str, int]:
    """Return the lines of some rows, and the number of cells in which line breaks or tabs became blanks."""
    texts = [columns[name] if name in columns else _empty(count) for name in names]
    lines = _join_rows(texts)
    if lines.count("\t") == count * (len(names) - 1) and lines.count("\n") == count and "\r" not in lines:
        return lines, 0
    compute = load_module("pyarrow.compute")
    broken = sum(compute.sum(compute.match_substring_regex(text, CELL_BREAKS.pattern)).as_py() or 0 for text in texts)
    return _join_rows([compute.replace_substring_regex(text, CELL_BREAKS.pattern, " ") for text in texts]), broken


def _join_rows(texts: list[Any]) -> str:
    """Join the cells of some columns to rows, each ended by a line break."""
    pa, compute = load_module("pyarrow"), load_module("pyarrow.compute")
    rows = compute.binary_join_element_wise(*texts, pa.scalar("\t", pa.large_string())) if len(texts) > 1 else texts[0]
    rows = pa.LargeListArray.from_arrays(pa.array([0, len(rows)], pa.int64()), rows)
    joined: str = compute.binary_join(rows, pa.scalar("\n", pa.large_string()))[0].as_py()
    return f"{joined}\n" if len(rows.values) else ""


def _without_empty_end(content: str) -> tuple[str, int]:
    """Remove empty rows at the end of a table, and count them."""
    used = len(content.rstrip("\t\n"))
    end = content.find("\n", used) + 1
    return (content, 0) if end == len(content) else (content[:end], content.count("\n", end))
