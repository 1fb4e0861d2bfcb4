"""The headline of a comparison: a class by rule, and the sentence that the class allows.

The first sentence claims a significant difference only where p, corrected for the family, is below the level of
significance and the interval excludes zero. docs/headlines.md lists the classes with sentences and the data that
produce them. Pure functions of scores, comparisons and findings.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Literal

from bleu_core.arrays import best_first
from bleu_core.diagnostics import Finding, Obstructed, find_warning
from bleu_core.errors import enumeration, listed
from bleu_core.fields import decimal, field, result
from bleu_core.inference import CONFIDENCE, MIN_UNITS, Comparison, Comparisons, Correction, significant
from bleu_core.results.table import EQUAL, format_differences, format_p
from bleu_core.scoring import Metric

#: The most systems that a sentence names; of more, the rest is counted.
NAMED = 4

#: When the slice in force was chosen: before or after its results were seen.
SliceChosen = Literal["before", "after"]

P_NAMES: Mapping[Correction, str] = {
    "holm": "p (Holm)",
    "benjamini-hochberg": "p (Benjamini and Hochberg)",
    "none": "p (not corrected)",
}


class HeadlineClass(StrEnum):
    """What the data support, one class for every comparison."""

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


#: Class -> the condition under which it applies, in the order in which they are tried: the first that holds decides.
CONDITIONS: Mapping[HeadlineClass, str] = {
    HeadlineClass.NOT_COMPARABLE: "A warning raises an alarm that makes scores not comparable, about a system that is "
    "compared or a reference in use.",
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
    """What the data support, in a sentence or two."""

    class_: HeadlineClass = field("text", "Class of the headline, see docs/headlines.md.")
    text: str = field("text", "First sentence: what the data support.")
    detail: str = field("text", "Second sentence: the evidence, the cause or the reason; empty where there is none.")
    systems: tuple[str, ...] = field("object", "Names of the systems that it is about.")
    metric: str = field("text", "Name of the metric for people.")

    @property
    def sentences(self) -> tuple[str, ...]:
        """The first sentence, and the second where there is one."""
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
    """Return what the data support about which system is best.

    Args:
        scores: system -> corpus score, points, NaN where it is undefined: the systems that are compared. Systems that
            are not ranked, such as those equal to a reference, are not among them.
        metric: of the scores.
        comparisons: of these systems, and perhaps of others: all pairs, or each other system with a baseline; None
            where nothing is tested.
        findings: of the warnings; only alarms that make scores not comparable count.
        references: names of those in use; None if findings about any reference count.
        slice_chosen: when the slice in force was chosen; None where the whole text is in use.
        units: how many segments there are, where there are no comparisons.
    """
    names = tuple(scores)
    order = best_first(names, tuple(scores.values()), higher_is_better=metric.higher_is_better)
    case = _Case(
        scores=scores,
        order=tuple(names[k] for k in order if not math.isnan(scores[names[k]])),
        metric=metric,
        comparisons=comparisons,
        alarm=obstruction(findings, "scores", names, references),
        slice_chosen=slice_chosen,
        segments=units,
    )
    return next(made for rule in _RULES if (made := rule(case)) is not None)


def obstruction(
    findings: Sequence[Finding], what: Obstructed, systems: Sequence[str], references: Sequence[str] | None = None
) -> Finding | None:
    """Return the first alarm that makes scores, or statements about people, not comparable; None without one.

    An alarm counts only if it is about one of the systems that are compared; one that names no system, if it is about a
    reference in use, or about no reference.

    Args:
        findings: of the warnings.
        what: "scores", or "people" for what people say of the systems.
        systems: those that are compared.
        references: those in use; None if any counts.
    """
    for one in findings:
        if one.strength != "alarm" or find_warning(one.key).obstructs != what:
            continue
        of_systems = not one.systems or bool(set(one.systems) & set(systems))
        of_references = not one.references or references is None or bool(set(one.references) & set(references))
        if of_systems and of_references:
            return one
    return None


def verdict_between(comparisons: Comparisons, system: str, other: str) -> int | None:
    """Return whether a system is significantly better than another, as headlines have it.

    Returns:
        1 where it is better, -1 where it is worse, 0 where neither is; None where the two are not tested.
    """
    pair = comparisons.between(system, other)
    if pair is None or math.isnan(pair.p_value_adjusted):
        return None
    excluded = pair.interval.low > 0 if pair.tested_difference > 0 else pair.interval.high < 0
    return comparisons.verdict(pair) if excluded else 0


@dataclass(frozen=True, kw_only=True, slots=True)
class _Case:
    """A comparison, as the rules see it.

    Attributes:
        scores: of all systems.
        order: the systems with a score, best first.
        metric: of the scores.
        comparisons: of the systems, if they are tested.
        alarm: that makes their scores not comparable, if there is one.
        slice_chosen: when the slice in force was chosen, if there is one.
        segments: how many there are, where there are no comparisons.
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
        """Whether a slice is in force."""
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
        """The system that all others, at least two, are compared with, and not with each other; else None."""
        if self.comparisons is None or len(self.others) < 2:  # noqa: PLR2004 # one other is a pair
            return None
        shown = [p for p in self.comparisons.pairs if p.system in self.order and p.baseline in self.order]
        baselines = {pair.baseline for pair in shown}
        return baselines.pop() if len(baselines) == 1 and len(shown) == len(self.others) else None

    @property
    def verdicts(self) -> Mapping[str, int | None]:
        """Other system -> the verdict on the best one and that other."""
        return {other: self.verdict(self.best, other) for other in self.others}

    def verdict(self, system: str, other: str) -> int | None:
        """As verdict_between; None where nothing is tested."""
        return None if self.comparisons is None else verdict_between(self.comparisons, system, other)

    def made(self, class_: HeadlineClass, text: str, detail: str = "", *, systems: Sequence[str] = ()) -> Headline:
        """A headline of this class, with a remark on scores that are undefined."""
        missing = [name for name, score in self.scores.items() if math.isnan(score)]
        if missing and class_ not in (HeadlineClass.UNDEFINED, HeadlineClass.NOT_COMPARABLE):
            detail = f"{detail} {_missing(missing, self.metric)}".lstrip()
        return Headline(class_=class_, text=text, detail=detail, systems=tuple(systems), metric=self.metric.label)

    def score(self, name: str) -> str:
        """The score of a system: "51.13 BLEU", or "44.10; lower is better" where it is so."""
        points = decimal(self.scores[name])
        return f"{points} {self.metric.label}" if self.metric.higher_is_better else f"{points}; lower is better"

    @property
    def highest(self) -> str:
        """The beginning of a sentence: which system has the best score."""
        return f"{self.begin}{self.has_best}"

    @property
    def has_best(self) -> str:
        """Which system has the best score, as it is within a sentence."""
        if self.metric.higher_is_better:
            return f"{self.best} scores highest ({self.score(self.best)})"
        return f"{self.best} has the lowest {self.metric.label} ({self.score(self.best)})"

    @property
    def begin(self) -> str:
        """How a sentence begins that goes on with the name of a system."""
        return "In this slice, " if self.sliced else ""

    @property
    def family(self) -> str:
        """What p is called, and what it is corrected for: "p (Holm) over 78 pairs of 13 systems"."""
        found = self.comparisons
        if found is None or len(found.pairs) == 1:
            return "p"
        if found.correction == "none":
            return P_NAMES["none"]
        number = len(found.pairs)
        baselines = {pair.baseline for pair in found.pairs}
        if found.complete:
            of = f"{number:,} pairs of {len(found.systems):,} systems"
        else:
            of = f"{number:,} pairs" + (f" with {baselines.pop()}" if len(baselines) == 1 else "")
        return f"{P_NAMES[found.correction]} over {of}"

    @property
    def level(self) -> str:
        """What decides on significance: "p (Holm) at the 0.05 level over 78 pairs of 13 systems"."""
        p, over, of = self.family.partition(" over ")
        alpha = math.nan if self.comparisons is None else self.comparisons.alpha
        return f"{p} at the {alpha:g} level{over}{of}"

    def evidence(self, pair: Comparison) -> str:
        """The difference of the best system, with its interval and p."""
        delta, low, high = pair.tested_difference, pair.interval.low, pair.interval.high
        if delta < 0 or (delta == 0 and not self.metric.higher_is_better):
            low, high = -high, -low
        size, low_, high_ = format_differences(abs(delta), low, high)
        p, over, of = self.family.partition(" over ")
        value = format_p(pair.p_value_adjusted)
        equals = "" if value.startswith(("<", "≤", "≈")) else "= "
        interval = f"{100 * CONFIDENCE:g}% interval {low_} to {high_}"
        return f"{size} {self.metric.label} ({interval}; {p} {equals}{value}{over}{of})"

    def untested(self) -> str:
        """A remark on differences of the best system that cannot be tested, and on intervals that include zero."""
        found = self.comparisons
        pairs = [] if found is None else [found.between(self.best, other) for other in self.others]
        reasons = [pair.reason for pair in pairs if pair is not None and math.isnan(pair.p_value_adjusted)]
        said: list[str] = []
        if reasons:
            count = len(reasons)
            said.append(f"{count:,} of these differences cannot be tested: {reasons[0] or 'p is undefined'}.")
        alpha = math.nan if found is None else found.alpha
        spanning = sum(
            pair is not None and significant(pair.p_value_adjusted, alpha) and self.verdicts[other] == 0
            for pair, other in zip(pairs, self.others, strict=True)
        )
        if spanning and len(self.others) == 1:
            said.append("Although p is below the level, the interval includes zero.")
        elif spanning:
            said.append(f"In {spanning:,} of these, p is below the level, but the interval includes zero.")
        return " ".join(said)


