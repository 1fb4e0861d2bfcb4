"""Do intervals of agreement by class cover, and is p as often small as it says? Slow, on simulated data.

Coefficients of segments share an effect of their document, and the share of the class differs between documents, so
that a test that took segments as independent would reject too often.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from printed import Printed, printed_at_the_end

from bleu_core.agreement import ClassAgreement, agreement_by_class
from bleu_core.slicing import SEGMENT_CLASSES, ClassMembers

pytestmark = pytest.mark.slow

SAMPLES, SYSTEMS = 400, 5
#: Documents, segments of each, standard deviation of the documents' effect on noise, share of the class, difference.
CASES = {
    "segments": (300, 1, 0.0, 0.2, 0.0),
    "small class": (150, 1, 0.0, 0.2, 0.0),
    "documents": (60, 8, 0.8, 0.3, 0.0),
    "few documents": (20, 10, 0.8, 0.3, 0.0),
    "less agreement": (60, 8, 0.8, 0.3, 1.0),
}


def simulate(case: str, generator: np.random.Generator) -> ClassAgreement:
    count, size, effect, share, more = CASES[case]
    documents = np.repeat(np.arange(count), size)
    rate = np.full(count, share) if size == 1 else generator.beta(share * 2, (1 - share) * 2, count)
    mask = generator.random(count * size) < rate[documents]
    noise = np.exp(effect * generator.normal(size=count))[documents] * (1 + more * mask)
    ratings = generator.normal(size=(SYSTEMS, count * size))
    scores = ratings + noise * generator.normal(size=ratings.shape)
    names = None if size == 1 else [str(n) for n in documents]
    members = [ClassMembers(SEGMENT_CLASSES[0], mask)]
    return agreement_by_class(scores, ratings, members, names, resamples=400, trials=400).classes[0]


@pytest.fixture(scope="module")
def printed() -> Iterator[Printed]:
    with printed_at_the_end(decimals=3) as found:
        yield found


@pytest.mark.parametrize("case", CASES)
def test_intervals_cover_and_p_is_uniform_where_classes_do_not_differ(case: str, printed: Printed) -> None:
    generator = np.random.default_rng(11)
    found = [one for one in (simulate(case, generator) for _ in range(SAMPLES)) if not one.reason]
    assert len(found) > SAMPLES / 2
    differs = bool(CASES[case][-1])
    truth = float(np.mean([one.difference for one in found])) if differs else 0.0
    covered = np.mean([one.interval.low <= truth <= one.interval.high for one in found])
    rejected = [float(np.mean([one.p_value <= level for one in found])) for level in (0.05, 0.2, 0.5)]
    row = dict(zip(("p <= .05", "p <= .2", "p <= .5"), rejected, strict=True))
    printed.add("Agreement by class", {"case": case, "samples": len(found), "covered": covered, **row})
    if not differs:
        assert 0.02 < rejected[0] < 0.085
        assert 0.14 < rejected[1] < 0.27
        assert 0.42 < rejected[2] < 0.58
    assert 0.92 < covered < 0.98
