"""Direct assessment by crowd workers at WMT (into English, until 2021): ratings, and averages by segment or system."""

from __future__ import annotations

import re
from dataclasses import replace

from bleu_core.formats.contents import Contents, judgment_contents
from bleu_core.formats.declaration import Format, Options
from bleu_core.formats.number_tables import TableKind, blank_separated, judgments_of
from bleu_core.formats.source import Source

LABEL = "WMT crowd DA"
RATINGS = TableKind(
    key="crowd",
    label=f"{LABEL}, ratings",
    what="rating",
    columns={
        "system": ("sys_id",),
        "segment": ("sid",),
        "judge": ("workerid",),
        "kind": ("type",),
        "score": ("score",),
    },
    required=("system", "segment", "judge", "kind", "score"),
)
#: Averages of ratings that are standardised per judge, by which WMT ranks systems.
AVERAGES = TableKind(
    key="crowd",
    label=f"{LABEL}, averages",
    what="rating",
    columns={"system": ("sys",), "segment": ("sid",), "score": ("z.scr",)},
    required=("system", "score"),
    averages="mean of judges",
)
NUMBERED = re.compile(r"(.+)\.\d+")
#: The types of rows that are ratings of systems, and of others.
RATED = frozenset({"SYSTEM", "REPEAT"})
QUALITY_CONTROL = {"REF": "quality control (REF)", "BAD_REF": "quality control (BAD_REF)"}


def _sniff(source: Source) -> float:
    header = source.first_line.split()
    return 0.85 if RATINGS.names(header) or AVERAGES.names(header) else 0


def _read(source: Source, options: Options) -> Contents:
    """Read ratings (ad-XXen-good-stnd-redup.csv), or averages by segment (ad-seg-scores) or system.

    All are standardised per judge. Rows of the types SYSTEM and REPEAT are ratings of systems; a REPEAT is a judge's
    second rating of the same item. WMT's averages count both ratings; here, the second is averaged with the first.
    References and damaged references (REF, BAD_REF) are not used. The number at the end of every system (Online-B.4) is
    not part of its name.

    Raises:
        FormatError: a row has another width than the header, a score or segment is not a number, or there is no rating.
        LimitError: there are too many columns, systems or judges.
    """
    table = blank_separated(source)
    kind = AVERAGES if AVERAGES.names(table.header) else RATINGS
    roles = kind.columns_of(table.header, f"{source.name}, line {table.line}")
    notes = ("scores are standardised per judge (z-scores)",)
    unused_rows: list[tuple[str, int]] = []
    if "kind" in roles:
        kinds = [cell.upper() for cell in table.columns[roles["kind"]]]
        rows = zip(kinds, table.lines, strict=True)
        unused_rows = [(QUALITY_CONTROL.get(name, f"type {name}"), n) for name, n in rows if name not in RATED]
        table = table.subset([name in RATED for name in kinds])
    if "system" in roles:
        systems = table.columns[roles["system"]]
        names = [match[1] for match in map(NUMBERED.fullmatch, systems) if match]
        if names and len(names) == len(systems):
            notes = (*notes, f"system names shortened: {systems[0]} to {names[0]}")
            columns = tuple(names if i == roles["system"] else cells for i, cells in enumerate(table.columns))
            table = replace(table, columns=columns)
    return judgment_contents(judgments_of(table, kind, source, options, unused_rows=unused_rows, notes=notes), source)


FORMAT = Format(
    key=RATINGS.key,
    label=LABEL,
    description="crowd ratings as WMT publishes them",
    roles=("judgments",),
    sniff=_sniff,
    read=_read,
    endings=(".csv",),
)
