"""The text is divided by labels, documents, length or into halves, and each part is a slice with an expression."""

from __future__ import annotations

import pytest
import sample

from bleu_core.dataset import Corpus
from bleu_core.errors import AlignmentError, SettingsError
from bleu_core.scoring import BleuSettings
from bleu_core.slicing import group_segments, grouping_names, slice_corpus

CORPUS = Corpus(
    {"A": ("a", "b", "c", "d")},
    {"R": ("The dog is asleep.", None, "It is late.", "News"), "Q": ("A dog.", "Free: 7", "Late.", "News")},
    documents=("d1", "d1", "d2", "d3"),
    labels={
        "domain": ("news", "travel", "news", ""),
        "year": ("2019", "2020", "", "2021.5"),
        "length class": tuple("abab"),
    },
)
HOSTILE = Corpus(
    {"A": tuple("abcde")},
    {"R": tuple("abcde")},
    documents=('say "no" \\', "and", "d,(e", "", "a = b"),
    labels={'my "label" or\\': ("x and y", '"', "x and y", "", "not")},
)


@pytest.mark.parametrize("corpus", [CORPUS, HOSTILE, sample.corpus()])
def test_each_part_is_the_slice_of_its_expression(corpus: Corpus) -> None:
    for by in grouping_names(corpus):
        found = group_segments(corpus, by)
        assert len(found.labels) == corpus.segments
        assert set(found.order) == set(found.labels) - {""}
        for label in found.order:
            mask = slice_corpus(found.expression(label), corpus).mask
            assert mask.tolist() == [one == label for one in found.labels], (by, label)


def test_labels_come_first_and_documents_where_they_are_known() -> None:
    assert grouping_names(CORPUS) == ("domain", "year", "length class", "length", "document", "half")
    assert grouping_names(Corpus({}, {"R": ("a",)})) == ("length", "half")


def test_groups_by_length_are_quarters_and_in_order() -> None:
    texts = tuple("a " * length for length in range(40, 0, -1))
    found = group_segments(Corpus({}, {"R": texts}), "length")
    assert found.order == ("1-10", "11-20", "21-30", "31-40")
    assert [found.labels.count(label) for label in found.order] == [10, 10, 10, 10]
    found = group_segments(sample.corpus(), "length")
    bounds = [int(number) for label in found.order for number in label.split("-")]
    assert bounds == sorted(bounds)
    one_character = group_segments(sample.corpus(), "length", settings=BleuSettings(tokenizer="char"))
    assert one_character.order != found.order


def test_segments_of_one_length_are_in_one_group() -> None:
    texts = ("a",) * 9 + ("a b",)
    found = group_segments(Corpus({}, {"R": texts}), "length")
    assert (found.labels, found.order) == (("1",) * 9 + ("2",), ("1", "2"))
    assert group_segments(Corpus({}, {"R": ("", "")}), "length").order == ("0",)


def test_halves_by_number_are_those_of_the_whole_text() -> None:
    corpus = Corpus({}, {"R": tuple("abcdefgh")})
    whole = group_segments(corpus, "half")
    assert whole.order == ("explore", "test")
    part = group_segments(corpus.subset([2, 3, 6]), "half", numbers=[3, 4, 7])
    assert part.labels == tuple(whole.labels[row] for row in (2, 3, 6))


def test_an_unknown_label_and_unknown_documents_are_refused() -> None:
    with pytest.raises(SettingsError, match="label 'genre' found, one of domain, year, length class, length, document"):
        group_segments(CORPUS, "genre")
    with pytest.raises(AlignmentError, match="the documents of the segments are not known; add a file with one"):
        group_segments(Corpus({}, {"R": ("a",)}), "document")
