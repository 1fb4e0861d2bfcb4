"""Counts written to a file, as a table and as JSON."""

from __future__ import annotations

from bleu_core.counts import Counts
from bleu_core.fields import SYSTEM, Table, field, result, table_of
from bleu_core.results.envelope import Envelope
from bleu_core.scoring import BleuSettings


@result
class CountedSystem:
    """A system whose n-grams were counted."""

    system: str = field(SYSTEM)
    hypothesis_length: int = field("count", "Number of tokens of the counted segments.")
    matches: tuple[int, ...] = field(
        "count", "Number of matching n-grams of each order.", label="{}-gram matches", columns="matches_{}"
    )


@result
class CountsReport(Envelope):
    """The JSON of `bleu-core count` and `bleu-core merge`."""

    file: str = field("text", "Path of the counts file that was written.")
    first_segment: int = field("count", "Number of the first counted segment, from 1.")
    counted_segments: int = field("count", "Number of counted segments: all, or those of a part.")
    bundles: int | None = field("count", "Number of bundles; absent if counts are per segment.", default=None)
    bundled_by: str | None = field(
        "text", "Basis of the bundle of a segment: its line number, or its document.", default=None
    )
    systems: tuple[CountedSystem, ...] = field("object", "Counts of each system.")


def counts_report(counts: Counts, file: str) -> CountsReport:
    """Return the JSON report of `bleu-core count` and of `bleu-core merge --format json`.

    Args:
        counts: the counts.
        file: the file that was written.
    """
    counted = counts.counted
    counting = counted.counting
    bundling = counted.bundling
    return CountsReport(
        signature=counted.signature,
        settings=BleuSettings(tokenizer=counting.tokenizer, lowercase=counting.lowercase, max_order=counted.max_order),
        references=tuple(text.name for text in counted.references),
        segments=counted.segments,
        file=file,
        first_segment=counts.range.first + 1,
        counted_segments=counts.range.lines,
        bundles=None if bundling is None else bundling.number,
        bundled_by=None if bundling is None else bundling.by,
        systems=tuple(
            CountedSystem(system=text.name, hypothesis_length=length, matches=matches)
            for text, (length, matches) in zip(counted.systems, counts.data.totals_of_systems(), strict=True)
        ),
    )


def counts_table(report: CountsReport) -> Table:
    """Return the counts of each system."""
    return table_of(report.systems, CountedSystem)
