"""Numbers of segments within their documents, counted from 1."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from bleu_core.dataset.corpus import SegmentId


def counted_from_1(ids: Sequence[SegmentId]) -> tuple[SegmentId, ...]:
    """Return ids of segments counted from 1; ids that begin with 0 are shifted.

    >>> [key.segment for key in counted_from_1([SegmentId("a", "0"), SegmentId("a", "1"), SegmentId("b", "")])]
    ['1', '2', '']
    """
    if not any(key.segment == "0" for key in ids):
        return tuple(ids)
    return tuple(key.shifted(1) if key.segment.isdecimal() else key for key in ids)


def numbered_in_documents(documents: Sequence[str]) -> tuple[SegmentId, ...]:
    """Return ids of segments that are numbered from 1 within their documents.

    >>> [(key.document, key.segment) for key in numbered_in_documents(["a", "a", "b"])]
    [('a', '1'), ('a', '2'), ('b', '1')]
    """
    seen: Counter[str] = Counter()
    ids: list[SegmentId] = []
    for document in documents:
        seen[document] += 1
        ids.append(SegmentId(document, str(seen[document])))
    return tuple(ids)
