"""Two definitions of reference length, and BLEU in the log domain."""

from __future__ import annotations

import math
from collections.abc import Sequence

from bleu_core.fields import SYSTEM, Cell, Field, Table, field, result
from bleu_core.paper.step import PaperInput, Step, StepResult
from bleu_core.paper.steps.shared import BLEU_POINTS, COMPUTED, POINTS, references_note
from bleu_core.scoring import Definition

NO_LOGARITHM = "the logarithm of 0 is undefined"


@result
class SystemDefinition:
    """Scores of a system with one definition."""

    system: str = field(SYSTEM)
    bleu: float = field(BLEU_POINTS)
    brevity_penalty: float = field(
        "fraction", "Factor that penalises texts shorter than the reference; 1 means no penalty."
    )
    hypothesis_length: float = field("number", "Number of tokens of the system's text.")
    reference_length: float = field("number", "Number of tokens of the reference, as the definition chooses it.")
    log_brevity_penalty: float = field("number", "Natural logarithm of the brevity penalty.", undefined=NO_LOGARITHM)
    log_precisions: float = field(
        "number", "Weighted sum of the natural logarithms of the precisions.", undefined=NO_LOGARITHM
    )
    log_bleu: float = field("number", "Natural logarithm of BLEU from 0 to 1.", undefined=NO_LOGARITHM)


@result
class DefinitionScores:
    """Scores of the systems with one definition."""

    reference_length: str = field("text", "How the reference length is chosen.")
    signature: str = field("text", "Signature to quote with the scores.")
    ranking: tuple[str, ...] = field("object", "The systems by log BLEU, lowest first.")
    systems: tuple[SystemDefinition, ...] = field("object", "Scores by system.")


@result
class DefinitionNumbers:
    """Both definitions in the JSON."""

    computed: tuple[DefinitionScores, ...] = field(COMPUTED)


def compute(data: PaperInput) -> StepResult:
    """Return the scores with both definitions."""
    definitions = data.results.definitions
    return StepResult(
        DefinitionNumbers(computed=tuple(map(_numbers, definitions))),
        tables=(_table(definitions),),
        notes=(references_note(data.results),),
    )


def _numbers(definition: Definition) -> DefinitionScores:
    return DefinitionScores(
        reference_length=definition.choice,
        signature=definition.signature,
        ranking=definition.ranking,
        systems=tuple(
            SystemDefinition(
                system=name,
                bleu=float(definition.scores[k]),
                brevity_penalty=float(definition.penalties[k]),
                hypothesis_length=float(definition.hypothesis_lengths[k]),
                reference_length=float(definition.reference_lengths[k]),
                log_brevity_penalty=float(definition.log_penalties[k]),
                log_precisions=float(definition.log_precisions[k]),
                log_bleu=float(definition.log_bleu[k]),
            )
            for k, name in enumerate(definition.systems)
        ),
    )


def _table(definitions: Sequence[Definition]) -> Table:
    columns = {"system": SYSTEM, "hypothesis_length": Field("count", "Number of tokens of the system's text.")}
    for d in definitions:
        columns |= {
            f"reference_length_{d.choice}": Field(
                "count", f"Number of tokens of the reference with the setting {d.choice}.", f"{d.choice} length"
            ),
            f"brevity_penalty_{d.choice}": Field(
                "fraction", "Brevity penalty with that reference length.", f"penalty by {d.choice}"
            ),
            f"bleu_{d.choice}": Field("bleu", "Corpus BLEU with that reference length, 0 to 1.", f"BLEU by {d.choice}"),
            f"log_bleu_{d.choice}": Field("number", "Natural logarithm of that BLEU.", f"log BLEU by {d.choice}"),
        }
    rows: list[tuple[Cell, ...]] = []
    for k, name in enumerate(definitions[0].systems):
        row: list[Cell] = [name, float(definitions[0].hypothesis_lengths[k])]
        for d in definitions:
            logarithm = float(d.log_bleu[k])
            row += [float(d.reference_lengths[k]), float(d.penalties[k]), float(d.scores[k]) / POINTS]
            row.append(logarithm if math.isfinite(logarithm) else math.nan)
        rows.append(tuple(row))
    return Table(columns, tuple(rows))


STEP = Step(
    key="definitions",
    heading="Two definitions of reference length, and log BLEU",
    look="Some descriptions of BLEU use the shortest reference. The penalty is then never harsher and the score "
    "never lower. Log BLEU, the sum of the log penalty and the weighted log precisions, ranks systems as "
    "BLEU does.",
    compute=compute,
    numbers=DefinitionNumbers,
)
