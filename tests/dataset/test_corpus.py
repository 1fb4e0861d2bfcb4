"""Columns and the corpus they make: alignment, names, digest."""

from __future__ import annotations

import dataclasses
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bleu_core.dataset import Column, Corpus, Identical, Role, identical_texts, length_mismatch, most_common_length
from bleu_core.errors import AlignmentError, BleuCoreError, FormatError, SettingsError
from bleu_core.scoring import BleuSettings, evaluate


def column(role: Role, name: str, *segments: str | None, origin: str = "") -> Column:
    return Column(role, name, segments, origin)


def test_columns_are_sorted_by_role() -> None:
    corpus = Corpus.from_columns(
        [
            column("source", "source", "x", "y"),
            column("system", "B", "a", "b"),
            column("reference", "R", "a", None),
            column("system", "A", "c", "d"),
            column("document", "docs", "1", "1"),
            column("reference", "Q", "a", "b"),
        ]
    )
    assert dict(corpus.systems) == {"B": ("a", "b"), "A": ("c", "d")}
    assert list(corpus.systems) == ["B", "A"]
    assert dict(corpus.references) == {"R": ("a", None), "Q": ("a", "b")}
    assert corpus.source == ("x", "y")
    assert corpus.documents == ("1", "1")
    assert corpus.segments == 2


def test_an_empty_corpus_has_no_segments() -> None:
    assert Corpus.from_columns([]).segments == 0


def test_a_column_without_segments_is_refused() -> None:
    with pytest.raises(FormatError, match=r"^a\.txt: the file is empty: 0 segments, at least 1 expected$"):
        column("system", "a", origin="a.txt")


@pytest.mark.parametrize("role", ["system", "source", "document"])
def test_only_references_may_lack_segments(role: Role) -> None:
    with pytest.raises(FormatError, match="line 2: no text"):
        column(role, "a", "x", None)
    assert column("reference", "a", "x", None).segments == ("x", None)


def test_a_column_without_a_file_is_called_by_role_and_name() -> None:
    assert column("system", "A", "x").place == "system A"
    assert column("document", "A", "x").place == "documents A"
    assert column("system", "A", "x", origin="f.txt").place == "f.txt"


@pytest.mark.parametrize(
    ("lengths", "blamed", "message"),
    [
        # The odd one out is blamed, reference or not.
        (
            {"r": 3, "a": 3, "b": 2},
            "b",
            "2 lines, 1 fewer than the 2 other files (3). A line was probably lost or joined.",
        ),
        (
            {"r": 3, "a": 3, "b": 5},
            "b",
            "5 lines, 2 more than the 2 other files (3). Lines were probably added or split.",
        ),
        (
            {"r": 2, "a": 3, "b": 3},
            "r",
            "2 lines, 1 fewer than the 2 other files (3). A line was probably lost or joined.",
        ),
        # Where others differ as well, those of the expected length are named.
        ({"a": 3, "r": 3, "b": 2, "c": 4}, "b", "2 lines, 1 fewer than a.txt and r.txt (3). A line was probably lost"),
        (
            {"a": 3, "r": 3, "d": 3, "b": 2, "c": 4},
            "b",
            "2 lines, 1 fewer than a.txt, r.txt and 1 more (3). A line was",
        ),
        # Of two that differ the reference is believed.
        ({"a": 1, "r": 3}, "a", "1 line, 2 fewer than r.txt (3). Lines were probably lost or joined."),
        ({"r": 3, "a": 4}, "a", "4 lines, 1 more than r.txt (3). A line was probably added or split."),
    ],
)
def test_columns_of_different_length_are_refused_with_both_counts(
    lengths: dict[str, int], blamed: str, message: str
) -> None:
    columns = [
        Column(
            role="reference" if name == "r" else "system",
            name=name,
            segments=("x",) * length,
            origin=f"{name}.txt",
            unit="line",
        )
        for name, length in lengths.items()
    ]
    with pytest.raises(AlignmentError, match=f"^{re.escape(f'{blamed}.txt has {message}')}"):
        Corpus.from_columns(columns)


def test_the_most_common_length_wins_and_references_break_ties() -> None:
    def of(*lengths: tuple[Role, int]) -> int:
        return most_common_length(Column(role, str(i), ("x",) * n) for i, (role, n) in enumerate(lengths))

    assert of() == 0
    assert of(("system", 2), ("system", 3), ("system", 3)) == 3
    assert of(("system", 2), ("reference", 3)) == 3
    assert of(("system", 2), ("system", 3)) == 2
    assert of(("reference", 4), ("system", 2), ("system", 2)) == 2


