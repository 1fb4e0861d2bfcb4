"""Slices of marked errors: their number, categories and severities, by system and judge."""

from __future__ import annotations

import numpy as np
import pytest

from bleu_core.dataset import Corpus, Judgments, MarkedError, ScoreTable
from bleu_core.errors import AlignmentError, SettingsError
from bleu_core.slicing import FIELDS_OF_ERRORS, FIELDS_OF_RATINGS, fields_in, parse, quoted, slice_corpus

CORPUS = Corpus({"A": ("a", "b", "c", "d"), "B": ("a", "b", "c", "d")}, {"R": ("a", "b", "c", "d")})


def error(category: str = "Style", severity: str = "minor") -> MarkedError:
    return MarkedError(0, 1, severity, category)


#: Of system, segment, judge and errors. Nobody annotated segment 4.
ANNOTATED: list[tuple[str, int, str, tuple[MarkedError, ...] | None]] = [
    ("A", 1, "ann", (error("Fluency/Grammar"), error("Terminology", "major"), error())),
    ("A", 1, "bob", (error("fluency/grammar"),)),
    ("A", 2, "ann", ()),
    ("B", 2, "bob", (error("Accuracy/Omission", "critical"),)),
    ("B", 3, "bob", (error(""),)),
    ("A", 4, "ann", None),
]
RATINGS = Judgments.from_ratings(
    [system for system, *_ in ANNOTATED],
    [1.0] * len(ANNOTATED),
    range(1, len(ANNOTATED) + 1),
    "m.tsv",
    segments=[segment for _, segment, *_ in ANNOTATED],
    judges=[judge for *_, judge, _ in ANNOTATED],
    errors=[errors for *_, errors in ANNOTATED],
)
METRIC = ScoreTable(
    "xCOMET",
    ("A", "B"),
    np.array([[0.5, 0.5, 0.5, 0.5], [np.nan] * 4]),
    np.array([0.5, np.nan]),
    errors=(((), (), (error("", "major"),), ()), (None,) * 4),
)


def numbers(
    expression: str, judgments: Judgments | None = RATINGS, *scores: ScoreTable, corpus: Corpus = CORPUS
) -> list[int]:
    """Return the numbers of the segments in a slice, also of an empty one."""
    first = slice_corpus(f"({expression}) or segment = 1", corpus, judgments=judgments, scores=scores).numbers
    others = slice_corpus(f"({expression}) or segment > 1", corpus, judgments=judgments, scores=scores).numbers
    return [number for number in (1, 2, 3, 4) if number in first and number in others]


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ('errors of "A" >= 1', [1]),
        ('errors "A" = 2', [1]),  # the mean of 3 and 1
        ('errors of "A" = 0', [2]),
        ('errors of "A" != 2', [2]),  # nobody annotated A in segments 3 and 4
        ('errors of "A" by "ann" = 3', [1]),
        ('errors of "A" BY "bob" = 1', [1]),
        ('errors OF "B" > 0', [2, 3]),
        ("errors = 0.5", [2]),  # the mean over both systems
        ("errors in 0-1", [2, 3]),
        ('errors by "bob" = 1', [1, 2, 3]),
        ('category of "A" = "Terminology"', [1]),
        ('category of "A" = terminology', [1]),
        ('category of "A" = Fluency', [1]),
        ('category of "A" = "Fluency/Grammar"', [1]),
        ('category of "A" = Grammar', []),
        ('category of "A" ~ "Gramm"', [1]),
        ('category of "B" in Style, Accuracy', [2]),
        ('category of "B" = ""', [3]),
        ("category != Accuracy", [1, 3]),
        ('category of "A" != Terminology', [2]),
        ('not category of "A" = Terminology', [2, 3, 4]),
        ('category of "A" by "bob" = Terminology', []),
        ('severity of "A" = Major', [1]),
        ('severity of "A" by "bob" = major', []),
        ("severity in major, critical", [1, 2]),
        ("severity = minor", [1, 3]),
        ('severity of "A" = major and category of "A" = Style', [1]),
    ],
)
def test_a_condition_on_errors_holds_for_these_segments(expression: str, expected: list[int]) -> None:
    assert numbers(expression) == expected


