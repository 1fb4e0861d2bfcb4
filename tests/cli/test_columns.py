"""--columns: the columns of a table, named on the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from small_files import workbook

from bleu_core import cli, load

HEADER: list[object] = ["Quelle", "M1", "M2", "gold", "Thema", "Ann M1", "Ann M2"]
ROWS: list[list[object]] = [HEADER] + [
    [f"q{n}", f"the cat {n} sat on a mat", f"a cat {n} sat down on it", f"the cat {n} sat on it", t, n % 3, n % 5]
    for n, t in enumerate(["news", "talk"] * 6)
]
COLUMNS = "Quelle=source,M1=system,M2=system:second,gold=reference,Thema=label:topic"


@pytest.fixture
def book(tmp_path: Path) -> str:
    path = tmp_path / "engines.xlsx"
    path.write_bytes(workbook(ROWS))
    return str(path)


def scores(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> dict[str, float]:
    assert cli.main([*arguments, "--format", "json"]) == 0
    return {each["system"]: each["bleu"] for each in json.loads(capsys.readouterr().out)["systems"]}


def test_a_table_has_systems_and_references(book: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name, column in (("M1", 1), ("second", 2), ("gold", 3)):
        (tmp_path / f"{name}.txt").write_text("".join(f"{row[column]}\n" for row in ROWS[1:]))
    expected = scores(["score", "--ref", *(str(tmp_path / f"{name}.txt") for name in ("gold", "M1", "second"))], capsys)
    assert scores(["score", book, "--columns", COLUMNS], capsys) == expected
    reference = ["--ref", str(tmp_path / "gold.txt")]
    assert scores(["score", book, *reference, "--columns", "M1=system,M2=system:second"], capsys) == expected
    assert list(load([book], columns=COLUMNS).corpus.systems) == ["M1", "second"]


def test_labels_of_a_table_make_slices(book: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["slices", book, "--columns", COLUMNS, "--by", "topic", "--format", "json"]) == 0
    assert [each["label"] for each in json.loads(capsys.readouterr().out)["slices"]] == ["news", "talk"]


def test_ratings_of_a_table_take_the_place_of_human(book: str, capsys: pytest.CaptureFixture[str]) -> None:
    ratings = ",Ann M1=rating:Ann:M1,Ann M2=rating:Ann:second"
    assert cli.main(["correlate", book, "--columns", COLUMNS + ratings, "--format", "json"]) == 0
    systems = json.loads(capsys.readouterr().out)["systems"]
    assert {each["system"]: each["human"] for each in systems} == {"M1": 1, "second": 1.75}


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ("M1=system", "the following arguments are required: --ref"),
        ("M1=sistem", "argument --columns: role 'sistem' found, one of source, reference, system"),
        ("M3=system,gold=reference", "line 1: no column 'M3' found in the header (Quelle, M1, M2, gold, Thema,"),
        ("gold=reference", "no system output found in the files, at least 1 expected"),
    ],
)
def test_what_is_wrong_is_told_in_one_line(
    book: str, capsys: pytest.CaptureFixture[str], columns: str, message: str
) -> None:
    try:
        status = cli.main(["score", book, "--columns", columns])
    except SystemExit as end:
        status = end.code
    assert status == 2
    printed = capsys.readouterr()
    assert message in printed.err
    assert (printed.out, printed.err.count("\n")) == ("", 1)


def test_ratings_are_still_needed_without_such_a_column(book: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        cli.main(["correlate", book, "--columns", COLUMNS])
    assert "the following arguments are required: --human" in capsys.readouterr().err
