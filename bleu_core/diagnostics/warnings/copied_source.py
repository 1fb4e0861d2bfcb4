"""Outputs that equal the source."""

from __future__ import annotations

from collections.abc import Sequence

from bleu_core.diagnostics.declaration import Finding, TrustWarning
from bleu_core.diagnostics.diagnostic_input import DiagnosticInput
from bleu_core.diagnostics.wording import share, strength_of

KEY = "copied-source"
ADVICE = "Read these segments, and check that the system translated them."

#: Minimum number of letters of the source; shorter ones may be equal in both languages.
MIN_LETTERS = 15

#: Shares of the segments.
CAUTION, ALARM = 0.01, 0.1


def _find(data: DiagnosticInput) -> Sequence[Finding]:
    source = data.corpus.source
    if source is None:
        return ()
    plain = [_plain(line) for line in source]
    references = [data.corpus.references[name] for name in data.references]
    translated = [
        sum(map(str.isalpha, line)) >= MIN_LETTERS and all(_plain(text[i] or "") != line for text in references)
        for i, line in enumerate(plain)
    ]
    findings: list[Finding] = []
    for name in data.systems:
        text = data.corpus.systems[name]
        segments = tuple(i + 1 for i, line in enumerate(text) if translated[i] and _plain(line) == plain[i])
        if segments:
            part = len(segments) / len(text)
            sentence = f"{name} repeats the source in {share(len(segments), len(text))}, where no reference does."
            findings.append(
                Finding(
                    key=KEY,
                    systems=(name,),
                    message=sentence,
                    strength=strength_of(part, caution=CAUTION, alarm=ALARM),
                    advice=ADVICE,
                    segments=segments,
                )
            )
    return findings


def _plain(line: str) -> str:
    return " ".join(line.casefold().split())


WARNING = TrustWarning(
    key=KEY,
    title="Copies of the source",
    checked="Outputs are compared with the source, without regard to case and blanks, where no reference equals it.",
    misleads="Names and numbers of an untranslated text match the reference, so it scores more than nothing.",
    advice=ADVICE,
    find=_find,
)
