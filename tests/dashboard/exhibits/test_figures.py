"""Figures: traces, axes with units, names that Plotly cannot interpret."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from judged import read_ratings
from many_systems import MANY, MAX_WITH_ALL_PAIRS, many_systems

import sample_data
from bleu_core.agreement import Agreement, correlate
from bleu_core.dataset import Corpus
from bleu_core.formats.text import Text
from bleu_core.inference import (
    BlockScores,
    Comparison,
    Comparisons,
    Interval,
    ScoreIntervals,
    all_pairs,
    baseline_pairs,
    block_scores,
    compare,
    equal_blocks,
    score_intervals,
    systems_beaten,
    t_by_block_size,
    text_needed,
    tiers,
)
from bleu_core.scoring import BleuEvaluation, BleuSettings, all_metrics, evaluate, fit_decay, score_metric
from dashboard.exhibits import significance, two_systems
from dashboard.exhibits.blocks import (
    MAX_JOINED,
    MAX_SIDE_BY_SIDE,
    block_distributions,
    is_sideways,
    joined_blocks,
    steepest_blocks,
)
from dashboard.exhibits.precision import Precision, decay_lines, precision_bars
from dashboard.exhibits.scores import score_bars
from dashboard.exhibits.system_agreement import bleu_and_ratings, normalised_lines
from dashboard.plots import theme

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
def evaluation(corpus: Corpus) -> BleuEvaluation:
    return evaluate(corpus, BleuSettings())


@pytest.fixture(scope="module")
def divided(evaluation: BleuEvaluation) -> BlockScores:
    return block_scores(evaluation, equal_blocks(8, 4))


@pytest.fixture(scope="module")
def compared(corpus: Corpus, evaluation: BleuEvaluation) -> Agreement:
    rows = "\n".join(f"{name}\t{score}" for name, score in zip(NAMES, (3, 4, 1, 2), strict=True))
    return correlate(corpus, evaluation, read_ratings(Text("system\tscore\n" + rows, "UTF-8"), "h.tsv"))


def precision_of(evaluation: BleuEvaluation, intervals: ScoreIntervals | None = None) -> Precision:
    return Precision(evaluation=evaluation, decays=tuple(fit_decay(evaluation.scores)), intervals=intervals)


@pytest.fixture(scope="module")
def figures(evaluation: BleuEvaluation, divided: BlockScores, compared: Agreement) -> dict[str, Any]:
    styles = theme.styles(NAMES)
    precision = precision_of(evaluation)
    return {
        "bars": score_bars(NAMES, evaluation.scores.score.tolist(), styles),
        "decay": decay_lines(precision, styles),
        "decay, linear": decay_lines(precision, styles, logarithmic=False, fits=False),
        "precision bars": precision_bars(precision, styles),
        "boxes": block_distributions(divided, styles),
        "violins": block_distributions(divided, styles, violin=True),
        "joined": joined_blocks(divided, styles),
        "ratings": bleu_and_ratings(compared, styles, ("A",)),
        "normalised": normalised_lines(NAMES, {"BLEU": [0, 0.4, 1, math.nan], HOSTILE: [1, 0, 0.2, 0.3]}),
    }


@pytest.fixture(scope="module")
def varied() -> BleuEvaluation:
    """Systems that differ more on some segments than on others: the beginning of the sample data."""

    def lines(path: Path) -> tuple[str, ...]:
        return tuple(path.read_text(encoding="utf-8").split("\n")[:40])

    systems = {path.stem: lines(path) for path in sample_data.systems()}
    texts = (systems["S1"], systems["S3"], systems["H1"], systems["S1"])
    return evaluate(Corpus(dict(zip(NAMES, texts, strict=True)), {"R": lines(sample_data.references()[0])}))


@pytest.fixture(scope="module")
def drawn(varied: BleuEvaluation) -> ScoreIntervals:
    return score_intervals(varied, resamples=200)


@pytest.fixture(scope="module")
def found(varied: BleuEvaluation) -> Comparisons:
    return compare(varied.statistics, all_pairs(NAMES), resamples=1200)


@pytest.fixture(scope="module")
def differences(varied: BleuEvaluation, found: Comparisons, drawn: ScoreIntervals) -> dict[str, Any]:
    """What the Significance page draws."""
    styles = theme.styles(NAMES)
    table = varied.statistics
    with_baseline = compare(table, baseline_pairs(NAMES, HOSTILE), test="t", groups=equal_blocks(40, 4))
    blocks = equal_blocks(40, 4)
    names = ("B", HOSTILE)
    of_blocks = table.select(names).score(table.select(names).sums_by_label(blocks.labels)).tolist()
    return {
        "grid": significance.comparison_grid(found, "BLEU"),
        "tiers": significance.tier_lines(found, tiers(found), intervals=drawn.scores, styles=styles, label="BLEU"),
        "against": significance.against_baseline(with_baseline, styles, "BLEU"),
        "deltas": two_systems.drawn_deltas({"one": [0.1, 0.2, 0.3], "other": [-0.3, 0.0, 0.1]}, 0.2, "BLEU"),
        "blocks": two_systems.block_differences(of_blocks, blocks, names, styles),
        "widths": two_systems.interval_widths(text_needed(table, "A", HOSTILE, resamples=50), "BLEU"),
        "sizes": two_systems.t_over_block_size(t_by_block_size(table, "B", "C")),
    }


def ends(trace: Any, axis: str) -> list[tuple[float, float]]:
    """Where a trace's error bars end."""
    bars = trace[f"error_{axis}"]
    return [
        (value - down, value + up) for value, down, up in zip(trace[axis], bars.arrayminus, bars.array, strict=True)
    ]


