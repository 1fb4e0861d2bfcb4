"""Warnings that BLEU may mislead on the data of a view, except those that the user has dismissed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

from bleu_core.dataset import HumanTranslation
from bleu_core.diagnostics import (
    OBSTRUCTS,
    Assessment,
    DiagnosticInput,
    Finding,
    TextTables,
    assess,
    count_texts,
    find_unsplit,
    findings,
    obstructing,
    obstruction,
)
from bleu_core.progress import Progress
from bleu_core.scoring import DEFAULT_METRIC, Basis, BleuEvaluation, Metric
from bleu_core.uploads import Workspace
from dashboard import session
from dashboard.analysis.shared import Fingerprinted
from dashboard.analysis.view import View

#: Key and strength of the note on human translations.
HUMANS_NOTE = ("identical-systems", "note")

_NO_TABLES: TextTables = MappingProxyType({})

#: Maximum number of segments of all systems together that are checked for warnings in about a second.
MAX_FAST_SEGMENTS = 60_000


def trust_findings(view: View) -> tuple[Finding, ...]:
    """Return the findings of all warnings, the strongest first; segments have their numbers in the whole text.

    The note on human translations is not among them: pages show it with the switch that ranks them.
    """
    every = _findings(view.scope, view.workspace, view.evaluation, view.humans)
    return tuple(_numbered(view, [each for each in every if (each.key, each.strength) != HUMANS_NOTE]))


def assessment_of(view: View, statements: Mapping[str, Basis]) -> Assessment:
    """Return whether what is stated about the data of a view can be compared; dismissed warnings are accepted.

    Args:
        view: the data and settings.
        statements: as for `bleu_core.diagnostics.assess`.
    """
    bases = tuple(dict.fromkeys(statements.values()))
    by_basis = [
        _assessment(view.scope, view.workspace, view.evaluation, view.humans, basis=basis)
        for basis in bases
        if obstructing(basis)
    ]
    alarms = [*find_unsplit(view.workspace.corpus, view.evaluation, statements)]
    alarms += _numbered(view, [alarm for assessment in by_basis for alarm in assessment.findings])
    stated = tuple(alarm for alarm in alarms if alarm.strength == "alarm" and set(OBSTRUCTS[alarm.key]) & set(bases))
    sampled = next((each.segments for each in by_basis if each.segments is not None), None)
    return Assessment(assessed=bases, findings=stated, segments=sampled).accepting(*view.selection.dismissed)


@session.cached("Checking whether the scores are comparable", "steps")
def _assessment(
    _: Progress,
    workspace: Workspace,
    evaluation: BleuEvaluation,
    humans: tuple[HumanTranslation, ...],
    *,
    basis: Basis,
) -> Assessment:
    """Assess what rests on a basis, without warnings about single metrics."""
    return assess(_texts(workspace, evaluation, humans), {basis: basis})


def obstacle_of(view: View, metric: Metric, systems: Sequence[str]) -> str:
    """Return why systems are not comparable by a metric on the data of a view, a sentence; empty if they are."""
    assessment = assessment_of(view, {metric.key: metric.basis})
    return assessment.obstacle(metric.key, metric.basis, systems, view.evaluation.references)


def may_be_significant(view: View, metric: Metric) -> bool:
    """Return whether differences by a metric may be called significant.

    They may not on a slice that was chosen for its results, nor where systems are not comparable.
    """
    return not view.descriptive and not obstacle_of(view, metric, view.compared.systems)


def obstructing_findings(view: View, bases: Sequence[Basis]) -> tuple[Finding, ...]:
    """Return the open alarms that obstruct statements that rest on one of these, about the systems in use."""
    systems, references = view.evaluation.systems, view.evaluation.references
    return tuple(
        alarm
        for basis in bases
        for alarm in assessment_of(view, {DEFAULT_METRIC if basis == "references" else basis: basis}).open
        if obstruction([alarm], basis, systems, references) is not None
    )


def _numbered(view: View, unnumbered: Iterable[Finding]) -> list[Finding]:
    """Return findings with the numbers that segments have in the whole text."""
    numbers = view.numbers
    return [replace(finding, segments=tuple(numbers[n - 1] for n in finding.segments)) for finding in unnumbered]


def _texts(
    workspace: Workspace,
    evaluation: BleuEvaluation,
    humans: tuple[HumanTranslation, ...],
    tables: TextTables = _NO_TABLES,
) -> DiagnosticInput:
    """Return the input of warnings."""
    rated = workspace.ratings_for(workspace.corpus).rated
    ranked_or_human = {*evaluation.systems, *workspace.human_systems}
    others = {name: text for name, text in workspace.corpus.systems.items() if name not in ranked_or_human}
    return DiagnosticInput(workspace.corpus, evaluation, rated, tables, humans=humans, others=others)


@session.cached("Looking for warnings", "warnings")
def _tables(_: Progress, texts: Fingerprinted[DiagnosticInput]) -> TextTables:
    return count_texts(texts.value)


@session.cached("Looking for warnings", "warnings")
def _findings(
    _: Progress, workspace: Workspace, evaluation: BleuEvaluation, humans: tuple[HumanTranslation, ...]
) -> tuple[Finding, ...]:
    known = evaluation.digest, evaluation.references, evaluation.systems, humans  # the settings do not matter
    texts = Fingerprinted(value=_texts(workspace, evaluation, humans), fingerprint=known)
    return findings(_texts(workspace, evaluation, humans, _tables(workspace.scope, texts)))


def findings_are_fast(view: View) -> bool:
    """Return whether the findings are known, or are found in about a second."""
    texts = len(view.evaluation.systems) * view.evaluation.segments
    return texts <= MAX_FAST_SEGMENTS or findings_are_known(view)


def findings_are_known(view: View) -> bool:
    """Return whether the findings are cached."""
    return _findings.is_known(view.scope, view.workspace, view.evaluation, view.humans)


def open_findings(view: View) -> tuple[Finding, ...]:
    """Return the findings of the warnings that are not dismissed."""
    return tuple(finding for finding in trust_findings(view) if finding.key not in view.selection.dismissed)
