"""A reference that is too similar to one of the systems, or was composed from several."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from bleu_core.arrays import Floats
from bleu_core.diagnostics.declaration import Finding, Strength, TrustWarning
from bleu_core.diagnostics.diagnostic_input import DiagnosticInput
from bleu_core.diagnostics.likeness import (
    MIN_OTHER_SYSTEMS,
    MIN_TOKENS,
    likeness,
    long_enough,
    longest_match,
    near_copies,
)
from bleu_core.diagnostics.wording import MAX_NAMES
from bleu_core.diagnostics.written_alike import number_texts
from bleu_core.errors import listed
from bleu_core.scoring import BleuEvaluation, tokens_of

Marks = npt.NDArray[np.bool_]

KEY = "close-reference"
ADVICE = (
    "Ask how the reference was made; if it was post-edited from this system's output, or the system learned it, leave "
    "one of the two out."
)
ADVICE_FOR_SEVERAL = "Ask how the reference was made; if it was made from outputs of systems, use another one."
ADVICE_FOR_SHORT = "Read the segments that equal the reference yourself."

#: Minimum likeness of a near copy to the reference: about one word in twelve differs.
NEAR_COPY_LIKENESS = 0.7

#: Minimum share of equal segments of two variants of one system, which are no evidence about each other.
VARIANT_SHARE = 0.5

#: Minimum number of segments of a finding.
MIN_SEGMENTS = 5

#: Minimum shares of segments for a system that is close to a reference: segments in which they are equal, and those of
#: them in which no other system is, except its variants.
MIN_EQUAL_SHARE, MIN_SOLE_SHARE = 0.12, 0.05

#: Minimum surplus of near copies over the expected number, among at least five systems: in standard deviations, as a
#: number, and as a share.
MIN_EXCESS, MIN_SURPLUS, MIN_SURPLUS_SHARE = 2.5, 5, 0.03

#: With fewer systems than these, more standard deviations are required.
ENOUGH_SYSTEMS, MIN_EXCESS_OF_FEW = 8, 3

#: Minimum share of segments in which exactly one system equals a reference that was composed from several, and the
#: minimum number of systems with a minimum share each; no system may have most of the segments.
COMPOSED_SHARE, COMPOSED_SYSTEMS, COMPOSED_SYSTEM_SHARE = 0.1, 3, 0.03

#: Minimum number and share of such segments of a system that a finding names.
MIN_NAMED, NAMED_SHARE = 2, 0.02

#: Maximum number of near copies in which the longest match is searched.
MAX_SEARCHED = 50

#: Minimum share of segments for an alarm, in which no other system is close to the reference.
ALARM_SHARE = 0.08


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Comparison:
    """A comparison of a reference with K systems, on the segments that are long enough.

    Attributes:
        reference: its name.
        systems: K names.
        texts: (K, S) numbers of the texts of each segment, equal for equal texts.
        long: (S,) whether the reference is long enough.
        equal: (K, S) whether a system equals the reference.
        single: whether it is the only reference.
    """

    reference: str
    systems: tuple[str, ...]
    texts: npt.NDArray[np.int64]
    long: Marks
    equal: Marks
    single: bool

    @property
    def segments(self) -> int:
        """The number of segments that are long enough."""
        return int(self.long.sum())

    @property
    def possessive(self) -> str:
        """The reference's segments, as part of a sentence."""
        return "the reference's segments" if self.single else f"the segments of the reference {self.reference}"

    @property
    def compared(self) -> str:
        """The basis of the comparison, a sentence."""
        return (
            f"Compared are the {self.segments:,} segments of at least {MIN_TOKENS} tokens, without regard to case "
            "and typography."
        )

    def variants(self, k: int) -> Marks:
        """Return which systems, (K,), are variants of system k, including k."""
        same = ((self.texts == self.texts[k]) & self.long).sum(axis=1)
        return np.asarray(same >= VARIANT_SHARE * self.segments)


def _find(data: DiagnosticInput) -> Sequence[Finding]:
    return [finding for reference in data.full_references for finding in _findings(data, reference)]


