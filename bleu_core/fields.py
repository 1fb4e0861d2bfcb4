"""Declarations of the fields of results, shared by tables, JSON and help: kind of value, label and meaning.

A result is a dataclass made by `result`; its fields are made by `field`. `table_of` makes a table of such results, and
`bleu_core.results` their JSON and the schema of it:

    @result
    class SystemScore:
        system: str = field("text", "Name of the system.")
        score: float = field("points", "Corpus score.")

A class that is computed declares its own fields, so that no second class is needed for output. Its fields that are made
otherwise, such as arrays, are not part of the output. Two kinds of values are derived from fields:

    @result
    class Agreement:
        judges: tuple[Judge, ...]  # not declared: not in the output
        alpha: float = field("number", "Krippendorff's alpha.")
        interval: Interval = inline(bounds("number", "95% interval of alpha"))  # fields low and high

        @derived("count", "Number of judges.")
        def number(self) -> int:
            return len(self.judges)

None means that the field does not apply: it is left out of the JSON (or null there, if the field is declared so), and
out of a table in which no row has a value. NaN means that a value is undefined: null in JSON, an empty cell in a table,
with a `reason` in another field.
"""

from __future__ import annotations

import dataclasses
import inspect
import math
import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from numbers import Integral
from typing import (
    Any,
    Generic,
    Literal,
    TypeVar,
    Union,
    cast,
    dataclass_transform,
    get_args,
    get_type_hints,
    overload,
)

from bleu_core.argument_types import refuse_texts

Cell = str | int | float

#: "points" are scores, mostly 0 to 100; a "difference" is one of points; "bleu" is BLEU from 0 to 1, as the 2002 paper
#: writes it; "percent" runs from 0 to 100; "decimal" has two digits after the point, "number" three; "object" is
#: nested and in JSON only.
Kind = Literal[
    "text", "count", "points", "difference", "bleu", "fraction", "percent", "decimal", "number", "p", "object"
]

#: The keys of the metadata of a dataclass field: its declaration, its key in the output, the part of its value that is
#: written, and the fields of its value that are fields of the result.
DECLARATION, KEY, PART, INLINE = "declaration", "key", "part", "inline"

#: The attribute of a result with its declared fields, by key.
DECLARATIONS = "__declarations__"

REASON_KEY = "reason"

#: Minus sign in text for people; files for programs have a hyphen.
MINUS = "\u2212"

#: Found in the annotations of fields that are arrays.
_ARRAYS = re.compile(r"\b(?:Bools|Floats|Integers|Numbers|NDArray|DataFrame)\b")

Result = TypeVar("Result")
Value = TypeVar("Value")

