"""Two definitions of reference length, and BLEU in the log domain."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from bleu_core.fields import SYSTEM, Table, field, result, table_of
from bleu_core.paper.shared import POINTS
from bleu_core.paper.step import PaperInput, Step, StepResult
from bleu_core.scoring import Definition


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
    return StepResult(definitions, tables=(_table(definitions),), notes=(data.references_note,))


def _table(definitions: Sequence[Definition]) -> Table:
    rows = [
        Row(
            system=systems[0].system,
            hypothesis_length=systems[0].hypothesis_length,
            by_choice={
                definition.choice: _ChoiceColumns(
                    reference_length=system.reference_length,
                    brevity_penalty=system.brevity_penalty,
                    bleu=system.bleu / POINTS,
                    log_bleu=system.log_bleu if math.isfinite(system.log_bleu) else math.nan,
                )
                for definition, system in zip(definitions, systems, strict=True)
            },
        )
        for systems in zip(*(definition.systems for definition in definitions), strict=True)
    ]
    return table_of(rows, Row)


STEP = Step(
    key="definitions",
    heading="Two definitions of reference length, and log BLEU",
    look="Some descriptions of BLEU use the shortest reference. The penalty is then never harsher and the score "
    "never lower. Log BLEU, the sum of the log penalty and the weighted log precisions, ranks systems as "
    "BLEU does.",
    compute=compute,
    numbers=tuple[Definition, ...],
)
