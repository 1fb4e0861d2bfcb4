"""Data: add files, see what was read, correct it."""

from __future__ import annotations

import streamlit as st

from bleu_core.corpus import plural
from bleu_core.formats.recognise import FORMATS, formats_of
from dashboard import state
from dashboard.tables import file_table
from dashboard.widgets import ROLE_CHOICES, literal, table, upload_form
from dashboard.workspace import Entry, File, Workspace

#: Metrics named in the count of what is in use.
MOST_NAMED = 12

HELP = {
    "holds": "What the file is taken for; can be changed below.",
    "format": "What the file was read as; of judgments and scores it can be changed below.",
    "name": "Of systems, references or metrics.",
    "empty": "Segments without any text.",
    "tokens": "Words between white space.",
    "ratings": "Scores in the file: of people, or of metrics; of an archive all those of people.",
    "repaired": "What was put right while reading.",
}


def render() -> None:
    """Take files in, report on each, and let each be corrected."""
    st.title("Data")
    link = state.unmatched_link()
    if link is not None:
        state.explain_link(link)
    _which()
    upload_form()
    for kind, message in state.notices():
        (st.error if kind == "error" else st.info)(literal(message))
    workspace = state.workspace()
    _status(workspace)
    for entry in workspace.problems:
        st.error(literal(f"Set aside: {entry.problem}"))
    for entry in workspace.entries:
        if entry.warnings:
            st.warning("\n\n".join(literal(f"{entry.file.name}: {warning}") for warning in entry.warnings))
    if workspace.entries:
        st.subheader("Files", anchor=False)
        table(file_table(workspace), key="files", alt="What was found in each file", help_of=HELP)
    if state.dataset() == "own" and workspace.entries:
        _correct(workspace.entries)


def _which() -> None:
    """Say which data are shown, and the way to the others."""
    own = state.own_files()
    with st.container(border=True, horizontal=True, vertical_alignment="center", key="which-data"):
        if state.dataset() == "sample":
            st.markdown(
                "You are looking at the **sample data**: synthetic news, five systems, four references, twenty judges. "
                "Add files below and they take its place."
            )
            if own:
                st.button("Back to my files", on_click=state.show_dataset, args=("own",), key="show-own")
        else:
            st.markdown("You are looking at **your own files**. They stay in this session and go nowhere else.")
            st.button("Show the sample data", on_click=state.show_dataset, args=("sample",), key="show-sample")


def _status(workspace: Workspace) -> None:
    """Count what is in use."""
    if not workspace.entries:
        st.info("No files are loaded. Start with at least one system output and one reference, one segment a line.")
        return
    corpus, judgments = workspace.corpus, workspace.judgments
    counts = {"system": len(corpus.systems), "reference": len(corpus.references), "segment": corpus.segments}
    if corpus.documents is not None:
        counts["document"] = len(set(corpus.documents))
    if judgments is not None:
        counts |= {"rating": len(judgments.rated), "judge": judgments.judge_count}
    if workspace.scores:
        counts["metric"] = len(workspace.scores)
    in_use = ", ".join(f"{count:,} {plural(count, noun)}" for noun, count in counts.items())
    names = [table.name for table in workspace.scores]
    if len(names) > MOST_NAMED:
        names = [*names[:MOST_NAMED], f"and {len(names) - MOST_NAMED} more"]
    st.caption(literal(f"In use: {in_use}" + (f" ({', '.join(names)})" if names else "")))


def _correct(entries: tuple[Entry, ...]) -> None:
    """Change what is said about one file, or remove it."""
    st.subheader("Correct a file", anchor=False)
    position = st.selectbox(
        "File", range(len(entries)), format_func=lambda i: entries[i].file.name, key="file_to_correct"
    )
    if position is None or position >= len(entries):
        return
    file = entries[position].file
    stamp = f"{position}-{file.name}-{file.role}"
    with st.container(horizontal=True, vertical_alignment="bottom", key="correct"):
        roles = {role: title for title, role in ROLE_CHOICES.items() if role is not None}
        role = st.selectbox(
            "Holds",
            list(roles),
            index=list(roles).index(file.role),
            format_func=lambda r: roles[r],
            key=f"role-{stamp}",
            width=180,
        )
        _change_if(position, "role", file.role, role or file.role)
        if file.can_be_renamed:
            shown = next(iter(entries[position].names), file.renamed)
            name = st.text_input("Name", value=shown, key=f"name-{stamp}", width=240)
            _change_if(position, "renamed", shown, name.strip() or shown)
        _correct_reading(position, entries[position], stamp)
        if file.role in ("system", "archive"):
            title = "Human translator" if file.role == "system" else "References are human translators"
            human = st.toggle(title, value=file.human, key=f"human-{stamp}")
            _change_if(position, "human", file.human, human)
        if file.role in ("judgments", "scores"):
            first = st.selectbox(
                "First segment is number",
                [1, 0],
                index=[1, 0].index(file.first_segment),
                key=f"first-{stamp}",
                width=200,
            )
            _change_if(position, "first_segment", file.first_segment, first)
        encoding = st.text_input(
            "Encoding", value=file.encoding or "", placeholder="UTF-8", key=f"encoding-{stamp}", width=140
        )
        _change_if(position, "encoding", file.encoding, encoding.strip() or None)
        st.button("Remove", on_click=state.remove_file, args=(position,), key="remove-file")
    st.button("Remove all files", on_click=state.remove_all_files, key="remove-all", type="tertiary")


def _correct_reading(position: int, entry: Entry, stamp: str) -> None:
    """Overrule the format that was recognised, and choose one of several language pairs."""
    file = entry.file
    formats = formats_of(file.role)
    if len(formats) > 1:
        chosen = st.selectbox(
            "Format",
            ["", *formats],
            index=formats.index(file.format) + 1 if file.format in formats else 0,
            format_func=lambda kind: FORMATS.get(kind, "as recognised"),
            key=f"format-{stamp}",
            width=280,
        )
        _change_if(position, "format", file.format if file.format in formats else None, chosen or None)
    if file.role == "archive":
        pairs = [*entry.pairs, *([file.pair] if file.pair and file.pair not in entry.pairs else [])]
        pair = st.selectbox(
            "Language pair",
            ["", *pairs],
            index=pairs.index(file.pair) + 1 if file.pair else 0,
            format_func=lambda pair: pair or f"the first{f' ({pairs[0]})' if pairs else ''}",
            key=f"pair-{stamp}",
            width=200,
        )
        _change_if(position, "pair", file.pair, pair or None)
    elif _has_pairs(file, entry):
        typed = st.text_input(
            "Language pair", value=file.pair or "", placeholder="the first", key=f"pair-{stamp}", width=160
        )
        _change_if(position, "pair", file.pair, typed.strip() or None)


def _has_pairs(file: File, entry: Entry) -> bool:
    """Whether a file of judgments is of a format that names language pairs."""
    of_esa = entry.report is not None and entry.report.format.startswith(FORMATS["esa"])
    return file.role == "judgments" and (of_esa or bool(file.pair))


def _change_if(position: int, what: str, before: object, after: object) -> None:
    if after != before:
        state.change_file(position, **{what: after})
        st.rerun()
