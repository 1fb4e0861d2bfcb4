"""`bleu-core figure`: a figure of the pages as a file for a paper or a slide."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

from bleu_core.cli import Parser, Result
from bleu_core.errors import SettingsError
from bleu_core.fields import field, result
from bleu_core.formats import printable_path
from bleu_core.reports import Envelope, about
from dashboard.commands.gathering import add_material_options, gather

HELP = "draw a figure of the dashboard as PDF, SVG or PNG"

#: As in dashboard.figures and dashboard.export, which take long to load.
WIDTHS, FORMATS = ("84", "174", "slide"), ("pdf", "svg", "png")


@result
class FigureReport(Envelope):
    """A figure that was written."""

    figure: str = field("text", "Name of the figure.")
    file: str = field("text", "The file that was written.")
    millimetres: float = field("number", "Width of the figure in millimetres.")


def add_options(parser: Parser) -> None:
    """Add the options of the command."""
    parser.add_argument("figure", metavar="NAME", help="name of the figure; --list prints all names")
    add_material_options(parser)
    parser.add_argument("--list", action=_List, nargs=0, help="print the names of all figures and exit")
    parser.add_argument("--out", required=True, metavar="FILE", help=f"the file to write ({_listed_formats()})")
    parser.add_argument(
        "--width",
        choices=WIDTHS,
        default=WIDTHS[0],
        help="width in millimetres, of a column or a page, or a slide of 16:9 (default: %(default)s)",
    )
    parser.add_argument("--force", action="store_true", help="overwrite the file if it exists")
    parser.checks.append(_check_out)


def run(options: argparse.Namespace) -> Result:
    """Draw the figure, and write it."""
    from dashboard import session  # loaded when first needed, as all of these take long
    from dashboard.export import FIGURES, figure_file
    from dashboard.figures import PRINT_SIZES

    if options.figure not in FIGURES:
        raise SettingsError(f"figure {options.figure!r} found, one of {', '.join(FIGURES)} expected")
    out = Path(options.out)
    printed, size = FIGURES[options.figure], PRINT_SIZES[options.width]
    with session.without_page():
        gathered = gather(options)
        material = gathered.material
        content = figure_file(printed.draw(material), size, _format_of(out))
        data = printed.table(material)
    out.write_bytes(content)
    name = printable_path(str(out))
    report = FigureReport(
        **about(material.view.evaluation, material.scored),
        figure=printed.name,
        file=name,
        millimetres=round(size.millimetres, 2),
    )
    return Result(
        report,
        [data],
        [*gathered.notes, material.scored.signature],
        sentence=f"{name}: {printed.label}, {size.millimetres:.4g} mm wide",
        warnings=gathered.warnings,
        slice=gathered.slice,
    )


def _format_of(out: Path) -> Any:
    return out.suffix.lower().removeprefix(".")


def _listed_formats() -> str:
    return ", ".join(f".{form}" for form in FORMATS)


def _check_out(options: argparse.Namespace) -> None:
    """Check the file to write before any file is read.

    Raises:
        SettingsError: its ending is none of a figure, or it exists.
    """
    out = Path(options.out)
    name = printable_path(options.out)
    if _format_of(out) not in FORMATS:
        raise SettingsError(f"argument --out: {name} found, a file that ends in {_listed_formats()} expected")
    if out.exists() and not options.force:
        raise SettingsError(f"argument --out: {name} exists; add --force to overwrite it")


class _List(argparse.Action):
    """Prints the names of all figures, and ends the program."""

    def __call__(self, parser: argparse.ArgumentParser, *_: Any) -> None:
        from dashboard.export import FIGURES  # loaded when first needed

        wide = max(map(len, FIGURES))
        lines = (f"{name:{wide}}  {figure.label} (page {figure.page})" for name, figure in FIGURES.items())
        sys.stdout.write("\n".join([*lines, ""]))
        parser.exit()
