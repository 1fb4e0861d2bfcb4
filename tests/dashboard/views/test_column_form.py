"""The form that asks what the columns of a table are: a spreadsheet with headers that say nothing."""

from __future__ import annotations

import pytest
import sacrebleu
from conftest import Opener
from pages import said, select_file, upload, visit
from small_files import workbook
from streamlit.testing.v1 import AppTest

from dashboard.literal import literal

HEADER = ["Nr.", "Vorlage", "Gold *", "Alpha", "Beta", "Note"]
ROWS = [
    ["1", "eins", "the cat sat on the mat", "the cat sat on a mat", "a cat is on the mat", "3,5"],
    ["2", "zwei", "it was a sunny day in the park", "it was a fine day in the park", "sun shone on the park", "2"],
    ["3", "drei", "we all went home at night", "we all went home by night", "all went home in the night", ""],
]
ASKED = "the headers do not say which columns are outputs"
CHOSEN = ["not used", "source", "reference", "system", "system", "rating"]


def box(app: AppTest, column: str) -> int:
    return next(i for i, each in enumerate(app.selectbox) if each.label == literal(column))


def choose(app: AppTest, *chosen: str) -> AppTest:
    for column, title in zip(HEADER, chosen, strict=True):
        app.selectbox[box(app, column)].set_value(title).run()
    return app


def use(app: AppTest) -> AppTest:
    return next(button for button in app.button if button.label == "Use these columns").click().run()


@pytest.fixture
def table(app: AppTest) -> AppTest:
    upload(app, ("texts.xlsx", workbook([HEADER, *ROWS])))
    assert not app.exception
    return app


@pytest.fixture
def form(table: AppTest) -> AppTest:
    return table.button(key="choose-columns-0").click().run()


def test_a_table_whose_headers_say_nothing_leads_to_the_form(table: AppTest) -> None:
    assert f"texts.xlsx: {ASKED}" in said(table)
    assert table.dataframe[0].value["status"].tolist() == ["columns not known"]
    form = table.button(key="choose-columns-0").click().run()
    preview = next(frame.value for frame in form.dataframe if "column_0" in frame.value)
    assert preview.to_numpy().tolist() == ROWS
    first = box(form, HEADER[0])
    assert [each.label for each in form.selectbox[first : first + len(HEADER)]] == list(map(literal, HEADER))
    proposed = [form.selectbox[box(form, name)].value for name in HEADER]
    assert proposed == ["not used", "system", "reference", "system", "system", "not used"]


def test_the_columns_are_used_as_chosen(form: AppTest) -> None:
    choose(form, *CHOSEN)
    next(each for each in form.text_input if each.label == "Rated system").set_value("Alpha").run()
    use(form)
    assert not form.exception
    assert not form.error
    assert "In use: 2 systems, 1 reference, 3 segments, 2 ratings, judges not named" in said(form)
    scores = next(frame.value for frame in visit(form, "ranking/scores").dataframe if "bleu" in frame.value)
    found = dict(zip(scores["system"], scores["bleu"], strict=True))
    for name, place in (("Alpha", 3), ("Beta", 4)):
        expected = sacrebleu.corpus_bleu([row[place] for row in ROWS], [[row[2] for row in ROWS]]).score
        assert found[name] == pytest.approx(expected)


def test_columns_that_do_not_go_together_are_refused_and_nothing_changes(form: AppTest) -> None:
    choose(form, "source", "source", *CHOSEN[2:5], "not used")
    use(form)
    (error,) = form.error
    assert "both 'Nr.' and 'Vorlage' are the source; leave one out or rename it" in error.value.replace("\\", "")
    assert form.session_state["held"].files[0].columns == ()


def test_the_headers_can_decide_again(form: AppTest) -> None:
    choose(form, *CHOSEN[:5], "not used")
    use(form)
    assert form.session_state["held"].files[0].columns
    next(button for button in form.button if button.label == "Use the headers").click().run()
    assert form.session_state["held"].files[0].columns == ()


def test_a_table_with_semicolons_and_known_headers_needs_no_form(opened: Opener) -> None:
    text = "source;ref;Alpha\n" + "".join(f"{row[1]};{row[2]};{row[3]}, so\n" for row in ROWS)
    app = upload(opened(""), ("texts.csv", text.encode()))
    assert "do not say" not in said(app)
    assert "In use: 1 system, 1 reference, 3 segments" in said(app)
    select_file(app, 0)
    titles = [app.selectbox[box(app, name)].value for name in ("source", "ref", "Alpha")]
    assert titles == ["source", "reference", "system"]


