"""Numbers of segments in ratings, labels and scores, if the texts have ids of segments.

Files of ratings name segments as the texts do. If the ids of the texts are numbers, a number in such a file is an id
and not a row of the texts, which may have another order or lack segments.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from bleu_core.dataset.corpus import SegmentId, plural
from bleu_core.dataset.judgments import Judgments, ScoreTable
from bleu_core.dataset.parts import FilePart


def numbered_by_ids(part: FilePart, ids: Sequence[SegmentId], *, with_lines: bool) -> tuple[FilePart, tuple[str, ...]]:
    """Return a part with its ratings, labels and scores renumbered by the segments of the texts.

    Nothing changes if ids number all segments from 0 or 1 or are not whole numbers, or if none of the part's numbers is
    an id, as it then counts lines.

    Args:
        part: a part of a file without texts.
        ids: ids of the segments of the texts, in order.
        with_lines: whether some texts have no ids, so that numbers of all segments are lines of these texts.

    Returns:
        The part, and a sentence about ratings of no segment of the texts.
    """
    judgments = part.judgments
    if judgments is not None and judgments.numbering == "document":
        return replace(part, judgments=_within_documents(judgments, ids)), _of_whole_documents(judgments, ids)
    rows = None if with_lines else _rows(ids)
    if rows is None:
        return part, ()
    labels = part.labels
    if labels is not None and labels.subset(rows).keys:
        labels = labels.subset(rows)
    scores = part.scores
    if scores is not None and scores.level == "segment" and scores.numbered:
        scores = _of_rows(scores, rows)
    sentences: tuple[str, ...] = ()
    if judgments is not None and judgments.numbering == "line":
        numbers = {row + 1: s for s, row in enumerate(rows, start=1)}
        segment = judgments.table["segment"]
        known = (segment.isna() | segment.isin(list(numbers))).to_numpy(bool)
        unknown = int(np.count_nonzero(~known))
        if unknown == len(known):
            return replace(part, labels=labels, scores=scores), ()
        if unknown:
            rating = plural(unknown, "rating")
            sentences = (f"{unknown:,} {rating} not used: the texts have no such {plural(unknown, 'segment')}",)
        table = judgments.table[known]
        table = table.assign(segment=table["segment"].map(numbers).astype(segment.dtype))
        judgments = replace(judgments, table=table, first_segment=1)
    return replace(part, judgments=judgments, labels=labels, scores=scores), sentences


def _rows(ids: Sequence[SegmentId]) -> tuple[int, ...] | None:
    """Return the rows, from 0, of segments in a complete text; None if ids only repeat the order of the segments."""
    if any(key.document or not key.segment.isdecimal() for key in ids):
        return None
    numbers = [int(key.segment) for key in ids]
    if len(set(numbers)) < len(numbers):  # of several language pairs
        return None
    first = 0 if 0 in numbers else 1
    if numbers == list(range(first, first + len(numbers))):
        return None
    return tuple(number - first for number in numbers)


def _of_rows(scores: ScoreTable, rows: Sequence[int]) -> ScoreTable:
    """Return the scores of these rows, NaN beyond the last one."""
    width = scores.scores.shape[1]
    values = np.full((len(scores.systems), len(rows)), np.nan)
    inside = [(s, row) for s, row in enumerate(rows) if row < width]
    if not inside:
        return scores
    positions, columns = map(list, zip(*inside, strict=True))
    values[:, positions] = scores.scores[:, columns]
    return replace(scores, scores=values, errors=scores.errors_at([row if row < width else -1 for row in rows]))


def _within_documents(judgments: Judgments, ids: Sequence[SegmentId]) -> Judgments:
    """Return the ratings with positions in documents counted from 1, in the order of the segments with these ids.

    All ratings of a document whose id is one segment are of that segment.
    """
    import pandas as pd  # loaded when first needed

    whole_documents = {key.document for key in ids if not key.segment}
    numbered = [key for key in ids if key.segment]
    if not all(key.document for key in ids) or not all(key.segment.isdecimal() for key in numbered):
        return judgments
    places: dict[tuple[str, int], int] = {}
    last: dict[str, int] = {}
    for key in numbered:
        last[key.document] = last.get(key.document, 0) + 1
        places[key.document, int(key.segment)] = last[key.document]
    if len(places) + len(whole_documents) < len(ids):  # of several language pairs
        return judgments
    table = judgments.table
    own = [
        (document, int(number)) if isinstance(document, str) and not pd.isna(number) else ("", 0)
        for document, number in zip(table["document"], table["position"], strict=True)
    ]
    shift = _shift(own, places)
    positions = [
        1 if document in whole_documents else places.get((document, number + shift), -1) for document, number in own
    ]
    if not any(place > 0 for place in positions):
        return judgments
    return replace(judgments, table=table.assign(position=pd.array(positions, dtype="Int64")))


def _of_whole_documents(judgments: Judgments, ids: Sequence[SegmentId]) -> tuple[str, ...]:
    """Return a sentence on ratings of several segments of documents that are one segment each, if there are any."""
    whole_documents = [key.document for key in ids if key.document and not key.segment]
    table = judgments.table[["document", "position"]].drop_duplicates()
    several = int((table[table["document"].isin(whole_documents)].groupby("document").size() > 1).sum())
    if not several:
        return ()
    sentence = (
        f"its ratings of segments count for whole documents ({several:,} rated in several segments), as the texts are "
        "read by document; to compare paragraph by paragraph, use --paragraphs"
    )
    return (sentence,)


def _shift(own: Sequence[tuple[str, int]], places: Mapping[tuple[str, int], int]) -> int:
    """Return the shift of a file's numbers to those of the texts, if one counts from 0 and the other from 1."""
    documents = {document for document, _ in places}
    inside = {key for key in own if key[0] in documents}
    if not inside or inside <= places.keys():
        return 0
    from_zero, texts_from_zero = any(n == 0 for _, n in inside), any(n == 0 for _, n in places)
    if from_zero == texts_from_zero:
        return 0
    shift = 1 if from_zero else -1
    return shift if {(document, n + shift) for document, n in inside} <= places.keys() else 0
