"""`bleu-core gate`: is a candidate worse than a baseline by more than a margin, or is it not?"""

from __future__ import annotations

import argparse
from pathlib import Path

from bleu_core.cli.arguments import Parser
from bleu_core.cli.options import add_common, add_metric, add_resampling
from bleu_core.cli.result import Result
from bleu_core.cli.steps import read_scored, resampled_documents
from bleu_core.dataset import too_few_systems
from bleu_core.errors import AlignmentError
from bleu_core.inference import MARGIN, PAIR_RESAMPLES, gate
from bleu_core.scoring import BleuEvaluation, CorpusScores

HELP = "fail if a candidate is significantly worse than a baseline by more than a margin"

#: The exit status if the candidate is worse, and if the answer is inconclusive although --require asks for "not worse".
WORSE, INCONCLUSIVE = 1, 3

#: What --require can ask for.
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
        default=MARGIN,
        metavar="X",
        help="points by which the candidate may be worse (default: %(default)s)",
    )
    parser.add_argument(
        "--require",
        choices=(NOT_WORSE,),
        help=f"exit with status {INCONCLUSIVE} if the answer is inconclusive",
    )
    parser.add_argument("--junit", metavar="FILE", help="also write the outcome as a JUnit file")
    add_metric(parser)
    add_resampling(parser, f"default: {PAIR_RESAMPLES}")


def run(options: argparse.Namespace) -> Result:
    """Test whether the candidate is worse than the baseline, and whether it is not."""
    from bleu_core.results.significance import (  # loaded when first needed
        gate_junit,
        gate_line,
        gate_report,
        gate_table,
    )

    names = [options.baseline_file, options.candidate_file]
    given = read_scored(options, names)
    evaluation = given.evaluation
    if len(evaluation.systems) != SYSTEMS:
        expected = "2 expected: a baseline and a candidate"
        raise AlignmentError(too_few_systems(len(evaluation.systems), given.missing, expected))
    _check_texts(evaluation)
    metric = given.metric
    groups, notes = resampled_documents(options, given)
    found = gate(
        metric.statistics,
        margin=options.margin,
        alpha=options.alpha,
        groups=groups,
        resamples=PAIR_RESAMPLES if options.resamples is None else options.resamples,
        seed=options.seed,
    )
    status = WORSE if not found.passed else INCONCLUSIVE if options.require and found.verdict != "not worse" else 0
    if options.junit is not None:
        _write(options.junit, gate_junit(found, metric, failed=status != 0))
    report = gate_report(found, metric, evaluation)
    return Result(
        report,
        [gate_table(report)],
        [metric.signature],
        sentence=gate_line(found, metric),
        warnings=[*given.warnings, *notes, *found.warnings],
        slice=given.slice,
        repairs=given.repairs,
        status=status,
    )


def _check_texts(evaluation: BleuEvaluation | CorpusScores) -> None:
    """Check that both systems and the references have text, as nothing can be concluded without.

    Raises:
        AlignmentError: one of them has none.
    """
    counted = evaluation.scores
    for name, length, expected in zip(evaluation.systems, counted.hypothesis_length, SIDES, strict=True):
        if not length:
            raise AlignmentError(f"{name}: no text found, a {expected} with text expected")
    if not counted.reference_length.any():
        raise AlignmentError("no text found in the references, against which nothing can be worse; name others")
    if isinstance(evaluation, BleuEvaluation):
        for name, lengths in zip(evaluation.references, evaluation.stats.reference_lengths, strict=True):
            if not (lengths > 0).any():
                raise AlignmentError(f"{name}: no text found, a reference with text expected; leave it out")


def _write(path: str, text: str) -> None:
    try:
        Path(path).write_text(text, encoding="utf-8")
    except OSError as error:  # which does not name the file where the disk is full
        raise OSError(error.errno, error.strerror, error.filename or path) from error
