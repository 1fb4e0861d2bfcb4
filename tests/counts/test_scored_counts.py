"""Scores of counts: those of the texts that were counted."""

from __future__ import annotations

from dataclasses import fields, replace

import numpy as np
import pytest

import bleu_core as bc
import sample_data
from bleu_core import BleuSettings
from bleu_core.counts import (
    Bundling,
    Counts,
    Texts,
    count_texts,
    decode_counts,
    describe_counts,
    encode_counts,
    oddities_of,
    score_counts,
)
from bleu_core.counts.lines import Oddities
from bleu_core.dataset import Corpus
from bleu_core.errors import SettingsError
from bleu_core.scoring import BleuEvaluation, Counting

SETTINGS = [
    BleuSettings(),
    BleuSettings(smoothing="floor", max_order=2),
    BleuSettings(reference_length="shortest", weights=(0.4, 0.3, 0.2, 0.1)),
    BleuSettings(reference_length="average", effective_order=True),
]


@pytest.fixture(scope="module")
def corpus() -> Corpus:
    return bc.load(references=sample_data.references()[:3], systems=sample_data.systems()).corpus


def counts_of(corpus: Corpus, bundling: Bundling | None) -> Counts:
    texts = Texts(corpus.systems, corpus.references)
    return count_texts(texts, counting=Counting("13a", lowercase=False), bundling=bundling)


@pytest.mark.parametrize("settings", SETTINGS)
@pytest.mark.parametrize("bundling", [None, Bundling("lines", 40)])
def test_scores_are_those_of_the_texts(settings: BleuSettings, bundling: Bundling | None, corpus: Corpus) -> None:
    expected, found = bc.evaluate(corpus, settings), score_counts(counts_of(corpus, bundling), settings)
    assert found.systems == expected.systems
    assert found.references == expected.references
    assert found.segments == expected.segments
    assert found.signature == expected.signature
    assert found.scores.matches.tolist() == expected.scores.matches.tolist()
    np.testing.assert_allclose(found.scores.score, expected.scores.score, rtol=1e-14)
    np.testing.assert_allclose(found.statistics.score(found.statistics.sums()), expected.scores.score, rtol=1e-14)


@pytest.mark.parametrize("bundling", [None, Bundling("lines", 40)])
def test_some_systems_in_another_order(bundling: Bundling | None, corpus: Corpus) -> None:
    whole = score_counts(counts_of(corpus, bundling), BleuSettings())
    some = whole.select(["S3", "S1"])
    assert some.systems == ("S3", "S1")
    expected = bc.evaluate(corpus).select(["S3", "S1"])
    assert (some.signature, some.segments, some.references) == (expected.signature, 500, expected.references)
    for each in fields(some.scores):
        found, of_texts = getattr(some.scores, each.name), getattr(expected.scores, each.name)
        np.testing.assert_allclose(found, of_texts, rtol=1e-14, err_msg=each.name)


def test_only_counts_per_segment_have_segments(corpus: Corpus) -> None:
    assert isinstance(score_counts(counts_of(corpus, None), BleuSettings()), BleuEvaluation)
    bundled = score_counts(counts_of(corpus, Bundling("lines", 40)), BleuSettings())
    assert not isinstance(bundled, BleuEvaluation)
    assert bundled.statistics.bundled == bundled.segments == corpus.segments


def test_tokeniser_and_case_are_those_of_the_counts(corpus: Corpus) -> None:
    texts = Texts(corpus.systems, corpus.references)
    counts = count_texts(texts, counting=Counting("char", lowercase=True))
    found = score_counts(counts, BleuSettings(smoothing="add-k"))
    assert found.settings == BleuSettings(tokenizer="char", lowercase=True, smoothing="add-k")


def test_orders_that_were_not_counted_are_an_error(corpus: Corpus) -> None:
    with pytest.raises(SettingsError, match=r"order 5 is needed, but n-grams were counted up to order 4; count the"):
        score_counts(counts_of(corpus, None), BleuSettings(max_order=5))


def test_what_is_unusual_is_said() -> None:
    texts = Texts({"A": ["a b", "c d"]}, {"R": ["a b", "a"]})
    counts = count_texts(texts, counting=Counting("13a", lowercase=False))
    assert not oddities_of(counts)
    counts = replace(counts, oddities=(Oddities(1, {"U+200B": 2}), Oddities()))
    assert oddities_of(counts)[-1] == "A: 1 segment without text"
    assert all(sentence.startswith("A: ") for sentence in oddities_of(counts))
    other = replace(counts, counted=replace(counts.counted, signature="case:mixed|tok:13a|version:1.0.0"))
    assert oddities_of(other)[-1].startswith("the texts were counted with case:mixed|tok:13a|version:1.0.0, but the")


@pytest.mark.parametrize("bundling", [None, Bundling("lines", 40)])
def test_the_digest_is_of_all_counts(bundling: Bundling | None, corpus: Corpus) -> None:
    counts = counts_of(corpus, bundling)
    assert decode_counts(encode_counts(counts), "x").digest == counts.digest
    name = "matches" if bundling is None else "sums"
    array = getattr(counts.data, name).copy()
    array[0, 0, 1] += 1
    forged = replace(counts, data=replace(counts.data, **{name: array}))
    assert forged.digest != counts.digest


def test_counts_are_described() -> None:
    texts = Texts({"A": ["a b"] * 7}, {"R": ["a b"] * 7, "Q": ["a"] * 7})
    whole = count_texts(texts, counting=Counting("13a", lowercase=False))
    assert describe_counts(whole) == "7 segments, 2 references, counts per segment"
    part = replace(whole, range=type(whole.range)(2, 3))
    assert describe_counts(part) == "segments 3 to 5 of 7, 2 references, counts per segment"
    bundled = count_texts(texts, counting=Counting("13a", lowercase=False), bundling=Bundling("lines", 5000))
    assert describe_counts(bundled) == "7 segments, 2 references, sums in 5,000 bundles by lines"
