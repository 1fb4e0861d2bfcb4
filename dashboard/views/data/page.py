"""Data: add files, check how they were read, and correct it."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from functools import partial

import streamlit as st

from bleu_core.dataset import LineRepair, OptimisedSystem, plural
from bleu_core.errors import listed
from bleu_core.formats import FORMATS, MAX_WEIGHT, MqmWeights
from bleu_core.formats import PUBLISHED as PUBLISHED_WEIGHTS
from bleu_core.formats import TITLES as WEIGHT_TITLES
from bleu_core.results.reproduction import reproduction_sentence, reproduction_table
from bleu_core.uploads import Entry, File, HeldRole, Workspace
from dashboard import analysis, session, words
from dashboard.literal import literal
from dashboard.session import file_details, file_table
from dashboard.views.data.analysis.formats import (
    TABLE,
    formats_for,
    values_of_options,
    without_pair,
)
from dashboard.views.data.analysis.reproduction import scores_reproduced
from dashboard.views.data.column_boxes import column_form, file_box
from dashboard.views.data.sets import move_selected, note_chosen_set, stamp_of_set, test_sets_part
from dashboard.views.data.uploads import ROLE_CHOICES, paste_form, upload_form
from dashboard.views.data.words import HINT, columns_asked, removed_sentence, warnings_title
from dashboard.widgets import into_view, select_subset, show_selectable_table, show_table, switch, use_pair

#: Maximum number of metrics that the summary names; further ones are counted.
MAX_NAMED = 12

#: Maximum number of files of the same name with separate questions; further ones are answered together.
MAX_QUESTIONS = 5

#: Key of the position of the selected file.
SELECTED = session.SELECTED_FILE

#: Key of the digest of the data whose lines the user has asked to check.
CHECKED = "lines_checked"

#: Maximum number of displayed places of a file.
MAX_PLACES = 5

#: Maximum number of warnings about files that are listed; more are folded.
MAX_EXPANDED = 8

LOWER_HELP = "For error rates such as TER. The scores of these metrics are negated before they are compared."

OPTIMISED_HELP = (
    "Metrics that the system was trained or decoded for. It scores higher by them than its quality warrants, and is "
    "not ranked by them, nor compared with other systems or with ratings; by all other metrics it is."
)


def render() -> None:
    """Accept files, report on each, and let the user correct them."""
    link = session.unmatched_link()
    other_data = link is not None and session.dataset() == "sample"
    if link is not None:
        session.explain_link(link)
    note_chosen_set()
    upload_form()
    paste_form()
    _messages()
    if other_data:  # no other numbers are shown under the link's URL
        return
    workspace = session.current_workspace()
    with session.error_boundary("The list of test sets"):
        test_sets_part()
    _counts(workspace)
    _shared_segments(workspace)
    waiting = without_pair(workspace)
    if waiting:
        _ask_pair(workspace, waiting)
    unclear: Sequence[int] = ()
    with session.error_boundary("The columns of tables"):
        if session.dataset() == "own":
            unclear = analysis.files_to_explain(workspace)
    _files(workspace, unclear)
    _alerts(workspace, [*waiting, *unclear])
    _warnings(workspace)
    with session.error_boundary("The comparison with sacreBLEU's scores"):
        _reproduced(workspace)
    _lines(workspace)
    if session.dataset() == "own" and session.own_files():
        _remove_all(len(session.own_files()))


def _messages() -> None:
    """Show messages about the last upload, open questions, and what can be undone."""
    for kind, message in session.notices():
        (st.error if kind == "error" else st.info)(literal(message))
    opened = session.opened_workspace()
    if opened:
        with st.container(horizontal=True, vertical_alignment="center", key="opened"):
            st.markdown(literal(opened), width="content")
            st.button("Undo", on_click=session.undo_opening, key="undo-opening", icon=":material/undo:")
    _ask_about_names(session.waiting_files())
    removed = session.removed_files()
    if removed:
        with st.container(horizontal=True, vertical_alignment="center", key="undo"):
            now = " The sample data are shown." if session.dataset() == "sample" else ""
            files, name = [former.file for former in removed], removed[0].file.test_set
            lost_set = "" if name in session.test_sets() else session.set_label(name)
            sentence = removed_sentence(files, replaced=removed[0].replacement is not None, lost_set=lost_set)
            st.markdown(literal(f"{sentence}{now}"), width="content")
            st.button("Undo", on_click=_undo, key="undo-removal", icon=":material/undo:")


def _ask_about_names(files: Sequence[File]) -> None:
    """Ask whether files replace those of the same name that were loaded before."""
    names = [(file.test_set, file.name) for file in files]
    for i, (test_set, name) in enumerate(names[:MAX_QUESTIONS]):
        where = "" if test_set == session.chosen_set() else f" in the test set {session.set_label(test_set)}"
        message = f"A different file named {name} is already loaded{where}. It stays in use until you decide."
        _decide(message, names[i : i + 1], name, key=f"same-name-{i}")
    if len(names) > 1:
        _decide(f"All {len(names):,} files with names that are already loaded:", names, "all", key="same-names")


def _decide(message: str, names: Sequence[tuple[str, str]], what: str, *, key: str) -> None:
    with st.container(border=True, horizontal=True, vertical_alignment="center", key=key):
        st.markdown(literal(message), width="stretch")
        for title, answer in (
            (f"Replace {literal(what)}", session.replace_by_waiting),
            ("Keep both" if len(names) == 1 else "Keep all", session.keep_both),
            ("Discard the new file" if len(names) == 1 else "Discard the new files", session.discard_waiting),
        ):
            st.button(title, on_click=answer, args=(names,), key=f"{key}-{answer.__name__}")


def _counts(workspace: Workspace) -> None:
    """Summarise the data in use."""
    if not workspace.entries and len(session.test_sets()) > 1:
        st.info("This test set has no files yet. Add them above, or move files of another test set here.")
        return
    if not workspace.entries:
        st.info("No files are loaded. Add at least one system output and one reference, with one segment per line.")
        return
    corpus, judgments = workspace.corpus, workspace.judgments
    counts = {"reference": len(corpus.references), "segment": corpus.segments}
    if corpus.documents is not None:
        counts["document"] = len(set(corpus.documents))
    in_use = [words.systems_in_use(workspace), *(f"{count:,} {plural(count, noun)}" for noun, count in counts.items())]
    if workspace.counts is not None:
        in_use = in_use if corpus.segments else []
        in_use.append(words.counts_of_systems(workspace.counts))
    if judgments is not None:
        in_use.append(words.ratings_in_use(judgments))
    if workspace.scores:
        names = listed((scores.name for scores in workspace.scores), max_items=MAX_NAMED)
        in_use.append(f"{len(workspace.scores):,} {plural(len(workspace.scores), 'metric')} ({names})")
    whose = "Sample data (synthetic): " if session.dataset() == "sample" else "In use: "
    then = ". Files that you add replace them." if session.dataset() == "sample" else ""
    st.caption(literal(f"{whose}{', '.join(in_use)}{then}"))
    if workspace.counts is not None:
        session.page_link("Counts files", "See the scores of the counts files")


def _shared_segments(workspace: Workspace) -> None:
    """Offer to compare all systems on the segments that they share, where some systems lack segments."""
    if workspace.incomplete:
        switch("Shared segments only", key=session.SHARED_SEGMENTS, help=words.SHARED_HELP)
        shared = bool(session.control_value(session.SHARED_SEGMENTS))
        st.caption(literal(words.segments_shared(workspace, shared=shared)))


def _ask_pair(workspace: Workspace, waiting: Sequence[int]) -> None:
    """Ask for the language pair of files that have several; it holds for all of them.

    Args:
        workspace: the files.
        waiting: the positions of the files that are not used without one.
    """
    entries = [workspace.entries[position] for position in waiting]
    with st.container(border=True, key="ask-pair"):
        st.markdown(literal(words.pair_needed([entry.file.name for entry in entries])))
        pair = st.selectbox(
            "Language pair of these files",
            list(dict.fromkeys(pair for entry in entries for pair in entry.pairs)),
            index=None,
            placeholder="Select a language pair",
            key="pair-of-files",
            width=320,
        )
        _change_if(waiting[0], "pair", None, pair)


def _selected(workspace: Workspace) -> int | None:
    """Return the position of the selected file; None if there is none."""
    position = session.control_value(SELECTED)
    return position if position is not None and position < len(workspace.entries) else None


def _files(workspace: Workspace, unclear: Collection[int]) -> None:
    """List the files; a selected row opens the file beside the list, or below it on a narrow screen."""
    if not workspace.entries:
        return
    selected = _selected(workspace)
    with st.container(key="files-and-editor"):  # the list has the whole width until a file is open (page.css)
        listed_files, editor = st.columns([3, 2])
        with listed_files, session.error_boundary("The list of files"):
            show_selectable_table(
                file_table(workspace, unclear),
                key="files",
                alt="The files, what they contain and whether they are used",
                on_pick=_select,
                picked=selected,
                hint=HINT if selected is None else "",
            )
        with editor:
            if selected is not None:
                _edit(workspace, selected)


def _select(row: int | None) -> None:
    session.set_controls(**{SELECTED: row})


def _alerts(workspace: Workspace, asked: Collection[int]) -> None:
    """Show why files are not used, and warnings that can be resolved here.

    Args:
        workspace: the files.
        asked: the positions of files with an open question, for which nothing else is shown.
    """
    asked_problems = {workspace.entries[position].problem for position in asked}
    for problem in workspace.unused:
        if problem not in asked_problems:
            st.error(literal(f"Not used: {problem}"))
    for position, entry in enumerate(workspace.entries):
        if position in asked and position != session.control_value(SELECTED) and not entry.pairs:
            _offer_columns(position, entry)
    for i, entry in enumerate(workspace.entries):
        for name, count in entry.unloaded.items():
            if name in workspace.corpus.references and not session.is_ignored(entry.file, name):
                _offer_reference(entry.file, name, count, key=f"{i}-{name}")


def _warnings(workspace: Workspace) -> None:
    """List the warnings about all files but the open one, which shows its warnings itself."""
    selected = session.control_value(SELECTED)
    warned = [
        entry
        for position, entry in enumerate(workspace.entries)
        if entry.warnings and not entry.problem and position != selected
    ]
    count = sum(len(entry.warnings) for entry in warned)
    if not count:
        return
    with st.expander(
        warnings_title(count, len(warned)),
        expanded=count <= MAX_EXPANDED,
        icon=":material/warning:",
        key="file-warnings",
    ):
        lines = [f"- **{literal(entry.file.name)}**: {literal(text)}" for entry in warned for text in entry.warnings]
        st.markdown("\n".join(lines))


def _reproduced(workspace: Workspace) -> None:
    """Compare the scores that sacreBLEU has printed with those computed here."""
    scores = scores_reproduced(workspace, session.selection())
    if scores:
        st.caption(literal(reproduction_sentence(scores)))
        alt = "Scores printed by sacreBLEU and those computed here, and why they differ"
        show_table(reproduction_table(scores), key="reproduced", alt=alt)


def _offer_columns(position: int, entry: Entry) -> None:
    """Show a button that opens the form for the columns of a table."""
    with st.container(border=True, horizontal=True, vertical_alignment="center", key=f"unknown-columns-{position}"):
        st.markdown(f":material/view_column: {literal(columns_asked(entry))}", width="stretch")
        selected = {SELECTED: position}
        st.button(
            "Choose the columns", on_click=session.set_controls, kwargs=selected, key=f"choose-columns-{position}"
        )


def _lines(workspace: Workspace) -> None:
    """Show misaligned lines of files, and offer to repair them; list what was repaired."""
    own = session.dataset() == "own"
    for position, entry in enumerate(workspace.entries):
        made = entry.file.repairs if entry.problem else entry.repairs  # repairs that cannot be made can be undone
        for i, member in enumerate(dict.fromkeys(repair.member for repair in made)):
            repairs = [repair for repair in made if repair.member == member]
            key = f"{position}-{i}" if member else f"{position}"
            with st.container(border=True, horizontal=True, vertical_alignment="center", key=f"repaired-{key}"):
                st.markdown(literal(words.repairs_made(entry.place(repairs[0]), repairs)), width="stretch")
                st.button("Undo", on_click=_repair, args=(position, member, ()), key=f"undo-repairs-{key}")
    lacking = words.segments_without_text(workspace, scored=session.selection().score_missing)
    if lacking:
        st.caption(literal(lacking))
    texts = sum(len(e.systems) + len(e.references) for e in workspace.entries)
    if not own or texts < 2:  # noqa: PLR2004 # a pair
        return
    unfit = analysis.unfit_texts(workspace)
    asked = session.control_value(CHECKED) == workspace.digest
    if not asked and not analysis.is_checked_automatically(workspace):
        st.button(
            "Check line alignment",
            on_click=session.set_controls,
            kwargs={CHECKED: workspace.digest},
            key="check-lines",
            icon=":material/format_line_spacing:",
            help="Finds lines that are missing, doubled, split, joined or shifted, by comparing the files.",
        )
        return
    misaligned = analysis.check_files(workspace)
    for number, file in enumerate(misaligned):
        _misaligned(workspace.entries[file.position], file, number)
    known = {(file.position, file.text.column.role, file.text.column.name) for file in misaligned}
    for place in dict.fromkeys(c.place for position, c in unfit if (position, c.role, c.name) not in known):
        st.caption(literal(f"{place}: the misaligned position could not be found."))
    if not misaligned and not unfit:
        st.success(words.nothing_out_of_line(texts))


def _misaligned(entry: Entry, misaligned: analysis.MisalignedFile, number: int) -> None:
    """Show the misaligned places of a text with the lines around them; a file or zip may have several texts."""
    position = misaligned.position
    with st.container(border=True, key=f"out-of-line-{number}"):
        column = misaligned.text.column
        text_name = f", {column.name}" if misaligned.member or not misaligned.can_be_repaired else ""
        st.markdown(f"**{literal(entry.file.name + text_name)}**")
        for i, place in enumerate(misaligned.text.places[:MAX_PLACES]):
            st.markdown(literal(f"{place.sentence[:1].upper()}{place.sentence[1:]}:"))
            show_table(
                misaligned.around(place),
                key=f"lines-{number}-{i}",
                alt=f"The lines around: {place.sentence}",
            )
        more = len(misaligned.text.places) - MAX_PLACES
        if more > 0:
            st.caption(f"{more:,} more {plural(more, 'place')} like these.")
        if not misaligned.can_be_repaired:
            st.caption("This file has several texts, so its lines cannot be repaired here. Correct the file.")
            return
        if any(place.kind == "shifted" for place in misaligned.text.places):  # it is repaired at both ends
            st.caption(literal(words.repairs_offered(misaligned.text.repairs)))
        st.button(
            f"Repair {literal(column.name if misaligned.member else entry.file.name)}",
            on_click=_repair,
            args=(position, misaligned.member, misaligned.text.repairs),
            key=f"repair-{position}-{number}" if misaligned.member else f"repair-{position}",
            icon=":material/build:",
            help=words.REPAIR_HELP,
        )


def _repair(position: int, member: str, repairs: tuple[LineRepair, ...]) -> None:
    """Repair the lines of a file, or of one in a zip or folder, or undo that, and check all files again."""
    others = (repair for repair in session.files_of_set()[position].repairs if repair.member != member)
    session.change_file(position, repairs=(*others, *(replace(repair, member=member) for repair in repairs)))
    session.set_controls(**{CHECKED: session.current_workspace().digest})


def _offer_reference(file: File, name: str, count: int, *, key: str) -> None:
    """Offer to load a reference also as a system, as it is rated."""
    ratings = f"{count:,} {plural(count, 'rating')} in {file.name} {'is' if count == 1 else 'are'}"
    message = f"{ratings} of \u201c{name}\u201d, which is not loaded as a system."
    with st.container(border=True, horizontal=True, vertical_alignment="center", key=f"alert-{key}"):
        st.markdown(f":material/warning: {literal(message)}", width="stretch")
        if session.dataset() == "own":
            st.button(
                "Add it as a human translator",
                on_click=session.add_human_translator,
                args=(name,),
                key=f"add-human-{key}",
            )
        st.button("Ignore", on_click=session.ignore_alert, args=(file, name), key=f"ignore-{key}")


def _edit(workspace: Workspace, position: int) -> None:
    """Show the details of the selected file, and let the user correct or remove it."""
    entry = workspace.entries[position]
    own = session.dataset() == "own"
    into_view(".st-key-edit-file", f"{position} {entry.file.digest}")
    with st.container(border=True, key="edit-file"):
        with st.container(horizontal=True, vertical_alignment="top", key="edit-file-head"):
            st.header(literal(f"Edit {entry.file.name}" if own else entry.file.name), anchor=False, width="stretch")
            st.button("Close", on_click=_select, args=(None,), key="close-file", icon=":material/close:")
        if entry.copied:
            st.caption("This file is ignored: its whole content is already loaded from earlier files.")
        unclear = own and analysis.needs_columns(entry, workspace)
        if unclear:  # this has to be answered first
            st.markdown(f":material/view_column: {literal(columns_asked(entry))}")
            _column_form(workspace, position)
        details = file_details(entry)
        for line in (details, *entry.error_counts, *entry.notes):
            if line:
                st.caption(literal(line))
        if entry.warnings and not unclear:
            st.warning("\n".join(f"- {literal(warning)}" for warning in entry.warnings))
        if not own:
            return
        stamp = f"{position}-{entry.file.name}-{entry.file.role}{stamp_of_set()}"
        with st.container(horizontal=True, vertical_alignment="bottom", key="edit-form"):
            with session.error_boundary("The form to edit this file"):  # a file can be removed whatever its content
                if entry.file.role != "counts":  # a counts file describes itself
                    _edit_one(workspace, position, stamp)
            move_selected(position, stamp)
            st.button("Remove", on_click=_remove, args=(position,), key="remove-file", icon=":material/delete:")
        _correct_weights(position, entry, stamp)
        if not unclear:
            _column_form(workspace, position)


def _column_form(workspace: Workspace, position: int) -> None:
    with session.error_boundary("The form for the columns of this file"):
        column_form(workspace, position)


def _remove(position: int) -> None:
    session.set_controls(**{SELECTED: None})
    session.remove_file(position)


def _undo() -> None:
    session.set_controls(**{SELECTED: None})
    session.undo_removal()


def _remove_all(count: int) -> None:
    """Remove all files once the user has confirmed it."""
    with st.container(horizontal=True, vertical_alignment="center", key="remove-everything"):
        if not session.control_value("remove_all_asked"):
            asked = {"remove_all_asked": True}
            st.button(
                "Remove all files", on_click=session.set_controls, kwargs=asked, key="remove-all", type="tertiary"
            )
            return
        them = "the file" if count == 1 else f"all {count:,} files"
        st.markdown(f"Remove {them}? The sample data will be shown.", width="content")
        st.button(f"Remove {them}", on_click=_remove_everything, key="remove-all-confirmed", type="primary")
        st.button(
            "Cancel", on_click=session.set_controls, kwargs={"remove_all_asked": False}, key="remove-all-cancelled"
        )


def _remove_everything() -> None:
    session.set_controls(**{SELECTED: None, "remove_all_asked": False})
    session.remove_all_files()


def _edit_one(workspace: Workspace, position: int, stamp: str) -> None:
    """Draw corrections of how a file is read and named."""
    entry = workspace.entries[position]
    file = entry.file
    _edit_type(workspace, position, stamp)
    if entry.can_be_renamed:
        _edit_name(workspace, position, stamp)
    _correct_humans(position, entry, stamp)
    _correct_optimised(entry, stamp)
    _correct_reading(position, entry, stamp)
    _correct_metrics(position, entry, stamp)
    if file.role in ("judgments", "scores"):
        first = st.selectbox(
            "First segment",
            [1, 0],
            key=file_box(f"first-{stamp}", file.first_segment),
            width=200,
            help="The number that the file gives the first segment.",
        )
        _change_if(position, "first_segment", file.first_segment, first)
    box = file_box(f"encoding-{stamp}", file.encoding or "")
    encoding = st.text_input("Encoding", placeholder="UTF-8", key=box, width=140)
    _change_if(position, "encoding", file.encoding, encoding.strip() or None)


def _edit_type(workspace: Workspace, position: int, stamp: str) -> None:
    """Draw the type of the file's content."""
    entry = workspace.entries[position]
    roles = {role: title for title, role in ROLE_CHOICES.items() if role is not None}
    role = st.selectbox(
        "Type",
        list(roles),
        format_func=lambda r: roles[r],
        key=file_box(f"role-{stamp}", entry.file.role),
        width=180,
    )
    if role is None or role == entry.file.role:
        return
    if entry.can_be_renamed and role in ("system", "reference") and _is_taken(workspace, role, entry.of_role[0]):
        return
    _change_if(position, "role", entry.file.role, role)


