"""Tables in Parquet, read by pyarrow in a separate process, which a damaged file may abort."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from bleu_core.errors import FormatError
from bleu_core.formats.declaration import Format, Options
from bleu_core.formats.parquet_columns import MAX_FIXED_WIDTH, Columns, load_module
from bleu_core.formats.source import Source
from bleu_core.progress import report_progress

LABEL = "Parquet"
MAGIC = b"PAR1"
#: Columns that are read at a time: pyarrow needs a megabyte for each.
COLUMNS_PER_READ = 100
#: Unpacked bytes from which on the limit on the compression ratio applies, since columns are repetitive.
MIN_RATIO_BYTES = 2**24
#: The most bytes of a file's footer, which is read before anything in it can be checked.
MAX_FOOTER = 2**24
#: Encodings in which a few bytes may expand to gigabytes of text.
DELTA_ENCODINGS = ("DELTA_BYTE_ARRAY", "DELTA_LENGTH_BYTE_ARRAY")


def _sniff(source: Source) -> float:
    return 1 if source.data.startswith(MAGIC) else 0


def _read(source: Source, _: Options) -> Source:
    """Return the table.

    Raises:
        FormatError: the file is damaged.
        LimitError: it exceeds the limits, by what it declares; this is checked before anything is unpacked.
    """
    pa, parquet = load_module("pyarrow"), load_module("pyarrow.parquet")
    _check_footer(source)
    try:
        file = parquet.ParquetFile(pa.BufferReader(source.data))
        leaves = [file.schema.column(i) for i in range(file.metadata.num_columns)]
        _check_declared(file.metadata, source)
        wide = [leaf.path for leaf in leaves if leaf.length > MAX_FIXED_WIDTH]
        columns = Columns(source, file.schema_arrow, wide, _single_items(file.metadata, leaves))
        _check_columns(file.metadata, leaves, columns.paths, source)
        # Repeated texts stay in dictionaries, so that a few bytes do not expand to gigabytes.
        texts = [leaf.path for leaf in leaves if leaf.physical_type == "BYTE_ARRAY"]
        file = parquet.ParquetFile(pa.BufferReader(source.data), read_dictionary=texts)
        _read_groups(file, columns)
        return columns.table("Parquet")
    except (FormatError, MemoryError):  # the latter also from pyarrow
        raise
    except (pa.ArrowException, OSError, ValueError, KeyError, OverflowError, RecursionError) as error:
        raise FormatError(f"{source.name}: cannot be read as Parquet: {error}; write the file again") from None
    finally:
        pa.default_memory_pool().release_unused()  # before the table is split into cells


def _read_groups(file: Any, columns: Columns) -> None:
    """Add all rows, group by group, since dictionaries within lists differ from group to group."""
    done = 0
    for group in range(file.metadata.num_row_groups):
        rows = file.metadata.row_group(group).num_rows
        columns.add_group(_columns_of_group(file, group, columns.paths, done), rows)
        done += rows


def _columns_of_group(file: Any, group: int, paths: Sequence[str], done: int) -> Iterator[tuple[Any, Sequence[str]]]:
    """Yield a group's columns, some at a time, with their paths, after the number of rows of all groups before it."""
    rows, width = file.metadata.row_group(group).num_rows, len(paths)
    for first in range(0, width, COLUMNS_PER_READ):
        read = paths[first : first + COLUMNS_PER_READ]
        yield file.read_row_group(group, read, use_threads=False), read
        report_progress(done + (first + len(read)) * rows // width, file.metadata.num_rows)


def _check_footer(source: Source) -> None:
    """Check the size of a file's footer, which its last bytes declare."""
    size = int.from_bytes(source.data[-8:-4], "little")
    if source.data.endswith(MAGIC) and MAX_FOOTER < size <= len(source.data):
        raise FormatError(
            f"{source.name}: a description of {size:,} bytes found, at most {MAX_FOOTER:,} expected; write the "
            "file again with fewer row groups or columns"
        )


def _check_declared(metadata: Any, source: Source) -> None:
    """Check the numbers of columns, rows and bytes that a file declares."""
    name, limits = source.name, source.limits
    limits.check("columns", metadata.num_columns, name)
    limits.check("lines", metadata.num_rows + 1, name)
    limits.check("rows", metadata.num_rows, name)
    limits.check("cells", (metadata.num_rows + 1) * metadata.num_columns, name)
    limits.check("chunks", metadata.num_row_groups * metadata.num_columns, name)
    size = sum(metadata.row_group(i).total_byte_size for i in range(metadata.num_row_groups))
    limits.check("file_bytes", size, f"{name}, unpacked")
    if size > MIN_RATIO_BYTES:
        limits.check("compression_ratio", size // len(source.data), name)


def _single_items(metadata: Any, leaves: list[Any]) -> list[str]:
    """Return the paths of lists that have at most one item in every row: then there are as many values as rows."""
    groups = [metadata.row_group(i) for i in range(metadata.num_row_groups)]
    return [
        leaf.path.removesuffix(".list.element").removesuffix(".list.item")
        for i, leaf in enumerate(leaves)
        if leaf.max_repetition_level == 1 and all(group.column(i).num_values == group.num_rows for group in groups)
    ]


def _check_columns(metadata: Any, leaves: list[Any], paths: list[str], source: Source) -> None:
    """Check the declarations of the columns that are used: cells, bytes and encodings."""
    below = tuple(f"{path}." for path in paths)
    used = [i for i, leaf in enumerate(leaves) if leaf.path in paths or leaf.path.startswith(below)]
    cells = size = 0
    for group in (metadata.row_group(i) for i in range(metadata.num_row_groups)):
        for chunk in map(group.column, used):
            cells += chunk.num_values
            size += chunk.total_uncompressed_size
            if chunk.physical_type == "BYTE_ARRAY" and (
                strange := [encoding for encoding in chunk.encodings if encoding in DELTA_ENCODINGS]
            ):
                raise FormatError(
                    f"{source.name}: column {chunk.path_in_schema} has the encoding {strange[0]}, PLAIN or a "
                    "dictionary expected; write the file again with one of these"
                )
    source.limits.check("cells", cells, source.name)
    source.limits.check("table_bytes", size, source.name)


FORMAT = Format(
    key="parquet",
    label=LABEL,
    description="Parquet files of such a table",
    roles=("system", "reference", "source", "document", "judgments", "scores", "labels"),
    sniff=_sniff,
    read=_read,
    endings=(".parquet",),
    binary=True,
    container=True,
    isolated=True,
)
