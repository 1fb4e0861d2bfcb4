"""`bleu-core references`: rank the systems with each reference, and find which systems each reference favours."""

from __future__ import annotations

import argparse
from functools import partial
from typing import TYPE_CHECKING

from bleu_core.cli.arguments import Parser
from bleu_core.cli.command_result import CommandResult
from bleu_core.cli.input_files import InputFiles
from bleu_core.cli.judge_choices import (
    add_judge_choices,
    adjustment_notes,
    chosen_judges,
    human_scores_notes,
    unused_weights,
)
from bleu_core.cli.optimised import add_optimised, used_marks, with_marks
from bleu_core.cli.options import UNITS, add_common, add_documents, add_human_translations, add_judgments, add_metric
from bleu_core.cli.ratings import adjusted_judges
from bleu_core.cli.scored_data import assessed, bases, evaluated, resampled_documents
from bleu_core.cli.terminal import progress_bar
from bleu_core.errors import SettingsError
from bleu_core.inference import ALPHA
from bleu_core.scoring import find_metric

if TYPE_CHECKING:
    from bleu_core.dataset import Judgments

HELP = "rank the systems with each reference, and find which systems each reference favours"


def add_options(parser: Parser) -> None:
    """Add the options of the command."""
    add_common(parser)
    add_judgments(parser)
    add_judge_choices(parser)
    for key in ("mqm_weights", "adjust_judges", "standardise", "exclude_judge"):
        parser.only(
            key,
            lambda call: bool(call.human or call.archive or call.workspace),
            "no ratings are read; add a file with --human, or remove the option",
        )
    add_human_translations(parser)
    add_optimised(parser)
    add_documents(
        parser,
        "a file with one document id per line; documents are the units of standard errors unless --units differs",
    )
    parser.add_argument(
        "--units",
        choices=UNITS,
        help="unit of standard errors (default: documents if --documents names them, else segments)",
    )
    add_metric(parser, uploaded=False)
    parser.add_argument("--metric-scores", dest="refused_scores", action="append", help=argparse.SUPPRESS)
    parser.checks.insert(0, _check_scores)  # before the metric, which may be one of the files
    parser.add_argument("--alpha", type=float, default=ALPHA, help="significance level (default: %(default)s)")


def run(options: argparse.Namespace) -> CommandResult:
    """Rank the systems with each reference."""
    from bleu_core.agreement import rank_by_reference
    from bleu_core.results.envelope import rating_notes
    from bleu_core.results.reference_rankings import (  # loaded when first needed
        advantages_table,
        left_out_notes,
        ranking_pairs_table,
        rankings_agreement_table,
        rated_of,
        reference_scores_table,
        references_methods,
        references_report,
    )

    files = InputFiles(options)
    data = files.dataset(copies="note")
    corpus = data.corpus
    judgments = data.ratings.rated
    evaluation = evaluated(options, corpus)
    humans = {human.system: human.reason for human in files.human_translations}
    adjusted: Judgments | None = None
    if judgments is not None:
        files.warnings += unused_weights(options, judgments)
        judgments = chosen_judges(options, judgments)
        judgments, adjusted = adjusted_judges(options, judgments, corpus, evaluation=evaluation, humans=humans)
    marks = used_marks(options, [find_metric(options.metric)])
    optimised = {mark.system: mark.reason for mark in marks if mark.system not in humans}
    documents, units_notes = resampled_documents(options, corpus)
    rank = partial(
        rank_by_reference,
        corpus,
        evaluation,
        name=options.metric,
        without={**optimised, **humans},
        documents=documents,
        alpha=options.alpha,
    )
    with progress_bar() as progress:
        rankings = rank(judgments, progress=progress)
    by_adjusted = None if adjusted is None else rank(adjusted)
    agreement = rankings_agreement_table(rankings)
    tables = [reference_scores_table(rankings), *([agreement] if agreement.rows else [])]
    result = CommandResult(
        references_report(rankings, evaluation, by_adjusted),
        [*tables, ranking_pairs_table(rankings), advantages_table(rankings)],
        [
            *left_out_notes(rankings, (*humans, *optimised)),
            *human_scores_notes(files.human_scores()),
            *([] if judgments is None else adjustment_notes(options, judgments)),
            references_methods(rankings),
        ],
        warnings=[*files.warnings, *units_notes, *rankings.warnings, *rating_notes(rated_of(rankings))],
        slice=files.slice,
        repairs=files.repairs,
        humans=files.human_translations,
        assessment=assessed(
            options,
            corpus,
            evaluation,
            bases([find_metric(options.metric)], judgments),
            judgments=judgments,
            humans=files.human_translations,
            others=files.other_systems,
        ),
    )
    return with_marks(options, result, marks)


def _check_scores(options: argparse.Namespace) -> None:
    """Check that the call names no file of segment scores.

    Raises:
        SettingsError: it names one.
    """
    if options.refused_scores:
        raise SettingsError(
            "argument --metric-scores: the scores in files are of one set of references, and each reference alone is "
            "needed; remove the option"
        )
