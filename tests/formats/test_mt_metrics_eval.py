"""A directory of mt-metrics-eval, as a folder and as a zip."""

from __future__ import annotations

import gzip
import io
import os
import re
import stat
import tracemalloc
import warnings
import zipfile
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from pathlib import Path, PurePosixPath

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from small_files import SAMPLES

from bleu_core import load
from bleu_core.errors import AlignmentError, FormatError
from bleu_core.formats import (
    Contents,
    MqmWeights,
    ReadOptions,
    loose_files,
    pack_folder,
    read,
    read_test_set,
    recognise,
)
from bleu_core.formats import pack_files as pack
from bleu_core.formats.contents import Archive
from bleu_core.formats.unsupported import is_zip
from bleu_core.limits import DEFAULT_LIMITS, LimitError, Limits

FILES = {
    "sources/xx-yy.txt": "uno\ndos\n",
    "references/xx-yy.refA.txt": "one\ntwo\n",
    "system-outputs/xx-yy/S1.txt": "one\nto\n",
    "system-outputs/xx-yy/refA.txt": "one\ntwo\n",
    "documents/xx-yy.docs": "news\td1\nnews\td2\n",
    "human-scores/xx-yy.mqm.seg.score": "S1\t-1\nS1\tNone\nrefA\t0\nrefA\t-0.5\n",
    "human-scores/xx-yy.mqm.sys.score": "S1\t-1\nrefA\t-0.25\n",
    "human-scores/xx-yy.mqm.domain.score": "news\tS1\t-1\n",
    "human-scores/xx-yy.da.sys.score": "S1\t70\nrefA\t80\n",
    "metric-scores/xx-yy/M-x-refA.seg.score": "S1\t0.5\nS1\t0.75\n",
    "metric-scores/xx-yy/M-x-refA.sys.score": "S1\t0.6\nS2\t0.5\n",
    "metric-scores/xx-yy/QE-src.sys.score": "S1\t0.1\n",
}
JUNK = {"__MACOSX/sources/._xx-yy.txt": "\0", "sources/.DS_Store": "\0", "README.md": "hello"}


def packed(files: Mapping[str, str | bytes], compression: int = zipfile.ZIP_DEFLATED) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", compression) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return stream.getvalue()


def written(folder: Path, files: Mapping[str, str | bytes]) -> Path:
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return folder


def archive_of(found: Contents) -> Archive:
    assert found.archive is not None
    return found.archive


def told(found: Contents) -> list[tuple[str, str, tuple[str | None, ...]]]:
    return [(c.role, c.name, c.segments) for c in found.columns]


@pytest.mark.parametrize("top", ["", "wmt23/", "home/documents/wmt23/"])
@pytest.mark.parametrize("as_zip", [True, False])
def test_everything_of_a_language_pair_is_read(tmp_path: Path, top: str, *, as_zip: bool) -> None:
    files = {top + name: content for name, content in {**FILES, **JUNK}.items()}
    found = read_test_set(packed(files) if as_zip else written(tmp_path, files), "x.zip")
    assert told(found) == [
        ("source", "source", ("uno", "dos")),
        ("reference", "refA", ("one", "two")),
        ("system", "S1", ("one", "to")),
        ("system", "refA", ("one", "two")),
        ("document", "documents", ("d1", "d2")),
    ]
    own = archive_of(found)
    assert (own.pairs, own.pair, own.preferred, own.problems) == (("xx-yy",), "xx-yy", "mqm", ())
    assert list(own.judgments) == ["da", "mqm"]
    metric, other = found.scores
    assert (metric.name, metric.systems, metric.system_scores.tolist()) == ("M-x-refA", ("S1", "S2"), [0.6, 0.5])
    np.testing.assert_array_equal(metric.scores, [[0.5, 0.75], [np.nan, np.nan]])
    assert other.name == "QE-src"
    judgments = own.judgments["mqm"]
    assert [*judgments.rated[["system", "segment", "score"]].itertuples(index=False, name=None)] == [
        ("S1", 1, -1),
        ("refA", 1, 0),
        ("refA", 2, -0.5),
    ]
    assert (judgments.groups, [tuple(j) for j in judgments.judges]) == (("mqm",), [("mqm", "mqm")])
    assert dict(judgments.system_means()) == {"S1": -1, "refA": -0.25}
    assert dict(own.judgments["da"].system_means()) == {"S1": 70, "refA": 80}
    assert found.report.notes[:1] == ("1 other file in the archive not used, for example scores of domains",)


