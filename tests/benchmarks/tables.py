"""How long a table of a million rows takes to read, and how much memory, with each of the two parsers of cells.

    uv run --extra test python -m tests.benchmarks.tables [--rows 1000000]

Each table is read in processes of their own, in turn: by rows, and by pandas. The program uses pandas for tables of
repeated cells, such as ratings.
"""

from __future__ import annotations

import argparse
import random
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from tabulate import tabulate

from bleu_core.formats import FileRole, delimited, read

WORDS = ("the", "of", "and", "to", "in", "is", "you", "that", "it", "he", "was", "for", "on", "are", "with", "his")
#: File -> the role in which it is read.
ROLES: dict[str, FileRole] = {"texts.tsv": "system", "texts.csv": "system", "ratings.tsv": "judgments"}
PARSERS = ("rows", "pandas")
#: Texts of which the tables are made, each followed by the number of its row.
N_TEXTS = 20_000


def lines(name: str, rows: int) -> Iterator[str]:
    """Yield the lines of a table: four texts, or a rating, in each row."""
    generator = random.Random(1)
    separator = "," if name.endswith(".csv") else "\t"
    if name.startswith("ratings"):
        yield "segment\tsystem\tjudge\tscore\n"
        for row in range(rows):
            judge, score = generator.randrange(30), generator.randrange(10_000) / 100
            yield f"{row // 10 + 1}\tsystem-{row % 10}\tjudge-{judge}\t{score}\n"
        return
    texts = [" ".join(generator.choices(WORDS, k=generator.randint(5, 20))) for _ in range(N_TEXTS)]
    yield separator.join(("A", "B", "C", "ref")) + "\n"
    for row in range(rows):
        yield separator.join(f"{text} {row}" for text in generator.choices(texts, k=4)) + "\n"


def measure(path: Path, parser: str) -> None:
    """Read a table in this process, and print the seconds of processor time and the megabytes that it took."""
    import pandas as pd  # noqa: F401 # both parsers find it loaded

    delimited.MIN_PANDAS_CHARS = 1 if parser == "pandas" else sys.maxsize
    delimited.MAX_DISTINCT_SHARE = 1.0
    data = path.read_bytes()
    before, begun = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, time.process_time()
    read(data, path.name, ROLES[path.name])
    seconds = time.process_time() - begun
    print(seconds, (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024)


def main() -> None:
    """Print the time and memory for each table and parser, and their ratio to those by rows."""
    options = argparse.ArgumentParser(
        prog="python -m tests.benchmarks.tables", description=(__doc__ or "").split("\n")[0]
    )
    options.add_argument("--rows", type=int, default=1_000_000, help="rows of each table (default: 1000000)")
    options.add_argument("--measure", nargs=2, metavar=("FILE", "PARSER"), help="read a file in this process")
    chosen = options.parse_args()
    if chosen.measure:
        measure(Path(chosen.measure[0]), chosen.measure[1])
        return
    results: list[list[object]] = []
    with tempfile.TemporaryDirectory() as folder:
        for name in ROLES:
            path = Path(folder) / name
            with path.open("w", encoding="utf-8") as file:
                file.writelines(lines(name, chosen.rows))
            by_rows: list[float] = []
            for parser in PARSERS:
                command = [sys.executable, "-m", "tests.benchmarks.tables", "--measure", str(path), parser]
                output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
                values = [float(value) for value in output.split()]
                by_rows = by_rows or values
                results.append([name, parser, *values, values[0] / by_rows[0], values[1] / by_rows[1]])
    headers = ["table", "parser", "seconds", "MB", "time, ratio", "memory, ratio"]
    print(tabulate(results, headers=headers, floatfmt=("", "", ".2f", ".0f", ".2f", ".2f")))


if __name__ == "__main__":
    main()
