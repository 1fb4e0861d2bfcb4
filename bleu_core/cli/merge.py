"""`bleu-core merge`: add the counts of the parts of a text."""

from __future__ import annotations

import argparse

from bleu_core.cli.arguments import Parser
from bleu_core.cli.command_result import CommandResult
from bleu_core.cli.count import written
from bleu_core.cli.options import add_output
from bleu_core.counts import merge, read_counts, write_counts
from bleu_core.formats import printable_path

HELP = "add the counts files of all parts of a text"


def add_options(parser: Parser) -> None:
    """Add the options of the command."""
    parser.add_argument("parts", nargs="+", metavar="PART", help="counts files of all parts, in any order")
    parser.add_argument("--out", metavar="FILE", required=True, help="the counts file to write")
    add_output(parser)
    parser.set_defaults(workspace=None)


def run(options: argparse.Namespace) -> CommandResult:
    """Add the counts, and write the sum."""
    parts = [(printable_path(path), read_counts(path, options.limits)) for path in options.parts]
    counts = merge(parts)
    write_counts(counts, options.out)
    return written(counts, options.out)
