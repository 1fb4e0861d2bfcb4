"""The headline of a comparison: its class, determined by rules, and the sentences of the class.

The first sentence claims a significant difference only if p, corrected for the family, is below the significance level
and the interval excludes zero. docs/headlines.md lists the classes with sentences and the data that produce them. All
functions are pure functions of scores, comparisons and findings.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Literal

from bleu_core.argument_types import refuse_texts
from bleu_core.arrays import best_first
from bleu_core.diagnostics import Finding, obstruction
from bleu_core.errors import enumeration, listed
from bleu_core.fields import decimal, field, result
from bleu_core.inference import CONFIDENCE, MIN_UNITS, Comparison, Comparisons, Correction, significant
from bleu_core.results.table import EQUAL, format_differences, format_p
from bleu_core.scoring import Metric

#: Maximum number of systems that a sentence names; further ones are counted.
MAX_NAMED = 4

#: When the slice in force was chosen: before or after its results were seen.
SliceChosen = Literal["before", "after"]

P_NAMES: Mapping[Correction, str] = {
    "holm": "p (Holm)",
    "benjamini-hochberg": "p (Benjamini and Hochberg)",
    "none": "p (not corrected)",
}


class HeadlineClass(StrEnum):
    """The classes of headlines; every comparison has exactly one."""

    NOT_COMPARABLE = "not-comparable"
    UNDEFINED = "undefined"
    ONE_SYSTEM = "one-system"
    CHOSEN_SLICE = "chosen-slice"
    TIE = "tie"
    TOO_FEW_UNITS = "too-few-units"
    NOT_TESTED = "not-tested"
    BASELINE = "baseline"
    LEADER = "leader"
    LEADERS = "leaders"


#: Class -> its condition, in order of evaluation: the first condition that holds determines the class.
CONDITIONS: Mapping[HeadlineClass, str] = {
    HeadlineClass.NOT_COMPARABLE: "A warning raises an alarm that obstructs what the scores rest on, about a system "
    "that is compared or a reference in use.",
    HeadlineClass.UNDEFINED: "There is no system, fewer than two of several systems have a score, or no difference of "
    "the best system can be tested for another reason than too few units.",
    HeadlineClass.ONE_SYSTEM: "There is one system.",
    HeadlineClass.CHOSEN_SLICE: "The slice was chosen after its results were seen.",
    HeadlineClass.TIE: "The best score is that of several systems; against a baseline, that of all.",
    HeadlineClass.TOO_FEW_UNITS: f"Fewer than {MIN_UNITS} segments, documents or bundles are resampled, so there is no "
    "p-value.",
    HeadlineClass.NOT_TESTED: "The best system is not compared with all others, nor all others with a baseline.",
    HeadlineClass.BASELINE: "Several systems are compared with a baseline, and not with each other.",
    HeadlineClass.LEADER: "The best system is significantly better than every other.",
    HeadlineClass.LEADERS: "The best system is not significantly better than every other.",
}


@result
class Headline:
    """A statement of what the data support, in one or two sentences."""

    class_: HeadlineClass = field("text", "Class of the headline, see docs/headlines.md.")
    text: str = field("text", "First sentence: what the data support.")
    detail: str = field("text", "Second sentence: the evidence, the cause or the reason; empty if there is none.")
    systems: tuple[str, ...] = field("object", "Names of the systems concerned.")
    metric: str = field("text", "Label of the metric.")

    @property
    def sentences(self) -> tuple[str, ...]:
        """The first sentence, and the second if there is one."""
        return (self.text, self.detail) if self.detail else (self.text,)


def headline(
    scores: Mapping[str, float],
    metric: Metric,
    comparisons: Comparisons | None = None,
    *,
    findings: Sequence[Finding] = (),
    references: Sequence[str] | None = None,
    slice_chosen: SliceChosen | None = None,
    units: int | None = None,
) -> Headline:
    """Return the headline on which system is best.

    Args:
        scores: system -> corpus score in points, NaN if undefined, of the compared systems; without systems that are
            not ranked, such as those equal to a reference.
        metric: the metric of the scores.
        comparisons: comparisons of these systems, and possibly of others: all pairs, or each system with a baseline;
            None if nothing is tested.
        findings: findings of warnings; only alarms that obstruct what the scores rest on count.
        references: names of the references in use; None if findings about any reference count.
        slice_chosen: when the slice was chosen, before or after its results were seen; None for the whole text.
        units: number of segments, if there are no comparisons.
    """
    names = tuple(scores)
    order = best_first(names, tuple(scores.values()), higher_is_better=metric.higher_is_better)
    case = _Case(
        scores=scores,
        order=tuple(names[k] for k in order if not math.isnan(scores[names[k]])),
        metric=metric,
        comparisons=comparisons,
        alarm=obstruction(findings, metric.basis, names, references, metric=metric.key),
        slice_chosen=slice_chosen,
        segments=units,
    )
    return next(headline for rule in _RULES if (headline := rule(case)) is not None)


def verdict_between(comparisons: Comparisons, system: str, other: str) -> int | None:
    """Return whether a system is significantly better than another, by the rule of headlines.

    Returns:
        1 if it is better, -1 if it is worse, 0 if neither is; None if the two are not tested.
    """
    pair = comparisons.between(system, other)
    if pair is None or math.isnan(pair.p_value_adjusted):
        return None
    excluded = pair.interval.low > 0 if pair.tested_difference > 0 else pair.interval.high < 0
    return comparisons.verdict(pair) if excluded else 0


@dataclass(frozen=True, kw_only=True, slots=True)
class _Case:
    """The data of a comparison to which the rules are applied.

    Attributes:
        scores: the scores of all systems.
        order: the systems with a score, best first.
        metric: the metric of the scores.
        comparisons: the comparisons of the systems, if they are tested.
        alarm: an alarm that makes the scores not comparable, if any.
        slice_chosen: when the slice was chosen, if there is one.
        segments: number of segments, if there are no comparisons.
    """

    scores: Mapping[str, float]
    order: tuple[str, ...]
    metric: Metric
    comparisons: Comparisons | None
    alarm: Finding | None
    slice_chosen: SliceChosen | None
    segments: int | None

    @property
    def sliced(self) -> bool:
        """Whether a slice is in use."""
        return self.slice_chosen is not None

    @property
    def best(self) -> str:
        """The system with the best score."""
        return self.order[0]

    @property
    def others(self) -> tuple[str, ...]:
        """The other systems with a score, best first."""
        return self.order[1:]

    @property
    def tied(self) -> tuple[str, ...]:
        """The systems with the best score."""
        return tuple(name for name in self.order if abs(self.scores[name] - self.scores[self.best]) < EQUAL)

    @property
    def baseline(self) -> str | None:
        """The system that all others, at least two, are compared with, if these are not compared with each other."""
        if self.comparisons is None or len(self.others) < 2:  # noqa: PLR2004 # one other is a pair
            return None
        shown = [p for p in self.comparisons.pairs if p.system in self.order and p.baseline in self.order]
        baselines = {pair.baseline for pair in shown}
        return baselines.pop() if len(baselines) == 1 and len(shown) == len(self.others) else None

    @property
    def verdicts(self) -> Mapping[str, int | None]:
        """Other system -> the verdict of the best system against it."""
        return {other: self.verdict(self.best, other) for other in self.others}

    def verdict(self, system: str, other: str) -> int | None:
        """Return the verdict, see verdict_between; None if nothing is tested."""
        return None if self.comparisons is None else verdict_between(self.comparisons, system, other)

    def headline(self, class_: HeadlineClass, text: str, detail: str = "", *, systems: Sequence[str] = ()) -> Headline:
        """Return a headline of this class, with a remark on undefined scores."""
        missing = [name for name, score in self.scores.items() if math.isnan(score)]
        if missing and class_ not in (HeadlineClass.UNDEFINED, HeadlineClass.NOT_COMPARABLE):
            detail = f"{detail} {_missing(missing, self.metric)}".lstrip()
        return Headline(class_=class_, text=text, detail=detail, systems=tuple(systems), metric=self.metric.label)

    def points(self, name: str) -> str:
        """Return the score of a system without the name of the metric."""
        return decimal(self.scores[name], self.metric.decimals)

    def score(self, name: str) -> str:
        """Return the score of a system, such as "51.13 BLEU" or "44.10; lower is better"."""
        points = self.points(name)
        return f"{points} {self.metric.label}" if self.metric.higher_is_better else f"{points}; lower is better"

    @property
    def highest(self) -> str:
        """The beginning of a sentence on the system with the best score."""
        return f"{self.begin}{self.has_best}"

    @property
    def has_best(self) -> str:
        """A clause on the system with the best score."""
        if self.metric.higher_is_better:
            return f"{self.best} scores highest ({self.score(self.best)})"
        return f"{self.best} has the lowest {self.metric.label} ({self.score(self.best)})"

    @property
    def begin(self) -> str:
        """The beginning of a sentence before the name of a system."""
        return "In this slice, " if self.sliced else ""

    @property
    def family(self) -> str:
        """The name of p and its family, such as "p (Holm) over 78 pairs of 13 systems"."""
        comparisons = self.comparisons
        if comparisons is None or len(comparisons.pairs) == 1:
            return "p"
        if comparisons.correction == "none":
            return P_NAMES["none"]
        number = len(comparisons.pairs)
        baselines = {pair.baseline for pair in comparisons.pairs}
        if comparisons.complete:
            of = f"{number:,} pairs of {len(comparisons.systems):,} systems"
        else:
            of = f"{number:,} pairs" + (f" with {baselines.pop()}" if len(baselines) == 1 else "")
        return f"{P_NAMES[comparisons.correction]} over {of}"

    @property
    def level(self) -> str:
        """The criterion of significance, such as "p (Holm) at the 0.05 level over 78 pairs of 13 systems"."""
        p, over, of = self.family.partition(" over ")
        alpha = math.nan if self.comparisons is None else self.comparisons.alpha
        return f"{p} at the {alpha:g} level{over}{of}"

    def evidence(self, pair: Comparison) -> str:
        """Return the difference of the best system, with its interval and p."""
        delta, low, high = pair.tested_difference, pair.interval.low, pair.interval.high
        if delta < 0 or (delta == 0 and not self.metric.higher_is_better):
            low, high = -high, -low
        size, low_, high_ = format_differences(abs(delta), low, high, decimals=self.metric.decimals)
        p, over, of = self.family.partition(" over ")
        value = format_p(pair.p_value_adjusted)
        equals = "" if value.startswith(("<", "≤", "≈")) else "= "
        interval = f"{100 * CONFIDENCE:g}% interval {low_} to {high_}"
        return f"{size} {self.metric.label} ({interval}; {p} {equals}{value}{over}{of})"

    def untested(self) -> str:
        """Return remarks on untestable differences of the best system, and on intervals that include zero."""
        comparisons = self.comparisons
        pairs = [] if comparisons is None else [comparisons.between(self.best, other) for other in self.others]
        reasons = [pair.reason for pair in pairs if pair is not None and math.isnan(pair.p_value_adjusted)]
        sentences: list[str] = []
        if reasons:
            count = len(reasons)
            sentences.append(f"{count:,} of these differences cannot be tested: {reasons[0] or 'p is undefined'}.")
        alpha = math.nan if comparisons is None else comparisons.alpha
        spanning = sum(
            pair is not None and significant(pair.p_value_adjusted, alpha) and self.verdicts[other] == 0
            for pair, other in zip(pairs, self.others, strict=True)
        )
        if spanning and len(self.others) == 1:
            sentences.append("Although p is below the level, the interval includes zero.")
        elif spanning:
            sentences.append(f"In {spanning:,} of these, p is below the level, but the interval includes zero.")
        return " ".join(sentences)


def _not_comparable(case: _Case) -> Headline | None:
    if case.alarm is None:
        return None
    concerned = tuple(name for name in case.alarm.systems if name in case.scores)
    alarm = case.alarm
    return case.headline(HeadlineClass.NOT_COMPARABLE, alarm.not_comparable, alarm.cause, systems=concerned)


def _undefined(case: _Case) -> Headline | None:
    """Return a headline if no system, or only one of several, has a score."""
    if len(case.order) >= min(len(case.scores), 2) > 0:
        return None
    label, missing = case.metric.label, [name for name, score in case.scores.items() if math.isnan(score)]
    if not case.scores:
        text, detail = f"No system is left to compare by {label}.", ""
    elif not case.order:
        text, detail = f"{label} is undefined: {case.metric.undefined}.", ""
    else:
        text = f"Only {case.best} has a score ({case.score(case.best)}), so no systems are compared."
        detail = _missing(missing, case.metric)
    return case.headline(HeadlineClass.UNDEFINED, text, detail, systems=case.order)


def _missing(names: Sequence[str], metric: Metric) -> str:
    return f"{metric.label} of {listed(names, MAX_NAMED)} is undefined: {metric.undefined}."


def _one(case: _Case) -> Headline | None:
    if len(case.scores) > 1:
        return None
    if case.metric.higher_is_better:
        text = f"{case.begin}{case.best} scores {case.score(case.best)}."
    else:
        text = f"{case.begin}{case.best} has a {case.metric.label} of {case.points(case.best)} (lower is better)."
    return case.headline(HeadlineClass.ONE_SYSTEM, text, systems=(case.best,))


def _described(case: _Case) -> Headline | None:
    if case.slice_chosen != "after":
        return None
    clause = _share_best(case) if len(case.tied) > 1 else case.has_best
    return case.headline(
        HeadlineClass.CHOSEN_SLICE,
        f"Descriptive only: in this slice, {clause}.",
        "The slice was chosen after its results were seen, so the differences are not tested.",
        systems=case.tied,
    )


def _share_best(case: _Case) -> str:
    """Return a clause on several systems with the best score."""
    if len(case.tied) == len(case.order) > MAX_NAMED:
        who = f"all {len(case.order):,} systems"
    else:
        who = enumeration(case.tied) if len(case.tied) <= MAX_NAMED else f"{len(case.tied):,} systems"
    if len(case.tied) == len(case.order):
        score = (
            case.score(case.best) if case.metric.higher_is_better else f"{case.metric.label} {case.score(case.best)}"
        )
        return f"{who} score the same ({score})"
    of = "" if case.metric.higher_is_better else f"{case.metric.label} "
    return f"{who} share the best score ({of}{case.score(case.best)})"


def _tie(case: _Case) -> Headline | None:
    if len(case.tied) < (2 if case.baseline is None else len(case.order)):
        return None
    sentence = f"{case.begin}{_share_best(case)}."
    sentence = sentence[0].upper() + sentence[1:] if sentence.startswith("all ") else sentence
    rest, comparisons = case.order[len(case.tied) :], case.comparisons
    detail = ""
    if rest and comparisons is not None:
        worse = [other for other in rest if all(case.verdict(best, other) == 1 for best in case.tied)]
        detail = f"Significantly worse than each of them ({case.level}): {listed(worse, MAX_NAMED) or 'none'}."
    return case.headline(HeadlineClass.TIE, sentence, detail, systems=case.tied)


def _too_few(case: _Case) -> Headline | None:
    comparisons = case.comparisons
    number, unit = (case.segments, "segment") if comparisons is None else (comparisons.units, comparisons.unit)
    if number is None or number >= MIN_UNITS:
        return None
    if comparisons is not None and any(not math.isnan(pair.p_value_adjusted) for pair in comparisons.pairs):
        return None
    are = "is" if number == 1 else "are"
    text = f"Too few {unit}s for a test: there {are} {number}, and at least {MIN_UNITS} are needed."
    return case.headline(
        HeadlineClass.TOO_FEW_UNITS, text, f"{case.highest}, which may be chance.", systems=(case.best,)
    )


def _not_tested(case: _Case) -> Headline | None:
    comparisons = case.comparisons
    if comparisons is not None and (
        case.baseline or all(comparisons.between(case.best, other) for other in case.others)
    ):
        return None
    text = f"{case.highest}; the differences are not tested here."
    return case.headline(HeadlineClass.NOT_TESTED, text, systems=(case.best,))


def _untestable(case: _Case) -> Headline | None:
    """Return a headline if no difference has a p-value, for another reason than too few units."""
    comparisons, tested_with = case.comparisons, case.baseline or case.best
    if any(case.verdict(tested_with, other) is not None for other in case.order if other != tested_with):
        return None
    pairs = () if comparisons is None else comparisons.pairs
    reason = next((pair.reason for pair in pairs if pair.reason), "p is undefined")
    who = " and ".join(case.order) if len(case.order) == 2 else "The systems"  # noqa: PLR2004 # a pair
    return case.headline(
        HeadlineClass.UNDEFINED, f"{who} cannot be compared: {reason}.", f"{case.highest}.", systems=case.order[:2]
    )


def _against_baseline(case: _Case) -> Headline | None:
    baseline = case.baseline
    if baseline is None:
        return None
    others = tuple(name for name in case.order if name != baseline)
    verdicts = {name: case.verdict(name, baseline) for name in others}
    better = tuple(name for name, verdict in verdicts.items() if verdict == 1)
    worse = tuple(name for name, verdict in verdicts.items() if verdict == -1)
    if not better and not worse:
        text = f"{_of_the(0, len(others), case)} differs significantly from {baseline}."
    elif case.metric.higher_is_better:
        scores = "scores" if len(better) <= 1 else "score"
        text = (
            f"{_of_the(len(better), len(others), case)} {scores} significantly higher than {baseline}; "
            f"{len(worse) or 'none'} {'scores' if len(worse) <= 1 else 'score'} significantly lower."
        )
    else:
        text = (
            f"{_of_the(len(better), len(others), case)} {_are(len(better))} significantly better than {baseline} by "
            f"{case.metric.label} (lower is better); {len(worse) or 'none'} {_are(len(worse))} significantly worse."
        )
    named = [
        f"{how}: {listed(names, MAX_NAMED)}"
        for how, names in (("Better", better), ("worse" if better else "Worse", worse))
        if names
    ]
    detail = f"{'; '.join(named) or 'Tested'} ({case.level})."
    untested = sum(verdict is None for verdict in verdicts.values())
    if untested:
        detail += f" {untested:,} of these differences cannot be tested."
    return case.headline(HeadlineClass.BASELINE, text, detail, systems=(baseline,))


def _leader(case: _Case) -> Headline | None:
    if any(verdict != 1 for verdict in case.verdicts.values()):
        return None
    best, others, comparisons = case.best, case.others, case.comparisons
    pair = None if comparisons is None else comparisons.between(best, others[0])
    than = others[0] if len(others) == 1 else "all others"
    if case.metric.higher_is_better:
        shown = f"{case.points(best)} against {case.score(others[0])}" if len(others) == 1 else case.score(best)
        text = f"{case.begin}{best} scores significantly higher than {than} ({shown})."
    else:
        whose = f"that of {than}" if len(others) == 1 else f"those of {than}"
        text = f"{case.highest}, significantly lower than {whose}."
    detail = ""
    if pair is not None:
        of = "The difference" if len(others) == 1 else f"The difference to the next, {others[0]},"
        detail = f"{of} is {case.evidence(pair)}."
    named = (best, *others) if len(others) == 1 else (best,)
    return case.headline(HeadlineClass.LEADER, text, detail, systems=named)


def _leaders(case: _Case) -> Headline:
    best, others, comparisons = case.best, case.others, case.comparisons
    verdicts = case.verdicts
    above = [name for name, verdict in verdicts.items() if verdict == -1]
    level = [name for name, verdict in verdicts.items() if not verdict]
    where = " in this slice" if case.sliced else ""
    parts: list[str] = []
    if level and len(others) == 1:
        parts.append(f"{others[0]} cannot be told apart from it")
    elif level:
        if len(level) == len(others):
            parts.append(f"{_of_the(0, len(others)).lower()} can be told apart from it")
        else:
            parts.append(f"{len(level):,} of the {len(others):,} others cannot be told apart from it")
    if above:  # means over blocks may have another order than corpus scores
        unit = "unit" if comparisons is None else comparisons.unit
        parts.append(f"{listed(above, MAX_NAMED)} {_are(len(above))} significantly better on average over {unit}s")
    text = f"No clear winner{where}: {case.has_best}, but {' and '.join(parts)}."
    pair = None if comparisons is None else comparisons.between(best, others[0])
    if len(others) == 1 and pair is not None:
        detail = f"The difference is {case.evidence(pair)}."
    else:
        detail = f"Not significantly different ({case.level}): {listed(level, MAX_NAMED)}." if level else ""
    detail = f"{detail} {case.untested()}".strip()
    named = (best, *others) if len(others) == 1 else (best,)
    return case.headline(HeadlineClass.LEADERS, text, detail, systems=named)


#: The rules in the order of CONDITIONS, except that of differences without p-values.
_RULES: tuple[Callable[[_Case], Headline | None], ...] = (
    _not_comparable,
    _undefined,
    _one,
    _described,
    _tie,
    _too_few,
    _not_tested,
    _untestable,
    _against_baseline,
    _leader,
    _leaders,
)


def _of_the(count: int, of: int, case: _Case | None = None) -> str:
    """Return a number of the other systems, at least two, as the subject of a sentence: "7 of the 12 others"."""
    pair = of == 2  # noqa: PLR2004 # English has words for two
    if not count:
        who = "neither of the others" if pair else f"none of the {of:,} others"
    elif count == of:
        who = "both others" if pair else f"all {of:,} others"
    else:
        who = f"{count:,} of the {of:,} others"
    return f"In this slice, {who}" if case is not None and case.sliced else who[0].upper() + who[1:]


def _are(count: int) -> str:
    return "is" if count <= 1 else "are"


refuse_texts(__name__)
