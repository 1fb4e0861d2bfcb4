"""The content of a figure: data, axes and marks, independent of the drawing library.

`dashboard.exhibits.paper_figures` draws any such figure. A step of the paper builds its figures from these parts:

    Figure((Panel(systems_axis(names), (Bars("computed", names, values),)),), y=Axis("BLEU", from_zero=True))
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from bleu_core.agreement import Agreement

Values = Sequence[float] | npt.NDArray[np.float64]
Scale = Literal["linear", "log", "categories"]
Dash = Literal["solid", "dash", "dot", "dashdot", "longdash"]

#: "reference" is a line for comparison; "published" are values printed in the paper.
Role = Literal["computed", "published", "reference"]

#: Dash styles, in the order in which lines use them.
DASHES: tuple[Dash, ...] = ("solid", "dash", "dot", "dashdot", "longdash")

PUBLISHED_NAME = "published (2002)"

#: Pixels.
HEIGHT, TALL_HEIGHT = 380, 420


@dataclass(frozen=True, slots=True)
class Axis:
    """An axis.

    Attributes:
        title: what it shows, with its unit.
        scale: "categories" has one position per name.
        ticks: positions of tick labels; empty for automatic ones.
        categories: names in order.
        labels: lines of text per category; empty for the names.
        from_zero: whether the axis contains 0.
        range: lowest and highest value; None for the range of the data.
    """

    title: str = ""
    scale: Scale = "linear"
    ticks: Sequence[float] = ()
    categories: Sequence[str] = ()
    labels: Sequence[tuple[str, ...]] = ()
    from_zero: bool = False
    range: tuple[float, float] | None = None


def systems_axis(systems: Sequence[str], title: str = "") -> Axis:
    """Return an axis with a category per system."""
    return Axis(title, "categories", categories=tuple(systems))


@dataclass(frozen=True, slots=True)
class Series:
    """A series of values.

    Attributes:
        name: for the legend.
        x: positions of the values: numbers, or names of categories.
        y: the values; NaN is a gap.
        low, high: ends of the error bars, if there are any; NaN for no error bar.
        system: system whose colour, marker and dash are used; empty for series without a system.
        number: of the colour and marker of a series without a system, from 0.
        dash: of a line; empty for that of the system or the number.
        role: kind of the values.
        details: one per value, for the hover text.
        hover: template of the hover text below the name, a format string of Python with {x}, {y} and {detail}:
            "order {x}: {y:.3f} ({detail})".
    """

    name: str
    x: Sequence[float] | Sequence[str]
    y: Values
    low: Values | None = None
    high: Values | None = None
    system: str = ""
    number: int = 0
    dash: Dash | Literal[""] = ""
    role: Role = "computed"
    details: Sequence[object] = ()
    hover: str = "{x}: {y:.4f}"


@dataclass(frozen=True, slots=True)
class Bars(Series):
    """One bar per value; bars of several series at one position are grouped."""


@dataclass(frozen=True, slots=True)
class Lines(Series):
    """Points connected by a line."""


@dataclass(frozen=True, slots=True)
class Points(Series):
    """Points; in a panel of points only, those of several series at one category are grouped."""


@dataclass(frozen=True, slots=True)
class Box:
    """A box plot of the values of one category.

    Attributes:
        category: its place.
        y: the values.
        system: system whose colour is used.
    """

    category: str
    y: Values
    system: str


@dataclass(frozen=True, slots=True)
class Regression:
    """Mean ratings by scores, with a named point per system, the regression line and its 95 % band.

    Attributes:
        agreement: the scores and the ratings.
        humans: systems that are human translators.
        score: title of the scores' axis.
    """

    agreement: Agreement
    humans: Sequence[str] = ()
    score: str = "BLEU"


@dataclass(frozen=True, slots=True)
class Panel:
    """A part of a figure with its own horizontal axis; panels share the vertical axis."""

    x: Axis
    series: Sequence[Series | Box]


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure of a step.

    Attributes:
        content: panels from left to right, or a regression, which has its own axes.
        y: the vertical axis of all panels.
        title: to distinguish several figures of a step.
        option: option of the step's choice for which the figure is shown; empty for all options.
        rule: the value of a horizontal line through all panels; None for no line.
        legend: whether there is a legend.
        height: pixels on the page.
    """

    content: Sequence[Panel] | Regression
    y: Axis = Axis()  # frozen
    title: str = ""
    option: str = ""
    rule: float | None = None
    legend: bool = True
    height: int = HEIGHT
