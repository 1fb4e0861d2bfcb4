"""Outputs that stand in the place of other segments."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from bleu_core.alignment import count_tokens, rarity
from bleu_core.arrays import Integers
from bleu_core.diagnostics.declaration import Finding, TrustWarning
from bleu_core.diagnostics.diagnostic_input import DiagnosticInput
from bleu_core.diagnostics.wording import percent, share, strength_of

KEY = "misplaced"
ADVICE = "Read these segments, and check the order of the lines in the system's file."

#: Share of an output's tokens in its own references, at most: by chance a third of those of another segment are.
OF_OWN = 0.5

#: Cosine of an output's words, weighted by rarity, with those of its own references, at most, and with those of another
#: segment's, at least.
OWN, OTHER = 0.1, 0.4

#: Words of an output that some reference has, at least.
MIN_WORDS = 4

#: Segments of a system, at least: one may be worded like another by chance.
MIN_SEGMENTS = 2

#: Outputs of a system that are compared with all references, at most, and at a time.
MAX_SEGMENTS, AT_A_TIME = 2000, 250

#: Words that more lines have do not count: this share of the lines, or so many.
COMMON, COMMON_LINES = 0.1, 1000
FEW_LINES = 20

#: Shares of the segments.
CAUTION, ALARM = 0.005, 0.05


def _find(data: DiagnosticInput) -> Sequence[Finding]:
    stats = data.evaluation.stats
    matched = stats.matches[..., 0] / np.maximum(stats.hypothesis_lengths, 1)
    unlike = (matched <= OF_OWN) & (stats.hypothesis_lengths >= MIN_WORDS)
    looked_at = [rows[:: max(1, -(-len(rows) // MAX_SEGMENTS))] for rows in map(np.flatnonzero, unlike)]
    found: list[Finding] = []
    for name, of, rows, segments in zip(
        data.systems, unlike.sum(axis=1).tolist(), looked_at, _of_others(data, looked_at), strict=True
    ):
        if len(segments) < MIN_SEGMENTS:
            continue
        least = "at least " if len(rows) < of else ""
        part = of / data.segments * len(segments) / len(rows)
        found.append(
            Finding(
                key=KEY,
                systems=(name,),
                message=f"{name} has the text of another segment in {least}{share(len(segments), data.segments)}.",
                strength=strength_of(part, caution=CAUTION, alarm=ALARM),
                advice=ADVICE,
                segments=tuple((segments + 1).tolist()),
                obstacle=f"{least}{percent(len(segments) / data.segments)} of {name}'s segments have the text of "
                "another segment",
                cause=f"Lines of {name}'s file may be missing, doubled or in another order.",
            )
        )
    return found


def _of_others(data: DiagnosticInput, looked_at: Sequence[Integers]) -> Iterator[Integers]:
    """Of each system, the rows in which its output is like the reference of another segment, and not like its own.

    Args:
        data: the texts.
        looked_at: for each system, the rows of the outputs that are compared.
    """
    chosen: list[list[str | None]] = []
    for name, rows in zip(data.systems, looked_at, strict=True):
        output = data.corpus.systems[name]
        numbers: list[int] = rows.tolist()
        chosen.append([output[i] for i in numbers])
    counted = count_tokens([*chosen, *(data.corpus.references[name] for name in data.references)])
    weights = _weights(counted[len(chosen) :])
    words = [_normalised(each.weighted(weights).tokens) for each in counted]
    references = words[len(chosen) :]
    for rows, output in zip(looked_at, words, strict=False):
        own = np.max([_own(output, each[rows]) for each in references], axis=0)
        places = np.flatnonzero((np.diff(output.indptr) >= MIN_WORDS) & (own <= OWN))
        like = np.zeros(len(places))
        for start in range(0, len(places), AT_A_TIME):
            part = output[places[start : start + AT_A_TIME]]
            nearest = [(part @ each.T).max(axis=1).toarray().ravel() for each in references]
            like[start : start + AT_A_TIME] = np.max(nearest, axis=0)
        yield rows[places[like >= OTHER]]


def _weights(references: Sequence[Any]) -> npt.NDArray[np.float32]:
    """The weight of each word: its rarity in the references; 0 for words of most lines."""
    weights = rarity(references)
    lines = sum(np.bincount(each.tokens.indices, minlength=len(weights)) for each in references)
    most = max(FEW_LINES, min(COMMON * len(references[0].lengths), COMMON_LINES)) * len(references)
    return np.where(lines <= most, weights, 0).astype(np.float32)


def _normalised(words: Any) -> Any:
    """Rows of length 1, or 0."""
    lengths = np.sqrt(np.asarray(words.multiply(words).sum(axis=1)))
    return words.multiply(1 / np.where(lengths > 0, lengths, 1)).tocsr()


def _own(outputs: Any, references: Any) -> npt.NDArray[np.float32]:
    """The cosine of each output with the reference of its own segment."""
    return np.asarray(outputs.multiply(references).sum(axis=1)).ravel()


WARNING = TrustWarning(
    key=KEY,
    title="Outputs in the wrong place",
    checked="Outputs that share few words with their own references are compared with the references of all other "
    "segments; two segments at least have to be found.",
    misleads="An output in the wrong line matches next to nothing, however good it is.",
    advice=ADVICE,
    inferred=True,
    false_alarms=0.001,
    obstructs="scores",
    find=_find,
)
