"""chrF and TER: sacreBLEU's statistics, scores, signatures and p-values, whatever is missing or empty."""

from __future__ import annotations

import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from nightly import nightly
from sacrebleu.metrics.chrf import CHRF
from sacrebleu.metrics.ter import TER
from sacrebleu.significance import PairedTest
from texts import HYPOTHESES, REFERENCE, SECOND, THIRD

import sample_data
from bleu_core.dataset import Corpus
from bleu_core.inference.resampling import bootstrap_scores
from bleu_core.processes import use_workers
from bleu_core.scoring import (
    BUILT_IN_METRICS,
    BleuSettings,
    ScoredCorpus,
    all_metrics,
    evaluate,
    find_metric,
    ngrams,
    score_metric,
)
from bleu_core.scoring.metrics import by_segment, ter

NAMES = ("chrf2", "chrf2++", "ter")
COLUMNS = {"chrf2": 3 * 6, "chrf2++": 3 * 8, "ter": 2}
FEW = 20  # segments of the sample data: TER takes its time


def lines(path: Path) -> tuple[str, ...]:
    return tuple(path.read_text(encoding="utf-8").split("\n")[:FEW])


SAMPLE = Corpus(
    {path.stem: lines(path) for path in sample_data.systems()},
    {path.stem: lines(path) for path in sample_data.references()[:2]},
)
CORPORA = {
    "sample": Corpus(
        {name: texts[:8] for name, texts in SAMPLE.systems.items()},
        {name: texts[:8] for name, texts in SAMPLE.references.items()},
    ),
    "one reference": Corpus({"S1": SAMPLE.systems["S1"]}, {"R1": SAMPLE.references["R1"]}),
    "odd lines": Corpus({"A": HYPOTHESES, "B": SECOND}, {"R": REFERENCE}),
    "absent references": Corpus({"A": HYPOTHESES, "B": SECOND}, {"T": THIRD, "R": REFERENCE, "Q": THIRD[::-1]}),
    "empty hypotheses": Corpus({"A": ("", " "), "B": ("a cat", "")}, {"R": ("the cat sat", "a dog")}),
    "empty references": Corpus({"A": ("a cat", "a dog"), "B": ("", "")}, {"R": ("", " ")}),
    "an empty reference among others": Corpus({"A": ("a cat", "")}, {"R": ("", "a"), "Q": ("the cat", "")}),
    "one segment": Corpus({"A": ("The cat sat on the mat.",), "B": ("A",)}, {"R": ("the cat sat on a mat.",)}),
}


def sacrebleu_metric(name: str, *, lowercase: bool = False) -> Any:
    return TER() if name == "ter" else CHRF(word_order=2 * (name == "chrf2++"), lowercase=lowercase)


def of(corpus: Corpus, name: str, *, lowercase: bool = False) -> ScoredCorpus:
    return score_metric(corpus, evaluate(corpus, BleuSettings(lowercase=lowercase)), name)


@cache
def of_sample(name: str) -> ScoredCorpus:
    return of(SAMPLE, name)


def streams(corpus: Corpus) -> list[list[str | None]]:
    return [list(texts) for texts in corpus.references.values()]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("corpus", CORPORA.values(), ids=CORPORA)
@pytest.mark.parametrize("lowercase", [False, True])
def test_scores_and_signature_are_sacrebleus(corpus: Corpus, name: str, *, lowercase: bool) -> None:
    found = of(corpus, name, lowercase=lowercase)
    scores = found.statistics.score(found.statistics.sums())
    for k, texts in enumerate(corpus.systems.values()):
        theirs = sacrebleu_metric(name, lowercase=lowercase)
        total = theirs.corpus_score(texts, streams(corpus))
        assert scores[k] == pytest.approx(total.score, rel=1e-12)
        assert found.label == total.name
        assert found.signature == theirs.get_signature().format(short=False)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("corpus", list(CORPORA.values())[1:], ids=list(CORPORA)[1:])  # the sample takes too long
def test_each_segments_statistics_and_score_are_sacrebleus(corpus: Corpus, name: str) -> None:
    table = of(corpus, name).statistics
    scores = table.score(table.values)
    for k, texts in enumerate(corpus.systems.values()):
        theirs = sacrebleu_metric(name)
        columns = theirs._extract_corpus_statistics(texts, streams(corpus))  # noqa: SLF001
        assert table.values[k].tolist() == columns
        expected = [
            theirs.sentence_score(text, list(translations)).score
            for text, *translations in zip(texts, *streams(corpus), strict=True)
        ]
        np.testing.assert_allclose(scores[k], expected, rtol=1e-12)


def test_counts_are_integers_and_only_a_mean_reference_length_is_not() -> None:
    for name in NAMES:
        table = of_sample(name).statistics.values
        assert table.shape == (5, FEW, COLUMNS[name])
        assert table.dtype == (np.float64 if name == "ter" else np.int64)
    edits, lengths = np.moveaxis(of_sample("ter").statistics.values, -1, 0)
    assert (edits % 1 == 0).all()
    assert set(np.unique(lengths % 1)) == {0, 0.5}  # of two references


