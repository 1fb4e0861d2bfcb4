"""Texts of a segment with their tokens marked. Every character of a text is escaped."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from itertools import groupby, pairwise

import streamlit as st

from bleu_core.segments import MarkedOutput, MarkedText
from dashboard.widgets.error_spans import ShownErrors, error_html, error_lists

#: Number of shades: one per order; longer orders have the last one.
SHADES = 4

#: Scripts that need special fonts or line breaks -> the language that is set for them.
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

#: CSS class of search hits.
FOUND = "found"

#: Half-open ranges in characters, which do not overlap.
Places = Sequence[tuple[int, int]]

#: Marks of tokens, classes of page.css.
Marks = Sequence[str]

#: Start and end of a part of a text, in characters, and its mark.
Run = tuple[int, int, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelledText:
    """A text with its name and numbers.

    Attributes:
        label: name of the text.
        html: the text, from plain_html or marked_html.
        score: its score, which is emphasised.
        numbers: further numbers.
        output: whether it is a system's output; these have separate rows.
        across: whether it spans a whole row.
    """

    label: str
    html: str
    score: str = ""
    numbers: str = ""
    output: bool = False
    across: bool = False


def labelled_texts(texts: Sequence[LabelledText]) -> None:
    """Show texts in two columns, or one on a narrow screen, each with its label in the first line."""
    cells: list[str] = []
    for text in texts:
        score = f" <b>{escape(text.score)}</b>" if text.score else ""
        numbers = f" {escape(text.numbers)}" if text.numbers else ""
        kind = " ".join(name for name, has in (("output", text.output), ("across", text.across)) if has)
        label = f'<p class="text-label"><b>{escape(text.label)}</b>{score}{numbers}</p>'
        cells.append(f'<div class="labelled-text {kind}">{label}{text.html}</div>')
    st.html(f'<div class="labelled-texts">{"".join(cells)}</div>')


def segment_heading(number: int, facts: Sequence[tuple[str, str]], *, current: bool) -> None:
    """Show the number of a segment as a heading, with facts about it below.

    Args:
        number: of the segment.
        facts: names, which may be empty, and values.
        current: whether keyboard shortcuts apply to it.
    """
    mark = ' aria-current="true"' if current else ""
    heading = f'<h3 class="segment-number" data-number="{number}"{mark}><span>Segment </span>{number:,}</h3>'
    lines = [f"<li>{f'{escape(name)} <b>{escape(value)}</b>' if name else escape(value)}</li>" for name, value in facts]
    st.html(f'{heading}<ul class="segment-facts">{"".join(lines)}</ul>')


def plain_text(text: str, hits: Places = ()) -> None:
    """Show a text as it is, in its direction, with search hits marked."""
    st.html(plain_html(text, hits))


def marked_text(text: MarkedText, marks: Marks, hits: Places = ()) -> None:
    """Show a text with a mark on each of its tokens.

    Args:
        text: the text; its tokens are shown instead if they do not occur in it literally.
        marks: one per token, classes of page.css; empty for none.
        hits: search hits in the displayed text.
    """
    st.html(marked_html(text, marks, hits))


def plain_html(text: str, hits: Places = (), errors: ShownErrors | None = None) -> str:
    """Return a text as HTML.

    Args:
        text: the text.
        hits: search hits.
        errors: that are marked in it.
    """
    return _block(text, [], hits, errors)


def marked_html(text: MarkedText, marks: Marks, hits: Places = (), errors: ShownErrors | None = None) -> str:
    """Return a text with its marks as HTML; neighbours with the same mark share it.

    Args:
        text: the text.
        marks: one per token, classes of page.css; empty for none.
        hits: search hits in the displayed text.
        errors: that are marked in it.
    """
    shown, spans = text.shown, text.shown_spans
    if text.spans is None and errors is not None and errors.marks.runs:
        return plain_html(text.text, hits, errors)  # tokens do not have the places of the text
    runs: list[Run] = []
    for mark, group in groupby(zip(marks, spans, strict=True), key=lambda pair: pair[0]):
        in_group = [span for _, span in group]
        if mark:
            runs.append((in_group[0][0], in_group[-1][1], mark))
    return _block(shown, runs, hits, errors)


def ngram_marks(output: MarkedOutput) -> Marks:
    """Return marks of tokens by the longest matching n-gram, and of clipped ones."""
    return [
        " ".join(filter(None, (f"order-{min(order, SHADES)}" if order else "", "clipped" if clipped else "")))
        for order, clipped in zip(output.matched, output.clipped, strict=True)
    ]


def different_marks(different: Sequence[bool]) -> Marks:
    """Return marks of the tokens that the other output lacks."""
    return ["different" if differs else "" for differs in different]


def missing_marks(lacking: Sequence[Sequence[bool]]) -> Marks:
    """Return marks of a reference's tokens that one or both outputs lack.

    Args:
        lacking: per output, whether it lacks each token.
    """
    if len(lacking) == 1:
        return ["missing-both" if missing else "" for missing in lacking[0]]
    names = {(True, True): "missing-both", (True, False): "missing-first", (False, True): "missing-second"}
    return [names.get(missing, "") for missing in zip(*lacking, strict=True)]


def legend(entries: Mapping[str, str]) -> None:
    """Show a legend of marks.

    Args:
        entries: mark -> its meaning.
    """
    chips = [f'<mark class="{mark}">{escape(meaning)}</mark>' for mark, meaning in entries.items()]
    st.html(f'<p class="legend">{" ".join(chips)}</p>')


def _block(text: str, runs: Sequence[Run], hits: Places, errors: ShownErrors | None) -> str:
    """Return a paragraph with marks of runs, which do not overlap, hits and errors, and what stands below it."""
    language = next((name for name, script in LANGUAGES.items() if script.search(text)), "")
    attribute = f' lang="{language}"' if language else ""
    classes = f"segment-text{errors.classes if errors else ''}"
    content = _with_errors(text, runs, hits, errors) if errors else _marked(text, runs, hits, (0, len(text)))
    block = f'<p class="{classes}" dir="auto"{attribute}>{content if content.strip() else EMPTY}</p>'
    return f"{block}{error_lists(errors)}" if errors else block


def _with_errors(text: str, runs: Sequence[Run], hits: Places, errors: ShownErrors) -> str:
    parts: list[str] = []
    end_of_last = 0
    for number, run in enumerate(errors.marks.runs):
        parts.append(_marked(text, runs, hits, (end_of_last, run.start)))
        parts.append(error_html(errors, number, _marked(text, runs, hits, (run.start, run.end))))
        end_of_last = run.end
    parts.append(_marked(text, runs, hits, (end_of_last, len(text))))
    return "".join(parts)


def _marked(text: str, runs: Sequence[Run], hits: Places, part: tuple[int, int]) -> str:
    """Return HTML of a part of a text with marks of runs and hits; a hit splits a run that it cuts."""
    places = [(start, end, FOUND) for start, end in hits]
    first, last = part
    inside = {end for run in (*runs, *places) for end in run[:2] if first < end < last}
    ends = sorted({first, last, *inside})
    classes = zip(_classes(ends, runs), _classes(ends, places), strict=True)
    parts: list[str] = []
    for (start, end), marks in zip(pairwise(ends), classes, strict=True):
        piece, mark = escape(text[start:end]), " ".join(filter(None, marks))
        parts.append(f'<mark class="{mark}">{piece}</mark>' if mark else piece)
    return "".join(parts)


def _classes(ends: Sequence[int], parts: Sequence[Run]) -> Iterator[str]:
    """Yield the class of each piece between two ends, by the part that contains it; empty for none."""
    left = deque(parts)
    for start in ends[:-1]:
        while left and left[0][1] <= start:
            left.popleft()
        yield left[0][2] if left and left[0][0] <= start else ""
