"""The options `--group` and `--paired-runs`: groups of runs, their scores and their comparisons."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from bleu_core.cli.arguments import Parser
from bleu_core.cli.command_result import CommandResult
from bleu_core.cli.options import add_repeatable
from bleu_core.cli.scored_data import obstacle_of, undefined_notes
from bleu_core.errors import SettingsError
from bleu_core.inference import baseline_pairs

if TYPE_CHECKING:  # loaded when first needed
    from bleu_core.cli.scored_data import ScoredData
    from bleu_core.collection import GroupComparisons, GroupScores
    from bleu_core.inference import Blocks
    from bleu_core.scoring import ScoredCorpus

#: Options of `compare` for tests by resampling and over blocks, and for reversing sets, which groups do without.
OTHER_TESTS = ("test", "resamples", "trials", "blocks", "seed")


def add_groups(parser: Parser, purpose: str) -> None:
    """Add the groups of runs; `purpose` completes the help."""
    add_repeatable(
        parser,
        "--group",
        "NAME=PATTERN",
        "systems that are runs of one system, with several seeds for example: the name of the group and a pattern of "
        f"the names of its runs, such as 'base=base.s*'; {purpose}; repeatable",
    )


def add_paired_runs(parser: Parser) -> None:
    """Add the pairing of runs, and checks of the options that groups exclude."""
    parser.add_argument(
        "--paired-runs",
        action="store_true",
        help="pair the runs of two groups that have the same seeds, which are the parts of their names that the "
        "wildcards of --group match (default: runs are independent)",
    )
    parser.checks.append(_check)


def groups_in(options: argparse.Namespace, systems: Sequence[str]) -> Mapping[str, tuple[str, ...]]:
    """Return the groups of a call, without the systems that are in none.

    Raises:
        SettingsError: a pattern is wrong.
    """
    from bleu_core.collection import groups_of  # loaded when first needed

    try:
        return groups_of(options.group, systems)
    except SettingsError as error:
        raise SettingsError(f"argument --group: {error}") from error


def scored_groups(
    options: argparse.Namespace, metrics: Sequence[ScoredCorpus]
) -> list[tuple[ScoredCorpus, Sequence[GroupScores]]]:
    """Return each metric with the scores of the groups of a call by it."""
    from bleu_core.collection import group_scores  # loaded when first needed

    return [(metric, group_scores(metric.statistics, groups_in(options, metric.systems))) for metric in metrics]


def compared_groups(
    options: argparse.Namespace, given: ScoredData, metrics: Sequence[ScoredCorpus], units: Blocks | None
) -> CommandResult:
    """Compare the groups of a call, and the systems that are in none, by each metric.

    Args:
        options: options of the call.
        given: the scored systems.
        metrics: the systems under each metric, without those that are not ranked by it.
        units: documents that vary as a whole; segments if None.

    Raises:
        SettingsError: a pattern or the baseline is wrong, there is one group only, or no runs can be paired.
    """
    from bleu_core.results.paper import Section
    from bleu_core.results.replicates import (  # loaded when first needed
        group_comparison_table,
        group_methods,
        group_sentences,
        group_table,
        groups_report,
        run_table,
    )

    compared = [
        (
            metric,
            replace(
                _compared(options, metric, units), obstacle=obstacle_of(given.assessment, metric, given.evaluation)
            ),
        )
        for metric in metrics
    ]
    tables = [
        [
            group_comparison_table(comparisons),
            group_table(comparisons.groups, metric),
            run_table(comparisons.groups, metric),
        ]
        for metric, comparisons in compared
    ]
    methods = group_methods(compared, given.evaluation)
    headline = [
        f"{metric.label}: {sentence}" if len(compared) > 1 else sentence
        for metric, comparisons in compared
        for sentence in group_sentences(comparisons, metric)
    ]
    warnings = list(dict.fromkeys(text for _, comparisons in compared for text in comparisons.warnings))
    report = groups_report(compared, given.evaluation)
    if len(compared) == 1:
        notes = [*undefined_notes(metrics[0]), methods]
        return CommandResult(report, tables[0], notes, headline=headline, warnings=warnings)
    sections = [
        Section(
            key=f"compare {metric.name}",
            heading=f"Groups of runs by {metric.label}",
            tables=of_metric,
            notes=[*undefined_notes(metric), *([methods] if metric is metrics[-1] else [])],
            caption=methods,
        )
        for metric, of_metric in zip(metrics, tables, strict=True)
    ]
    return CommandResult(report, sections=sections, headline=headline, warnings=warnings)


def _compared(options: argparse.Namespace, metric: ScoredCorpus, units: Blocks | None) -> GroupComparisons:
    from bleu_core.collection import (  # loaded when first needed
        compare_groups,
        group_scores,
        ranked_group_pairs,
        seeds_of,
        with_single_systems,
    )

    systems = metric.statistics.systems
    groups = with_single_systems(groups_in(options, systems), systems)
    names = tuple(groups)
    if len(names) == 1:
        raise SettingsError(
            f"argument --group: all systems are runs of {names[0]}, at least 2 groups or systems expected"
        )
    _check_baseline(options, groups)
    pairs = baseline_pairs(names, names[0] if options.baseline is None else options.baseline)
    if options.all_pairs:
        scores = group_scores(metric.statistics, groups, units=units)
        pairs = ranked_group_pairs(scores, higher_is_better=metric.statistics.higher_is_better)
    comparisons = compare_groups(
        metric.statistics,
        groups,
        pairs,
        units=units,
        seeds=seeds_of(options.group, systems) if options.paired_runs else {},
        correction=options.correction,
        alpha=options.alpha,
    )
    if options.paired_runs and not any(pair.runs_paired for pair in comparisons.pairs):
        raise SettingsError(
            "argument --paired-runs: no two groups with the same seeds found; name runs so that the wildcards of "
            "--group match the seed alone, or remove the option"
        )
    return comparisons


def _check_baseline(options: argparse.Namespace, groups: Mapping[str, tuple[str, ...]]) -> None:
    """Check that the baseline is no run of a group.

    Raises:
        SettingsError: it is one.
    """
    group = next((name for name, runs in groups.items() if options.baseline in runs and name != options.baseline), None)
    if group is not None and options.baseline not in groups:
        raise SettingsError(
            f"argument --baseline: {options.baseline} is a run of {group}, a group or a system in none expected; write "
            f"--baseline {group}"
        )


def _check(options: argparse.Namespace) -> None:
    """Check before any file is read that a call with groups has no option of another test.

    Raises:
        SettingsError: it has one, or --paired-runs without groups.
    """
    if options.paired_runs and not options.group:
        raise SettingsError("argument --paired-runs: name the groups of runs with --group")
    if not options.group:
        return
    for name in OTHER_TESTS:
        if name in options.given:
            raise SettingsError(
                f"argument --{name}: not allowed with --group, which compares groups by a t-test of its own; remove it"
            )
    if options.reversal:
        raise SettingsError("argument --reversal: not allowed with --group; remove one of the two")
