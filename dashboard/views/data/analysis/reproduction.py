"""Scores printed by sacreBLEU in loaded files, compared with those computed here."""

from __future__ import annotations

from bleu_core.errors import BleuCoreError
from bleu_core.results.reproduction import ReproducedScore, reproduced_scores
from bleu_core.uploads import Workspace
from dashboard.analysis import score_systems, view_of
from dashboard.session import Selection


def scores_reproduced(workspace: Workspace, selection: Selection) -> tuple[ReproducedScore, ...]:
    """Return each printed score and the one computed here on the whole text, under the settings in force.

    Empty if no score was printed, or if no score can be computed here; the other pages then give the reason.
    """
    printed = [score for entry in workspace.entries if not entry.problem for score in entry.printed]
    if not printed:
        return ()
    try:
        view = view_of(workspace, selection)
    except BleuCoreError:
        return ()
    whole = view.whole or view
    return reproduced_scores(printed, whole.evaluation, lambda key: score_systems(whole, key).scored)
