"""Plain text: one segment per line."""

from __future__ import annotations

from dataclasses import replace
from typing import cast

from bleu_core.dataset import Column, Labels, Role
from bleu_core.errors import FormatError
from bleu_core.formats.contents import Contents, text_contents
from bleu_core.formats.declaration import Format, Options
from bleu_core.formats.source import Source
from bleu_core.formats.text import split_lines
from bleu_core.formats.text_roles import TEXT_ROLES, guess_text_role, split_domains

LABEL = "text, one segment per line"


def _sniff(_: Source) -> float:
    return 0.1  # any text may be plain


def _read(source: Source, options: Options) -> Contents:
    """Read a text; errors as for split_lines, and FormatError if a line of documents is empty."""
    segments, repairs = split_lines(source.text, with_progress=True)
    role = cast("Role", options.role)
    column = Column(role=role, name=source.stem, segments=segments, origin=source.name, unit="line")
    labels: Labels | None = None
    if options.role == "document":
        documents, labels = split_domains(segments, source.name)
        line = next((line for line, document in enumerate(documents, start=1) if not document.strip()), None)
        if line is not None:
            raise FormatError(f"{source.name}, line {line}: no document found, a name expected in every line")
        column = replace(column, segments=documents)
    contents = text_contents((column,), source, options.role, LABEL, repairs=repairs)
    return replace(contents, labels=labels)


FORMAT = Format(
    key="text",
    label=LABEL,
    description="plain text with one segment per line",
    roles=TEXT_ROLES,
    sniff=_sniff,
    read=_read,
    role_of=guess_text_role,
    endings=(".txt",),
)
