"""`bleu-core gate`: test whether a candidate is worse than a baseline by more than a margin."""

from __future__ import annotations

import argparse
from pathlib import Path

from bleu_core.cli.arguments import Parser, without_effect
from bleu_core.cli.command_result import CommandResult
from bleu_core.cli.judge_choices import add_ratings_as_metric
from bleu_core.cli.optimised import add_optimised, refuse_marked, with_marks
from bleu_core.cli.options import add_accept, add_common, add_metric, add_metric_scores, add_resampling
from bleu_core.cli.scored_data import FEW_UNITS, load_scored, resampled_documents
from bleu_core.dataset import too_few_systems
from bleu_core.errors import AlignmentError, SettingsError
from bleu_core.inference import MARGIN, PAIR_RESAMPLES, gate
from bleu_core.scoring import BleuEvaluation, CorpusScores, ScoredCorpus

HELP = "fail if a candidate is significantly worse than a baseline by more than a margin"

#: The exit status if the candidate is worse, if the result is inconclusive and --require asks for "not worse", and if
#: the systems are not comparable.
WORSE, INCONCLUSIVE, NOT_COMPARABLE = 1, 3, 4

#: The value of --require.
NOT_WORSE = "not-worse"

#: The two systems.
SIDES = ("baseline", "candidate")
SYSTEMS = len(SIDES)


def add_options(parser: Parser) -> None:
    """Add the options of the command."""
    add_common(parser, systems=False)
    parser.add_argument("baseline_file", metavar="BASELINE", help="output of the baseline; its name in a workspace")
    parser.add_argument("candidate_file", metavar="CANDIDATE", help="output of the candidate; its name in a workspace")
    parser.add_argument(
        "--margin",
        type=float,
        metavar="X",
        help=f"points by which the candidate may be worse (default: {MARGIN}; needed for scores of --metric-scores)",
    )
    parser.add_argument(
        "--require",
        choices=(NOT_WORSE,),
        help=f"exit with status {INCONCLUSIVE} if the answer is inconclusive",
    )
    add_accept(parser)
    parser.add_argument("--junit", metavar="FILE", help="also write the outcome as a JUnit file")
    add_metric(parser)
    add_metric_scores(parser)
    add_ratings_as_metric(parser)
    parser.set_defaults(decides_status=True)
    add_optimised(
        parser,
        "a system that was optimised for a metric, by training or decoding, and so is not tested by that metric; "
        "repeatable",
    )
    add_resampling(parser, f"default: {PAIR_RESAMPLES}")


def run(options: argparse.Namespace) -> CommandResult:
    """Test whether the candidate is worse, or not worse, than the baseline."""
    from bleu_core.results.significance import (  # loaded when first needed
        gate_junit,
        gate_line,
        gate_report,
        gate_table,
    )

    names = [options.baseline_file, options.candidate_file]
    given = load_scored(options, names)
    evaluation = given.evaluation
    if len(evaluation.systems) != SYSTEMS:
        expected = "2 expected: a baseline and a candidate"
        raise AlignmentError(too_few_systems(len(evaluation.systems), given.missing, expected))
    _check_texts(evaluation)
    metric = given.metric
    refuse_marked(options, metric)
    groups, notes = resampled_documents(options, given)
    outcome = gate(
        metric.statistics,
        margin=_margin(options, metric),
        alpha=options.alpha,
        groups=groups,
        resamples=PAIR_RESAMPLES if options.resamples is None else options.resamples,
        seed=options.seed,
    )
    undrawn = without_effect(options, ("resamples", "seed"), FEW_UNITS) if outcome.resamples is None else []
    alarm = next(iter(given.assessment.open), None)
    status = WORSE if not outcome.passed else INCONCLUSIVE if options.require and outcome.verdict != "not worse" else 0
    if alarm is not None:
        status = NOT_COMPARABLE
    if options.junit is not None:
        _write(options.junit, gate_junit(outcome, metric, failed=status != 0, alarm=alarm))
    report = gate_report(outcome, metric, evaluation, alarm)
    result = CommandResult(
        report,
        [gate_table(report, metric)],
        [metric.signature],
        sentence=gate_line(outcome, metric, alarm),
        warnings=[*undrawn, *given.warnings, *notes, *outcome.warnings],
        slice=given.slice,
        repairs=given.repairs,
        assessment=given.assessment,
        status=status,
    )
    return with_marks(options, result, ())


def _margin(options: argparse.Namespace, metric: ScoredCorpus) -> float:
    """Return the margin in the unit of the metric.

    Raises:
        SettingsError: the call has no margin, and the metric may have any scale.
    """
    if options.margin is None and metric.metric.digest:
        raise SettingsError(
            f"argument --margin: needed for {metric.label}, whose scale is that of its file; name the difference by "
            "which the candidate may be worse"
        )
    return MARGIN if options.margin is None else options.margin


def _check_texts(evaluation: BleuEvaluation | CorpusScores) -> None:
    """Check that both systems and the references have text, without which nothing can be concluded.

    Raises:
        AlignmentError: one of them has none.
    """
    scores = evaluation.scores
    for name, length, expected in zip(evaluation.systems, scores.hypothesis_length, SIDES, strict=True):
        if not length:
            raise AlignmentError(f"{name}: no text found, a {expected} with text expected")
    if not scores.reference_length.any():
        raise AlignmentError(
            "no text found in the references, without which nothing can be compared; name other references"
        )
    if isinstance(evaluation, BleuEvaluation):
        for name, lengths in zip(evaluation.references, evaluation.stats.reference_lengths, strict=True):
            if not (lengths > 0).any():
                raise AlignmentError(f"{name}: no text found, a reference with text expected; remove it")


def _write(path: str, text: str) -> None:
    try:
        Path(path).write_text(text, encoding="utf-8")
    except OSError as error:  # does not name the file if the disk is full
        raise OSError(error.errno, error.strerror, error.filename or path) from error
