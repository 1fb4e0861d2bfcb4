"""Are warnings raised without cause as rarely as they say, and are planted causes found? Slow, on real test sets.

BLEU_CONFORMANCE_DATA=/path/to/the/folder python -m pytest -m slow tests/diagnostics/test_calibration.py
"""

from __future__ import annotations

import pytest
from diagnostics.calibration import (
    AMONG,
    DAMAGE,
    FOREIGN,
    HALVES,
    SAMPLE_SEGMENTS,
    SETS,
    content_false_alarms,
    false_alarms,
    few_systems_false_alarms,
    found_plants,
    human_set,
    post_edited_found,
    real_set,
)
from diagnostics.planted import causes
from null_pairs import evaluation_data

from bleu_core.diagnostics import find_warning

pytestmark = pytest.mark.slow

#: Causes whose largest share is always found where there is enough text: the cause and the least that are found of ten.
FOUND = {
    "a system tokenised": 10,
    "a reference tokenised": 10,
    "numbered": 10,
    "in quotes": 10,
    "misread": 10,
    "a reference post-edited": 9,
    "untranslated": 10,
    "truncated": 10,
    "shuffled": 10,
    "of another text": 10,
    "an unknown language": 10,
    "a reference of another text": 10,
    "a reference in another language": 10,
    "escaped": 10,
    "a copy of the reference": 10,
}


@pytest.mark.parametrize("name", SETS)
def test_false_alarms_are_as_rare_as_the_register_says(name: str) -> None:
    rates = false_alarms(real_set(evaluation_data() / name), HALVES)
    assert {key: rate for key, rate in rates.items() if rate > (find_warning(key).false_alarms or 0)} == {}


@pytest.mark.parametrize("name", SETS)
@pytest.mark.parametrize("title", FOUND)
def test_a_large_planted_cause_is_found(name: str, title: str) -> None:
    corpus = real_set(evaluation_data() / name)
    foreign = next(iter(real_set(evaluation_data() / FOREIGN[name]).references.values()))
    cause = causes([line for line in foreign if line])[title]
    if len(corpus.systems) >= cause.systems:
        found, _, _ = found_plants(corpus, cause, cause.shares[-1], 10)
        assert found >= FOUND[title]


#: Of references made from a system, so many of 40 are found at least; from 20% of unchanged segments on.
PLANTED, MIN_FOUND = 40, 38

#: The highest rate of false alarms of close-reference on halves of a set.
CLOSE_RATE = 0.005


@pytest.mark.parametrize("name", SETS)
@pytest.mark.parametrize("among", AMONG)
@pytest.mark.parametrize("share", [0.2, 0.3, 0.6])
@pytest.mark.parametrize("typography", [False, True])
def test_a_reference_post_edited_from_a_system_is_found_among_any_number(
    name: str, among: int, share: float, *, typography: bool
) -> None:
    corpus = human_set(real_set(evaluation_data() / name))
    if among <= len(corpus.systems):
        found, _, _ = post_edited_found(corpus, among, share, PLANTED, typography=typography)
        assert found >= MIN_FOUND


@pytest.mark.parametrize("name", SETS)
@pytest.mark.parametrize("among", AMONG[1:])
def test_a_reference_made_from_a_system_is_found_if_that_system_is_not_ranked(name: str, among: int) -> None:
    corpus = human_set(real_set(evaluation_data() / name))
    if among <= len(corpus.systems):
        found, _, _ = post_edited_found(corpus, among, 0.2, PLANTED, excluded=True)
        assert found >= MIN_FOUND


#: The highest rate at which texts are said not to correspond, or to be foreign, in random samples.
CONTENT_RATE, SAMPLES = 0.01, 100


@pytest.mark.parametrize("name", SETS)
@pytest.mark.parametrize("segments", SAMPLE_SEGMENTS)
@pytest.mark.parametrize("damage", DAMAGE)
def test_bad_translations_are_rarely_said_not_to_correspond(name: str, segments: int, damage: float) -> None:
    corpus = human_set(real_set(evaluation_data() / name))
    assert content_false_alarms(corpus, segments, damage, SAMPLES) <= CONTENT_RATE


@pytest.mark.parametrize("name", SETS)
@pytest.mark.parametrize("among", AMONG)
def test_human_references_are_rarely_called_close_to_one_of_a_few_systems(name: str, among: int) -> None:
    corpus = human_set(real_set(evaluation_data() / name))
    if among <= len(corpus.systems):
        assert few_systems_false_alarms(corpus, among, HALVES) <= CLOSE_RATE
