"""The heading and the introduction of the report, which are kept with a session's files."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from bleu_core.project import ReportText

#: Characters of the heading and of the introduction.
MAX_HEADING_LENGTH, MAX_INTRODUCTION_LENGTH = 200, 5000


def report_text() -> ReportText:
    """The heading and the introduction."""
    return st.session_state["held"].report


def put_report_text(text: ReportText) -> None:
    """Keep a heading and an introduction, in place of those before."""
    st.session_state["held"].report = saved_report_text(text)


def write_heading(text: str) -> None:
    """Keep a heading."""
    put_report_text(replace(report_text(), heading=text))


def write_introduction(text: str) -> None:
    """Keep an introduction."""
    put_report_text(replace(report_text(), introduction=text))


def saved_report_text(text: ReportText) -> ReportText:
    """The heading and the introduction of a saved workspace, as long as the boxes of the page allow."""
    return ReportText(
        heading=_possible(text.heading, MAX_HEADING_LENGTH),
        introduction=_possible(text.introduction, MAX_INTRODUCTION_LENGTH),
    )


def _possible(text: str, longest: int) -> str:
    """A text that can be shown: half characters, which UTF-8 does not have, become question marks."""
    return text[:longest].encode("utf-8", "replace").decode("utf-8")
