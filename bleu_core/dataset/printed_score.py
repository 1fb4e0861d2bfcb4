"""A corpus score that another program has printed, as it was printed."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class PrintedScore:
    """A system's corpus score by a metric, as sacreBLEU prints it.

    Attributes:
        system: its name.
        metric: the metric's label, such as BLEU or chrF2.
        score: in points, as it was printed.
        decimals: the number of digits after the point that were printed.
        signature: the metric's signature; empty where none was printed.
        hypothesis_length: the number of the system's tokens; None where it was not printed.
        reference_length: the number of the reference's tokens; None where it was not printed.
        origin: the file.
    """

    system: str
    metric: str
    score: float
    decimals: int
    signature: str = ""
    hypothesis_length: int | None = None
    reference_length: int | None = None
    origin: str = ""