def bounds(*intervals: Interval) -> list[Any]:
    return [(pytest.approx(i.low), pytest.approx(i.high)) for i in intervals]


def test_every_figure_names_its_axes_and_their_units(figures: dict[str, Any]) -> None:
    assert figures["bars"].layout.xaxis.title.text == "BLEU (points)"
    assert figures["decay"].layout.yaxis.title.text == "modified precision (fraction)"
    assert figures["boxes"].layout.yaxis.title.text == "BLEU of a block (points)"
    assert figures["ratings"].layout.xaxis.title.text == "BLEU (points)"
    assert all(f.layout.xaxis.title.text or f.layout.yaxis.title.text for f in figures.values())


def test_figures_of_differences_name_their_axes_and_units(differences: dict[str, Any]) -> None:
    titles = {key: (f.layout.xaxis.title.text, f.layout.yaxis.title.text) for key, f in differences.items()}
    assert titles["tiers"][0] == "BLEU (points)"
    assert titles["against"][0].startswith("difference to &lt;b&gt;x&lt;/b&gt;")
    assert titles["against"][0].endswith("(BLEU points)")
    assert titles["deltas"] == ("difference (BLEU points)", "share of resamples")
    assert titles["blocks"][1].endswith("minus B (points)")
    assert titles["widths"] == ("segments", "width of the 95% interval (BLEU points)")
    assert titles["sizes"] == ("segments per block", "t")


def test_no_figure_lets_a_name_become_markup(figures: dict[str, Any], differences: dict[str, Any]) -> None:
    shown = ("text", "hovertemplate", "name", "ticktext", "hovertext", "customdata")

    def texts(value: object, key: str = "") -> list[str]:
        if isinstance(value, dict):
            return [t for k, v in value.items() for t in texts(v, k)]
        if isinstance(value, list):
            return [t for v in value for t in texts(v, key)]
        return [value] if isinstance(value, str) and key in shown else []

    for figure in (*figures.values(), *differences.values()):
        content = json.loads(str(figure.to_json()))
        for text in texts([content["data"], {k: v for k, v in content["layout"].items() if k != "template"}]):
            assert "<b>x" not in text
            assert "<a href" not in text


def test_bars_stand_in_the_order_given_with_two_decimals() -> None:
    figure: Any = score_bars(["B", "A"], [12.345, 6.78], theme.styles(NAMES))
    assert figure.data[1].text == ("\u200212.35", "\u20026.78")
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
    symbol = theme.styles(NAMES)["C"].symbol
    assert reversed_words.marker.symbol[0] == symbol
    assert reversed_words.marker.symbol[-1] == f"{symbol}-open"


def test_every_block_has_its_point(figures: dict[str, Any], divided: BlockScores) -> None:
    assert [trace.type for trace in figures["boxes"].data] == ["box"] * 4
    assert [trace.type for trace in figures["violins"].data] == ["violin"] * 4
    assert all(trace.boxpoints == "all" and len(trace.y) == 4 for trace in figures["boxes"].data)
    lines = sorted(figures["joined"].data, key=lambda trace: trace.customdata[0][1])
    assert [list(trace.y) for trace in lines] == divided.scores.T.tolist()


