"""A table whose columns are unclear is refused with an option that, as it is printed, gives the right score."""

from __future__ import annotations

import ast
import csv
import inspect
import io
import shlex
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path
from types import ModuleType

import pytest
from conftest import Runner
from sacrebleu.metrics.bleu import BLEU

from bleu_core import load
from bleu_core.errors import FormatError
from bleu_core.formats import column_roles, columns

SOURCE = [
    "Die Firma Nordlicht GmbH zahlt 35 Euro .",
    "Herr Brandt kommt aus Kiel .",
    "Das ist neu .",
    "Wir sehen uns morgen früh am Bahnhof .",
]
TRUTH = [
    "The company Nordlicht GmbH pays 35 euros .",
    "Mr Brandt comes from Kiel .",
    "This is new .",
    "We will meet at the station tomorrow morning .",
]
OTHER_TRUTH = [f"Once more : {line}" for line in TRUTH]
ONE = [
    "The firm Nordlicht GmbH pays 35 euros .",
    "Herr Brandt comes from Kiel .",
    "That is new .",
    "We will see us tomorrow morning at the station .",
]
TWO = ["Firm pays 35 euros .", "Mr Brandt is from Kiel .", "This is news .", "We meet tomorrow at the station ."]
#: Header -> cells.
Texts = dict[str, Sequence[str]]
#: A call: its files, and the arguments.
Call = tuple[dict[str, Texts], tuple[str, ...]]

REF_TXT: dict[str, Texts] = {"ref.txt": {"": TRUTH}}
PROMPTS = ('[openai:gpt-4o] Translate: {{input}}, it\'s "new"', "[anthropic:messages:claude] Translate: {{input}}")

