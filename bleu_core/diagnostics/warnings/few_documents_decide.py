"""Orders of systems that rest on a few documents."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from bleu_core.arrays import Integers, best_first
from bleu_core.dataset import plural
from bleu_core.diagnostics.declaration import Finding, TrustWarning
from bleu_core.diagnostics.diagnostic_input import DiagnosticInput
from bleu_core.diagnostics.wording import names, percent
from bleu_core.inference import ALPHA, Effects, document_blocks, effects

KEY = "few-documents-decide"
ADVICE = "Read these documents, and test the difference by documents rather than segments."

#: Fewer documents are few anyway.
MIN_DOCUMENTS = 4

#: Documents that are removed, at most: a number, or a share of all documents if that is more; a share of the segments.
MIN_MAX_DOCUMENTS, MAX_SHARE, MAX_SEGMENTS = 1, 0.05, 0.34


def _find(data: DiagnosticInput) -> Sequence[Finding]:
    from scipy.special import ndtri  # loaded when first needed: it costs more than scoring

    if data.corpus.documents is None or len(data.distinct_systems) < 2:  # noqa: PLR2004 # a pair
        return ()
    blocks = document_blocks(data.corpus.documents)
    if len(blocks.names) < MIN_DOCUMENTS:
        return ()
    table = data.evaluation.statistics.select(data.distinct_systems)
    of_systems = effects(table)
    order = best_first(table.systems, of_systems.scores)
    pairs = list(pairwise(order))
    critical = float(-ndtri(ALPHA / (2 * len(pairs))))
    unusual = float(-ndtri(ALPHA / (len(pairs) * len(blocks.names))))
    found: list[Finding] = []
    for k, b in pairs:
        error = of_systems.error(k, b)
        if not of_systems.delta(k, b) >= critical * error or error == 0:
            continue
        removed = _deciding(of_systems, k, b=b, labels=blocks.labels, unusual=unusual)
        if not removed:
            continue
        left = np.flatnonzero(~np.isin(blocks.labels, removed))
        scores = table.score(table.values[[k, b]][:, left].sum(axis=1))
        if scores[0] >= scores[1]:
            continue
        chosen = [blocks.names[d] for d in removed]
        segments = np.flatnonzero(np.isin(blocks.labels, removed)) + 1
        better, worse = data.distinct_systems[k], data.distinct_systems[b]
        sentence = (
            f"{better} scores {of_systems.delta(k, b):.2f} points higher than {worse}, and "
            f"{float(scores[1] - scores[0]):.2f} lower without the {plural(len(chosen), 'document')} {names(chosen)} "
            f"({percent(len(segments) / data.segments)} of the segments)."
        )
        found.append(
            Finding(
                key=KEY,
                systems=tuple(name for name in data.systems if name in (better, worse)),
                message=sentence,
                strength="caution",
                advice=ADVICE,
                segments=tuple(segments.tolist()),
            )
        )
    return found


def _deciding(of_systems: Effects, k: int, b: int, labels: Integers, unusual: float) -> list[int]:
    """The documents that favour a system more than its other documents do, by more than chance explains."""
    effect = of_systems.effects[k] - of_systems.effects[b]
    sizes = np.bincount(labels)
    sums = np.bincount(labels, weights=effect)
    errors = effect.std() * np.sqrt(sizes * (1 - sizes / len(labels)))
    ratios = np.divide(sums, errors, out=np.zeros_like(sums), where=errors > 0)
    most = max(MIN_MAX_DOCUMENTS, int(MAX_SHARE * len(sizes)))
    chosen: list[int] = []
    for document in np.argsort(-sums, kind="stable").tolist()[:most]:
        if ratios[document] >= unusual and sizes[[*chosen, document]].sum() <= MAX_SEGMENTS * len(labels):
            chosen.append(document)
    return chosen


WARNING = TrustWarning(
    key=KEY,
    title="Few documents decide",
    checked="Of neighbouring systems whose difference is significant by segments, the documents are removed that "
    "favour the better one beyond chance, one or at most a twentieth of all. This reverses the order.",
    misleads="The order of the systems says how they translate these documents, and not how they translate others.",
    advice=ADVICE,
    inferred=True,
    false_alarms=0.0,
    find=_find,
)