def test_the_blocks_on_which_scores_rise_least_and_most_are_thick_and_named(varied: BleuEvaluation) -> None:
    found = block_scores(varied, equal_blocks(40, 5))
    rises = (found.scores[-1] - found.scores[0]).tolist()
    expected = {rises.index(min(rises)), rises.index(max(rises))}
    assert set(steepest_blocks(found)) == expected
    figure: Any = joined_blocks(found, theme.styles(NAMES))
    thick = {trace.customdata[0][1] for trace in figure.data if trace.line.width > 1}
    assert thick == expected == {int(note.text.removeprefix("block ")) - 1 for note in figure.layout.annotations}
    assert {note.name for note in figure.layout.annotations} == {trace.name for trace in figure.data[-2:]}
    assert figure.layout.meta == theme.ISOLATED
    assert steepest_blocks(block_scores(varied, equal_blocks(40, 2))) == ()
    assert steepest_blocks(replace(found, scores=found.scores[:1], systems=found.systems[:1])) == ()
    assert steepest_blocks(replace(found, scores=np.ones_like(found.scores))) == ()


def test_ratings_are_drawn_with_line_and_band(figures: dict[str, Any], compared: Agreement) -> None:
    names = [trace.name for trace in figures["ratings"].data]
    assert names[:2] == ["95% confidence band", "regression"]
    points = figures["ratings"].data[2:]
    assert [trace.x[0] for trace in points] == compared.oriented_scores.tolist()
    assert [trace.y[0] for trace in points] == compared.human.tolist()
    assert [trace.marker.line.width for trace in points] == [2, 0, 0, 0]  # A is a human translator


def test_a_missing_value_leaves_a_gap(figures: dict[str, Any]) -> None:
    assert list(figures["normalised"].data[0].y) == [0, 0.4, 1, None]


def test_up_to_ten_systems_differ_in_colour_and_marker_in_whatever_order_they_are_loaded() -> None:
    names = tuple(f"S{n}" for n in range(10))
    styles = theme.styles(names)
    assert len({s.color for s in styles.values()}) == len({s.symbol for s in styles.values()}) == 10
    assert theme.styles(names[::-1]) == styles


def test_of_more_systems_the_highlighted_stand_out() -> None:
    names = tuple(f"S{n}" for n in range(16))
    styles = theme.styles(names, ("S7", "S3", "S4"))
    assert {name for name, style in styles.items() if not style.muted} == {"S7", "S3"}
    assert len({styles[name].color for name in names}) == 3
    assert len({style.color for style in theme.styles(names).values()}) == 1


def test_systems_that_a_sentence_names_stand_out_in_colours_of_their_own() -> None:
    names = tuple(f"S{n}" for n in range(16))
    styles = theme.styles(names, ("S7", "S3"))
    named = theme.with_named(styles, ("S7", "S9", "S9", "S1", "gone"))
    assert {name for name, style in named.items() if not style.muted} == {"S7", "S3", "S9", "S1"}
    assert len({named[name].color for name in ("S7", "S3", "S9", "S1", "S0")}) == 5
    assert len({named[name].symbol for name in ("S7", "S3", "S9", "S1")}) == 4
    assert named["S7"] == styles["S7"]
    assert theme.with_named(styles, ()) == styles
    few = theme.styles(names[:4])
    assert theme.with_named(few, names[:2]) == few
    all_named = theme.with_named(styles, names)  # there are not as many colours
    assert len({style.color for style in all_named.values() if not style.muted}) == theme.MAX_COLORS


def test_a_pair_of_muted_systems_is_drawn_in_two_colours() -> None:
    names = tuple(f"S{n}" for n in range(16))
    scores = [[1.0, 5.0], [3.0, 4.0]]
    figure: Any = two_systems.block_differences(scores, equal_blocks(9, 2), ("S2", "S5"), theme.styles(names))
    assert len(set(figure.data[0].marker.color)) == 2


def test_precision_of_many_systems_names_the_highlighted_and_counts_the_others() -> None:
    systems = tuple(f"S{n:02}" for n in range(12))
    text = [f"the cat number {n} sat on the mat by the door" for n in range(6)]
    outputs = {
        name: tuple(line.replace("cat", "dog") if n < k else line for n, line in enumerate(text))
        for k, name in enumerate(systems)
    }
    precision = precision_of(evaluate(Corpus(outputs, {"R": tuple(text)})))
    styles = theme.styles(systems, ("S00", "S01"))
    lines: Any = decay_lines(precision, styles)
    assert [note.text.rpartition("</span> ")[2] for note in lines.layout.annotations] == [
        "S00",
        "S01",
        "10 other systems",
    ]
    assert [trace.name for trace in lines.data][-4::2] == ["S00", "S01"]  # drawn over the others
    bars: Any = precision_bars(precision, styles)
    assert [bar.name for bar in bars.data if bar.showlegend is not False] == ["S00", "S01", "10 other systems"]
    assert [bar.name for bar in bars.data][:2] == ["S00", "S01"]  # the best first


