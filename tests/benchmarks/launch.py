"""Time the start of the dashboard: until the server answers, and until its first page stands.

    uv run --extra test python -m tests.benchmarks.launch [--repeats 5] [--wait 0 3]

Each time a fresh process is started, and visited without a browser some seconds after it answers.
"""

from __future__ import annotations

import argparse
import socket
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager

from tabulate import tabulate

from tests.benchmarks.client import PATIENCE, Client
from tests.benchmarks.start import compiling


def main() -> None:
    """Print a table of times."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.launch", description="Time the first page.")
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument(
        "--wait", type=float, nargs="+", default=[0, 3], help="seconds between the answer and the visit"
    )
    options = parser.parse_args()
    rows: list[dict[str, object]] = []
    for wait in options.wait:
        times = [launch(wait) for _ in range(options.repeats)]
        rows += [
            {"seconds between": wait, "until": name, "median, s": statistics.median(of), "most, s": max(of)}
            for name, of in _by_name(times)
        ]
    print(tabulate(rows, headers="keys", floatfmt=".2f"))


def launch(wait: float) -> dict[str, float]:
    """The seconds of one start."""
    begun = time.perf_counter()
    with server() as address:
        answered = time.perf_counter() - begun
        time.sleep(wait)
        asked = time.perf_counter()
        with Client(address) as client:
            client.open()
            stands = time.perf_counter()
            second = client.visit("ranking/scores")
    return {
        "the server answers, from the start": answered,
        "the first page stands, from its request": stands - asked,
        "the first page stands, from the start, without the wait": stands - begun - wait,
        "the second page stands, from its request": second,
    }


@contextmanager
def server(command: Sequence[str] = ("-m", "dashboard"), environment: Mapping[str, str] | None = None) -> Iterator[str]:
    """Start the dashboard on a free port, and wait until it answers; gives its address.

    Args:
        command: what Python is to run; the options of the dashboard are added.
        environment: further variables.
    """
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    with tempfile.TemporaryDirectory() as home:
        process = subprocess.Popen(
            [sys.executable, *command, "--port", str(port), "--no-browser"],
            env={**compiling(), "HOME": home, **(environment or {})},
            stdout=subprocess.DEVNULL,
        )
        try:
            _wait(f"http://127.0.0.1:{port}/_stcore/health", process)
            yield f"http://127.0.0.1:{port}"
        finally:
            process.terminate()
            process.wait(20)


def _wait(health: str, process: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline and process.poll() is None:
        try:
            with urllib.request.urlopen(health, timeout=PATIENCE):
                return
        except OSError:
            time.sleep(0.02)
    raise RuntimeError("the server does not answer")


def _by_name(times: Sequence[Mapping[str, float]]) -> list[tuple[str, list[float]]]:
    return [(name, [each[name] for each in times]) for name in times[0]]


if __name__ == "__main__":
    main()
