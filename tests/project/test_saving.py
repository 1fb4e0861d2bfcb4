"""Saved workspaces: everything comes back, equal content gives equal bytes, and what is wrong is refused."""

from __future__ import annotations

import dataclasses
import io
import json
import os
import signal
import stat
import subprocess
import sys
import time
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path
from random import Random
from typing import Any, get_args

import pytest
from fuzz.damage import OF_BYTES
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from nightly import nightly
from schemas import workspace_schema

import bleu_core.project.saving
from bleu_core.dataset import LineRepair, OptimisedSystem
from bleu_core.errors import BleuCoreError, FormatError
from bleu_core.formats import FileRole, MappedColumn, MqmWeights
from bleu_core.limits import DEFAULT_LIMITS, LimitError, with_changes
from bleu_core.project import (
    ENDING,
    LAYOUT,
    Choices,
    JudgeRecord,
    NoteRecord,
    ReportText,
    SavedWorkspace,
    is_saved_workspace,
    open_workspace,
    pack_workspace,
    write_workspace,
)
from bleu_core.scoring import PRESETS, BleuSettings
from bleu_core.uploads import File, assemble

SYSTEM = File("a.txt", b"the cat\na dog\n", "system", renamed="A", repairs=(LineRepair("missing", 2, 1),))
REFERENCE = File("r.txt", b"the cat\nthe dog\nit is late\n", "reference")
SMALL = SavedWorkspace(
    files=(SYSTEM, REFERENCE),
    choices=Choices(settings=PRESETS["paper"], slice="length > 1", without_judges=(JudgeRecord(name="x"),)),
    controls={"slice": ("length > 1",), "without_systems": ("B", "C")},
    notes=(NoteRecord(data="ab", segment=2, starred=True, note="Ünïcode\n=1+1"),),
    report=ReportText(heading="<b>For</b> the board", introduction="One.\n\n$x$ `two`"),
    data="0123456789abcdef",
)

# --- round trip ----------------------------------------------------------------------------------------------

names = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
several = st.lists(names, max_size=3).map(tuple)
repairs = st.builds(
    LineRepair,
    st.sampled_from(["missing", "doubled", "split", "joined"]),
    st.integers(1, 99),
    st.integers(2, 9),
    names,
)
columns = st.builds(MappedColumn, names, st.sampled_from(["source", "reference", "system"]), names)
weights = st.builds(MqmWeights, **{name.name: st.floats(0, 1e6) for name in dataclasses.fields(MqmWeights)})
saved_files = st.builds(
    File,
    name=names,
    data=st.binary(max_size=40),
    role=st.sampled_from(get_args(FileRole)),
    renamed=names,
    human=st.booleans(),
    human_names=several,
    encoding=st.none() | names,
    first_segment=st.sampled_from([0, 1]),
    format=st.none() | names,
    own=st.dictionaries(names, names, max_size=2),
    pair=st.none() | names,
    human_scores=st.none() | names,
    weights=weights,
    lower_is_better=st.none() | several,
    columns=st.lists(columns, max_size=2).map(tuple),
    repairs=st.lists(repairs, max_size=2).map(tuple),
    damage=names,
    test_set=names,
)
bleu_settings = st.sampled_from(list(PRESETS.values())) | st.builds(
    lambda order, value: BleuSettings(
        max_order=order, weights=(1 / order,) * order, smoothing="floor", smoothing_value=value
    ),
    st.integers(1, 9),
    st.floats(1e-9, 1e9),
)
choices = st.builds(
    Choices,
    settings=bleu_settings,
    without_systems=several,
    without_references=several,
    slice=names,
    score_missing=st.booleans(),
    without_judges=st.lists(st.builds(JudgeRecord, name=names, group=st.none() | names), max_size=2).map(tuple),
    without_groups=several,
    standardised=st.booleans(),
    rank_humans=st.booleans(),
    optimised=st.lists(st.builds(OptimisedSystem, system=names, metric=names), max_size=2).map(tuple),
    paper_preset=st.booleans(),
)
notes = st.builds(NoteRecord, data=names, segment=st.integers(1, 9), starred=st.booleans(), note=names)
workspaces = st.builds(
    SavedWorkspace,
    files=st.lists(saved_files, max_size=3).map(tuple),
    choices=choices,
    controls=st.dictionaries(names, several, max_size=3),
    notes=st.lists(notes, max_size=3, unique_by=lambda note: (note.data, note.segment)).map(
        lambda of: tuple(sorted(of, key=lambda note: (note.data, note.segment)))
    ),
    report=st.builds(ReportText, heading=names, introduction=names),
    data=names,
)


