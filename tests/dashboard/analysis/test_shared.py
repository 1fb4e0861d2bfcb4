"""Numbers that sessions share: the same arrays under each session's own names, and equal to those of the core."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from bleu_core.dataset import Corpus
from bleu_core.inference import RESAMPLES, SEED, score_intervals
from bleu_core.scoring import BleuEvaluation, BleuSettings, ScoredCorpus, evaluate, find_metric, score_metric
from dashboard import session
from dashboard.analysis import shared
from dashboard.analysis.shared import Sums
from dashboard.session import work
from dashboard.session.cache import Results

SETTINGS = BleuSettings().counting_up_to(4)
#: Six segments, as many as intervals need at least.
MORE = ("it rains a lot", "he went home", "they ate bread", "we saw it all")
OUTPUTS = [
    ("the cat sat on a mat", "a dog ran", *MORE),
    ("a cat sat on the mat", "the dogs ran", *MORE[::-1]),
    ("cat", "the dog ran off", "it rains", "he went", "they ate it", "we saw all of it"),
]
TRUTHS = [("the cat sat on the mat", "the dog ran", *MORE), ("a cat sat there", None, *MORE[:3], "we saw everything")]
DOCUMENTS = tuple("abcdef")


def corpus(of: str, *, turned: bool = False) -> Corpus:
    """The same texts under other names, in their order or the other way round."""
    step = -1 if turned else 1
    systems = {f"{of}{k}": text for k, text in enumerate(OUTPUTS[::step])}
    return Corpus(systems, {f"{of}-ref{k}": text for k, text in enumerate(TRUTHS)}, documents=DOCUMENTS)


@pytest.fixture(autouse=True)
def no_results(monkeypatch: pytest.MonkeyPatch) -> None:
    """Begin without results."""
    monkeypatch.setattr(work, "RESULTS", Results(10**7, 600))


def counted(texts: Corpus) -> BleuEvaluation:
    """The counts in a session of their own."""
    return shared.evaluate_texts(object(), texts, tuple(texts.references), SETTINGS)


def scored(texts: Corpus, key: str) -> ScoredCorpus:
    """A metric's scores in a session of their own."""
    return shared.compute_metric(object(), texts, counted(texts), find_metric(key))


def sums(texts: Corpus, settings: BleuSettings = SETTINGS) -> Sums:
    """The sums of BLEU in a session of their own."""
    evaluation = counted(texts).with_settings(settings)
    scored = ScoredCorpus.of_bleu(evaluation)
    return Sums(scored=scored, evaluation=evaluation, documents=DOCUMENTS, scope=object())


def test_counts_are_shared_by_position_and_have_each_sessions_names() -> None:
    one, other, turned = counted(corpus("a")), counted(corpus("b")), counted(corpus("a", turned=True))
    assert one.stats.matches is other.stats.matches
    assert (one.systems, other.systems) == (("a0", "a1", "a2"), ("b0", "b1", "b2"))
    assert (one.references, other.references) == (("a-ref0", "a-ref1"), ("b-ref0", "b-ref1"))
    for found, texts in ((one, corpus("a")), (other, corpus("b")), (turned, corpus("a", turned=True))):
        expected = evaluate(texts, SETTINGS)
        assert (found.digest, found.systems, found.settings) == (expected.digest, expected.systems, expected.settings)
        np.testing.assert_array_equal(found.stats.matches, expected.stats.matches)
        np.testing.assert_array_equal(found.stats.reference_lengths, expected.stats.reference_lengths)


@pytest.mark.parametrize("key", ["chrf2", "chrf2++", "ter", "wer"])
def test_sums_of_a_metric_are_shared_and_score_as_the_core_scores(key: str) -> None:
    one, other = scored(corpus("a"), key), scored(corpus("b"), key)
    assert one.statistics.values is other.statistics.values
    expected = score_metric(corpus("b"), evaluate(corpus("b"), SETTINGS), key)
    assert (other.statistics.systems, other.signature) == (expected.statistics.systems, expected.signature)
    assert other.statistics.higher_is_better == expected.statistics.higher_is_better
    np.testing.assert_array_equal(other.scores, expected.scores)


def test_the_sums_of_a_metric_of_another_package_are_not_shared(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shared, "BUILT_IN_METRICS", {})
    one, other = scored(corpus("a"), "chrf2"), scored(corpus("b"), "chrf2")
    assert one.statistics.values is not other.statistics.values
    np.testing.assert_array_equal(one.scores, other.scores)


@pytest.mark.parametrize("by_documents", [False, True])
def test_what_is_drawn_is_drawn_once_for_equal_sums(by_documents: bool, drawn: list[int]) -> None:  # noqa: FBT001
    for of in ("a", "b"):
        found = sums(corpus(of))
        scores = shared.resampled_scores(found.scope, found, RESAMPLES, SEED, by_documents=by_documents)
        units = shared.intervals_of_units(found.scope, found, SEED, by_documents=by_documents)
        intervals = shared.intervals_of_scores(found.scope, found)
        assert scores.shape == (3, RESAMPLES)
        assert tuple(units) == tuple(intervals.scores) == tuple(intervals.precisions) == found.table.systems
        assert intervals == score_intervals(evaluate(corpus(of), SETTINGS))
    assert len(drawn) == 3
    for other, seed in ((sums(corpus("a")), SEED + 1), (sums(corpus("a"), BleuSettings(smoothing="none")), SEED)):
        shared.resampled_scores(other.scope, other, RESAMPLES, seed, by_documents=by_documents)
    assert len(drawn) == 5


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """As many elements as were drawn."""
    draws: list[int] = []

    def noted(draw: Callable[..., object]) -> Callable[..., object]:
        def call(*arguments: object, **more: object) -> object:
            draws.append(1)
            return draw(*arguments, **more)

        return call

    for name in ("bootstrap_scores", "metric_intervals", "score_intervals"):
        monkeypatch.setattr(shared, name, noted(vars(shared)[name]))
    return draws


@pytest.mark.parametrize(
    ("one", "other"),
    [(("ab", "c"), ("a", "bc")), (("a", None), ("a", "")), (("a", "b"), ("b", "a")), (("a",), ("a", ""))],
    ids=["borders", "absent and empty", "order", "number"],
)
def test_different_texts_have_different_digests(one: tuple[str | None, ...], other: tuple[str | None, ...]) -> None:
    digest = shared._digest  # noqa: SLF001 # pyright: ignore[reportPrivateUsage]
    assert digest(one) != digest(other)
    assert len(digest(one)) == 16


def test_counts_with_names_in_them_cannot_be_shared() -> None:
    stats = counted(corpus("a")).stats
    with pytest.raises(TypeError, match="numbers expected"):
        session.shared("Counting", "segments")(lambda _: stats)()


def test_sums_are_known_by_their_names_in_a_session_and_by_position_to_all() -> None:
    one, other = sums(corpus("a")), sums(corpus("b"))
    assert one.fingerprint != other.fingerprint
    assert one.fingerprint_by_position == other.fingerprint_by_position
    assert one.select(["a1"]).fingerprint != one.fingerprint
    assert one.select(["a1"]).fingerprint_by_position == other.select(["b1"]).fingerprint_by_position
