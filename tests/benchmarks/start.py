"""How long `bleu-core score` takes on the sample, from the start of the process to its end.

    uv run --extra test python -m tests.benchmarks.start [--runs 20]

Beside it, in turn, what Python takes to import NumPy and sacreBLEU takes to score one of the systems.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import time
from statistics import median

from tabulate import tabulate

import sample_data


def commands() -> dict[str, list[str]]:
    """Return each command that is timed, by its name."""
    reference, systems = str(sample_data.references()[0]), [str(path) for path in sample_data.systems()]
    start = "import sys; from bleu_core.cli import main; sys.exit(main())"
    return {
        "bleu-core score": [sys.executable, "-c", start, "score", "--ref", reference, *systems],
        "sacrebleu": [sys.executable, "-m", "sacrebleu", reference, "-i", systems[0]],
        "import numpy": [sys.executable, "-c", "import numpy"],
    }


def seconds(command: list[str]) -> float:
    """Return the wall time of a whole process, which finds compiled modules."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    begun = time.perf_counter()
    subprocess.run(command, check=True, capture_output=True, env=environment)
    return time.perf_counter() - begun


def main() -> None:
    """Print the median, lowest and highest time of each command."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.benchmarks.start", description=(__doc__ or "").split("\n")[0]
    )
    parser.add_argument("--runs", type=int, default=20, help="runs of each command (default: 20)")
    runs: int = parser.parse_args().runs
    times: dict[str, list[float]] = {name: [] for name in commands()}
    for command in commands().values():
        seconds(command)  # compiles modules, and fills the caches of files
    for _ in range(runs):
        for name, command in commands().items():
            times[name].append(seconds(command))
    rows = [[name, median(each), min(each), max(each)] for name, each in times.items()]
    print(tabulate(rows, headers=["whole process", "median, s", "lowest", "highest"], floatfmt=".3f"))


if __name__ == "__main__":
    main()
