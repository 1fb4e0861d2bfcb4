"""What nearly every line of a system begins or ends with and the references lack, such as line numbers."""

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

#: Share of the lines of a system that begin or end so, at least, and of those of any reference, at most.
SYSTEM, REFERENCE = 0.8, 0.2

#: Lines with text that are needed, and lines of a text that are looked at, at equal distances.
MIN_LINES, MAX_LINES = 10, 1000

#: The longest word that is looked at, in characters.
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


#: How a line begins and ends: a word, or a character that is no letter. Numbers count as the same, whatever they are.
SIDES: Mapping[str, tuple[Callable[[str], str], ...]] = MappingProxyType(
    {"begin": (_first_word, _first_mark), "end": (_last_word, _last_mark)}
)


def _find(data: DiagnosticInput) -> Sequence[Finding]:
    step = -(-data.segments // MAX_LINES)
    lines = {
        key: [line.strip() for line in text[::step] if line and not line.isspace()] for key, text in data.texts.items()
    }
    references = [lines["reference", name] for name in data.references]
    found: list[Finding] = []
    for name in data.systems:
        own = lines["system", name]
        if len(own) < MIN_LINES:
            continue
        parts = [part for side, ways in SIDES.items() if (part := _added(own, references, side, ways))]
        if parts:
            among = names(data.references)
            sentence = f"{name}: {' and '.join(f'{said} ({usual} in {among})' for said, usual in parts)}."
            found.append(Finding(key=KEY, systems=(name,), message=sentence, strength="caution", advice=ADVICE))
    return found


def _added(
    own: Sequence[str], references: Sequence[Sequence[str]], side: str, ways: Sequence[Callable[[str], str]]
) -> tuple[str, str] | None:
    """What is added at one side of the lines, as part of a sentence, and the share of the references' lines."""
    for way in ways:
        of_lines = [_alike(way(line)) for line in own]
        (usual, count), *_ = Counter(of_lines).most_common(1)
        if not usual or count < SYSTEM * len(own):
            continue
        highest = max((_share(usual, [_alike(way(line)) for line in text]) for text in references), default=0.0)
        if highest <= REFERENCE:
            example = way(own[of_lines.index(usual)])[:MAX_ADDITION_LENGTH]
            how = f"{side} like" if DIGITS.search(example) else f"{side} with"
            at_most = "at most " if len(references) > 1 else ""
            return f"{percent(count / len(own))} of the lines {how} {example!r}", f"{at_most}{percent(highest)}"
    return None


def _alike(what: str) -> str:
    return DIGITS.sub("0", what[:MAX_ADDITION_LENGTH])


def _share(what: str, of: Sequence[str]) -> float:
    return sum(each == what for each in of) / max(len(of), 1)


WARNING = TrustWarning(
    key=KEY,
    title="Additions to the lines",
    checked=f"The first and last words and marks of up to {MAX_LINES:,} lines of each system are counted, with "
    "numbers taken as the same; what is in nearly every line is compared with the references.",
    misleads="Line numbers, tags, quotation marks or Markdown that a program has added to every line lower the score, "
    "and are not about the quality of the translations.",
    advice=ADVICE,
    inferred=True,
    false_alarms=0.0,
    find=_find,
)
