"""The declaration of a part of a report."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from bleu_core.fields import Table
from dashboard.exhibits import EXHIBITS
from dashboard.export.section import Drawing, Section
from dashboard.export.source import Source

#: Data that a part may need in addition to a system and a reference.
Need = Literal["two systems", "judgments", "marked errors", "starred segments", "test sets"]


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a report.

    Attributes:
        key: its name on the command line, and its anchor in the file.
        title: its heading.
        content: returns its section for the data.
        needs: data that it needs.
    """

    key: str
    title: str
    content: Callable[[Source], Section]
    needs: tuple[Need, ...] = ()

    def lacks(self, source: Source) -> str:
        """Return which data are missing for this part; empty if none."""
        has = {
            "two systems": source.has_pair,
            "judgments": source.has_ratings,
            "marked errors": source.has_errors,
            "starred segments": source.starred,
            "test sets": source.data.sets is not None,
        }
        return next((need for need in self.needs if not has[need]), "")


def drawings(source: Source, *names: str) -> tuple[Drawing, ...]:
    """Return registered figures of the data; with titles where there are several."""
    exhibits = [EXHIBITS[name] for name in names]
    return tuple(Drawing(exhibit.title if names[1:] else "", exhibit.draw(source.data)) for exhibit in exhibits)


def figure_table(source: Source, name: str) -> Table:
    """Return the numbers of a registered figure."""
    return EXHIBITS[name].numbers(source.data)
