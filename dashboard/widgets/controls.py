"""Controls of pages; their values are stored in the session and in the page's URL."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from contextvars import ContextVar
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import Any, ClassVar, Literal, TypeVar

import streamlit as st
from streamlit.components import v2
from streamlit.delta_generator import DeltaGenerator

from bleu_core.scoring import Metric, broken_metrics
from dashboard import analysis, session
from dashboard.literal import literal
from dashboard.widgets.named_settings import NAMED_SETTINGS

FOCUS_SCRIPT = Path(__file__).with_name("focus.js")
VIEW_SCRIPT = Path(__file__).with_name("into_view.js")

Option = TypeVar("Option", bound=str)

#: Maximum number of names with a box each; longer lists are shown as a multiselect.
MAX_TICKED = 60


class PageControls:
    """The controls of a page, under its answer, as a context: those of a pair always visible, all others folded.

    A caption names the folded controls that differ from their defaults, except those named at the top of the page.
    """

    _inside: ClassVar[ContextVar[PageControls | None]] = ContextVar("page controls", default=None)

    def __init__(self) -> None:
        with st.container(key="page-options", gap="xsmall"):
            self.in_view = st.container(horizontal=True, vertical_alignment="bottom", key="subject-controls")
            with st.container(horizontal=True, vertical_alignment="center"):
                fold = st.expander("Options", icon=":material/tune:", key="options", type="compact", width="stretch")
                self._changed = st.empty()
            self._row = fold.container(horizontal=True, vertical_alignment="bottom", key="page-controls")
        self.labels: dict[str, str] = {}

    def __enter__(self) -> None:
        self._inside.set(self)
        self._row.__enter__()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._row.__exit__(kind, error, traceback)
        self._inside.set(None)
        changed = session.changed_controls()
        named = [
            f"{label}: {_written(changed[key])}"
            for key, label in self.labels.items()
            if key in changed and key not in NAMED_SETTINGS
        ]
        if named:
            self._changed.caption(literal(" · ".join(named)), width="content")

    @classmethod
    def note(cls, key: str, label: str) -> None:
        """Register the label of a control that is drawn among those of a page."""
        inside = cls._inside.get()
        if inside is not None:
            inside.labels[key] = label

    @classmethod
    def place_in_view(cls) -> AbstractContextManager[Any]:
        """Return the container of a page's controls that are not folded."""
        inside = cls._inside.get()
        return nullcontext() if inside is None else inside.in_view


def _written(value: object) -> str:
    """Format the value of a control."""
    if isinstance(value, bool):
        return "on" if value else "off"
    return ", ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)


def page_controls() -> PageControls:
    """Return the controls of a page, under its answer."""
    return PageControls()


def select_one(
    label: str,
    options: Sequence[str],
    *,
    key: str,
    default: str | None = None,
    width: int = 190,
    help: str | None = None,  # noqa: A002 # as Streamlit's
    on_change: Callable[[], None] | None = None,
) -> str:
    """Draw a select box and return its value.

    Args:
        label: of the box.
        options: each once.
        key: of the box, in the session and the URL.
        default: the first option if None.
        width: in pixels.
        help: tooltip.
        on_change: called after a change, before the page is drawn again.
    """
    PageControls.note(key, label)
    session.restore_choice(key, options, default)
    return st.selectbox(label, options, key=session.widget_key(key), width=width, help=help, on_change=on_change)


def select_button(
    label: str,
    options: Sequence[Option],
    *,
    key: str,
    help: str | None = None,  # noqa: A002 # as Streamlit's
) -> Option:
    """Draw a row of buttons for one of a few options, the first by default, and return its value."""
    PageControls.note(key, label)
    session.restore_choice(key, options)
    value = st.segmented_control(label, options, key=session.widget_key(key), required=True, help=help)
    return value or options[0]


def switch(
    label: str,
    *,
    key: str,
    default: bool = False,
    disabled: bool = False,
    help: str | None = None,  # noqa: A002 # as Streamlit's
    on_change: Callable[[], None] | None = None,
) -> bool:
    """Draw a toggle and return its value; on_change is called before the page is drawn again."""
    PageControls.note(key, label)
    session.restore_toggle(key, default=default)
    return st.toggle(label, key=session.widget_key(key), disabled=disabled, help=help, on_change=on_change)


def select_many(
    label: str,
    options: Sequence[str],
    *,
    key: str,
    default: Sequence[str],
    help: str | None = None,  # noqa: A002 # as Streamlit's
) -> list[str]:
    """Draw a multiselect and return its values."""
    PageControls.note(key, label)
    session.restore_choices(key, options, default)
    return select_subset(label, options, key=key, help=help)


