"""Rankings of the systems with each reference of a view, and the systems that each reference favours."""

from __future__ import annotations

from bleu_core.agreement import ReferenceRankings, rank_by_reference
from bleu_core.dataset import Corpus, Judgments, optimised_for
from bleu_core.errors import AlignmentError
from bleu_core.inference import document_blocks
from bleu_core.progress import Progress
from bleu_core.scoring import BleuEvaluation
from dashboard import session
from dashboard.analysis.ratings_in_use import RatingsInUse
from dashboard.analysis.scores import compared_by, metric_of
from dashboard.analysis.significance import ComparisonOptions
from dashboard.analysis.view import View


def rankings_of_view(view: View, ratings: RatingsInUse | None, options: ComparisonOptions) -> ReferenceRankings:
    """Rank the systems with each reference in use, as `bleu-core references` does.

    Args:
        view: the data and settings.
        ratings: the ratings in use, if there are any.
        options: the metric, the level, and whether standard errors are taken over documents.

    Raises:
        AlignmentError: the metric's scores are from a file, fewer than two references have all segments, or fewer than
            two systems remain.
    """
    if metric_of(view, options.metric).digest:
        raise AlignmentError(
            f"the scores of {options.metric} are from a file, of one set of references; choose a metric that is "
            "computed here"
        )
    judgments = None if ratings is None else ratings.judgments
    metric = metric_of(view, options.metric)
    left_out = {human.system: human.reason for human in view.humans}
    compared = compared_by(view, options.metric)
    optimised = optimised_for(view.optimised, metric.key, metric.label)
    left_out |= {mark.system: mark.reason for mark in optimised if mark.system not in compared}
    return _rankings(
        view.scope,
        view.workspace.corpus,
        view.evaluation,
        judgments,
        without=tuple(left_out.items()),
        metric=options.metric,
        alpha=options.alpha,
        by_documents=options.by_documents,
    )


@session.cached("Ranking the systems with each reference", "steps")
def _rankings(
    progress: Progress,
    corpus: Corpus,
    evaluation: BleuEvaluation,
    judgments: Judgments | None,
    *,
    without: tuple[tuple[str, str], ...],
    metric: str,
    alpha: float,
    by_documents: bool,
) -> ReferenceRankings:
    return rank_by_reference(
        corpus,
        evaluation,
        judgments,
        name=metric,
        without=dict(without),
        documents=document_blocks(corpus.documents) if by_documents and corpus.documents is not None else None,
        alpha=alpha,
        progress=progress,
    )
