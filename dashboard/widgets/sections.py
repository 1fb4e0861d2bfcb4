"""Long pages: sections that fold, and contents that stay visible."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import streamlit as st
from streamlit.components import v2
from streamlit.delta_generator import DeltaGenerator

from dashboard import session
from dashboard.literal import literal

CONTENTS = '<nav class="contents" aria-label="Contents"><ul></ul></nav>'
CONTENTS_SCRIPT = Path(__file__).with_name("contents.js")


def contents(sections: Mapping[str, str], last: Mapping[str, str] | None = None) -> None:
    """Draw links to the sections of a page.

    Args:
        sections: anchor -> title.
        last: anchor -> title of the last sections, which are slow to compute and are not unfolded by "Open all".
    """
    linked = {**sections, **(last or {})}
    with st.container(key="contents"):
        links = v2.component("contents", html=CONTENTS, js=CONTENTS_SCRIPT.read_text("utf-8"), isolate_styles=False)
        links(data={"sections": [{"anchor": a, "title": title} for a, title in linked.items()]}, key="contents-links")
        with st.container(horizontal=True, key="fold"):
            for title, opened in (("Open all", True), ("Fold all", False)):
                st.button(
                    title,
                    key="open-sections" if opened else "fold-sections",
                    type="tertiary",
                    on_click=session.set_controls,
                    kwargs={_key(anchor): opened for anchor in sections},
                )


def section(anchor: str, label: str) -> DeltaGenerator | None:
    """Draw a section's expander below its heading.

    Args:
        anchor: of the section.
        label: of the expander.

    Returns:
        The expander, or None while it is folded and its content need not be drawn.
    """
    part = st.expander(literal(label), key=_key(anchor), on_change="rerun")
    return part if part.open else None


def _key(anchor: str) -> str:
    return f"section-{anchor}"