def test_metrics_count_only_by_name() -> None:
    assert numbers('errors of "A" > 0', RATINGS, METRIC) == [1]
    assert numbers('errors of "A" by "xCOMET" > 0', RATINGS, METRIC) == [3]
    assert numbers('severity by "xCOMET" = major', None, METRIC) == [3]
    assert numbers('severity by "xCOMET" != major', None, METRIC) == [1, 2, 4]


@pytest.mark.parametrize(
    ("expression", "message"),
    [
        ('errors of "C" = 1', "slice: system 'C' found, one of A, B expected"),
        ('errors by "cy" = 1', "slice: judge or metric 'cy' found, one of ann, bob expected"),
        ("errors = many", "slice: errors = 'many' found, a number expected"),
        ('errors of "A" ~ "1"', "slice: errors ~ found, but it is a number; use = != < <= > >= or in"),
        ('category of "A" > Style', "slice: category > found, but it is text; use = != ~ or in"),
        ("errors of A = 1", "slice: 'A' at character 11 found, a name in quotation marks after of expected"),
        (
            'errors of "A" by = 1',
            "slice: '=' at character 18 found, a name in quotation marks after by expected",
        ),
        (
            'ratings of "A" = 1',
            "slice: 'of' at character 9 found, an operator (= != < <= > >= ~ in) after ratings expected",
        ),
        ("eror = 1", "slice: there is no field 'eror'; did you mean 'errors'?"),
    ],
)
def test_other_conditions_are_refused_with_a_sentence(expression: str, message: str) -> None:
    with pytest.raises(SettingsError) as caught:
        slice_corpus(expression, CORPUS, judgments=RATINGS)
    assert str(caught.value) == message


def test_without_annotations_the_message_says_what_to_add() -> None:
    ratings = Judgments.from_ratings(["A"], [1.0], [1], "h.csv", segments=[1])
    for judgments in (None, ratings):
        with pytest.raises(AlignmentError, match="the segments are not known; add ratings with error spans"):
            slice_corpus("errors > 0", CORPUS, judgments=judgments)
    with pytest.raises(AlignmentError, match='for those of a metric, add by "xCOMET" behind the field'):
        slice_corpus("errors > 0", CORPUS, judgments=ratings, scores=[METRIC])


def test_a_label_of_the_same_name_is_meant_without_a_system() -> None:
    corpus = Corpus(CORPUS.systems, CORPUS.references, labels={"category": ("news", "talk", "news", "x")})
    assert numbers("category = news", corpus=corpus) == [1, 3]
    assert numbers('"category" = talk', corpus=corpus) == [2]
    assert numbers('category of "A" = Style', corpus=corpus) == [1]
    assert numbers('category by "bob" = Accuracy', corpus=corpus) == [2]


def test_the_fields_need_ratings() -> None:
    assert set(FIELDS_OF_ERRORS) <= set(FIELDS_OF_RATINGS)
    assert fields_in(parse('category of "A" = x or errors > 1')) == {"category", "errors"}


def hostile_strings() -> list[str]:
    """Return texts that other programs interpret."""
    return [
        "**bold** [a](javascript:alert(1))",
        "<script>alert(1)</script>",
        "$x^2$ :material/warning: :red[a]",
        '=HYPERLINK("http://x")',
        'say "no" \\ or',
        "\u202egnirts",
        "a/b/c",
        "%s {0} {{x}}",
    ]


@pytest.mark.parametrize("text", hostile_strings())
def test_any_text_can_be_a_category_a_severity_and_a_name(text: str) -> None:
    marked = (MarkedError(0, 1, text.lower(), text),)
    ratings = Judgments.from_ratings([text], [1.0], [1], "h.csv", segments=[2], judges=[text], errors=[marked])
    corpus = Corpus({text: ("a", "b")}, {"R": ("a", "b")})
    for field in ("category", "severity"):
        expression = f"{field} of {quoted(text)} by {quoted(text)} = {quoted(text)}"
        assert numbers(expression, ratings, corpus=corpus) == [2]
    assert numbers(f"errors of {quoted(text)} by {quoted(text)} = 1", ratings, corpus=corpus) == [2]
