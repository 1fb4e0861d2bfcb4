"""What is imported, and set, before anything is counted."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from calls import arguments
from nightly import nightly

import sample_data


@pytest.mark.parametrize(
    ("what", "threads"),
    [
        ("from bleu_core.__main__ import main; main()", "1"),
        ("import bleu_core.cli; bleu_core.cli.main(['score'])", "None"),
        ("import bleu_core.scoring", "None"),
    ],
)
def test_only_the_program_keeps_blas_at_one_thread(what: str, threads: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENBLAS_NUM_THREADS", raising=False)
    script = f"import os\ntry:\n    {what}\nexcept SystemExit:\n    pass\nprint(os.environ.get('OPENBLAS_NUM_THREADS'))"
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == threads


LOADED = """
import sys
{what}
print(*sorted(name for name in {names!r} if name in sys.modules))
"""


@pytest.mark.parametrize(
    ("what", "names"),
    [
        ("import bleu_core", ("pandas", "scipy", "scipy.stats", "sacrebleu", "tabulate")),
        (
            "import bleu_core.cli.commands, bleu_core.results.scores, bleu_core.formats.reading",
            ("streamlit", "plotly", "dashboard", "sample_data", "pandas", "scipy.stats", "sacrebleu"),
        ),
    ],
)
def test_importing_the_core_loads_nothing_heavy_and_no_screen(what: str, names: tuple[str, ...]) -> None:
    result = subprocess.run(
        [sys.executable, "-c", LOADED.format(what=what, names=names)],
        capture_output=True,
        check=True,
        cwd=Path(__file__).parents[2],
    )
    assert result.stdout.strip() == b""


@pytest.mark.parametrize("command", ["correlate", *nightly(["score", "compare"])])
def test_running_a_command_loads_no_screen(corpus: dict[str, Path], command: str) -> None:
    call = [*map(str, arguments(command, corpus)), "--format", "json"]
    what = f"from bleu_core.cli import main; main({call!r})"
    names = ["streamlit", "plotly", "dashboard", "sample_data"]
    if command == "score":  # scoring alone needs neither tables nor statistics
        names += ["pandas", "scipy.stats"]
    result = subprocess.run(
        [sys.executable, "-c", LOADED.format(what=what, names=names)],
        capture_output=True,
        check=True,
        cwd=Path(__file__).parents[2],
    )
    assert result.stdout.splitlines()[-1].strip() == b""


#: Packages that take longer to import than scoring, or do more than scoring needs. What else is imported depends on
#: what an environment's start-up files import.
SLOW_TO_IMPORT = frozenset(
    {"dask", "distributed", "fsspec", "lxml", "openpyxl", "pandas", "plotly", "pyarrow", "sacrebleu", "scipy"}
    | {"streamlit", "tabulate", "tqdm", "xlsxwriter"}
)

IMPORTED = """
import sys
from bleu_core.cli import main
main({call!r})
print(*sorted({{name.split(".")[0] for name in sys.modules}}))
"""


def test_scoring_imports_nothing_slow() -> None:
    call = ["score", "--ref", str(sample_data.references()[0]), *map(str, sample_data.systems()), "--format", "json"]
    result = subprocess.run(
        [sys.executable, "-c", IMPORTED.format(call=call)],
        capture_output=True,
        check=True,
        cwd=Path(__file__).parents[2],
        text=True,
    )
    *_, imported = result.stdout.splitlines()
    assert SLOW_TO_IMPORT.isdisjoint(imported.split())
