"""Systems with the same text as another system, and human translations among the systems."""

from __future__ import annotations

from collections.abc import Sequence

from bleu_core.dataset import human_note, identical_texts
from bleu_core.diagnostics.declaration import Finding, TrustWarning
from bleu_core.diagnostics.diagnostic_input import DiagnosticInput
from bleu_core.errors import as_sentence

KEY = "identical-systems"
ADVICE = "Check that the right files were given, and leave one of the two out."
ADVICE_FOR_HUMANS = "Check that the right files were given, if these are no human translations."


def _find(data: DiagnosticInput) -> Sequence[Finding]:
    humans = {human.system for human in data.humans}
    findings: list[Finding] = []
    for identical in identical_texts(data.corpus):
        if identical.role != "system" or not {identical.system, identical.name} <= set(data.systems) - humans:
            continue  # reported by the note below, or by the warning about copies of the source
        sentence = f"{identical.system} and {identical.name} are identical in all {data.segments:,} segments."
        systems = tuple(name for name in data.systems if name in (identical.system, identical.name))
        findings.append(Finding(key=KEY, systems=systems, message=sentence, strength="caution", advice=ADVICE))
    if data.humans:
        finding = Finding(
            key=KEY,
            systems=tuple(human.system for human in data.humans),
            references=tuple(dict.fromkeys(human.reference for human in data.humans if human.reference)),
            message=as_sentence(human_note(data.humans)),
            strength="note",
            advice=ADVICE_FOR_HUMANS,
        )
        findings.append(finding)
    return findings


WARNING = TrustWarning(
    key=KEY,
    title="Identical systems",
    checked="The systems are compared with each other and with the references, segment by segment. Systems with the "
    "text of a reference, in use or not, are human translations, as are those that are marked: they are not ranked.",
    misleads="Two names for one text count twice in rankings and correlations, and a reference that is scored against "
    "itself gets the highest score there is.",
    advice=ADVICE,
    find=_find,
)
