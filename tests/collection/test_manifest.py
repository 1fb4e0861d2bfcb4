"""Manifests: what they may say, what they find, and the errors of those that say something else."""

from __future__ import annotations

import json
import re
import zipfile
from collections.abc import Mapping
from pathlib import Path, PurePosixPath

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bleu_core.collection import load_collection
from bleu_core.collection.globs import DiskTree, Glob
from bleu_core.errors import BleuCoreError, FormatError, SettingsError
from bleu_core.limits import DEFAULT_LIMITS, LimitError, Limits
from bleu_core.scoring import BleuSettings

REFERENCE = "the cat sits on the mat\nit rains in the north\n"
SYSTEM = "the cat sat on the mat\nit rains in the north\n"

FILES = {
    "en-de/ref.A.txt": REFERENCE,
    "en-de/out/base.s1.txt": SYSTEM,
    "en-de/out/base.s2.txt": SYSTEM.upper(),
    "en-de/out/other.txt": REFERENCE.replace("cat", "dog"),
    "en-zh/refs/A.txt": REFERENCE,
    "en-zh/out/base.s1.txt": SYSTEM,
    "en-zh/out/base.s2.txt": "",
}
MANIFEST = """
baseline = "other"
[groups]
base = "base.s*"
[settings]
tokenizer = "by-language"
[sets.en-de]
references = "en-de/ref.*.txt"
systems = "en-de/out/*"
[sets.chinese]
references = ["en-zh/refs/A.txt"]
systems = ["en-zh/out/*.txt"]
languages = "en-zh_CN"
settings = {lowercase = true, max-order = 2}
"""


def write(folder: Path, files: Mapping[str, str], manifest: str | None = None) -> Path:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode())
    if manifest is not None:
        (folder / "bleu.toml").write_bytes(manifest.encode())
    return folder


def test_sets_have_their_files_languages_settings_and_groups(tmp_path: Path) -> None:
    collection = load_collection(write(tmp_path, FILES, MANIFEST))
    assert collection.names == ("en-de", "chinese")
    assert collection.groups == {"base": ("base.s1", "base.s2")}
    assert collection.baseline == "other"
    german, chinese = collection.sets
    assert (german.languages, chinese.languages) == ("en-de", "en-zh_CN")
    assert [(file.name, file.role, file.test_set) for file in german.files] == [
        ("ref.A.txt", "reference", "en-de"),
        ("base.s1.txt", "system", "en-de"),
        ("base.s2.txt", "system", "en-de"),
        ("other.txt", "system", "en-de"),
    ]
    base = BleuSettings()
    assert collection.settings_for(german, base) == BleuSettings(tokenizer="13a")
    assert collection.settings_for(chinese, base) == BleuSettings(tokenizer="zh", lowercase=True, max_order=2)
    assert collection.notes == ()


@pytest.mark.parametrize("pattern", ['"base.s*"', '["base.s1", "base.s2"]'])
@pytest.mark.parametrize("table", ["more.tsv", "more.txt", "more.jsonl"])
def test_groups_contain_the_systems_of_tables(tmp_path: Path, pattern: str, table: str) -> None:
    rows = [{"id": str(n), "base.s2": line, "more": line} for n, line in enumerate(SYSTEM.splitlines(), start=1)]
    lines = [list(rows[0]), *([*row.values()] for row in rows)]
    as_table = "".join("\t".join(line) + "\n" for line in lines)
    files = {
        "r.txt": REFERENCE,
        "out/base.s1.txt": SYSTEM,
        f"out/{table}": as_table if table.endswith("sv") else "".join(f"{json.dumps(row)}\n" for row in rows),
    }
    manifest = f'[sets.x]\nreferences = "r.txt"\nsystems = "out/*"\n[groups]\nbase = {pattern}\n'
    assert load_collection(write(tmp_path, files, manifest)).groups == {"base": ("base.s1", "base.s2")}


