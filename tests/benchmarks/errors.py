"""Time the page Segments on texts in which judges marked many errors, and on the same texts without errors.

    uv run --extra test python -m tests.benchmarks.errors [--systems 10] [--segments 2500] [--errors 100000] [--profile]

Times are seconds of the processor, which a busy machine disturbs least, in one run of the app without a browser: the
upload, the first page with scores, Segments when it is first opened and when it is drawn again, and the next segment,
the median of several and the slowest.
"""

from __future__ import annotations

import argparse
import random
import statistics
import sys
import time
from collections.abc import Callable, Mapping, Sequence

from streamlit.testing.v1 import AppTest
from tabulate import tabulate

from tests.benchmarks.inputs import as_file, outputs
from tests.benchmarks.pages import APP, with_profile
from tests.pages import visit

HEADER = "system\tdoc\tdoc_id\tseg_id\trater\tsource\ttarget\tcategory\tseverity"
CATEGORIES = ("Accuracy/Mistranslation", "Accuracy/Omission", "Fluency/Grammar", "Style/Awkward", "Terminology")
SEVERITIES = ("Minor", "Major", "Critical")
JUDGES = 4

#: Number of times that the next segment is opened.
STEPS = 15


def main() -> None:
    """Print a table of times."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.errors", description="Time pages with errors.")
    parser.add_argument("--systems", type=int, default=10)
    parser.add_argument("--segments", type=int, default=2500)
    parser.add_argument("--errors", type=int, default=100_000)
    parser.add_argument("--profile", action="store_true", help="print where the time of the next segment goes")
    options = parser.parse_args()
    sys.argv = ["app.py"]  # which the app reads
    systems, reference = outputs(options.systems, options.segments)
    rows = [
        times(systems, reference, errors=errors, profiled=options.profile and errors > 0)
        for errors in (0, options.errors)
    ]
    print(tabulate(rows, headers="keys", floatfmt=".2f"))


def times(
    systems: Mapping[str, Sequence[str]], reference: Sequence[str], *, errors: int, profiled: bool
) -> dict[str, object]:
    """Return the seconds of the page.

    Args:
        systems: outputs by system.
        reference: their reference, which is their source, too.
        errors: number of errors.
        profiled: whether to print a profile of the next segment.
    """
    app = AppTest.from_file(str(APP), default_timeout=600).run()
    texts = {"reference": reference, "source": reference, **systems}
    files = [(f"{name}.txt", as_file(list(lines)), "text/plain") for name, lines in texts.items()]
    files.append(("mqm.tsv", mqm(systems, reference, errors), "text/plain"))
    visit(app, "data")
    row: dict[str, object] = {"errors": errors, "upload": timed(lambda: app.file_uploader[0].set_value(files).run())}
    row["scores"] = timed(lambda: visit(app, "ranking/scores"))
    row["segments"] = timed(lambda: visit(app, "segments"))
    row["again"] = timed(app.run)
    steps = [timed(lambda: app.button(key="reader-next").click().run()) for _ in range(STEPS)]
    row |= {"next": statistics.median(steps), "slowest": max(steps)}
    if profiled:
        with_profile(lambda: app.button(key="reader-next").click().run())
    if app.exception or app.error:
        raise RuntimeError(f"{[*app.exception, *app.error]}")
    marked = sum('class="error" tab' in str(element.proto.body) for element in app.get("html"))
    if bool(marked) != bool(errors):
        raise RuntimeError(f"{marked} segments with errors")
    return row


def timed(work: Callable[[], object]) -> float:
    """Return the seconds of the processor that it takes, in all threads."""
    begun = time.process_time()
    work()
    return time.process_time() - begun


def mqm(systems: Mapping[str, Sequence[str]], source: Sequence[str], errors: int) -> bytes:
    """Return a file of MQM with about as many errors, by several judges, spread evenly over all outputs."""
    rng = random.Random(1)
    per_item = errors / (len(systems) * len(source) * JUDGES)
    rows = [HEADER]
    for name, lines in systems.items():
        for number, (line, of_source) in enumerate(zip(lines, source, strict=True), start=1):
            for judge in range(JUDGES):
                count = int(per_item) + (rng.random() < per_item % 1)
                item = f"{name}\td\t{number}\t{number}\tjudge {judge}\t{of_source}"
                for _ in range(count):
                    start = rng.randrange(max(len(line) - 5, 1))
                    end = min(start + rng.randrange(3, 40), len(line))
                    marked = f"{line[:start]}<v>{line[start:end]}</v>{line[end:]}"
                    rows.append(f"{item}\t{marked}\t{rng.choice(CATEGORIES)}\t{rng.choice(SEVERITIES)}")
                if not count:
                    rows.append(f"{item}\t{line}\tNo-error\tNo-error")
    return "".join(f"{row}\n" for row in rows).encode()


if __name__ == "__main__":
    main()