def _obstructed(alarm: Finding) -> tuple[str, str]:
    return f"Not comparable: {(alarm.obstacle or alarm.message).removesuffix('.')}.", alarm.cause


def _not_comparable(case: _Case) -> Headline | None:
    if case.alarm is None:
        return None
    about = tuple(name for name in case.alarm.systems if name in case.scores)
    return case.made(HeadlineClass.NOT_COMPARABLE, *_obstructed(case.alarm), systems=about)


def _undefined(case: _Case) -> Headline | None:
    """No system, or not two of several, have a score."""
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
    return case.made(HeadlineClass.UNDEFINED, text, detail, systems=case.order)


def _missing(names: Sequence[str], metric: Metric) -> str:
    return f"{metric.label} of {listed(names, NAMED)} is undefined: {metric.undefined}."


def _one(case: _Case) -> Headline | None:
    if len(case.scores) > 1:
        return None
    if case.metric.higher_is_better:
        text = f"{case.begin}{case.best} scores {case.score(case.best)}."
    else:
        text = (
            f"{case.begin}{case.best} has a {case.metric.label} of {decimal(case.scores[case.best])} (lower is better)."
        )
    return case.made(HeadlineClass.ONE_SYSTEM, text, systems=(case.best,))


def _described(case: _Case) -> Headline | None:
    if case.slice_chosen != "after":
        return None
    said = _share_best(case) if len(case.tied) > 1 else case.has_best
    return case.made(
        HeadlineClass.CHOSEN_SLICE,
        f"Descriptive only: in this slice, {said}.",
        "The slice was chosen after its results were seen, so the differences are not tested.",
        systems=case.tied,
    )


