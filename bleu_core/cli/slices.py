"""`bleu-core slices`: systems compared on every value of a label, and whether differences vary."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from bleu_core.cli.arguments import Parser
from bleu_core.cli.files import Files
from bleu_core.cli.options import add_common, add_metric, add_pairs, add_resampling
from bleu_core.cli.result import Result
from bleu_core.cli.steps import chosen_pairs, evaluated, scored, undefined_notes
from bleu_core.cli.terminal import progress_bar
from bleu_core.dataset import Corpus
from bleu_core.errors import SettingsError, listed
from bleu_core.inference import RESAMPLES
from bleu_core.segments import TRIALS, compare_slices

HELP = "compare systems on slices of the text, and test whether their differences vary"

#: The name of --by that stands for the documents.
DOCUMENT = "document"


def add_options(parser: Parser) -> None:
    """Add the options of the command."""
    add_common(parser)
    parser.add_argument(
        "--by",
        required=True,
        metavar="LABEL",
        help=f"label whose values are the slices: {DOCUMENT}, or the name of a column of labels",
    )
    add_pairs(parser)
    parser.add_argument(
        "--trials",
        type=int,
        default=TRIALS,
        metavar="N",
        help="number of permutations of the labels (default: %(default)s)",
    )
    add_metric(parser)
    add_resampling(parser, f"default: {RESAMPLES}, or as many as the correction needs")


def run(options: argparse.Namespace) -> Result:
    """Compare the systems on all segments and on every slice."""
    from bleu_core.reports import (  # loaded when first needed
        slice_pair_table,
        slice_score_table,
        slices_methods,
        slices_report,
        variation_table,
    )

    files = Files(options)
    corpus = files.corpus()
    labels = _labels(corpus, options.by)
    evaluation = evaluated(options, corpus)
    pairs = chosen_pairs(options, evaluation.systems)
    metric = scored(corpus, evaluation, options.metric)
    with progress_bar() as progress:
        found = compare_slices(
            metric.table,
            labels,
            pairs,
            documents=corpus.documents,
            whole_documents=options.documents is not None,
            resamples=options.resamples,
            trials=options.trials,
            seed=options.seed,
            alpha=options.alpha,
            progress=progress,
        )
    return Result(
        slices_report(found, metric, evaluation, options.by),
        [slice_score_table(found, options.by), slice_pair_table(found, options.by), variation_table(found)],
        [*undefined_notes(metric), slices_methods(found, metric, options.by)],
        warnings=[*files.warnings, *found.warnings],
        slice=files.slice,
    )


def _labels(corpus: Corpus, name: str) -> Sequence[str]:
    """The label of each segment.

    Raises:
        SettingsError: the corpus has no such label.
    """
    known = dict(corpus.labels)
    if corpus.documents is not None:
        known[DOCUMENT] = corpus.documents
    if name in known:
        return known[name]
    there = "but the segments have no labels; add --documents or --labels"
    if known:
        there = f"{'one of ' if len(known) > 1 else ''}{listed(known, most=30)} expected"
    raise SettingsError(f"argument --by: label {name!r} found, {there}")
