"""Additions at the beginning or end of nearly every line of a text, such as line numbers."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from bleu_core.diagnostics.declaration import Finding, TrustWarning
from bleu_core.diagnostics.diagnostic_input import DiagnosticInput
from bleu_core.diagnostics.wording import names, percent

KEY = "additions"
ADVICE = "Remove what was added to the lines, and score again."

#: Minimum share of a text's lines with an addition, and maximum share of the lines of any text it is compared with.
MIN_SHARE, MAX_OTHER_SHARE = 0.8, 0.2

#: Minimum number of lines with text, and maximum number of lines that are examined, at equal distances.
MIN_LINES, MAX_LINES = 10, 1000

#: Maximum length of an addition, in characters.
MAX_ADDITION_LENGTH = 30

DIGITS = re.compile(r"\d+")
SENTENCE_ENDS = ".!?…。！？।"  # noqa: RUF001 # full-width marks
WORD_MARKS = f"{SENTENCE_ENDS},;'’-"  # noqa: RUF001 # an apostrophe


class Addition(NamedTuple):
    """An addition to nearly every line of a text: an example of it, and a part of a sentence that describes it."""

    example: str
    description: str


def _first_word(line: str) -> str:
    return line.split(None, 1)[0]


def _last_word(line: str) -> str:
    return line.rsplit(None, 1)[-1]


def _first_mark(line: str) -> str:
    return "" if line[0].isalpha() else line[0]


def _last_mark(line: str) -> str:
    return "" if line[-1].isalpha() else line[-1]


#: Functions that return a word, or a character other than a letter, at the beginning and at the end of a line. All
#: numbers are treated as equal.
SIDES: Mapping[str, tuple[Callable[[str], str], ...]] = MappingProxyType(
    {"begin": (_first_word, _first_mark), "end": (_last_word, _last_mark)}
)


def _find(data: DiagnosticInput) -> Sequence[Finding]:
    step = -(-data.segments // MAX_LINES)
    lines = {
        key: [line.strip() for line in text[::step] if line and not line.isspace()] for key, text in data.texts.items()
    }
    findings: list[Finding] = []
    for role, own_names, other_role, others in (
        ("system", data.systems, "reference", data.references),
        ("reference", data.references, "system", data.systems),
    ):
        compared = {name: lines[other_role, name] for name in others}
        for name in own_names:
            own = lines[role, name]
            added = [
                addition
                for side, functions in SIDES.items()
                if len(own) >= MIN_LINES and compared and (addition := _added(own, compared, side, functions))
            ]
            if added:
                findings.append(_finding(role, name, added))
    return findings


def _finding(role: str, name: str, added: Sequence[Addition]) -> Finding:
    """Return the finding on a text.

    Words, and marks at the end of sentences, may be those of the text, and are only a caution.

    Args:
        role: of the text.
        name: of the text.
        added: what is added to its lines.
    """
    parts = " and ".join(addition.description for addition in added)
    return Finding(
        key=KEY,
        systems=(name,) if role == "system" else (),
        references=(name,) if role == "reference" else (),
        message=f"{name if role == 'system' else f'Reference {name}'}: {parts}.",
        strength="alarm" if any(_is_markup(addition.example) for addition in added) else "caution",
        advice=ADVICE,
        obstacle=f"in {name}, {parts}",
    )


def _is_markup(example: str) -> bool:
    """Return whether an addition has a number, or marks that words and ends of sentences do not have."""
    if not any(character.isalpha() for character in example):
        return example not in SENTENCE_ENDS
    return any(character.isdigit() or not (character.isalnum() or character in WORD_MARKS) for character in example)


def _added(
    own: Sequence[str], others: Mapping[str, Sequence[str]], side: str, functions: Sequence[Callable[[str], str]]
) -> Addition | None:
    """Return what is added at one side of nearly every line of a text, and of few lines of the others, by name."""
    for function in functions:
        beginnings_or_ends = [_normalised(function(line)) for line in own]
        (most_common, count), *_ = Counter(beginnings_or_ends).most_common(1)
        if not most_common or count < MIN_SHARE * len(own):
            continue
        highest = max(_share(most_common, [_normalised(function(line)) for line in text]) for text in others.values())
        if highest <= MAX_OTHER_SHARE:
            example = function(own[beginnings_or_ends.index(most_common)])[:MAX_ADDITION_LENGTH]
            verb = f"{side} like" if DIGITS.search(example) else f"{side} with"
            qualifier = "at most " if len(others) > 1 else ""
            lines = f"{percent(count / len(own))} of the lines {verb} {example!r}"
            return Addition(example, f"{lines} ({qualifier}{percent(highest)} in {names(list(others))})")
    return None


def _normalised(text: str) -> str:
    return DIGITS.sub("0", text[:MAX_ADDITION_LENGTH])


def _share(text: str, texts: Sequence[str]) -> float:
    return sum(other == text for other in texts) / max(len(texts), 1)


WARNING = TrustWarning(
    key=KEY,
    title="Text added to lines",
    checked=f"The first and last words and marks of up to {MAX_LINES:,} lines of each text are counted, with numbers "
    "taken as the same; what is in nearly every line of a system is compared with the references, and of a reference "
    "with the systems.",
    misleads="Line numbers, tags, quotation marks or Markdown that a program has added to every line lower the score, "
    "and are not about the quality of the translations.",
    advice=ADVICE,
    inferred=True,
    false_alarms=0.0,
    find=_find,
)