def test_the_name_of_a_table_is_no_system(tmp_path: Path) -> None:
    files = {"r.txt": REFERENCE, "out/more.tsv": "A\tB\n" + "".join(f"{x}\t{x}\n" for x in SYSTEM.splitlines())}
    manifest = 'baseline = "more"\n[sets.x]\nreferences = "r.txt"\nsystems = "out/*"\n'
    with pytest.raises(FormatError, match=r"'more' found, the name of a system or group expected: A, B$"):
        load_collection(write(tmp_path, files, manifest))


def test_an_empty_file_leaves_a_hole_and_not_a_missing_set(tmp_path: Path) -> None:
    collection = load_collection(write(tmp_path, FILES, MANIFEST) / "bleu.toml")
    workspace = collection.sets[1].read()
    assert list(workspace.corpus.systems) == ["base.s1"]
    assert [text.name for text in workspace.missing] == ["base.s2"]


@pytest.mark.parametrize("top", ["", "collection/"])
def test_a_zip_with_a_manifest_is_the_folder(tmp_path: Path, top: str) -> None:
    with zipfile.ZipFile(tmp_path / "all.zip", "w") as archive:
        for name, text in FILES.items():
            archive.writestr(f"{top}{name}", text)
        archive.writestr(f"{top}bleu.toml", MANIFEST)
    packed = load_collection(tmp_path / "all.zip")
    folder = load_collection(write(tmp_path / "folder", FILES, MANIFEST))
    assert [[file.fingerprint for file in test_set.files] for test_set in packed.sets] == [
        [file.fingerprint for file in test_set.files] for test_set in folder.sets
    ]
    assert (packed.groups, packed.baseline) == (folder.groups, folder.baseline)


@pytest.mark.parametrize(
    ("systems", "names"),
    [
        ('"*/output.txt"', ["A", "B"]),
        ('["A/output.txt", "B/output.txt"]', ["A", "B"]),
        ('"A/output.txt"', ["output"]),
        ('"runs/*/en-de/hyp.txt"', ["A", "B"]),
        ('"news.en-de.hyp.*"', ["gpt-4.1", "Online-A"]),
    ],
)
def test_systems_are_named_by_folders_and_by_names_of_releases(tmp_path: Path, systems: str, names: list[str]) -> None:
    paths = ["A/output.txt", "B/output.txt", "runs/A/en-de/hyp.txt", "runs/B/en-de/hyp.txt"]
    paths += ["news.en-de.hyp.gpt-4.1.de", "news.en-de.hyp.Online-A.de.txt"]
    files = {**dict.fromkeys(paths, SYSTEM), "news.en-de.ref.A.de": REFERENCE}
    manifest = f'[sets.x]\nreferences = "news.en-de.ref.A.de"\nsystems = {systems}\n'
    (test_set,) = load_collection(write(tmp_path, files, manifest)).sets
    workspace = test_set.read()
    assert sorted(workspace.corpus.systems) == sorted(names)
    assert list(workspace.corpus.references) == ["ref.A"]
    assert test_set.languages == "en-de"


SET = '[sets.x]\nreferences = "en-de/ref.A.txt"\nsystems = "en-de/out/*"\n'


