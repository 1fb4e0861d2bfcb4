"""The upload form."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from bleu_core.formats import FORMATS, FileRole
from dashboard import session

RECOGNISE = "Recognise by name and content"

ROLE_CHOICES: Mapping[str, FileRole | None] = {
    RECOGNISE: None,
    "Systems": "system",
    "References": "reference",
    "Source": "source",
    "Documents": "document",
    "Judgments": "judgments",
    "Metric scores": "scores",
    "Labels": "labels",
    "Test set (zip, XML or SGML)": "archive",
}

FOLDER = "Folder"

FOLDER_HELP = (
    "A folder with any such files: a test set of mt-metrics-eval, a folder for each of several test sets, or a folder "
    "with a manifest bleu.toml. Select it with the button; a folder that is dropped loses its structure."
)

#: Kinds of files in the help of the upload form -> the role whose formats are listed there.
UPLOADS: Mapping[str, FileRole] = {
    "Texts": "system",
    "Judgments": "judgments",
    "Metric scores": "scores",
    "Labels": "labels",
    "Test sets": "archive",
}


#: Contents of a pasted text -> its role.
PASTED: Mapping[str, FileRole] = {"System": "system", "Reference": "reference", "Source": "source"}

#: Key of the form for a pasted text, which stores whether it is open.
PASTE = "paste-popover"


def upload_form() -> None:
    """Accept any number of files at once."""
    selected = st.segmented_control(
        "Type of the files",
        [*ROLE_CHOICES, FOLDER],
        default=RECOGNISE,
        key="upload_role",
        required=True,
        help=upload_help(),
    )
    if selected == FOLDER:
        st.file_uploader(
            "Choose the folder of a test set, or of several",
            help=FOLDER_HELP,
            accept_multiple_files="directory",
            key=session.upload_key(),
            on_change=session.add_folders,
        )
        return
    st.file_uploader(
        "Drop system outputs, references, source, documents, judgments, metric scores, labels, counts files, a whole "
        "test set or a saved workspace here",
        help=upload_help(),
        accept_multiple_files=True,
        key=session.upload_key(),
        on_change=session.handle_upload,
        args=(ROLE_CHOICES[selected or RECOGNISE],),
    )


def paste_form() -> None:
    """Accept a text from the clipboard; the form closes once the text is added."""
    with (
        st.popover("Paste a text", icon=":material/content_paste:", key=PASTE, on_change="rerun"),
        st.form("paste", clear_on_submit=True, border=False),
    ):
        st.text_area("Text, one segment per line", key="pasted_text", height=200, width=520)
        with st.container(horizontal=True, vertical_alignment="bottom"):
            st.selectbox("Contents", list(PASTED), key="pasted_type", width=160)
            st.text_input("Name of the text", key="pasted_name", placeholder="pasted", width=200)
            st.form_submit_button("Add text", on_click=_paste)


def _paste() -> None:
    role = PASTED[session.control_value("pasted_type")]
    added = session.add_text(session.control_value("pasted_text"), session.control_value("pasted_name"), role)
    session.set_controls(**{PASTE: not added})


def upload_help() -> str:
    """Return the kinds of files that can be read, from the register of formats."""
    kinds = {
        what: "; ".join(known.description for known in FORMATS.values() if role in known.roles)
        for what, role in UPLOADS.items()
    }
    return " ".join(f"{what}: {formats}." for what, formats in kinds.items())
