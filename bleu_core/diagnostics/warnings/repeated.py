"""Words that a system repeats over and over, and outputs that it gives for many different segments."""

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

#: The longest group of tokens that is looked for, and how many tokens the further copies of a group must have.
MAX_GROUP_LENGTH, MIN_REPEATED = 8, 6

#: How many times as long as in any reference and the source the copies must be.
FACTOR = 2

#: An output of so many tokens is not given for another segment by chance; so many segments are several.
MIN_TOKENS, SEVERAL = 4, 3

#: Shares of the segments.
CAUTION, ALARM = 0.005, 0.1


def repeated_tokens(data: DiagnosticInput) -> npt.NDArray[Any]:
    """(T, S) how many tokens of each text are further copies of a group of tokens right before them, at most."""
    return data.segment_values(count_repeated)


def count_repeated(data: DiagnosticInput) -> npt.NDArray[Any]:
    """What `repeated_tokens` gives of a whole text."""
    tokenize = line_tokenizer(WORDS)
    found = np.zeros((len(data.texts), data.segments), np.int64)
    for row, text in zip(found, data.texts.values(), strict=True):
        for chunk in chunks(text):
            tokens = hash_tokens(tokenize([line or "" for line in text[chunk]]))
            lines = np.repeat(np.arange(len(tokens.lengths)), tokens.lengths + 1)
            keys = tokens.keys[1:]  # they hold the number of the line, so that nothing runs on from line to line
            longest = np.zeros(len(tokens.lengths), np.int64)
            for group in range(1, MAX_GROUP_LENGTH + 1):
                starts, lengths = _runs(keys[group:] == keys[:-group])
                enough = lengths >= max(MIN_REPEATED, 2 * group)
                np.maximum.at(longest, lines[starts[enough]], lengths[enough])
            row[chunk] = longest
    return found


def _runs(same: npt.NDArray[np.bool_]) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Where runs of true values start, and their lengths."""
    edges = np.flatnonzero(np.diff(np.concatenate([[False], same, [False]]).astype(np.int8)))
    return edges[::2], edges[1::2] - edges[::2]


def _find(data: DiagnosticInput) -> Sequence[Finding]:
    longest = repeated_tokens(data)
    usual = longest[len(data.systems) :].max(axis=0)
    found: list[Finding] = []
    for k, name in enumerate(data.systems):
        segments = np.flatnonzero(longest[k] > FACTOR * usual) + 1
        if len(segments):
            part = share(len(segments), data.segments)
            sentence = f"{name} repeats the same words over and over in {part}, where no reference does."
            found.append(_finding(name, sentence, segments.tolist(), data.segments))
        again, different = _same_outputs(data, name)
        if again:
            sentence = (
                f"{name} gives the same output for several segments whose references differ: "
                f"{share(len(again), data.segments)} have one of {different:,} such outputs."
            )
            found.append(_finding(name, sentence, again, data.segments))
    return found


def _same_outputs(data: DiagnosticInput, name: str) -> tuple[list[int], int]:
    """The segments, from 1, whose outputs are given for several segments, and how many such outputs there are."""
    places: defaultdict[str, list[int]] = defaultdict(list)
    for i, line in enumerate(data.corpus.systems[name]):
        places[line].append(i)
    others = [text for (role, _), text in data.texts.items() if role != "system"]
    several: list[list[int]] = []
    for line, where in places.items():
        if len(where) >= SEVERAL and len(line.split()) >= MIN_TOKENS:
            different = min(len({text[i] for i in where}) for text in others)
            if different == len(where):
                several.append(where)
    return sorted(i + 1 for where in several for i in where), len(several)


def _finding(name: str, found: str, segments: Sequence[int], of: int) -> Finding:
    strength = strength_of(len(segments) / of, caution=CAUTION, alarm=ALARM)
    return Finding(key=KEY, systems=(name,), message=found, strength=strength, advice=ADVICE, segments=tuple(segments))


WARNING = TrustWarning(
    key=KEY,
    title="Repetition",
    checked=f"Groups of up to {MAX_GROUP_LENGTH} tokens that follow one another several times are searched, and outputs "
    "that are given for several segments.",
    misleads="Clipping takes the repeated words out of the matches, but a few such outputs among many good ones "
    "hardly change the score.",
    advice=ADVICE,
    find=_find,
)
