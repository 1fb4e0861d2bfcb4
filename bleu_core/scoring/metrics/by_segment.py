"""Statistics that are counted segment by segment, once per distinct hypothesis."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice

import numpy as np

from bleu_core.arrays import Numbers
from bleu_core.dataset import Corpus
from bleu_core.processes import Processes, number_of_workers
from bleu_core.progress import Progress
from bleu_core.scoring.evaluation import BleuEvaluation

#: Approximate number of hypotheses per batch of segments; TER takes 5 milliseconds, or 0.1 seconds for paragraphs of
#: 200 words. Progress is reported after each batch.
BATCH_HYPOTHESES = 64

#: Function that counts a segment: from its hypotheses and its references that exist to hypothesis -> columns.
CountSegment = Callable[[set[str], Sequence[str]], Mapping[str, Sequence[float]]]

#: The hypotheses and the references of some segments.
Segments = Sequence[tuple[Sequence[str], Sequence[str]]]


def count_by_segment(
    corpus: Corpus,
    evaluation: BleuEvaluation,
    count: CountSegment,
    progress: Progress | None,
    *,
    shared_from: int | None = None,
) -> Numbers:
    """Count the columns of each system and segment.

    Args:
        corpus: the texts.
        evaluation: of that corpus; it names the systems and references in use.
        count: counts a segment; a function of a module, or a partial one, if it may be called in other processes.
        progress: called repeatedly with the hypotheses done, of K times S; may raise, which cancels the work.
        shared_from: number of hypotheses from which on several processes share the work; never if None.

    Returns:
        (K, S, columns).
    """
    systems, segments = len(evaluation.systems), evaluation.segments
    size = max(1, BATCH_HYPOTHESES // systems)
    tasks = ((count, batch) for batch in _batches(corpus, evaluation, size))
    workers = 1 if shared_from is None else number_of_workers(heavy=systems * segments >= shared_from)
    by_position: dict[int, Numbers] = {}
    with Processes(workers) as run:
        for position, columns in run(_count_batch, tasks):
            by_position[position] = columns
            if progress:
                progress(min(len(by_position) * size, segments) * systems, segments * systems)
    return np.concatenate([by_position[position] for position in sorted(by_position)], axis=1)


def _batches(corpus: Corpus, evaluation: BleuEvaluation, size: int) -> Iterator[Segments]:
    """Divide the segments into batches."""
    hypotheses = zip(*(corpus.systems[system] for system in evaluation.systems), strict=True)
    references = zip(*(corpus.references[reference] for reference in evaluation.references), strict=True)
    segments = (
        (texts, [text for text in translations if text is not None])
        for texts, translations in zip(hypotheses, references, strict=True)
    )
    while batch := list(islice(segments, size)):
        yield batch


def _count_batch(task: tuple[CountSegment, Segments]) -> Numbers:
    """Return the columns of some segments, (K, n, columns)."""
    count, segments = task
    rows: list[Numbers] = []
    for texts, references in segments:
        columns = count(set(texts), references)
        rows.append(np.array([columns[text] for text in texts]))
    return np.stack(rows, axis=1)
