"""Error annotations of mt-metrics-eval (*.seg.rating): one system and its errors per line."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from pathlib import PurePath
from typing import cast

from bleu_core.dataset import Errors, Judgments
from bleu_core.errors import FormatError
from bleu_core.formats.cells import cell_count, check_equal_counts
from bleu_core.formats.compression import strip_compression_ending
from bleu_core.formats.contents import Contents, judgment_contents
from bleu_core.formats.declaration import Format, Options
from bleu_core.formats.error_spans import Rating, columns_of, judgments_of, marked_error, mqm_score
from bleu_core.formats.json_objects import as_mapping, parse_object
from bleu_core.formats.source import Source
from bleu_core.formats.text import Text, split_lines
from bleu_core.formats.weights import PUBLISHED, MqmWeights
from bleu_core.limits import DEFAULT_LIMITS, Limits

LABEL = "mt-metrics-eval ratings"
ENDING = ".seg.rating"
MISSING = "None"
WIDTHS = (2, 3)
#: The keys of an error that are texts.
NAMES = ("severity", "category")


def _sniff(source: Source) -> float:
    """Recognise lines with a system, None or an object with errors, and maybe a judge; one needs errors."""
    rows = [line.split("\t") for line in source.first_lines.removesuffix("\n").split("\n")]
    if not all(len(cells) in WIDTHS and (cells[1] == MISSING or cells[1].startswith("{")) for cells in rows):
        return 0
    return 0.85 if any(cells[1] != MISSING and _errors(cells[1]) is not None for cells in rows) else 0


def read_eval_ratings(
    text: Text, origin: str, *, weights: MqmWeights = PUBLISHED, limits: Limits = DEFAULT_LIMITS
) -> Judgments:
    """Read errors; a rating is minus the sum of their weights, and 0 without errors.

    Each system has one line per segment, in the order of the texts; None marks an unrated segment. If no judge is
    named, the file's name identifies the judge: en-de.mqm.rater1.seg.rating.

    Args:
        text: the file's text.
        origin: the file, for messages.
        weights: the weights of errors.
        limits: the limits for the file.

    Raises:
        FormatError: a line has other cells, systems differ in their number of lines, or there is no rating.
        LimitError: there are too many systems or judges.
    """
    columns = columns_of(_ratings(text, origin, weights))
    counts = Counter(columns["system"])
    limits.check("systems", len(counts), origin)
    if counts:
        check_equal_counts(counts, "line", origin)
    severities = Counter(error.severity for errors in columns["errors"] for error in errors or ())
    notes = weights.notes_on(severities)
    return judgments_of(columns, origin, LABEL, numbering="line", notes=notes, limits=limits)


def _ratings(text: Text, origin: str, weights: MqmWeights) -> Iterator[Rating]:
    """Yield the rating in each line; the lines of a system are its segments in their order."""
    counts: Counter[str] = Counter()
    judge_of_file = PurePath(strip_compression_ending(origin)).name.removesuffix(ENDING).partition(".")[2]
    for number, line in enumerate(split_lines(text)[0], start=1):
        cells = line.split("\t")
        if len(cells) not in WIDTHS:
            raise FormatError(
                f"{origin}, line {number}: {cell_count(cells)} found, a system, its errors and perhaps a rater expected"
            )
        system, judge = cells[0].strip(), cells[2].strip() if len(cells) > WIDTHS[0] else judge_of_file
        errors = None if cells[1] == MISSING else _errors(cells[1], number)
        if errors is None and cells[1] != MISSING:
            raise FormatError(
                f"{origin}, line {number}: {cells[1][:40]!r} found, None or an object with a list of errors expected"
            )
        counts[system] += 1
        score = math.nan if errors is None else mqm_score(errors, weights)
        yield Rating(number, counts[system], system, score, judge=judge, errors=errors)


def _errors(cell: str, line: int = 0) -> Errors | None:
    """Return the errors in a cell; None if it is not an object with errors, each with texts or null as its names."""
    errors = (parse_object(cell) or {}).get("errors")
    if not isinstance(errors, list):
        return None
    items = list(map(as_mapping, cast("list[object]", errors)))
    texts = (str, type(None))
    plain = [item for item in items if item is not None and all(isinstance(item.get(name), texts) for name in NAMES)]
    return tuple(marked_error(item, line=line) for item in plain) if len(plain) == len(items) else None


def _read(source: Source, options: Options) -> Contents:
    judgments = read_eval_ratings(source.text, source.name, weights=options.weights, limits=source.limits)
    return judgment_contents(judgments, source, weights=options.weights)


FORMAT = Format(
    key="eval-ratings",
    label=LABEL,
    description="error annotations of mt-metrics-eval",
    roles=("judgments",),
    sniff=_sniff,
    read=_read,
    endings=(".rating",),
)
