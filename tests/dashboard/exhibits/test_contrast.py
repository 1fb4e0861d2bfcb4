"""Contrast of colours with what lies behind them, as WCAG 2.2 defines and demands it."""

from __future__ import annotations

import re
import tomllib
from itertools import combinations
from math import dist
from pathlib import Path

import pytest

import dashboard
from dashboard.exhibits import judges, significance
from dashboard.plots import shades, theme

CONFIG = tomllib.loads((Path(dashboard.__file__).parent / ".streamlit" / "config.toml").read_text())["theme"]
THEMES = {
    (name, part): CONFIG[name] | (CONFIG[name]["sidebar"] if part == "sidebar" else {})
    for name in ("light", "dark")
    for part in ("page", "sidebar")
}

#: Contrasts that text, and marks and borders, need.
TEXT, MARK = 4.5, 3.0

RGB = tuple[float, float, float]


def rgb(color: str) -> RGB:
    red, green, blue = (int(color[i : i + 2], 16) / 255 for i in (1, 3, 5))
    return red, green, blue


def linear(color: str) -> RGB:
    red, green, blue = ((c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4) for c in rgb(color))
    return red, green, blue


def luminance(color: str) -> float:
    return sum(w * c for w, c in zip((0.2126, 0.7152, 0.0722), linear(color), strict=True))


def contrast(one: str, other: str) -> float:
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def oklab(color: str) -> RGB:
    """Björn Ottosson's space, in which distances are about as large as they look."""
    red, green, blue = linear(color)
    long = (0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue) ** (1 / 3)
    middle = (0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue) ** (1 / 3)
    short = (0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue) ** (1 / 3)
    return (
        0.2104542553 * long + 0.7936177850 * middle - 0.0040720468 * short,
        1.9779984951 * long - 2.4285922050 * middle + 0.4505937099 * short,
        0.0259040371 * long + 0.7827717662 * middle - 0.8086757660 * short,
    )


def test_contrast_is_that_of_wcag() -> None:
    assert contrast("#000000", "#FFFFFF") == pytest.approx(21)
    assert contrast("#777777", "#FFFFFF") == pytest.approx(4.478, abs=0.001)  # WebAIM's contrast checker


def test_figures_know_the_colours_of_the_pages() -> None:
    assert (CONFIG["light"]["backgroundColor"], CONFIG["dark"]["backgroundColor"]) == theme.PAGES


@pytest.mark.parametrize("color", [*theme.COLORS, theme.INK, theme.NEUTRAL, *significance.VERDICT_COLORS.values()])
@pytest.mark.parametrize("page", theme.PAGES)
def test_marks_are_visible_on_both_pages(color: str, page: str) -> None:
    assert contrast(color, page) >= MARK


@pytest.mark.parametrize("color", [*significance.VERDICT_COLORS.values(), *(c for _, c in judges.GREY_TO_BLUE)])
def test_white_numbers_are_readable_on_the_cells_of_grids(color: str) -> None:
    assert contrast("#FFFFFF", color) >= TEXT


def test_colours_of_systems_differ() -> None:
    assert min(dist(oklab(one), oklab(other)) for one, other in combinations(theme.COLORS, 2)) > 0.08


@pytest.mark.parametrize("where", THEMES, ids="-".join)
def test_text_and_links_are_readable(where: tuple[str, str]) -> None:
    colors = THEMES[where]
    for text in ("textColor", "linkColor"):
        for behind in ("backgroundColor", "secondaryBackgroundColor"):
            assert contrast(colors[text], colors[behind]) >= TEXT, (text, behind)
    assert contrast(colors["primaryColor"], colors["backgroundColor"]) >= MARK


@pytest.mark.parametrize("where", THEMES, ids="-".join)
def test_borders_of_what_can_be_pressed_and_captions_are_visible(where: tuple[str, str]) -> None:
    css = (Path(dashboard.__file__).parent / "page.css").read_text()
    (border,) = set(re.findall(r"border-color: (#[0-9a-f]{6});", css))
    (opacity,) = re.findall(r"stCaptionContainer\"\] \{\s*opacity: ([0-9.]+);", css)
    colors = THEMES[where]
    for behind in (colors["backgroundColor"], colors["secondaryBackgroundColor"]):
        assert contrast(border, behind) >= MARK
    assert (
        contrast(mixed(colors["textColor"], colors["backgroundColor"], float(opacity)), colors["backgroundColor"])
        > TEXT
    )


def mixed(color: str, behind: str, opacity: float) -> str:
    parts = (opacity * c + (1 - opacity) * b for c, b in zip(rgb(color), rgb(behind), strict=True))
    return "#" + "".join(f"{round(255 * part):02X}" for part in parts)


def test_lines_below_errors_are_visible_on_the_page_and_on_marked_words() -> None:
    css = (Path(dashboard.__file__).parent / "page.css").read_text()
    pair = r"light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\)"
    lines = re.findall(rf"\.error-line\.\w+ \{{\s*text-decoration: underline \w+ {pair}", css)
    assert len(lines) == 4
    shades = re.findall(rf"mark\.(?:order-\d|different) \{{\s*background: {pair}", css)
    assert len(shades) == 5
    for part, name in enumerate(("light", "dark")):
        for line in lines:
            for behind in (CONFIG[name]["backgroundColor"], *(shade[part] for shade in shades)):
                assert contrast(line[part], behind) >= MARK, (line[part], behind)


def test_axes_are_readable_on_a_light_page() -> None:
    assert contrast(theme.DARK_INK, theme.PAGES[0]) >= TEXT


@pytest.mark.parametrize("page", ["light", "dark"])
def test_numbers_can_be_read_on_all_shades_of_cells(page: str) -> None:
    dark = page == "dark"
    for strength in (value / 20 for value in range(-20, 21)):
        css = dict(part.split(":") for part in shades.shade(strength, dark=dark).split(";"))
        assert contrast(css["color"], css["background-color"]) >= TEXT, strength
    ends = [shades.BETTER[dark], shades.WORSE[dark]]
    assert min(dist(rgb(first), rgb(second)) for first, second in combinations(ends, 2)) > 0.3
    assert shades.shade(float("nan"), dark=dark) == ""
