"""Division of files into test sets: what is recognised, what is left alone, and what the notes say."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Mapping
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from timed import within_seconds

from bleu_core.collection import Division, load_collection, open_uploads
from bleu_core.errors import one_line
from bleu_core.formats import split_documents
from bleu_core.limits import DEFAULT_LIMITS, LimitError, Limits
from bleu_core.uploads import by_test_set

REFERENCE = "the cat sits on the mat\nit rains in the north\nthe sun shines\n"
SYSTEM = "the cat sat on the mat\nit rains in the north\nthe sun shines\n"


def german(text: str) -> str:
    """Return other text of the same length, so that references differ."""
    return text.replace("the", "das").replace("it", "es")


def packed(files: Mapping[str, str | bytes]) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return stream.getvalue()


def opened(files: Mapping[str, str | bytes], **options: object) -> Division:
    """Return the division of files that are uploaded with their paths."""
    data = {name: text.encode() if isinstance(text, str) else text for name, text in files.items()}
    uploads = [(name, lambda name=name: data[name]) for name in data]
    return open_uploads(uploads, **options)  # type: ignore[arg-type] # pyright: ignore[reportArgumentType]


def members(division: Division) -> dict[str, list[str]]:
    """Return, by test set, the role and name of each text and the names of other files."""
    return {
        name: sorted(
            f"{file.role} {file.renamed or file.stem}" if file.role in ("system", "reference") else file.name
            for file in files
        )
        for name, files in by_test_set(division.files).items()
    }


def eval_files(*pairs: str, root: str = "") -> dict[str, str]:
    """Return the files of a test set of mt-metrics-eval."""
    files: dict[str, str] = {}
    for pair in pairs:
        files[f"{root}sources/{pair}.txt"] = german(REFERENCE)
        files[f"{root}references/{pair}.refA.txt"] = REFERENCE
        files[f"{root}system-outputs/{pair}/A.txt"] = SYSTEM
        files[f"{root}system-outputs/{pair}/B.txt"] = REFERENCE.upper()
    return files


# mt-metrics-eval


@pytest.mark.parametrize("as_zip", [True, False])
def test_a_test_set_of_several_pairs_is_a_set_for_each_pair_with_shared_bytes(*, as_zip: bool) -> None:
    files = eval_files("en-de", "en-zh_CN", root="wmt23/")
    division = opened({"wmt23.zip": packed(files)} if as_zip else files)
    assert division.names == ("en-de", "en-zh_CN")
    assert division.languages == {"en-de": "en-de", "en-zh_CN": "en-zh_CN"}
    first, second = division.files
    assert first.data is second.data
    assert (first.pair, second.pair) == ("en-de", "en-zh_CN")
    assert division.notes == ("1 file was divided into 2 test sets by language pair: en-de, en-zh_CN",)
    for files_of_set in by_test_set(division.files).values():
        from_set = load(files_of_set)
        assert list(from_set.corpus.systems) == ["A", "B"]
        assert list(from_set.corpus.references) == ["refA"]


def load(files):  # noqa: ANN001, ANN201 # the types of assemble
    from bleu_core.uploads import assemble

    return assemble(files)


def test_several_test_sets_in_one_archive_or_in_several_are_told_apart() -> None:
    files = eval_files("en-de", root="wmt23/") | eval_files("en-de", "de-en", root="wmt24/")
    assert opened({"all.zip": packed(files)}).names == ("wmt23/en-de", "wmt24/de-en", "wmt24/en-de")
    two = {"wmt23.zip": packed(eval_files("en-de")), "wmt24.zip": packed(eval_files("en-de", "de-en"))}
    division = opened(two)
    assert division.names == ("wmt23/en-de", "de-en", "wmt24/en-de")
    assert division.languages["wmt24/en-de"] == "en-de"
    assert [list(load(own).corpus.systems) for own in by_test_set(division.files).values()] == [["A", "B"]] * 3


def test_one_language_pair_stays_one_test_set_without_a_name() -> None:
    division = opened({"wmt23.zip": packed(eval_files("en-de"))})
    assert (division.names, division.notes) == ((), ())
    assert [file.pair for file in division.files] == [None]


def test_an_empty_output_in_one_pair_is_a_hole_there() -> None:
    files = eval_files("en-de", "en-fr") | {"system-outputs/en-fr/A.txt": ""}
    division = opened({"x.zip": packed(files)})
    sets = {name: load(own) for name, own in by_test_set(division.files).items()}
    assert list(sets["en-de"].corpus.systems) == ["A", "B"]
    assert list(sets["en-fr"].corpus.systems) == ["B"]
    assert [text.name for text in sets["en-fr"].missing] == ["A"]


# documents of WMT


def document_files(pairs: Mapping[str, tuple[str, ...]], n: int = 2) -> dict[str, str]:
    """Return a test set of WMT25 and the outputs of systems, each for its language pairs."""
    every = list(dict.fromkeys(pair for own in pairs.values() for pair in own))
    lines = [
        {"doc_id": f"{pair}_#_news_#_d{i}", "src_text": f"text {i}", "refs": {"refA": {"ref": f"{pair} text {i}"}}}
        for pair in every
        for i in range(n)
    ]
    files = {"wmt/test.jsonl": lines}
    for system, own in pairs.items():
        files[f"wmt/systems/{system}.jsonl"] = [
            {"doc_id": f"{pair}_#_news_#_d{i}", "hypothesis": f"{pair} text {i} {system}"}
            for pair in own
            for i in range(n)
        ]
    return {name: "".join(f"{json.dumps(line)}\n" for line in lines) for name, lines in files.items()}


def test_documents_are_divided_by_language_pair_and_systems_without_a_pair_are_holes() -> None:
    files = document_files({"A": ("en-de", "en-zh_CN", "cs-uk"), "B": ("cs-uk", "en-de"), "C": ("cs-uk",)})
    division = opened(files)
    assert division.names == ("en-de", "en-zh_CN", "cs-uk")
    assert dict(division.languages) == {"en-de": "en-de", "en-zh_CN": "en-zh_CN", "cs-uk": "cs-uk"}
    sets = {name: load(own) for name, own in by_test_set(division.files).items()}
    assert {name: sorted(own.corpus.systems) for name, own in sets.items()} == {
        "en-de": ["A", "B"],
        "en-zh_CN": ["A"],
        "cs-uk": ["A", "B", "C"],
    }
    assert sets["en-de"].corpus.references == {"refA": ("en-de text 0", "en-de text 1")}
    assert [own.unused for own in sets.values()] == [(), (), ()]
    assert division.notes == ("4 files were divided into 3 test sets by language pair: en-de, en-zh_CN, cs-uk",)


def test_errors_in_a_part_name_the_line_of_the_file() -> None:
    files = document_files({"A": ("en-de", "en-fr")})
    lines = files["wmt/systems/A.jsonl"].splitlines()
    lines[3] = lines[3].replace('"en-fr text 1 A"', "7")
    division = opened(files | {"wmt/systems/A.jsonl": "\n".join(lines)})
    sets = {name: load(own) for name, own in by_test_set(division.files).items()}
    assert list(sets["en-de"].corpus.systems) == ["A"]
    (problem,) = sets["en-fr"].unused
    assert "A.jsonl, line 4: " in problem


def test_parts_have_all_lines_of_their_pair_and_those_of_none() -> None:
    lines = ['{"doc_id": "en-de_#_a", "hypothesis": "x"}', "broken", '{"doc_id": "en-fr_#_a", "hypothesis": "ü"}', ""]
    parts = split_documents("\r\n".join(lines).encode("utf-16"), "x.jsonl")
    assert list(parts) == ["en-de", "en-fr"]
    assert parts["en-de"].decode().split("\n") == [lines[0], lines[1], ""]
    assert parts["en-fr"].decode().split("\n") == ["", lines[1], lines[2]]
    assert split_documents(b'{"doc_id": "a", "hypothesis": "x"}\n', "x.jsonl") == {}
    with pytest.raises(LimitError):
        split_documents(b"{}\n" * 5, "x.jsonl", limits=Limits(objects=4))


def test_outputs_without_sources_wait_for_them_or_join_sets_that_exist() -> None:
    files = document_files({"A": ("en-de", "en-fr"), "B": ("en-de",)})
    outputs = {name: text for name, text in files.items() if "systems" in name}
    division = opened(outputs)
    assert division.names == ()
    assert "outputs in several language pairs found, also their sources expected" in division.notes[0]
    assert opened(outputs, existing=("en-de", "en-fr")).names == ("en-de", "en-fr")
    partly = opened(outputs, existing=("en-fr",))
    assert partly.names == ("en-fr",)
    assert "documents without sources or references in their language pair not used: en-de in 2 files" in partly.notes


def test_two_files_with_sources_of_a_pair_are_not_divided() -> None:
    files = document_files({"A": ("en-de", "en-fr")})
    division = opened(files | {"wmt/other.jsonl": files["wmt/test.jsonl"]})
    assert division.names == ()
    assert "several files with sources of en-de, en-fr found, 1 expected" in division.notes[0]
    assert "bleu.toml" in division.notes[0]


def test_ratings_join_the_set_of_their_language_pair_and_others_are_named() -> None:
    esa = [
        {
            "langs": "en-de", "line_id": i + 1, "src": f"text {i}", "tgt": "x", "doc_id": "d", "domain": "news",
            "esa_spans": [], "esa_score": "80", "system": "A", "annotator": "j",
        }
        for i in range(3)
    ]  # fmt: skip
    files = document_files({"A": ("en-de", "en-fr")}) | {
        "wmt/esa.jsonl": "".join(f"{json.dumps(line)}\n" for line in esa),
        "wmt/notes.txt": "one line\n",
        "wmt/en-fr/labels.csv": "segment,label\n1,x\n",
    }
    division = opened(files)
    where = {
        file.name: file.test_set for file in division.files if file.name in ("esa.jsonl", "notes.txt", "labels.csv")
    }
    assert where == {"esa.jsonl": "en-de", "notes.txt": "", "labels.csv": "en-fr"}
    assert division.notes[1].startswith("1 file of no test set: notes.txt; choose one")


# names of releases


RELEASE = {
    "newstest2021.ru-en.src.ru": german(REFERENCE),
    "newstest2021.ru-en.ref.A.en": REFERENCE,
    "newstest2021.ru-en.hyp.Online-A.en": SYSTEM,
    "newstest2021.ru-en.hyp.gpt-4.1.en": SYSTEM,
    "newstest2021.en-zh.ref.A.zh.txt": german(REFERENCE),
    "newstest2021.en-zh.hyp.Online-A.zh.txt": german(SYSTEM),
}


@pytest.mark.parametrize("folder", ["", "txt/"])
def test_names_of_releases_say_set_role_system_and_languages(folder: str) -> None:
    division = opened({f"{folder}{name}": text for name, text in RELEASE.items()})
    assert members(division) == {
        "newstest2021.ru-en": ["newstest2021.ru-en.src.ru", "reference ref.A", "system Online-A", "system gpt-4.1"],
        "newstest2021.en-zh": ["reference ref.A", "system Online-A"],
    }
    assert dict(division.languages) == {"newstest2021.ru-en": "ru-en", "newstest2021.en-zh": "en-zh"}
    assert division.notes[0].startswith("6 files were divided into 2 test sets by the names of releases: newstest2021.")
    workspace = load(by_test_set(division.files)["newstest2021.ru-en"])
    assert sorted(workspace.corpus.systems) == ["Online-A", "gpt-4.1"]
    assert list(workspace.corpus.references) == ["ref.A"]


def test_one_release_keeps_one_test_set_with_the_names_of_its_systems() -> None:
    division = opened({name: text for name, text in RELEASE.items() if "ru-en" in name})
    assert members(division) == {
        "": ["newstest2021.ru-en.src.ru", "reference ref.A", "system Online-A", "system gpt-4.1"]
    }
    assert (dict(division.languages), division.notes) == ({"": "ru-en"}, ())


def test_releases_up_to_2020_and_other_files_of_a_set_are_found_by_its_name() -> None:
    seg = "".join(f'<seg id="{i}">{line}</seg>\n' for i, line in enumerate(REFERENCE.splitlines(), 1))
    doc = f'<doc sysid="ref" docid="d" genre="news" origlang="en"><p>\n{seg}</p></doc>\n'
    reference = f'<refset setid="newstest2020" srclang="any" trglang="en">\n{doc}</refset>\n'
    division = opened(
        {
            "newstest2020-ruen-ref.en.sgm": reference,
            "newstest2020.ru-en.Online-A.1571.txt": SYSTEM,
            "newstest2020-enru-ref.ru.txt": german(REFERENCE),
            "newstest2020.Online-A.77.en-ru": german(SYSTEM),
            "other.txt": SYSTEM,
        }
    )
    assert members(division) == {
        "newstest2020.ru-en": ["reference ref", "system Online-A.1571"],
        "newstest2020.en-ru": ["reference ref", "system Online-A.77"],
        "": ["system other"],
    }


def test_the_same_release_with_and_without_test_suites_is_two_sets() -> None:
    files = {f"{root}/{role}/{name}": text for root in ("txt", "txt-ts") for role, name, text in [
        ("references", "news.en-de.ref.A.de", REFERENCE),
        ("system-outputs", "news.en-de.hyp.A.de", SYSTEM),
    ]} | {
        "txt/references/news.de-en.ref.A.en": german(REFERENCE),
        "txt/system-outputs/news.de-en.hyp.A.en": german(SYSTEM),
    }  # fmt: skip
    assert sorted(opened(files).names) == ["news.de-en", "txt-ts/news.en-de", "txt/news.en-de"]


def test_xml_files_of_a_release_are_a_set_each() -> None:
    def xml(source: str, target: str) -> str:
        return (
            f'<?xml version="1.0"?><dataset id="n"><doc origlang="{source}" id="d"><src lang="{source}"><p>'
            f'<seg id="1">a</seg></p></src><ref lang="{target}" translator="A"><p><seg id="1">b c</seg></p></ref>'
            f'<hyp system="S" lang="{target}"><p><seg id="1">b c</seg></p></hyp></doc></dataset>'
        )

    division = opened({"newstest2021.ru-en.xml": xml("ru", "en"), "newstest2021.en-ja.all.xml": xml("en", "ja")})
    assert dict(division.languages) == {"newstest2021.ru-en": "ru-en", "newstest2021.en-ja": "en-ja"}
    assert [list(load(own).corpus.systems) for own in by_test_set(division.files).values()] == [["S"], ["S"]]
    assert dict(opened({"test.xml": xml("ru", "en")}).languages) == {"": "ru-en"}


def test_outputs_alone_are_not_divided_unless_their_sets_exist() -> None:
    outputs = {name: text for name, text in RELEASE.items() if ".hyp." in name}
    division = opened(outputs)
    assert division.names == ()
    assert "outputs of systems without references found" in division.notes[0]
    existing = ("newstest2021.ru-en", "newstest2021.en-zh")
    assert opened(outputs, existing=existing).names == existing
    assert opened({"newstest2021.ru-en.hyp.B.en": SYSTEM}, existing=existing).names == existing[:1]


# folders


FOLDERS = {
    "all/news/ref.A.txt": REFERENCE,
    "all/news/A.txt": SYSTEM,
    "all/news/B.txt": REFERENCE.upper(),
    "all/talks/refs/r.txt": german(REFERENCE),
    "all/talks/systems/A.txt": german(SYSTEM),
    "all/talks/human.csv": "system,segment,judge,score\nA,1,j,3\nA,2,j,4\n",
}


@pytest.mark.parametrize("how", ["folder", "zip", "two zips"])
def test_a_folder_for_each_set_is_recognised(how: str) -> None:
    files: dict[str, str | bytes] = {**FOLDERS}
    if how == "zip":
        files = {"all.zip": packed(FOLDERS)}
    if how == "two zips":
        files = {
            f"{name}.zip": packed({path: text for path, text in FOLDERS.items() if name in path})
            for name in ("news", "talks")
        }
    division = opened(files)
    assert members(division) == {
        "news": ["reference ref.A", "system A", "system B"],
        "talks": ["human.csv", "reference r", "system A"],
    }
    assert division.notes == ("6 files were divided into 2 test sets by folder: news, talks",)


def test_folders_in_folders_and_folders_for_systems_in_sets_are_recognised() -> None:
    files = {
        f"x/{year}/{pair}/{path}": f"{year} {pair} {text}"
        for year in ("2023", "2024")
        for pair in ("en-de", "en-fr")
        for path, text in [("reference.txt", REFERENCE), ("A/output.txt", SYSTEM), ("B/output.txt", SYSTEM.upper())]
    }
    division = opened(files)
    assert members(division)["2024/en-fr"] == ["reference reference", "system A", "system B"]
    assert division.languages["2024/en-fr"] == "en-fr"
    assert len(division.names) == 4


@pytest.mark.parametrize(
    "files",
    [
        {"x/A/output.txt": SYSTEM, "x/B/output.txt": SYSTEM.upper(), "x/reference.txt": REFERENCE},
        {"x/A/output.txt": SYSTEM, "x/B/output.txt": SYSTEM.upper(), "x/gold/reference.txt": REFERENCE},
        {"x/refs/r.txt": REFERENCE, "x/systems/A.txt": SYSTEM, "x/sources/s.txt": german(REFERENCE)},
        {"x/refs/r.txt": REFERENCE, "x/systems/A/output.txt": SYSTEM, "x/systems/B/output.txt": SYSTEM},
        {"x/refs/r.txt": REFERENCE, "x/system-outputs/en-de/A.txt": SYSTEM},
        {"A.txt": SYSTEM, "ref.txt": REFERENCE},
        {},
    ],
)
def test_folders_for_roles_and_systems_are_one_test_set_without_a_note(files: dict[str, str]) -> None:
    division = opened(files)
    assert {file.test_set for file in division.files} <= {""}
    assert (division.names, division.notes, division.problems) == ((), (), ())
    if files:
        assert len(load(division.files).corpus.systems) == sum(
            "ref" not in name and "source" not in name for name in files
        )


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"all/reference.txt": REFERENCE}, "texts outside of them found (reference.txt)"),
        ({"all/talks/systems/A.txt": None, "all/talks/systems/X.txt": SYSTEM}, "no system of news is in another one"),
        ({"all/talks/refs/r.txt": REFERENCE}, "news and talks have the same references"),
        ({"all/more/ref.txt": "x\n"}, "there are no outputs of systems in more"),
        ({"all/talks/in/ref.txt": "x\n", "all/talks/in/A.txt": "x\n"}, "some are inside others (talks/in)"),
    ],
)
def test_unclear_folders_are_not_divided_and_a_note_says_why(change: dict[str, str | None], reason: str) -> None:
    files = {name: text for name, text in (FOLDERS | change).items() if text is not None}
    division = opened(files)
    assert {file.test_set for file in division.files} == {""}
    (note,) = division.notes
    assert "may be test sets and were not divided" in note
    assert reason in note
    assert note.endswith("divide them on the Data page or by a manifest bleu.toml")


def test_sets_of_one_target_may_share_references_if_folders_are_named_by_language_pairs() -> None:
    files = {f"x/{pair}/{name}": text for pair in ("de-en", "fr-en") for name, text in [
        ("ref.txt", REFERENCE), ("A.txt", SYSTEM)]}  # fmt: skip
    division = opened(files)
    assert dict(division.languages) == {"de-en": "de-en", "fr-en": "fr-en"}


# what can go wrong


def test_bad_files_are_no_reason_against_the_others() -> None:
    files: dict[str, str | bytes] = {**FOLDERS, "all/talks/systems/B.txt": "", "broken.zip": b"PK\x03\x04 broken"}
    files["all/news/C.txt"] = b"caf\xe9\n"
    division = opened({name: files[name] for name in files if name != "broken.zip"})
    sets = {name: load(own) for name, own in by_test_set(division.files).items()}
    assert {name: sorted(own.corpus.systems) for name, own in sets.items()} == {"news": ["A", "B"], "talks": ["A"]}
    assert {name: [text.name for text in own.missing] for name, own in sets.items()} == {"news": ["C"], "talks": ["B"]}
    with_zip = opened(files)
    assert any("broken.zip" in text for text in (*with_zip.problems, *(file.name for file in with_zip.files)))


def test_bombs_and_more_bytes_than_allowed_together_are_problems() -> None:
    bomb = packed({"a/ref.txt": "x\n" * 10**7, "a/A.txt": "y\n" * 10**7})
    division = opened({"bomb.zip": bomb, "ref.txt": REFERENCE})
    assert ["bomb.zip" in problem for problem in division.problems] == [True]
    assert [file.name for file in division.files] == ["ref.txt"]
    size = len(packed(FOLDERS))
    limits = Limits(unpacked_bytes=size)
    two = opened({"one.zip": packed(FOLDERS), "two.zip": packed(FOLDERS), "three.zip": packed(FOLDERS)}, limits=limits)
    assert two.problems
    assert "unpacked bytes found" in two.problems[-1]


def test_odd_names_are_divided_like_others() -> None:
    odd = ["a\nb", "../x", "C:\\y", "ü" * 50, "x" * 300, "__MACOSX", ".hidden", "*", "$a^2$"]
    files = {f"{name}/{path}": f"{name} {text}" for name in odd for path, text in [
        ("ref.txt", REFERENCE), ("A.txt", SYSTEM)]}  # fmt: skip
    division = opened(files)
    assert all("\n" not in note for note in (*division.notes, *division.problems))
    assert any("a\\nb" in problem for problem in division.problems)
    assert {"ü" * 50, "*", "$a^2$"} <= set(division.names)


def test_deep_folders_take_no_time_and_no_stack() -> None:
    deep = "/".join(["d"] * 400)
    files = {f"{deep}/ref.txt": REFERENCE, f"{deep}/A.txt": SYSTEM, "e/ref.txt": german(REFERENCE), "e/A.txt": SYSTEM}
    data = packed(files)
    division = within_seconds(3, lambda: opened({"deep.zip": data}))
    assert division.names == (deep, "e")


@pytest.mark.slow
def test_ten_thousand_files_are_divided_in_seconds(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "all.zip", "w") as archive:
        for number in range(100):
            archive.writestr(f"set{number}/ref.txt", f"reference {number}\n")
            for system in range(99):
                archive.writestr(f"set{number}/systems/s{system}.txt", f"reference {number} {system}\n")
    collection = within_seconds(8, lambda: load_collection(tmp_path / "all.zip"))
    assert len(collection.sets) == 100
    assert {len(test_set.files) for test_set in collection.sets} == {100}


@pytest.mark.slow
def test_sixty_systems_on_thirty_pairs_are_divided_and_read_in_seconds() -> None:
    pairs = tuple(f"en-{a}{b}" for a in "abcdef" for b in "klmno")
    files = document_files({f"s{k}": pairs for k in range(60)}, n=20)

    def read_all() -> list[int]:
        sets = by_test_set(opened(files).files)
        return [len(load(own).corpus.systems) for own in sets.values()]

    assert within_seconds(4, read_all) == [60] * 30


def test_a_folder_on_disk_is_divided_as_its_zip(tmp_path: Path) -> None:
    for name, text in FOLDERS.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    (tmp_path / "all.zip").write_bytes(packed(FOLDERS))
    from_folder, from_zip = load_collection(tmp_path / "all"), load_collection(tmp_path / "all.zip")
    assert from_folder.names == from_zip.names == ("news", "talks")
    assert [[file.fingerprint for file in own.files] for own in from_folder.sets] == [
        [file.fingerprint for file in own.files] for own in from_zip.sets
    ]
    one = load_collection(tmp_path / "all" / "news")
    assert (one.names, [file.test_set for file in one.sets[0].files]) == (("news",), ["", "", ""])
    with pytest.raises(LimitError):
        load_collection(tmp_path / "all", limits=Limits(entries=3))


def test_the_listing_of_a_zip_is_shared_by_its_pairs(monkeypatch: pytest.MonkeyPatch) -> None:
    from bleu_core.formats import mt_metrics_eval

    calls: list[str] = []
    list_zip = mt_metrics_eval._list_zip  # noqa: SLF001 # pyright: ignore[reportPrivateUsage]

    def counted(data: bytes, origin: str, limits: Limits):  # noqa: ANN202 # as the original
        calls.append(origin)
        return list_zip(data, origin, limits)

    division = opened({"x.zip": packed(eval_files("en-de", "en-fr", "en-cs"))})
    monkeypatch.setattr(mt_metrics_eval, "_list_zip", counted)
    for own in by_test_set(division.files).values():
        assert load(own).corpus.segments == 3
    assert calls == []
    assert division.files[0].read(DEFAULT_LIMITS, pair="x")[0].problem == ""


PARTS = st.sampled_from(
    ["a", "b", "en-de", "refs", "systems", "system-outputs", "A.txt", "ref.txt", "source.txt", "x.y"]
)
PATHS = st.lists(PARTS, min_size=1, max_size=4).map("/".join) | st.sampled_from(sorted(RELEASE))


def contents(division: Division) -> list[str]:
    """Return the texts of all files, also those in zips of mt-metrics-eval, which pairs share."""
    texts = [file.data.decode() for file in division.files if not file.data.startswith(b"PK")]
    for data in {file.data for file in division.files if file.data.startswith(b"PK")}:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            texts += [archive.read(name).decode() for name in archive.namelist()]
    return sorted(texts)


@given(names=st.lists(PATHS, min_size=1, max_size=9, unique=True))
@settings(max_examples=80)
def test_no_file_is_lost_or_used_twice(names: list[str]) -> None:
    files = {name: f"text {number}\nof {number}\n" for number, name in enumerate(names)}
    division = opened(files)
    assert division.problems == ()
    assert contents(division) == sorted(files.values())
    assert bool(division.names) == any("divided into" in note and "not divided" not in note for note in division.notes)


@given(names=st.lists(st.text(max_size=12) | PATHS, min_size=1, max_size=5, unique=True))
@settings(max_examples=80)
def test_any_name_is_divided_or_a_problem_of_one_line(names: list[str]) -> None:
    division = opened({name: f"{name!r}\n" for name in names})
    assert all(one_line(text) == text for text in (*division.notes, *division.problems))
    assert all(".." not in file.name.split("/") and not file.name.startswith("/") for file in division.files)


def test_a_manifest_in_a_folder_or_zip_divides_uploads() -> None:
    manifest = """
    baseline = "A"
    [sets.news]
    references = "x/ref.txt"
    systems = "x/[AB].txt"
    languages = "en-de"
    [sets.talks]
    references = "y/ref.txt"
    systems = "y/[AB].txt"
    """
    texts = {f"{folder}/{name}.txt": f"{folder} {name}\n" for folder in "xy" for name in ("ref", "A", "B", "unused")}
    inside = {"bleu.toml": manifest, **texts}
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        for path, content in inside.items():
            archive.writestr(path, content)
    arrived = [
        [(f"folder/{path}", lambda content=content: content.encode()) for path, content in inside.items()],
        [("sets.zip", stream.getvalue)],
    ]
    for uploads in arrived:
        division = open_uploads(uploads)
        assert division.problems == ()
        assert division.names == ("news", "talks")
        assert division.languages == {"news": "en-de"}
        assert sorted((file.test_set, file.name, file.role) for file in division.files) == [
            (test_set, name, role)
            for test_set in ("news", "talks")
            for name, role in (("A.txt", "system"), ("B.txt", "system"), ("ref.txt", "reference"))
        ]
        assert "bleu.toml describes 2 test sets: news, talks" in division.notes[0]
        assert "baseline" in division.notes[1]
    wrong = open_uploads(
        [(f"folder/{path}", lambda c=c: c.encode()) for path, c in {**inside, "bleu.toml": "["}.items()]
    )
    assert "bleu.toml" in wrong.problems[0]
    assert wrong.files == ()