def test_a_zip_is_recognised_and_read_as_a_whole() -> None:
    data = packed(FILES)
    assert is_zip(data)
    assert recognise(data, "a.txt") == "archive"
    contents = read(data, "a.zip", "archive")
    assert (len(contents.columns), [t.name for t in contents.scores]) == (5, ["M-x-refA", "QE-src"])
    assert contents.judgments is not None
    assert contents.judgments.groups == ("mqm",)
    report = contents.report
    assert (report.role, report.segments, report.ratings) == ("archive", 2, 3 + 2)
    assert report.format == "mt-metrics-eval directory, xx-yy"
    assert report.of_ratings == ("human scores in use: mqm; available: da, mqm",)


def test_a_folder_is_packed_as_a_zip_of_equal_bytes(tmp_path: Path) -> None:
    written(tmp_path / "one", {**FILES, **JUNK})
    written(tmp_path / "two", FILES)
    data = pack_folder(tmp_path / "two")
    assert pack_folder(tmp_path / "two") == data
    with zipfile.ZipFile(io.BytesIO(pack_folder(tmp_path / "one"))) as archive:
        assert set(archive.namelist()) == set(FILES)  # nothing hidden, and no companions
    assert told(read_test_set(data, "two")) == told(read_test_set(tmp_path / "two", "two"))
    with pytest.raises(FormatError, match="no such folder"):
        pack_folder(tmp_path / "three")


def test_a_folder_that_is_too_large_is_refused() -> None:
    files = {PurePosixPath(f"sources/a-{n}.txt"): lambda: b"x" * 600 for n in "bc"}
    with pytest.raises(LimitError, match=r"^set: 1,200 unpacked bytes found, at most 1,000 allowed"):
        pack(files, "set", limits=Limits(unpacked_bytes=1000))
    with pytest.raises(LimitError, match=r"^set: 2 files found, at most 1 allowed"):
        pack(files, "set", limits=Limits(entries=1))


def test_a_folder_on_disk_is_walked_no_further_than_allowed(tmp_path: Path) -> None:
    written(tmp_path, FILES)
    with pytest.raises(LimitError, match=r": 6 files found, at most 5 allowed"):
        pack_folder(tmp_path, limits=Limits(entries=5))
    with pytest.raises(LimitError, match=r"^x: 6 files found, at most 5 allowed"):
        read_test_set(tmp_path, "x", limits=Limits(entries=5))
    with pytest.raises(LimitError, match=r"unpacked bytes found, at most 50 allowed"):
        pack_folder(tmp_path, limits=Limits(unpacked_bytes=50))
    with pytest.raises(LimitError, match=r"^x, xx-yy: \d+ unpacked bytes found, at most 50 allowed"):
        read_test_set(tmp_path, "x", limits=Limits(unpacked_bytes=50))


def test_names_on_disk_that_are_no_text_are_replaced(tmp_path: Path) -> None:
    written(tmp_path, FILES)
    (tmp_path / "system-outputs" / "xx-yy" / os.fsdecode(b"S\xff.txt")).write_text("a\nb\n", encoding="utf-8")
    assert "S?" in [column.name for column in read_test_set(tmp_path, "x").columns]


