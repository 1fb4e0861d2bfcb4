"""`bleu-core compare`: which differences between systems are significant."""

from __future__ import annotations

import argparse

from bleu_core.cli.arguments import Parser
from bleu_core.cli.options import (
    add_common,
    add_correction,
    add_human_translations,
    add_metric,
    add_pairs,
    add_resampling,
)
from bleu_core.cli.result import Result
from bleu_core.cli.steps import chosen_pairs, read_scored, resampled_documents, undefined_notes
from bleu_core.cli.terminal import progress_bar
from bleu_core.errors import SettingsError
from bleu_core.inference import BLOCKS, RESAMPLES, TESTS, TRIALS, compare, equal_blocks
from bleu_core.segments import MOST_PERCENT, reversals

HELP = "test which differences between systems are significant"


def add_options(parser: Parser) -> None:
    """Add the options of the command."""
    add_common(parser)
    add_pairs(parser)
    add_human_translations(parser)
    parser.add_argument("--test", choices=TESTS, default="bootstrap")
    parser.add_argument(
        "--trials",
        type=int,
        metavar="N",
        help=(f"number of trials of approximate randomisation (default: {TRIALS}, or as many as the correction needs)"),
    )
    parser.add_argument(
        "--blocks",
        type=int,
        default=BLOCKS,
        metavar="B",
        help="number of blocks of the paired t (default: %(default)s)",
    )
    add_correction(parser)
    parser.add_argument(
        "--reversal",
        action="store_true",
        help=f"search the fewest segments without which the order of two systems is reversed, up to {MOST_PERCENT}%%",
    )
    add_metric(parser)
    add_resampling(parser, f"default: {RESAMPLES}, or as many as the correction needs")


def run(options: argparse.Namespace) -> Result:
    """Test the differences between the systems."""
    from bleu_core.results.reversal import reversal_methods, reversal_results, reversal_sentences, reversal_table
    from bleu_core.results.significance import (  # loaded when first needed
        comparison_report,
        comparison_table,
        methods,
        tier_table,
    )

    given = read_scored(options, humans="excluded")
    evaluation = given.evaluation
    groups = resampled_documents(options, given)
    if options.test == "t" and groups is None:
        groups = equal_blocks(given.units, options.blocks)
    metric = given.metric
    if options.reversal and metric.table.bundled is not None:
        raise SettingsError("argument --reversal: the segments of these counts are bundled; count without --bundles")
    pairs = chosen_pairs(options, metric.table, given.missing, humans=given.humans)
    with progress_bar() as progress:
        found = compare(
            metric.table,
            pairs,
            test=options.test,
            groups=groups,
            resamples=options.resamples,
            trials=options.trials,
            seed=options.seed,
            correction=options.correction,
            alpha=options.alpha,
            progress=progress,
        )
    tables = [comparison_table(found)]
    if options.all_pairs:
        tables.append(tier_table(found))
    report = comparison_report(found, metric, evaluation)
    notes = [*undefined_notes(metric), methods(found, metric, evaluation)]
    if options.reversal:
        numbers = None if given.slice is None else given.slice.numbers
        with progress_bar() as progress:
            reversed_by = reversals(metric.table, pairs, progress=progress)
        report = comparison_report(found, metric, evaluation, reversal_results(found, reversed_by, numbers))
        table = reversal_table(found, reversed_by, numbers)
        tables.append(table if options.format == "tsv" else table.without("segments"))
        notes += [reversal_methods(), *reversal_sentences(reversed_by, numbers)]
    return Result(
        report,
        tables,
        notes,
        warnings=[*given.warnings, *found.warnings],
        slice=given.slice,
        repairs=given.repairs,
        humans=given.humans,
    )
