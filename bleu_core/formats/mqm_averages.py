"""Averages over judges of Google's MQM scores (*.avg_seg_scores.tsv)."""

from __future__ import annotations

from bleu_core.formats.contents import Contents, judgment_contents
from bleu_core.formats.declaration import Format, Options
from bleu_core.formats.number_tables import TableKind, blank_separated, judgments_of
from bleu_core.formats.source import Source

KIND = TableKind(
    key="mqm-averages",
    label="Google MQM averages (TSV)",
    what="rating",
    columns={"system": ("system",), "score": ("mqm_avg_score",), "segment": ("seg_id",)},
    required=("system", "score", "segment"),
    averages="mean of raters",
)


def _sniff(source: Source) -> float:
    header = source.first_line.split()
    return 0.9 if len(header) == len(KIND.required) and KIND.names(header) else 0


def _read(source: Source, options: Options) -> Contents:
    return judgment_contents(judgments_of(blank_separated(source), KIND, source, options), source)


FORMAT = Format(
    key=KIND.key,
    label=KIND.label,
    description="averages of MQM scores as Google publishes them",
    roles=("judgments",),
    sniff=_sniff,
    read=_read,
    endings=(".tsv",),
)
