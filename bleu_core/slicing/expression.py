"""The language of slices: `domain = news and (length > 40 or not reference ~ "[0-9]")`.

    expression  = conjunction { "or" conjunction }
    conjunction = negation { "and" negation }
    negation    = "not" negation | "(" expression ")" | condition
    condition   = field operator value | field "in" value { "," value }
    field       = word { text } | text
    operator    = "=" | "!=" | "<" | "<=" | ">" | ">=" | "~"
    value       = word | text
    text        = characters between double quotes, in which a backslash stands before a quote and a backslash

A word has no blank, quotation mark, comma, parenthesis or operator in it. Where and, or, not and in are values, they
are in quotation marks. A text after a word names what the field is about, such as a system; NAMES tells which fields
take names.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Literal, NamedTuple, cast

from bleu_core.errors import SettingsError

#: Characters of an expression, and parentheses and negations inside each other.
MAX_EXPRESSION_LENGTH, MAX_DEPTH = 10_000, 100

#: Fields that take names -> the least and the greatest number of them: of systems, and for score of a metric too; for
#: negations of a language.
NAME_COUNTS: Mapping[str, tuple[int, int]] = {
    "system": (0, 1),
    "equal": (2, 2),
    "score": (1, 2),
    "negations": (1, 1),
    "ratings": (0, 1),
    "disputed": (0, 1),
}

#: Fields that need ratings.
FIELDS_OF_RATINGS = ("ratings", "disputed")

OPERATORS = ("=", "!=", "<", "<=", ">", ">=", "~", "in")

_TOKEN = re.compile(
    r'\s*(?:"(?P<text>(?:\\.|[^"\\])*)"|(?P<sign>!=|<=|>=|[=<>~(),])|(?P<word>[^\s"(),=!<>~]+))', re.DOTALL
)
_ESCAPED = re.compile(r"\\(.)", re.DOTALL)
_KEYWORDS = ("and", "or", "not", "in")


@dataclass(frozen=True, slots=True, kw_only=True)
class Condition:
    """A condition on one field.

    Attributes:
        field: its name.
        operator: one of OPERATORS.
        values: one, or several after in.
        names: what is named after the field, such as a system.
        quoted: whether the field's name is in quotation marks, so that it is a label's.
    """

    field: str
    operator: str
    values: tuple[str, ...]
    names: tuple[str, ...] = ()
    quoted: bool = False


@dataclass(frozen=True, slots=True)
class Not:
    """What does not hold."""

    term: Expression


@dataclass(frozen=True, slots=True)
class Joined:
    """Terms joined by `and` or by `or`."""

    by: Literal["and", "or"]
    terms: tuple[Expression, ...]


Expression = Condition | Not | Joined


class _Token(NamedTuple):
    kind: Literal["text", "sign", "word", "end"]
    value: str
    at: int

    @property
    def keyword(self) -> str:
        """Which of the keywords it is; empty if it is none."""
        return self.value.lower() if self.kind == "word" and self.value.lower() in _KEYWORDS else ""


def quoted(text: str) -> str:
    r"""A name or a value in quotation marks.

    >>> print(quoted('say "no"'))
    "say \"no\""
    """
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def parse(text: str) -> Expression:
    """Read an expression.

    Raises:
        SettingsError: it is not in the language; names the place, what was found and what was expected.
    """
    if len(text) > MAX_EXPRESSION_LENGTH:
        raise SettingsError(f"slice of {len(text):,} characters found, at most {MAX_EXPRESSION_LENGTH:,} expected")
    parser = _Parser(tuple(_tokens(text)))
    found = parser.expression()
    parser.expect_end()
    return found


def fields_in(expression: Expression) -> frozenset[str]:
    """The fields that an expression has conditions on, without labels in quotation marks."""
    if isinstance(expression, Not):
        return fields_in(expression.term)
    if isinstance(expression, Joined):
        return frozenset[str]().union(*map(fields_in, expression.terms))
    return frozenset() if expression.quoted else frozenset([expression.field])


class _Parser:
    """Reads tokens from left to right."""

    def __init__(self, tokens: tuple[_Token, ...]) -> None:
        self._tokens = tokens
        self._next = 0
        self._depth = 0

    def expression(self) -> Expression:
        return self._joined("or", self._conjunction)

    def expect_end(self) -> None:
        if self._token.kind != "end":
            several = self._token.kind == "word" and not self._token.keyword
            raise self._unexpected("and, or or the end", "; put a value of several words in quotes" * several)

    def _conjunction(self) -> Expression:
        return self._joined("and", self._negation)

    def _joined(self, keyword: Literal["and", "or"], term: Callable[[], Expression]) -> Expression:
        terms = [term()]
        while self._token.keyword == keyword:
            self._advance()
            terms.append(term())
        return terms[0] if len(terms) == 1 else Joined(keyword, tuple(terms))

    def _negation(self) -> Expression:
        if self._depth == MAX_DEPTH:
            raise SettingsError(f"slice with more than {MAX_DEPTH} parentheses and negations inside each other found")
        if self._token.keyword == "not":
            return self._deeper(lambda: Not(self._negation()))
        if self._is_sign("("):
            return self._deeper(self._in_parentheses)
        return self._condition()

    def _deeper(self, term: Callable[[], Expression]) -> Expression:
        """A term after `not` or a parenthesis, over which it goes."""
        self._advance()
        self._depth += 1
        found = term()
        self._depth -= 1
        return found

    def _in_parentheses(self) -> Expression:
        found = self.expression()
        if not self._is_sign(")"):
            raise self._unexpected("and, or or )")
        self._advance()
        return found

    def _condition(self) -> Condition:
        if self._token.keyword or self._token.kind not in ("word", "text"):
            raise self._unexpected("a field")
        field = self._advance()
        fewest, most = NAME_COUNTS.get(field.value, (0, 0)) if field.kind == "word" else (0, 0)
        names: list[str] = []
        while self._token.kind == "text" and len(names) < most:
            names.append(self._advance().value)
        if len(names) < fewest:
            number = "a name" if fewest == 1 else f"{fewest} names"
            raise self._unexpected(f"{number} in quotation marks after {field.value}")
        operator = self._operator(field.value)
        values = [self._value()]
        while operator == "in" and self._is_sign(","):
            self._advance()
            values.append(self._value())
        return Condition(
            field=field.value, operator=operator, values=tuple(values), names=tuple(names), quoted=field.kind == "text"
        )

    def _operator(self, field: str) -> str:
        if self._token.keyword == "in" or (self._token.kind == "sign" and self._token.value in OPERATORS):
            return self._advance().value.lower()
        raise self._unexpected(f"an operator ({' '.join(OPERATORS)}) after {field}")

    def _value(self) -> str:
        if self._token.keyword or self._token.kind not in ("word", "text"):
            raise self._unexpected("a value")
        return self._advance().value

    @property
    def _token(self) -> _Token:
        return self._tokens[self._next]

    def _is_sign(self, sign: str) -> bool:
        return self._token.kind == "sign" and self._token.value == sign

    def _advance(self) -> _Token:
        self._next += 1
        return self._tokens[self._next - 1]

    def _unexpected(self, expected: str, hint: str = "") -> SettingsError:
        token = self._token
        found = "the end" if token.kind == "end" else f"{token.value!r} at character {token.at}"
        return SettingsError(f"slice: {found} found, {expected} expected{hint}")


def _tokens(text: str) -> Iterator[_Token]:
    at, end = 0, len(text.rstrip())
    while at < end:
        found = _TOKEN.match(text, at)
        if found is None:
            first = re.compile(r"\S").search(text, at)
            number, sign = (0, "") if first is None else (first.start() + 1, first[0])
            if sign == '"':
                raise SettingsError(f"slice: the quotation mark at character {number} is never closed")
            raise SettingsError(
                f"slice: {sign!r} at character {number} found, a field, an operator or a value expected"
            )
        kind = cast("Literal['text', 'sign', 'word']", found.lastgroup)
        value = found[kind]
        start = found.start(kind) + (kind != "text")  # of a text, its quotation mark
        yield _Token(kind, _ESCAPED.sub(r"\1", value) if kind == "text" else value, start)
        at = found.end()
    yield _Token("end", "", end + 1)
