"""Examples 1 to 4: modified precision, naive recall and brevity penalty of single candidates."""

from __future__ import annotations

from collections.abc import Iterator

from bleu_core.fields import Field, Table, field, result, table_of
from bleu_core.paper.printed import (
    CANDIDATE_LENGTH,
    EXAMPLES,
    REFERENCE_LENGTHS,
    WANTED_PENALTY,
    Candidate,
    PrintedPrecision,
)
from bleu_core.paper.step import PaperInput, Step, StepResult
from bleu_core.paper.steps.shared import COMPUTED, POINTS, PUBLISHED
from bleu_core.scoring import PRESETS, BleuSettings, brevity
from bleu_core.segments import OrderCounts, WorkedExample, work_example

EXAMPLE = Field("count", "Number of the example.")
CANDIDATE = Field("count", "Number of the candidate within the example.")
ORDER = Field("count", "Length of the n-grams, in words.")
COUNT = Field("count", "How often the n-gram occurs in the candidate.")
MAX_COUNT = Field("count", "Highest number of times that the n-gram occurs in any one reference.")
CLIPPED = Field("count", "Occurrences that match after clipping.")
EXHAUSTED = Field("count", "Occurrences beyond the highest count in any one reference, which do not match.")
Worked = tuple[tuple[WorkedExample, ...], ...]

NO_NGRAM = "there is no n-gram of this order"


@result
class Ngram:
    """An n-gram of a candidate."""

    ngram: tuple[str, ...] = field("object", "Words of the n-gram.")
    count: int = field(COUNT)
    in_references: tuple[int, ...] = field("object", "How often it occurs in each reference.")
    most: int = field(MAX_COUNT)
    clipped: int = field(CLIPPED)
    exhausted: int = field(EXHAUSTED)


@result
class Order:
    """The n-grams of one order."""

    order: int = field(ORDER)
    matches: int = field("count", "Matches after clipping.")
    standard_matches: int = field("count", "N-grams that occur in any reference.")
    total: int = field("count", "N-grams of the candidate.")
    ngrams: tuple[Ngram, ...] = field("object", "The n-grams.")
    modified_precision: float = field(
        "fraction", "Matches after clipping divided by the number of n-grams.", undefined=NO_NGRAM
    )
    standard_precision: float = field(
        "fraction", "N-grams that occur in any reference divided by the number of n-grams.", undefined=NO_NGRAM
    )


@result
class Recall:
    """Naive recall of words, which section 2.2.1 discusses."""

    recalled: tuple[str, ...] = field("object", "Words of the references that the candidate has.")
    missed: tuple[str, ...] = field("object", "Words of the references that the candidate lacks.")
    value: float = field(
        "fraction", "Share of the references' words that the candidate has.", undefined="the references have no word"
    )


@result
class ComputedCandidate:
    """A candidate with its counts."""

    example: int = field(EXAMPLE)
    candidate: int = field(CANDIDATE)
    tokens: tuple[str, ...] = field("object", "Words of the candidate.")
    references: tuple[tuple[str, ...], ...] = field("object", "Words of each reference.")
    orders: tuple[Order, ...] = field("object", "N-gram counts by order.")
    recall: Recall = field("object", "Naive recall.")
    hypothesis_length: int = field("count", "Words of the candidate.")
    reference_lengths: tuple[int, ...] = field("object", "Words of each reference.")
    reference_length: float = field("number", "Effective reference length, in words.")
    brevity_penalty: float = field(
        "fraction", "Factor that penalises a candidate shorter than the reference; 1 means no penalty."
    )
    bleu: float = field("points", "BLEU of the candidate.")


@result
class PublishedPrecision:
    """A precision that the paper prints."""

    example: int = field(EXAMPLE)
    candidate: int = field(CANDIDATE)
    order: int = field(ORDER)
    matches: int = field("count", "Numerator of the precision.")
    total: int | None = field(
        "count", "Denominator of the precision; null where the paper prints 0 without one.", null=True
    )
    modified: bool = field("text", "Whether matches are clipped.")


@result
class ExampleNumbers:
    """The examples in the JSON."""

    computed: tuple[ComputedCandidate, ...] = field(COMPUTED)
    published: tuple[PublishedPrecision, ...] = field(PUBLISHED)


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
    brevity_penalty: float = field(
        "fraction", "Factor that penalises a candidate shorter than the reference; 1 means no penalty."
    )
    bleu: float = field("bleu", "BLEU of the candidate, 0 to 1.", label="BLEU")


@result
class NgramRow:
    """An n-gram of a candidate."""

    order: int = field(ORDER)
    ngram: str = field("text", "The n-gram.")
    count: int = field(COUNT)
    in_references: tuple[int, ...] = field(
        "count", "How often the n-gram occurs in reference {}.", columns="reference_{}", label="reference {}"
    )
    most: int = field(MAX_COUNT)
    clipped: int = field(CLIPPED)
    exhausted: int = field(EXHAUSTED)


