"""What headers say, and whether the first row is a header."""

from __future__ import annotations

import re

import pytest

from bleu_core.dataset import Role
from bleu_core.errors import FormatError
from bleu_core.formats import Contents, read
from bleu_core.formats.column_kinds import why_not_text
from bleu_core.formats.headers import classify_header, is_language_header

KINDS = {
    "reference": [
        "ref",
        "refA",
        "Reference (EN)",
        "reference 2",
        "refs.X",
        "refs.refA.ref",
        "Referenz",
        "Référence (FR)",
    ],
    "source": ["src_text", "Quelltext", "Texto de origen", "Исходный текст", "原文", "Zdrojový text", "ソース"],
    "output": [
        "MT (EN)",
        "Maschinenübersetzung",
        "Tradução automática",
        "机器翻译",
        "hyp_1",
        "Překlad",
        "translation.de",
    ],
    "document": ["doc_id", "Document ID", "Dokument", "文档"],
    "number": ["Segment", "seg_id", "Zeile", "номер", "番号"],
    "other": ["GPT score", "src_lang", "Kommentar", "备注", "score_A", "Reference comment", "prompt_instruction"],
    None: [
        "DeepX",
        "Online-A",
        "refined",
        "preference",
        "my text",
        "Human translation",
        "a segment of text, not a header",
    ],
}


@pytest.mark.parametrize(("kind", "header"), [(kind, header) for kind, headers in KINDS.items() for header in headers])
def test_a_header_says_what_its_column_is(kind: str | None, header: str) -> None:
    assert classify_header(header) == kind


def test_headers_of_languages_are_known() -> None:
    assert all(map(is_language_header, ["de", "translation.en", "English", "Deutsch", "zh-CN"]))
    assert not any(map(is_language_header, ["DeepX de", "refined", "MT"]))


@pytest.mark.parametrize(
    ("cells", "reason"),
    [
        (["1", "2.5", "1,000", "3e-4", "7 %"], "numbers only"),
        (["2024-01-02", "3.4.2023", "2024-01-02T10:00:00Z"], "dates only"),
        (["https://a.example/x", "b@c.example"], "addresses only"),
        (["true", "false", "true"], "yes or no only"),
        (["news-1", "x_2", "a#3"], "codes only"),
        (["the same"] * 3, "the same value in all rows"),
        (["news", "social media"] * 8, "few different values"),
        (["", " "], "no text"),
        (["the cat", "a dog"], None),
        (["Hund", "Katze", "Maus"], None),
        (["猫", "犬", "鳥", "魚"], None),
        (["5 cats", "12"], None),
    ],
)
def test_what_cannot_be_text_is_told_by_its_cells(cells: list[str], reason: str | None) -> None:
    assert why_not_text(cells) == reason


TEXTS = [f"This is sentence {n}, which is of some length." for n in range(12)]


def read_table(header: list[str], rows: list[list[str]], role: Role = "system", name: str = "t.tsv") -> Contents:
    table = ([header] if header else []) + rows
    return read("".join("\t".join(row) + "\n" for row in table).encode(), name, role)


@pytest.mark.parametrize(
    "header", ["Is this good?", "Engine one (new)", "Новый перевод?!", "列 1 (最新)", "Was die Maschine sagt"]
)
def test_a_header_of_no_known_word_is_told_from_sentences(header: str) -> None:
    assert read_table([header], [[text] for text in TEXTS]).columns[0].segments == tuple(TEXTS)


def test_sentences_without_a_header_stay_whole_and_nothing_is_said() -> None:
    found = read_table([], [[text] for text in TEXTS])
    assert (found.columns[0].segments, found.report.notes) == (tuple(TEXTS), ())


