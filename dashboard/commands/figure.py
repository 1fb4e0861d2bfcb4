"""`bleu-core figure`: a figure of the pages as a file for a paper or a slide."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from functools import partial
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bleu_core.cli import CommandResult, Parser, expression_of, with_marks
from bleu_core.errors import SettingsError
from bleu_core.fields import field, result
from bleu_core.formats import printable_path
from bleu_core.results.envelope import Envelope, envelope_fields, slice_described
from bleu_core.scoring import HUMAN
from dashboard.commands.gathering import add_data_options, add_out, gather, marks_in_use, write_out

if TYPE_CHECKING:  # slow to load
    from dashboard.exhibits import AnyExhibit

HELP = "draw a figure of the dashboard as PDF, SVG or PNG"

#: As in dashboard.plots and dashboard.export, which are slow to load.
WIDTHS, FORMATS = ("84", "174", "slide"), ("pdf", "svg", "png")


#: What an exhibit depends on -> the options that it uses.
OPTIONS: Mapping[str, Sequence[str]] = {
    "metric": ("metric",),
    "pair": ("system", "baseline"),
    "baseline": ("baseline",),
    "tests": ("test", "blocks", "units", "resamples", "correction", "seed", "alpha"),
    "slices": ("by",),
    "blocks": ("blocks", "block_size", "document_blocks"),
    "metrics": ("also", "correction"),
}
#: Options on the choice of ratings.
OF_RATINGS = ("human_scores", "first_segment", "mqm_weights", "adjust_judges", "standardise", "exclude_judge")

UNUSED = "this figure does not depend on it"


@result
class FigureReport(Envelope):
    """A figure that was written."""

    figure: str = field("text", "Name of the figure.")
    file: str = field("text", "The file that was written.")
    millimetres: float = field("number", "Width of the figure in millimetres.")


def add_options(parser: Parser) -> None:
    """Add the options of the command."""
    parser.add_argument("figure", metavar="NAME", help="name of the figure; --list prints all names")
    add_data_options(parser)
    parser.add_argument("--list", action=_List, nargs=0, help="print the names of all figures and exit")
    parser.add_argument(
        "--width",
        choices=WIDTHS,
        default=WIDTHS[0],
        help="width in millimetres, of a column or a page, or a slide of 16:9 (default: %(default)s)",
    )
    parser.checks.append(_check_format)
    for key in dict.fromkeys(chain.from_iterable(OPTIONS.values())):
        refused = key != "metric"
        parser.only(key, partial(_is_used, key), f"{UNUSED}; remove the option" * refused or UNUSED, refused=refused)
    parser.only("human", _uses_ratings, UNUSED, refused=False)
    for key in OF_RATINGS:
        parser.only(key, _uses_ratings, f"{UNUSED}; remove the option")
    add_out(parser, f"the file to write ({_listed_formats()})")


def run(options: argparse.Namespace) -> CommandResult:
    """Draw the figure, and write it."""
    from dashboard.export import figure_file  # loaded when first needed
    from dashboard.plots.on_paper import PRINT_SIZES

    out = Path(options.out)
    exhibit, size = _exhibit(options), PRINT_SIZES[options.width]
    gathered = gather(options, as_pages=True)
    data = gathered.data
    content = figure_file(exhibit.draw(data), size, _format_of(out), slice_described(gathered.slice))
    numbers = exhibit.numbers(data)
    write_out(options, content)
    path = printable_path(str(out))
    report = FigureReport(
        **envelope_fields(data.view.evaluation, data.scored),
        figure=exhibit.name,
        file=path,
        millimetres=round(size.millimetres, 2),
    )
    result = CommandResult(
        report,
        [numbers],
        [*gathered.notes, data.scored.signature],
        sentence=f"{path}: {exhibit.title}, {size.millimetres:.4g} mm wide",
        warnings=gathered.warnings,
        slice=gathered.slice,
        assessment=data.assessment(ratings=_uses_ratings(options)),
    )
    return with_marks(options, result, marks_in_use(gathered))


def _exhibit(options: argparse.Namespace) -> AnyExhibit:
    """Return the exhibit of a call.

    Raises:
        SettingsError: there is none of that name.
    """
    from dashboard.exhibits import EXHIBITS, RENAMED  # loaded when first needed, as these are slow to load

    name = RENAMED.get(options.figure, options.figure)
    if name not in EXHIBITS:
        raise SettingsError(f"figure {options.figure!r} found, one of {', '.join(EXHIBITS)} expected")
    return EXHIBITS[name]


def _is_used(key: str, options: argparse.Namespace) -> bool:
    return any(key in OPTIONS.get(option, ()) for option in _exhibit(options).options)


def _uses_ratings(options: argparse.Namespace) -> bool:
    """Return whether a figure is about ratings, uses them where there are any, or is of a slice or a metric by them."""
    exhibit = _exhibit(options)
    shown = "judgments" in exhibit.needs or "ratings" in exhibit.options
    return shown or options.metric == HUMAN or bool(expression_of(options))


def _format_of(out: Path) -> Any:
    return out.suffix.lower().removeprefix(".")


def _listed_formats() -> str:
    return ", ".join(f".{form}" for form in FORMATS)


def _check_format(options: argparse.Namespace) -> None:
    """Check the ending of the file to write before any file is read.

    Raises:
        SettingsError: it is not an ending of figures.
    """
    if _format_of(Path(options.out)) not in FORMATS:
        name = printable_path(options.out)
        raise SettingsError(f"argument --out: {name} found, a file that ends in {_listed_formats()} expected")


class _List(argparse.Action):
    """Prints the names of all figures, and ends the program."""

    def __call__(self, parser: argparse.ArgumentParser, *_: Any) -> None:
        from dashboard.exhibits import EXHIBITS  # loaded when first needed

        width = max(map(len, EXHIBITS))
        lines = (
            f"{name:{width}}  {exhibit.title} ({exhibit.page}{exhibit.part and f': {exhibit.part}'})"
            for name, exhibit in EXHIBITS.items()
        )
        sys.stdout.write("\n".join([*lines, ""]))
        parser.exit()
