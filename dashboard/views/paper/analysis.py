"""The experiment of the 2002 paper repeated on the loaded data, its claims and examples."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from bleu_core.dataset import Corpus, Judgments
from bleu_core.errors import SettingsError
from bleu_core.paper import (
    Claim,
    Combination,
    CombinationAgreement,
    PaperInput,
    PaperOptions,
    PaperResults,
    StepOutput,
    all_steps,
    combinations,
    compute_steps,
    correlate_combinations,
    repeat_experiment,
)
from bleu_core.progress import Progress
from bleu_core.results.envelope import assessment_report, repair_reports, slice_report
from bleu_core.results.paper import PaperReport, paper_report
from bleu_core.scoring import DEFAULT_METRIC, MAX_ORDER, Basis, BleuEvaluation, BleuSettings
from bleu_core.segments import WorkedExample, work_example
from dashboard import session
from dashboard.analysis import View, assessment_of, obstructing_findings, ratings_or_none


@dataclass(frozen=True, slots=True)
class PaperAnalysis:
    """The results of the repeated paper.

    Attributes:
        experiment: results that several steps share.
        steps: the computed steps.
        report: all numbers, without the unused ratings.
    """

    experiment: PaperResults
    steps: tuple[StepOutput, ...]
    report: PaperReport

    @property
    def claims(self) -> tuple[Claim, ...]:
        """The paper's claims, tested."""
        return next(computed.result.numbers for computed in self.steps if computed.step.key == "claims")


def repeat_paper(view: View) -> PaperAnalysis:
    """Repeat the experiment under the view's settings; without judgments, omit the steps on them.

    Figure 1 and the steps on the number of references use all references, as the paper does; the other steps use those
    of the view.

    Raises:
        BleuCoreError: the data do not allow it.
    """
    ratings, workspace = ratings_or_none(view), view.workspace
    humans = tuple(name for name in workspace.human_systems if name in view.evaluation.systems)
    judgments = None if ratings is None else ratings.judgments
    bases: list[Basis] = (
        ["references"] if judgments is None or judgments.adjusted_means else ["references", "raw ratings"]
    )
    compared = replace(view, humans=workspace.human_translations)  # humans take part, and are no evidence of copies
    obstacles: list[tuple[Basis, str]] = []
    for basis in bases:
        findings = obstructing_findings(compared, [basis])
        if findings:
            obstacles.append((basis, findings[0].not_comparable))
    return _repeated(
        view.scope, workspace.corpus, view.evaluation, judgments, humans=humans, obstacles=tuple(obstacles)
    )


@session.cached("Repeating the experiment", "steps")
def _repeated(
    progress: Progress,
    corpus: Corpus,
    evaluation: BleuEvaluation,
    judgments: Judgments | None,
    *,
    humans: tuple[str, ...],
    obstacles: tuple[tuple[Basis, str], ...],
) -> PaperAnalysis:
    corpus, references = _of_systems(corpus, evaluation.systems), evaluation.references
    options = PaperOptions(humans=humans, references=references)
    result = repeat_experiment(corpus, evaluation.settings, judgments, options=options, progress=progress)
    data = PaperInput(corpus=corpus, judgments=judgments, results=result, obstacles=dict(obstacles))
    steps = compute_steps(data, all_steps())
    return PaperAnalysis(result, steps, paper_report(data, steps))


def paper_numbers(view: View, results: PaperAnalysis) -> PaperReport:
    """Return all numbers, as `bleu-core paper --format json` prints them for the same files and settings."""
    left_out = view.workspace.ratings_for(_of_systems(view.workspace.corpus, view.evaluation.systems)).all_unused_rows
    statements: dict[str, Basis] = {DEFAULT_METRIC: "references"}
    if view.workspace.ratings_for(view.workspace.corpus).rated is not None:
        statements["ratings"] = "raw ratings"
    assessment = assessment_of(replace(view, humans=view.workspace.human_translations), statements)
    reasons = (finding.reason for finding in assessment.open)
    return replace(
        results.report,
        warnings=(*results.report.warnings, *reasons),
        ratings_left_out=tuple(map(str, left_out)),
        slice=slice_report(view.slice),
        repairs=repair_reports((view.whole or view).workspace.repairs),
        assessment=assessment_report(assessment),
    )


def worked_example(text: str, references: Sequence[str], settings: BleuSettings) -> WorkedExample:
    """Count the n-grams of a candidate, whose lines are joined, against one or more references."""
    return work_example(" ".join(text.split("\n")), references, settings)


def weights_by_hand(
    result: PaperResults, weights: tuple[float, ...]
) -> tuple[tuple[Combination, ...], tuple[CombinationAgreement, ...]]:
    """Return both means of precisions with the user's weights, and their correlation with the judges.

    Raises:
        SettingsError: the number of weights is invalid.
    """
    if len(weights) > MAX_ORDER:
        raise SettingsError(f"enter 1 to {MAX_ORDER} weights, one per n-gram order ({len(weights)} given)")
    combined = combinations(result.evaluation, [weights], highest=1)
    own = tuple(combination for combination in combined if combination.weights is not None)
    if result.ratings is None:
        return own, ()
    means = {agreement.group: agreement.mean_ratings for agreement in result.ratings.agreements}
    return own, correlate_combinations(own, means)


def _of_systems(corpus: Corpus, systems: Sequence[str]) -> Corpus:
    """Return the texts, without the systems that the sidebar excludes."""
    return replace(corpus, systems={name: corpus.systems[name] for name in systems})