@given(workspaces)
def test_every_field_comes_back(workspace: SavedWorkspace) -> None:
    data = pack_workspace(workspace)
    found = open_workspace(data, "w.bleu.zip")
    assert found == workspace
    assert [file.fingerprint for file in found.files] == [file.fingerprint for file in workspace.files]
    assert pack_workspace(found) == data


def test_the_round_trip_draws_every_field() -> None:
    drawn = {"name", "data", "role", "renamed", "human", "human_names", "encoding", "first_segment", "format", "own"}
    drawn |= {"pair", "human_scores", "weights", "lower_is_better", "columns", "repairs", "damage"}
    drawn.add("test_set")
    not_saved = {"hashed", "inspection", "path", "in_archive"}  # only commands and the library set these
    assert {each.name for each in dataclasses.fields(File) if each.init} == drawn | not_saved


def test_the_manifest_is_as_its_schema_says() -> None:
    with zipfile.ZipFile(io.BytesIO(pack_workspace(SMALL))) as archive:
        Draft202012Validator(workspace_schema()).validate(json.loads(archive.read("manifest.json")))


def test_notes_with_half_characters_come_back() -> None:
    note = NoteRecord(data="ab", segment=1, note="\ud800")
    assert open_workspace(pack_workspace(dataclasses.replace(SMALL, notes=(note,))), "w").notes == (note,)


def test_the_data_are_the_same_after_opening() -> None:
    found = open_workspace(pack_workspace(SMALL), "w.bleu.zip")
    assert assemble(found.files).digest == assemble(SMALL.files).digest
    assert assemble(found.files).corpus.systems["A"] == ("the cat", "", "a dog")


def test_names_of_files_lead_nowhere() -> None:
    names = ("../../x", "/etc/passwd", "C:\\x", ".hidden", "", "a\0b", "é" * 300)
    odd = [File(name, str(number).encode(), "system") for number, name in enumerate(names)]
    data = pack_workspace(SavedWorkspace(files=tuple(odd)))
    paths = zipfile.ZipFile(io.BytesIO(data)).namelist()[2:]
    assert len(set(paths)) == len(odd)
    assert all(path.startswith("files/") and path.count("/") == 1 and ".." not in path for path in paths)
    assert [file.name for file in open_workspace(data, "w").files] == [file.name for file in odd]


def test_bytes_that_files_share_are_saved_once() -> None:
    files = tuple(File("wmt.zip", b"x" * 1000, "archive", test_set=name, pair=name) for name in ("en-de", "en-fr"))
    data = pack_workspace(SavedWorkspace(files=(*files, File("wmt.zip", b"y", "archive"))))
    assert len(zipfile.ZipFile(io.BytesIO(data)).namelist()) == 4  # with the media type and the manifest
    first, second, other = open_workspace(data, "w").files
    assert (first, second) == files
    assert first.data is second.data
    assert other.data == b"y"


def test_texts_that_compress_well_are_no_bomb() -> None:
    repeated = File("a.txt", b"the same line again\n" * 200_000, "system")
    assert open_workspace(pack_workspace(SavedWorkspace(files=(repeated,))), "w").files == (repeated,)


# --- what is no workspace, or is damaged ---------------------------------------------------------------------


def changed(change: Callable[[Any], None], others: Mapping[str, bytes] | None = None) -> bytes:
    """SMALL with another manifest, and other files in its zip."""
    stream = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(pack_workspace(SMALL))) as before, zipfile.ZipFile(stream, "w") as after:
        for path in before.namelist():
            data = before.read(path)
            if path == "manifest.json":
                manifest = json.loads(data)
                change(manifest)
                data = json.dumps(manifest).encode()
            data = (others or {}).get(path, data)
            if data:
                after.writestr(path, data)
    return stream.getvalue()


