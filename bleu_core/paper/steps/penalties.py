"""Section 2.2.2: one brevity penalty for the corpus, and the mean of segment-level penalties."""

from __future__ import annotations

from collections.abc import Mapping

from bleu_core.fields import Table, field, result, table_of
from bleu_core.paper.step import PaperInput, Step, StepResult
from bleu_core.scoring import SentencePenalties, SystemPenalties


@result
class _Bands:
    """The mean segment-level penalties of a system by length."""

    bands: Mapping[tuple[int, str, int], float] = field(
        "fraction", "Mean penalty of the {2} segments whose references have {1}.", columns="{0}: {1}"
    )


def compute(data: PaperInput) -> StepResult:
    """Return the penalties of the corpus and the segments."""
    penalties = data.results.penalties
    return StepResult(penalties, tables=(_table(penalties),))


def _table(penalties: SentencePenalties) -> Table:
    keys = [
        (number, f"{band.shortest:.3g} to {band.longest:.3g} words", band.segments)
        for number, band in enumerate(penalties.bands, start=1)
    ]
    by_system = zip(*(band.penalties.tolist() for band in penalties.bands), strict=True)
    bands = [_Bands(bands=dict(zip(keys, values, strict=True))) for values in by_system]
    return table_of(list(zip(penalties.systems, bands, strict=True)), SystemPenalties, _Bands)


STEP = Step(
    key="penalties",
    heading="Section 2.2.2: segment-level brevity penalties",
    look="A text that is too short must not profit from its precision. With one penalty for the corpus, a short "
    "segment can make up for a long one; with the mean of segment-level penalties it cannot.",
    compute=compute,
    numbers=SentencePenalties,
)
