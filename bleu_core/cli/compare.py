"""`bleu-core compare`: test which differences between systems are significant."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from types import MappingProxyType
from typing import TYPE_CHECKING

from bleu_core.cli.arguments import Parser, without_effect
from bleu_core.cli.command_result import CommandResult
from bleu_core.cli.evidence import judges_beside, notes_on_judges, with_evidence_of
from bleu_core.cli.judge_choices import add_ratings_as_metric
from bleu_core.cli.optimised import add_optimised, used_marks, with_marks, without_marked
from bleu_core.cli.options import (
    add_accept,
    add_common,
    add_correction,
    add_human_translations,
    add_metric_scores,
    add_metrics,
    add_pairs,
    add_resampling,
)
from bleu_core.cli.replicates import add_groups, add_paired_runs, compared_groups
from bleu_core.cli.scored_data import (
    FEW_UNITS,
    ScoredData,
    chosen_pairs,
    load_scored,
    obstacle_of,
    resampled_documents,
    undefined_notes,
)
from bleu_core.cli.terminal import progress_bar
from bleu_core.cli.workspaces import slice_follows_results
from bleu_core.errors import SettingsError
from bleu_core.inference import BLOCKS, PAIR_RESAMPLES, TESTS, TRIALS, Comparisons, compare, equal_blocks
from bleu_core.segments import MAX_PERCENT, reversals

if TYPE_CHECKING:  # loaded when first needed
    from bleu_core.fields import Table
    from bleu_core.inference import Blocks, Comparison
    from bleu_core.judges import HumanRanking
    from bleu_core.results.headlines import Headline, SliceChosen
    from bleu_core.results.metric_comparisons import MetricComparison
    from bleu_core.scoring import ScoredCorpus
    from bleu_core.slicing import Slice

HELP = "test which differences between systems are significant"

#: Options of tests -> the tests that they belong to.
TESTS_OF_OPTIONS: Mapping[str, Sequence[str]] = MappingProxyType(
    {
        "trials": ("randomization",),
        "blocks": ("t",),
        "resamples": ("bootstrap", "randomization", "sacrebleu-bootstrap"),
        "seed": ("bootstrap", "randomization", "sacrebleu-bootstrap"),
    }
)

#: Tests -> the options that have no effect on few units.
UNDRAWN: Mapping[str, Sequence[str]] = MappingProxyType(
    {"bootstrap": ("resamples", "seed"), "randomization": ("resamples",)}
)

REVERSAL_BY_SEVERAL = (
    "argument --reversal: the segments to remove differ from metric to metric, so one metric is expected; name it by "
    "--metric, and --metric-scores only for a metric of its files"
)


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
    add_metrics(parser)
    add_metric_scores(parser)
    add_ratings_as_metric(parser)
    add_accept(parser)
    parser.set_defaults(ratings_are_evidence=True)
    add_groups(parser, "groups are compared by their means, with a test in which runs and segments both vary")
    add_paired_runs(parser)
    add_resampling(parser, f"default: {PAIR_RESAMPLES}")
    parser.add_argument(
        "--slice-seen",
        action="store_true",
        help="the slice was chosen after its results were seen: the first sentence only describes the results",
    )
    parser.checks += [_check_slice_seen, _check_reversal]
    for key, tests in TESTS_OF_OPTIONS.items():
        reason = f"the test is not {' or '.join(tests)}; add --test {tests[0]}, or remove the option"
        parser.only(key, partial(_is_tested_by, tests), reason)
    parser.only("blocks", _divides_text, "documents are the blocks; add --units segments, or remove the option")


def _divides_text(options: argparse.Namespace) -> bool:
    """Return whether the text is divided into a number of blocks, and not into documents."""
    return options.units == "segments" if options.units or options.documents else True


def _is_tested_by(tests: Sequence[str], options: argparse.Namespace) -> bool:
    return options.test in tests


def run(options: argparse.Namespace) -> CommandResult:
    """Test the differences between the systems."""
    given = load_scored(options, humans="excluded")
    groups, units_notes = resampled_documents(options, given)
    if options.group:
        ranked = [without_marked(options, metric) for metric in given.metrics]
        return _with_files(options, given, compared_groups(options, given, ranked, groups), units_notes)
    if options.test == "t" and groups is None:
        groups = equal_blocks(given.units, options.blocks)
    if options.reversal and given.metric.statistics.bundled is not None:
        raise SettingsError("argument --reversal: the segments of these counts are bundled; count without --bundles")
    if options.reversal and len(given.metrics) > 1:
        raise SettingsError(REVERSAL_BY_SEVERAL)
    judges = judges_beside(options, given)
    compared = [
        _compared(options, given, without_marked(options, metric), groups, judges=judges) for metric in given.metrics
    ]
    units_notes = [*units_notes, *notes_on_judges(options, compared)]
    if compared[0].comparisons.method == "jackknife":
        units_notes = [*units_notes, *without_effect(options, UNDRAWN.get(options.test, ()), FEW_UNITS)]
    result = _by_metrics(options, given, compared) if len(compared) > 1 else _by_metric(options, given, compared[0])
    headlines = [of_metric.headline for of_metric in compared]
    return _with_files(options, given, result, units_notes, headlines=headlines)


def _with_files(
    options: argparse.Namespace,
    given: ScoredData,
    result: CommandResult,
    units_notes: Sequence[str],
    *,
    headlines: Sequence[Headline] = (),
) -> CommandResult:
    """Return a result with the notes on files, units and systems that are not ranked; groups have no headlines."""
    result = replace(
        result,
        warnings=[*given.warnings, *units_notes, *_notes_on_slice(options, given.slice, headlines), *result.warnings],
        slice=given.slice,
        repairs=given.repairs,
        humans=given.humans,
        assessment=given.assessment,
        raw_ratings=given.raw_ratings,
    )
    return with_marks(options, result, used_marks(options, [metric.metric for metric in given.metrics]))


def _compared(
    options: argparse.Namespace,
    given: ScoredData,
    metric: ScoredCorpus,
    groups: Blocks | None,
    *,
    judges: HumanRanking | None,
) -> MetricComparison:
    """Compare the systems by a metric; all metrics of a call share their draws, which depend on the seed."""
    from bleu_core.results.metric_comparisons import MetricComparison  # loaded when first needed

    pairs = chosen_pairs(options, metric.statistics, given.missing, humans=given.humans)

    def compare_by(scored: ScoredCorpus) -> Comparisons:
        with progress_bar() as progress:
            return compare(
                scored.statistics,
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

    comparisons = compare_by(metric)
    comparisons = replace(comparisons, obstacle=obstacle_of(given.assessment, metric, given.evaluation))
    answer = _headline(given, metric, comparisons, _slice_chosen(options, given.slice))
    compared = MetricComparison(scored=metric, comparisons=comparisons, headline=answer)
    return with_evidence_of(compared, given, judges=judges, compare_by=compare_by)


def _by_metric(options: argparse.Namespace, given: ScoredData, compared: MetricComparison) -> CommandResult:
    """Return the comparisons by one metric."""
    from bleu_core.results.metric_comparisons import disagreeing_metrics
    from bleu_core.results.reversal import reversal_methods, reversal_results, reversal_sentences, reversal_table
    from bleu_core.results.significance import (  # loaded when first needed
        comparison_report,
        methods,
        tier_table,
    )

    metric, comparisons, evaluation = compared.scored, compared.comparisons, given.evaluation
    shown = _shown_pairs(options, comparisons)
    tables = [_pairs_table(options, comparisons)]
    if options.all_pairs and comparisons.tested:
        tables.append(tier_table(comparisons))
    second = compared.second
    report_with = partial(
        comparison_report,
        comparisons,
        metric,
        evaluation,
        headline=compared.headline,
        disagreements=disagreeing_metrics([compared, second]) if second else (),
        second=second and second.scored,
    )
    report = report_with()
    notes = [
        *undefined_notes(metric),
        *_hidden_pairs_notes(options, comparisons),
        methods(comparisons, metric, evaluation, second and second.scored),
    ]
    if options.reversal:
        numbers = None if given.slice is None else given.slice.numbers
        pairs = chosen_pairs(options, metric.statistics)
        with progress_bar() as progress:
            reversed_by = reversals(metric.statistics, pairs, progress=progress)
        sets = reversal_results(comparisons, reversed_by, numbers)
        report = report_with(reversals=sets)
        sets_shown = [found for pair, found in zip(comparisons.pairs, reversed_by, strict=True) if pair in shown]
        table = reversal_table(comparisons, sets_shown, numbers, pairs=shown)
        tables.append(table if options.format == "tsv" else table.without("segments"))
        notes += [reversal_methods(), *reversal_sentences(sets_shown, numbers)]
    return CommandResult(report, tables, notes, headline=compared.headline.sentences, warnings=[*comparisons.warnings])


def _by_metrics(options: argparse.Namespace, given: ScoredData, compared: Sequence[MetricComparison]) -> CommandResult:
    """Return the comparisons by several metrics: with all pairs, the systems by metrics; a table of pairs by each."""
    from bleu_core.inference import disagreements
    from bleu_core.results.metric_comparisons import comparison_warnings, comparisons_report, methods_of_metrics
    from bleu_core.results.metric_scores import MetricColumn, disagreement_sentence, metric_scores_table
    from bleu_core.results.paper import Section
    from bleu_core.results.significance import caption  # loaded when first needed

    methods = methods_of_metrics(compared, given.evaluation)
    by_label = {item.scored.label: item.comparisons for item in compared}
    sentences = [disagreement_sentence(pair) for pair in disagreements(by_label)]
    sections: list[Section] = []
    if options.all_pairs:
        columns = [MetricColumn(scored=item.scored, comparisons=item.comparisons) for item in compared]
        systems = list(dict.fromkeys(name for item in compared for name in item.comparisons.ranked))
        table = metric_scores_table(columns, systems=systems)
        sections.append(
            Section(
                key="compare metrics", heading="Systems by metric", tables=[table], notes=sentences, caption=methods
            )
        )
    sections += [
        Section(
            key=f"compare {item.scored.name}",
            heading=f"Pairs of systems by {item.scored.label}",
            tables=[_pairs_table(options, item.comparisons)],
            notes=[*undefined_notes(item.scored), *_hidden_pairs_notes(options, item.comparisons)],
            caption=caption(item.comparisons, item.scored, given.evaluation),
        )
        for item in compared
    ]
    closing = [methods] if options.all_pairs else [*sentences, methods]
    sections[-1] = replace(sections[-1], notes=[*sections[-1].notes, *closing])
    return CommandResult(
        comparisons_report(compared, given.evaluation),
        sections=sections,
        headline=[f"{item.scored.label}: {' '.join(item.headline.sentences)}" for item in compared],
        warnings=comparison_warnings(compared),
    )


def _pairs_table(options: argparse.Namespace, comparisons: Comparisons) -> Table:
    """Return the table of pairs; except in TSV, of a large family without the pairs that are not shown."""
    from bleu_core.results.significance import comparison_table  # loaded when first needed

    return comparison_table(comparisons, _shown_pairs(options, comparisons))


def _shown_pairs(options: argparse.Namespace, comparisons: Comparisons) -> tuple[Comparison, ...]:
    """Return the pairs of the tables in the chosen format; files for programs have all."""
    from bleu_core.results.significance import shown_pairs  # loaded when first needed

    return comparisons.pairs if options.format == "tsv" else shown_pairs(comparisons)


def _hidden_pairs_notes(options: argparse.Namespace, comparisons: Comparisons) -> list[str]:
    """Return sentences on the pairs that the table does not show, and where they are, if there are any."""
    from bleu_core.results.significance import shown_pairs_note  # loaded when first needed

    note = "" if options.format == "tsv" else shown_pairs_note(comparisons)
    return [f"{note} All pairs: --format json or tsv."] if note else []


def _headline(
    given: ScoredData, metric: ScoredCorpus, comparisons: Comparisons, slice_chosen: SliceChosen | None
) -> Headline:
    """Return the headline; warnings about texts are not available for counts files."""
    from bleu_core.results.headlines import headline

    return headline(
        dict(zip(comparisons.systems, comparisons.scores.tolist(), strict=True)),
        metric.metric,
        comparisons,
        findings=given.assessment.open,
        references=given.evaluation.references,
        slice_chosen=slice_chosen,
    )


def _slice_chosen(options: argparse.Namespace, slice_in_use: Slice | None) -> SliceChosen | None:
    """Return when the slice was chosen: "before" its results were seen unless the call or workspace says otherwise."""
    from bleu_core.slicing import may_follow_results, parse  # loaded when first needed

    if slice_in_use is None or not slice_in_use.expression:
        return None
    may_follow = may_follow_results(parse(slice_in_use.expression))
    return "after" if may_follow and (options.slice_seen or slice_follows_results(options)) else "before"


def _notes_on_slice(
    options: argparse.Namespace, slice_in_use: Slice | None, headlines: Sequence[Headline]
) -> list[str]:
    """Return a note if it makes no difference whether the slice was chosen after its results were seen."""
    from bleu_core.results.headlines import HeadlineClass  # loaded when first needed
    from bleu_core.slicing import may_follow_results, parse  # loaded when first needed

    if slice_in_use is None or not slice_in_use.expression:
        reason = "there is no slice"
    elif not may_follow_results(parse(slice_in_use.expression)):
        reason = "the slice does not depend on results"
    elif options.group:
        reason = "sentences on groups are the same"
    elif all(headline.class_ is not HeadlineClass.CHOSEN_SLICE for headline in headlines):
        reason = "the first sentence is the same"
    else:
        reason = ""
    return without_effect(options, ["slice_seen"], reason) if reason else []


def _check_slice_seen(options: argparse.Namespace) -> None:
    """Check that the call has a slice.

    Raises:
        SettingsError: it has none.
    """
    if options.slice_seen and options.slice is None and options.workspace is None:
        raise SettingsError("argument --slice-seen: name the slice with --slice")


def _check_reversal(options: argparse.Namespace) -> None:
    """Check before any file is read that reversing sets are searched by one metric.

    Raises:
        SettingsError: the call names several metrics.
    """
    if options.reversal and len(set(options.metric)) > 1:
        raise SettingsError(REVERSAL_BY_SEVERAL)
