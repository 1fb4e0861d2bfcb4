"""The systems under any metric, the decay of their precision, and their scores on blocks of text."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

import numpy as np

from bleu_core.arrays import best_first
from bleu_core.dataset import Judgments, ScoreTable, optimised_for
from bleu_core.errors import AlignmentError
from bleu_core.inference import (
    Blocks,
    BlockScores,
    ScoreIntervals,
    block_scores,
    blocks_of_size,
    document_blocks,
    equal_blocks,
)
from bleu_core.judges import metric_of_ratings
from bleu_core.progress import Progress
from bleu_core.scoring import (
    DEFAULT_METRIC,
    HUMAN,
    HUMAN_LABEL,
    BleuEvaluation,
    Decay,
    Metric,
    ScoredCorpus,
    all_metrics,
    find_metric,
    fit_decay,
    label_tables,
    metric_of_scores,
    score_metric,
)
from bleu_core.slicing import quoted
from bleu_core.uploads import Workspace
from dashboard import session
from dashboard.analysis.chosen_judgments import chosen_judgments
from dashboard.analysis.ratings_in_use import ratings_or_none
from dashboard.analysis.shared import Sums, compute_metric, intervals_of_scores
from dashboard.analysis.view import View

Division = Literal["blocks", "size", "documents"]


@dataclass(frozen=True)  # without slots, which would exclude cached properties
class ScoresInOrder:
    """Systems and their scores by a metric, and their order.

    Attributes:
        scored: the systems and their scores.
        not_ranked: human translations, which are not ranked; the scores of those with the text of a reference are
            meaningless.
    """

    scored: ScoredCorpus
    not_ranked: tuple[str, ...]

    @property
    def metric(self) -> Metric:
        """The metric of the scores."""
        return self.scored.metric

    @cached_property
    def of_system(self) -> Mapping[str, float]:
        """System -> score; NaN where undefined."""
        return dict(zip(self.scored.statistics.systems, self.scored.scores.tolist(), strict=True))

    @cached_property
    def best_first(self) -> tuple[tuple[str, float], ...]:
        """The systems and their scores, best first; without those not ranked, and undefined scores."""
        ranked = [(name, self.of_system[name]) for name in self._ranked if name not in self.not_ranked]
        return tuple((name, score) for name, score in ranked if not math.isnan(score))

    def ordered_systems(self, *, by_name: bool = False) -> list[str]:
        """Return all selected systems, by score (undefined ones last) or by name; those not ranked come last."""
        order = sorted(self.scored.statistics.systems) if by_name else self._ranked
        return [*(name for name in order if name not in self.not_ranked), *self.not_ranked]

    @cached_property
    def _ranked(self) -> tuple[str, ...]:
        """All systems, best first, undefined scores last."""
        names = self.scored.statistics.systems
        return tuple(
            names[k] for k in best_first(names, self.scored.scores, higher_is_better=self.metric.higher_is_better)
        )


@dataclass(frozen=True)  # as above
class SystemScores(ScoresInOrder):
    """All selected systems under one metric.

    Attributes:
        view: the data and settings.
    """

    view: View

    @classmethod
    def of(cls, view: View, scored: ScoredCorpus) -> SystemScores:
        """Return the scores of a view."""
        return cls(scored, (*view.not_ranked, *_optimised(view, scored.metric)), view)

    @property
    def sums(self) -> Sums:
        """The inputs of comparisons of the scores."""
        view = self.view
        documents = view.workspace.corpus.documents
        return Sums(scored=self.scored, evaluation=view.evaluation, documents=documents, scope=view.scope)

    @cached_property
    def intervals(self) -> ScoreIntervals | None:
        """Intervals of the scores, if scores have them."""
        return intervals_of_scores(self.view.scope, self.sums) if self.view.with_intervals else None


def registered_metrics(view: View) -> Mapping[str, Metric]:
    """Return label -> metric, of all that can be computed on the loaded texts; BLEU first."""
    corpus = view.workspace.corpus
    return {metric.label: metric for metric in all_metrics().values() if metric.is_possible(corpus)}


def metrics_on_offer(view: View) -> Mapping[str, Metric]:
    """Return label -> metric, of all by which a selected system has a score.

    These are registered ones, BLEU first, uploaded ones, and the ratings of segments.
    """
    ratings, systems = _given_ratings_of_segments(view), view.evaluation.systems
    of_ratings = {} if ratings is None else {HUMAN_LABEL: _of_ratings(view.scope, *ratings)}
    tables = uploaded_tables((view.whole or view).workspace)
    uploaded = _uploaded(view.scope, view.workspace).items()
    of_files = {label: metric for label, metric in uploaded if _has_scores(tables[label], systems)}
    return {**registered_metrics(view), **of_files, **of_ratings}


def _has_scores(table: ScoreTable, systems: Sequence[str]) -> bool:
    return bool(np.isfinite(table.scores[[name in systems for name in table.systems]]).any())


def _given_ratings_of_segments(view: View) -> tuple[Judgments, int] | None:
    """Return the same ratings before they are adjusted for judges, which takes a moment.

    There are none if no segment of a selected system is rated.
    """
    whole = view.whole or view
    try:
        judgments = chosen_judgments(whole.workspace, whole.selection)
    except AlignmentError:  # there are none, or all judges are excluded
        return None
    rated = judgments.rated
    if not (rated["segment"].notna() & rated["system"].isin(view.evaluation.systems)).any():
        return None
    return judgments, whole.workspace.corpus.segments


@session.cached("Reading the ratings", "ratings")
def _of_ratings(_: Progress, judgments: Judgments, segments: int, untested: str = "") -> Metric:
    return metric_of_ratings(judgments, segments, untested=untested)


def uploaded_tables(workspace: Workspace) -> Mapping[str, ScoreTable]:
    """Return label -> scores of each uploaded metric; a name that a registered metric also has is marked."""
    return label_tables(workspace.scores)


@session.cached("Reading the scores", "metrics")
def _uploaded(_: Progress, workspace: Workspace) -> Mapping[str, Metric]:
    """Return label -> metric, of the uploaded ones with scores of segments of the loaded systems."""
    tables = uploaded_tables(workspace).items()
    return {
        label: metric_of_scores(table, label=label)
        for label, table in tables
        if table.level == "segment" and np.isfinite(table.scores).any()
    }


def metric_of(view: View, key: str) -> Metric:
    """Return the metric of that key, registered or uploaded.

    Raises:
        SettingsError: there is none.
    """
    given = _given_ratings_of_segments(view) if key == HUMAN else None
    ratings = None if given is None else ratings_or_none(view.whole or view)
    if given is not None and ratings is not None:
        return _of_ratings(view.scope, ratings.judgments, given[1], ratings.policy.obstacle)
    return _uploaded(view.scope, view.workspace).get(key) or find_metric(key)


def score_systems(view: View, name: str) -> SystemScores:
    """Return all selected systems under the metric of that key.

    Raises:
        UnavailableError: the metric depends on the tokeniser of the target language, which is not installed.
    """
    corpus, evaluation = view.workspace.corpus, view.evaluation
    if view.whole is not None and view.slice is not None:  # the whole text's statistics are reused
        scored = score_systems(view.whole, name).scored.subset(view.slice.rows)
        return SystemScores.of(view, replace(scored, signature=scored.metric.signature(evaluation)))
    chosen = metric_of(view, name)
    if view.selection.unavailable and "tokenizer" in chosen.setting_names:
        raise session.UnavailableError(f"{chosen.label} is not available: {view.selection.unavailable}.")
    if chosen.from_ngram_counts:  # which the evaluation has
        return SystemScores.of(view, score_metric(corpus, evaluation, chosen))
    return SystemScores.of(view, compute_metric(view.scope, corpus, evaluation, chosen))


def compared_by(view: View, name: str) -> tuple[str, ...]:
    """Return the systems that are compared by the metric of that key, without those that were optimised for it."""
    optimised = _optimised(view, metric_of(view, name)) if view.optimised else ()
    return tuple(system for system in view.compared.systems if system not in optimised)


def _optimised(view: View, metric: Metric) -> tuple[str, ...]:
    """Return the compared systems that were optimised for a metric; none if no others would be left."""
    marked = {mark.system for mark in optimised_for(view.optimised, metric.key, metric.label)}
    systems = view.compared.systems if marked else ()
    optimised = tuple(system for system in systems if system in marked)
    return () if len(optimised) == len(systems) else optimised


def score_under(view: View, name: str) -> ScoredCorpus:
    """Return the compared systems under the metric of that key."""
    return sums_under(view, name).scored


def sums_under(view: View, name: str) -> Sums:
    """Return the sums of the systems that are compared by the metric of that key."""
    return score_systems(view, name).sums.select(compared_by(view, name))


def sums_with_optimised(view: View, name: str) -> Sums:
    """Return the sums of all compared systems under the metric of that key, to show their segments."""
    return score_systems(view, name).sums.select(view.compared.systems)


def ranked_systems(view: View, name: str) -> list[str]:
    """Return the compared systems by the metric of that key, the best first."""
    return [system for system in score_systems(view, name).ordered_systems() if system in compared_by(view, name)]


def compared_by_bleu(view: View) -> BleuEvaluation:
    """Return the systems that are compared by BLEU, without those that were optimised for it."""
    return view.compared.select(compared_by(view, DEFAULT_METRIC))


def fitted_decays(view: View) -> tuple[Decay, ...]:
    """Return the fitted decay of each system that is compared by BLEU."""
    return fit_decay(compared_by_bleu(view).scores)


def block_divisions(view: View) -> tuple[Division, ...]:
    """Return the kinds of blocks into which the text can be divided."""
    known = view.workspace.corpus.documents is not None
    return ("blocks", "size", "documents") if known else ("blocks", "size")


def score_blocks(view: View, name: str, division: Division, number: int, size: int) -> BlockScores:
    """Return the compared systems on blocks of text.

    Args:
        view: the data and settings.
        name: the key of the metric.
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
    return block_scores(score_under(view, name), blocks)


