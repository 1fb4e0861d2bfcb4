"""Counts files: zips of a manifest in JSON and of NumPy arrays, about 4 bytes per system and segment.

Equal counts give equal bytes: the file merged from parts equals the file of a single count.
"""

from __future__ import annotations

import io
import json
import math
import zipfile
from collections.abc import Mapping, Sequence
from typing import Any, get_args

import numpy as np

from bleu_core.counts.bundles import BundledBy, Bundling
from bleu_core.counts.counts import (
    LENGTH_COLUMNS,
    BundleCounts,
    Counted,
    CountedText,
    Counts,
    IntegerArray,
    SegmentCounts,
    smallest,
)
from bleu_core.counts.lines import Oddities
from bleu_core.counts.ranges import LineRange
from bleu_core.errors import FormatError, SettingsError, shortened
from bleu_core.formats import (
    COUNTS_FILE,
    MIMETYPE,
    ZIP_ERRORS,
    StrPath,
    check_json,
    declares_media_type,
    open_zip,
    printable_path,
    read_bytes,
    write_bytes,
)
from bleu_core.invocation import invocation
from bleu_core.limits import DEFAULT_LIMITS, LimitError, Limits
from bleu_core.scoring import ABSENT, MAX_ORDER, Counting
from bleu_core.version import VERSION

#: The usual ending of a counts file's name.
ENDING = ".counts"

#: Version of the layout, which changes when older programs cannot read newer files.
LAYOUT = 1

MANIFEST = "counts.json"
ARRAY = ".npy"

#: Level of compression of the arrays.
ZIP_LEVEL = 6

#: Maximum bytes of a manifest, and of the header of an array.
MAX_MANIFEST_BYTES, MAX_HEADER_BYTES = 2**24, 2**12

#: Version of NumPy's array format.
ARRAY_FORMAT_VERSION = (1, 0)

#: Maximum bytes of an integer in arrays, and the maximum number in a manifest.
MAX_ITEM_BYTES = 8
MAX_INTEGER = 2**63 - 1

#: Names of the arrays. The longest axis is the last one, which compresses best.
SEGMENT_ARRAYS = ("matches", "hypothesis_lengths", "reference_lengths")
BUNDLE_ARRAYS = ("sums", "lengths_by_presence", "segments_by_presence")


def is_counts(data: bytes) -> bool:
    """Return whether a file is a counts file, by its first BEGIN bytes or all of them."""
    return declares_media_type(data, COUNTS_FILE)


def write_counts(counts: Counts, path: StrPath) -> None:
    """Write counts to a file, which has its name only once it is complete.

    Raises:
        OSError: the file cannot be written.
    """
    write_bytes(path, encode_counts(counts))


