"""Texts of a segment with their tokens marked. Every character of a text is escaped."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from html import escape
from itertools import groupby

import streamlit as st

from dashboard import analysis

#: Orders have a shade each up to this one, which stands for all longer ones, too.
SHADES = 4

#: Scripts that need fonts, or breaks of lines, of their own -> the language that is set for them.
LANGUAGES: Mapping[str, re.Pattern[str]] = {
    "ja": re.compile("[\u3040-\u30ff]"),
    "ko": re.compile("[\u1100-\u11ff\uac00-\ud7af]"),
    "zh": re.compile("[\u3400-\u4dbf\u4e00-\u9fff]"),
    "ar": re.compile("[\u0600-\u06ff]"),
    "he": re.compile("[\u0590-\u05ff]"),
    "th": re.compile("[\u0e00-\u0e7f]"),
    "hi": re.compile("[\u0900-\u097f]"),
}

EMPTY = "(empty)"

#: Marks of tokens: a class of page.css, and what it says to those who do not see it.
Marks = Sequence[str]


def plain_text(text: str) -> None:
    """Show a text as it is, in its direction."""
    st.html(plain_html(text))


def marked_text(text: analysis.MarkedText, marks: Marks) -> None:
    """Show a text with a mark on each of its tokens.

    Args:
        text: the text; its tokens are shown in place of it where they do not stand in it.
        marks: one per token, classes of page.css; empty for none.
    """
    st.html(marked_html(text, marks))


def plain_html(text: str) -> str:
    """A text as HTML."""
    return _block(escape(text))


def marked_html(text: analysis.MarkedText, marks: Marks) -> str:
    """A text with its marks as HTML; neighbours with the same mark share it."""
    return _block(_marked(text, marks))


def ngram_marks(output: analysis.MarkedOutput) -> Marks:
    """Marks of tokens by the longest matching n-gram, and of clipped ones."""
    return [
        " ".join(filter(None, (f"order-{min(order, SHADES)}" if order else "", "clipped" if clipped else "")))
        for order, clipped in zip(output.matched, output.clipped, strict=True)
    ]


def different_marks(different: Sequence[bool]) -> Marks:
    """Marks of the tokens that the other output lacks."""
    return ["different" if each else "" for each in different]


def missing_marks(lacking: Sequence[Sequence[bool]]) -> Marks:
    """Marks of a reference's tokens that one or both outputs lack.

    Args:
        lacking: of each output, whether it lacks each token.
    """
    if len(lacking) == 1:
        return ["missing-both" if each else "" for each in lacking[0]]
    names = {(True, True): "missing-both", (True, False): "missing-first", (False, True): "missing-second"}
    return [names.get(each, "") for each in zip(*lacking, strict=True)]


def legend(entries: Mapping[str, str]) -> None:
    """Explain marks.

    Args:
        entries: mark -> what it means.
    """
    chips = [f'<mark class="{mark}">{escape(meaning)}</mark>' for mark, meaning in entries.items()]
    st.html(f'<p class="legend">{" ".join(chips)}</p>')


def _block(content: str) -> str:
    language = next((name for name, script in LANGUAGES.items() if script.search(content)), "")
    of_language = f' lang="{language}"' if language else ""
    return f'<p class="segment-text" dir="auto"{of_language}>{content if content.strip() else EMPTY}</p>'


def _marked(text: analysis.MarkedText, marks: Marks) -> str:
    if text.spans is None:
        whole, spans = _joined(text.tokens)
    else:
        whole, spans = text.text, text.spans
    parts: list[str] = []
    done = 0
    for mark, of_mark in groupby(zip(marks, spans, strict=True), key=lambda pair: pair[0]):
        of_run = [span for _, span in of_mark]
        start, end = of_run[0][0], of_run[-1][1]
        parts.append(escape(whole[done:start]))
        run = escape(whole[start:end])
        parts.append(f'<mark class="{mark}">{run}</mark>' if mark else run)
        done = end
    return "".join([*parts, escape(whole[done:])])


def _joined(tokens: Sequence[str]) -> tuple[str, tuple[tuple[int, int], ...]]:
    """Tokens with blanks between them, and where each stands."""
    spans: list[tuple[int, int]] = []
    start = 0
    for token in tokens:
        spans.append((start, start + len(token)))
        start += len(token) + 1
    return " ".join(tokens), tuple(spans)
