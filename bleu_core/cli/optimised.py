"""The option `--optimised`: systems that are not ranked by the metric they were optimised for."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from bleu_core.dataset import OptimisedSystem, human_note, not_quality, optimised_for, optimised_note
from bleu_core.errors import AlignmentError, SettingsError

if TYPE_CHECKING:
    from bleu_core.agreement import MetricScores
    from bleu_core.cli.command_result import CommandResult
    from bleu_core.scoring import Metric, ScoredCorpus


HELP = (
    "a system that was optimised for a metric, by training or decoding, and so is not ranked by that metric; repeatable"
)


def add_optimised(parser: argparse.ArgumentParser, help_text: str = HELP) -> None:
    """Add the option."""
    parser.add_argument(
        "--optimised",
        type=_mark,
        action="append",
        default=[],
        metavar="SYSTEM=METRIC",
        help=help_text,
    )


def _mark(text: str) -> OptimisedSystem:
    system, _, metric = (part.strip() for part in text.rpartition("="))
    if not system or not metric:
        raise argparse.ArgumentTypeError(f"{text!r} found, SYSTEM=METRIC expected, such as MBR=COMET")
    return OptimisedSystem(system=system, metric=metric)


def marks_of(options: argparse.Namespace) -> Sequence[OptimisedSystem]:
    """Return the marks of a call; none for commands without the option."""
    return getattr(options, "optimised", ())


def check_marks(options: argparse.Namespace, systems: Iterable[str]) -> None:
    """Check that the marked systems are among those of the call.

    Raises:
        SettingsError: one is not.
    """
    names = tuple(systems)
    for mark in marks_of(options):
        if mark.system not in names:
            raise SettingsError(
                f"argument --optimised: system {mark.system!r} found, one of {', '.join(names)} expected"
            )


def used_marks(options: argparse.Namespace, metrics: Iterable[Metric]) -> tuple[OptimisedSystem, ...]:
    """Return the marks for the metrics of a call."""
    return tuple(
        mark
        for metric in {metric.key: metric for metric in metrics}.values()
        for mark in optimised_for(marks_of(options), metric.key, metric.label)
    )


def without_marked(options: argparse.Namespace, scored: ScoredCorpus) -> ScoredCorpus:
    """Return the scores without systems that were optimised for the metric.

    Raises:
        SettingsError: the baseline is one of them.
        AlignmentError: no other system is left.
    """
    marks = used_marks(options, [scored.metric])
    if not marks:
        return scored
    marked = {mark.system for mark in marks}
    if getattr(options, "baseline", None) in marked:
        raise SettingsError(
            f"argument --baseline: {options.baseline} is not ranked by {scored.label} (optimised for it); choose "
            "another baseline, or remove the mark"
        )
    names = [name for name in scored.systems if name not in marked]
    if not names:
        raise AlignmentError(f"no system to rank by {scored.label} found ({optimised_note(marks)})")
    return scored.select(names)


def refuse_marked(options: argparse.Namespace, scored: ScoredCorpus) -> None:
    """Check that no system of a test was optimised for the metric.

    Raises:
        SettingsError: one was.
    """
    marked = {mark.system for mark in used_marks(options, [scored.metric])}
    names = [name for name in scored.systems if name in marked]
    if names:
        raise SettingsError(f"{not_quality(names, scored.label)}; name another metric by --metric, or remove the mark")


def marked_scores(
    options: argparse.Namespace, metrics: Iterable[MetricScores]
) -> tuple[list[MetricScores], tuple[OptimisedSystem, ...]]:
    """Return the metrics without scores of systems that were optimised for them, and the marks in use."""
    marked: list[MetricScores] = []
    used: list[OptimisedSystem] = []
    for metric in metrics:
        names = (metric.name,) if metric.scored_by is None else (metric.name, metric.scored_by.key)
        if metric.scored_by is not None and metric.scored_by.label != metric.name:  # BLEU under other settings
            names = (metric.name,)
        marks = optimised_for(marks_of(options), *names)
        used += marks
        marked.append(metric.excluding({mark.system: mark.reason for mark in marks}))
    return marked, tuple(used)


def with_marks(options: argparse.Namespace, result: CommandResult, used: Sequence[OptimisedSystem]) -> CommandResult:
    """Return a result with the marks in use, and warnings about those and about marks for other metrics."""
    # A workspace has marks for all metrics.
    unused = [mark for mark in marks_of(options) if mark not in used] if "optimised" in options.given else []
    no_effect = [f"--optimised {mark.text} has no effect: not a metric of this call" for mark in unused]
    warnings, note = [*result.warnings], optimised_note(used)
    if note:  # after the note on human translations, as on pages
        about_humans = human_note(result.humans)
        warnings.insert(warnings.index(about_humans) + 1 if about_humans in warnings else 0, note)
    return replace(result, optimised=tuple(used), warnings=[*warnings, *no_effect])
