"""A reference that is too close to one of the systems, or was put together from several."""

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

#: A near copy is this like the reference: about one word in twelve differs.
NEAR = 0.7

#: Systems that are equal in this share of the segments are variants of one system, which explain nothing about each
#: other.
VARIANT = 0.5

#: The fewest segments that a finding rests on.
MIN_SEGMENTS = 5

#: A system is close to a reference from these shares of segments on: those in which they are equal, and those in which
#: no other system is, but its variants.
SHARE, ALONE = 0.12, 0.05

#: Near copies beyond the expected ones, among at least five systems: standard deviations, a number, and a share.
EXCESS, MORE, MORE_SHARE = 2.5, 5, 0.03

#: Among fewer systems than these, more standard deviations are needed.
ENOUGH_SYSTEMS, HIGHER_EXCESS = 8, 3

#: From this share of segments on in which exactly one system equals the reference, it was made from several, if so many
#: systems have this share of their own, and none has most of them.
SEVERAL, SYSTEMS, EACH = 0.1, 3, 0.03

#: Of these, a finding names those with so many such segments, a number and a share.
MIN_NAMED, NAMED_SHARE = 2, 0.02

#: The longest match is searched in so many of the near copies.
SEARCHED = 50

#: From this share of segments on in which no other system is close to the reference, it is an alarm.
ALARM = 0.08


@dataclass(frozen=True, slots=True, kw_only=True)
class _Compared:
    """A reference beside K systems, in the segments that are long enough.

    Attributes:
        reference: its name.
        systems: K names.
        texts: (K, S) numbers of the texts of each segment; equal texts have the same.
        long: (S,) where the reference is long enough.
        equal: (K, S) where a system equals the reference.
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
        """How many segments are long enough."""
        return int(self.long.sum())

    @property
    def possessive(self) -> str:
        """What a sentence calls the reference's segments."""
        return "the reference's segments" if self.single else f"the segments of the reference {self.reference}"

    @property
    def compared(self) -> str:
        """What was compared, a sentence."""
        return (
            f"Compared are the {self.segments:,} segments of at least {MIN_TOKENS} tokens, without regard to case "
            "and typography."
        )

    def variants(self, k: int) -> Marks:
        """(K,) the systems that are variants of system k, and k itself."""
        same = ((self.texts == self.texts[k]) & self.long).sum(axis=1)
        return np.asarray(same >= VARIANT * self.segments)


def _find(data: DiagnosticInput) -> Sequence[Finding]:
    return [one for reference in data.full_references for one in _of(data, reference)]


def _of(data: DiagnosticInput, reference: str) -> Sequence[Finding]:
    evaluation = data.against_single_reference(reference).select(data.distinct_systems)
    lengths = evaluation.stats.reference_lengths[0]
    middle = float(np.median(lengths))
    if middle < MIN_TOKENS:
        return (_too_short(reference, middle),)
    numbers = data.segment_values(number_texts)
    texts = numbers[[data.systems.index(name) for name in data.distinct_systems]]
    long = np.asarray(lengths >= MIN_TOKENS)
    equal = (texts == numbers[data.reference_rows][data.references.index(reference)]) & long
    compared = _Compared(
        reference=reference,
        systems=data.distinct_systems,
        texts=texts,
        long=long,
        equal=equal,
        single=len(data.references) == 1,
    )
    found = _several(compared)
    if found:
        return found
    found = _equal_systems(compared)
    if len(data.distinct_systems) > MIN_OTHER_SYSTEMS:
        named = {name for one in found for name in one.systems}
        found += [one for one in _near_systems(data, evaluation, compared) if named.isdisjoint(one.systems)]
    return found


def _equal_systems(compared: _Compared) -> list[Finding]:
    """The systems that a reference equals too often; variants of one system are named together."""
    found: list[Finding] = []
    equal, shares = compared.equal, compared.equal.sum(axis=1) / compared.segments
    named = np.zeros(len(equal), np.bool_)
    order: list[int] = np.argsort(-shares, kind="stable").tolist()
    for k in order:
        if named[k] or shares[k] < SHARE or equal[k].sum() < MIN_SEGMENTS:
            continue
        variants = compared.variants(k)
        alone = float((equal[k] & ~equal[~variants].any(axis=0)).sum() / compared.segments)
        if alone < ALONE:
            continue
        variants &= shares >= SHARE
        named |= variants
        name, others = compared.systems[k], shares[~variants]
        beside = [f"{compared.systems[j]}: {_percent(shares[j])}" for j in np.flatnonzero(variants).tolist() if j != k]
        beside += _of_others(others)
        obstacle = f"{_percent(shares[k])} of {compared.possessive} equal {name}'s output"
        obstacle += f" ({listed(beside, max_items=MAX_NAMES)})" if beside else ""
        one = Finding(
            key=KEY,
            systems=tuple(compared.systems[j] for j in np.flatnonzero(variants).tolist()),
            references=(compared.reference,),
            message=f"{obstacle}. {_cause(name)} {compared.compared}",
            strength="alarm" if alone >= ALARM else "caution",
            advice=ADVICE,
            segments=tuple((np.flatnonzero(equal[k]) + 1).tolist()),
            obstacle=obstacle,
            cause=_cause(name),
        )
        found.append(one)
    return sorted(found, key=lambda one: compared.systems.index(one.systems[0]))


