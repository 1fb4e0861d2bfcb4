"""Several test sets on the Data page: creating, filling, renaming and removing them, and moving files between them."""

from __future__ import annotations

from typing import Any

import pytest
from conftest import Downloads, Opener
from pages import load, said, select_file, upload, visit
from streamlit.testing.v1 import AppTest
from two_languages import in_layout

from bleu_core.project import open_workspace
from bleu_core.uploads import File
from dashboard.session import MAX_SET_NAME_LENGTH

REF, A, B = b"the cat sat\na dog ran\n", b"the cat sits\na dog ran\n", b"a cat sat\nthe dog ran\n"
OTHER_REF, OTHER_A = b"el gato\nun perro\ndos\n", b"el gato\nel perro\ndos\n"


@pytest.fixture
def app(app: AppTest) -> AppTest:
    return visit(load(app, ("ref.txt", REF), ("A.txt", A), ("B.txt", B)), "data")


def held(app: AppTest) -> tuple[File, ...]:
    return app.session_state["held"].files


def by_set(app: AppTest) -> dict[str, list[str]]:
    sets: dict[str, list[str]] = {}
    for file in held(app):
        sets.setdefault(file.test_set, []).append(file.name)
    return sets


def box(app: AppTest) -> Any:
    return next((box for box in app.selectbox if box.key == "shown_set"), None)


def choose(app: AppTest, name: str) -> AppTest:
    return box(app).select(name).run()


def create(app: AppTest, name: str) -> AppTest:
    app.text_input(key="new_set_name").input(name)
    return submit(app, "Create test set")


def submit(app: AppTest, label: str) -> AppTest:
    return next(button for button in app.button if button.label == label).click().run()


def rename(app: AppTest, name: str) -> AppTest:
    next(box for box in app.text_input if (box.key or "").startswith("set_name")).input(name)
    return submit(app, "Rename test set")


def move(app: AppTest, name: str, *files: str) -> AppTest:
    moved = next(box for box in app.multiselect if (box.key or "").startswith("files_to_move"))
    for file in files:
        moved.select(file)
    next(box for box in app.selectbox if (box.key or "").startswith("set_of_files_to_move")).select(name)
    return submit(app, "Move files")


def test_a_set_is_created_filled_and_shown(app: AppTest) -> None:
    assert box(app) is None
    create(app, "  Spanish ")
    assert (box(app).options, box(app).value) == (["Unnamed", "Spanish"], "Spanish")
    assert "This test set has no files yet." in said(app)
    assert "Files that you add belong to the test set Spanish." in said(app)
    upload(app, ("ref.txt", OTHER_REF), ("A.txt", OTHER_A))
    assert by_set(app) == {"": ["ref.txt", "A.txt", "B.txt"], "Spanish": ["ref.txt", "A.txt"]}
    assert "In use: 1 system, 1 reference, 3 segments" in said(app)
    table = next(frame.value for frame in app.dataframe if "test_set" in frame.value or "test set" in frame.value)
    assert table.to_numpy().tolist() == [["Unnamed", 3, 2, 0, 0, 1, 2], ["Spanish", 2, 1, 0, 0, 1, 3]]
    visit(app, "ranking")
    assert app.query_params["set"] == "Spanish"


def test_a_file_of_a_name_that_another_set_has_is_no_duplicate(app: AppTest) -> None:
    create(app, "Spanish")
    upload(app, ("A.txt", A))
    assert "already loaded" not in said(app)
    upload(app, ("A.txt", OTHER_A))
    assert "A different file named A.txt is already loaded." in said(app)
    choose(app, "")
    assert "A different file named A.txt is already loaded in the test set Spanish." in said(app)
    app.button(key="same-name-0-replace_by_waiting").click().run()
    assert [file.data for file in held(app)] == [REF, A, B, OTHER_A]


def test_files_are_moved_one_by_one_and_several_at_once(app: AppTest) -> None:
    create(app, "Second")
    choose(app, "")
    select_file(app, 1)
    next(box for box in app.selectbox if box.label == "Test set of this file").select("Second").run()
    assert by_set(app) == {"": ["ref.txt", "B.txt"], "Second": ["A.txt"]}
    assert "Moved 1 file to Second." in said(app)
    move(app, "Second", "ref.txt", "B.txt")
    assert by_set(app) == {"Second": ["A.txt", "ref.txt", "B.txt"]}
    assert box(app) is None  # only one is left
    assert "In use: 2 systems, 1 reference, 2 segments" in said(app)


def test_a_moved_file_with_a_taken_name_gets_another_one_and_a_copy_stays(app: AppTest) -> None:
    create(app, "Second")
    upload(app, ("A.txt", OTHER_A), ("B.txt", B))
    choose(app, "")
    move(app, "Second", "A.txt", "B.txt")
    assert by_set(app) == {"": ["ref.txt", "B.txt"], "Second": ["A.txt", "B.txt", "A (2).txt"]}
    assert "Second has another file named A.txt; the one moved is now A (2).txt." in said(app)
    assert "Second already has B.txt with the same content, which was not moved." in said(app)


def test_corrections_of_a_file_concern_the_file_of_the_chosen_set(app: AppTest) -> None:
    create(app, "Second")
    upload(app, ("ref.txt", OTHER_REF), ("A.txt", OTHER_A))
    select_file(app, 1)
    name = next(box for box in app.text_input if box.label == "Name")
    name.input("Ours").run()
    assert [file.renamed for file in held(app)] == ["", "", "", "", "Ours"]
    choose(app, "")
    assert app.session_state["selected_file"] is None
    select_file(app, 1)
    assert next(box for box in app.text_input if box.label == "Name").value == "A"
    assert [file.renamed for file in held(app)] == ["", "", "", "", "Ours"]
    app.button(key="remove-file").click().run()
    assert by_set(app) == {"": ["ref.txt", "B.txt"], "Second": ["ref.txt", "A.txt"]}


