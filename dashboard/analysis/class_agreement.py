"""Agreement of a metric with judges by class of segment and by document."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from bleu_core.agreement import (
    AgreementByClass,
    Scatter,
    TestedMethod,
    agreement_by_class,
    document_scores,
    scatter,
)
from bleu_core.dataset import Corpus
from bleu_core.diagnostics import DiagnosticInput, guessed_language
from bleu_core.inference import DECIMALS
from bleu_core.progress import Progress
from bleu_core.scoring import BleuEvaluation, BleuSettings
from bleu_core.slicing import SEGMENT_CLASSES, ClassMembers, classify_segments
from dashboard import session
from dashboard.analysis.ratings_in_use import RatingsInUse
from dashboard.analysis.segment_agreement import MAX_FURTHEST, SegmentAgreement, compare_segments
from dashboard.analysis.view import View

#: Key -> title of each class.
CLASS_TITLES = {segment_class.key: segment_class.title for segment_class in SEGMENT_CLASSES}


@dataclass(frozen=True, slots=True)
class DocumentAgreement:
    """Documents of systems, with mean scores and ratings.

    Attributes:
        names: D documents.
        points: of K systems and D documents.
        furthest: positions in points where score and rating differ most in rank, largest difference first.
    """

    names: tuple[str, ...]
    points: Scatter
    furthest: tuple[int, ...]


def language_of_references(view: View) -> str:
    """Guess the language of the references in use; empty if it cannot be determined."""
    return _language(view.scope, view.workspace.corpus, view.evaluation)


@session.cached("Guessing the language", "languages")
def _language(_: Progress, corpus: Corpus, evaluation: BleuEvaluation) -> str:
    return guessed_language(DiagnosticInput(corpus, evaluation))


def members_of(ratings: RatingsInUse, language: str) -> tuple[ClassMembers, ...]:
    """Return the segments of each class."""
    evaluation = ratings.view.evaluation
    return _members(
        ratings.scope,
        ratings.view.workspace.corpus,
        references=evaluation.references,
        settings=evaluation.settings,
        language=language,
    )


@session.cached("Finding classes of segments", "classes")
def _members(
    _: Progress, corpus: Corpus, *, references: tuple[str, ...], settings: BleuSettings, language: str
) -> tuple[ClassMembers, ...]:
    return classify_segments(corpus, references=references, settings=settings, language=language)


def compare_classes(
    ratings: RatingsInUse, agreement: SegmentAgreement, language: str, method: TestedMethod = "kendall"
) -> AgreementByClass:
    """Compare the agreement of a metric inside and outside each class."""
    return _by_class(ratings.scope, ratings, agreement.metric, language=language, method=method)


@session.cached("Comparing classes of segments", "classes")
def _by_class(
    progress: Progress, ratings: RatingsInUse, metric: str, *, language: str, method: TestedMethod
) -> AgreementByClass:
    agreement, members = compare_segments(ratings, metric), members_of(ratings, language)
    better = (agreement.scores if agreement.higher_is_better else -agreement.scores).round(DECIMALS)
    documents = ratings.view.workspace.corpus.documents
    return agreement_by_class(better, agreement.ratings, members, documents, method=method, progress=progress)


def furthest_of_class(agreement: SegmentAgreement, members: ClassMembers) -> tuple[int, ...]:
    """Return positions of the translations in a class where score and rating differ most in rank."""
    order = agreement.points.furthest(agreement.points.size)
    inside = members.members[agreement.points.entry[order] % agreement.points.segments]
    return tuple(order[inside][:MAX_FURTHEST].tolist())


def document_agreement(ratings: RatingsInUse, agreement: SegmentAgreement) -> DocumentAgreement | None:
    """Return the documents of systems by mean score and mean rating; None where documents are not known."""
    documents = ratings.view.workspace.corpus.documents
    if documents is None:
        return None
    names, scores, means = document_scores(agreement.scores, agreement.ratings, documents)
    points = scatter(scores, means, higher_is_better=agreement.higher_is_better)
    return DocumentAgreement(names, points, tuple(np.asarray(points.furthest(MAX_FURTHEST)).tolist()))