@pytest.mark.parametrize(
    ("manifest", "message"),
    [
        ("[sets.x\n", "bleu.toml, line 1: not valid TOML"),
        ("", "bleu.toml: no [sets.NAME] found, at least 1 expected"),
        (SET + "system = 1\n", "bleu.toml, sets.x: unknown key system, references, systems, source"),
        ("base = 1\n" + SET, "bleu.toml: unknown key base, sets, settings, baseline"),
        ('[sets.x]\nsystems = "en-de/out/*"\n', "sets.x: no references found"),
        ('[sets.x]\nreferences = "en-de/ref.A.txt"\n', "sets.x: no systems found"),
        (SET + 'human = "*.csv"\n', "sets.x.human: no file matches '*.csv'"),
        (SET + 'source = "en-zh/*/*"\n', "sets.x.source: 3 files found, 1 expected"),
        (SET + 'source = "en-de/ref.A.txt"\n', "sets.x.source: 'en-de/ref.A.txt' is also among references"),
        (SET + "human = 3\n", "sets.x.human: '3' found, a text expected"),
        (SET + "human = []\n", "sets.x.human: an empty list found"),
        (SET + 'human = "/etc/passwd"\n', "sets.x.human: '/etc/passwd' is not a relative path"),
        (SET + 'human = "../x.csv"\n', "sets.x.human: '../x.csv' leads out of the folder"),
        (SET + 'human = "C:/x.csv"\n', "'C:/x.csv' is not a relative path"),
        (SET + 'languages = "German"\n', "sets.x.languages: 'German' found, SOURCE-TARGET expected"),
        (SET.replace("/out/*", "/**") + "", "'en-de/ref.A.txt' is also among references"),
        ('[sets.x]\nreferences = "en-de/ref.A.txt"\nsystems = "en-??/**/base.s1.txt"\n', ""),
        ("lower_is_better = 1\n" + SET, "bleu.toml, lower_is_better: '1' found, a text expected"),
        ('baseline = "none"\n' + SET, "bleu.toml, baseline: 'none' found, the name of a system or group expected"),
        (SET + '[groups]\nruns = "x*"\n', "groups: group 'runs': no system that matches 'x*' found"),
        (SET + '[groups]\na = "base.s1"\n', "groups: group 'a': 1 run found (base.s1), at least 2 expected"),
        (SET + '[groups]\na = "base.*"\nb = ["base.s1", "other"]\n', "run 'base.s1' found in the groups 'a' and 'b'"),
        (SET + '[groups]\nother = "base.*"\n', "groups: group 'other': the name of another system found"),
        (SET + '["sets"."y\\u0007"]\n', "a name of 1 to 200 printable characters expected"),
        ("sets = 3\n", "bleu.toml, sets: '3' found, a table expected"),
        ("x = " + "[" * 2000, "deeply nested values found"),
        ("a." * 40_000 + "b = 1", "bleu.toml, line 1: a key of more than 10 parts found, at most 10 expected"),
        (f"x = {'9' * 5000}", "bleu.toml, line 1: a key or number of more than 300 characters found"),
        (
            '[sets.x]\nreferences = "en-de/ref.A.txt"\nsystems = ["en-de/out/other.txt", "en-zh/out/*", "en-de/out/*"]',
            "two",
        ),
    ],
)
def test_other_manifests_are_errors_of_one_line(tmp_path: Path, manifest: str, message: str) -> None:
    write(tmp_path, FILES, manifest)
    if not message:
        assert len(load_collection(tmp_path).sets[0].files) == 3
        return
    with pytest.raises(FormatError) as error:
        load_collection(tmp_path)
    assert message in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ("max-ordr = 2", "sets.x.settings: unknown setting 'max-ordr', one of tokenizer, lowercase"),
        ('tokenizer = "14a"', "sets.x.settings.tokenizer: '14a' found, one of 13a"),
        ("lowercase = 1", "sets.x.settings.lowercase: '1' found, true or false expected"),
        ("max-order = true", "sets.x.settings.max-order: 'True' found, a whole number expected"),
        ("max-order = 10", "sets.x.settings: maximum order 10 found, 1 to 9 expected"),
        ("weights = [1, 1]", "sets.x.settings: enter 4 weights"),
        ("smoothing-value = 0.5", "smoothing exp takes no value"),
        ('tokenizer = "by-language"', "sets.x: the tokeniser by-language needs languages"),
    ],
)
def test_other_settings_are_errors_that_name_the_key(tmp_path: Path, table: str, message: str) -> None:
    files = {"r.txt": REFERENCE, "s.txt": SYSTEM}
    write(tmp_path, files, f'[sets.x]\nreferences = "r.txt"\nsystems = "s.txt"\n[sets.x.settings]\n{table}\n')
    with pytest.raises(SettingsError, match=re.escape(message)):
        load_collection(tmp_path)


def test_weights_and_smoothing_values_are_numbers(tmp_path: Path) -> None:
    files = {"r.txt": REFERENCE, "s.txt": SYSTEM}
    own = 'weights = [0.75, 0.25]\nmax_order = 2\nsmoothing = "floor"\nsmoothing-value = 1'
    write(tmp_path, files, f'[sets.x]\nreferences = "r.txt"\nsystems = "s.txt"\n[sets.x.settings]\n{own}\n')
    collection = load_collection(tmp_path)
    assert collection.settings_for(collection.sets[0], BleuSettings()) == BleuSettings(
        weights=(0.75, 0.25), max_order=2, smoothing="floor", smoothing_value=1.0
    )


