"""Judgments in long form: a row a rating, with a header; or a score a system."""

from __future__ import annotations

import math
from collections.abc import Mapping
from types import MappingProxyType

from bleu_core.errors import FormatError
from bleu_core.formats.delimited import Row, delimiter, rows
from bleu_core.formats.text import Text
from bleu_core.judgments import COLUMNS, Judgments

SYNONYMS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "segment": ("segment", "segment_id", "seg_id", "segid", "seg", "line", "line_id", "item", "item_id"),
        "system": ("system", "system_id", "sys", "sys_id", "sysid"),
        "judge": ("judge", "judge_id", "rater", "rater_id", "annotator", "annotator_id", "worker", "worker_id"),
        "score": ("score", "rating"),
        "document": ("document", "document_id", "doc", "doc_id"),
        "group": ("group",),
    }
)
#: Digits of a segment's number: more are no line of any file.
LONGEST_NUMBER = 12
#: Larger scores are no ratings, and their sums no numbers.
LARGEST_SCORE = 1e100
MISSING = frozenset({"", "none", "na", "n/a", "nan", "null", "-"})


def is_ratings(first_line: str, name: str = "") -> bool:
    """Whether a file's first line is a header of judgments: it names at least a system and a score."""
    cells = first_line.rstrip("\r").split(delimiter(first_line, name))
    names = {_key(cell.strip('"')) for cell in cells}
    return all(names.intersection(SYNONYMS[needed]) for needed in ("system", "score"))


def read_ratings(text: Text, origin: str, *, first_segment: int = 1) -> Judgments:
    """Read judgments with a header; common synonyms of the columns' names are known.

    system and score are needed; judge, group and document may be left out; without a segment column a row is a
    system-level score. An empty score, or one that says none or n/a, is missing; its row is kept and counted.

    Args:
        text: the file's text.
        origin: the file, for messages.
        first_segment: the number the file gives the first segment, 1 or 0.

    Raises:
        FormatError: a needed column is missing or named twice, a score is no number, a segment no whole
            number from first_segment on, or there is no rating.
    """
    import pandas as pd  # loaded when first needed: scoring does without

    table = rows(text, origin)
    if not table:
        raise FormatError(f"{origin}: the file is empty; a header with system and score expected")
    where = _positions(table[0], origin)
    body = table[1:]
    columns: dict[str, list[object]] = {name: [] for name in COLUMNS}
    for row in body:
        cell = {name: row.cells[i].strip() for name, i in where.items()}
        if not cell["system"]:
            raise FormatError(f"{origin}, line {row.line}: no system, a name expected")
        columns["segment"].append(_segment(cell, row, origin, first_segment) if "segment" in where else None)
        columns["score"].append(_score(cell["score"], row, origin))
        columns["system"].append(cell["system"])
        columns["judge"].append(cell.get("judge", ""))
        columns["group"].append(cell.get("group") or None)
        columns["document"].append(cell.get("document") or None)
        columns["line"].append(row.line)
        columns["origin"].append(origin)
    if all(score is None for score in columns["score"]):
        raise FormatError(f"{origin}: no rating in {len(body)} rows below the header, at least 1 expected")
    kinds = {"segment": "Int64", "score": "float64", "line": "int64"}
    frame = pd.DataFrame(columns).astype({name: kinds.get(name, "string") for name in columns})
    return Judgments(frame, first_segment)


def _key(cell: str) -> str:
    return cell.strip().lower().replace(" ", "_").replace("-", "_")


def _positions(header: Row, origin: str) -> dict[str, int]:
    found: dict[str, int] = {}
    for name, synonyms in SYNONYMS.items():
        places = [i for i, cell in enumerate(header.cells) if _key(cell) in synonyms]
        if len(places) > 1:
            named = " and ".join(repr(header.cells[i]) for i in places)
            raise FormatError(f"{origin}, line 1: columns {named} both mean {name}; keep one")
        if places:
            found[name] = places[0]
    for needed in ("system", "score"):
        if needed not in found:
            raise FormatError(
                f"{origin}, line 1: no column {needed} in the header ({', '.join(header.cells)}); "
                f"one of {', '.join(SYNONYMS[needed])} expected"
            )
    return found


def _segment(cell: dict[str, str], row: Row, origin: str, first_segment: int) -> int:
    found = cell["segment"]
    if not (found.isascii() and found.isdigit() and len(found) <= LONGEST_NUMBER):
        raise FormatError(f"{origin}, line {row.line}: segment {found!r} found, a whole number expected")
    if int(found) < first_segment:
        raise FormatError(
            f"{origin}, line {row.line}: segment {found} found, {first_segment} or more expected; "
            "if the file counts from 0, say so (--first-segment 0, or on the Data page)"
        )
    return int(found) - first_segment + 1


def _score(found: str, row: Row, origin: str) -> float | None:
    if found.lower() in MISSING:
        return None
    try:
        score = float(found)
    except ValueError:
        score = math.nan
    if not math.isfinite(score) or "_" in found:  # float() reads 1_000, which no spreadsheet writes
        raise FormatError(f"{origin}, line {row.line}: score {found!r} found, a number expected")
    if abs(score) > LARGEST_SCORE:
        raise FormatError(f"{origin}, line {row.line}: score {found} found, {LARGEST_SCORE:g} at most expected")
    return score
