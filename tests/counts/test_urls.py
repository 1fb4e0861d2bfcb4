"""Texts at URLs: in memory, on an S3 server and over HTTP, counted here and on a cluster, and changed meanwhile."""

from __future__ import annotations

import gzip
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import fsspec
import numpy as np
import pytest
import zstandard
from calls import assert_refused
from cluster_tasks import modules
from conftest import Runner
from moto.server import ThreadedMotoServer

from bleu_core.counts import (
    ClusterRun,
    IrregularError,
    Source,
    Texts,
    count_texts,
    encode_counts,
    open_cluster,
    run_serially,
    scan_files,
)
from bleu_core.counts import urls as urls_module
from bleu_core.errors import FormatError, SettingsError
from bleu_core.scoring import Counting, count_ngrams

#: More than two ranges.
LINES = 70_000

NAMES = {"plain": "plain.txt", "gzip": "gzip.txt.gz", "zstd": "zstd.txt.zst"}
REFERENCE = "ref.txt"


def text(seed: int) -> list[str]:
    random = Random(seed)
    words = ["the", "cat", "sat", "on", "a", "mat", "Straße", "naïve", ",", "日本"]
    return [" ".join(random.choices(words, k=random.randint(1, 3))) for _ in range(LINES)]


@pytest.fixture(scope="module")
def lines() -> dict[str, list[str]]:
    return {name: text(seed) for seed, name in enumerate([*NAMES, "ref"])}


@pytest.fixture(scope="module")
def files(lines: dict[str, list[str]]) -> dict[str, bytes]:
    """Name of a file -> its bytes."""
    raw = {name: ("\n".join(found) + "\n").encode() for name, found in lines.items()}
    return {
        NAMES["plain"]: raw["plain"],
        NAMES["gzip"]: gzip.compress(raw["gzip"], 1),
        NAMES["zstd"]: zstandard.compress(raw["zstd"]),
        REFERENCE: raw["ref"],
    }


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    """The address of an S3 server on this machine, which is the one that s3:// leads to."""
    served = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    served.start()
    host, port = served.get_host_and_port()
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("AWS_ENDPOINT_URL", f"http://{host}:{port}")
        for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
            patch.setenv(name, "test")
        patch.setenv("AWS_DEFAULT_REGION", "us-east-1")
        yield f"http://{host}:{port}"
    served.stop()


@pytest.fixture(scope="module")
def bucket(server: str, files: dict[str, bytes]) -> str:
    """A bucket with the files."""
    assert server
    system = fsspec.filesystem("s3")
    system.mkdir("texts")
    system.pipe({f"texts/{name}": content for name, content in files.items()})
    return "s3://texts"


@pytest.fixture
def folder(files: dict[str, bytes]) -> str:
    """A folder in memory with the files."""
    system = fsspec.filesystem("memory")
    system.pipe({f"/texts/{name}": content for name, content in files.items()})
    return "memory://texts"


@pytest.fixture(scope="module")
def cluster(server: str) -> Iterator[ClusterRun]:
    assert server  # its address is in the environment of the workers
    with open_cluster("local:2") as run:
        yield run


def scanned(place: str, names: Iterable[str] = NAMES, run: Any = run_serially) -> Texts:
    systems = {name: Source(f"{place}/{NAMES[name]}") for name in names}
    return scan_files(systems, {"ref": Source(f"{place}/{REFERENCE}")}, run=run)


def assert_counts_of_one_pass(counts: Any, lines: dict[str, list[str]], names: Iterable[str] = NAMES) -> None:
    expected = count_ngrams({name: lines[name] for name in names}, {"ref": lines["ref"]})
    found = counts.data.stats(tuple(names))
    np.testing.assert_array_equal(found.matches, expected.matches)
    np.testing.assert_array_equal(found.hypothesis_lengths, expected.hypothesis_lengths)
    np.testing.assert_array_equal(found.reference_lengths, expected.reference_lengths)


def test_texts_in_memory_have_the_counts_of_one_pass(folder: str, lines: dict[str, list[str]]) -> None:
    assert_counts_of_one_pass(count_texts(scanned(folder), counting=Counting()), lines)


@pytest.mark.slow
def test_workers_count_texts_on_s3_as_one_pass_does(
    cluster: ClusterRun, bucket: str, lines: dict[str, list[str]]
) -> None:
    texts = scanned(bucket, run=cluster)
    counts = count_texts(texts, counting=Counting(), run=cluster, workers=cluster.workers)
    assert_counts_of_one_pass(counts, lines)
    loaded = {name.partition(".")[0] for _, found in cluster(modules, [0]) for name in found}
    assert "numpy" in loaded
    assert not loaded & {"pandas", "scipy", "sacrebleu", "pyarrow", "streamlit", "plotly", "dashboard"}


def test_texts_are_read_over_http(server: str, bucket: str, lines: dict[str, list[str]]) -> None:
    system = fsspec.filesystem("s3")
    for name in (NAMES["plain"], REFERENCE):
        system.chmod(f"{bucket}/{name}", "public-read")
    texts = scanned(f"{server}/texts", ["plain"])
    assert_counts_of_one_pass(count_texts(texts, counting=Counting()), lines, ["plain"])


