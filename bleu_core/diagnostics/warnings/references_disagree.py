"""References that rank systems differently."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy as np

from bleu_core.arrays import Floats
from bleu_core.dataset import plural
from bleu_core.diagnostics.declaration import Finding, TrustWarning
from bleu_core.diagnostics.diagnostic_input import DiagnosticInput
from bleu_core.diagnostics.wording import names
from bleu_core.inference import ALPHA, Effects, effects, normal_quantile

KEY = "references-disagree"
ADVICE = "Report the scores with each reference, and decide between these systems by ratings."


def _find(data: DiagnosticInput) -> Sequence[Finding]:
    systems, references = data.distinct_systems, data.full_references
    pairs = list(combinations(range(len(systems)), 2))
    if len(references) < 2 or not pairs:  # noqa: PLR2004 # a pair
        return ()
    effects_by_reference = {
        name: effects(data.against_single_reference(name).statistics.select(systems)) for name in references
    }
    tests = len(pairs) * len(references)
    critical = -normal_quantile(ALPHA / (2 * tests))
    findings: list[Finding] = []
    for first_name, second_name in combinations(references, 2):
        first_ratios, second_ratios = (
            _ratios(effects_by_reference[first_name]),
            _ratios(effects_by_reference[second_name]),
        )
        reversed_pairs = [
            (k, b) if first_ratios[k, b] > 0 else (b, k)
            for k, b in pairs
            if first_ratios[k, b] * second_ratios[k, b] < 0
            and min(abs(first_ratios[k, b]), abs(second_ratios[k, b])) >= critical
        ]
        if reversed_pairs:
            findings.append(
                _finding(
                    data,
                    first_name,
                    second_name=second_name,
                    pairs=reversed_pairs,
                    effects_by_reference=effects_by_reference,
                )
            )
    return findings


def _ratios(segment_effects: Effects) -> Floats:
    """Return differences of scores in standard errors, (K, K)."""
    errors = segment_effects.errors
    deltas = segment_effects.scores[:, None] - segment_effects.scores[None]
    return np.divide(deltas, errors, out=np.zeros_like(deltas), where=errors > 0)


def _finding(
    data: DiagnosticInput,
    first_name: str,
    second_name: str,
    pairs: Sequence[tuple[int, int]],
    effects_by_reference: dict[str, Effects],
) -> Finding:
    systems = data.distinct_systems
    ranked = sorted(
        pairs, key=lambda pair: -_least(pair, effects_by_reference[first_name], effects_by_reference[second_name])
    )
    k, b = ranked[0]
    first, second = effects_by_reference[first_name].delta(k, b), -effects_by_reference[second_name].delta(k, b)
    involved = {systems[i] for pair in pairs for i in pair}
    sentence = (
        f"{len(pairs):,} {plural(len(pairs), 'pair')} of systems {'is' if len(pairs) == 1 else 'are'} in one order "
        f"with {first_name} and in the other with {second_name}, both times significantly: {systems[k]} "
        f"scores {first:.2f} points higher than {systems[b]} with {first_name}, and {second:.2f} lower with "
        f"{second_name}."
    )
    if len(pairs) > 1:
        gaining = names(list(dict.fromkeys(systems[i] for i, _ in ranked)))
        sentence += f" {first_name} favours {gaining}."
    return Finding(
        key=KEY,
        systems=tuple(name for name in data.systems if name in involved),
        references=(first_name, second_name),
        message=sentence,
        strength="caution",
        advice=ADVICE,
    )


def _least(pair: tuple[int, int], first: Effects, second: Effects) -> float:
    """Return the smaller of the two differences of a pair, points."""
    return min(abs(first.delta(*pair)), abs(second.delta(*pair)))


WARNING = TrustWarning(
    key=KEY,
    title="References that disagree",
    checked="Each pair of systems is scored with each reference alone; both differences are significant, corrected for "
    "the number of pairs and references (infinitesimal jackknife over segments), and have different signs.",
    misleads="Which system is better depends on who wrote the reference.",
    advice=ADVICE,
    inferred=True,
    false_alarms=0.0,
    find=_find,
)