def select_subset(
    label: str,
    options: Sequence[str],
    *,
    key: str,
    help: str | None = None,  # noqa: A002 # as Streamlit's
    width: int | Literal["stretch"] = "stretch",
    on_change: Callable[[], None] | None = None,
) -> list[str]:
    """Draw a multiselect whose values are in the order of the options, not of the clicks, and return them.

    Args:
        label: of the box.
        options: each once.
        key: of the box, in the session only.
        help: tooltip.
        width: in pixels.
        on_change: called when the values change.
    """
    if session.control_value(key) is None:
        session.set_controls(**{key: []})
    reorder = partial(_reorder, key, options, on_change)
    box = session.widget_key(key)
    return st.multiselect(label, options, key=box, help=help, placeholder="none", width=width, on_change=reorder)


def _reorder(key: str, options: Sequence[str], on_change: Callable[[], None] | None) -> None:
    selected = session.control_value(key)
    session.set_controls(**{key: [name for name in options if name in selected]})
    if on_change is not None:
        on_change()


def integer_input(label: str, low: int, high: int, default: int, *, key: str, width: int = 140) -> int:
    """Draw a box for an integer and return its value."""
    PageControls.note(key, label)
    session.restore_number(key, low, high, default)
    return int(st.number_input(label, low, high, key=session.widget_key(key), width=width))


def decimal_input(
    label: str,
    low: float,
    high: float,
    default: float,
    *,
    key: str,
    width: int = 140,
    help: str | None = None,  # noqa: A002 # as Streamlit's
) -> float:
    """Draw a box for a decimal number and return its value."""
    PageControls.note(key, label)
    session.restore_number(key, low, high, default)
    box = session.widget_key(key)
    return float(st.number_input(label, low, high, key=box, width=width, help=help, format="%g", step=0.1))


def focus_by_key(letter: str, key: str, *, opener: str = "") -> None:
    """Let a key of the keyboard focus a box.

    Args:
        letter: of the keyboard.
        key: of the box.
        opener: the key of a button that shows the box if it is hidden.
    """
    focus = v2.component("focus_by_key", html="<span></span>", js=FOCUS_SCRIPT.read_text("utf-8"), isolate_styles=False)
    focus(data={"letter": letter, "key": key, "opener": opener}, key=f"focus-{key}")


def into_view(selector: str, shown: str, *, opened: bool = True) -> None:
    """Scroll to a part of the page when its content has changed, unless it is in view; once per page.

    Args:
        selector: CSS selector of the part, which may be drawn later.
        shown: fingerprint of its content.
        opened: whether to scroll to it also on a page that was just opened.
    """
    part = v2.component("into_view", html="<span></span>", js=VIEW_SCRIPT.read_text("utf-8"), isolate_styles=False)
    with st.container(key="into-view"):  # hidden by page.css
        part(data={"selector": selector, "shown": shown, "opened": opened}, key="into-view-script")


def check_list(what: str, names: Sequence[str], *, key: str, inside: DeltaGenerator | None = None) -> None:
    """Draw a list of names with a checkbox each, folded under a button that gives the number of ticked names.

    Args:
        what: kind of the names, in the plural.
        names: without duplicates.
        key: in the session and the URL, of the names that are not ticked; by default there are none.
        inside: container of the list; a popover if None.
    """
    session.restore_choices(key, names)
    left_out = session.control_value(key)
    title = f"{what}: {len(names) - len(left_out)} of {len(names)}"
    with inside or st.popover(title, key=f"{key}-list"), nullcontext() if inside else session.popover_content():
        if len(names) > MAX_TICKED:
            select_subset(f"{what} that are left out", names, key=key)
            return
        with st.container(horizontal=True, key=f"{key}-all-or-none"):
            st.button("All", key=f"{key}-all", type="tertiary", on_click=partial(session.set_controls, **{key: []}))
            st.button(
                "None", key=f"{key}-none", type="tertiary", on_click=partial(session.set_controls, **{key: list(names)})
            )
        with st.container(key=f"{key}-boxes", gap=None):
            for position, name in enumerate(names):
                box = f"{key}-{position}"
                session.set_controls(**{box: name not in left_out})
                st.checkbox(literal(name), key=session.widget_key(box), on_change=partial(_tick, key, box, name))


def _tick(key: str, box: str, name: str) -> None:
    others = [other for other in session.control_value(key) if other != name]
    session.set_controls(**{key: others if session.control_value(box) else [*others, name]})


def metric_choice(view: analysis.View) -> Metric:
    """Draw the box of the metric, which all pages with this box share, and return its value.

    Problems of metrics of other packages are shown below it.
    """
    metrics = analysis.metrics_on_offer(view)
    help_text = "; ".join(f"{label}: {metric.help}" for label, metric in metrics.items())
    label = select_one("Metric", list(metrics), key="metric", help=literal(f"{help_text}."))
    for problem in broken_metrics():
        st.warning(literal(problem))
    return metrics[label]
