"""The heading and the introduction of the report, stored with a session's files."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from bleu_core.project import ReportText

#: Maximum number of characters of the heading and of the introduction.
MAX_HEADING_LENGTH, MAX_INTRODUCTION_LENGTH = 200, 5000


def report_text() -> ReportText:
    """The heading and the introduction."""
    return st.session_state["held"].report


def put_report_text(text: ReportText) -> None:
    """Store a heading and an introduction."""
    st.session_state["held"].report = saved_report_text(text)


def write_heading(text: str) -> None:
    """Store a heading."""
    put_report_text(replace(report_text(), heading=text))


def write_introduction(text: str) -> None:
    """Store an introduction."""
    put_report_text(replace(report_text(), introduction=text))


def saved_report_text(text: ReportText) -> ReportText:
    """Return the report texts of a saved workspace, cut to the lengths that the page allows."""
    return ReportText(
        heading=printable_text(text.heading, MAX_HEADING_LENGTH),
        introduction=printable_text(text.introduction, MAX_INTRODUCTION_LENGTH),
    )


def printable_text(text: str, max_length: int) -> str:
    """Return the beginning of a text, which can be encoded: lone surrogates become question marks."""
    return text[:max_length].encode("utf-8", "replace").decode("utf-8")
