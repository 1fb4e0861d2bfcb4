"""Ratings of Pearmut: its result log in JSON lines, and its download of several logs in JSON, with the rated texts."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple, cast

from bleu_core.dataset import Column, Numbering, SegmentId
from bleu_core.errors import FormatError
from bleu_core.formats.cells import parse_score, required_name
from bleu_core.formats.contents import Contents, FileRole, judgment_contents, text_contents
from bleu_core.formats.declaration import Format, Options
from bleu_core.formats.document_ids import language_pair, parse_segment_id, select_pair
from bleu_core.formats.documents import Side, column_of_texts
from bleu_core.formats.error_spans import Rating, columns_of, judgments_of, pearmut_errors
from bleu_core.formats.json_objects import (
    check_json,
    first_object,
    iter_objects,
    list_at,
    mapping_at,
    parse_json,
    text_at,
    text_or_none,
    wrong_object,
)
from bleu_core.formats.source import Source
from bleu_core.formats.text import HEAD_CHARS, Text
from bleu_core.formats.xml_elements import join_lines
from bleu_core.limits import Limits

LABEL = "Pearmut (JSON)"
LOG_KEYS = frozenset({"annotation", "item", "user_id"})
#: The beginning of a download: an object with the log of each campaign.
DOWNLOAD = re.compile(
    r'\s*+\{\s*+"(?!(?:annotation|item|actions|validations)")(?:[^"\\]|\\.)*+"\s*+:\s*+\[\s*+(?:\{|\])'
)
#: The value in place of annotations if a judge's work was reset, so that earlier submissions do not count.
RESET = "__RESET__"
#: Beginning of an item's index, for items that are not rated for the campaign -> the kind of item.
OTHER_ITEMS: Mapping[str, str] = {"welcome": "tutorial", "random_": "attention check", "goodbye_": "questionnaire"}
#: Part of an item's name -> the kind of item.
OTHER_NAMES: Mapping[str, str] = {"attention_check_": "attention check", "_#_tutorial_#_": "tutorial"}
EXPECTED = "an object with annotation, item and user_id"
EXPLANATIONS: Mapping[Numbering, str] = {
    "item": "the items do not name segments of documents, so that their ratings count for whole systems only"
}


class _Row(NamedTuple):
    """An object of a log: its number (from 1), its campaign if the file names it, and its place, for messages."""

    number: int
    campaign: str
    place: str
    record: Mapping[str, object]


class _Item(NamedTuple):
    """A rated item.

    Attributes:
        row: the row of the item.
        name: the name of the item.
        pair: the language pair, by the name of the item or of the campaign; empty if neither has it.
        document: the document in the name of the item; empty if it has none.
        number: the number of the segment in it.
        ratings: the ratings of its systems.
        described: the item in the log, with its texts.
    """

    row: _Row
    name: str
    pair: str
    document: str
    number: int
    ratings: Sequence[Rating]
    described: Mapping[str, object]


def _is_download(text: Text) -> bool:
    """Return whether a file begins like a download of the logs of campaigns."""
    beginning = text.beginning[:HEAD_CHARS]
    return DOWNLOAD.match(beginning) is not None and '"annotation"' in beginning


def _ratings(items: Sequence[_Item], numbers: Sequence[int]) -> list[Rating]:
    """Return the ratings of items, whose segments have these numbers.

    Direct assessments have empty lists of errors, too: a campaign without any error has no annotations.
    """
    annotated = {item.row.campaign for item in items if any(rating.errors for rating in item.ratings)}
    return [
        rating._replace(number=number, errors=rating.errors if item.row.campaign in annotated else None)
        for item, number in zip(items, numbers, strict=True)
        for rating in item.ratings
    ]


def _items_of_pair(source: Source, pair: str | None) -> tuple[list[_Item], list[tuple[str, int]], str, tuple[str, ...]]:
    """Return the rated items of a language pair, all unused rows, the pair, and all pairs."""
    origin = source.name
    rows, is_log = _rows(source.text, origin, source.limits)
    unused_rows: list[tuple[str, int]] = []
    items = list(_items(_without_resets(rows, unused_rows), unused_rows))
    pairs = tuple(dict.fromkeys(item.pair for item in items if item.pair))
    first = items[0].pair if items else ""
    selected = first if pair is None and is_log else select_pair(origin, pairs, pair)
    others = [item for item in items if item.pair != selected]
    unused_rows += [(f"another language pair, {item.pair}", rating.line) for item in others for rating in item.ratings]
    return [item for item in items if item.pair == selected], unused_rows, selected, pairs


def _rows(text: Text, origin: str, limits: Limits) -> tuple[list[_Row], bool]:
    """Return the objects of a log, or of all logs of a download, and whether it is a log."""
    if _is_download(text):
        return list(_downloaded(text, origin, limits)), False
    check_json(text.content, origin, limits)
    objects = iter_objects(text, origin, EXPECTED)
    return [_Row(number, "", place, record) for number, place, record in objects], True


def _downloaded(text: Text, origin: str, limits: Limits) -> Iterator[_Row]:
    number = 0
    for campaign, log in mapping_at(origin, parse_json(text.content, origin, limits), "logs").items():
        for position, value in enumerate(list_at(origin, log, f"log of {campaign}"), start=1):
            number += 1
            place = f"{origin}, row {position:,} of {campaign}"
            yield _Row(number, campaign, place, mapping_at(place, value, "row"))


def _without_resets(rows: Sequence[_Row], unused_rows: list[tuple[str, int]]) -> Iterator[_Row]:
    """Yield the rows that no later row resets: for the same judge and item, or for all items of the judge."""
    resets: dict[tuple[str, object, object], int] = {}
    for row in rows:
        if row.record.get("annotation") == RESET:
            resets[row.campaign, row.record.get("user_id"), str(row.record.get("item_i", ""))] = row.number
    for row in rows:
        if row.record.get("annotation") == RESET:
            continue
        judge = row.record.get("user_id")
        keys = ((row.campaign, judge, str(row.record.get("item_i", ""))), (row.campaign, judge, ""))
        if any(resets.get(key, 0) > row.number for key in keys):
            unused_rows.append(("reset afterwards", row.number))
        else:
            yield row


def _items(rows: Iterator[_Row], unused_rows: list[tuple[str, int]]) -> Iterator[_Item]:
    """Yield all rated items; append unused rows with the reason."""
    for row in rows:
        record, place = row.record, row.place
        if not record.keys() >= LOG_KEYS:
            raise wrong_object(place, record, EXPECTED)
        judge = required_name(record["user_id"], place, "user_id")
        annotations, described = (list_at(place, record[key], key) for key in ("annotation", "item"))
        if len(annotations) != len(described):
            raise FormatError(
                f"{place}: {len(annotations)} annotations found, {len(described)} expected as there are items"
            )
        reason = _reason(record)
        for annotation, value in zip(annotations, described, strict=True):
            item = mapping_at(place, value, "item")
            if annotation is None:  # an item that may be skipped
                unused_rows.append((reason or "skipped by the judge", row.number))
                continue
            annotations_of_systems = mapping_at(place, annotation, "annotation")
            why = reason or _reason_of_item(item)
            if why:
                unused_rows += [(why, row.number)] * len(annotations_of_systems)
                continue
            name = required_name(item.get("item_id"), place, "item_id")
            pair, document, number = parse_segment_id(name) or ("", "", 0)
            pair = pair or language_pair(row.campaign) or row.campaign
            source, texts = text_or_none(_source(item)), _translations(item)
            ratings: list[Rating] = []
            for key, rated in annotations_of_systems.items():
                system, rating = key.strip(), mapping_at(place, rated, "rating")
                text = texts.get(system)
                ratings.append(
                    Rating(
                        line=row.number,
                        number=number,
                        system=system,
                        score=parse_score(rating.get("score"), place),
                        pair=pair,
                        document=document,
                        judge=judge,
                        errors=pearmut_errors(rating.get("error_spans"), text, row.number),
                        source=source,
                        translation=text_or_none(text),
                    )
                )
            yield _Item(row, name, pair, document, number=number, ratings=ratings, described=item)


def _reason(record: Mapping[str, object]) -> str:
    """Return why none of an object's ratings counts; empty if they do."""
    place = str(record.get("item_i"))
    reason = next((reason for begin, reason in OTHER_ITEMS.items() if place.startswith(begin)), "")
    actions = record.get("actions")
    last = cast("list[object]", actions)[-1] if isinstance(actions, list) and actions else None
    skipped = isinstance(last, dict) and cast("Mapping[str, object]", last).get("action") == "submit_skip"
    return reason or ("skipped by the judge" if skipped else "")