def score_documents(view: View, name: str, pair: tuple[str, str]) -> tuple[Blocks, list[list[float]]] | None:
    """Return two systems on each document, the largest loss of the system first; None where documents are not known.

    Args:
        view: the data and settings.
        name: the key of the metric.
        pair: the baseline and the system.

    Returns:
        The D documents and the (2, D) scores on them, the baseline's first.
    """
    documents = view.workspace.corpus.documents
    if documents is None:
        return None
    blocks, table = document_blocks(documents), score_under(view, name).statistics.select(pair)
    scores = table.score(table.sums_by_label(blocks.labels))
    differences = (scores[1] - scores[0]) * (1 if table.higher_is_better else -1)
    order = np.argsort(differences, kind="stable")
    places = np.argsort(order)
    ordered = replace(blocks, names=tuple(blocks.names[d] for d in order), labels=places[blocks.labels])
    return ordered, scores[:, order].tolist()


def segments_of_document(document: str) -> str:
    """Return the expression for the segments of a document."""
    return f"document = {quoted(document)}"


def segments_of_block(view: View, blocks: Blocks, block: int) -> str:
    """Return an expression for the segments of a block or document, from 0; in a slice, for no others of it."""
    if blocks.unit == "document":
        return segments_of_document(blocks.names[block])
    rows = np.flatnonzero(blocks.labels == block)
    return f"segment in {view.numbers[rows[0]]}-{view.numbers[rows[-1]]}"
