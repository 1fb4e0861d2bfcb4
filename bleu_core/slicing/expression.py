"""The language of slices: `domain = news and (length > 40 or not reference ~ "[0-9]")`.

    expression  = conjunction { "or" conjunction }
    conjunction = negation { "and" negation }
    negation    = "not" negation | "(" expression ")" | condition
    condition   = field operator value | field "in" value { "," value }
    field       = word { text } | text | errors
    errors      = word [ [ "of" ] text ] [ "by" text ]
    operator    = "=" | "!=" | "<" | "<=" | ">" | ">=" | "~"
    value       = word | text
    text        = characters between double quotes; quotes and backslashes inside are escaped by a backslash

A word contains no blank, quotation mark, comma, parenthesis or operator. The values and, or, not and in must be quoted.
A text after a word names the object of the field, such as a system; NAME_COUNTS lists the fields with names. The words
"of" and "by" before names belong to the fields of marked errors, FIELDS_OF_ERRORS: of a system, by a judge or a metric.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Literal, NamedTuple, cast

from bleu_core.errors import SettingsError

#: Maximum characters of an expression, and maximum depth of nested parentheses and negations.
MAX_EXPRESSION_LENGTH, MAX_DEPTH = 10_000, 100

#: Fields with names -> minimum and maximum number of names: of systems, for score also of a metric, for negations of a
#: language.
NAME_COUNTS: Mapping[str, tuple[int, int]] = {
    "system": (0, 1),
    "equal": (2, 2),
    "score": (1, 2),
    "negations": (1, 1),
    "ratings": (0, 1),
    "disputed": (0, 1),
    "errors": (0, 1),
    "category": (0, 1),
    "severity": (0, 1),
}

#: Fields of marked errors. Labels may have their names: without a name after it, the field is then the label.
FIELDS_OF_ERRORS = ("errors", "category", "severity")
#: Fields that need ratings.
FIELDS_OF_RATINGS = ("ratings", "disputed", *FIELDS_OF_ERRORS)

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
        values: one, or several for the operator in.
        names: that follow the field, such as a system.
        quoted: whether the field's name is in quotation marks, so that it is a label.
        annotator: the judge or metric whose errors count; None for those of all judges.
    """

    field: str
    operator: str
    values: tuple[str, ...]
    names: tuple[str, ...] = ()
    quoted: bool = False
    annotator: str | None = None


@dataclass(frozen=True, slots=True)
class Not:
    """The negation of an expression."""

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
        """The keyword, in lower case; empty if the token is not a keyword."""
        return self.value.lower() if self.kind == "word" and self.value.lower() in _KEYWORDS else ""


def quoted(text: str) -> str:
    r"""Quote a name or a value.

    >>> print(quoted('say "no"'))
    "say \"no\""
    """
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def parse(text: str) -> Expression:
    """Parse an expression.

    Raises:
        SettingsError: it is invalid; the message names the position, what was found and what was expected.
    """
    if len(text) > MAX_EXPRESSION_LENGTH:
        raise SettingsError(f"slice of {len(text):,} characters found, at most {MAX_EXPRESSION_LENGTH:,} expected")
    parser = _Parser(tuple(_tokens(text)))
    expression = parser.expression()
    parser.expect_end()
    return expression


def fields_in(expression: Expression) -> frozenset[str]:
    """Return the fields that occur in an expression, without quoted labels."""
    if isinstance(expression, Not):
        return fields_in(expression.term)
    if isinstance(expression, Joined):
        return frozenset[str]().union(*map(fields_in, expression.terms))
    return frozenset() if expression.quoted else frozenset([expression.field])


class _Parser:
    """A recursive-descent parser."""

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
            raise SettingsError(f"slice with more than {MAX_DEPTH} nested parentheses and negations found")
        if self._token.keyword == "not":
            return self._nested(lambda: Not(self._negation()))
        if self._is_sign("("):
            return self._nested(self._in_parentheses)
        return self._condition()

    def _nested(self, term: Callable[[], Expression]) -> Expression:
        """Advance over `not` or a parenthesis, and parse the term after it."""
        self._advance()
        self._depth += 1
        expression = term()
        self._depth -= 1
        return expression

    def _in_parentheses(self) -> Expression:
        expression = self.expression()
        if not self._is_sign(")"):
            raise self._unexpected("and, or or )")
        self._advance()
        return expression

    def _condition(self) -> Condition:
        if self._token.keyword or self._token.kind not in ("word", "text"):
            raise self._unexpected("a field")
        field = self._advance()
        min_names, max_names = NAME_COUNTS.get(field.value, (0, 0)) if field.kind == "word" else (0, 0)
        names: list[str] = []
        has_errors = field.kind == "word" and field.value in FIELDS_OF_ERRORS
        if has_errors and self._is_word("of"):
            names.append(self._name_after("of"))
        while self._token.kind == "text" and len(names) < max_names:
            names.append(self._advance().value)
        if len(names) < min_names:
            number = "a name" if min_names == 1 else f"{min_names} names"
            raise self._unexpected(f"{number} in quotation marks after {field.value}")
        annotator = self._name_after("by") if has_errors and self._is_word("by") else None
        operator = self._operator(field.value)
        values = [self._value()]
        while operator == "in" and self._is_sign(","):
            self._advance()
            values.append(self._value())
        return Condition(
            field=field.value,
            operator=operator,
            values=tuple(values),
            names=tuple(names),
            quoted=field.kind == "text",
            annotator=annotator,
        )

    def _name_after(self, word: str) -> str:
        """Advance over a word, and return the name after it."""
        self._advance()
        if self._token.kind != "text":
            raise self._unexpected(f"a name in quotation marks after {word}")
        return self._advance().value

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

    def _is_word(self, word: str) -> bool:
        return self._token.kind == "word" and self._token.value.lower() == word

    def _advance(self) -> _Token:
        self._next += 1
        return self._tokens[self._next - 1]

    def _unexpected(self, expected: str, hint: str = "") -> SettingsError:
        token = self._token
        text = "the end" if token.kind == "end" else f"{token.value!r} at character {token.at}"
        return SettingsError(f"slice: {text} found, {expected} expected{hint}")


def _tokens(text: str) -> Iterator[_Token]:
    at, end = 0, len(text.rstrip())
    while at < end:
        match = _TOKEN.match(text, at)
        if match is None:
            first = re.compile(r"\S").search(text, at)
            number, sign = (0, "") if first is None else (first.start() + 1, first[0])
            if sign == '"':
                raise SettingsError(f"slice: the quotation mark at character {number} is never closed")
            raise SettingsError(
                f"slice: {sign!r} at character {number} found, a field, an operator or a value expected"
            )
        kind = cast("Literal['text', 'sign', 'word']", match.lastgroup)
        value = match[kind]
        start = match.start(kind) + (kind != "text")  # for a text, its quotation mark
        yield _Token(kind, _ESCAPED.sub(r"\1", value) if kind == "text" else value, start)
        at = match.end()
    yield _Token("end", "", end + 1)
