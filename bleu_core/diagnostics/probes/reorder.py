"""Reordering of chunks of an output, which preserves matching n-grams."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from bleu_core.diagnostics.probes.chunk_orders import Chunk, Orders, count_orders, split_chunks
from bleu_core.diagnostics.probes.declaration import Change, Probe, Task
from bleu_core.diagnostics.probes.tokens import joined_tokens, tokens_by_segment

#: Maximum number of shuffles to obtain an order that differs from the present one.
MAX_SHUFFLES = 20

#: Maximum value of smoothing floor; with a higher one a match can lower a score.
MAX_FLOOR = 1.0
SCORE_CAN_FALL = (
    "under smoothing floor with a value above 1, an order without a match can score more than one with a match"
)


def _change(task: Task) -> Sequence[Change]:
    settings = task.data.evaluation.settings
    if settings.smoothing == "floor" and (settings.smoothing_value or 0) > MAX_FLOOR:
        return [task.unchanged(SCORE_CAN_FALL)]
    texts = [task.output, *(task.data.corpus.references[name] for name in task.references)]
    numbered, (before, *references) = tokens_by_segment(texts, settings.counting)
    generator = task.generator()
    after: list[list[int]] = []
    orders: list[Orders] = []
    for tokens, *others in zip(before, *references, strict=True):
        chunks = split_chunks(tokens, others)
        orders.append(count_orders(chunks))
        after.append(_other_order(chunks, generator))
    reason = "" if before != after else "no segment has two chunks that can change places"
    return [
        Change(
            before=tuple(joined_tokens(numbered.vocabulary, before)),
            after=tuple(joined_tokens(numbered.vocabulary, after)),
            references=task.references,
            tokenized=True,
            orders=tuple(orders),
            reason=reason,
        )
    ]


def _other_order(chunks: Sequence[Chunk], generator: np.random.Generator) -> list[int]:
    """Return the tokens of the chunks in a random order that differs from the present one, if possible."""
    present = _joined(chunks)
    places = [place for place in range(len(chunks) - 1) if _differ(chunks[place], chunks[place + 1])]
    if not places:  # all chunks repeat one sequence of tokens
        return present
    for _ in range(MAX_SHUFFLES):
        order: list[int] = generator.permutation(len(chunks)).tolist()
        shuffled = _joined([chunks[place] for place in order])
        if shuffled != present:
            return shuffled
    place = places[0]
    return _joined([*chunks[:place], chunks[place + 1], chunks[place], *chunks[place + 2 :]])


def _differ(first: Chunk, second: Chunk) -> bool:
    """Return whether exchanging two chunks changes the sequence of tokens."""
    return first + second != second + first


def _joined(chunks: Sequence[Chunk]) -> list[int]:
    return [int(token) for chunk in chunks for token in chunk]


PROBE = Probe(
    key="reorder",
    title="Chunks in another order",
    doing="Putting the chunks into another order",
    changed="The output is split between tokens that are not adjacent in any reference, and the "
    "chunks are put into a random order.",
    noticed="The words of the sentence are in disorder, and most orders cannot be read.",
    source="Callison-Burch, Osborne and Koehn (2006), Re-evaluating the Role of BLEU in Machine Translation Research, "
    "section 3.1",
    change=_change,
)
