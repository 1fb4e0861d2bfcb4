"""Warnings on pages: what misleads, the way to the segments, and dismissing with a reason."""

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
from dashboard.widgets.reading import read_segments

#: The title of the page that shows them.
OVERVIEW_PAGE = "Overview"

#: The key of the first chip of that page, which is unfolded or not.
WARNINGS_PART = "warnings"

#: Characters of a reason.
MAX_REASON_LENGTH = 200

ICONS = {"alarm": ":red[:material/error:]", "caution": ":orange[:material/warning:]", "note": ":material/info:"}


def place_of_warnings(view: analysis.View) -> DeltaGenerator:
    """A line for the chips of warnings; as high as it will be where they come later, so that nothing below moves."""
    known = analysis.findings_are_known(view)
    key = "warning-chips" if known else "awaited-warning-chips"
    return st.container(horizontal=True, vertical_alignment="center", gap="xsmall", key=key)


def show_warnings(view: analysis.View) -> None:
    """Show a chip for each warning that has found something, the strongest first, and one for those that are left.

    A chip unfolds to what was found, with a button each to read the segments, and to dismiss the warning.
    """
    dismissed = view.selection.dismissed
    by_warning: dict[str, list[Finding]] = {}
    for each in analysis.trust_findings(view):
        by_warning.setdefault(each.key, []).append(each)
    gone = [key for key in by_warning if key in dismissed]
    shown = [found for key, found in by_warning.items() if key not in dismissed]
    named = words.chips_named([_title(found) for found in shown])
    number = count(0)
    for position, found in enumerate(shown[:named]):
        # The first can be opened from elsewhere, and so has a state.
        state: dict[str, Any] = {"key": WARNINGS_PART, "on_change": "rerun"} if not position else {"key": found[0].key}
        with st.popover(f"{ICONS[found[0].strength]} {literal(_title(found))}", help=_strength(found), **state):
            _show_all(found, number)
    if shown[named:]:
        strongest = shown[named][0].strength
        rest = [each for found in shown[named:] for each in found]
        more = f"{ICONS[strongest]} {len(shown) - named} more"
        with st.popover(more, help=words.warnings_counted(rest), key="more-warnings"):
            _show_all(rest, number)
    if gone:
        with st.popover(f"{len(gone)} dismissed", type="tertiary", key="dismissed-warnings"):
            for key in gone:
                _show_dismissed(key, dismissed[key])
    lines = (f"{_strength(found)}: {_title(found)}. {' '.join(each.message for each in found)}" for found in shown)
    printed = "".join(f"<li>{html.escape(line)}</li>" for line in lines)
    if printed:  # page.css shows it on paper only, where chips cannot be opened
        st.html(f'<ul class="printed">{printed}</ul>')


def _title(found: Sequence[Finding]) -> str:
    """What a chip is called."""
    title = find_warning(found[0].key).title
    return title if len(found) == 1 else f"{title} ({len(found)})"


def _strength(found: Sequence[Finding]) -> str:
    return found[0].strength.capitalize()


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


def _show_all(found: Sequence[Finding], number: Iterator[int]) -> None:
    """What is found, one after another; the numbers tell their keys apart."""
    for position, each in enumerate(found):
        if position:
            st.divider()
        _show(next(number), each)


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
    among = segments_among(segments, analysis.MAX_READ)
    read_segments(*systems[:2] if len(systems) == 2 else systems[:1], within=among)  # noqa: PLR2004 # a pair, or one


def _dismiss(key: str, reason: str) -> None:
    dismissed = [*session.get(session.DISMISSED), key]
    session.put(**{session.DISMISSED: dismissed, session.reason_key(key): reason.strip(), WARNINGS_PART: False})


def _show_again(key: str) -> None:
    dismissed = [other for other in session.get(session.DISMISSED) if other != key]
    session.put(**{session.DISMISSED: dismissed, session.reason_key(key): ""})
