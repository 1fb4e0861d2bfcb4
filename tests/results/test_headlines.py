"""Headlines: every comparison has one class, and the sentence claims no difference that the p-values do not support."""

from __future__ import annotations

import math
import re
from dataclasses import replace
from itertools import combinations, product
from typing import Any

import numpy as np
import pytest
from headlines import CASES, CLOSE, PAGE, Case, page
from hypothesis import given, settings
from hypothesis import strategies as st

from bleu_core.diagnostics import WARNINGS, Finding, find_warning, obstructing
from bleu_core.fields import AtMost
from bleu_core.inference import TESTS, Comparison, Comparisons, Interval, PairedT
from bleu_core.results.encoding import to_json
from bleu_core.results.headlines import (
    CONDITIONS,
    Headline,
    HeadlineClass,
    headline,
)
from bleu_core.results.schema import json_schema
from bleu_core.scoring import find_metric

METRICS = ("bleu", "ter")
CLAIM = re.compile(r"significantly (higher|lower|better|worse)")


@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_each_case_has_its_class(case: Case, metric: str) -> None:
    made = case.made(metric)
    assert made.class_ == case.expected
    assert made.text.endswith(".")
    assert made.metric == find_metric(metric).label
    assert set(made.systems) <= set(case.scores)
    assert all(name in f"{made.text} {made.detail}" for name in made.systems)
    if not find_metric(metric).higher_is_better:
        assert "higher" not in f"{made.text} {made.detail}"


def test_the_cases_cover_all_classes() -> None:
    assert {case.expected for case in CASES} == set(HeadlineClass) == set(CONDITIONS)


def test_the_documentation_is_current() -> None:
    assert PAGE.read_text("utf-8") == page()


SENTENCES = {
    "a leader": (
        "Alpha scores significantly higher than all others (51.13 BLEU).",
        "Alpha has the lowest TER (48.87; lower is better), significantly lower than those of all others.",
    ),
    "two systems, a significant difference": (
        "Alpha scores significantly higher than Beta (51.13 against 50.36 BLEU).",
        "Alpha has the lowest TER (48.87; lower is better), significantly lower than that of Beta.",
    ),
    "a group of leaders": (
        "No clear winner: Alpha scores highest (51.13 BLEU), but 1 of the 2 others cannot be told apart from it.",
        (
            "No clear winner: Alpha has the lowest TER (48.87; lower is better), but 1 of the 2 others cannot be told "
            "apart from it."
        ),
    ),
    "an alarm about a system that is compared": (
        "Not comparable: 59% of the reference's segments equal Beta's output (other systems: at most 7%).",
    )
    * 2,
}


@pytest.mark.parametrize("name", SENTENCES)
def test_sentences_of_the_main_classes(name: str) -> None:
    (case,) = [case for case in CASES if case.name == name]
    assert tuple(case.made(metric).text for metric in METRICS) == SENTENCES[name]


# --- any data -----------------------------------------------------------------------------------------------------

numbers = st.floats(-5, 105).map(lambda x: round(x, 2))
p_values = st.one_of(st.floats(1e-6, 1), st.sampled_from([0.05, 0.049, 1.0, math.nan]), st.just(AtMost(0.001)))


@st.composite
def situations(draw: Any) -> dict[str, Any]:
    """Any arguments of headline, also those that no test would give."""
    count = draw(st.integers(0, 5))
    names = tuple("ABCDE"[:count])
    values = [draw(st.one_of(numbers, st.just(50.0), st.just(math.nan))) for _ in names]
    metric = find_metric(draw(st.sampled_from(METRICS)))
    test = draw(st.sampled_from(TESTS))
    which = draw(st.sampled_from(["all", "baseline", "some", "none"]))
    pairs = list(combinations(range(count), 2))
    if which == "baseline":
        pairs = [(k, 0) for k in range(1, count)]
    elif which == "some":
        pairs = [pair for pair in pairs if draw(st.booleans())]
    found = None
    if which != "none":
        made = [_pair(draw, names, values, k, b, of_t=test == "t") for k, b in pairs]
        units = draw(st.sampled_from([1, 5, 6, 400]))
        found = Comparisons(
            test=test,
            systems=names,
            scores=np.array(values, np.float64),
            pairs=tuple(made),
            higher_is_better=metric.higher_is_better,
            unit="block" if test == "t" else draw(st.sampled_from(["segment", "document", "bundle"])),
            units=units,
            segments=max(units, 400),
            resamples=1000,
            trials=0,
            seed=1,
            correction=draw(st.sampled_from(["holm", "benjamini-hochberg", "none"])),
            alpha=draw(st.sampled_from([0.05, 0.01])),
        )
    alarms = [replace(CLOSE, systems=("B",), strength=draw(st.sampled_from(["alarm", "caution"])))]
    return {
        "scores": dict(zip(names, values, strict=True)),
        "metric": metric,
        "comparisons": found,
        "findings": alarms if draw(st.integers(0, 9)) == 0 else [],
        "slice_chosen": draw(st.sampled_from([None, "before", "after"])),
        "units": draw(st.sampled_from([None, 3, 400])),
    }


