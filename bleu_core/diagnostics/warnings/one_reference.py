"""A single reference."""

from __future__ import annotations

from collections.abc import Sequence

from bleu_core.diagnostics.declaration import Finding, TrustWarning
from bleu_core.diagnostics.diagnostic_input import DiagnosticInput

KEY = "one-reference"
ADVICE = "Add a second reference if there is one, and read small differences with care."


def _find(data: DiagnosticInput) -> Sequence[Finding]:
    if len(data.references) != 1:
        return ()
    message = f"The systems are scored against one reference, {data.references[0]}."
    return (Finding(key=KEY, references=data.references, message=message, strength="note", advice=ADVICE),)


WARNING = TrustWarning(
    key=KEY,
    title="One reference",
    checked="The number of references in use is counted.",
    misleads="A good translation that is worded otherwise than the only reference scores low, and a system that is "
    "like the translator scores high.",
    advice=ADVICE,
    find=_find,
)
