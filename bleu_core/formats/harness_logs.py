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
from bleu_core.formats.column_roles import classify_column
from bleu_core.formats.delimited import Table
from bleu_core.formats.headers import HeaderKind
from bleu_core.formats.segment_ids import normal_ids
from bleu_core.formats.source import Source

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
        free: whether users name the columns, so that their roles have to be given.
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
        marks=frozenset({"doc.query", "doc.gold_index", "model_response.*"}),
        outputs=("model_response.text_post_processed", "model_response.text"),
        number="doc.id",
        reference="doc.choices",
    ),
    # Older ones write lists as the text of Python lists.
    Log(name="lighteval", marks=frozenset({"full_prompt", "predictions", "gold_index"}), reference="gold"),
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
    Log(name="Label Studio", marks=frozenset({"annotation_id", "annotator", "lead_time"}), free=True),
    Log(name="Argilla", marks=frozenset({"fields.*", "status", "responses.*"}), free=True),
    Log(name="Argilla", marks=frozenset({"*.responses.users"}), free=True),
)
#: Lists of the rows in a JSON object that is such a log, as the keys on the way to them.
ROWS: Sequence[tuple[str, ...]] = (("results", "results"), ("samples",))
#: Paths to texts within lists, or deeper than other values are columns, by their first key.
PATHS: Mapping[str, Sequence[tuple[str, ...]]] = {
    "response": tuple(tuple(path.split(".")) for path in _OPENAI),
    "result": (("result", "message", "content", "text"),),
    "output": (("output", "choices", "message", "content"),),
    "annotations": (("annotations", "result", "value", "text"),),
    "responses": (("responses", ANY, "value"),),
}
#: Names of columns, of those that users name, of references.
REFERENCE_NAMES = frozenset({"expected", "ideal", "gold", "answer", "target"})
#: An id that ends with a number.
NUMBERED = re.compile(r"(.*?)(\d{1,18})", re.DOTALL)


def deep_values(record: Mapping[str, object]) -> Iterator[tuple[str, object]]:
    """Yield the name and the value of each text of a log that is within lists; a list if there are several texts."""
    for first in PATHS.keys() & record.keys():
        for path in PATHS[first]:
            inner = record[first]
            if path[1] != ANY:
                keys = [path[1]]
            else:
                keys = list(cast("dict[str, object]", inner)) if isinstance(inner, dict) else []
            for key in keys:
                value = _value_at(inner, (key, *path[2:]))
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
        value = cast("dict[str, object]", part).get("text") if isinstance(part, dict) else part
    return value if isinstance(value, (str, list)) else None


