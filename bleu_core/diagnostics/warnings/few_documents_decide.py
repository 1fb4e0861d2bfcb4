"""Rankings of systems that depend on a few documents."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from bleu_core.arrays import Integers, best_first
from bleu_core.dataset import plural
from bleu_core.diagnostics.declaration import Finding, TrustWarning
from bleu_core.diagnostics.diagnostic_input import DiagnosticInput
from bleu_core.diagnostics.wording import names, percent
from bleu_core.inference import ALPHA, Effects, document_blocks, effects, normal_quantile

KEY = "few-documents-decide"
ADVICE = "Read these documents, and test the difference by documents rather than segments."

#: Minimum number of documents for this check.
MIN_DOCUMENTS = 4

#: Maximum of removed documents: a number, or a share of all documents if that is more, and a share of the segments.
MAX_DOCUMENTS, MAX_DOCUMENT_SHARE, MAX_SEGMENT_SHARE = 1, 0.05, 0.34


def _find(data: DiagnosticInput) -> Sequence[Finding]:
    if data.corpus.documents is None or len(data.distinct_systems) < 2:  # noqa: PLR2004 # a pair
        return ()
    blocks = document_blocks(data.corpus.documents)
    if len(blocks.names) < MIN_DOCUMENTS:
        return ()
    table = data.evaluation.statistics.select(data.distinct_systems)
    segment_effects = effects(table)
    order = best_first(table.systems, segment_effects.scores)
    pairs = list(pairwise(order))
    critical = -normal_quantile(ALPHA / (2 * len(pairs)))
    critical_ratio = -normal_quantile(ALPHA / (len(pairs) * len(blocks.names)))
    findings: list[Finding] = []
    for k, b in pairs:
        error = segment_effects.error(k, b)
        if not segment_effects.delta(k, b) >= critical * error or error == 0:
            continue
        removed = _deciding(segment_effects, k, b=b, labels=blocks.labels, critical_ratio=critical_ratio)
        if not removed:
            continue
        remaining = np.flatnonzero(~np.isin(blocks.labels, removed))
        scores = table.score(table.values[[k, b]][:, remaining].sum(axis=1))
        if scores[0] >= scores[1]:
            continue
        removed_names = [blocks.names[d] for d in removed]
        segments = np.flatnonzero(np.isin(blocks.labels, removed)) + 1
        better, worse = data.distinct_systems[k], data.distinct_systems[b]
        sentence = (
            f"{better} scores {segment_effects.delta(k, b):.2f} points higher than {worse}, and "
            f"{float(scores[1] - scores[0]):.2f} lower without the {plural(len(removed_names), 'document')} "
            f"{names(removed_names)} ({percent(len(segments) / data.segments)} of the segments)."
        )
        findings.append(
            Finding(
                key=KEY,
                systems=tuple(name for name in data.systems if name in (better, worse)),
                message=sentence,
                strength="caution",
                advice=ADVICE,
                segments=tuple(segments.tolist()),
            )
        )
    return findings


def _deciding(segment_effects: Effects, k: int, b: int, labels: Integers, critical_ratio: float) -> list[int]:
    """Return the documents that favour a system significantly more than its other documents do."""
    effect = segment_effects.effects[k] - segment_effects.effects[b]
    sizes = np.bincount(labels)
    sums = np.bincount(labels, weights=effect)
    errors = effect.std() * np.sqrt(sizes * (1 - sizes / len(labels)))
    ratios = np.divide(sums, errors, out=np.zeros_like(sums), where=errors > 0)
    max_documents = max(MAX_DOCUMENTS, int(MAX_DOCUMENT_SHARE * len(sizes)))
    deciding: list[int] = []
    for document in np.argsort(-sums, kind="stable").tolist()[:max_documents]:
        if ratios[document] >= critical_ratio and sizes[[*deciding, document]].sum() <= MAX_SEGMENT_SHARE * len(labels):
            deciding.append(document)
    return deciding


WARNING = TrustWarning(
    key=KEY,
    title="Few decisive documents",
    checked="Of neighbouring systems whose difference is significant by segments, the documents are removed that "
    "favour the better one beyond chance, one or at most a twentieth of all. This reverses the order.",
    misleads="The order of the systems depends on these documents and may not hold for others.",
    advice=ADVICE,
    inferred=True,
    false_alarms=0.0,
    find=_find,
)
