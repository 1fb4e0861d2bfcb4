"""Examples 1 to 4: modified precision, naive recall and brevity penalty of single candidates."""

from __future__ import annotations

from collections.abc import Sequence

from bleu_core.fields import Table, field, fields_of, inline, result, table_of
from bleu_core.paper.printed import (
    CANDIDATE,
    CANDIDATE_LENGTH,
    EXAMPLE,
    EXAMPLES,
    ORDER,
    PRECISIONS,
    REFERENCE_LENGTHS,
    WANTED_PENALTY,
)
from bleu_core.paper.shared import from_0_to_1
from bleu_core.paper.step import PaperInput, Step, StepResult
from bleu_core.scoring import PRESETS, BleuSettings, Brevity, brevity
from bleu_core.segments import NgramCount, WorkedExample, work_example


@result
class CountedCandidate:
    """A candidate of an example with its counts."""

    example: int = field(EXAMPLE)
    candidate: int = field(CANDIDATE)
    worked: WorkedExample = inline(WorkedExample)


@result
class PrecisionRow:
    """The precisions of a candidate at one order."""

    example: int = field(EXAMPLE)
    candidate: int = field(CANDIDATE)
    order: int = field(ORDER)
    standard: str = field("text", "Share of the candidate's n-grams that occur in any reference.")
    published_standard: str = field("text", "As printed in the paper.")
    modified: str = field("text", "Share of the candidate's n-grams that match after clipping.")
    published_modified: str = field("text", "As printed in the paper.")


@result
class LengthRow:
    """Recall, lengths and brevity penalty of a candidate."""

    example: int = field(EXAMPLE)
    candidate: int = field(CANDIDATE)
    naive_recall: float = field("fraction", "Share of the references' distinct words that the candidate has.")
    words: int = field("count", "Words of the candidate.")
    reference_words: str = field("text", "Words of each reference.")
    reference_length: float = field("count", "Effective reference length, in words.")
    brevity_penalty: float = field(fields_of(Brevity)["penalty"])
    bleu: float = field("points", "BLEU of the candidate.", label="BLEU")


@result
class _Ngram:
    """An n-gram of a candidate, in one piece."""

    order: int = field(ORDER)
    ngram: str = field("text", "The n-gram.")


def compute(data: PaperInput) -> StepResult:
    """Count the paper's candidates under the settings in use."""
    candidates = paper_examples(data.settings)
    notes = [_length_note()]
    if not data.settings.lowercase:
        notes.append("the paper's counts need lower-casing: under these settings, The and the are different words")
    return StepResult(candidates, tables=(_precisions(candidates), _lengths(candidates)), notes=notes)


def paper_examples(settings: BleuSettings = PRESETS["paper"]) -> tuple[CountedCandidate, ...]:
    """Return the candidates of the paper's examples, in the order of EXAMPLES.

    Raises:
        SettingsError: the tokeniser is not available.
    """
    return tuple(
        CountedCandidate(
            example=example.number, candidate=number, worked=work_example(text, example.references, settings)
        )
        for example in EXAMPLES
        for number, text in enumerate(example.candidates, start=1)
    )


def ngram_table(worked: WorkedExample) -> Table:
    """Return the table of a candidate's n-grams: counts, clipped matches and exhausted occurrences."""
    rows = [(_Ngram(order=o.order, ngram=" ".join(n.ngram)), n) for o in worked.orders for n in o.ngrams]
    return table_of(rows, _Ngram, NgramCount)


def _precisions(candidates: Sequence[CountedCandidate]) -> Table:
    printed = {(p.example, p.candidate, p.order, p.modified): p.fraction for p in PRECISIONS}
    rows = [
        PrecisionRow(
            example=c.example,
            candidate=c.candidate,
            order=o.order,
            standard=f"{o.standard_matches}/{o.total}",
            published_standard=printed.get((c.example, c.candidate, o.order, False), ""),
            modified=f"{o.matches}/{o.total}",
            published_modified=printed.get((c.example, c.candidate, o.order, True), ""),
        )
        for c in candidates
        for o in c.worked.orders
    ]
    return table_of(rows, PrecisionRow)


def _lengths(candidates: Sequence[CountedCandidate]) -> Table:
    rows = [
        LengthRow(
            example=c.example,
            candidate=c.candidate,
            naive_recall=c.worked.recall.value,
            words=c.worked.brevity.hypothesis_length,
            reference_words=", ".join(map(str, c.worked.brevity.reference_lengths)),
            reference_length=c.worked.reference_length,
            brevity_penalty=c.worked.brevity_penalty,
            bleu=c.worked.score,
        )
        for c in candidates
    ]
    return from_0_to_1(table_of(rows, LengthRow))


def _length_note() -> str:
    penalty = brevity(CANDIDATE_LENGTH, REFERENCE_LENGTHS)
    lengths = ", ".join(map(str, penalty.reference_lengths))
    return (
        f"{penalty.hypothesis_length} words, references of {lengths}: brevity penalty {penalty.penalty:g}, as "
        f"required by section 2.2.2 ({WANTED_PENALTY:g})"
    )


STEP = Step(
    key="examples",
    heading="Examples 1 to 4",
    look="Precision is the share of a candidate's n-grams that occur in the references. Clipping each n-gram's "
    "count to its highest count in any one reference turns 7 of 7 into 2 of 7 (Example 2). Recall would "
    "prefer the worst candidate of Example 4.",
    compute=compute,
    numbers=tuple[CountedCandidate, ...],
    published=PRECISIONS,
)
