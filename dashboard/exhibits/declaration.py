"""The declaration of an exhibit: a result that pages show, commands draw and reports contain."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, Literal, TypeVar

import plotly.graph_objects as go

from bleu_core.fields import Table
from dashboard.exhibits.data import Data
from dashboard.plots.theme import Style, with_named

#: Data that an exhibit may need in addition to a system and a reference.
Need = Literal["two systems", "two references", "judgments", "marked errors", "test sets"]

#: Subject of an exhibit: all systems, a pair of them, or ratings.
Subject = Literal["systems", "pair", "judges"]

#: Options of a command on which an exhibit may depend, in addition to the data and the settings: the metric, the two
#: systems, the baseline, the tests of differences, the division into slices or into blocks, the correction of p-values
#: of metrics, and ratings where there are any.
Option = Literal["metric", "pair", "baseline", "tests", "slices", "blocks", "metrics", "ratings"]

R = TypeVar("R")


def _none(_: object) -> Sequence[str]:
    return ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Exhibit(Generic[R]):
    """A result, its figure and its table.

    Attributes:
        name: its name in files and on the command line.
        page: title of its page.
        part: title of its part of that page; empty where the page has no parts.
        title: its title on the page.
        compute: returns the result for data; raises a BleuCoreError where the data do not allow it.
        figure: returns the page's figure for a result and the styles of systems; display options of the page are
            keyword arguments.
        table: returns the numbers of the figure for a result.
        named: returns the systems that the sentence above the figure names, which are highlighted.
        needs: data that it needs.
        options: on which it depends.
        subject: whether it shows all systems, a pair or ratings.
        key: of the chart on the page; empty where another exhibit has the chart.
    """

    name: str
    page: str
    title: str
    compute: Callable[[Data], R]
    figure: Callable[..., go.Figure]
    table: Callable[[R], Table]
    named: Callable[[R], Sequence[str]] = _none
    needs: tuple[Need, ...] = ()
    options: tuple[Option, ...] = ("metric",)
    subject: Subject = "systems"
    key: str = ""
    part: str = ""

    def draw(self, data: Data) -> go.Figure:
        """Return the figure of data with the page's default options."""
        return self.drawn(self.compute(data), self.styles(data))

    def drawn(self, result: R, styles: Mapping[str, Style], **choices: Any) -> go.Figure:
        """Return the figure of a result, in which the systems named by the sentence above it are highlighted.

        Args:
            result: of the exhibit.
            styles: style of each system.
            choices: display options of the figure.
        """
        return self.figure(result, with_named(styles, self.named(result)), **choices)

    def numbers(self, data: Data) -> Table:
        """Return the table of data."""
        return self.table(self.compute(data))

    def styles(self, data: Data) -> Mapping[str, Style]:
        """Return the styles of systems; the two of a pair are highlighted."""
        return data.styles_of_pair if self.subject == "pair" else data.styles


#: An exhibit of any result.
AnyExhibit = Exhibit[Any]
