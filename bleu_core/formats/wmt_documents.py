"""Documents of WMT25 and WMT26 in JSON lines: test sets, and outputs of systems for several language pairs."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from sys import intern
from typing import cast

from bleu_core.dataset import Column, Labels, Role, SegmentId, plural
from bleu_core.errors import FormatError, listed
from bleu_core.formats.compression import decompress
from bleu_core.formats.contents import Contents, FileRole, text_contents, unused_contents
from bleu_core.formats.declaration import Format, Options
from bleu_core.formats.document_ids import language_pair, parse_document_id, select_pair
from bleu_core.formats.documents import Side, column_of_texts
from bleu_core.formats.json_objects import (
    check_json,
    first_object,
    iter_objects,
    mapping_at,
    parse_object,
    text_at,
    wrong_object,
)
from bleu_core.formats.source import Source
from bleu_core.formats.text import split_lines
from bleu_core.formats.text_roles import role_in_name
from bleu_core.limits import DEFAULT_LIMITS, Limits

WMT_DOCUMENTS = "wmt-documents"
LABEL = "documents of WMT (JSON lines)"
#: Keys of a document, of its texts, and of the output of a system.
DOCUMENT, SOURCE, REFERENCES, TARGETS, HYPOTHESIS = "doc_id", "src_text", "refs", "tgt_text", "hypothesis"
LANGUAGES = ("src_lang", "tgt_lang")
#: The key of ratings in records with such texts.
SCORES = "scores"
#: Known keys of documents and outputs that are neither texts to score nor labels.
OTHER_KEYS = frozenset(
    {
        *("domain", "dataset_id", "collection_id", "video", "screenshot", "gold_transcript", "source", "direction"),
        *("prompt_instruction", "multimodal_instruction", "evaluation_instruction", "instructions", "metadata"),
        *("hypothesis_segmented", "document_metadata"),
    }
)
KNOWN_KEYS = OTHER_KEYS | {DOCUMENT, SOURCE, REFERENCES, TARGETS, HYPOTHESIS, *LANGUAGES}
#: The key of a reference's text, if the reference is an object.
REFERENCE = "ref"
#: The option for the unit of segments, and its values.
SEGMENTS, WHOLE, PARAGRAPHS = "segments", "documents", "paragraphs"
#: The beginning of the names of texts that are references: refA.
REFERENCE_NAME = "ref"
#: Keys of segment numbers in a document; such rows are a table.
NUMBERED = re.compile(
    r"(?:seg|segment|line|paragraph|sentence|sent)(?:_?(?:id|no|nr|num|number|index))?", re.IGNORECASE
)
EXPECTED = f"an object with {DOCUMENT}"


@dataclass(frozen=True, slots=True)
class Row:
    """A document of a file, or a system's output for it.

    Attributes:
        line: the line of the file, from 1.
        document: its id without the language pair.
        pair: the language pair, as SOURCE-TARGET; empty if the file does not say.
        texts: (role, name) -> text; None if there is none.
        domain: the domain of the document; empty if the file does not say.
        unknown: unknown keys.
    """

    line: int
    document: str
    pair: str
    texts: Mapping[Side, str | None]
    domain: str = ""
    unknown: tuple[str, ...] = ()


def _is_test_set(record: Mapping[str, object]) -> bool:
    has_translations = isinstance(record.get(REFERENCES), dict) or isinstance(record.get(TARGETS), dict)
    has_scores = SCORES in record  # segments with ratings are another format
    return (
        isinstance(record.get(DOCUMENT), str)
        and isinstance(record.get(SOURCE), str)
        and has_translations
        and not has_scores
    )


def _is_output(record: Mapping[str, object]) -> bool:
    document = record.get(DOCUMENT)
    has_pair = isinstance(document, str) and (bool(parse_document_id(document).pair) or record.keys() >= set(LANGUAGES))
    return has_pair and HYPOTHESIS in record and not isinstance(record[HYPOTHESIS], (dict, list))


def read_rows(source: Source) -> list[Row]:
    """Read all documents of a file, of all language pairs.

    Raises:
        FormatError: a line is not such an object, a text is not text, or two rows have the same document.
        LimitError: there are too many lines.
    """
    source.limits.check("objects", source.text.line_ends.lines, source.name)
    check_json(source.text.content, source.name, source.limits)
    rows: list[Row] = []
    first: dict[tuple[str, str], int] = {}
    for number, place, record in iter_objects(source.text, source.name, EXPECTED):
        row = _row(record, number, place)
        known = first.setdefault((row.pair, row.document), number)
        if known != number:
            raise FormatError(
                f"{place}: a second row of the document {row.document} found, 1 expected; the first is in line {known}"
            )
        rows.append(row)
    return rows


def _row(record: Mapping[str, object], number: int, place: str) -> Row:
    if not isinstance(record.get(DOCUMENT), str):
        raise wrong_object(place, record, EXPECTED)
    document_id = parse_document_id(cast("str", record[DOCUMENT]))
    pair = _stated_pair(record) or document_id.pair
    if document_id.pair and document_id.pair != pair:
        raise FormatError(
            f"{place}: languages {pair} found, {document_id.pair} expected as in the {DOCUMENT} {record[DOCUMENT]!r}"
        )
    domain = record.get("domain")
    texts: dict[Side, str | None]
    if SOURCE in record:
        texts = _texts_of_test_set(record, place)
    elif HYPOTHESIS in record:
        texts = {("system", ""): text_at(place, record[HYPOTHESIS], HYPOTHESIS)}
    else:
        raise FormatError(f"{place}: neither {SOURCE} nor {HYPOTHESIS} found, one of them expected")
    unknown = tuple(key for key in record if key not in KNOWN_KEYS)
    return Row(
        line=number,
        document=intern(document_id.document),  # the same in the files of all systems
        pair=pair,
        texts=texts,
        domain=domain.strip() if isinstance(domain, str) else "",
        unknown=unknown,
    )


def _stated_pair(record: Mapping[str, object]) -> str:
    """Return the language pair that the keys of languages give; empty without them."""
    if not record.keys() >= set(LANGUAGES):  # as in most files
        return ""
    languages = [record.get(name) for name in LANGUAGES]
    if not all(isinstance(language, str) and language.strip() for language in languages):
        return ""
    languages_text = "-".join(cast("str", language).strip() for language in languages)
    return language_pair(languages_text) or languages_text


def split_documents(
    data: bytes, name: str, encoding: str | None = None, *, limits: Limits = DEFAULT_LIMITS
) -> dict[str, bytes]:
    """Divide a file of documents by language pair, each document parsed once.

    Lines without a language pair, and those that cannot be read, are in all parts. Lines of other pairs are empty, so
    that messages name the lines of the file.

    Args:
        data: the file's bytes.
        name: the file, for messages.
        encoding: as in decode.
        limits: the limits for the file.

    Returns:
        language pair -> the bytes of its part in UTF-8, in the order of the file; empty without a language pair.

    Raises:
        FormatError, LimitError: the file cannot be decoded, or has too many lines.
    """
    source = Source(decompress(data, name, limits), name, encoding, limits)
    limits.check("json_bytes", len(source.data), name)
    lines = split_lines(source.text)[0]
    limits.check("objects", len(lines), name)
    pairs = [_pair_in(line) if line.strip() else "" for line in lines]
    return {
        pair: "\n".join(line if own in (pair, "") else "" for line, own in zip(lines, pairs, strict=True)).encode(
            "utf-8", "surrogatepass"
        )
        for pair in dict.fromkeys(filter(None, pairs))
    }


def _pair_in(line: str) -> str:
    """Return the language pair of a document in a line; empty if it cannot be read, or has none."""
    record = parse_object(line) or {}
    document = record.get(DOCUMENT)
    return (_stated_pair(record) or parse_document_id(document).pair) if isinstance(document, str) else ""


def _texts_of_test_set(record: Mapping[str, object], place: str) -> dict[Side, str | None]:
    source = text_at(place, record[SOURCE], SOURCE)
    if source is None:
        raise FormatError(f"{place}: no {SOURCE} found, a text expected")
    texts: dict[Side, str | None] = {("source", "source"): source}
    for name, value in mapping_at(place, record.get(REFERENCES) or {}, REFERENCES).items():
        text = cast("Mapping[str, object]", value).get(REFERENCE) if isinstance(value, dict) else value
        texts["reference", name] = _reference(place, text, f"{REFERENCES}.{name}")
    for name, value in mapping_at(place, record.get(TARGETS) or {}, TARGETS).items():
        role: Role = "reference" if name.lower().startswith(REFERENCE_NAME) else "system"
        read = _reference if role == "reference" else text_at
        texts.setdefault((role, name), read(place, value, f"{TARGETS}.{name}"))
    return texts


def _reference(place: str, value: object, what: str) -> str | None:
    """Return the text of a reference; None if it is empty."""
    text = text_at(place, value, what)
    return text if text and text.strip() else None


def _columns(source: Source, rows: Sequence[Row], role: FileRole) -> list[Column]:
    """Return the texts of the rows; a system's column lacks the documents that it does not have."""
    ids = tuple(SegmentId(row.document, "") for row in rows)
    columns: list[Column] = []
    for text_role, name in dict.fromkeys(side for row in rows for side in row.texts):
        texts = [row.texts.get((text_role, name)) for row in rows]
        if all(text is None for text in texts):
            continue
        place = f"{source.name}, {name}" if name and text_role != "source" else source.name
        column = column_of_texts((text_role, name or source.stem), texts, ids, place, written=True)
        columns.append(replace(column, role="reference") if role == "reference" and not name else column)
    return columns


