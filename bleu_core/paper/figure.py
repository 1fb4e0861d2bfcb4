"""The content of a figure: data, axes and marks, independent of how it is drawn.

`dashboard.exhibits.paper_figures` draws any such figure. A step of the paper makes its figures of these parts alone:

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

#: "reference" is a line to compare values with; "published" are values that the paper prints.
Role = Literal["computed", "published", "reference"]

#: The order of dashes where lines differ by them.
DASHES: tuple[Dash, ...] = ("solid", "dash", "dot", "dashdot", "longdash")

PUBLISHED_NAME = "published (2002)"

#: Pixels.
HEIGHT, HIGHER = 380, 420


@dataclass(frozen=True, slots=True)
class Axis:
    """An axis.

    Attributes:
        title: what it shows, with its unit.
        scale: "categories" gives each name a place of its own.
        ticks: where numbers stand; empty lets the drawing choose.
        categories: the names, in their order.
        labels: of the categories, as lines of text; the names themselves if empty.
        from_zero: whether the axis contains 0.
        range: lowest and highest value; None is that of the data.
    """

    title: str = ""
    scale: Scale = "linear"
    ticks: Sequence[float] = ()
    categories: Sequence[str] = ()
    labels: Sequence[tuple[str, ...]] = ()
    from_zero: bool = False
    range: tuple[float, float] | None = None


def systems_axis(systems: Sequence[str], title: str = "") -> Axis:
    """An axis with a place for each system."""
    return Axis(title, "categories", categories=tuple(systems))


@dataclass(frozen=True, slots=True)
class Series:
    """Values that belong together.

    Attributes:
        name: for the legend.
        x: a place for each value: numbers, or names of categories.
        y: the values; NaN leaves a gap.
        low, high: ends of their error bars, if they have any; NaN leaves a bar out.
        system: whose colour, marker and dash the series has; empty for one that is no system's.
        number: of the colour and marker of a series that is no system's, from 0.
        dash: of a line; empty follows from the system or the number.
        role: what the values are.
        details: one for each value, for the text at the pointer.
        hover: the text at the pointer below the name, where {x}, {y} and {detail} stand for those of the value, with
            a format as in Python: "order {x}: {y:.3f} ({detail})".
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
    """A bar for each value; bars of several series at one place stand beside each other."""


@dataclass(frozen=True, slots=True)
class Lines(Series):
    """Points that a line connects."""


@dataclass(frozen=True, slots=True)
class Points(Series):
    """Points; where nothing else is drawn, those of several series at one category stand beside each other."""


@dataclass(frozen=True, slots=True)
class Box:
    """The distribution of many values at one category.

    Attributes:
        category: its place.
        y: the values.
        system: whose colour it has.
    """

    category: str
    y: Values
    system: str


@dataclass(frozen=True, slots=True)
class Regression:
    """Mean ratings over scores, a named point for each system, with the regression line and its 95 % band.

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
    """A part of a figure with an axis of its own; panels share the vertical axis."""

    x: Axis
    series: Sequence[Series | Box]


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure of a step.

    Attributes:
        content: panels, from left to right; or a regression, which has its own axes.
        y: the vertical axis of all panels.
        title: where a step has several figures.
        option: of the step's choice, for which the figure is shown; always if empty.
        rule: the value of a horizontal line through all panels; None for no line.
        legend: whether the names of series are listed.
        height: pixels on the page.
    """

    content: Sequence[Panel] | Regression
    y: Axis = Axis()  # frozen
    title: str = ""
    option: str = ""
    rule: float | None = None
    legend: bool = True
    height: int = HEIGHT
