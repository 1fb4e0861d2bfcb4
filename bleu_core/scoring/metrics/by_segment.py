"""Columns of sums, made one segment at a time, each distinct hypothesis once."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from bleu_core.dataset import Corpus
from bleu_core.progress import Progress
from bleu_core.scoring.evaluation import Evaluation
from bleu_core.scoring.sums import Numbers

#: Progress is reported after every so many hypotheses: half a second of TER.
HYPOTHESES_BETWEEN_REPORTS = 64


def count_by_segment(
    corpus: Corpus,
    evaluation: Evaluation,
    count: Callable[[set[str], Sequence[str]], Mapping[str, Sequence[float]]],
    progress: Progress | None,
) -> Numbers:
    """The columns of each system and segment.

    Args:
        corpus: the texts.
        evaluation: of that corpus; it names the systems and references in use.
        count: is given the hypotheses of a segment and the references that it has; returns hypothesis -> columns.
        progress: told, now and then, how many hypotheses of K times S are done.

    Returns:
        (K, S, columns).
    """
    hypotheses = zip(*(corpus.systems[system] for system in evaluation.systems), strict=True)
    references = zip(*(corpus.references[reference] for reference in evaluation.references), strict=True)
    systems, segments = len(evaluation.systems), evaluation.segments
    pause = max(1, HYPOTHESES_BETWEEN_REPORTS // systems)
    rows: list[Numbers] = []
    for done, (texts, translations) in enumerate(zip(hypotheses, references, strict=True), start=1):
        columns = count(set(texts), [text for text in translations if text is not None])
        rows.append(np.array([columns[text] for text in texts]))
        if progress and (done % pause == 0 or done == segments):
            progress(done * systems, segments * systems)
    return np.stack(rows, axis=1)
