"""Judgments: some row by row, and those of the sample data."""

from __future__ import annotations

from typing import Any

import pandas as pd

import sample_data
from bleu_core.dataset import Judgments
from bleu_core.formats import FORMATS, Contents
from bleu_core.formats.declaration import Options
from bleu_core.formats.source import Source
from bleu_core.formats.text import Text

#: Segment, system, judge, score and group.
Row = tuple[int | None, str, str, float | None, str | None]

KINDS = {"segment": "Int64", "system": "string", "judge": "string", "score": "float64", "group": "string"}


def read_ratings(text: Text, origin: str, **options: Any) -> Judgments:
    """Return the judgments in a table of ratings."""
    found = FORMATS["ratings"].read(Source(b"", origin, table=text), Options(role="judgments", **options))
    assert isinstance(found, Contents)
    assert found.judgments is not None
    return found.judgments


def table(*rows: Row) -> Judgments:
    """Judgments as a file h.csv would give them."""
    columns = list(zip(*rows, strict=True)) or [()] * len(KINDS)
    series = zip(KINDS.items(), columns, strict=True)
    frame = pd.DataFrame({name: pd.Series(list(column), dtype=kind) for (name, kind), column in series})
    return Judgments(frame.assign(document=None, origin="h.csv", line=range(2, len(rows) + 2)))


def sample() -> Judgments:
    """The judgments of the sample data."""
    return read_ratings(Text(sample_data.JUDGMENTS.read_text(encoding="utf-8"), "UTF-8"), sample_data.JUDGMENTS.name)
