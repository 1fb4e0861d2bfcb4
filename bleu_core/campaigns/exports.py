"""The ratings of a campaign as files that this program and mt-metrics-eval read."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Sequence

from bleu_core.dataset import Judgments
from bleu_core.errors import SettingsError

COLUMNS = ("segment", "system", "judge", "group", "score", "document")


def ratings_csv(judgments: Judgments) -> bytes:
    """Ratings in CSV (UTF-8), one per row, in the order given; reading the file gives the same ratings again.

    Names and scores are written as they are. A spreadsheet may take a name that begins with "=" for a formula.
    """
    text = io.StringIO(newline="")
    rows = csv.writer(text, lineterminator="\n")
    rows.writerow(COLUMNS)
    for values in judgments.table[list(COLUMNS)].itertuples(index=False):
        rows.writerow(map(_cell, values))
    return text.getvalue().encode()


def segment_scores(judgments: Judgments, systems: Sequence[str], segments: int) -> bytes:
    """Mean ratings per segment as mt-metrics-eval keeps them: system, tab, score; "None" where nobody has rated.

    Args:
        judgments: of segments.
        systems: in the order of the file.
        segments: of the corpus; segments outside the sample have no score.

    Returns:
        K x S lines in UTF-8, all segments of the first system first.

    Raises:
        SettingsError: the name of a system holds a tab or a line break, which end its cell in such a file.
        AlignmentError: a rating is of a segment beyond those of the corpus.
    """
    for system in systems:
        if "\t" in system or system != "".join(system.splitlines()):
            raise SettingsError(f"systems: {system!r} found, a name without tabs and line breaks expected; rename it")
    means = judgments.segment_means(systems, segments).scores
    return "".join(
        f"{system}\t{'None' if math.isnan(score) else _number(score)}\n"
        for system, scores in zip(systems, means.tolist(), strict=True)
        for score in scores
    ).encode()


def _cell(value: object) -> str:
    if isinstance(value, float):
        return "" if math.isnan(value) else _number(value)
    return "" if value is None else str(value)


def _number(value: float) -> str:
    """All digits, without ".0"."""
    return str(int(value)) if value.is_integer() else repr(value)