def test_a_mismatch_counts_segments_where_a_file_has_no_line_for_each() -> None:
    columns = [column("system", "A", "x", origin="a.csv"), column("reference", "R", "x", "y", "z", origin="r.csv")]
    assert length_mismatch(columns[0], columns) == (
        "a.csv has 1 segment, 2 fewer than r.csv (3). Segments were probably lost or joined."
    )
    texts = [column("system", name, *"xyz"[:length]) for name, length in (("A", 2), ("B", 3), ("C", 3))]
    assert length_mismatch(texts[0], texts).startswith("system A has 2 segments, 1 fewer than the 2 other texts (3).")


@pytest.mark.parametrize("role", ["system", "reference"])
def test_two_of_one_name_are_refused_with_both_places(role: Role) -> None:
    columns = [column(role, "A", "x", origin="one/A.txt"), column(role, "A", "y", origin="two/A.txt")]
    with pytest.raises(
        AlignmentError, match=f"^two/A.txt: one/A.txt already holds a {role} called A; rename or remove one$"
    ):
        Corpus.from_columns(columns)


@pytest.mark.parametrize(
    ("role", "second", "message"),
    [
        ("source", "xyz", "two.txt: the source is already loaded from one.txt; remove one of the two"),
        ("document", "xyz", "two.txt: the documents are already loaded from one.txt; remove one of the two"),
        (
            "source",
            "xzz",
            "two.txt: its source differs from that in one.txt (first in segment 2); remove one of the two",
        ),
        (
            "document",
            "xyy",
            "two.txt: its document ids differ from those in one.txt (first in segment 3); remove one of the two",
        ),
    ],
)
def test_two_sources_or_documents_are_refused_whatever_their_names(role: Role, second: str, message: str) -> None:
    columns = [column(role, "A", *"xyz", origin="one.txt"), column(role, "B", *second, origin="two.txt")]
    with pytest.raises(AlignmentError, match=f"^{re.escape(message)}$"):
        Corpus.from_columns(columns)


def test_a_system_may_be_called_like_a_reference() -> None:
    corpus = Corpus.from_columns([column("system", "A", "x"), column("reference", "A", "x")])
    assert set(corpus.systems) == set(corpus.references) == {"A"}


def test_a_segment_without_any_reference_is_refused() -> None:
    columns = [column("reference", "R", "x", None, origin="r.tsv"), column("reference", "Q", None, None)]
    with pytest.raises(AlignmentError, match=r"^r\.tsv, line 2: no reference, at least 1 expected$"):
        Corpus.from_columns(columns)


# --- a corpus made by hand, as the package's own documentation makes one ----------------------------------------


@pytest.mark.parametrize("reference", [("x y",), ("x y", "z", "more")])
def test_texts_of_different_length_are_refused_however_the_corpus_is_made(reference: tuple[str, ...]) -> None:
    with pytest.raises(AlignmentError):
        evaluate(Corpus(systems={"A": ("x y", "z")}, references={"R": reference}))


def test_systems_of_different_length_are_refused_however_the_corpus_is_made() -> None:
    with pytest.raises(AlignmentError):
        evaluate(Corpus(systems={"A": ("x y",), "B": ("x y", "z")}, references={"R": ("x y",)}))


def test_lists_are_texts_as_well_as_tuples() -> None:
    lists = Corpus(systems={"A": ["x y"]}, references={"R": ["x y"]})  # pyright: ignore[reportArgumentType]
    tuples = Corpus(systems={"A": ("x y",)}, references={"R": ("x y",)})
    assert lists.digest == tuples.digest
    assert identical_texts(lists) == identical_texts(tuples)
    mixed = Corpus(systems={"A": ["x y"]}, references={"R": ("x y",)})  # pyright: ignore[reportArgumentType]
    assert identical_texts(mixed) == identical_texts(tuples)


def test_a_corpus_does_not_change_with_what_it_was_made_of() -> None:
    texts = ["x y"]
    systems = {"A": texts}
    corpus = Corpus(systems=systems, references={"R": ("x y",)})  # pyright: ignore[reportArgumentType]
    systems["B"] = ["z"]
    texts[0] = "z"
    assert {name: tuple(segments) for name, segments in corpus.systems.items()} == {"A": ("x y",)}


def test_a_corpus_cannot_be_changed() -> None:
    corpus = Corpus({"A": ("x",)}, {"R": ("x",)})
    with pytest.raises(dataclasses.FrozenInstanceError):
        corpus.source = ("x",)  # pyright: ignore[reportAttributeAccessIssue]
    with pytest.raises(TypeError):
        corpus.systems["B"] = ("x",)  # pyright: ignore[reportIndexIssue]


# --- digest -----------------------------------------------------------------------------------------------------

TEXTS = st.lists(st.text(max_size=3), min_size=1, max_size=3)
MAPPINGS = st.dictionaries(st.sampled_from(["A", "B", "system", "reference"]), TEXTS, min_size=1, max_size=3)


