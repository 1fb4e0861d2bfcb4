"""A reference that is too close to one of the systems, or was put together from several."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np
import numpy.typing as npt

from bleu_core.diagnostics.declaration import Finding, Strength, TrustWarning
from bleu_core.diagnostics.likeness import LEAST_TOKENS, likeness, long_enough
from bleu_core.diagnostics.material import Material
from bleu_core.diagnostics.wording import NAMES
from bleu_core.diagnostics.written_alike import number_texts
from bleu_core.errors import listed

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
LEAST_SEGMENTS = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Thresholds:
    """From which shares of the segments on a reference is close to a system.

    Attributes:
        share: segments in which the system is close to the reference.
        alone: those in which no other system is, but its variants, by the least number of others, in ascending order.
    """

    share: float
    alone: Mapping[int, float]

    def alone_among(self, others: int) -> float:
        """The share of segments in which no other system is close, among so many others."""
        return next(share for least, share in reversed(self.alone.items()) if others >= least)


#: Of equal segments, and of near copies.
EQUAL = Thresholds(share=0.08, alone=MappingProxyType({0: 0.1, 1: 0.05}))
NEARLY_EQUAL = Thresholds(share=0.08, alone=MappingProxyType({0: 0.25, 1: 0.15, 4: 0.08, 8: 0.04}))

#: From this share of segments on in which exactly one system equals the reference, it was made from several, unless
#: most of them equal the same one of so many.
SEVERAL, SYSTEMS = 0.1, 3

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
        near: (K, S) where it is equal or nearly equal.
        single: whether it is the only reference.
    """

    reference: str
    systems: tuple[str, ...]
    texts: npt.NDArray[np.int64]
    long: Marks
    equal: Marks
    near: Marks
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
            f"Compared are the {self.segments:,} segments of at least {LEAST_TOKENS} tokens, without regard to case "
            "and typography."
        )

    def variants(self, k: int) -> Marks:
        """(K,) the systems that are variants of system k, and k itself."""
        same = ((self.texts == self.texts[k]) & self.long).sum(axis=1)
        return np.asarray(same >= VARIANT * self.segments)


def _find(material: Material) -> Sequence[Finding]:
    return [one for reference in material.full_references for one in _of(material, reference)]


def _of(material: Material, reference: str) -> Sequence[Finding]:
    evaluation = material.alone(reference).select(material.distinct)
    lengths = evaluation.stats.reference_lengths[0]
    middle = float(np.median(lengths))
    if middle < LEAST_TOKENS:
        return (_too_short(reference, middle),)
    numbers = material.by_segment(number_texts)
    texts = numbers[[material.systems.index(name) for name in material.distinct]]
    long = np.asarray(lengths >= LEAST_TOKENS)
    equal = (texts == numbers[material.of_references][material.references.index(reference)]) & long
    near = equal | ((likeness(evaluation) >= NEAR) & long_enough(evaluation))
    compared = _Compared(
        reference=reference,
        systems=material.distinct,
        texts=texts,
        long=long,
        equal=equal,
        near=near,
        single=len(material.references) == 1,
    )
    found = _several(compared)
    if found:
        return found
    found = _close_systems(compared, equal, EQUAL)
    # What is equal is near, too; systems that are named for it are not named again.
    named = {name for one in found for name in one.systems}
    found += [one for one in _close_systems(compared, near, NEARLY_EQUAL) if named.isdisjoint(one.systems)]
    return found


def _close_systems(compared: _Compared, close: Marks, least: Thresholds) -> list[Finding]:
    """The systems that a reference is too close to; variants of one system are named together."""
    found: list[Finding] = []
    shares = close.sum(axis=1) / compared.segments
    named = np.zeros(len(close), np.bool_)
    for k in np.argsort(-shares, kind="stable").tolist():
        if named[k] or shares[k] < least.share or close[k].sum() < LEAST_SEGMENTS:
            continue
        variants = compared.variants(k)
        alone = (close[k] & ~close[~variants].any(axis=0)).sum() / compared.segments
        if alone < least.alone_among(int((~variants).sum())):
            continue
        variants &= shares >= least.share
        named |= variants
        found.append(_finding(compared, k, close=close, others=~variants, alarm=bool(alone >= ALARM)))
    return sorted(found, key=lambda one: compared.systems.index(one.systems[0]))


