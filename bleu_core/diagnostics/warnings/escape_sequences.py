r"""Escape sequences such as \n in place of the characters that they stand for."""

from __future__ import annotations

import re
from collections.abc import Sequence

from bleu_core.diagnostics.declaration import Finding, TrustWarning
from bleu_core.diagnostics.diagnostic_input import DiagnosticInput
from bleu_core.diagnostics.wording import percent, share, strength_of

KEY = "escape-sequences"
ADVICE = "Write the characters themselves: decode the JSON or the strings that the text was taken from."

#: Escape sequences of JSON and of programming languages.
ESCAPES = re.compile(r'\\(?:[nrt"]|u[0-9A-Fa-f]{4}|x[0-9A-Fa-f]{2})')

#: A path of Windows, whose folders may begin with the same letters.
PATH = re.compile(r"\b[A-Za-z]:\\|\\\\\w")

#: Shares of the segments.
CAUTION, ALARM = 0.01, 0.2


def _find(data: DiagnosticInput) -> Sequence[Finding]:
    texts = data.texts
    with_backslash = {key: [i for i, line in enumerate(text) if line and "\\" in line] for key, text in texts.items()}
    findings: list[Finding] = []
    for (role, name), rows in with_backslash.items():
        if role == "source" or not rows:
            continue
        elsewhere: set[int] = set()
        for (other_role, other), other_rows in with_backslash.items():
            if (other_role, other) != (role, name) and (role == "reference" or other_role != "system"):
                elsewhere.update(other_rows)
        escapes = [
            (i + 1, match.group())
            for i in rows
            if i not in elsewhere and not PATH.search(line := texts[role, name][i] or "")
            for match in [ESCAPES.search(line)]
            if match
        ]
        if escapes:
            findings.append(_finding(role, name, escapes, data.segments))
    return findings


def _finding(role: str, name: str, escapes: Sequence[tuple[int, str]], size: int) -> Finding:
    """Return a finding on a text.

    Args:
        role: of the text.
        name: of the text.
        escapes: the segments, from 1, and the first escape sequence of each.
        size: the number of all segments.
    """
    examples = " and ".join(sorted({escape for _, escape in escapes})[:2])
    others = "the references have" if role == "system" else "no other text has"
    subject = name if role == "system" else f"Reference {name}"
    part = len(escapes) / size
    return Finding(
        key=KEY,
        systems=(name,) if role == "system" else (),
        references=(name,) if role == "reference" else (),
        message=f"{subject} has escape sequences such as {examples} in {share(len(escapes), size)}, where {others} "
        f"{'no backslash' if role == 'system' else 'a backslash'}.",
        strength=strength_of(part, caution=CAUTION, alarm=ALARM),
        advice=ADVICE,
        segments=tuple(segment for segment, _ in escapes),
        obstacle=f"{percent(part)} of {name}'s segments have escape sequences such as {examples}",
    )


WARNING = TrustWarning(
    key=KEY,
    title="Escape sequences in the text",
    checked='Escape sequences such as \\n, \\t, \\" and \\u00e9 are counted in systems where neither a reference nor '
    "the source has a backslash, and in references where no other text has one.",
    misleads="They join words or replace letters, so words do not match, which readers of the intended text would not "
    "notice.",
    advice=ADVICE,
    inferred=True,
    false_alarms=0.0,
    find=_find,
)
