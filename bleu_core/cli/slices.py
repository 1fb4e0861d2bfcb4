"""`bleu-core slices`: compare systems on every value of a label, and test whether their differences vary."""

from __future__ import annotations

import argparse

from bleu_core.cli.arguments import Parser
from bleu_core.cli.chosen_settings import settings_for
from bleu_core.cli.command_result import CommandResult
from bleu_core.cli.input_files import InputFiles
from bleu_core.cli.judge_choices import add_ratings_as_metric
from bleu_core.cli.optimised import add_optimised, used_marks, with_marks, without_marked
from bleu_core.cli.options import (
    add_common,
    add_human_translations,
    add_metric,
    add_metric_scores,
    add_pairs,
    add_resampling,
)
from bleu_core.cli.scored_data import (
    assessed,
    bases,
    chosen_pairs,
    evaluated,
    metric_warnings,
    obstacle_of,
    ranked_corpus,
    read_with_metric,
    resampled_documents,
    scored,
    undefined_notes,
)
from bleu_core.cli.terminal import progress_bar
from bleu_core.dataset import Corpus
from bleu_core.errors import AlignmentError, SettingsError
from bleu_core.inference import PAIR_RESAMPLES
from bleu_core.slicing import (
    DOCUMENT,
    HALF,
    LENGTH,
    TRIALS,
    Grouping,
    Slice,
    SliceTests,
    compare_slices,
    group_segments,
)

HELP = "compare systems on slices of the text, and test whether their differences vary"


def add_options(parser: Parser) -> None:
    """Add the options of the command."""
    add_common(parser)
    parser.add_argument(
        "--by",
        required=True,
        metavar="LABEL",
        help=f"how the text is divided into slices: by a column of labels, {DOCUMENT}, {LENGTH} (in quarters) or "
        f"{HALF}",
    )
    add_pairs(parser)
    add_human_translations(parser)
    add_optimised(parser)
    parser.add_argument(
        "--trials",
        type=int,
        default=TRIALS,
        metavar="N",
        help="number of permutations of the labels (default: %(default)s)",
    )
    add_metric(parser)
    add_metric_scores(parser)
    add_ratings_as_metric(parser)
    add_resampling(parser, f"default: {PAIR_RESAMPLES}")
    parser.set_defaults(divides_text=True)


def run(options: argparse.Namespace) -> CommandResult:
    """Compare the systems on all segments and on every slice."""
    from bleu_core.results.slices import (  # loaded when first needed
        slice_pair_table,
        slice_score_table,
        slices_methods,
        slices_report,
        variation_table,
    )

    files = InputFiles(options)
    in_use = read_with_metric(options, files, copies="note")
    (chosen,) = in_use.metrics
    corpus = ranked_corpus(in_use.corpus, files.human_translations)
    grouping = _grouping(options, corpus, files.slice)
    evaluation = evaluated(options, corpus)
    metric = without_marked(options, scored(corpus, evaluation, chosen))
    pairs = chosen_pairs(options, metric.statistics, files.missing_systems, humans=files.human_translations)
    documents, units_notes = resampled_documents(options, corpus)
    with progress_bar() as progress:
        comparison = compare_slices(
            metric.statistics,
            grouping.labels,
            pairs,
            order=grouping.order,
            documents=corpus.documents,
            tests=SliceTests(
                whole_documents=documents is not None,
                resamples=options.resamples,
                trials=options.trials,
                seed=options.seed,
                alpha=options.alpha,
            ),
            progress=progress,
        )
    assessment = assessed(
        options,
        corpus,
        evaluation,
        bases([chosen]),
        judgments=in_use.judgments,
        humans=files.human_translations,
        others=files.other_systems,
    )
    comparison = comparison.obstructed(obstacle_of(assessment, metric, evaluation))
    result = CommandResult(
        slices_report(comparison, metric, evaluation, options.by),
        [
            slice_score_table(comparison, options.by),
            slice_pair_table(comparison, options.by),
            variation_table(comparison),
        ],
        [*undefined_notes(metric), slices_methods(comparison, metric, options.by)],
        warnings=[
            *files.warnings,
            *metric_warnings(corpus, evaluation, chosen),
            *units_notes,
            *comparison.warnings,
        ],
        slice=files.slice,
        repairs=files.repairs,
        humans=files.human_translations,
        assessment=assessment,
        raw_ratings=in_use.raw_ratings,
    )
    return with_marks(options, result, used_marks(options, [chosen]))


def _grouping(options: argparse.Namespace, corpus: Corpus, slice_in_use: Slice | None) -> Grouping:
    """Divide the segments by the label of --by.

    Raises:
        SettingsError: the corpus has no such label, or its documents are unknown.
    """
    numbers = None if slice_in_use is None else slice_in_use.numbers
    try:
        return group_segments(corpus, options.by, settings=settings_for(options, corpus), numbers=numbers)
    except (AlignmentError, SettingsError) as error:
        raise SettingsError(f"argument --by: {error}") from error
