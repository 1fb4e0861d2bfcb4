"""Errors in the texts in use, by system and segment."""

from __future__ import annotations

from collections.abc import Iterable

from bleu_core.dataset import Corpus, ErrorAnnotations
from bleu_core.progress import Progress
from bleu_core.segments import ErrorIndex, error_list
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


def error_cells(corpus: Corpus, errors: ErrorIndex, system: str, places: Iterable[int]) -> list[str]:
    """Return the errors in the outputs of a system for segments at some positions, from 0, as cells of a table."""
    output, source = corpus.systems[system], corpus.source
    return [
        error_list(errors.items(system, place), output[place], None if source is None else source[place])
        for place in places
    ]


@session.cached("Finding marked errors", "errors")
def _indexed(_: Progress, annotations: Fingerprinted[ErrorAnnotations]) -> ErrorIndex:
    return ErrorIndex(annotations.value)
