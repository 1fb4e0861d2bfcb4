"""The sample data, read once, and the paper's experiment on it."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import sample_data
from bleu_core.dataset import Corpus, Judgments
from bleu_core.formats import FileRole, read
from bleu_core.paper import PaperInput, PaperOptions, PaperResults, repeat_experiment
from bleu_core.paper.printed import HUMANS
from bleu_core.scoring import PRESETS


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
def repeated() -> PaperResults:
    """The experiment under the paper's settings."""
    return repeat_experiment(corpus(), PRESETS["paper"], judgments(), options=PaperOptions(humans=HUMANS))


@cache
def data() -> PaperInput:
    """What the paper's steps compute from, under the paper's settings."""
    return PaperInput(corpus=corpus(), judgments=judgments(), results=repeated())
