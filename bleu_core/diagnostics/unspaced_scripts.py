"""Detection of references in scripts without blanks between words, and of their language."""

from __future__ import annotations

from collections.abc import Mapping

from bleu_core.diagnostics.characters import UNSPACED, Script, script_counts
from bleu_core.diagnostics.diagnostic_input import DiagnosticInput

#: Minimum share of a script among the references' letters, and of kana for Japanese rather than Chinese.
MIN_SHARE, KANA_SHARE = 0.3, 0.05


def unspaced_script(data: DiagnosticInput) -> tuple[float, str]:
    """Return the share of the references' letters in such scripts, and their language."""
    letters = script_counts(data)[data.reference_rows].sum(axis=(0, 1))
    unspaced = int(sum(letters[script] for script in UNSPACED))
    language = _language({script: int(letters[script]) for script in UNSPACED}, unspaced)
    return unspaced / max(int(letters.sum()), 1), language


def _language(letters: Mapping[Script, int], unspaced: int) -> str:
    if letters[Script.KANA] >= KANA_SHARE * unspaced:
        return "Japanese"
    main_script = max(letters, key=lambda script: letters[script])
    by_script = {Script.THAI: "Thai", Script.LAO: "Lao", Script.KHMER: "Khmer", Script.MYANMAR: "Burmese"}
    return by_script.get(main_script, "Chinese")
