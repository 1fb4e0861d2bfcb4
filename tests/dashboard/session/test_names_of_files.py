"""Names of files in an address: whatever a file is called, a link says which files are missing."""

from __future__ import annotations

import pytest
from conftest import Opener
from hypothesis import given
from hypothesis import strategies as st
from pages import said, upload

from dashboard.session.files import MAX_FILE_LIST_LENGTH, list_of_names, read_names

LINES = b"the cat sat\nthe dog ran\n"

NAMES = st.lists(st.text('ab, "…\n\r\\', max_size=8) | st.text(max_size=8), max_size=5)


@given(NAMES)
def test_names_are_read_as_they_were_written(names: list[str]) -> None:
    assert read_names(list_of_names(names)) == names


def test_ordinary_names_are_written_as_people_write_them() -> None:
    assert list_of_names(["ref.txt", "my model.txt", "ours.tsv.gz"]) == "ref.txt, my model.txt, ours.tsv.gz"
    assert list_of_names(["a, b.txt", 'a "b".txt']) == '"a, b.txt", "a ""b"".txt"'


def test_of_many_names_the_first_are_written_whole() -> None:
    names = [f"system {n}.txt" for n in range(100)]
    written = list_of_names(names)
    assert len(written) <= MAX_FILE_LIST_LENGTH + 1
    assert written.endswith(", …")
    assert read_names(written) == names[: len(read_names(written))]
    assert len(read_names(written)) > 10


@pytest.mark.parametrize("address", ['"', 'a, "b', "a\rb", "a\0b", ", ,", "…", "x" * 200_000, '"a"b, c'])
def test_an_address_may_say_anything(address: str) -> None:
    assert all(isinstance(name, str) for name in read_names(address))


def test_a_comma_in_a_name_divides_no_name(opened: Opener) -> None:
    names = ["a, b.txt", "ref.txt", "other.txt"]
    app = opened("data", data="0123456789abcdef", files=list_of_names(names))
    assert '("a, b.txt", ref.txt, other.txt)' in said(app)
    upload(app, ("a, b.txt", LINES), ("ref.txt", LINES))
    assert "(missing: other.txt)" in said(app)
    assert '"a, b.txt", ref.txt' in app.session_state["url"].link.files


def test_the_address_names_files_with_commas(opened: Opener) -> None:
    app = upload(opened("data"), ("a, b.txt", LINES), ("ref.txt", LINES))
    assert read_names(app.query_params["files"]) == ["a, b.txt", "ref.txt"]
