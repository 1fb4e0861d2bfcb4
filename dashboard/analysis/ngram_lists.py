"""N-grams won and lost between two systems, or overused and missing beside the references."""

from __future__ import annotations

from bleu_core.results.ngrams import NgramPair, NgramSystem, ngram_pair, ngram_system
from bleu_core.segments import NGRAM_KINDS, NgramKind, compare_ngrams
from dashboard import session
from dashboard.analysis.view import View

__all__ = ["MOST_READ", "NGRAM_KINDS", "NgramKind", "find_ngrams"]

#: So many segments of an n-gram at most are listed on the page Segments, whose address names them.
MOST_READ = 300


def find_ngrams(
    view: View, system: str, baseline: str, *, most: int, order: int | None, kind: NgramKind | None
) -> NgramPair | NgramSystem:
    """The n-grams with the greatest effects, as `bleu-core ngrams` finds them.

    Args:
        view: the data and settings.
        system: its name.
        baseline: the name of the other system; empty for the references.
        most: n-grams of each order and list.
        order: of the n-grams in lists and groups; all if None.
        kind: of the n-grams in lists; all if None.
    """
    found: NgramPair | NgramSystem = session.remember(
        "n-grams",
        (view.key, view.workspace.digest, view.slice.digest if view.slice else "", system, baseline, most, order, kind),
        lambda progress: (ngram_pair if baseline else ngram_system)(
            compare_ngrams(view.workspace.corpus, view.compared, system, baseline, progress=progress),
            most=most,
            order=order,
            kind=kind,
            numbers=view.numbers,
        ),
        doing="Comparing n-grams",
        what="orders",
    )
    return found
