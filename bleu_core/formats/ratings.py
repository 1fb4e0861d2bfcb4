"""Judgments in tables with a header: a row per rating, or per segment with a column per judge or system."""

from __future__ import annotations

import re

from bleu_core.formats.cells import DOCUMENT_HEADERS, JUDGE_HEADERS, SEGMENT_HEADERS, SYSTEM_HEADERS
from bleu_core.formats.contents import Contents, judgment_contents
from bleu_core.formats.declaration import Format, Options
from bleu_core.formats.delimited import SUFFIXES, parse_table
from bleu_core.formats.number_tables import OWN, TableKind, judgments_of
from bleu_core.formats.source import Source

#: Words for judges, alone or with a name or number, and for criteria, of which one is for the whole translation.
JUDGES = re.compile(r"^(?:judge|rater|annotator|worker|evaluator|reviewer|expert)s?(?:_|\d|:|$)")
CRITERIA = re.compile(
    r"(?:^|_)(?:adequacy|fluency|accuracy|quality|overall|comprehensibility|intelligibility|fidelity|faithfulness|"
    r"meaning|grammar|grammaticality|style|terminology|readability|naturalness|da|sqm|esa|mqm|mos)(?:$|_)"
)
OVERALL = re.compile(r"overall(?:_\w+)?|(?:\w+_)?overall|(?:translation_)?quality")
KIND = TableKind(
    key="ratings",
    label="ratings, one per row",
    what="rating",
    columns={
        "segment": SEGMENT_HEADERS,
        "system": SYSTEM_HEADERS,
        "judge": JUDGE_HEADERS,
        "score": ("score", "rating"),
        "document": DOCUMENT_HEADERS,
        "group": ("group",),
    },
    required=("system", "score"),
    several=JUDGES,
    criteria=CRITERIA,
    overall=OVERALL,
)


def _read(source: Source, options: Options) -> Contents:
    """Read judgments with a header; common synonyms of the column names are accepted.

    The columns system and score are required, unless there is a column per judge, for a single criterion, or per
    system, see number_tables; judge, group and document are optional. Without a column segment, each row is a
    system-level score. If a segment number occurs in several documents, segments are numbered within documents. A score
    that is empty, none or n/a is missing; its row is kept and counted.

    Raises:
        FormatError: a required column is missing or occurs twice, a score is not a number, a segment is not a whole
            number from first_segment on, or there is no rating.
        LimitError: there are too many columns, systems, judges or groups.
    """
    # The table is not kept while copies of rows are looked for.
    judgments = judgments_of(parse_table(source.text, source.name, limits=source.limits), KIND, source, options)
    return judgment_contents(judgments, source)


FORMAT = Format(
    key=KIND.key,
    label=KIND.label,
    description="tables of ratings: a row per rating, or a column per judge or system",
    roles=("judgments",),
    sniff=KIND.confidence,
    read=_read,
    endings=SUFFIXES,
    own=OWN,
)
