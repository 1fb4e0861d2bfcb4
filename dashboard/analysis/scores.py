"""The compared systems under any metric, the decay of their precision, and their scores on blocks of text."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from bleu_core.inference import BlockScores, block_scores, blocks_of_size, document_blocks, equal_blocks
from bleu_core.scoring import Decay, Metric, ScoredCorpus, all_metrics, find_metric, fit_decay, metric
from dashboard import session
from dashboard.analysis.view import View

Division = Literal["blocks", "size", "documents"]


def metrics_on_offer(view: View) -> Mapping[str, Metric]:
    """Label -> metric, of all that can be computed of the loaded data; BLEU first."""
    corpus = view.workspace.corpus
    found = [one for one in all_metrics().values() if all(getattr(corpus, need) is not None for need in one.needs)]
    return {one.label: one for one in found}


def score_under(view: View, name: str) -> ScoredCorpus:
    """The compared systems under the metric of that key."""
    corpus, compared = view.workspace.corpus, view.compared
    if name == "bleu":
        return metric(corpus, compared, name)
    chosen = find_metric(name)
    return session.remember(
        "metric",
        (name, compared.digest, compared.references, chosen.settings_in_use(compared.settings), compared.systems),
        lambda progress: metric(corpus, compared, name, progress=progress),
        doing=f"Computing {chosen.label}",
        what="hypotheses",
    )


def fitted_decays(view: View) -> tuple[Decay, ...]:
    """The fitted decay of each compared system."""
    return fit_decay(view.compared.scores)


def score_blocks(view: View, division: Division, number: int, size: int) -> BlockScores:
    """BLEU of the compared systems on blocks of text.

    Args:
        view: the data and settings.
        division: into a number of blocks, blocks of a size, or documents.
        number: of blocks, for "blocks".
        size: segments per block, for "size".
    """
    corpus = view.workspace.corpus
    if division == "documents" and corpus.documents is not None:
        blocks = document_blocks(corpus.documents)
    elif division == "size":
        blocks = blocks_of_size(corpus.segments, min(size, corpus.segments))
    else:
        blocks = equal_blocks(corpus.segments, min(number, corpus.segments))
    return block_scores(view.compared, blocks)
