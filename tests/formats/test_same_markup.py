"""The same content in every format gives the same corpus and the same scores."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from same_content import BILINGUAL, sgml, wmt_xml

from bleu_core.dataset import Corpus, FilePart, fit
from bleu_core.formats import FileRole, read, recognise
from bleu_core.scoring import BleuSettings, evaluate

SOURCE = ("Die Katze saß.", "R & D < 5 > 3", 'Er sagte "nein".', "猫\u2028 は\u00a0座った", "A\u200bB")
REFERENCE = ("The cat sat.", "R & D < 5 > 3", 'He said "no".', "The cat\u2028 sat\u00a0down", "A\u200bB")
SYSTEMS: Mapping[str, tuple[str, ...]] = {
    "S": ("A cat sat.", "R and D < 5 > 3", 'He said: "no".', "The cat sat down", "AB"),
    "T": ("The cat was sitting.", "R & D < 5", "He said no.", "A cat\u2028 sat\u00a0down", "A\u200bB"),
}


def corpus(files: Mapping[str, tuple[FileRole | None, str]]) -> Corpus:
    parts: list[FilePart] = []
    for number, (name, (role, content)) in enumerate(files.items()):
        data = content.encode()
        parts += read(data, name, role or recognise(data, name)).parts(number)
    return fit(parts, refuse=True).corpus


def lines(texts: tuple[str, ...]) -> str:
    return "\n".join(texts) + "\n"


TEXT_FILES: dict[str, tuple[FileRole | None, str]] = {
    "src.txt": (None, lines(SOURCE)),
    "R.txt": ("reference", lines(REFERENCE)),
    "S.txt": ("system", lines(SYSTEMS["S"])),
    "T.txt": ("system", lines(SYSTEMS["T"])),
}
AS_TEXT = corpus(TEXT_FILES)


@pytest.mark.parametrize("kind", BILINGUAL)
def test_a_file_per_text_gives_the_same_corpus(kind: str) -> None:
    ending, write = BILINGUAL[kind]
    files: dict[str, tuple[FileRole | None, str]] = {f"R{ending}": ("reference", write(SOURCE, REFERENCE))}
    files |= {f"{name}{ending}": ("system", write(SOURCE, texts)) for name, texts in SYSTEMS.items()}
    found = corpus(files)
    assert found == AS_TEXT
    assert found.digest == AS_TEXT.digest
    scores = [evaluate(each, BleuSettings()).scores.score.tolist() for each in (found, AS_TEXT)]
    assert scores[0] == scores[1]


def test_one_file_of_all_texts_gives_the_same_corpus() -> None:
    found = corpus({"t.xml": (None, wmt_xml(SOURCE, {"R": REFERENCE}, SYSTEMS))})
    assert found.digest == AS_TEXT.digest


def test_sgml_gives_the_same_corpus() -> None:
    files: dict[str, tuple[FileRole | None, str]] = {"t-src.sgm": (None, sgml("srcset", SOURCE))}
    files["R.sgm"] = (None, sgml("refset", REFERENCE))
    files |= {f"{name}.sgm": (None, sgml("tstset", texts)) for name, texts in SYSTEMS.items()}
    assert corpus(files).digest == AS_TEXT.digest
