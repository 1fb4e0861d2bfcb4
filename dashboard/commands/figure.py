"""`bleu-core figure`: a figure of the pages as a file."""

from __future__ import annotations

import argparse
from typing import Any

from bleu_core.cli import Parser, Result
from dashboard.commands.gathering import add_material_options

HELP = "draw a figure of the dashboard as PDF, SVG or PNG"


def add_options(parser: Parser) -> None:
    """Add the options of the command."""
    parser.add_argument("figure", metavar="NAME", help="name of the figure; --list prints all names")
    add_material_options(parser)
    parser.add_argument("--list", action=_List, nargs=0, help="print the names of all figures and exit")


def run(options: argparse.Namespace) -> Result:
    """Draw the figure."""
    raise NotImplementedError


class _List(argparse.Action):
    """Prints the names of all figures, and ends the program."""

    def __call__(self, parser: argparse.ArgumentParser, *_: Any) -> None:
        from dashboard.export import FIGURES

        wide = max(map(len, FIGURES))
        lines = (f"{name:{wide}}  {figure.label} (page {figure.page})" for name, figure in FIGURES.items())
        parser.exit(0, "\n".join([*lines, ""]))
