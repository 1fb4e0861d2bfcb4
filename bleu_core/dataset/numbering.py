"""Numbers of segments in ratings, labels and scores, if the texts have ids of segments.

Files of ratings name segments as the texts do. If the ids of the texts are numbers, a number in such a file is an id
and not a row of the texts, which may have another order or lack segments. A table of documents or labels may also have
the numbers that segments have elsewhere, such as in the test set from which they were taken, and ratings these numbers.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import compress

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
    rows = [row if row < width else -1 for row in rows]
    texts = scores.texts and tuple(tuple(own[row] if row >= 0 else "" for row in rows) for own in scores.texts)
    return replace(scores, scores=values, errors=scores.errors_at(rows), texts=texts)


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
    if not any(place > 0 for place in positions) or _are_places(own, places, last):
        return judgments
    return replace(judgments, table=table.assign(position=pd.array(positions, dtype="Int64")))


def _are_places(own: Iterable[tuple[str, int]], ids: Mapping[tuple[str, int], int], counts: Mapping[str, int]) -> bool:
    """Return whether numbers are positions in documents, since the ids count the segments of all documents.

    Args:
        own: document and number in a file.
        ids: document and number of each segment.
        counts: document -> the number of its segments.
    """
    inside = {key for key in own if key[0] in counts}
    if len(counts) == 1 or len({number for _, number in ids}) < len(ids) or inside <= ids.keys():
        return False
    first = 0 if any(number == 0 for _, number in inside) else 1
    return all(first <= number < first + counts[document] for document, number in inside)


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
    by_column = {name: _lines_by_column(keys, column, documents) for name, column in numbers.items()}
    needed = max(1, min(len(keys), corpus.segments))
    are_lines = len(own) >= needed
    fitting = {
        name: lines_of_column
        for name, lines_of_column in by_column.items()
        if len(set(lines_of_column.values())) >= needed
        and not (are_lines and (lines_of_column == own or len(set(numbers[name])) < corpus.segments))
    }
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
    segment = [line_of.get(key, 0) for key in rows]
    kept = np.array([number < 0 or line > 0 for (_, number), line in zip(rows, segment, strict=True)])
    table = judgments.table.assign(segment=segment).astype({"segment": "Int64"})
    table["segment"] = table["segment"].where(table["segment"] > 0)
    sentence = (
        f"joined by {name} ({len(line_of):,} of {len(keys):,} rated segments found), not by line: {len(own):,} of the "
        "numbers are lines of the texts"
    )
    return replace(judgments, table=table[kept], numbering="line", first_segment=1), (sentence,)


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
