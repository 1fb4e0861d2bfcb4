"""Collections of real test sets: the same texts and scores as from their files."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from bleu_core import load
from bleu_core.collection import Collection, load_collection
from bleu_core.scoring import BleuSettings, evaluate

RUEN, TED, WMT23 = "newstest2020-ruen-2sys", "ted-zhen", "wmt23-ende-3raters"
MANIFEST = """
[sets.{name}]
references = "{name}/refs/*"
systems = "{name}/systems/*"
source = "{name}/source.txt"
"""


def scores(collection: Collection) -> dict[str, dict[str, float]]:
    """Return BLEU by test set and system."""
    evaluations = {test_set.name: evaluate(test_set.read().corpus, BleuSettings()) for test_set in collection.sets}
    return {
        name: dict(zip(evaluation.systems, map(float, evaluation.scores.score), strict=True))
        for name, evaluation in evaluations.items()
    }


def scores_of_files(folder: Path) -> dict[str, float]:
    """Return BLEU by system, of the files loaded by their paths."""
    dataset = load(sorted((folder / "systems").iterdir()), sorted((folder / "refs").iterdir()))
    evaluation = evaluate(dataset.corpus, BleuSettings())
    return dict(zip(evaluation.systems, map(float, evaluation.scores.score), strict=True))


def test_sets_of_a_manifest_have_the_scores_of_their_files(folder: Path, tmp_path: Path) -> None:
    data = folder / "data"
    for name in (RUEN, TED, WMT23):
        shutil.copytree(data / name, tmp_path / name)
    (tmp_path / "bleu.toml").write_text("".join(MANIFEST.format(name=name) for name in (RUEN, TED, WMT23)))
    assert scores(load_collection(tmp_path)) == {name: scores_of_files(data / name) for name in (RUEN, TED, WMT23)}


def test_a_folder_for_each_real_set_is_recognised_with_its_ratings(folder: Path, tmp_path: Path) -> None:
    data = folder / "data"
    for name in (TED, WMT23):
        shutil.copytree(data / name, tmp_path / name)
    collection = load_collection(tmp_path)
    assert collection.names == (TED, WMT23)  # the human translation ref.A is in both
    assert all(test_set.read().judgments is not None for test_set in collection.sets)
    assert scores(collection) == {name: scores_of_files(data / name) for name in (TED, WMT23)}
    shutil.copytree(data / RUEN, tmp_path / RUEN)
    unclear = load_collection(tmp_path)
    assert len(unclear.sets) == 1
    assert f"no system of {RUEN} is in another one" in unclear.notes[0]


def test_real_texts_with_names_of_a_release_are_its_test_sets(folder: Path, tmp_path: Path) -> None:
    data = folder / "data" / RUEN
    for base in ("newstest2020.ru-en", "newstest2020b.ru-en"):
        shutil.copy(data / "refs" / "ref.A.txt", tmp_path / f"{base}.ref.A.en")
        shutil.copy(data / "source.txt", tmp_path / f"{base}.src.ru")
        for system in ("Online-A", "Online-B"):
            shutil.copy(data / "systems" / f"{system}.txt", tmp_path / f"{base}.hyp.{system}.en")
    collection = load_collection(tmp_path)
    assert [test_set.languages for test_set in collection.sets] == ["ru-en", "ru-en"]
    expected = scores_of_files(data)
    assert scores(collection) == {"newstest2020.ru-en": expected, "newstest2020b.ru-en": expected}


@pytest.mark.parametrize(
    ("path", "languages"),
    [
        ("mt-metrics-eval/wmt23", "en-de"),
        ("wmt-xml", "ru-en"),
    ],
)
def test_excerpts_of_published_files_are_one_test_set_with_its_languages(
    folder: Path, path: str, languages: str
) -> None:
    (test_set,) = load_collection(folder / "data" / "formats" / path).sets
    assert (test_set.languages, [file.test_set for file in test_set.files]) == (languages, [""])
    workspace = test_set.read()
    assert len(workspace.corpus.systems) > 1
    assert workspace.unused == ()
