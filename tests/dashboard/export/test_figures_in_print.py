"""Every figure of the pages as it is printed: type, colours, patterns, sizes, names."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import Any

import numpy as np
import pytest
import sample

from bleu_core.dataset import Corpus
from bleu_core.paper.printed import HUMANS
from bleu_core.scoring import evaluate
from bleu_core.uploads import Workspace
from dashboard.analysis import ComparisonOptions, RatingsInUse, View
from dashboard.exhibits import EXHIBITS, Data
from dashboard.plots import theme
from dashboard.plots.on_paper import COLORS, PATTERNS, PRINT_SIZES, printed, wrapped

#: CSS pixels of 8 and 9 points.
MIN_FONT, MAX_FONT = 8 / 72 * 96, 9 / 72 * 96

HOSTILE = "<b>H1</b> & %{x} <script>alert(1)</script>"


def data_of(corpus: Corpus, **options: Any) -> Data:
    workspace = Workspace.of_data(corpus, sample.judgments(), HUMANS, ())
    view = View(workspace, evaluate(corpus))
    return Data(view, RatingsInUse(view, sample.judgments(), False), **options)  # noqa: FBT003


@pytest.fixture(scope="module")
def data() -> Data:
    """Of the sample data."""
    return data_of(sample.corpus(), comparison=ComparisonOptions(draws=50))


def values(part: Any, name: str) -> Iterator[Any]:
    """All values of that name in a part of a figure."""
    if isinstance(part, dict):
        for key, value in part.items():
            if key == name:
                yield value
            yield from values(value, name)
    elif isinstance(part, list | tuple):
        for value in part:
            yield from values(value, name)


#: The sample data have no marked errors.
DRAWN = [name for name, exhibit in EXHIBITS.items() if "marked errors" not in exhibit.needs]


@pytest.mark.parametrize("name", DRAWN)
def test_type_has_eight_to_nine_points_at_every_width(data: Data, name: str) -> None:
    figure = EXHIBITS[name].draw(data)
    for size in PRINT_SIZES.values():
        spec = printed(figure, size).to_dict()
        assert spec["layout"]["width"] * size.scale == pytest.approx(size.millimetres / 25.4 * 96)
        fonts = [font["size"] for kind in ("font", "tickfont", "textfont") for font in values(spec, kind)]
        assert fonts
        assert all(MIN_FONT - 1e-9 <= each <= MAX_FONT + 1e-9 for each in fonts)


@pytest.mark.parametrize("name", DRAWN)
def test_every_figure_has_data_and_no_colour_of_the_screen(data: Data, name: str) -> None:
    figure = EXHIBITS[name]
    assert figure.numbers(data).rows
    text = str(printed(figure.draw(data), PRINT_SIZES["84"]).to_dict())
    assert not [color for color in theme.COLORS if color in text]


def test_drawing_for_print_leaves_the_figure_as_it_was(data: Data) -> None:
    figure = EXHIBITS["precision"].draw(data)
    before = figure.to_json()
    printed(figure, PRINT_SIZES["84"])
    assert figure.to_json() == before


def test_bars_beside_each_other_differ_in_pattern(data: Data) -> None:
    bars = printed(EXHIBITS["precision-bars"].draw(data), PRINT_SIZES["84"]).to_dict()["data"]
    shapes = [bar["marker"]["pattern"]["shape"] for bar in bars]
    assert shapes == list(PATTERNS[: len(bars)])


def test_the_first_colours_differ_in_greyscale_and_all_stand_out_from_paper() -> None:
    lightness = [grey(COLORS[color]) for color in theme.COLORS]
    assert all(abs(one - other) > 8 for one, other in combinations(lightness[:4], 2))
    assert all((1.05 / (luminance(COLORS[color]) + 0.05)) > 2.9 for color in theme.COLORS)


def luminance(color: str) -> float:
    """Relative luminance as the web's guidelines on contrast define it."""
    parts = np.array([int(color[i : i + 2], 16) / 255 for i in (1, 3, 5)])
    linear = np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)
    return float(linear @ (0.2126, 0.7152, 0.0722))


def grey(color: str) -> float:
    """Lightness from 0 to 100."""
    return 116 * luminance(color) ** (1 / 3) - 16


def test_long_titles_are_broken_at_blanks_and_entities_count_as_one_character() -> None:
    assert wrapped("segments replaced, most first", 20) == "segments replaced,<br>most first"
    assert wrapped("a &amp; b &lt; c", 9) == "a &amp; b &lt; c"
    assert wrapped("unbreakable", 4) == "unbreakable"


def test_names_stay_text(data: Data) -> None:
    corpus = sample.corpus()
    names = {name: HOSTILE if name == "H1" else name for name in corpus.systems}
    renamed = Corpus({names[name]: texts for name, texts in corpus.systems.items()}, corpus.references)
    hostile = data_of(renamed, comparison=data.comparison)
    for name in (
        "scores",
        "precision",
        "precision-bars",
        "blocks",
        "pairs",
        "score-intervals",
        "causes",
        "influence",
        "ngrams",
    ):
        spec = printed(EXHIBITS[name].draw(hostile), PRINT_SIZES["174"]).to_dict()
        shown = [spec["layout"].get("yaxis", {}).get("ticktext"), spec["layout"].get("xaxis", {}).get("ticktext")]
        shown += [
            *values(spec, "title"),
            *values(spec, "name"),
            *(n["text"] for n in spec["layout"].get("annotations", ())),
        ]
        assert "<script" not in str(shown)
        assert "<b>" not in str(shown)
