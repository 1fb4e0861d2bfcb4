"""Whether references are written in a script without blanks between words, and in which language."""

from __future__ import annotations

from collections.abc import Mapping

from bleu_core.diagnostics.characters import UNSPACED, Script, script_counts
from bleu_core.diagnostics.diagnostic_input import DiagnosticInput

#: Share of the references' letters that makes a script theirs, and of kana that makes Chinese characters Japanese.
MIN_SHARE, KANA_SHARE = 0.3, 0.05


def unspaced_script(data: DiagnosticInput) -> tuple[float, str]:
    """The share of the references' letters that are in such scripts, and the language that is written so."""
    letters = script_counts(data)[data.reference_rows].sum(axis=(0, 1))
    unspaced = int(sum(letters[script] for script in UNSPACED))
    language = _language({script: int(letters[script]) for script in UNSPACED}, unspaced)
    return unspaced / max(int(letters.sum()), 1), language


def _language(letters: Mapping[Script, int], unspaced: int) -> str:
    if letters[Script.KANA] >= KANA_SHARE * unspaced:
        return "Japanese"
    most = max(letters, key=lambda script: letters[script])
    by_script = {Script.THAI: "Thai", Script.LAO: "Lao", Script.KHMER: "Khmer", Script.MYANMAR: "Burmese"}
    return by_script.get(most, "Chinese")
