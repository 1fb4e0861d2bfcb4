"""Counts of parts add up to those of the whole."""

from __future__ import annotations

import bz2
import gzip
import os
import random
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import numpy as np
import pytest
import zstandard

import sample_data
from bleu_core.counts import (
    Bundling,
    Counts,
    IrregularError,
    LineRange,
    Part,
    SegmentCounts,
    Source,
    Texts,
    count_range,
    count_texts,
    merge,
    parse_part,
    scan_files,
    sources,
)
from bleu_core.counts import counting as range_counting
from bleu_core.counts.counting import counted_of, range_task
from bleu_core.dataset import Corpus
from bleu_core.errors import AlignmentError, FormatError, SettingsError
from bleu_core.scoring import BleuSettings, Counting, evaluate

SYSTEMS = {path.stem: Source(str(path)) for path in sample_data.systems()}
REFERENCES = {path.stem: Source(str(path)) for path in sample_data.references()}


def lines(source: Source) -> tuple[str, ...]:
    return tuple(Path(source.location).read_text(encoding="utf-8").split("\n")[:-1])


def corpus_of(systems: Mapping[str, Source], references: Mapping[str, Source]) -> Corpus:
    return Corpus({n: lines(s) for n, s in systems.items()}, {n: lines(s) for n, s in references.items()})


def corpus() -> Corpus:
    return corpus_of(SYSTEMS, REFERENCES)


def shortened(files: Mapping[str, Source], folder: Path) -> dict[str, Source]:
    """The first 90 lines of files, as files in a folder."""
    paths = {name: folder / f"{name}.txt" for name in files}
    for name, source in files.items():
        paths[name].write_text("".join(f"{line}\n" for line in lines(source)[:90]), encoding="utf-8")
    return {name: Source(str(path)) for name, path in paths.items()}


def same(counts: Counts, expected: Counts) -> bool:
    assert (counts.counted, counts.range, counts.oddities) == (expected.counted, expected.range, expected.oddities)
    if isinstance(counts.data, SegmentCounts) and isinstance(expected.data, SegmentCounts):
        names = ("matches", "hypothesis_lengths", "reference_lengths")
    else:
        names = ("sums", "lengths_by_presence", "segments_by_presence")
    return all(np.array_equal(getattr(counts.data, name), getattr(expected.data, name)) for name in names)


@pytest.mark.parametrize("how", [Counting(), Counting(tokenizer="char", lowercase=True), Counting(tokenizer="intl")])
def test_the_counts_are_those_of_an_evaluation(how: Counting) -> None:
    found = count_texts(scan_files(SYSTEMS, REFERENCES), counting=how, max_order=5)
    expected = evaluate(corpus(), BleuSettings(max_order=5, tokenizer=how.tokenizer, lowercase=how.lowercase)).stats
    assert isinstance(found.data, SegmentCounts)
    stats = found.data.stats(tuple(SYSTEMS))
    assert np.array_equal(stats.matches, expected.matches)
    assert np.array_equal(stats.hypothesis_lengths, expected.hypothesis_lengths)
    assert np.array_equal(stats.reference_lengths, expected.reference_lengths)


