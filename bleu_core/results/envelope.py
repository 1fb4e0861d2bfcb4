"""The fields at the beginning of the JSON of every command, and fields that several results share."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from bleu_core.fields import REASON, SEGMENTS, field, result
from bleu_core.scoring import DEFAULT_METRIC, BleuEvaluation, BleuSettings, CorpusScores
from bleu_core.version import VERSION

if TYPE_CHECKING:
    from bleu_core.dataset import HumanTranslation, LineRepair, OptimisedSystem, RatedSegments, ScoreTable
    from bleu_core.diagnostics import Assessment
    from bleu_core.scoring import ScoredCorpus  # scoring by BLEU alone does without it
    from bleu_core.slicing import Slice

TOOL = "bleu-core"


@result
class SliceReport:
    """A slice of the text."""

    expression: str = field(
        "text", "Expression that selects the segments, as in --slice; empty for all segments that are not excluded."
    )
    segments: int = field("count", "Number of segments in the slice.")
    of: int = field("count", "Number of segments of the whole text.")
    excluded: int | None = field("count", "Number of segments excluded because a file lacks them.", default=None)

    @property
    def described(self) -> str:
        """The size of the slice and its expression, as captions, notes and files name it."""
        size = f"{self.segments:,} of {self.of:,} {'segment' if self.of == 1 else 'segments'}"
        return f"{size} ({self.expression})" if self.expression else size


@result
class RepairReport:
    """A repair of a file's lines, made before scoring."""

    file: str = field("text", "Name of the file.")
    kind: str = field("text", "Kind of misalignment: missing, doubled, split or joined lines.")
    line: int = field("count", "Number of the first line, from 1, in the file.")
    lines: int = field("count", "Number of lines.")


@result
class NotRanked:
    """A system that is not ranked: a human translation, or one that was optimised for a metric."""

    system: str = field("text", "Name of the system.")
    reason: str = field("text", "Why it is not ranked.")
    metric: str | None = field(
        "text", "The metric by which it is not ranked; for systems that were optimised for a metric.", default=None
    )


@result
class ReportedMetric:
    """A metric of a report."""

    metric: str = field("text", "Key of the metric, as in --metric.")
    signature: str = field("text", "Signature to quote with its scores.")
    higher_is_better: bool = field("text", "Whether the better system scores higher.")
    reason: str | None = field(REASON, "Why the metric has neither intervals nor tests, if so.", default=None)


#: Whether results are comparable.
Comparability = Literal["comparable", "not comparable", "not assessed"]


@result
class Obstruction:
    """An alarm that makes results not comparable."""

    warning: str = field("text", "Key of the warning, see docs/warnings.md.")
    obstructs: tuple[str, ...] = field(
        "object", "What is not comparable: whatever rests on scores of metrics that use references, and the like."
    )
    metrics: tuple[str, ...] = field("object", "Keys of the metrics concerned; empty for all.")
    systems: tuple[str, ...] = field("object", "Names of the systems concerned; empty for all.")
    references: tuple[str, ...] = field("object", "Names of the references concerned; empty for all.")
    message: str = field("text", "What was found.")
    advice: str = field("text", "What to do.")
    accepted: bool = field("text", "Whether the call accepts the warning, so that it obstructs nothing.")


@result
class AssessmentReport:
    """Whether the results can be compared."""

    status: Comparability = field(
        "text",
        "Whether an alarm makes results not comparable. Counts files hold no texts, and those of older programs are "
        "not assessed.",
    )
    assessed: tuple[str, ...] = field(
        "object",
        "What was assessed: scores of metrics that use references, or that use texts alone, raw ratings, adjusted "
        "ratings, or scores of metrics that are not known.",
    )
    obstructions: tuple[Obstruction, ...] = field("object", "The alarms, of accepted warnings, too.")
    segments: int | None = field("count", "Number of segments assessed, if they are a sample.", default=None)


NOT_ASSESSED = AssessmentReport(status="not assessed", assessed=(), obstructions=())


@result
class Envelope:
    """The fields that every command reports in addition to its results.

    Attributes:
        states_ratings: whether results rest on ratings, if there are any, in addition to scores by metrics.
    """

    states_ratings: ClassVar[bool] = False

    tool: str = field("text", "Name of the program.", only="json", default=TOOL)
    version: str = field("text", "Version of the program.", only="json", default=VERSION)
    signature: str = field("text", "Signature to quote with the scores.", only="json")
    metric: str = field("text", "Key of the metric, as in --metric.", only="json", default=DEFAULT_METRIC)
    settings: BleuSettings = field("object", "The settings in use.")
    references: tuple[str, ...] = field("object", "Names of the references in use.")
    segments: int = field(SEGMENTS, only="json")
    warnings: tuple[str, ...] = field("object", "Warnings about the files and the results.", default=())
    assessment: AssessmentReport = field(
        "object", "Whether the results can be compared.", only="json", default=NOT_ASSESSED
    )
    by_adjusted_ratings: object | None = field(
        "object",
        "The same report by ratings adjusted for judges, if judges are confounded with systems and results rest on "
        "raw ratings.",
        default=None,
    )
    slice: SliceReport | None = field("object", "The slice of the text that was used, if any.", default=None)
    repairs: tuple[RepairReport, ...] | None = field(
        "object", "Repairs of lines that were made on the Data page before scoring, if any.", default=None
    )
    not_ranked: tuple[NotRanked, ...] | None = field(
        "object",
        "Systems that are not ranked, if any: human translations, which are those with the text of a reference, in use "
        "or not, and those marked; and systems that were optimised for a metric, which it does not rank.",
        default=None,
    )