def _near_systems(data: DiagnosticInput, evaluation: BleuEvaluation, compared: _Compared) -> list[Finding]:
    """The systems of which a reference has more near copies than is expected from the other systems.

    Args:
        data: what is looked at.
        evaluation: of the systems compared, with the reference alone.
        compared: the same texts.
    """
    like = likeness(evaluation)
    near = (like >= NEAR) & long_enough(evaluation)
    copies = near_copies(like, near)
    surplus = copies.observed - copies.expected
    excess = EXCESS if len(near) >= ENOUGH_SYSTEMS else HIGHER_EXCESS
    flagged = (copies.excess >= excess) & (surplus >= MORE) & (surplus >= MORE_SHARE * data.segments)
    shares = near.sum(axis=1) / compared.segments
    found: list[Finding] = []
    for k in np.flatnonzero(flagged).tolist():
        name = compared.systems[k]
        segments = np.flatnonzero(near[k])
        longest, where = _longest(data, name, compared.reference, segments.tolist())
        obstacle = (
            f"{_percent(shares[k])} of {compared.possessive} nearly equal {name}'s output "
            f"({listed(_of_others(np.delete(shares, k)), max_items=MAX_NAMES)})"
        )
        detail = (
            f"By the other systems on the same segments and its usual distance from them, "
            f"{_percent(copies.expected[k] / compared.segments)} are expected. The longest match has {longest:,} "
            f"tokens (segment {where:,})."
        )
        one = Finding(
            key=KEY,
            systems=(name,),
            references=(compared.reference,),
            message=f"{obstacle}. {_cause(name)} {detail}",
            strength="alarm" if surplus[k] >= ALARM * data.segments else "caution",
            advice=ADVICE,
            segments=tuple((segments + 1).tolist()),
            obstacle=obstacle,
            cause=_cause(name),
        )
        found.append(one)
    return found


def _longest(data: DiagnosticInput, system: str, reference: str, segments: Sequence[int]) -> tuple[int, int]:
    """The longest run of tokens in common, and its segment, from 1."""
    counting = data.evaluation.settings.counting
    texts, references = data.corpus.systems[system], data.corpus.references[reference]
    longest = sorted(segments, key=lambda i: -len(texts[i]))[:SEARCHED]
    matches = [
        (longest_match(tokens_of(texts[i], counting), tokens_of(references[i] or "", counting)), i + 1) for i in longest
    ]
    return max(matches, key=lambda match: match[0])


def _of_others(shares: Floats) -> list[str]:
    """What a sentence says of the other systems, if there are any."""
    if not len(shares):
        return []
    highest = _percent(float(shares.max()))
    return [f"other systems: at most {highest}" if len(shares) > 1 else f"the other system: {highest}"]


def _cause(name: str) -> str:
    return f"The reference may have been post-edited from {name}'s output, or {name} may have learned it."


def _several(compared: _Compared) -> list[Finding]:
    """The finding that a reference was made from outputs of several systems, if it was."""
    sole = compared.equal & (compared.equal.sum(axis=0) == 1)
    counts = sole.sum(axis=1)
    share = float(counts.sum() / compared.segments)
    involved = np.flatnonzero(counts >= max(MIN_NAMED, NAMED_SHARE * compared.segments))
    many = (counts >= EACH * compared.segments).sum() >= SYSTEMS
    if share < SEVERAL or counts.sum() < MIN_SEGMENTS or not many or 2 * counts.max() > counts.sum():
        return []
    of_systems = [
        f"{compared.systems[k]}: {_percent(counts[k] / compared.segments)}"
        for k in involved[np.argsort(-counts[involved], kind="stable")].tolist()
    ]
    obstacle = (
        f"{_percent(share)} of {compared.possessive} equal the output of exactly one system "
        f"({listed(of_systems, max_items=MAX_NAMES)})"
    )
    cause = "The reference may have been put together from outputs of systems."
    strength: Strength = "alarm" if share >= 2 * SEVERAL else "caution"
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
        message=f"Whether the reference {reference} is too close to a system is not judged: half of its segments have at "
        f"most {median:g} tokens, and shorter segments than {MIN_TOKENS} are equal by chance.",
        strength="note",
        advice=ADVICE_FOR_SHORT,
    )


def _percent(share: float) -> str:
    """A share as a whole percentage; 0% is none."""
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
    obstructs="scores",
    find=_find,
)