def test_of_several_human_scores_one_is_chosen() -> None:
    contents = read(packed(FILES), "a.zip", "archive", human_scores="da")
    assert contents.judgments is not None
    assert dict(contents.judgments.system_means()) == {"S1": 70, "refA": 80}
    assert contents.report.of_ratings == ("human scores in use: da; available: da, mqm",)
    with pytest.raises(FormatError, match=r"^a\.zip: no human scores 'esa' for xx-yy; choose one of da, mqm$"):
        read(packed(FILES), "a.zip", "archive", human_scores="esa")
    without = {name: content for name, content in FILES.items() if "human" not in name}
    with pytest.raises(FormatError, match=r"^a\.zip: no human scores 'da' for xx-yy; there are none$"):
        read(packed(without), "a.zip", "archive", human_scores="da")


def test_of_several_language_pairs_one_is_chosen() -> None:
    files = {**FILES, "sources/aa-bb.txt": "x\n", "system-outputs/aa-bb/S.txt": "y\n"}
    found = archive_of(read_test_set(packed(files), "x.zip"))
    assert (found.pairs, found.pair) == (("aa-bb", "xx-yy"), "aa-bb")
    assert told(read_test_set(packed(files), "x.zip", ReadOptions(pair="xx-yy")))[0][2] == ("uno", "dos")
    assert "other language pairs in this archive: xx-yy" in read(packed(files), "x.zip", "archive").report.notes
    with pytest.raises(FormatError, match=r"^x\.zip: no language pair 'de-en'; choose one of aa-bb, xx-yy$"):
        read_test_set(packed(files), "x.zip", ReadOptions(pair="de-en"))


def test_pairs_of_several_test_sets_are_kept_apart() -> None:
    files = {f"{top}/{name}": content for top in ("wmt22", "wmt23") for name, content in FILES.items()}
    found = read_test_set(packed(files), "x.zip", ReadOptions(pair="wmt23/xx-yy"))
    assert archive_of(found).pairs == ("wmt22/xx-yy", "wmt23/xx-yy")
    assert (len(found.columns), list(archive_of(found).judgments), len(found.scores)) == (5, ["da", "mqm"], 2)
    assert [c.name for c in found.columns if c.role == "reference"] == ["refA"]


def test_a_damaged_file_of_scores_is_left_out_and_told() -> None:
    files = {**FILES, "metric-scores/xx-yy/QE-src.sys.score": "S1\tbad\n"}
    found = read_test_set(packed(files), "x.zip")
    assert [table.name for table in found.scores] == ["M-x-refA"]
    assert archive_of(found).problems == (
        "x.zip/metric-scores/xx-yy/QE-src.sys.score, line 1: score 'bad' found, a number expected",
    )


@pytest.mark.parametrize("name", ["../sources/xx-yy.txt", "/sources/xx-yy.txt", "a/../../b", "C:/x", "..\\b"])
def test_paths_that_lead_out_of_the_zip_are_refused(name: str) -> None:
    with pytest.raises(FormatError, match=r"^x\.zip: the path .* leads out of the zip"):
        read_test_set(packed({**FILES, name: "x"}), "x.zip")


def test_an_entry_without_a_name_is_passed_over() -> None:
    data = packed({**FILES, "\x7f": "x"}).replace(b"\x7f", b"\0")  # zipfile cuts names at NUL
    assert read_test_set(data, "x.zip").columns == read_test_set(packed(FILES), "x.zip").columns


def test_what_unpacks_to_too_much_is_refused() -> None:
    bomb = {**FILES, "system-outputs/xx-yy/S1.txt": b"\n" * 10**6}
    with pytest.raises(LimitError, match=r"^x\.zip: 1,000,\d{3} unpacked bytes found, at most 100,000 allowed"):
        read_test_set(packed(bomb), "x.zip", limits=Limits(unpacked_bytes=10**5))
    several = {**FILES, **{f"system-outputs/xx-yy/S{i}.txt": b"\n" * 10**4 for i in range(20)}}
    with pytest.raises(LimitError, match="unpacked bytes found, at most 100,000 allowed"):
        read_test_set(packed(several), "x.zip", limits=Limits(unpacked_bytes=10**5))


