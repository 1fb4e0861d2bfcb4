"""Ratings and scores with a column per judge, criterion, metric or system; options that refusals print are run."""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping, Sequence

import numpy as np
import pytest

from bleu_core.dataset import Judgments
from bleu_core.errors import FormatError
from bleu_core.formats import Contents, FileRole, ReadOptions, format_choices, inspect, parse_columns, read

#: Ratings of the segments of A and B, and their means.
RATINGS = {"A": (4, 3, 4, 5, 3, 4, 5, 4, 4, 4, 3, 5), "B": (3, 2, 2, 3, 4, 4, 3, 3, 4, 4, 4, 4)}
MEANS = {"A": 4.0, "B": 40 / 12}
#: Scores likewise.
SCORES = {"A": tuple(0.7 + 0.02 * i for i in range(12)), "B": tuple(0.6 + 0.015 * i for i in range(12))}
MEAN_SCORES = {"A": 0.81, "B": 0.6825}


def long(header: str, values: Mapping[str, Sequence[float]], row: str) -> str:
    """A table with a row per system and segment, in which {n} is the segment, {s} the system and {v} the value."""
    rows = (
        row.format(s=system, n=n, v=value) for system, own in values.items() for n, value in enumerate(own, start=1)
    )
    return "\n".join([header, *rows]) + "\n"


def wide(header: str, values: Mapping[str, Sequence[float]], *, numbered: bool = True, reverse: bool = False) -> str:
    """A table with a row per segment and a column per system."""
    rows = [
        ",".join([*([str(n)] if numbered else []), *(f"{value:g}" for value in own)])
        for n, own in enumerate(zip(*values.values(), strict=True), start=1)
    ]
    return "\n".join([header, *(rows[::-1] if reverse else rows)]) + "\n"


def loaded(content: str, role: FileRole, name: str = "f.csv") -> Contents:
    return read(content.encode(), name, role)


def judgments_of(contents: Contents) -> Judgments:
    assert contents.judgments is not None
    return contents.judgments


def refused(content: str, role: FileRole, name: str = "f.csv") -> tuple[str, list[Contents]]:
    """Return the message with which a file is refused, and the file read with each option that it prints."""
    with pytest.raises(FormatError) as caught:
        loaded(content, role, name)
    message = str(caught.value)
    contents: list[Contents] = []
    for option, value in re.findall(r"--(format-of|columns) ('[^']*'|[^\s;]+)", message):
        (given,) = shlex.split(value)
        if option == "columns":
            columns = parse_columns(given.replace(f"{name}:", ""))
            contents.append(read(content.encode(), name, role, ReadOptions(columns=columns)))
        else:
            choice = format_choices([given], [name])[name]
            contents.append(read(content.encode(), name, role, format=choice.format, own=dict(choice.own)))
    return message, contents


@pytest.mark.parametrize(
    "content",
    [
        wide("segment,A,B", RATINGS),
        wide("Segment ID,A,B", RATINGS, reverse=True),
        wide("id,A,B", RATINGS, reverse=True),
        wide("#,A,B", RATINGS),
        wide(",A,B", RATINGS, reverse=True),
        wide("Satz,A,B", RATINGS).replace("Satz", "Nr."),
        wide("segment,A,B", RATINGS).replace(",", ";"),
        wide("segment,A,B", RATINGS).replace(",", "\t"),
    ],
)
def test_a_column_per_system_has_the_ratings_of_the_segments(content: str) -> None:
    contents = loaded(content, "judgments")
    found = judgments_of(contents)
    assert dict(found.system_means()) == pytest.approx(MEANS)
    by_system = {system: own.sort_values("segment") for system, own in found.table.groupby("system")}
    assert {system: tuple(own["score"]) for system, own in by_system.items()} == RATINGS
    assert contents.report.notes == ("columns A, B read as the ratings of the systems",)


def test_a_wrong_cell_in_a_column_of_a_system_is_an_error_and_does_not_remove_the_system() -> None:
    with pytest.raises(FormatError, match=r"^f\.csv, line 13: score 'x' found, a number expected$"):
        loaded(wide("segment,A,B", RATINGS).removesuffix("4\n") + "x\n", "judgments")


def test_a_judge_per_row_has_ratings_of_all_systems_in_it() -> None:
    content = "segment,judge,A,B\n1,x,4,3\n1,y,2,1\n"
    rows = judgments_of(loaded(content, "judgments")).table[["segment", "judge", "system", "score", "line"]]
    assert rows.astype(object).to_numpy().tolist() == [
        [1, "x", "A", 4, 2],
        [1, "y", "A", 2, 3],
        [1, "x", "B", 3, 2],
        [1, "y", "B", 1, 3],
    ]