def test_labels_are_spread_and_stay_near() -> None:
    placed = theme.spread([1.0, 1.01, 1.02, 3.0], gap=0.5)
    assert placed == pytest.approx([0.51, 1.01, 1.51, 3.0])
    assert theme.spread([], gap=1) == []


def test_long_names_are_cut_in_the_middle_and_escaped() -> None:
    assert theme.short("a" * 20 + "b" * 20, 10) == "aaaaaa…bbb"
    assert theme.short("<i>") == "&lt;i&gt;"


# --- intervals --------------------------------------------------------------------------------------------------


def test_bars_of_scores_reach_to_the_ends_of_their_intervals(varied: BleuEvaluation, drawn: ScoreIntervals) -> None:
    intervals = [drawn.scores[name] for name in NAMES]
    scores = varied.scores.score.tolist()
    figure: Any = score_bars(NAMES, scores, theme.styles(NAMES), intervals=intervals)
    assert ends(figure.data[0], "x") == bounds(*intervals)
    assert max(i.high for i in intervals) < figure.layout.xaxis.range[1]
    assert [text for _, text, _ in figure.data[0].customdata] == [f" ({i.low:.2f} to {i.high:.2f})" for i in intervals]
    without: Any = score_bars(NAMES, scores, theme.styles(NAMES))
    assert without.data[0].error_x.visible is False


def test_bars_of_precisions_reach_to_the_ends_of_their_intervals(varied: BleuEvaluation, drawn: ScoreIntervals) -> None:
    styles = theme.styles(NAMES)
    precision = precision_of(varied, drawn)
    lines: Any = decay_lines(precision, styles, fits=False)
    columns: Any = precision_bars(precision, styles)
    for figure in (lines, columns):
        assert len(figure.data) == len(NAMES)
        by_score = sorted(NAMES, key=lambda name: -float(varied.scores.score[NAMES.index(name)]))
        for name, trace in zip(by_score, figure.data, strict=True):
            assert ends(trace, "y") == bounds(*drawn.precisions[name])
    lowest = min(i.low for of_system in drawn.precisions.values() for i in of_system)
    assert 10 ** lines.layout.yaxis.range[0] < lowest < varied.scores.precisions.min() * 0.8


def test_bars_beside_ratings_reach_to_the_ends_of_their_intervals(
    compared: Agreement, evaluation: BleuEvaluation
) -> None:
    drawn = score_intervals(evaluation, resamples=200)
    figure: Any = bleu_and_ratings(compared, theme.styles(NAMES), intervals=drawn.scores)
    for name, trace in zip(compared.systems, figure.data[2:], strict=True):
        assert ends(trace, "x") == bounds(drawn.scores[name])
        low, high = figure.layout.xaxis.range
        assert low < drawn.scores[name].low <= drawn.scores[name].high < high


def test_tiers_have_scores_intervals_and_a_line_between_two(found: Comparisons, drawn: ScoreIntervals) -> None:
    parts = tiers(found)
    figure: Any = significance.tier_lines(
        found, parts, intervals=drawn.scores, styles=theme.styles(NAMES), label="BLEU"
    )
    order = [name for part in parts for name in part]
    assert [trace.y[0] for trace in figure.data] == list(figure.layout.yaxis.categoryarray) == order
    assert [ends(trace, "x") for trace in figure.data] == [bounds(drawn.scores[name]) for name in order]
    scores = dict(zip(found.systems, found.scores.tolist(), strict=True))
    assert [trace.x[0] for trace in figure.data] == [scores[name] for name in order]
    bare: Any = significance.tier_lines(found, parts, intervals={}, styles=theme.styles(NAMES), label="BLEU")
    assert {trace.error_x.visible for trace in bare.data} == {False}


@pytest.mark.parametrize(
    ("parts", "lines"),
    [([4], []), ([1, 3], [0.5]), ([2, 2], [1.5]), ([1, 1, 1, 1], [0.5, 1.5, 2.5])],
)
def test_a_line_stands_below_the_last_system_of_a_tier(
    found: Comparisons, parts: list[int], lines: list[float]
) -> None:
    names = iter(found.ranked)
    parted = [[next(names) for _ in range(size)] for size in parts]
    figure: Any = significance.tier_lines(found, parted, intervals={}, styles=theme.styles(NAMES), label="BLEU")
    assert [shape.y0 for shape in figure.layout.shapes] == lines
    assert list(figure.layout.yaxis.range) == [3.5, -0.5]  # the first system is at the top


# --- differences ------------------------------------------------------------------------------------------------


