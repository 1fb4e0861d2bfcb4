"""The same files give the same data, and the same notes, wherever they are read."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest

import bleu_core
from bleu_core.cli import InputFiles
from bleu_core.cli.arguments import parse
from bleu_core.cli.commands import COMMANDS, load
from bleu_core.cli.workspaces import with_workspace
from bleu_core.collection import load_collection
from bleu_core.dataset import Corpus, Judgments, ScoreTable
from bleu_core.formats import FileRole
from bleu_core.project import Choices, SavedWorkspace, write_workspace
from bleu_core.uploads import File, Workspace, assemble

TEXTS = [f"the {word} sat on the mat with {n} friends" for n, word in enumerate(["cat", "dog", "hen", "cow", "pig"])]
OUTPUT = [text.replace("sat on", "was at") for text in TEXTS]
OTHER = [text.replace("friends", "of its friends") for text in TEXTS]

#: Options of the command line by the role of a file.
OPTIONS = {"reference": "--ref", "judgments": "--human", "scores": "--metric-scores", "labels": "--labels"}


class Loaded(NamedTuple):
    """What a way of reading gives: texts, ratings, scores, and its sentences about the files without their names."""

    corpus: Corpus
    judgments: Judgments | None
    scores: tuple[ScoreTable, ...]
    sentences: set[str] | None


def lines(texts: list[str]) -> bytes:
    return "".join(f"{text}\n" for text in texts).encode()


def tsv(*rows: tuple[object, ...]) -> bytes:
    return "".join("\t".join(map(str, row)) + "\n" for row in rows).encode()


def zipped(files: dict[str, bytes]) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return stream.getvalue()


REFERENCE = ("ref.txt", lines(TEXTS), "reference")
RATINGS = [("segment", "system", "judge", "score"), *((n, s, "J", n + len(s)) for n in range(1, 6) for s in ("A", "B"))]
SHUFFLED = [("id", "A"), *((n, OUTPUT[n]) for n in (3, 1, 0, 4, 2))]

#: Files by what is special about them: name, bytes and role.
FILES: dict[str, list[tuple[str, bytes, FileRole]]] = {
    "plain": [REFERENCE, ("A.txt", lines(OUTPUT), "system"), ("B.txt", lines(OTHER), "system")],
    "ids in another order": [
        ("ref.tsv", tsv(("id", "reference"), *enumerate(TEXTS)), "reference"),
        ("A.tsv", tsv(*SHUFFLED), "system"),
    ],
    "ratings and scores": [
        REFERENCE,
        ("A.txt", lines(OUTPUT), "system"),
        ("B.txt", lines(OTHER), "system"),
        ("ratings.tsv", tsv(*RATINGS), "judgments"),
        ("comet.tsv", tsv(("segment", "system", "COMET"), *((n, "A", n / 7) for n in range(1, 6))), "scores"),
    ],
    "unused columns": [
        REFERENCE,
        ("A.tsv", tsv(("reference", "A", "time"), *zip(TEXTS, OUTPUT, range(5), strict=True)), "system"),
    ],
    "invisible characters": [REFERENCE, ("A.txt", lines([f"{text}\u200b" for text in OUTPUT]), "system")],
    "a harness log": [
        REFERENCE,
        (
            "A.jsonl",
            "".join(
                f'{{"doc_id": {n}, "doc": {{"target": "{TEXTS[n]}"}}, "target": "{TEXTS[n]}", '
                f'"filtered_resps": ["{OUTPUT[n]}"]}}\n'
                for n in range(5)
            ).encode(),
            "system",
        ),
    ],
    "a zip": [
        ("set.zip", zipped({"refs/ref.txt": lines(TEXTS), "A.txt": lines(OUTPUT), "B.txt": lines(OTHER)}), "archive")
    ],
}


def without_names(sentences: Iterable[str], folder: Path, names: Sequence[str]) -> set[str]:
    """The sentences of a command without the names of files before them."""
    before = re.compile(f"^({'|'.join(map(re.escape, names))}): ")
    return {before.sub("", sentence.replace(f"{folder}/", "")) for sentence in sentences}


def of_workspace(workspace: Workspace) -> Loaded:
    sentences = {s for entry in workspace.entries for s in (*entry.warnings, *entry.notes)}
    return Loaded(workspace.corpus, workspace.judgments, workspace.scores, sentences)


def by_library(folder: Path, files: list[tuple[str, bytes, FileRole]]) -> Loaded:
    paths = {role: [folder / name for name, _, own in files if own == role] for _, _, role in files}
    data = bleu_core.load(
        paths.get("system", ()),
        paths.get("reference", ()),
        judgments=paths.get("judgments", ()),
        scores=paths.get("scores", ()),
        archives=paths.get("archive", ()),
    )
    return Loaded(data.corpus, data.judgments, data.scores, None)


def of_call(call: list[str]) -> Loaded:
    read = InputFiles(with_workspace(parse(COMMANDS, load, call)))
    data = read.dataset(copies="none")
    return Loaded(data.corpus, data.judgments, data.scores, set(read.warnings))


def by_command(folder: Path, files: list[tuple[str, bytes, FileRole]]) -> Loaded:
    call = ["compare"]
    for name, _, role in files:
        option = "--archive" if role == "archive" else OPTIONS.get(role)
        call += [str(folder / name)] if option is None else [option, str(folder / name)]
    return of_call(call)


def by_pages(_: Path, files: list[tuple[str, bytes, FileRole]]) -> Loaded:
    return of_workspace(assemble([File(name, data, role) for name, data, role in files]))


def by_saved_workspace(folder: Path, files: list[tuple[str, bytes, FileRole]]) -> Loaded:
    own = tuple(File(name, data, role) for name, data, role in files)
    write_workspace(SavedWorkspace(files=own, choices=Choices(), data=assemble(own).digest), folder / "w.bleu.zip")
    return of_call(["compare", "--workspace", str(folder / "w.bleu.zip")])


def by_collection(folder: Path, files: list[tuple[str, bytes, FileRole]]) -> Loaded:
    is_archive = files[0][2] == "archive"
    (test_set,) = load_collection(folder / files[0][0] if is_archive else folder).sets
    return of_workspace(test_set.read())


WAYS = {
    "library": by_library,
    "command": by_command,
    "pages": by_pages,
    "saved workspace": by_saved_workspace,
    "collection": by_collection,
}


@pytest.mark.parametrize("kind", FILES)
@pytest.mark.parametrize("way", WAYS)
def test_the_same_files_give_the_same_data(tmp_path: Path, kind: str, way: str) -> None:
    files = FILES[kind]
    if kind == "a zip" and way in ("pages", "saved workspace"):
        files = [("ref.txt", lines(TEXTS), "reference"), *FILES["plain"][1:]]  # zips are unpacked when they arrive
    for name, data, _ in files:
        (tmp_path / name).write_bytes(data)
    found = WAYS[way](tmp_path, files)
    expected = by_pages(tmp_path, FILES["plain"] if kind == "a zip" else files)
    assert found.corpus.systems == expected.corpus.systems
    assert list(found.corpus.references.values()) == list(expected.corpus.references.values())
    digests = [None if loaded.judgments is None else loaded.judgments.digest for loaded in (found, expected)]
    assert digests[0] == digests[1]
    for table, other in zip(found.scores, expected.scores, strict=True):
        np.testing.assert_array_equal(table.scores, other.scores)
    if found.sentences is None or kind == "a zip":
        return
    with_names = way in ("command", "saved workspace")
    names = [name for name, _, _ in files]
    of_reader = without_names(found.sentences, tmp_path, names) if with_names else found.sentences
    assert (expected.sentences or set()) <= of_reader
