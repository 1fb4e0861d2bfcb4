"""Error annotations of mt-metrics-eval (*.seg.rating): a system and its errors in each line."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from pathlib import PurePath
from typing import cast

from bleu_core.dataset import Judgments, plural
from bleu_core.errors import FormatError
from bleu_core.formats.cells import cell_count
from bleu_core.formats.compression import strip_compression_ending
from bleu_core.formats.contents import Contents, judgment_contents
from bleu_core.formats.declaration import Format, Options
from bleu_core.formats.source import Source
from bleu_core.formats.text import Text, split_lines
from bleu_core.formats.weights import PUBLISHED, MqmWeights
from bleu_core.limits import DEFAULT_LIMITS, Limits

LABEL = "mt-metrics-eval ratings"
ENDING = ".seg.rating"
MISSING = "None"
WIDTHS = (2, 3)


def is_eval_ratings(first_lines: str) -> bool:
    """Return whether every line is a system and None or an object with errors, perhaps with a rater, and one has errors."""
    rows = [line.split("\t") for line in first_lines.removesuffix("\n").split("\n")]
    if not all(len(cells) in WIDTHS and (cells[1] == MISSING or cells[1].startswith("{")) for cells in rows):
        return False
    return any(cells[1] != MISSING and _errors(cells[1]) is not None for cells in rows)


def read_eval_ratings(
    text: Text, origin: str, *, weights: MqmWeights = PUBLISHED, limits: Limits = DEFAULT_LIMITS
) -> Judgments:
    """Read errors; a rating is minus the sum of their weights, and 0 without errors.

    Each system has one line per segment, in the order of the texts; None stands for a segment that is not rated. Where
    no rater is named, the file's name says who rated: en-de.mqm.rater1.seg.rating.

    Args:
        text: the file's text.
        origin: the file, for messages.
        weights: what errors cost.
        limits: the limits for the file.

    Raises:
        FormatError: a line has other cells, systems differ in their number of lines, or there is no rating.
        LimitError: there are too many systems or judges.
    """
    lines, _ = split_lines(text)
    named = PurePath(strip_compression_ending(origin)).name.removesuffix(ENDING).partition(".")[2]
    systems: list[str] = []
    raters: list[str] = []
    scores: list[float] = []
    segments: list[int | None] = []
    count: Counter[str] = Counter()
    severities: Counter[str] = Counter()
    for number, line in enumerate(lines, start=1):
        cells = line.split("\t")
        if len(cells) not in WIDTHS:
            raise FormatError(
                f"{origin}, line {number}: {cell_count(cells)} found, a system, its errors and perhaps a rater expected"
            )
        system = cells[0].strip()
        count[system] += 1
        if count[system] == 1:
            limits.check("systems", len(count), origin)
        systems.append(system)
        raters.append(cells[2].strip() if len(cells) > WIDTHS[0] else named)
        segments.append(count[system])
        scores.append(_score(cells[1], weights, f"{origin}, line {number}", severities))
    _check_lengths(count, origin)
    return Judgments.from_ratings(
        systems,
        scores,
        range(1, len(lines) + 1),
        origin,
        segments=segments,
        judges=raters,
        format=LABEL,
        notes=(*weights.notes, *weights.notes_on(severities)),
        limits=limits,
    )


def _score(cell: str, weights: MqmWeights, place: str, severities: Counter[str]) -> float:
    """Return the rating of a segment; NaN if there is none. Counts its errors by severity."""
    if cell == MISSING:
        return float("nan")
    errors = _errors(cell)
    if errors is None:
        raise FormatError(f"{place}: {cell[:40]!r} found, None or an object with a list of errors expected")
    severities.update(str(error.get("severity")) for error in errors)
    return -sum(weights.of(str(error.get("category")), str(error.get("severity"))) for error in errors)


def _errors(cell: str) -> list[Mapping[str, object]] | None:
    """Return the errors in a cell; None if it is no object with errors."""
    try:
        found: object = json.loads(cell)
    except (ValueError, RecursionError):
        return None
    errors = cast("Mapping[str, object]", found).get("errors") if isinstance(found, dict) else None
    if not isinstance(errors, list):
        return None
    listed = cast("list[object]", errors)
    if not all(isinstance(error, dict) and _is_plain(cast("Mapping[str, object]", error)) for error in listed):
        return None
    return cast("list[Mapping[str, object]]", errors)


def _is_plain(error: Mapping[str, object]) -> bool:
    return all(isinstance(error.get(name), (str, type(None))) for name in ("category", "severity"))


def _check_lengths(count: Counter[str], origin: str) -> None:
    if not count:
        return
    expected = Counter(count.values()).most_common(1)[0][0]
    for system, found in count.items():
        if found != expected:
            raise FormatError(
                f"{origin}: {found:,} {plural(found, 'line')} of {system} found, {expected:,} expected as for the "
                "other systems"
            )


def _sniff(source: Source) -> float:
    return 0.85 if is_eval_ratings(source.first_lines) else 0


def _read(source: Source, options: Options) -> Contents:
    found = read_eval_ratings(source.text, source.name, weights=options.weights, limits=source.limits)
    return judgment_contents(found, source, weights=options.weights)


FORMAT = Format(
    key="eval-ratings",
    label=LABEL,
    description="error annotations of mt-metrics-eval",
    roles=("judgments",),
    sniff=_sniff,
    read=_read,
    endings=(".rating",),
)
