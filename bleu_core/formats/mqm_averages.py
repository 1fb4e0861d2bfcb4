"""Averages over judges of Google's MQM scores (*.avg_seg_scores.tsv)."""

from __future__ import annotations

from bleu_core.dataset import Judgments
from bleu_core.formats.contents import Contents, judgment_contents
from bleu_core.formats.declaration import Format, Options
from bleu_core.formats.number_tables import TableKind, blank_separated
from bleu_core.formats.ratings import judgments_of
from bleu_core.formats.source import Source
from bleu_core.formats.text import Text
from bleu_core.limits import DEFAULT_LIMITS, Limits

LABEL = "Google MQM averages (TSV)"
KIND = TableKind(
    key="mqm-averages",
    what="rating",
    columns={"system": ("system",), "score": ("mqm_avg_score",), "segment": ("seg_id",)},
    required=("system", "score", "segment"),
    averages="mean of raters",
)


def read_mqm_averages(text: Text, origin: str, *, first_segment: int = 1, limits: Limits = DEFAULT_LIMITS) -> Judgments:
    """Read averages over judges: each row has a system, its score or None, and the segment.

    Raises:
        FormatError: a row has other cells, a score is not a number, or there is no rating.
        LimitError: there are too many systems.
    """
    table = blank_separated(text, origin, limits)
    return judgments_of(table, KIND, origin, first_segment=first_segment, format=LABEL, limits=limits)


def _sniff(source: Source) -> float:
    header = source.first_line.split()
    return 0.9 if len(header) == len(KIND.required) and KIND.names(header) else 0


def _read(source: Source, options: Options) -> Contents:
    first = options.first_segment
    return judgment_contents(
        read_mqm_averages(source.text, source.name, first_segment=first, limits=source.limits), source
    )


FORMAT = Format(
    key=KIND.key,
    label=LABEL,
    description="averages of MQM scores as Google publishes them",
    roles=("judgments",),
    sniff=_sniff,
    read=_read,
    endings=(".tsv",),
)
