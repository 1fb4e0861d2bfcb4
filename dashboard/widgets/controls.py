"""Controls of pages; each keeps its value in the session and in the page's address."""

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
from dashboard.widgets.named_settings import NAMED_IN_STRIP

FOCUS_SCRIPT = Path(__file__).with_name("focus.js")
VIEW_SCRIPT = Path(__file__).with_name("into_view.js")

Option = TypeVar("Option", bound=str)

#: Longer lists have no room for a box per name.
MAX_TICKED = 60


class PageControls:
    """The controls of a page, under its answer, as a context: those of a pair in view, all others folded.

    Beside the folded ones, it is written which of them are not as by default, but for those that the strip names.
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
            if key in changed and key not in NAMED_IN_STRIP
        ]
        if named:
            self._changed.caption(literal(" · ".join(named)), width="content")

    @classmethod
    def note(cls, key: str, label: str) -> None:
        """Remember what a control is called that is drawn among those of a page."""
        inside = cls._inside.get()
        if inside is not None:
            inside.labels[key] = label

    @classmethod
    def place_in_view(cls) -> AbstractContextManager[Any]:
        """Where controls of a page are drawn that are not folded."""
        inside = cls._inside.get()
        return nullcontext() if inside is None else inside.in_view


def _written(value: object) -> str:
    """The value of a control, for people."""
    if isinstance(value, bool):
        return "on" if value else "off"
    return ", ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)


def page_controls() -> PageControls:
    """The controls of a page, under its answer."""
    return PageControls()


def choice(
    label: str,
    options: Sequence[str],
    *,
    key: str,
    usual: str | None = None,
    width: int = 190,
    help: str | None = None,  # noqa: A002 # as Streamlit's
    on_change: Callable[[], None] | None = None,
) -> str:
    """A box for one choice.

    Args:
        label: of the box.
        options: each once.
        key: of the box, in the session and the address.
        usual: chosen at first, the first option if None.
        width: pixels.
        help: what it is for.
        on_change: called after another choice, before the page is drawn again.
    """
    PageControls.note(key, label)
    session.restore_choice(key, options, usual)
    return st.selectbox(label, options, key=key, width=width, help=help, on_change=on_change)


def few_choices(
    label: str,
    options: Sequence[Option],
    *,
    key: str,
    help: str | None = None,  # noqa: A002 # as Streamlit's
) -> Option:
    """Buttons beside each other for one of a few choices, the first by default."""
    PageControls.note(key, label)
    session.restore_choice(key, options)
    chosen = st.segmented_control(label, options, key=key, required=True, help=help)
    return chosen or options[0]


def switch(
    label: str,
    *,
    key: str,
    default: bool = False,
    disabled: bool = False,
    help: str | None = None,  # noqa: A002 # as Streamlit's
    on_change: Callable[[], None] | None = None,
) -> bool:
    """A switch; what is to happen when it is turned comes before the page is drawn again."""
    PageControls.note(key, label)
    session.restore_toggle(key, default=default)
    return st.toggle(label, key=key, disabled=disabled, help=help, on_change=on_change)


def choices(
    label: str,
    options: Sequence[str],
    *,
    key: str,
    usual: Sequence[str] = (),
    help: str | None = None,  # noqa: A002 # as Streamlit's
) -> list[str]:
    """A box for several choices."""
    PageControls.note(key, label)
    session.restore_choices(key, options, usual)
    return subset(label, options, key=key, help=help)


def subset(
    label: str,
    options: Sequence[str],
    *,
    key: str,
    usual: Sequence[str] = (),
    help: str | None = None,  # noqa: A002 # as Streamlit's
    width: int | Literal["stretch"] = "stretch",
) -> list[str]:
    """A box for several choices whose order has no meaning: they are in the order of the options, not of the clicks.

    Args:
        label: of the box.
        options: each once.
        key: of the box, in the session only.
        usual: chosen at first.
        help: what it is for.
        width: pixels.
    """
    if session.get(key) is None:
        session.put(**{key: list(usual)})
    reorder = partial(_reorder, key, options)
    return st.multiselect(label, options, key=key, help=help, placeholder="none", width=width, on_change=reorder)


def _reorder(key: str, options: Sequence[str]) -> None:
    chosen = session.get(key)
    session.put(**{key: [name for name in options if name in chosen]})


def whole_number(label: str, low: int, high: int, usual: int, *, key: str, width: int = 140) -> int:
    """A box for a whole number."""
    PageControls.note(key, label)
    session.restore_number(key, low, high, usual)
    return int(st.number_input(label, low, high, key=key, width=width))


def decimal_number(
    label: str,
    low: float,
    high: float,
    usual: float,
    *,
    key: str,
    width: int = 140,
    help: str | None = None,  # noqa: A002 # as Streamlit's
) -> float:
    """A box for a number with a fraction."""
    PageControls.note(key, label)
    session.restore_number(key, low, high, usual)
    return float(st.number_input(label, low, high, key=key, width=width, help=help, format="%g", step=0.1))


def focus_by_key(letter: str, key: str, *, opener: str = "") -> None:
    """Let a letter on the keyboard put the cursor into a box.

    Args:
        letter: of the keyboard.
        key: of the box.
        opener: the key of a button that shows the box where it is not shown.
    """
    focus = v2.component("focus_by_key", html="<span></span>", js=FOCUS_SCRIPT.read_text("utf-8"), isolate_styles=False)
    focus(data={"letter": letter, "key": key, "opener": opener}, key=f"focus-{key}")


def into_view(selector: str, shown: str, *, opened: bool = True) -> None:
    """Scroll to a part of the page when what it shows has changed, unless it is in view; once on a page.

    Args:
        selector: of the part, in CSS; it is waited for.
        shown: what stands for what it shows.
        opened: whether to scroll to it on a page that was just opened, too.
    """
    part = v2.component("into_view", html="<span></span>", js=VIEW_SCRIPT.read_text("utf-8"), isolate_styles=False)
    with st.container(key="into-view"):  # page.css hides it
        part(data={"selector": selector, "shown": shown, "opened": opened}, key="into-view-script")


def check_list(what: str, names: Sequence[str], *, key: str, inside: DeltaGenerator | None = None) -> None:
    """A list of names with a box each, folded under a button that says how many are ticked.

    Args:
        what: the names are of, in the plural.
        names: each once.
        key: in the session and the address, of the names that are not ticked: usually there are none.
        inside: where the list unfolds; in a popover if None.
    """
    session.restore_choices(key, names)
    left_out = session.get(key)
    title = f"{what}: {len(names) - len(left_out)} of {len(names)}"
    with inside or st.popover(title, key=f"{key}-list"):
        if len(names) > MAX_TICKED:
            subset(f"{what} that are left out", names, key=key)
            return
        with st.container(horizontal=True, key=f"{key}-all-or-none"):
            st.button("All", key=f"{key}-all", type="tertiary", on_click=partial(session.put, **{key: []}))
            st.button("None", key=f"{key}-none", type="tertiary", on_click=partial(session.put, **{key: list(names)}))
        with st.container(key=f"{key}-boxes", gap=None):
            for position, name in enumerate(names):
                box = f"{key}-{position}"
                session.put(**{box: name not in left_out})
                st.checkbox(literal(name), key=box, on_change=partial(_tick, key, box, name))


def _tick(key: str, box: str, name: str) -> None:
    others = [other for other in session.get(key) if other != name]
    session.put(**{key: others if session.get(box) else [*others, name]})


def metric_choice(view: analysis.View) -> Metric:
    """The box of the metric; one choice for all pages that have it.

    Under it, what is wrong with metrics of other packages, if anything.
    """
    metrics = analysis.metrics_on_offer(view)
    help_text = "; ".join(f"{label}: {metric.help}" for label, metric in metrics.items())
    label = choice("Metric", list(metrics), key="metric", help=literal(f"{help_text}."))
    for problem in broken_metrics():
        st.warning(literal(problem))
    return metrics[label]
