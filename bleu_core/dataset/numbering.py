"""Numbers of segments in ratings, labels and scores, if the texts have ids of segments.

Files of ratings name segments as the texts do. If the ids of the texts are numbers, a number in such a file is an id
and not a row of the texts, which may have another order or lack segments. A table of documents or labels may also have
the numbers that segments have elsewhere, such as in the test set from which they were taken, and ratings these numbers.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import compress
from operator import itemgetter

import numpy as np

from bleu_core.dataset.corpus import Corpus, SegmentId, plural
from bleu_core.dataset.judgments import Judgments, ScoreTable
from bleu_core.dataset.parts import FilePart
from bleu_core.errors import AlignmentError, shortened

#: The most digits of a number in a column.
MAX_DIGITS = 12


def numbered_by_ids(part: FilePart, ids: Sequence[SegmentId], *, with_lines: bool) -> tuple[FilePart, tuple[str, ...]]:
    """Return a part with its ratings, labels and scores renumbered by the segments of the texts.

    Nothing changes if ids number all segments from 0 or 1 or are not whole numbers, or if none of the part's numbers is
    an id, as it then counts lines.

    Args:
        part: a part of a file without texts.
        ids: ids of the segments of the texts, in order.
        with_lines: whether some texts have no ids, so that numbers of all segments are lines of these texts.

    Returns:
        The part, and a sentence about ratings of no segment of the texts, or of parts of segments.
    """
    judgments = part.judgments
    if judgments is not None and judgments.numbering == "document":
        return replace(part, judgments=_within_documents(judgments, ids)), _of_whole_documents(judgments, ids)
    if with_lines or any(key.document or not key.segment.isdecimal() for key in ids):
        return part, ()
    numbers = [int(key.segment) for key in ids]
    first = 0 if 0 in numbers else 1
    # Ids of several language pairs repeat numbers; others may only repeat the order of the segments.
    if len(set(numbers)) < len(numbers) or numbers == list(range(first, first + len(numbers))):
        return part, ()
    return renumbered(part, [number - first for number in numbers], may_be_lines=True)


def renumbered(part: FilePart, rows: Sequence[int], *, may_be_lines: bool) -> tuple[FilePart, tuple[str, ...]]:
    """Return a part with its ratings, labels and scores renumbered by the segments of the texts.

    Args:
        part: a part of a file.
        rows: for each segment its number in the file, from 0; -1 where it has none.
        may_be_lines: whether numbers stay as they are where none of them is among `rows`: they count other lines.

    Returns:
        The part, and a sentence about ratings of no segment of the texts.
    """
    labels, scores, judgments = part.labels, part.scores, part.judgments
    if labels is not None and (labels.subset(rows).keys or not may_be_lines):
        labels = labels.subset(rows)
    if scores is not None and scores.level == "segment" and scores.numbered and scores.ids is None:
        scores = _of_rows(scores, rows)
    sentences: tuple[str, ...] = ()
    if judgments is not None and judgments.numbering == "line":
        segment = judgments.table["segment"]
        known = (segment.isna() | segment.isin([row + 1 for row in rows if row >= 0])).to_numpy(bool)
        unknown = int(np.count_nonzero(~known))
        if unknown < len(known) or not may_be_lines:
            judgments = judgments.renumbered(rows) if unknown < len(known) else None
            if unknown:
                which = f"the texts have no such {plural(unknown, 'segment')}"
                sentences = (f"{unknown:,} {plural(unknown, 'rating')} not used: {which}",)
    return replace(part, judgments=judgments, labels=labels, scores=scores), sentences


def _of_rows(scores: ScoreTable, rows: Sequence[int]) -> ScoreTable:
    """Return the scores of these rows, NaN beyond the last one; all scores if there are none."""
    width = scores.scores.shape[1]
    rows = [row if row < width else -1 for row in rows]
    return scores if max(rows, default=-1) < 0 else replace(scores.subset(rows), system_scores=scores.system_scores)


def shifted_like(own: Sequence[SegmentId], known: Collection[SegmentId]) -> Sequence[SegmentId]:
    """Return ids numbered from the same number as the known ones, if one begins with 0 and the other with 1."""
    from_zero = "0" in map(itemgetter(1), own)
    if from_zero == ("0" in map(itemgetter(1), known)):
        return own
    documents = {(key.pair, key.document) for key in known}
    inside = [key for key in own if (key.pair, key.document) in documents]
    if all(key in known for key in inside) or not all(key.segment.isdecimal() for key in inside):
        return own
    shift = 1 if from_zero else -1
    if not all(key.shifted(shift) in known for key in inside):
        return own
    return tuple(key.shifted(shift) if (key.pair, key.document) in documents else key for key in own)


def _within_documents(judgments: Judgments, ids: Sequence[SegmentId]) -> Judgments:
    """Return the ratings with positions in documents counted from 1, in the order of the segments with these ids.

    All ratings of a document whose id is one segment are of that segment.
    """
    import pandas as pd  # loaded when first needed

    numbered = [key for key in ids if key.segment]
    if not all(key.document for key in ids) or not all(key.segment.isdecimal() for key in numbered):
        return judgments
    counts = Counter[str]()
    places: dict[SegmentId, int] = {}
    for key in numbered:
        counts[key.document] += 1
        places[SegmentId(key.document, str(int(key.segment)))] = counts[key.document]
    whole_documents = {key.document for key in ids if not key.segment}
    if len(places) + len(whole_documents) < len(ids):  # of several language pairs
        return judgments
    table = judgments.table
    columns = (table["document"].astype(object).tolist(), table["position"].astype(object).tolist())
    own = [
        SegmentId("", "") if pd.isna(document) or pd.isna(number) else SegmentId(document, str(number))
        for document, number in zip(*columns, strict=True)
    ]
    given = list(dict.fromkeys(own))
    place_of = {
        key: 1 if key.document in whole_documents else places.get(shifted, -1)
        for key, shifted in zip(given, shifted_like(given, places), strict=True)
    }
    if not any(place > 0 for place in place_of.values()) or _are_places(given, places, counts):
        return judgments
    return replace(judgments, table=table.assign(position=pd.array([place_of[key] for key in own], dtype="Int64")))


def _are_places(own: Iterable[SegmentId], ids: Collection[SegmentId], counts: Mapping[str, int]) -> bool:
    """Return whether numbers are positions in documents, since the ids count the segments of all documents.

    Args:
        own: document and number in a file.
        ids: document and number of each segment.
        counts: document -> the number of its segments.
    """
    inside = {key for key in own if key.document in counts}
    if len(counts) == 1 or len({key.segment for key in ids}) < len(ids) or all(key in ids for key in inside):
        return False
    first = 0 if any(key.segment == "0" for key in inside) else 1
    return all(first <= int(key.segment) < first + counts[key.document] for key in inside)


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


def other_numbers(parts: Iterable[FilePart], segments: int) -> dict[str, tuple[int, ...]]:
    """Return the numbers that tables of documents and labels give each segment, by a name of the column for messages.

    Args:
        parts: parts of files, with their columns in the order of the segments.
        segments: S, the number of segments; columns of other lengths are left out.
    """
    columns: dict[str, tuple[int, ...]] = {}
    for part in parts:
        for column in part.columns:
            columns |= {f"{name} in {column.place}": numbers for name, numbers in column.numbers.items()}
        if part.labels is None or part.labels.unit != "segment":
            continue
        for name, cells in part.labels.columns.items():
            if all(cell.isascii() and cell.isdecimal() and len(cell) <= MAX_DIGITS for cell in cells):
                number_of = dict(zip(part.labels.keys, map(int, cells), strict=True))
                numbers = tuple(number_of.get(line, -1) for line in range(1, segments + 1))
                columns[f"{name} in {part.labels.origin}"] = numbers
    return {name: numbers for name, numbers in columns.items() if len(numbers) == segments}


def numbered_by_columns(
    judgments: Judgments, corpus: Corpus, numbers: Mapping[str, Sequence[int]]
) -> tuple[Judgments, tuple[str, ...]]:
    """Return ratings by line, if their numbers are those of one of several columns, and not lines.

    Numbers are those of a column, or lines, if each rated number is that of one segment, or each segment has one of
    them; where the ratings name documents of the texts, of a segment in that document.

    Args:
        judgments: ratings whose texts, if they have any, cannot be compared.
        corpus: the texts.
        numbers: name of a column -> the number of each segment in it.

    Returns:
        The ratings, and sentences about them, which follow the file's name.

    Raises:
        AlignmentError: the numbers may be of different segments, by two columns, or by lines and by a column in which
            all segments have different numbers.
    """
    lined = judgments.lined(corpus.documents)
    if lined.numbering != "line" or not numbers:
        return judgments, ()
    table, documents = lined.table, corpus.documents or ("",) * corpus.segments
    by_line = judgments.numbering == "line"
    in_file = table["segment"] + (judgments.first_segment - 1) if by_line else table["position"]
    named = table["document"].where(table["document"].isin(list(documents)), "").fillna("")
    rows = list(zip(named.tolist(), in_file.fillna(-1).tolist(), strict=True))
    lines = dict(zip(rows, table["segment"].fillna(0).tolist(), strict=True))
    keys = [key for key in dict.fromkeys(compress(rows, table["score"].notna())) if key[1] >= 0]
    own = {
        key: line for key in keys if 0 < (line := lines[key]) <= corpus.segments and key[0] in ("", documents[line - 1])
    }
    needed = max(1, min(len(keys), corpus.segments))
    are_lines = len(own) >= needed
    fitting: dict[str, dict[tuple[str, int], int]] = {}
    for name, column in numbers.items():
        line_of = _lines_by_column(keys, column, documents)
        is_other = line_of != own and len(set(column)) == corpus.segments
        if len(set(line_of.values())) >= needed and (is_other or not are_lines):
            fitting[name] = line_of
    if not fitting:
        return judgments, ()
    name, line_of = next(iter(fitting.items()))
    if are_lines or any(other != line_of for other in fitting.values()):
        readings = " or ".join([*(["lines of the texts"] if are_lines else []), *map(shortened, fitting)])
        raise AlignmentError(
            f"{table['origin'].iloc[0]}: its segment numbers may be {readings}, which are not the same segments; "
            "number its segments by the lines of the texts and load documents and labels without other numbers, or "
            "add the rated texts to it"
        )
    sentence = (
        f"joined by {name} ({len(line_of):,} of {len(keys):,} rated segments found), not by line: {len(own):,} of the "
        "numbers are lines of the texts"
    )
    return judgments.at_lines([0 if key[1] < 0 else line_of.get(key, -1) for key in rows]), (sentence,)


def _lines_by_column(
    keys: Iterable[tuple[str, int]], column: Sequence[int], documents: Sequence[str]
) -> dict[tuple[str, int], int]:
    """Return the line of each key, a document or "" and a number, that is the number of one segment in a column."""
    lines: dict[int, list[int]] = defaultdict(list)
    for line, number in enumerate(column, start=1):
        lines[number].append(line)
    line_of: dict[tuple[str, int], int] = {}
    for document, number in keys:
        own = [line for line in lines.get(number, ()) if document in ("", documents[line - 1])]
        if len(own) == 1:
            line_of[document, number] = own[0]
    return line_of
