"""Streaming gives the digits of the way through a Corpus, and leaves what is odd to it."""

from __future__ import annotations

import bz2
import gzip
import lzma
from pathlib import Path

import numpy as np
import pytest
import zstandard
from conftest import Runner, Writer

import sample_data
from bleu_core.cli import streaming
from bleu_core.cli.streaming import score_files
from bleu_core.counts import FileLines, IrregularError
from bleu_core.counts import lines as line_readers
from bleu_core.counts.sources import BLOCK_CHARACTERS
from bleu_core.dataset import Corpus, Identical
from bleu_core.limits import Limits
from bleu_core.results.scores import score_report
from bleu_core.scoring import BleuSettings, evaluate, ngrams


def lines(path: Path) -> tuple[str, ...]:
    return tuple(path.read_text(encoding="utf-8").split("\n")[:-1])


@pytest.mark.parametrize(
    "settings",
    [
        BleuSettings(),
        BleuSettings(tokenizer="none", lowercase=True, smoothing="none"),
        BleuSettings(max_order=7, reference_length="shortest"),
        BleuSettings(reference_length="average", smoothing="add-k"),
    ],
)
def test_the_digits_are_those_of_an_evaluation(settings: BleuSettings) -> None:
    systems = {path.stem: path for path in sample_data.systems()}
    references = {path.stem: path for path in sample_data.references()}
    corpus = Corpus(
        {name: lines(path) for name, path in systems.items()}, {name: lines(path) for name, path in references.items()}
    )
    streamed = score_files(systems, references, settings)
    expected = score_report(evaluate(corpus, settings))
    assert score_report(streamed.scores) == expected


def test_chunks_do_not_show(monkeypatch: pytest.MonkeyPatch) -> None:
    path, reference = sample_data.systems()[0], sample_data.references()[0]
    whole = score_files({"A": path}, {"R": reference}, BleuSettings()).scores
    monkeypatch.setattr(streaming, "CHUNK_LINES", 7)
    monkeypatch.setattr(ngrams, "CHUNK_CHARACTERS", 50)
    parts = score_files({"A": path}, {"R": reference}, BleuSettings()).scores
    assert score_report(parts) == score_report(whole)