#: The declaration of a field, and the attributes or functions that lead to its value.
Declaration = tuple["Field", tuple[str | Callable[[Any], int], ...]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Joined:
    """The place of a value in the LaTeX cell of another column.

    Attributes:
        column: the name of that column.
        place: a superscript of its value, or an end of the interval below it.
    """

    column: str
    place: Literal["superscript", "low", "high"]


@dataclass(frozen=True, slots=True)
class Field:
    """A field of a result, or a column of a table.

    Attributes:
        kind: of value, which determines its format.
        help: what it means, with its unit.
        label: its name for people; if empty, that in JSON with spaces for underscores.
        only: "table" or "json" if the field is in one of them only.
        columns: of a field with several numbers, the names of their columns: with {} for a number from 1 if they are in
            a sequence, for the key if they are in a mapping. Keys may be tuples, whose parts are {0}, {1} ...; label
            and help have the same placeholders. Of kind "object", each number is a result, whose fields have columns
            named in the same way.
        undefined: why a value is undefined, where that is always the same.
        null: whether None is written as null in JSON, for example where it means all judges; else it is left out.
        best: which value of a column is the best one; empty if none is.
        decimals: of numbers for people; None for those of the kind.
        former: an earlier key of the field in JSON, which has the same value until version 0.4.
        unranked: the first cells of rows whose values are never the best, such as those of human translations.
        compact: whether LaTeX sets the table, which has many such columns, as narrow as the text of a page.
        joined: where LaTeX sets the values, if not in a column of their own.
    """

    kind: Kind
    help: str = ""
    label: str = ""
    only: Literal["", "table", "json"] = ""
    columns: str = ""
    undefined: str = ""
    null: bool = False
    best: Literal["", "highest", "lowest"] = ""
    decimals: int | None = None
    former: str = ""
    unranked: frozenset[str] = frozenset()
    compact: bool = False
    joined: Joined | None = None

    def title(self, name: str) -> str:
        """The name of the field for people, where it is called `name` in JSON and TSV."""
        return self.label or (name.replace("_", " ") if name.isidentifier() else name)


# Fields that many results have.
SYSTEM = Field("text", "Name of the system.")
BASELINE = Field("text", "System that it is compared with.")
SEGMENTS = Field("count", "Number of segments.")
REASON = Field("text", "Why a value is undefined.")
DELTA = Field("difference", "Corpus score of the system minus that of the baseline.")
P_VALUE = Field("p", "Two-sided p-value.", "p")
P_VALUE_ADJUSTED = Field("p", "p-value corrected for the number of pairs.", "corrected p")
DEGREES_OF_FREEDOM = Field("count", "Degrees of freedom of t.", "df")
T = Field("decimal", "Paired t: the mean difference divided by its standard error.", "t")


def field(
    declaration: Field | Kind,
    help: str = "",  # noqa: A002 # as in Field
    *,
    label: str = "",
    only: Literal["", "table", "json"] = "",
    columns: str = "",
    undefined: str = "",
    null: bool = False,
    best: Literal["", "highest", "lowest"] = "",
    former: str = "",
    key: str = "",
    part: str | Callable[[Any], int] = "",
    default: Any = dataclasses.MISSING,
) -> Any:
    """Declare a field of a result, by its kind or from a shared declaration.

    Args:
        declaration: the kind of value, or a declaration that several results share.
        help: as in Field, like the arguments that follow; arguments override the declaration.
        label: its name for people.
        only: "table" or "json" if the field is in one of them only.
        columns: names of its columns.
        undefined: why a value is undefined.
        null: whether None is written as null.
        best: which value of a column is the best one.
        former: an earlier key in JSON.
        key: its name in JSON and tables, if it is not that of the attribute.
        part: what is written of its value: an attribute, such as the coefficient of a correlation, or `len`.
        default: as in dataclasses.field.
    """
    overrides: dict[str, Any] = {"help": help, "label": label, "only": only, "columns": columns, "undefined": undefined}
    declared = _declared(declaration, overrides | {"null": null, "best": best, "former": former})
    return dataclasses.field(default=default, metadata={DECLARATION: declared, KEY: key, PART: part})


def _declared(declaration: Field | Kind, overrides: Mapping[str, Any]) -> Field:
    base = declaration if isinstance(declaration, Field) else Field(declaration)
    return dataclasses.replace(base, **{name: value for name, value in overrides.items() if value})


def inline(fields: type | Mapping[str, Field], *only: str, prefix: str = "", default: Any = dataclasses.MISSING) -> Any:
    """Declare that fields of a value are fields of the result that has it; None if the value is None.

    A reason among them comes after the fields that follow.

    Args:
        fields: the class of the value, or names of its fields and their declarations.
        only: keys of those of its fields that are fields of the result; all if empty.
        prefix: what precedes these keys in the result, such as "inside_" in inside_low.
        default: as in dataclasses.field.
    """
    declared = fields_of(fields) if isinstance(fields, type) else fields
    parts = {prefix + key: (declared[key], key) for key in only or declared}
    return dataclasses.field(default=default, metadata={INLINE: parts})


def bounds(declaration: Field | Kind, of: str, **overrides: Any) -> Mapping[str, Field]:
    """Return the declarations of the bounds of an interval, low and high.

    Args:
        declaration: as for `field`.
        of: which interval, such as "95% interval of alpha".
        overrides: as for `field`, for both.
    """
    ends = {"low": f"Lower end of the {of}.", "high": f"Upper end of the {of}."}
    return {name: _declared(declaration, {"help": meaning, **overrides}) for name, meaning in ends.items()}


class Derived(Generic[Value]):
    """A declared field whose value is computed from other fields: a read-only property."""

    def __init__(self, function: Callable[[Any], Value], declaration: Field, key: str) -> None:
        self.function, self.declaration, self.key = function, declaration, key
        self.__doc__ = function.__doc__

    @overload
    def __get__(self, instance: None, owner: type) -> Derived[Value]: ...

    @overload
    def __get__(self, instance: object, owner: type) -> Value: ...

    def __get__(self, instance: object | None, owner: type) -> Value | Derived[Value]:
        return self if instance is None else self.function(instance)


def derived(
    declaration: Field | Kind,
    help: str = "",  # noqa: A002 # as in Field
    *,
    key: str = "",
    **overrides: Any,
) -> Callable[[Callable[[Any], Value]], Derived[Value]]:
    """Declare a property of a result as a field; its arguments are those of `field`."""
    declared = _declared(declaration, {"help": help, **overrides})
    return lambda function: Derived(function, declared, key)


@dataclass_transform(frozen_default=True, kw_only_default=True, field_specifiers=(field, inline))
def result(cls: type[Result]) -> type[Result]:
    """Make a class a result: a frozen, keyword-only dataclass, without slots so that it can have several bases.

    Results that have arrays are compared and hashed by identity, as arrays have no truth value and no hash.
    """
    inherited: dict[str, Declaration] = {}
    for base in reversed(cls.__mro__[1:]):
        inherited |= vars(base).get(DECLARATIONS, {})
    own: dict[str, Declaration] = {}
    last = ""
    for name, value in vars(cls).items():
        for key, declaration in _declared_by(name, value).items():
            own.pop(key, None)  # of an inlined value
            own[key], last = declaration, name
    if REASON_KEY in own and len(own[REASON_KEY][1]) > 1 and own[REASON_KEY][1][0] != last:
        own[REASON_KEY] = own.pop(REASON_KEY)
    setattr(cls, DECLARATIONS, inherited | own)
    annotations = (str(a) for kind in cls.__mro__ for a in vars(kind).get("__annotations__", {}).values())
    return dataclass(frozen=True, kw_only=True, eq=not any(map(_ARRAYS.search, annotations)))(cls)


def _declared_by(name: str, value: object) -> dict[str, Declaration]:
    """Return the fields that an attribute of a class declares."""
    if isinstance(value, Derived):
        return {value.key or name: (value.declaration, (name,))}
    if not isinstance(value, dataclasses.Field):
        return {}
    if DECLARATION in value.metadata:
        path = (name, value.metadata[PART]) if value.metadata[PART] else (name,)
        return {value.metadata[KEY] or name: (value.metadata[DECLARATION], path)}
    return {key: (inner, (name, part)) for key, (inner, part) in value.metadata.get(INLINE, {}).items()}


def _declarations(kind: type | object) -> Mapping[str, Declaration]:
    return getattr(kind, DECLARATIONS, {})


def fields_of(kind: type | object) -> Mapping[str, Field]:
    """Return the declared fields of a result, by key, in order; none of other classes and values."""
    return {key: declared for key, (declared, _) in _declarations(kind).items()}


def value_of(row: object, key: str) -> Any:
    """Return the value of a declared field of a result."""
    value: Any = row
    for number, part in enumerate(_declarations(row)[key][1]):
        if value is None:
            return None
        if not isinstance(part, str):
            value = part(value)
        elif number and part in _declarations(value):
            value = value_of(value, part)
        else:
            value = getattr(value, part)
    return value


def types_of(kind: type) -> Mapping[str, Any]:
    """Return the types of the declared fields of a result, by key."""
    return {key: _type_of(kind, path) for key, (_, path) in _declarations(kind).items()}


#: Resolving the hints of a class takes longer than all else that reads them.
_type_hints = cache(get_type_hints)


def _type_of(kind: type, path: Sequence[str | Callable[[Any], int]]) -> Any:
    name, *parts = path
    if not isinstance(name, str):
        return int
    attribute = inspect.getattr_static(kind, name, None)
    function: Any = attribute.function if isinstance(attribute, Derived) else getattr(attribute, "fget", None)
    hint = _type_hints(function)["return"] if function else _type_hints(kind)[name]
    if not parts:
        return hint
    members = get_args(hint)
    inner = next((member for member in members if member is not type(None)), hint)
    first = parts[0]
    if isinstance(first, str) and first in _declarations(inner):
        part = types_of(inner)[first]
    else:
        part = _type_of(inner, parts)
    return Union[part, None] if type(None) in members else part  # noqa: UP007 # made of a type


def json_key(name: str) -> str:
    """Return the key of a field in JSON: its name, without the underscore that distinguishes it from a Python keyword.

    >>> json_key("class_"), json_key("p_value")
    ('class', 'p_value')
    """
    return name.removesuffix("_")


def is_result(value: object) -> bool:
    """Return whether a value, or a class, is a result with declared fields."""
    return bool(_declarations(value))


class AtMost(float):
    """An upper bound of a number, such as a p-value that more draws could lower.

    It is formatted for people as "≤ 0.0010", and computes, compares and is written for programs as the bound.
    """

    __slots__ = ()


class Approximate(float):
    """An approximated number, such as a p-value from a normal tail where too few draws can be counted.

    It is formatted for people as "≈ 0.00023", and computes, compares and is written for programs as the number.
    """

    __slots__ = ()


def decimal(value: float, decimals: int = 2, *, signed: bool = False) -> str:
    """Format a number for people, with U+2212 as the minus sign; values that round to zero have no minus.

    >>> decimal(-1.5, 1), decimal(-0.001), decimal(-0.001, signed=True)
    ('\u22121.5', '0.00', '+0.00')
    """
    return f"{value:{'+' if signed else ''}z.{decimals}f}".replace("-", MINUS)


def exact(value: float) -> str:
    """Return the shortest text that parses to the same number, for links, commands and expressions.

    >>> exact(0.1234567), exact(2.0), exact(1e6)
    ('0.1234567', '2', '1000000')
    """
    return repr(float(value)).removesuffix(".0")


def without_sign_of_zero(value: Any) -> Any:
    """Return the value, with 0.0 in place of -0.0, for files for programs."""
    return 0.0 if isinstance(value, float) and not value else value


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of results.

    Attributes:
        columns: name -> declaration, in the order of the columns.
        rows: tuples with a cell per column; NaN if there is no value.
    """

    columns: Mapping[str, Field]
    rows: tuple[tuple[Cell, ...], ...]

    @property
    def kinds(self) -> dict[str, Kind]:
        """Kind of the values of each column."""
        return {name: column.kind for name, column in self.columns.items()}

    @property
    def titles(self) -> list[str]:
        """The names of the columns for people."""
        return [column.title(name) for name, column in self.columns.items()]

    def without(self, *names: str) -> Table:
        """Return the table without some of its columns."""
        kept = [i for i, name in enumerate(self.columns) if name not in names]
        columns = {name: column for name, column in self.columns.items() if name not in names}
        return Table(columns, tuple(tuple(row[i] for i in kept) for row in self.rows))

    def only(self, *names: str) -> Table:
        """Return the table with some of its columns only."""
        return self.without(*(name for name in self.columns if name not in names))

    def where(self, name: str, value: Cell) -> Table:
        """Return the rows in which a column has a value."""
        place = list(self.columns).index(name)
        return Table(self.columns, tuple(row for row in self.rows if row[place] == value))

    def beginning(self, max_rows: int | None) -> Table:
        """Return the first rows; all if None."""
        return Table(self.columns, self.rows[:max_rows])

    def ordered(self, *first: str) -> Table:
        """Return the table with some of its columns first; unknown columns are ignored."""
        names = sorted(self.columns, key=lambda name: first.index(name) if name in first else len(first))
        places = [list(self.columns).index(name) for name in names]
        rows = tuple(tuple(row[i] for i in places) for row in self.rows)
        return Table({name: self.columns[name] for name in names}, rows)

    def extended(self, name: str, column: Field, cell: Cell) -> Table:
        """Return the table with a last column that has the same cell in each row."""
        return Table({**self.columns, name: column}, tuple((*row, cell) for row in self.rows))

    def with_texts(self, convert: Callable[[str], str]) -> Table:
        """Return the table with each text converted."""
        rows = (tuple(convert(cell) if isinstance(cell, str) else cell for cell in row) for row in self.rows)
        return Table(self.columns, tuple(rows))

    def redeclared(self, columns: Mapping[str, Field]) -> Table:
        """Return the table with other declarations of some columns; unknown columns are ignored."""
        return Table({name: columns.get(name, column) for name, column in self.columns.items()}, self.rows)

    def with_unranked(self, names: Iterable[str]) -> Table:
        """Return the table in which the values of rows with these first cells are never the best of a column."""
        unranked = frozenset(names)
        return self.redeclared({name: replace(column, unranked=unranked) for name, column in self.columns.items()})

    def without_best(self) -> Table:
        """Return the table in which no value is the best of a column."""
        return self.redeclared({name: replace(column, best="") for name, column in self.columns.items()})

    def with_decimals(self, decimals: int, *names: str) -> Table:
        """Return the table with a number of decimals, for people, of the columns named.

        Without names, these are all columns of scores and their differences.
        """
        return replace(
            self,
            columns={
                name: replace(column, decimals=decimals)
                if (name in names if names else column.kind in ("points", "difference"))
                else column
                for name, column in self.columns.items()
            },
        )

    def for_people(self) -> Table:
        """Return the table, without the column of reasons if nothing is undefined."""
        position = list(self.columns).index(REASON_KEY) if REASON_KEY in self.columns else -1
        return self if position < 0 or any(row[position] for row in self.rows) else self.without(REASON_KEY)


def table_of(rows: Sequence[object], *kinds: type) -> Table:
    """Make a table of results. All tables are made here, or by `table_of_columns`.

    Args:
        rows: results, or tuples of results that share a row; None in a tuple means no value.
        kinds: the classes of the results, as many as a row has.
    """
    parts: list[tuple[Any, ...]] = [row if isinstance(row, tuple) else (row,) for row in rows]
    columns: dict[str, tuple[Field, Sequence[object]]] = {}
    named = {json_key(name) for kind in kinds for name, declared in fields_of(kind).items() if not declared.columns}
    for k, kind in enumerate(kinds):
        for attribute, declared in fields_of(kind).items():
            name = json_key(attribute)
            if declared.only == "json" or (declared.kind == "object" and not declared.columns) or name in columns:
                continue
            values: list[Any] = [None if row[k] is None else value_of(row[k], attribute) for row in parts]
            if declared.columns:
                columns |= _columns_by_key(name, declared, values, named)
            elif not any(row[k] is not None for row in parts) or any(value is not None for value in values):
                columns[name] = declared, values
    return table_of_columns(columns)


def table_of_columns(columns: Mapping[str, tuple[Field, Sequence[object]]]) -> Table:
    """Make a table of columns that are only known when it is made, or that are too long for a result per row.

    Args:
        columns: name -> declaration and values, in order; None means no value.
    """
    cells = [_cells(values, column) for column, values in columns.values()]
    return Table({name: column for name, (column, _) in columns.items()}, tuple(zip(*cells, strict=True)))


def columns_of(kind: type, **values: Sequence[object]) -> Mapping[str, tuple[Field, Sequence[object]]]:
    """Return columns that a result declares, for `table_of_columns`.

    Args:
        kind: the class of the result.
        values: of each of its fields.
    """
    return {json_key(name): (declared, values[name]) for name, declared in fields_of(kind).items()}


def rows_of(kind: type[Result], **columns: Iterable[object]) -> tuple[Result, ...]:
    """Make results of columns, one per row; arrays give Python's numbers.

    Args:
        kind: the class of the results.
        columns: name of an attribute -> its values, as many in each column.
    """
    values = (getattr(column, "tolist", lambda column=column: column)() for column in columns.values())
    return tuple(kind(**dict(zip(columns, row, strict=True))) for row in zip(*values, strict=True))


def _columns_by_key(
    name: str, declared: Field, values: Sequence[Any], named: Collection[str]
) -> Mapping[str, tuple[Field, Sequence[object]]]:
    """Return the columns of a field that has several numbers, in a sequence or a mapping.

    Args:
        name: of the field.
        declared: its declaration.
        values: of all rows.
        named: names of other columns, which a key, such as a judge's name, may repeat.
    """
    by_key: list[Mapping[Any, Any]] = [
        {}
        if value is None
        else value
        if isinstance(value, Mapping)
        else dict(enumerate(cast("Sequence[object]", value), start=1))
        for value in values
    ]
    in_sequence = any(value is not None and not isinstance(value, Mapping) for value in values)
    columns: dict[str, tuple[Field, Sequence[object]]] = {}
    for key in dict.fromkeys(key for keys in by_key for key in keys):
        parts: tuple[object, ...] = cast("tuple[object, ...]", key) if isinstance(key, tuple) else (key,)
        cells = [keys.get(key) for keys in by_key]
        nested = (
            fields_of(next(cell for cell in cells if cell is not None)) if declared.kind == "object" else {"": declared}
        )
        for attribute, column in nested.items():
            label = column.label or (name if in_sequence else "")
            title = column.columns.format(*parts)
            while title in named or title in columns:
                title += "_"
            columns[title] = (
                dataclasses.replace(column, help=column.help.format(*parts), label=label.format(*parts), columns=""),
                [None if cell is None else value_of(cell, attribute) for cell in cells] if attribute else cells,
            )
    return columns


def _cells(values: Sequence[object], column: Field) -> Sequence[Cell]:
    if set(map(type, values)) <= {int, float, str}:  # most columns; faster than to look at each cell
        return cast("Sequence[Cell]", values)
    return [_cell(value, column) for value in values]


def _cell(value: object, column: Field) -> Cell:
    if value is None:
        return "" if column.kind == "text" else math.nan
    if isinstance(value, bool):
        return "yes" if value else "no"
    return int(value) if isinstance(value, Integral) else value if isinstance(value, (str, float)) else str(value)


refuse_texts(__name__)
