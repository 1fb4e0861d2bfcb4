"""Metric scores of WMT25 in JSON lines: scores of one system, by document, paragraph and metric."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import chain
from typing import NamedTuple

from bleu_core.dataset import SegmentId
from bleu_core.errors import FormatError, LanguagePairError, listed
from bleu_core.formats.cells import check_equal_counts, parse_scores
from bleu_core.formats.contents import Contents, score_contents, unused_contents
from bleu_core.formats.declaration import Format, Options
from bleu_core.formats.document_ids import label_of_pair, language_pair, select_pair
from bleu_core.formats.json_objects import check_json, first_object, iter_objects, list_at, mapping_at, wrong_object
from bleu_core.formats.score_tables import tables_of
from bleu_core.formats.source import Source

LABEL = "metric scores of WMT (JSON lines)"
PAIR, DOMAIN, DOCUMENT, SCORES = "language_pair", "domain", "document_id", "metric_scores"
EXPECTED = f"an object with {DOCUMENT} and {SCORES}"
#: The separator of domain and document in ids of WMT25.
SEPARATOR = "_#_"


class _Document(NamedTuple):
    """The scores of a document: metric -> one score per paragraph, NaN if missing."""

    pair: str
    name: str
    place: str
    scores: Mapping[str, list[float]]


def _sniff(source: Source) -> float:
    record = first_object(source.first_line)
    return 0.9 if DOCUMENT in record and isinstance(record.get(SCORES), dict) else 0


def _document(record: Mapping[str, object], place: str) -> _Document:
    if not record.keys() >= {DOCUMENT, SCORES}:
        raise wrong_object(place, record, EXPECTED)
    names = [str(record[key]).strip() for key in (DOMAIN, DOCUMENT) if isinstance(record.get(key), (str, int))]
    declared_pair = record.get(PAIR)
    pair = language_pair(declared_pair) or declared_pair.strip() if isinstance(declared_pair, str) else ""
    scores = {
        metric: _scores(list_at(place, values, f"scores of {metric}"), f"{place}, {metric}")
        for metric, values in mapping_at(place, record[SCORES], SCORES).items()
    }
    return _Document(pair, SEPARATOR.join(names), place, scores)


def _scores(values: Sequence[object], place: str) -> list[float]:
    return parse_scores(values, range(1, len(values) + 1), place, unit="paragraph").tolist()


def _read(source: Source, options: Options) -> Contents:
    """Read the scores of a system for a language pair, by the ids of documents and paragraphs, counted from 1.

    The file does not contain the name of the system.

    Raises:
        FormatError: a line is not such an object, a score is not a number, metrics have different numbers of scores for
            a document, a document occurs twice, or there is no score.
        LanguagePairError: there are several language pairs and none is chosen.
        LimitError: there are too many metrics, lines or values.
    """
    source.limits.check("objects", source.text.line_ends.lines, source.name)
    check_json(source.text.content, source.name, source.limits)
    documents = [_document(record, place) for _, place, record in iter_objects(source.text, source.name, EXPECTED)]
    pairs = tuple(dict.fromkeys(document.pair for document in documents if document.pair))
    try:
        pair = select_pair(source.name, pairs, options.pair)
    except LanguagePairError as error:
        if options.pair is None:
            raise
        note = f"no scores for the language pair {options.pair}: not used; it has {listed(error.pairs)}"
        return unused_contents(source, options.role, LABEL, notes=(note,), pairs=error.pairs)
    first: dict[str, str] = {}
    counts: list[int] = []
    documents = [document for document in documents if document.pair == pair]
    for document in documents:
        lengths = {metric: len(scores) for metric, scores in document.scores.items()}
        counts.append(check_equal_counts(lengths, "score", document.place, "metric") if lengths else 0)
        if document.name in first:
            raise FormatError(
                f"{document.place}: a second row of the document {document.name} found, 1 expected; the first is in "
                f"{first[document.name]}"
            )
        first[document.name] = document.place
    system = options.own.get("system") or source.stem
    scores: dict[str, dict[str, list[float]]] = {}
    for metric in dict.fromkeys(metric for document in documents for metric in document.scores):
        of_documents = (d.scores.get(metric, [math.nan] * n) for d, n in zip(documents, counts, strict=True))
        own = list(chain.from_iterable(of_documents))
        if not all(map(math.isnan, own)):
            scores[metric] = {system: own}
    ids = tuple(
        SegmentId(document.name, str(n))
        for document, count in zip(documents, counts, strict=True)
        for n in range(1, count + 1)
    )
    tables = [replace(table, ids=ids) for table in tables_of(scores, source.name, source.limits, of_segments=True)]
    return score_contents(tables, source, label_of_pair(LABEL, pair), options.lower_is_better)


FORMAT = Format(
    key="wmt-scores",
    label=LABEL,
    description="metric scores of WMT25: for a system, a document per line with a score per paragraph and metric",
    roles=("scores",),
    sniff=_sniff,
    read=_read,
    endings=(".jsonl",),
    pairs=True,
    asks_pair=True,
    json=True,
    own={"system": "System"},
)