@pytest.mark.parametrize("names", [("judge 1", "judge 2"), ("Rater_A", "Rater_B"), ("annotator1", "annotator2")])
def test_a_column_per_judge_has_the_ratings_of_judges(names: tuple[str, str]) -> None:
    content = long(f"system,segment,{','.join(names)}", RATINGS, "{s},{n},{v},1")
    contents = loaded(content, "judgments")
    found = judgments_of(contents)
    assert [judge.name for judge in found.judges] == list(names)
    assert dict(found.system_means()) == pytest.approx({name: (mean + 1) / 2 for name, mean in MEANS.items()})
    assert inspect(content.encode(), "f.csv").role == "judgments"
    assert contents.report.notes == (f"columns {', '.join(names)} read as the ratings",)


def test_a_missing_rating_of_a_judge_is_counted_as_one() -> None:
    contents = loaded("system,segment,judge 1,judge 2\nA,1,4,\nA,2,3,2\n", "judgments")
    assert len(judgments_of(contents).rated) == 3
    assert [rows.count for rows in contents.report.unused_rows] == [1]


def test_one_criterion_is_the_rating_in_json_of_label_studio() -> None:
    rows = ", ".join(
        f'{{"segment": {n}, "system": "{system}", "id": {n}, "adequacy": {value}, "annotator": 1, "lead_time": 5.2}}'
        for system, own in RATINGS.items()
        for n, value in enumerate(own, start=1)
    )
    contents = loaded(f"[{rows}]", "judgments", "min.json")
    assert dict(judgments_of(contents).system_means()) == pytest.approx(MEANS)
    assert contents.report.notes == ("column adequacy read as the rating",)


def test_of_several_criteria_the_overall_one_is_used_and_the_others_are_named() -> None:
    contents = loaded(long("system,segment,adequacy,overall quality", RATINGS, "{s},{n},1,{v}"), "judgments")
    assert dict(judgments_of(contents).system_means()) == pytest.approx(MEANS)
    (note,) = contents.report.notes
    assert note == (
        "column overall quality read as the rating; not used: adequacy; to use others, "
        "--format-of f.csv=ratings:score=adequacy"
    )


def test_a_criterion_beside_the_score_is_named() -> None:
    contents = loaded(long("system,segment,score,fluency,comment", RATINGS, "{s},{n},{v},1,good"), "judgments")
    assert dict(judgments_of(contents).system_means()) == pytest.approx(MEANS)
    assert "not used: fluency" in " ".join(contents.report.notes)


@pytest.mark.parametrize(
    ("content", "name", "beginning"),
    [
        (
            long("system,segment,judge,adequacy,fluency", RATINGS, "{s},{n},j,{v},2"),
            "f.csv",
            "f.csv, line 1: columns adequacy, fluency found, one column of ratings expected; use ",
        ),
        (
            long("system,segment,adequacy,fluency", RATINGS, "{s},{n},{v},2"),
            "f.csv",
            "f.csv, line 1: columns adequacy, fluency found, one column of ratings expected; use --format-of f.csv=ra",
        ),
        (
            long("system,segment,Anna,Ben", RATINGS, "{s},{n},{v},{v}"),
            "my file.csv",
            "my file.csv, line 1: columns Anna, Ben found, a column called score expected; use ",
        ),
        (
            long("system,segment,judge,judge 1,judge 2", RATINGS, "{s},{n},x,{v},{v}"),
            "f.csv",
            "f.csv, line 1: columns judge 1, judge 2 found, one column of ratings beside that of the",
        ),
        (
            wide("A,B", RATINGS, numbered=False),
            "f.csv",
            "f.csv, line 1: no column system in the header (A, B); one of system, system_id, sys,",
        ),
        (
            wide('"A, old","B=x"', RATINGS, numbered=False),
            "f.csv",
            "f.csv, line 1: no column system in the header (A, old, B=x); ",
        ),
    ],
)
def test_the_first_option_that_a_refusal_prints_reads_the_ratings(content: str, name: str, beginning: str) -> None:
    message, (first, *_) = refused(content, "judgments", name)
    assert message.startswith(beginning)
    means = dict(judgments_of(first).system_means())
    assert list(means.values()) == pytest.approx(list(MEANS.values()))


def test_ranks_and_rows_without_a_header_are_refused_without_an_option() -> None:
    ranks = long("system,segment,rank", RATINGS, "{s},{n},{v}")
    with pytest.raises(FormatError, match=r"column rank found, .*; write scores in its place, in which higher is b"):
        loaded(ranks, "judgments")
    with pytest.raises(FormatError, match=r"no column system in the header \(A, 1, 4\); [^;]* expected$"):
        loaded(long("A,1,4", RATINGS, "{s},{n},{v}"), "judgments")


@pytest.mark.parametrize("header", ["segment,score", "segment,adequacy"])
def test_ratings_of_one_system_are_read_if_the_option_names_it(header: str) -> None:
    content = wide(header, {"A": RATINGS["A"]})
    message, (first, *_) = refused(content, "judgments", "A.csv")
    assert "--format-of A.csv=ratings:system=A" in message
    assert dict(judgments_of(first).system_means()) == {"A": 4.0}


