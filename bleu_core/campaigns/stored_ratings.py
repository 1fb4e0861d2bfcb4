"""The first ratings of a campaign as arrays, which can be reconstructed as of any earlier number of ratings."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from bleu_core.arrays import Floats, Integers
from bleu_core.campaigns.differences import RatingTable
from bleu_core.campaigns.store import Answer


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class StoredRatings:
    """All answers except those to repeats and checks, in the order in which they were stored.

    Attributes:
        systems: K names.
        judges: J names.
        place: (n,) number of the judge's place and item; revisions of an answer have the same number.
        judge, segment, system: (n,) numbers from 0 of the judge, segment and system of each answer.
        unit: (n,) document of each answer if whole documents were drawn; else None.
        scores: (n,) in points of the scale; NaN for a skip.
        count: (n,) number of places and items with a rating after the answer was stored.
    """

    systems: tuple[str, ...]
    judges: tuple[str, ...]
    place: Integers
    judge: Integers
    segment: Integers
    system: Integers
    unit: Integers | None
    scores: Floats
    count: Integers

    @classmethod
    def of(
        cls, systems: Sequence[str], judges: Sequence[str], answers: Sequence[Answer], *, documents: bool = False
    ) -> StoredRatings:
        """Build from all revisions of a campaign's answers, in the order in which they were stored.

        Args:
            systems: names.
            judges: names.
            answers: of the campaign; repeats and checks are ignored.
            documents: whether whole documents were drawn.
        """
        first = [answer for answer in answers if answer.kind == "first"]
        places: dict[tuple[str, int, int], int] = {}
        place = [places.setdefault((a.judge, a.place, a.item), len(places)) for a in first]
        number_of_judge = {name: n for n, name in enumerate(judges)}
        number_of_system = {name: n for n, name in enumerate(systems)}
        segment = np.array([a.segment - 1 for a in first], np.int64)
        unit = None
        if documents:
            numbers: dict[str | None, int] = {}
            unit = np.array([numbers.setdefault(a.document, len(numbers)) for a in first], np.int64)
        scores = np.array([math.nan if a.score is None else a.score for a in first], np.float64)
        return cls.of_arrays(
            systems,
            judges,
            place=np.array(place, np.int64),
            judge=np.array([number_of_judge[a.judge] for a in first], np.int64),
            segment=segment,
            system=np.array([number_of_system[a.system] for a in first], np.int64),
            scores=scores,
            unit=unit,
        )

    @classmethod
    def of_arrays(
        cls,
        systems: Sequence[str],
        judges: Sequence[str],
        *,
        place: Integers,
        judge: Integers,
        segment: Integers,
        system: Integers,
        scores: Floats,
        unit: Integers | None = None,
    ) -> StoredRatings:
        """Build from arrays and compute the counts; without units, segments were drawn."""
        rated = np.flatnonzero(~np.isnan(scores))
        is_first = np.zeros(len(scores), np.int64)
        is_first[rated[np.unique(place[rated], return_index=True)[1]]] = 1
        return cls(
            systems=tuple(systems),
            judges=tuple(judges),
            place=place,
            judge=judge,
            segment=segment,
            system=system,
            unit=unit,
            scores=scores,
            count=np.cumsum(is_first),
        )

    @property
    def rated(self) -> int:
        """Number of places and items that have ever been given a rating."""
        return int(self.count[-1]) if len(self.count) else 0

    def in_force(self, ratings: int | None = None) -> Integers:
        """Return the rows of the answers in force when a number of ratings had been stored; None for now.

        Only the first rating of a place and item increases the number. Later revisions of an answer are ignored.
        """
        end = len(self.count) if ratings is None else int(np.searchsorted(self.count, ratings)) + 1
        backwards = self.place[:end][::-1]
        return np.sort(len(backwards) - 1 - np.unique(backwards, return_index=True)[1])

    def table(self, ratings: int | None = None, without: Collection[str] = ()) -> RatingTable:
        """Return the ratings in force when a number of ratings had been stored, without those of some judges."""
        rows = self.in_force(ratings)
        rows = rows[~np.isnan(self.scores[rows]) & self.included_judges(without)[self.judge[rows]]]
        return RatingTable.of(
            self.systems,
            self.segment[rows],
            judge=self.judge[rows],
            system=self.system[rows],
            ratings=self.scores[rows],
            unit=None if self.unit is None else self.unit[rows],
        )

    def included_judges(self, without: Collection[str]) -> npt.NDArray[np.bool_]:
        """Return a mask (J,) of the judges who are not in `without`."""
        return np.array([name not in without for name in self.judges], np.bool_)
