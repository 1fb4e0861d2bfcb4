"""Systems with the same text as another system, and human translations among the systems."""

from __future__ import annotations

from collections.abc import Sequence

from bleu_core.dataset import human_note, identical_texts
from bleu_core.diagnostics.declaration import Finding, TrustWarning
from bleu_core.diagnostics.diagnostic_input import DiagnosticInput

KEY = "identical-systems"
ADVICE = "Check that the right files were given, and leave one of the two out."
ADVICE_FOR_HUMANS = "Check that the right files were given, if these are no human translations."


def _find(data: DiagnosticInput) -> Sequence[Finding]:
    humans = {each.system for each in data.humans}
    found: list[Finding] = []
    for same in identical_texts(data.corpus):
        if same.role != "system" or not {same.system, same.name} <= set(data.systems) - humans:
            continue  # the note below, or the warning about copies of the source, says so
        sentence = f"{same.system} and {same.name} are identical in all {data.segments:,} segments."
        systems = tuple(name for name in data.systems if name in (same.system, same.name))
        found.append(Finding(key=KEY, systems=systems, message=sentence, strength="caution", advice=ADVICE))
    if data.humans:
        note = human_note(data.humans)
        one = Finding(
            key=KEY,
            systems=tuple(each.system for each in data.humans),
            references=tuple(dict.fromkeys(each.reference for each in data.humans if each.reference)),
            message=f"{note[0].upper()}{note[1:]}.",
            strength="note",
            advice=ADVICE_FOR_HUMANS,
        )
        found.append(one)
    return found


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
