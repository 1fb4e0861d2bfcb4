"""Tables in Parquet, read by pyarrow a batch at a time."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from bleu_core.errors import FormatError
from bleu_core.formats.declaration import Format, Options
from bleu_core.formats.records import Records
from bleu_core.formats.source import Source

LABEL = "Parquet"
MAGIC = b"PAR1"
#: Rows that are read at a time: one of them may take as much as a line may.
BATCH = 64
#: Unpacked bytes from which on the limit on the ratio holds: columns repeat much.
LARGE = 2**24


def _loaded(name: str) -> Any:
    """A module of pyarrow, which has no types; loading it takes long."""
    return import_module(name)


def _sniff(source: Source) -> float:
    return 1 if source.data.startswith(MAGIC) else 0


def _read(source: Source, _: Options) -> Source:
    """The table.

    Raises:
        FormatError: the file is damaged.
        LimitError: it holds too much; what it declares is checked before anything is unpacked.
    """
    pa, parquet = _loaded("pyarrow"), _loaded("pyarrow.parquet")
    try:
        buffer = pa.BufferReader(source.data)
        file = parquet.ParquetFile(buffer)
        _check_declared(file.metadata, source)
        records = Records(source, file.metadata.num_rows)
        # Texts that are repeated stay in dictionaries, so that a few bytes do not become gigabytes.
        texts = [field.name for field in file.schema_arrow if pa.types.is_string(field.type)]
        file = parquet.ParquetFile(pa.BufferReader(source.data), read_dictionary=texts)
        size = 0
        for group in range(file.metadata.num_row_groups):
            for batch in file.iter_batches(BATCH, row_groups=[group], use_threads=False):
                size += sum(_size(column) for column in batch.columns)
                source.limits.check("table_bytes", size, source.name)
                for record in batch.to_pylist():
                    records.add(record)
    except FormatError:
        raise
    except (pa.ArrowException, OSError, ValueError, KeyError, OverflowError, RecursionError) as error:
        raise FormatError(f"{source.name}: cannot be read as Parquet: {error}; write the file again") from None
    return records.table("Parquet")


def _check_declared(metadata: Any, source: Source) -> None:
    """Check the numbers of columns, rows and bytes that a file declares."""
    name, limits = source.name, source.limits
    limits.check("columns", metadata.num_columns, name)
    limits.check("lines", metadata.num_rows + 1, name)
    limits.check("cells", (metadata.num_rows + 1) * metadata.num_columns, name)
    size = sum(metadata.row_group(i).total_byte_size for i in range(metadata.num_row_groups))
    limits.check("file_bytes", size, f"{name}, unpacked")
    limits.check("table_bytes", size, name)
    if size > LARGE:
        limits.check("compression_ratio", size // len(source.data), name)


def _size(column: Any) -> int:
    """The bytes of a column's values, each counted as often as it occurs."""
    pa, compute = _loaded("pyarrow"), _loaded("pyarrow.compute")
    if not pa.types.is_dictionary(column.type) or not len(column.dictionary):
        return column.nbytes
    lengths = compute.binary_length(column.dictionary)
    return compute.sum(lengths.take(column.indices)).as_py() or 0


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
)
