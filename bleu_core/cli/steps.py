"""Steps that several commands have in common."""

from __future__ import annotations

import argparse
import math
from collections.abc import Mapping
from typing import TYPE_CHECKING

from bleu_core.cli.inputs import settings_of
from bleu_core.cli.terminal import progress_bar
from bleu_core.dataset import Corpus
from bleu_core.errors import AlignmentError, SettingsError, listed
from bleu_core.inference import Blocks, Pair, against, document_blocks, ranked_pairs
from bleu_core.scoring import Evaluation, evaluate

if TYPE_CHECKING:  # loaded where a metric beside BLEU is wanted
    from bleu_core.scoring import ScoredCorpus, SumTable


def evaluated(options: argparse.Namespace, corpus: Corpus) -> Evaluation:
    """The corpus, counted under the settings of the call."""
    from bleu_core.scaling import counter_for  # loaded when first needed

    count = counter_for(len(corpus.systems) * corpus.segments)
    with progress_bar() as progress:
        return evaluate(corpus, settings_of(options), count=count, progress=progress)


def scored(corpus: Corpus, evaluation: Evaluation, name: str) -> ScoredCorpus:
    """The systems, scored by the metric of that key."""
    from bleu_core.scoring import metric  # loaded when first needed

    with progress_bar() as progress:
        return metric(corpus, evaluation, name, progress=progress)


def undefined_notes(scored: ScoredCorpus) -> list[str]:
    """A note on systems whose score is undefined, if there are any."""
    names = [name for name, score in zip(scored.table.systems, scored.scores, strict=True) if math.isnan(score)]
    return [f"{scored.label} of {listed(names)} is undefined: {scored.metric.undefined}"] if names else []


def chosen_pairs(options: argparse.Namespace, table: SumTable) -> tuple[Pair, ...]:
    """The pairs to compare, as indices: all, the better system first, or each other system against the baseline.

    Raises:
        AlignmentError: there is only one system.
        SettingsError: the baseline is none of the systems.
    """
    systems = table.systems
    if len(systems) == 1:
        raise AlignmentError("1 system found, at least 2 expected")
    pairs = against(systems, systems[0] if options.baseline is None else options.baseline)
    return ranked_pairs(table) if options.all_pairs else pairs


def named_documents(options: argparse.Namespace, corpus: Corpus) -> Blocks | None:
    """The documents, if the call names a file of them; those in a table of texts do not count."""
    return document_blocks(corpus.documents) if options.documents and corpus.documents is not None else None


def resampled_documents(options: argparse.Namespace, corpus: Corpus) -> Blocks | None:
    """The documents, if they are resampled as a whole.

    Raises:
        SettingsError: documents are to be resampled, and not known.
    """
    if options.units is None:
        return named_documents(options, corpus)
    if options.units == "segments":
        return None
    if corpus.documents is None:
        raise SettingsError(
            "argument --units: documents found, but the documents of the segments are not known; add --documents"
        )
    return document_blocks(corpus.documents)


def human_scores_notes(human_scores: Mapping[str, str]) -> list[str]:
    """A note for each archive: which of its human scores are in use."""
    return [f"human scores of {path}: {name}" for path, name in human_scores.items()]
