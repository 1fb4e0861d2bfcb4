"""From a corpus to counts, scores and a signature."""

from __future__ import annotations

import numpy as np
import pytest
import sacrebleu
from sacrebleu.metrics.bleu import BLEU

from bleu_core.dataset import Corpus
from bleu_core.errors import AlignmentError, SettingsError
from bleu_core.scoring import BleuSettings, evaluate
from bleu_core.scoring.bleu_score import Smoothing

TEXT = ("the cat sat on the mat", "a dog ran in the park")
OTHER = ("a cat sat on a mat", "the dog runs in the park")
CORPUS = Corpus({"A": TEXT, "B": OTHER}, {"R": OTHER, "Q": (TEXT[0], None)})
VERSION = f"version:{sacrebleu.__version__}"


@pytest.mark.parametrize("tokenizer", ["13a", "none", "intl", "char", "zh"])
@pytest.mark.parametrize("lowercase", [False, True])
@pytest.mark.parametrize(
    ("smoothing", "value"),
    [("exp", None), ("none", None), ("floor", None), ("floor", 0.25), ("add-k", None), ("add-k", 3.0)],
)
@pytest.mark.parametrize("effective", [None, True])
@pytest.mark.parametrize("references", [("R",), ("R", "Q")])
def test_the_signature_is_sacrebleus(
    tokenizer: str,
    smoothing: Smoothing,
    value: float | None,
    effective: bool | None,  # noqa: FBT001
    references: tuple[str, ...],
    *,
    lowercase: bool,
) -> None:
    settings = BleuSettings(
        tokenizer=tokenizer,
        lowercase=lowercase,
        smoothing=smoothing,
        smoothing_value=value,
        effective_order=effective,
    )
    metric = BLEU(
        tokenize=tokenizer,
        lowercase=lowercase,
        smooth_method=smoothing,
        smooth_value=value,
        effective_order=bool(effective),
        force=True,
    )
    streams = [CORPUS.references[name] for name in references]
    metric.corpus_score(TEXT, streams)  # pyright: ignore[reportArgumentType]
    assert evaluate(CORPUS, settings, references=references).signature == metric.get_signature().format()


@pytest.mark.parametrize(
    ("settings", "keys"),
    [
        (BleuSettings(max_order=2), "|order:2"),
        (BleuSettings(max_order=2, weights=(0.75, 0.25)), "|order:2|weights:0.75/0.25"),
        (BleuSettings(weights=(0.4, 0.3, 0.2, 0.1)), "|weights:0.4/0.3/0.2/0.1"),
        (BleuSettings(reference_length="shortest"), "|length:shortest"),
        (BleuSettings(max_order=1, reference_length="average"), "|order:1|length:average"),
    ],
)
def test_keys_beyond_sacrebleus_follow_its_signature(settings: BleuSettings, keys: str) -> None:
    plain = f"nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|{VERSION}"
    assert evaluate(CORPUS, settings, references=["R"]).signature == plain + keys


def test_two_different_settings_have_two_signatures() -> None:
    settings = [
        BleuSettings(),
        BleuSettings(lowercase=True),
        BleuSettings(tokenizer="none"),
        BleuSettings(max_order=3),
        BleuSettings(weights=(0.4, 0.3, 0.2, 0.1)),
        BleuSettings(smoothing="none"),
        BleuSettings(smoothing="floor"),
        BleuSettings(smoothing="floor", smoothing_value=0.5),
        BleuSettings(reference_length="shortest"),
        BleuSettings(effective_order=True),
    ]
    assert len({evaluate(CORPUS, s).signature for s in settings}) == len(settings)


def test_scores_are_in_the_corpus_order_of_systems() -> None:
    evaluation = evaluate(CORPUS, references=["R"])
    assert evaluation.systems == ("A", "B")
    assert evaluation.scores.score[1] == pytest.approx(100)
    assert evaluation.scores.score[0] < 100
    assert evaluation.segment_scores.score.shape == (2, 2)


def test_all_references_are_used_unless_some_are_chosen() -> None:
    assert evaluate(CORPUS).references == ("R", "Q")
    assert evaluate(CORPUS, references=["R"]).references == ("R",)


def test_choosing_references_equals_a_corpus_of_those() -> None:
    alone = Corpus(CORPUS.systems, {"R": OTHER})
    np.testing.assert_array_equal(evaluate(CORPUS, references=["R"]).scores.score, evaluate(alone).scores.score)


def test_an_unknown_reference_is_refused_with_the_known_ones() -> None:
    with pytest.raises(SettingsError, match="reference 'X' found, one of R, Q expected"):
        evaluate(CORPUS, references=["X"])


def test_a_segment_without_any_chosen_reference_is_refused() -> None:
    with pytest.raises(AlignmentError, match=r"segment 2 has none of the references in use \(Q\)"):
        evaluate(CORPUS, references=["Q"])


def test_no_system_and_no_reference_are_refused() -> None:
    with pytest.raises(AlignmentError, match="no system"):
        evaluate(Corpus({}, {"R": TEXT}))
    with pytest.raises(AlignmentError, match="no reference"):
        evaluate(Corpus({"A": TEXT}, {}))
    with pytest.raises(AlignmentError, match="no reference"):
        evaluate(CORPUS, references=[])


def test_selected_systems_keep_their_scores() -> None:
    evaluation = evaluate(CORPUS)
    selected = evaluation.select(["B"])
    assert selected.systems == ("B",)
    assert selected.scores.score[0] == evaluation.scores.score[1]
    assert selected.signature == evaluation.signature


@pytest.mark.parametrize(
    "settings",
    [
        BleuSettings(max_order=1),
        BleuSettings(max_order=6, smoothing="floor"),
        BleuSettings(weights=(0.4, 0.3, 0.2, 0.1)),
        BleuSettings(reference_length="average"),
        BleuSettings(effective_order=True),
    ],
)
def test_what_is_chosen_after_counting_needs_no_new_count(settings: BleuSettings) -> None:
    counted = evaluate(CORPUS, counted_order=6)
    again = evaluate(CORPUS, settings)
    under = counted.with_settings(settings)
    assert under.stats is counted.stats
    assert under.signature == again.signature
    np.testing.assert_array_equal(under.scores.score, again.scores.score)


@pytest.mark.parametrize(
    "settings", [BleuSettings(tokenizer="none"), BleuSettings(lowercase=True), BleuSettings(max_order=5)]
)
def test_what_is_counted_cannot_be_chosen_afterwards(settings: BleuSettings) -> None:
    with pytest.raises(ValueError, match="needs other n-gram counts"):
        evaluate(CORPUS).with_settings(settings)


def test_a_higher_counted_order_changes_no_score() -> None:
    np.testing.assert_array_equal(evaluate(CORPUS, counted_order=9).scores.score, evaluate(CORPUS).scores.score)


def test_the_digest_is_the_corpus() -> None:
    assert evaluate(CORPUS).digest == CORPUS.digest


def test_progress_is_told() -> None:
    told: list[tuple[int, int]] = []
    corpus = Corpus({"A": ("x",) * 5000}, {"R": ("x",) * 5000})
    evaluate(corpus, progress=lambda *done: told.append(done))
    assert told
    assert {total for _, total in told} == {5000}


def test_every_public_name_exists() -> None:
    import bleu_core

    assert all(hasattr(bleu_core, name) for name in dir(bleu_core))
