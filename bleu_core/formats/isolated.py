"""Reading of formats in a separate process, if a damaged file may abort their native readers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, replace
from typing import Any

from bleu_core.errors import FormatError
from bleu_core.formats.declaration import Format, Options
from bleu_core.formats.register import FORMATS
from bleu_core.formats.source import Source
from bleu_core.formats.text import Text
from bleu_core.isolation import OutOfMemoryError, OutOfTimeError, StoppedError, isolated
from bleu_core.limits import LimitError


def read_container(source: Source, container: Format, own: Mapping[str, str]) -> Source:
    """Return the table in a file of a container; errors as for its reader, or if the file stops the process."""
    if not container.isolated:
        return table_of(container, source, own)
    result = _isolated(_table, source, container, dict(own))
    fields: dict[str, Any] = result["text"] | {"repairs": tuple(result["text"]["repairs"])}
    table = source.with_table(Text(**fields), tuple(result["notes"]), tuple(result["decisions"]))
    return replace(table, lists=dict(result["lists"]))


def list_option_values(source: Source, file_format: Format) -> Mapping[str, Sequence[str]]:
    """Return the possible values of a format's own options for a file; errors as for read_container."""
    if file_format.values is None:
        return {}
    return _isolated(_values, source, file_format) if file_format.isolated else file_format.values(source)


def table_of(container: Format, source: Source, own: Mapping[str, str]) -> Source:
    """Return the table in a file of a container, read in this process."""
    table = container.read(source, Options(role=container.roles[0], own=own))
    if not isinstance(table, Source):
        raise TypeError(f"the format {container.key} is a container and must return its table as a source")
    return table


def _isolated(function: Callable[..., Any], source: Source, file_format: Format, *arguments: object) -> Any:
    limits, label = source.limits, file_format.label
    try:
        return isolated(
            function,
            source.data,
            replace(source, data=b""),
            file_format.key,
            *arguments,
            memory=limits.reader_memory,
            seconds=limits.reader_seconds,
        )
    except (OutOfMemoryError, OutOfTimeError) as error:
        limit, unit = (
            ("reader_seconds", "seconds") if isinstance(error, OutOfTimeError) else ("reader_memory", "bytes of memory")
        )
        maximum: int = getattr(limits, limit)
        raise LimitError(
            f"{source.name}: cannot be read: the {label} reader needs more than {maximum:,} {unit}; the file is "
            f"probably damaged: write it again, or allow more: start with --limit {limit}={2 * maximum}"
        ) from None
    except StoppedError as error:
        raise FormatError(
            f"{source.name}: cannot be read: the file makes the {label} reader stop ({error}); it is probably damaged: "
            "write it again, or export the table as TSV"
        ) from None


# --- in the other process -----------------------------------------------------------------------------------------


def _table(data: bytes, source: Source, key: str, own: Mapping[str, str]) -> dict[str, Any]:
    table = table_of(FORMATS[key], replace(source, data=data), own)
    return {"text": asdict(table.text), "notes": table.notes, "decisions": table.decisions, "lists": dict(table.lists)}


def _values(data: bytes, source: Source, key: str) -> Mapping[str, Sequence[str]]:
    values = FORMATS[key].values
    return {} if values is None else dict(values(replace(source, data=data)))
