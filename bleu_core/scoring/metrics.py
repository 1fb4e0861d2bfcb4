"""chrF2, chrF2++ and TER beside BLEU: per-segment sums, so that resampling and tests work on all of them alike.

What a segment adds comes from sacreBLEU's own code; the scores of summed columns are computed here, for many sums at
once. With several references chrF takes, segment by segment, the counts against the reference with the highest
segment score (of equal ones the first), and TER the fewest edits, over the mean reference length. An absent reference
is as if it were not there; an empty one is a reference of length 0, which lowers that mean.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from types import MappingProxyType
from typing import Any, Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from bleu_core.dataset import Corpus
from bleu_core.progress import Progress
from bleu_core.scoring.evaluation import Evaluation
from bleu_core.scoring.sums import Numbers, SumTable

MetricName = Literal["bleu", "chrf2", "chrf2++", "ter"]


class _Declared(NamedTuple):
    label: str
    higher_is_better: bool = True


_DECLARED: Mapping[MetricName, _Declared] = {
    "bleu": _Declared("BLEU"),
    "chrf2": _Declared("chrF2"),
    "chrf2++": _Declared("chrF2++"),
    "ter": _Declared("TER", higher_is_better=False),
}

#: name -> the label for people, sacreBLEU's.
METRICS: Mapping[MetricName, str] = MappingProxyType({name: one.label for name, one in _DECLARED.items()})

#: name -> whether the better system scores higher.
HIGHER_IS_BETTER: Mapping[MetricName, bool] = MappingProxyType(
    {name: one.higher_is_better for name, one in _DECLARED.items()}
)

#: How many times as much recall weighs as precision in chrF2.
BETA = 2

#: Progress is told about every so many hypotheses: half a second of TER.
HYPOTHESES_BETWEEN_REPORTS = 64


@dataclass(frozen=True, slots=True)
class Metric:
    """A corpus's systems under one metric.

    Attributes:
        name: as in METRICS.
        label: the name for people.
        signature: what to quote with the scores.
        table: (K, S, columns), with the metric as its score, in points.
    """

    name: MetricName
    label: str
    signature: str
    table: SumTable


def metric(corpus: Corpus, evaluation: Evaluation, name: MetricName, *, progress: Progress | None = None) -> Metric:
    """Compute what a metric needs of each segment.

    BLEU is there already. chrF and TER are computed with sacreBLEU's defaults, except that chrF folds case where the
    settings say so; TER always does. The settings' other choices are BLEU's alone.

    Args:
        corpus: the texts.
        evaluation: of that corpus; it names the systems and references in use.
        name: which metric.
        progress: told, now and then, how many hypotheses of K times S are done; may raise, which ends the work.

    Raises:
        ValueError: the evaluation is of another corpus.

    Source:
        Popović (2015), W15-3049, and (2017), W17-4770; Snover et al. (2006), A Study of Translation Edit Rate.
    """
    if corpus.digest != evaluation.digest:
        raise ValueError(f"an evaluation of {evaluation.digest} found, one of the corpus {corpus.digest} expected")
    if name == "bleu":
        return Metric(name, METRICS[name], evaluation.signature, evaluation.table)
    table, signature = _segments(corpus, evaluation, name, progress)
    score = ter if name == "ter" else chrf2
    sums = SumTable(evaluation.systems, table, score, higher_is_better=HIGHER_IS_BETTER[name])
    return Metric(name, METRICS[name], signature, sums)


def chrf2(sums: Numbers) -> npt.NDArray[np.float64]:
    """Score sums of n-gram counts: chrF2 of character orders, chrF2++ of character and word orders.

    Precision and recall are means over the effective orders, those with n-grams on both sides; without any, or without
    a match, the score is 0.

    Args:
        sums: (..., 3 * orders), for each order n-grams of the hypothesis, of the reference, and matches.

    Returns:
        Points, 0 to 100, (...).
    """
    hypothesis, reference, matches = sums[..., 0::3], sums[..., 1::3], sums[..., 2::3]
    effective = (hypothesis > 0) & (reference > 0)
    orders = np.maximum(effective.sum(axis=-1), 1)  # of none the sums are 0 too
    # Added from the first order to the last, as cumsum does and sum does not: sacreBLEU's scores to the last digit.
    precision = _ratio(matches, hypothesis, effective).cumsum(axis=-1)[..., -1] / orders
    recall = _ratio(matches, reference, effective).cumsum(axis=-1)[..., -1] / orders
    weighted = BETA**2 * precision + recall
    return 100 * _ratio((1 + BETA**2) * precision * recall, weighted, weighted > 0)


def ter(sums: Numbers) -> npt.NDArray[np.float64]:
    """Score sums of edits: the translation edit rate, lower is better.

    Args:
        sums: (..., 2) edits, and reference length in words, a mean over the references.

    Returns:
        Points, (...): 0 and up, beyond 100 where there are more edits than words; against nothing but empty references
        100 if there is any edit, else 0.
    """
    edits, length = sums[..., 0], sums[..., 1]
    return 100 * np.where(length > 0, _ratio(edits, length, length > 0), edits > 0)


def _ratio(numerator: Numbers, denominator: Numbers, where: npt.NDArray[np.bool_]) -> npt.NDArray[np.float64]:
    """The quotient, 0 elsewhere."""
    return np.divide(numerator, denominator, out=np.zeros(where.shape), where=where)


def _segments(
    corpus: Corpus, evaluation: Evaluation, name: MetricName, progress: Progress | None
) -> tuple[Numbers, str]:
    """Each segment's columns, (K, S, columns), and the signature.

    sacreBLEU is given one segment at a time: its references are prepared once for all systems and then dropped, as all
    n-grams of a large corpus would fill the memory.
    """
    scorer = _scorer(name, lowercase=evaluation.settings.lowercase)
    hypotheses = zip(*(corpus.systems[system] for system in evaluation.systems), strict=True)
    references = zip(*(corpus.references[reference] for reference in evaluation.references), strict=True)
    systems, segments = len(evaluation.systems), evaluation.segments
    pause = max(1, HYPOTHESES_BETWEEN_REPORTS // systems)
    rows: list[Numbers] = []
    counts: set[int] = set()
    for done, (texts, translations) in enumerate(zip(hypotheses, references, strict=True), start=1):
        prepared = scorer(references=[[text] for text in translations])
        columns = {text: prepared._extract_corpus_statistics([text], None)[0] for text in set(texts)}  # noqa: SLF001
        rows.append(np.array([columns[text] for text in texts]))
        counts.add(prepared.num_refs)
        if progress and (done % pause == 0 or done == segments):
            progress(done * systems, segments * systems)
    whole = scorer()
    whole.num_refs = counts.pop() if len(counts) == 1 else -1  # sacreBLEU's mark of a number that varies
    return np.stack(rows, axis=1), whole.get_signature().format(short=False)


def _scorer(name: MetricName, *, lowercase: bool) -> Callable[..., Any]:
    """What makes sacreBLEU's object for a metric, given references; its types know nothing of absent ones."""
    from sacrebleu.metrics.chrf import CHRF
    from sacrebleu.metrics.ter import TER

    if name == "ter":
        return TER
    return partial(CHRF, word_order=2 if name == "chrf2++" else 0, lowercase=lowercase)
