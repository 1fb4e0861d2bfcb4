"""Slices hold the segments that their expressions describe, and other expressions are refused with a sentence."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sacrebleu.metrics.bleu import BLEU
from sacrebleu.metrics.chrf import CHRF

from bleu_core.dataset import FIELDS, Corpus, Judgments, MarkedError
from bleu_core.errors import AlignmentError, BleuCoreError, SettingsError
from bleu_core.scoring import BleuSettings
from bleu_core.slicing import FIELDS_OF_ERRORS, Slice, fields_in, halves, parse, slice_corpus
from bleu_core.slicing.negations import NEGATION_LANGUAGES

CORPUS = Corpus(
    {
        "A": ("The dog sleeps .", "Room 7 is free", "He is late", "news"),
        "B": ("A dog sleeps .", "7", "He is late", "x"),
    },
    {
        "R": ("The dog is asleep.", "Room 7 is not free.", None, "News"),
        "Q": ("A dog.", "Free: 7", "It is late.", "News"),
    },
    source=("Der Hund schläft.", "Zimmer 7 ist frei.", "Es ist spät.", "Nachrichten"),
    documents=("d1", "d1", "kp.235560", "and"),
    labels={
        "domain": ("news", "travel", "news", ""),
        "year": ("2019", "2020", "", "2021.5"),
        "length class": tuple("abab"),
    },
)


ALL_FIELDS = (*FIELDS, *FIELDS_OF_ERRORS)

#: Of segment, system, judge, score: both judges rate the output of A in segment 1, and x rates that of B twice.
RATED = [
    (1, "A", "x", 90),
    (1, "A", "y", 60),
    (1, "B", "x", 10),
    (1, "B", "x", 50),
    (2, "B", "y", 30),
    (4, "A", "y", 5),
]
RATINGS = Judgments.from_ratings(
    [system for _, system, _, _ in RATED],
    [score for _, _, _, score in RATED],
    list(range(2, 8)),
    "ratings.csv",
    segments=[segment for segment, _, _, _ in RATED],
    judges=[judge for _, _, judge, _ in RATED],
    errors=[
        (MarkedError(0, 3, "minor", "Fluency/Grammar"), MarkedError(4, 7, "major", "Terminology")),
        (),
        None,
        None,
        (MarkedError(0, 1, "minor", "Accuracy/Omission"),),
        (),
    ],
)


def numbers(expression: str, corpus: Corpus = CORPUS, **options: object) -> list[int]:
    """The numbers of the segments, from 1."""
    return [row + 1 for row in slice_corpus(expression, corpus, **options).rows]  # pyright: ignore[reportArgumentType]


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("segment = 2", [2]),
        ("segment in 1-2, 4, 250", [1, 2, 4]),
        ("segment > 1 and segment <= 3", [2, 3]),
        ("segment != 1", [2, 3, 4]),
        ("document = d1", [1, 2]),
        ('not document = "kp.235560"', [1, 2, 4]),
        ('document in "and", kp.235560', [3, 4]),
        ('document ~ "^d"', [1, 2]),
        ("domain = news", [1, 3]),
        ("domain != news", [2, 4]),
        ('domain = ""', [4]),
        ("domain in news, travel", [1, 2, 3]),
        ("year >= 2020", [2, 4]),
        ("year = 2019.0", [1]),
        ("year in 2019-2020", [1, 2]),
        ('year = ""', [3]),
        ("not year < 2020", [2, 3, 4]),
        ('year ~ "^20"', [1, 2, 4]),
        ('"length class" = a', [1, 3]),
        ('reference ~ "[0-9]"', [2]),
        ('reference = "It is late."', [3]),
        ('reference ~ "asleep|late"', [1, 3]),
        ('reference ~ "news"', []),
        ('reference ~ "(?i)news"', [4]),
        ('system ~ "^A "', [1]),
        ('system "A" ~ "7"', [2]),
        ('system "B" = 7', [2]),
        ("system = x", [4]),
        ('source ~ "ist"', [2, 3]),
        ('source = "Der Hund schläft."', [1]),
        ("length > 4", [1, 2]),
        ("length = 1", [4]),
        ("numbers > 0", [2]),
        ('negations "en" = 1', [2]),
        ('negations "de" = 0', [1, 2, 3, 4]),
        ('equal "A" "B" = yes', [3]),
        ('equal "A" "B" != yes', [1, 2, 4]),
        ('not equal "B" "A" in yes, no or segment = 1', [1]),
        ("segment = 1 or segment = 2 and domain = news", [1]),
        ("(segment = 1 or segment = 2) and domain = travel", [2]),
        ("not segment = 1 and segment < 3", [2]),
        ("not (segment = 1 and segment < 3)", [2, 3, 4]),
        ("not not segment = 1", [1]),
        ("NOT segment = 1 AND segment IN 1-2", [2]),
        ("segment=1or segment=2", None),
        ("  (segment=1)or(segment=2)  ", [1, 2]),
    ],
)
def test_an_expression_holds_for_these_segments(expression: str, expected: list[int] | None) -> None:
    if expected:
        assert numbers(expression) == expected
    else:
        with pytest.raises(BleuCoreError):
            numbers(expression)


def test_text_in_quotation_marks_keeps_its_blanks_quotes_and_backslashes() -> None:
    corpus = Corpus({"A": ('say "no" \\ yes', "b")}, {"R": ("r", "r")})
    assert numbers(r'system = "say \"no\" \\ yes"', corpus) == [1]
    assert numbers(r'system ~ "\"no\""', corpus) == [1]


def test_marks_and_capital_letters_are_counted_in_the_first_reference_in_use() -> None:
    corpus = Corpus(
        {"A": ("a", "b", "c")},
        {"R": ('We saw "Anna" in Rome', None, "no"), "Q": ("no", "He said so to Eva", "\u201cno\u201d")},
    )
    assert numbers("capitalised = 1", corpus) == [1, 2]
    assert numbers("quotes = 2", corpus) == [1]
    assert numbers("quotes = 2", corpus, references=["Q", "R"]) == [3]


@pytest.mark.parametrize("system", ["A", "B"])
@pytest.mark.parametrize(
    ("name", "metric"), [("", BLEU(effective_order=True)), ('"chrF2"', CHRF()), ('"chrf2++"', CHRF(word_order=2))]
)
def test_score_is_that_of_the_single_segment_as_sacrebleu_gives_it(system: str, name: str, metric: BLEU | CHRF) -> None:
    references = [[text for text in texts if text] for texts in zip(*CORPUS.references.values(), strict=True)]
    outputs = zip(CORPUS.systems[system], references, strict=True)
    for n, (output, of_segment) in enumerate(outputs, start=1):
        score = metric.sentence_score(output, of_segment).score
        near = f'score "{system}" {name} in {max(0, score - 1e-6):.9f}-{score + 1e-6:.9f}'
        assert numbers(f"{near} and segment = {n}") == [n]


def test_an_output_that_equals_the_reference_scores_exactly_100() -> None:
    corpus = replace(CORPUS, references={"R": CORPUS.systems["A"]})
    assert numbers('score "A" = 100', corpus) == numbers('score "A" "chrF2" = 100', corpus) == [1, 2, 3, 4]


def test_score_follows_the_settings_and_the_references_in_use() -> None:
    assert numbers('score "A" > 30') == [1, 2, 3]
    assert numbers('score "A" > 30', references=["Q"]) == [3]
    assert numbers('score "A" = 0', settings=BleuSettings(smoothing="none")) == [1, 2, 3, 4]  # no 4-gram matches


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("ratings = 4", [1]),
        ("ratings = 0", [3]),
        ("ratings > 0", [1, 2, 4]),
        ('ratings "A" = 1', [4]),
        ('ratings "B" in 1-2', [1, 2]),
        ("disputed = 30", [1]),
        ("not disputed >= 0", [2, 3, 4]),  # where one judge rated, the range is not known
        ("disputed <= 100 or disputed > 100", [1]),
        ('not disputed "B" >= 0', [1, 2, 3, 4]),  # a judge's repeated ratings are averaged
    ],
)
def test_ratings_are_counted_and_their_range_over_judges_is_taken(expression: str, expected: list[int]) -> None:
    assert numbers(expression, judgments=RATINGS) == expected


@pytest.mark.parametrize("expression", ["ratings = 0", 'disputed "A" > 1', "segment = 1 or ratings > 0"])
def test_without_ratings_nothing_is_known_of_them(expression: str) -> None:
    with pytest.raises(AlignmentError, match="slice: the ratings of the segments are not known; add human judgments"):
        slice_corpus(expression, CORPUS)


def test_fields_of_an_expression_are_found_wherever_they_stand() -> None:
    assert fields_in(parse('not (segment = 1 or ratings "A" > 1) and "score" = x')) == {"segment", "ratings"}


def test_length_counts_the_tokens_of_the_first_reference_in_use() -> None:
    assert numbers("length = 3", references=["Q"]) == [1, 2]  # "A dog ." and "Free : 7"
    assert numbers("length = 2", references=["Q"], settings=BleuSettings(tokenizer="none")) == [1, 2]
    assert numbers("length > 3", references=["R", "Q"]) == [1, 2, 3]  # R lacks the third segment


def test_references_that_are_not_in_use_are_not_searched() -> None:
    assert numbers('reference ~ "Free"') == [2]
    with pytest.raises(AlignmentError, match="holds for none of 4 segments"):
        numbers('reference ~ "Free"', references=["R"])


def test_every_document_is_in_one_half_which_depends_on_its_id_only() -> None:
    documents = [f"doc-{number}" for number in range(1000)]
    found = dict(zip(documents, halves(documents, range(1, 1001)), strict=True))
    assert 450 < list(found.values()).count("explore") < 550
    assert halves(documents[::-7], range(len(documents[::-7]))) == tuple(found[name] for name in documents[::-7])
    # `printf d1 | b2sum -l 64` ends with 27, the hash of kp.235560 with 8a, that of "and" with 23.
    assert numbers("half = explore") == [3]
    assert numbers("half = test") == numbers("half != explore") == [1, 2, 4]
    assert numbers("half in explore, test") == [1, 2, 3, 4]


def test_without_documents_segments_are_halved_by_number() -> None:
    corpus = Corpus({"A": tuple("abcdefgh")}, {"R": tuple("abcdefgh")})
    assert numbers("half = explore", corpus) == [1, 2, 4, 5, 6, 7, 8]
    assert halves(None, [6, 7, 8]) == halves(["6", "7", "8"], [1, 2, 3])


@pytest.mark.parametrize(
    ("expression", "message"),
    [
        ("", "slice: the end found, a field expected"),
        ("domain", "slice: the end found, an operator (= != < <= > >= ~ in) after domain expected"),
        ("domain =", "slice: the end found, a value expected"),
        (
            "domain = local news",
            "slice: 'news' at character 16 found, and, or or the end expected; put a value of several",
        ),
        ("domain = news and", "slice: the end found, a field expected"),
        ("domain = and", "slice: 'and' at character 10 found, a value expected"),
        ("(segment = 1", "slice: the end found, and, or or ) expected"),
        ("segment = 1)", "slice: ')' at character 12 found, and, or or the end expected"),
        ('domain = "news', "slice: the quotation mark at character 10 is never closed"),
        ("segment ! 1", "slice: '!' at character 9 found, a field, an operator or a value expected"),
        ("segment 1", "slice: '1' at character 9 found, an operator"),
        ("segment in 1,", "slice: the end found, a value expected"),
        ("segment = one", "slice: segment = 'one' found, a number expected"),
        ("segment in 1-x", "slice: segment in '1-x' found, a number expected"),
        ("segment = nan", "slice: segment = 'nan' found, a number expected"),
        ("segment ~ 1", "slice: segment ~ found, but it is a number; use = != < <= > >= or in"),
        ("domain < news", "slice: domain < found, but it is text; use = != ~ or in"),
        (
            "genre = news",
            f"slice: field 'genre' found, one of {', '.join((*ALL_FIELDS, 'domain', 'year'))}, length class expected",
        ),
        ("lenght > 25", "slice: there is no field 'lenght'; did you mean 'length'?"),
        ("half = first", "slice: half = 'first' found, one of explore, test expected"),
        ("half in explore, last", "slice: half = 'last' found, one of explore, test expected"),
        ("half < test", "slice: half < found, but it is one of explore, test; use = != or in"),
        ('half ~ "t"', "slice: half ~ found, but it is one of explore, test; use = != or in"),
        ('equal "A" = yes', "slice: '=' at character 11 found, 2 names in quotation marks after equal expected"),
        ('equal "A" "C" = yes', "slice: system 'C' found, one of A, B expected"),
        ('equal "A" "B" = maybe', "slice: equal = 'maybe' found, one of yes, no expected"),
        ("score > 1", "slice: '>' at character 7 found, a name in quotation marks after score expected"),
        ('score "C" > 1', "slice: system 'C' found, one of A, B expected"),
        ('score "A" "M" > 1', "metric 'M' found, one of bleu, chrf2, chrf2++, ter, wer expected"),
        ('score "A" ~ 1', "slice: score ~ found, but it is a number"),
        ("negations > 0", "slice: '>' at character 11 found, a name in quotation marks after negations expected"),
        ('negations "xx" > 0', "slice: language 'xx' of negation words found, one of ar, cs, de, en, es, fr"),
        ('ratings "C" > 0', "slice: system 'C' found, one of A, B expected"),
        ('domain "x" = y', "slice: 'x' at character 8 found, an operator"),
        ('system "A" "B" = x', "slice: 'B' at character 12 found, an operator"),
        ('system "C" = x', "slice: system 'C' found, one of A, B expected"),
        ('reference ~ "["', "regular expression '[' is not valid"),
        ("(" * 101 + "segment = 1" + ")" * 101, "slice with more than 100 nested parentheses and negations"),
        ("not " * 101 + "segment = 1", "slice with more than 100 nested parentheses and negations"),
        ("segment = 1 " * 1000, "slice of 12,000 characters found, at most 10,000 expected"),
        ('"segment" = 1', "slice: field 'segment' found"),
    ],
)
def test_other_expressions_are_refused(expression: str, message: str) -> None:
    with pytest.raises(SettingsError) as error:
        slice_corpus(expression, CORPUS, judgments=RATINGS)
    assert message in str(error.value)


@pytest.mark.parametrize(("field", "needed"), [("source", "the source text"), ("document", "one document id per line")])
def test_a_text_that_is_not_there_is_asked_for(field: str, needed: str) -> None:
    with pytest.raises(AlignmentError, match=needed):
        slice_corpus(f"{field} = x", Corpus({"A": ("a",)}, {"R": ("r",)}))


@pytest.mark.parametrize("expression", ['reference ~ "a"', "length > 1", "length > 1 and segment = 1"])
def test_without_a_reference_in_use_nothing_is_known_of_references(expression: str) -> None:
    with pytest.raises(AlignmentError, match="slice: no reference is in use, at least 1 expected"):
        slice_corpus(expression, CORPUS, references=())


def test_without_systems_nothing_is_known_of_outputs() -> None:
    with pytest.raises(AlignmentError, match="slice: no system found, at least 1 expected"):
        slice_corpus("system = a", Corpus({}, {"R": ("r",)}))


def test_a_slice_without_segments_is_refused() -> None:
    with pytest.raises(AlignmentError, match="slice 'segment = 9': holds for none of 4 segments, at least 1 expected"):
        slice_corpus("segment = 9", CORPUS)


def test_a_pattern_that_takes_too_long_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bleu_core.slicing.slices.SEARCH_SECONDS", 0.2)
    corpus = Corpus({"A": ("a" * 40 + "b",)}, {"R": ("r",)})
    with pytest.raises(SettingsError, match=r"took longer than 0\.2 seconds"):
        slice_corpus('system ~ "^(a|aa)+$"', corpus)


CONDITIONS = (
    *(
        "segment in 1-2",
        "half = explore",
        "domain = news",
        "document = d1",
        'source ~ "ist"',
        "length > 4",
        "year >= 2020",
        "system = x",
        'reference ~ "(?i)news"',
        'equal "A" "B" = yes',
        'score "A" "chrF2" < 90',
        "numbers != 0",
        "capitalised = 0",
        "quotes < 1",
        'negations "en" in 1-2, 4',
        "ratings >= 1",
        "disputed > 20",
        'errors of "A" >= 1',
        'category of "A" by "x" = Fluency',
        "severity != major",
    ),
)
EXPRESSIONS = st.recursive(
    st.sampled_from(CONDITIONS),
    lambda inner: st.one_of(
        inner.map(lambda one: f"not ({one})"),
        st.tuples(inner, inner).map(lambda two: f"({two[0]}) and ({two[1]})"),
        st.tuples(inner, inner).map(lambda two: f"({two[0]}) or ({two[1]})"),
    ),
    max_leaves=6,
)


def mask(expression: str) -> list[bool]:
    """Of each segment, whether an expression holds; also where it holds for none."""
    found = slice_corpus(f"({expression}) or segment = 1", CORPUS, judgments=RATINGS).mask
    first = slice_corpus(f"not ({expression}) or segment = 2", CORPUS, judgments=RATINGS).mask[0]
    return [not first, *found[1:].tolist()]


@given(EXPRESSIONS, EXPRESSIONS)
def test_and_or_and_not_are_those_of_sets(one: str, other: str) -> None:
    first, second = np.array(mask(one)), np.array(mask(other))
    assert mask(f"({one}) and ({other})") == (first & second).tolist()
    assert mask(f"({one}) or ({other})") == (first | second).tolist()
    assert mask(f"not ({one})") == (~first).tolist()


def test_the_documentation_has_all_fields_and_all_languages_of_negation_words() -> None:
    text = (Path(__file__).parents[2] / "docs" / "slices.md").read_text("utf-8")
    rows = [line.split("|")[1].strip() for line in text.splitlines() if line.startswith("| `")]
    assert {row.strip("`").split()[0] for row in rows} == set(ALL_FIELDS)
    assert f"the languages {', '.join(NEGATION_LANGUAGES[:-1])} and {NEGATION_LANGUAGES[-1]};" in " ".join(text.split())


def test_the_conditions_have_all_fields() -> None:
    assert set().union(*(fields_in(parse(condition)) for condition in CONDITIONS)) == {*(*ALL_FIELDS, "domain", "year")}


@given(st.sampled_from(CONDITIONS), st.sampled_from(CONDITIONS), st.sampled_from(CONDITIONS))
def test_not_binds_before_and_and_that_before_or(a: str, b: str, c: str) -> None:
    assert parse(f"{a} or {b} and {c}") == parse(f"{a} or ({b} and {c})")
    assert parse(f"{a} and {b} or {c}") == parse(f"({a} and {b}) or {c}")
    assert parse(f"not {a} and {b}") == parse(f"(not ({a})) and {b}")


@given(st.text(max_size=60))
def test_any_text_is_read_or_refused(text: str) -> None:
    with suppress(BleuCoreError):  # whose messages are one line
        slice_corpus(text, CORPUS)


def test_excluded_segments_are_in_no_slice() -> None:
    chosen = Slice("segment < 5", np.array([True] * 4 + [False] * 2))
    found = chosen.without([2, 6], ["a.txt"]).without([3])
    assert (found.expression, found.numbers, found.excluded) == ("segment < 5", (1, 4), (2, 3, 6))
    assert chosen.numbers == (1, 2, 3, 4)
    assert chosen.without([]) is chosen
    assert Slice.whole(3).numbers == (1, 2, 3)


@pytest.mark.parametrize(
    ("numbers", "lacking", "sentence"),
    [
        ([], [], ""),
        ([2], ["a.txt"], "1 of 1,200 segments is excluded because a.txt lacks it"),
        ([2, 4], ["a.txt"], "2 of 1,200 segments are excluded because a.txt lacks them"),
        (range(1, 1_101), ["a.txt", "b.txt"], "1,100 of 1,200 segments are excluded because a.txt, b.txt lack them"),
        ([7], [], "1 of 1,200 segments is excluded"),
    ],
)
def test_an_exclusion_is_a_sentence(numbers: Sequence[int], lacking: list[str], sentence: str) -> None:
    assert Slice.whole(1_200).without(numbers, lacking).exclusion == sentence


def test_a_slice_without_segments_says_what_was_excluded() -> None:
    with pytest.raises(AlignmentError) as caught:
        Slice("segment = 2", np.array([False, True])).without([2], ["a.txt"])
    assert str(caught.value) == (
        "slice 'segment = 2': no segment is left: 1 of 2 segments is excluded because a.txt lacks it"
    )
