"""Additions at the beginning or end of nearly every line of a system, such as line numbers."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType

from bleu_core.diagnostics.declaration import Finding, TrustWarning
from bleu_core.diagnostics.diagnostic_input import DiagnosticInput
from bleu_core.diagnostics.wording import names, percent

KEY = "additions"
ADVICE = "Remove what was added to the lines, and score again."

#: Minimum share of a system's lines with an addition, and maximum share of the lines of any reference.
MIN_SYSTEM_SHARE, MAX_REFERENCE_SHARE = 0.8, 0.2

#: Minimum number of lines with text, and maximum number of lines that are examined, at equal distances.
MIN_LINES, MAX_LINES = 10, 1000

#: Maximum length of an addition, in characters.
MAX_ADDITION_LENGTH = 30

DIGITS = re.compile(r"\d+")


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
    references = [lines["reference", name] for name in data.references]
    findings: list[Finding] = []
    for name in data.systems:
        own = lines["system", name]
        if len(own) < MIN_LINES:
            continue
        parts = [part for side, functions in SIDES.items() if (part := _added(own, references, side, functions))]
        if parts:
            among = names(data.references)
            sentence = (
                f"{name}: {' and '.join(f'{text} ({in_references} in {among})' for text, in_references in parts)}."
            )
            findings.append(Finding(key=KEY, systems=(name,), message=sentence, strength="caution", advice=ADVICE))
    return findings


def _added(
    own: Sequence[str], references: Sequence[Sequence[str]], side: str, functions: Sequence[Callable[[str], str]]
) -> tuple[str, str] | None:
    """Return the addition at one side of the lines, as part of a sentence, and the share of the references' lines."""
    for function in functions:
        beginnings_or_ends = [_normalised(function(line)) for line in own]
        (most_common, count), *_ = Counter(beginnings_or_ends).most_common(1)
        if not most_common or count < MIN_SYSTEM_SHARE * len(own):
            continue
        highest = max(
            (_share(most_common, [_normalised(function(line)) for line in text]) for text in references), default=0.0
        )
        if highest <= MAX_REFERENCE_SHARE:
            example = function(own[beginnings_or_ends.index(most_common)])[:MAX_ADDITION_LENGTH]
            verb = f"{side} like" if DIGITS.search(example) else f"{side} with"
            qualifier = "at most " if len(references) > 1 else ""
            return f"{percent(count / len(own))} of the lines {verb} {example!r}", f"{qualifier}{percent(highest)}"
    return None


def _normalised(text: str) -> str:
    return DIGITS.sub("0", text[:MAX_ADDITION_LENGTH])


def _share(text: str, texts: Sequence[str]) -> float:
    return sum(other == text for other in texts) / max(len(texts), 1)


WARNING = TrustWarning(
    key=KEY,
    title="Text added to lines",
    checked=f"The first and last words and marks of up to {MAX_LINES:,} lines of each system are counted, with "
    "numbers taken as the same; what is in nearly every line is compared with the references.",
    misleads="Line numbers, tags, quotation marks or Markdown that a program has added to every line lower the score, "
    "and are not about the quality of the translations.",
    advice=ADVICE,
    inferred=True,
    false_alarms=0.0,
    find=_find,
)