def test_the_grid_shows_differences_above_the_diagonal_and_p_below(found: Comparisons) -> None:
    figure: Any = significance.comparison_grid(found, "BLEU")
    heat, unseen, order = figure.data[0], figure.data[1], found.ranked
    clicked = {tuple(cell[-2:]): cell[0] for cell in unseen.customdata}
    assert set(clicked) == {(i, j) for i in range(len(order)) for j in range(len(order)) if i != j}
    assert {(y, x) for x, y in zip(unseen.x, unseen.y, strict=True)} == set(clicked)
    assert all(
        text.startswith(f"{theme.plain(order[i])} against {theme.plain(order[j])}<br>")
        for (i, j), text in clicked.items()
    )
    scores = dict(zip(found.systems, found.scores.tolist(), strict=True))
    assert list(figure.layout.xaxis.ticktext) == [theme.short(name, 16) for name in order]
    assert list(figure.layout.yaxis.range) == [3.5, -0.5]
    for i, row in enumerate(order):
        assert (heat.text[i][i], heat.z[i][i]) == ("", None)
        for j, column in enumerate(order[:i]):
            assert heat.text[j][i] == f"{scores[column] - scores[row]:+.1f}".replace("-", "−")
            pair = found.between(column, row)
            assert pair is not None
            assert heat.z[j][i] == -heat.z[i][j] == found.verdict(pair)
            p = heat.text[i][j]
            assert p.startswith("<") or float(p.removeprefix("≤")) == pytest.approx(pair.p_value_adjusted, abs=0.005)
            assert p not in ("0", ".0", "0.0", "")


def test_where_less_is_better_the_grid_turns_its_colours(varied: BleuEvaluation) -> None:
    table = replace(varied.statistics, higher_is_better=False)
    figure: Any = significance.comparison_grid(compare(table, all_pairs(NAMES), resamples=1200), "TER")
    best = figure.data[0]
    assert 1 in best.z[0]
    assert -1 not in best.z[0]
    assert best.text[0][-1].startswith("−")  # the best system's TER is lower
    names = {trace.name for trace in figure.data[2:]}
    assert names == {"row better", "row worse", "not significant"}


def test_differences_to_a_baseline_reach_to_the_ends_of_their_intervals(found: Comparisons) -> None:
    figure: Any = significance.against_baseline(
        replace(found, pairs=tuple(p for p in found.pairs if p.baseline == "A")), theme.styles(NAMES), "BLEU"
    )
    pairs = {pair.system: pair for pair in found.pairs if pair.baseline == "A"}
    assert [trace.y[0] for trace in figure.data] == sorted(pairs, key=lambda name: (-pairs[name].delta, name))
    for trace in figure.data:
        pair = pairs[trace.y[0]]
        assert ends(trace, "x") == bounds(pair.interval)
        assert trace.marker.symbol.endswith("-open") is (found.verdict(pair) == 0)
    assert [(shape.x0, shape.x1) for shape in figure.layout.shapes] == [(0, 0)]


def test_the_t_is_drawn_at_the_mean_difference_and_said_so(varied: BleuEvaluation) -> None:
    result = compare(varied.statistics, [(2, 1)], test="t", groups=equal_blocks(40, 4))
    pair = result.pairs[0]
    assert pair.paired_t is not None
    mean = pair.paired_t.mean_difference
    assert f"{mean:+.2f}" != f"{pair.delta:+.2f}"
    figure: Any = significance.against_baseline(result, theme.styles(NAMES), "BLEU")
    assert figure.data[0].x[0] == mean
    # The interval is of the mean difference, and so a number just before it has to be that one.
    shown = figure.data[0].hovertemplate.split("<br>")[1]
    assert f"{mean:+.2f} ({pair.interval.low:+.2f} to {pair.interval.high:+.2f})" in shown


def test_what_is_undefined_leaves_no_nan(varied: BleuEvaluation) -> None:
    table = varied.statistics.select(["A", HOSTILE])  # the same text
    result = compare(table, [(1, 0)], test="t", groups=equal_blocks(40, 4))
    assert math.isnan(result.pairs[0].p_value)
    styles = theme.styles(NAMES)
    nothing: dict[str, Interval] = dict.fromkeys(("A", HOSTILE), Interval(math.nan, math.nan, 0.95))
    for figure in (
        significance.comparison_grid(result, "BLEU"),
        significance.against_baseline(result, styles, "BLEU"),
        significance.tier_lines(result, tiers(result), intervals=nothing, styles=styles, label="BLEU"),
        two_systems.t_over_block_size(t_by_block_size(table, "A", HOSTILE)),
        two_systems.interval_widths(text_needed(table, "A", HOSTILE, resamples=20), "BLEU"),
        two_systems.drawn_deltas({"one": [0.0] * 5}, 0.0, "BLEU"),
        two_systems.block_differences([[1.0, 2.0]] * 2, equal_blocks(8, 2), ("A", HOSTILE), styles),
        score_bars(["A"], [3.0], styles, intervals=[nothing["A"]]),
    ):
        text = str(figure.to_json())
        assert "nan" not in text.lower().replace("reversescale", "")
    grid: Any = significance.comparison_grid(result, "BLEU")
    assert (grid.data[0].text[0][1], grid.data[0].text[1][0]) == ("+0.0", "")


