"""Errors in the texts in use, by system and segment."""

from __future__ import annotations

from bleu_core.dataset import ErrorAnnotations
from bleu_core.progress import Progress
from bleu_core.segments import ErrorIndex
from dashboard import session
from dashboard.analysis.error_annotations import errors_in_use
from dashboard.analysis.shared import Fingerprinted
from dashboard.analysis.view import View


def errors_of(view: View) -> ErrorIndex | None:
    """Return the errors that judges in use, and metrics, marked in the selected systems, by system and segment.

    Segments are those of the view, from 0.

    Returns:
        None if nobody marked errors.
    """
    annotations = errors_in_use(view)
    if annotations is None:
        return None
    known = (view.whole or view).workspace.fingerprint, view.selection, view.evaluation.systems
    return _indexed(view.scope, Fingerprinted(value=annotations, fingerprint=known))


@session.cached("Finding marked errors", "errors")
def _indexed(_: Progress, annotations: Fingerprinted[ErrorAnnotations]) -> ErrorIndex:
    return ErrorIndex(annotations.value)
