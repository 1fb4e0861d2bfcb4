"""The table of systems by several metrics in LaTeX: it fits a page of one column and of two, whatever names are."""

from __future__ import annotations

import itertools
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import sample
from calls import HOSTILE
from tex import TEX, compiled

from bleu_core.dataset import ScoreTable
from bleu_core.fields import Table
from bleu_core.inference import compare, ranked_pairs, score_intervals
from bleu_core.results.latex import Layout, to_latex
from bleu_core.results.metric_scores import MetricColumn, metric_scores_table
from bleu_core.scoring import evaluate, metric_of_scores, score_metric

SYSTEMS = 8
SEGMENTS = 40
PLAIN = tuple(f"system-{letter}" for letter in "ABCDEFGH")
COMPUTED = ("bleu", "chrf2", "chrf2++", "ter")
UPLOADED = ("COMET-22", "MetricX-24-Hybrid-XL")

#: Systems and metrics of files.
NAMES: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "plain": (PLAIN, UPLOADED),
    "hostile systems": (HOSTILE[:SYSTEMS], UPLOADED),
    "hostile metrics": (PLAIN, HOSTILE[5:7]),
    "other hostile systems": (HOSTILE[SYSTEMS : 2 * SYSTEMS], UPLOADED),
    "other hostile metrics": (PLAIN, HOSTILE[7:9]),
}

#: Options of the class article -> the layouts that fit.
LAYOUTS: dict[str, tuple[Layout, ...]] = {
    "": ("table", "longtable", "two columns"),
    "12pt": ("table",),
    "twocolumn": ("table", "two columns"),
}


def table(systems: tuple[str, ...], uploaded: tuple[str, ...], *, tiers: bool, intervals: bool) -> Table:
    """The table of eight systems by six metrics."""
    corpus = sample.corpus().subset(range(SEGMENTS))
    texts = list(corpus.systems.values())
    # Each system has the segments of two of the sample's, in turn.
    mixed = {
        name: tuple(texts[(k + (n % (k + 2) == 0)) % len(texts)][n] for n in range(SEGMENTS))
        for k, name in enumerate(systems)
    }
    corpus = replace(corpus, systems=mixed)
    evaluation = evaluate(corpus)
    draw = np.random.default_rng(1)
    scores = {name: draw.uniform(-25 * k, 100 - 99 * k, (len(systems), SEGMENTS)) for k, name in enumerate(uploaded)}
    metrics = [
        *COMPUTED,
        *(
            metric_of_scores(ScoreTable(name=name, systems=systems, scores=of, system_scores=of.mean(axis=1)))
            for name, of in scores.items()
        ),
    ]
    scored = [score_metric(corpus, evaluation, metric) for metric in metrics]
    columns = [
        MetricColumn(
            scored=metric,
            intervals=score_intervals(metric) if intervals else None,
            comparisons=compare(metric.statistics, ranked_pairs(metric.statistics), resamples=100) if tiers else None,
            not_ranked=systems[:1],
        )
        for metric in scored
    ]
    return metric_scores_table(columns)


@pytest.mark.skipif(TEX is None, reason="no TeX is installed")
@pytest.mark.parametrize(
    "names", [*list(NAMES)[:3], *(pytest.param(name, marks=pytest.mark.slow) for name in list(NAMES)[3:])]
)
def test_six_metrics_of_eight_systems_fit_a_page_of_one_column_and_of_two(names: str, tmp_path: Path) -> None:
    systems, uploaded = NAMES[names]
    caption = "Scores of systems, and what is said of them. " * 3
    shown = [
        table(systems, uploaded, tiers=tiers, intervals=intervals)
        for tiers, intervals in itertools.product((False, True), repeat=2)
    ]
    for options, layouts in LAYOUTS.items():
        tables = [to_latex(of, caption, f"s{n}", layout=layout) for n, of in enumerate(shown) for layout in layouts]
        said = compiled(tmp_path, "\n\n".join(tables), packages="booktabs,longtable", options=options)
        assert "Overfull \\hbox" not in said, options


def test_tiers_are_superscripts_and_intervals_are_below_the_scores() -> None:
    latex = to_latex(table(PLAIN, UPLOADED, tiers=True, intervals=True), "Scores", "s")
    lines = latex.split("\n")
    assert lines[0] == r"\begin{table*}"
    assert r"\caption{Scores Below a score: its 95\% interval. Superscript: tier.}" in lines
    rows = [line for line in lines if line.startswith("system-")]
    assert [row.split(" & ")[0] for row in rows] == list(PLAIN)
    for row in rows:
        assert re.search(r"\\textsuperscript\{\d\}", row)
        below = lines[lines.index(row) + 1].split(" & ")
        assert row.endswith(r"\\*")
        assert below[0] == ""
        assert re.fullmatch(r"\{\\(scriptsize|tiny) \d+\.\d\d–\d+\.\d\d\}", below[1])


def test_the_best_ranked_score_of_each_metric_is_bold() -> None:
    shown = table(PLAIN, UPLOADED, tiers=False, intervals=False)
    rows = [line.removesuffix(r" \\").split(" & ") for line in to_latex(shown).split("\n") if line[:7] == "system-"]
    for place, lowest in enumerate((False, False, False, True, False, False), start=1):
        values = {
            row[0]: float(row[place].removeprefix(r"\textbf{").removesuffix("}").replace("$-$", "-")) for row in rows
        }
        ranked = [value for name, value in values.items() if name != PLAIN[0]]
        best = min(ranked) if lowest else max(ranked)
        bold = {row[0] for row in rows if "textbf" in row[place]}
        assert bold == {name for name, value in values.items() if value == best and name != PLAIN[0]}
