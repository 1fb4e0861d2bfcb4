"""Section 2.2.2: one brevity penalty for the corpus, and the mean of segment-level penalties."""

from __future__ import annotations

from collections.abc import Mapping

from bleu_core.fields import SEGMENTS, SYSTEM, Field, Table, field, result, table_of
from bleu_core.paper.step import PaperInput, Step, StepResult
from bleu_core.paper.steps.shared import COMPUTED
from bleu_core.scoring import SentencePenalties

CORPUS = Field("fraction", "Brevity penalty of the whole text.")
MEAN = Field("fraction", "Mean of the segment-level brevity penalties.")


@result
class SystemPenalties:
    """The penalties of a system."""

    system: str = field(SYSTEM)
    corpus: float = field(CORPUS)
    mean_of_segments: float = field(MEAN)


@result
class Band:
    """Segments of similar length."""

    segments: int = field(SEGMENTS)
    shortest: float = field("number", "Mean reference length of the shortest segment, in words.")
    longest: float = field("number", "Mean reference length of the longest segment, in words.")
    penalties: tuple[float, ...] = field("fraction", "Mean segment-level penalty of each system in these segments.")


@result
class Penalties:
    """Penalties of all systems."""

    systems: tuple[SystemPenalties, ...] = field("object", "Penalties by system.")
    bands: tuple[Band, ...] = field("object", "Quarters of the segments, shortest first.")


@result
class PenaltyNumbers:
    """The penalties in the JSON."""

    computed: Penalties = field(COMPUTED)


@result
class Row:
    """The penalties of a system."""

    system: str = field(SYSTEM)
    corpus: float = field(CORPUS)
    mean_of_segments: float = field(MEAN)
    bands: Mapping[tuple[int, str, int], float] = field(
        "fraction", "Mean penalty of the {2} segments whose references have {1}.", columns="{0}: {1}"
    )


def compute(data: PaperInput) -> StepResult:
    """Return the penalties of the corpus and the segments."""
    sentence_penalties = data.results.penalties
    rows = zip(
        sentence_penalties.systems, sentence_penalties.corpus.tolist(), sentence_penalties.means.tolist(), strict=True
    )
    penalties = Penalties(
        systems=tuple(
            SystemPenalties(system=name, corpus=corpus, mean_of_segments=mean) for name, corpus, mean in rows
        ),
        bands=tuple(
            Band(segments=b.segments, shortest=b.shortest, longest=b.longest, penalties=tuple(b.penalties.tolist()))
            for b in sentence_penalties.bands
        ),
    )
    return StepResult(PenaltyNumbers(computed=penalties), tables=(_table(sentence_penalties),))


def _table(penalties: SentencePenalties) -> Table:
    words = [f"{band.shortest:.3g} to {band.longest:.3g} words" for band in penalties.bands]
    rows = [
        Row(
            system=name,
            corpus=float(penalties.corpus[k]),
            mean_of_segments=float(penalties.means[k]),
            bands={
                (number, words[number - 1], band.segments): float(band.penalties[k])
                for number, band in enumerate(penalties.bands, start=1)
            },
        )
        for k, name in enumerate(penalties.systems)
    ]
    return table_of(rows, Row)


STEP = Step(
    key="penalties",
    heading="Section 2.2.2: segment-level brevity penalties",
    look="A text that is too short must not profit from its precision. With one penalty for the corpus, a short "
    "segment can make up for a long one; with the mean of segment-level penalties it cannot.",
    compute=compute,
    numbers=PenaltyNumbers,
)
