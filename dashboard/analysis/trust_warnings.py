"""Warnings that BLEU may mislead on the data of a view, except those that the user has dismissed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from bleu_core.dataset import HumanTranslation
from bleu_core.diagnostics import (
    OBSTRUCTS,
    OF_METRICS,
    STRENGTHS,
    WARNINGS,
    Assessment,
    DiagnosticInput,
    Finding,
    TextTables,
    count_texts,
    find_unsplit,
    findings,
    obstructing,
    obstruction,
)
from bleu_core.progress import Progress
from bleu_core.scoring import BUILT_IN_METRICS, Basis, BleuEvaluation, Metric
from bleu_core.uploads import Workspace
from dashboard import session
from dashboard.analysis.shared import Fingerprinted
from dashboard.analysis.view import View

#: Key and strength of the note on human translations.
HUMANS_NOTE = ("identical-systems", "note")

#: What alarms of warnings obstruct: statements that rest on scores, those that rest on ratings, and none.
OF_SCORES: tuple[Basis, ...] = ("references", "texts", "unknown")
OF_RATINGS: tuple[Basis, ...] = ("raw ratings", "adjusted ratings")
OBSTRUCTED: tuple[tuple[Basis, ...], ...] = (OF_SCORES, OF_RATINGS, ())

#: Maximum number of segments of all systems together that are checked for warnings in about a second.
MAX_FAST_SEGMENTS = 60_000


def trust_findings(view: View) -> tuple[Finding, ...]:
    """Return the findings of all warnings, the strongest first; segments have their numbers in the whole text.

    The note on human translations is not among them: pages show it with the switch that ranks them.
    """
    unsorted = [finding for obstructed in OBSTRUCTED for finding in _findings_of(view, obstructed)]
    order = {key: place for place, key in enumerate(WARNINGS)}
    return tuple(sorted(unsorted, key=lambda finding: (-STRENGTHS.index(finding.strength), order[finding.key])))


def open_obstructions(view: View, basis: Basis, metric: Metric | None = None) -> tuple[Finding, ...]:
    """Return the findings of all_obstructions that are not dismissed."""
    every = all_obstructions(view, basis, metric)
    return tuple(finding for finding in every if finding.key not in view.selection.dismissed)


def all_obstructions(view: View, basis: Basis, metric: Metric | None = None) -> tuple[Finding, ...]:
    """Return findings that may make what rests on scores, or on ratings, not comparable.

    Args:
        view: the data and settings.
        basis: what a statement rests on.
        metric: the metric whose scores are stated, if there is one.
    """
    alarms = _findings_of(view, OF_RATINGS if basis in OF_RATINGS else OF_SCORES)
    if metric is not None and metric.key in BUILT_IN_METRICS:
        unsplit = find_unsplit(view.workspace.corpus, view.evaluation, [metric.key])
        alarms = [*unsplit, *(finding for finding in alarms if finding.key not in OF_METRICS)]
    return tuple(alarms)


def assessment_of(view: View, statements: Mapping[str, Basis]) -> Assessment:
    """Return whether what is stated about the data of a view can be compared; dismissed warnings are accepted.

    Args:
        view: the data and settings.
        statements: as for `bleu_core.diagnostics.assess`.
    """
    bases = tuple(dict.fromkeys(statements.values()))
    alarms = find_unsplit(view.workspace.corpus, view.evaluation, statements)
    for group in (OF_SCORES, OF_RATINGS):
        if not set(group).isdisjoint(bases):
            alarms += [finding for finding in _findings_of(view, group) if finding.key not in OF_METRICS]
    stated = (alarm for alarm in alarms if alarm.strength == "alarm" and set(OBSTRUCTS[alarm.key]) & set(bases))
    return Assessment(assessed=bases, findings=tuple(stated)).accepting(*view.selection.dismissed)


def obstacle_of(view: View, metric: Metric, systems: Sequence[str]) -> str:
    """Return why systems are not comparable by a metric on the data of a view, a sentence; empty if they are."""
    alarms = open_obstructions(view, metric.basis, metric)
    alarm = obstruction(alarms, metric.basis, systems, view.evaluation.references, metric=metric.key)
    return "" if alarm is None else alarm.not_comparable


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
        for alarm in open_obstructions(view, basis)
        if obstruction([alarm], basis, systems, references) is not None
    )


def _findings_of(view: View, obstructed: tuple[Basis, ...]) -> list[Finding]:
    numbers = view.numbers
    all_findings = _findings(view.scope, view.workspace, view.evaluation, view.humans, obstructed=obstructed)
    others = (finding for finding in all_findings if (finding.key, finding.strength) != HUMANS_NOTE)
    return [replace(finding, segments=tuple(numbers[n - 1] for n in finding.segments)) for finding in others]


@session.cached("Looking for warnings", "warnings")
def _tables(_: Progress, texts: Fingerprinted[DiagnosticInput]) -> TextTables:
    return count_texts(texts.value)


@session.cached("Looking for warnings", "warnings")
def _findings(
    _: Progress,
    workspace: Workspace,
    evaluation: BleuEvaluation,
    humans: tuple[HumanTranslation, ...],
    *,
    obstructed: tuple[Basis, ...],
) -> tuple[Finding, ...]:
    """Return the findings of warnings whose alarms make the same statements invalid; headlines need only these."""
    known = evaluation.digest, evaluation.references, evaluation.systems, humans  # the settings do not matter
    texts = Fingerprinted(value=DiagnosticInput(workspace.corpus, evaluation, humans=humans), fingerprint=known)
    at_once = obstructed and not _tables.is_known(workspace.scope, texts)  # counting takes longer than these warnings
    tables = {} if at_once else _tables(workspace.scope, texts)
    rated = workspace.ratings_for(workspace.corpus).rated
    ranked_or_human = {*evaluation.systems, *workspace.human_systems}
    others = {name: text for name, text in workspace.corpus.systems.items() if name not in ranked_or_human}
    return findings(
        DiagnosticInput(workspace.corpus, evaluation, rated, tables, humans=humans, others=others),
        obstructing(*obstructed),
    )


def findings_are_fast(view: View) -> bool:
    """Return whether the findings are known, or are found in about a second."""
    texts = len(view.evaluation.systems) * view.evaluation.segments
    return texts <= MAX_FAST_SEGMENTS or findings_are_known(view)


def findings_are_known(view: View) -> bool:
    """Return whether the findings are cached."""
    return all(_are_known(view, obstructed) for obstructed in OBSTRUCTED)


def obstructions_are_known(view: View) -> bool:
    """Return whether the findings about the comparability of scores are cached."""
    return _are_known(view, OF_SCORES)


def _are_known(view: View, obstructed: tuple[Basis, ...]) -> bool:
    return _findings.is_known(view.scope, view.workspace, view.evaluation, view.humans, obstructed=obstructed)


def open_findings(view: View) -> tuple[Finding, ...]:
    """Return the findings of the warnings that are not dismissed."""
    return tuple(finding for finding in trust_findings(view) if finding.key not in view.selection.dismissed)