def test_one_segment_one_block_and_no_size_of_block_are_drawn() -> None:
    short = Corpus({"A": ("the cat sat on a mat",), "B": ("a cat sat on mats",)}, {"R": ("the cat sat on the mat",)})
    table = evaluate(short).statistics
    figure: Any = two_systems.t_over_block_size(t_by_block_size(table, "A", "B"))
    assert [len(trace.x) for trace in figure.data] == [0, 0]
    one: Any = two_systems.block_differences([[1.0], [3.0]], equal_blocks(1, 1), ("A", "B"), theme.styles("AB"))
    assert (list(one.data[0].y), list(one.data[1].y)) == ([2.0], [2.0, 2.0])
    width: Any = two_systems.interval_widths(text_needed(table, "A", "B", resamples=20), "BLEU")
    assert (list(width.data[0].x), list(width.data[0].y)) == ([1], [0.0])


@pytest.mark.parametrize("systems", [2, 7, 20])
def test_many_systems_with_odd_names_are_drawn(found: Comparisons, systems: int) -> None:
    names = [f"<b>{k}</b> & $x^2$ %{{x}} {'long ' * 40}" for k in range(systems)]
    scores = np.linspace(20, 40, systems)
    pairs = tuple(
        Comparison(
            system=names[k],
            baseline=names[b],
            delta=(d := float(scores[k] - scores[b])),
            interval=Interval(d - 1, d + 1, 0.95),
            p_value=0.01,
            p_value_adjusted=0.01,
        )
        for k, b in all_pairs(names)
    )
    found = replace(found, systems=tuple(names), scores=scores, pairs=pairs)
    styles = theme.styles(names)
    intervals = {name: Interval(score - 1, score + 1, 0.95) for name, score in zip(names, scores.tolist(), strict=True)}
    grid: Any = significance.comparison_grid(found, "BLEU")
    lines: Any = significance.tier_lines(found, tiers(found), intervals=intervals, styles=styles, label="BLEU")
    baseline: Any = significance.against_baseline(replace(found, pairs=pairs[: systems - 1]), styles, "BLEU")
    assert np.shape(grid.data[0].text) == (systems, systems)
    assert len(lines.data) == systems
    assert len(lines.layout.shapes) == systems - 1
    assert len(baseline.data) == systems - 1
    assert grid.layout.height >= 38 * systems
    for figure in (grid, lines, baseline):
        title = (figure.layout.xaxis.title.text or "").split("<br>")  # a long title has several lines
        assert all("<" not in label for label in [*figure.layout.yaxis.ticktext, *title])
        assert max(map(len, figure.layout.yaxis.ticktext)) < 40


@pytest.mark.parametrize("label", [metric.label for metric in all_metrics().values()])
def test_figures_of_differences_name_the_metric(found: Comparisons, label: str) -> None:
    figure: Any = significance.tier_lines(found, tiers(found), intervals={}, styles=theme.styles(NAMES), label=label)
    assert figure.layout.xaxis.title.text == f"{label} (points)"
    assert f"<br>{label} " in figure.data[0].hovertemplate


def test_shares_of_draws_are_of_each_way_of_drawing_and_marks_stand_right() -> None:
    figure: Any = two_systems.drawn_deltas({"one": [1.0] * 10, "other": [-1.0] * 3 + [2.0]}, -1.5, "BLEU")
    one, other, zero, observed = figure.data
    assert sum(one.y) == pytest.approx(1)
    assert sum(other.y) == pytest.approx(1)
    at = one.x[int(np.argmax(one.y))]
    assert at == pytest.approx(1.0, abs=one.width)
    assert (list(zero.x), list(observed.x)) == ([0, 0], [-1.5, -1.5])
    assert observed.name == "observed, −1.50"


