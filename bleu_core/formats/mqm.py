"""Google's MQM files: one error per row, tab-separated, without quoting."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from bleu_core.dataset import Judgments, SetAside, plural
from bleu_core.errors import FormatError
from bleu_core.formats.cells import counted, segments
from bleu_core.formats.contents import Contents, of_judgments
from bleu_core.formats.declaration import Format, Options
from bleu_core.formats.source import Source
from bleu_core.formats.text import Text, split_lines
from bleu_core.formats.weights import PUBLISHED, SEVERITIES, MqmWeights
from bleu_core.limits import DEFAULT_LIMITS, Limits

LABEL = "Google MQM (TSV)"
SEGMENT_NAMES = ("globalsegid", "seg_id")
NEEDED = ("system", "rater", "category", "severity")
ATTENTION_CHECK = "hotw"
#: Unknown severities that are named in notes; further ones are counted.
MOST_SEVERITIES = 5


def is_mqm(first_line: str) -> bool:
    """Whether a file's first line is the header of one of Google's MQM files, of any year."""
    names = _names(first_line)
    return all(name in names for name in NEEDED) and any(name in names for name in SEGMENT_NAMES)


def is_incomplete_mqm(first_line: str) -> bool:
    """Whether a file's first line is such a header with one column missing."""
    names = _names(first_line)
    found = [name in names for name in NEEDED] + [any(name in names for name in SEGMENT_NAMES)]
    return sum(found) == len(found) - 1


def read_mqm(
    text: Text,
    origin: str,
    *,
    weights: MqmWeights = PUBLISHED,
    first_segment: int = 1,
    limits: Limits = DEFAULT_LIMITS,
) -> Judgments:
    """Read errors, one per row; a rater's score of a segment is minus the sum of their weights, and 0 without errors.

    The header may end with a comment (#) for which rows have no cell. Rows of attention checks (HOTW-test) are not
    errors and are not used; an item without other rows has no rating. A severity without a published weight has the
    weight weights.other, and a note names it.

    Args:
        text: the file's text.
        origin: the file, for messages.
        weights: what errors cost.
        first_segment: the number the file gives the first segment, 1 or 0.
        limits: the most that the file may hold.

    Raises:
        FormatError: the header lacks a column, a row has another width, a segment is not a whole number from
            first_segment on, or there is no rating.
        LimitError: there are too many columns, systems or judges.
    """
    lines, _ = split_lines(text)
    header = _names(lines[0]) if lines else []
    limits.check("columns", len(header), f"{origin}, line 1")
    place = {name: header.index(name) for name in (*NEEDED, "doc") if name in header}
    segment = next((header.index(name) for name in SEGMENT_NAMES if name in header), None)
    lacking = [name for name in NEEDED if name not in place] + ([] if segment is not None else ["seg_id"])
    if segment is None or lacking:
        raise FormatError(
            f"{origin}, line {text.above + 1}: no {', '.join(lacking)} in the header; a table of MQM errors has "
            "system, doc, seg_id, rater, source, target, category, severity"
        )
    at_system, at_rater, at_category, at_severity = (place[name] for name in NEEDED)
    at_document = place.get("doc")
    found: dict[tuple[str, str, str], int] = {}  # a rater, a segment and a system, by place in the lists below
    numbers: list[int] = []
    documents: list[str | None] = []
    penalties: list[float | None] = []
    aside: list[tuple[str, int]] = []
    costs: dict[tuple[str, str], float | None] = {}
    unknown: Counter[str] = Counter()
    for number, cells in _rows(lines, max(segment, *place.values()) + 1, len(header), origin, text.above):
        system = cells[at_system].strip()
        if not system:
            raise FormatError(f"{origin}, line {number}: no system found, a name expected")
        i = found.setdefault((cells[at_rater].strip(), cells[segment].strip(), system), len(numbers))
        if i == len(numbers):
            numbers.append(number)
            documents.append((cells[at_document].strip() or None) if at_document is not None else None)
            penalties.append(None)
        kind = cells[at_category], cells[at_severity]
        if kind not in costs:
            costs[kind] = _cost(*kind, weights)
        cost = costs[kind]
        category, severity = kind[0].strip(), kind[1].strip()
        if cost is None:
            aside.append((f"attention check ({severity}: {category.lower()})", number))
            continue
        penalties[i] = (penalties[i] or 0.0) + cost
        if severity.lower() not in SEVERITIES:
            unknown[severity] += 1
    kept = [
        (key, i, -penalty) for (key, i), penalty in zip(found.items(), penalties, strict=True) if penalty is not None
    ]
    of_kept = [numbers[i] for _, i, _ in kept]
    shown, rest = list(unknown.items())[:MOST_SEVERITIES], len(unknown) - MOST_SEVERITIES
    return Judgments.from_ratings(
        [system for (_, _, system), _, _ in kept],
        [score for _, _, score in kept],
        of_kept,
        origin,
        segments=segments([number for (_, number, _), _, _ in kept], of_kept, origin, first_segment),
        judges=[rater for (rater, _, _), _, _ in kept],
        documents=[documents[i] for _, i, _ in kept],
        first_segment=first_segment,
        format=LABEL,
        set_aside=SetAside.tally(aside, origin),
        notes=(
            *weights.notes,
            *(f"{n:,} {plural(n, 'error')} of severity {name!r}: weight {weights.other:g}" for name, n in shown),
            *((f"errors of {rest:,} more severities: weight {weights.other:g}",) if rest > 0 else ()),
        ),
        limits=limits,
    )


def _names(first_line: str) -> list[str]:
    return [cell.strip().lower() for cell in first_line.rstrip("\r").split("\t")]


def _cost(category: str, severity: str, weights: MqmWeights) -> float | None:
    """The weight of an error; None for an attention check, which is not an error."""
    return None if severity.strip().lower().startswith(ATTENTION_CHECK) else weights.of(category, severity)


def _rows(
    lines: Sequence[str], narrowest: int, widest: int, origin: str, above: int
) -> Iterator[tuple[int, list[str]]]:
    """The rows below the header, with their lines; the last cells are remarks and may be missing."""
    for number, line in enumerate(lines[1:], start=above + 2):
        cells = line.split("\t")
        if not narrowest <= len(cells) <= widest:
            raise FormatError(
                f"{origin}, line {number}: {counted(cells)} found, {narrowest} to {widest} expected as in line "
                f"{above + 1}"
            )
        yield number, cells


def _sniff(source: Source) -> float:
    if is_mqm(source.first_line):
        return 0.95
    return 0.5 if is_incomplete_mqm(source.first_line) else 0  # its reader names the column that is missing


def _read(source: Source, options: Options) -> Contents:
    weights, first = options.weights, options.first_segment
    found = read_mqm(source.text, source.name, weights=weights, first_segment=first, limits=source.limits)
    return of_judgments(found, source, weights=weights)


FORMAT = Format(
    key="mqm",
    label=LABEL,
    description="MQM error tables as Google publishes them",
    roles=("judgments",),
    sniff=_sniff,
    read=_read,
    endings=(".tsv",),
)
