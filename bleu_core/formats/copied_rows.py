"""Exact copies of rows of ratings: copies of error rows count, copies of other ratings do not."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable
from dataclasses import replace

import numpy as np

from bleu_core.dataset import Judgments, UnusedRows
from bleu_core.formats.text import Text, split_lines

#: Why a row is not used.
COPY = "an exact copy of another row"
#: The columns that are equal in copies, besides their whole lines.
SAME = ("segment", "system", "judge", "score", "group", "document")


def without_copies(judgments: Judgments, text: Text) -> Judgments:
    """Return the ratings without rows that are exact copies of earlier rows; these become unused rows.

    Rows without a judge may come from two judges, so all of them count. Two equal ratings by a judge both count if
    their rows differ in anything, such as the time.

    Args:
        judgments: as read from a file.
        text: the text of the file, or of the table in it.
    """
    table = judgments.table
    same = [*SAME, *(["position"] if "position" in table.columns else [])]
    named = table["judge"].ne("") & table["score"].notna() & ~table["origin"].isin(list(judgments.averages))
    alike = np.flatnonzero((named & table.duplicated(same, keep=False)).to_numpy(bool))
    if not len(alike):
        return judgments
    lines, _ = split_lines(text)
    numbers = table["line"].to_numpy(np.int64)
    numbers_of_alike: list[int] = numbers[alike].tolist()
    texts = {n: lines[n - text.above - 1] for n in dict.fromkeys(numbers_of_alike) if n - text.above <= len(lines)}
    times = Counter(texts.values())
    if len(times) == len(texts):
        return judgments
    alike = alike[np.array([times.get(texts.get(n, ""), 0) > 1 for n in numbers_of_alike], bool)]
    values = table[same].iloc[alike].astype(object).to_numpy()
    rows: list[int] = alike.tolist()
    seen: dict[Hashable, int] = {}
    copies: list[int] = []
    for row, value in zip(rows, values, strict=True):
        first = seen.setdefault((texts[int(numbers[row])], *map(str, value)), row)
        if numbers[first] != numbers[row]:  # a line may have several ratings
            copies.append(row)
    if not copies:
        return judgments
    kept = np.ones(len(table), bool)
    kept[copies] = False
    copies_by_origin: dict[str, list[tuple[str, int]]] = {}
    for row in copies:
        copies_by_origin.setdefault(str(table["origin"].iloc[row]), []).append((COPY, int(numbers[row])))
    unused_rows = [unused for origin, rows in copies_by_origin.items() for unused in UnusedRows.tally(rows, origin)]
    return replace(judgments, table=table[kept], unused_rows=(*judgments.unused_rows, *unused_rows))


def copied_error_notes(count: int) -> tuple[str, ...]:
    """Return a note on error rows that are copies of others; empty if there are none.

    >>> copied_error_notes(2)
    ('2 rows are exact copies of others: all count, since two errors may look the same',)
    """
    if not count:
        return ()
    rows, verb = (
        ("1 row is an exact copy of another one", "both count")
        if count == 1
        else (f"{count:,} rows are exact copies of others", "all count")
    )
    return (f"{rows}: {verb}, since two errors may look the same",)
