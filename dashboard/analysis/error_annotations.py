"""The errors that judges and metrics marked in the texts in use."""

from __future__ import annotations

from dataclasses import replace

from bleu_core.dataset import Corpus, ErrorAnnotations, Judgments, ScoreTable, annotated_errors
from bleu_core.errors import AlignmentError
from bleu_core.progress import Progress
from dashboard import session
from dashboard.analysis.chosen_judgments import chosen_judgments
from dashboard.analysis.shared import Fingerprinted
from dashboard.analysis.view import View, marked_by_metrics


def errors_in_use(view: View, systems: tuple[str, ...] | None = None) -> ErrorAnnotations | None:
    """Return the errors that the judges in use, and metrics, marked in the selected systems; None without any.

    Segments are those of the view, counted from 0, so that `view.numbers` has their numbers in the whole text.

    Args:
        view: the data and settings.
        systems: others than the selected ones.
    """
    try:  # standardised ratings have the same errors
        judgments = chosen_judgments(view.workspace, replace(view.selection, standardised=False))
    except AlignmentError:  # no judge is in use
        judgments = None
    marked = marked_by_metrics(view.workspace.scores)
    return _annotations(
        view.scope, view.workspace.corpus, judgments, marked, systems=systems or view.evaluation.systems
    )


@session.cached("Finding marked errors", "errors")
def _annotations(
    _: Progress,
    corpus: Corpus,
    judgments: Judgments | None,
    metrics: Fingerprinted[tuple[ScoreTable, ...]],
    *,
    systems: tuple[str, ...],
) -> ErrorAnnotations | None:
    return annotated_errors(corpus, judgments, metrics.value, systems=systems)