def test_only_the_bytes_of_a_range_are_read(folder: str, monkeypatch: pytest.MonkeyPatch) -> None:
    texts = scanned(folder, ["plain"])
    starts: list[int] = []
    opened = urls_module.open_url

    def watched(location: str) -> Any:
        file = opened(location)
        seek = file.seek
        monkeypatch.setattr(file, "seek", lambda *to: starts.append(to[0]) or seek(*to), raising=False)
        return file

    monkeypatch.setattr(urls_module, "open_url", watched)
    count_texts(texts, counting=Counting())
    assert {start for start in starts if start} >= set(texts.systems["plain"].offsets[1:])  # pyright: ignore[reportAttributeAccessIssue]


@pytest.mark.parametrize("kind", ["memory", "s3"])
@pytest.mark.parametrize("name", ["plain", "gzip"])
@pytest.mark.parametrize("when", ["before", "midway"])
def test_a_file_that_is_replaced_is_refused(
    kind: str, name: str, when: str, request: pytest.FixtureRequest, files: dict[str, bytes]
) -> None:
    place = request.getfixturevalue("folder" if kind == "memory" else "bucket")
    texts = scanned(place, [name])
    system = fsspec.filesystem(kind)
    path = f"{place}/{NAMES[name]}"

    def replace() -> None:
        system.pipe(path, files[NAMES[name]][:-9] + b" altered\n")

    def run(function: Callable[[Any], Any], tasks: Iterable[Any], /, **_: object) -> Iterator[tuple[int, Any]]:
        for position, task in enumerate(tasks):
            if position == (1 if when == "midway" else 0):
                replace()
            yield position, function(task)

    try:
        with pytest.raises(FormatError, match=rf"{path}: the file was changed while it was counted; count it again"):
            count_texts(texts, counting=Counting(), run=run, workers=3)
    finally:
        system.pipe(path, files[NAMES[name]])


def test_texts_of_different_lengths_are_irregular(folder: str) -> None:
    fsspec.filesystem("memory").pipe("/texts/plain.txt", b"one line\n")
    with pytest.raises(IrregularError):
        scanned(folder)


@pytest.mark.parametrize(
    ("url", "error", "sentence"),
    [
        ("memory://texts/none.txt", FormatError, r"memory://texts/none.txt: no such file$"),
        (
            "nosuch://a/b",
            SettingsError,
            r"nosuch://a/b: Protocol not known: nosuch; fsspec is needed and, .*: install it with pip install",
        ),
    ],
)
def test_a_url_that_cannot_be_used_is_named(url: str, error: type[Exception], sentence: str) -> None:
    with pytest.raises(error, match=sentence):
        Source(url).open()


def test_a_file_that_s3_has_not_is_named(bucket: str) -> None:
    with pytest.raises(FormatError, match=r"s3://texts/none.txt: no such file$"):
        Source(f"{bucket}/none.txt").open()


def test_the_command_counts_urls_on_a_cluster_and_keeps_ranges(
    run: Runner, tmp_path: Path, bucket: str, files: dict[str, bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    local = [tmp_path / name for name in (REFERENCE, NAMES["plain"])]
    for path in local:
        path.write_bytes(files[path.name])
    alone = run("count", "--ref", local[0], local[1], "--out", tmp_path / "alone.counts")
    assert alone.status == 0, alone.err
    far = ["count", "--ref", f"{bucket}/{REFERENCE}", f"{bucket}/{NAMES['plain']}", "--keep", tmp_path / "kept.sqlite"]
    first = run(*far, "--out", tmp_path / "far.counts", "--cluster", "local:1")
    assert first.status == 0, first.err
    assert (tmp_path / "far.counts").read_bytes() == (tmp_path / "alone.counts").read_bytes()

    def refuse(_: object) -> None:
        raise AssertionError("counted again")

    monkeypatch.setattr("bleu_core.counts.counting._count_lines", refuse)
    again = run(*far, "--out", tmp_path / "again.counts", "--workers", "1")
    assert again.status == 0, again.err
    assert (tmp_path / "again.counts").read_bytes() == (tmp_path / "alone.counts").read_bytes()


def test_the_command_says_what_it_does_not_count(run: Runner, tmp_path: Path, folder: str) -> None:
    out = tmp_path / "x.counts"
    call = ["count", "--ref", f"{folder}/{REFERENCE}", "--out", out]
    fsspec.filesystem("memory").pipe("/texts/short.txt", b"one line\n")
    assert_refused(run(*call, f"{folder}/short.txt"), "memory://texts/short.txt: texts at URLs must be plain text")
    assert_refused(run(*call, f"{folder}/none.txt"), "memory://texts/none.txt: no such file")
    both = run(*call, f"{folder}/plain.txt", "--cluster", "local:2", "--workers", "2")
    assert_refused(both, "argument --workers: not allowed with --cluster; write --cluster local:N for N workers")
    assert not out.exists()


def test_equal_texts_give_equal_bytes_wherever_they_lie(folder: str, bucket: str) -> None:
    found = [encode_counts(count_texts(scanned(place, ["plain"]), counting=Counting())) for place in (folder, bucket)]
    assert found[0] == found[1]
