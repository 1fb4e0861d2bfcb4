"""Report: the results as one file to send or print, made of the parts that a person chooses."""

from __future__ import annotations

import streamlit as st

from bleu_core.dataset import plural
from dashboard import analysis, session
from dashboard.exhibits import Data
from dashboard.export import (
    USUAL_TITLE,
    Report,
    Source,
    cautions,
    make_report,
    make_short_report,
    possible_parts,
    report_commands,
    used_files,
)
from dashboard.literal import literal
from dashboard.widgets import (
    answer,
    choices,
    comparison_options,
    data_in_use,
    few_choices,
    file_download,
    note_humans,
    page_controls,
    view_or_stop,
)

FULL, SHORT = "full", "short"

#: Keys of the boxes for the heading and the introduction.
HEADING, INTRODUCTION = "report_heading", "report_introduction"


def render() -> None:
    """Choose what the report has, and offer it."""
    view = view_or_stop()
    source = _source(view)
    answer("The results as one file.")
    st.caption(
        "The file opens in any browser, needs no network, and prints on A4 and Letter. It shows the data under the "
        "sidebar's settings, in the slice that is chosen."
    )
    note_humans(view)
    with page_controls():
        short = few_choices("Form", (FULL, SHORT), key="report_form", help=_form_help()) == SHORT
        parts = None if short else _parts(source)
    _write()
    if parts is not None and not parts:
        st.info("Choose at least one part.")
        return
    text = session.report_text()
    if short:
        report = make_short_report(source, title=text.heading, introduction=text.introduction)
    else:
        report = make_report(source, parts, title=text.heading, introduction=text.introduction)
    file_download("Report (HTML)", report.html, "report.html", key="report")
    _contents(report)


def _write() -> None:
    """Boxes for the heading and the introduction, with what the session keeps."""
    text = session.report_text()
    session.put(**{HEADING: text.heading, INTRODUCTION: text.introduction})  # also after a workspace was opened
    st.text_input(
        "Heading",
        key=HEADING,
        placeholder=USUAL_TITLE,
        max_chars=session.LONGEST_HEADING,
        on_change=lambda: session.write_heading(session.get(HEADING, "")),
    )
    st.text_area(
        "Introduction",
        key=INTRODUCTION,
        placeholder="Plain text; an empty line begins a new paragraph.",
        max_chars=session.LONGEST_INTRODUCTION,
        on_change=lambda: session.write_introduction(session.get(INTRODUCTION, "")),
    )


def _form_help() -> str:
    return "full: the parts chosen here. short: the verdict, the cautions and ten examples, on one page."


def _parts(source: Source) -> list[str]:
    """The keys of the parts that are chosen, all at first."""
    possible = {part.title: part.key for part in possible_parts(source)}
    chosen = choices("Parts", list(possible), key="report_parts", usual=list(possible))
    return [possible[name] for name in chosen]


def _contents(report: Report) -> None:
    """What the report says, without its figures and tables."""
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
        held = [f"{count} {plural(count, what)}" for what, count in counts.items() if count]
        if held:
            st.caption(", ".join(held))


def _source(view: analysis.View) -> Source:
    """The data under the sidebar's settings, with the notes of this session."""
    workspace = session.current_workspace()
    comparison = comparison_options(view)
    by = session.get("slices_by", "")
    data = Data(view, analysis.ratings_or_none(view), comparison, by=by if by in analysis.divisions(view) else "")
    return Source(
        data=data,
        notes=session.segment_notes(workspace.corpus),
        files=used_files(view),
        calls=report_commands(data_in_use(view), data),
        cautions=cautions(view),
    )


PAGE = session.Page(
    title="Report",
    path="report",
    question="How can the results be sent or printed?",
    parts=(session.Part(render=render, needs="systems"),),
    group="Share",
    icon=":material/print:",
)