def compute(data: PaperInput) -> StepResult:
    """Count the paper's candidates under the settings in use."""
    settings = data.settings
    worked = paper_examples(settings)
    case_note = "the paper's counts need lower-casing: under these settings, The and the are different words"
    return StepResult(
        ExampleNumbers(
            computed=tuple(_computed(example, number, counted) for example, number, _, counted in _all(worked)),
            published=tuple(
                PublishedPrecision(
                    example=example,
                    candidate=number,
                    order=printed.order,
                    matches=printed.matches,
                    total=printed.total,
                    modified=printed.modified,
                )
                for example, number, candidate, _ in _all(worked)
                for printed in candidate.printed
            ),
        ),
        tables=(_precisions(worked), _lengths(worked)),
        notes=(_length_note(),) if settings.lowercase else (_length_note(), case_note),
    )


def paper_examples(settings: BleuSettings = PRESETS["paper"]) -> Worked:
    """Return the paper's examples, in the order of EXAMPLES, each a tuple of its candidates.

    Raises:
        SettingsError: the tokeniser is not available.
    """
    return tuple(
        tuple(work_example(candidate.text, example.references, settings) for candidate in example.candidates)
        for example in EXAMPLES
    )


def ngram_table(worked: WorkedExample) -> Table:
    """Return the table of a candidate's n-grams: counts, clipped matches and exhausted occurrences."""
    rows = [
        NgramRow(
            order=o.order,
            ngram=" ".join(n.ngram),
            count=n.count,
            in_references=n.in_references,
            most=n.max_in_references,
            clipped=n.clipped,
            exhausted=n.exhausted,
        )
        for o in worked.orders
        for n in o.ngrams
    ]
    return table_of(rows, NgramRow)


def _all(worked: Worked) -> Iterator[tuple[int, int, Candidate, WorkedExample]]:
    """Yield the numbers of example and candidate, the candidate, and its counts."""
    for example, counted_candidates in zip(EXAMPLES, worked, strict=True):
        for number, (candidate, counted) in enumerate(
            zip(example.candidates, counted_candidates, strict=True), start=1
        ):
            yield example.number, number, candidate, counted


def _computed(example: int, number: int, counted: WorkedExample) -> ComputedCandidate:
    lengths = counted.brevity
    return ComputedCandidate(
        example=example,
        candidate=number,
        tokens=counted.candidate,
        references=counted.references,
        orders=tuple(map(_order, counted.orders)),
        recall=Recall(recalled=counted.recall.recalled, missed=counted.recall.missed, value=counted.recall.value),
        hypothesis_length=lengths.hypothesis_length,
        reference_lengths=lengths.reference_lengths,
        reference_length=lengths.effective,
        brevity_penalty=lengths.penalty,
        bleu=counted.score,
    )


def _order(counts: OrderCounts) -> Order:
    return Order(
        order=counts.order,
        matches=counts.matches,
        standard_matches=counts.standard_matches,
        total=counts.total,
        ngrams=tuple(
            Ngram(
                ngram=n.ngram,
                count=n.count,
                in_references=n.in_references,
                most=n.max_in_references,
                clipped=n.clipped,
                exhausted=n.exhausted,
            )
            for n in counts.ngrams
        ),
        modified_precision=counts.modified_precision,
        standard_precision=counts.standard_precision,
    )


def _precisions(worked: Worked) -> Table:
    rows = [
        PrecisionRow(
            example=example,
            candidate=number,
            order=o.order,
            standard=f"{o.standard_matches}/{o.total}",
            published_standard=_printed(candidate, o.order, modified=False),
            modified=f"{o.matches}/{o.total}",
            published_modified=_printed(candidate, o.order, modified=True),
        )
        for example, number, candidate, counted in _all(worked)
        for o in counted.orders
    ]
    return table_of(rows, PrecisionRow)


def _lengths(worked: Worked) -> Table:
    rows = [
        LengthRow(
            example=example,
            candidate=number,
            naive_recall=counted.recall.value,
            words=counted.brevity.hypothesis_length,
            reference_words=", ".join(map(str, counted.brevity.reference_lengths)),
            reference_length=counted.brevity.effective,
            brevity_penalty=counted.brevity.penalty,
            bleu=counted.score / POINTS,
        )
        for example, number, _, counted in _all(worked)
    ]
    return table_of(rows, LengthRow)


def _printed(candidate: Candidate, order: int, *, modified: bool) -> str:
    matching = (p for p in candidate.printed if p.order == order and p.modified == modified)
    return next(map(_fraction, matching), "")


def _fraction(printed: PrintedPrecision) -> str:
    return str(printed.matches) if printed.total is None else f"{printed.matches}/{printed.total}"


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
    numbers=ExampleNumbers,
)