def test_several_columns_of_judges_are_chosen_together() -> None:
    content = long("system,segment,Anna,Ben", RATINGS, "{s},{n},{v},1")
    _, (_, both) = refused(content, "judgments")
    assert [judge.name for judge in judgments_of(both).judges] == ["Anna", "Ben"]


def test_a_column_that_is_not_in_the_header_is_refused() -> None:
    with pytest.raises(FormatError, match=r"^f\.csv, line 1: no column 'x' in the header; columns of numbers: Anna$"):
        read(b"system,segment,Anna,note\nA,1,2,good\n", "f.csv", "judgments", format="ratings", own={"score": "x"})


@pytest.mark.parametrize(
    "content",
    [
        wide("segment,A,B", SCORES),
        wide("#,A,B", SCORES, reverse=True),
        wide("A,B", SCORES, numbered=False),
    ],
)
def test_a_column_per_system_has_its_scores(content: str) -> None:
    contents = loaded(content, "scores", "COMET.csv")
    (table,) = contents.scores
    assert (table.name, table.systems, table.level) == ("COMET", ("A", "B"), "segment")
    np.testing.assert_allclose(table.scores, list(SCORES.values()))
    assert dict(table.scores_of_systems) == pytest.approx(MEAN_SCORES)
    assert contents.report.notes == ("columns A, B read as the scores of the systems",)


def test_columns_of_metrics_have_the_scores_of_systems_in_a_column() -> None:
    content = long("system,segment,COMET,MetricX", SCORES, "{s},{n},{v:g},2.5")
    assert inspect(content.encode(), "f.csv").role == "scores"
    comet, metricx = loaded(content, "scores").scores
    assert dict(comet.scores_of_systems) == pytest.approx(MEAN_SCORES)
    assert (comet.higher_is_better, metricx.higher_is_better) == (True, False)
    assert (comet.name, metricx.name, comet.numbered) == ("COMET", "MetricX", True)


def test_metrics_of_systems_without_segments_are_of_systems() -> None:
    comet, bleu = loaded("system,COMET,BLEU\nA,0.81,30\nB,0.6825,29\n", "scores").scores
    assert (comet.level, dict(comet.scores_of_systems)) == ("system", MEAN_SCORES)
    assert dict(bleu.scores_of_systems) == {"A": 30, "B": 29}


def test_chosen_columns_keep_the_numbers_of_the_rows() -> None:
    content = wide("id,A,B", SCORES, reverse=True).encode()
    (table,) = read(content, "COMET.csv", "scores", format="scores", own={"score": "A+B"}).scores
    np.testing.assert_allclose(table.scores, list(SCORES.values()))
    ratings = judgments_of(read(content, "f.csv", "judgments", format="ratings", own={"score": "A+B"}))
    assert ratings.table["segment"].tolist() == [*range(12, 0, -1)] * 2


def test_sources_beside_a_column_per_system_are_those_of_its_ratings() -> None:
    table = judgments_of(loaded("segment,source,A,B\n1,Eins ist da.,4,3\n2,Zwei gibt es.,2,1\n", "judgments")).table
    assert table["source_text"].tolist() == ["Eins ist da.", "Zwei gibt es."] * 2


def test_rows_of_metrics_have_a_column_per_system() -> None:
    comet, chrf = loaded("metric,A,B\nCOMET,0.81,0.6825\nchrF,60,50\n", "scores").scores
    assert (comet.name, comet.level, dict(comet.scores_of_systems)) == ("COMET", "system", MEAN_SCORES)
    assert dict(chrf.scores_of_systems) == {"A": 60, "B": 50}


@pytest.mark.parametrize("header", ["segment,COMET", "segment,score", "COMET"])
def test_scores_of_one_system_are_of_that_of_the_files_name(header: str) -> None:
    content = wide(header, {"A": SCORES["A"]}, numbered="segment" in header)
    (table,) = loaded(content, "scores", "A.csv").scores
    assert (table.systems, table.name) == (("A",), header.rpartition(",")[2])
    np.testing.assert_allclose(table.scores, [SCORES["A"]])


@pytest.mark.parametrize(
    ("content", "systems"),
    [
        (long("system,segment,quality-x2,other", SCORES, "{s},{n},{v:g},1"), ("A", "B")),
        (wide("segment,comet-mbr,B", SCORES), ("comet-mbr", "B")),
    ],
)
def test_the_first_option_that_a_refusal_prints_reads_the_scores(content: str, systems: tuple[str, ...]) -> None:
    _, (first, *_) = refused(content, "scores")
    (table,) = first.scores
    assert table.systems == systems
    assert table.system_scores.tolist() == pytest.approx(list(MEAN_SCORES.values()))


def test_two_columns_of_one_metric_are_refused() -> None:
    with pytest.raises(FormatError, match=r"^f\.csv, line 1: 2 columns have scores of COMET; keep one$"):
        loaded("system,segment,COMET,COMET\nA,1,1,2\n", "scores")
