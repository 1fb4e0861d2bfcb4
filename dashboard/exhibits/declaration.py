"""What an exhibit is: a result that pages show, commands draw and reports contain, declared once."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, Literal, TypeVar

import plotly.graph_objects as go

from bleu_core.fields import Table
from dashboard.exhibits.data import Data
from dashboard.plots.theme import Style, with_named

#: What an exhibit needs beside a system and a reference.
Need = Literal["two systems", "two references", "judgments"]

#: What an exhibit shows: all systems, a pair of them, or ratings.
Subject = Literal["systems", "pair", "judges"]

R = TypeVar("R")


def _none(_: object) -> Sequence[str]:
    return ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Exhibit(Generic[R]):
    """A result, its figure and its table.

    Attributes:
        name: its name in files and on the command line.
        page: the title of the page that has it.
        part: the title of the part of that page; empty where the page has no parts.
        title: what it shows, as the page calls it.
        compute: of the data, the result; raises a BleuCoreError where the data do not allow it.
        figure: of the result and of how systems are drawn, the figure as the page has it; choices of the page's readers
            are further arguments, by name.
        table: of the result, the numbers behind the figure.
        named: of the result, the systems that the sentence above the figure names, which stand out.
        needs: what the data must have.
        subject: whether it shows all systems, a pair or ratings.
        key: of the chart on the page; empty where another exhibit has it.
    """

    name: str
    page: str
    title: str
    compute: Callable[[Data], R]
    figure: Callable[..., go.Figure]
    table: Callable[[R], Table]
    named: Callable[[R], Sequence[str]] = _none
    needs: tuple[Need, ...] = ()
    subject: Subject = "systems"
    key: str = ""
    part: str = ""

    def draw(self, data: Data) -> go.Figure:
        """Return the figure of data, as the page draws it at first."""
        return self.drawn(self.compute(data), self.styles(data))

    def drawn(self, result: R, styles: Mapping[str, Style], **choices: Any) -> go.Figure:
        """Return the figure of a result, in which systems stand out that the sentence above it names.

        Args:
            result: of the exhibit.
            styles: how each system is drawn.
            choices: of the page's readers, which the figure takes.
        """
        return self.figure(result, with_named(styles, self.named(result)), **choices)

    def numbers(self, data: Data) -> Table:
        """Return the table of data."""
        return self.table(self.compute(data))

    def styles(self, data: Data) -> Mapping[str, Style]:
        """Return how systems are drawn: the two of a pair stand out."""
        return data.styles_of_pair if self.subject == "pair" else data.styles


#: An exhibit of whatever result.
AnyExhibit = Exhibit[Any]
