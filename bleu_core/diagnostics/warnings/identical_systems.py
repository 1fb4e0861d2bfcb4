"""Systems with the same text as another system or a reference."""

from __future__ import annotations

from collections.abc import Sequence

from bleu_core.dataset import identical_texts
from bleu_core.diagnostics.declaration import Finding, TrustWarning
from bleu_core.diagnostics.material import Material

KEY = "identical-systems"
ADVICE = "Check that the right files were given, and leave one of the two out."


def _find(material: Material) -> Sequence[Finding]:
    found: list[Finding] = []
    for same in identical_texts(material.corpus):
        if same.system not in material.systems or (same.role, same.name) not in material.texts:
            continue
        if same.role == "reference":
            sentence = f"{same.system} is identical to the reference {same.name}, so its score is not informative."
            one = Finding(
                key=KEY,
                systems=(same.system,),
                references=(same.name,),
                found=sentence,
                strength="caution",
                advice=ADVICE,
            )
        elif same.role == "system":
            sentence = f"{same.system} and {same.name} are identical in all {material.segments:,} segments."
            systems = tuple(name for name in material.systems if name in (same.system, same.name))
            one = Finding(key=KEY, systems=systems, found=sentence, strength="caution", advice=ADVICE)
        else:
            continue  # the warning about copies of the source says so
        found.append(one)
    return found


WARNING = TrustWarning(
    key=KEY,
    title="Identical systems",
    checked="The systems are compared with each other and with the references, segment by segment.",
    misleads="Two names for one text count twice in rankings and correlations, and a reference that is scored against "
    "itself gets the highest score there is.",
    advice=ADVICE,
    find=_find,
)