def _edit_name(workspace: Workspace, position: int, stamp: str) -> None:
    """Draw the name of the file's only system or reference, which must be unique."""
    entry = workspace.entries[position]
    shown = entry.of_role[0]
    name = st.text_input("Name", key=file_box(f"name-{stamp}", shown), width=240).strip() or shown
    if name == shown or _is_taken(workspace, entry.file.role, name):
        return
    marks = session.optimised_systems()
    session.change_file(position, renamed=name, human=bool(entry.humans))
    if entry.file.role == "system":
        session.mark_optimised(replace(mark, system=name) if mark.system == shown else mark for mark in marks)
    st.rerun()


def _is_taken(workspace: Workspace, role: HeldRole, name: str) -> bool:
    """Return whether a file in use has the name in the role; a message then names the file."""
    holder = workspace.holder_of(role, name)
    if holder is not None:
        st.error(literal(f"{holder.file.name} already has a {role} named {name}. Choose another name."))
    return holder is not None


def _correct_reading(position: int, entry: Entry, stamp: str) -> None:
    """Draw the format, if not the recognised one, and one of several language pairs."""
    file = entry.file
    formats = formats_for(entry)
    if len(formats) > 1:
        selected = st.selectbox(
            "Format",
            ["", *formats],
            format_func=lambda key: FORMATS[key].label if key else "as recognised",
            key=file_box(f"format-{stamp}", file.format if file.format in formats else ""),
            width=280,
        )
        _change_if(position, "format", file.format if file.format in formats else None, selected or None)
    if file.role == "archive" or entry.pairs:
        _choose_pair(position, entry, stamp)
        if file.role == "archive":
            _choose_human_scores(position, entry, stamp)
    elif _has_pairs(file, entry):
        box = file_box(f"pair-{stamp}", file.pair or "")
        typed = st.text_input("Language pair", placeholder="first", key=box, width=160)
        _change_if(position, "pair", file.pair, typed.strip() or None)
    _correct_own_options(position, entry, stamp)