def _item_with(value: object, key: str) -> object:
    """Return the only item of a list that has something under a key; None for none, and the list for several."""
    if not isinstance(value, list):
        return value if isinstance(value, dict) else None
    items = [item for item in cast("list[object]", value) if isinstance(item, dict) and item.get(key)]  # pyright: ignore[reportUnknownVariableType, reportUnknownMemberType]
    return cast("object", items[0] if len(items) == 1 else items or None)


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
        FormatError: the log has no text of that role, or several for a segment, or users name its columns.
    """
    log = next((log for log in LOGS if _has_marks(log, {*table.header, *source.lists}, source.lists)), None)
    if log is None:
        return None
    place = {name: i for i, name in enumerate(table.header)}
    origin = source.name
    if log.free:
        texts = [name for name, i in place.items() if why_not_text(table.columns[i]) is None]
        raise FormatError(
            f"{origin}: records of {log.name} found, whose columns have names of your own ({listed(texts)}); say what "
            f"they are, on the Data page or with --columns '{origin}:{texts[-1] if texts else 'COLUMN'}={role}'"
        )
    kinds: dict[str, HeaderKind] = {}
    kinds |= {name: kind for name in place if (kind := _kind_of_setting(log, name, table.columns[place[name]]))}
    for name, kind in ((log.source, "source"), (log.reference, "reference")):
        if name in place:
            kinds[name] = kind
    outputs = [name for name in log.outputs if name in place and any(map(str.strip, table.columns[place[name]]))]
    several = [name for name in log.outputs if name in source.lists and name not in place]
    if role == "system" or (role == "reference" and "reference" not in kinds.values()):
        if not outputs or several and log.outputs.index(several[0]) < log.outputs.index(outputs[0]):
            raise FormatError(_without_output(log, several, origin))
        kinds[outputs[0]] = "output"
    elif role not in kinds.values():
        raise FormatError(f"{origin}: no {role} found in a log of {log.name}, 1 expected; give it as a file by itself")
    if log.reference and log.reference not in place and log.reference in source.lists and role != "source":
        raise FormatError(
            f"{origin}: lists of several texts found in {log.reference} of a log of {log.name}, 1 reference expected; "
            f"write one text per row, or say which column is the output with --columns "
            f"'{origin}:{outputs[0] if outputs else log.outputs[0]}=system', and give the references as files"
        )
    if log.number in place:
        kinds[log.number] = "number"
    with_output = "output" in kinds.values()
    for name in (log.system, log.variant if _differ(table, log.variant) else ""):
        if with_output and name in place and "system" not in kinds.values():
            kinds[name] = "system"
    used = [name for name in table.header if name in kinds]
    notes = [_words(log, used, kinds, len(place))]
    selected = replace(table, header=tuple(used), columns=tuple(table.columns[place[name]] for name in used))
    if with_output and (empty := sum(not cell.strip() for cell in table.columns[place[outputs[0]]])):
        notes.append(f"{empty:,} of {len(table.lines):,} rows have no output in {outputs[0]}; they count as empty")
    if log.number in place:
        selected, problem = _in_order(selected, used.index(log.number), unique=with_output, origin=origin, kinds=kinds)
        notes += [problem] if problem and with_output else []
    if log.variant in kinds:
        at = used.index(log.variant)
        named = [f"{source.stem}.{cell}" for cell in selected.columns[at]]
        columns = (named if i == at else cells for i, cells in enumerate(selected.columns))
        selected = replace(selected, columns=tuple(columns))
    return LogTable(selected, [kinds[name] for name in used], tuple(notes))


def _has_marks(log: Log, names: Collection[str], lists: Collection[str]) -> bool:
    return log.lists <= set(lists) and all(
        mark in names
        or (mark.endswith(ANY) and any(name.startswith(mark[:-1]) for name in names))
        or (mark.startswith(ANY) and any(name.endswith(mark[1:]) for name in names))
        for mark in log.marks
    )


def _kind_of_setting(log: Log, name: str, cells: Sequence[str]) -> HeaderKind | None:
    """Return the kind of a column that the user of the program has named; None if its name decides nothing."""
    if not log.settings or not name.startswith(log.settings) or why_not_text(cells) is not None:
        return None
    own = name.removeprefix(log.settings)
    kind: HeaderKind | None = "reference" if own.lower() in REFERENCE_NAMES else classify_column(own)
    return kind if kind in ("source", "reference") else None


def _differ(table: Table, name: str) -> bool:
    return name in table.header and len(set(table.columns[table.header.index(name)])) > 1


def _without_output(log: Log, several: Sequence[str], origin: str) -> str:
    expected = " or ".join(log.outputs[:2]) or "texts in lists of JSON or Parquet"
    found = f"lists of several texts in {several[0]}" if several else "no text"
    return f"{origin}: {found} found in a log of {log.name}, one text per row expected in {expected}"


def _words(log: Log, used: Sequence[str], kinds: Mapping[str, HeaderKind], count: int) -> str:
    """Return the sentence that says which columns are used as what."""
    words = {"number": "id"}
    roles = ", ".join(f"{name} = {words.get(kinds[name], kinds[name])}" for name in used)
    others = count - len(used)
    unused = f"; {others} other {'column is' if others == 1 else 'columns are'} not used" if others else ""
    return f"read as a log of {log.name}: {roles}{unused}"


def _in_order(
    table: Table, number: int, *, unique: bool, origin: str, kinds: Mapping[str, HeaderKind]
) -> tuple[Table, str]:
    """Return the rows by the numbers at the end of their ids, and a sentence if the ids have none.

    Args:
        table: the table.
        number: the position of the ids.
        unique: whether an id that occurs twice is an error; otherwise only its first row is used.
        origin: the file, for messages.
        kinds: the kinds of the columns, by name.

    Raises:
        FormatError: there are two outputs of a system for an id.
    """
    ids = normal_ids(table.columns[number])
    system = next((i for i, name in enumerate(table.header) if kinds[name] == "system"), None)
    systems = [""] * len(ids) if system is None else table.columns[system]
    first: dict[tuple[str, str], int] = {}
    for row, key in enumerate(zip(ids, systems, strict=True)):
        if (at := first.setdefault(key, row)) != row and unique:
            raise FormatError(
                f"{origin}, line {table.lines[row]}: a second output for {table.header[number]} {ids[row]} found, after "
                f"that in line {table.lines[at]}, 1 expected; write one output per segment"
            )
    rows = list(first.values())
    parts = [NUMBERED.fullmatch(ids[row]) for row in rows]
    known = [part for part in parts if part is not None]
    problem = ""
    if len(known) == len(rows) and len({part[1] for part in known}) == 1:
        rows.sort(key=lambda row: int(cast("re.Match[str]", NUMBERED.fullmatch(ids[row]))[2]))
    elif system is None:
        problem = f"the ids in {table.header[number]} have no numbers: without them, texts are in the order of the rows"
    columns = tuple([cells[row] for row in rows] for cells in table.columns)
    return replace(table, columns=columns, lines=[table.lines[row] for row in rows]), problem
