"""Warnings on pages: what misleads, the way to the segments, and dismissing with a reason."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import streamlit as st

from bleu_core.diagnostics import Finding, find_warning
from bleu_core.errors import BleuCoreError
from bleu_core.slicing import segments_among
from dashboard import analysis, session, words
from dashboard.literal import literal
from dashboard.widgets.reading import read_segments

#: The title of the page that shows them.
OVERVIEW_PAGE = "Overview"

#: The key of the part of that page, which is unfolded or not.
WARNINGS_PART = "warnings"

#: Characters of a reason.
LONGEST_REASON = 200

ICONS = {"alarm": ":material/error:", "caution": ":material/warning:", "note": ":material/info:"}


def show_warnings(view: analysis.View) -> None:
    """Show what the warnings have found, with a button each to read the segments and to dismiss it."""
    found = analysis.trust_findings(view)
    dismissed = view.selection.dismissed
    shown = [each for each in found if each.key not in dismissed]
    gone = list(dict.fromkeys(each.key for each in found if each.key in dismissed))
    if not found:
        return
    title = f"Warnings: {words.warnings_counted(shown) or 'none open'}"
    if gone:
        title += f" ({len(gone)} dismissed)"
    alarmed = any(each.strength == "alarm" for each in shown)
    with st.expander(title, expanded=alarmed, icon=":material/warning:", key=WARNINGS_PART, on_change="rerun"):
        for number, each in enumerate(shown):
            _show(number, each)
        for key in gone:
            _show_dismissed(key, dismissed[key])


def count_warnings() -> None:
    """Say in the sidebar how many warnings are open, with the way to them; nothing while that takes long."""
    try:
        view = analysis.view_of(session.current_workspace(), session.selection())
    except BleuCoreError:  # the page says what is missing
        return
    if not analysis.findings_are_at_hand(view):
        return
    if not analysis.findings_are_known(view):
        session.after_answers()
    found = analysis.open_findings(view)
    if found:
        st.button(
            f"Warnings: {len(found)}",
            key="open-warnings",
            type="tertiary",
            icon=":material/warning:",
            help="Read the warnings on the Overview.",
            on_click=_open,
        )


def _open() -> None:
    session.put(**{WARNINGS_PART: True})
    session.go_to(OVERVIEW_PAGE)


def _show(number: int, finding: Finding) -> None:
    warning, key = find_warning(finding.key), f"{finding.key}-{number}"
    title = literal(f"{finding.strength.capitalize()}: {warning.title}.")
    text, buttons = st.container(key=f"warning-{number}").columns([6, 1])
    with text:
        st.markdown(f"{ICONS[finding.strength]} **{title}** {literal(finding.found)}")
        st.caption(literal(" ".join(filter(None, (warning.misleads, finding.advice, warning.caveat)))))
    with buttons.container(key=f"warning-buttons-{number}", gap=None):
        if finding.segments:
            st.button(
                "Read",
                key=f"warning-segments-{number}",
                type="tertiary",
                icon=":material/arrow_forward:",
                help="Read the segments that the warning is about.",
                on_click=partial(_read, finding.systems, finding.segments),
            )
        with st.popover("Dismiss", key=f"dismiss-{number}", type="tertiary"):
            st.text("The warning is no longer shown. Reports name it with the reason.")
            reason = st.text_input("Reason", key=f"reason-{key}", max_chars=LONGEST_REASON)
            st.button("Dismiss the warning", key=f"dismiss-{key}", on_click=partial(_dismiss, finding.key, reason))


def _show_dismissed(key: str, reason: str) -> None:
    with st.container(horizontal=True, vertical_alignment="center", key=f"dismissed-warning-{key}"):
        st.markdown(literal(words.dismissal(find_warning(key).title, reason)), width="content")
        st.button("Show again", key=f"restore-warning-{key}", type="tertiary", on_click=partial(_show_again, key))


def _read(systems: Sequence[str], segments: Sequence[int]) -> None:
    among = segments_among(segments, analysis.MOST_READ)
    read_segments(*systems[:2] if len(systems) == 2 else systems[:1], within=among)  # noqa: PLR2004 # a pair, or one


def _dismiss(key: str, reason: str) -> None:
    dismissed = [*session.get(session.DISMISSED), key]
    session.put(**{session.DISMISSED: dismissed, session.reason_key(key): reason.strip()})


def _show_again(key: str) -> None:
    dismissed = [other for other in session.get(session.DISMISSED) if other != key]
    session.put(**{session.DISMISSED: dismissed, session.reason_key(key): ""})