def _choose_pair(position: int, entry: Entry, stamp: str) -> None:
    """Draw the language pair of a file; for a format that requires one, it holds for all such files."""
    file = entry.file
    pairs = [*entry.pairs, *([file.pair] if file.pair and file.pair not in entry.pairs else [])]
    default = f"first{f' ({pairs[0]})' if pairs else ''}" if file.role == "archive" else "all"
    default = "as for the other files" if analysis.asks_pair(entry) else default
    pair = st.selectbox(
        "Language pair",
        ["", *pairs],
        format_func=lambda pair: pair or default,
        key=file_box(f"pair-{stamp}", file.pair or ""),
        width=200,
    )
    if (pair or None) != file.pair:
        use_pair(position, pair or None)
        st.rerun()


def _correct_own_options(position: int, entry: Entry, stamp: str) -> None:
    """Draw the options that only the file's format has."""
    format_read = analysis.format_of(entry)
    if format_read is None or not format_read.own or format_read.key == TABLE:
        return  # the header row of a table in text is selected with its columns
    before = entry.file.own
    known = values_of_options(entry, format_read)
    entered: dict[str, str] = {}
    for name, label in format_read.own.items():
        current, key = before.get(name, ""), f"own-{name}-{stamp}"
        if name in known:
            values = ["", *known[name], *([current] if current and current not in known[name] else [])]
            entered[name] = st.selectbox(
                label,
                values,
                format_func=lambda value: value or "as recognised",
                key=file_box(key, current),
                width=200,
            )
        else:
            entered[name] = st.text_input(label, key=file_box(key, current), width=160).strip()
    options = {name: value for name, value in entered.items() if value}
    _change_if(position, "own", before, options)


