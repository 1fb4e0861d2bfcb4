"""Systems compared on every slice of a division of the text."""

from __future__ import annotations

from dataclasses import dataclass

from bleu_core.inference import Comparison, Comparisons, against
from bleu_core.results.slices import ALL_SEGMENTS
from bleu_core.slicing import Grouping, SlicesCompared, Variation, compare_slices, group_segments, grouping_names
from dashboard import session
from dashboard.analysis.scores import ScoredCorpus, score_under
from dashboard.analysis.significance import ComparisonOptions
from dashboard.analysis.view import View

__all__ = ["DividedText", "compare_divided", "divisions"]


@dataclass(frozen=True, slots=True)
class DividedText:
    """Systems compared with a baseline on all segments and on every slice.

    Attributes:
        grouping: how the text is divided.
        scored: the systems under the metric, on all segments.
        found: the comparisons.
    """

    grouping: Grouping
    scored: ScoredCorpus
    found: SlicesCompared

    def rows_of(self, system: str) -> tuple[tuple[str, Comparisons, Comparison], ...]:
        """The label of all segments and of each slice, its comparison, and that of a system and the baseline."""
        labelled = [(ALL_SEGMENTS, self.found.whole), *((one.label, one.found) for one in self.found.slices)]
        return tuple(
            (label, compared, next(pair for pair in compared.pairs if pair.system == system))
            for label, compared in labelled
        )

    def largest(self, number: int) -> tuple[int, ...]:
        """The positions of the slices with the most segments, so many at most, in their order."""
        slices = self.found.slices
        by_size = sorted(range(len(slices)), key=lambda n: -slices[n].segments)
        return tuple(sorted(by_size[:number]))

    def variation_of(self, system: str) -> Variation:
        """Whether the difference of a system and the baseline varies between the slices."""
        return next(one for one in self.found.variation if one.system == system)


def divisions(view: View) -> tuple[str, ...]:
    """By what the text can be divided: the names of its labels first."""
    return grouping_names(view.workspace.corpus)


def compare_divided(view: View, by: str, options: ComparisonOptions) -> DividedText:
    """All compared systems against a baseline on every slice, as `bleu-core slices` compares them.

    Args:
        view: the data and settings.
        by: one of divisions.
        options: the metric, the baseline, the level, the draws and what is drawn; tests and corrections among them do
            not count.
    """
    corpus, scored = view.workspace.corpus, score_under(view, options.metric)
    table, evaluation = scored.table, view.compared
    grouping = group_segments(
        corpus, by, references=evaluation.references, settings=evaluation.settings, numbers=view.numbers
    )
    baseline = options.baseline or table.systems[0]
    found = session.remember(
        "slices compared",
        # The segments of a slice keep their numbers, by which they may be halved.
        (view.key, view.workspace.digest, view.slice.digest if view.slice else "", by, baseline, options),
        lambda progress: compare_slices(
            table,
            grouping.labels,
            against(table.systems, baseline),
            order=grouping.order,
            documents=corpus.documents,
            whole_documents=options.by_documents,
            resamples=options.draws,
            seed=options.seed,
            alpha=options.alpha,
            progress=progress,
        ),
        doing="Comparing the systems on every slice",
        what="draws",
    )
    return DividedText(grouping, scored, found)
