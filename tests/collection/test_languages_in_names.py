"""Division of files by the languages in their names, and what of a zip or folder is no data."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping
from pathlib import Path, PurePosixPath

import pytest
from two_languages import SCORES, SOURCE, TEXTS, in_layout

from bleu_core.collection import Division, load_collection, open_uploads, set_languages
from bleu_core.formats.release_names import language_names
from bleu_core.scoring import BleuSettings, evaluate
from bleu_core.uploads import Workspace, assemble, by_test_set

TO_GERMAN = TEXTS["ref", "de"]


def packed(files: Mapping[str, str]) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return stream.getvalue()


def opened(files: Mapping[str, str], *existing: str) -> Division:
    return open_uploads([("all.zip", lambda: packed(files))], existing=existing)


def workspaces(division: Division) -> dict[str, Workspace]:
    return {name: assemble(files) for name, files in by_test_set(division.files).items() if name}


def scores(workspace: Workspace) -> dict[str, float]:
    evaluation = evaluate(workspace.corpus)
    return dict(zip(evaluation.systems, evaluation.scores.score.round(2).tolist(), strict=True))


@pytest.mark.parametrize(
    ("reference", "system", "codes"),
    [
        ("ref.{code}.txt", "{name}.{code}.txt", ("de", "nl")),
        ("ref.{code}", "{name}.{code}", ("de", "nl")),
        ("ref_{code}.txt", "{name}-{code}.hyp", ("de", "nl")),
        ("{code}.ref.txt", "{code}.{name}.txt", ("de", "nl")),
        ("references/{code}.txt", "system-outputs/{name}/{code}.txt", ("deu_Latn", "nld_Latn")),
        ("flores/devtest/{code}.devtest", "{name}/{code}.devtest", ("deu_Latn", "nld_Latn")),
        ("refs/{code}.txt", "{name}/{code}.txt", ("en-de", "en-nl")),
        ("refs/{code}/ref.txt", "{name}/{code}/output.txt", ("en-de", "en-nl")),
        ("wmt.{code}.ref.txt", "wmt.{code}.{name}.txt", ("en2de", "en2nl")),
        ("ref/{code}.txt", "{name}/{code}.txt", ("pt-BR", "it")),
    ],
)
def test_each_language_is_a_test_set_with_the_same_systems(reference: str, system: str, codes: tuple[str, str]) -> None:
    division = opened(in_layout(reference, system, codes))
    names = [code.replace("2", "-").replace("pt-BR", "pt_BR") for code in codes]
    assert sorted(division.names) == sorted(names)
    assert "6 files were divided into 2 test sets by the languages in their names" in division.notes[0]
    for name, expected in zip(names, SCORES.values(), strict=True):
        systems = {system.rpartition(".")[2]: score for system, score in scores(workspaces(division)[name]).items()}
        assert systems == expected


def test_references_sources_and_documents_may_belong_to_several_test_sets() -> None:
    files = in_layout("refs/{code}.txt", "{name}/en-{code}.txt") | {
        "src.en.txt": SOURCE,
        "docs.txt": "a\n" * 6 + "b\n" * 6,
    }
    division = opened(files)
    assert dict(division.languages) == {"en-de": "en-de", "en-nl": "en-nl"}
    for workspace in workspaces(division).values():
        assert workspace.corpus.source == tuple(SOURCE.splitlines())
        assert workspace.corpus.documents is not None
        assert list(workspace.corpus.references) == ["reference"]
    assert dict(opened(in_layout("ref.{code}", "{name}.{code}") | {"src.en": SOURCE}).languages) == {
        "de": "en-de",
        "nl": "en-nl",
    }


def test_one_of_several_sources_without_their_languages_is_not_chosen() -> None:
    files = in_layout("ref.{code}.txt", "{name}.{code}.txt") | {"src.txt": SOURCE, "source.txt": SOURCE.upper()}
    division = opened(files)
    assert [own.corpus.source for own in workspaces(division).values()] == [None, None]
    assert division.notes[1].startswith("2 files of no test set: source.txt, src.txt; choose one")


def test_one_reference_may_be_that_of_several_source_languages() -> None:
    files = {f"refs/{pair}.txt": TO_GERMAN for pair in ("en-de", "nl-de")}
    files |= {"A/en-de.txt": TEXTS["A", "de"], "A/nl-de.txt": TEXTS["B", "de"]}
    division = opened(files)
    assert {name: scores(own) for name, own in workspaces(division).items()} == {
        "en-de": {"A": 69.96},
        "nl-de": {"A": 52.58},
    }


def test_folders_are_divided_further() -> None:
    files = in_layout("news/ref.{code}.txt", "news/{name}.{code}.txt") | {
        name: text.upper() for name, text in in_layout("talks/ref.{code}.txt", "talks/{name}.{code}.txt").items()
    }
    division = opened(files)
    assert sorted(division.names) == ["news/de", "news/nl", "talks/de", "talks/nl"]
    assert scores(workspaces(division)["news/nl"]) == SCORES["nl"]
    assert division.languages["talks/nl"] == "nl"


def test_texts_of_no_language_or_without_a_reference_are_in_no_test_set() -> None:
    files = in_layout("ref.{code}.txt", "{name}.{code}.txt") | {"A.fr.txt": SOURCE, "C.txt": SOURCE}
    division = opened(files | {"human.csv": "system,segment,judge,score\nA,1,j,3\n"})
    assert {name: scores(own) for name, own in workspaces(division).items()} == SCORES
    assert division.notes[1].startswith("3 files of no test set: A.fr.txt, C.txt, human.csv; choose one")


def test_a_reference_in_another_language_than_all_outputs_is_not_used() -> None:
    files = in_layout("ref.{code}.txt", "{name}.{code}.txt")
    division = opened({name: text for name, text in files.items() if name not in ("A.nl.txt", "B.nl.txt")})
    assert {name: scores(own) for name, own in workspaces(division).items()} == {"de": SCORES["de"]}
    assert "1 file of no test set: ref.nl.txt" in division.notes[1]


@pytest.mark.parametrize(
    ("files", "reason"),
    [
        (
            {"ref.de.txt": TEXTS["ref", "nl"], "ref.nl.txt": TO_GERMAN}
            | {f"A.{code}.txt": TEXTS["A", code] for code in ("de", "nl")},
            "the outputs of de are not clearly more like its references than like those of nl",
        ),
        (
            {"ref.am.txt": TO_GERMAN, "ref.bo.txt": TEXTS["A", "de"]}
            | {f"{name}.{code}.txt": TEXTS["B", "de"] for name in "AB" for code in ("am", "bo")},
            "the outputs of bo are not clearly more like its references than like those of am",
        ),
        (
            {f"{name}.{code}.txt": text for code in ("en-de", "en-nl") for name, text in (("A", "x\n"), ("B", "y\n"))},
            "there is no reference of en-de",
        ),
        (
            {f"{name}.{code}.txt": text for code, text in (("de", "ja\n"), ("nl", "nee\n")) for name in ("ref", "A")},
            "the outputs of de are not clearly more like its references than like those of nl",
        ),
    ],
)
def test_texts_that_contradict_the_names_are_not_divided_and_a_note_says_why(
    files: dict[str, str], reason: str
) -> None:
    division = opened(files)
    assert division.names == ()
    (note,) = division.notes
    assert f"and they were not divided: {reason}; divide them on the Data page or by a manifest bleu.toml" in note


@pytest.mark.parametrize(
    "files",
    [
        {"ref.de.txt": TO_GERMAN, "A.de.txt": TEXTS["A", "de"], "B.de.txt": TEXTS["B", "de"], "src.en.txt": SOURCE},
        {"ref.txt": TO_GERMAN, "to-do.txt": TEXTS["A", "de"], "my-mt.txt": TEXTS["B", "de"]},
        {"ref.txt": TO_GERMAN, "A.de.txt": TEXTS["A", "de"], "B-st.txt": TEXTS["B", "de"]},
        {"ref.de.txt": TO_GERMAN, "A.de.txt": TEXTS["A", "de"], "B-st.txt": TEXTS["B", "de"]},
    ],
)
def test_names_of_one_language_or_of_none_are_one_test_set_without_a_note(files: dict[str, str]) -> None:
    division = opened(files)
    assert (division.names, division.notes) == ((), ())
    assert len(assemble(division.files).corpus.systems) == 2


def test_the_language_in_a_name_decides_on_the_tokeniser(tmp_path: Path) -> None:
    chinese = "".join(
        f"\u6e21\u8f6e\u65e9\u4e0a\u4e03\u70b9{n}\u5206\u5f00\u5f80\u5c9b\u4e0a\u3002\n" for n in range(12)
    )
    files = {"ref.zh.txt": chinese, "A.zh.txt": chinese.replace("\u4e03", "\u516b")}
    files |= {"ref.de.txt": TO_GERMAN, "A.de.txt": TEXTS["A", "de"]}
    (tmp_path / "all.zip").write_bytes(packed(files))
    collection = load_collection(tmp_path / "all.zip")
    tokenizers = {own.name: own.settings_for(BleuSettings(), by_language=True).tokenizer for own in collection.sets}
    assert tokenizers == {"de": "13a", "zh": "zh"}
    assert set_languages("news/zho_Hans", collection.sets[0].read()) == "zho_Hans"


def test_files_of_a_language_join_its_test_set_that_exists() -> None:
    added = {"C.de.txt": TEXTS["B", "de"], "ref.B.nl.txt": TEXTS["ref", "nl"]}
    division = opened(added, "de", "nl")
    assert {(file.test_set, file.role, file.renamed) for file in division.files} == {
        ("de", "system", "C"),
        ("nl", "reference", "ref.B"),
    }
    assert opened({"C.de.txt": TEXTS["B", "de"]}, "news").names == ()


@pytest.mark.parametrize(
    "name",
    [
        "to-do.txt",
        "my-mt.txt",
        "as-is/A.txt",
        "seq2seq.txt",
        "run_no_1.txt",
        "top-two.txt",
        "gpt-4.1.txt",
        "ref-sys.txt",
    ],
)
def test_words_that_look_like_languages_are_none(name: str) -> None:
    assert language_names(PurePosixPath(name)) == ()


NO_DATA = ["A.orig", "A.txt.bak", "README.md", "make.sh", "notes.md", "ref.txt~", "run.log", "score.py"]


def test_backups_and_programs_are_left_out_with_a_note(tmp_path: Path) -> None:
    files = {"ref.txt": TO_GERMAN, "A.txt": TEXTS["A", "de"], **dict.fromkeys(NO_DATA, TEXTS["B", "de"])}
    (tmp_path / "folder").mkdir()
    for name, text in files.items():
        (tmp_path / "folder" / name).write_text(text, encoding="utf-8")
    (tmp_path / "all.zip").write_bytes(packed(files))
    for place in ("folder", "all.zip"):
        collection = load_collection(tmp_path / place)
        assert [file.name for file in collection.sets[0].files] == ["A.txt", "ref.txt"]
        assert collection.notes == (
            f"{tmp_path / place}: descriptions, backups and programs not used: {', '.join(NO_DATA)}",
        )


def test_patterns_with_wildcards_leave_them_out_and_others_name_them(tmp_path: Path) -> None:
    manifest = tmp_path / "bleu.toml"
    for name, text in (("ref.txt", TO_GERMAN), ("A.txt", TEXTS["A", "de"]), ("A.txt~", "x\n"), ("B.log", TO_GERMAN)):
        (tmp_path / name).write_text(text, encoding="utf-8")
    manifest.write_text('[sets.news]\nreferences = "ref.txt"\nsystems = ["[A-Z]*", "B.log"]\n', encoding="utf-8")
    collection = load_collection(manifest)
    assert [file.name for file in collection.sets[0].files] == ["ref.txt", "A.txt", "B.log"]
    assert collection.notes == (f"{tmp_path}: descriptions, backups and programs not used: A.txt~",)
