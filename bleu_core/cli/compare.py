"""`bleu-core compare`: test which differences between systems are significant."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from bleu_core.cli.arguments import Parser
from bleu_core.cli.command_result import CommandResult
from bleu_core.cli.optimised import add_optimised, used_marks, with_marks, without_marked
from bleu_core.cli.options import (
    add_common,
    add_correction,
    add_human_translations,
    add_metric,
    add_metric_scores,
    add_pairs,
    add_resampling,
)
from bleu_core.cli.scored_data import ScoredData, chosen_pairs, load_scored, resampled_documents, undefined_notes
from bleu_core.cli.terminal import progress_bar
from bleu_core.cli.workspaces import slice_follows_results
from bleu_core.errors import SettingsError
from bleu_core.inference import BLOCKS, PAIR_RESAMPLES, TESTS, TRIALS, Comparisons, compare, equal_blocks
from bleu_core.scoring import BleuEvaluation
from bleu_core.segments import MAX_PERCENT, reversals

if TYPE_CHECKING:  # loaded when first needed
    from bleu_core.results.headlines import Headline, SliceChosen
    from bleu_core.slicing import Slice

HELP = "test which differences between systems are significant"


def add_options(parser: Parser) -> None:
    """Add the options of the command."""
    add_common(parser)
    add_pairs(parser)
    add_human_translations(parser)
    add_optimised(parser)
    parser.add_argument("--test", choices=TESTS, default="bootstrap")
    parser.add_argument(
        "--trials",
        type=int,
        default=TRIALS,
        metavar="N",
        help="number of trials of approximate randomisation (default: %(default)s)",
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
        help="search for the fewest segments without which the order of two systems is reversed, up to "
        f"{MAX_PERCENT}%%",
    )
    add_metric(parser)
    add_metric_scores(parser)
    add_resampling(parser, f"default: {PAIR_RESAMPLES}")
    parser.add_argument(
        "--slice-seen",
        action="store_true",
        help="the slice was chosen after its results were seen: the first sentence only describes the results",
    )
    parser.checks.append(_check_slice_seen)


def run(options: argparse.Namespace) -> CommandResult:
    """Test the differences between the systems."""
    from bleu_core.results.reversal import reversal_methods, reversal_results, reversal_sentences, reversal_table
    from bleu_core.results.significance import (  # loaded when first needed
        comparison_report,
        comparison_table,
        methods,
        tier_table,
    )

    given = load_scored(options, humans="excluded")
    evaluation = given.evaluation
    groups, units_notes = resampled_documents(options, given)
    if options.test == "t" and groups is None:
        groups = equal_blocks(given.units, options.blocks)
    metric = without_marked(options, given.metric)
    if options.reversal and metric.statistics.bundled is not None:
        raise SettingsError("argument --reversal: the segments of these counts are bundled; count without --bundles")
    pairs = chosen_pairs(options, metric.statistics, given.missing, humans=given.humans)
    with progress_bar() as progress:
        comparisons = compare(
            metric.statistics,
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
    tables = [comparison_table(comparisons)]
    if options.all_pairs:
        tables.append(tier_table(comparisons))
    answer = _headline(given, comparisons, _slice_chosen(options, given.slice))
    report = comparison_report(comparisons, metric, evaluation, headline=answer)
    notes = [*undefined_notes(metric), methods(comparisons, metric, evaluation)]
    if options.reversal:
        numbers = None if given.slice is None else given.slice.numbers
        with progress_bar() as progress:
            reversed_by = reversals(metric.statistics, pairs, progress=progress)
        sets = reversal_results(comparisons, reversed_by, numbers)
        report = comparison_report(comparisons, metric, evaluation, headline=answer, reversals=sets)
        table = reversal_table(comparisons, reversed_by, numbers)
        tables.append(table if options.format == "tsv" else table.without("segments"))
        notes += [reversal_methods(), *reversal_sentences(reversed_by, numbers)]
    result = CommandResult(
        report,
        tables,
        notes,
        headline=answer.sentences,
        warnings=[*given.warnings, *units_notes, *comparisons.warnings],
        slice=given.slice,
        repairs=given.repairs,
        humans=given.humans,
    )
    return with_marks(options, result, used_marks(options, [given.metric.metric]))


def _headline(given: ScoredData, comparisons: Comparisons, slice_chosen: SliceChosen | None) -> Headline:
    """Return the headline; warnings about texts are not available for counts files."""
    from bleu_core.diagnostics import DiagnosticInput, findings, obstructing
    from bleu_core.results.headlines import headline

    alarms = ()
    corpus, evaluation = given.corpus, given.evaluation
    if corpus is not None and isinstance(evaluation, BleuEvaluation):
        alarms = findings(DiagnosticInput(corpus, evaluation), obstructing("scores"))
    return headline(
        dict(zip(comparisons.systems, comparisons.scores.tolist(), strict=True)),
        given.metric.metric,
        comparisons,
        findings=alarms,
        references=evaluation.references,
        slice_chosen=slice_chosen,
    )


def _slice_chosen(options: argparse.Namespace, slice_in_use: Slice | None) -> SliceChosen | None:
    """Return when the slice was chosen: "before" its results were seen unless the call or workspace says otherwise."""
    from bleu_core.slicing import may_follow_results, parse  # loaded when first needed

    if slice_in_use is None or not slice_in_use.expression:
        return None
    seen = options.slice_seen or slice_follows_results(options)
    return "after" if seen and may_follow_results(parse(slice_in_use.expression)) else "before"


def _check_slice_seen(options: argparse.Namespace) -> None:
    """Check that the call has a slice.

    Raises:
        SettingsError: it has none.
    """
    if options.slice_seen and options.slice is None and options.workspace is None:
        raise SettingsError("argument --slice-seen: name the slice with --slice")
