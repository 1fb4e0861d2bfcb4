"""The sidebar's settings, presets, and the values of widgets."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import streamlit as st

from bleu_core.errors import SettingsError
from bleu_core.fields import exact
from bleu_core.scoring import PRESETS, SETTINGS, BleuSettings, Setting, tokenizer


def _shown(setting: Setting, value: Any) -> Any:
    """What the sidebar's widget holds for a value of a setting: of weights a text, which is empty for None."""
    if setting.kind == "weights":
        return "" if value is None else " ".join(map(exact, value))
    return value


#: The sidebar's widgets and their initial values. Each is a query parameter of the page's address, unless it has
#: its initial value.
INITIAL_VALUES: Mapping[str, Any] = {
    **{key: _shown(setting, setting.default) for key, setting in SETTINGS.items()},
    "without_references": [],
    "without_systems": [],
    "without_groups": [],
    "without_judges": [],
    "zscore": False,
    "adjust_judges": False,
    "intervals": True,
}


def put(**values: Any) -> None:
    """Set widgets by key, before they are drawn."""
    for key, value in values.items():
        st.session_state[key] = value


def get(key: str, default: Any = None) -> Any:
    """What a widget is set to; the default where it has no value."""
    return st.session_state.get(key, default)


def settings_and_problem() -> tuple[BleuSettings, tuple[str, str] | None]:
    """The settings in force, and why those of the sidebar cannot be used.

    Returns:
        The settings of the sidebar, or the last ones that could be used; the key of the setting that has to be changed
        and why, or None.
    """
    usable: BleuSettings = get("usable_settings") or BleuSettings()
    problem = ""
    for blamed in ("", *SETTINGS):  # nothing, or the first setting which would help if it were as in the last settings
        try:
            settings = BleuSettings(
                **{key: getattr(usable, key) if key == blamed else _chosen(each) for key, each in SETTINGS.items()}
            )
            tokenizer(settings.tokenizer)  # which may not be installed
        except SettingsError as error:
            problem = problem or str(error)
            continue
        if not problem:
            put(usable_settings=settings)
            return settings, None
        return usable, (blamed, problem)
    return usable, (next(iter(SETTINGS)), problem)


def settings_problem() -> tuple[str, str] | None:
    """Why the sidebar's settings cannot be used in this run, as settings_and_problem returns it."""
    return get("settings_problem")


def restore_usable(key: str) -> None:
    """Set a setting back to the value it had when the settings could be used."""
    put(**{key: _shown(SETTINGS[key], getattr(get("usable_settings", BleuSettings()), key))})


def reset_settings() -> None:
    """Set all settings of scoring, and the switch of intervals, back to their defaults."""
    put(**{key: INITIAL_VALUES[key] for key in (*SETTINGS, "intervals")})


def is_of_use(setting: Setting) -> bool:
    """Whether a setting has a meaning beside what is chosen of the setting that it goes with."""
    return not setting.parent or get(setting.parent, INITIAL_VALUES[setting.parent]) in setting.defaults_by_choice


def _chosen(setting: Setting) -> Any:
    """The value of a setting; the default where it has no effect.

    Raises:
        SettingsError: the weights are no list of numbers.
    """
    held = get(setting.key, INITIAL_VALUES[setting.key])
    if setting.kind == "weights":
        return weights(held)
    return held if is_of_use(setting) else setting.default


def choose_preset(name: str) -> None:
    """Set the sidebar to a preset."""
    preset = PRESETS[name]
    put(**{key: _shown(setting, getattr(preset, key)) for key, setting in SETTINGS.items()})


def weights(text: str) -> tuple[float, ...] | None:
    """The weights in a text; None for none.

    Raises:
        SettingsError: it is no list of numbers.
    """
    parts = text.replace(",", " ").replace(";", " ").split()
    try:
        return tuple(float(part) for part in parts) or None
    except ValueError:
        raise SettingsError(f"weights {text!r} found, numbers like 0.4 0.3 0.2 0.1 expected") from None
