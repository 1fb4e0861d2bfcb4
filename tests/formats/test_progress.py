"""Progress within one file: readers that go through a file piece by piece tell how far they are."""

from __future__ import annotations

import bz2
import gzip
import lzma
import random
from collections.abc import Callable
from functools import cache, partial
from pathlib import PurePosixPath

import pytest
from small_files import open_document, open_document_rows, parquet, workbook

from bleu_core import progress as progress_module
from bleu_core.formats import FileRole, inspect, pack_files, read
from bleu_core.formats import text as text_module
from bleu_core.progress import file_progress, report_progress, scaled_progress
from bleu_core.uploads import assemble, create_file

TEXT = "the cat sat on the mat"
UNIT = f"<trans-unit id='{{0}}'><source>{TEXT} {{0}}</source><target>{TEXT}</target></trans-unit>"
ROWS = range(20_000)
TEXTS: dict[str, tuple[FileRole, str]] = {
    "a.txt": ("system", "".join(f"{TEXT} {n}\n" for n in ROWS)),
    "ä.txt": ("system", "".join(f"{TEXT} über {n}\n" for n in ROWS)),
    "a.csv": ("system", "source,A\n" + "".join(f'"{TEXT}",{n}\n' for n in ROWS)),
    "a.tsv": ("system", "source\tA\n" + "".join(f"{TEXT}\t{n}\n" for n in ROWS)),
    "a.xlf": ("system", f"<xliff version='1.2'><file><body>{''.join(map(UNIT.format, ROWS))}</body></file></xliff>"),
    "a.sgm": (
        "source",
        f"<srcset setid='x'>{''.join(f'<doc docid={n}><seg id=1>{TEXT}</seg></doc>' for n in ROWS)}</srcset>",
    ),
    "a.jsonl": ("system", "".join(f'{{"source":"{TEXT}","A":"{n} x"}}\n' for n in ROWS)),
    "a.po": ("system", "".join(f'msgid "{TEXT} {n}"\nmsgstr "{TEXT}"\n\n' for n in ROWS)),
}
#: Formats that take time to write, which only the tests that read them spend.
WRITTEN: dict[str, tuple[FileRole, Callable[[], bytes]]] = {
    "a.parquet": (
        "system",
        lambda: parquet({"source": [TEXT for _ in ROWS], "A": [f"{n} x" for n in ROWS]}, row_group_size=200),
    ),
    "a.xlsx": ("system", lambda: workbook([["source", "A"], *([TEXT, f"{n} x"] for n in ROWS)])),
    "a.ods": (
        "system",
        lambda: open_document(open_document_rows([["source", "A"], *([TEXT, f"{n} x"] for n in ROWS)])),
    ),
    "a.zip": (
        "archive",
        lambda: pack_files(
            {
                PurePosixPath("sources/x-y.txt"): lambda: b"a\nb\n",
                PurePosixPath("references/x-y.refA.txt"): lambda: b"a\nb\n",
                **{PurePosixPath(f"system-outputs/x-y/S{n}.txt"): lambda: b"a\nb\n" for n in range(5)},
            },
            "a",
        ),
    ),
}


@cache
def file(name: str) -> tuple[FileRole, bytes]:
    """Its role and its bytes."""
    if name in TEXTS:
        role, text = TEXTS[name]
        return role, text.encode()
    role, write = WRITTEN[name]
    return role, write()


@pytest.mark.usefixtures("readers_here")  # another process would tell only what it does every tenth of a second
@pytest.mark.parametrize("name", [*TEXTS, *WRITTEN])
def test_progress_grows_within_a_file(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.setattr(progress_module, "REPORT_INTERVAL_S", 0.0)
    monkeypatch.setattr(text_module, "PIECE_CHARS", 2**14)
    role, data = file(name)
    told: list[float] = []
    found = read(data, name, role, progress=lambda done, total: told.append(done / total))
    assert found == read(data, name, role)
    assert len(told) > 3
    assert told == sorted(told)
    assert 0 <= told[0] < 0.5 < told[-1] <= 1


def test_progress_is_told_at_most_ten_times_a_second(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[int] = []
    seconds = iter(n / 64 for n in range(64, 1000))
    monkeypatch.setattr(progress_module.time, "monotonic", lambda: next(seconds))
    with file_progress(lambda done, _: told.append(done)):
        for n in range(640):  # ten seconds
            report_progress(n, 640)
    assert 80 <= len(told) <= 101
    before = len(told)
    report_progress(1, 1)  # nobody wants to know any more
    assert len(told) == before


def test_a_part_is_a_share_of_the_whole() -> None:
    told: list[tuple[int, int]] = []
    part = scaled_progress(lambda done, total: told.append((done, total)), 100, 50, 200)
    assert part is not None
    part(0, 10)
    part(5, 10)
    part(10, 10)
    assert told == [(100, 200), (125, 200), (150, 200)]


def test_a_callback_that_raises_ends_the_reading(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress_module, "REPORT_INTERVAL_S", 0.0)

    def cancel(_: int, __: int) -> None:
        raise KeyboardInterrupt

    for name in (*TEXTS, *WRITTEN):
        role, data = file(name)
        with pytest.raises(KeyboardInterrupt):
            assemble([create_file(name, data, role)], progress=cancel)


def test_files_together_move_from_0_to_all_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress_module, "REPORT_INTERVAL_S", 0.0)
    _, data = file("a.csv")
    told: list[tuple[int, int]] = []
    assemble([create_file(f"{k}.csv", data, "system") for k in "xy"], progress=lambda *at: told.append(at))
    assert told == sorted(told)
    assert told[-1] == (2 * len(data), 2 * len(data))
    assert any(0 < done < len(data) for done, _ in told)
    assert any(len(data) < done < 2 * len(data) for done, _ in told)


@pytest.mark.parametrize(
    "pack", [gzip.compress, bz2.compress, partial(lzma.compress, preset=0)], ids=["gz", "bz2", "xz"]
)
def test_progress_is_told_while_a_file_is_unpacked(
    monkeypatch: pytest.MonkeyPatch, pack: Callable[[bytes], bytes]
) -> None:
    monkeypatch.setattr(progress_module, "REPORT_INTERVAL_S", 0.0)
    chance = random.Random(1)
    data = pack("\n".join(chance.randbytes(2**9).hex() for _ in range(2**12)).encode())
    told: list[float] = []
    inspect(data, "a.txt", progress=lambda done, total: told.append(done / total))
    assert len(told) > 3
    assert told == sorted(told)
    assert told[-1] == 1
    told.clear()
    read(data, "a.txt", "system", progress=lambda done, total: told.append(done / total))
    assert told == sorted(told)
    assert told[0] < 0.5 < told[-1]
