"""Warnings on pages: what misleads, a button to read the segments, and one to dismiss them with a reason."""

from __future__ import annotations

import html
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import count
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from bleu_core.diagnostics import Finding, find_warning
from bleu_core.errors import BleuCoreError
from bleu_core.slicing import segments_among
from dashboard import analysis, session, words
from dashboard.literal import literal
from dashboard.widgets.navigation import open_segments

#: Title of the page that shows warnings.
OVERVIEW_PAGE = "Overview"

#: Key of the first chip of that page, which stores whether it is unfolded.
WARNINGS_PART = "warnings"

#: Maximum number of characters of a reason.
MAX_REASON_LENGTH = 200

ICONS = {"alarm": ":red[:material/error:]", "caution": ":orange[:material/warning:]", "note": ":material/info:"}


def place_of_warnings(view: analysis.View) -> DeltaGenerator:
    """Return a container for the chips of warnings, with reserved height, so that they do not move the page."""
    known = analysis.findings_are_known(view)
    key = "warning-chips" if known else "awaited-warning-chips"
    return st.container(horizontal=True, vertical_alignment="center", gap="xsmall", key=key)


def show_warnings(view: analysis.View) -> None:
    """Show a chip for each warning with findings, the strongest first, and one for the remaining ones.

    A chip unfolds to the findings, with a button to read the segments, and one to dismiss the warning.
    """
    dismissed = view.selection.dismissed
    by_warning: dict[str, list[Finding]] = {}
    for finding in analysis.trust_findings(view):
        by_warning.setdefault(finding.key, []).append(finding)
    hidden = [key for key in by_warning if key in dismissed]
    shown = [findings for key, findings in by_warning.items() if key not in dismissed]
    named = words.chips_named([_title(findings) for findings in shown])
    number = count(0)
    for position, findings in enumerate(shown[:named]):
        first = findings[0]
        # The first chip can be opened from other pages, and so has a state.
        state: dict[str, Any] = {"key": WARNINGS_PART, "on_change": "rerun"} if not position else {"key": first.key}
        with st.popover(f"{ICONS[first.strength]} {literal(_title(findings))}", help=_strength(findings), **state):
            _show_all(findings, number)
    if shown[named:]:
        strongest = shown[named][0].strength
        rest = [finding for findings in shown[named:] for finding in findings]
        more = f"{ICONS[strongest]} {len(shown) - named} more"
        with st.popover(more, help=words.warnings_counted(rest), key="more-warnings"):
            _show_all(rest, number)
    if hidden:
        with st.popover(f"{len(hidden)} dismissed", type="tertiary", key="dismissed-warnings"):
            for key in hidden:
                _show_dismissed(key, dismissed[key])
    lines = (
        f"{_strength(findings)}: {_title(findings)}. {' '.join(finding.message for finding in findings)}"
        for findings in shown
    )
    printed = "".join(f"<li>{html.escape(line)}</li>" for line in lines)
    if printed:  # shown only in print, where chips cannot be opened
        st.html(f'<ul class="printed">{printed}</ul>')


def _title(findings: Sequence[Finding]) -> str:
    """Return the title of a chip."""
    title = find_warning(findings[0].key).title
    return title if len(findings) == 1 else f"{title} ({len(findings)})"


def _strength(findings: Sequence[Finding]) -> str:
    return findings[0].strength.capitalize()


def count_warnings() -> None:
    """Show in the sidebar how many warnings are open, with a button that opens them; nothing while that takes long."""
    try:
        view = analysis.view_of(session.current_workspace(), session.selection())
    except BleuCoreError:  # the page explains what is missing
        return
    if not analysis.findings_are_fast(view):
        return
    if not analysis.findings_are_known(view):
        session.after_answers()
    findings = analysis.open_findings(view)
    if findings:
        st.button(
            f"Warnings: {len(findings)}",
            key="open-warnings",
            type="tertiary",
            icon=":material/warning:",
            help="Read the warnings on the Overview.",
            on_click=_open,
        )


def _open() -> None:
    session.set_controls(**{WARNINGS_PART: True})
    session.go_to(OVERVIEW_PAGE)


def _show_all(findings: Sequence[Finding], number: Iterator[int]) -> None:
    """Show findings, one after another, with keys made of the numbers."""
    for position, finding in enumerate(findings):
        if position:
            st.divider()
        _show(next(number), finding)


def _show(number: int, finding: Finding) -> None:
    warning, key = find_warning(finding.key), f"{finding.key}-{number}"
    with st.container(key=f"warning-{number}"):
        title = literal(f"{finding.strength.capitalize()}: {warning.title}.")
        st.markdown(f"**{title}** {literal(finding.message)}")
        st.caption(literal(" ".join(filter(None, (warning.misleads, finding.advice, warning.caveat)))))
        if finding.segments:
            st.button(
                "Read",
                key=f"warning-segments-{number}",
                type="tertiary",
                icon=":material/arrow_forward:",
                help="Read the segments that the warning is about.",
                on_click=partial(_read, finding.systems, finding.segments),
            )
        with st.container(horizontal=True, vertical_alignment="bottom", key=f"dismiss-{number}"):
            reason = st.text_input(
                "Reason to dismiss it",
                key=f"reason-{key}",
                max_chars=MAX_REASON_LENGTH,
                width=260,
                help="A warning that is dismissed is no longer shown. Reports name it with the reason.",
            )
            st.button("Dismiss", key=f"dismiss-{key}", on_click=partial(_dismiss, finding.key, reason))


def _show_dismissed(key: str, reason: str) -> None:
    with st.container(horizontal=True, vertical_alignment="center", key=f"dismissed-warning-{key}"):
        st.markdown(literal(words.dismissal(find_warning(key).title, reason)), width="content")
        st.button("Show again", key=f"restore-warning-{key}", type="tertiary", on_click=partial(_show_again, key))


def _read(systems: Sequence[str], segments: Sequence[int]) -> None:
    among = segments_among(segments, analysis.MAX_LISTED_SEGMENTS)
    open_segments(*systems[:2] if len(systems) == 2 else systems[:1], within=among)  # noqa: PLR2004 # a pair


def _dismiss(key: str, reason: str) -> None:
    dismissed = [*session.control_value(session.DISMISSED), key]
    session.set_controls(
        **{session.DISMISSED: dismissed, session.reason_key(key): reason.strip(), WARNINGS_PART: False}
    )


def _show_again(key: str) -> None:
    dismissed = [other for other in session.control_value(session.DISMISSED) if other != key]
    session.set_controls(**{session.DISMISSED: dismissed, session.reason_key(key): ""})
