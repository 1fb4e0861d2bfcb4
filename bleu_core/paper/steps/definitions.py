"""Two definitions of reference length, and BLEU in the log domain."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from bleu_core.fields import SYSTEM, Table, field, result, table_of
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


@result
class _ChoiceColumns:
    """A system's score with one definition of reference length."""

    reference_length: float = field(
        "count",
        "Number of tokens of the reference with the setting {0}.",
        columns="reference_length_{0}",
        label="{0} length",
    )
    brevity_penalty: float = field(
        "fraction",
        "Brevity penalty with that reference length.",
        columns="brevity_penalty_{0}",
        label="penalty by {0}",
    )
    bleu: float = field(
        "bleu", "Corpus BLEU with that reference length, 0 to 1.", columns="bleu_{0}", label="BLEU by {0}"
    )
    log_bleu: float = field(
        "number", "Natural logarithm of that BLEU.", columns="log_bleu_{0}", label="log BLEU by {0}"
    )


@result
class Row:
    """A system's scores with each definition."""

    system: str = field(SYSTEM)
    hypothesis_length: float = field("count", "Number of tokens of the system's text.")
    by_choice: Mapping[str, _ChoiceColumns] = field("object", columns="{0}")


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
    rows = [
        Row(
            system=name,
            hypothesis_length=float(definitions[0].hypothesis_lengths[k]),
            by_choice={
                d.choice: _ChoiceColumns(
                    reference_length=float(d.reference_lengths[k]),
                    brevity_penalty=float(d.penalties[k]),
                    bleu=float(d.scores[k]) / POINTS,
                    log_bleu=float(d.log_bleu[k]) if math.isfinite(d.log_bleu[k]) else math.nan,
                )
                for d in definitions
            },
        )
        for k, name in enumerate(definitions[0].systems)
    ]
    return table_of(rows, Row)


STEP = Step(
    key="definitions",
    heading="Two definitions of reference length, and log BLEU",
    look="Some descriptions of BLEU use the shortest reference. The penalty is then never harsher and the score "
    "never lower. Log BLEU, the sum of the log penalty and the weighted log precisions, ranks systems as "
    "BLEU does.",
    compute=compute,
    numbers=DefinitionNumbers,
)