def _columns_of_role(columns: Sequence[Column], role: FileRole, source: Source, pair: str) -> list[Column]:
    """Return the columns of a file in this role."""
    if role == "archive":
        return list(columns)
    kept = [column for column in columns if column.role in (role, "source")]
    if role == "source":
        return kept
    if role != "document" and not any(column.role == role for column in kept):
        present = listed(dict.fromkeys(column.role for column in columns))
        for_pair = f" for the language pair {pair}" if pair else ""
        raise FormatError(f"{source.name}: no {role}{for_pair} found, at least 1 expected; the file has {present}")
    return kept


def _with_reference(rows: Sequence[Row]) -> Sequence[Row]:
    """Return the documents with a reference; all of them if none has one."""
    with_reference = [row for row in rows if any(text for (role, _), text in row.texts.items() if role == "reference")]
    return with_reference or rows


def _labels(source: Source, rows: Sequence[Row]) -> Labels | None:
    """Return the domains of the documents; None if there is only one."""
    if len({row.domain for row in rows}) < 2:  # noqa: PLR2004 # only one domain
        return None
    return Labels(
        unit="document",
        keys=tuple(row.document for row in rows),
        columns={"domain": tuple(row.domain for row in rows)},
        lines=tuple(row.line for row in rows),
        origin=source.name,
    )


