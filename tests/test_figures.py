"""Figures: traces, axes with units, names that Plotly cannot interpret."""

from __future__ import annotations

import json
import math
from typing import Any

import pytest

from bleu_core.bleu import BleuSettings
from bleu_core.blocks import BlockScores, block_scores, equal_blocks
from bleu_core.corpus import Corpus
from bleu_core.correlation import Agreement, agreement
from bleu_core.decay import fit_decay
from bleu_core.evaluation import Evaluation, evaluate
from bleu_core.formats.ratings import read_ratings
from bleu_core.formats.text import Text
from dashboard.figures import theme
from dashboard.figures.blocks import block_distributions, joined_blocks
from dashboard.figures.human import bleu_and_ratings, normalised_lines
from dashboard.figures.precision import decay_lines, precision_bars
from dashboard.figures.scores import score_bars

HOSTILE = "<b>x</b> &lt; <a href='http://127.0.0.1:9/'>y</a>"
NAMES = ("A", "B", "C", HOSTILE)


@pytest.fixture(scope="module")
def corpus() -> Corpus:
    reference = [f"the cat number {n} sat on the mat by the door" for n in range(8)]
    worse = [line.replace("sat", "sits").replace("mat", "rug") for line in reference]
    shuffled = [" ".join(reversed(line.split())) for line in reference]
    near = [line.replace("door", "window") for line in reference]
    return Corpus(
        systems=dict(zip(NAMES, (tuple(worse), tuple(near), tuple(shuffled), tuple(worse)), strict=True)),
        references={"R": tuple(reference)},
    )


@pytest.fixture(scope="module")
def evaluation(corpus: Corpus) -> Evaluation:
    return evaluate(corpus, BleuSettings())


@pytest.fixture(scope="module")
def divided(evaluation: Evaluation) -> BlockScores:
    return block_scores(evaluation, equal_blocks(8, 4))


@pytest.fixture(scope="module")
def compared(corpus: Corpus, evaluation: Evaluation) -> Agreement:
    rows = "\n".join(f"{name}\t{score}" for name, score in zip(NAMES, (3, 4, 1, 2), strict=True))
    return agreement(corpus, evaluation, read_ratings(Text("system\tscore\n" + rows, "UTF-8"), "h.tsv"))


@pytest.fixture(scope="module")
def figures(evaluation: Evaluation, divided: BlockScores, compared: Agreement) -> dict[str, Any]:
    styles = theme.styles(NAMES)
    decays = fit_decay(evaluation.scores)
    return {
        "bars": score_bars(NAMES, evaluation.scores.score.tolist(), styles),
        "decay": decay_lines(NAMES, evaluation.scores, decays, styles),
        "decay, linear": decay_lines(NAMES, evaluation.scores, decays, styles, logarithmic=False, fits=False),
        "precision bars": precision_bars(NAMES, evaluation.scores, styles),
        "boxes": block_distributions(divided, styles),
        "violins": block_distributions(divided, styles, violin=True),
        "joined": joined_blocks(divided, styles),
        "ratings": bleu_and_ratings(compared, styles, ("A",)),
        "normalised": normalised_lines(NAMES, {"BLEU": [0, 0.4, 1, math.nan], HOSTILE: [1, 0, 0.2, 0.3]}),
    }


def test_every_figure_names_its_axes_and_their_units(figures: dict[str, Any]) -> None:
    assert figures["bars"].layout.xaxis.title.text == "BLEU (points)"
    assert figures["decay"].layout.yaxis.title.text == "modified precision (fraction)"
    assert figures["boxes"].layout.yaxis.title.text == "BLEU of a block (points)"
    assert figures["ratings"].layout.xaxis.title.text == "BLEU (points)"
    assert all(f.layout.xaxis.title.text or f.layout.yaxis.title.text for f in figures.values())


