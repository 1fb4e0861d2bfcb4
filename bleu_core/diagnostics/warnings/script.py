"""Scripts that the tokeniser in use does not split."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from bleu_core.diagnostics.declaration import Finding, TrustWarning
from bleu_core.diagnostics.diagnostic_input import DiagnosticInput
from bleu_core.diagnostics.unspaced_scripts import MIN_SHARE, unspaced_script
from bleu_core.diagnostics.wording import names, percent
from bleu_core.scoring import SPLITTING_AT_BLANKS

KEY = "script"
ADVICE = "Choose the tokeniser that is named."

#: Language -> tokenisers that split its script, the recommended one first; zh does not split kana.
TOKENIZERS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "Chinese": ("zh", "char", "spm", "flores101", "flores200", "spBLEU-1K"),
        "Japanese": ("ja-mecab", "char", "spm", "flores101", "flores200", "spBLEU-1K"),
        "Thai": ("flores200", "char", "spm", "flores101", "spBLEU-1K"),
        "Lao": ("flores200", "char", "spm", "flores101", "spBLEU-1K"),
        "Khmer": ("flores200", "char", "spm", "flores101", "spBLEU-1K"),
        "Burmese": ("flores200", "char", "spm", "flores101", "spBLEU-1K"),
    }
)


def _find(data: DiagnosticInput) -> Sequence[Finding]:
    part, language = unspaced_script(data)
    tokenizer = data.evaluation.settings.tokenizer
    if part < MIN_SHARE or tokenizer in TOKENIZERS[language]:
        return ()
    fitting = TOKENIZERS[language]
    problem = (
        "splits only at blanks and punctuation" if tokenizer in SPLITTING_AT_BLANKS else f"is not made for {language}"
    )
    message = (
        f"{percent(part)} of the letters of {names(data.references)} are {language}, which the tokeniser "
        f"{tokenizer} does not split into words: it {problem}."
    )
    advice = f"Choose the tokeniser {fitting[0]}, or {fitting[1]}."
    return (Finding(key=KEY, references=data.references, message=message, strength="alarm", advice=advice),)


WARNING = TrustWarning(
    key=KEY,
    title="Script that the tokeniser does not split",
    checked="The letters of the references are counted by script, and compared with what the tokeniser splits.",
    misleads="A whole sentence without blanks is one token, so that only identical sentences match.",
    advice=ADVICE,
    find=_find,
)
