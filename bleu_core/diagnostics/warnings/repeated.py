"""Words that a system repeats many times, and equal outputs for different segments."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from bleu_core.diagnostics.declaration import Finding, TrustWarning
from bleu_core.diagnostics.diagnostic_input import DiagnosticInput
from bleu_core.diagnostics.function_words import WORDS
from bleu_core.diagnostics.wording import share, strength_of
from bleu_core.scoring import chunks, hash_tokens, line_tokenizer

KEY = "repeated"
ADVICE = "Read these segments: systems that fail often repeat themselves."

#: Maximum length of a repeated group of tokens, and minimum number of tokens of its further copies.
MAX_GROUP_LENGTH, MIN_REPEATED = 8, 6

#: Minimum ratio of the length of copies to that in references and source.
MIN_RATIO = 2

#: Minimum number of tokens of an output that is not repeated by chance, and minimum number of segments with it.
MIN_TOKENS, MIN_EQUAL_OUTPUTS = 4, 3

#: Shares of the segments.
CAUTION, ALARM = 0.005, 0.1


def repeated_tokens(data: DiagnosticInput) -> npt.NDArray[Any]:
    """Return the maximum number of tokens in each text that repeat the preceding group of tokens, (T, S)."""
    return data.segment_values(count_repeated)


def count_repeated(data: DiagnosticInput) -> npt.NDArray[Any]:
    """Count repeated tokens; the cached computation of `repeated_tokens`."""
    tokenize = line_tokenizer(WORDS)
    counts = np.zeros((len(data.texts), data.segments), np.int64)
    for row, text in zip(counts, data.texts.values(), strict=True):
        for chunk in chunks(text):
            tokens = hash_tokens(tokenize([line or "" for line in text[chunk]]))
            lines = np.repeat(np.arange(len(tokens.lengths)), tokens.lengths + 1)
            keys = tokens.keys[1:]  # with the line number, so that runs do not extend over lines
            repeated = np.zeros(len(tokens.lengths), np.int64)
            for group in range(1, MAX_GROUP_LENGTH + 1):
                starts, lengths = _runs(keys[group:] == keys[:-group])
                enough = lengths >= max(MIN_REPEATED, 2 * group)
                np.maximum.at(repeated, lines[starts[enough]], lengths[enough])
            row[chunk] = repeated
    return counts


def _runs(same: npt.NDArray[np.bool_]) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Return starts and lengths of runs of true values."""
    edges = np.flatnonzero(np.diff(np.concatenate([[False], same, [False]]).astype(np.int8)))
    return edges[::2], edges[1::2] - edges[::2]


def _find(data: DiagnosticInput) -> Sequence[Finding]:
    repeated = repeated_tokens(data)
    expected = repeated[len(data.systems) :].max(axis=0)
    findings: list[Finding] = []
    for k, name in enumerate(data.systems):
        segments = np.flatnonzero(repeated[k] > MIN_RATIO * expected) + 1
        if len(segments):
            part = share(len(segments), data.segments)
            sentence = f"{name} repeats the same words many times in {part}, where no reference does."
            findings.append(_finding(name, sentence, segments.tolist(), data.segments))
        repeated_segments, number = _same_outputs(data, name)
        if repeated_segments:
            sentence = (
                f"{name} gives the same output for several segments whose references differ: "
                f"{share(len(repeated_segments), data.segments)} have one of {number:,} such outputs."
            )
            findings.append(_finding(name, sentence, repeated_segments, data.segments))
    return findings


def _same_outputs(data: DiagnosticInput, name: str) -> tuple[list[int], int]:
    """Return the segments, from 1, with outputs that occur several times, and the number of such outputs."""
    places: defaultdict[str, list[int]] = defaultdict(list)
    for i, line in enumerate(data.corpus.systems[name]):
        places[line].append(i)
    others = [text for (role, _), text in data.texts.items() if role != "system"]
    repeated: list[list[int]] = []
    for line, where in places.items():
        if len(where) >= MIN_EQUAL_OUTPUTS and len(line.split()) >= MIN_TOKENS:
            different = min(len({text[i] for i in where}) for text in others)
            if different == len(where):
                repeated.append(where)
    return sorted(i + 1 for where in repeated for i in where), len(repeated)


def _finding(name: str, message: str, segments: Sequence[int], total: int) -> Finding:
    strength = strength_of(len(segments) / total, caution=CAUTION, alarm=ALARM)
    return Finding(
        key=KEY, systems=(name,), message=message, strength=strength, advice=ADVICE, segments=tuple(segments)
    )


WARNING = TrustWarning(
    key=KEY,
    title="Repetition",
    checked=f"The check searches groups of up to {MAX_GROUP_LENGTH} tokens that are repeated directly, and equal "
    "outputs for several segments.",
    misleads="Clipping takes the repeated words out of the matches, but a few such outputs among many good ones "
    "hardly change the score.",
    advice=ADVICE,
    find=_find,
)