def test_metrics_with_lower_scores_are_declared_for_files_of_scores(tmp_path: Path) -> None:
    scores = "system\tsegment\tmetric\tscore\ns\t1\tErr\t0.5\ns\t2\tErr\t0.25\n"
    manifest = 'lower_is_better = ["Err"]\n[sets.x]\nreferences = "r.txt"\nsystems = "s.txt"\nmetric_scores = "m.tsv"\n'
    files = {"r.txt": REFERENCE, "s.txt": SYSTEM, "m.tsv": scores}
    workspace = load_collection(write(tmp_path, files, manifest)).sets[0].read()
    assert [(table.name, table.higher_is_better) for table in workspace.scores] == [("Err", False)]


def test_links_out_of_the_folder_are_refused_and_links_inside_are_files(tmp_path: Path) -> None:
    secret = write(tmp_path, {"secret.txt": REFERENCE}) / "secret.txt"
    folder = write(tmp_path / "set", {"r.txt": REFERENCE, "out/s.txt": SYSTEM})
    (folder / "out" / "inside.txt").symlink_to("../r.txt")
    (folder / "linked").symlink_to("out")
    write(folder, {}, '[sets.x]\nreferences = "r.txt"\nsystems = "out/*"\n')
    assert len(load_collection(folder).sets[0].files) == 3
    (folder / "out" / "outside.txt").symlink_to(secret)
    with pytest.raises(FormatError, match=r"out/outside\.txt is a symbolic link out of the folder"):
        load_collection(folder)
    write(folder, {}, '[sets.x]\nreferences = "r.txt"\nsystems = "linked/*"\n')
    with pytest.raises(FormatError, match=r"no file matches 'linked/\*'.*links to folders are not followed"):
        load_collection(folder)
    (folder / "bleu.toml").unlink()
    (folder / "bleu.toml").symlink_to(secret.parent / "other.toml")
    write(tmp_path, {"other.toml": '[sets.x]\nreferences = "r.txt"\nsystems = "out/s.txt"\n'})
    assert load_collection(folder).names == ("x",)


def test_names_with_line_breaks_are_refused(tmp_path: Path) -> None:
    write(tmp_path, {"r.txt": REFERENCE, "out/a\nb.txt": SYSTEM}, '[sets.x]\nreferences = "r.txt"\nsystems = "out/*"\n')
    with pytest.raises(FormatError, match="has control characters"):
        load_collection(tmp_path)


def test_an_unreadable_file_of_a_system_leaves_a_hole(tmp_path: Path) -> None:
    write(tmp_path, {"r.txt": REFERENCE, "out/a.txt": SYSTEM, "out/b.txt": "caf\xe9\n"})
    (tmp_path / "out" / "b.txt").write_bytes(b"caf\xe9\n")
    write(tmp_path, {}, '[sets.x]\nreferences = "r.txt"\nsystems = "out/*"\n')
    workspace = load_collection(tmp_path).sets[0].read()
    assert (list(workspace.corpus.systems), [text.name for text in workspace.missing]) == (["a"], ["b"])


def test_limits_hold_for_all_sets_together(tmp_path: Path) -> None:
    write(tmp_path, FILES, MANIFEST)
    with pytest.raises(LimitError, match="unpacked bytes found"):
        load_collection(tmp_path, limits=Limits(unpacked_bytes=150))
    with pytest.raises(LimitError, match="files found"):
        load_collection(tmp_path, limits=Limits(entries=6))
    assert load_collection(tmp_path, limits=Limits(unpacked_bytes=1000, systems=3)).names == ("en-de", "chinese")


