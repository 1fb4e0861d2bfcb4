"""References in different languages, or of different contents."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

from bleu_core.dataset import plural
from bleu_core.diagnostics.correspondence import correspondence, likeness_sentence
from bleu_core.diagnostics.declaration import Finding, TrustWarning
from bleu_core.diagnostics.diagnostic_input import DiagnosticInput
from bleu_core.errors import listed

KEY = "unrelated-references"
ADVICE = "Score each language, or test set, with its own references only."


def _find(data: DiagnosticInput) -> Sequence[Finding]:
    return list(_findings(data))


def _findings(data: DiagnosticInput) -> Iterator[Finding]:
    compared, first = correspondence(data), len(data.systems)
    pairs = list(combinations(range(len(data.references)), 2))
    foreign = [(r, q) for r, q in pairs if compared.is_foreign[first + r, q]]
    if foreign:
        involved = _involved(foreign)
        languages = [compared.languages[first + r] for r in involved]
        known = f" ({listed(sorted(set(languages)))} by their function words)" if all(languages) else ""
        yield _finding(
            data,
            involved,
            obstacle=f"the references {_names(data, involved)} are in different languages or scripts{known}",
            evidence=f", by a sample of {compared.segments:,} {plural(compared.segments, 'segment')}.",
            cause="Texts of several target languages may have been taken for one test set.",
        )
    unrelated = [(r, q) for r, q in pairs if compared.is_unrelated[first + r, q]]
    if unrelated:
        involved, (r, q) = _involved(unrelated), unrelated[0]
        yield _finding(
            data,
            involved,
            obstacle=f"the lines of the references {_names(data, involved)} do not correspond to each other",
            evidence=f": {likeness_sentence(compared, first + r, q)}",
            cause="One of them may be of another test set, or its lines in another order.",
        )


def _involved(pairs: Sequence[tuple[int, int]]) -> list[int]:
    return sorted({r for pair in pairs for r in pair})


def _names(data: DiagnosticInput, involved: Sequence[int]) -> str:
    return listed([data.references[r] for r in involved])


def _finding(data: DiagnosticInput, involved: Sequence[int], *, obstacle: str, evidence: str, cause: str) -> Finding:
    return Finding(
        key=KEY,
        references=tuple(data.references[r] for r in involved),
        message=f"{obstacle[0].upper()}{obstacle[1:]}{evidence} {cause}",
        strength="alarm",
        advice=ADVICE,
        obstacle=obstacle,
        cause=cause,
    )


WARNING = TrustWarning(
    key=KEY,
    title="References that do not belong together",
    checked="The scripts, function words and n-grams of characters of references are compared with each other in a "
    "sample, and the likeness of their lines with that of lines in another order.",
    misleads="A system is compared with translations of other texts or into another language, which match by chance.",
    advice=ADVICE,
    inferred=True,
    false_alarms=0.0,
    find=_find,
)
