"""Ratings of Pearmut: its result log in JSON lines, and its download of several logs in JSON, with the rated texts."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple, cast

from bleu_core.dataset import Column, Errors, Judgments, Role, SegmentId, UnusedRows
from bleu_core.errors import FormatError, LanguagePairError, listed
from bleu_core.formats.cells import MAX_NUMBER_LENGTH, detect_numbering, parse_scores, renumber_from_1
from bleu_core.formats.contents import Archive, Contents, FileRole, judgment_contents, text_contents
from bleu_core.formats.declaration import Format, Options
from bleu_core.formats.document_ids import language_pair, parse_document_id, select_pair
from bleu_core.formats.error_spans import pearmut_errors, text_or_none
from bleu_core.formats.json_objects import check_json, list_at, mapping_at, parse_json, parse_object, text_at
from bleu_core.formats.source import Source
from bleu_core.formats.text import HEAD_CHARS, Text, split_lines
from bleu_core.formats.xml_elements import join_lines
from bleu_core.limits import DEFAULT_LIMITS, Limits

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
NO_PLACES = "the items do not name segments of documents, so that their ratings count for whole systems only"


class _Row(NamedTuple):
    """An object of a log: its number (from 1), its campaign if the file names it, and its place, for messages."""

    number: int
    campaign: str
    place: str
    record: Mapping[str, object]


class _Segment(NamedTuple):
    """The parts of an item's name: language pair, document, and number of the segment in it; empty if it has none."""

    pair: str
    document: str
    number: int


@dataclass(frozen=True, slots=True, kw_only=True)
class _Item:
    """A rated item.

    Attributes:
        row: the row of the item.
        name: the name of the item.
        segment: the parts of its name, with the language pair of the campaign if it has none.
        judge: the judge.
        ratings: system -> its score as a cell.
        errors: system -> the marked errors; without systems whose rating has no list of errors.
        described: the item in the log, with its texts.
    """

    row: _Row
    name: str
    segment: _Segment
    judge: str
    ratings: Mapping[str, str]
    errors: Mapping[str, Errors]
    described: Mapping[str, object]


def is_pearmut(first_line: str) -> bool:
    """Return whether the first line of a file is an object of the log."""
    record = parse_object(first_line) if first_line.startswith("{") else None
    return record is not None and record.keys() >= LOG_KEYS


def is_download(beginning: str) -> bool:
    """Return whether a file begins like a download of the logs of campaigns."""
    return DOWNLOAD.match(beginning) is not None and '"annotation"' in beginning


def read_pearmut(
    text: Text, origin: str, *, pair: str | None = None, first_segment: int = 1, limits: Limits = DEFAULT_LIMITS
) -> Judgments:
    """Read the ratings of all judges except those of tutorials and checks, and of skipped and reset items.

    An item named PAIR_#_..._#_DOCUMENT_#_NUMBER, or with the separator _###_, is a segment of that document; the
    language pair may also be in the name of the campaign. The number counts lines of the texts if there are several
    documents and no number occurs in two of them. Other names of items do not identify segments. An item that a judge
    has submitted twice has two ratings of that judge.

    Args:
        text: the file's text.
        origin: the file, for messages.
        pair: the language pair in the items' names; None reads that of a log's first item, which may be empty.
        first_segment: the number the file gives the first segment, 1 or 0, where numbers count lines.
        limits: the limits for the file.

    Raises:
        FormatError: it is not such a file, a score is not a number, or the pair has no rating.
        LanguagePairError: a download has several language pairs, and none is chosen.
        LimitError: there are too many systems or judges.
    """
    items, unused_rows, selected, _ = _items_of_pair(text, origin, pair, limits)
    documents = [item.segment.document for item in items for _ in item.ratings]
    has_documents = bool(documents) and all(documents)
    positions = {name: i for i, name in enumerate(dict.fromkeys(item.name for item in items))}
    numbers = [item.segment.number if has_documents else positions[item.name] for item in items for _ in item.ratings]
    judges = [item.judge for item in items for _ in item.ratings]
    detected_numbering = "item"
    if has_documents:
        detected_numbering = detect_numbering(numbers, documents, judges) if len(set(documents)) > 1 else "document"
    lines = [item.row.number for item in items for _ in item.ratings]
    line_numbers = renumber_from_1(numbers, lines, origin, first_segment) if detected_numbering == "line" else None
    judgments = _judgments(items, origin, limits, segments=line_numbers, positions=None if line_numbers else numbers)
    return replace(
        judgments,
        first_segment=first_segment,
        format=f"{LABEL}, {selected}" if selected else LABEL,
        numbering=detected_numbering,
        unused_rows=(*UnusedRows.tally(unused_rows, origin), *judgments.unused_rows),
        notes=(NO_PLACES,) if detected_numbering == "item" else (),
    )


