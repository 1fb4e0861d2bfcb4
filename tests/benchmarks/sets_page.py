"""The page Test sets at the size of a shared task: 60 systems, 30 test sets, 1,000 segments each.

    uv run --extra test python -m tests.benchmarks.sets_page [SYSTEMS SETS SEGMENTS]

Prints the seconds of the first page, of other settings and slices, and of other parts, and the memory of the process.
"""

from __future__ import annotations

import resource
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

sys.path.append(str(Path(__file__).parents[1]))  # of the modules that tests share

from pages import APP, visit
from streamlit.testing.v1 import AppTest

from bleu_core.uploads import File

WORDS_IN_SEGMENT, VOCABULARY = 25, 5_000


def files(systems: int, sets: int, segments: int) -> tuple[File, ...]:
    """Return the files of test sets of random words, in which each system has a share of the words wrong."""
    draw = np.random.default_rng(1)
    words = np.array([f"w{number}" for number in range(VOCABULARY)])
    found: list[File] = []
    for number in range(sets):
        name = f"set{number:02}"
        reference = draw.integers(VOCABULARY, size=(segments, WORDS_IN_SEGMENT))
        texts = {("reference", "ref.txt"): reference}
        for system in range(systems):
            wrong = draw.random(reference.shape) < 0.2 + 0.002 * system
            output = np.where(wrong, draw.integers(VOCABULARY, size=reference.shape), reference)
            texts["system", f"system{system:02}.txt"] = output
        for (role, file_name), numbers in texts.items():
            lines = "\n".join(" ".join(row) for row in words[numbers])
            found.append(File(file_name, f"{lines}\n".encode(), role, test_set=name))  # type: ignore[arg-type]
    return tuple(found)


def timed(what: str, action: Callable[[], object]) -> None:
    """Print how long an action takes."""
    start, processor = time.perf_counter(), time.process_time()
    action()
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    elapsed, used = time.perf_counter() - start, time.process_time() - processor
    sys.stdout.write(f"{what:40} {elapsed:6.1f} s ({used:5.1f} s of the processor), peak {memory:.2f} GB\n")
    sys.stdout.flush()


def main() -> None:
    """Measure the page."""
    systems, sets, segments = map(int, sys.argv[1:4] or (60, 30, 1_000))
    app = AppTest.from_file(APP, default_timeout=600)
    app.run()
    app.session_state["held"].files = files(systems, sets, segments)
    app.session_state["dataset"] = "own"
    timed("read the first test set, Data page", lambda: visit(app, "data"))
    timed("first table", lambda: visit(app, "test-sets/scores"))
    timed("the same again", app.run)
    timed("with a baseline", lambda: app.selectbox(key="sets_baseline").set_value("system00").run())
    timed("other smoothing", lambda: app.selectbox(key="smoothing").set_value("floor").run())
    app.session_state["slice"] = "segment <= 800"
    timed("a slice", app.run)
    timed("overall", lambda: visit(app, "test-sets/overall"))
    timed("next test set", lambda: visit(app, "test-sets/next"))
    assert not app.exception


if __name__ == "__main__":
    main()
