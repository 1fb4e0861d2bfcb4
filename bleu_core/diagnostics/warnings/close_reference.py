"""A reference that is too similar to one of the systems, or was composed from several."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from bleu_core.arrays import Floats
from bleu_core.dataset import Corpus, plural
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
from bleu_core.diagnostics.written_alike import number_columns, number_texts
from bleu_core.errors import listed
from bleu_core.scoring import BleuEvaluation, evaluate, tokens_of

Marks = npt.NDArray[np.bool_]

KEY = "close-reference"
ADVICE = (
    "Ask how the reference was made, and get another one if it was made from outputs of systems: scores by it are "
    "misleading for all systems, also when those systems are excluded."
)
ADVICE_FOR_SEVERAL = "The reference seems to be made from outputs of systems; get another reference."
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

#: Minimum share of equal segments if half of the reference's segments are shorter: the system is a copy.
MIN_COPY_SHARE = 0.95

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

#: Where only alarms are needed, the number of segments that are compared first, and the minimum number of these in
#: which a reference equals an output, for which the others are compared. With the share of an alarm, fewer are equal in
#: 0.06% of samples.
FIRST_SEGMENTS, FEW = 150, 3

#: Minimum share of segments for an alarm, in which no other system is close to the reference.
ALARM_SHARE = 0.08


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Comparison:
    """A comparison of a reference with K systems, on the segments that are long enough.

    Attributes:
        reference: its name.
        systems: K names, those that are not ranked last.
        ranked: the number of systems that are ranked.
        texts: (K, S) numbers of the texts of each segment, equal for equal texts.
        long: (S,) whether the reference is long enough.
        equal: (K, S) whether a system equals the reference.
        single: whether it is the only reference.
        min_tokens: minimum length of the reference in tokens.
    """

    reference: str
    systems: tuple[str, ...]
    ranked: int
    texts: npt.NDArray[np.int64]
    long: Marks
    equal: Marks
    single: bool
    min_tokens: int

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
            f"Compared are the {self.segments:,} segments of at least {self.min_tokens} "
            f"{plural(self.min_tokens, 'token')}, without regard to case and typography."
        )

    @property
    def subject(self) -> str:
        """The reference as the beginning of a sentence."""
        return "The reference" if self.single else f"The reference {self.reference}"

    def named(self, systems: Sequence[int]) -> tuple[str, ...]:
        """Return the names of systems for a finding; none if one of them is not ranked."""
        return tuple(self.systems[k] for k in systems) if all(k < self.ranked for k in systems) else ()

    def remarks(self, k: int) -> list[str]:
        """Return that system k is not ranked, if so, as part of a sentence."""
        return [] if k < self.ranked else [f"{self.systems[k]} is not ranked"]

    def variants(self, k: int) -> Marks:
        """Return which systems, (K,), are variants of system k, including k."""
        same = ((self.texts == self.texts[k]) & self.long).sum(axis=1)
        return np.asarray(same >= VARIANT_SHARE * self.segments)


def _find(data: DiagnosticInput) -> Sequence[Finding]:
    return [finding for reference in data.full_references for finding in _findings(data, reference)]


def _findings(data: DiagnosticInput, reference: str) -> Sequence[Finding]:
    evaluation = data.against_single_reference(reference).select(data.distinct_systems)
    lengths = evaluation.stats.reference_lengths[0]
    median = float(np.median(lengths))
    min_tokens = 1 if median < MIN_TOKENS else MIN_TOKENS
    others, numbers = data.computed_once(_others), data.computed_once(_numbers)
    rows = [data.systems.index(name) for name in data.distinct_systems]
    rows += range(data.reference_rows.stop, len(numbers))
    long = np.asarray(lengths >= min_tokens)
    compared = _Comparison(
        reference=reference,
        systems=(*data.distinct_systems, *others),
        ranked=len(data.distinct_systems),
        texts=numbers[rows],
        long=long,
        equal=(numbers[rows] == numbers[data.reference_rows][data.references.index(reference)]) & long,
        single=len(data.references) == 1,
        min_tokens=min_tokens,
    )
    if median < MIN_TOKENS:
        return _copy_of_short(compared) or (_too_short(reference, median),)
    findings = _composed(compared)
    if findings:
        return findings
    by_systems = _equal_systems(compared)
    if compared.ranked > MIN_OTHER_SYSTEMS:
        named = {k for systems in by_systems for k in systems}
        near = _near_systems(data, evaluation, compared)
        by_systems |= {systems: finding for systems, finding in near.items() if named.isdisjoint(systems)}
    return list(by_systems.values())


def _others(data: DiagnosticInput) -> dict[str, tuple[str | None, ...]]:
    """Return the texts that are not ranked, except those of references, of ranked systems and of earlier ones."""
    known: set[tuple[str | None, ...]] = {*data.corpus.references.values()}
    known.update(data.corpus.systems[name] for name in data.systems)
    others: dict[str, tuple[str | None, ...]] = {}
    for name, text in data.others.items():
        if tuple(text) not in known:
            others[name] = tuple(text)
            known.add(tuple(text))
    return others


def _numbers(data: DiagnosticInput) -> npt.NDArray[np.int64]:
    """Return the numbers of the texts of each segment: systems, references in use and others."""
    others = data.computed_once(_others)
    texts = [*(text for (role, _), text in data.texts.items() if role != "source"), *others.values()]
    if data.alarms_only and data.segments > FIRST_SEGMENTS:  # with an alarm, references equal outputs in many of these
        rows: list[int] = data.sample_rows(FIRST_SEGMENTS).tolist()
        first = number_columns([[text[row] for row in rows] for text in texts])
        of_references = first[data.reference_rows]
        of_systems = np.delete(first, data.reference_rows, axis=0)
        if (of_systems[:, None] == of_references).any(axis=(0, 1)).sum() < FEW:
            return np.repeat(np.arange(len(texts))[:, None], data.segments, axis=1)
    return number_columns(texts) if others else data.segment_values(number_texts)


def _copy_of_short(compared: _Comparison) -> list[Finding]:
    """Return the finding that one system equals a reference of short segments in nearly all, and no other in most."""
    shares = compared.equal.sum(axis=1) / max(compared.segments, 1)
    if shares.max(initial=0) < MIN_COPY_SHARE or (shares >= VARIANT_SHARE).sum() > 1:
        return []
    return list(_equal_systems(compared).values())


def _equal_systems(compared: _Comparison) -> dict[tuple[int, ...], Finding]:
    """Return findings on systems that a reference equals too often, by their positions, which variants share."""
    findings: dict[tuple[int, ...], Finding] = {}
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
        systems: list[int] = np.flatnonzero(variants).tolist()
        other_shares = [f"{compared.systems[j]}: {_percent(shares[j])}" for j in systems if j != k]
        other_shares = [*compared.remarks(k), *other_shares, *_other_systems(shares[~variants])]
        obstacle = f"{_percent(shares[k])} of {compared.possessive} equal {compared.systems[k]}'s output"
        obstacle += f" ({listed(other_shares, max_items=MAX_NAMES)})" if other_shares else ""
        findings[tuple(systems)] = _finding(
            compared,
            k,
            systems,
            obstacle=obstacle,
            detail=compared.compared,
            strength="alarm" if sole_share >= ALARM_SHARE else "caution",
            segments=np.flatnonzero(equal[k]),
        )
    return dict(sorted(findings.items()))


def _near_systems(
    data: DiagnosticInput, evaluation: BleuEvaluation, compared: _Comparison
) -> dict[tuple[int, ...], Finding]:
    """Return findings on systems of which a reference has more near copies than expected from the other systems.

    Args:
        data: the input.
        evaluation: of the ranked systems, with the reference alone.
        compared: the comparison of these texts and of those that are not ranked.

    Returns:
        The findings by the positions of their systems.
    """
    evaluations = [evaluation]
    if others := data.computed_once(_others):
        texts = {name: tuple(line or "" for line in text) for name, text in others.items()}
        corpus = Corpus(texts, {compared.reference: data.corpus.references[compared.reference]})
        evaluations.append(evaluate(corpus, evaluation.settings))
    like = np.concatenate([likeness(one) for one in evaluations])
    near = (like >= NEAR_COPY_LIKENESS) & np.concatenate([long_enough(one) for one in evaluations])
    copies = near_copies(like, near)
    surplus = copies.observed - copies.expected
    excess = MIN_EXCESS if len(near) >= ENOUGH_SYSTEMS else MIN_EXCESS_OF_FEW
    flagged = (copies.excess >= excess) & (surplus >= MIN_SURPLUS) & (surplus >= MIN_SURPLUS_SHARE * data.segments)
    shares = near.sum(axis=1) / compared.segments
    findings: dict[tuple[int, ...], Finding] = {}
    for k in np.flatnonzero(flagged).tolist():
        name = compared.systems[k]
        segments = np.flatnonzero(near[k])
        output = others[name] if name in others else data.corpus.systems[name]
        max_length, where = _longest(data, output, compared.reference, segments.tolist())
        other_shares = [*compared.remarks(k), *_other_systems(np.delete(shares, k))]
        obstacle = (
            f"{_percent(shares[k])} of {compared.possessive} nearly equal {name}'s output "
            f"({listed(other_shares, max_items=MAX_NAMES)})"
        )
        detail = (
            f"By the other systems on the same segments and its usual distance from them, "
            f"{_percent(copies.expected[k] / compared.segments)} are expected. The longest match has {max_length:,} "
            f"tokens (segment {where:,})."
        )
        strength: Strength = "alarm" if surplus[k] >= ALARM_SHARE * data.segments else "caution"
        findings[(k,)] = _finding(
            compared, k, [k], obstacle=obstacle, detail=detail, strength=strength, segments=segments
        )
    return findings


def _finding(
    compared: _Comparison,
    k: int,
    systems: Sequence[int],
    *,
    obstacle: str,
    detail: str,
    strength: Strength,
    segments: npt.NDArray[np.intp],
) -> Finding:
    """Return a finding on system k and its variants; it is about the reference alone if one of them is not ranked."""
    name = compared.systems[k]
    cause = f"The reference may have been post-edited from {name}'s output, or {name} may have learned it."
    return Finding(
        key=KEY,
        systems=compared.named(systems),
        references=(compared.reference,),
        message=f"{obstacle}. {cause} {detail}",
        strength=strength,
        advice=f"{compared.subject} seems to be made from {name}'s output; get another reference.",
        segments=tuple((segments + 1).tolist()),
        obstacle=obstacle,
        cause=cause,
    )


def _longest(
    data: DiagnosticInput, output: Sequence[str | None], reference: str, segments: Sequence[int]
) -> tuple[int, int]:
    """Return the length of the longest common run of tokens, and its segment, from 1."""
    counting = data.evaluation.settings.counting
    texts, references = [line or "" for line in output], data.corpus.references[reference]
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
            systems=compared.named(involved.tolist()),
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
    f"not count. Among at least {MIN_OTHER_SYSTEMS + 1} ranked systems, segments that are nearly equal are compared "
    "with the number that is expected from the other systems. Loaded systems that are not ranked are compared, too.",
    misleads="A reference that was post-edited from a system, or that a system learned, gives that system points that "
    "its translations do not earn.",
    advice=ADVICE,
    inferred=True,
    false_alarms=0.003,
    find=_find,
)
