"""Evidence against headlines: judges, and a second metric, that order systems the other way round."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from headlines import CASES, Case
from judges.rosters import judgments_of

from bleu_core.inference import Comparisons
from bleu_core.judges import Adjustment, HumanRanking, human_ranking
from bleu_core.results.evidence import (
    MAX_DISAGREEMENTS,
    claims_differences,
    judges_against,
    metrics_against,
    ordered_pairs,
    orders_otherwise,
    with_evidence,
)
from bleu_core.results.headlines import HeadlineClass
from bleu_core.scoring import ScoredCorpus, SegmentStatistics, find_metric

NAMES = ("Alpha", "Beta", "Gamma")


def case(name: str) -> Case:
    (found,) = [case for case in CASES if case.name == name]
    return found


LEADER = case("a leader")


def comparisons(of: Case, metric: str = "bleu") -> Comparisons:
    made = of.comparisons(metric)
    assert made is not None
    return made


def ranked(better: dict[str, float], *, adjustment: Adjustment = "auto", confounded: str = "") -> HumanRanking:
    """A ranking of systems that are better by so much; a severe judge rated 90% of a confounded system."""
    generator = np.random.default_rng(3)
    rows: list[tuple[int, str, str, float]] = []
    for segment in range(1, 201):
        judges = generator.permutation(3).tolist()
        if confounded and generator.random() < 0.85:
            place = NAMES.index(confounded)
            judges = [j for j in judges if j]
            judges.insert(place, 0)
        rows += [
            (segment, name, f"J{judge}", better.get(name, 0.0) - 4 * (judge == 0) + float(generator.normal()))
            for name, judge in zip(NAMES, judges, strict=True)
        ]
    return human_ranking(judgments_of(rows), adjustment=adjustment)


@pytest.mark.parametrize("metric", ["bleu", "ter"])
@pytest.mark.parametrize("of", CASES, ids=lambda case: case.name)
def test_headlines_order_the_pairs_that_they_name(of: Case, metric: str) -> None:
    made, tested = of.made(metric), of.comparisons(metric)
    pairs = () if tested is None else ordered_pairs(made, tested)
    scores = of.scores_of(metric)
    sign = 1 if find_metric(metric).higher_is_better else -1
    assert all(sign * scores[first] >= sign * scores[other] for first, other in pairs if scores[other] == scores[other])
    orders = {HeadlineClass.LEADER, HeadlineClass.LEADERS, HeadlineClass.TIE, HeadlineClass.BASELINE}
    assert not pairs or made.class_ in orders
    if made.class_ in (HeadlineClass.LEADER, HeadlineClass.LEADERS):
        assert {other for _, other in pairs} == set(scores) - {made.systems[0]}


def test_judges_who_rate_the_leader_lower_are_named_with_means_and_p() -> None:
    tested = comparisons(LEADER)
    ranking = ranked({"Beta": 1.5}, adjustment="raw")
    sentence = judges_against(LEADER.made("bleu"), tested, ranking)
    assert sentence.startswith("Judges rate Alpha significantly lower than Beta (mean rating ")
    assert sentence.endswith("; p (Holm) < 0.001 over 2 pairs).")
    both = judges_against(LEADER.made("bleu"), tested, ranked({"Beta": 1.5, "Gamma": 1.5}, adjustment="raw"))
    assert both == ("Judges rate Alpha significantly lower than Beta, Gamma (p (Holm) at the 0.05 level over 2 pairs).")
    assert judges_against(LEADER.made("bleu"), tested, ranked({"Alpha": 1.5}, adjustment="raw")) == ""
    assert judges_against(LEADER.made("bleu"), tested, ranked({}, adjustment="raw")) == ""


def test_a_baseline_is_compared_with_the_systems_that_differ_from_it() -> None:
    against = case("others with a baseline")
    made, tested = against.made("bleu"), comparisons(against)
    assert made.class_ == HeadlineClass.BASELINE
    sentence = judges_against(made, tested, ranked({"Gamma": 2.0}, adjustment="raw"))
    assert "Judges rate Beta significantly lower than Gamma" in sentence


def test_confounded_judges_are_evidence_only_if_their_ratings_are_adjusted() -> None:
    tested, made = comparisons(LEADER), LEADER.made("bleu")
    raw = ranked({}, adjustment="raw", confounded="Alpha")
    assert raw.confounding.confounded
    assert raw.not_comparable
    assert judges_against(made, tested, raw) == ""
    assert judges_against(made, tested, ranked({}, confounded="Alpha")) == ""
    sentence = judges_against(made, tested, ranked({"Beta": 2.0}, confounded="Alpha"))
    assert "significantly lower than Beta (mean rating adjusted for judges " in sentence
    assert ", raw " in sentence


def test_systems_that_no_judge_connects_are_no_evidence() -> None:
    generator = np.random.default_rng(4)
    rows = [(s, name, f"J{name}", float(k + generator.normal())) for s in range(1, 61) for k, name in enumerate(NAMES)]
    ranking = human_ranking(judgments_of(rows))
    assert len(ranking.means.components) > 1
    assert ranking.not_comparable == ranking.reason == ranking.means.reason != ""
    assert {rank.tier for rank in ranking.ranks} == {None}
    assert judges_against(LEADER.made("bleu"), comparisons(LEADER), ranking) == ""


def turned(scores: dict[str, float]) -> tuple[Case, ScoredCorpus]:
    """A case with these scores by chrF2, and the systems under it."""
    values = np.array([[[score, 1.0]] for score in scores.values()])
    statistics = SegmentStatistics(
        tuple(scores), values, lambda sums: np.asarray(sums[..., 0] / sums[..., 1], np.float64)
    )
    return replace(LEADER, scores=scores), ScoredCorpus(find_metric("chrf2"), "", statistics)


def test_a_second_metric_that_orders_systems_otherwise_is_named_if_both_are_significant() -> None:
    tested, made = comparisons(LEADER), LEADER.made("bleu")
    assert claims_differences(made, tested)
    other, second = turned({"Alpha": 50.0, "Beta": 52.0, "Gamma": 40.0})
    assert orders_otherwise(made, tested, second)
    found = metrics_against(made, {"BLEU": tested, "chrF2": comparisons(other)})
    (sentence,) = [with_evidence(made, "", found).detail.removesuffix(f" {made.detail}")]
    assert sentence == "Alpha is significantly better than Beta by BLEU, and significantly worse by chrF2."
    not_significant = replace(other, p={("Alpha", "Beta"): 0.2})
    assert metrics_against(made, {"BLEU": tested, "chrF2": comparisons(not_significant)}) == ()
    assert with_evidence(made) == made


def test_pairs_that_a_headline_does_not_order_are_no_evidence_against_it() -> None:
    tested, made = comparisons(LEADER), LEADER.made("bleu")
    other, second = turned({"Alpha": 60.0, "Beta": 40.0, "Gamma": 52.0})
    assert not orders_otherwise(made, tested, second)
    assert metrics_against(made, {"BLEU": tested, "chrF2": comparisons(other)}) == ()


def test_many_disagreements_are_counted() -> None:
    names = [f"S{k}" for k in range(6)]
    scores = {name: 60.0 - k for k, name in enumerate(names)}
    first, second = replace(LEADER, scores=scores), replace(LEADER, scores=scores | {"S0": 10.0})
    found = metrics_against(first.made("bleu"), {"BLEU": comparisons(first), "chrF2": comparisons(second)})
    assert len(found) == 5
    detail = with_evidence(first.made("bleu"), "", found).detail
    assert detail.count("significantly worse by chrF2") == MAX_DISAGREEMENTS
    assert "These metrics disagree on 3 more pairs." in detail
