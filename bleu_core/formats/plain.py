"""Plain text: one segment per line."""

from __future__ import annotations

from dataclasses import replace
from typing import cast

from bleu_core.dataset import Column, Labels, Role
from bleu_core.formats.contents import Contents, of_texts
from bleu_core.formats.declaration import Format, Options
from bleu_core.formats.source import Source
from bleu_core.formats.text import Text, split_lines
from bleu_core.formats.text_roles import TEXT_ROLES, domains, role_of_texts

LABEL = "text, one segment per line"


def read_plain(text: Text, role: Role, name: str, origin: str) -> tuple[Column, tuple[str, ...]]:
    """Read a file of one segment per line.

    Returns:
        The column, and what was repaired while reading.

    Raises:
        FormatError: the file is empty.
    """
    segments, repairs = split_lines(text, telling=True)
    return Column(role=role, name=name, segments=segments, origin=origin, unit="line"), repairs


def _sniff(_: Source) -> float:
    return 0.1  # any text may be plain


def _read(source: Source, options: Options) -> Contents:
    column, repairs = read_plain(source.text, cast("Role", options.role), source.stem, source.name)
    labels: Labels | None = None
    if options.role == "document":
        documents, labels = domains(cast("tuple[str, ...]", column.segments), source.name)
        column = replace(column, segments=documents)
    contents = of_texts((column,), source, options.role, LABEL, repairs=repairs)
    return replace(contents, labels=labels)


FORMAT = Format(
    key="text",
    label=LABEL,
    description="plain text with one segment per line",
    roles=TEXT_ROLES,
    sniff=_sniff,
    read=_read,
    role_of=role_of_texts,
    endings=(".txt",),
)