def _reason_of_item(item: Mapping[str, object]) -> str:
    """Return why the ratings of an item do not count; empty if they do."""
    if "validation" in item:
        return "a check of the judge"
    name = str(item.get("item_id", ""))
    return next((reason for part, reason in OTHER_NAMES.items() if part in name), "")


def _read_test_set(source: Source, options: Options) -> Contents:
    """Return the texts and the ratings of a language pair.

    Raises:
        FormatError, LanguagePairError, LimitError: as _read; or a segment has two texts of one system.
    """
    items, unused_rows, selected, pairs = _items_of_pair(source, options.pair)
    named = all(item.document for item in items)
    keys = [SegmentId(item.document, str(item.number)) if named else SegmentId("", item.name) for item in items]
    documents = {document: i for i, document in enumerate(dict.fromkeys(key.document for key in keys))}
    order = list(dict.fromkeys(keys))
    if named:
        order.sort(key=lambda key: (documents[key.document], int(key.segment)))
    sides: dict[Side, dict[SegmentId, str]] = {}
    places: dict[tuple[Side, SegmentId], str] = {}
    for item, key in zip(items, keys, strict=True):
        for side, text in _texts_of(item).items():
            one_line = join_lines(text)
            first = places.setdefault((side, key), item.row.place)
            if sides.setdefault(side, {}).setdefault(key, one_line) != one_line:
                whose = f" of {side[1]}" if side[0] == "system" else ""
                raise FormatError(
                    f"{item.row.place}: another {side[0]}{whose} of the item {item.name} found than in {first}, the "
                    "same expected; choose ratings as the type of the file, to read it without its texts"
                )
    ids = tuple(order)
    columns = [
        column_of_texts(
            side, [*map(texts.get, ids)], ids, source.name if side[0] == "source" else f"{source.name}, {side[1]}"
        )
        for side, texts in sides.items()
    ]
    if not columns:
        raise FormatError(f"{source.name}: no text found in {len(items):,} items, at least 1 expected")
    source.limits.check("systems", sum(column.role == "system" for column in columns), source.name)
    if named:
        names = tuple(key.document for key in order)
        columns.append(Column("document", "documents", names, source.name, ids=ids))
    number = {key: i for i, key in enumerate(order, start=1)}
    judgments = judgments_of(
        columns_of(_ratings(items, [number[key] for key in keys])),
        source.name,
        LABEL,
        pair=selected,
        numbering="line",
        unused_rows=unused_rows,
        limits=source.limits,
    )
    label = judgments.format
    contents = text_contents(tuple(columns), source, "archive", label, pairs=pairs, pair=selected, judgments=judgments)
    report = replace(
        contents.report, segments=len(order), ratings=len(judgments.rated), unused_rows=judgments.unused_rows
    )
    return replace(contents, report=report)