def first_file(content: Any) -> Any:
    return content["files"][0]


#: What is done to the manifest -> what the message says.
CHANGES: dict[str, tuple[Callable[[Any], None], str]] = {
    "newer": (
        lambda m: m.update(layout=LAYOUT + 1, news=1),
        f"saved by a newer version of this program (layout {LAYOUT + 1} found, at most {LAYOUT} expected); update",
    ),
    "no layout": (lambda m: m.pop("layout"), "manifest.layout not found"),
    "text for a number": (lambda m: m.update(layout="1"), "manifest.layout: '1' found, a whole number up to"),
    "unknown entry": (lambda m: m.update(more=1), "manifest has an unknown entry 'more'"),
    "no list": (lambda m: m.update(files={}), "manifest.files: an object found, a list expected"),
    "no object": (lambda m: m.update(choices=[]), "manifest.choices: a list found, an object expected"),
    "role": (lambda m: first_file(m).update(role="x"), "manifest.files, entry 1.role: 'x' found, one of system,"),
    "digest": (lambda m: first_file(m).update(digest="00"), "files/0001-a.txt (a.txt) has other bytes than it had"),
    "path": (lambda m: first_file(m).update(path="../a.txt"), "../a.txt (a.txt) is missing"),
    "repair": (lambda m: first_file(m)["repairs"][0].update(line=0), "line 0 found, at least 1 expected"),
    "weight": (lambda m: first_file(m)["weights"].update(major=-1), "MQM weight major=-1 found"),
    "settings": (lambda m: m["choices"]["settings"].update(max_order=0), "0 found, 1 to 9 expected"),
    "true": (lambda m: m["notes"][0].update(segment=True), "manifest.notes, entry 1.segment: True found, a whole"),
    "first segment": (lambda m: first_file(m).update(first_segment=-(10**30)), "found, one of 0, 1 expected"),
    "first segment true": (lambda m: first_file(m).update(first_segment=True), "True found, one of 0, 1 expected"),
    "long repair": (lambda m: first_file(m)["repairs"][0].update(lines=10**30), "found, a whole number up to"),
    "half a character": (
        lambda m: m["controls"].update(slice=["a", "b\ud800"]),
        "manifest.controls.slice, entry 2: half of a surrogate pair found, text expected; save",
    ),
    "half a character in a name": (lambda m: first_file(m).update(name="\udfff"), "entry 1.name: half of a surrogate"),
    "huge": (lambda m: first_file(m)["weights"].update(major=10**400), "found, a number expected"),
}


@pytest.mark.parametrize("what", CHANGES)
def test_a_manifest_that_cannot_be_used_is_refused(what: str) -> None:
    change, message = CHANGES[what]
    with pytest.raises(FormatError) as refused:
        open_workspace(changed(change), "w.bleu.zip")
    assert message in str(refused.value)
    assert str(refused.value).startswith("w.bleu.zip: ")


@pytest.mark.parametrize("manifest", [b"", b"{", b"[1]", b"\xff", b'{"layout": NaN}', b"[" * 100_000, b"9" * 9999])
def test_a_manifest_that_is_no_json_object_is_refused(manifest: bytes) -> None:
    with pytest.raises(FormatError, match=r"^w: "):
        open_workspace(changed(lambda _: None, {"manifest.json": manifest}), "w")


def test_files_with_other_bytes_are_refused() -> None:
    data = changed(lambda _: None, {"files/0001-a.txt": b"the cat\na god\n"})
    with pytest.raises(FormatError, match=r"files/0001-a\.txt \(a\.txt\) has other bytes than it had"):
        open_workspace(data, "w.bleu.zip")


def test_other_files_are_no_workspace() -> None:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        archive.writestr("manifest.json", "{}")
    for data in (b"", b"the cat\n", stream.getvalue()):
        assert not is_saved_workspace(data)
        with pytest.raises(FormatError, match=r"not a saved workspace|cannot be read as a zip"):
            open_workspace(data, "w")
    assert is_saved_workspace(pack_workspace(SMALL))