def encode_counts(counts: Counts) -> bytes:
    """Return the bytes of a counts file."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        archive.writestr(zipfile.ZipInfo(MIMETYPE), COUNTS_FILE, zipfile.ZIP_STORED)
        manifest = json.dumps(_manifest(counts), indent=1, ensure_ascii=True).encode("ascii")
        archive.writestr(zipfile.ZipInfo(MANIFEST), manifest, zipfile.ZIP_STORED)
        for name, array in _arrays(counts.data).items():
            content = io.BytesIO()
            np.save(content, np.ascontiguousarray(array), allow_pickle=False)
            archive.writestr(zipfile.ZipInfo(name + ARRAY), content.getbuffer(), zipfile.ZIP_DEFLATED, ZIP_LEVEL)
    return stream.getvalue()


def read_counts(path: StrPath, limits: Limits = DEFAULT_LIMITS) -> Counts:
    """Read a counts file; further errors as for decode_counts.

    Raises:
        OSError: the file cannot be read.
    """
    return decode_counts(read_bytes(path, limits), printable_path(path), limits)


def decode_counts(data: bytes, origin: str, limits: Limits = DEFAULT_LIMITS) -> Counts:
    """Decode the counts in the bytes of a counts file.

    Args:
        data: all bytes of the file.
        origin: the file, for messages.
        limits: the limits on bytes, systems and references apply.

    Raises:
        FormatError: the file is not a counts file, is damaged, or was written by a newer program.
        LimitError: the file holds more than the limits allow.
    """
    if not is_counts(data):
        raise FormatError(
            f"{origin}: not a counts file; give a file that `{invocation('bleu-core')} count` has written"
        )
    archive = open_zip(data, origin, limits)
    entries = {entry.filename: entry for entry in archive.infolist()}
    limits.check("unpacked_bytes", sum(entry.file_size for entry in entries.values()), origin)
    try:
        if entries[MANIFEST].file_size > MAX_MANIFEST_BYTES:
            raise ValueError(f"a manifest of {entries[MANIFEST].file_size:,} bytes found")
        text = archive.read(entries[MANIFEST]).decode("utf-8")
        check_json(text, origin, limits)
        manifest: Any = json.loads(text)
        layout, version = manifest["layout"], manifest["version"]
        if layout == LAYOUT:
            return _counts(manifest, archive, entries=entries, limits=limits, origin=origin)
    except LimitError:
        raise
    except SettingsError as error:
        raise FormatError(f"{origin}: {error}") from None
    except (*ZIP_ERRORS, KeyError, TypeError, AttributeError, RecursionError, MemoryError) as error:
        raise FormatError(f"{origin}: the counts file is damaged ({_problem(error)}); count or copy it again") from None
    raise FormatError(
        f"{origin}: layout {shortened(layout)} found, {LAYOUT} expected; it was written by version "
        f"{shortened(version)}; install that one"
    )


def _problem(error: Exception) -> str:
    return f"{error.args[0]!r} is missing" if isinstance(error, KeyError) else str(error) or type(error).__name__


def _manifest(counts: Counts) -> dict[str, Any]:
    counted = counts.counted
    texts = [
        _text_record(text) | {"empty": oddities.empty, "invisible": dict(sorted(oddities.invisible.items()))}
        for text, oddities in zip(counted.texts, counts.oddities, strict=True)
    ]
    documents, bundling = counted.documents, counted.bundling
    return {
        "layout": LAYOUT,
        "tool": "bleu-core",
        "version": VERSION,
        "signature": counted.signature,
        "tokenizer": counted.counting.tokenizer,
        "lowercase": counted.counting.lowercase,
        "max_order": counted.max_order,
        "segments": counted.segments,
        "first_segment": counts.range.first + 1,
        "counted_segments": counts.range.lines,
        "systems": texts[: len(counted.systems)],
        "references": texts[len(counted.systems) :],
        "documents": None if documents is None else _text_record(documents),
        "bundles": None if bundling is None else {"by": bundling.by, "number": bundling.number},
        "assessments": list(counts.assessments),
    }


def _text_record(text: CountedText) -> dict[str, Any]:
    return {"name": text.name, "digest": text.digest}


def _arrays(data: SegmentCounts | BundleCounts) -> Mapping[str, IntegerArray]:
    """Return the arrays of a file: integers in the smallest types, the longest axis last."""
    if isinstance(data, SegmentCounts):
        return {
            "matches": smallest(np.moveaxis(data.matches, 2, 1)),
            "hypothesis_lengths": smallest(data.hypothesis_lengths),
            "reference_lengths": smallest(data.reference_lengths),
        }
    return {
        "sums": smallest(np.moveaxis(data.sums, 2, 1)),
        "lengths_by_presence": smallest(data.lengths_by_presence.T),
        "segments_by_presence": smallest(data.segments_by_presence.T),
    }


def _counts(
    manifest: Any, archive: zipfile.ZipFile, entries: Mapping[str, zipfile.ZipInfo], limits: Limits, origin: str
) -> Counts:
    """Return the counts of a manifest and its arrays; invalid content raises one of many errors."""
    counted = _counted(manifest)
    limits.check("systems", len(counted.systems), origin)
    limits.check("references", len(counted.references), origin)
    lines = LineRange(_number(manifest, "first_segment", 1) - 1, _number(manifest, "counted_segments", 1))
    if lines.behind > counted.segments:
        raise ValueError(f"{lines} of {counted.segments:,}")
    oddities = tuple(_oddities(text, lines.lines) for text in (*manifest["systems"], *manifest["references"]))
    systems, references, order = len(counted.systems), len(counted.references), counted.max_order
    data: SegmentCounts | BundleCounts
    if counted.bundling is None:
        shapes = [(systems, order, lines.lines), (systems, lines.lines), (references, lines.lines)]
        matches, *lengths = _read_arrays(archive, entries, SEGMENT_ARRAYS, shapes)
        data = SegmentCounts(np.moveaxis(matches, 1, 2), *lengths)
        _check_segments(data)
    else:
        bundles = counted.bundling.number
        shapes = [(systems, LENGTH_COLUMNS + 2 * order, bundles), (references, bundles), (references + 1, bundles)]
        sums, *by_presence = (array.astype(np.int64) for array in _read_arrays(archive, entries, BUNDLE_ARRAYS, shapes))
        data = BundleCounts(np.moveaxis(sums, 1, 2), *(array.T for array in by_presence))
        if min(int(array.min()) for array in (sums, *by_presence)) < 0 or data.segments != lines.lines:
            raise ValueError(f"{data.segments:,} segments in bundles")
    assessments: Sequence[Any] = manifest.get("assessments", [""])  # older programs did not assess
    return Counts(counted, lines, oddities, data, assessments=tuple(map(_text, assessments)))


def _check_segments(data: SegmentCounts) -> None:
    """Check that counts are possible: no more matches than n-grams, and no length below ABSENT."""
    names = tuple(map(str, range(len(data.matches))))
    if int(data.matches.min()) < 0 or bool((data.matches > data.stats(names).totals).any()):
        raise ValueError("more matches than n-grams")
    if int(data.hypothesis_lengths.min()) < 0 or int(data.reference_lengths.min()) < ABSENT:
        raise ValueError("a length below 0")


def _counted(manifest: Any) -> Counted:
    documents: Any = manifest["documents"]
    bundles: Any = manifest["bundles"]
    counted = Counted(
        signature=_text(manifest["signature"]),
        counting=Counting(_text(manifest["tokenizer"]), lowercase=bool(manifest["lowercase"])),
        max_order=_number(manifest, "max_order", 1),
        systems=_texts(manifest["systems"]),
        references=_texts(manifest["references"]),
        documents=None if documents is None else _texts([documents])[0],
        segments=_number(manifest, "segments", 1),
        bundling=None if bundles is None else _bundling(bundles),
    )
    if counted.max_order > MAX_ORDER or not counted.systems or not counted.references:
        raise ValueError(f"order {counted.max_order} of {len(counted.systems)} systems")
    if len({text.name for text in counted.systems}) < len(counted.systems):
        raise ValueError("two systems have one name")
    return counted


def _bundling(record: Any) -> Bundling:
    if record["by"] not in get_args(BundledBy):
        raise ValueError(f"bundles by {shortened(repr(record['by']))}")
    return Bundling(record["by"], _number(record, "number", 1))


def _texts(records: Sequence[Any]) -> tuple[CountedText, ...]:
    return tuple(CountedText(_text(text["name"]), _text(text["digest"])) for text in records)


def _oddities(text: Any, lines: int) -> Oddities:
    invisible: Mapping[str, Any] = text["invisible"]
    counts = {_text(name): _number(invisible, name, 1) for name in invisible}
    return Oddities(_number(text, "empty", 0, lines), counts)


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{shortened(repr(value))} where text was expected")
    return value


def _number(values: Mapping[str, Any], name: str, minimum: int, maximum: int = MAX_INTEGER) -> int:
    value = values[name]
    if isinstance(value, bool) or not isinstance(value, int) or not minimum <= value <= maximum:
        raise ValueError(f"{name} {shortened(repr(value))}")
    return value


def _read_arrays(
    archive: zipfile.ZipFile,
    entries: Mapping[str, zipfile.ZipInfo],
    names: Sequence[str],
    shapes: Sequence[tuple[int, ...]],
) -> list[IntegerArray]:
    """Read arrays of integers with these shapes; larger ones are refused before they are unpacked."""
    arrays: list[IntegerArray] = []
    for name, shape in zip(names, shapes, strict=True):
        entry = entries[name + ARRAY]
        if entry.file_size > MAX_HEADER_BYTES + MAX_ITEM_BYTES * math.prod(shape):
            raise ValueError(f"{name} has {entry.file_size:,} bytes")
        stream = io.BytesIO(archive.read(entry))
        declared, kind = _header(stream)
        size = entry.file_size - stream.tell()
        if declared != shape or kind.kind not in "iu" or size != math.prod(shape) * kind.itemsize:
            raise ValueError(f"{name} of shape {shortened(declared)} and type {kind} in {size:,} bytes")
        stream.seek(0)
        arrays.append(np.load(stream, allow_pickle=False))
    return arrays


def _header(stream: io.BytesIO) -> tuple[tuple[int, ...], np.dtype[Any]]:
    """Return the shape and the type in the header of an array."""
    try:
        version = np.lib.format.read_magic(stream)
        shape, _, kind = np.lib.format.read_array_header_1_0(stream)
    except Exception:  # noqa: BLE001 # NumPy parses the header as Python, which raises many kinds of errors
        raise ValueError("the header of an array cannot be read") from None
    if version != ARRAY_FORMAT_VERSION:
        raise ValueError("the header of an array is of another version")
    return shape, kind
