"""Tables in CSV or TSV with a preamble such as a title; the rows above the header are left out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bleu_core.formats.declaration import Format, Options
from bleu_core.formats.delimited import SUFFIXES, is_delimited
from bleu_core.formats.header_rows import HEADER_LABEL
from bleu_core.formats.preamble import HEADER_ROW_CHOICES, count_preamble_lines, skip_preamble
from bleu_core.formats.source import Source

LABEL = "table below a title"


def _sniff(source: Source) -> float:
    return (
        0.5
        if source.table is None and is_delimited(source.name) and count_preamble_lines(source.text, source.name)
        else 0
    )


def _read(source: Source, options: Options) -> Source:
    """Return the table.

    Raises:
        FormatError: the header row that the user has set does not exist.
    """
    text, notes = skip_preamble(source.text, source.name, options.own.get("header", ""))
    return source.with_table(text, notes)


def _values(_: Source) -> Mapping[str, Sequence[str]]:
    return {"header": HEADER_ROW_CHOICES}


FORMAT = Format(
    key="titled-table",
    label=LABEL,
    description="tables with rows above their header, such as a title",
    roles=("system", "reference", "source", "document", "judgments", "scores", "labels"),
    sniff=_sniff,
    read=_read,
    endings=SUFFIXES,
    container=True,
    own={"header": HEADER_LABEL},
    values=_values,
)
