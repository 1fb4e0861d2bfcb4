"""Time the pages for several numbers of systems, when they are first opened and again.

    uv run --extra test python -m tests.benchmarks.pages [--systems 5 16 50] [--segments 3000 3000 2000]

Times are wall-clock seconds of one run of the app without a browser, in which nothing was computed before.
"""

from __future__ import annotations

import argparse
import cProfile
import pstats
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from streamlit.testing.v1 import AppTest
from tabulate import tabulate

from dashboard import views
from tests.benchmarks.inputs import as_file, outputs
from tests.pages import visit

APP = Path(views.__file__).parents[1] / "app.py"

#: A page, and a part of it after a slash -> what it is called here.
PAGES = {
    "": "Overview",
    "ranking/scores": "Scores",
    "ranking/pairs": "Pairs of systems",
    "two-systems/difference": "Two systems",
    "blocks": "Blocks",
    "segments": "Segments",
    "paper": "Paper",
}


def main() -> None:
    """Print a table of times."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.pages", description="Time the pages.")
    parser.add_argument("--systems", type=int, nargs="+", default=[5, 16, 50])
    parser.add_argument(
        "--segments", type=int, nargs="+", default=[3000, 3000, 2000], help="for each number of systems"
    )
    parser.add_argument("--pages", nargs="+", default=list(PAGES), choices=list(PAGES))
    parser.add_argument("--profile", metavar="PAGE", help="print where the time goes when this page is first opened")
    options = parser.parse_args()
    sys.argv = ["app.py"]  # which the app reads
    rows: list[dict[str, object]] = []
    for systems, segments in zip(options.systems, options.segments, strict=True):
        rows += time_pages(systems, segments, options.pages, options.profile)
    print(tabulate(rows, headers="keys", floatfmt=".2f"))


def time_pages(
    systems: int, segments: int, paths: Sequence[str], profiled: str | None = None
) -> list[dict[str, object]]:
    """The seconds of each page, first and again.

    Args:
        systems: the number of systems.
        segments: of each.
        paths: the pages' addresses.
        profiled: the address of a page of which a profile is printed.
    """
    app = AppTest.from_file(str(APP), default_timeout=600).run()
    of_system, reference = outputs(systems, segments)
    files = [("reference.txt", as_file(reference), "text/plain")]
    files += [(f"{name}.txt", as_file(lines), "text/plain") for name, lines in of_system.items()]
    visit(app, "data")
    rows = [
        {
            "systems": systems,
            "segments": segments,
            "page": "upload",
            "first": timed(lambda: app.file_uploader[0].set_value(files).run()),
        }
    ]
    for path in paths:
        row: dict[str, object] = {"systems": systems, "segments": segments, "page": PAGES[path]}
        row["first"] = (
            with_profile(lambda p=path: visit(app, p)) if path == profiled else timed(lambda p=path: visit(app, p))
        )
        row["again"] = timed(app.run)
        if app.exception or app.error:
            raise RuntimeError(f"{PAGES[path]}: {[*app.exception, *app.error]}")
        rows.append(row)
    return rows


def timed(work: Callable[[], object]) -> float:
    """Seconds that it takes."""
    begun = time.perf_counter()
    work()
    return time.perf_counter() - begun


def with_profile(work: Callable[[], object]) -> float:
    """Seconds that it takes under a profiler of all threads, whose findings are printed."""
    profile = cProfile.Profile()
    import threading

    threading.setprofile(lambda *_: profile.enable())
    seconds = timed(work)
    threading.setprofile(None)
    pstats.Stats(profile).sort_stats("cumtime").print_stats(60)
    return seconds


if __name__ == "__main__":
    main()