def _findings(data: DiagnosticInput, reference: str) -> Sequence[Finding]:
    evaluation = data.against_single_reference(reference).select(data.distinct_systems)
    lengths = evaluation.stats.reference_lengths[0]
    middle = float(np.median(lengths))
    if middle < MIN_TOKENS:
        return (_too_short(reference, middle),)
    numbers = data.segment_values(number_texts)
    texts = numbers[[data.systems.index(name) for name in data.distinct_systems]]
    long = np.asarray(lengths >= MIN_TOKENS)
    equal = (texts == numbers[data.reference_rows][data.references.index(reference)]) & long
    compared = _Comparison(
        reference=reference,
        systems=data.distinct_systems,
        texts=texts,
        long=long,
        equal=equal,
        single=len(data.references) == 1,
    )
    findings = _composed(compared)
    if findings:
        return findings
    findings = _equal_systems(compared)
    if len(data.distinct_systems) > MIN_OTHER_SYSTEMS:
        named = {name for finding in findings for name in finding.systems}
        near = _near_systems(data, evaluation, compared)
        findings += [finding for finding in near if named.isdisjoint(finding.systems)]
    return findings


def _equal_systems(compared: _Comparison) -> list[Finding]:
    """Return findings on systems that a reference equals too often; variants of one system share a finding."""
    findings: list[Finding] = []
    equal, shares = compared.equal, compared.equal.sum(axis=1) / compared.segments
    is_named = np.zeros(len(equal), np.bool_)
    order: list[int] = np.argsort(-shares, kind="stable").tolist()
    for k in order:
        if is_named[k] or shares[k] < MIN_EQUAL_SHARE or equal[k].sum() < MIN_SEGMENTS:
            continue
        variants = compared.variants(k)
        sole_share = float((equal[k] & ~equal[~variants].any(axis=0)).sum() / compared.segments)
        if sole_share < MIN_SOLE_SHARE:
            continue
        variants &= shares >= MIN_EQUAL_SHARE
        is_named |= variants
        name, others = compared.systems[k], shares[~variants]
        other_shares = [
            f"{compared.systems[j]}: {_percent(shares[j])}" for j in np.flatnonzero(variants).tolist() if j != k
        ]
        other_shares += _other_systems(others)
        obstacle = f"{_percent(shares[k])} of {compared.possessive} equal {name}'s output"
        obstacle += f" ({listed(other_shares, max_items=MAX_NAMES)})" if other_shares else ""
        finding = Finding(
            key=KEY,
            systems=tuple(compared.systems[j] for j in np.flatnonzero(variants).tolist()),
            references=(compared.reference,),
            message=f"{obstacle}. {_cause(name)} {compared.compared}",
            strength="alarm" if sole_share >= ALARM_SHARE else "caution",
            advice=ADVICE,
            segments=tuple((np.flatnonzero(equal[k]) + 1).tolist()),
            obstacle=obstacle,
            cause=_cause(name),
        )
        findings.append(finding)
    return sorted(findings, key=lambda finding: compared.systems.index(finding.systems[0]))


def _near_systems(data: DiagnosticInput, evaluation: BleuEvaluation, compared: _Comparison) -> list[Finding]:
    """Return findings on systems of which a reference has more near copies than expected from the other systems.

    Args:
        data: the input.
        evaluation: of the compared systems, with the reference alone.
        compared: the comparison of these texts.
    """
    like = likeness(evaluation)
    near = (like >= NEAR_COPY_LIKENESS) & long_enough(evaluation)
    copies = near_copies(like, near)
    surplus = copies.observed - copies.expected
    excess = MIN_EXCESS if len(near) >= ENOUGH_SYSTEMS else MIN_EXCESS_OF_FEW
    flagged = (copies.excess >= excess) & (surplus >= MIN_SURPLUS) & (surplus >= MIN_SURPLUS_SHARE * data.segments)
    shares = near.sum(axis=1) / compared.segments
    findings: list[Finding] = []
    for k in np.flatnonzero(flagged).tolist():
        name = compared.systems[k]
        segments = np.flatnonzero(near[k])
        max_length, where = _longest(data, name, compared.reference, segments.tolist())
        obstacle = (
            f"{_percent(shares[k])} of {compared.possessive} nearly equal {name}'s output "
            f"({listed(_other_systems(np.delete(shares, k)), max_items=MAX_NAMES)})"
        )
        detail = (
            f"By the other systems on the same segments and its usual distance from them, "
            f"{_percent(copies.expected[k] / compared.segments)} are expected. The longest match has {max_length:,} "
            f"tokens (segment {where:,})."
        )
        finding = Finding(
            key=KEY,
            systems=(name,),
            references=(compared.reference,),
            message=f"{obstacle}. {_cause(name)} {detail}",
            strength="alarm" if surplus[k] >= ALARM_SHARE * data.segments else "caution",
            advice=ADVICE,
            segments=tuple((segments + 1).tolist()),
            obstacle=obstacle,
            cause=_cause(name),
        )
        findings.append(finding)
    return findings