@pytest.mark.parametrize("name", ["system-outputs/xx-yy/S1.txt", "other.txt"])
def test_what_unpacks_to_many_times_its_size_is_refused_whatever_it_is(name: str) -> None:
    bomb = packed({**FILES, name: b"\n" * 10**6})
    with pytest.raises(LimitError, match=r"^x\.zip: \d+ unpacked bytes per packed byte found, at most 100 allow"):
        read_test_set(bomb, "x.zip")


def test_the_files_of_the_language_pair_must_not_unpack_to_many_times_their_size() -> None:
    noise = np.random.default_rng(1).bytes(10**5)
    bomb = packed({**FILES, "system-outputs/xx-yy/S1.txt": b"\n" * 10**6, "noise.txt": noise})
    with pytest.raises(LimitError, match=r"^x\.zip, xx-yy: \d+ unpacked bytes per packed byte found"):
        read_test_set(bomb, "x.zip")


def test_no_more_is_unpacked_than_the_directory_declares() -> None:
    data = bytearray(packed({**FILES, "system-outputs/xx-yy/S1.txt": b"\n" * 10**8}))
    entry = data.rindex(b"system-outputs/xx-yy/S1.txt") - 46
    data[entry + 24 : entry + 28] = (4).to_bytes(4, "little")
    tracemalloc.start()
    (missing,) = read_test_set(bytes(data), "x.zip").missing
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert most < 10**7
    assert (missing.name, missing.place) == ("S1", "x.zip/system-outputs/xx-yy/S1.txt")
    assert missing.reason.startswith("cannot be unpacked: Bad CRC-32")


