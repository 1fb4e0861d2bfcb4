"""How far judges are apart: by a plain loop over the ratings."""

from __future__ import annotations

import math
from collections import defaultdict

from hypothesis import given
from hypothesis import strategies as st

from bleu_core.dataset import Judgments
from bleu_core.slicing import rating_ranges

RATINGS = st.lists(
    st.tuples(st.integers(1, 3), st.sampled_from(["A", "B", "C"]), st.sampled_from(["x", "y", "z"]), st.integers(0, 9)),
    min_size=1,
    max_size=25,
)


@given(RATINGS)
def test_ranges_are_those_of_each_judges_mean(ratings: list[tuple[int, str, str, int]]) -> None:
    given_by: dict[tuple[str, int], dict[str, list[int]]] = defaultdict(lambda: defaultdict(list))
    for segment, system, judge, score in ratings:
        given_by[system, segment][judge].append(score)
    segments, systems, judges, scores = zip(*ratings, strict=True)
    judgments = Judgments.from_ratings(
        systems, scores, range(1, len(scores) + 1), "r.csv", segments=segments, judges=judges
    )
    found = rating_ranges(judgments, ["B", "A"], 3)
    for k, system in enumerate(["B", "A"]):
        for place in range(3):
            means = [sum(of) / len(of) for of in given_by[system, place + 1].values()]
            expected = max(means) - min(means) if len(means) > 1 else math.nan
            assert found[k, place] == expected or (math.isnan(found[k, place]) and math.isnan(expected))
