"""Score files of mt-metrics-eval, with scores of metrics or human scores."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import PurePath

import numpy as np

from bleu_core.dataset import Judgments, ScoreTable
from bleu_core.errors import FormatError
from bleu_core.formats.cells import cell_count, parse_score
from bleu_core.formats.compression import stem_of, strip_compression_ending, suffix_of
from bleu_core.formats.contents import Contents, FileRole, judgment_contents, missing_score_notes, score_contents
from bleu_core.formats.declaration import Format, Options
from bleu_core.formats.score_tables import NUMBER, tables_of
from bleu_core.formats.source import Source
from bleu_core.formats.text import Text, split_lines
from bleu_core.limits import DEFAULT_LIMITS, Limits

LABEL = "mt-metrics-eval scores"
#: NAME.LEVEL.score, the file names of mt-metrics-eval.
SUFFIX = re.compile(r"(?P<name>.+?)\.(?P<level>sys|domain|doc|seg)\.score")
#: SRC-TGT.NAME of human scores; those of metrics are in a folder SRC-TGT.
HUMAN = re.compile(r"(?P<pair>[a-z]{2,3}-[a-z]{2,3}(?:_[A-Za-z]+)?)\.(?P<name>[^.]+)")


def _sniff(source: Source) -> float:
    """Recognise lines that all are a system and a score, or a domain, a system and a score.

    A single line might be a sentence that ends in a number, so it counts only in a file named *.score.
    """
    lines = [line.split() for line in source.first_lines.removesuffix("\n").split("\n")]
    suffix = suffix_of(source.name)
    if suffix == ".docs":  # a domain and a document, which may be a number
        return 0
    are_scores = all(
        len(cells) == len(lines[0])
        and len(cells) in (2, 3)
        and (cells[-1] == "None" or NUMBER.fullmatch(cells[-1]) is not None)
        and not NUMBER.fullmatch(cells[0])
        for cells in lines
    )
    return 0.3 if are_scores and (len(lines) > 1 or suffix == ".score") else 0


def read_eval_scores(text: Text, origin: str, *, limits: Limits = DEFAULT_LIMITS) -> tuple[ScoreTable, ...]:
    """Read a score file of mt-metrics-eval: of systems or segments, or one table per domain or document.

    Every line is a system and a score; None is a missing score. In files of segments, each system has one line per
    segment, in order. The file's name gives the name of the scores: METRIC-REFERENCE, or the name of human scores.

    Args:
        text: the file's text.
        origin: the file; its name gives the level, unless the content does.
        limits: the limits for the file.

    Raises:
        FormatError: a line has other cells, a score is not a number, systems differ in their number of lines, or there
            is no score.
        LimitError: there are too many systems, or too many domains or documents, which count as metrics.
    """
    lines, _ = split_lines(text)
    named = _name_of(origin)
    name = _human(origin) or (named["name"] if named else stem_of(origin))
    scores: dict[str, dict[str, list[float]]] = {}
    width = len(lines[0].split()) if lines else 0
    for number, line in enumerate(lines, start=1):
        cells = line.split()
        if len(cells) != width or width not in (2, 3):
            raise FormatError(
                f"{origin}, line {number}: {cell_count(cells)} found, a system and a score expected, "
                "or a domain, a system and a score"
            )
        part = f"{name}, {cells[0]}" if width > 2 else name  # noqa: PLR2004 # domain, system, score
        scores.setdefault(part, {}).setdefault(cells[-2], []).append(parse_score(cells[-1], f"{origin}, line {number}"))
    tables = tables_of(scores, origin, limits, of_segments=named is not None and named["level"] == "seg")
    return tuple(replace(table, higher_is_better=True) for table in tables)  # by the convention of mt-metrics-eval


def as_judgments(
    table: ScoreTable,
    *,
    format: str = LABEL,  # noqa: A002 # as the attribute
    limits: Limits = DEFAULT_LIMITS,
) -> Judgments:
    """Convert human scores to ratings, with the name of the scores as the judge; a missing score has no row.

    Line numbers count the scores system by system.

    Raises:
        FormatError: there is no score.
    """
    by_segment = table.level == "segment"
    values = table.scores if by_segment else table.system_scores[:, None]
    rows, places = np.nonzero(np.isfinite(values))
    return Judgments.from_ratings(
        [table.systems[k] for k in rows],
        values[rows, places],
        (rows * values.shape[1] + places + 1).tolist(),
        table.origin,
        segments=(places + 1).tolist() if by_segment else None,
        judges=table.name,
        averages=True,
        format=format,
        limits=limits,
    )


def _name_of(path: str) -> re.Match[str] | None:
    return SUFFIX.fullmatch(PurePath(strip_compression_ending(path)).name)


def _human(path: str) -> str | None:
    """Return the name of human scores in a file's name."""
    named = _name_of(path)
    human = HUMAN.fullmatch(named["name"]) if named else None
    return human["name"] if human else None


def _role_of(source: Source) -> FileRole:
    return "judgments" if _human(source.name) else "scores"


def _read(source: Source, options: Options) -> Contents:
    """Read scores, or human scores as averages over judges that the file does not name.

    Raises:
        FormatError: as read_eval_scores, or human scores are of domains or documents.
        LimitError: as read_eval_scores.
    """
    tables = read_eval_scores(source.text, source.name, limits=source.limits)
    if options.role != "judgments":
        return score_contents(tables, source, LABEL, options.lower_is_better)
    if len(source.first_line.split()) > 2:  # noqa: PLR2004 # domain, system, score
        raise FormatError(
            f"{source.name}, line 1: score of a domain or document found, scores of systems or segments expected"
        )
    judgments = as_judgments(tables[0], limits=source.limits)
    notes = (*judgments.notes, *missing_score_notes(tables[0]))
    return judgment_contents(replace(judgments, notes=notes), source)


FORMAT = Format(
    key="eval-scores",
    label=LABEL,
    description="score files of mt-metrics-eval",
    roles=("scores", "judgments"),
    sniff=_sniff,
    read=_read,
    role_of=_role_of,
    endings=(".score",),
)