def test_a_workspace_that_was_packed_again_in_another_order_is_one() -> None:
    stream = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(pack_workspace(SMALL))) as before, zipfile.ZipFile(stream, "w") as after:
        for path in reversed(before.namelist()):
            after.writestr(path, before.read(path), zipfile.ZIP_DEFLATED)
    assert is_saved_workspace(stream.getvalue())
    assert open_workspace(stream.getvalue(), "w.zip").files == open_workspace(pack_workspace(SMALL), "w.zip").files


def test_what_an_older_program_did_not_write_has_its_default() -> None:
    def older(manifest: Any) -> None:
        for name in ("repairs", "columns", "weights", "renamed", "pair"):
            del first_file(manifest)[name]
        del manifest["notes"], manifest["report"]
        manifest["choices"] = {}

    found = open_workspace(changed(older), "w")
    assert found.files[0] == File("a.txt", SYSTEM.data, "system")
    assert (found.choices, found.notes, found.report) == (Choices(), (), ReportText())


#: A workspace of layout 1, as version 0.2.0 wrote it; a program that cannot open it has lost people's work.
FIRST = {
    "layout": 1, "tool": "bleu-dashboard", "version": "0.2.0", "python": "3.11.7", "sacrebleu": "2.6.0", "data": "d",
    "files": [{
        "path": "files/0001-a.txt", "bytes": 8, "digest": "23067c2e7e6c51fa4de31fd9613f6a31", "name": "a.txt",
        "role": "system", "renamed": "", "human": True, "human_names": [], "encoding": None, "first_segment": 1,
        "format": None, "own": {}, "pair": None, "human_scores": None,
        "weights": {"major": 5.0, "minor": 1.0, "minor_punctuation": 0.1, "non_translation": 25.0, "neutral": 0.0,
                    "other": 0.0},
        "lower_is_better": None, "columns": [{"header": "x", "role": "rating", "name": "", "system": "A"}],
        "repairs": [{"kind": "doubled", "line": 2, "lines": 1}],
    }],
    "choices": {
        "settings": {"tokenizer": "13a", "lowercase": False, "max_order": 4, "weights": None, "smoothing": "exp",
                     "smoothing_value": None, "reference_length": "closest"},
        "without_systems": [], "without_references": [], "slice": "half = test", "score_missing": False,
        "without_judges": [{"name": "x", "group": None}], "without_groups": [], "standardised": False,
        "machines_only": False, "paper_preset": True,
    },
    "controls": {"half": ["test"]},
    "notes": [{"data": "ab", "segment": 1, "starred": True, "note": ""}],
}  # fmt: skip


def test_a_workspace_of_the_first_layout_opens() -> None:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        archive.writestr("mimetype", "application/vnd.bleu-dashboard.workspace+zip")
        archive.writestr("manifest.json", json.dumps(FIRST))
        archive.writestr("files/0001-a.txt", "the cat\n")
    found = open_workspace(stream.getvalue(), "w")
    assert (found.files[0].human, found.choices.slice, found.notes[0].starred) == (True, "half = test", True)
    assert found.files[0].columns == (MappedColumn("x", "rating", system="A"),)


@pytest.mark.parametrize("seed", range(3))
def test_a_damaged_workspace_is_refused_with_a_sentence_or_opens(seed: int) -> None:
    chance, whole = Random(seed), pack_workspace(SMALL)
    refused: list[str] = []
    for _ in range(60):
        damage = chance.choice(tuple(OF_BYTES.values()))
        try:
            open_workspace(damage(whole, chance), "w.bleu.zip")
        except BleuCoreError as error:
            refused.append(str(error))
    assert len(refused) > 30
    assert all(message.startswith("w.bleu.zip: ") for message in refused)


def test_a_workspace_cut_anywhere_does_not_open() -> None:
    whole = pack_workspace(SMALL)
    for end in range(0, len(whole), 7):
        with pytest.raises(FormatError):
            open_workspace(whole[:end], "w")