def _pair(draw: Any, names: tuple[str, ...], values: list[float], k: int, b: int, *, of_t: bool) -> Comparison:
    delta = values[k] - values[b]
    p = math.nan if math.isnan(delta) else draw(p_values)
    mean = draw(st.floats(-3, 3)) if of_t else delta
    low = mean - draw(st.floats(0, 4))
    t = PairedT(mean_difference=mean, standard_error=1.0, t=mean, degrees_of_freedom=19, p_value=p) if of_t else None
    return Comparison(
        system=names[k],
        baseline=names[b],
        delta=delta,
        interval=Interval(low, low + draw(st.floats(0, 6)), 0.95),
        p_value=p,
        p_value_adjusted=p,
        paired_t=t,
        reason="no variance" if math.isnan(p) else "",
    )


def _of(given_: dict[str, Any]) -> Headline:
    others = {key: value for key, value in given_.items() if key not in ("scores", "metric")}
    return headline(given_["scores"], given_["metric"], **others)


def _significant(found: Comparisons, one: str, other: str) -> int:
    """1 where one system is better than another by p and by the interval, -1 where it is worse, else 0."""
    pair = found.between(one, other)
    if pair is None or not pair.p_value_adjusted < found.alpha:
        return 0
    delta = pair.paired_t.mean_difference if pair.paired_t else pair.delta
    if not (pair.interval.low > 0 if delta > 0 else pair.interval.high < 0):
        return 0
    return int(np.sign(delta)) * (1 if found.higher_is_better else -1)


@settings(max_examples=120)
@given(situations())
def test_no_sentence_claims_a_difference_that_the_p_values_do_not_support(given_: dict[str, Any]) -> None:
    check_claims(given_)


@pytest.mark.slow
@settings(max_examples=3000)
@given(situations())
def test_no_sentence_of_thousands_claims_an_unsupported_difference(given_: dict[str, Any]) -> None:
    check_claims(given_)


def check_claims(given_: dict[str, Any]) -> None:
    """Check that a sentence claims what the p-values and intervals support, and nothing else."""
    made = headline(
        given_["scores"], given_["metric"], **{k: v for k, v in given_.items() if k not in ("scores", "metric")}
    )
    found, scores = given_["comparisons"], given_["scores"]
    assert made.class_ in CONDITIONS
    known = [name for name, score in scores.items() if not math.isnan(score)]
    assert (made.class_ == HeadlineClass.CHOSEN_SLICE) <= (given_["slice_chosen"] == "after")
    if made.class_ in (
        HeadlineClass.LEADER,
        HeadlineClass.LEADERS,
        HeadlineClass.BASELINE,
        HeadlineClass.TOO_FEW_UNITS,
    ):
        assert given_["slice_chosen"] != "after"
    if made.class_ not in (HeadlineClass.LEADER, HeadlineClass.LEADERS, HeadlineClass.BASELINE):
        assert not CLAIM.search(made.text)
        return
    assert found is not None
    best = made.systems[0]
    others = [name for name in known if name != best]
    verdicts = [_significant(found, best, other) for other in others]
    if made.class_ == HeadlineClass.LEADER:
        assert set(verdicts) == {1}
        assert "cannot be told apart" not in made.text
    elif made.class_ == HeadlineClass.LEADERS:
        assert verdicts.count(1) < len(others)
        assert ("significantly" in made.text) == (-1 in verdicts)
        counted = re.search(r"(\d+) of the (\d+) others cannot", made.text)
        if counted:
            assert (int(counted[1]), int(counted[2])) == (verdicts.count(0), len(others))
        assert ("neither of the others can" in made.text or "none of the" in made.text) == (
            verdicts.count(0) == len(others) > 1
        )
    else:
        up = given_["metric"].higher_is_better
        assert bool(CLAIM.search(made.text)) == (1 in verdicts or -1 in verdicts)
        if CLAIM.search(made.text):
            better, worse = made.text.split("; ")
            for part, sign in ((better, -1), (worse, 1)):
                number = re.search(r"\d+", part.replace(" In this slice, ", "")) if verdicts.count(sign) else None
                word = "both" if verdicts.count(sign) == len(others) == 2 and sign < 0 else None
                assert number or word or re.match("(In this slice, )?(neither|none)", part, re.IGNORECASE)
                if number and not word:
                    assert int(number[0]) == verdicts.count(sign)
        if not up:
            assert "higher" not in made.text