def _source(described: Mapping[str, object]) -> object:
    """Return the source of an item as text; src may be a picture or a video."""
    return described.get("src_text", described.get("src"))


def _translations(described: Mapping[str, object]) -> Mapping[str, object]:
    """Return the translations of an item by system; empty if it has none."""
    texts = described.get("tgt")
    by_system = cast("Mapping[str, object]", texts if isinstance(texts, dict) else {})
    return {system.strip(): text for system, text in by_system.items()}


def _texts_of(item: _Item) -> dict[Side, str]:
    """Return the texts of an item, by role and name."""
    place, described = item.row.place, item.described
    texts: dict[Side, str | None] = {("source", "source"): text_at(place, _source(described), "src")}
    texts["reference", "reference"] = text_at(place, described.get("ref"), "ref")
    for system, text in mapping_at(place, described.get("tgt") or {}, "tgt").items():
        texts["system", system.strip()] = text_at(place, text, f"tgt of {system}")
    return {side: text for side, text in texts.items() if text is not None}


def _sniff(source: Source) -> float:
    if _is_download(source.text):
        return 0.9
    return 0.85 if first_object(source.first_line).keys() >= LOG_KEYS else 0


def _role_of(source: Source) -> FileRole:
    return "archive" if _is_download(source.text) else "judgments"


def _read(source: Source, options: Options) -> Contents:
    """Read the ratings of all judges except those of tutorials and checks, and of skipped and reset items.

    An item named PAIR_#_..._#_DOCUMENT_#_NUMBER, or with the separator _###_, is a segment of that document; the
    language pair may also be in the name of the campaign. The number counts lines of the texts if there are several
    documents and no number occurs in two of them. Other names of items do not identify segments. An item that a judge
    has submitted twice has two ratings of that judge. Without a language pair, that of a log's first item is read.

    Raises:
        FormatError: it is not such a file, a score is not a number, or the pair has no rating.
        LanguagePairError: a download has several language pairs, and none is chosen.
        LimitError: there are too many systems or judges.
    """
    if options.role == "archive":
        return _read_test_set(source, options)
    items, unused_rows, selected, _ = _items_of_pair(source, options.pair)
    has_documents = bool(items) and all(item.document for item in items)
    positions = {name: i for i, name in enumerate(dict.fromkeys(item.name for item in items))}
    ratings = _ratings(items, [item.number if has_documents else positions[item.name] for item in items])
    numbering: Numbering | None = "item"
    if has_documents:
        numbering = None if len({item.document for item in items if item.ratings}) > 1 else "document"
    judgments = judgments_of(
        columns_of(ratings),
        source.name,
        LABEL,
        pair=selected,
        numbering=numbering,
        first_segment=options.first_segment,
        explanations=EXPLANATIONS,
        unused_rows=unused_rows,
        limits=source.limits,
    )
    return judgment_contents(judgments, source)


FORMAT = Format(
    key="pearmut",
    label=LABEL,
    description="Pearmut's result log (JSON lines), and its download annotations.json, with the texts",
    roles=("judgments", "archive"),
    sniff=_sniff,
    read=_read,
    role_of=_role_of,
    endings=(".jsonl", ".json"),
    pairs=True,
    json=True,
)
