"""In which format a file is read, and whether it has several language pairs."""

from __future__ import annotations

from bleu_core.errors import BleuCoreError
from bleu_core.formats import FORMATS, Format, recognise_format_key
from bleu_core.limits import Limits
from bleu_core.progress import Progress
from bleu_core.uploads import Entry, File
from dashboard import session


def format_of(entry: Entry) -> Format | None:
    """The format of a file: it was read in it, or if it could not be read, it was chosen for it or is recognised.

    That format's own options may be what makes the file readable.
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
    """Whether a language pair has to be chosen for a file of several, and holds for all files of such formats."""
    found = format_of(entry)
    return found is not None and found.asks_pair
