"""`bleu-core blocks`: scores on blocks of text."""

from __future__ import annotations

import argparse

from bleu_core.cli.arguments import Parser
from bleu_core.cli.command_result import CommandResult
from bleu_core.cli.judge_choices import add_ratings_as_metric
from bleu_core.cli.optimised import add_optimised, used_marks, with_marks, without_marked
from bleu_core.cli.options import add_common, add_documents, add_human_translations, add_metric, add_metric_scores
from bleu_core.cli.scored_data import ScoredData, load_scored, named_documents, undefined_notes
from bleu_core.dataset import plural
from bleu_core.errors import SettingsError
from bleu_core.inference import BLOCKS, Blocks, block_scores, blocks_of_size, equal_blocks
from bleu_core.results.blocks import block_report, block_table
from bleu_core.scoring import HUMAN, BleuEvaluation

HELP = "score blocks of text, and compare neighbouring systems by a paired t-test"


def add_options(parser: Parser) -> None:
    """Add the options of the command."""
    add_common(parser)
    add_metric(parser)
    add_metric_scores(parser)
    add_ratings_as_metric(parser)
    add_human_translations(parser)
    add_optimised(parser)
    division = parser.add_mutually_exclusive_group()
    division.add_argument("--blocks", type=int, metavar="B", help=f"number of blocks (default: {BLOCKS})")
    division.add_argument("--block-size", type=int, metavar="M", help="segments per block")
    add_documents(
        parser,
        "a file with one document id per line; documents are the blocks unless --blocks or --block-size is given",
        lambda options: options.metric == HUMAN or options.blocks is options.block_size is None,
        "documents are the blocks without --blocks and --block-size",
    )


def run(options: argparse.Namespace) -> CommandResult:
    """Score the systems on each block, and compare neighbouring systems."""
    given = load_scored(options, humans="excluded")
    if not isinstance(given.evaluation, BleuEvaluation):
        raise SettingsError("blocks need counts per segment, and these counts are bundled; count without --bundles")
    division = _division(options, given)
    metric = without_marked(options, given.metric)
    scores = block_scores(metric, division)
    sizes = scores.blocks.sizes
    notes = [
        *undefined_notes(metric),
        scores.signature,
        f"{len(sizes)} blocks of {min(sizes)} to {max(sizes)} segments",
    ]
    if scores.short_block:
        notes.append(f"the last block has only {sizes[-1]} {plural(sizes[-1], 'segment')}")
    result = CommandResult(
        block_report(scores, given.evaluation),
        [block_table(scores)],
        notes,
        warnings=given.warnings,
        slice=given.slice,
        repairs=given.repairs,
        humans=given.humans,
        assessment=given.assessment,
        raw_ratings=given.raw_ratings,
    )
    return with_marks(options, result, used_marks(options, [metric.metric]))


def _division(options: argparse.Namespace, given: ScoredData) -> Blocks:
    if options.block_size is not None:
        return blocks_of_size(given.units, options.block_size)
    documents = named_documents(options, given)
    if documents is not None and options.blocks is None:
        return documents
    return equal_blocks(given.units, BLOCKS if options.blocks is None else options.blocks)
