"""Characters damaged by a wrong encoding, and full-width punctuation that the references do not use."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt

from bleu_core.diagnostics.characters import Count, character_counts
from bleu_core.diagnostics.declaration import Finding, Strength, TrustWarning
from bleu_core.diagnostics.diagnostic_input import DiagnosticInput
from bleu_core.diagnostics.wording import share

KEY = "damaged-characters"
ADVICE = "Convert the original file to UTF-8, and give it in place of this one."
WIDTH_ADVICE = "Write punctuation as the references do, or compare systems only with others that write it so."

#: Minimum share of segments with such characters for a caution; fewer are a note.
CAUTION = 0.02


def _find(data: DiagnosticInput) -> Sequence[Finding]:
    return (*_replaced(data), *_mojibake(data), *_full_width(data))


def _replaced(data: DiagnosticInput) -> Iterator[Finding]:
    """Yield findings on replacement characters in systems and references."""
    marked = character_counts(data)[..., Count.REPLACED] > 0
    for (role, name), segments in zip(data.texts, marked, strict=True):
        if role != "source" and segments.any():
            part = share(int(segments.sum()), data.segments)
            sentence = f"{name} has the replacement character U+FFFD in {part}: letters were lost when it was decoded."
            yield _finding(role, name, message=sentence, segments=segments, advice=ADVICE)


def _mojibake(data: DiagnosticInput) -> Iterator[Finding]:
    """Yield findings on UTF-8 that was read in another encoding, where neither references nor source have any."""
    marked = character_counts(data)[..., Count.MOJIBAKE] > 0
    elsewhere = marked[len(data.systems) :].any(axis=0)
    for (role, name), segments in zip(data.texts, marked, strict=True):
        odd = segments & ~elsewhere if role == "system" else segments
        if role != "source" and odd.any():
            part = share(int(odd.sum()), data.segments)
            sentence = (
                f"{name} has characters such as \u00c3\u00a9 for \u00e9 in {part}: UTF-8 read as another encoding."
            )
            yield _finding(role, name, message=sentence, segments=odd, advice=ADVICE)


def _full_width(data: DiagnosticInput) -> Iterator[Finding]:
    """Yield findings on full-width punctuation of systems if no reference has any."""
    counts = character_counts(data)[..., Count.FULL_WIDTH] > 0
    if counts[data.reference_rows].any():
        return
    for name, segments in zip(data.systems, counts, strict=False):
        if segments.any():
            part = share(int(segments.sum()), data.segments)
            sentence = f"{name} has full-width punctuation such as \uff0c in {part}, and the references have none."
            yield _finding("system", name, message=sentence, segments=segments, advice=WIDTH_ADVICE)


def _finding(role: str, name: str, message: str, segments: npt.NDArray[np.bool_], advice: str) -> Finding:
    strength: Strength = "caution" if segments.mean() >= CAUTION else "note"
    return Finding(
        key=KEY,
        systems=(name,) if role == "system" else (),
        references=(name,) if role == "reference" else (),
        message=message if role == "system" else f"Reference {message}",
        strength=strength,
        advice=advice,
        segments=tuple((np.flatnonzero(segments) + 1).tolist()),
    )


WARNING = TrustWarning(
    key=KEY,
    title="Damaged characters",
    checked="Segments with replacement characters (U+FFFD), with UTF-8 that was read in another encoding, and with "
    "full-width punctuation where the references have none are counted.",
    misleads="A word with a damaged character, or a mark of another width, does not match, so the score falls for "
    "reasons that are not about the translation.",
    advice=ADVICE,
    inferred=True,
    false_alarms=0.0,
    find=_find,
)
