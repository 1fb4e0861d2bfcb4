"""Error annotations of mt-metrics-eval (*.seg.rating): one system and its errors per line."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from pathlib import PurePath
from typing import cast

from bleu_core.dataset import Errors, Judgments
from bleu_core.errors import FormatError
from bleu_core.formats.cells import cell_count, check_equal_counts
from bleu_core.formats.compression import strip_compression_ending
from bleu_core.formats.contents import Contents, judgment_contents
from bleu_core.formats.declaration import Format, Options
from bleu_core.formats.error_spans import marked_error
from bleu_core.formats.json_objects import parse_object
from bleu_core.formats.score_tables import as_mapping
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


def is_eval_ratings(first_lines: str) -> bool:
    """Return whether each line has a system, None or an object with errors, and maybe a judge; one needs errors."""
    rows = [line.split("\t") for line in first_lines.removesuffix("\n").split("\n")]
    if not all(len(cells) in WIDTHS and (cells[1] == MISSING or cells[1].startswith("{")) for cells in rows):
        return False
    return any(cells[1] != MISSING and _errors(cells[1]) is not None for cells in rows)


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
    lines, _ = split_lines(text)
    judge_of_file = PurePath(strip_compression_ending(origin)).name.removesuffix(ENDING).partition(".")[2]
    systems: list[str] = []
    judges: list[str] = []
    scores: list[float] = []
    segments: list[int | None] = []
    counts: Counter[str] = Counter()
    severities: Counter[str] = Counter()
    marked: list[Errors | None] = []
    for number, line in enumerate(lines, start=1):
        cells = line.split("\t")
        if len(cells) not in WIDTHS:
            raise FormatError(
                f"{origin}, line {number}: {cell_count(cells)} found, a system, its errors and perhaps a rater expected"
            )
        system = cells[0].strip()
        counts[system] += 1
        systems.append(system)
        judges.append(cells[2].strip() if len(cells) > WIDTHS[0] else judge_of_file)
        segments.append(counts[system])
        if cells[1] == MISSING:
            scores.append(float("nan"))
            marked.append(None)
            continue
        errors = _errors(cells[1])
        if errors is None:
            raise FormatError(
                f"{origin}, line {number}: {cells[1][:40]!r} found, None or an object with a list of errors expected"
            )
        severities.update(str(error.get("severity")) for error in errors)
        scores.append(-sum(weights.of(str(error.get("category")), str(error.get("severity"))) for error in errors))
        marked.append(tuple(marked_error(error, line=number) for error in errors))
    limits.check("systems", len(counts), origin)
    if counts:
        check_equal_counts(counts, "line", origin)
    return Judgments.from_ratings(
        systems,
        scores,
        range(1, len(lines) + 1),
        origin,
        segments=segments,
        judges=judges,
        errors=marked,
        format=LABEL,
        notes=(*weights.notes, *weights.notes_on(severities)),
        limits=limits,
    )


def _errors(cell: str) -> list[Mapping[str, object]] | None:
    """Return the errors in a cell; None if it is not an object with errors, each with texts or null as its names."""
    errors = (parse_object(cell) or {}).get("errors")
    if not isinstance(errors, list):
        return None
    items = list(map(as_mapping, cast("list[object]", errors)))
    texts = (str, type(None))
    plain = [item for item in items if item is not None and all(isinstance(item.get(name), texts) for name in NAMES)]
    return plain if len(plain) == len(items) else None


def _sniff(source: Source) -> float:
    return 0.85 if is_eval_ratings(source.first_lines) else 0


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
