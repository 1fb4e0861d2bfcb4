"""Outputs that belong to other segments."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from bleu_core.arrays import Integers
from bleu_core.dataset import plural
from bleu_core.diagnostics.correspondence import correspondence, likeness_sentence
from bleu_core.diagnostics.declaration import Finding, TrustWarning
from bleu_core.diagnostics.diagnostic_input import DiagnosticInput
from bleu_core.diagnostics.wording import percent, share, strength_of

KEY = "misplaced"
ADVICE = "Read these segments, and check the order of the lines in the system's file."
ADVICE_FOR_ALL = "Check that the system's file is of this test set, and the order of its lines."

#: Maximum share of an output's tokens in its own references; of another segment, a third matches by chance.
MAX_MATCHED_SHARE = 0.5

#: Maximum share of an output's bigrams in its own references, which texts of other segments hardly exceed.
MAX_BIGRAM_SHARE = 0.1

#: Maximum cosine of an output's words, weighted by rarity, with those of its own references, and minimum cosine with
#: those of another segment's.
MAX_OWN_COSINE, MIN_OTHER_COSINE = 0.1, 0.4

#: Minimum number of words of an output that occur in any reference.
MIN_WORDS = 4

#: Minimum number of segments of a system: a single one may be worded like another by chance.
MIN_SEGMENTS = 2

#: Maximum number of outputs of a system that are compared with all references, and their number per batch.
MAX_SEGMENTS, BATCH_SEGMENTS = 2000, 250

#: Words in more lines are ignored: a share of the lines, with a maximum and a minimum.
MAX_LINE_SHARE, MAX_COMMON_LINES = 0.1, 1000
MIN_COMMON_LINES = 20

#: Minimum share of segments with the text of another one, if the lines of a system do not correspond to a reference,
#: for the statement that they are in another order.
MIN_SHUFFLED_SHARE = 0.5

#: Shares of the segments.
CAUTION, ALARM = 0.005, 0.05


def _find(data: DiagnosticInput) -> Sequence[Finding]:
    by_segment, compared = _by_segment(data), correspondence(data)
    is_unrelated, is_foreign = compared.is_unrelated[: len(data.systems)], compared.is_foreign[: len(data.systems)]
    corresponds_to_none: list[bool] = (is_unrelated.any(axis=1) & np.all(is_unrelated | is_foreign, axis=1)).tolist()
    findings: list[Finding] = []
    for k, name in enumerate(data.systems):
        part, finding = by_segment.get(name, (0.0, None))
        if corresponds_to_none[k] and part < MIN_SHUFFLED_SHARE:
            findings.append(_whole_text(data, k))
        elif finding is not None:
            findings.append(finding)
    return findings


def _by_segment(data: DiagnosticInput) -> dict[str, tuple[float, Finding]]:
    """Return the share of segments that have the text of another one, and the finding on them, by system."""
    if data.whole_texts:
        return {}
    stats = data.evaluation.stats
    matched = stats.matches[..., 0] / np.maximum(stats.hypothesis_lengths, 1)
    is_unlike = (matched <= MAX_MATCHED_SHARE) & (stats.hypothesis_lengths >= MIN_WORDS)
    if data.alarms_only and (_few_bigrams(data, is_unlike).mean(axis=1) < ALARM).all():
        return {}
    compared_rows = [rows[:: max(1, -(-len(rows) // MAX_SEGMENTS))] for rows in map(np.flatnonzero, is_unlike)]
    findings: dict[str, tuple[float, Finding]] = {}
    for name, number_unlike, rows, segments in zip(
        data.systems, is_unlike.sum(axis=1).tolist(), compared_rows, _misplaced_rows(data, compared_rows), strict=True
    ):
        if len(segments) < MIN_SEGMENTS:
            continue
        qualifier = "at least " if len(rows) < number_unlike else ""
        part = number_unlike / data.segments * len(segments) / len(rows)
        finding = Finding(
            key=KEY,
            systems=(name,),
            message=f"{name} has the text of another segment in {qualifier}{share(len(segments), data.segments)}.",
            strength=strength_of(part, caution=CAUTION, alarm=ALARM),
            advice=ADVICE,
            segments=tuple((segments + 1).tolist()),
            obstacle=f"{qualifier}{percent(len(segments) / data.segments)} of {name}'s segments have the text of "
            "another segment",
            cause=f"Lines of {name}'s file may be missing, doubled or in another order.",
        )
        findings[name] = part, finding
    return findings


def _few_bigrams(data: DiagnosticInput, is_unlike: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
    """Return which of the outputs, (K, S), have so few bigrams of their references as texts of other segments have."""
    stats = data.evaluation.stats
    if stats.max_order == 1:
        return is_unlike
    return is_unlike & (stats.matches[..., 1] <= MAX_BIGRAM_SHARE * np.maximum(stats.hypothesis_lengths - 1, 1))


def _whole_text(data: DiagnosticInput, k: int) -> Finding:
    """Return the finding that the lines of a system correspond to those of no reference."""
    name, compared = data.systems[k], correspondence(data)
    obstacle = f"the lines of {name} do not correspond to those of the {plural(len(data.references), 'reference')}"
    cause = f"{name}'s file may be of another test set, or its lines in another order."
    shares = likeness_sentence(compared, k)
    return Finding(
        key=KEY,
        systems=(name,),
        message=f"{obstacle[0].upper()}{obstacle[1:]}: {shares}",
        strength="alarm",
        advice=ADVICE_FOR_ALL,
        obstacle=obstacle,
        cause=cause,
    )


def _misplaced_rows(data: DiagnosticInput, compared_rows: Sequence[Integers]) -> Iterator[Integers]:
    """Yield for each system the rows whose output is similar to the reference of another segment and not to its own.

    Args:
        data: the texts.
        compared_rows: for each system, the rows of the outputs that are compared.
    """
    from bleu_core.alignment import count_tokens  # loads SciPy, which other warnings do not need

    outputs: list[list[str | None]] = []
    for name, rows in zip(data.systems, compared_rows, strict=True):
        output = data.corpus.systems[name]
        numbers: list[int] = rows.tolist()
        outputs.append([output[i] for i in numbers])
    counted = count_tokens([*outputs, *(data.corpus.references[name] for name in data.references)])
    weights = _weights(counted[len(outputs) :])
    words = [_normalised(text.weighted(weights).tokens) for text in counted]
    references = words[len(outputs) :]
    for rows, output in zip(compared_rows, words, strict=False):
        own = np.max([_own(output, text[rows]) for text in references], axis=0)
        places = np.flatnonzero((np.diff(output.indptr) >= MIN_WORDS) & (own <= MAX_OWN_COSINE))
        like = np.zeros(len(places))
        for start in range(0, len(places), BATCH_SEGMENTS):
            part = output[places[start : start + BATCH_SEGMENTS]]
            nearest = [(part @ text.T).max(axis=1).toarray().ravel() for text in references]
            like[start : start + BATCH_SEGMENTS] = np.max(nearest, axis=0)
        yield rows[places[like >= MIN_OTHER_COSINE]]


def _weights(references: Sequence[Any]) -> npt.NDArray[np.float32]:
    """Return the weight of each word: its rarity in the references; 0 for words of many lines."""
    from bleu_core.alignment import rarity

    weights = rarity(references)
    lines = sum(np.bincount(text.tokens.indices, minlength=len(weights)) for text in references)
    max_lines = max(MIN_COMMON_LINES, min(MAX_LINE_SHARE * len(references[0].lengths), MAX_COMMON_LINES)) * len(
        references
    )
    return np.where(lines <= max_lines, weights, 0).astype(np.float32)


def _normalised(words: Any) -> Any:
    """Normalise rows to length 1, or 0 if empty."""
    lengths = np.sqrt(np.asarray(words.multiply(words).sum(axis=1)))
    return words.multiply(1 / np.where(lengths > 0, lengths, 1)).tocsr()


def _own(outputs: Any, references: Any) -> npt.NDArray[np.float32]:
    """Return the cosine of each output with the reference of its own segment."""
    return np.asarray(outputs.multiply(references).sum(axis=1)).ravel()


WARNING = TrustWarning(
    key=KEY,
    title="Misaligned outputs",
    checked="Outputs that share few words with their own references are compared with the references of all other "
    "segments; a finding needs at least two segments. In a sample, the likeness of the lines of a system and those of "
    "each reference is compared with that of lines in another order.",
    misleads="An output in the wrong line matches next to nothing, however good it is.",
    advice=ADVICE,
    inferred=True,
    false_alarms=0.001,
    find=_find,
)