def _judgments(
    items: Sequence[_Item],
    origin: str,
    limits: Limits,
    *,
    segments: Sequence[int] | None,
    positions: Sequence[int] | None,
) -> Judgments:
    """Return the ratings of items, by segments or positions, one per rating.

    Direct assessments have empty lists of errors, too: a campaign without any error has no annotations.
    """
    annotated = {item.row.campaign for item in items if any(item.errors.values())}
    rows = [(item, system, cell) for item in items for system, cell in item.ratings.items()]
    lines = [item.row.number for item, _, _ in rows]
    return Judgments.from_ratings(
        [system for _, system, _ in rows],
        parse_scores([cell for _, _, cell in rows], lines, origin),
        lines,
        origin,
        segments=segments,
        positions=positions,
        judges=[item.judge for item, _, _ in rows],
        documents=[item.segment.document or None for item, _, _ in rows],
        errors=[item.errors.get(system) if item.row.campaign in annotated else None for item, system, _ in rows],
        sources=[text_or_none(_source(item.described)) for item, _, _ in rows],
        translations=[text_or_none(_translations(item.described).get(system)) for item, system, _ in rows],
        limits=limits,
    )


def _items_of_pair(
    text: Text, origin: str, pair: str | None, limits: Limits
) -> tuple[list[_Item], list[tuple[str, int]], str, tuple[str, ...]]:
    """Return the rated items of a language pair, all unused rows, the pair, and all pairs."""
    rows, is_log = _rows(text, origin, limits)
    unused_rows: list[tuple[str, int]] = []
    items = list(_items(_without_resets(rows, unused_rows), unused_rows))
    pairs = tuple(dict.fromkeys(item.segment.pair for item in items if item.segment.pair))
    wanted = language_pair(pair) or pair if pair else None
    if wanted is None and not is_log:
        wanted = select_pair(origin, pairs, pair)
    first = next((item.segment.pair for item in items), "")
    selected = first if wanted is None else wanted
    if pairs and wanted is not None and wanted not in pairs:
        raise LanguagePairError(
            f"{origin}: no rating of the language pair {pair}; choose one of {listed(pairs)}", pairs
        )
    selected = selected if pairs else ""
    others = [item for item in items if item.segment.pair != selected]
    unused_rows += [("another language pair", item.row.number) for item in others for _ in item.ratings]
    return [item for item in items if item.segment.pair == selected], unused_rows, selected, pairs


def _rows(text: Text, origin: str, limits: Limits) -> tuple[list[_Row], bool]:
    """Return the objects of a log, or of all logs of a download, and whether it is a log."""
    if is_download(text.beginning[:HEAD_CHARS]):
        return list(_downloaded(text, origin, limits)), False
    check_json(text.content, origin, limits)
    rows: list[_Row] = []
    for number, line in enumerate(split_lines(text)[0], start=1):
        place = f"{origin}, line {number}"
        record = parse_object(line)
        if record is None:
            if not line.strip():
                continue
            raise FormatError(f"{place}: {line[:40]!r} found, an object with annotation, item and user_id expected")
        rows.append(_Row(number, "", place, record))
    return rows, True


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
            raise FormatError(
                f"{place}: {str(dict(record))[:40]!r} found, an object with annotation, item and user_id expected"
            )
        judge = _name(record["user_id"], "user_id", place)
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
            name = _name(item.get("item_id"), "item_id", place)
            ratings = {
                system.strip(): "" if score is None else str(score)
                for system, rating in annotations_of_systems.items()
                for score in (mapping_at(place, rating, "rating").get("score"),)
            }
            segment = _segment(name)
            pair = segment.pair or language_pair(row.campaign) or row.campaign
            yield _Item(
                row=row,
                name=name,
                segment=segment._replace(pair=pair),
                judge=judge,
                ratings=ratings,
                errors=_errors(annotations_of_systems, item, row.number),
                described=item,
            )


def _errors(annotations: Mapping[str, object], item: Mapping[str, object], line: int) -> dict[str, Errors]:
    """Return the errors that a judge marked in an item, by system."""
    text_of = _translations(item)
    errors: dict[str, Errors] = {}
    for system, annotation in annotations.items():
        spans = cast("Mapping[str, object]", annotation).get("error_spans")
        if isinstance(spans, list):
            errors[system.strip()] = pearmut_errors(cast("list[object]", spans), text_of.get(system.strip()), line)
    return errors


def _segment(item: str) -> _Segment:
    """Parse an item's name."""
    parsed_id = parse_document_id(item)
    document, separator, last = (
        parsed_id.document.rpartition(parsed_id.separator) if parsed_id.separator else ("", "", "")
    )
    last = last.strip()
    if not separator or not (last.isascii() and last.isdigit() and len(last) <= MAX_NUMBER_LENGTH):
        return _Segment("", "", 0)
    return _Segment(parsed_id.pair, document, int(last))


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


def _name(value: object, what: str, place: str) -> str:
    if not isinstance(value, (str, int)):
        raise FormatError(f"{place}: no {what} found, a name expected")
    return str(value).strip()


