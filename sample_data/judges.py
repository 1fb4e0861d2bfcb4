"""The people who rate: ten who read English only, ten who read the source as well.

A rating is the sum of how good a group finds a system, how lenient the judge is, how easy the segment is, how
many mistakes the system made in just this segment, and chance; rounded, and kept between 1 and 5. Everything
is counted in thousandths of a point.
"""

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

RATED_SEGMENTS = 50
JUDGES = 10  # in each group
MIN_RATING, MAX_RATING = 1, 5
LENIENCY = 450  # a judge is at most so much kinder or harsher than the others
EASE = 400  # a segment is at most so much easier or harder than the others
CHANCE = 530  # each of the three draws that are added to a rating is at most so large
SKIPPED_SEGMENTS = 60  # per thousand: a judge leaves out all five translations of a segment
SKIPPED_RATINGS = (10, 90)  # per thousand: a judge leaves out a single one; drawn for each judge


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """Judges with the same background.

    Attributes:
        name: as it stands in the file.
        initial: of the judges' names.
        opinion: how good the group finds each system, in thousandths of a point.
        mistake: how much a mistake costs, in thousandths of a point.
    """

    name: str
    initial: str
    opinion: Mapping[str, int]
    mistake: int


GROUPS = (
    Group(
        name="monolingual",
        initial="M",
        opinion={"S1": 1750, "S2": 2080, "S3": 2250, "H1": 3500, "H2": 3980},
        mistake=35,
    ),
    Group(
        name="bilingual",
        initial="B",
        opinion={"S1": 2000, "S2": 2330, "S3": 2400, "H1": 3780, "H2": 3870},
        mistake=25,
    ),
)


@dataclass(frozen=True, slots=True)
class Rating:
    """One judge's rating of one translation; segments are counted from 1."""

    segment: int
    system: str
    judge: str
    group: str
    score: int


def judge(mistakes: Mapping[str, Sequence[int]], seed: int, groups: Sequence[Group] = GROUPS) -> tuple[Rating, ...]:
    """Let both groups rate the same segments of every system.

    Args:
        mistakes: for each system, the number of mistakes in every segment.
        seed: fixes what is drawn.
        groups: who rates.

    Returns:
        The ratings by segment, system and judge; what a judge skipped is missing.
    """
    rng = random.Random(seed)
    segments = list(range(1, len(next(iter(mistakes.values()))) + 1))
    rng.shuffle(segments)
    rated = sorted(segments[:RATED_SEGMENTS])
    ease = {segment: rng.randrange(-EASE, EASE + 1) for segment in rated}
    ratings: list[Rating] = []
    for group in groups:
        for number in range(1, JUDGES + 1):
            leniency = rng.randrange(-LENIENCY, LENIENCY + 1)
            forgetful = rng.randrange(SKIPPED_RATINGS[0], SKIPPED_RATINGS[1] + 1)
            for segment in rated:
                skips_all = rng.randrange(1000) < SKIPPED_SEGMENTS
                for system, counts in mistakes.items():
                    usual = sum(counts[other - 1] for other in rated)  # times RATED_SEGMENTS
                    fewer = usual - RATED_SEGMENTS * counts[segment - 1]
                    felt = group.opinion[system] + group.mistake * fewer // RATED_SEGMENTS
                    chance = sum(rng.randrange(-CHANCE, CHANCE + 1) for _ in range(3))
                    score = (felt + leniency + ease[segment] + chance + 500) // 1000
                    if not skips_all and rng.randrange(1000) >= forgetful:
                        name = f"{group.initial}{number:02d}"
                        score = min(max(score, MIN_RATING), MAX_RATING)
                        ratings.append(
                            Rating(segment=segment, system=system, judge=name, group=group.name, score=score)
                        )
    order = {system: place for place, system in enumerate(mistakes)}
    names = {group.name: place for place, group in enumerate(groups)}
    return tuple(sorted(ratings, key=lambda one: (one.segment, order[one.system], names[one.group], one.judge)))
