"""Metrics whose segment scores come from a file: COMET, MetricX, an LLM judge, ratings.

The statistics of a segment are its score and 1, or 0 and 0 where it has none; the score of sums is their quotient, the
mean over the scored segments. Everything that sums rows, such as blocks, intervals and tests, follows.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import partial
from pathlib import PurePath

import numpy as np
import numpy.typing as npt

from bleu_core.arrays import Numbers
from bleu_core.dataset import Corpus, ScoreTable, labelled
from bleu_core.digests import digest_of
from bleu_core.errors import AlignmentError
from bleu_core.progress import Progress
from bleu_core.scoring.evaluation import BleuEvaluation
from bleu_core.scoring.metrics.declaration import Basis, Metric
from bleu_core.scoring.metrics.register import all_metrics
from bleu_core.scoring.segment_statistics import SegmentStatistics, ratio

#: Largest score for people with four decimals, and with three; larger ones have two.
FOUR_DECIMALS, THREE_DECIMALS = 2, 12

#: The key and the label of ratings as a metric.
HUMAN, HUMAN_LABEL = "human", "Human ratings"

#: Parts of the names of metrics that use no reference, checked first, and of metrics that use references.
_WITHOUT_REFERENCES = re.compile(
    r"(?i)kiwi|prism-?src|cometoid|gemba|(?<![a-z])(qe|src|ref(erence)?[-_ ]?(free|less))(?![a-z])|simqe|cometqe"
)
_WITH_REFERENCES = re.compile(
    r"(?i)bleu|chrf|(?<![a-z])[hm]?(ter|wer)p?(?![a-z])|meteor|rouge|nist|bert-?score|comet|metricx|yisi|prism"
    r"|matese|sescore|tokengram|[-_]ref[a-z]?(?![a-z])"
)

#: Number of characters of a digest in a signature.
DIGEST_LENGTH = 8


def mean_score(sums: Numbers) -> npt.NDArray[np.float64]:
    """Return the mean of summed scores.

    Args:
        sums: (..., 2) the sum of the scores, and their number.

    Returns:
        (...), in the unit of the scores; NaN without any score.
    """
    scored = sums[..., 1] > 0
    return np.where(scored, ratio(sums[..., 0], sums[..., 1], scored), np.nan)


def label_tables(tables: Iterable[ScoreTable]) -> Mapping[str, ScoreTable]:
    """Return label -> scores of each metric of files; a name that a registered metric also has is marked."""
    registered = all_metrics()
    return labelled(tables, {*registered, *(metric.label for metric in registered.values()), HUMAN, HUMAN_LABEL})


def metric_of_scores(table: ScoreTable, *, label: str = "", untested: str = "") -> Metric:
    """Return the metric whose segment scores are in a table.

    Args:
        table: the scores of segments.
        label: the unique name of the metric; that of the table if empty. It is the key, too.
        untested: why differences of systems by these scores are not tested; empty if they are.

    Raises:
        AlignmentError: only whole systems have scores.
    """
    name = label or table.name
    if table.level != "segment":
        raise AlignmentError(
            f"{table.origin or 'scores'}: {name} has scores of whole systems only, scores of segments expected"
        )
    file = PurePath(table.origin).name  # without its folder, as the help is in reports
    content = (table.name, table.higher_is_better, table.systems, table.scores)
    digest = digest_of((*content, untested) if untested else content).hex()
    return Metric(
        key=name,
        label=name,
        help=f"mean of the segment scores in {file}" if file else "mean of segment scores from a file",
        statistics=partial(_statistics, table=table, name=name, untested=untested),
        signature=partial(_signature, table=table, name=name, digest=digest),
        unit="",
        higher_is_better=table.higher_is_better,
        settings=(),
        undefined="the file has no score of a segment of this system",
        digest=digest,
        decimals=decimals_of(table.scores),
        basis=basis_of(table.name),
    )


def basis_of(name: str) -> Basis:
    """Return what the scores of a metric of another program rest on, by its name.

    >>> basis_of("COMET-22"), basis_of("CometKiwi-QE"), basis_of("MetricX-23-QE-b"), basis_of("X")
    ('references', 'texts', 'texts', 'unknown')
    """
    if _WITHOUT_REFERENCES.search(name):
        return "texts"
    return "references" if _WITH_REFERENCES.search(name) else "unknown"


def decimals_of(scores: npt.NDArray[np.float64]) -> int:
    """Return the number of decimals of scores for people: four on a scale such as 0 to 1, two on 0 to 100.

    Args:
        scores: any shape; NaN is no score.
    """
    largest = float(np.nanmax(np.abs(scores), initial=0)) if np.isfinite(scores).any() else 0.0
    return 4 if largest <= FOUR_DECIMALS else 3 if largest <= THREE_DECIMALS else 2


def _statistics(
    corpus: Corpus,
    evaluation: BleuEvaluation,
    _progress: Progress | None,
    *,
    table: ScoreTable,
    name: str,
    untested: str,
) -> SegmentStatistics:
    scores = table.aligned(evaluation.systems, corpus.segments).scores
    scored = np.isfinite(scores)
    if not scored.any():
        raise AlignmentError(
            f"{table.origin or 'scores'}: no score by {name} of the systems {', '.join(evaluation.systems)} found; its "
            f"systems are {', '.join(table.systems)}; rename systems or columns so that they match"
        )
    values = np.stack([np.where(scored, scores, 0.0), scored.astype(np.float64)], axis=-1)
    return SegmentStatistics(
        evaluation.systems,
        values,
        mean_score,
        higher_is_better=table.higher_is_better,
        has_gaps=not scored.all(),
        untested=untested,
    )


def _signature(evaluation: BleuEvaluation, *, table: ScoreTable, name: str, digest: str) -> str:
    """Return the metric, the digest of its scores, the number of segments, and which scores are better."""
    better = "higher" if table.higher_is_better else "lower"
    return f"{name}|scores:{digest[:DIGEST_LENGTH]}|segments:{evaluation.segments}|better:{better}"
