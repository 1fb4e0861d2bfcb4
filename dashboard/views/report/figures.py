"""All figures of the pages, with their files."""

from __future__ import annotations

import streamlit as st

from bleu_core.errors import BleuCoreError
from dashboard import session
from dashboard.exhibits import EXHIBITS
from dashboard.export import figure_commands
from dashboard.literal import literal
from dashboard.views.report.source import data_of_figures
from dashboard.widgets import answer, data_in_use, note_humans, note_optimised, select_one, show_chart, view_or_stop


def render() -> None:
    """Select a figure, draw it, and offer its files."""
    view = view_or_stop()
    answer("Each figure as a file.")
    titles = {exhibit.title: exhibit for exhibit in EXHIBITS.values()}
    exhibit = titles[select_one("Figure", list(titles), key="report_figure", width=420)]
    data = data_of_figures(view)
    try:
        figure, numbers = exhibit.draw(data), exhibit.numbers(data)
    except BleuCoreError as error:  # the data do not allow it
        st.info(literal(f"This figure cannot be drawn: {error}"))
        return
    show_chart(figure, numbers, key=f"report-{exhibit.name}", alt=exhibit.title)
    st.caption("On the command line:")
    st.code("\n".join(figure_commands(data_in_use(view), exhibit, data)), language=None, wrap_lines=True)
    session.page_link(exhibit.part or exhibit.page, f"{exhibit.part or exhibit.page} explains it")
    note_humans(view)
    note_optimised(view)
