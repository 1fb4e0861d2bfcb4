"""Tables in LaTeX: best values, intervals, minus signs, captions, and that TeX takes them."""

from __future__ import annotations

import math
import re
from pathlib import Path

import pytest
import sample
from calls import HOSTILE
from tex import TEX, compiled

from bleu_core.fields import Field, Table
from bleu_core.results.latex import PAGE_ROWS, Layout, to_latex
from bleu_core.results.scores import score_table
from bleu_core.scoring import evaluate, score_metric

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
    corpus = sample.corpus().subset(range(10))
    evaluation = evaluate(corpus)
    of_bleu, of_ter = score_table(evaluation), score_table(score_metric(corpus, evaluation, "ter"))
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


LONG = Table(SCORES.columns, tuple((f"S{n:03}", 20.0 + n, 19.0, 21.0, -1.5) for n in range(2 * PAGE_ROWS + 6)))


def test_a_long_table_repeats_its_header_on_every_page_and_has_each_row_once() -> None:
    written = to_latex(LONG, "Scores & more", "scores", layout="longtable").split("\n")
    assert written[1:3] == [r"\begin{longtable}{lrrr}", r"\caption{Scores \& more}\label{tab:scores}\\"]
    assert written[-1] == r"\end{longtable}"
    header = r"system & BLEU & BLEU interval & delta \\"
    assert written.count(header) == 2
    ends = [written.index(rf"\end{end}") for end in ("firsthead", "head", "foot", "lastfoot")]
    assert ends == sorted(ends)
    assert [written.index(header) < ends[0], header in written[ends[0] : ends[1]]] == [True, True]
    rows = written[ends[-1] + 1 : -1]
    assert [row.split(" & ")[0] for row in rows] == [row[0] for row in LONG.rows]
    assert all(row.count("&") == 3 for row in rows)


def test_a_long_table_in_two_columns_is_several_floats_with_one_number() -> None:
    written = to_latex(LONG, "Scores", "scores", layout="two columns")
    floats = written.split(r"\begin{table*}")[1:]
    assert len(floats) == 3
    assert [part.count(r"\end{table*}") for part in floats] == [1, 1, 1]
    assert [r"\addtocounter{table}{-1}" in part for part in floats] == [False, True, True]
    labels = [re.findall(r"\\label\{(.*?)\}", part) for part in floats]
    assert labels == [["tab:scores"], ["tab:scores-2"], ["tab:scores-3"]]
    captions = [re.findall(r"\\caption\{(.*)\}", part)[0] for part in floats]
    assert captions == ["Scores (part 1 of 3)", "Continued (part 2 of 3)", "Continued (part 3 of 3)"]
    rows = [re.findall(r"^S\d{3}", part, re.MULTILINE) for part in floats]
    assert [name for part in rows for name in part] == [row[0] for row in LONG.rows]
    assert max(map(len, rows)) == PAGE_ROWS


@pytest.mark.skipif(TEX is None, reason="no TeX is installed")
def test_tex_takes_tables_with_hostile_names(tmp_path: Path) -> None:
    rows = tuple((name, 20.0 + n, 19.0, 21.0, -1.5) for n, name in enumerate(HOSTILE))
    hostile = Table(SCORES.columns, rows)
    caption = "Scores of ".join(HOSTILE)
    compiled(tmp_path, to_latex(hostile, caption, "hostile"), packages="booktabs")
    compiled(tmp_path, to_latex(hostile, caption, "h", layout="longtable"), packages="booktabs,longtable")
    compiled(tmp_path, to_latex(hostile, caption, "h", layout="two columns"), packages="booktabs", options="twocolumn")


@pytest.mark.skipif(TEX is None, reason="no TeX is installed")
def test_tex_sets_long_tables_on_several_pages_of_which_none_is_too_long(tmp_path: Path) -> None:
    caption = "Scores of many systems, with intervals and differences. " * 4
    layouts: tuple[tuple[Layout, str, str, int], ...] = (
        ("longtable", "booktabs,longtable", "", 2),
        ("two columns", "booktabs", "twocolumn", 3),
    )
    for layout, packages, options, pages in layouts:
        said = compiled(tmp_path, to_latex(LONG, caption, "s", layout=layout), packages=packages, options=options)
        assert "Overfull \\vbox" not in said
        assert "Float too large" not in said
        if TEX != "tectonic":
            assert f"({pages} page" in " ".join(said.split())
