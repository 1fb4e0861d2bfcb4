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

#: A text that some metrics need beside the hypotheses and references: a field of Corpus.
Need = Literal["source", "documents"]

#: Languages that are written without blanks between words.
LANGUAGES_WITHOUT_BLANKS = ("Chinese", "Japanese", "Thai", "Lao", "Khmer", "Burmese")


def never(_settings: BleuSettings, _language: str) -> bool:
    """What is true of a metric that does not depend on words between blanks."""
    return False


@dataclass(frozen=True, slots=True, kw_only=True)
class Metric:
    """A metric, as it is declared once for the command line, the pages and the downloads.

    Attributes:
        key: the name in options, addresses and JSON.
        label: the name for people; each metric has another.
        help: what the metric measures, for people: a phrase without a full stop.
        table: makes the sums of each segment, whose score is the metric. It is given the corpus, an evaluation of it,
            which names the systems and references in use and holds the settings, and what progress is to be reported
            to, if anything; the table's systems are those of the evaluation, in that order.
        signature: of an evaluation, what to quote with the scores, in sacreBLEU's form.
        unit: of the scores; empty where they have none.
        higher_is_better: whether the better system scores higher.
        settings: names of the settings, fields of BleuSettings, that the scores depend on; if None, all that are
            not declared as another metric's.
        needs: texts that the corpus must hold beside hypotheses and references.
        undefined: why a score is NaN, where it can be.
        slow: whether it is computed only where somebody asks for it by name.
        words_at_blanks: of settings and one of LANGUAGES_WITHOUT_BLANKS: whether the metric takes what stands between
            blanks for a word of it.
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
    slow: bool = False
    words_at_blanks: Callable[[BleuSettings, str], bool] = never

    def is_possible(self, corpus: Corpus) -> bool:
        """Return whether a corpus holds the texts that the metric needs."""
        return all(getattr(corpus, need) is not None for need in self.needs)

    def settings_in_use(self, settings: BleuSettings) -> tuple[object, ...]:
        """The values of the settings that the scores depend on: under equal ones they are the same."""
        names = self.settings
        if names is None:
            of_others = {key for key, setting in SETTINGS.items() if setting.metric not in ("", self.key)}
            names = [field.name for field in fields(settings) if field.name not in of_others]
        return tuple(getattr(settings, name) for name in names)
