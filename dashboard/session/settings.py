"""The sidebar's settings, presets, and the values of controls."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, MutableMapping
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

import streamlit as st

from bleu_core.errors import SettingsError
from bleu_core.fields import exact
from bleu_core.scoring import PRESETS, SETTINGS, BleuSettings, Setting, tokenizer


def _shown(setting: Setting, value: Any) -> Any:
    """Return the value of the sidebar's widget for a setting: for weights a text, which is empty for None."""
    if setting.kind == "weights":
        return "" if value is None else " ".join(map(exact, value))
    return value


#: The sidebar's controls and their initial values. A control that differs from it is a query parameter of the URL.
INITIAL_VALUES: Mapping[str, Any] = {
    **{key: _shown(setting, setting.default) for key, setting in SETTINGS.items()},
    "without_references": [],
    "without_systems": [],
    "without_groups": [],
    "without_judges": [],
    "zscore": False,
    "adjust_judges": "automatic",
    "intervals": True,
}


#: Key of the numbers of widgets that controls in popovers have had, by the control's key.
WIDGETS = "widgets_of_controls"

_IN_POPOVER: ContextVar[bool] = ContextVar("in a popover", default=False)


@contextmanager
def popover_content() -> Iterator[None]:
    """Enclose the content of a popover, whose controls get another widget when they are set.

    A closed popover takes no values of its widgets: the browser would keep the former ones, and send them with the
    next click, as if the user had chosen them.
    """
    token = _IN_POPOVER.set(True)
    try:
        yield
    finally:
        _IN_POPOVER.reset(token)


def widget_key(key: str) -> str:
    """Return the key of the widget of a control: the control's own, with a number for a later one in a popover."""
    if _IN_POPOVER.get():
        st.session_state.setdefault(WIDGETS, {}).setdefault(key, 0)
    number = st.session_state.get(WIDGETS, {}).get(key)
    return f"{key}-{number}" if number else key


class ControlValues(MutableMapping[str, Any]):
    """The values of the session's controls, by their keys."""

    def __getitem__(self, key: str) -> Any:
        return st.session_state[widget_key(key)]

    def __setitem__(self, key: str, value: Any) -> None:
        if key in self and self[key] != value:
            del self[key]
        # A value left by a page without this control would return once the control is no longer drawn.
        st.session_state.pop(widget_key(key), None)
        st.session_state[widget_key(key)] = value

    def __delitem__(self, key: str) -> None:
        del st.session_state[widget_key(key)]
        numbers = st.session_state.get(WIDGETS, {})
        if key in numbers:
            numbers[key] += 1

    def __iter__(self) -> Iterator[str]:
        return iter(st.session_state)

    def __len__(self) -> int:
        return len(st.session_state)


def set_controls(**values: Any) -> None:
    """Set the values of controls by key, before they are drawn."""
    controls = ControlValues()
    for key, value in values.items():
        controls[key] = value


def control_value(key: str, default: Any = None) -> Any:
    """Return the value of a control; the default if it has none."""
    return ControlValues().get(key, default)


def settings_and_problem() -> tuple[BleuSettings, tuple[str, str] | None]:
    """Return the settings in force, and the reason why those of the sidebar are invalid.

    Returns:
        The settings of the sidebar, or the last valid ones; the key of the setting that has to be changed and the
        reason, or None.
    """
    usable: BleuSettings = control_value("usable_settings") or BleuSettings()
    problem = ""
    for blamed in ("", *SETTINGS):  # none, or the first setting whose last valid value makes the settings valid
        try:
            settings = BleuSettings(
                **{
                    key: getattr(usable, key) if key == blamed else _chosen(setting)
                    for key, setting in SETTINGS.items()
                }
            )
            tokenizer(settings.tokenizer)  # raises if it is not installed
        except SettingsError as error:
            problem = problem or str(error)
            continue
        if not problem:
            set_controls(usable_settings=settings)
            return settings, None
        return usable, (blamed, problem)
    return usable, (next(iter(SETTINGS)), problem)


def settings_problem() -> tuple[str, str] | None:
    """Return why the sidebar's settings are invalid in this run, as settings_and_problem does."""
    return control_value("settings_problem")


def restore_valid_value(key: str) -> None:
    """Set a setting back to its value in the last valid settings."""
    set_controls(**{key: _shown(SETTINGS[key], getattr(control_value("usable_settings", BleuSettings()), key))})


def has_effect(setting: Setting) -> bool:
    """Return whether the setting applies to the current value of its parent setting."""
    return (
        not setting.parent
        or control_value(setting.parent, INITIAL_VALUES[setting.parent]) in setting.defaults_by_choice
    )


def _chosen(setting: Setting) -> Any:
    """Return the value of a setting; the default where it has no effect.

    Raises:
        SettingsError: the weights are not a list of numbers.
    """
    state = control_value(setting.key, INITIAL_VALUES[setting.key])
    if setting.kind == "weights":
        return weights(state)
    return state if has_effect(setting) else setting.default


def choose_preset(name: str) -> None:
    """Set the sidebar to a preset."""
    preset = PRESETS[name]
    set_controls(**{key: _shown(setting, getattr(preset, key)) for key, setting in SETTINGS.items()})


def weights(text: str) -> tuple[float, ...] | None:
    """Parse the weights in a text; None for an empty text.

    Raises:
        SettingsError: the text is not a list of numbers.
    """
    parts = text.replace(",", " ").replace(";", " ").split()
    try:
        return tuple(float(part) for part in parts) or None
    except ValueError:
        raise SettingsError(f"weights {text!r} found, numbers like 0.4 0.3 0.2 0.1 expected") from None