def test_an_absent_reference_is_none_and_an_empty_one_has_length_zero() -> None:
    def ter_columns(other: str | None) -> list[float]:
        corpus = Corpus({"A": ("a b x",)}, {"R": ("a b c d",), "Q": (other,)})
        return of(corpus, "ter").statistics.values[0, 0].tolist()

    assert ter_columns(None) == [2, 4]  # a substitution and an insertion, over 4 words
    assert ter_columns("") == [2, 2]  # 3 deletions would be more; over the mean of 4 and 0 words


def test_chrf_takes_the_first_of_equally_good_references() -> None:
    corpus = Corpus({"A": ("x",)}, {"R": ("ab",), "Q": ("abc",)})
    for references, length in ((("R", "Q"), 2), (("Q", "R"), 3)):
        found = score_metric(corpus, evaluate(corpus, references=references), "chrf2")
        assert found.statistics.values[0, 0, :3].tolist() == [1, length, 0]


#: As often zero as not, so that orders, lengths and whole rows are empty; a mean length need not be whole.
COUNTS = st.just(0) | st.integers(1, 4) | st.integers(0, 10**7)
LENGTHS = COUNTS | st.floats(0.25, 1e7)


@pytest.mark.parametrize("name", NAMES)
@given(data=st.data())
def test_the_score_of_any_sums_is_sacrebleus_to_the_last_digit(name: str, data: st.DataObject) -> None:
    row = st.tuples(COUNTS, LENGTHS) if name == "ter" else st.tuples(*[COUNTS] * COLUMNS[name])
    rows = [*data.draw(st.lists(row, max_size=5)), (0,) * COLUMNS[name]]
    expected = np.array([sacrebleu_metric(name)._compute_score_from_stats(row).score for row in rows])  # noqa: SLF001
    score = of(CORPORA["one segment"], name).statistics.score
    for shape in ((-1,), (-1, 1, 1), (1, 1, -1)):
        found = score(np.array(rows).reshape(*shape, COLUMNS[name]))
        np.testing.assert_array_equal(found, expected.reshape(shape), strict=True)
    assert score(np.array(rows[0])) == expected[0]


@pytest.mark.parametrize("name", NAMES)
def test_a_block_is_scored_as_its_segments_alone(name: str) -> None:
    table = of_sample(name).statistics
    labels = np.arange(FEW) % 3
    found = table.score(table.sums_by_label(labels))
    assert found.shape == (5, 3)
    for label in range(3):
        part = Corpus(
            {system: texts[label::3] for system, texts in SAMPLE.systems.items()},
            {reference: texts[label::3] for reference, texts in SAMPLE.references.items()},
        )
        alone = of(part, name).statistics
        np.testing.assert_allclose(found[:, label], alone.score(alone.sums()), rtol=1e-12)


@pytest.mark.parametrize("name", NAMES)
def test_systems_and_references_are_those_in_use(name: str) -> None:
    evaluation = evaluate(SAMPLE, references=["R2"]).select(["H1", "S1"])
    found = score_metric(SAMPLE, evaluation, name)
    expected = [
        sacrebleu_metric(name).corpus_score(SAMPLE.systems[system], [SAMPLE.references["R2"]]).score
        for system in ("H1", "S1")
    ]
    assert found.statistics.systems == ("H1", "S1")
    np.testing.assert_allclose(found.statistics.score(found.statistics.sums()), expected, rtol=1e-12)


LABELS = {"bleu": "BLEU", "chrf2": "chrF2", "chrf2++": "chrF2++", "ter": "TER", "wer": "WER"}


def test_every_metric_has_a_name_for_people_and_lower_is_better_in_ter_and_wer_only() -> None:
    assert tuple(all_metrics()) == tuple(BUILT_IN_METRICS)
    for name, label in LABELS.items():
        found = of(CORPORA["one segment"], name)
        assert (found.name, found.label, found.statistics.higher_is_better) == (name, label, name not in ("ter", "wer"))


def test_a_better_translation_scores_in_the_direction_that_its_metric_declares() -> None:
    reference = "the cat sat on the mat and looked at the dog"
    corpus = Corpus({"good": (reference[:-4] + " fox",), "bad": ("x the y dog",)}, {"R": (reference,)})
    for name, declared in all_metrics().items():
        higher = declared.higher_is_better
        table = of(corpus, name).statistics
        good, bad = table.score(table.sums())
        assert (good > bad) == higher, name
        assert table.higher_is_better == higher


def test_bleu_is_there_already() -> None:
    evaluation = evaluate(SAMPLE)
    found = score_metric(
        SAMPLE, evaluation, "bleu", progress=lambda _done, _total: pytest.fail("nothing is to be done")
    )
    assert found.statistics is evaluation.statistics
    assert found.signature == evaluation.signature


