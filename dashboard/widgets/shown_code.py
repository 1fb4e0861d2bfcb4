"""The code of a page: commands and lines of Python that compute its numbers."""

from __future__ import annotations

import streamlit as st

import sample_data
from bleu_core.invocation import invocation
from dashboard import analysis, session
from dashboard.export import DataInUse, PageCode
from dashboard.widgets.sections import section

COMMANDS_TEXT = "On the command line:"
PYTHON_TEXT = "In Python:"
NO_COMMAND = "No command prints this table."

#: Name of the program in commands.
PROGRAM = "bleu-core"


def data_in_use(view: analysis.View) -> DataInUse:
    """Return the data of a page, as its code names them."""
    paths: dict[str, str] = {}
    if session.dataset() == "sample":
        files = (*sample_data.systems(), *sample_data.references(), sample_data.DOCUMENTS, sample_data.JUDGMENTS)
        paths = {path.name: path.relative_to(sample_data.FOLDER.parent).as_posix() for path in files}
    return DataInUse(view, session.choices_in_use(), paths)


def _as_called_here(command: str) -> str:
    """Return a command as this shell finds the program; reports have the general form."""
    program, _, options = command.partition(" ")
    return f"{invocation(program)} {options}" if program == PROGRAM else command


def show_code(code: PageCode) -> None:
    """Show the code of a page at its end, in a part that is folded by default."""
    part = section("code", "Show the code")
    if part is None:
        return
    with part:
        if code.note:
            st.caption(code.note)
        st.text(COMMANDS_TEXT if code.commands else NO_COMMAND)
        if code.commands:
            st.code("\n".join(map(_as_called_here, code.commands)), language="bash", wrap_lines=True)
        st.text(PYTHON_TEXT)
        st.code(code.python, language="python")