def _notes(rows: Sequence[Row], columns: Sequence[Column]) -> Iterator[str]:
    unknown = dict.fromkeys(key for row in rows for key in row.unknown)
    if unknown:
        yield f"{plural(len(unknown), 'column')} {listed(unknown)} not used: documents of WMT have no such column"
    absent = len(rows) - max((len(c.segments) for c in columns if c.role == "system"), default=len(rows))
    if absent and not any(c.role == "source" for c in columns):
        yield f"{absent:,} {plural(absent, 'document')} without {HYPOTHESIS}: missing, not empty"


def _sniff(source: Source) -> float:
    record = first_object(source.first_line)
    if any(map(NUMBERED.fullmatch, record)):
        return 0
    return 0.9 if _is_test_set(record) or _is_output(record) else 0


def _role_of(source: Source) -> FileRole:
    if SOURCE in first_object(source.first_line):
        return "archive"
    return "reference" if role_in_name(source) == "reference" else "system"


def _read(source: Source, options: Options) -> Contents:
    """Read the texts of a language pair.

    Raises:
        LanguagePairError: there are several language pairs and none is chosen, or a test set lacks the chosen one.
        FormatError: as read_rows; or there is no text of the role.
    """
    rows = read_rows(source)
    if not rows:
        raise FormatError(f"{source.name}: the file is empty: 0 documents, at least 1 expected")
    pairs = tuple(dict.fromkeys(row.pair for row in rows if row.pair))
    is_test_set = any(("source", "source") in row.texts for row in rows)
    wanted = language_pair(options.pair) or options.pair if options.pair else None
    if wanted and pairs and wanted not in pairs and not is_test_set:  # a system may lack language pairs
        note = f"no document of the language pair {wanted}: not used; it has {listed(pairs)}"
        return unused_contents(source, options.role, f"{LABEL}, {wanted}", notes=(note,), pairs=pairs)
    pair = select_pair(source.name, pairs, options.pair)
    nameless = sum(not row.pair for row in rows) if pair else 0
    rows = [row for row in rows if row.pair == pair] if pair else rows
    columns = _columns_of_role(_columns(source, rows, options.role), options.role, source, pair)
    if not columns:
        raise FormatError(f"{source.name}: no text found in {len(rows):,} documents, at least 1 expected")
    if is_test_set:
        ids = tuple(SegmentId(row.document, "") for row in rows)
        columns.append(Column("document", "documents", tuple(row.document for row in rows), source.name, ids=ids))
    for role in ("system", "reference"):
        source.limits.check(f"{role}s", sum(column.role == role for column in columns), source.name)
    notes = tuple(_notes(rows, columns))
    if nameless:
        notes += (f"{nameless:,} {plural(nameless, 'document')} without a language pair not used",)
    labels = _labels(source, _with_reference(rows)) if is_test_set else None
    segment_unit = options.own.get(SEGMENTS, WHOLE)
    if segment_unit not in (WHOLE, PARAGRAPHS):
        raise FormatError(f"{source.name}: {SEGMENTS} {segment_unit!r} found, {WHOLE} or {PARAGRAPHS} expected")
    label = f"{LABEL}, {pair}" if pair else LABEL
    return text_contents(
        tuple(columns),
        source,
        options.role,
        label,
        notes=notes,
        labels=labels,
        pairs=pairs,
        pair=pair,
        paragraphs=segment_unit == PARAGRAPHS,
    )


FORMAT = Format(
    key=WMT_DOCUMENTS,
    label=LABEL,
    description="test sets of WMT25 and WMT26 with a document per line, and the outputs of systems for them",
    roles=("archive", "system", "reference", "source", "document"),
    sniff=_sniff,
    read=_read,
    role_of=_role_of,
    endings=(".jsonl",),
    pairs=True,
    asks_pair=True,
    json=True,
    own={SEGMENTS: "Segments"},
    values=lambda _: {SEGMENTS: (WHOLE, PARAGRAPHS)},
)
