"""The status of a campaign: what it counts, what it shows, and what it says."""

from __future__ import annotations

import math
import resource
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from answered_campaigns import Given, add_answers, create, in_turn, people_scores
from campaigned import corpus, plan

from bleu_core.campaigns import (
    CampaignStatus,
    CampaignStore,
    Design,
    StoppingRule,
    campaign_status,
    status_sentences,
    status_tables,
)
from bleu_core.campaigns.two_way_random_effects import crossed_mean
from bleu_core.judges import compare_ratings, krippendorff_alpha
from bleu_core.results.encoding import to_json
from bleu_core.results.table import to_text

RULE = StoppingRule(width=0.3, looks=4)


def filled(
    path: Path, answered: float = 1, careless: tuple[int, ...] = (), **changes: Any
) -> tuple[Design, list[Given]]:
    """A campaign of 20 segments, 3 systems and 6 judges of whose items a share is answered."""
    settings: dict[str, Any] = {"segments": 20, "repeats": 0.1, "degraded": 0.1, "presentation": "side by side"}
    given = plan(systems=3, judges=6, **{**settings, "stopping": RULE, **changes})
    made = create(path, given, corpus(systems=3))
    answers = in_turn(made, people_scores(made, careless=careless))
    add_answers(path, answers[: round(answered * len(answers))])
    return made, answers


def status(path: Path) -> CampaignStatus:
    with CampaignStore(path) as store:
        return campaign_status(store)


def test_a_new_campaign_has_nothing_to_show(tmp_path: Path) -> None:
    filled(tmp_path / "c.db", 0)
    found = status(tmp_path / "c.db")
    assert (found.state, found.answered, found.ratings, found.expected) == ("open", 0, 0, 360)
    assert not found.means_shown
    assert not found.stop
    assert found.closest is None
    assert found.next_look == 90
    assert found.verdict == "Continue: the next interim analysis is after 90 ratings; 90 more are needed."
    assert found.alpha.krippendorff.reason == "no rating has been stored"
    assert {judge.reason for judge in found.judges} == {"nothing rated"}
    assert len(status_tables(found)) == 2
    assert all(map(to_text, status_tables(found)))


def test_numbers_are_those_of_the_store(tmp_path: Path) -> None:
    path = tmp_path / "c.db"
    made, answers = filled(path, 0.6)
    skipped = next(given for given in answers if made.judges[given[0]].slots[given[1]].kind == "first")
    add_answers(path, [(*skipped[:3], math.nan)])
    found = status(path)
    with CampaignStore(path) as store:
        first = [answer for answer in store.answers() if answer.kind == "first"]
        progress = store.progress()
        judgments = store.judgments()
    assert judgments is not None
    assert (found.answered, found.skipped, found.ratings) == (len(first), 1, len(first) - 1)
    assert found.share == len(first) / 360
    for judge, theirs in zip(found.judges, progress, strict=True):
        assert (judge.judge, judge.places, judge.rated, judge.skipped, judge.seconds) == (
            theirs.judge,
            theirs.slots,
            theirs.rated,
            theirs.skipped,
            theirs.seconds,
        )
    assert found.alpha.krippendorff.coefficient == krippendorff_alpha(judgments).coefficient


def test_repeats_and_checks_are_those_of_the_store(tmp_path: Path) -> None:
    path = tmp_path / "c.db"
    filled(path, presentation="single")
    found = {judge.judge: judge for judge in status(path).judges}
    with CampaignStore(path) as store:
        pairs, answers = store.checks(), store.answers()
    for name, judge in found.items():
        of = [(copy, whole) for copy, whole in pairs if copy.judge == name]
        assert judge.checks.count == len(of)
        assert judge.checks.lower == sum(
            copy.score < whole.score for copy, whole in of if copy.score is not None and whole.score is not None
        )
        own = [answer for answer in answers if answer.judge == name]
        before = {answer.item: answer.score for answer in own if answer.kind == "first"}
        again = [(before[a.item], a.score) for a in own if a.kind == "repeat"]
        apart = [abs(x - y) for x, y in again if x is not None and y is not None]
        assert judge.repeats.count == len(apart) > 0
        assert judge.repeats.difference == pytest.approx(sum(apart) / len(apart))
        assert judge.repeats.equal == pytest.approx(apart.count(0) / len(apart))


