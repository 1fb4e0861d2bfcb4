"""Averages over judges of Google's MQM scores (*.avg_seg_scores.tsv)."""

from __future__ import annotations

from bleu_core.dataset import Judgments
from bleu_core.errors import FormatError
from bleu_core.formats.cells import cell_count, parse_scores, parse_segments
from bleu_core.formats.contents import Contents, judgment_contents
from bleu_core.formats.declaration import Format, Options
from bleu_core.formats.source import Source
from bleu_core.formats.text import Text, split_lines
from bleu_core.limits import DEFAULT_LIMITS, Limits

LABEL = "Google MQM averages (TSV)"
HEADER = ["system", "mqm_avg_score", "seg_id"]


def is_mqm_averages(first_line: str) -> bool:
    """Return whether the first line of a file is the header of averages (*.avg_seg_scores.tsv)."""
    return first_line.split() == HEADER


def read_mqm_averages(text: Text, origin: str, *, first_segment: int = 1, limits: Limits = DEFAULT_LIMITS) -> Judgments:
    """Read averages over judges: each row has a system, its score or None, and the segment.

    Raises:
        FormatError: a row has other cells, a score is not a number, or there is no rating.
        LimitError: there are too many systems.
    """
    lines, _ = split_lines(text)
    systems: list[str] = []
    values: list[str] = []
    numbers: list[str] = []
    places = range(2, len(lines) + 1)
    for number, line in zip(places, lines[1:], strict=True):
        cells = line.split()
        if len(cells) != len(HEADER):
            raise FormatError(f"{origin}, line {number}: {cell_count(cells)} found, 3 expected: system, score, segment")
        systems.append(cells[0])
        values.append(cells[1])
        numbers.append(cells[2])
    return Judgments.from_ratings(
        systems,
        parse_scores(values, places, origin),
        places,
        origin,
        segments=parse_segments(numbers, places, origin, first_segment),
        judges="mean of raters",
        averages=True,
        first_segment=first_segment,
        format=LABEL,
        limits=limits,
    )


def _sniff(source: Source) -> float:
    return 0.9 if is_mqm_averages(source.first_line) else 0


def _read(source: Source, options: Options) -> Contents:
    return judgment_contents(
        read_mqm_averages(source.text, source.name, first_segment=options.first_segment, limits=source.limits), source
    )


FORMAT = Format(
    key="mqm-averages",
    label=LABEL,
    description="averages of MQM scores as Google publishes them",
    roles=("judgments",),
    sniff=_sniff,
    read=_read,
    endings=(".tsv",),
)
