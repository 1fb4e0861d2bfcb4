"""What pages offer to choose from and print in their help: the core's names, labels, bounds and numbers of draws."""

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
    """The keys of the formats that a file may be read in, in its role: of one that is text, those that are text."""
    if entry.file.role == "counts":
        return ()
    found = formats_of(entry.file.role)
    if entry.report is None:
        return found
    read = FORMATS[entry.report.format_key]
    return tuple(
        key for key in found if key in (read.key, entry.file.format) or not (read.binary or FORMATS[key].binary)
    )


def without_pair(workspace: Workspace) -> tuple[int, ...]:
    """The positions of files that are not used before a language pair is chosen; none once it is chosen for one."""
    asking = [i for i, entry in enumerate(workspace.entries) if entry.pairs and asks_pair(entry)]
    if any(workspace.entries[i].file.pair for i in asking):
        return ()
    return tuple(i for i in asking if workspace.entries[i].problem)


def values_of_options(entry: Entry, read: Format) -> Mapping[str, Sequence[str]]:
    """The values that own options of a format may have for a file; an option that is not among them may have any."""
    return _values(session.scope(), entry.file, read.key, session.session_limits())


@session.cached("Reading the file", "bytes")
def _values(_: Progress, file: File, key: str, limits: Limits) -> Mapping[str, Sequence[str]]:
    try:
        return option_values(file.data, file.name, key, encoding=file.encoding, limits=limits)
    except BleuCoreError:  # reading the file finds the same problem and shows it
        return {}
