"""The sidebar: systems and references in use, scoring settings, and display options."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import streamlit as st

from bleu_core.dataset import MissingText, plural
from bleu_core.errors import as_sentence
from bleu_core.inference import RESAMPLES
from bleu_core.scoring import (
    DEFAULT_TOKENIZER,
    PRESET_LABELS,
    PRESETS,
    SETTINGS,
    BleuSettings,
    Setting,
    is_installed,
    with_tokenizer,
)
from dashboard import analysis, session, words
from dashboard.literal import literal
from dashboard.widgets.controls import check_list
from dashboard.widgets.sharing import share

CUSTOM = "own"

PRESET_NAMES = {**PRESET_LABELS, CUSTOM: "own settings"}

INTERVALS_HELP = (
    "Show a 95% confidence interval for every score: how much the score would vary on other texts of this "
    f"kind, estimated from {RESAMPLES:,} bootstrap resamples of the segments."
)


def sidebar() -> None:
    """Draw the sidebar."""
    workspace = session.current_workspace()
    systems, references = list(workspace.corpus.systems), list(workspace.corpus.references)
    if systems and len(systems) + len(workspace.missing) > 1:
        _used("systems", systems, workspace.missing)
    if len(references) > 1:
        _used("references", references)
    _scoring()
    st.toggle("Confidence intervals", key="intervals", help=INTERVALS_HELP)
    share()


def _used(what: str, names: list[str], missing: Sequence[MissingText] = ()) -> None:
    """Draw the list of systems or references in use, and explain why others are missing."""
    key = f"without_{what}"
    title = f"{what.capitalize()}: {len(names) - len(session.control_value(key))} of {len(names) + len(missing)}"
    inside = st.expander(literal(f"{title}{words.systems_missing(missing)}"), key=f"{key}-list")
    check_list(what.capitalize(), names, key=key, inside=inside)
    for text in missing:
        inside.caption(literal(words.why_missing(text)))


def _scoring() -> None:
    """Draw the settings of BLEU, folded under their signature."""
    selection, workspace = session.selection(), session.current_workspace()
    problem = session.settings_problem()
    preset = preset_of(selection.settings)
    if workspace.corpus.references:
        st.caption("Signature of BLEU")
        st.code(analysis.signature_in_use(workspace, selection), language=None, wrap_lines=True)
    if selection.unavailable:
        st.warning(literal(f"BLEU is not available: {selection.unavailable}. Another tokeniser can be chosen below."))
    elif selection.by_language and selection.settings.tokenizer != DEFAULT_TOKENIZER:
        st.caption(literal(f"Tokeniser {selection.settings.tokenizer}, the default for the target language"))
    _repairs()
    title = f"Scoring: {PRESET_NAMES[preset]}{' (one setting cannot be used)' if problem else ''}"
    with st.expander(literal(title), key="scoring", icon=":material/calculate:"):
        _preset_box(CUSTOM if problem else preset)
        for setting in SETTINGS.values():
            _setting_box(setting)
            if problem is not None and problem[0] == setting.key:
                _problem(setting, problem[1])
        reset = partial(session.forget, (*SETTINGS, "intervals"))
        st.button("Reset scoring", key="reset-scoring", on_click=reset, icon=":material/restart_alt:")


def _repairs() -> None:
    """Name the files that were repaired, with the switch that scores missing segments."""
    workspace = session.current_workspace()
    for entry in workspace.repaired:
        count = len(entry.repairs)
        st.caption(literal(f"Repaired: {entry.file.name} ({count:,} {plural(count, 'place')})"))
    if workspace.absent:
        st.toggle("Score missing lines as empty", key=session.SCORE_MISSING, help=words.MISSING_HELP)


def _setting_box(setting: Setting) -> None:
    """Draw the control of a setting, of the kind of its values, unless the setting has no effect."""
    shared: dict[str, Any] = {"key": setting.key, "help": literal(setting.full_help)}
    if not session.has_effect(setting):
        return
    if setting.kind == "choice":
        names = list(setting.choices)
        st.selectbox(setting.label, names, format_func=_marked_if_missing(setting), **shared)
    elif setting.kind == "flag":
        st.toggle(setting.label, **shared)
    elif setting.kind == "whole number":
        st.slider(setting.label, *setting.bounds, **shared)
    elif setting.kind == "weights":
        st.text_input(setting.label, placeholder=setting.empty, **shared)
    else:
        default = setting.defaults_by_choice.get(session.control_value(setting.parent))
        placeholder = setting.empty if default is None else f"{default:g}"
        st.number_input(setting.label, min_value=0.0, step=0.05, format="%g", placeholder=placeholder, **shared)


def _marked_if_missing(setting: Setting) -> Any:
    """Return the format of a setting's options: tokenisers that are not installed are marked."""
    if setting.key != "tokenizer":
        return str
    return lambda name: name if is_installed(name) else f"{name} (not installed)"


def _problem(setting: Setting, why: str) -> None:
    """Explain why a setting is invalid, with a button that undoes the change."""
    st.error(literal(f"{as_sentence(why)} The pages still show the numbers of the last valid settings."))
    st.button(
        f"Undo this change of “{setting.label}”",
        key="undo-setting",
        on_click=partial(session.restore_valid_value, setting.key),
    )


def _preset_box(name: str) -> None:
    """Draw the preset box, which sets all other settings and shows the preset that they amount to, if any."""
    options = [*PRESETS, CUSTOM] if name == CUSTOM else list(PRESETS)
    session.set_controls(preset=name)
    st.selectbox(
        "Preset",
        options,
        format_func=PRESET_NAMES.__getitem__,
        key="preset",
        on_change=_follow_preset,
        help="Sets all options below.",
    )


def preset_of(settings: BleuSettings) -> str:
    """Return the preset that settings amount to, a key of PRESET_NAMES, with the default tokeniser of the data."""
    of_data = session.tokenizer_of_data()
    presets = {
        name: preset if name in SETTINGS["tokenizer"].presets else with_tokenizer(preset, of_data)
        for name, preset in PRESETS.items()
    }
    return next((name for name, preset in presets.items() if preset == settings), CUSTOM)


def _follow_preset() -> None:
    if session.control_value("preset") in PRESETS:
        name = session.control_value("preset")
        session.choose_preset(name)
        if name not in SETTINGS["tokenizer"].presets:
            session.forget(["tokenizer"])
