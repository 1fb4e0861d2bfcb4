"""The small markup in which the stories are written, and its parser.

    [a|b|c]   different words for the same thing; the first is the most common one
    <a|b|c>   different things; the meaning settles which, and every pattern of the frame then says that one
    {slot}    something that the meaning fills in: a person, a place, a number, another piece of markup
    " / "     a border between phrases, invisible in good English; machines shuffle phrases at it

Choices nest. Besides, every word or phrase of `lexicon.txt` becomes a choice wherever it stands in a text.
"""

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

LEXICON_FILE = Path(__file__).parent / "lexicon.txt"


@dataclass(frozen=True, slots=True)
class Slot:
    """A place that the meaning fills in, by key; the key of `<a|b|c>` is "a|b|c"."""

    key: str


@dataclass(frozen=True, slots=True)
class Choice:
    """Ways to say the same, the most common one first; word is set if they come from the lexicon."""

    options: "tuple[Markup, ...]"
    word: str | None = None


Markup = tuple[str | Slot | Choice, ...]


@cache
def lexicon() -> dict[str, tuple[str, ...]]:
    """Return the words that may always stand in for each other, by the most common of them."""
    lines = LEXICON_FILE.read_text(encoding="utf-8").split("\n")
    entries = [tuple(word.strip() for word in line.split("|")) for line in lines if line.strip()]
    return {words[0]: words for words in entries}


@cache
def _words_of_lexicon() -> re.Pattern[str]:
    longest_first = sorted(lexicon(), key=lambda word: (-len(word), word))
    return re.compile(r"(?<![\w'-])(" + "|".join(map(re.escape, longest_first)) + r")(?![\w'-])")


@cache
def parse(text: str) -> Markup:
    """Parse one pattern.

    Raises:
        ValueError: brackets or braces do not match.
    """
    markup, end = _sequence(text, 0)
    if end != len(text):
        raise ValueError(f"unexpected {text[end]!r} at {end} in {text!r}")
    return markup


def slots(markup: Markup) -> tuple[str, ...]:
    """Return the keys of all slots in the markup, in order of appearance."""
    keys: list[str] = []
    for node in markup:
        if isinstance(node, Slot):
            keys.append(node.key)
        elif isinstance(node, Choice):
            for option in node.options:
                keys.extend(slots(option))
    return tuple(dict.fromkeys(keys))


def _sequence(text: str, start: int) -> tuple[Markup, int]:
    """Parse from start to the next `|` or `]` of the same level, or to the end."""
    nodes: list[str | Slot | Choice] = []
    at = start
    while at < len(text) and text[at] not in "|]":
        if text[at] == "[":
            options: list[Markup] = []
            while text[at] in "[|":
                option, at = _sequence(text, at + 1)
                options.append(option)
                if at == len(text):
                    raise ValueError(f"a bracket is not closed in {text!r}")
            nodes.append(Choice(tuple(options)))
            at += 1
        elif text[at] in "{<":
            end = text.index("}" if text[at] == "{" else ">", at)
            nodes.append(Slot(text[at + 1 : end]))
            at = end + 1
        else:
            end = at
            while end < len(text) and text[end] not in "[]{<|":
                end += 1
            nodes.extend(_words(text[at:end]))
            at = end
    return tuple(nodes), at


def _words(text: str) -> list[str | Slot | Choice]:
    """Split plain text at the words of the lexicon and turn those into choices."""
    pieces = _words_of_lexicon().split(text)  # plain, word, plain, word, ..., plain
    return [
        Choice(tuple((option,) for option in lexicon()[piece]), word=piece) if index % 2 else piece
        for index, piece in enumerate(pieces)
        if piece
    ]