def test_means_and_differences_are_those_of_the_people_pages(tmp_path: Path) -> None:
    filled(tmp_path / "c.db")
    found = status(tmp_path / "c.db")
    with CampaignStore(tmp_path / "c.db") as store:
        judgments = store.judgments()
    assert judgments is not None
    theirs = compare_ratings(judgments.table, pairs="all")
    # Every judge has rated everything, so that means over ratings are means over segments.
    assert [mean.system for mean in found.means] == list(reversed(theirs.systems))
    assert [mean.mean for mean in found.means] == pytest.approx(list(reversed(theirs.means)))
    means = {(pair.better, pair.worse): pair.by_judge_and_segment.mean for pair in theirs.pairs}
    for difference in found.differences:
        assert difference.difference == pytest.approx(means[difference.system, difference.baseline])
    assert found.closest == found.differences[-1]
    assert (found.ratings_in_means, found.means_shown, found.stop) == (360, True, True)


def test_between_looks_means_are_those_of_the_newest_look(tmp_path: Path) -> None:
    path = tmp_path / "c.db"
    _, answers = filled(path, 0.35, stopping=StoppingRule(width=0.01, looks=4))
    found = status(path)
    assert (found.means_shown, found.ratings_in_means, found.next_look) == (True, 90, 180)
    add_answers(path, answers[round(0.35 * len(answers)) : round(0.4 * len(answers))])
    later = status(path)
    assert later.ratings > found.ratings
    assert (later.means, later.differences) == (found.means, found.differences)
    first = found.looks[0]
    assert found.closest is not None
    assert (first.system, first.width, first.stop) == (found.closest.system, found.closest.width, False)
    assert not found.stop


def test_the_width_rule_stops_at_the_first_look_that_is_narrow_enough(tmp_path: Path) -> None:
    filled(tmp_path / "c.db", stopping=StoppingRule(width=3, looks=3))
    found = status(tmp_path / "c.db")
    stops = [look for look in found.looks if look.stop]
    assert stops
    assert found.stop
    assert found.next_look is None
    assert found.verdict.startswith(
        f"Stop: interim analysis {stops[0].look}, after {stops[0].ratings} ratings, has an interval"
    )


def test_a_number_of_ratings_stops_the_campaign(tmp_path: Path) -> None:
    path = tmp_path / "c.db"
    _, answers = filled(path, 0.1, stopping=StoppingRule(ratings=100))
    assert status(path).verdict.startswith("Continue: the campaign ends after 100 ratings; ")
    assert not status(path).means_shown
    add_answers(path, answers[round(0.1 * len(answers)) : round(0.5 * len(answers))])
    found = status(path)
    assert (found.stop, found.means_shown, found.next_look) == (True, True, None)
    assert found.verdict == f"Stop: {found.ratings} ratings are stored."


def test_without_a_rule_means_are_shown_when_the_campaign_has_ended(tmp_path: Path) -> None:
    path = tmp_path / "c.db"
    filled(path, 0.5, stopping=StoppingRule())
    assert not status(path).means_shown
    with CampaignStore(path) as store:
        store.add_event("closed")
    found = status(path)
    assert (found.means_shown, found.stop, found.next_look) == (True, False, None)
    assert found.verdict == "The campaign is closed; the stopping rule has not ended it."


def test_skips_do_not_keep_the_last_look_from_being_made(tmp_path: Path) -> None:
    path = tmp_path / "c.db"
    _, answers = filled(path, 0)
    add_answers(path, [(*given[:3], math.nan if n % 10 == 0 else given[3]) for n, given in enumerate(answers)])
    found = status(path)
    assert found.answered == found.expected > found.ratings
    assert found.looks[-1].made
    assert found.stop


def test_excluded_judges_are_left_out_of_means_and_kept_among_the_judges(tmp_path: Path) -> None:
    path = tmp_path / "c.db"
    filled(path, careless=(2,), presentation="single")
    before = status(path)
    assert [judge.judge for judge in before.judges if judge.proposed] == ["people 3"]
    assert any(sentence.startswith("Exclusion proposed: people 3.") for sentence in status_sentences(before))
    with CampaignStore(path) as store:
        store.exclude("people 3", "clicks at random")
    after = status(path)
    assert (after.judges[2].excluded, after.judges[2].proposed) == ("clicks at random", "")
    assert after.judges[2].others.correlation == pytest.approx(before.judges[2].others.correlation)
    assert {difference.judges for difference in after.differences} == {5}
    assert after.ratings == before.ratings
    assert after.alpha.krippendorff.coefficient > before.alpha.krippendorff.coefficient
    assert "Excluded: people 3. clicks at random" in status_sentences(after)


