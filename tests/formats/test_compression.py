"""Compressed files: read like those they were made from, in every role, within the limits."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import random
import tracemalloc
import zipfile
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
import zstandard
from small_files import SAMPLES
from timed import within_seconds

from bleu_core import cli, load
from bleu_core.errors import FormatError
from bleu_core.formats import FORMATS, Contents, FileRole, read, read_test_set, recognise
from bleu_core.formats.compression import decompress
from bleu_core.limits import LimitError, Limits
from bleu_core.uploads import assemble, create_file

WAYS: dict[str, tuple[str, Callable[[bytes], bytes]]] = {
    "gzip": (".gz", gzip.compress),
    "bzip2": (".bz2", bz2.compress),
    "xz": (".xz", partial(lzma.compress, preset=0)),
    "Zstandard": (".zst", zstandard.ZstdCompressor().compress),
}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("key", [key for key in FORMATS if not FORMATS[key].binary])
def test_a_compressed_file_is_read_like_the_file_in_it(way: str, key: str) -> None:
    ending, compress = WAYS[way]
    data, name = SAMPLES[key], f"S1{FORMATS[key].endings[-1]}"
    packed = compress(data)
    assert recognise(packed, name + ending) == recognise(data, name)
    roles = FORMATS[key].roles[: 1 if FORMATS[key].container or key == "table" else None]
    for role in roles:
        if (key, role) == ("text", "document"):  # an empty line names no document
            continue
        found, expected = read(packed, name + ending, role), read(data, name, role)
        assert found.report.format_key == expected.report.format_key
        assert [(c.role, c.name, c.segments) for c in found.columns] == [
            (c.role, c.name, c.segments) for c in expected.columns
        ]
        assert (found.judgments is None) == (expected.judgments is None)
        if found.judgments is not None and expected.judgments is not None:
            assert found.judgments.rated["score"].tolist() == expected.judgments.rated["score"].tolist()
        assert [table.name for table in found.scores] == [table.name for table in expected.scores]


@pytest.mark.parametrize("way", WAYS)
def test_the_parts_of_a_file_in_several_pieces_are_all_read(way: str) -> None:
    _, compress = WAYS[way]
    assert decompress(compress(b"the cat\n") + compress(b"") + compress(b"the dog\n"), "a") == b"the cat\nthe dog\n"
    text = b"".join(b"line %d\n" % n for n in range(150_000))  # 1.7 MB, more than a piece
    assert decompress(compress(text), "a") == text


def test_padding_between_the_streams_of_xz_is_skipped() -> None:
    packed = lzma.compress(b"a\n") + bytes(8) + lzma.compress(b"b\n") + bytes(4)
    assert decompress(packed, "a") == b"a\nb\n"


def test_what_is_not_compressed_is_left_alone() -> None:
    for data in (b"", b"BZhat is no magic\n", b"the cat\n", SAMPLES["archive"]):
        assert decompress(data, "a.gz") is data


def read_or_told(data: bytes, name: str, role: FileRole) -> Contents | str:
    """What was read, or the message."""
    try:
        return read(data, name, role)
    except FormatError as error:
        return str(error)


@pytest.mark.parametrize("way", WAYS)
def test_damaged_files_are_refused_by_name(way: str) -> None:
    ending, compress = WAYS[way]
    chance = random.Random(5)
    packed = compress("".join(f"{chance.random()} the cat\n" for _ in range(500)).encode())
    cuts = [packed[: chance.randrange(len(packed))] for _ in range(100)]
    for i in range(200):
        at = chance.randrange(12 if i < 50 else len(packed))
        cuts.append(packed[:at] + bytes([chance.randrange(256)]) + packed[at + 1 :])
    refused = 0
    for data in cuts:
        message = read_or_told(data, f"a.txt{ending}", "system")
        refused += str(message).startswith(f"a.txt{ending}")
        assert isinstance(message, Contents) or message.startswith(f"a.txt{ending}")
    assert refused > 100
    with pytest.raises(FormatError, match=rf"^a\.txt{ending}: cannot be unpacked with {way}: .*; pack the file again$"):
        read(packed[:-20], f"a.txt{ending}", "system")


def bomb(way: str) -> bytes:
    """Zeros, 3 GB of them unpacked."""
    if way == "Zstandard":
        return zstandard.ZstdCompressor().compress(bytes(2**24)) * 180
    return WAYS[way][1](bytes(2**24)) * 180


@pytest.mark.parametrize("way", WAYS)
def test_bombs_are_refused_soon_and_with_little_memory(way: str) -> None:
    data = bomb(way)
    tracemalloc.start()

    def refuse() -> None:
        with pytest.raises(LimitError, match=r"^a\.gz: \d,?\d+,?\d* unpacked bytes per packed byte found, at most 100"):
            read(data, "a.gz", "system")

    within_seconds(1, refuse)
    assert tracemalloc.get_traced_memory()[1] < len(data) + 2**26
    tracemalloc.stop()


@pytest.mark.parametrize("way", WAYS)
def test_no_more_than_the_limit_is_unpacked(way: str) -> None:
    packed = WAYS[way][1](b"0123456789" * 400_000)
    assert len(decompress(packed, "a", Limits(file_bytes=4_000_000))) == 4_000_000
    with pytest.raises(LimitError, match=r"^a, unpacked: [\d,]+ bytes found, at most 3,999,999 allowed"):
        decompress(packed, "a", Limits(file_bytes=3_999_999))


def test_a_dictionary_that_takes_too_much_memory_is_refused() -> None:
    filters = [{"id": lzma.FILTER_LZMA2, "dict_size": 2**29}]
    stream = io.BytesIO()
    with lzma.LZMAFile(stream, "w", filters=filters) as file:
        file.write(b"x\n")
    with pytest.raises(FormatError, match=r"^a: cannot be unpacked with xz: "):
        decompress(stream.getvalue(), "a")


TEXTS = {"ref.txt": b"the cat sat\nthe dog ran\n", "out.txt": b"the cat sat\na dog ran\n"}


@pytest.mark.parametrize("way", WAYS)
def test_the_command_line_and_the_library_read_them(
    way: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ending, compress = WAYS[way]
    paths = {name: tmp_path / f"{name}{ending}" for name in TEXTS}
    for name, content in TEXTS.items():
        (tmp_path / name).write_bytes(content)
        paths[name].write_bytes(compress(content))
    arguments = ["score", "--format", "json", "--ref"]
    assert cli.main([*arguments, str(tmp_path / "ref.txt"), str(tmp_path / "out.txt")]) == 0
    plain = capsys.readouterr().out
    assert cli.main([*arguments, str(paths["ref.txt"]), str(paths["out.txt"])]) == 0
    assert capsys.readouterr().out == plain
    found = load([paths["out.txt"]], [paths["ref.txt"]]).corpus
    assert found.digest == load([tmp_path / "out.txt"], [tmp_path / "ref.txt"]).corpus.digest


def test_the_page_reads_them() -> None:
    files = [create_file(name, content, None) for name, content in TEXTS.items()]
    packed = [create_file(f"{name}.gz", gzip.compress(content), None) for name, content in TEXTS.items()]
    assert [file.role for file in packed] == ["reference", "system"]
    found = assemble(packed)
    assert [entry.problem for entry in found.entries] == ["", ""]
    assert found.corpus.digest == assemble(files).corpus.digest


def test_files_of_an_archive_and_a_folder_may_be_compressed(tmp_path: Path) -> None:
    stream = io.BytesIO()
    with (
        zipfile.ZipFile(io.BytesIO(SAMPLES["archive"])) as archive,
        zipfile.ZipFile(stream, "w") as other,
    ):
        for name in archive.namelist():
            content = gzip.compress(archive.read(name))
            other.writestr(f"{name}.gz", content)
            (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / f"{name}.gz").write_bytes(content)
    expected = read_test_set(SAMPLES["archive"], "a.zip")
    for source in (stream.getvalue(), tmp_path):
        found = read_test_set(source, "a.zip")
        assert found.columns == expected.columns
        assert [table.name for table in found.scores] == [table.name for table in expected.scores]


def test_a_file_that_an_archive_has_twice_is_refused() -> None:
    stream = io.BytesIO(SAMPLES["archive"])
    with zipfile.ZipFile(stream, "a") as archive:
        archive.writestr("t/sources/xx-yy.txt.gz", gzip.compress(b"x\n"))
    with pytest.raises(FormatError, match=r"^a\.zip: t/sources/xx-yy\.txt found both compressed and as it is"):
        read_test_set(stream.getvalue(), "a.zip")


def test_compressed_files_of_an_archive_are_unpacked_within_the_limits() -> None:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        for name in ("sources/aa-bb.txt.gz", "system-outputs/aa-bb/S.txt.gz"):
            archive.writestr(name, gzip.compress(b"x\n" * 30_000))
    with pytest.raises(LimitError, match=r"^a\.zip, aa-bb: 120,000 unpacked bytes found, at most 100,000 allowed"):
        read_test_set(stream.getvalue(), "a.zip", limits=Limits(unpacked_bytes=100_000))