def test_a_table_that_nobody_has_explained_leaves_other_files_in_use(opened: Opener) -> None:
    texts = [
        (f"{name}.txt", "".join(f"{row[place]}\n" for row in ROWS).encode()) for name, place in (("ref", 2), ("A", 3))
    ]
    without_header = [*ROWS, ["4", "vier", "then it rained all day", "it rained then", "rain fell all day", "4"]]
    app = upload(opened(""), *texts, ("texts.xlsx", workbook(without_header)))
    assert "In use: 1 system, 1 reference, 3 segments" in said(app)
    asked = "Which column is the translation? texts.xlsx: its first row does not say what the columns are"
    assert asked in said(app)
    assert said(app).count("texts.xlsx") == 1  # nothing else is said about the file
    assert not app.error
    assert app.dataframe[0].value["status"].tolist() == ["in use", "in use", "columns not known"]
    select_file(app, 2)
    assert asked in said(app)
    assert not app.warning
    assert not app.button(key="remove-file").disabled


def test_headers_with_other_words_are_found_and_named_as_the_user_says(opened: Opener) -> None:
    header = ["Source text", "Translation (Supplier Alpha)"]
    reference = ("ref.txt", "".join(f"{row[2]}\n" for row in ROWS).encode())
    beta = ("Beta.txt", "".join(f"{row[4]}\n" for row in ROWS).encode())
    app = upload(opened(""), reference, beta, ("Alpha.xlsx", workbook([header, *([row[1], row[3]] for row in ROWS)])))
    assert "added or split" not in said(app)
    assert "In use: 2 systems, 1 reference, 3 segments" in said(app)
    select_file(app, 2)
    assert [app.selectbox[box(app, name)].value for name in header] == ["source", "system"]
    (name,) = [each for each in app.text_input if each.label == "Name of the system"]
    name.set_value("Supplier Alpha").run()
    use(app)
    assert not app.exception
    assert "In use: 2 systems, 1 reference, 3 segments" in said(app)
    assert app.dataframe[0].value["names"].tolist() == ["ref", "Beta", "Supplier Alpha"]


def test_a_table_about_systems_is_asked_about_and_is_no_missing_system(opened: Opener) -> None:
    reference = ("ref.txt", "".join(f"{row[2]}\n" for row in ROWS).encode())
    alpha = ("Alpha.txt", "".join(f"{row[3]}\n" for row in ROWS).encode())
    table = ("systems.csv", b"system,type,mean\nAlpha,mt,3.5\nBeta,mt,2.5\n")
    app = upload(opened(""), reference, alpha, table)
    assert "systems.csv: its headers do not say what the columns are (system, type, mean; 2 rows)" in said(app)
    assert "In use: 1 system, 1 reference, 3 segments" in said(app)
    assert "lost or joined" not in said(app)


def test_the_sheet_is_chosen_from_those_of_the_file_even_where_the_first_one_cannot_be_read(opened: Opener) -> None:
    texts = ("ref.txt", "".join(f"{row[2]}\n" for row in ROWS).encode())
    unreadable = [["Source", "Source"], ["one", "two"]]
    book = workbook(unreadable, [["Alpha"], *([row[3]] for row in ROWS)])
    app = upload(opened(""), texts, ("texts.xlsx", book))
    assert "two columns are named 'Source'; rename one" in said(app)
    select_file(app, 1)
    sheets = app.selectbox[box(app, "Sheet")]
    assert sheets.options == ["as recognised", "Sheet1", "Sheet2"]
    sheets.set_value("Sheet2").run()
    assert not app.exception
    assert "In use: 1 system, 1 reference, 3 segments" in said(app)
    assert app.session_state["held"].files[1].own == {"sheet": "Sheet2"}


def test_the_row_of_the_headers_is_chosen_where_it_is_not_plain(opened: Opener) -> None:
    rows = [["Engines", "of", "May", "", "", ""], HEADER, *ROWS]
    text = "".join(";".join(row) + "\n" for row in rows).encode()
    for name, data in (("texts.csv", text), ("texts.xlsx", workbook(rows))):
        app = upload(opened(""), (name, data))
        select_file(app, 0)
        app.selectbox[box(app, "Header row")].set_value("2").run()
        choose(app, *CHOSEN[:5], "not used")
        use(app)
        assert not app.exception
        assert not app.error
        assert "In use: 2 systems, 1 reference, 3 segments" in said(app)
        assert app.session_state["held"].files[0].own == {"header": "2"}
