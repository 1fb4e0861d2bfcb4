"""The number of rated segments, and whether it is sufficient for conclusions about systems."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bleu_core.dataset.corpus import plural
from bleu_core.dataset.judgments import Judgments

#: Minimum number of rated segments per system for sentences that rank systems by judges or state a metric's agreement.
MIN_RATED_SEGMENTS = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class RatedSegments:
    """Numbers of rated segments of the compared systems.

    Attributes:
        fewest: the minimum number of rated segments per system; None if whole systems are rated, without segments.
        system: the system with the minimum; empty if all systems have the same number or whole systems are rated.
        ratings: the number of ratings of segments of these systems.
        segments: the number of segments that are rated for any of them.
    """

    fewest: int | None
    system: str = ""
    ratings: int = 0
    segments: int = 0

    @property
    def too_few(self) -> bool:
        """Whether the rated segments are too few to rank systems by judges or to state a metric's agreement."""
        return self.fewest is not None and self.fewest < MIN_RATED_SEGMENTS

    @property
    def statement(self) -> str:
        """The beginning of a sentence, such as "Only 4 segments are rated"; empty for ratings of whole systems."""
        if self.fewest is None:
            return ""
        suffix = f" of {self.system}" if self.system else ""
        verb = "is" if self.fewest == 1 else "are"
        return f"Only {self.fewest:,} {plural(self.fewest, 'segment')}{suffix} {verb} rated"

    @property
    def note(self) -> str:
        """A note that too few segments, or only whole systems, are rated; empty if there are enough segments."""
        if self.fewest is None:
            return "The ratings are of whole systems, without segments: there is no interval over segments."
        if not self.too_few:
            return ""
        return (
            f"{self.statement}: at least {MIN_RATED_SEGMENTS} are needed to rank systems by judges or to say that a "
            "metric agrees with them."
        )


def rated_segments(judgments: Judgments, systems: Sequence[str]) -> RatedSegments:
    """Return the numbers of rated segments of some systems.

    Args:
        judgments: the ratings.
        systems: the compared systems; those without ratings are ignored.
    """
    rated = judgments.rated
    rated = rated.loc[rated["system"].isin(list(systems)) & rated["segment"].notna()]
    counts = rated.groupby("system", observed=True)["segment"].nunique()
    by_system = {name: int(counts[name]) for name in systems if name in counts.index and counts[name]}
    if not by_system:
        return RatedSegments(fewest=None)
    system = min(by_system, key=lambda name: by_system[name])
    same = len(set(by_system.values())) == 1
    return RatedSegments(
        fewest=by_system[system],
        system="" if same else system,
        ratings=len(rated),
        segments=int(rated["segment"].nunique()),
    )
