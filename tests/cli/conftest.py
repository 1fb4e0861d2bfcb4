"""Files that several test modules of the command line use."""

from __future__ import annotations

from pathlib import Path

import pytest
from calls import BETTER, HOSTILE, HUMAN, MQM, REFERENCE, SAMPLE, SECOND, SEGMENTS, THIRD, TRUTH, WORSE
from conftest import Writer


@pytest.fixture
def corpus(write: Writer) -> dict[str, Path]:
    """One reference, three systems of three segments, ratings of them, and labels of the segments."""
    return {
        "ref": write("ref.txt", REFERENCE),
        "ref2": write("ref2.txt", SECOND),
        "better": write("better.txt", BETTER),
        "worse": write("worse.txt", WORSE),
        "third": write("third.txt", THIRD),
        "human": write("human.csv", HUMAN),
        "mqm": write("mqm.tsv", MQM),
        "labels": write("kinds.tsv", "segment\tkind\n1\tnews\n2\tnews\n3\ttalk\n"),
    }


@pytest.fixture
def longer(corpus: dict[str, Path], write: Writer) -> dict[str, Path]:
    """The texts of the corpus, each twice: the gate needs six segments."""
    names = ("ref", "better", "worse", "third")
    twice = {name: write(f"twice/{name}.txt", 2 * corpus[name].read_text(encoding="utf-8")) for name in names}
    return {**corpus, **twice}


@pytest.fixture
def hostile(write: Writer) -> list[Path]:
    """A reference and systems whose names and segments mean something to Markdown, HTML, LaTeX or a spreadsheet."""
    text = "".join(f"{name} on the mat\n".replace("\nl", " l") for name in HOSTILE)
    return [write("ref.txt", text), *(write(f"{name}.txt", text.replace("mat", "rug")) for name in HOSTILE)]


@pytest.fixture
def sample(write: Writer) -> dict[str, Path]:
    """The beginning of the sample data: a reference, five systems, and documents of two segments."""
    files = {name: write(f"{name}.txt", "\n".join(lines) + "\n") for name, lines in SAMPLE.items()}
    documents = write("docs.txt", "".join(f"d{n // 2}\n" for n in range(SEGMENTS)))
    return files | {"ref": write("ref.txt", "\n".join(TRUTH) + "\n"), "docs": documents}
