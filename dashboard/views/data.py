"""Data: add files, see what was read, correct it."""

from __future__ import annotations

import streamlit as st

from bleu_core.dataset import plural
from dashboard import analysis, session
from dashboard.literal import literal
from dashboard.session import Entry, File, Workspace, file_table
from dashboard.widgets import ROLE_CHOICES, table, upload_form

#: Metrics named in the count of what is in use.
MOST_NAMED = 12

LOWER_HELP = "As of TER and counts of errors. The scores of such a metric are negated before they are compared."


def render() -> None:
    """Accept files, report on each, and let each be corrected."""
    st.title(PAGE.title)
    link = session.unmatched_link()
    other_data = link is not None and session.dataset() == "sample"
    if link is not None:
        session.explain_link(link)
    if not other_data:
        _which()
    upload_form()
    for kind, message in session.notices():
        (st.error if kind == "error" else st.info)(literal(message))
    if other_data:  # no other numbers appear under the link's address
        return
    workspace = session.current_workspace()
    with session.going_on("The list of files"):
        _report(workspace)
    if session.dataset() == "own" and workspace.entries:
        _correct(workspace.entries)


def _report(workspace: Workspace) -> None:
    """Show what was found in the files, and what is wrong with them."""
    _status(workspace)
    for entry in workspace.problems:
        st.error(literal(f"Set aside: {entry.problem}"))
    for entry in workspace.entries:
        if entry.warnings:
            st.warning("\n\n".join(literal(f"{entry.file.name}: {warning}") for warning in entry.warnings))
    if workspace.entries:
        st.header("Files", anchor=False)
        table(file_table(workspace), key="files", alt="What was found in each file")


def _which() -> None:
    """Show which data are in use, with a button for the others."""
    own = session.own_files()
    with st.container(border=True, horizontal=True, vertical_alignment="center", key="which-data"):
        if session.dataset() == "sample":
            st.markdown(
                "You are looking at the **sample data**: synthetic news, five systems, four references, twenty judges. "
                "Add files below and they take its place."
            )
            if own:
                st.button("Back to my files", on_click=session.show_dataset, args=("own",), key="show-own")
        else:
            st.markdown("You are looking at **your own files**. They stay in this session and go nowhere else.")
            st.button("Show the sample data", on_click=session.show_dataset, args=("sample",), key="show-sample")


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
    """Correct how one file is read, or remove it."""
    st.header("Correct a file", anchor=False)
    names = [entry.file.name for entry in entries]  # not the files: Streamlit keeps what a box refers to
    position = st.selectbox("File", range(len(names)), format_func=names.__getitem__, key="file_to_correct")
    if position is None or position >= len(entries):
        return
    file = entries[position].file
    stamp = f"{position}-{file.name}-{file.role}"
    with st.container(horizontal=True, vertical_alignment="bottom", key="correct"):
        with session.going_on("The form to correct this file"):  # whatever the file holds, it can be removed
            _correct_one(position, entries[position], stamp)
        st.button("Remove", on_click=session.remove_file, args=(position,), key="remove-file")
    _correct_weights(position, entries[position], stamp)
    st.button("Remove all files", on_click=session.remove_all_files, key="remove-all", type="tertiary")


def _correct_one(position: int, entry: Entry, stamp: str) -> None:
    """Correct how a file is read."""
    file = entry.file
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
        shown = next(iter(entry.names), file.renamed)
        name = st.text_input("Name", value=shown, key=f"name-{stamp}", width=240)
        _change_if(position, "renamed", shown, name.strip() or shown)
    _correct_reading(position, entry, stamp)
    _correct_humans(position, entry, stamp)
    _correct_metrics(position, entry, stamp)
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