def test_flagged_judges_are_named_first_those_with_the_most_flags_before_the_others(tmp_path: Path) -> None:
    path = tmp_path / "c.db"
    _, answers = filled(path, 0, careless=(2,), presentation="single")
    constant = [(judge, place, item, 3.0 if judge == 4 else score) for judge, place, item, score in answers]
    add_answers(path, constant, seconds={1: 1, 4: 0.7})
    found = status(path)
    assert {judge.judge: judge.flags for judge in found.judges if judge.flags} == {
        "people 2": "fast",
        "people 3": "disagreement",
        "people 5": "fast, disagreement",
    }
    first = [sentence.split(":")[0] for sentence in status_sentences(found)]
    assert first[:4] == [
        "Inspect the ratings of people 5 (fast, disagreement)",
        "Inspect the ratings of people 2 (fast)",
        "Inspect the ratings of people 3 (disagreement)",
        "Exclusion proposed",
    ]
    (hurried,) = (judge for judge in to_json(found)["judges"] if judge["judge"] == "people 5")
    assert hurried["evidence"].startswith("0.7 s per place (median of the others 7.0 s); rated 0 of ")
    assert all(judge.evidence == "" for judge in found.judges if not judge.flags)


def test_where_documents_were_drawn_intervals_are_for_other_documents(tmp_path: Path) -> None:
    filled(tmp_path / "c.db", segments=None, documents=5)
    found = status(tmp_path / "c.db")
    with CampaignStore(tmp_path / "c.db") as store:
        judgments = store.judgments()
    assert judgments is not None
    rated = judgments.table.pivot_table(index=["document", "segment", "judge"], columns="system", values="score")
    pair = found.differences[0]
    differences = (rated[pair.system] - rated[pair.baseline]).reset_index(name="score")
    document, judge = (differences[name].factorize()[0].astype(np.int64) for name in ("document", "judge"))
    theirs = crossed_mean(differences["score"].to_numpy(), document, judge)
    assert (pair.low, pair.high) == pytest.approx((theirs.low, theirs.high))
    assert (pair.segments, theirs.segments) == (20, 5)


def test_one_system_has_means_and_no_differences(tmp_path: Path) -> None:
    path = tmp_path / "c.db"
    made = create(path, plan(10, 1, 3, stopping=RULE), corpus(systems=1))
    add_answers(path, in_turn(made, people_scores(made)))
    found = status(path)
    assert (found.differences, found.closest, len(found.means)) == ((), None, 1)
    assert found.looks[-1].reason == "one system has no difference"
    assert found.verdict == "Done: every translation is rated."


@pytest.mark.parametrize("answered", [0, 0.02, 0.3, 1])
def test_json_has_a_reason_beside_what_is_undefined(tmp_path: Path, answered: float) -> None:
    filled(tmp_path / "c.db", answered)
    _check(to_json(status(tmp_path / "c.db")))


def _check(content: object) -> None:
    if isinstance(content, dict):
        if None in {
            value for key, value in content.items() if key != "next_look" and not isinstance(value, (dict, list))
        }:
            assert content["reason"]
        for value in content.values():
            _check(value)
    elif isinstance(content, list):
        for value in content:
            _check(value)


def test_the_status_of_twenty_judges_with_250_items_takes_no_longer_than_its_answers_explain(tmp_path: Path) -> None:
    path = tmp_path / "c.db"
    made = create(path, plan(50, 5, 20, repeats=0.05, degraded=0.05, stopping=RULE), corpus(60, 5))
    add_answers(path, in_turn(made, people_scores(made)))
    with CampaignStore(path) as store:
        campaign_status(store)  # loads what it needs
        before = resource.getrusage(resource.RUSAGE_SELF)
        campaign_status(store)
        after = resource.getrusage(resource.RUSAGE_SELF)
    taken = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    assert taken < 5  # about 0.3 s on an idle machine
