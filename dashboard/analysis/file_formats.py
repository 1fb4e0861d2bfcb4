"""The format of a file, and whether it needs a language pair."""

from __future__ import annotations

from bleu_core.errors import BleuCoreError
from bleu_core.formats import FORMATS, Format, recognise_format_key
from bleu_core.limits import Limits
from bleu_core.progress import Progress
from bleu_core.uploads import Entry, File
from dashboard import session


def format_of(entry: Entry) -> Format | None:
    """Return the format of a file: the one in which it was read, else the one selected for it or recognised.

    The options of that format may make the file readable.
    """
    file = entry.file
    key = file.format if entry.report is None else entry.report.format_key
    if not key:
        key = _recognised(session.scope(), file, session.session_limits())
    return FORMATS[key] if key and file.role in FORMATS[key].roles else None


@session.cached("Recognising the format", "bytes")
def _recognised(_: Progress, file: File, limits: Limits) -> str:
    try:
        return recognise_format_key(file.data, file.name, encoding=file.encoding, limits=limits)
    except BleuCoreError:  # reading the file finds the same problem and shows it
        return ""


def asks_pair(entry: Entry) -> bool:
    """Return whether a language pair of several has to be selected, which holds for all files of such formats."""
    file_format = format_of(entry)
    return file_format is not None and file_format.asks_pair
