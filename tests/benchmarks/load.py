"""Many visitors at once: how long they wait for each page, and how much memory the server holds before and after.

    uv run --extra test python -m tests.benchmarks.load [--sessions 20] [--rounds 2]

Each visitor uploads files of their own, and then goes from page to page and changes settings, with some seconds of
thought in between. An answer has arrived when the page's last element has, the sidebar apart, and on the Overview when
the chart of the scores has; the page stands when all that follows has arrived, too. The server is this program in
another process: it writes its memory to a file when it gets a signal, and after another signal it drops results and
files soon, so that memory need not be watched for ten minutes.
"""

from __future__ import annotations

import argparse
import ctypes
import gc
import os
import random
import re
import resource
import signal
import statistics
import sys
import tempfile
import threading
import time
from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from streamlit.proto.Common_pb2 import StringArray
from tabulate import tabulate

from tests.benchmarks.client import Client
from tests.benchmarks.inputs import as_file, outputs
from tests.benchmarks.launch import server

#: The environment variable that says where the server writes its memory.
MEMORY_FILE = "BENCHMARK_MEMORY_FILE"

#: Seconds for which the server keeps ended sessions, and, once it got the signal, what nobody uses.
KEPT_FOR = 20

#: Pages that a visitor opens, in this order; a name with "=" changes a switch on the page, or chooses a part of it.
STEPS = (
    "",
    "ranking",
    "ranking_part=Pairs of systems",
    "two-systems",
    "blocks",
    "precision",
    "lowercase=1",
    "ranking",
    "lowercase=0",
)

MB = 2**20

#: Of the table of waiting times: until the answer, and until the page stands.
HEADERS = ("step", "answers", "answer, median, s", "95 of 100", "most", "page, median, s", "95 of 100", "most")

Files = Mapping[str, bytes]

#: Seconds until an answer arrived, and until the page stood.
Seconds = tuple[float, float]


def main() -> None:
    """Run the visitors, and print two tables."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.load", description="Many visitors at once.")
    parser.add_argument("--sessions", type=int, default=20)
    parser.add_argument("--systems", type=int, default=10)
    parser.add_argument("--segments", type=int, default=3000)
    parser.add_argument("--rounds", type=int, default=2, help="how often each visitor goes through the pages")
    parser.add_argument("--think", type=float, default=5, help="seconds between an answer and the next click")
    options = parser.parse_args()
    files = [_files(options.systems, options.segments, seed) for seed in range(options.sessions)]
    with tempfile.TemporaryDirectory() as folder:
        memory = Path(folder) / "memory"
        environment = {MEMORY_FILE: str(memory)}
        with server(("-m", "tests.benchmarks.load", SERVE), environment) as address:
            pid = int(memory.read_text().split()[0])
            with Client(address) as first:
                first.open()  # the sample data, which stay
            before = memory_of(pid, memory)
            begun, worked = time.monotonic(), processor_seconds(pid)
            times, errors = _visit(address, files, options.rounds, options.think)
            took, worked = time.monotonic() - begun, processor_seconds(pid) - worked
            peak = memory_of(pid, memory)
            os.kill(pid, signal.SIGUSR2)
            time.sleep(3 * KEPT_FOR)
            after = memory_of(pid, memory)
            rows = [
                {"MB": name, **values}
                for name, values in (("before", before), ("with all sessions", peak), ("afterwards", after))
            ]
    print(tabulate(_by_page(times), headers=HEADERS, floatfmt=".2f"))
    print()
    print(tabulate(rows, headers="keys", floatfmt=".0f"))
    answers = sum(map(len, times.values()))
    print(f"\nThe server worked {worked:.0f} s of {took:.0f} s, {worked / answers:.2f} s per answer.")
    print(f"{len(errors)} errors", *errors[:5], sep="\n")


#: The argument that makes this program the server.
SERVE = "--serve"


def serve() -> None:
    """Be the server: the dashboard's own, which can be told to write its memory and to forget soon."""
    from dashboard import launch, server
    from dashboard.__main__ import main as dashboard
    from dashboard.session import work
    from dashboard.session.cache import Results

    launch.PROTECTION = {**launch.PROTECTION, "server.disconnectedSessionTTL": KEPT_FOR}
    work.SWEEP_INTERVAL_S = server.SWEEP_INTERVAL_S = 5  # type: ignore[misc]
    path = Path(os.environ[MEMORY_FILE])

    def tell(*_: object) -> None:
        gc.collect()
        path.write_text(f"{os.getpid()} {_heap()} {_resident()} {work.RESULTS.bytes / MB} {len(work.RESULTS)}")

    def forget(*_: object) -> None:
        work.RESULT_TTL_S = work.FILES_TTL_S = KEPT_FOR  # type: ignore[misc]
        work.RESULTS = Results(work.MAX_RESULT_BYTES, KEPT_FOR)

    tell()
    signal.signal(signal.SIGUSR1, tell)
    signal.signal(signal.SIGUSR2, forget)
    sys.argv.remove(SERVE)
    sys.exit(dashboard())


