"""Errors in texts as HTML: lines below words, notes on them, and lists below the texts. All text is escaped."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

import streamlit as st

from bleu_core.dataset import NO_PLACE
from bleu_core.segments import ErrorMarks
from dashboard import words

#: Maximum number of layers with a place of their own; further ones are drawn over the last.
MAX_LAYERS = 6

#: Class of page.css for severities without a line of their own.
OTHER = "other"


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownErrors:
    """The errors in a displayed text.

    Attributes:
        marks: of the text.
        annotators: who marked or found no errors.
        key: identifies the text among all on the page; a part of the ids of elements.
        with_system: whether notes name the system whose output was annotated, as in a source.
    """

    marks: ErrorMarks
    annotators: str
    key: str
    with_system: bool = False

    @property
    def classes(self) -> str:
        """Classes of the paragraph."""
        layers = min(self.marks.layer_count, MAX_LAYERS)
        return f" with-errors layers-{layers}" if layers else ""


def error_html(shown: ShownErrors, run: int, content: str) -> str:
    """Return a piece of a text with the lines of its errors and their note, which focus and the pointer open.

    The Tab key goes to pieces where an error begins; a tap opens all.

    Args:
        shown: the errors in the text.
        run: the index of the piece.
        content: its HTML.
    """
    marks, piece = shown.marks, shown.marks.runs[run]
    for error in piece.errors:
        layer = min(marks.layers[error] + 1, MAX_LAYERS)
        content = f'<span class="error-line {_severity(marks.errors[error].severity)} layer-{layer}">{content}</span>'
    described = (words.error_described(marks.errors[error], with_system=shown.with_system) for error in piece.errors)
    notes = "".join(f"<span>{escape(text)}</span>" for text in described)
    note = f"{shown.key}-{run}"
    return (
        f'<mark class="error" tabindex="{0 if piece.begins else -1}" aria-describedby="{note}">{content}'
        f'<span class="error-note" role="tooltip" id="{note}">{notes}</span></mark>'
    )


def error_lists(shown: ShownErrors) -> str:
    """Return what stands below a text: its annotators, errors without a place, and for paper and readers all errors."""
    entries: list[str] = []
    for error, layer in enumerate(shown.marks.layers):
        placed = "" if layer == NO_PLACE else ' class="placed"'
        listed = words.error_listed(shown.marks, error, with_system=shown.with_system)
        entries.append(f"<li{placed}>{escape(listed)}</li>")
    annotators = f'<p class="error-annotators">{escape(shown.annotators)}</p>' if shown.annotators else ""
    errors = f'<ul class="error-list">{"".join(entries)}</ul>' if entries else ""
    return f"{annotators}{errors}"


def error_legend(other_severities: Sequence[str]) -> None:
    """Show a legend of the lines below words.

    Args:
        other_severities: the names of severities in the data that have no line of their own.
    """
    entries = {severity: severity for severity in words.SEVERITY_LINES}
    if other_severities:
        entries[OTHER] = ", ".join(other_severities)
    chips = [
        f'<mark class="error"><span class="error-line {name} layer-1">{escape(meaning)}</span></mark>'
        for name, meaning in entries.items()
    ]
    st.html(f'<p class="legend error-legend">{" ".join(chips)}</p>')


def _severity(severity: str) -> str:
    return severity if severity in words.SEVERITY_LINES else OTHER
