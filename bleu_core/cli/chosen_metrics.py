"""The metrics of `bleu-core correlate` and `review`: those that the call names, and those of files."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from bleu_core.agreement import BLEU, SOURCE_LENGTH
from bleu_core.cli.scored_data import scored
from bleu_core.cli.terminal import progress_bar
from bleu_core.dataset import ScoreTable, labelled
from bleu_core.errors import SettingsError
from bleu_core.scoring import DEFAULT_METRIC, BleuEvaluation, all_metrics, broken_metrics, evaluate, key_of_label

if TYPE_CHECKING:
    from bleu_core.agreement import MetricScores
    from bleu_core.dataset import AlignedData

#: End of the name of a metric of a file that a computed metric has, too.
UPLOADED = " (uploaded)"


@dataclass(frozen=True, slots=True, kw_only=True)
class ChosenMetrics:
    """The metrics of a call.

    Attributes:
        metrics: their scores, the first one of main interest.
        tables: those whose scores are in files.
    """

    metrics: Sequence[MetricScores]
    tables: Sequence[ScoreTable]

    @property
    def of_files(self) -> list[MetricScores]:
        """The metrics whose scores are in files."""
        names = {table.name for table in self.tables}
        return [metric for metric in self.metrics if metric.name in names]

    @property
    def computed(self) -> list[str]:
        """The keys of the registered metrics that are computed."""
        names = {table.name for table in self.tables}
        return [key for m in self.metrics if m.name not in names and (key := key_of_label(m.name)) is not None]


def chosen_metrics(
    chosen: Sequence[str],
    data: AlignedData,
    evaluation: BleuEvaluation,
    *,
    also: Sequence[str] = (),
    default: Sequence[str] = (BLEU,),
    with_files: bool = True,
) -> ChosenMetrics:
    """Return the metrics of a call: those named, or the default, and those of files if it names none of these.

    Args:
        chosen: keys or labels, as the call names them.
        data: with the scores of files.
        evaluation: of the texts.
        also: further labels.
        default: labels if none is named.
        with_files: whether metrics of files are added if none of them is named.

    Raises:
        SettingsError: there is no such metric.
    """
    from bleu_core.agreement import MetricScores, bleu_variants, sentinel_scores  # loaded when first needed
    from bleu_core.scoring import metric_of_scores

    variants = bleu_variants(evaluation.settings)
    named = [_label(name) for name in chosen]
    computed = {*default, *named, *(name.removesuffix(UPLOADED) for name in named), *also}
    computed &= {*variants, *(metric.label for metric in all_metrics().values())}
    tables = {name: replace(table, name=name) for name, table in labelled(data.scores, computed).items()}
    of_files = list(tables) if with_files and tables.keys().isdisjoint(named) else []
    labels = [*(dict.fromkeys(named) or default), *of_files, *also]
    metrics: list[MetricScores] = []
    for label in labels:
        if label in tables:
            table = tables[label]
            signature = metric_of_scores(table).signature(evaluation) if table.level == "segment" else ""
            metrics.append(replace(MetricScores.of_table(table, data.corpus), signature=signature))
        elif label == SOURCE_LENGTH:
            metrics.append(sentinel_scores(data.corpus, evaluation))
        elif label in variants:
            with progress_bar() as progress:
                metrics.append(MetricScores.of_bleu(evaluate(data.corpus, variants[label], progress=progress), label))
        else:
            key = key_of_label(label)
            if key is None or (key == DEFAULT_METRIC and label in also):  # which --also adds
                raise SettingsError(
                    "; ".join([_expected(label, (*tables, *variants, SOURCE_LENGTH)), *broken_metrics()])
                )
            metrics.append(MetricScores.of_metric(scored(data.corpus, evaluation, key)))
    return ChosenMetrics(metrics=metrics, tables=[tables[label] for label in labels if label in tables])


def _label(name: str) -> str:
    """Return the label of the registered metric with this key, or the name itself."""
    metric = all_metrics().get(name)
    return name if metric is None else metric.label


def _expected(label: str, others: Sequence[str]) -> str:
    """Return a sentence on the names of all metrics, of files and variants of BLEU too."""
    names = [metric.label for metric in all_metrics().values() if metric.key != DEFAULT_METRIC]
    return f"metric {label!r} found, expected one of {', '.join((*names, *others))}"
