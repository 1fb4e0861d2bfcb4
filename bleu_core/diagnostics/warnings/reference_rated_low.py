"""References that judges rate lower than systems."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bleu_core.dataset import MIN_RATED_SEGMENTS, identical_texts, plural, rated_segments
from bleu_core.diagnostics.declaration import Finding, TrustWarning
from bleu_core.diagnostics.diagnostic_input import DiagnosticInput
from bleu_core.diagnostics.wording import strength_of
from bleu_core.fields import decimal

KEY = "reference-rated-low"
ADVICE = "Leave this reference out if there is a better one, and trust the ratings rather than the scores."
NOTE = "Read the scores of these systems with care: where they differ from the reference, they may be better."

#: Shares of the systems that are rated higher.
CAUTION, ALARM = 0.5, 1.0


def _find(data: DiagnosticInput) -> Sequence[Finding]:
    if data.judgments is None:
        return ()
    means = data.judgments.system_means()
    machines = [name for name in data.distinct_systems if name in means and name not in data.corpus.references]
    findings: list[Finding] = []
    for reference in data.references:
        rated = _rated(data, reference, means)
        higher = tuple(name for name in machines if rated is not None and means[name] > means[rated])
        if rated is None or not higher or rated_segments(data.judgments, (rated, *machines)).too_few:
            continue
        part = len(higher) / len(machines)
        findings.append(
            Finding(
                key=KEY,
                systems=higher,
                references=(reference,),
                message=f"Judges prefer {len(higher):,} of {len(machines):,} {plural(len(machines), 'system')} to the "
                f"reference {reference}, whose mean rating is {decimal(means[rated])} (highest system: "
                f"{decimal(max(means[name] for name in higher))}).",
                strength=strength_of(part, caution=CAUTION, alarm=ALARM),
                advice=ADVICE if part >= CAUTION else NOTE,
            )
        )
    return findings


def _rated(data: DiagnosticInput, reference: str, means: Mapping[str, float]) -> str | None:
    """Return the name under which a reference is rated: its own, or that of a system with the same text."""
    copies = [
        copy.system for copy in identical_texts(data.corpus) if copy.role == "reference" and copy.name == reference
    ]
    return next((name for name in (reference, *copies) if name in means), None)


WARNING = TrustWarning(
    key=KEY,
    title="Low-rated reference",
    checked=f"Where references are rated, on at least {MIN_RATED_SEGMENTS} segments, their mean ratings are compared "
    "with those of the systems.",
    misleads="BLEU rewards similarity to a translation that judges rate lower than the systems.",
    advice=ADVICE,
    find=_find,
)
