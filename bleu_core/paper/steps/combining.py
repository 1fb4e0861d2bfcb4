"""Section 2.1.3: means, orders and weights of precisions, and their correlation with the judges."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from bleu_core.fields import Field, Table, field, result, table_of
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


@result
class _GroupColumns:
    """Correlation with the mean ratings of a group."""

    pearson: float = field("number", "Pearson's r with the mean ratings of {1}.", columns="Pearson's r, {0}")
    spearman: float = field("number", "Spearman's rho with the mean ratings of {1}.", columns="Spearman's rho, {0}")


@result
class Row:
    """Scores by one way to combine precisions."""

    mean: str = field(MEAN)
    N: int = field(ORDERS)
    weights: str = field("text", "Weight of each order.")
    scores: Mapping[str, float] = field("bleu", "Corpus BLEU by this combination, 0 to 1.", columns="BLEU of {}")
    correlations: Mapping[tuple[str, str], _GroupColumns] = field("object", columns="{0}")


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
    rows = [
        Row(
            mean=combination.mean,
            N=combination.max_order,
            weights=_weights(combination.weights),
            scores=dict(zip(combination.systems, (combination.scores / POINTS).tolist(), strict=True)),
            correlations={
                (group_column(r.group), "all judges" if r.group is None else "this group of judges"): _GroupColumns(
                    pearson=r.pearson.coefficient, spearman=r.spearman.coefficient
                )
                for r in results
                if r.combination is combination
            },
        )
        for combination in combinations
    ]
    return table_of(rows, Row)


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
