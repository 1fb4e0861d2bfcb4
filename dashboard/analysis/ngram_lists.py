"""N-grams won and lost between two systems, or overused and missing compared with the references."""

from __future__ import annotations

from dataclasses import dataclass

from bleu_core.dataset import Corpus
from bleu_core.progress import Progress
from bleu_core.results.ngrams import NgramPair, NgramSystem, ngram_lists
from bleu_core.scoring import BleuEvaluation
from bleu_core.segments import NgramKind, compare_ngrams
from bleu_core.slicing import Slice
from dashboard import session
from dashboard.analysis.view import View

#: Maximum number of segments of an n-gram that are listed on the page Segments, whose URL names them.
MAX_LISTED_SEGMENTS = 300


@dataclass(frozen=True, slots=True, kw_only=True)
class NgramQuery:
    """A query for n-grams; the attributes are the arguments of find_ngrams."""

    system: str
    baseline: str
    max_ngrams: int
    order: int | None
    kind: NgramKind | None


def find_ngrams(
    view: View, system: str, baseline: str, *, max_ngrams: int, order: int | None, kind: NgramKind | None
) -> NgramPair | NgramSystem:
    """Return the n-grams with the greatest effects, as `bleu-core ngrams` does.

    Args:
        view: the data and settings.
        system: name of the system.
        baseline: the name of the other system; empty for the references.
        max_ngrams: maximum number of n-grams of each order and list.
        order: of the n-grams in lists and groups; all if None.
        kind: of the n-grams in lists; all if None.
    """
    query = NgramQuery(system=system, baseline=baseline, max_ngrams=max_ngrams, order=order, kind=kind)
    return _differences(view.scope, view.workspace.corpus, view.compared, text_slice=view.slice, query=query)


@session.cached("Comparing n-grams", "orders")
def _differences(
    progress: Progress, corpus: Corpus, compared: BleuEvaluation, *, text_slice: Slice | None, query: NgramQuery
) -> NgramPair | NgramSystem:
    differences = compare_ngrams(corpus, compared, query.system, query.baseline, progress=progress)
    numbers = None if text_slice is None else text_slice.numbers
    return ngram_lists(differences, max_ngrams=query.max_ngrams, order=query.order, kind=query.kind, numbers=numbers)
