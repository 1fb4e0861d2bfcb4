"""Outputs in another language than the references."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

import numpy as np
import numpy.typing as npt

from bleu_core.dataset import Script, plural
from bleu_core.diagnostics.characters import script_counts
from bleu_core.diagnostics.correspondence import correspondence
from bleu_core.diagnostics.declaration import Finding, TrustWarning
from bleu_core.diagnostics.diagnostic_input import DiagnosticInput
from bleu_core.diagnostics.function_words import LANGUAGES, function_words
from bleu_core.diagnostics.wording import names, percent, share, strength_of

KEY = "wrong-language"
ADVICE = "Read these segments, and check that the system translates into the right language."

#: Scripts of one language that are counted together, as in Japanese.
MERGED_SCRIPTS: Mapping[Script, Script] = MappingProxyType({Script.KANA: Script.HAN})

#: Minimum number of letters to identify a script, and of letters that are syllables or words.
MIN_LETTERS, MIN_CHARACTERS = 10, 5

#: Minimum share of the reference's letters in its script, and maximum share of the output's letters in that script.
MIN_REFERENCE_SHARE, MAX_OUTPUT_SHARE = 0.6, 0.2

#: Minimum surplus of function words of another language over those of the reference's, and maximum ratio of the latter.
MIN_SURPLUS_WORDS, MAX_OWN_RATIO = 3, 0.4

#: Maximum number of segments that are examined one by one.
MAX_SEGMENTS = 1000

#: Where only alarms are needed, the number of segments that are examined first, and the minimum number in another
#: language among these, for which more are examined. With the share of an alarm, fewer are found in 0.05% of samples.
FIRST_SEGMENTS, FEW = 200, 2

#: Shares of the segments.
CAUTION, ALARM = 0.01, 0.05


def _find(data: DiagnosticInput) -> Sequence[Finding]:
    compared = correspondence(data)
    is_foreign: list[bool] = np.all(compared.is_foreign[: len(data.systems)], axis=1).tolist()
    findings: list[Finding] = []
    by_segment = {} if compared.is_foreign[data.reference_rows].any() else _by_segment(data)
    for k, name in enumerate(data.systems):
        if name in by_segment and (by_segment[name].strength == "alarm" or not is_foreign[k]):
            findings.append(by_segment[name])
        elif is_foreign[k]:
            findings.append(_whole_text(data, k))
    return findings


def _by_segment(data: DiagnosticInput) -> dict[str, Finding]:
    """Return the findings on single segments by system; if there are many segments, on those of a sample."""
    if data.alarms_only and data.segments > FIRST_SEGMENTS:  # a text with an alarm has many such segments among these
        first = data.sample(FIRST_SEGMENTS)
        if (_by_script(first) | (_by_words(first) >= 0)).sum(axis=1).max() < FEW:
            return {}
    sample, rows = data.sample(MAX_SEGMENTS), data.sample_rows(MAX_SEGMENTS)
    in_script, in_words = _by_script(sample), _by_words(sample)
    findings: dict[str, Finding] = {}
    for k, name in enumerate(data.systems):
        places = np.flatnonzero(in_script[k] | (in_words[k] >= 0))
        if not len(places):
            continue
        numbers: list[int] = np.unique(in_words[k][in_words[k] >= 0]).tolist()
        languages = [LANGUAGES[number] for number in numbers]
        reasons = [f"function words of {names(languages)}"] if languages else []
        reasons += ["another script than the references"] if in_script[k].any() else []
        sampled = " of a sample" if len(rows) < data.segments else ""
        part = len(places) / len(rows)
        findings[name] = Finding(
            key=KEY,
            systems=(name,),
            message=f"{name} is in another language in {share(len(places), len(rows))}{sampled}: "
            f"{' and '.join(reasons)}.",
            strength=strength_of(part, caution=CAUTION, alarm=ALARM),
            advice=ADVICE,
            segments=tuple((rows[places] + 1).tolist()),
            obstacle=f"{percent(part)} of {name}'s segments are in another language than the references",
        )
    return findings


def _whole_text(data: DiagnosticInput, k: int) -> Finding:
    """Return the finding that the whole output of a system is in another language or script than all references."""
    name, compared = data.systems[k], correspondence(data)
    languages = (compared.languages[k], *compared.languages[data.reference_rows])
    by_words = f" ({languages[0]} and {names(list(dict.fromkeys(languages[1:])))} by their function words)"
    obstacle = f"{name} is in another language or script than the {plural(len(data.references), 'reference')}"
    obstacle += by_words if all(languages) and languages[0] not in languages[1:] else ""
    return Finding(
        key=KEY,
        systems=(name,),
        message=f"{obstacle}, by a sample of {compared.segments:,} {plural(compared.segments, 'segment')}.",
        strength="alarm",
        advice=ADVICE,
        obstacle=obstacle,
    )


def _by_script(data: DiagnosticInput) -> npt.NDArray[np.bool_]:
    """Return the outputs in another script than their references, (K, S)."""
    letters = script_counts(data).copy()
    for script, main in MERGED_SCRIPTS.items():
        letters[..., main] += letters[..., script]
        letters[..., script] = 0
    outputs = letters[: len(data.systems)]
    references = letters[data.reference_rows].sum(axis=0)
    script = references.argmax(axis=1)
    segments = np.arange(data.segments)
    is_long = np.isin(script, [Script.HAN, Script.HANGUL])
    needed = np.where(is_long, MIN_CHARACTERS, MIN_LETTERS)
    script_letters = references[segments, script]
    main_script = references.sum(axis=0).argmax()
    is_clear = (
        (script == main_script)
        & (script_letters >= needed)
        & (script_letters >= MIN_REFERENCE_SHARE * references.sum(axis=1))
    )
    other_letters = outputs.sum(axis=2) - outputs[:, segments, script]
    own = outputs[:, segments, script]
    needed_of_output = np.where(
        (outputs[..., [Script.HAN, Script.HANGUL]].sum(axis=2) > other_letters / 2), MIN_CHARACTERS, MIN_LETTERS
    )
    return is_clear & (other_letters >= needed_of_output) & (own <= MAX_OUTPUT_SHARE * outputs.sum(axis=2))


def _by_words(data: DiagnosticInput) -> npt.NDArray[np.int64]:
    """Return the language number of outputs with function words of another language, (K, S); else -1."""
    words = function_words(data)
    number = len(data.systems)
    if words.language is None:
        return np.full((number, data.segments), -1, np.int64)
    outputs = words.counts[:number]
    own = outputs[..., words.language]
    other_language, max_words = outputs.argmax(axis=2), outputs.max(axis=2)
    references = words.counts[data.reference_rows].sum(axis=0)
    is_clear = references[:, words.language] >= references.max(axis=1)
    is_foreign = is_clear & (max_words - own >= MIN_SURPLUS_WORDS) & (own <= MAX_OWN_RATIO * max_words)
    return np.where(is_foreign, other_language, -1)


WARNING = TrustWarning(
    key=KEY,
    title="Outputs in another language",
    checked="The scripts and the function words of each output are compared with those of its references, in a sample "
    f"of {MAX_SEGMENTS:,} segments if there are more, and the n-grams of characters of the whole system with those of "
    "each reference.",
    misleads="Names and numbers match in any language, so an untranslated or wrongly translated text scores more than "
    "nothing, and a few such segments hardly change a score.",
    advice=ADVICE,
    inferred=True,
    false_alarms=0.0,
    find=_find,
)