def test_an_evaluation_of_another_corpus_is_refused() -> None:
    with pytest.raises(ValueError, match="expected"):
        score_metric(SAMPLE, evaluate(CORPORA["one segment"]), "chrf2")


@pytest.mark.parametrize("name", NAMES)
def test_progress_reaches_the_total(name: str) -> None:
    told: list[tuple[int, int]] = []
    score_metric(SAMPLE, evaluate(SAMPLE), name, progress=lambda *counts: told.append(counts))
    of_ter = [(60, 100)] if name == "ter" else []  # 12 segments of 5 systems are about 64 hypotheses
    assert told == [*of_ter, (100, 100)]


class StoppedError(Exception):
    """What a caller raises."""


@pytest.mark.parametrize("name", NAMES)
def test_progress_can_end_the_work(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ngrams, "CHUNK_LINES", 12)
    told: list[int] = []

    def stop(done: int, _total: int) -> None:
        told.append(done)
        raise StoppedError

    with pytest.raises(StoppedError):
        score_metric(SAMPLE, evaluate(SAMPLE), name, progress=stop)
    assert told == [60]


def test_nothing_is_computed_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    prepared = counted_calls(monkeypatch, ter, "NumberedReference")
    compared = counted_calls(monkeypatch, ter, "fewest_edits")
    texts = ("a b", "c d", "e f")
    of(Corpus({"A": texts, "B": texts, "C": ("a b", "x", "y")}, {"R": texts}), "ter")
    assert len(prepared) == 3
    assert len(compared) == 5


def counted_calls(monkeypatch: pytest.MonkeyPatch, owner: object, method: str) -> list[None]:
    """A list that grows by one with each call."""
    calls: list[None] = []
    original = getattr(owner, method)

    def counting(*arguments: Any) -> Any:
        calls.append(None)
        return original(*arguments)

    monkeypatch.setattr(owner, method, counting)
    return calls


def test_sacrebleu_is_loaded_when_first_needed() -> None:
    code = "import sys, bleu_core.scoring as s; s.all_metrics(); sys.exit('sacrebleu' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def sacrebleu_test(name: str, kind: str) -> list[Any]:
    """What sacreBLEU finds, a system each; the first system is the baseline."""
    named: Any = [(system, list(texts)) for system, texts in SAMPLE.systems.items()]
    references: Any = streams(SAMPLE)
    test = PairedTest(named, {"": sacrebleu_metric(name)}, references, test_type=kind, n_samples=200)
    return list(test()[1][find_metric(name).label])


@pytest.mark.parametrize("name", ["chrf2", *nightly(["chrf2++", "ter"])])
def test_bootstrap_p_values_are_sacrebleus(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    # The rule is that of test_resampling. sacreBLEU computes here in float32, which decides only near ties.
    monkeypatch.setenv("SACREBLEU_SEED", "12345")
    theirs = sacrebleu_test(name, "bs")
    table = of_sample(name).statistics
    observed, drawn = table.score(table.sums()), bootstrap_scores(table, 200)
    assert drawn.shape == (5, 200)
    for k in range(1, 5):
        deltas = np.abs(drawn[k] - drawn[0])
        beyond = (deltas - deltas.mean() > abs(observed[k] - observed[0])).sum()
        assert (beyond + 1) / 201 == theirs[k].p_value
        assert observed[k] == pytest.approx(theirs[k].score, rel=1e-12)


@pytest.mark.parametrize("name", ["chrf2++", *nightly(["chrf2", "ter"])])
def test_randomisation_p_values_are_sacrebleus(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SACREBLEU_SEED", "12345")
    theirs = sacrebleu_test(name, "ar")
    table = of_sample(name).statistics
    own, sums = table.values, table.sums()
    swaps = np.random.default_rng(12345).integers(2, size=(200, FEW), dtype=bool)
    for k in range(1, 5):
        moved = swaps @ (own[0] - own[k])
        shuffled = np.abs(table.score(sums[k] + moved) - table.score(sums[0] - moved))
        beyond = (shuffled > abs(table.score(sums[k]) - table.score(sums[0]))).sum()
        assert (beyond + 1) / 201 == theirs[k].p_value


def test_ter_counted_in_processes_is_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    evaluation = evaluate(SAMPLE)
    expected = score_metric(SAMPLE, evaluation, "ter").statistics.values
    told: list[tuple[int, int]] = []
    monkeypatch.setattr(by_segment, "BATCH_HYPOTHESES", 3 * len(SAMPLE.systems))
    with use_workers(2):
        found = score_metric(SAMPLE, evaluation, "ter", progress=lambda *done: told.append(done)).statistics.values
    assert np.array_equal(found, expected)
    assert told[-1] == (len(SAMPLE.systems) * FEW,) * 2
