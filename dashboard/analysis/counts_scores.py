"""The systems of counts files: their scores, the decay of their precision, blocks and comparisons."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from bleu_core.counts import Counts, copies, describe_counts, score_counts, settings_of_counted
from bleu_core.dataset import Identical
from bleu_core.inference import (
    MIN_UNITS,
    BlockScores,
    Comparisons,
    ScoreIntervals,
    baseline_pairs,
    block_scores,
    equal_blocks,
    ranked_pairs,
    score_intervals,
)
from bleu_core.invocation import invocation
from bleu_core.progress import Progress
from bleu_core.scoring import BleuEvaluation, BleuSettings, CorpusScores, Decay, ScoredCorpus, fit_decay
from bleu_core.uploads import Workspace
from dashboard import session
from dashboard.analysis.scores import ScoresInOrder
from dashboard.analysis.significance import ComparisonOptions, draws_in_use, units_of_test
from dashboard.analysis.view import MissingDataError
from dashboard.session import Selection


@dataclass(frozen=True)  # without slots, which would exclude cached properties
class CountsScores(ScoresInOrder):
    """All systems of the counts files, scored by BLEU under the settings in force.

    Attributes:
        counts: of all files.
        evaluation: of the systems; of bundled counts only the scores of the corpus.
        selection: the choices in force.
        scope: of the data.
    """

    counts: Counts
    evaluation: BleuEvaluation | CorpusScores
    selection: Selection
    scope: Hashable

    @property
    def identical(self) -> tuple[Identical, ...]:
        """Systems whose text equals a reference."""
        return tuple(copies(self.counts.counted))

    @cached_property
    def compared(self) -> ScoredCorpus:
        """The systems without the copies, unless there are no others."""
        others = [name for name in self.scored.statistics.systems if name not in self.not_ranked]
        return self.scored.select(others) if others and self.not_ranked else self.scored

    @property
    def description(self) -> str:
        """The amount of text that was counted, and how the counts are stored."""
        return describe_counts(self.counts)

    @property
    def units(self) -> int:
        """The number of segments, or bundles, that are resampled."""
        return self.scored.statistics.segments

    @cached_property
    def intervals(self) -> ScoreIntervals | None:
        """Intervals of the scores and precisions; None if scores have none."""
        if not self.selection.intervals or self.units < MIN_UNITS:
            return None
        return _intervals(self.scope, self.counts, self.evaluation.settings)

    @cached_property
    def decays(self) -> tuple[Decay, ...]:
        """The fitted decay of each system's precision."""
        return fit_decay(self.evaluation.scores)

    @property
    def has_segments(self) -> bool:
        """Return whether there are counts for each segment, so that the text can be divided into blocks."""
        return self.scored.statistics.bundled is None

    def blocks(self, number: int) -> BlockScores:
        """Return the compared systems on blocks of equal size."""
        return block_scores(self.compared, equal_blocks(self.units, min(number, self.units)))

    def compare(self, options: ComparisonOptions) -> Comparisons:
        """Compare every pair of systems by BLEU, or all systems with a baseline."""
        table = self.compared.statistics
        pairs: Sequence[tuple[int, int]] = (
            ranked_pairs(table) if options.baseline is None else baseline_pairs(table.systems, options.baseline)
        )
        drawing = options if options.test == "t" else replace(options, draws=draws_in_use(options))
        return _comparisons(self.scope, self, drawing, tuple(pairs))

    @property
    def fingerprint(self) -> tuple[Hashable, ...]:
        """The fingerprint of the scores for caches; nothing else of the selection is read."""
        return self.counts.fingerprint, self.evaluation.settings


@session.cached("Scoring the counts", "systems")
def _scored(_: Progress, counts: Counts, settings: BleuSettings) -> BleuEvaluation | CorpusScores:
    return score_counts(counts, settings)


@session.cached("Resampling the text", "resamples")
def _intervals(progress: Progress, counts: Counts, settings: BleuSettings) -> ScoreIntervals:
    return score_intervals(score_counts(counts, settings), progress=progress)


@session.cached("Comparing the systems", units_of_test)
def _comparisons(
    progress: Progress, scores: CountsScores, options: ComparisonOptions, pairs: tuple[tuple[int, int], ...]
) -> Comparisons:
    table = scores.compared.statistics
    return options.run(table, pairs, groups=options.equal_blocks(table), progress=progress)


def scores_of_counts(workspace: Workspace, selection: Selection) -> CountsScores:
    """Return the systems of the counts files under the settings in force; tokeniser and case are those of the counts.

    Args:
        workspace: the data.
        selection: the settings and choices in force.

    Raises:
        MissingDataError: there are no counts files.
        SettingsError: n-grams of the highest order were not counted.
    """
    counts = workspace.counts
    if counts is None:
        raise MissingDataError(
            f"No counts file is loaded. Write one with `{invocation('bleu-core')} count --ref REFERENCE --out "
            "all.counts SYSTEM …`, and add it on the Data page."
        )
    settings = settings_of_counted(selection.settings, counts.counted)
    evaluation = _scored(workspace.scope, counts, settings)
    same = dict.fromkeys(copy.system for copy in copies(counts.counted))
    return CountsScores(
        ScoredCorpus.of_bleu(evaluation),
        tuple(same),
        counts=counts,
        evaluation=evaluation,
        selection=selection,
        scope=workspace.scope,
    )


def differs_in_counting(scores: CountsScores) -> bool:
    """Return whether tokeniser or case of the counts are not those of the settings in force."""
    return scores.selection.settings.counting != scores.evaluation.settings.counting