def test_ten_thousand_files_are_found_in_seconds_and_other_folders_are_not_listed(tmp_path: Path) -> None:
    write(tmp_path, {"r.txt": REFERENCE})
    for number in range(100):
        folder = tmp_path / "out" / f"{number}"
        folder.mkdir(parents=True)
        for other in range(100):
            (folder / f"{other}.txt").touch()
    write(tmp_path, {}, '[sets.x]\nreferences = "r.txt"\nsystems = "out/7/*"\n')
    assert len(load_collection(tmp_path, limits=Limits(entries=400)).sets[0].files) == 101
    found = DiskTree(tmp_path, "x", DEFAULT_LIMITS).find(
        [Glob("**/*.txt"), Glob("out/*/5.txt"), Glob("**/**/**/x*y*z*")]
    )
    assert [len(paths) for paths in found.values()] == [10_001, 100, 0]


NAMES = st.sampled_from(
    ["a", "b.txt", ".hidden", "ref.A.txt", "[x]", "*", "ü", "..", ".", "", "~", "C:", "x\\y", "**", "?"]
)


@given(pattern=st.lists(NAMES, min_size=1, max_size=5).map("/".join), absolute=st.booleans())
@settings(max_examples=100, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_no_pattern_finds_a_file_outside_of_the_folder(tmp_path: Path, *, pattern: str, absolute: bool) -> None:
    inside = tmp_path / "inside"
    if not inside.exists():
        write(tmp_path, {"b.txt": "secret", "a/b.txt": "secret", "inside/a/b.txt": "x", "inside/a/ü/ref.A.txt": "x"})
        write(inside, {"[x]": "x", "b.txt": "x", ".hidden/b.txt": "x"})
        (inside / "b").symlink_to(tmp_path)
    text = f"/{tmp_path}/{pattern}" if absolute else pattern
    try:
        glob = Glob(text)
    except ValueError:
        return
    tree = DiskTree(inside, "x", DEFAULT_LIMITS)
    try:
        paths = tree.find([glob])[glob]
    except BleuCoreError:
        return
    for path in paths:
        assert (inside / path).resolve().is_relative_to(inside.resolve())
        assert tree.read(path) == (b"x", "")
        assert glob.matches(path)


@given(st.lists(st.sampled_from(["a", "b", "ab", "x.txt", ".h"]), min_size=1, max_size=4))
def test_patterns_match_as_those_of_pathlib(parts: list[str]) -> None:
    path = PurePosixPath(*parts)
    for pattern in ("*", "a/*", "*/x.txt", "a?/*", "[ab]/*/b", "a/b"):
        hidden = any(part.startswith(".") for part in parts)
        expected = len(parts) == len(pattern.split("/")) and path.match(pattern) and not hidden
        assert Glob(pattern).matches(path) == expected
    visible = not any(part.startswith(".") for part in parts)
    assert Glob("**").matches(path) == Glob("**/*").matches(path) == visible
    assert Glob("**/x.txt").matches(path) == (parts[-1] == "x.txt" and not any(p.startswith(".") for p in parts))


def test_documents_of_several_pairs_are_read_in_the_pair_of_each_set(tmp_path: Path) -> None:
    def lines(key: str, pairs: tuple[str, ...], text: str) -> str:
        records = [{"doc_id": f"{pair}_#_news_#_d{i}", key: f"{pair} {i} {text}"} for pair in pairs for i in range(2)]
        extra = {"refs": {"refA": {"ref": text}}} if key == "src_text" else {}
        return "".join(f"{json.dumps(record | extra)}\n" for record in records)

    both = ("en-de_DE", "en-cs")
    files = {
        "test.jsonl": lines("src_text", both, "x"),
        "out/A.jsonl": lines("hypothesis", both, "a"),
        "out/B.jsonl": lines("hypothesis", ("en-cs",), "b"),
    }
    one = '[sets.{}]\nreferences = "test.jsonl"\nsystems = "out/*"\n'
    collection = load_collection(write(tmp_path, files, one.format("en-de") + one.format("en-cs")))
    workspaces = [test_set.read() for test_set in collection.sets]
    assert [list(workspace.corpus.systems) for workspace in workspaces] == [["A"], ["A", "B"]]
    assert [workspace.unused for workspace in workspaces] == [(), ()]
    assert workspaces[0].corpus.systems["A"] == ("en-de_DE 0 a", "en-de_DE 1 a")
