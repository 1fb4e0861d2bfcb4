"""Where BLEU misleads on the data of a view, and the warnings that a person has dismissed."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import replace

from bleu_core.diagnostics import WARNINGS, Finding, Material, TextTables, count_texts, find_warning, findings
from dashboard import session
from dashboard.analysis.view import View

__all__ = [
    "WARNINGS",
    "Finding",
    "find_warning",
    "findings_are_at_hand",
    "findings_are_known",
    "open_findings",
    "trust_findings",
]

#: The kind of work, where results are kept.
WORK = "trust"

#: Segments of all systems together in which warnings are looked for in about a second.
SOON_FOUND = 60_000


def trust_findings(view: View) -> tuple[Finding, ...]:
    """What the warnings find, the strongest first; segments have their numbers in the whole text."""
    workspace, of = view.workspace, view.evaluation
    tables: TextTables = session.remember(
        "texts of warnings",
        (of.digest, of.references, of.systems),
        lambda _: count_texts(Material(workspace.corpus, of)),
        doing="Looking for warnings",
        what="warnings",
    )

    def compute(_: object) -> tuple[Finding, ...]:
        rated = workspace.ratings_beside(workspace.corpus).rated
        return findings(Material(workspace.corpus, view.evaluation, rated, tables))

    found: Sequence[Finding] = session.remember(
        WORK, _key(view), compute, doing="Looking for warnings", what="warnings"
    )
    numbers = view.numbers
    return tuple(replace(each, segments=tuple(numbers[n - 1] for n in each.segments)) for each in found)


def _key(view: View) -> tuple[Hashable, ...]:
    of = view.evaluation
    return (of.digest, of.references, of.settings, of.systems, view.workspace.digest)


def findings_are_at_hand(view: View) -> bool:
    """Whether the findings are known, or are found in about a second."""
    texts = len(view.evaluation.systems) * view.evaluation.segments
    return texts <= SOON_FOUND or findings_are_known(view)


def findings_are_known(view: View) -> bool:
    """Whether the findings need no work."""
    return session.is_known(WORK, _key(view))


def open_findings(view: View) -> tuple[Finding, ...]:
    """What the warnings find, without those that are dismissed."""
    return tuple(each for each in trust_findings(view) if each.key not in view.selection.dismissed)
