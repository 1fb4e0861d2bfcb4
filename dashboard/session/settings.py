"""The sidebar's settings, presets, and the values of widgets."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import streamlit as st

from bleu_core.errors import SettingsError
from bleu_core.scoring import PRESETS, BleuSettings

DEFAULTS = PRESETS["sacrebleu"]

#: The sidebar's widgets and their initial values. Each is a query parameter of the page's address, unless it has
#: its initial value.
INITIAL_VALUES: Mapping[str, Any] = {
    "tokenizer": DEFAULTS.tokenizer,
    "lowercase": DEFAULTS.lowercase,
    "max_order": DEFAULTS.max_order,
    "weights": "",
    "smoothing": DEFAULTS.smoothing,
    "smoothing_value": None,
    "reference_length": DEFAULTS.reference_length,
    "without_references": [],
    "without_systems": [],
    "without_groups": [],
    "without_judges": [],
    "zscore": False,
    "intervals": True,
}


def put(**values: Any) -> None:
    """Set widgets by key, before they are drawn."""
    for key, value in values.items():
        st.session_state[key] = value


def get(key: str, default: Any = None) -> Any:
    """What a widget is set to."""
    return st.session_state.get(key, default)


def settings_changed() -> bool:
    """Whether a widget of the sidebar has another value than its initial one, so that the address has settings."""
    return any(get(key, value) != value for key, value in INITIAL_VALUES.items())


def current_settings() -> BleuSettings:
    """The settings in force, from the sidebar.

    Raises:
        SettingsError: they do not go together.
    """
    smoothing = get("smoothing", DEFAULTS.smoothing)
    return BleuSettings(
        tokenizer=get("tokenizer", DEFAULTS.tokenizer),
        lowercase=get("lowercase", DEFAULTS.lowercase),
        max_order=get("max_order", DEFAULTS.max_order),
        weights=weights(get("weights", "")),
        smoothing=smoothing,
        smoothing_value=get("smoothing_value") if smoothing in ("floor", "add-k") else None,
        reference_length=get("reference_length", DEFAULTS.reference_length),
    )


def choose_preset(name: str) -> None:
    """Set the sidebar to a preset."""
    preset = PRESETS[name]
    put(
        tokenizer=preset.tokenizer,
        lowercase=preset.lowercase,
        max_order=preset.max_order,
        weights="",
        smoothing=preset.smoothing,
        smoothing_value=None,
        reference_length=preset.reference_length,
    )


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
