"""What each warning obstructs: warnings by what statements rest on, by kinds of statements."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import get_args

import numpy as np
import pytest

from bleu_core.dataset import Corpus
from bleu_core.diagnostics import (
    OBSTRUCTS,
    WARNINGS,
    Assessment,
    DiagnosticInput,
    Finding,
    assess,
    decoded,
    find_warning,
    obstructing,
    obstruction,
)
from bleu_core.inference import Comparisons, compare, gate, ranked_pairs, systems_beaten, tiers
from bleu_core.results.envelope import assessment_report
from bleu_core.results.headlines import HeadlineClass, headline
from bleu_core.results.significance import caption, gate_junit, gate_line, pair_results
from bleu_core.scoring import Basis, BleuEvaluation, ScoredCorpus, basis_of, evaluate

BASES: tuple[Basis, ...] = get_args(Basis)

SEGMENTS = 40


def texts(segments: int = SEGMENTS, *, equal: int = 2) -> Corpus:
    """Three systems, and a reference of which every so many segments equal the output of A."""
    words = [[f"w{(17 * i + 31 * j) % 997}" for j in range(12)] for i in range(segments)]
    outputs = {
        "A": tuple(" ".join(line if not i % equal else ["x", *line]) for i, line in enumerate(words)),
        "B": tuple(" ".join(["y", *line[: 3 + i % 4], "z", *line[6:]]) for i, line in enumerate(words)),
        "C": tuple(" ".join(["q", *line[: 2 + i % 5], "r", *line[7:]]) for i, line in enumerate(words)),
    }
    return Corpus(outputs, {"ref": tuple(" ".join(line) for line in words)})


@pytest.fixture(scope="module")
def evaluation() -> BleuEvaluation:
    return evaluate(texts())


def alarm(key: str) -> Finding:
    return Finding(key=key, message=f"{key} was found.", strength="alarm", advice="Repair it.", obstacle=f"{key} is so")


def compared(evaluation: BleuEvaluation, basis: Basis, key: str) -> tuple[Comparisons, ScoredCorpus, str]:
    """The systems compared by a metric with scores that rest on something, while a warning has an alarm."""
    scored = ScoredCorpus.of_bleu(evaluation)
    scored = replace(scored, metric=replace(scored.metric, basis=basis))
    comparisons = compare(scored.statistics, ranked_pairs(scored.statistics), resamples=200)
    obstacle = Assessment(findings=(alarm(key),)).obstacle("bleu", basis, evaluation.systems, evaluation.references)
    return replace(comparisons, obstacle=obstacle), scored, obstacle


Statement = Callable[[Comparisons, ScoredCorpus, BleuEvaluation, Finding], bool]


def _first_sentence(comparisons: Comparisons, scored: ScoredCorpus, evaluation: BleuEvaluation, found: Finding) -> bool:
    scores = dict(zip(comparisons.systems, comparisons.scores.tolist(), strict=True))
    made = headline(scores, scored.metric, comparisons, findings=[found], references=evaluation.references)
    return made.class_ != HeadlineClass.NOT_COMPARABLE and "significantly" in " ".join(made.sentences)


def _gate(_: Comparisons, scored: ScoredCorpus, evaluation: BleuEvaluation, found: Finding) -> bool:
    two = replace(scored, statistics=scored.statistics.select(["B", "A"]))
    stopped = obstruction([found], scored.metric.basis, evaluation.systems)
    outcome = gate(two.statistics, resamples=200)
    junit = gate_junit(outcome, two, failed=False, alarm=stopped)
    assert ('errors="1"' in junit) == (stopped is not None)
    return gate_line(outcome, two, stopped).startswith(("pass", "fail"))


#: Kind of statement -> whether it is made: whether a difference is called significant, or a result has a status.
STATEMENTS: dict[str, Statement] = {
    "first sentence": _first_sentence,
    "gate": _gate,
    "tiers": lambda comparisons, *_: len(tiers(comparisons)) > 1,
    "numbers of systems beaten": lambda comparisons, *_: any(systems_beaten(comparisons).values()),
    "verdicts of pairs": lambda comparisons, *_: (
        {each.verdict for each in pair_results(comparisons)} != {"not comparable"}
    ),
    "tests": lambda comparisons, *_: comparisons.tested,
    "caption": lambda comparisons, scored, evaluation, _: (
        not caption(comparisons, scored, evaluation).startswith("Not comparable: ")
    ),
}


@pytest.mark.parametrize("statement", STATEMENTS)
@pytest.mark.parametrize("basis", BASES)
@pytest.mark.parametrize("key", OBSTRUCTS)
def test_an_alarm_obstructs_what_the_register_says(
    evaluation: BleuEvaluation, key: str, basis: Basis, statement: str
) -> None:
    comparisons, scored, obstacle = compared(evaluation, basis, key)
    obstructed = basis in OBSTRUCTS[key]
    assert bool(obstacle) == obstructed
    assert STATEMENTS[statement](comparisons, scored, evaluation, alarm(key)) != obstructed


@pytest.mark.parametrize("key", [key for key in WARNINGS if key not in OBSTRUCTS])
def test_other_alarms_obstruct_nothing(key: str) -> None:
    assert all(obstruction([alarm(key)], basis, ("A",)) is None for basis in BASES)
    assert find_warning(key).obstructs == ()


def test_the_register_names_warnings_and_what_they_obstruct() -> None:
    assert {*OBSTRUCTS} <= {*WARNINGS}
    assert all(set(obstructed) <= set(BASES) and obstructed for obstructed in OBSTRUCTS.values())
    assert {*obstructing(*BASES), *obstructing()} == {*WARNINGS}


@pytest.mark.parametrize("strength", ["note", "caution"])
def test_only_alarms_obstruct(strength: str) -> None:
    weak = replace(alarm("close-reference"), strength=strength)
    assert obstruction([weak], "references", ("A",)) is None


def test_an_alarm_about_others_obstructs_nothing() -> None:
    about = replace(alarm("close-reference"), systems=("A",), references=("ref",), metrics=("bleu",))
    assert obstruction([about], "references", ("A", "B"), ("ref",), metric="bleu") == about
    assert obstruction([about], "references", ("B",), ("ref",), metric="bleu") is None
    assert obstruction([about], "references", ("A",), ("other",), metric="bleu") is None
    assert obstruction([about], "references", ("A",), ("ref",), metric="chrf2") is None
    assert obstruction([about], "raw ratings", ("A",), ("ref",)) is None


def test_texts_are_assessed_for_what_is_stated(evaluation: BleuEvaluation) -> None:
    data = DiagnosticInput(texts(), evaluation)
    by_bleu = assess(data, {"bleu": "references"})
    assert [finding.key for finding in by_bleu.open] == ["close-reference"]
    assert assessment_report(by_bleu).status == "not comparable"
    by_ratings = assess(data, {"human": "raw ratings"})
    assert (by_ratings.open, assessment_report(by_ratings).status) == ((), "comparable")
    accepted = by_bleu.accepting("close-reference")
    assert (accepted.open, assessment_report(accepted).status) == ((), "comparable")
    assert assessment_report(accepted).obstructions[0].accepted


def test_many_texts_are_assessed_by_a_sample(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bleu_core.diagnostics.assessment.MAX_TEXTS", 3 * SEGMENTS)
    monkeypatch.setattr("bleu_core.diagnostics.assessment.MIN_SEGMENTS", 1)
    corpus = texts(4 * SEGMENTS + 1, equal=3)
    found = assess(DiagnosticInput(corpus, evaluate(corpus)), {"bleu": "references"})
    assert found.segments == len(range(0, corpus.segments, 5))
    assert [finding.key for finding in found.open] == ["close-reference"]
    for number in found.open[0].segments:  # those of the whole text
        assert corpus.systems["A"][number - 1] == corpus.references["ref"][number - 1]


def test_an_assessment_is_read_as_it_was_written(evaluation: BleuEvaluation) -> None:
    made = assess(DiagnosticInput(texts(), evaluation), {"bleu": "references"})
    without_segments = tuple(replace(finding, segments=()) for finding in made.findings)
    assert decoded([made.encoded]) == replace(made, findings=without_segments)
    assert decoded([made.encoded, made.encoded]).findings == without_segments
    assert decoded([made.encoded, ""]) == Assessment()


@pytest.mark.parametrize(
    "text",
    ["x", "{}", "[]", "1", '{"assessed": 1, "findings": [], "segments": null}', '{"assessed": [], "findings": [1]}'],
)
def test_a_damaged_assessment_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="assessment"):
        decoded([text])


@pytest.mark.parametrize(
    ("name", "basis"),
    [
        ("COMET-22", "references"),
        ("XCOMET-Ensemble", "references"),
        ("MetricX-23", "references"),
        ("BLEURT-20", "references"),
        ("prismRef", "references"),
        ("mbr-metricx-qe", "texts"),
        ("MetricX-23-QE-b", "texts"),
        ("CometKiwi", "texts"),
        ("prismSrc", "texts"),
        ("KIWI-src", "texts"),
        ("GEMBA-MQM", "texts"),
        ("cometoid22-wmt22", "texts"),
        ("fluency", "unknown"),
        ("quality", "unknown"),
        ("letter", "unknown"),
    ],
)
def test_the_name_of_a_metric_says_what_it_rests_on(name: str, basis: Basis) -> None:
    assert basis_of(name) == basis


def test_no_warning_is_lost_by_the_search_for_alarms_alone(evaluation: BleuEvaluation) -> None:
    shifted = texts()
    moved = {**shifted.systems, "B": (*shifted.systems["B"][5:], *shifted.systems["B"][:5])}
    corpus = replace(shifted, systems=moved)
    data = DiagnosticInput(corpus, evaluate(corpus))
    for key in OBSTRUCTS:
        everything = [finding for finding in find_warning(key).find(data) if finding.strength == "alarm"]
        alarms = find_warning(key).find(replace(data, alarms_only=True))
        assert [each for each in alarms if each.strength == "alarm"] == everything
    assert np.isfinite(evaluation.scores.score).all()