def test_differences_on_blocks_have_the_colour_of_who_is_ahead() -> None:
    styles = theme.styles(("old", "new"))
    scores = [[1.0, 5.0, 2.0], [3.0, 4.0, 2.0]]
    figure: Any = two_systems.block_differences(scores, equal_blocks(9, 3), ("old", "new"), styles)
    assert list(figure.data[0].y) == [2.0, -1.0, 0.0]
    assert figure.data[0].marker.color[:2] == (styles["new"].color, styles["old"].color)
    assert list(figure.data[1].y) == pytest.approx([1 / 3, 1 / 3])
    assert figure.data[1].name == "mean, +0.33"


def test_the_expected_width_is_dashed_and_crosses_twice_the_difference_where_it_should(
    varied: BleuEvaluation,
) -> None:
    needed = text_needed(varied.statistics, "B", "A", resamples=200)
    figure: Any = two_systems.interval_widths(needed, "BLEU")
    measured, expected, twice = figure.data
    assert (list(measured.x), list(measured.y)) == (needed.sizes.tolist(), needed.widths.tolist())
    assert expected.line.dash == "dash"
    assert expected.x[0] == pytest.approx(40)
    assert list(twice.y) == pytest.approx([2 * abs(needed.delta)] * 2)
    equal: Any = two_systems.interval_widths(replace(needed, delta=0.0), "BLEU")
    assert len(equal.data) == 2


def test_t_is_drawn_with_the_threshold_on_its_side(varied: BleuEvaluation) -> None:
    ahead, behind = (t_by_block_size(varied.statistics, *names) for names in (("C", "B"), ("B", "C")))
    for sizes, sign in ((ahead, 1), (behind, -1)):
        figure: Any = two_systems.t_over_block_size(sizes)
        t, threshold = figure.data
        assert list(t.y) == [None if math.isnan(test.t) else test.t for test in sizes.tests]
        assert list(t.x) == list(threshold.x) == sizes.sizes.tolist()
        assert list(threshold.y) == pytest.approx((sign * sizes.critical_t).tolist())
        assert math.copysign(1, t.y[-1]) == sign
        assert sizes.critical_t[0] == pytest.approx(2.0227, abs=1e-4)  # of 39 degrees of freedom


def test_scores_of_any_metric_name_it_and_its_unit_and_an_undefined_one_has_no_bar() -> None:
    figure: Any = score_bars(
        ["A", "B", "C"], [-1.5, math.nan, 0.5], theme.styles(["A", "B", "C"]), label="<b>Own", unit="%"
    )
    bars, numbers = figure.data
    assert figure.layout.xaxis.title.text == "&lt;b&gt;Own (%)"
    assert bars.x == (-1.5, None, 0.5)
    assert "&lt;b&gt;Own %{x:.2f}" in bars.hovertemplate
    assert [text.strip() for text in numbers.text] == ["−1.50", "undefined", "0.50"]
    low, high = figure.layout.xaxis.range
    assert low < -1.5
    assert high > 0.5


def test_many_blocks_are_drawn_as_differences_to_the_mean_of_the_block(varied: BleuEvaluation) -> None:
    found = block_scores(varied, equal_blocks(40, MAX_JOINED + 2))
    figure: Any = joined_blocks(found, theme.styles(NAMES))
    assert [trace.type for trace in figure.data] == ["box"] * len(NAMES)
    assert np.sum([trace.y for trace in figure.data], axis=0) == pytest.approx(np.zeros(MAX_JOINED + 2), abs=1e-9)
    assert figure.layout.yaxis.title.text == "BLEU minus mean of block (points)"


def test_a_legend_leaves_room_for_the_toolbar(differences: dict[str, Any]) -> None:
    for figure in differences.values():
        least = theme.TOOLBAR + (theme.LEGEND_ROW if figure.layout.showlegend else 0)
        assert figure.layout.margin.t >= least


def test_blocks_of_a_metric_of_which_lower_is_better_begin_with_the_highest(corpus: Corpus) -> None:
    found = block_scores(score_metric(corpus, evaluate(corpus), "wer"), equal_blocks(8, 4))
    drawn: tuple[Any, ...] = (
        block_distributions(found, theme.styles(NAMES)),
        joined_blocks(found, theme.styles(NAMES)),
    )
    assert found.corpus_scores.tolist() == sorted(found.corpus_scores.tolist(), reverse=True)
    for figure in drawn:
        shown: Any = figure
        assert shown.layout.xaxis.title.text == "system, highest WER first"
        assert shown.layout.yaxis.title.text == "WER of a block (points)"
        assert "<br>WER %{y:.2f}" in shown.data[-1].hovertemplate
    assert list(drawn[0].data[-1].customdata) == [[len(NAMES) - 1, b] for b in range(4)]
    assert {trace.customdata[0][1] for trace in drawn[1].data} == set(range(4))


