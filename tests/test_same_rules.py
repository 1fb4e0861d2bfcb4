"""The page and the command line fit files together by the same rules: one leaves out what the other refuses."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from bleu_core.cli import main
from bleu_core.formats import FileRole, reading, source
from bleu_core.limits import DEFAULT_LIMITS
from bleu_core.uploads import File, assemble, create_file

TEXT = {"ref.txt": "the cat\na dog\n", "one.txt": "the cat\nthe dog\n", "two.txt": "a cat\na dog\n"}
RATINGS = "segment,system,score\n1,one,3\n2,two,4\n1,two,2\n2,one,1\n"
OPTIONS: dict[FileRole, str] = {
    "reference": "--ref",
    "document": "--documents",
    "judgments": "--human",
    "scores": "--metric-scores",
}

#: Files that do not fit: name -> content and role, beside those of TEXT and RATINGS.
UNFIT: dict[str, dict[str, tuple[str, FileRole]]] = {
    "a short system": {"short.txt": ("a\n", "system")},
    "a long reference": {"long.txt": ("a\nb\nc\n", "reference")},
    "documents of another text": {"docs.txt": ("x\n", "document")},
    "a second source": {
        "first.tsv": ("source\tfour\nu\ta\nv\tb\n", "system"),
        "second.tsv": ("source\tfive\nu\ta\nw\tb\n", "system"),
    },
    "ratings of other systems": {"others.csv": ("segment,system,score\n1,three,3\n", "judgments")},
    "scores of other systems": {"others.csv": ("system,metric,score\nthree,M,3\n", "scores")},
    "scores of other segments": {"m.csv": ("system,metric,segment,score\none,M,3,1\n", "scores")},
    "no text": {"empty.txt": ("", "system")},
    "not a number": {"human.csv": ("segment,system,score\n1,one,many\n", "judgments")},
}


@pytest.fixture
def in_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[dict[str, str]], None]:
    """Write files into a folder of their own, from which the command line is called."""
    monkeypatch.chdir(tmp_path)

    def write(contents: dict[str, str]) -> None:
        for name, content in contents.items():
            (tmp_path / name).write_text(content, encoding="utf-8")

    return write


@pytest.mark.parametrize("what", UNFIT)
def test_the_page_leaves_out_what_the_command_refuses_for_the_same_reason(
    what: str, in_folder: Callable[[dict[str, str]], None], capsys: pytest.CaptureFixture[str]
) -> None:
    more = UNFIT[what]
    roles: dict[str, FileRole] = {"ref.txt": "reference", "one.txt": "system", "two.txt": "system"}
    if "judgments" not in (role for _, role in more.values()):
        roles["human.csv"] = "judgments"
    contents = TEXT | {"human.csv": RATINGS} | {name: content for name, (content, _) in more.items()}
    roles |= {name: role for name, (_, role) in more.items()}
    files = [File(name, contents[name].encode(), role) for name, role in roles.items()]
    (entry,) = assemble(files).problems

    in_folder(contents)
    call = ["correlate"]
    for name, role in roles.items():
        call += [OPTIONS[role], name] if role in OPTIONS else [name]
    assert main(call) == 2
    assert capsys.readouterr().err == f"bleu-core correlate: {entry.problem}\n"


def test_a_table_with_headers_that_say_nothing_is_refused_by_both(
    in_folder: Callable[[dict[str, str]], None], capsys: pytest.CaptureFixture[str]
) -> None:
    contents = TEXT | {"table.tsv": "one\tthree\na\tb\nc\td\n"}
    roles: dict[str, FileRole] = {
        "ref.txt": "reference",
        "one.txt": "system",
        "two.txt": "system",
        "table.tsv": "system",
    }
    files = [File(name, contents[name].encode(), role) for name, role in roles.items()]
    (entry,) = assemble(files).problems
    assert entry.problem == "table.tsv: its first row does not say what the columns are (one, three; 3 rows)"
    in_folder(contents)
    assert main(["score", "--ref", "ref.txt", "one.txt", "two.txt", "table.tsv"]) == 2
    assert "table.tsv has 3 segments, 1 more than the" in capsys.readouterr().err


def test_tables_that_repeat_the_source_are_used_together_by_page_and_command(
    in_folder: Callable[[dict[str, str]], None], capsys: pytest.CaptureFixture[str]
) -> None:
    contents = {
        "ref.txt": "the cat\na dog\n",
        "DeepX.csv": "ID;Source;Target\n1;u;the cat\n2;v;the dog\n",
        "Goggle.csv": "ID;Source;Target\n1;u;a cat\n2;v;a dog\n",
    }
    files = [create_file(name, content.encode(), None) for name, content in contents.items()]
    found = assemble(files)
    assert (found.problems, list(found.corpus.systems)) == ((), ["DeepX", "Goggle"])
    assert [entry.warnings for entry in found.entries] == [(), (), ()]
    assert found.entries[2].notes == (
        "the source is already loaded from DeepX.csv; the identical copy in Goggle.csv is ignored",
    )

    in_folder(contents)
    assert main(["score", "--ref", "ref.txt", "--format", "json", "DeepX.csv", "Goggle.csv"]) == 0
    printed = capsys.readouterr()
    assert [row["system"] for row in json.loads(printed.out)["systems"]] == ["DeepX", "Goggle"]
    assert (printed.err, json.loads(printed.out)["warnings"]) == ("", [])


def test_a_file_is_decoded_and_recognised_once(monkeypatch: pytest.MonkeyPatch) -> None:
    done: list[str] = []

    def counting(module: ModuleType, step: str, name: Callable[..., str]) -> None:
        plain: Callable[..., Any] = getattr(module, step)

        def counted(*arguments: Any, **options: Any) -> Any:
            done.append(f"{step} {name(*arguments)}")
            return plain(*arguments, **options)

        monkeypatch.setattr(module, step, counted)

    counting(source, "decode", lambda _, name, *__: name)
    counting(reading, "recognise_format", lambda file: file.name)
    contents = TEXT | {"human.csv": RATINGS}
    files = [create_file(name, content.encode(), None, limits=DEFAULT_LIMITS) for name, content in contents.items()]
    first = assemble(files)
    assert [entry.problem for entry in first.entries] == [""] * 4
    assert sorted(done) == sorted(f"{step} {name}" for step in ("decode", "recognise_format") for name in contents)
    done.clear()
    again = assemble([*files[:3], File("more.txt", b"x\ny\n", "system"), files[3]])
    assert list(again.corpus.systems) == [*first.corpus.systems, "more"]
    assert done == ["decode more.txt"]
