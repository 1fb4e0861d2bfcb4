"""Export of a campaign's data as files for this program, mt-metrics-eval, Pearmut, spreadsheets and papers."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from bleu_core.campaigns.methods import methods_paragraph
from bleu_core.campaigns.pearmut import pearmut_campaign
from bleu_core.dataset import Judgments
from bleu_core.errors import AlignmentError, SettingsError
from bleu_core.formats import ESCAPED, ESCAPED_BY, escape_cell

if TYPE_CHECKING:
    from bleu_core.campaigns.store import CampaignStore

COLUMNS = ("segment", "system", "judge", "group", "score", "document")
ANSWER_COLUMNS = (
    *("judge", "group", "place", "kind", "segment", "document", "system", "degraded", "revision", "score", "reason"),
    *("shown", "given", "stored", "excluded"),
)
COMMENT_COLUMNS = ("judge", "place", "comment", "stored")

#: File of an export -> its content.
EXPORTED: Mapping[str, str] = {
    "ratings.csv": "the ratings that count",
    "answers.csv": "all answers: revisions, skips, repeats and checks too, with times (UTC)",
    "comments.csv": "the judges' comments",
    "campaign.seg.score": "mean ratings per segment, for mt-metrics-eval",
    "pearmut.json": "the same lists as a campaign of Pearmut, for error spans",
    "methods.txt": "a paragraph for a paper",
}


@dataclass(frozen=True, slots=True)
class Exports:
    """A campaign as files.

    Attributes:
        files: name -> content; the names are those of `EXPORTED`.
        left_out: sentences that say which files are missing and why.
    """

    files: Mapping[str, bytes]
    left_out: tuple[str, ...]


def export_files(store: CampaignStore) -> Exports:
    """Return all files that can be made from a campaign; only `answers.csv` and `comments.csv` have excluded judges.

    In tables, text that a spreadsheet could execute is prefixed with an apostrophe, and control characters are escaped.
    """
    judgments = store.judgments()
    files = {"answers.csv": _answers(store), "comments.csv": _comments(store)}
    left_out: list[str] = []
    if judgments is None:
        left_out.append("ratings.csv and campaign.seg.score: there is no rating yet.")
    else:
        files["ratings.csv"] = ratings_csv(judgments)
        try:
            files["campaign.seg.score"] = segment_scores(judgments, store.plan.systems, store.corpus_segments)
        except (SettingsError, AlignmentError) as error:
            left_out.append(f"campaign.seg.score: {error}.")
    try:
        files["pearmut.json"] = pearmut_campaign(store)
    except SettingsError as error:
        left_out.append(f"pearmut.json: {error}.")
    files["methods.txt"] = (methods_paragraph(store) + "\n").encode()
    return Exports({name: files[name] for name in EXPORTED if name in files}, tuple(left_out))


def ratings_csv(judgments: Judgments) -> bytes:
    """Return ratings as CSV (UTF-8), one per row, in the order given; reading the file gives the same ratings.

    If a name begins like a formula or with an apostrophe, or has control characters, all text is passed through
    `escape_cell`, and a last column says so.
    """
    return _csv(COLUMNS, judgments.table[list(COLUMNS)].itertuples(index=False))


def segment_scores(judgments: Judgments, systems: Sequence[str], segments: int) -> bytes:
    """Return mean ratings per segment as mt-metrics-eval stores them: system, tab, score; "None" without a rating.

    Args:
        judgments: of segments.
        systems: their names, in the order of the file.
        segments: number of segments of the corpus; those outside the sample have no score.

    Returns:
        K x S lines in UTF-8, all segments of the first system first.

    Raises:
        SettingsError: a system's name contains a tab or a line break, which would end its cell, or a spreadsheet could
            execute it: the format cannot declare that a name was escaped.
        AlignmentError: a rating has a segment number beyond the corpus.
    """
    for system in systems:
        if "\t" in system or system != "".join(system.splitlines()):
            raise SettingsError(f"systems: {system!r} found, a name without tabs and line breaks expected; rename it")
        if escape_cell(system) != system:
            raise SettingsError(
                f"systems: {system!r} found, a name expected that begins with none of =+-@' and has no control "
                "characters; rename it"
            )
    means = judgments.segment_means(systems, segments).scores
    return "".join(
        f"{system}\t{'None' if math.isnan(score) else _number(score)}\n"
        for system, scores in zip(systems, means.tolist(), strict=True)
        for score in scores
    ).encode()


def _answers(store: CampaignStore) -> bytes:
    excluded = {exclusion.judge for exclusion in store.exclusions}
    rows = (
        (
            *(a.judge, a.group, a.place + 1, a.kind, a.segment, a.document, a.system, _yes(a.degraded), a.revision),
            *(a.score, a.reason, _time(a.shown), _time(a.given), _time(a.stored)),
            _yes(a.judge in excluded),
        )
        for a in store.answers(all_revisions=True)
    )
    return _csv(ANSWER_COLUMNS, rows)


def _comments(store: CampaignStore) -> bytes:
    rows = ((judge, place + 1, text, _time(stored)) for judge, place, text, stored in store.comments)
    return _csv(COMMENT_COLUMNS, rows)


def _csv(columns: Sequence[str], rows: Iterable[Iterable[object]]) -> bytes:
    """Return a table as CSV; if any text has to be escaped for spreadsheets, all is, and a last column says so."""
    cells = [list(values) for values in rows]
    escaped = [[escape_cell(value) if isinstance(value, str) else value for value in values] for values in cells]
    if escaped != cells:
        columns = (*columns, ESCAPED)
        cells = [[*values, ESCAPED_BY] for values in escaped]
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(columns)
    for values in cells:
        writer.writerow(map(_cell, values))
    return text.getvalue().encode()


def _time(seconds: float) -> str:
    """Return a time in ISO 8601; empty if it is out of range, as a judge's clock can be wrong."""
    try:
        return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="milliseconds")
    except (OverflowError, ValueError, OSError):
        return ""


def _yes(value: bool) -> str:  # noqa: FBT001 # value of a cell
    return "yes" if value else "no"


def _cell(value: object) -> str:
    if isinstance(value, float):
        return "" if math.isnan(value) else _number(value)
    return "" if value is None else str(value)


def _number(value: float) -> str:
    """Return all digits, without a trailing ".0"."""
    return str(int(value)) if value.is_integer() else repr(value)
