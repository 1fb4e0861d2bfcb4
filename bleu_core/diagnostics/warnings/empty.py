"""Segments without text."""

from __future__ import annotations

from collections.abc import Sequence

from bleu_core.diagnostics.declaration import Finding, TrustWarning
from bleu_core.diagnostics.diagnostic_input import DiagnosticInput
from bleu_core.diagnostics.wording import share, strength_of

KEY = "empty"
ADVICE = "Find out why the text is missing, and score again when it is there."

#: Shares of the segments.
CAUTION, ALARM = 0.005, 0.05


def _find(data: DiagnosticInput) -> Sequence[Finding]:
    findings: list[Finding] = []
    for (role, name), text in data.texts.items():
        segments = tuple(i for i, line in enumerate(text, start=1) if line is not None and not line.strip())
        if not segments or role == "source":
            continue
        part = share(len(segments), len(text))
        findings.append(
            Finding(
                key=KEY,
                systems=(name,) if role == "system" else (),
                references=(name,) if role == "reference" else (),
                message=f"{name} has no text in {part}.",
                strength=strength_of(len(segments) / len(text), caution=CAUTION, alarm=ALARM),
                advice=ADVICE,
                segments=segments,
            )
        )
    return findings


WARNING = TrustWarning(
    key=KEY,
    title="Empty segments",
    checked="Segments that are empty or consist of blanks are counted in systems and references.",
    misleads="An empty output matches nothing and shortens the system's text. An empty reference cannot be matched.",
    advice=ADVICE,
    find=_find,
)