def _choose_human_scores(position: int, entry: Entry, stamp: str) -> None:
    """Draw the selection of an archive's human scores."""
    file = entry.file
    current = file.human_scores
    names = [*entry.human_scores, *([current] if current and current not in entry.human_scores else [])]
    if len(names) < 2 and current is None:  # noqa: PLR2004 # nothing to choose
        return
    selected = st.selectbox(
        "Human scores",
        ["", *names],
        format_func=lambda name: name or f"default{f' ({names[0]})' if names else ''}",
        help="The human scores of the archive that are used: by default MQM, else ESA, else DA.",
        key=file_box(f"human-scores-{stamp}-{file.pair}", current or ""),
        width=200,
    )
    _change_if(position, "human_scores", current, selected or None)


def _correct_humans(position: int, entry: Entry, stamp: str) -> None:
    """Draw the marks of human translators among the systems."""
    before = list(entry.humans)
    if entry.file.role == "system" and len(entry.systems) < 2:  # noqa: PLR2004 # one, or none that could be read
        marked = bool(before) or (entry.file.human and not entry.systems)
        human = st.toggle("Human translator", key=file_box(f"human-{stamp}", marked))
        if human != marked:
            session.change_file(position, human=human, human_names=())
            st.rerun()
    elif entry.systems:
        names = select_subset(
            "Human translators",
            entry.systems,
            key=file_box(f"humans-{stamp}-{entry.file.pair}", before),
            width=280,
        )
        if names != before:
            session.change_file(position, human=False, human_names=tuple(names))
            st.rerun()


