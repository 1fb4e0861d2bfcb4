"""N-grams won and lost between two systems, or overused and missing beside the references."""

from __future__ import annotations

from dataclasses import dataclass

from bleu_core.dataset import Corpus
from bleu_core.progress import Progress
from bleu_core.results.ngrams import NgramPair, NgramSystem, ngram_pair, ngram_system
from bleu_core.scoring import BleuEvaluation
from bleu_core.segments import NgramKind, compare_ngrams
from bleu_core.slicing import Slice
from dashboard import session
from dashboard.analysis.view import View

#: So many segments of an n-gram at most are listed on the page Segments, whose address names them.
MAX_READ = 300


@dataclass(frozen=True, slots=True, kw_only=True)
class NgramsWanted:
    """Which n-grams are wanted; the attributes are the arguments of find_ngrams."""

    system: str
    baseline: str
    most: int
    order: int | None
    kind: NgramKind | None


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
    wanted = NgramsWanted(system=system, baseline=baseline, most=most, order=order, kind=kind)
    return _found(view.scope, view.workspace.corpus, view.compared, chosen=view.slice, wanted=wanted)


@session.cached("Comparing n-grams", "orders")
def _found(
    progress: Progress, corpus: Corpus, compared: BleuEvaluation, *, chosen: Slice | None, wanted: NgramsWanted
) -> NgramPair | NgramSystem:
    differences = compare_ngrams(corpus, compared, wanted.system, wanted.baseline, progress=progress)
    numbers = None if chosen is None else chosen.numbers
    return (ngram_pair if wanted.baseline else ngram_system)(
        differences, max_ngrams=wanted.most, order=wanted.order, kind=wanted.kind, numbers=numbers
    )
