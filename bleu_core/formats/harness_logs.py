"""Logs of programs that run language models or collect translations, whose columns are known by their names.

Each log is declared once: the names by which it is known, and the columns of its texts. All others are not used.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple, cast

from bleu_core.dataset import Role
from bleu_core.errors import FormatError, listed
from bleu_core.formats.column_kinds import why_not_text
from bleu_core.formats.delimited import Table
from bleu_core.formats.headers import HeaderKind, classify_header
from bleu_core.formats.mapping import MappedColumn, MappedRole, format_columns
from bleu_core.formats.segment_ids import normal_ids
from bleu_core.formats.source import Source
from bleu_core.invocation import columns_option

#: Any key, in a path.
ANY = "*"


@dataclass(frozen=True, slots=True, kw_only=True)
class Log:
    """A kind of log, as a table of one row per output.

    Attributes:
        name: the program that writes it, for messages.
        marks: columns that all such logs have and others do not; those with * at the end or the beginning stand for
            any column with this beginning or ending.
        lists: columns that are lists in such logs.
        outputs: the columns that may be the output; the first that has text is.
        number: the column that identifies a segment.
        source: the column of the source; empty if there is none.
        reference: the column of the reference; empty if there is none.
        system: the column that names the system; empty if the file is of one system.
        variant: the column by which outputs of one segment differ; empty if there is none.
        settings: the prefix of columns with texts that the user names; their roles follow from the rest of their names.
        free: whether the user names all columns of texts, so that their roles have to be given.
    """

    name: str
    marks: frozenset[str]
    lists: frozenset[str] = frozenset()
    outputs: tuple[str, ...] = ()
    number: str = "id"
    source: str = ""
    reference: str = ""
    system: str = ""
    variant: str = ""
    settings: str = ""
    free: bool = False


_OPENAI = (
    "response.body.choices.message.content",
    "response.body.output.content.text",
    "response.body.choices.text",
)
_LM_EVAL = Log(
    name="lm-evaluation-harness",
    marks=frozenset({"doc_id", "target", "filtered_resps"}),
    outputs=("filtered_resps", "resps"),
    number="doc_id",
    reference="target",
    variant="filter",
)
LOGS: Sequence[Log] = (
    _LM_EVAL,
    replace(_LM_EVAL, marks=frozenset({"doc_id", "target", "resps"})),
    Log(
        name="lighteval",
        marks=frozenset({"doc.query", "doc.task_name", "model_response.*"}),
        outputs=("model_response.text_post_processed", "model_response.text"),
        number="doc.id",
        reference="doc.choices",
    ),
    # Older ones write lists as the text of Python lists.
    Log(name="lighteval", marks=frozenset({"full_prompt", "predictions", "gold"})),
    Log(
        name="Inspect",
        marks=frozenset({"id", "epoch", "target", "output.model"}),
        outputs=("output.completion", "output.choices.message.content"),
        source="input",
        reference="target",
        variant="epoch",
    ),
    Log(
        name="promptfoo",
        marks=frozenset({"testIdx", "promptIdx", "provider.id"}),
        outputs=("response.output",),
        number="testIdx",
        system="provider.id",
        settings="vars.",
    ),
    Log(
        name="batches of OpenAI",
        marks=frozenset({"custom_id", "response.status_code"}),
        outputs=_OPENAI,
        number="custom_id",
    ),
    Log(
        name="batches of Anthropic",
        marks=frozenset({"custom_id", "result.type"}),
        outputs=("result.message.content.text",),
        number="custom_id",
    ),
    Log(
        name="doccano",
        marks=frozenset({"id", "text", "label"}),
        lists=frozenset({"label"}),
        outputs=("label",),
        source="text",
    ),
    Log(
        name="Label Studio",
        marks=frozenset({"id", "annotations", "updated_at", "data.*"}),
        outputs=("annotations.result.value.text",),
        settings="data.",
    ),
    Log(name="Label Studio", marks=frozenset({"annotation_id", "annotator", "updated_at"}), free=True),
    Log(name="Argilla", marks=frozenset({"fields.*", "status", "responses.*"}), free=True),
    Log(name="Argilla", marks=frozenset({"*.responses.users"}), free=True),
)
#: Lists of the rows in a JSON object that is such a log, or the answer of a translation service, as the keys on the way
#: to them.
ROWS: Sequence[tuple[str, ...]] = (("results", "results"), ("samples",), ("data", "translations"))
#: Objects in these rows with keys that differ from row to row.
POOLS = frozenset({"attachments", "store", "events_data"})
#: Paths to texts within lists, or deeper than other values are columns, by their first key.
PATHS: Mapping[str, Sequence[tuple[str, ...]]] = {
    "response": tuple(tuple(path.split(".")) for path in _OPENAI),
    "result": (("result", "message", "content", "text"),),
    "output": (("output", "choices", "message", "content"),),
    "annotations": (("annotations", "result", "value", "text"),),
    "responses": (("responses", ANY, "value"),),
    "translations": (("translations", "text"),),
}
#: Names of columns, of those that users name, of references.
REFERENCE_NAMES = frozenset({"expected", "ideal", "gold", "answer", "target"})
#: The same of sources, which generic headers of texts may be.
SOURCE_NAMES = frozenset({"text", "source", "src", "input"})
#: An id that ends with a number.
NUMBERED = re.compile(r"(.*?)(\d{1,18})", re.DOTALL)


def deep_values(record: Mapping[str, object]) -> Iterator[tuple[str, object]]:
    """Yield the name and the value of each text of a log that is within lists; a list if there are several texts."""
    for first in PATHS.keys() & record.keys():
        for path in PATHS[first]:
            inner = record[first]
            named = path[1] == ANY and isinstance(inner, dict)
            for key in [*cast("dict[str, object]", inner)] if named else path[1:2]:
                value = _value_at(record, (first, key, *path[2:]))
                if value is not None:
                    yield ".".join((first, key, *path[2:])), value


def only_text(value: object) -> object:
    """Return the text in a list of one text, or in a list of such a list; any other value as it is."""
    inner = value
    while isinstance(inner, list) and len(items := cast("list[object]", inner)) == 1:
        inner = items[0]
    return inner if isinstance(inner, str) else value


def _value_at(value: object, path: Sequence[str]) -> object:
    """Return the text at a path: None if there is none, and a list if there are several."""
    for key in path:
        value = _item_with(value, key)
        if not isinstance(value, dict):
            return value
        value = cast("dict[str, object]", value).get(key)
    value = only_text(value)
    if isinstance(value, list):  # parts of a message
        part = _item_with(cast("list[object]", value), "text")
        return cast("dict[str, object]", part).get("text") if isinstance(part, dict) else part
    return value if isinstance(value, str) else None


def _item_with(value: object, key: str) -> object:
    """Return an object, or the only one in a list that has something under a key; a list if several have."""
    if isinstance(value, list):
        objects = [cast("dict[str, object]", item) for item in cast("list[object]", value) if isinstance(item, dict)]
        having = [item for item in objects if item.get(key)]
        return having[0] if len(having) == 1 else having or None
    return cast("dict[str, object]", value) if isinstance(value, dict) else None


class LogTable(NamedTuple):
    """The columns of a log that are used.

    Attributes:
        table: the table of these columns.
        kinds: the kind of each.
        notes: sentences on what is used and what is unusual.
    """

    table: Table
    kinds: list[HeaderKind | None]
    notes: tuple[str, ...]


def select_log_columns(table: Table, source: Source, role: Role) -> LogTable | None:
    """Return the columns that are used of a known log; None for another table.

    Rows are in the order of the numbers at the end of their ids, if all ids have one, since some programs write the
    outputs in the order in which they were completed.

    Args:
        table: the table, with at least one row.
        source: the file, with the names of its lists.
        role: the role of the file, not that of documents.

    Raises:
        FormatError: the log has no text of that role, or several for a segment, or users name its columns; or another
            table has lists that may be texts of that role.
    """
    log = find_log(table.header, source.lists)
    if log is None:
        _check_lists(table, source, role)
        return None
    kinds = _kinds(log, table, source, role)
    used = [name for name in table.header if name in kinds]
    place = {name: i for i, name in enumerate(table.header)}
    notes = [_words(log, used, kinds, role, others=len({*place, *source.lists}) - len(used))]
    selected = replace(table, header=tuple(used), columns=tuple(table.columns[place[name]] for name in used))
    output = next((name for name in used if kinds[name] == "output"), "")
    if output and (empty := sum(not cell.strip() for cell in table.columns[place[output]])):
        notes.append(f"{empty:,} of {len(table.lines):,} rows have no output in {output}, which counts as empty")
    if log.number in kinds:
        selected, problem = _in_order(selected, kinds, unique=bool(output), origin=source.name)
        notes += [problem] if problem and output else []
    if log.variant in kinds:
        at = used.index(log.variant)
        named = [f"{source.stem}.{cell}" for cell in selected.columns[at]]
        columns = (named if i == at else cells for i, cells in enumerate(selected.columns))
        selected = replace(selected, columns=tuple(columns))
    return LogTable(selected, [kinds[name] for name in used], tuple(notes))


def _kinds(log: Log, table: Table, source: Source, role: Role) -> dict[str, HeaderKind]:
    """Return the kinds of the columns of a log that are used, by name; errors as for select_log_columns."""
    origin, names = source.name, table.header
    texts = [name for name, cells in zip(names, table.columns, strict=True) if _is_text(cells)]
    if log.free:
        raise FormatError(_ask(log, texts, role, origin))
    kinds = _kinds_of_settings(log, texts, role, origin)
    kinds |= {log.source: "source"} if log.source in names else {}
    kinds |= {log.reference: "reference"} if log.reference in names else {}
    filled = [name for name, cells in zip(names, table.columns, strict=True) if any(map(str.strip, cells))]
    output = next((name for name in log.outputs if name in filled or name in source.lists), "")
    if log.reference in source.lists and log.reference not in names and role != "source":
        raise FormatError(
            f"{origin}: lists of several texts found in {log.reference} of a log of {log.name}, 1 reference expected; "
            f"give the references as files and the outputs with {_option(origin, {output or 'COLUMN': 'system'})}"
        )
    if role == "system" or (role == "reference" and "reference" not in kinds.values()):
        if output not in names:
            content = f"lists of several values in {output}" if output else "no text"
            expected = " or ".join(log.outputs[:2]) or "lists, as in its newer versions"
            raise FormatError(
                f"{origin}: {content} found in a log of {log.name}, one text per row expected in {expected}"
            )
        kinds[output] = "output"
        system = log.system or log.variant
        if log.system in names or (system in names and len(set(table.columns[names.index(system)])) > 1):
            kinds[system] = "system"
    elif role not in kinds.values():
        raise FormatError(f"{origin}: no {role} found in a log of {log.name}, 1 expected; give it as a file by itself")
    kinds |= {log.number: "number"} if log.number in names else {}
    return kinds


def _kinds_of_settings(log: Log, texts: Sequence[str], role: Role, origin: str) -> dict[str, HeaderKind]:
    """Return the kinds of columns that the user of a program has named, as far as their names say them.

    Raises:
        FormatError: one of them may be the output.
    """
    kinds: dict[str, HeaderKind] = {}
    own = [name for name in texts if log.settings and name.startswith(log.settings)]
    for name in own:
        word = name.removeprefix(log.settings)
        kind = "reference" if word.lower() in REFERENCE_NAMES else classify_header(word)
        if kind == "output" and word.lower() not in SOURCE_NAMES:
            raise FormatError(_ask(log, [*own, *(name for name in texts if name in log.outputs)], role, origin))
        if kind in ("source", "reference"):
            kinds[name] = kind
    return kinds


def find_log(header: Collection[str], lists: Collection[str]) -> Log | None:
    """Return the log that a table is by the names of its columns and lists; None for another table."""
    names = {*header, *lists}
    return next((log for log in LOGS if _has_marks(log, names, lists)), None)


def _has_marks(log: Log, names: Collection[str], lists: Collection[str]) -> bool:
    return log.lists <= set(lists) and all(
        mark in names
        or (mark.endswith(ANY) and any(name.startswith(mark[:-1]) for name in names))
        or (mark.startswith(ANY) and any(name.endswith(mark[1:]) for name in names))
        for mark in log.marks
    )


def _ask(log: Log, texts: Sequence[str], role: Role, origin: str) -> str:
    """Return the sentence for a log whose texts have roles that only the user knows."""
    translated = [name for name in texts if not _is_source_name(name)] or texts
    likely = next((name for name in translated if ".responses" in name or name in log.outputs), "")
    column = likely or (translated[-1] if translated else "COLUMN")
    return (
        f"{origin}: records of {log.name} found, whose columns have names of your own ({listed(texts)}); say what they "
        f"are, on the Data page or with {_option(origin, {column: role})}"
    )


def _words(log: Log, used: Sequence[str], kinds: Mapping[str, HeaderKind], role: Role, *, others: int) -> str:
    """Return the sentence that says which columns are used as what."""
    words: Mapping[HeaderKind, str] = {"number": "id", "output": role if role == "reference" else "output"}
    roles = ", ".join(f"{name} = {words.get(kinds[name], kinds[name])}" for name in used)
    unused = f"; {others} other {'column is' if others == 1 else 'columns are'} not used" if others else ""
    return f"read as a log of {log.name}: {roles}{unused}"


def _check_lists(table: Table, source: Source, role: Role) -> None:
    """Check that no list of several texts may be meant, unless a header says where the texts of the role are.

    Raises:
        FormatError: there is one.
    """
    kind = "output" if role == "system" else role
    named = [name for name in table.header if classify_header(name) == kind and not _is_source_name(name)]
    several = [
        name
        for name, texts in source.lists.items()
        if texts and not any(header == name or header.startswith(f"{name}.") for header in table.header)
    ]
    lists = [name for name in several if classify_header(name) in (None, kind)]
    if not lists or named:
        return
    roles = {
        name: classify_header(name) for name, cells in zip(table.header, table.columns, strict=True) if _is_text(cells)
    }
    others = [name for name, known in roles.items() if known is None and not _is_source_name(name)]
    declared = {name: known for name, known in roles.items() if known in ("source", "reference")}
    chosen = {**dict.fromkeys(others, role), **declared} if others else {}
    how = f"say which other columns are meant, on the Data page or with {_option(source.name, chosen)}"
    raise FormatError(
        f"{source.name}: lists of several texts found in {listed(lists)}, one text per row expected; write one per row"
        + (f", or {how}" if chosen else "")
    )


def _is_source_name(name: str) -> bool:
    return name.lower().rpartition(".")[2] in SOURCE_NAMES


def _option(origin: str, roles: Mapping[str, str]) -> str:
    """Return the option of the command line that gives columns of a file these roles."""
    columns = [MappedColumn(name, cast("MappedRole", role)) for name, role in roles.items()]
    return columns_option(format_columns(columns, origin))


def _is_text(cells: Sequence[str]) -> bool:
    return why_not_text(cells) is None


def _in_order(table: Table, kinds: Mapping[str, HeaderKind], *, unique: bool, origin: str) -> tuple[Table, str]:
    """Return the rows by the numbers at the end of their ids, and a sentence if the ids have none.

    Args:
        table: the table.
        kinds: the kinds of its columns, by name; one is number.
        unique: whether a second row for an id of a system is an error; otherwise only the first is used.
        origin: the file, for messages.

    Raises:
        FormatError: there is such a row.
    """
    names = table.header
    number = next(i for i, name in enumerate(names) if kinds[name] == "number")
    system = next((i for i, name in enumerate(names) if kinds[name] == "system"), None)
    ids = normal_ids(table.columns[number])
    systems = [""] * len(ids) if system is None else table.columns[system]
    first: dict[tuple[str, str], int] = {}
    for row, key in enumerate(zip(ids, systems, strict=True)):
        if (at := first.setdefault(key, row)) != row and unique:
            raise FormatError(
                f"{origin}, line {table.lines[row]}: a second output for {names[number]} {ids[row]} found, after that "
                f"in line {table.lines[at]}, 1 expected; write one output per segment"
            )
    rows = list(first.values())
    parts = [NUMBERED.fullmatch(ids[row]) for row in rows]
    known = [part for part in parts if part is not None]
    problem = ""
    if len(known) == len(rows) and len({part[1] for part in known}) == 1:
        rows.sort(key=lambda row: int(cast("re.Match[str]", NUMBERED.fullmatch(ids[row]))[2]))
    elif system is None:
        problem = f"the ids in {names[number]} are not numbered: beside texts without ids, the order of the rows counts"
    columns = tuple([cells[row] for row in rows] for cells in table.columns)
    return replace(table, columns=columns, lines=[table.lines[row] for row in rows]), problem
