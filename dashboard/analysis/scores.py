"""The compared systems under BLEU, chrF and TER, the decay of their precision, and their scores on blocks of text."""

from __future__ import annotations

from typing import Literal

from bleu_core.inference import BlockScores, block_scores, blocks_of_size, document_blocks, equal_blocks
from bleu_core.scoring import METRICS, Decay, Metric, MetricName, fit_decay, metric
from dashboard import session
from dashboard.analysis.view import View

Division = Literal["blocks", "size", "documents"]


def score_under(view: View, name: MetricName) -> Metric:
    """The compared systems under a metric."""
    corpus, compared = view.workspace.corpus, view.compared
    if name == "bleu":
        return metric(corpus, compared, name)
    return session.remember(
        "metric",
        (name, compared.digest, compared.references, compared.settings.lowercase, compared.systems),
        lambda progress: metric(corpus, compared, name, progress=progress),
        doing=f"Computing {METRICS[name]}",
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