# --- limits --------------------------------------------------------------------------------------------------


def bomb() -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("mimetype", "application/vnd.bleu-dashboard.workspace+zip")
        archive.writestr("manifest.json", b" " * 50_000_000)
    return stream.getvalue()


@pytest.mark.parametrize("limit", ["entries=3", "unpacked_bytes=300", "file_bytes=300"])
def test_limits_hold_for_opening_and_for_saving(limit: str) -> None:
    data, limits = pack_workspace(SMALL), with_changes([limit])
    name = limit.partition("=")[0]
    with pytest.raises(LimitError, match=f"--limit {name}="):
        open_workspace(data, "w", limits=limits)
    large = dataclasses.replace(SMALL, files=(File("a.txt", bytes(400), "system"), REFERENCE))
    with pytest.raises(LimitError, match=f"^the workspace: .* --limit {name}="):
        pack_workspace(large, limits=limits)


def test_a_bomb_is_refused_before_it_is_unpacked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bleu_core.project.saving, "read_manifest", None)
    with pytest.raises(LimitError, match="unpacked bytes per packed byte"):
        open_workspace(bomb(), "w", limits=DEFAULT_LIMITS)


# --- writing to disk -----------------------------------------------------------------------------------------


def test_a_file_that_cannot_be_written_leaves_what_was_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "w.bleu.zip"
    write_workspace(SMALL, path)
    before = path.read_bytes()

    def failing(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", failing)
    with pytest.raises(OSError, match="No space"):
        write_workspace(SavedWorkspace(files=()), path)
    assert [each.name for each in tmp_path.iterdir()] == ["w.bleu.zip"]
    assert path.read_bytes() == before


@pytest.mark.skipif(sys.platform == "win32", reason="files have no such rights there")
def test_a_file_has_the_rights_of_a_new_file_or_of_the_one_before_it(tmp_path: Path) -> None:
    path, other = tmp_path / "w.bleu.zip", tmp_path / "other"
    other.touch()
    write_workspace(SMALL, path)
    assert path.stat().st_mode == other.stat().st_mode
    path.chmod(0o640)
    write_workspace(SMALL, path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    write_workspace(SMALL, tmp_path / f"{'n' * (255 - len(ENDING))}{ENDING}")  # no name is longer
    assert len(list(tmp_path.iterdir())) == 3


WRITING = """
import os, sys
from bleu_core.project import SavedWorkspace, write_workspace
from bleu_core.uploads import File
files = [File("a.txt", os.urandom(20_000_000), "system")]
sys.stdout.write("ready\\n"); sys.stdout.flush()
while True:
    write_workspace(SavedWorkspace(tuple(files)), sys.argv[1])
"""


@pytest.mark.skipif(sys.platform == "win32", reason="there is no such signal")
@pytest.mark.parametrize("after", [0.3, *nightly([0.05, 0.7])])
def test_a_program_killed_while_writing_leaves_no_half_file(tmp_path: Path, after: float) -> None:
    path = tmp_path / "w.bleu.zip"
    with subprocess.Popen([sys.executable, "-c", WRITING, str(path)], stdout=subprocess.PIPE, text=True) as program:
        assert program.stdout is not None
        program.stdout.readline()
        time.sleep(after)
        program.send_signal(signal.SIGKILL)
    if path.exists():
        assert len(open_workspace(path.read_bytes(), "w").files[0].data) == 20_000_000


def test_commands_read_the_files_of_the_test_set_that_was_shown() -> None:
    files = (dataclasses.replace(SYSTEM, test_set="a"), REFERENCE, dataclasses.replace(SYSTEM, name="b.txt"))
    for test_set, names in (("a", ["a.txt"]), ("", ["r.txt", "b.txt"]), ("without files", ["a.txt"])):
        saved = SavedWorkspace(files=files, choices=Choices(test_set=test_set))
        opened = open_workspace(pack_workspace(saved), "w")
        assert [file.name for file in opened.files_in_use] == names
        assert [file.test_set for file in opened.files] == ["a", "", ""]
    assert SavedWorkspace(files=()).files_in_use == ()
