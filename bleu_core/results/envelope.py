"""The fields that begin the JSON of every command, and fields that several results share."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from bleu_core.fields import SEGMENTS, field, result
from bleu_core.scoring import BleuEvaluation, BleuSettings, CorpusScores
from bleu_core.version import VERSION

if TYPE_CHECKING:
    from bleu_core.dataset import HumanTranslation, LineRepair, RatedSegments
    from bleu_core.scoring import ScoredCorpus  # scoring by BLEU alone does without it
    from bleu_core.slicing import Slice

TOOL = "bleu-core"


@result
class SliceReport:
    """A slice of the text."""

    expression: str = field("text", "How the segments were chosen, as in --slice; empty for all that are not excluded.")
    segments: int = field("count", "Number of segments in the slice.")
    of: int = field("count", "Number of segments of the whole text.")
    excluded: int | None = field("count", "Number of segments excluded because a file lacks them.", default=None)


@result
class RepairReport:
    """A repair of a file's lines, made before scoring."""

    file: str = field("text", "Name of the file.")
    kind: str = field("text", "What was wrong: missing, doubled, split or joined lines.")
    line: int = field("count", "Number of the first line, from 1, in the file.")
    lines: int = field("count", "Number of lines.")


@result
class NotRanked:
    """A human translation among the systems."""

    system: str = field("text", "Name of the system.")
    reason: str = field("text", "Why it is not ranked.")


@result
class Envelope:
    """What every command reports beside its results."""

    tool: str = field("text", "Name of the program.", only="json", default=TOOL)
    version: str = field("text", "Version of the program.", only="json", default=VERSION)
    signature: str = field("text", "Signature to quote with the scores.", only="json")
    metric: str = field("text", "Key of the metric, as in --metric.", only="json", default="bleu")
    settings: BleuSettings = field("object", "The settings in use.")
    references: tuple[str, ...] = field("object", "Names of the references in use.")
    segments: int = field(SEGMENTS, only="json")
    warnings: tuple[str, ...] = field("object", "Warnings about the files and the results.", default=())
    slice: SliceReport | None = field("object", "The slice of the text that was used, if any.", default=None)
    repairs: tuple[RepairReport, ...] | None = field(
        "object", "Repairs of lines that were made on the Data page before scoring, if any.", default=None
    )
    not_ranked: tuple[NotRanked, ...] | None = field(
        "object",
        "Human translations among the systems, which are not ranked with them: those with the text of a reference, in "
        "use or not, and those marked; if any.",
        default=None,
    )


def slice_report(chosen: Slice | None) -> SliceReport | None:
    """The slice that was used, if any, for JSON."""
    if chosen is None:
        return None
    excluded = len(chosen.excluded) or None
    return SliceReport(expression=chosen.expression, segments=chosen.segments, of=chosen.total, excluded=excluded)


def repair_reports(repairs: Iterable[tuple[str, LineRepair]]) -> tuple[RepairReport, ...] | None:
    """The repairs of files, for JSON; None where there are none.

    Args:
        repairs: each with the name of its file.
    """
    found = (RepairReport(file=name, kind=each.kind, line=each.line, lines=each.lines) for name, each in repairs)
    return tuple(found) or None


def rating_notes(rated: RatedSegments | None) -> tuple[str, ...]:
    """What to mind about agreement with judges: that few segments are rated, or whole systems; for `warnings`."""
    return () if rated is None or not rated.note else (rated.note,)


def not_ranked(humans: Iterable[HumanTranslation]) -> tuple[NotRanked, ...] | None:
    """The human translations among the systems, for JSON; None where there are none."""
    return tuple(NotRanked(system=each.system, reason=each.reason) for each in humans) or None


def about(
    scores: BleuEvaluation | CorpusScores, metric: ScoredCorpus | None = None, warnings: Sequence[str] = ()
) -> Any:
    """The arguments that all envelopes have.

    Args:
        scores: names the settings, the references and the number of segments.
        metric: another metric than BLEU, which has a signature of its own.
        warnings: about the results.
    """
    return {
        "signature": scores.signature if metric is None else metric.signature,
        "metric": "bleu" if metric is None else metric.name,
        "settings": scores.settings,
        "references": tuple(scores.references),
        "segments": scores.segments,
        "warnings": tuple(warnings),
    }
