"""Formats, options and language pairs that the page Data offers for a file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bleu_core.errors import BleuCoreError
from bleu_core.formats import (
    FORMATS,
    Format,
    formats_of,
    option_values,
)
from bleu_core.limits import Limits
from bleu_core.progress import Progress
from bleu_core.uploads import Entry, File, Workspace
from dashboard import session
from dashboard.analysis import asks_pair

#: Keys of the formats of tables in text: with headers in the first row, or below a title.
TABLE = "table"
TITLED = "titled-table"


def formats_for(entry: Entry) -> tuple[str, ...]:
    """Return the keys of the formats in which a file may be read, in its role; for text files, those of text."""
    if entry.file.role == "counts":
        return ()
    formats = formats_of(entry.file.role)
    if entry.report is None:
        return formats
    recognised = FORMATS[entry.report.format_key]
    return tuple(
        key
        for key in formats
        if key in (recognised.key, entry.file.format) or not (recognised.binary or FORMATS[key].binary)
    )


def without_pair(workspace: Workspace) -> tuple[int, ...]:
    """Return the positions of files that are not used before a language pair is selected; none once one is selected."""
    asking = [i for i, entry in enumerate(workspace.entries) if entry.pairs and asks_pair(entry)]
    if any(workspace.entries[i].file.pair for i in asking):
        return ()
    return tuple(i for i in asking if workspace.entries[i].problem)


def values_of_options(entry: Entry, file_format: Format) -> Mapping[str, Sequence[str]]:
    """Return the values that a format's options may have for a file; options without an entry may have any."""
    return _values(session.scope(), entry.file, file_format.key, session.session_limits())


@session.cached("Reading the file", "bytes")
def _values(_: Progress, file: File, key: str, limits: Limits) -> Mapping[str, Sequence[str]]:
    try:
        return option_values(file.data, file.name, key, encoding=file.encoding, limits=limits)
    except BleuCoreError:  # reading the file reports the same problem
        return {}
