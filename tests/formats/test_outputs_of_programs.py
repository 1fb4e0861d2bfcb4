"""Outputs with fields in their lines, and outputs in JSON: their scores are those of the texts.

The lines are written as by fairseq 0.12 and OpenNMT-py 3.5, the JSON as by pandas 2.3 and the services of Microsoft and
Google.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

import pytest
from conftest import Runner, Writer

import sample_data
from bleu_core.errors import FormatError
from bleu_core.formats import inspect, read

SIZE = 24


def lines(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").split("\n")[:SIZE]


REFERENCE, OUTPUT = lines(next(iter(sample_data.references()))), lines(next(iter(sample_data.systems())))


def text(some: Iterable[str]) -> str:
    return "".join(f"{line}\n" for line in some)


def quoted(cell: str) -> str:
    return '"' + cell.replace('"', '""') + '"'


def shuffled(some: Iterable[str]) -> str:
    mixed = list(some)
    random.Random(3).shuffle(mixed)
    return text(mixed)


@pytest.fixture
def bleu(run: Runner, write: Writer) -> Callable[..., dict[str, float]]:
    """`bleu(name, text, reference)`: BLEU of each system of that file beside a reference, plain text by default."""

    def score(name: str, content: str, reference: tuple[str, str] = ("ref.txt", text(REFERENCE))) -> dict[str, float]:
        ref, system = write(*reference), write(name, content)
        found = run("score", "--format", "json", "--ref", ref, system).json
        return {row["system"]: row["bleu"] for row in found["systems"]}

    return score


#: How the outputs are written: a file's name and content.
WAYS: Mapping[str, tuple[str, str]] = {
    "fairseq, in the order of decoding": ("A.hyp", shuffled(f"H-{i}\t-0.{i}\t{line}" for i, line in enumerate(OUTPUT))),
    "fairseq, sorted": ("A.txt", text(f"-0.{i}\t{line}" for i, line in enumerate(OUTPUT))),
    "scores after the text": ("A.out", text(f"{line}\t-1.{i}" for i, line in enumerate(OUTPUT))),
    "numbered lines": ("A.txt", shuffled(f"{i}\t{line}" for i, line in enumerate(OUTPUT, start=1))),
    "CSV of another ending": ("A.out", text(["id,hyp", *map("{},{}".format, range(SIZE), map(quoted, OUTPUT))])),
    "texts in JSON lines": ("A.jsonl", text(map(json.dumps, OUTPUT))),
    "lists of one text in lines": ("A.txt", text(json.dumps([line]) for line in OUTPUT)),
    "values of pandas": ("A.json", json.dumps([[line] for line in OUTPUT])),
    "texts by number": ("A.json", json.dumps({str(i): line for i, line in enumerate(OUTPUT)})),
    "texts by name": ("A.json", json.dumps({f"doc{i}": OUTPUT[i] for i in range(SIZE - 1, -1, -1)}, indent=1)),
    "Microsoft": ("A.json", json.dumps([{"translations": [{"text": line, "to": "de"}]} for line in OUTPUT])),
    "Google": ("A.json", json.dumps({"data": {"translations": [{"translatedText": line} for line in OUTPUT]}})),
}


@pytest.mark.parametrize("way", WAYS)
def test_outputs_have_the_score_of_their_texts(way: str, bleu: Callable[..., dict[str, float]]) -> None:
    expected = bleu("A.plain.txt", text(OUTPUT))["A.plain"]
    assert bleu(*WAYS[way]) == {"A": pytest.approx(expected)}


def test_ids_of_both_files_join_them(bleu: Callable[..., dict[str, float]]) -> None:
    expected = bleu("A.plain.txt", text(OUTPUT))["A.plain"]
    for reference, output in (
        [shuffled(f"T-{i}\t{line}" for i, line in enumerate(REFERENCE)), WAYS["fairseq, in the order of decoding"]],
        [json.dumps({f"doc{i}": line for i, line in enumerate(REFERENCE)}), WAYS["texts by name"]],
    ):
        assert bleu(*output, ("ref.json" if reference[0] == "{" else "ref.txt", reference)) == {
            "A": pytest.approx(expected)
        }


def test_tabs_in_few_lines_and_in_lists_of_documents_are_text() -> None:
    tabs = text([*OUTPUT[:-1], f"{OUTPUT[-1]}\tand more"])
    assert inspect(tabs.encode(), "A.txt").format == "text"
    assert inspect(b"Hello, world\nThe source, the text\nOne, two\n", "A.txt").format == "text"
    assert inspect(b"news\td1\nnews\td1\nnews\td2\ntalks\td3\n", "set.docs").format == "text"


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        (
            "A.jsonl",
            text(json.dumps([line, line[::-1]]) for line in OUTPUT),
            " line 1: .* found, an object with a value for e",
        ),
        ("A.json", json.dumps([[line, "x"] for line in OUTPUT]), " a JSON array of values that are neither texts nor "),
        ("A.jsonl", text(json.dumps({"messages": [{"content": line}]}) for line in OUTPUT), " only lists or objects "),
        (
            "A.jsonl",
            text(json.dumps({"prompt": line, "choices": [{"message": {"text": line}}] * 2}) for line in OUTPUT),
            " lists of several texts found in choices, one text per row expected",
        ),
    ],
    ids=["n-best lists", "several columns", "chats", "nested texts"],
)
def test_lists_that_may_be_the_texts_are_not_read_as_lines(name: str, content: str, message: str) -> None:
    with pytest.raises(FormatError, match=rf"^{name}[:,]{message}") as error:
        read(content.encode(), name, "system")
    assert "=text" not in str(error.value)
