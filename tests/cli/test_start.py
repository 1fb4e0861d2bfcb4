"""What is imported, and set, before anything is counted."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from calls import arguments

import sample_data


@pytest.mark.parametrize(
    ("what", "threads"),
    [("import bleu_core.cli; bleu_core.cli.main(['score'])", "1"), ("import bleu_core.scoring", "None")],
)
def test_only_the_command_keeps_blas_at_one_thread(what: str, threads: str, monkeypatch: pytest.MonkeyPatch) -> None:
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
            "import bleu_core.cli.commands, bleu_core.reports.scores, bleu_core.formats.reading",
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


@pytest.mark.parametrize("command", ["score", "correlate", "compare"])
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


#: The modules of the core that scoring plain files imports. A longer list makes every start slower.
IMPORTED_BY_SCORE = [
    "bleu_core",
    "bleu_core.arrays",
    "bleu_core.cli",
    "bleu_core.cli.arguments",
    "bleu_core.cli.commands",
    "bleu_core.cli.counts_files",
    "bleu_core.cli.files",
    "bleu_core.cli.inputs",
    "bleu_core.cli.options",
    "bleu_core.cli.result",
    "bleu_core.cli.score",
    "bleu_core.cli.start",
    "bleu_core.cli.steps",
    "bleu_core.cli.streaming",
    "bleu_core.cli.terminal",
    "bleu_core.cli.workspaces",
    "bleu_core.dataset",
    "bleu_core.dataset.corpus",
    "bleu_core.dataset.judgments",
    "bleu_core.dataset.labels",
    "bleu_core.errors",
    "bleu_core.fields",
    "bleu_core.formats",
    "bleu_core.formats.compression",
    "bleu_core.formats.contents",
    "bleu_core.formats.declaration",
    "bleu_core.formats.delimited",
    "bleu_core.formats.files",
    "bleu_core.formats.invisible",
    "bleu_core.formats.large_text",
    "bleu_core.formats.mapping",
    "bleu_core.formats.markup",
    "bleu_core.formats.reading",
    "bleu_core.formats.register",
    "bleu_core.formats.source",
    "bleu_core.formats.text",
    "bleu_core.formats.unsupported",
    "bleu_core.formats.weights",
    "bleu_core.inference",
    "bleu_core.inference.blocks",
    "bleu_core.inference.intervals",
    "bleu_core.inference.paired_tests",
    "bleu_core.inference.resampling",
    "bleu_core.inference.significance",
    "bleu_core.limits",
    "bleu_core.processes",
    "bleu_core.progress",
    "bleu_core.reports",
    "bleu_core.reports.encoding",
    "bleu_core.reports.envelope",
    "bleu_core.reports.reproduction",
    "bleu_core.reports.scores",
    "bleu_core.reports.table",
    "bleu_core.scaling",
    "bleu_core.scaling.lines",
    "bleu_core.scaling.parallel",
    "bleu_core.scaling.sources",
    "bleu_core.scoring",
    "bleu_core.scoring.bleu_score",
    "bleu_core.scoring.bytetokens",
    "bleu_core.scoring.evaluation",
    "bleu_core.scoring.join",
    "bleu_core.scoring.metrics",
    "bleu_core.scoring.metrics.register",
    "bleu_core.scoring.ngrams",
    "bleu_core.scoring.settings",
    "bleu_core.scoring.sums",
    "bleu_core.scoring.token_keys",
    "bleu_core.scoring.tokenizers",
    "bleu_core.version",
]

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
print(*sorted(name for name in sys.modules if name.split(".")[0] == "bleu_core"))
print(*sorted({{name.split(".")[0] for name in sys.modules}}))
"""


def test_scoring_imports_these_modules_only() -> None:
    call = ["score", "--ref", str(sample_data.references()[0]), *map(str, sample_data.systems()), "--format", "json"]
    result = subprocess.run(
        [sys.executable, "-c", IMPORTED.format(call=call)],
        capture_output=True,
        check=True,
        cwd=Path(__file__).parents[2],
        text=True,
    )
    _, ours, others = result.stdout.splitlines()
    assert ours.split() == IMPORTED_BY_SCORE
    assert SLOW_TO_IMPORT.isdisjoint(others.split())
