"""Outputs in another language than the references."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

import numpy as np
import numpy.typing as npt

from bleu_core.diagnostics.characters import Script, script_counts
from bleu_core.diagnostics.declaration import Finding, TrustWarning
from bleu_core.diagnostics.diagnostic_input import DiagnosticInput
from bleu_core.diagnostics.function_words import LANGUAGES, function_words
from bleu_core.diagnostics.wording import names, share, strength_of

KEY = "wrong-language"
ADVICE = "Read these segments, and check that the system translates into the right language."

#: Scripts of one language count as one: Japanese has both.
MERGED: Mapping[Script, Script] = MappingProxyType({Script.KANA: Script.HAN})

#: So many letters show a script, and so many where a letter is a syllable or a word.
MIN_LETTERS, MIN_CHARACTERS = 10, 5

#: Shares of the letters in the script of the reference: of the reference at least, of the output at most.
OF_REFERENCE, OF_OUTPUT = 0.6, 0.2

#: So many more function words of another language than of the reference's, and at most this fraction as many of these.
MIN_WORDS, OWN_WORDS = 3, 0.4

#: Shares of the segments.
CAUTION, ALARM = 0.01, 0.05


def _find(data: DiagnosticInput) -> Sequence[Finding]:
    in_script, in_words = _by_script(data), _by_words(data)
    found: list[Finding] = []
    for k, name in enumerate(data.systems):
        segments = np.flatnonzero(in_script[k] | (in_words[k] >= 0)) + 1
        if not len(segments):
            continue
        numbers: list[int] = np.unique(in_words[k][in_words[k] >= 0]).tolist()
        languages = [LANGUAGES[number] for number in numbers]
        reasons = [f"function words of {names(languages)}"] if languages else []
        reasons += ["another script than the references"] if in_script[k].any() else []
        sentence = f"{name} is in another language in {share(len(segments), data.segments)}: {' and '.join(reasons)}."
        part = len(segments) / data.segments
        found.append(
            Finding(
                key=KEY,
                systems=(name,),
                message=sentence,
                strength=strength_of(part, caution=CAUTION, alarm=ALARM),
                advice=ADVICE,
                segments=tuple(segments.tolist()),
            )
        )
    return found


def _by_script(data: DiagnosticInput) -> npt.NDArray[np.bool_]:
    """(K, S) outputs that are written in another script than their references."""
    letters = script_counts(data).copy()
    for script, other in MERGED.items():
        letters[..., other] += letters[..., script]
        letters[..., script] = 0
    outputs = letters[: len(data.systems)]
    references = letters[data.reference_rows].sum(axis=0)
    script = references.argmax(axis=1)
    segments = np.arange(data.segments)
    is_long = np.isin(script, [Script.HAN, Script.HANGUL])
    needed = np.where(is_long, MIN_CHARACTERS, MIN_LETTERS)
    of_script = references[segments, script]
    usual = references.sum(axis=0).argmax()
    clear = (script == usual) & (of_script >= needed) & (of_script >= OF_REFERENCE * references.sum(axis=1))
    strange = outputs.sum(axis=2) - outputs[:, segments, script]
    own = outputs[:, segments, script]
    others = np.where(
        (outputs[..., [Script.HAN, Script.HANGUL]].sum(axis=2) > strange / 2), MIN_CHARACTERS, MIN_LETTERS
    )
    return clear & (strange >= others) & (own <= OF_OUTPUT * outputs.sum(axis=2))


def _by_words(data: DiagnosticInput) -> npt.NDArray[np.int64]:
    """(K, S) the number of the language of outputs with the function words of another language; else -1."""
    found = function_words(data)
    number = len(data.systems)
    if found.language is None:
        return np.full((number, data.segments), -1, np.int64)
    outputs = found.counts[:number]
    own = outputs[..., found.language]
    other, most = outputs.argmax(axis=2), outputs.max(axis=2)
    references = found.counts[data.reference_rows].sum(axis=0)
    plain = references[:, found.language] >= references.max(axis=1)
    foreign = plain & (most - own >= MIN_WORDS) & (own <= OWN_WORDS * most)
    return np.where(foreign, other, -1)


WARNING = TrustWarning(
    key=KEY,
    title="Outputs in another language",
    checked="The scripts and the function words of each output are compared with those of its references.",
    misleads="Names and numbers match in any language, so an untranslated or wrongly translated text scores more than "
    "nothing, and a few such segments hardly change a score.",
    advice=ADVICE,
    inferred=True,
    false_alarms=0.0,
    find=_find,
)
