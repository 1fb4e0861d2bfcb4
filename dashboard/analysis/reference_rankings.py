"""The order of the systems with each reference of a view, and which systems each reference favours."""

from __future__ import annotations

from bleu_core.agreement import RankingPair, ReferenceRankings, rank_by_reference
from bleu_core.inference import document_blocks
from dashboard import session
from dashboard.analysis.ratings_in_use import RatingsInUse
from dashboard.analysis.significance import ComparisonOptions
from dashboard.analysis.view import View

__all__ = ["RankingPair", "ReferenceRankings", "rankings_of_view"]


def rankings_of_view(view: View, ratings: RatingsInUse | None, options: ComparisonOptions) -> ReferenceRankings:
    """The systems ranked with each reference in use, as `bleu-core references` ranks them.

    Args:
        view: the data and settings.
        ratings: those in use, if there are any.
        options: the metric, the level, and whether standard errors are taken over documents.

    Raises:
        AlignmentError: fewer than two references have all segments, or fewer than two systems are left.
    """
    of, corpus = view.evaluation, view.workspace.corpus
    blocks = document_blocks(corpus.documents) if options.by_documents and corpus.documents is not None else None
    judgments, without = (None, ()) if ratings is None else (ratings.judgments, ratings.without)
    of_scores = (of.digest, of.references, of.settings, of.systems, view.workspace.digest)
    of_ratings = (judgments.digest if judgments is not None else "", without)
    return session.remember(
        "reference rankings",
        (of_scores, of_ratings, options.metric, options.alpha, blocks is not None),
        lambda progress: rank_by_reference(
            corpus,
            of,
            judgments,
            name=options.metric,
            without=without,
            documents=blocks,
            alpha=options.alpha,
            progress=progress,
        ),
        doing="Ranking the systems with each reference",
        what="steps",
    )
