"""Section 2.1.3: means, orders and weights of precisions, and their correlation with the judges."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from bleu_core.fields import Table, field, fields_of, inline, result, table_of
from bleu_core.paper.combining import Combination, CombinationAgreement
from bleu_core.paper.shared import NO_JUDGMENTS, from_0_to_1, group_column
from bleu_core.paper.step import PaperInput, Step, StepResult


@result
class CombinationNumbers:
    """Scores by one way to combine precisions, and their correlations."""

    combination: Combination = inline(Combination)
    correlations: tuple[CombinationAgreement, ...] | None = field(
        "object", "Correlation with each group of judges; null without judgments.", null=True
    )
    reason: str = field("text", "Why there are no correlations.", default="")


@result
class _GroupColumns:
    """Correlation with the mean ratings of a group."""

    pearson: float = field("number", "Pearson's r with the mean ratings of {1}.", columns="Pearson's r, {0}")
    spearman: float = field("number", "Spearman's rho with the mean ratings of {1}.", columns="Spearman's rho, {0}")


@result
class Row:
    """Scores by one way to combine precisions."""

    mean: str = field(fields_of(Combination)["mean"])
    N: int = field(fields_of(Combination)["max_order"])
    weights: str = field("text", "Weight of each order.")
    scores: Mapping[str, float] = field("points", "Corpus BLEU by this combination.", columns="BLEU of {}")
    correlations: Mapping[tuple[str, str], _GroupColumns] = field("object", columns="{0}")


def compute(data: PaperInput) -> StepResult:
    """Return the scores by each combination, and their correlation with judges."""
    results, notes = data.results, [data.references_note]
    agreements = results.ratings.combination_agreements if results.ratings else ()
    if not results.ratings:
        notes.append(f"correlations left out: {NO_JUDGMENTS}")
    numbers = tuple(
        CombinationNumbers(
            combination=combination,
            correlations=_of(combination, agreements) if results.ratings else None,
            reason="" if results.ratings else NO_JUDGMENTS,
        )
        for combination in results.combinations
    )
    return StepResult(numbers, tables=(combination_table(results.combinations, agreements),), notes=notes)


def combination_table(combinations: Sequence[Combination], results: Sequence[CombinationAgreement] = ()) -> Table:
    """Return the table of BLEU by each combination, with its Pearson and Spearman correlation with each group."""
    rows = [
        Row(
            mean=combination.mean,
            N=combination.max_order,
            weights=_weights(combination.weights),
            scores={system.system: system.bleu for system in combination.by_system},
            correlations={
                (group_column(r.group), "all judges" if r.group is None else "this group of judges"): _GroupColumns(
                    pearson=r.pearson.coefficient, spearman=r.spearman.coefficient
                )
                for r in _of(combination, results)
            },
        )
        for combination in combinations
    ]
    return from_0_to_1(table_of(rows, Row))


def _of(combination: Combination, results: Sequence[CombinationAgreement]) -> tuple[CombinationAgreement, ...]:
    return tuple(r for r in results if r.combination is combination)


def _weights(weights: Iterable[float] | None) -> str:
    return "uniform" if weights is None else "/".join(f"{w:g}" for w in weights)


STEP = Step(
    key="combining",
    heading="Section 2.1.3: means, orders and weights",
    look="Precision decays roughly exponentially with the order, so the paper uses the geometric mean. Look for "
    "the maximum of each line: the paper found N = 4 best, with 3 and 5 close to it.",
    compute=compute,
    numbers=tuple[CombinationNumbers, ...],
)