@pytest.mark.parametrize(
    "data",
    [
        b"\xef\xbb\xbfthe cat\nsat down\n",
        b"the cat\r\nsat down\r\n",
        "the cat\nsat down\n".encode("utf-16"),
        b"the cat\nsat down",
    ],
)
@pytest.mark.parametrize("block", [1, 2, 3, 1 << 18])
def test_marks_and_line_ends_are_read_as_everywhere(
    tmp_path: Path, data: bytes, block: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(line_readers, "BLOCK_CHARACTERS", block)
    (tmp_path / "s.txt").write_bytes(data)
    (tmp_path / "r.txt").write_bytes(b"the cat\nsat down\n")
    found = score_files({"s": tmp_path / "s.txt"}, {"r": tmp_path / "r.txt"}, BleuSettings(max_order=2))
    assert found.scores.scores.score.tolist() == [pytest.approx(100)]
    assert found.copies == [Identical("s", "reference", "r")]


def test_a_text_that_differs_from_a_reference_anywhere_is_no_copy(tmp_path: Path) -> None:
    lines = ["the cat sat\n"] * 3000
    for name, text in (("s", lines), ("late", [*lines[:-1], "no\n"]), ("early", ["no\n", *lines[1:]]), ("r", lines)):
        (tmp_path / name).write_text("".join(text), encoding="utf-8")
    found = score_files(
        {n: tmp_path / n for n in ("late", "s")}, {n: tmp_path / n for n in ("early", "r")}, BleuSettings()
    )
    assert found.copies == [Identical("s", "reference", "r")]


@pytest.mark.parametrize(
    "data",
    [b"", b"one line\n", b"a\0b\nc\n", b"caf\xe9\nx\n", b"1\n2\n3\n", b'{"a": 1}\nx\n', "\n<a>\n".encode("utf-16")],
)
def test_what_is_odd_is_left_to_the_corpus(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "s.txt").write_bytes(data)
    (tmp_path / "r.txt").write_bytes(b"the cat\nsat down\n")
    with pytest.raises(IrregularError):
        score_files({"s": tmp_path / "s.txt"}, {"r": tmp_path / "r.txt"}, BleuSettings())


@pytest.mark.parametrize("begin", ["<b>", "{", "[1]"])
def test_a_text_that_begins_like_markup_or_json_has_the_same_digits(run: Runner, write: Writer, begin: str) -> None:
    ref = write("r.txt", "the cat sat\non the mat\n")
    marked, plain = write("m.txt", f"the cat\n{begin} on a mat\n"), write("p.txt", f"{begin} on a mat\nthe cat\n")
    swapped = write("q.txt", "on the mat\nthe cat sat\n")
    one = run("score", "--ref", ref, marked, "--format", "json").json["systems"][0]
    other = run("score", "--ref", swapped, plain, "--format", "json").json["systems"][0]
    assert {**one, "system": ""} == {**other, "system": ""}


def packed(ending: str, data: bytes) -> bytes:
    if ending == ".zst":
        return zstandard.ZstdCompressor(write_content_size=False).compress(data)
    packers = {".gz": gzip.compress, ".bz2": bz2.compress, ".xz": lzma.compress}
    return packers[ending](data)


@pytest.mark.parametrize("ending", [".gz", ".bz2", ".xz", ".zst"])
@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
def test_compressed_texts_are_streamed(tmp_path: Path, ending: str, mark: bytes) -> None:
    text = "".join(f"the cat sat on mat {n}\n" for n in range(9000)).encode()
    plain, path = tmp_path / "s.txt", tmp_path / f"s.txt{ending}"
    plain.write_bytes(mark + text)
    path.write_bytes(packed(ending, mark + text))
    told: list[tuple[int, int]] = []
    found = score_files(
        {"s": path}, {"r": plain}, BleuSettings(), limits=Limits(file_bytes=9), progress=lambda *done: told.append(done)
    )
    assert score_report(found.scores) == score_report(score_files({"s": plain}, {"r": plain}, BleuSettings()).scores)
    assert found.copies == [Identical("s", "reference", "r")]
    assert told[-1][0] == told[-1][1] == path.stat().st_size + plain.stat().st_size


@pytest.mark.parametrize("ending", [".gz", pytest.param(".bz2", marks=pytest.mark.slow), ".xz", ".zst"])
def test_a_compressed_text_that_is_cut_or_a_bomb_is_refused_as_always(
    tmp_path: Path, run: Runner, write: Writer, ending: str
) -> None:
    ref = write("r.txt", "the cat sat\n")
    path = tmp_path / f"s.txt{ending}"
    path.write_bytes(packed(ending, bytes(range(65, 91)) * 5000)[:-9])
    failed = run("score", "--ref", ref, str(path))
    assert (failed.status, failed.out) == (2, "")
    assert "cannot be unpacked with" in failed.err
    path.write_bytes(packed(ending, b"a\n" * 2**24))
    failed = run("score", "--ref", ref, str(path))
    assert (failed.status, failed.out) == (2, "")
    assert "unpacked bytes per packed byte found, at most 100 allowed" in failed.err


def test_progress_reaches_the_end(tmp_path: Path) -> None:
    path = tmp_path / "s.txt"
    path.write_text("the cat sat\n" * 9000, encoding="utf-8")
    told: list[tuple[int, int]] = []
    score_files({"s": path}, {"r": path}, BleuSettings(), progress=lambda *done: told.append(done))
    done = np.array(told)
    assert (np.diff(done[:, 0]) >= 0).all()
    assert told[-1][0] == told[-1][1]


XLIFF = b'<?xml version="1.0"?>\n<xliff version="1.2">\n<target>a</target>\n</xliff>\n'
ODD: dict[str, tuple[bytes, str | None]] = {
    "a table": (b"a\tb\n", None),
    "XLIFF": (XLIFF, None),
    "XLIFF in UTF-16": (XLIFF.decode().encode("utf-16"), None),
    "PO": (b'# x\n\nmsgid "a"\nmsgstr "b"\n', None),
    "PDF": (b"%PDF-1.7\nx\n", None),
    "gzip": (b"\x1f\x8b\x08abc\n", "latin-1"),
    "CR alone": (b"one\rtwo\rthree\r", None),
    "an encoding of something else than characters": (b"one\n", "unicode_escape"),
    "no such encoding": (b"one\n", "no-such-encoding"),
    "no possible encoding": (b"one\n", "\udcff"),
}


@pytest.mark.parametrize("kind", ODD)
def test_what_the_corpus_refuses_is_not_streamed(tmp_path: Path, kind: str) -> None:
    data, encoding = ODD[kind]
    path = tmp_path / ("t.tsv" if kind == "a table" else "t.txt")
    path.write_bytes(data)
    with pytest.raises(IrregularError):
        score_files({"s": path}, {"r": path}, BleuSettings(), encoding=encoding)


@pytest.mark.parametrize("data", [b"one\r", b"one\r\ntwo\r", b"one\rtwo\nthree\n"])
def test_a_cr_inside_a_line_is_streamed(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "t.txt").write_bytes(data)
    found = score_files({"s": tmp_path / "t.txt"}, {"r": tmp_path / "t.txt"}, BleuSettings(max_order=1))
    assert found.scores.segments == len(data.removesuffix(b"\n").split(b"\n"))


@pytest.mark.parametrize("block", [1, 5, 1 << 18])
def test_a_line_of_the_longest_length_is_streamed_and_no_longer_one(
    tmp_path: Path, block: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(line_readers, "BLOCK_CHARACTERS", block)
    path = tmp_path / "t.txt"
    path.write_text("ab cd efgh\nx\n", encoding="utf-8")
    settings, files = BleuSettings(max_order=1), ({"s": path}, {"r": path})
    assert score_files(*files, settings, limits=Limits(line_length=10)).scores.segments == 2
    with pytest.raises(IrregularError):
        score_files(*files, settings, limits=Limits(line_length=9))


def test_a_long_line_is_not_read_to_its_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "t.txt"
    with path.open("wb") as file:
        file.write(b"a" * 5_000_000)
    blocks: list[int] = []
    read = FileLines._read_block  # noqa: SLF001 # pyright: ignore[reportPrivateUsage]

    def counted(lines: FileLines) -> None:
        blocks.append(1)
        read(lines)

    monkeypatch.setattr(FileLines, "_read_block", counted)
    with pytest.raises(IrregularError):
        score_files({"s": path}, {"r": path}, BleuSettings(), limits=Limits(line_length=BLOCK_CHARACTERS))
    assert len(blocks) == 2
