"""Labels of segments and documents are read, placed in the texts, and refused where they do not fit."""

from __future__ import annotations

import io
import zipfile

import pytest

from bleu_core.dataset import Column, FilePart, Labels, fit
from bleu_core.errors import AlignmentError, FormatError
from bleu_core.formats import Contents, read, read_test_set


def labels_of(content: str, name: str = "labels.tsv", **options: int) -> Labels:
    found = read(content.encode(), name, "labels", **options).labels  # pyright: ignore[reportArgumentType]
    assert found is not None
    return found


def texts(lines: int, documents: tuple[str, ...] | None = None) -> FilePart:
    columns = [Column("system", "A", ("a",) * lines), Column("reference", "R", ("a",) * lines)]
    columns += [Column("document", "documents", documents)] if documents else []
    return FilePart("texts", columns=tuple(columns))


def test_labels_of_segments_are_placed_by_number() -> None:
    labels = labels_of("segment\tdomain\tlength class\n3\ttalk\tlong\n1\tnews\tshort\n")
    found = fit([texts(3), FilePart("labels.tsv", labels=labels)], refuse=True)
    assert dict(found.corpus.labels) == {"domain": ("news", "", "talk"), "length class": ("short", "", "long")}
    assert found.warnings == {1: ("1 segment without labels",)}


def test_labels_of_documents_are_placed_by_document() -> None:
    labels = labels_of("document,domain\nd2,talk\nd1,news\nd9,other\n", "labels.csv")
    found = fit([texts(3, ("d1", "d1", "d2")), FilePart("labels.csv", labels=labels)], refuse=True)
    assert found.corpus.labels["domain"] == ("news", "news", "talk")
    assert found.warnings == {1: ("labels of 1 document not used: the texts do not have them",)}


def test_numbers_from_0_are_counted_from_1() -> None:
    assert labels_of("segment\tdomain\n0\tnews\n1\ttalk\n", first_segment=0).keys == (1, 2)


def test_labels_belong_to_the_digest_and_their_absence_changes_none() -> None:
    labels = labels_of("segment\tdomain\n1\tnews\n2\ttalk\n")
    plain, labelled = (fit([texts(2), *more]).corpus for more in ((), (FilePart("labels.tsv", labels=labels),)))
    other = fit([texts(2), FilePart("labels.tsv", labels=labels_of("segment\tdomain\n1\tnews\n2\tnews\n"))]).corpus
    assert len({plain.digest, labelled.digest, other.digest}) == 3


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "labels.tsv, line 1: header '' found, segment or document expected as the first column"),
        ("name\tdomain\n1\tnews\n", "line 1: header 'name, domain' found, segment or document expected"),
        ("segment\n1\n", "line 1: 1 column found, at least 2 expected: segment and a label"),
        ("segment\tdomain\n", "the table has only a header, at least 1 row expected"),
        (
            "segment\tdomain\n1\ta\n1\tb\n",
            "line 3: segment 1 found a second time, 1 row expected; the first is in line 2",
        ),
        ("document\tdomain\nd\ta\nd\tb\n", "line 3: document d found a second time, 1 row expected"),
        ("segment\tdomain\tdomain\n1\ta\tb\n", "line 1: two columns are named domain; rename one"),
        ("segment\t\n1\ta\n", "line 1: column 2 has no name, one expected"),
        ("segment\tLength\n1\ta\n", "line 1: a column called Length found, which has another meaning; rename it"),
        ("segment\tdomain\none\ta\n", "line 2: segment 'one' found, a whole number expected"),
        ("segment\tdomain\n0\ta\n", "line 2: segment 0 found, 1 or more expected"),
    ],
)
def test_other_tables_are_refused(content: str, message: str) -> None:
    with pytest.raises(FormatError) as error:
        labels_of(content)
    assert message in str(error.value)


@pytest.mark.parametrize(
    ("content", "documents", "message"),
    [
        (
            "segment\tdomain\n4\ta\n",
            None,
            "labels.tsv, line 2: label of segment 4 found, but the texts have 3 segments",
        ),
        ("document\tdomain\nd\ta\n", None, "the documents of the segments are not known; add a file with one document"),
        (
            "document\tdomain\nd\ta\n",
            ("x", "x", "y"),
            "labels.tsv: labels of d found, labels of at least one of x, y expected",
        ),
    ],
)
def test_labels_without_a_place_are_refused(content: str, documents: tuple[str, ...] | None, message: str) -> None:
    parts = [texts(3, documents), FilePart("labels.tsv", labels=labels_of(content))]
    with pytest.raises(AlignmentError) as error:
        fit(parts, refuse=True)
    assert message in str(error.value)
    left_out = fit(parts)
    assert not left_out.corpus.labels
    assert str(left_out.problems[1]) == str(error.value)


def test_a_name_of_labels_is_given_once() -> None:
    parts = [texts(1), *(FilePart(f, labels=labels_of("segment\tdomain\n1\ta\n", f)) for f in ("a.tsv", "b.tsv"))]
    with pytest.raises(AlignmentError, match=r"b.tsv: a.tsv already holds labels called domain; rename or remove one"):
        fit(parts, refuse=True)


def test_documents_after_their_domains_give_both() -> None:
    found = read(b"news\td1\nnews\td1\ntalk\td2\n", "x.docs.txt", "document")
    assert found.columns[0].segments == ("d1", "d1", "d2")
    assert found.labels is not None
    assert found.labels.columns == {"domain": ("news", "news", "talk")}
    assert read(b"d1\nd1\n", "docs.txt", "document").labels is None


def test_a_test_set_gives_the_domains_of_its_documents() -> None:
    contents = _test_set()
    found = fit([part for part in contents.parts() if part.judgments is None], refuse=True)
    assert found.corpus.labels == {"domain": ("news", "talk")}
    assert found.corpus.documents == ("d1", "d2")


def test_a_file_of_labels_takes_the_place_of_those_in_a_test_set() -> None:
    own = FilePart("labels.tsv", file=1, labels=labels_of("segment\tdomain\n1\ta\n2\tb\n"))
    found = fit([*_test_set().parts(), own], refuse=True)
    assert found.corpus.labels == {"domain": ("a", "b")}


def _test_set() -> Contents:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as packed:
        packed.writestr("sources/aa-bb.txt", "s\nt\n")
        packed.writestr("references/aa-bb.refA.txt", "a\nb\n")
        packed.writestr("system-outputs/aa-bb/A.txt", "a\nb\n")
        packed.writestr("documents/aa-bb.docs", "news\td1\ntalk\td2\n")
    return read_test_set(stream.getvalue(), "set.zip")
