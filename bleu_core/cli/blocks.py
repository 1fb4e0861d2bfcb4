"""`bleu-core blocks`: scores on blocks of text."""

from __future__ import annotations

import argparse

from bleu_core.cli.arguments import Parser
from bleu_core.cli.files import Files
from bleu_core.cli.options import add_common, add_documents, add_metric
from bleu_core.cli.result import Result
from bleu_core.cli.steps import evaluated, named_documents, scored, undefined_notes
from bleu_core.dataset import Corpus, plural
from bleu_core.inference import BLOCKS, Blocks, block_scores, blocks_of_size, equal_blocks
from bleu_core.reports import block_report, block_table

HELP = "score blocks of text, and compare neighbouring systems by a paired t-test"


def add_options(parser: Parser) -> None:
    """Add the options of the command."""
    add_common(parser)
    add_metric(parser)
    division = parser.add_mutually_exclusive_group()
    division.add_argument("--blocks", type=int, metavar="B", help=f"number of blocks (default: {BLOCKS})")
    division.add_argument("--block-size", type=int, metavar="M", help="segments per block")
    add_documents(
        parser, "a file with one document id per line; they are the blocks unless --blocks or --block-size is named"
    )


def run(options: argparse.Namespace) -> Result:
    """Score the systems on each block, and test neighbours."""
    files = Files(options)
    corpus = files.corpus()
    evaluation = evaluated(options, corpus)
    division = _division(options, corpus)
    metric = scored(corpus, evaluation, options.metric)
    found = block_scores(metric, division)
    sizes = found.blocks.sizes
    notes = [*undefined_notes(metric), found.signature, f"{len(sizes)} blocks of {min(sizes)} to {max(sizes)} segments"]
    if found.short_block:
        notes.append(f"the last block has only {sizes[-1]} {plural(sizes[-1], 'segment')}")
    return Result(
        block_report(found, evaluation),
        [block_table(found)],
        notes,
        warnings=files.warnings,
        slice=files.slice,
        repairs=files.repairs,
    )


def _division(options: argparse.Namespace, corpus: Corpus) -> Blocks:
    if options.block_size is not None:
        return blocks_of_size(corpus.segments, options.block_size)
    documents = named_documents(options, corpus)
    if documents is not None and options.blocks is None:
        return documents
    return equal_blocks(corpus.segments, BLOCKS if options.blocks is None else options.blocks)
