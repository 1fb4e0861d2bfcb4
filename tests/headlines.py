"""The truth table of headlines: `python -m tests.headlines` writes docs/headlines.md, which the tests compare.

Each case states data and the class that they must have, in metrics of which higher is better and of which lower is.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from pathlib import Path
from typing import Literal

import numpy as np

from bleu_core.diagnostics import Finding
from bleu_core.fields import decimal
from bleu_core.inference import Comparison, Comparisons, Interval, Unit
from bleu_core.results.headlines import CONDITIONS, Headline, HeadlineClass, SliceChosen, headline
from bleu_core.scoring import find_metric

PAGE = Path(__file__).parents[1] / "docs" / "headlines.md"

#: Scores of systems, where higher is better; where lower is better, a system has 100 less its score.
THREE: Mapping[str, float] = {"Alpha": 51.13, "Beta": 50.36, "Gamma": 47.9}
TWO: Mapping[str, float] = {"Alpha": 51.13, "Beta": 50.36}

CLOSE = Finding(
    key="close-reference",
    systems=("Beta",),
    references=("ref",),
    message="59% of the reference's segments equal Beta's output (other systems: at most 7%).",
    strength="alarm",
    advice="Ask how the reference was made.",
    obstacle="59% of the reference's segments equal Beta's output (other systems: at most 7%)",
    cause="The reference may have been post-edited from Beta's output, or Beta may have learned it.",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """Data of a comparison, and the class of its headline.

    Attributes:
        name: of the case.
        expected: the class.
        scores: system -> score where higher is better.
        p: pair -> p (Holm); other pairs have 0.001. The interval of a pair excludes zero where p is below 0.05.
        tested: which pairs are compared: all, those with a baseline, or none.
        findings: of the warnings.
        slice_chosen: when the slice was chosen.
        units: how many segments, documents or blocks there are.
        unit: of what is resampled.
        reason: why p is undefined, where it is NaN.
    """

    name: str
    expected: HeadlineClass
    scores: Mapping[str, float] = field(default_factory=lambda: THREE)
    p: Mapping[tuple[str, str], float] = field(default_factory=dict[tuple[str, str], float])
    tested: Literal["all pairs", "none"] | str = "all pairs"  # noqa: PYI051 # or the name of a baseline
    findings: Sequence[Finding] = ()
    slice_chosen: SliceChosen | None = None
    units: int = 400
    unit: Unit = "segment"
    reason: str = ""

    def scores_of(self, metric: str) -> dict[str, float]:
        """The scores as the metric gives them."""
        higher = find_metric(metric).higher_is_better
        return {name: score if higher else 100 - score for name, score in self.scores.items()}

    def comparisons(self, metric: str) -> Comparisons | None:
        """The pairs, tested."""
        if self.tested == "none":
            return None
        scores = self.scores_of(metric)
        pairs = tuple(combinations(scores, 2))
        if self.tested != "all pairs":
            pairs = tuple((name, self.tested) for name in scores if name != self.tested)
        return Comparisons(
            test="bootstrap",
            systems=tuple(scores),
            scores=np.array(list(scores.values())),
            pairs=tuple(self._pair(scores, system, baseline) for system, baseline in pairs),
            higher_is_better=find_metric(metric).higher_is_better,
            unit=self.unit,
            units=self.units,
            segments=max(self.units, 400),
            resamples=1000,
            trials=0,
            seed=12345,
            correction="holm",
            alpha=0.05,
        )

    def _pair(self, scores: Mapping[str, float], system: str, baseline: str) -> Comparison:
        delta = scores[system] - scores[baseline]
        p = self.p.get((system, baseline), self.p.get((baseline, system), 0.001))
        if math.isnan(delta):
            p = math.nan
        half = abs(delta) * (0.6 if p < 0.05 else 1.5) + (0.1 if not delta else 0)
        bounds = (math.nan, math.nan) if math.isnan(p) else (delta - half, delta + half)
        undefined = "a score is undefined" if math.isnan(delta) else self.reason
        return Comparison(
            system=system,
            baseline=baseline,
            delta=delta,
            interval=Interval(*bounds, 0.95),
            p_value=p,
            p_value_adjusted=p,
            reason=undefined if math.isnan(p) else "",
        )

    def made(self, metric: str) -> Headline:
        """The headline."""
        return headline(
            self.scores_of(metric),
            find_metric(metric),
            self.comparisons(metric),
            findings=self.findings,
            references=("ref",),
            slice_chosen=self.slice_chosen,
            units=self.units,
        )

    def described(self, metric: str) -> str:
        """The data in words."""
        label = find_metric(metric).label
        scores = ", ".join(
            f"{name} {'undefined' if math.isnan(score) else decimal(score)}"
            for name, score in self.scores_of(metric).items()
        )
        parts = [f"{label}: {scores or 'no system'}"]
        found = self.comparisons(metric)
        if found is not None and found.pairs:
            p_name = "p (Holm)" if found.pairs[1:] else "p"
            values = ", ".join(
                f"{pair.system} and {pair.baseline} "
                f"{'undefined' if math.isnan(pair.p_value_adjusted) else f'{pair.p_value_adjusted:g}'}"
                for pair in found.pairs
            )
            parts.append(f"{p_name}: {values}")
        elif self.scores:
            parts.append("no tests")
        if self.reason:
            parts.append(f"reason: {self.reason}")
        if self.units < 400:
            parts.append(f"{self.units} {self.unit}s")
        parts += [f"{one.strength} `{one.key}` about {', '.join(one.systems)}" for one in self.findings]
        if self.slice_chosen:
            parts.append(f"slice chosen {self.slice_chosen} its results were seen")
        return "; ".join(parts)


NAN = math.nan
OPEN = {("Alpha", "Beta"): 0.33}
NO_P = dict.fromkeys(combinations(THREE, 2), NAN)

CASES: tuple[Case, ...] = (
    Case(name="an alarm about a system that is compared", expected=HeadlineClass.NOT_COMPARABLE, findings=(CLOSE,)),
    Case(
        name="an alarm, and one system", expected=HeadlineClass.NOT_COMPARABLE, findings=(CLOSE,), scores={"Beta": 75.7}
    ),
    Case(name="no system", expected=HeadlineClass.UNDEFINED, scores={}, tested="none"),
    Case(name="no score", expected=HeadlineClass.UNDEFINED, scores={"Alpha": NAN, "Beta": NAN}),
    Case(name="one score of several", expected=HeadlineClass.UNDEFINED, scores={"Alpha": 51.13, "Beta": NAN}),
    Case(
        name="differences without variance",
        expected=HeadlineClass.UNDEFINED,
        scores=TWO,
        p={("Alpha", "Beta"): NAN},
        reason="no variance",
        unit="block",
        units=20,
    ),
    Case(name="one system", expected=HeadlineClass.ONE_SYSTEM, scores={"Alpha": 51.13}, tested="none"),
    Case(name="a slice chosen after looking", expected=HeadlineClass.CHOSEN_SLICE, slice_chosen="after"),
    Case(
        name="a slice chosen after looking, equal scores",
        expected=HeadlineClass.CHOSEN_SLICE,
        scores={"Alpha": 51.13, "Beta": 51.13},
        p={("Alpha", "Beta"): 1.0},
        slice_chosen="after",
    ),
    Case(
        name="equal scores",
        expected=HeadlineClass.TIE,
        scores={"Alpha": 51.13, "Beta": 51.13},
        p={("Alpha", "Beta"): 1.0},
    ),
    Case(
        name="equal best scores",
        expected=HeadlineClass.TIE,
        scores={"Alpha": 51.13, "Beta": 51.13, "Gamma": 47.9},
        p={("Alpha", "Beta"): 1.0},
    ),
    Case(name="few segments", expected=HeadlineClass.TOO_FEW_UNITS, p=NO_P, units=5, reason="only 5 segments"),
    Case(
        name="few documents",
        expected=HeadlineClass.TOO_FEW_UNITS,
        p=NO_P,
        units=2,
        unit="document",
        reason="only 2 documents",
    ),
    Case(name="no tests", expected=HeadlineClass.NOT_TESTED, tested="none"),
    Case(name="others with a baseline", expected=HeadlineClass.BASELINE, tested="Beta", p=OPEN),
    Case(
        name="others with a baseline, no difference",
        expected=HeadlineClass.BASELINE,
        tested="Beta",
        p={**OPEN, ("Gamma", "Beta"): 0.06},
    ),
    Case(
        name="two systems, a significant difference",
        expected=HeadlineClass.LEADER,
        scores=TWO,
        p={("Alpha", "Beta"): 0.002},
    ),
    Case(name="a leader", expected=HeadlineClass.LEADER, p={("Alpha", "Beta"): 0.012}),
    Case(
        name="a leader in a slice", expected=HeadlineClass.LEADER, p={("Alpha", "Beta"): 0.012}, slice_chosen="before"
    ),
    Case(name="two systems, no significant difference", expected=HeadlineClass.LEADERS, scores=TWO, p=OPEN),
    Case(name="a group of leaders", expected=HeadlineClass.LEADERS, p=OPEN),
    Case(name="no difference at all", expected=HeadlineClass.LEADERS, p=dict.fromkeys(combinations(THREE, 2), 0.4)),
    Case(
        name="a score that is undefined beside others",
        expected=HeadlineClass.LEADERS,
        scores={**THREE, "Delta": NAN},
        p=OPEN,
    ),
    Case(name="p at the level", expected=HeadlineClass.LEADERS, scores=TWO, p={("Alpha", "Beta"): 0.05}),
)

HEAD = """# Headlines