@settings(max_examples=80)
@given(situations())
def test_lower_scores_are_never_called_higher(given_: dict[str, Any]) -> None:
    made = _of(given_)
    if not given_["metric"].higher_is_better:
        assert "higher" not in f"{made.text} {made.detail}"
    elif made.class_ != HeadlineClass.NOT_COMPARABLE:
        assert "lower is better" not in f"{made.text} {made.detail}"


# --- alarms -------------------------------------------------------------------------------------------------------


def made_with(finding: Finding, references: tuple[str, ...] | None = ("ref",)) -> Headline:
    case = Case(name="", expected=HeadlineClass.LEADER)
    return headline(
        case.scores, find_metric("bleu"), case.comparisons("bleu"), findings=[finding], references=references
    )


@pytest.mark.parametrize(
    ("changes", "counts"),
    [
        ({}, True),
        ({"strength": "caution"}, False),
        ({"systems": ("Nobody",)}, False),
        ({"references": ("another",)}, False),
        ({"systems": (), "references": ("ref",)}, True),
        ({"systems": (), "references": ("another",)}, False),
        ({"key": "length"}, False),
    ],
)
def test_only_an_alarm_about_what_is_compared_counts(changes: dict[str, Any], *, counts: bool) -> None:
    made = made_with(replace(CLOSE, **changes))
    assert made.class_ == (HeadlineClass.NOT_COMPARABLE if counts else HeadlineClass.LEADER)
    if counts:
        assert made.detail == CLOSE.cause


def test_a_finding_without_a_clause_is_quoted_as_it_is() -> None:
    made = made_with(replace(CLOSE, obstacle="", cause=""), None)
    assert (made.text, made.detail) == (f"Not comparable: {CLOSE.message}", "")


def test_a_few_warnings_make_results_not_comparable() -> None:
    about_texts = ("additions", "escape-sequences", "script", "words-at-blanks", "wrong-language", "misplaced")
    about_references = ("unrelated-references", "close-reference", "memorised")
    assert obstructing("references") == (*about_texts, *about_references)
    assert obstructing("raw ratings") == ("confounded-judges",)
    assert not obstructing("texts", "adjusted ratings", "unknown")
    assert {key for key in WARNINGS if not find_warning(key).obstructs} == set(obstructing())


# --- JSON ---------------------------------------------------------------------------------------------------------


def test_json_has_the_class_under_that_name() -> None:
    content = to_json(CASES[0].made("bleu"))
    assert set(content) == {"class", "text", "detail", "systems", "metric"}
    assert content["class"] == "not-comparable"
    schema: Any = json_schema("a headline", Headline)
    assert schema["properties"]["class"]["enum"] == [str(kind) for kind in HeadlineClass]


def test_a_difference_of_any_size_is_not_rounded_to_zero() -> None:
    case = Case(name="", expected=HeadlineClass.LEADERS, scores={"A": 50.0001, "B": 50.0}, p={("A", "B"): 0.4})
    assert "The difference is 0.0001 BLEU" in case.made("bleu").detail


def test_every_pair_of_class_and_direction_has_a_case() -> None:
    assert {(case.made(m).class_, m) for case, m in product(CASES, METRICS)} == set(product(HeadlineClass, METRICS))
