"""The sidebar's settings follow from their declarations."""

from __future__ import annotations

from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from bleu_core.scoring import PRESETS, SETTINGS, BleuSettings
from dashboard.literal import literal
from dashboard.session import settings
from dashboard.session.settings import INITIAL_VALUES, choose_preset, has_effect, settings_and_problem


def current_settings() -> BleuSettings:
    current, problem = settings_and_problem()
    assert problem is None
    return current


@pytest.fixture
def state(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """What the session's widgets hold, in the place of Streamlit's."""
    held: dict[str, Any] = {}
    monkeypatch.setattr(settings.st, "session_state", held)
    return held


def test_the_widgets_begin_with_sacrebleus_settings(state: dict[str, Any]) -> None:
    assert current_settings() == BleuSettings()
    state |= INITIAL_VALUES
    assert current_settings() == BleuSettings()
    assert list(INITIAL_VALUES)[: len(SETTINGS)] == list(SETTINGS)


@pytest.mark.parametrize("name", PRESETS)
def test_a_preset_sets_every_setting(state: dict[str, Any], name: str) -> None:
    state.update(tokenizer="char", weights="0.5 0.5", max_order=2, smoothing="floor", smoothing_value=3.0)
    choose_preset(name)
    assert set(state) == set(SETTINGS)
    assert current_settings() == PRESETS[name]


def test_weights_keep_all_their_digits_in_their_box(state: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    thirds = BleuSettings(max_order=3, weights=(1 / 3, 1 / 3, 1 / 3))
    monkeypatch.setattr(settings, "PRESETS", {"thirds": thirds})
    choose_preset("thirds")
    assert state["weights"] == "0.3333333333333333 0.3333333333333333 0.3333333333333333"
    assert current_settings() == thirds


def test_a_value_that_goes_with_another_choice_is_left_out(state: dict[str, Any]) -> None:
    state.update(smoothing="floor", smoothing_value=0.5)
    assert has_effect(SETTINGS["smoothing_value"])
    assert current_settings() == BleuSettings(smoothing="floor", smoothing_value=0.5)
    state["smoothing"] = "exp"
    assert not has_effect(SETTINGS["smoothing_value"])
    assert current_settings() == BleuSettings()


def test_the_sidebar_has_a_box_for_every_setting(app: AppTest) -> None:
    app.session_state["smoothing"] = "floor"
    app.run()
    boxes = [*app.sidebar.selectbox, *app.sidebar.toggle, *app.sidebar.slider, *app.sidebar.text_input]
    found = {box.key: box for box in [*boxes, *app.sidebar.number_input]}
    for key, setting in SETTINGS.items():
        assert (found[key].label, found[key].help) == (setting.label, literal(setting.full_help))
    assert found["smoothing_value"].placeholder == "0.1"


def draw_boxes() -> None:
    """Boxes of settings whose defaults are not those of Streamlit's widgets."""
    from bleu_core.scoring import Setting
    from dashboard import session
    from dashboard.launch import parse
    from dashboard.widgets.sidebar import _setting_box

    session.start(parse([]))
    session.follow_url()
    choices = {"first": "one", "second": "another"}
    for setting in (
        Setting(key="lowercase", default=True, kind="flag", label="On", help="A flag.", signature="on"),
        Setting(
            key="smoothing",
            default="second",
            kind="choice",
            label="Which",
            help="One.",
            choices=choices,
            signature="which",
        ),
        Setting(
            key="max_order",
            default=5,
            kind="whole number",
            label="Many",
            help="A number.",
            bounds=(2, 7),
            signature="many",
        ),
    ):
        session.restore_setting(setting)
        _setting_box(setting)


def test_a_box_begins_with_the_default() -> None:
    page = AppTest.from_function(draw_boxes).run()
    assert not page.exception
    assert (page.toggle[0].value, page.selectbox[0].value, page.slider[0].value) == (True, "second", 5)
    assert (page.slider[0].min, page.slider[0].max) == (2, 7)
    assert page.selectbox[0].help == literal("One. first: one; second: another.")