def _correct_optimised(entry: Entry, stamp: str) -> None:
    """Draw the marks of systems that were optimised for a metric."""
    if not entry.systems:
        return
    one = len(entry.systems) == 1
    options = {
        metric if one else f"{name} · {metric}": OptimisedSystem(system=name, metric=metric)
        for name in entry.systems
        for metric in session.metric_names(session.current_workspace())
    }
    key, marks = f"optimised-{stamp}-{entry.file.pair}", session.optimised_systems()
    # As chosen, also after Back or a renamed system.
    session.set_controls(**{key: [label for label, mark in options.items() if mark in marks]})
    mark = partial(_mark_optimised, key, options)
    select_subset("Optimised for", list(options), key=key, help=OPTIMISED_HELP, width=280, on_change=mark)


def _mark_optimised(key: str, options: Mapping[str, OptimisedSystem]) -> None:
    """Mark the systems of a file that were optimised for the chosen metrics."""
    others = [mark for mark in session.optimised_systems() if mark not in options.values()]
    session.mark_optimised([*others, *(options[label] for label in session.control_value(key))])


def _correct_metrics(position: int, entry: Entry, stamp: str) -> None:
    """Draw the marks of metrics for which a lower score is better."""
    before = [name for name, lower in entry.metrics.items() if lower]
    if len(entry.metrics) == 1:
        lower = st.toggle("Lower is better", help=LOWER_HELP, key=file_box(f"lower-{stamp}", bool(before)))
        names = list(entry.metrics) if lower else []
    elif entry.metrics:
        names = select_subset(
            "Lower is better",
            list(entry.metrics),
            help=LOWER_HELP,
            key=file_box(f"lower-{stamp}-{entry.file.pair}", before),
            width=280,
        )
    else:
        return
    _change_if(position, "lower_is_better", before, names)