def _correct_reading(position: int, entry: Entry, stamp: str) -> None:
    """Overrule the format that was recognised, and choose one of several language pairs."""
    file = entry.file
    formats = analysis.formats_of(file.role)
    if len(formats) > 1:
        chosen = st.selectbox(
            "Format",
            ["", *formats],
            index=formats.index(file.format) + 1 if file.format in formats else 0,
            format_func=lambda key: analysis.FORMATS[key].label if key else "as recognised",
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
        if (pair or None) != file.pair and file.human_scores is not None:  # another pair may not have those
            session.change_file(position, human_scores=None)
        _change_if(position, "pair", file.pair, pair or None)
        _choose_human_scores(position, entry, stamp)
    elif _has_pairs(file, entry):
        typed = st.text_input(
            "Language pair", value=file.pair or "", placeholder="the first", key=f"pair-{stamp}", width=160
        )
        _change_if(position, "pair", file.pair, typed.strip() or None)
    _correct_own_options(position, entry, stamp)


def _correct_own_options(position: int, entry: Entry, stamp: str) -> None:
    """Set the options that only the file's format has."""
    format_read = _format_of(entry)
    if format_read is None or not format_read.own:
        return
    before = dict(entry.file.own)
    values = {
        name: st.text_input(label, value=before.get(name, ""), key=f"own-{name}-{stamp}", width=160).strip()
        for name, label in format_read.own.items()
    }
    given = {name: value for name, value in values.items() if value}
    _change_if(position, "own", entry.file.own, tuple(given.items()))


def _choose_human_scores(position: int, entry: Entry, stamp: str) -> None:
    """Choose one of an archive's human scores."""
    file = entry.file
    chosen = file.human_scores
    names = [*entry.human_scores, *([chosen] if chosen and chosen not in entry.human_scores else [])]
    if len(names) < 2 and chosen is None:  # noqa: PLR2004 # nothing to choose
        return
    taken = st.selectbox(
        "Human scores",
        ["", *names],
        index=names.index(chosen) + 1 if chosen else 0,
        format_func=lambda name: name or f"the usual ones{f' ({names[0]})' if names else ''}",
        help="Which of the archive's human scores count as its judgments: by default MQM, else ESA, else DA.",
        key=f"human-scores-{stamp}-{file.pair}",
        width=200,
    )
    _change_if(position, "human_scores", chosen, taken or None)


def _correct_humans(position: int, entry: Entry, stamp: str) -> None:
    """Mark the human translators among the systems."""
    file = entry.file
    if file.role == "system" and len(entry.systems) < 2:  # noqa: PLR2004 # one, or none that could be read
        human = st.toggle("Human translator", value=file.human, key=f"human-{stamp}")
        _change_if(position, "human", file.human, human)
    elif entry.systems:
        before = [name for name in entry.systems if file.human or name in file.human_names]
        names = st.multiselect(
            "Human translators",
            entry.systems,
            default=before,
            placeholder="none",
            key=f"humans-{stamp}-{file.pair}",
            width=280,
        )
        if names != before:
            session.change_file(position, human=False, human_names=tuple(names))
            st.rerun()


def _correct_metrics(position: int, entry: Entry, stamp: str) -> None:
    """Mark the metrics whose lower score is the better one."""
    before = [name for name, lower in entry.metrics.items() if lower]
    if len(entry.metrics) == 1:
        lower = st.toggle("Lower is better", value=bool(before), help=LOWER_HELP, key=f"lower-{stamp}")
        names = list(entry.metrics) if lower else []
    elif entry.metrics:
        names = st.multiselect(
            "Lower is better",
            list(entry.metrics),
            default=before,
            placeholder="none",
            help=LOWER_HELP,
            key=f"lower-{stamp}-{entry.file.pair}",
            width=280,
        )
    else:
        return
    _change_if(position, "lower_is_better", before, names)


def _correct_weights(position: int, entry: Entry, stamp: str) -> None:
    """Change the weights of MQM errors."""
    if entry.report is None or entry.report.weights is None:
        return
    before = entry.file.weights
    st.caption("What an error costs: a segment's rating is minus the sum over its errors.")
    with st.container(horizontal=True, vertical_alignment="bottom", key="mqm-weights"):
        weights = analysis.MqmWeights(
            **{name: _weight(name, title, before, stamp) for name, title in analysis.WEIGHT_TITLES.items()}
        )
        _change_if(position, "weights", before, weights)
        st.button(
            "Published weights",
            on_click=_restore_weights,
            args=(position, stamp),
            disabled=before == analysis.PUBLISHED_WEIGHTS,
            key="published-weights",
        )


def _weight(name: str, title: str, weights: analysis.MqmWeights, stamp: str) -> float:
    """A box for one weight."""
    key = f"weight-{name}-{stamp}"
    if session.get(key) is None:
        session.put(**{key: float(getattr(weights, name))})
    return st.number_input(
        title, min_value=0.0, max_value=analysis.LARGEST_WEIGHT, step=0.1, format="%g", key=key, width=150
    )


def _restore_weights(position: int, stamp: str) -> None:
    """Set the weights to the published ones."""
    session.change_file(position, weights=analysis.PUBLISHED_WEIGHTS)
    session.put(
        **{
            f"weight-{name}-{stamp}": float(getattr(analysis.PUBLISHED_WEIGHTS, name))
            for name in analysis.WEIGHT_TITLES
        }
    )


def _has_pairs(file: File, entry: Entry) -> bool:
    """Whether a file of judgments is of a format that names language pairs."""
    format_read = _format_of(entry)
    return file.role == "judgments" and ((format_read is not None and format_read.pairs) or bool(file.pair))


def _format_of(entry: Entry) -> analysis.Format | None:
    """The format a file was read in; that chosen for it where it could not be read, if one was chosen."""
    key = entry.file.format if entry.report is None else entry.report.format_key
    return analysis.FORMATS[key] if key else None


def _change_if(position: int, what: str, before: object, after: object) -> None:
    if after != before:
        session.change_file(position, **{what: tuple(after) if isinstance(after, list) else after})
        st.rerun()


PAGE = session.Page(
    "Data",
    "data",
    "What is in the files, and what was repaired or set aside?",
    render,
    group="",
    icon=":material/folder_open:",
)