@pytest.mark.parametrize("bundling", [None, Bundling("lines", 37), Bundling("documents", 11)])
@pytest.mark.parametrize("given", ["files", "lines", "lines with absent references"])
def test_random_parts_in_random_order_add_up_to_the_whole(
    bundling: Bundling | None, given: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in (sources, range_counting):  # so that ranges have several pieces
        monkeypatch.setattr(module, "OFFSET_LINES", 16)
    monkeypatch.setattr(range_counting, "CHUNK_LINES", 7)
    chance = random.Random(given)
    systems, references = shortened(dict(list(SYSTEMS.items())[:3]), tmp_path), shortened(REFERENCES, tmp_path)
    whole = corpus_of(systems, references)
    documents = [f"d{i // 3}" for i in range(whole.segments)]
    texts = scan_files(systems, references, documents=documents)
    if given != "files":
        texts = Texts(whole.systems, whole.references, documents)
    if given == "lines with absent references":
        names = list(texts.references)
        some = [None if chance.random() < 0.3 else line for line in whole.references[names[0]]]
        texts = Texts(whole.systems, {**whole.references, names[0]: some}, documents)
    expected = count_texts(texts, counting=Counting(), bundling=bundling)
    for of in (1, 2, 3, chance.randint(4, 20)):
        parts = [
            (f"part {i}", count_texts(texts, counting=Counting(), part=Part(i, of), bundling=bundling))
            for i in range(1, of + 1)
        ]
        chance.shuffle(parts)
        assert same(merge(parts), expected)


def test_any_division_into_ranges_adds_up_to_the_whole() -> None:
    texts = scan_files(SYSTEMS, REFERENCES)
    expected = count_texts(texts, counting=Counting())
    counted = counted_of(texts, counting=Counting(), max_order=4, bundling=None)
    chance = random.Random(1)
    for _ in range(5):
        cuts = sorted(chance.sample(range(1, counted.segments), 6))
        ends = zip([0, *cuts], [*cuts, counted.segments], strict=True)
        ranges = [LineRange(first, behind - first) for first, behind in ends]
        parts = [(str(each), count_range(range_task(texts, counted, each))) for each in ranges]
        chance.shuffle(parts)
        assert same(merge(parts), expected)


@pytest.mark.parametrize("choice", ["closest", "shortest", "average"])
@pytest.mark.parametrize("order", [2, 4])
def test_sums_of_bundles_score_as_the_segments(choice: str, order: int) -> None:
    whole = corpus()
    first, *others = whole.references
    some = [None if i % 4 == 1 else line for i, line in enumerate(whole.references[first])]
    references: Mapping[str, Sequence[str | None]] = {first: some, **{name: whole.references[name] for name in others}}
    settings = BleuSettings(reference_length=choice, max_order=order)  # pyright: ignore[reportArgumentType]
    expected = evaluate(Corpus(whole.systems, {n: tuple(r) for n, r in references.items()}), settings).scores.score
    found = count_texts(Texts(whole.systems, references), counting=Counting(), bundling=Bundling("lines", 40)).data
    assert not isinstance(found, SegmentCounts)
    table = found.table(tuple(whole.systems), settings)
    assert table.score(table.sums()) == pytest.approx(expected, rel=1e-13)


@pytest.mark.parametrize(
    "pack", [gzip.compress, bz2.compress, zstandard.compress, lambda data: data.decode().encode("utf-16")]
)
@pytest.mark.parametrize("packed", [0, 1])
def test_packed_files_and_other_encodings_have_the_same_counts_and_digests(
    tmp_path: Path, pack: Callable[[bytes], bytes], packed: int
) -> None:
    paths = [next(iter(SYSTEMS.values())), next(iter(REFERENCES.values()))]
    data = Path(paths[packed].location).read_bytes()
    (tmp_path / "text").write_bytes(pack(data))
    other = list(paths)
    other[packed] = Source(str(tmp_path / "text"))
    plain = scan_files({"s": paths[0]}, {"r": paths[1]})
    texts = scan_files({"s": other[0]}, {"r": other[1]})
    for part in (None, Part(2, 3)):
        expected = count_texts(plain, counting=Counting(), part=part)
        assert same(count_texts(texts, counting=Counting(), part=part, workers=3), expected)


@pytest.mark.parametrize(
    "data", [b"a\nb\n", b"a\r\nb\r\n", b"a\nb", b"\xef\xbb\xbfa\nb\n", "a\nb\n".encode("utf-16"), b"a\r\nb"]
)
@pytest.mark.parametrize("block", [1, 2, 3, 1 << 20])
def test_digests_are_of_lines_whatever_ends_them(
    tmp_path: Path, data: bytes, block: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sources, "BLOCK_BYTES", block)
    path = tmp_path / "text"
    path.write_bytes(data)
    found = sources.scan(Source(str(path)))
    assert (found.lines, found.digest) == (2, sources.digest_of_lines(["a", "b"]))


@pytest.mark.parametrize("block", [1, 5, 1000])
@pytest.mark.parametrize("ending", [b"\n", b""])
def test_offsets_are_those_of_lines(tmp_path: Path, block: int, ending: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sources, "BLOCK_BYTES", block)
    monkeypatch.setattr(sources, "OFFSET_LINES", 4)
    for lines in range(1, 14):
        data = b"\xef\xbb\xbf" + b"\n".join(b"x" * (i % 5) + b"." for i in range(lines)) + ending
        (tmp_path / "text").write_bytes(data)
        found = sources.scan(Source(str(tmp_path / "text")))
        starts = [3, *(i + 1 for i, byte in enumerate(data) if byte == ord("\n"))][:lines]
        assert (found.lines, list(found.offsets)) == (lines, starts[::4])


@pytest.mark.parametrize("change", ["append", "cut", "replace", "rewrite"])
def test_a_file_that_is_changed_after_it_was_scanned_is_refused(tmp_path: Path, change: str) -> None:
    path = tmp_path / "s.txt"
    path.write_text("a b c d\n" * 50, encoding="utf-8")
    texts = scan_files({"s": Source(str(path))}, {"r": Source(str(path))})
    before = path.stat()
    if change == "append":
        path.write_text("a b c d\n" * 51, encoding="utf-8")
    elif change == "cut":
        path.write_text("a b c d\n" * 49, encoding="utf-8")
    elif change == "replace":
        (tmp_path / "new").write_text("a b c d\n" * 50, encoding="utf-8")
        (tmp_path / "new").replace(path)
    else:
        path.write_text("d c b a\n" * 50, encoding="utf-8")
        os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    with pytest.raises(FormatError, match=r"s.txt: the file was changed while it was counted; count it again"):
        count_texts(texts, counting=Counting())


@pytest.mark.parametrize("data", [b"", b"one line\n", b'{"a": 1}\nx\n', b"<a>\nx\n"])
def test_what_is_odd_is_left_to_whoever_reads_all_formats(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "s.txt").write_bytes(data)
    (tmp_path / "r.txt").write_bytes(b"the cat\nsat down\n")
    with pytest.raises(IrregularError):
        scan_files({"s": Source(str(tmp_path / "s.txt"))}, {"r": Source(str(tmp_path / "r.txt"))})


def part_of_texts(number: int, of: int, **changes: object) -> tuple[str, Counts]:
    texts = Texts({"s": ["a b"] * 9}, {"r": ["a c"] * 9})
    options: dict[str, object] = {"counting": Counting(), "part": Part(number, of)}
    return f"{number}.counts", count_texts(texts, **options | changes)  # pyright: ignore[reportArgumentType]


@pytest.mark.parametrize(
    ("parts", "message"),
    [
        ([(1, 3), (3, 3)], "lines 4 to 6 of 9 are missing"),
        ([(2, 3), (3, 3)], "lines 1 to 3 of 9 are missing"),
        ([(1, 3), (2, 3)], "lines 7 to 9 of 9 are missing"),
        ([(1, 3), (2, 3), (2, 3), (3, 3)], "2.counts: lines 4 to 6 are in 2.counts, too"),
        ([(1, 1), (2, 3)], "2.counts: lines 4 to 6 are in 1.counts, too"),
    ],
)
def test_missing_and_doubled_ranges_are_refused(parts: list[tuple[int, int]], message: str) -> None:
    with pytest.raises(AlignmentError, match=message):
        merge([part_of_texts(*part) for part in parts])


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"counting": Counting(tokenizer="none")}, "tok:none.* found, .*tok:13a.* expected"),
        ({"counting": Counting(lowercase=True)}, "case:lc.* found, .*case:mixed.* expected"),
        ({"max_order": 3}, "order 3 found, order 4 expected"),
        ({"bundling": Bundling("lines", 5)}, "sums in 5 bundles by lines found, counts per segment expected"),
    ],
)
def test_parts_that_were_counted_in_another_way_are_refused(changes: dict[str, object], message: str) -> None:
    with pytest.raises(AlignmentError, match=r"2.counts: .*" + message):
        merge([part_of_texts(1, 2), part_of_texts(2, 2, **changes)])


@pytest.mark.parametrize(
    ("system", "reference", "message"),
    [
        (["a d"] * 9, ["a c"] * 9, "another text found for system 's'"),
        (["a b"] * 9, ["a d"] * 9, "another text found for reference 'r'"),
        (["a b"] * 8, ["a c"] * 8, "a text of 8 segments found, a text of 9 segments expected"),
    ],
)
def test_parts_of_other_texts_are_refused(system: list[str], reference: list[str], message: str) -> None:
    other = count_texts(Texts({"s": system}, {"r": reference}), counting=Counting(), part=Part(2, 2))
    with pytest.raises(AlignmentError, match=message):
        merge([part_of_texts(1, 2), ("2.counts", other)])


@pytest.mark.parametrize("text", ["", "1", "0/3", "4/3", "1/0", "-1/3", "1/3/5", "a/b", "1/9999999999999"])
def test_a_part_that_is_none_is_refused(text: str) -> None:
    with pytest.raises(SettingsError, match="found, "):
        parse_part(text)


def test_more_parts_than_segments_are_refused() -> None:
    with pytest.raises(SettingsError, match="10 parts found, at most 9 expected, the number of segments"):
        part_of_texts(1, 10)
