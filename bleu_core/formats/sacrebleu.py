"""Corpus scores that `sacrebleu --format json` prints: of one system by its metrics, or of several systems."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import cast

from bleu_core.dataset import PrintedScore
from bleu_core.errors import FormatError
from bleu_core.formats.cells import parse_score
from bleu_core.formats.contents import Contents, score_contents
from bleu_core.formats.declaration import Format, Options
from bleu_core.formats.json_objects import as_mapping, parse_json
from bleu_core.formats.score_tables import system_of_path, tables_of
from bleu_core.formats.source import Source
from bleu_core.formats.text import HEAD_CHARS

LABEL = "scores of sacreBLEU (JSON)"
#: Files with more characters are not recognised; a score takes about 500.
MAX_JSON_BYTES = 2**22
#: The keys of every score of a single system.
METRIC_KEYS = frozenset({"name", "score", "signature"})
SYSTEM = "system"
#: The prefix of the first system if sacreBLEU has tested differences.
BASELINE = "Baseline: "
LENGTHS = re.compile(r"hyp_len = (\d{1,15}) ref_len = (\d{1,15})\b")
#: The most digits that are compared: unrounded scores have floating-point errors.
MAX_DECIMALS = 6


def _printed(items: Sequence[Mapping[str, object]], system: str, origin: str) -> Iterator[PrintedScore]:
    """Yield the scores of a system by each metric, or of several systems, which are named after their files."""
    paths: dict[str, str] = {}
    seen: set[tuple[str, str]] = set()
    for item in items:
        path = item.get(SYSTEM)
        if isinstance(path, str):
            system = system_of_path(path.removeprefix(BASELINE), paths, origin)
            scores = [(metric, as_mapping(value) or {"score": value}) for metric, value in item.items()]
            scores = [(metric, value) for metric, value in scores if metric != SYSTEM]
        else:
            scores = [(item["name"], item)]
        for metric, value in scores:
            signature = value.get("signature", "")
            if not isinstance(metric, str) or not metric.strip() or not isinstance(signature, str):
                raise FormatError(
                    f"{origin}: {str(metric)[:40]!r} found as name of a metric, a name and a signature expected"
                )
            if (system, metric) in seen:
                raise FormatError(f"{origin}: second score by {metric} found, 1 expected; keep one system in each file")
            seen.add((system, metric))
            score = value.get("score")
            lengths = LENGTHS.search(str(value.get("verbose_score", ""))[:HEAD_CHARS])
            yield PrintedScore(
                system=system,
                metric=metric,
                score=parse_score(score, f"{origin}, {metric} of {system}", optional=False),
                decimals=_decimals(score),
                signature=signature,
                hypothesis_length=int(lengths[1]) if lengths else None,
                reference_length=int(lengths[2]) if lengths else None,
                origin=origin,
            )


def _decimals(value: object) -> int:
    """Return the number of digits after the point; JSON omits trailing zeros."""
    written = str(value).strip()
    return min(len(written.partition(".")[2]), MAX_DECIMALS) if "e" not in written.lower() else MAX_DECIMALS


def _sniff(source: Source) -> float:
    head = source.text.beginning[:HEAD_CHARS]
    if not head.lstrip().startswith(("{", "[")) or len(source.text.content) > MAX_JSON_BYTES:
        return 0
    if '"signature"' in head and '"name"' in head and '"score"' in head:
        return 0.9
    if '"system"' not in head or not head.lstrip().startswith("["):
        return 0
    try:
        items = _objects(source)
    except FormatError:
        return 0
    return 0.9 if all(isinstance(item.get(SYSTEM), str) and _has_scores(item) for item in items) else 0


def _objects(source: Source) -> list[Mapping[str, object]]:
    """Return the object in a file, or those in its list.

    Raises:
        FormatError: there is none, or something else.
    """
    value = parse_json(source.text.content, source.name, source.limits)
    items = [as_mapping(item) for item in (cast("list[object]", value) if isinstance(value, list) else [value])]
    objects = [item for item in items if item is not None]
    if len(objects) < len(items) or not items:
        raise FormatError(f"{source.name}: a list without objects found, the scores of sacreBLEU expected")
    return objects


def _has_scores(item: Mapping[str, object]) -> bool:
    """Return whether all values besides the system are scores, as text or with the results of a test."""
    values = [value for key, value in item.items() if key != SYSTEM]
    return bool(values) and all(isinstance(value, str) or "score" in (as_mapping(value) or ()) for value in values)


def _read(source: Source, options: Options) -> Contents:
    """Read the scores of one system, which the file does not name, or of several.

    Raises:
        FormatError: the file is not such JSON, a score is not a number, or a system or metric occurs twice.
        LimitError: there are too many systems or metrics.
    """
    origin = source.name
    objects = _objects(source)
    if not all(isinstance(item.get(SYSTEM), str) for item in objects) and not all(
        item.keys() >= METRIC_KEYS for item in objects
    ):
        raise FormatError(
            f"{origin}: an object without name, score and signature, or without system, found; print the scores with "
            "sacrebleu --format json"
        )
    printed = tuple(_printed(objects, options.own.get(SYSTEM) or source.stem, origin))
    scores: dict[str, dict[str, list[float]]] = {}
    for score in printed:
        scores.setdefault(score.metric, {})[score.system] = [score.score]
    return replace(
        score_contents(tables_of(scores, source.name, source.limits), source, LABEL, options.lower_is_better),
        printed=printed,
    )


FORMAT = Format(
    key="sacrebleu",
    label=LABEL,
    description="scores that sacreBLEU prints as JSON",
    roles=("scores",),
    sniff=_sniff,
    read=_read,
    endings=(".json",),
    own={SYSTEM: "System"},
    json=True,
)