def test_differences_on_blocks_have_the_colour_of_the_better_system() -> None:
    styles = theme.styles(["A", "B"])
    scores = [[10.0, 30.0], [20.0, 20.0]]
    for higher, better in ((True, ["B", "A"]), (False, ["A", "B"])):
        figure: Any = two_systems.block_differences(
            scores, equal_blocks(2, 2), ("A", "B"), styles, unit="%", higher_is_better=higher
        )
        assert list(figure.data[0].marker.color) == [styles[name].color for name in better]
        assert figure.layout.yaxis.title.text == "B minus A (%)"


# --- many systems -----------------------------------------------------------------------------------------------


def many_compared(systems: int) -> significance.ComparedSystems:
    corpus = many_systems(systems)
    scored = score_metric(corpus, evaluate(corpus), "bleu")
    pairs = all_pairs(scored.statistics.systems)
    return significance.ComparedSystems(
        comparisons=compare(scored.statistics, pairs, resamples=100), scored=scored, intervals={}, tested=True
    )


def test_the_grid_of_a_large_family_is_replaced_by_tiers_with_scores_and_wins() -> None:
    compared = many_compared(MANY)
    comparisons = compared.comparisons
    figure: Any = significance.PAIRS.drawn(compared, theme.styles(comparisons.systems))
    assert {trace.type for trace in figure.data} == {"scatter"}
    assert list(figure.layout.yaxis.categoryarray) == list(comparisons.ranked)
    assert not any("beats" in text for text in figure.layout.yaxis.ticktext)  # rows are too low for two lines
    score = dict(zip(comparisons.systems, comparisons.scores.tolist(), strict=True))
    wins = systems_beaten(comparisons)
    assert any(wins.values())
    assert [(note.y, note.text) for note in figure.layout.annotations] == [
        (name, f"{score[name]:.2f}" + (f", beats {wins[name]}" if wins[name] else "")) for name in comparisons.ranked
    ]
    assert len(significance.PAIRS.table(compared).rows) == MANY  # all pairs are in the numbers of the figure
    whole: Any = significance.PAIRS.drawn(many_compared(MAX_WITH_ALL_PAIRS), {})
    assert whole.data[0].type == "heatmap"


def many_blocks(systems: int, blocks: int = 4) -> BlockScores:
    evaluation = evaluate(many_systems(systems))
    return block_scores(evaluation, equal_blocks(evaluation.segments, blocks))


@pytest.mark.parametrize("violin", [False, True])
def test_blocks_of_many_systems_are_drawn_in_rows(*, violin: bool) -> None:
    found = many_blocks(MAX_SIDE_BY_SIDE + 1)
    assert is_sideways(found)
    figure: Any = block_distributions(found, theme.styles(found.systems), violin=violin)
    assert [list(trace.x) for trace in figure.data] == found.scores.tolist()
    assert [set(trace.y) for trace in figure.data] == [{name} for name in found.systems]
    assert {trace.orientation for trace in figure.data} == {"h"}
    assert list(figure.layout.yaxis.categoryarray) == list(found.systems)  # the worst at the bottom
    assert figure.layout.xaxis.title.text == "BLEU of a block (points)"
    assert "<br>BLEU %{x:.2f}" in figure.data[0].hovertemplate
    assert figure.layout.height >= 20 * len(found.systems)
    few: Any = block_distributions(many_blocks(MAX_SIDE_BY_SIDE), theme.styles(found.systems), violin=violin)
    assert {few.data[0].x[0]} <= set(found.systems)


def test_joined_blocks_of_many_systems_are_drawn_in_rows() -> None:
    found = many_blocks(MANY)
    figure: Any = joined_blocks(found, theme.styles(found.systems))
    lines = sorted(figure.data, key=lambda trace: trace.customdata[0][1])
    assert [list(trace.x) for trace in lines] == found.scores.T.tolist()
    assert all(list(trace.y) == list(found.systems) for trace in lines)
    low, high = figure.layout.annotations
    assert (low.xanchor, high.xanchor) == ("right", "left")
    assert low.x < high.x
    ends = {f"block {b + 1}": found.scores[-1, b] for b in steepest_blocks(found)}
    assert {note.text: note.x for note in (low, high)} == ends


def test_differences_to_the_mean_of_many_blocks_and_systems_are_drawn_in_rows() -> None:
    found = many_blocks(MANY, MAX_JOINED + 2)
    figure: Any = joined_blocks(found, theme.styles(found.systems))
    assert np.sum([trace.x for trace in figure.data], axis=0) == pytest.approx(np.zeros(MAX_JOINED + 2), abs=1e-9)
    assert figure.layout.xaxis.title.text == "BLEU minus mean of block (points)"