@pytest.mark.parametrize("compression", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_methods_whose_size_cannot_be_bounded_are_refused(compression: int) -> None:
    with pytest.raises(FormatError, match=r"^x\.zip: sources/xx-yy\.txt is not compressed with deflate"):
        read_test_set(packed({name: FILES[name] for name in ("sources/xx-yy.txt",)}, compression), "x.zip")


def test_a_zip_of_too_many_files_is_refused_before_it_is_opened(monkeypatch: pytest.MonkeyPatch) -> None:
    data = packed(FILES)
    monkeypatch.setattr(zipfile, "ZipFile", None)
    with pytest.raises(LimitError, match=r"^x\.zip: 12 files found, at most 11 allowed"):
        read_test_set(data, "x.zip", limits=Limits(entries=11))


@pytest.mark.parametrize(
    "again", ["sources/xx-yy.txt", "./sources/xx-yy.txt", "sources\\xx-yy.txt", "sources//xx-yy.txt"]
)
def test_two_files_of_one_name_in_a_zip_are_refused(again: str) -> None:
    stream = io.BytesIO(packed(FILES))
    with warnings.catch_warnings(action="ignore"), zipfile.ZipFile(stream, "a") as archive:
        archive.writestr(again, "tres\ncuatro\n")
    with pytest.raises(FormatError, match=r"^x\.zip: two files are named 'sources/xx-yy\.txt'"):
        read_test_set(stream.getvalue(), "x.zip")


@pytest.mark.parametrize("name", ["S\n1", "S\x1b[31m1", "S\u202e1", "S" * 1001])
def test_files_of_odd_names_are_refused_in_one_line(name: str) -> None:
    with pytest.raises(FormatError, match=r"^x\.zip: the file name .* has control characters or is too long") as error:
        read_test_set(packed({**FILES, f"system-outputs/xx-yy/{name}.txt": "a\nb\n"}), "x.zip")
    assert str(error.value).isprintable()


def test_files_of_odd_names_elsewhere_are_passed_over() -> None:
    assert len(read_test_set(packed({**FILES, "Icon\r": "", "sources/Icon\r": ""}), "x.zip").columns) == 5


@pytest.mark.parametrize(
    ("limits", "message"),
    [
        (Limits(systems=1), "2 systems found, at most 1 allowed"),
        (Limits(metrics=1), "2 metrics found, at most 1 allowed"),
        (Limits(groups=1), "2 groups of judges found, at most 1 allowed"),
        (Limits(lines=1), "2 lines found, at most 1 allowed"),
        (Limits(file_bytes=100), r"[\d,]+ bytes found, at most 100 allowed"),
    ],
)
def test_an_archive_of_too_much_is_refused(limits: Limits, message: str) -> None:
    with pytest.raises(LimitError, match=rf"^x\.zip.*: {message}"):
        read_test_set(packed(FILES), "x.zip", limits=limits)


def test_many_damaged_files_of_scores_are_counted() -> None:
    files = {**FILES, **{f"metric-scores/xx-yy/M{n}-src.sys.score": "S1\tbad\n" for n in range(30)}}
    problems = archive_of(read_test_set(packed(files), "x.zip")).problems
    assert (len(problems), problems[-1]) == (21, "10 more files could not be read")


def test_encrypted_zips_are_refused() -> None:
    data = bytearray(packed(FILES))
    for mark, at in ((b"PK\x01\x02", 8), (b"PK\x03\x04", 6)):
        data[data.index(mark) + at] |= 1
    with pytest.raises(
        FormatError, match=r"^x\.zip: sources/xx-yy\.txt is encrypted; pack the folder without a password$"
    ):
        read_test_set(bytes(data), "x.zip")


def test_symbolic_links_are_refused() -> None:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        link = zipfile.ZipInfo("sources/xx-yy.txt")
        link.external_attr = (stat.S_IFLNK | 0o777) << 16
        archive.writestr(link, "/etc/passwd")
    with pytest.raises(FormatError, match=r"^x\.zip: sources/xx-yy\.txt is a symbolic link"):
        read_test_set(stream.getvalue(), "x.zip")


def test_zips_without_such_a_directory_are_refused_with_what_is_in_them() -> None:
    with pytest.raises(
        FormatError, match=r"^x\.zip: not a test set of mt-metrics-eval: a\.txt, b found, the folders sources"
    ):
        read_test_set(packed({"a.txt": "x", "b/c.txt": "y"}), "x.zip")
    with pytest.raises(FormatError, match=r"nothing found"):
        read_test_set(packed({}), "x.zip")
    with pytest.raises(FormatError, match=r"^x: no such folder$"):
        read_test_set(Path("no-such"), "x")


@pytest.mark.parametrize("length", [4, 100, 500, 1000])
def test_truncated_zips_are_refused(length: int) -> None:
    with pytest.raises(FormatError, match=r"^x\.zip: cannot be read as a zip"):
        read_test_set(packed(FILES)[:length], "x.zip")


@pytest.mark.parametrize("text", [b"\xff\xff", b""])
def test_texts_that_cannot_be_read_are_named(text: bytes) -> None:
    with pytest.raises(FormatError, match=r"^x\.zip/references/xx-yy\.refA\.txt[:,]"):
        read_test_set(packed({**FILES, "references/xx-yy.refA.txt": text}), "x.zip")


#: Outputs that cannot be used -> the reason.
BAD_OUTPUTS: dict[str, tuple[str, bytes, str]] = {
    "empty": ("Bad.txt", b"", "the file is empty (0 lines)"),
    "another encoding": ("Bad.txt", b"caf\xe9\nx\n", "line 1: byte 0xE9 at offset 3 is not UTF-8; save the file as"),
    "NUL": ("Bad.txt", b"a\nb\0\n", "line 2: NUL character found, text expected; is it a binary file"),
    "a damaged gzip": ("Bad.txt.gz", gzip.compress(b"one\ntwo\n")[:-9], "cannot be unpacked with gzip: "),
}


@pytest.mark.parametrize("as_zip", [False, True])
@pytest.mark.parametrize("kind", BAD_OUTPUTS)
def test_an_output_that_cannot_be_read_is_missing_in_its_pair_and_the_others_are_read(
    tmp_path: Path, kind: str, *, as_zip: bool
) -> None:
    name, data, reason = BAD_OUTPUTS[kind]
    other = {path.replace("xx-yy", "aa-bb"): content for path, content in FILES.items()}
    files = {**FILES, **other, f"system-outputs/xx-yy/{name}": data}
    source = packed(files) if as_zip else written(tmp_path, files)
    found = read_test_set(source, "x", ReadOptions(pair="xx-yy"))
    assert [column.name for column in found.columns if column.role == "system"] == ["S1", "refA"]
    (missing,) = found.missing
    assert (missing.role, missing.name, missing.place) == ("system", "Bad", "x/system-outputs/xx-yy/Bad.txt")
    assert missing.reason.startswith(reason)
    assert missing.problem.startswith("x/system-outputs/xx-yy/Bad.txt")
    assert read_test_set(source, "x", ReadOptions(pair="aa-bb")).missing == ()


def test_a_test_set_without_any_readable_text_is_refused() -> None:
    with pytest.raises(FormatError, match=r"^x\.zip/system-outputs/xx-yy/S1\.txt: the file is empty"):
        read_test_set(packed({"system-outputs/xx-yy/S1.txt": ""}), "x.zip")


# --- zips and folders of other files ----------------------------------------------------------------------------


def test_files_of_a_zip_that_is_no_test_set_are_read_one_by_one(tmp_path: Path) -> None:
    xliff = re.sub(rb"<alt-trans.*?</alt-trans>", b"", SAMPLES["xliff"])
    files = {
        "job/A/out.A.xlf": xliff,
        "job/B.xlf.gz": gzip.compress(xliff.replace(b"one", b"on")),
        "job/references/human.txt": b"one two\nthree\n",
        "job/ratings.csv": b"system,segment,score\nout.A,1,2\n",
        "job/.DS_Store": b"\0",
    }
    packed, folder = tmp_path / "job.zip", tmp_path / "job"
    with zipfile.ZipFile(packed, "w") as archive:
        for name, data in files.items():
            archive.writestr(name, data)
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
    for path in (packed, folder):
        data = load(archives=[path])
        assert set(data.corpus.systems) == {"out.A", "B"}
        assert list(data.corpus.references) == ["human"]
        assert data.corpus.source == ("uno dos", "tres")
        assert data.judgments is not None
    loose = loose_files(packed.read_bytes(), "job.zip")
    assert loose is not None
    assert [(str(file.path), file.role) for file in loose] == [
        ("A/out.A.xlf", None),
        ("B.xlf.gz", None),
        ("ratings.csv", None),
        ("references/human.txt", "reference"),
    ]
    with zipfile.ZipFile(packed, "a") as archive:
        archive.writestr("mimetype", "application/x-other")
    assert loose_files(packed.read_bytes(), "job.zip") is None
    with pytest.raises(LimitError, match=r"job\.zip"):
        loose_files(packed.read_bytes(), "job.zip", limits=replace(DEFAULT_LIMITS, unpacked_bytes=100))
    with pytest.raises(LimitError, match="job"):
        loose_files(folder, "job", limits=replace(DEFAULT_LIMITS, unpacked_bytes=100))


def test_a_file_that_does_not_fit_is_named_with_the_zip_it_is_in(tmp_path: Path) -> None:
    path = tmp_path / "job.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("A.txt", "one\ntwo\n")
        archive.writestr("ref.txt", "one\ntwo\n")
        archive.writestr("notes.docx", b"PK\x03\x04")
    with pytest.raises(FormatError, match=r"job\.zip/notes\.docx"):
        load(archives=[path])


def damaged(data: bytes, content: bytes) -> bytes:
    """A zip with other bytes in place of those of a file that is stored in it."""
    assert data.count(content) == 1
    return data.replace(content, bytes(len(content)))


@pytest.mark.parametrize("kind", [*BAD_OUTPUTS, "damaged in the zip"])
def test_an_output_in_a_zip_of_other_files_that_cannot_be_read_is_missing(tmp_path: Path, kind: str) -> None:
    name, bad, reason = BAD_OUTPUTS.get(kind, ("Bad.txt", b"here\nit is\n", "cannot be unpacked: Bad CRC-32"))
    files = {"A.txt": b"one\ntwo\n", "ref.txt": b"one\ntwo\n", "short.txt": b"one\n", name: bad}
    data = packed(files, zipfile.ZIP_STORED)
    path = tmp_path / "job.zip"
    path.write_bytes(data if kind in BAD_OUTPUTS else damaged(data, bad))
    found = load(archives=[path])
    assert list(found.corpus.systems) == ["A"]
    assert [each.name for each in found.missing_systems] == ["Bad", "short"]
    assert found.missing_systems[0].reason.startswith(reason.replace("0 lines", "0 lines, 2 expected"))
    assert found.missing_systems[1].reason == "the file has 1 line, 2 expected"


@pytest.mark.parametrize("name", ["ref.txt", "references/x.txt", "ratings.csv", "source.txt"])
def test_other_files_in_a_zip_that_cannot_be_read_are_an_error(tmp_path: Path, name: str) -> None:
    path = tmp_path / "job.zip"
    path.write_bytes(packed({"A.txt": "one\ntwo\n", "refs/R.txt": "one\ntwo\n", name: b"a\0\nb\n"}))
    with pytest.raises(FormatError, match=rf"job\.zip/{name}, line 1: NUL"):
        load(archives=[path])


def test_without_any_usable_output_the_reasons_are_said(tmp_path: Path) -> None:
    path = tmp_path / "job.zip"
    path.write_bytes(packed({"A.txt": "", "B.txt": "one\n", "ref.txt": "one\ntwo\n", "source.txt": "uno\ndos\n"}))
    with pytest.raises(AlignmentError) as error:
        load(archives=[path])
    assert str(error.value) == (
        "no system output can be used, at least 1 expected (A: the file is empty (0 lines, 2 expected), B: the file "
        "has 1 line, 2 expected); correct or replace the files"
    )


@given(data=st.data())
def test_damaged_zips_of_other_files_are_unpacked_or_refused(data: st.DataObject) -> None:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("A/x.txt", "one\n" * 30)
        archive.writestr("B/x.txt", "two\n" * 30)
    content = bytearray(stream.getvalue())
    for _ in range(data.draw(st.integers(1, 5))):
        content[data.draw(st.integers(0, len(content) - 1))] = data.draw(st.integers(0, 255))
    cut = data.draw(st.integers(4, len(content)))
    with suppress(FormatError):
        found = loose_files(bytes(content[:cut]), "a.zip")
        assert found is None or all(isinstance(file.data, bytes) for file in found)


def test_errors_of_each_rater_are_human_scores_of_their_own() -> None:
    error = '{"errors": [{"category": "style", "severity": "%s"}]}'
    rows = [
        ("S1", error % "major", "r1"),
        ("S1", "None", "r1"),
        ("refA", '{"errors": []}', "r2"),
        ("refA", "None", "r2"),
    ]
    lines = "".join("\t".join(row) + "\n" for row in rows)
    data = packed({**FILES, "human-scores/xx-yy.mqm.seg.rating": lines, "human-scores/xx-yy.bad.seg.rating": "S1\n"})
    plain = read(data, "a.zip", "archive")
    assert plain.archive is not None
    assert plain.archive.preferred == "mqm"
    assert set(plain.archive.judgments) == {"mqm", "da", "mqm ratings"}
    assert plain.report.weights is None
    assert any("xx-yy.bad.seg.rating" in problem for problem in plain.archive.problems)
    found = read(data, "a.zip", "archive", human_scores="mqm ratings", weights=MqmWeights(major=7))
    assert found.judgments is not None
    assert found.judgments.rated[["system", "segment", "judge", "score", "group"]].to_numpy().tolist() == [
        ["S1", 1, "r1", -7, "mqm ratings"],
        ["refA", 1, "r2", 0, "mqm ratings"],
    ]
    assert found.report.weights == MqmWeights(major=7)
