"""Scores in plain lines, as BLEURT writes them and comet-score and sacreBLEU print them."""

from __future__ import annotations

import re

import pytest

from bleu_core.dataset import Column, FilePart, fit
from bleu_core.errors import AlignmentError, FormatError
from bleu_core.formats import inspect, read

#: What comet-score prints (comet/cli/score.py of Unbabel COMET 2.2): the segments of all systems, then the systems.
COMET = (
    "out/A.txt\tSegment 0\tscore: 0.7000\nout/B.txt\tSegment 0\tscore: 0.6000\nout/A.txt\tSegment 1\tscore: 0.9200\n"
    "out/B.txt\tSegment 1\tscore: 0.7650\nout/A.txt\tscore: 0.8100\nout/B.txt\tscore: 0.6825\n"
)
SIGNATURE = "BLEU|nrefs:1|case:mixed|eff:yes|tok:13a|smooth:exp|version:2.6.0"
#: What `sacrebleu ref.txt -i A.txt -m bleu --sentence-level` of sacreBLEU 2.6.0 prints.
SENTENCES = (
    f"{SIGNATURE} = 70.2 90.9/80.0/66.7/50.0 (BP = 1.000 ratio = 1.000 hyp_len = 11 ref_len = 11)\n"
    f"{SIGNATURE} = 67.0 83.3/72.7/60.0/55.6 (BP = 1.000 ratio = 1.000 hyp_len = 12 ref_len = 12)\n"
)


def parts(*texts: str) -> list[FilePart]:
    columns = [Column("reference", "ref", ("x", "y")), *(Column("system", text, ("x", "z")) for text in texts)]
    return [FilePart("texts", columns=tuple(columns))]


def test_numbers_alone_are_the_scores_of_the_system_of_the_files_name() -> None:
    (table,) = read(b"0.7\n0.92\n", "dir/A.scores", "scores").scores
    assert (table.name, table.systems, table.scores.tolist(), table.numbered) == ("score", ("A",), [[0.7, 0.92]], False)


def test_what_comet_score_prints_has_scores_of_segments_and_systems() -> None:
    assert inspect(COMET.encode(), "comet.txt").format == "score-lines"
    (table,) = read(COMET.encode(), "comet.txt", "scores").scores
    assert (table.name, table.scores.tolist()) == ("COMET", [[0.7, 0.92], [0.6, 0.765]])
    assert dict(table.scores_of_systems) == {"A": 0.81, "B": 0.6825}
    with_variance = re.sub(r"(Segment.*)", "\\1\tvariance: 0.1000", COMET)
    assert read(with_variance.encode(), "c.txt", "scores").scores[0].scores.tolist() == table.scores.tolist()


def test_scores_of_systems_alone_are_of_systems() -> None:
    (table,) = read(b"A.txt\tscore: 0.8100\nB.txt\tscore: 0.6825\n", "comet.txt", "scores").scores
    assert (table.level, dict(table.scores_of_systems)) == ("system", {"A": 0.81, "B": 0.6825})


def test_what_sacrebleu_prints_for_sentences_is_scores_of_segments() -> None:
    assert inspect(SENTENCES.encode(), "A.log").role == "scores"
    (table,) = read(SENTENCES.encode(), "A.log", "scores").scores
    assert (table.name, table.systems, table.scores.tolist()) == ("BLEU", ("A",), [[70.2, 67.0]])


def test_a_line_per_metric_of_sacrebleu_is_the_score_of_the_system() -> None:
    printed = f"  {SIGNATURE} = 70.0 87.9/76.0/65.2/55.0 (BP = 1.000)\nchrF2|nrefs:1|nc:6 = 81.3\n"
    bleu, chrf = read(printed.encode(), "A.txt", "scores", format="score-lines").scores
    assert (bleu.level, bleu.system_scores.tolist(), chrf.system_scores.tolist()) == ("system", [70.0], [81.3])
    assert (bleu.name, chrf.name) == ("BLEU", "chrF2")


@pytest.mark.parametrize("content", ["0.5\n0.25\n", "-3\n-1\n", "1e-2\n.5\nnan\n", "1\n2\n3\n"])
def test_a_list_of_numbers_is_recognised_as_scores_and_not_as_an_output(content: str) -> None:
    assert inspect(content.encode(), "A.txt").role == "scores"


@pytest.mark.parametrize(
    ("content", "name", "role"),
    [
        ("1\n1\n2\n2\n2\n3\n3\n3\n", "a.txt", "document"),
        ("0.5\n0.25\n", "ref.txt", "reference"),
        ("42\n", "A.txt", "system"),
        ("42\none\n", "A.txt", "system"),
        ("3 apples\n4\n", "A.txt", "system"),
    ],
)
def test_documents_references_and_texts_with_numbers_stay_what_they_are(content: str, name: str, role: str) -> None:
    assert inspect(content.encode(), name).role == role


def test_an_output_of_numbers_is_text_if_it_is_given_as_a_system() -> None:
    (column,) = read(b"1\n2\n", "A.txt", "system").columns
    assert column.segments == ("1", "2")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("0.5\nhello\n", "A.txt, line 2: 'hello' found, a score expected as in line 1"),
        ("hello\n", "A.txt, line 1: 'hello' found, a number expected"),
        ("0.5\n\n0.5\n", "A.txt, line 2: '' found, a score expected as in line 1"),
        ("nan\nnan\n", "A.txt: no score found, at least 1 expected"),
        ("A\tSegment 0\tscore: 1\nA\tSegment 2\tscore: 1\n", "A.txt, line 2: segment 2 of A found, 1 expected"),
        (
            "A\tSegment 0\tscore: 1\nB\tSegment 0\tscore: 1\nA\tSegment 1\tscore: 1\nC\tSegment 0\tscore: 1\n",
            "A.txt: 2 scores of A found, 1 expected as for the other systems",
        ),
        ("x/A.txt\tscore: 1\ny/A.txt\tscore: 2\n", "A.txt: both 'x/A.txt' and 'y/A.txt' are scores of A; rename"),
    ],
)
def test_other_lines_are_refused(content: str, message: str) -> None:
    with pytest.raises(FormatError, match=f"^{re.escape(message)}"):
        read(content.encode(), "A.txt", "scores", format="score-lines")


def test_scores_of_systems_in_several_files_are_one_metric() -> None:
    tables = [
        read(content, name, "scores").scores[0] for name, content in (("A.scores", b"1\n2"), ("B.scores", b"3\n4"))
    ]
    found = fit([*parts("A", "B"), *(FilePart(table.origin, scores=table) for table in tables)], refuse=True)
    (table,) = found.scores
    assert (table.name, table.scores.tolist()) == ("score", [[1, 2], [3, 4]])


@pytest.mark.parametrize(
    ("name", "option"),
    [
        ("comet_B.scores", "comet_B.scores=score-lines:system=B"),
        ("my bleurt.txt", "'my bleurt.txt=score-lines:system=A', or another of these systems"),
    ],
)
def test_scores_of_a_system_that_is_not_loaded_are_refused_with_the_option_that_names_it(
    name: str, option: str
) -> None:
    (table,) = read(b"1\n2\n", name, "scores", format="score-lines").scores
    with pytest.raises(AlignmentError) as caught:
        fit([*parts("A", "B"), FilePart(name, scores=table)], refuse=True)
    assert str(caught.value).endswith(f"; name the system of the scores with --format-of {option}")