def _correct_weights(position: int, entry: Entry, stamp: str) -> None:
    """Draw the weights of MQM errors."""
    if entry.report is None or entry.report.weights is None:
        return
    before = entry.file.weights
    st.caption("MQM error weights. A segment's rating is minus the sum of the weights of its errors.")
    with st.container(horizontal=True, vertical_alignment="bottom", key="mqm-weights"):
        weights = MqmWeights(**{name: _weight(name, title, before, stamp) for name, title in WEIGHT_TITLES.items()})
        _change_if(position, "weights", before, weights)
        st.button(
            "Published weights",
            on_click=session.change_file,
            args=(position,),
            kwargs={"weights": PUBLISHED_WEIGHTS},
            disabled=before == PUBLISHED_WEIGHTS,
            key="published-weights",
        )


def _weight(name: str, title: str, weights: MqmWeights, stamp: str) -> float:
    """Draw a box for one weight."""
    key = file_box(f"weight-{name}-{stamp}", float(getattr(weights, name)))
    return st.number_input(title, min_value=0.0, max_value=MAX_WEIGHT, step=0.1, format="%g", key=key, width=150)


def _has_pairs(file: File, entry: Entry) -> bool:
    """Return whether a file of judgments has a format with language pairs."""
    format_read = analysis.format_of(entry)
    return file.role == "judgments" and ((format_read is not None and format_read.pairs) or bool(file.pair))


def _change_if(position: int, what: str, before: object, after: object) -> None:
    if after != before:
        session.change_file(position, **{what: tuple(after) if isinstance(after, list) else after})
        st.rerun()


PAGE = session.Page(
    title="Data",
    path="data",
    question="What is in the files, and what was repaired or left out?",
    parts=(session.Part(render=render, rests_on=()),),
    icon=":material/folder_open:",
)
