"""Scripts that the tokeniser in use does not split."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from bleu_core.dataset import Corpus, language_of_script
from bleu_core.diagnostics.declaration import Finding, TrustWarning
from bleu_core.diagnostics.diagnostic_input import DiagnosticInput
from bleu_core.diagnostics.wording import names, percent
from bleu_core.scoring import DEFAULT_METRIC, REQUIREMENTS, SPLITTING_AT_BLANKS, BleuSettings, is_installed

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
        "Korean": ("ko-mecab", "char", "spm", "flores101", "flores200", "spBLEU-1K"),
    }
)


def _find(data: DiagnosticInput) -> Sequence[Finding]:
    return find_unsplit(data.corpus, data.references, data.evaluation.settings)


def find_unsplit(corpus: Corpus, references: Sequence[str], settings: BleuSettings) -> Sequence[Finding]:
    """Return the finding that the tokeniser does not split the script of the references, on a sample of these.

    Args:
        corpus: the texts.
        references: the names of the references in use.
        settings: the settings that BLEU is computed under.
    """
    share, language = language_of_script([corpus.references[name] for name in references])
    tokenizer = settings.tokenizer
    if not language or tokenizer in TOKENIZERS[language]:
        return ()
    fitting, other = TOKENIZERS[language][:2]
    of_script = f"{percent(share)} of the letters of {names(references)} are {language}"
    package = "" if is_installed(fitting) else f" The tokeniser {fitting} needs {REQUIREMENTS[fitting]}."
    chosen = f"Choose the tokeniser {fitting} (--tokenizer {fitting})"
    if language == "Korean":
        return (
            Finding(
                key=KEY,
                references=tuple(references),
                message=f"{of_script}, which the tokeniser {tokenizer} splits at blanks, but not before particles and "
                "endings as ko-mecab does, sacreBLEU's tokeniser of Korean: scores are not comparable with published "
                "ones.",
                strength="caution",
                advice=f"{chosen} to compare with published scores.{package}",
            ),
        )
    at_blanks = tokenizer in SPLITTING_AT_BLANKS
    problem = "splits only at blanks and punctuation" if at_blanks else f"is not made for {language}"
    return (
        Finding(
            key=KEY,
            references=tuple(references),
            metrics=(DEFAULT_METRIC,),
            message=f"{of_script}, which the tokeniser {tokenizer} does not split into words: it {problem}.",
            strength="alarm",
            advice=f"{chosen}, or {other}.{package}",
            obstacle=f"{of_script}, which the tokeniser {tokenizer} does not split into words",
            cause=f"The tokeniser {problem}, so that whole clauses count as words.",
        ),
    )


WARNING = TrustWarning(
    key=KEY,
    title="Script that the tokeniser does not split",
    checked="The letters of a sample of the references are counted by script, and compared with what the tokeniser "
    "splits.",
    misleads="A whole sentence without blanks is one token, so that only identical sentences match.",
    advice=ADVICE,
    find=_find,
)
