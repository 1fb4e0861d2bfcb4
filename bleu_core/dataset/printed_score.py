"""A corpus score as printed by another program."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class PrintedScore:
    """A system's corpus score by a metric, as sacreBLEU prints it.

    Attributes:
        system: the name of the system.
        metric: the label of the metric, such as BLEU or chrF2.
        score: the score in points, as printed.
        decimals: the number of printed decimals.
        signature: the signature of the metric; empty if none was printed.
        hypothesis_length: the number of tokens of the system; None if it was not printed.
        reference_length: the number of tokens of the reference; None if it was not printed.
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