def _share_best(case: _Case) -> str:
    """Which systems have the best score, where there are several, as it is within a sentence."""
    if len(case.tied) == len(case.order) > NAMED:
        who = f"all {len(case.order):,} systems"
    else:
        who = enumeration(case.tied) if len(case.tied) <= NAMED else f"{len(case.tied):,} systems"
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
    said = f"{case.begin}{_share_best(case)}."
    said = said[0].upper() + said[1:] if said.startswith("all ") else said
    rest, found = case.order[len(case.tied) :], case.comparisons
    detail = ""
    if rest and found is not None:
        worse = [other for other in rest if all(case.verdict(one, other) == 1 for one in case.tied)]
        detail = f"Significantly worse than each of them ({case.level}): {listed(worse, NAMED) or 'none'}."
    return case.made(HeadlineClass.TIE, said, detail, systems=case.tied)


def _too_few(case: _Case) -> Headline | None:
    found = case.comparisons
    number, unit = (case.segments, "segment") if found is None else (found.units, found.unit)
    if number is None or number >= MIN_UNITS:
        return None
    if found is not None and any(not math.isnan(pair.p_value_adjusted) for pair in found.pairs):
        return None
    are = "is" if number == 1 else "are"
    text = f"Too few {unit}s for a test: there {are} {number}, and at least {MIN_UNITS} are needed."
    return case.made(HeadlineClass.TOO_FEW_UNITS, text, f"{case.highest}, which may be chance.", systems=(case.best,))