def _finding(compared: _Compared, k: int, *, close: Marks, others: Marks, alarm: bool) -> Finding:
    name = compared.systems[k]
    shares = close.sum(axis=1) / compared.segments
    variants = [j for j in np.flatnonzero(~others).tolist() if j != k]
    beside = [f"{compared.systems[j]}: {_percent(shares[j])}" for j in variants]
    if others.any():
        highest = float(shares[others].max())
        beside.append(f"{'other systems' if others.sum() > 1 else 'the other system'}: at most {_percent(highest)}")
    verb = "equal" if close is compared.equal else "equal or nearly equal"
    obstacle = f"{_percent(shares[k])} of {compared.possessive} {verb} {name}'s output"
    obstacle += f" ({listed(beside, most=NAMES)})" if beside else ""
    cause = f"The reference may have been post-edited from {name}'s output, or {name} may have learned it."
    return Finding(
        key=KEY,
        systems=tuple(compared.systems[j] for j in sorted([k, *variants])),
        references=(compared.reference,),
        found=f"{obstacle}. {cause} {compared.compared}",
        strength="alarm" if alarm else "caution",
        advice=ADVICE,
        segments=tuple((np.flatnonzero(close[k]) + 1).tolist()),
    )


def _several(compared: _Compared) -> list[Finding]:
    """The finding that a reference was made from outputs of several systems, if it was."""
    sole = compared.equal & (compared.equal.sum(axis=0) == 1)
    counts = sole.sum(axis=1)
    share, involved = counts.sum() / compared.segments, np.flatnonzero(counts > 1)
    if share < SEVERAL or counts.sum() < LEAST_SEGMENTS or len(involved) < SYSTEMS or 2 * counts.max() > counts.sum():
        return []
    of_systems = [
        f"{compared.systems[k]}: {_percent(counts[k] / compared.segments)}"
        for k in involved[np.argsort(-counts[involved], kind="stable")].tolist()
    ]
    obstacle = (
        f"{_percent(share)} of {compared.possessive} equal the output of exactly one system "
        f"({listed(of_systems, most=NAMES)})"
    )
    cause = "The reference may have been put together from outputs of systems."
    strength: Strength = "alarm" if share >= 2 * SEVERAL else "caution"
    return [
        Finding(
            key=KEY,
            systems=tuple(compared.systems[k] for k in involved.tolist()),
            references=(compared.reference,),
            found=f"{obstacle}. {cause} {compared.compared}",
            strength=strength,
            advice=ADVICE_FOR_SEVERAL,
            segments=tuple((np.flatnonzero(sole.any(axis=0)) + 1).tolist()),
        )
    ]


def _too_short(reference: str, median: float) -> Finding:
    return Finding(
        key=KEY,
        references=(reference,),
        found=f"Whether the reference {reference} is too close to a system is not judged: half of its segments have at "
        f"most {median:g} tokens, and shorter segments than {LEAST_TOKENS} are equal by chance.",
        strength="note",
        advice=ADVICE_FOR_SHORT,
    )


def _percent(share: float) -> str:
    """A share as a whole percentage; 0% is none."""
    return f"{max(round(100 * share), 1 if share > 0 else 0)}%"


WARNING = TrustWarning(
    key=KEY,
    title="Reference close to a system",
    checked=f"The segments of at least {LEAST_TOKENS} tokens are counted in which a system equals a reference, or "
    "nearly does, and those in which no other system does. Quotation marks, apostrophes, dashes, case, spaces and "
    "final punctuation do not count.",
    misleads="A reference that was post-edited from a system, or that a system learned, gives that system points that "
    "its translations do not earn.",
    advice=ADVICE,
    inferred=True,
    false_alarms=0.005,
    find=_find,
)
