"""What a campaign has gathered, as files: for this program, mt-metrics-eval, Pearmut, a spreadsheet and a paper."""

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

#: File of an export -> what it has.
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
        left_out: why files are missing, in sentences.
    """

    files: Mapping[str, bytes]
    left_out: tuple[str, ...]


def export_files(store: CampaignStore) -> Exports:
    """All files that can be made of a campaign; excluded judges are in `answers.csv` and `comments.csv` only.

    In tables, text that a spreadsheet could run has an apostrophe before it, and control characters are written out.
    """
    judgments = store.judgments()
    found = {"answers.csv": _answers(store), "comments.csv": _comments(store)}
    left_out: list[str] = []
    if judgments is None:
        left_out.append("ratings.csv and campaign.seg.score: there is no rating yet.")
    else:
        found["ratings.csv"] = ratings_csv(judgments)
        try:
            found["campaign.seg.score"] = segment_scores(judgments, store.plan.systems, store.corpus_segments)
        except (SettingsError, AlignmentError) as error:
            left_out.append(f"campaign.seg.score: {error}.")
    try:
        found["pearmut.json"] = pearmut_campaign(store)
    except SettingsError as error:
        left_out.append(f"pearmut.json: {error}.")
    found["methods.txt"] = (methods_paragraph(store) + "\n").encode()
    return Exports({name: found[name] for name in EXPORTED if name in found}, tuple(left_out))


def ratings_csv(judgments: Judgments) -> bytes:
    """Ratings in CSV (UTF-8), one per row, in the order given; reading the file gives the same ratings again.

    Where a name begins like a formula, begins with an apostrophe or has control characters, all text is passed through
    `escape_cell`, and a last column says so.
    """
    return _csv(COLUMNS, judgments.table[list(COLUMNS)].itertuples(index=False))


def segment_scores(judgments: Judgments, systems: Sequence[str], segments: int) -> bytes:
    """Mean ratings per segment as mt-metrics-eval keeps them: system, tab, score; "None" where nobody has rated.

    Args:
        judgments: of segments.
        systems: in the order of the file.
        segments: of the corpus; segments outside the sample have no score.

    Returns:
        K x S lines in UTF-8, all segments of the first system first.

    Raises:
        SettingsError: the name of a system holds a tab or a line break, which end its cell in such a file, or a
            spreadsheet could run it: the file has no place to say that it was changed.
        AlignmentError: a rating is of a segment beyond those of the corpus.
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
    excluded = {gone.judge for gone in store.exclusions}
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
    """A table in CSV; if any text of it has to be changed for spreadsheets, a last column says that all was."""
    given = [list(values) for values in rows]
    escaped = [[escape_cell(value) if isinstance(value, str) else value for value in values] for values in given]
    if escaped != given:
        columns = (*columns, ESCAPED)
        given = [[*values, ESCAPED_BY] for values in escaped]
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(columns)
    for values in given:
        writer.writerow(map(_cell, values))
    return text.getvalue().encode()


def _time(seconds: float) -> str:
    """A time in ISO 8601; a judge's clock may say what no calendar has."""
    try:
        return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="milliseconds")
    except (OverflowError, ValueError, OSError):
        return ""


def _yes(value: bool) -> str:  # noqa: FBT001 # of a cell
    return "yes" if value else "no"


def _cell(value: object) -> str:
    if isinstance(value, float):
        return "" if math.isnan(value) else _number(value)
    return "" if value is None else str(value)


def _number(value: float) -> str:
    """All digits, without ".0"."""
    return str(int(value)) if value.is_integer() else repr(value)
