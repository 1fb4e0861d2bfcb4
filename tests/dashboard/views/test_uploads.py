"""Uploads without a browser: equal names, renames, human translators among the references, undo."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from pages import said, select_file, upload, visit
from streamlit.testing.v1 import AppTest

REFERENCE = b"the cat sat on the mat\nit was a sunny day in the park\nwe all went home at night\n"
SYSTEM = b"the cat sat on a mat\nit was a fine day in the park\nwe all went home by night\n"
OTHER = b"a cat sits on the mat\nthat was a sunny day at the park\nall of us went home at night\n"


def files(app: AppTest) -> list[tuple[str, bytes]]:
    """The loaded files."""
    return [(file.name, file.data) for file in app.session_state["held"].files]


def column(app: AppTest, name: str) -> list[Any]:
    return app.dataframe[0].value[name].tolist()


def press(app: AppTest, title: str) -> AppTest:
    """Click on the first button of that title."""
    button = next(b for b in app.button if b.label.replace("\\", "").replace("\u2060", "") == title)
    found = button.click().run()
    assert not found.exception
    return found


def box(app: AppTest, label: str) -> Any:
    return next(b for b in (*app.text_input, *app.selectbox, *app.toggle) if b.label == label)


# --- equal names -------------------------------------------------------------------------------------------------


def test_a_file_of_the_same_name_waits_until_the_user_decides(app: AppTest) -> None:
    upload(app, ("ref.txt", REFERENCE), ("ours.txt", OTHER))
    upload(app, ("ours.txt", SYSTEM))
    assert "A different file named ours.txt is already loaded. It stays in use until you decide." in said(app)
    assert files(app) == [("ref.txt", REFERENCE), ("ours.txt", OTHER)]
    assert [file.data for file in app.session_state["held"].waiting] == [SYSTEM]
    app.run()
    assert "is already loaded" in said(app)  # until it is answered


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("Replace ours.txt", [("ref.txt", REFERENCE), ("ours.txt", SYSTEM)]),
        ("Keep both", [("ref.txt", REFERENCE), ("ours.txt", OTHER), ("ours (2).txt", SYSTEM)]),
        ("Discard the new file", [("ref.txt", REFERENCE), ("ours.txt", OTHER)]),
    ],
)
def test_a_file_of_the_same_name_replaces_the_other_or_stays_beside_it(
    app: AppTest, answer: str, expected: list[tuple[str, bytes]]
) -> None:
    upload(app, ("ref.txt", REFERENCE), ("ours.txt", OTHER))
    upload(app, ("ours.txt", SYSTEM))
    press(app, answer)
    assert files(app) == expected
    assert "is already loaded" not in said(app)
    assert column(app, "status") == ["in use"] * len(expected)


def test_a_replaced_file_keeps_its_corrections(app: AppTest) -> None:
    upload(app, ("truth.txt", REFERENCE), ("ours.txt", OTHER))
    select_file(app, 0)
    box(app, "Type").set_value("reference").run()
    upload(app, ("truth.txt", SYSTEM))
    press(app, "Replace truth.txt")
    assert column(app, "type") == ["reference", "system"]
    assert files(app)[0] == ("truth.txt", SYSTEM)


def test_a_replaced_file_can_be_brought_back_beside_what_came_later(app: AppTest) -> None:
    upload(app, ("ours.txt", OTHER), ("ref.txt", REFERENCE))
    upload(app, ("ours.txt", SYSTEM))
    press(app, "Replace ours.txt")
    upload(app, ("more.txt", OTHER))
    assert "Replaced ours.txt." in said(app)
    press(app, "Undo")
    assert files(app) == [("ours.txt", OTHER), ("ref.txt", REFERENCE), ("more.txt", OTHER)]
    assert "Replaced" not in said(app)


def test_several_files_of_known_names_can_be_answered_at_once(app: AppTest) -> None:
    names = [f"s{k}.txt" for k in range(7)]
    upload(app, ("ref.txt", REFERENCE), *((name, OTHER) for name in names))
    upload(app, *((name, SYSTEM) for name in names))
    assert "All 7 files with names that are already loaded:" in said(app)
    press(app, "Replace all")
    assert files(app) == [("ref.txt", REFERENCE), *((name, SYSTEM) for name in names)]


def test_different_files_of_one_name_in_one_upload_are_both_kept(app: AppTest) -> None:
    upload(app, ("ref.txt", REFERENCE), ("output.txt", SYSTEM), ("output.txt", OTHER))
    assert column(app, "names") == ["ref", "output", "output (2)"]
    assert "Two different files are named output.txt; the second one is now output (2).txt." in said(app)
    assert column(app, "status") == ["in use"] * 3


def test_the_same_file_again_is_not_loaded_twice(app: AppTest) -> None:
    upload(app, ("ref.txt", REFERENCE), ("ours.txt", SYSTEM), ("ours.txt", SYSTEM))
    upload(app, ("ours.txt", SYSTEM))
    assert column(app, "file") == ["ref.txt", "ours.txt"]
    assert "ours.txt: this file is already loaded." in said(app)


def test_a_reference_that_arrives_twice_in_one_upload_is_also_a_human_translator(app: AppTest) -> None:
    upload(app, ("ours.txt", SYSTEM), ("ref.A.txt", REFERENCE), ("ref.A.txt", REFERENCE), ("ref.B.txt", OTHER))
    assert column(app, "type") == ["system", "reference", "system", "reference"]
    assert [file.human for file in app.session_state["held"].files] == [False, False, True, False]
    assert "One copy is used as a reference, the other as a system, marked as a human translator." in said(app)
    assert "In use: 2 systems, 2 references" in said(app)


def test_a_file_that_was_loaded_as_a_system_is_also_a_reference_where_its_name_says_so(app: AppTest) -> None:
    visit(app, "data")
    app.segmented_control(key="upload_role").set_value("Systems").run()
    upload(app, ("ours.txt", SYSTEM), ("ref.A.txt", REFERENCE))
    app.segmented_control(key="upload_role").set_value("Recognise by name and content").run()
    upload(app, ("ref.A.txt", REFERENCE), ("ref.B.txt", OTHER))
    assert column(app, "type") == ["system", "system", "reference", "reference"]
    upload(app, ("ref.A.txt", REFERENCE), ("ours.txt", SYSTEM))
    assert len(files(app)) == 4


# --- names -------------------------------------------------------------------------------------------------------


def test_a_rename_to_the_name_of_another_file_is_refused_and_changes_nothing(app: AppTest) -> None:
    upload(app, ("ref.txt", REFERENCE), ("Online-A.txt", SYSTEM), ("Online-B.txt", OTHER))
    select_file(app, 1)
    box(app, "Name").set_value("Online-B").run()
    assert "Online-B.txt already has a system named Online-B. Choose another name." in said(app)
    assert column(app, "names") == ["ref", "Online-A", "Online-B"]
    assert column(app, "status") == ["in use"] * 3
    box(app, "Name").set_value("Online-C").run()
    assert not app.error
    assert column(app, "names") == ["ref", "Online-C", "Online-B"]


def test_a_type_in_which_another_file_has_the_name_is_refused(app: AppTest) -> None:
    upload(app, ("ref.txt", REFERENCE), ("ours.txt", SYSTEM), ("ours.ref.txt", OTHER))
    select_file(app, 2)
    box(app, "Name").set_value("ours").run()
    box(app, "Type").set_value("system").run()
    assert "ours.txt already has a system named ours. Choose another name." in said(app)
    assert column(app, "type") == ["reference", "system", "reference"]


def test_tables_with_the_same_source_load_together_and_can_be_renamed(app: AppTest) -> None:
    def export(text: bytes) -> bytes:
        rows = zip(REFERENCE.splitlines(), text.splitlines(), strict=True)
        return b"ID;Source;Target\n" + b"".join(b"%d;%s;%s\n" % (i, *row) for i, row in enumerate(rows, start=1))

    upload(app, ("reference.txt", REFERENCE), ("DeepX.csv", export(SYSTEM)), ("Goggle.csv", export(OTHER)))
    assert column(app, "names") == ["reference", "DeepX", "Goggle"]
    assert column(app, "status") == ["in use", "in use", "in use"]
    select_file(app, 2)
    assert "the source is already loaded from DeepX.csv; the identical copy in Goggle.csv is ignored" in said(app)
    box(app, "Name").set_value("Engine 2").run()
    box(app, "Human translator").set_value(True).run()
    assert column(app, "names") == ["reference", "DeepX", "Engine 2"]
    assert "2 systems" in said(app)


# --- alerts, undo ------------------------------------------------------------------------------------------------

RATINGS = b"segment,system,score\n1,ours,3\n2,ours,2\n1,ref.A,5\n2,ref.A,4\n3,ref.A,4\n3,ghost,1\n"
ALERT = "3 ratings in human.csv are of \u201cref.A\u201d, which is not loaded as a system."


def test_a_rated_reference_can_be_added_as_a_human_translator(app: AppTest) -> None:
    upload(app, ("ref.A.txt", REFERENCE), ("ours.txt", SYSTEM), ("human.csv", RATINGS))
    assert ALERT in said(app)
    assert said(app).count("ghost") == 1  # in the list of warnings: nothing here can be done about it
    press(app, "Add it as a human translator")
    assert ALERT not in said(app)
    assert "In use: 2 systems, 1 reference, 3 segments, 5 ratings, judges not named" in said(app)
    added = app.session_state["held"].files[-1]
    assert (added.data, added.role, added.human, added.renamed) == (REFERENCE, "system", True, "ref.A")


def test_a_reference_that_becomes_a_system_keeps_line_separators_of_unicode(app: AppTest) -> None:
    separated = REFERENCE.replace(b" ", "\u2028".encode(), 1)
    assert separated != REFERENCE
    upload(app, ("ref.A.txt", separated), ("ours.txt", SYSTEM), ("human.csv", RATINGS))
    press(app, "Add it as a human translator")
    assert app.session_state["held"].files[-1].data == separated


def test_an_alert_can_be_ignored(app: AppTest) -> None:
    upload(app, ("ref.A.txt", REFERENCE), ("ours.txt", SYSTEM), ("human.csv", RATINGS))
    press(app, "Ignore")
    assert ALERT not in said(app)
    assert "5 ratings" not in said(app)


def test_a_removed_file_can_be_brought_back_in_its_place(app: AppTest) -> None:
    upload(app, ("ref.txt", REFERENCE), ("ours.txt", SYSTEM), ("other.txt", OTHER))
    select_file(app, 1)
    press(app, "Remove")
    assert column(app, "file") == ["ref.txt", "other.txt"]
    assert "Removed ours.txt." in said(app)
    press(app, "Undo")
    assert column(app, "file") == ["ref.txt", "ours.txt", "other.txt"]
    assert "Removed" not in said(app)


@pytest.mark.parametrize("how", ["Replace ours.txt", "Remove"])
def test_undo_finds_the_place_of_a_file_though_those_before_it_have_gone(app: AppTest, how: str) -> None:
    upload(app, ("human.csv", RATINGS), ("ref.txt", REFERENCE), ("ours.txt", OTHER), ("other.txt", SYSTEM))
    if how == "Remove":
        select_file(app, 2)
    else:
        upload(app, ("ours.txt", REFERENCE))
    press(app, how)
    held = app.session_state["held"]
    held.files = held.files[1:]  # as where a campaign is left, whose ratings came first
    app.run()
    press(app, "Undo")
    assert files(app) == [("ref.txt", REFERENCE), ("ours.txt", OTHER), ("other.txt", SYSTEM)]


def test_undo_restores_a_file_though_what_has_replaced_it_was_corrected(app: AppTest) -> None:
    upload(app, ("ref.txt", REFERENCE), ("ours.txt", OTHER))
    upload(app, ("ours.txt", SYSTEM))
    press(app, "Replace ours.txt")
    held = app.session_state["held"]
    held.files = (held.files[0], replace(held.files[1], renamed="mine", role="reference"))
    app.run()
    press(app, "Undo")
    assert files(app) == [("ref.txt", REFERENCE), ("ours.txt", OTHER)]


def test_all_files_are_removed_only_after_a_question_and_can_be_brought_back(app: AppTest) -> None:
    upload(app, ("ref.txt", REFERENCE), ("ours.txt", SYSTEM))
    press(app, "Remove all files")
    assert len(files(app)) == 2
    press(app, "Cancel")
    press(app, "Remove all files")
    press(app, "Remove all 2 files")
    assert files(app) == []
    assert "Removed ref.txt, ours.txt. The sample data are shown." in said(app)
    press(app, "Undo")
    assert [name for name, _ in files(app)] == ["ref.txt", "ours.txt"]
    assert "In use: 1 system, 1 reference, 3 segments" in said(app)


@pytest.mark.parametrize(
    ("name", "data", "count"),
    [
        ("en-de.mqm.seg.score", b"ours\t-1\nours\t-2\nours\t0\n", "3 segment scores (judges not named)"),
        ("mqm.avg_seg_scores.tsv", b"system mqm_avg_score seg_id\nours -1.5 1\n", "1 segment score (judges not named)"),
        ("h.csv", b"segment,system,score\n1,ours,3\n", "1 rating, judges not named"),
        ("h.csv", b"segment,system,judge,score\n1,ours,x,3\n1,ours,y,2\n", "2 ratings by 2 judges"),
    ],
)
def test_ratings_that_name_no_judge_are_not_counted_as_those_of_one(
    app: AppTest, name: str, data: bytes, count: str
) -> None:
    upload(app, ("ref.txt", REFERENCE), ("ours.txt", SYSTEM), (name, data))
    assert f"In use: 1 system, 1 reference, 3 segments, {count}" in said(app)
    assert "1 judge" not in said(app)


def test_a_text_that_is_pasted_is_a_file(app: AppTest) -> None:
    visit(app, "data")
    for kind, name, text in (("System", "ours", "a b\nc d\n\n"), ("Reference", "", "a b\nc e"), ("System", "", "x\ny")):
        app.text_area(key="pasted_text").set_value(text)
        app.selectbox(key="pasted_type").set_value(kind)
        app.text_input(key="pasted_name").set_value(name)
        press(app, "Add text")
    assert "Added pasted (2).txt (system, 2 segments)." in said(app)
    assert files(app) == [("ours.txt", b"a b\nc d\n"), ("pasted.txt", b"a b\nc e\n"), ("pasted (2).txt", b"x\ny\n")]
    assert column(app, "type") == ["system", "reference", "system"]


def test_nothing_pasted_is_an_error(app: AppTest) -> None:
    visit(app, "data")
    press(app, "Add text")
    assert "No text was pasted. Paste one segment per line." in said(app)
    assert not files(app)
