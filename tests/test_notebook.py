"""`import bleu_core`, as in a notebook."""

from __future__ import annotations

import importlib
import pkgutil
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

import bleu_core
import sample_data
from bleu_core.cli import main

SAMPLE = Path(sample_data.__file__).parent
SYSTEMS = sorted((SAMPLE / "systems").glob("*.txt"))
REFERENCES = sorted((SAMPLE / "references").glob("*.txt"))


def test_no_name_shadows_a_module() -> None:
    for package in (bleu_core, *map(importlib.import_module, _packages())):
        for module in pkgutil.iter_modules(package.__path__):
            found = getattr(package, module.name, None)
            assert found is None or isinstance(found, ModuleType), f"{package.__name__}.{module.name}"
        assert all(getattr(package, name) is not None for name in dir(package))


def _packages() -> list[str]:
    return [f"bleu_core.{module.name}" for module in pkgutil.iter_modules(bleu_core.__path__) if module.ispkg]


def test_importing_it_loads_nothing_but_the_faces() -> None:
    script = (
        "import sys, bleu_core; print(*sorted(name for name in sys.modules if name.startswith(('bleu_core', 'numpy'))))"
    )
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert run.stdout.split() == ["bleu_core"]


def test_it_says_that_it_is_typed() -> None:
    assert (Path(bleu_core.__file__).parent / "py.typed").exists()


def test_files_are_read_scored_compared_and_correlated_as_by_the_command_line(
    capsys: pytest.CaptureFixture[str],
) -> None:
    data = bleu_core.load(SYSTEMS, REFERENCES, documents=SAMPLE / "documents.txt", judgments=[SAMPLE / "judgments.csv"])
    assert data.judgments is not None
    evaluation = bleu_core.evaluate(data.corpus)
    compared = bleu_core.compare(evaluation.statistics, bleu_core.ranked_pairs(evaluation.statistics))
    found = bleu_core.correlate(data.corpus, evaluation, data.judgments, without=["H1", "H2"])

    references = [option for path in REFERENCES for option in ("--ref", str(path))]
    systems = list(map(str, SYSTEMS))
    assert main(["score", "--format", "tsv", *references, *systems]) == 0
    assert capsys.readouterr().out.startswith(bleu_core.to_tsv(bleu_core.score_table(evaluation)))
    assert main(["compare", "--all-pairs", "--format", "tsv", *references, *systems]) == 0
    assert capsys.readouterr().out.startswith(bleu_core.to_tsv(bleu_core.comparison_table(compared)))
    judged = ["--human", str(SAMPLE / "judgments.csv"), "--human-system", "H1", "--human-system", "H2"]
    assert main(["correlate", "--format", "json", *references, *judged, *systems]) == 0
    assert f'"coefficient": {found.pearson.coefficient!r}' in capsys.readouterr().out


def test_a_table_becomes_a_data_frame() -> None:
    evaluation = bleu_core.evaluate(bleu_core.load(SYSTEMS, REFERENCES).corpus)
    frame = bleu_core.to_frame(bleu_core.score_table(evaluation))
    assert list(frame["system"]) == list(evaluation.systems)
    np.testing.assert_array_equal(frame["bleu"], evaluation.scores.score)


def test_an_archive_is_read_whole(tmp_path: Path) -> None:
    for place, content in {
        "sources/xx-yy.txt": "u\nv\n",
        "references/xx-yy.refA.txt": "a b\nc d\n",
        "system-outputs/xx-yy/S.txt": "a b\nc\n",
        "human-scores/xx-yy.mqm.seg.score": "S\t-1\nS\t0\n",
        "metric-scores/xx-yy/M-refA.seg.score": "S\t0.5\nS\t0.75\n",
    }.items():
        path = tmp_path / place
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, encoding="utf-8")
    data = bleu_core.load(archives=[tmp_path])
    assert (list(data.corpus.systems), list(data.corpus.references)) == (["S"], ["refA"])
    assert data.judgments is not None
    assert data.judgments.system_means() == {"S": -0.5}
    assert [table.name for table in data.scores] == ["M-refA"]


def test_files_that_do_not_fit_are_refused_and_so_are_files_without_a_system(tmp_path: Path) -> None:
    short = tmp_path / "short.txt"
    short.write_text("one line\n", encoding="utf-8")
    with pytest.raises(
        bleu_core.AlignmentError, match=r"short\.txt has 1 line, 499 fewer than the \d+ other files \(500\)"
    ):
        bleu_core.load([*SYSTEMS, short], REFERENCES)
    with pytest.raises(bleu_core.AlignmentError, match="no system output found in the files"):
        bleu_core.load(references=REFERENCES)
    with pytest.raises(FileNotFoundError):
        bleu_core.load([tmp_path / "missing.txt"], REFERENCES)
