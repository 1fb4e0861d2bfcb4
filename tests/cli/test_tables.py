"""Ordinary tables on the command line give the right number, or a message with the option that chooses."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

import pytest
from calls import BETTER, REFERENCE, WORSE
from conftest import Writer
from sacrebleu.metrics.bleu import BLEU

from bleu_core import cli, load

SOURCE = ["Die Firma Nordlicht GmbH zahlt 35 Euro .", "Herr Brandt kommt aus Kiel .", "Das ist neu ."]
SYSTEM = ["The firm Nordlicht GmbH pays 35 euros .", "Herr Brandt kommt aus Kiel .", "That is new ."]
TRUTH = ["The company Nordlicht GmbH pays 35 euros .", "Mr Brandt comes from Kiel .", "This is new ."]
SCORE = BLEU().corpus_score(SYSTEM, [TRUTH]).score


def scored(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> tuple[dict[str, float], list[str], str]:
    """The systems' scores, the references, and what is on standard error."""
    assert cli.main(["score", *arguments, "--format", "json"]) == 0
    printed = capsys.readouterr()
    found = json.loads(printed.out)
    return {each["system"]: each["bleu"] for each in found["systems"]}, found["references"], printed.err


def refused(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> str:
    try:
        status = cli.main(arguments)
    except SystemExit as end:
        status = end.code
    assert status == 2
    printed = capsys.readouterr()
    assert (printed.out, printed.err.count("\n")) == ("", 1)
    return printed.err


@pytest.fixture
def texts(write: Writer) -> dict[str, str]:
    rows = list(zip(SOURCE, SYSTEM, TRUTH, strict=True))
    comments = ["ok", "Herr Brandt kommt aus Kiel .", "fine"]
    return {
        "A": str(write("A.txt", "".join(f"{line}\n" for line in SYSTEM))),
        "ref": str(write("ref.txt", "".join(f"{line}\n" for line in TRUTH))),
        "commented": str(
            write(
                "ref_comment.csv",
                "source,reference,comment\n"
                + "".join(f"{s},{r},{c}\n" for (s, _, r), c in zip(rows, comments, strict=True)),
            )
        ),
        "comet": str(
            write(
                "comet.csv",
                "lp,src,mt,ref,score,raw,annotators,domain,year\n"
                + "".join(f"de-en,{s},{m},{r},0.5,90,2,news,2020\n" for s, m, r in rows),
            )
        ),
        "gold": str(write("gold.csv", "Anna;Ben\n" + "".join(f"{r};{s}\n" for s, _, r in rows))),
        "test": str(
            write(
                "test.jsonl",
                "".join(
                    json.dumps(
                        {
                            "doc_id": f"d{n}",
                            "src_lang": "de",
                            "src_text": s,
                            "refs": {"refA": {"ref": r}},
                            "info": f"text {m}",
                        }
                    )
                    + "\n"
                    for n, (s, m, r) in enumerate(rows)
                ),
            )
        ),
        "array": str(write("A.json", json.dumps([{"hypothesis": m, "n": i} for i, m in enumerate(SYSTEM)], indent=1))),
    }


@pytest.mark.parametrize("table", ["ref", "commented", "comet", "test"])
def test_a_table_of_references_gives_the_columns_whose_headers_say_so(
    texts: dict[str, str], table: str, capsys: pytest.CaptureFixture[str]
) -> None:
    found, references, told = scored(["--ref", texts[table], texts["A"]], capsys)
    assert found == {"A": pytest.approx(SCORE, abs=1e-9)}
    assert len(references) == 1
    unused = {"commented": "not used: comment (", "comet": "not used: mt (", "test": "column info not used"}
    assert unused.get(table, "") in told


@pytest.mark.parametrize("table", ["comet", "array"])
def test_a_table_of_one_system_gives_one(texts: dict[str, str], table: str, capsys: pytest.CaptureFixture[str]) -> None:
    found, _, _ = scored(["--ref", texts["ref"], texts[table]], capsys)
    assert list(found.values()) == [pytest.approx(SCORE, abs=1e-9)]


@pytest.mark.parametrize(
    "headers", [("Reference (EN)", "MT (EN)"), ("Reference 1", "System 2"), ("参考译文", "机器翻译（英）")]
)
def test_headers_that_people_write_are_no_segments(
    headers: tuple[str, str], write: Writer, capsys: pytest.CaptureFixture[str]
) -> None:
    ref, system = (
        str(write(f"{name}.csv", "".join(f"{line}\n" for line in (header, *lines))))
        for name, header, lines in (("r", headers[0], TRUTH), ("s", headers[1], SYSTEM))
    )
    assert list(scored(["--ref", ref, system], capsys)[0].values()) == [pytest.approx(SCORE, abs=1e-9)]


def test_columns_apply_to_tables_and_not_to_plain_text(
    texts: dict[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    found, _, _ = scored(["--columns", "reference=reference", texts["commented"], texts["A"]], capsys)
    assert found == {"A": pytest.approx(SCORE, abs=1e-9)}


def test_a_refusal_names_the_option_that_helps(texts: dict[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    message = refused(["score", "--ref", texts["gold"], texts["A"]], capsys)
    option = shlex.split(message[message.index("--columns") :])[1]
    assert option == f"{texts['gold']}:Anna=reference"
    found, references, _ = scored(["--ref", texts["gold"], texts["A"], "--columns", option], capsys)
    assert (found, references) == ({"A": pytest.approx(SCORE, abs=1e-9)}, ["Anna"])
    found, references, _ = scored(["--ref", texts["gold"], texts["A"], "--columns", "Anna=reference"], capsys)
    assert (found, references) == ({"A": pytest.approx(SCORE, abs=1e-9)}, ["Anna"])
    loaded = load([texts["A"]], references=[texts["gold"]], columns=option)
    assert list(loaded.corpus.references) == ["Anna"]


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ("{commented}:Carl=reference", "no column 'Carl' found in the header"),
        ("{A}:Anna=system", "is not a table"),
        ("Carl=reference", "no column 'Carl' found in the header (source, reference, comment)"),
    ],
)
def test_a_column_that_no_file_has_is_an_error(
    texts: dict[str, str], columns: str, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["score", "--ref", texts["commented"], texts["A"], "--columns", columns.format(**texts)]
    assert message in refused(arguments, capsys)


def test_ratings_are_read_from_a_json_array(write: Writer, capsys: pytest.CaptureFixture[str]) -> None:
    ref, system = write("r.txt", REFERENCE), write("A.txt", BETTER)
    other = write("B.txt", WORSE)
    ratings = [
        {"system": name, "segment": n, "score": n + bonus, "judge": "j"}
        for name, bonus in (("A", 0), ("B", 2))
        for n in (1, 2, 3)
    ]
    human = write("human.json", json.dumps(ratings))
    arguments = ["correlate", "--ref", str(ref), "--human", str(human), str(system), str(other), "--format", "json"]
    assert cli.main(arguments) == 0
    systems = json.loads(capsys.readouterr().out)["systems"]
    assert {each["system"]: each["human"] for each in systems} == {"A": 2, "B": 4}


@pytest.mark.parametrize("content", ["[1, 2]", '[{"a": 1}, 2]', '[{"a": 1}'])
def test_other_arrays_are_refused(content: str, write: Writer, capsys: pytest.CaptureFixture[str]) -> None:
    path = write("A.json", content)
    reference = write("r.txt", REFERENCE)
    assert "A.json" in refused(["score", "--ref", str(reference), str(path)], capsys)


@pytest.mark.parametrize(
    "options",
    [
        ["blocks", "--metric", "bleu", "--metric", "chrf2"],
        ["compare", "--seed", "1", "--seed", "2"],
        ["blocks", "--preset", "paper", "--tokenizer", "13a", "--preset=sacrebleu"],
        ["correlate", "--columns", "a=system", "--columns", "b=system"],
        ["check", "--encoding", "utf-8", "--encoding", "utf-8"],
    ],
)
def test_an_option_of_one_value_given_twice_is_an_error(
    options: list[str], texts: dict[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    message = refused([*options, "--ref", texts["ref"], texts["A"]], capsys)
    name = options[-1].partition("=")[0] if "=" in options[-1] and options[-1].startswith("--") else options[-2]
    assert f"argument {name}: given twice, 1 value expected; keep one" in message


def test_repeatable_options_may_be_given_twice(
    texts: dict[str, str], write: Writer, capsys: pytest.CaptureFixture[str]
) -> None:
    second = write("ref2.txt", Path(texts["ref"]).read_text(encoding="utf-8"))
    assert len(scored(["--ref", texts["ref"], "--ref", str(second), texts["A"]], capsys)[1]) == 2