def _longest(data: DiagnosticInput, system: str, reference: str, segments: Sequence[int]) -> tuple[int, int]:
    """Return the length of the longest common run of tokens, and its segment, from 1."""
    counting = data.evaluation.settings.counting
    texts, references = data.corpus.systems[system], data.corpus.references[reference]
    searched = sorted(segments, key=lambda i: -len(texts[i]))[:MAX_SEARCHED]
    matches = [
        (longest_match(tokens_of(texts[i], counting), tokens_of(references[i] or "", counting)), i + 1)
        for i in searched
    ]
    return max(matches, key=lambda match: match[0])


def _other_systems(shares: Floats) -> list[str]:
    """Return the shares of the other systems as part of a sentence, if there are any."""
    if not len(shares):
        return []
    highest = _percent(float(shares.max()))
    return [f"other systems: at most {highest}" if len(shares) > 1 else f"the other system: {highest}"]


def _cause(name: str) -> str:
    return f"The reference may have been post-edited from {name}'s output, or {name} may have learned it."


def _composed(compared: _Comparison) -> list[Finding]:
    """Return the finding that a reference was composed from outputs of several systems, if it was."""
    sole = compared.equal & (compared.equal.sum(axis=0) == 1)
    counts = sole.sum(axis=1)
    share = float(counts.sum() / compared.segments)
    involved = np.flatnonzero(counts >= max(MIN_NAMED, NAMED_SHARE * compared.segments))
    many = (counts >= COMPOSED_SYSTEM_SHARE * compared.segments).sum() >= COMPOSED_SYSTEMS
    if share < COMPOSED_SHARE or counts.sum() < MIN_SEGMENTS or not many or 2 * counts.max() > counts.sum():
        return []
    system_shares = [
        f"{compared.systems[k]}: {_percent(counts[k] / compared.segments)}"
        for k in involved[np.argsort(-counts[involved], kind="stable")].tolist()
    ]
    obstacle = (
        f"{_percent(share)} of {compared.possessive} equal the output of exactly one system "
        f"({listed(system_shares, max_items=MAX_NAMES)})"
    )
    cause = "The reference may have been put together from outputs of systems."
    strength: Strength = "alarm" if share >= 2 * COMPOSED_SHARE else "caution"
    return [
        Finding(
            key=KEY,
            systems=tuple(compared.systems[k] for k in involved.tolist()),
            references=(compared.reference,),
            message=f"{obstacle}. {cause} {compared.compared}",
            strength=strength,
            advice=ADVICE_FOR_SEVERAL,
            segments=tuple((np.flatnonzero(sole.any(axis=0)) + 1).tolist()),
            obstacle=obstacle,
            cause=cause,
        )
    ]


def _too_short(reference: str, median: float) -> Finding:
    return Finding(
        key=KEY,
        references=(reference,),
        message=f"The similarity of the reference {reference} to systems is not checked: half of its segments have at "
        f"most {median:g} tokens, and segments of fewer than {MIN_TOKENS} are equal by chance.",
        strength="note",
        advice=ADVICE_FOR_SHORT,
    )


def _percent(share: float) -> str:
    """Format a share as a whole percentage; only 0 is 0%."""
    return f"{max(round(100 * share), 1 if share > 0 else 0)}%"


WARNING = TrustWarning(
    key=KEY,
    title="Reference close to a system",
    checked=f"The segments of at least {MIN_TOKENS} tokens are counted in which a system equals a reference, and "
    "those in which no other system does. Quotation marks, apostrophes, dashes, case, spaces and final punctuation do "
    f"not count. Among at least {MIN_OTHER_SYSTEMS + 1} systems, segments that are nearly equal are compared with the "
    "number that is expected from the other systems.",
    misleads="A reference that was post-edited from a system, or that a system learned, gives that system points that "
    "its translations do not earn.",
    advice=ADVICE,
    inferred=True,
    false_alarms=0.003,
    find=_find,
)
