"""Segment scores in tables with the scored texts, one row per segment, as MetricX and COMET read and write them."""

from __future__ import annotations

import re

from bleu_core.formats.cells import SYSTEM_HEADERS
from bleu_core.formats.contents import Contents
from bleu_core.formats.declaration import Format, Options
from bleu_core.formats.delimited import SUFFIXES, guess_delimiter, header_names
from bleu_core.formats.number_tables import OWN, TableKind
from bleu_core.formats.score_tables import NUMBER
from bleu_core.formats.scores import read_scores
from bleu_core.formats.source import Source

#: Headers of the scored texts.
TEXT_HEADERS = frozenset({"mt", "hypothesis", "translation", "hyp"})
#: The header of MetricX's scores, which does not name the model.
PREDICTION = "prediction"
#: Headers of scores, with names of metrics or of any metric.
SCORES = re.compile("^(?:score|prediction)$|comet|metricx|bleurt|kiwi")
KIND = TableKind(
    key="scored-texts",
    label="scores beside texts",
    what="score",
    columns={"system": SYSTEM_HEADERS},
    several=SCORES,
    named="metric",
    by_stem=True,
    in_order=True,
)


def is_metricx(first_lines: str, name: str = "") -> bool:
    """Return whether the first lines are those of a table of texts with predictions of MetricX."""
    rows = first_lines.split("\n")
    header = header_names(rows[0], name)
    if PREDICTION not in header or TEXT_HEADERS.isdisjoint(header) or len(rows) < 2:  # noqa: PLR2004 # a row below it
        return False
    place, separator = header.index(PREDICTION), guess_delimiter(rows[0], name)
    predictions = [row.rstrip("\r").split(separator)[place] for row in rows[1:] if row.count(separator) >= place]
    filled = [cell.strip() for cell in predictions if cell.strip()]
    return bool(filled) and all(map(NUMBER.fullmatch, filled))


def _read(source: Source, options: Options) -> Contents:
    """Read scores in the order of the segments, one per row, of the system in a column or of that of the file.

    Raises:
        FormatError: there is no column of scores, or no score in one; two columns are of one metric; a score is not a
            number; or systems differ in their number of rows.
        LimitError: there are too many systems or metrics.
    """
    return read_scores(source, options, kind=KIND)


def _sniff(source: Source) -> float:
    if is_metricx(source.first_lines, source.name):
        return 0.8
    header = header_names(source.first_line, source.name)
    scored = not TEXT_HEADERS.isdisjoint(header) and any(map(SCORES.search, header))
    return 0.15 if scored else 0  # less than a table of texts, the format of such files in other roles


FORMAT = Format(
    key=KIND.key,
    label=KIND.label,
    description="tables with a text and its score per row, as MetricX and COMET have them",
    roles=("scores",),
    sniff=_sniff,
    read=_read,
    endings=SUFFIXES,
    own={**OWN, "metric": "Metric"},
)
