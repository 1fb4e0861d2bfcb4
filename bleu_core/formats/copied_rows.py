"""Exact copies of rows of ratings: copies of error rows count, copies of other ratings do not."""

from __future__ import annotations

from dataclasses import replace

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
    alike = table[named & table.duplicated(same, keep=False)]
    if alike.empty:
        return judgments
    lines, _ = split_lines(text)
    numbers: list[int] = alike["line"].tolist()
    alike = alike.assign(written=[lines[n - text.above - 1] if n - text.above <= len(lines) else "" for n in numbers])
    first = alike.groupby([*same, "written"], dropna=False, observed=True)["line"].transform("first")
    copies = alike[(alike["line"] != first) & (alike["written"] != "")]  # a line may have several ratings
    if copies.empty:
        return judgments
    unused_rows = [
        unused
        for origin, of_file in copies.groupby("origin", observed=True, sort=False)["line"]
        for unused in UnusedRows.tally([(COPY, int(line)) for line in of_file], str(origin))
    ]
    kept = table.drop(index=copies.index)
    return replace(judgments, table=kept, unused_rows=(*judgments.unused_rows, *unused_rows))


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