class _Texts:
    """The texts of one role and name, by segment."""

    def __init__(self, role: Role, name: str) -> None:
        self.role: Role = role
        self.name = name
        self.texts: dict[SegmentId, tuple[str, str]] = {}

    def put(self, key: SegmentId, text: str | None, item: _Item) -> None:
        """Add the text of a segment.

        Raises:
            FormatError: another text of the segment is known.
        """
        if text is None:
            return
        one_line = join_lines(text)
        known = self.texts.setdefault(key, (one_line, item.row.place))
        if known[0] != one_line:
            whose = f" of {self.name}" if self.role == "system" else ""
            raise FormatError(
                f"{item.row.place}: another {self.role}{whose} of the item {item.name} found than in {known[1]}, the "
                "same expected; choose ratings as the type of the file, to read it without its texts"
            )

    def column(self, order: Sequence[SegmentId], source: Source) -> Column | None:
        """Return the texts in the order of the segments, with None for missing texts of a reference; None if empty."""
        kept = [key for key in order if key in self.texts or self.role == "reference"]
        if not self.texts:
            return None
        segments = tuple(self.texts[key][0] if key in self.texts else None for key in kept)
        place = source.name if self.role == "source" else f"{source.name}, {self.name}"
        return Column(self.role, self.name, segments, place, ids=tuple(kept))


def _read_test_set(source: Source, options: Options) -> Contents:
    """Return the texts and the ratings of a language pair.

    Raises:
        FormatError, LanguagePairError, LimitError: as read_pearmut; or a segment has two texts of one system.
    """
    items, unused_rows, selected, pairs = _items_of_pair(source.text, source.name, options.pair, source.limits)
    named = all(item.segment.document for item in items)
    keys = [
        SegmentId(item.segment.document, str(item.segment.number)) if named else SegmentId("", item.name)
        for item in items
    ]
    documents = {document: i for i, document in enumerate(dict.fromkeys(key.document for key in keys))}
    order = list(dict.fromkeys(keys))
    if named:
        order.sort(key=lambda key: (documents[key.document], int(key.segment)))
    sides: dict[tuple[Role, str], _Texts] = {}
    for item, key in zip(items, keys, strict=True):
        for (role, name), text in _texts_of(item).items():
            sides.setdefault((role, name), _Texts(role, name)).put(key, text, item)
    columns = [column for texts in sides.values() if (column := texts.column(order, source)) is not None]
    if not columns:
        raise FormatError(f"{source.name}: no text found in {len(items):,} items, at least 1 expected")
    source.limits.check("systems", sum(column.role == "system" for column in columns), source.name)
    if named:
        names = tuple(key.document for key in order)
        columns.append(Column("document", "documents", names, source.name, ids=tuple(order)))
    number = {key: i for i, key in enumerate(order, start=1)}
    segments = [number[key] for item, key in zip(items, keys, strict=True) for _ in item.ratings]
    judgments = _judgments(items, source.name, source.limits, segments=segments, positions=None)
    label = f"{LABEL}, {selected}" if selected else LABEL
    unused_rows = (*UnusedRows.tally(unused_rows, source.name), *judgments.unused_rows)
    judgments = replace(judgments, format=label, unused_rows=unused_rows)
    archive = Archive(pairs=pairs, pair=selected)
    contents = text_contents(tuple(columns), source, "archive", label, judgments=judgments, archive=archive)
    report = replace(contents.report, segments=len(order), ratings=len(judgments.rated), unused_rows=unused_rows)
    return replace(contents, report=report)


def _source(described: Mapping[str, object]) -> object:
    """Return the source of an item as text; src may be a picture or a video."""
    return described.get("src_text", described.get("src"))


def _translations(described: Mapping[str, object]) -> Mapping[str, object]:
    """Return the translations of an item by system; empty if it has none."""
    texts = described.get("tgt")
    by_system = cast("Mapping[str, object]", texts if isinstance(texts, dict) else {})
    return {system.strip(): text for system, text in by_system.items()}


def _texts_of(item: _Item) -> dict[tuple[Role, str], str | None]:
    """Return the texts of an item, by role and name."""
    place, described = item.row.place, item.described
    texts: dict[tuple[Role, str], str | None] = {("source", "source"): text_at(place, _source(described), "src")}
    if described.get("ref") is not None:
        texts["reference", "reference"] = text_at(place, described["ref"], "ref")
    for system, text in mapping_at(place, described.get("tgt") or {}, "tgt").items():
        texts["system", system.strip()] = text_at(place, text, f"tgt of {system}")
    return texts


def _sniff(source: Source) -> float:
    if is_download(source.text.beginning[:HEAD_CHARS]):
        return 0.9
    return 0.85 if is_pearmut(source.first_line) else 0


def _role_of(source: Source) -> FileRole:
    return "archive" if is_download(source.text.beginning[:HEAD_CHARS]) else "judgments"


def _read(source: Source, options: Options) -> Contents:
    if options.role == "archive":
        return _read_test_set(source, options)
    pair, first = options.pair, options.first_segment
    judgments = read_pearmut(source.text, source.name, pair=pair, first_segment=first, limits=source.limits)
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
