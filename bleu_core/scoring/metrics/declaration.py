"""The declaration of a metric."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import Literal

from bleu_core.dataset import Corpus
from bleu_core.progress import Progress
from bleu_core.scoring.bleu_score import SETTINGS, BleuSettings
from bleu_core.scoring.evaluation import BleuEvaluation
from bleu_core.scoring.segment_statistics import SegmentStatistics

#: A text that some metrics need in addition to hypotheses and references: a field of Corpus.
Need = Literal["source", "documents"]

#: What scores rest on: references, the outputs and the source alone, ratings by judges, or unknown for scores of files
#: whose metric is not known.
Basis = Literal["references", "texts", "raw ratings", "adjusted ratings", "unknown"]

#: Languages that are written without blanks between words.
LANGUAGES_WITHOUT_BLANKS = ("Chinese", "Japanese", "Thai", "Lao", "Khmer", "Burmese")


def never(_settings: BleuSettings, _language: str) -> bool:
    """Return False, for metrics that do not depend on words between blanks."""
    return False


@dataclass(frozen=True, slots=True, kw_only=True)
class Metric:
    """The declaration of a metric for the command line, the pages and the downloads.

    Attributes:
        key: the name in options, addresses and JSON.
        label: the unique name for people.
        help: what the metric measures, for people: a phrase without a full stop.
        statistics: computes the statistics of each segment, whose score is the metric, from the corpus, an evaluation
            of it, which has the settings and the systems and references in use, and a progress callback or None. The
            systems of the result are those of the evaluation, in that order.
        signature: returns the signature to report with the scores of an evaluation, in sacreBLEU's form.
        unit: of the scores; empty if they have none.
        higher_is_better: whether the better system scores higher.
        settings: names of the settings, fields of BleuSettings, that the scores depend on; if None, all that are
            not declared for another metric.
        needs: texts that the corpus must have in addition to hypotheses and references.
        undefined: why a score is NaN, if it can be.
        explain: returns why scores of a corpus are NaN, with the texts; if None, `undefined` says it.
        slow: whether it is computed only if it is named explicitly.
        from_ngram_counts: whether the scores follow from counts of n-grams, which can be counted in parts and kept in
            counts files.
        score_field: the name of the fields with the scores in JSON and tables.
        digest: of the scores in a file; empty for a metric that is computed from the texts.
        decimals: of scores for people.
        basis: what the scores rest on.
        words_at_blanks: returns, for settings and one of LANGUAGES_WITHOUT_BLANKS, whether the metric treats the text
            between blanks as a word.
    """

    key: str
    label: str
    help: str
    statistics: Callable[[Corpus, BleuEvaluation, Progress | None], SegmentStatistics]
    signature: Callable[[BleuEvaluation], str]
    unit: str = "points"
    higher_is_better: bool = True
    settings: tuple[str, ...] | None = None
    needs: tuple[Need, ...] = ()
    undefined: str = "the metric gives no score"
    explain: Callable[[Corpus, BleuEvaluation, SegmentStatistics], str] | None = None
    slow: bool = False
    from_ngram_counts: bool = False
    score_field: Literal["bleu", "score"] = "score"
    digest: str = ""
    decimals: int = 2
    basis: Basis = "references"

    @property
    def best(self) -> Literal["highest", "lowest"]:
        """The best score of several systems: the highest or the lowest."""
        return "highest" if self.higher_is_better else "lowest"

    @property
    def fingerprint(self) -> tuple[str, str]:
        """The fingerprint for caches."""
        return self.key, self.digest

    words_at_blanks: Callable[[BleuSettings, str], bool] = never

    def is_possible(self, corpus: Corpus) -> bool:
        """Return whether a corpus has the texts that the metric needs."""
        return all(getattr(corpus, need) is not None for need in self.needs)

    @property
    def setting_names(self) -> tuple[str, ...]:
        """The names of the settings that the scores depend on."""
        if self.settings is not None:
            return self.settings
        other_settings = {key for key, setting in SETTINGS.items() if setting.metric not in ("", self.key)}
        return tuple(field.name for field in fields(BleuSettings) if field.name not in other_settings)

    def settings_in_use(self, settings: BleuSettings) -> tuple[object, ...]:
        """Return the values of the settings that the scores depend on: equal values give equal scores."""
        return tuple(getattr(settings, name) for name in self.setting_names)
