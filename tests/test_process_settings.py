"""Settings of the whole process: a program that imports the library keeps its own."""

from __future__ import annotations

import csv
import json
import subprocess
import sys
from pathlib import Path

import pytest

import sample_data

#: Imports the packages that the library uses, then the library, reads files, and prints settings before and after.
#: Another thread looks at garbage collection meanwhile.
SCRIPT = """
import csv, decimal, gc, importlib, json, locale, logging, os, pkgutil, random, signal, sys, threading, warnings
import dask, lxml.etree, numpy, pandas, pyarrow.parquet, sacrebleu, scipy.stats, {packages}

names = {names!r}
def settings():
    return {{
        "csv": csv.field_size_limit(),
        "gc": gc.isenabled(),
        "thresholds": gc.get_threshold(),
        "frozen": gc.get_freeze_count(),
        "warnings": [str(entry) for entry in warnings.filters],
        "recursion": sys.getrecursionlimit(),
        "digits": sys.get_int_max_str_digits(),
        "switch interval": sys.getswitchinterval(),
        "numpy": numpy.geterr(),
        "locale": locale.setlocale(locale.LC_ALL),
        "environment": dict(os.environ),
        "decimal": str(decimal.getcontext()),
        "signals": [str(signal.getsignal(number)) for number in sorted(signal.valid_signals())],
        "pandas": {{name: str(pandas.get_option(name)) for name in ("mode.copy_on_write", "display.max_rows")}},
        "logging": [logging.root.level, logging.root.disabled, str(logging.root.handlers), logging.raiseExceptions],
        "folder": os.getcwd(),
        "hooks": [str(hook) for hook in (sys.excepthook, threading.excepthook, sys.unraisablehook)],
        "random": random.getstate()[1][:3],
        "numpy random": str(numpy.random.get_state()[1][:3]),
    }}

before, seen, done = settings(), set(), threading.Event()
def watch():
    while not done.wait(0.0005):
        seen.add((gc.isenabled(), csv.field_size_limit()))
watcher = threading.Thread(target=watch, daemon=True)
watcher.start()
for name in names:
    package = importlib.import_module(name)
    for module in pkgutil.walk_packages(package.__path__, f"{{name}}."):
        if module.name not in ("bleu_core.__main__", "dashboard.__main__", "dashboard.app"):  # programs
            importlib.import_module(module.name)
import bleu_core
for path in sys.argv[1:]:
    bleu_core.load(systems=[path], references=[{reference!r}])
done.set()
watcher.join()
seen.add((before["gc"], before["csv"]))
print(json.dumps([before, settings(), sorted(seen)]))
"""


def test_importing_and_reading_change_no_setting_of_the_process(tmp_path: Path) -> None:
    reference = sample_data.references()[0]
    lines = reference.read_text(encoding="utf-8").split("\n")[:-1]
    with (tmp_path / "table.csv").open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([["A", "B"], *([line, line] for line in lines)])
    rows = "".join(f"{json.dumps({'A': line})}\n" for line in lines)
    (tmp_path / "rows.jsonl").write_text(rows, encoding="utf-8")
    files = [*sample_data.systems(), tmp_path / "rows.jsonl", tmp_path / "table.csv"]
    script = SCRIPT.format(
        names=("bleu_core", "dashboard"), packages="streamlit, plotly.tools, plotly.io", reference=str(reference)
    )
    run = subprocess.run(
        [sys.executable, "-c", script, *map(str, files)], capture_output=True, text=True, check=True, cwd=tmp_path
    )
    before, after, seen = json.loads(run.stdout)
    assert after == before
    assert len(seen) == 1


@pytest.mark.parametrize(
    "start",
    ["from bleu_core.__main__ import main; sys.argv[1:] = ['--version']", "from dashboard.__main__ import main"],
)
def test_programs_prepare_their_process_before_numpy_loads(start: str) -> None:
    loaded = "import sys, os; {}; assert 'numpy' not in sys.modules; sys.argv[1:] = ['--help']\ntry:\n    main()\n"
    script = loaded + "except SystemExit:\n    pass\nprint(os.environ['OPENBLAS_NUM_THREADS'], file=sys.stderr)"
    run = subprocess.run(
        [sys.executable, "-c", script.format(start)], capture_output=True, text=True, check=True, env={}
    )
    assert run.stderr == "1\n"
