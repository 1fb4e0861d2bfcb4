"""Systems by metrics: one table with the scores of several metrics, their intervals and tiers, and mean ratings."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import TYPE_CHECKING

from bleu_core.fields import SYSTEM, Field, Joined, Table, field, result, table_of
from bleu_core.inference import ScoreIntervals, tiers
from bleu_core.results.scores import INTERVAL, meaning_of
from bleu_core.scoring import ScoredCorpus, decimals_of

#: Meaning of mean ratings that are adjusted for judges.
ADJUSTED = "Mean rating by people, adjusted for judges and segments by least squares."

if TYPE_CHECKING:
    from bleu_core.dataset import ScoreTable
    from bleu_core.inference import Comparisons, Disagreement


@dataclass(frozen=True, slots=True, kw_only=True)
class MetricColumn:
    """The scores of systems by one metric.

    Attributes:
        scored: the systems under the metric.
        intervals: of the scores, if asked for.
        comparisons: of all pairs of systems, for their tiers, if asked for.
        not_ranked: systems that are never the best: human translations, and systems that were optimised for the metric.
    """

    scored: ScoredCorpus
    intervals: ScoreIntervals | None = None
    comparisons: Comparisons | None = None
    not_ranked: tuple[str, ...] = ()

    @property
    def scores(self) -> Mapping[str, float]:
        """System -> score."""
        return dict(zip(self.scored.systems, self.scored.scores.tolist(), strict=True))

    @property
    def tiers(self) -> Mapping[str, int]:
        """System -> number of its tier, from 1; empty without comparisons, or if none of them has a p-value."""
        if self.comparisons is None or not self.comparisons.tested:
            return {}
        return {name: number for number, tier in enumerate(tiers(self.comparisons), start=1) for name in tier}


@result
class _MetricCells:
    """The cells of a system and a metric."""

    score: float = field("points", columns="score_{0}", label="{0}")
    low: float | None = field("points", f"Lower end of the {INTERVAL}.", columns="low_{0}", label="{0} low")
    high: float | None = field("points", f"Upper end of the {INTERVAL}.", columns="high_{0}", label="{0} high")
    tier: int | None = field(
        "count",
        "Tier by {0}: every system of a tier is significantly better than every one of the tiers below.",
        columns="tier_{0}",
        label="{0} tier",
    )


@result
class _SystemByMetrics:
    """A system's scores by several metrics, and its mean rating."""

    system: str = field(SYSTEM)
    metrics: Mapping[str, _MetricCells] = field("object", columns="{}")
    human: float | None = field("number", "Mean rating by people.", label="people", best="highest", default=None)
    human_raw: float | None = field(
        "number", "Mean rating by people, not adjusted for judges.", label="people, raw", default=None
    )


def metric_scores_table(
    columns: Sequence[MetricColumn],
    *,
    systems: Sequence[str] = (),
    whole: Mapping[str, ScoreTable] = MappingProxyType({}),
    human: Mapping[str, float] | None = None,
    human_raw: Mapping[str, float] | None = None,
    human_best: bool = True,
    not_ranked: Collection[str] = (),
) -> Table:
    """Return one row per system with its score by each metric; the best score of each metric is marked.

    Args:
        columns: the metrics, at least one, of the same systems.
        systems: the systems in the order of the rows; that of the first metric if empty.
        whole: label -> scores, of metrics that have scores of whole systems only.
        human: system -> mean rating, if there are ratings.
        human_raw: system -> raw mean rating, if the ratings are adjusted for judges.
        human_best: whether mean ratings may be compared, so that the best one is marked.
        not_ranked: human translations, whose mean ratings are never the best.
    """
    by_metric = {column.scored.label: (column, column.scores, column.tiers) for column in columns}
    whole_scores = {label: table.scores_of_systems for label, table in whole.items()}
    rows: list[_SystemByMetrics] = []
    for name in systems or columns[0].scored.systems:
        cells = {
            label: _MetricCells(
                score=scores.get(name, math.nan),
                low=column.intervals.scores[name].low if column.intervals else None,
                high=column.intervals.scores[name].high if column.intervals else None,
                tier=tier.get(name),
            )
            for label, (column, scores, tier) in by_metric.items()
        }
        cells |= {
            label: _MetricCells(score=scores.get(name, math.nan), low=None, high=None, tier=None)
            for label, scores in whole_scores.items()
        }
        rating = None if human is None else human.get(name, math.nan)
        raw = None if human_raw is None else human_raw.get(name, math.nan)
        rows.append(_SystemByMetrics(system=name, metrics=cells, human=rating, human_raw=raw))
    table = table_of(rows, _SystemByMetrics)
    empty = [name for place, name in enumerate(table.columns) if all(_is_absent(row[place]) for row in table.rows)]
    table = table.without(*(name for name in empty if name.startswith(("low_", "high_", "tier_"))))
    declared = dict(table.with_unranked(not_ranked).columns)
    if human is not None and human_raw is not None:
        declared["human"] = replace(declared["human"], label="people, adjusted for judges", help=ADJUSTED)
    if human is not None and not human_best:
        declared["human"] = replace(declared["human"], best="")
    for label, (column, _, _) in by_metric.items():
        metric = column.scored.metric
        declared[f"score_{label}"] = Field(
            "points",
            meaning_of(metric),
            label,
            best="" if column.comparisons is not None and column.comparisons.obstacle else metric.best,
            decimals=metric.decimals,
            unranked=frozenset(column.not_ranked),
            compact=True,
        )
        for place in ("low", "high"):
            if f"{place}_{label}" in declared:
                joined = Joined(column=f"score_{label}", place=place)
                field_of_end = replace(declared[f"{place}_{label}"], decimals=metric.decimals, joined=joined)
                declared[f"{place}_{label}"] = field_of_end
        if f"tier_{label}" in declared:
            joined = Joined(column=f"score_{label}", place="superscript")
            declared[f"tier_{label}"] = replace(declared[f"tier_{label}"], joined=joined)
    for label, of_systems in whole.items():
        better, best = ("higher", "highest") if of_systems.higher_is_better else ("lower", "lowest")
        declared[f"score_{label}"] = Field(
            "points",
            f"Scores of whole systems from a file; {better} is better.",
            label,
            best=best,
            decimals=decimals_of(of_systems.system_scores),
            unranked=frozenset(not_ranked),
            compact=True,
        )
    return table.redeclared(declared)


def whole_systems_note(labels: Collection[str]) -> str:
    """Return why metrics have neither intervals nor tiers; empty without such metrics."""
    names = ", ".join(labels)
    return f"{names}: the file has scores of whole systems only, so they have no interval and no tier." if names else ""


def disagreement_sentence(disagreement: Disagreement) -> str:
    """Return a sentence on two systems that metrics order differently."""
    first, second = disagreement.systems
    by = ", ".join(disagreement.metrics)
    other = ", ".join(disagreement.others)
    return f"{first} is significantly better than {second} by {by}, and significantly worse by {other}."


def _is_absent(cell: object) -> bool:
    return isinstance(cell, float) and math.isnan(cell)