def reported_metrics(metrics: Iterable[ScoredCorpus]) -> tuple[ReportedMetric, ...]:
    """Return metrics with their signatures and directions."""
    return tuple(
        ReportedMetric(metric=scored.name, signature=scored.signature, higher_is_better=scored.metric.higher_is_better)
        for scored in metrics
    )


def whole_metric(label: str, table: ScoreTable) -> ReportedMetric:
    """Return a metric that has scores of whole systems only, without a signature."""
    return ReportedMetric(
        metric=label, signature="", higher_is_better=table.higher_is_better, reason="scores of whole systems only"
    )


def slice_report(slice_in_use: Slice | None) -> SliceReport | None:
    """Return the JSON of the slice that was used, if any."""
    if slice_in_use is None:
        return None
    excluded = len(slice_in_use.excluded) or None
    return SliceReport(
        expression=slice_in_use.expression, segments=slice_in_use.segments, of=slice_in_use.total, excluded=excluded
    )


def assessment_report(assessment: Assessment) -> AssessmentReport:
    """Return the JSON of an assessment."""
    from bleu_core.diagnostics import OBSTRUCTS  # loaded when first needed

    if not assessment.assessed:
        return NOT_ASSESSED
    return AssessmentReport(
        status="not comparable" if assessment.open else "comparable",
        assessed=assessment.assessed,
        obstructions=tuple(
            Obstruction(
                warning=finding.key,
                obstructs=OBSTRUCTS.get(finding.key, ()),
                metrics=finding.metrics,
                systems=finding.systems,
                references=finding.references,
                message=finding.message,
                advice=finding.advice,
                accepted=finding.key in assessment.accepted,
            )
            for finding in assessment.findings
        ),
        segments=assessment.segments,
    )


def slice_described(slice_in_use: Slice | None) -> str:
    """Return the size of the slice that was used and its expression; empty for the whole text."""
    report = slice_report(slice_in_use)
    return "" if report is None else report.described


def slice_of_each(expression: str) -> str:
    """Describe the slice of several test sets; empty for the whole texts."""
    return f"the segments of each test set in a slice ({expression})" if expression else ""


def with_slice(caption: str, described: str) -> str:
    """Return a caption that names the slice that was used, if any.

    Args:
        caption: sentences, which may name the slice.
        described: the slice, as `slice_described` returns it; empty for the whole text.
    """
    if not described or described in caption:
        return caption
    end = "" if caption.endswith((".", "!", "?")) or not caption else "."
    return f"{caption}{end} {only_slice(described)}".strip()


def only_slice(described: str) -> str:
    """Return the sentence that only a slice was used."""
    return f"Only {described} were used."


def repair_reports(repairs: Iterable[tuple[str, LineRepair]]) -> tuple[RepairReport, ...] | None:
    """Return the JSON of repairs of files; None if there are none.

    Args:
        repairs: repairs with the names of their files.
    """
    reports = (
        RepairReport(file=name, kind=repair.kind, line=repair.line, lines=repair.lines) for name, repair in repairs
    )
    return tuple(reports) or None


def rating_notes(rated: RatedSegments | None) -> tuple[str, ...]:
    """Return the warning that few segments, or only whole systems, are rated, if so."""
    return () if rated is None or not rated.note else (rated.note,)


def not_ranked(
    humans: Iterable[HumanTranslation], optimised: Iterable[OptimisedSystem] = ()
) -> tuple[NotRanked, ...] | None:
    """Return the JSON of systems that are not ranked; None if there are none.

    Args:
        humans: human translations.
        optimised: systems that were optimised for a metric of the report.
    """
    rows = [NotRanked(system=human.system, reason=human.reason) for human in humans]
    rows += [NotRanked(system=mark.system, reason=mark.reason, metric=mark.metric) for mark in optimised]
    return tuple(rows) or None


def envelope_fields(
    scores: BleuEvaluation | CorpusScores, metric: ScoredCorpus | None = None, warnings: Sequence[str] = ()
) -> Any:
    """Return the arguments that all envelopes have.

    Args:
        scores: has the settings, the references and the number of segments.
        metric: another metric than BLEU, which has its own signature.
        warnings: warnings about the results.
    """
    return {
        "signature": scores.signature if metric is None else metric.signature,
        "metric": DEFAULT_METRIC if metric is None else metric.name,
        "settings": scores.settings,
        "references": tuple(scores.references),
        "segments": scores.segments,
        "warnings": tuple(warnings),
    }