class _Mallinfo(ctypes.Structure):
    """What glibc's malloc holds, in bytes; mallinfo2(3)."""

    names = ("arena", "ordblks", "smblks", "hblks", "hblkhd", "usmblks", "fsmblks", "uordblks", "fordblks", "keepcost")
    _fields_ = [(name, ctypes.c_size_t) for name in names]  # as ctypes has it


def _heap() -> float:
    """Megabytes in use, of malloc and of Python's own allocator, after what is free was given back."""
    libc = ctypes.CDLL("libc.so.6")
    libc.malloc_trim(0)
    libc.mallinfo2.restype = _Mallinfo
    found: Any = libc.mallinfo2()
    with tempfile.TemporaryFile() as report:
        kept = os.dup(2)
        os.dup2(report.fileno(), 2)
        sys._debugmallocstats()  # noqa: SLF001 # pyright: ignore[reportPrivateUsage] # writes to standard error
        os.dup2(kept, 2)
        os.close(kept)
        report.seek(0)
        small = re.search(rb"bytes in allocated blocks\s*=\s*([\d,]+)", report.read())
    return (found.uordblks + found.hblkhd + int(small.group(1).replace(b",", b"") if small else 0)) / MB


def _resident() -> float:
    return int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize() / MB


def _files(systems: int, segments: int, seed: int) -> Files:
    of_system, reference = outputs(systems, segments, seed)
    return {"reference.txt": as_file(reference)} | {f"{name}.txt": as_file(lines) for name, lines in of_system.items()}


def _visit(
    address: str, files: list[Files], rounds: int, think: float
) -> tuple[Mapping[str, list[Seconds]], list[str]]:
    """The seconds that every visitor waited, by step, and errors; all tabs are closed in the end."""
    times: defaultdict[str, list[Seconds]] = defaultdict(list)
    errors: list[str] = []

    def go(own: Files, seed: int) -> None:
        chance = random.Random(seed)
        time.sleep(think * chance.random())
        try:
            with Client(address) as client:
                times["sample, first page"].append(_answer(client, client.open()))
                time.sleep(think)
                client.visit("data")
                time.sleep(think)
                times["upload"].append(_answer(client, client.upload(own)))
                for again in range(rounds):
                    for step in STEPS:
                        time.sleep(think)
                        name, _, value = step.partition("=")
                        if not value:
                            seconds = client.visit(step)
                        elif value in ("0", "1"):
                            seconds = client.choose(name, bool_value=value == "1")
                        else:
                            seconds = client.choose(name, string_array_value=StringArray(data=[value]))
                        times[f"{step or 'overview'}{', again' if again else ''}"].append(_answer(client, seconds))
        except Exception as error:  # noqa: BLE001 # the others go on
            errors.append(f"{type(error).__name__}: {error}")

    visitors = [threading.Thread(target=go, args=(own, seed)) for seed, own in enumerate(files)]
    for visitor in visitors:
        visitor.start()
    for visitor in visitors:
        visitor.join()
    return times, errors


def memory_of(pid: int, path: Path) -> dict[str, float]:
    """What the server holds, after what is free was given back."""
    path.unlink()
    os.kill(pid, signal.SIGUSR1)
    while not path.exists() or len(path.read_text().split()) < 5:  # as many as are written
        time.sleep(0.1)
    _, heap, resident, results, number = map(float, path.read_text().split())
    return {"heap in use": heap, "resident": resident, "results": results, "number of results": number}


def processor_seconds(pid: int) -> float:
    """Seconds of the processor that a process has taken; on a busy machine they say more than waiting times."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _answer(client: Client, stood: float) -> Seconds:
    """When the answer arrived, and when the page stood."""
    overview = [key for key in client.arrived if key.endswith("-overview-scores")]
    return min([client.arrived[key] for key in overview] or [client.answered]), stood


def _by_page(times: Mapping[str, list[Seconds]]) -> list[list[object]]:
    first = ("sample, first page", "upload")
    every = [seconds for name, of in times.items() for seconds in of if name != "upload"]
    later = [seconds for name, of in times.items() for seconds in of if name not in (*first, "overview")]
    return [
        [name, len(of), *(quantile for kind in zip(*of, strict=True) for quantile in _quantiles(kind))]
        for name, of in [*times.items(), ("later answers", later), ("all pages", every)]
    ]


def _quantiles(seconds: Sequence[float]) -> tuple[float, float, float]:
    """The median, what 95 of 100 do not exceed, and the most."""
    hundredths = statistics.quantiles(seconds, n=100, method="inclusive") if len(seconds) > 1 else [*seconds] * 99
    return hundredths[49], hundredths[94], max(seconds)


if __name__ == "__main__":
    serve() if SERVE in sys.argv else main()