def test_no_figure_lets_a_name_become_markup(figures: dict[str, Any]) -> None:
    shown = ("text", "hovertemplate", "name", "ticktext", "hovertext", "customdata")

    def texts(value: object, key: str = "") -> list[str]:
        if isinstance(value, dict):
            return [t for k, v in value.items() for t in texts(v, k)]
        if isinstance(value, list):
            return [t for v in value for t in texts(v, key)]
        return [value] if isinstance(value, str) and key in shown else []

    for figure in figures.values():
        content = json.loads(str(figure.to_json()))
        for text in texts([content["data"], {k: v for k, v in content["layout"].items() if k != "template"}]):
            assert "<b>x" not in text
            assert "<a href" not in text


def test_bars_stand_in_the_order_given_with_one_decimal() -> None:
    figure: Any = score_bars(["B", "A"], [12.345, 6.78], theme.styles(NAMES))
    assert figure.data[1].text == (" 12.3", " 6.8")
    assert list(figure.data[0].y) == ["B", "A"]
    assert figure.layout.yaxis.autorange == "reversed"


def test_decay_on_a_logarithmic_axis_has_a_line_and_a_fit_a_system(figures: dict[str, Any]) -> None:
    figure = figures["decay"]
    assert figure.layout.yaxis.type == "log"
    dotted = [trace for trace in figure.data if trace.line.dash == "dot" and trace.mode == "lines"]
    solid = [trace for trace in figure.data if trace.mode == "lines+markers"]
    assert len(solid) == len(NAMES)
    # C is reversed word for word: unigrams match, and hardly anything else, so that it may have no fit.
    assert len(dotted) >= len(NAMES) - 1
    assert figures["decay, linear"].layout.yaxis.type is None


def test_smoothed_orders_are_hollow(figures: dict[str, Any]) -> None:
    reversed_words = next(t for t in figures["decay"].data if t.name == "C" and t.mode == "lines+markers")
    assert reversed_words.marker.symbol[0] == "diamond"
    assert reversed_words.marker.symbol[-1] == "diamond-open"


def test_every_block_has_its_point(figures: dict[str, Any], divided: BlockScores) -> None:
    assert [trace.type for trace in figures["boxes"].data] == ["box"] * 4
    assert [trace.type for trace in figures["violins"].data] == ["violin"] * 4
    assert all(trace.boxpoints == "all" and len(trace.y) == 4 for trace in figures["boxes"].data)
    lines = [trace for trace in figures["joined"].data if trace.mode == "lines"]
    assert [list(trace.y) for trace in lines] == divided.scores.T.tolist()


def test_ratings_are_drawn_with_line_and_band(figures: dict[str, Any], compared: Agreement) -> None:
    names = [trace.name for trace in figures["ratings"].data]
    assert names[:2] == ["95 % band of the line", "regression"]
    points = figures["ratings"].data[2:]
    assert [trace.x[0] for trace in points] == compared.bleu.tolist()
    assert [trace.y[0] for trace in points] == compared.human.tolist()
    assert [trace.marker.line.width for trace in points] == [2, 0, 0, 0]  # A is a human translator


def test_a_missing_value_leaves_a_gap(figures: dict[str, Any]) -> None:
    assert list(figures["normalised"].data[0].y) == [0, 0.4, 1, None]


def test_a_system_has_one_colour_and_marker_whoever_else_is_drawn() -> None:
    styles = theme.styles(tuple(f"S{n}" for n in range(16)))
    assert len({(s.color, s.symbol) for s in styles.values()}) == 16
    assert len({s.color for s in list(styles.values())[:7]}) == 7


def test_labels_are_spread_and_stay_near() -> None:
    placed = theme.spread([1.0, 1.01, 1.02, 3.0], gap=0.5)
    assert placed == pytest.approx([0.51, 1.01, 1.51, 3.0])
    assert theme.spread([], gap=1) == []


def test_long_names_are_cut_in_the_middle_and_escaped() -> None:
    assert theme.short("a" * 20 + "b" * 20, 10) == "aaaaaa…bbb"
    assert theme.short("<i>") == "&lt;i&gt;"
