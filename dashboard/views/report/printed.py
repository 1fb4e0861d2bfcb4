"""The results as one file to send or print, made of the selected parts."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

import streamlit as st

from bleu_core.dataset import plural
from dashboard import session
from dashboard.export import (
    DEFAULT_TITLE,
    Report,
    Source,
    cautions,
    make_report,
    make_short_report,
    possible_parts,
)
from dashboard.literal import literal
from dashboard.views.report.source import source_of
from dashboard.widgets import (
    answer,
    file_download,
    name_in_slice,
    note_humans,
    note_optimised,
    page_controls,
    select_button,
    select_many,
    view_or_stop,
)

FULL, SHORT = "full", "short"

#: Keys of the boxes for the heading and the introduction.
HEADING, INTRODUCTION = "report_heading", "report_introduction"


def render() -> None:
    """Select the parts of the report, and offer it."""
    view = view_or_stop()
    answer("The results as one file.")
    st.caption(
        "The file opens in any browser, needs no network, and prints on A4 and Letter. It shows the data under the "
        "sidebar's settings, in the selected slice."
    )
    note_humans(view)
    note_optimised(view)
    source = source_of(view)
    with page_controls():
        short = select_button("Form", (FULL, SHORT), key="report_form", help=_form_help()) == SHORT
        parts = None if short else _parts(source)
    _write()
    if parts is not None and not parts:
        st.info("Select at least one part.")
        return
    session.after_answers()
    source = replace(source, cautions=cautions(view))  # below the controls, as checking long texts takes a while
    text = session.report_text()
    if short:
        report = make_short_report(source, title=text.heading, introduction=text.introduction)
    else:
        report = make_report(source, parts, title=text.heading, introduction=text.introduction)
    name = f"{name_in_slice('report', report.within)}.html"
    file_download("Report (HTML)", lambda: report.html(datetime.now().astimezone().date()), name, key="report")
    _contents(report)


def _write() -> None:
    """Draw boxes for the heading and the introduction."""
    text = session.report_text()
    session.set_controls(
        **{HEADING: text.heading, INTRODUCTION: text.introduction}
    )  # also after a workspace was opened
    st.text_input(
        "Heading",
        key=HEADING,
        placeholder=DEFAULT_TITLE,
        max_chars=session.MAX_HEADING_LENGTH,
        on_change=lambda: session.write_heading(session.control_value(HEADING, "")),
    )
    st.text_area(
        "Introduction",
        key=INTRODUCTION,
        placeholder="Plain text; an empty line starts a new paragraph.",
        max_chars=session.MAX_INTRODUCTION_LENGTH,
        on_change=lambda: session.write_introduction(session.control_value(INTRODUCTION, "")),
    )


def _form_help() -> str:
    return "full: the selected parts. short: the verdict, the cautions and ten examples, on one page."


def _parts(source: Source) -> list[str]:
    """Return the keys of the selected parts, by default all."""
    possible = {part.title: part.key for part in possible_parts(source)}
    selected = select_many("Parts", list(possible), key="report_parts", default=list(possible))
    return [possible[name] for name in selected]


def _contents(report: Report) -> None:
    """Show the sentences of the report, without its figures and tables."""
    for section in report.sections:
        st.subheader(section.title, anchor=False)
        counts = {
            "figure": len(section.drawings),
            "table": len(section.tables),
            "example": len(section.examples),
            "command": len(section.calls),
        }
        for sentence in section.sentences:
            st.markdown(literal(sentence))
        contents = [f"{count} {plural(count, what)}" for what, count in counts.items() if count]
        if contents:
            st.caption(", ".join(contents))
