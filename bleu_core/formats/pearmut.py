"""Ratings in Pearmut's result log: JSON lines, with an object for each document that a judge has submitted."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple, cast

from bleu_core.dataset import Judgments, SetAside
from bleu_core.errors import FormatError, listed
from bleu_core.formats.cells import LONGEST_NUMBER, counted_from_1, numbering, scores
from bleu_core.formats.contents import Contents, of_judgments
from bleu_core.formats.declaration import Format, Options
from bleu_core.formats.source import Source
from bleu_core.formats.text import Text, split_lines
from bleu_core.limits import DEFAULT_LIMITS, Limits

LABEL = "Pearmut (JSONL)"
SUBMITTED = frozenset({"annotation", "item", "user_id"})
SEPARATOR = "_#_"
#: What the place of a tutorial in a campaign begins with.
WELCOME = "welcome"
NO_PLACES = "the items do not name segments of documents, so that their ratings count for whole systems only"


class _Item(NamedTuple):
    """A rating: the file's line, the item, the system, the judge, and the score as a cell."""

    line: int
    item: str
    system: str
    judge: str
    score: str


class _Segment(NamedTuple):
    """What an item's name says: the language pair, the document, and the segment's number in it; empty if nothing."""

    pair: str
    document: str
    number: int


def is_pearmut(first_line: str) -> bool:
    """Whether a file's first line is an object of the log."""
    found = _object(first_line) if first_line.startswith("{") else None
    return found is not None and found.keys() >= SUBMITTED


def read_pearmut(
    text: Text, origin: str, *, pair: str | None = None, first_segment: int = 1, limits: Limits = DEFAULT_LIMITS
) -> Judgments:
    """Read the ratings of all judges; those of tutorials and checks, and of skipped items, are not used.

    An item called PAIR_#_..._#_DOCUMENT_#_NUMBER is a segment of that document. Its number counts lines of the texts if
    there are several documents and none of the numbers occurs in two of them. Campaigns choose other names, too, which
    do not say what they count. An item that a judge has submitted twice has two ratings of that judge.

    Args:
        text: the file's text.
        origin: the file, for messages.
        pair: the language pair as items name it; its first when None.
        first_segment: the number the file gives the first segment, 1 or 0, where numbers count lines.
        limits: the most that the file may hold.

    Raises:
        FormatError: a line is not such an object, a score is not a number, or the pair has no rating.
        LimitError: there are too many systems or judges.
    """
    aside: list[tuple[str, int]] = []
    items = list(_items(split_lines(text)[0], origin, aside))
    segments = {item.item: _segment(item.item) for item in items}
    pairs = list(dict.fromkeys(found.pair for found in segments.values()))
    chosen = pairs[0] if pair is None and pairs else pair
    if pairs and chosen not in pairs:
        raise FormatError(
            f"{origin}: no rating of the language pair {pair}; choose one of {listed(filter(None, pairs))}"
        )
    kept = [item for item in items if segments[item.item].pair == chosen]
    aside += [("another language pair", item.line) for item in items if segments[item.item].pair != chosen]
    documents = [segments[item.item].document for item in kept]
    order = {name: i for i, name in enumerate(dict.fromkeys(item.item for item in kept))}
    numbers = [segments[item.item].number if chosen else order[item.item] for item in kept]
    judges = [item.judge for item in kept]
    counting = "item"
    if chosen:
        counting = numbering(numbers, documents, judges) if len(set(documents)) > 1 else "document"
    lines = [item.line for item in kept]
    as_lines = counted_from_1(numbers, lines, origin, first_segment) if counting == "line" else None
    return Judgments.from_ratings(
        [item.system for item in kept],
        scores([item.score for item in kept], lines, origin),
        lines,
        origin,
        segments=as_lines,
        positions=None if as_lines else numbers,
        judges=judges,
        documents=[document or None for document in documents],
        format=f"{LABEL}, {chosen}" if chosen else LABEL,
        first_segment=first_segment,
        numbering=counting,
        set_aside=SetAside.tally(aside, origin),
        notes=(NO_PLACES,) if counting == "item" else (),
        limits=limits,
    )


def _items(lines: Sequence[str], origin: str, aside: list[tuple[str, int]]) -> Iterator[_Item]:
    """All ratings; those that are not used are added to aside, with the reason."""
    for number, line in enumerate(lines, start=1):
        found = _object(line)
        if found is None or not found.keys() >= SUBMITTED:
            raise FormatError(
                f"{origin}, line {number}: {line[:40]!r} found, an object with annotation, item and user_id expected"
            )
        place = f"{origin}, line {number}"
        judge = _name(found["user_id"], "user_id", place)
        annotations, items = (_list(found[key], key, place) for key in ("annotation", "item"))
        if len(annotations) != len(items):
            raise FormatError(
                f"{place}: {len(annotations)} annotations found, {len(items)} expected as there are items"
            )
        reason = _reason(found)
        for annotation, item in zip(annotations, items, strict=True):
            of_systems, described = _mapping(annotation, "annotation", place), _mapping(item, "item", place)
            called = _name(described.get("item_id"), "item_id", place)
            for system, rating in of_systems.items():
                why = reason or ("a check of the judge" if "validation" in described else "")
                if why:
                    aside.append((why, number))
                    continue
                score = _mapping(rating, "rating", place).get("score")
                yield _Item(number, called, system.strip(), judge, "" if score is None else str(score))


def _segment(item: str) -> _Segment:
    found = item.split(SEPARATOR)
    last = found[-1].strip()
    if len(found) < 3 or not (last.isascii() and last.isdigit() and len(last) <= LONGEST_NUMBER):  # noqa: PLR2004 # pair, document, number
        return _Segment("", "", 0)
    return _Segment(found[0], SEPARATOR.join(found[1:-1]), int(last))


def _reason(found: Mapping[str, object]) -> str:
    """Why none of an object's ratings counts; empty if they do."""
    if str(found.get("item_i")).startswith(WELCOME):
        return "tutorial"
    actions = found.get("actions")
    last = cast("list[object]", actions)[-1] if isinstance(actions, list) and actions else None
    skipped = isinstance(last, dict) and cast("Mapping[str, object]", last).get("action") == "submit_skip"
    return "skipped by the judge" if skipped else ""


def _object(line: str) -> Mapping[str, object] | None:
    try:
        found: object = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return cast("Mapping[str, object]", found) if isinstance(found, dict) else None


def _mapping(value: object, what: str, place: str) -> Mapping[str, object]:
    if not isinstance(value, dict):
        raise FormatError(f"{place}: {what} without names found, an object expected")
    return cast("Mapping[str, object]", value)


def _list(value: object, what: str, place: str) -> Sequence[object]:
    if not isinstance(value, list):
        raise FormatError(f"{place}: {what} found that is no list, a list expected")
    return cast("Sequence[object]", value)


def _name(value: object, what: str, place: str) -> str:
    if not isinstance(value, (str, int)):
        raise FormatError(f"{place}: no {what} found, a name expected")
    return str(value).strip()


def _sniff(source: Source) -> float:
    return 0.85 if is_pearmut(source.first_line) else 0


def _read(source: Source, options: Options) -> Contents:
    pair, first = options.pair, options.first_segment
    found = read_pearmut(source.text, source.name, pair=pair, first_segment=first, limits=source.limits)
    return of_judgments(found, source)


FORMAT = Format(
    key="pearmut",
    label=LABEL,
    description="Pearmut's result log (JSON lines)",
    roles=("judgments",),
    sniff=_sniff,
    read=_read,
    endings=(".jsonl",),
    pairs=True,
    json=True,
)
