"""Section 2.1.3: means, orders and weights of precisions, and their correlation with the judges."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from bleu_core.fields import Cell, Field, Table, field, result
from bleu_core.paper.combining import Combination, CombinationAgreement
from bleu_core.paper.step import PaperInput, Step, StepResult
from bleu_core.paper.steps.shared import (
    COMPUTED,
    GROUP,
    NO_JUDGMENTS,
    POINTS,
    CorrelationNumbers,
    SystemBleu,
    bleu_of_systems,
    correlation_numbers,
    group_column,
    references_note,
)

MEAN = Field("text", "How precisions are averaged: geometric (BLEU) or arithmetic mean.")
ORDERS = Field("count", "Highest n-gram order.")


@result
class GroupCorrelations:
    """Correlation of a combination with the mean ratings of a group."""

    group: str | None = field(GROUP)
    pearson: CorrelationNumbers = field("object", "Pearson's correlation.")
    spearman: CorrelationNumbers = field("object", "Spearman's rank correlation.")


@result
class CombinationNumbers:
    """Scores by one way to combine precisions."""

    mean: str = field(MEAN)
    max_order: int = field(ORDERS)
    weights: tuple[float, ...] | None = field("object", "Weight of each order; null if uniform.", null=True)
    systems: tuple[SystemBleu, ...] = field("object", "Scores by system.")
    correlations: tuple[GroupCorrelations, ...] | None = field(
        "object", "Correlation with each group of judges; null without judgments.", null=True
    )
    reason: str = field("text", "Why there are no correlations.", default="")


@result
class CombiningNumbers:
    """The combinations in the JSON."""

    computed: tuple[CombinationNumbers, ...] = field(COMPUTED)


def compute(data: PaperInput) -> StepResult:
    """Return the scores by each combination, and their correlation with judges."""
    results = data.results
    agreements = results.ratings.combination_agreements if results.ratings else ()
    against = references_note(results)
    return StepResult(
        CombiningNumbers(
            computed=tuple(
                _numbers(combination, agreements, rated=bool(results.ratings)) for combination in results.combinations
            )
        ),
        tables=(combination_table(results.combinations, agreements),),
        notes=(against,) if results.ratings else (against, f"correlations left out: {NO_JUDGMENTS}"),
    )


def combination_table(combinations: Sequence[Combination], results: Sequence[CombinationAgreement] = ()) -> Table:
    """Return the table of BLEU by each combination, with its Pearson and Spearman correlation with each group."""
    groups = tuple(dict.fromkeys(r.group for r in results))
    columns = {"mean": MEAN, "N": ORDERS, "weights": Field("text", "Weight of each order.")}
    columns |= {
        f"BLEU of {name}": Field("bleu", "Corpus BLEU by this combination, 0 to 1.") for name in combinations[0].systems
    }
    for group in groups:
        name, judges = group_column(group), "all judges" if group is None else "this group of judges"
        columns |= {
            f"Pearson's r, {name}": Field("number", f"Pearson's r with the mean ratings of {judges}."),
            f"Spearman's rho, {name}": Field("number", f"Spearman's rho with the mean ratings of {judges}."),
        }
    result_of = {(id(r.combination), r.group): r for r in results}
    rows: list[tuple[Cell, ...]] = []
    for combination in combinations:
        row: list[Cell] = [
            combination.mean,
            combination.max_order,
            _weights(combination.weights),
            *(combination.scores / POINTS).tolist(),
        ]
        for group in groups:
            r = result_of[id(combination), group]
            row += [r.pearson.coefficient, r.spearman.coefficient]
        rows.append(tuple(row))
    return Table(columns, tuple(rows))


def _numbers(combination: Combination, results: Sequence[CombinationAgreement], *, rated: bool) -> CombinationNumbers:
    correlations = tuple(
        GroupCorrelations(
            group=r.group, pearson=correlation_numbers(r.pearson), spearman=correlation_numbers(r.spearman)
        )
        for r in results
        if r.combination is combination
    )
    return CombinationNumbers(
        mean=combination.mean,
        max_order=combination.max_order,
        weights=combination.weights,
        systems=bleu_of_systems(combination.systems, combination.scores),
        correlations=correlations if rated else None,
        reason="" if rated else NO_JUDGMENTS,
    )


def _weights(weights: Iterable[float] | None) -> str:
    return "uniform" if weights is None else "/".join(f"{w:g}" for w in weights)


STEP = Step(
    key="combining",
    heading="Section 2.1.3: means, orders and weights",
    look="Precision decays roughly exponentially with the order, so the paper uses the geometric mean. Look for "
    "the maximum of each line: the paper found N = 4 best, with 3 and 5 close to it.",
    compute=compute,
    numbers=CombiningNumbers,
)
