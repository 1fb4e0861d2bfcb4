"""How many segments are rated, and whether they are enough for a statement about what judges say of systems."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bleu_core.dataset.corpus import plural
from bleu_core.dataset.judgments import Judgments

#: With fewer rated segments of a system, no sentence ranks systems by judges or says that a metric agrees with them.
MIN_RATED_SEGMENTS = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class RatedSegments:
    """How many segments of the systems that are compared are rated.

    Attributes:
        fewest: rated segments of the system that has the fewest; None where whole systems are rated, without segments.
        system: that system; empty where all have as many, or whole systems are rated.
        ratings: of segments of these systems.
        segments: how many segments are rated for any of them.
    """

    fewest: int | None
    system: str = ""
    ratings: int = 0
    segments: int = 0

    @property
    def too_few(self) -> bool:
        """Whether they are too few to rank systems by judges, or to say that a metric agrees with judges."""
        return self.fewest is not None and self.fewest < MIN_RATED_SEGMENTS

    @property
    def found(self) -> str:
        """How many are rated, as the beginning of a sentence: "Only 4 segments are rated"; empty for whole systems."""
        if self.fewest is None:
            return ""
        of_system = f" of {self.system}" if self.system else ""
        verb = "is" if self.fewest == 1 else "are"
        return f"Only {self.fewest:,} {plural(self.fewest, 'segment')}{of_system} {verb} rated"

    @property
    def note(self) -> str:
        """What to say beside numbers: that too few segments are rated, or that there are none; empty if all is well."""
        if self.fewest is None:
            return "The ratings are of whole systems, without segments: there is no interval over segments."
        if not self.too_few:
            return ""
        return (
            f"{self.found}: at least {MIN_RATED_SEGMENTS} are needed to rank systems by judges or to say that a metric "
            "agrees with them."
        )


def rated_segments(judgments: Judgments, systems: Sequence[str]) -> RatedSegments:
    """Return how many segments of some systems are rated.

    Args:
        judgments: the ratings.
        systems: those that are compared; of the ones without ratings nothing is said.
    """
    rated = judgments.rated
    rated = rated.loc[rated["system"].isin(list(systems)) & rated["segment"].notna()]
    counts = rated.groupby("system", observed=True)["segment"].nunique()
    of_system = {name: int(counts[name]) for name in systems if name in counts.index and counts[name]}
    if not of_system:
        return RatedSegments(fewest=None)
    system = min(of_system, key=lambda name: of_system[name])
    same = len(set(of_system.values())) == 1
    return RatedSegments(
        fewest=of_system[system],
        system="" if same else system,
        ratings=len(rated),
        segments=int(rated["segment"].nunique()),
    )
