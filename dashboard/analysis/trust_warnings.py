"""Where BLEU misleads on the data of a view, and the warnings that a person has dismissed."""

from __future__ import annotations

from dataclasses import replace

from bleu_core.dataset import HumanTranslation
from bleu_core.diagnostics import (
    STRENGTHS,
    WARNINGS,
    DiagnosticInput,
    Finding,
    Obstructed,
    TextTables,
    count_texts,
    findings,
    obstructing,
)
from bleu_core.progress import Progress
from bleu_core.scoring import BleuEvaluation
from bleu_core.uploads import Workspace
from dashboard import session
from dashboard.analysis.shared import KnownBy
from dashboard.analysis.view import View

#: The key and the strength of the note on human translations.
HUMANS_NAMED = ("identical-systems", "note")

#: What warnings' alarms make not comparable.
OBSTRUCTED: tuple[Obstructed, ...] = ("scores", "people", "")

#: Segments of all systems together in which warnings are looked for in about a second.
SOON_FOUND = 60_000


def trust_findings(view: View) -> tuple[Finding, ...]:
    """What the warnings find, the strongest first; segments have their numbers in the whole text.

    The note on human translations is not among them: pages have it beside the switch that ranks them.
    """
    found = [each for obstructed in OBSTRUCTED for each in _found(view, obstructed)]
    order = {key: place for place, key in enumerate(WARNINGS)}
    return tuple(sorted(found, key=lambda each: (-STRENGTHS.index(each.strength), order[each.key])))


def open_obstructions(view: View, obstructed: Obstructed) -> tuple[Finding, ...]:
    """What the warnings find that may make scores, or statements about people, not comparable; not those dismissed."""
    return tuple(each for each in _found(view, obstructed) if each.key not in view.selection.dismissed)


def _found(view: View, obstructed: Obstructed) -> list[Finding]:
    numbers = view.numbers
    found = _findings(view.scope, view.workspace, view.evaluation, view.humans, obstructed=obstructed)
    others = (each for each in found if (each.key, each.strength) != HUMANS_NAMED)
    return [replace(each, segments=tuple(numbers[n - 1] for n in each.segments)) for each in others]


@session.cached("Looking for warnings", "warnings")
def _tables(_: Progress, texts: KnownBy[DiagnosticInput]) -> TextTables:
    return count_texts(texts.value)


@session.cached("Looking for warnings", "warnings")
def _findings(
    _: Progress,
    workspace: Workspace,
    evaluation: BleuEvaluation,
    humans: tuple[HumanTranslation, ...],
    *,
    obstructed: Obstructed,
) -> tuple[Finding, ...]:
    """What the warnings find whose alarms make the same not comparable; a headline waits for these alone."""
    known = evaluation.digest, evaluation.references, evaluation.systems, humans  # the settings do not count
    texts = KnownBy(value=DiagnosticInput(workspace.corpus, evaluation, humans=humans), fingerprint=known)
    at_once = obstructed and not _tables.is_known(workspace.scope, texts)  # counting takes longer than these warnings
    tables = {} if at_once else _tables(workspace.scope, texts)
    rated = workspace.ratings_for(workspace.corpus).rated
    return findings(
        DiagnosticInput(workspace.corpus, evaluation, rated, tables, humans=humans), obstructing(obstructed)
    )


def findings_are_at_hand(view: View) -> bool:
    """Whether the findings are known, or are found in about a second."""
    texts = len(view.evaluation.systems) * view.evaluation.segments
    return texts <= SOON_FOUND or findings_are_known(view)


def findings_are_known(view: View) -> bool:
    """Whether the findings need no work."""
    return all(_are_known(view, obstructed) for obstructed in OBSTRUCTED)


def obstructions_are_known(view: View) -> bool:
    """Whether it needs no work to know whether scores are comparable."""
    return _are_known(view, "scores")


def _are_known(view: View, obstructed: Obstructed) -> bool:
    return _findings.is_known(view.scope, view.workspace, view.evaluation, view.humans, obstructed=obstructed)


def open_findings(view: View) -> tuple[Finding, ...]:
    """What the warnings find, without those that are dismissed."""
    return tuple(each for each in trust_findings(view) if each.key not in view.selection.dismissed)