#: Files, arguments, and the texts of the systems.
CASES: dict[str, tuple[dict[str, Texts], tuple[str, ...], dict[str, Sequence[str]]]] = {
    "expected beside outputs": (
        {"log.csv": {"input": SOURCE, "expected": TRUTH, "answer": ONE}, **REF_TXT},
        ("--ref", "ref.txt", "log.csv"),
        {"answer": ONE},
    ),
    "expected as the reference": (
        {"log.csv": {"input": SOURCE, "expected": TRUTH, "output": ONE}},
        ("--ref", "log.csv", "log.csv"),
        {"log": ONE},
    ),
    "outputs of providers": (
        {"results.csv": {"input": SOURCE, "expected": TRUTH, PROMPTS[0]: ONE, PROMPTS[1]: TWO}},
        ("--ref", "results.csv", "results.csv"),
        {"gpt-4o": ONE, "claude": TWO},
    ),
    "target beside an output": (
        {"a b.csv": {"Source, text": SOURCE, "target": TRUTH, "filtered=resps": ONE}},
        ("--ref", "a b.csv", "a b.csv"),
        {"filtered=resps": ONE},
    ),
    "post-edited": (
        {"pe.tsv": {"src": SOURCE, "mt": ONE, "pe": TRUTH}, **REF_TXT},
        ("--ref", "ref.txt", "pe.tsv"),
        {"pe": ONE},
    ),
    "name of a model": (
        {"m.tsv": {"src": SOURCE, "Engine": ["Model One", "the other", "Two", "3rd one"], "A": ONE}, **REF_TXT},
        ("--ref", "ref.txt", "m.tsv"),
        {"A": ONE},
    ),
    "languages": (
        {"l.tsv": {"translation.de": SOURCE, "translation.en": ONE}, **REF_TXT},
        ("--ref", "ref.txt", "l.tsv"),
        {"l": ONE},
    ),
    "references of two kinds": (
        {"r.tsv": {"reference": TRUTH, "Ref old": OTHER_TRUTH}, "A.txt": {"": ONE}},
        ("--ref", "r.tsv", "A.txt"),
        {"A": ONE},
    ),
    "several that may be the reference": (
        {"gold.tsv": {"Anna": TRUTH, "Ben": OTHER_TRUTH}, "A.txt": {"": ONE}},
        ("--ref", "gold.tsv", "A.txt"),
        {"A": ONE},
    ),
    "labels beside predictions": (
        {"a.tsv": {"label": TRUTH, "predictions": ONE}, "b.tsv": {"label": TRUTH, "predictions": TWO}},
        ("--ref", "a.tsv", "a.tsv", "b.tsv"),
        {"a": ONE, "b": TWO},
    ),
    "a log of several systems": (
        {
            "long.tsv": {
                "system": ["X"] * 4 + ["Y"] * 4,
                "seg_id": list("12341234"),
                "prediction": [*ONE, *TWO],
                "ideal": TRUTH * 2,
            },
            **REF_TXT,
        },
        ("--ref", "ref.txt", "long.tsv"),
        {"X": ONE, "Y": TWO},
    ),
    "one row per segment": (
        {"routed.tsv": {"model": ["X", "Y", "X", "Y"], "id": list("1234"), "mt": ONE}, **REF_TXT},
        ("--ref", "ref.txt", "routed.tsv"),
        {"routed": ONE},
    ),
    "rows of no segments": (
        {"routed.tsv": {"model": ["X", "Y", "X", "X"], "mt": ONE}, **REF_TXT},
        ("--ref", "ref.txt", "routed.tsv"),
        {"routed": ONE},
    ),
    "another reference": (
        {
            "A.csv": {"source": SOURCE, "reference": OTHER_TRUTH, "hypothesis": ONE},
            "B.csv": {"source": SOURCE, "reference": OTHER_TRUTH, "hypothesis": TWO},
            **REF_TXT,
        },
        ("--ref", "ref.txt", "A.csv", "B.csv"),
        {"A": ONE, "B": TWO},
    ),
    "a column that does not exist": (
        {"t.csv": {"source": SOURCE, "reference": TRUTH, "mt": ONE}},
        ("--columns", "t.csv:Ref=reference,t.csv:mt=system", "t.csv"),
        {"t": ONE},
    ),
    "several tables": (
        {
            "A.csv": {"source": SOURCE, "mt": ONE, "pe": OTHER_TRUTH},
            "B.csv": {"Input, text": SOURCE, "ideal": OTHER_TRUTH, "model_answer": TWO},
            "C.csv": {"source": SOURCE, "C 1": TWO},
            **REF_TXT,
        },
        ("--ref", "ref.txt", "--columns", "C 1=system:third", "A.csv", "B.csv", "C.csv"),
        {"A": ONE, "model_answer": TWO, "third": TWO},
    ),
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def _write(folder: Path, files: dict[str, Texts]) -> None:
    for name, texts in files.items():
        rows: list[tuple[str, ...]] = list(zip(*texts.values(), strict=True))
        written = io.StringIO()
        separator = "\t" if name.endswith(".tsv") else ","
        if name.endswith(".txt"):
            written.write("".join(f"{text}\n" for (text,) in rows))
        else:
            csv.writer(written, delimiter=separator, lineterminator="\n").writerows([tuple(texts), *rows])
        (folder / name).write_text(written.getvalue(), encoding="utf-8")


def _option(message: str) -> list[str]:
    """The option at the end of a message, as a shell reads it."""
    before, mark, option = message.strip().partition(" or with --columns ")
    assert mark, before
    return shlex.split(f"--columns {option}")


@pytest.mark.parametrize("name", CASES)
def test_the_printed_option_gives_the_right_score(name: str, folder: Path, run: Runner) -> None:
    files, arguments, systems = CASES[name]
    _write(folder, files)
    refused = run("score", *arguments)
    assert (refused.status, refused.out, refused.err.count("\n")) == (2, "", 1)
    option = _option(refused.err)
    if "--columns" in arguments:
        at = arguments.index("--columns")
        arguments = (*arguments[:at], *arguments[at + 2 :])
    found = run("score", "--format", "json", *option, *arguments).json
    assert {row["system"]: row["bleu"] for row in found["systems"]} == {
        system: pytest.approx(BLEU().corpus_score(list(texts), [TRUTH]).score, abs=1e-9)
        for system, texts in systems.items()
    }
    assert len(found["references"]) == 1


#: The cases whose files say their roles in a folder.
IN_FOLDERS = [name for name, (_, call, _) in CASES.items() if call[1] == "ref.txt" and "--columns" not in call]


@pytest.mark.parametrize("name", IN_FOLDERS)
@pytest.mark.parametrize("place", ["set.zip", "set"])
def test_the_printed_option_gives_the_right_score_of_files_in_a_folder_or_zip(
    name: str, place: str, folder: Path, run: Runner
) -> None:
    files, _, systems = CASES[name]
    (folder / "set").mkdir()
    _write(folder / "set", files)
    if place.endswith(".zip"):
        shutil.make_archive("set", "zip", "set")
    refused = run("score", "--archive", place)
    assert (refused.status, refused.out, refused.err.count("\n")) == (2, "", 1)
    option = _option(refused.err)
    assert f"{place}/" in option[1]
    rows = run("score", "--format", "json", "--archive", place, *option).json["systems"]
    assert [(row["system"], row["bleu"]) for row in rows] == [
        (system, pytest.approx(BLEU().corpus_score(list(texts), [TRUTH]).score, abs=1e-9))
        for system, texts in systems.items()
    ]


def _functions(module: ModuleType) -> list[ast.FunctionDef]:
    return [node for node in ast.walk(ast.parse(inspect.getsource(module))) if isinstance(node, ast.FunctionDef)]


def _sentences(module: ModuleType, functions: Sequence[str]) -> list[str]:
    """The words between values in messages of functions."""
    of_functions = [node for node in _functions(module) if node.name in functions]
    assert len(of_functions) == len(functions)
    messages = [part for node in of_functions for part in ast.walk(node) if isinstance(part, ast.JoinedStr)]
    parts = [part.value for message in messages for part in message.values if isinstance(part, ast.Constant)]
    return [part for part in parts if isinstance(part, str) and len(part.split()) > 1]


def _callers(module: ModuleType) -> list[str]:
    """The functions that refuse a table because of its columns."""
    made = ("UnclearColumnsError(", ".unclear(")
    return [node.name for node in _functions(module) if any(call in ast.unparse(node) for call in made)]


def test_every_refusal_is_among_the_cases(folder: Path, run: Runner) -> None:
    in_roles, in_columns = _callers(column_roles), _callers(columns)
    assert in_roles == ["place_columns", "recognised", "long_notes", "unclear"]
    assert in_columns == ["_texts_of_systems", "_own_reference"]
    messages = ""
    for files, arguments, _ in CASES.values():
        _write(folder, files)
        messages += run("score", *arguments).err
    expected = _sentences(column_roles, ["_problem"]) + _sentences(columns, in_columns)
    assert len(expected) > 5
    assert [sentence for sentence in expected if sentence not in messages] == []


def test_loading_names_the_option_for_all_files(folder: Path) -> None:
    files, _, systems = CASES["another reference"]
    _write(folder, files)
    given: Callable[..., object] = lambda **options: load(["A.csv", "B.csv"], references=["ref.txt"], **options)  # noqa: E731
    with pytest.raises(FormatError) as refused:
        given()
    loaded = load(["A.csv", "B.csv"], references=["ref.txt"], columns=_option(str(refused.value))[1])
    assert list(loaded.corpus.systems) == list(systems)
    assert list(loaded.corpus.references) == ["ref"]


def test_identical_references_under_other_names_are_ignored_with_a_warning(folder: Path, run: Runner) -> None:
    files, arguments, systems = CASES["another reference"]
    _write(folder, {**files, "ref.txt": {"": [f" {line}  " for line in OTHER_TRUTH]}})
    found = run("score", "--format", "json", *arguments).json
    assert found["references"] == ["ref"]
    assert [warning for warning in found["warnings"] if "is already loaded from ref.txt" in warning] == [
        f"{file}: the reference reference is already loaded from ref.txt; the identical copy in {file} is ignored"
        for file in (f"{name}.csv" for name in systems)
    ]


def test_the_first_of_two_tables_with_own_references_keeps_it(folder: Path) -> None:
    tables: dict[str, Texts] = {
        "A.csv": {"Reference": TRUTH, "mt": ONE},
        "B.csv": {"ref": OTHER_TRUTH, "mt": TWO},
        "C.csv": {"ref 1": OTHER_TRUTH, "mt": TWO},
    }
    _write(folder, tables)
    with pytest.raises(FormatError, match=r"^B\.csv: its reference \(ref\) differs") as refused:
        load(list(tables))
    option = _option(str(refused.value))[1]
    assert option == "B.csv:mt=system:B,C.csv:mt=system:C"
    loaded = load(list(tables), columns=option)
    assert (list(loaded.corpus.systems), list(loaded.corpus.references)) == (["A", "B", "C"], ["Reference"])


def test_repeated_headers_are_not_used(folder: Path, run: Runner) -> None:
    (folder / "results.csv").write_text(
        "input,Reference,[openai:gpt-4o] Translate,Status,Grader Reason,[claude] Translate,Status,Grader Reason\n"
        + "".join(
            f"{s},{r},{a},PASS,{n} assertions passed,{b},FAIL,it is not similar {n}\n"
            for n, (s, r, a, b) in enumerate(zip(SOURCE, TRUTH, ONE, TWO, strict=True))
        )
    )
    found = run("score", "--format", "json", "--ref", "results.csv", "results.csv").json
    assert {row["system"]: row["bleu"] for row in found["systems"]} == {
        name: pytest.approx(BLEU().corpus_score(texts, [TRUTH]).score, abs=1e-9)
        for name, texts in (("gpt-4o", ONE), ("claude", TWO))
    }
    assert any("not used: Status, Grader Reason, Status, Grader Reason (" in each for each in found["warnings"])


@pytest.mark.parametrize("header", ["predictions", "DeepX v2"])
def test_a_column_of_several_files_is_named_after_each(header: str, folder: Path, run: Runner) -> None:
    _write(folder, {"a-1.5.tsv": {"label": TRUTH, header: ONE}, "b.tsv": {"label": TRUTH, header: TWO}})
    options = ("--format", "json", "--columns", f"label=reference,{header}=system")
    found = run("score", *options, "a-1.5.tsv", "b.tsv").json
    assert {row["system"]: row["bleu"] for row in found["systems"]} == {
        name: pytest.approx(BLEU().corpus_score(texts, [TRUTH]).score, abs=1e-9)
        for name, texts in (("a-1.5", ONE), ("b", TWO))
    }
    assert found["references"] == ["label"]
    assert list(load(["b.tsv"], columns=options[-1]).corpus.systems) == ["b" if header == "predictions" else header]
