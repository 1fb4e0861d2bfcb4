"""Tables in LaTeX: best values, intervals, minus signs, captions, and that TeX takes them."""

from __future__ import annotations

import math
import shutil
import subprocess
from pathlib import Path

import pytest
import sample
from calls import HOSTILE

from bleu_core.fields import Field, Table
from bleu_core.results.latex import to_latex
from bleu_core.results.scores import metric_score_table, score_table
from bleu_core.scoring import evaluate, metric

TEX = next((name for name in ("tectonic", "lualatex", "xelatex", "pdflatex") if shutil.which(name)), None)

SCORES = Table(
    {
        "system": Field("text"),
        "bleu": Field("points", label="BLEU", best="highest"),
        "bleu_low": Field("points", label="BLEU low"),
        "bleu_high": Field("points", label="BLEU high"),
        "delta": Field("difference"),
    },
    (
        ("A", 20.001, 19.0, 21.0, -1.5),
        ("B", 20.004, 19.2, 21.4, 0.25),
        ("C", 18.5, 17.0, 19.5, 0.0),
        ("D", math.nan, math.nan, math.nan, math.nan),
    ),
)


def lines(table: Table) -> list[str]:
    return to_latex(table).split("\n")


def test_values_that_are_printed_like_the_best_are_bold_and_intervals_have_one_column() -> None:
    assert lines(SCORES) == [
        r"\begin{tabular}{lrrr}",
        r"\toprule",
        r"system & BLEU & BLEU interval & delta \\",
        r"\midrule",
        r"A & \textbf{20.00} & 19.00 to 21.00 & $-$1.50 \\",
        r"B & \textbf{20.00} & 19.20 to 21.40 & +0.25 \\",
        r"C & 18.50 & 17.00 to 19.50 & +0.00 \\",
        r"D &  &  &  \\",
        r"\bottomrule",
        r"\end{tabular}",
    ]


def test_nothing_is_bold_where_all_values_are_printed_alike() -> None:
    assert r"\textbf" not in to_latex(Table(SCORES.columns, SCORES.rows[:2]))


def test_the_best_is_the_lowest_where_lower_is_better() -> None:
    corpus = sample.corpus().take(range(10))
    evaluation = evaluate(corpus)
    of_bleu, of_ter = score_table(evaluation), metric_score_table(metric(corpus, evaluation, "ter"))
    for table, place, best in ((of_bleu, 1, max), (of_ter, 1, min)):
        row = best(table.rows, key=lambda row, place=place: float(row[place]))
        (bold,) = [line for line in lines(table) if line.split(" & ")[1:2] and r"\textbf" in line.split(" & ")[1]]
        assert bold.startswith(f"{row[0]} & ")


def test_a_caption_and_a_label_make_a_float() -> None:
    written = to_latex(SCORES, "Scores & more. nrefs:1|case:mixed", "two systems_1").split("\n")
    assert written[:4] == [
        r"\begin{table}",
        r"\centering",
        r"\caption{Scores \& more. nrefs:1\textbar{}case:mixed}",
        r"\label{tab:two-systems-1}",
    ]
    assert written[-1] == r"\end{table}"


@pytest.mark.skipif(TEX is None, reason="no TeX is installed")
def test_tex_takes_tables_with_hostile_names(tmp_path: Path) -> None:
    rows = tuple((name, 20.0 + n, 19.0, 21.0, -1.5) for n, name in enumerate(HOSTILE))
    table = to_latex(Table(SCORES.columns, rows), "Scores of ".join(HOSTILE), "hostile")
    page = [r"\documentclass{article}", r"\usepackage{booktabs}", r"\begin{document}", table, r"\end{document}"]
    (tmp_path / "a.tex").write_text("\n".join(page), encoding="utf-8")
    options = [] if TEX == "tectonic" else ["-interaction=nonstopmode", "-halt-on-error"]
    run = subprocess.run([str(TEX), *options, "a.tex"], cwd=tmp_path, capture_output=True, check=False)
    assert run.returncode == 0, run.stdout.decode(errors="replace")[-2000:]
    assert (tmp_path / "a.pdf").stat().st_size > 1000
