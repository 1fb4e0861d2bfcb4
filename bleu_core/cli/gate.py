"""`bleu-core gate`: fail if a candidate is significantly worse than a baseline."""

from __future__ import annotations

import argparse
from pathlib import Path

from bleu_core.cli.arguments import Parser
from bleu_core.cli.options import add_common, add_metric, add_resampling
from bleu_core.cli.result import Result
from bleu_core.cli.steps import read_scored, resampled_documents
from bleu_core.dataset import too_few_systems
from bleu_core.errors import AlignmentError
from bleu_core.inference import GATE_RESAMPLES, MARGIN, gate

HELP = "fail if a candidate is significantly worse than a baseline by more than a margin"

#: The exit status of a gate that fails.
WORSE = 1

#: A baseline and a candidate.
SYSTEMS = 2


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
    parser.add_argument("--junit", metavar="FILE", help="also write the outcome as a JUnit file")
    add_metric(parser)
    add_resampling(parser, f"default: {GATE_RESAMPLES}")


def run(options: argparse.Namespace) -> Result:
    """Test whether the candidate is worse than the baseline."""
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
    counted = evaluation.scores
    if not counted.hypothesis_length[0]:
        raise AlignmentError(f"{evaluation.systems[0]}: no text found, a baseline with text expected")
    if not counted.reference_length.any():
        raise AlignmentError("no text found in the references, against which nothing can be worse; name others")
    metric = given.metric
    found = gate(
        metric.table,
        margin=options.margin,
        alpha=options.alpha,
        groups=resampled_documents(options, given),
        resamples=GATE_RESAMPLES if options.resamples is None else options.resamples,
        seed=options.seed,
    )
    if options.junit is not None:
        _write(options.junit, gate_junit(found, metric))
    report = gate_report(found, metric, evaluation)
    return Result(
        report,
        [gate_table(report)],
        [metric.signature],
        sentence=gate_line(found, metric),
        warnings=[*given.warnings, *found.warnings],
        slice=given.slice,
        repairs=given.repairs,
        status=0 if found.passed else WORSE,
    )


def _write(path: str, text: str) -> None:
    try:
        Path(path).write_text(text, encoding="utf-8")
    except OSError as error:  # which does not name the file where the disk is full
        raise OSError(error.errno, error.strerror, error.filename or path) from error
