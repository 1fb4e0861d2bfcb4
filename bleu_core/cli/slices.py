"""`bleu-core slices`: systems compared on every value of a label, and whether differences vary."""

from __future__ import annotations

import argparse

from bleu_core.cli.arguments import Parser
from bleu_core.cli.files import Files
from bleu_core.cli.inputs import settings_of
from bleu_core.cli.options import add_common, add_human_translations, add_metric, add_pairs, add_resampling
from bleu_core.cli.result import Result
from bleu_core.cli.steps import (
    chosen_pairs,
    evaluated,
    metric_warnings,
    ranked_corpus,
    resampled_documents,
    scored,
    undefined_notes,
)
from bleu_core.cli.terminal import progress_bar
from bleu_core.dataset import Corpus
from bleu_core.errors import AlignmentError, SettingsError
from bleu_core.inference import PAIR_RESAMPLES
from bleu_core.slicing import DOCUMENT, HALF, LENGTH, TRIALS, Grouping, Slice, compare_slices, group_segments

HELP = "compare systems on slices of the text, and test whether their differences vary"


def add_options(parser: Parser) -> None:
    """Add the options of the command."""
    add_common(parser)
    parser.add_argument(
        "--by",
        required=True,
        metavar="LABEL",
        help=f"what divides the text into slices: a column of labels, {DOCUMENT}, {LENGTH} (in quarters) or {HALF}",
    )
    add_pairs(parser)
    add_human_translations(parser)
    parser.add_argument(
        "--trials",
        type=int,
        default=TRIALS,
        metavar="N",
        help="number of permutations of the labels (default: %(default)s)",
    )
    add_metric(parser)
    add_resampling(parser, f"default: {PAIR_RESAMPLES}")


def run(options: argparse.Namespace) -> Result:
    """Compare the systems on all segments and on every slice."""
    from bleu_core.results.slices import (  # loaded when first needed
        slice_pair_table,
        slice_score_table,
        slices_methods,
        slices_report,
        variation_table,
    )

    files = Files(options)
    corpus = ranked_corpus(files.corpus(copies="note"), files.human_translations)
    grouping = _grouping(options, corpus, files.slice)
    evaluation = evaluated(options, corpus)
    metric = scored(corpus, evaluation, options.metric)
    pairs = chosen_pairs(options, metric.statistics, files.missing_systems, humans=files.human_translations)
    documents, units_notes = resampled_documents(options, corpus)
    with progress_bar() as progress:
        found = compare_slices(
            metric.statistics,
            grouping.labels,
            pairs,
            order=grouping.order,
            documents=corpus.documents,
            whole_documents=documents is not None,
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
        warnings=[*files.warnings, *metric_warnings(corpus, evaluation, options.metric), *units_notes, *found.warnings],
        slice=files.slice,
        repairs=files.repairs,
        humans=files.human_translations,
    )


def _grouping(options: argparse.Namespace, corpus: Corpus, chosen: Slice | None) -> Grouping:
    """The division of the segments that --by names.

    Raises:
        SettingsError: the corpus has no such label, or its documents are not known.
    """
    numbers = None if chosen is None else chosen.numbers
    try:
        return group_segments(corpus, options.by, settings=settings_of(options), numbers=numbers)
    except (AlignmentError, SettingsError) as error:
        raise SettingsError(f"argument --by: {error}") from error
