"""Rows of ratings that are exact copies of other rows: of errors they count, of other ratings they do not."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable
from dataclasses import replace

import numpy as np

from bleu_core.dataset import Judgments, SetAside
from bleu_core.formats.text import Text, split_lines

#: Why a row is not used.
COPY = "an exact copy of another row"
#: What is the same in copies, beside all else on their lines.
SAME = ("segment", "system", "judge", "score", "group", "document")


def without_copies(judgments: Judgments, text: Text) -> Judgments:
    """Return the ratings without those whose whole row is a copy of one before it; such rows are set aside.

    Rows that name no judge may be of two judges, and all count. A rating that a judge gave twice stands twice if its
    rows differ in anything, such as the time.

    Args:
        judgments: as read from a file.
        text: of the file, or of the table in it.
    """
    table = judgments.table
    same = [*SAME, *(["position"] if "position" in table.columns else [])]
    named = table["judge"].ne("") & table["score"].notna() & ~table["origin"].isin(list(judgments.averages))
    alike = np.flatnonzero((named & table.duplicated(same, keep=False)).to_numpy(bool))
    if not len(alike):
        return judgments
    lines, _ = split_lines(text)
    numbers = table["line"].to_numpy(np.int64)
    of_alike: list[int] = numbers[alike].tolist()
    texts = {n: lines[n - text.above - 1] for n in dict.fromkeys(of_alike) if n - text.above <= len(lines)}
    times = Counter(texts.values())
    if len(times) == len(texts):
        return judgments
    alike = alike[np.array([times.get(texts.get(n, ""), 0) > 1 for n in of_alike], bool)]
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
    aside: dict[str, list[tuple[str, int]]] = {}
    for row in copies:
        aside.setdefault(str(table["origin"].iloc[row]), []).append((COPY, int(numbers[row])))
    set_aside = [found for origin, rows in aside.items() for found in SetAside.tally(rows, origin)]
    return replace(judgments, table=table[kept], set_aside=(*judgments.set_aside, *set_aside))


def copied_error_notes(count: int) -> tuple[str, ...]:
    """Return the sentence about so many rows of errors that are copies of others; none if there are none.

    >>> copied_error_notes(2)
    ('2 rows are exact copies of others: all count, since two errors may look alike',)
    """
    if not count:
        return ()
    rows, verb = (
        ("1 row is an exact copy of another one", "both count")
        if count == 1
        else (f"{count:,} rows are exact copies of others", "all count")
    )
    return (f"{rows}: {verb}, since two errors may look alike",)
