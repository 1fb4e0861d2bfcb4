"""Systems compared on every slice of a division of the text."""

from __future__ import annotations

from dataclasses import dataclass, replace

from bleu_core.dataset import Corpus
from bleu_core.inference import Comparison, Comparisons, baseline_pairs
from bleu_core.progress import Progress
from bleu_core.results.slices import ALL_SEGMENTS
from bleu_core.scoring import BleuEvaluation, ScoredCorpus
from bleu_core.slicing import (
    Grouping,
    Slice,
    SlicesCompared,
    SliceTests,
    Variation,
    compare_slices,
    group_segments,
    grouping_names,
)
from dashboard import session
from dashboard.analysis.scores import sums_under
from dashboard.analysis.shared import Sums
from dashboard.analysis.significance import ComparisonOptions
from dashboard.analysis.trust_warnings import obstacle_of
from dashboard.analysis.view import View


@dataclass(frozen=True, slots=True)
class SlicedComparison:
    """Systems compared with a baseline on all segments and on every slice.

    Attributes:
        grouping: how the text is divided.
        scored: the systems under the metric, on all segments.
        comparisons: the comparisons.
    """

    grouping: Grouping
    scored: ScoredCorpus
    comparisons: SlicesCompared

    def rows_of(self, system: str) -> tuple[tuple[str, Comparisons, Comparison], ...]:
        """Return the label of all segments and of each slice, its comparison, and that of a system and the baseline."""
        slices = ((result.label, result.comparisons) for result in self.comparisons.slices)
        labelled = [(ALL_SEGMENTS, self.comparisons.whole), *slices]
        return tuple(
            (label, compared, next(pair for pair in compared.pairs if pair.system == system))
            for label, compared in labelled
        )

    def largest(self, number: int) -> tuple[int, ...]:
        """Return the positions of the slices with the most segments, at most `number`, in their order."""
        slices = self.comparisons.slices
        by_size = sorted(range(len(slices)), key=lambda n: -slices[n].segments)
        return tuple(sorted(by_size[:number]))

    def variation_of(self, system: str) -> Variation:
        """Return the test of whether the difference of a system and the baseline varies between the slices."""
        return next(variation for variation in self.comparisons.variation if variation.system == system)


def divisions(view: View) -> tuple[str, ...]:
    """Return the fields by which the text can be divided, labels first."""
    return grouping_names(view.workspace.corpus)


def compare_divided(view: View, by: str, options: ComparisonOptions) -> SlicedComparison:
    """Compare all systems with a baseline on every slice, as `bleu-core slices` does.

    Args:
        view: the data and settings.
        by: one of divisions.
        options: the metric, the baseline, the level, the draws and their units; test and correction are ignored.
    """
    corpus, sums = view.workspace.corpus, sums_under(view, options.metric)
    options = replace(options, baseline=options.baseline or sums.table.systems[0])
    # The segments of a slice keep their numbers, by which they may be divided into halves.
    grouping, comparisons = _compared(
        view.scope, corpus, view.compared, sums, text_slice=view.slice, by=by, options=options
    )
    obstacle = obstacle_of(view, sums.scored.metric, sums.table.systems)
    return SlicedComparison(grouping, sums.scored, comparisons.obstructed(obstacle) if obstacle else comparisons)


@session.cached("Comparing the systems on every slice", "draws")
def _compared(
    progress: Progress,
    corpus: Corpus,
    evaluation: BleuEvaluation,
    sums: Sums,
    *,
    text_slice: Slice | None,
    by: str,
    options: ComparisonOptions,
) -> tuple[Grouping, SlicesCompared]:
    table = sums.table
    numbers = None if text_slice is None else text_slice.numbers
    grouping = group_segments(
        corpus, by, references=evaluation.references, settings=evaluation.settings, numbers=numbers
    )
    comparisons = compare_slices(
        table,
        grouping.labels,
        baseline_pairs(table.systems, options.baseline or table.systems[0]),
        order=grouping.order,
        documents=corpus.documents,
        tests=SliceTests(
            whole_documents=options.by_documents, resamples=options.draws, seed=options.seed, alpha=options.alpha
        ),
        progress=progress,
    )
    return grouping, comparisons