def test_a_set_is_removed_and_restored_with_its_files(app: AppTest) -> None:
    create(app, "Second")
    upload(app, ("ref.txt", OTHER_REF), ("A.txt", OTHER_A))
    before = held(app)
    choose(app, "")
    app.button(key="remove-set").click().run()
    assert by_set(app) == {"Second": ["ref.txt", "A.txt"]}
    assert "Removed the test set Unnamed with 3 files." in said(app)
    app.button(key="undo-removal").click().run()
    assert held(app) == before
    assert box(app).options == ["Unnamed", "Second"]


def test_an_empty_set_is_removed(app: AppTest) -> None:
    create(app, "Second")
    app.button(key="remove-set").click().run()
    assert box(app) is None
    assert by_set(app) == {"": ["ref.txt", "A.txt", "B.txt"]}


def test_all_files_of_all_sets_are_removed_and_restored(app: AppTest) -> None:
    create(app, "Second")
    upload(app, ("ref.txt", OTHER_REF), ("A.txt", OTHER_A))
    app.button(key="remove-all").click().run()
    assert "Remove all 5 files?" in said(app)
    app.button(key="remove-all-confirmed").click().run()
    assert "Removed 5 files of 2 test sets. The sample data are shown." in said(app)
    app.button(key="undo-removal").click().run()
    assert by_set(app) == {"": ["ref.txt", "A.txt", "B.txt"], "Second": ["ref.txt", "A.txt"]}


def test_a_set_is_renamed_and_stays_shown(app: AppTest) -> None:
    create(app, "Second")
    upload(app, ("ref.txt", OTHER_REF), ("A.txt", OTHER_A))
    rename(app, "Zweiter")
    assert list(by_set(app)) == ["", "Zweiter"]
    assert box(app).value == "Zweiter"
    assert app.query_params["set"] == "Zweiter"
    choose(app, "")
    rename(app, "First")
    assert box(app).options == ["First", "Zweiter"]
    assert box(app).value == "First"


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("  ", "Enter a name for the test set."),
        ("Second", "There is already a test set named Second."),
        ("Unnamed", "There is already a test set named Unnamed."),
        ("x" * 61, "The name has 61 characters, at most 60 are possible."),
    ],
)
def test_a_name_that_is_not_possible_is_refused_with_the_reason(app: AppTest, name: str, problem: str) -> None:
    create(app, "Second")
    create(app, name)
    assert problem in said(app)
    assert app.session_state["held"].test_sets == ("", "Second")


def test_names_are_compared_in_nfc(app: AppTest) -> None:
    create(app, "Café")
    create(app, "Cafe\u0301")
    assert app.session_state["held"].test_sets == ("", "Café")
    create(app, "x" * MAX_SET_NAME_LENGTH)
    assert len(app.session_state["held"].test_sets) == 3


HOSTILE = "**bold** $x$ :red[a] <b>&amp;</b> [l](http://x)"


def test_names_of_users_are_shown_as_they_are(app: AppTest) -> None:
    create(app, HOSTILE)
    assert not app.exception
    assert f"Files that you add belong to the test set {HOSTILE}." in said(app)
    upload(app, ("ref.txt", OTHER_REF), ("A.txt", OTHER_A))
    rename(app, f"{HOSTILE}!")
    app.button(key="remove-set").click().run()
    assert f"Removed the test set {HOSTILE}! with 2 files." in said(app)
    raw = "\n".join(str(block.value) for block in [*app.markdown, *app.caption])
    assert "**bold**" not in raw
    assert ":red[a]" not in raw


def test_a_saved_workspace_has_the_sets_and_shows_the_same_one(
    app: AppTest, opened: Opener, downloads: Downloads
) -> None:
    create(app, "Second")
    upload(app, ("ref.txt", OTHER_REF), ("A.txt", OTHER_A))
    data = downloads["save-workspace"]()
    saved = open_workspace(data, "w")
    assert saved.choices.test_set == "Second"
    assert [file.data for file in saved.files_in_use] == [OTHER_REF, OTHER_A]
    other = upload(opened("data"), ("mine.txt", A), ("B.txt", B), ("ref.txt", REF))
    other.session_state["without_systems"] = ["B"]
    other.run()
    upload(other, ("workspace.bleu.zip", data))
    assert by_set(other) == by_set(app)
    assert box(other).value == "Second"
    assert dict(other.query_params) == dict(app.query_params)
    choose(other, "")
    assert other.session_state["without_systems"] == []
    other.button(key="undo-opening").click().run()
    assert by_set(other) == {"": ["mine.txt", "B.txt", "ref.txt"]}
    assert other.session_state["without_systems"] == ["B"]
    assert box(other) is None


def test_files_of_several_languages_are_a_test_set_for_each(app: AppTest) -> None:
    files = in_layout("ref.{code}.txt", "{name}.{code}.txt")
    app = upload(app, *((name, text.encode()) for name, text in files.items()))
    assert by_set(app) == {
        "": ["ref.txt", "A.txt", "B.txt"],
        "de": ["ref.de.txt", "A.de.txt", "B.de.txt"],
        "nl": ["ref.nl.txt", "A.nl.txt", "B.nl.txt"],
    }
    assert "6 files were divided into 2 test sets by the languages in their names: de, nl" in said(app)
    assert {file.renamed for file in held(app) if file.test_set} == {"ref", "A", "B"}