The first sentence above a comparison follows from its data by rules (`bleu_core.results.headlines.headline`).
`bleu-core compare` prints it first, and its JSON has it as `headline`. A difference is significant if p, corrected for
the family that is named, is below the level of significance and the interval excludes zero. The classes are tried in
this order, and the first whose condition holds decides; the second sentence has the evidence, the cause or the reason.
This page is generated from the rules and from the cases that the tests check: `just docs`.

| Class | Condition |
|---|---|
"""


def page() -> str:
    """The page of documentation."""
    classes = "\n".join(f"| `{kind}` | {condition} |" for kind, condition in CONDITIONS.items())
    sections = [f"{HEAD}{classes}\n"]
    for metric in ("bleu", "ter"):
        how = "higher" if find_metric(metric).higher_is_better else "lower"
        rows = [
            f"| `{made.class_}` | {made.text} {made.detail} | {case.described(metric)} |".replace("  |", " |")
            for case in CASES
            for made in [case.made(metric)]
        ]
        head = (
            f"## {find_metric(metric).label}, of which {how} is better\n\n| Class | Sentences | Data |\n|---|---|---|"
        )
        sections.append("\n".join([head, *rows]) + "\n")
    return "\n".join(sections)


if __name__ == "__main__":
    PAGE.write_text(page(), "utf-8")
