"""Limits on the content of files, checked before the files are processed.

They prevent a single malformed or hostile file from exhausting memory or processor time. Each can be changed by name
when a program is started: `--limit columns=5000`.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields, replace

from bleu_core.errors import FormatError, SettingsError


class LimitError(FormatError):
    """The content of a file exceeds a limit."""


def _limit(default: int, unit: str) -> int:
    return field(default=default, metadata={"unit": unit})


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Maximum sizes and counts of the content of files.

    The defaults admit a million segments, a million ratings, and the test sets of WMT.

    Attributes:
        file_bytes: bytes in a file, packed and unpacked.
        unpacked_bytes: bytes of an archive or folder, unpacked.
        compression_ratio: unpacked bytes of an archive, or of a large compressed file, for each packed one.
        entries: files in an archive or folder.
        lines: lines in a file.
        line_length: characters in a line.
        columns: columns in a table.
        cells: cells in a file of JSON lines or Parquet, or a table of texts, empty ones too.
        rows: rows in a Parquet file.
        chunks: column chunks in a Parquet file: row groups times columns.
        sheet_cells: cells in a sheet, empty ones too.
        table_bytes: bytes of the table in a sheet or a file of JSON lines or Parquet, as text.
        json_bytes: bytes in a file in JSON, unpacked.
        json_memory: bytes that the values of such a file may take in memory, from its size and punctuation.
        objects: objects in a file of JSON lines that is a table.
        elements: elements in a file in XML, and segments and documents in one in SGML.
        documents: documents of a test set in XML or SGML, counted for each text by itself in SGML.
        messages: texts in a PO file: messages, translations and contexts.
        ratings: lines below the first in a file of judgments.
        scores: lines below the first in a file of metric scores or labels.
        systems, references: of all files of a test set together.
        segments: of all texts in these files together; a file beyond them is not read.
        metrics: metrics in a file of scores or an archive.
        reader_memory: bytes of memory of the process that reads a spreadsheet or a Parquet file.
        reader_seconds: seconds of processor time that it takes.
        judges, groups: judges, and groups of judges, in a file of judgments.

    Raises:
        SettingsError: a limit is less than 1.
    """

    file_bytes: int = _limit(500 * 2**20, "bytes")
    unpacked_bytes: int = _limit(2**30, "unpacked bytes")
    compression_ratio: int = _limit(100, "unpacked bytes per packed byte")
    entries: int = _limit(100_000, "files")
    lines: int = _limit(5_000_000, "lines")
    line_length: int = _limit(2_000_000, "characters")
    columns: int = _limit(1000, "columns")
    cells: int = _limit(5_000_000, "cells")
    rows: int = _limit(1_500_000, "rows")
    chunks: int = _limit(20_000, "column chunks")
    sheet_cells: int = _limit(700_000, "cells in the sheet")
    table_bytes: int = _limit(64 * 2**20, "bytes in the table")
    reader_memory: int = _limit(2 * 2**30, "bytes of memory")
    reader_seconds: int = _limit(60, "seconds")
    json_bytes: int = _limit(64 * 2**20, "bytes of JSON")
    json_memory: int = _limit(300 * 2**20, "bytes of memory for JSON")
    objects: int = _limit(1_000_000, "objects")
    elements: int = _limit(1_600_000, "elements")
    documents: int = _limit(400_000, "documents")
    messages: int = _limit(800_000, "texts of messages")
    ratings: int = _limit(1_000_000, "lines of ratings")
    scores: int = _limit(2_000_000, "lines of scores or labels")
    systems: int = _limit(500, "systems")
    segments: int = _limit(20_000_000, "segments")
    references: int = _limit(100, "references")
    metrics: int = _limit(1000, "metrics")
    judges: int = _limit(5000, "judges")
    groups: int = _limit(100, "groups of judges")

    def __post_init__(self) -> None:
        for name in NAMES:
            if getattr(self, name) < 1:
                raise SettingsError(f"limit {name}={getattr(self, name)} found, at least 1 expected")

    def check(self, name: str, count: int, place: str) -> None:
        """Check that a count does not exceed a limit.

        Args:
            name: of the limit.
            count: the number of its units.
            place: the file and, where it is known, the line, for the message.

        Raises:
            LimitError: the count exceeds the limit.
        """
        maximum: int = getattr(self, name)
        if count > maximum:
            raise LimitError(
                f"{place}: {count:,} {UNITS[name]} found, at most {maximum:,} allowed; to allow more, start with "
                f"--limit {name}={count}"
            )


UNITS = {limit.name: str(limit.metadata["unit"]) for limit in fields(Limits)}
NAMES = tuple(UNITS)
DEFAULT_LIMITS = Limits()


def with_changes(changes: list[str] | tuple[str, ...]) -> Limits:
    """Return the default limits with changes of the form NAME=NUMBER; later ones override earlier ones.

    Raises:
        SettingsError: a limit does not exist, or its value is not a positive whole number.
    """
    values: dict[str, int] = {}
    for change in changes:
        name, _, number = change.partition("=")
        if name not in UNITS:
            raise SettingsError(f"limit {name!r} found, one of {', '.join(NAMES)} expected")
        if not (number.isascii() and number.isdigit() and len(number) <= 18):  # noqa: PLR2004 # fits into 64 bits
            raise SettingsError(f"limit {name}={number!r} found, a whole number expected, as in {name}=5000")
        values[name] = int(number)
    return replace(DEFAULT_LIMITS, **values)