def _not_tested(case: _Case) -> Headline | None:
    found = case.comparisons
    if found is not None and (case.baseline or all(found.between(case.best, other) for other in case.others)):
        return None
    text = f"{case.highest}; the differences are not tested here."
    return case.made(HeadlineClass.NOT_TESTED, text, systems=(case.best,))


def _untestable(case: _Case) -> Headline | None:
    """No difference has a p-value, for another reason than too few units."""
    found, tested_with = case.comparisons, case.baseline or case.best
    if any(case.verdict(tested_with, other) is not None for other in case.order if other != tested_with):
        return None
    pairs = () if found is None else found.pairs
    reason = next((pair.reason for pair in pairs if pair.reason), "p is undefined")
    who = " and ".join(case.order) if len(case.order) == 2 else "The systems"  # noqa: PLR2004 # a pair
    return case.made(
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
        f"{how}: {listed(names, NAMED)}"
        for how, names in (("Better", better), ("worse" if better else "Worse", worse))
        if names
    ]
    detail = f"{'; '.join(named) or 'Tested'} ({case.level})."
    untested = sum(verdict is None for verdict in verdicts.values())
    if untested:
        detail += f" {untested:,} of these differences cannot be tested."
    return case.made(HeadlineClass.BASELINE, text, detail, systems=(baseline,))


def _leader(case: _Case) -> Headline | None:
    if any(verdict != 1 for verdict in case.verdicts.values()):
        return None
    best, others, found = case.best, case.others, case.comparisons
    pair = None if found is None else found.between(best, others[0])
    than = others[0] if len(others) == 1 else "all others"
    if case.metric.higher_is_better:
        shown = (
            f"{decimal(case.scores[best])} against {case.score(others[0])}" if len(others) == 1 else case.score(best)
        )
        text = f"{case.begin}{best} scores significantly higher than {than} ({shown})."
    else:
        whose = f"that of {than}" if len(others) == 1 else f"those of {than}"
        text = f"{case.highest}, significantly lower than {whose}."
    detail = ""
    if pair is not None:
        of = "The difference" if len(others) == 1 else f"The difference to the next, {others[0]},"
        detail = f"{of} is {case.evidence(pair)}."
    named = (best, *others) if len(others) == 1 else (best,)
    return case.made(HeadlineClass.LEADER, text, detail, systems=named)


def _leaders(case: _Case) -> Headline:
    best, others, found = case.best, case.others, case.comparisons
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
    if above:  # by the means of blocks, which need not have the order of corpus scores
        unit = "unit" if found is None else found.unit
        parts.append(f"{listed(above, NAMED)} {_are(len(above))} significantly better on average over {unit}s")
    text = f"No clear winner{where}: {case.has_best}, but {' and '.join(parts)}."
    pair = None if found is None else found.between(best, others[0])
    if len(others) == 1 and pair is not None:
        detail = f"The difference is {case.evidence(pair)}."
    else:
        detail = f"Not significantly different ({case.level}): {listed(level, NAMED)}." if level else ""
    detail = f"{detail} {case.untested()}".strip()
    named = (best, *others) if len(others) == 1 else (best,)
    return case.made(HeadlineClass.LEADERS, text, detail, systems=named)


#: In the order of CONDITIONS, but for differences without p-values.
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
    """A number of the other systems, at least two, as the subject of a sentence: "7 of the 12 others"."""
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