def made(systems: dict[str, list[str]], references: dict[str, list[str]]) -> Corpus:
    """A corpus of these texts, padded to one length."""
    length = max(len(texts) for texts in (*systems.values(), *references.values()))

    def padded(texts: dict[str, list[str]]) -> dict[str, tuple[str, ...]]:
        return {name: (*segments, *[""] * (length - len(segments))) for name, segments in texts.items()}

    return Corpus(padded(systems), padded(references))


@given(MAPPINGS, MAPPINGS)
def test_the_digest_does_not_depend_on_the_order_of_files(
    systems: dict[str, list[str]], references: dict[str, list[str]]
) -> None:
    turned = made(dict(reversed(systems.items())), dict(reversed(references.items())))
    assert made(systems, references).digest == turned.digest


@given(MAPPINGS, MAPPINGS, MAPPINGS, MAPPINGS)
def test_different_corpora_have_different_digests(
    systems: dict[str, list[str]],
    references: dict[str, list[str]],
    other_systems: dict[str, list[str]],
    other_references: dict[str, list[str]],
) -> None:
    one, two = made(systems, references), made(other_systems, other_references)
    equal = (dict(one.systems), dict(one.references)) == (dict(two.systems), dict(two.references))
    assert (one.digest == two.digest) == equal


BASE = Corpus({"A": ("ab", "c")}, {"R": ("x", "y")})
OTHERS = {
    "a text": Corpus({"A": ("ab", "d")}, {"R": ("x", "y")}),
    "a border between texts": Corpus({"A": ("a", "bc")}, {"R": ("x", "y")}),
    "the order of segments": Corpus({"A": ("c", "ab")}, {"R": ("x", "y")}),
    "a system's name": Corpus({"B": ("ab", "c")}, {"R": ("x", "y")}),
    "a role": Corpus({"A": ("ab", "c"), "R": ("x", "y")}, {}),
    "an absent reference": Corpus({"A": ("ab", "c")}, {"R": ("x", None)}),
    "an empty reference": Corpus({"A": ("ab", "c")}, {"R": ("x", "")}),
    "a source": Corpus({"A": ("ab", "c")}, {"R": ("x", "y")}, source=("x", "y")),
    "documents": Corpus({"A": ("ab", "c")}, {"R": ("x", "y")}, documents=("x", "y")),
}


@pytest.mark.parametrize("what", OTHERS)
def test_the_digest_changes_with(what: str) -> None:
    digests = [BASE.digest, *(corpus.digest for corpus in OTHERS.values())]
    assert len(set(digests)) == len(digests), what


def test_segments_that_look_like_roles_and_names_are_segments() -> None:
    # Four segments of one system, or a segment each of two.
    one = Corpus({"A": ("x", "system", "B", "y")}, {})
    two = Corpus({"A": ("x",), "B": ("y",)}, {})
    assert one.digest != two.digest


def test_a_lone_surrogate_has_a_digest() -> None:
    assert Corpus({"A": ("\ud800",)}, {}).digest != Corpus({"A": ("\ud801",)}, {}).digest


# --- identical texts --------------------------------------------------------------------------------------------


def test_systems_equal_to_something_else_are_found() -> None:
    corpus = Corpus(
        {"A": ("x", "y"), "B": ("x", "y"), "C": ("s", "t"), "D": ("x", "z")},
        {"R": ("x", "y"), "Q": ("x", None)},
        source=("s", "t"),
    )
    assert identical_texts(corpus) == (
        Identical("A", "reference", "R"),
        Identical("B", "reference", "R"),
        Identical("B", "system", "A"),
        Identical("C", "source", "source"),
    )


def test_of_several_equal_systems_each_is_compared_with_the_first() -> None:
    names = [f"s{k}" for k in range(300)]
    found = identical_texts(Corpus(dict.fromkeys(names, ("x", "y")), {}))
    assert found == tuple(Identical(name, "system", "s0") for name in names[1:])


def test_texts_that_differ_anywhere_are_not_identical() -> None:
    assert identical_texts(Corpus({"A": ("x", "y")}, {"R": ("x", "y ")})) == ()


def test_every_error_is_a_value_error_of_the_core() -> None:
    for kind in (FormatError, AlignmentError, SettingsError):
        assert issubclass(kind, BleuCoreError)
    assert issubclass(BleuCoreError, ValueError)


def test_evaluating_under_settings_leaves_the_corpus_as_it_was() -> None:
    corpus = Corpus({"A": ("The  Cat ",)}, {"R": ("the cat",)})
    digest = corpus.digest
    evaluate(corpus, BleuSettings(lowercase=True))
    assert (corpus.systems["A"], corpus.digest) == (("The  Cat ",), digest)