def test_what_is_not_certain_is_said_with_the_option_that_chooses_the_other_reading() -> None:
    found = read_table([], [["Hallo", "Hello"], ["Guten Tag", "Good day"], ["Ja", "Yes"]])
    taken = "is taken for the header" in found.report.notes[0]
    option = f"--format-of t.tsv=table:header={'no' if taken else 'yes'}"
    assert found.report.notes[0].endswith(option)
    other = read(
        b"Hallo\tHello\nGuten Tag\tGood day\nJa\tYes\n",
        "t.tsv",
        "system",
        format="table",
        own={"header": "no" if taken else "yes"},
    )
    assert {len(found.columns[0].segments), len(other.columns[0].segments)} == {2, 3}


def test_headers_of_languages_do_not_say_which_one_is_the_output() -> None:
    with pytest.raises(
        FormatError, match=r"translation\.de, translation\.en name languages and not which .*--columns t\.tsv:"
    ):
        read_table(["translation.de", "translation.en"], [[text, text] for text in TEXTS])


def test_several_columns_that_may_be_the_reference_are_refused() -> None:
    rows = [[text, text.replace("sentence", "text")] for text in TEXTS]
    with pytest.raises(FormatError, match=r"several columns may be the reference .*--columns t\.tsv:Anna=reference"):
        read_table(["Anna", "Ben"], rows, "reference")
    assert [c.name for c in read_table(["Anna", "refs.B"], rows, "reference").columns] == ["refs.B"]
    assert [c.name for c in read_table(["Anna", "id"], [[t, "1"] for t in TEXTS], "reference").columns] == ["Anna"]


@pytest.mark.parametrize(
    ("header", "role", "advice"),
    [
        ([], "reference", "t.tsv:t.1=source,t.tsv:t.2=reference"),
        ([], "system", "t.tsv:t.1=source,t.tsv:t.2=system"),
        (["Anna", "Ben"], "system", "t.tsv:Anna=source,t.tsv:Ben=system"),
        (["text", "translation"], "system", "t.tsv:text=source,t.tsv:translation=system:t"),
        (["attributes.input.value", "attributes.output.value"], "system", "t.tsv:attributes.input.value=source,"),
    ],
)
def test_of_columns_in_two_languages_one_is_probably_the_source(header: list[str], role: Role, advice: str) -> None:
    rows = [[f"Dies ist Satz {n} von einiger Länge", text] for n, text in enumerate(TEXTS)]
    with pytest.raises(FormatError, match=rf"; say what its columns are, .*--columns {re.escape(advice)}"):
        read_table(header, rows, role)


def test_a_column_called_text_beside_outputs_in_its_language_is_no_source() -> None:
    rows = [[text, text.replace("sentence", "text")] for text in TEXTS]
    with pytest.raises(FormatError, match=r"--columns t\.tsv:text=reference$"):
        read_table(["text", "pred_text"], rows, "reference")


def test_a_table_of_references_without_a_header_gives_all_and_says_so() -> None:
    found = read_table([], [[text, f"Another one: {text}"] for text in TEXTS], "reference")
    assert len(found.columns) == 2
    assert found.report.notes == ("the table has no header: all 2 columns of text are references",)


def test_values_are_no_systems_unless_somebody_says_so() -> None:
    rows = [[text, f"{n / 7:.3f}", f"2024-01-{n + 1:02}", "x"] for n, text in enumerate(TEXTS)]
    found = read_table(["Engine", "Q?", "seen", "kind of it"], rows)
    assert [column.name for column in found.columns] == ["Engine"]
    assert all(any(name in note for note in found.report.notes) for name in ("Q?", "seen", "kind of it"))


def test_names_of_models_without_ids_make_rows_of_several_systems_and_the_columns_are_named() -> None:
    rows = [[f"Engine {n % 2}", text] for n, text in enumerate(TEXTS)]
    found = read_table(["Engine", "Traduction"], rows)
    assert [(c.name, c.segments) for c in found.columns] == [
        ("Engine 0", tuple(TEXTS[::2])),
        ("Engine 1", tuple(TEXTS[1::2])),
    ]
    assert found.report.notes == ("columns used: Engine (names of systems), Traduction (system)",)
