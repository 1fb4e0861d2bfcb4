"""The sample data, read once, and the paper's experiment on it."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import sample_data
from bleu_core.bleu import PRESETS
from bleu_core.corpus import Corpus
from bleu_core.experiment import Experiment, experiment
from bleu_core.formats.recognise import FileRole, read
from bleu_core.judgments import Judgments
from bleu_core.paper import HUMANS


@cache
def corpus() -> Corpus:
    """Five systems, four references and the documents."""
    files: tuple[tuple[FileRole, tuple[Path, ...]], ...] = (
        ("system", sample_data.systems()),
        ("reference", sample_data.references()),
        ("document", (sample_data.DOCUMENTS,)),
    )
    return Corpus.from_columns(
        column for role, paths in files for path in paths for column in read(path.read_bytes(), str(path), role).columns
    )


@cache
def judgments() -> Judgments:
    """The ratings."""
    found = read(sample_data.JUDGMENTS.read_bytes(), "judgments.csv", "judgments").judgments
    assert found is not None
    return found


@cache
def repeated() -> Experiment:
    """The experiment under the paper's settings."""
    return experiment(corpus(), PRESETS["paper"], judgments(), humans=HUMANS)
