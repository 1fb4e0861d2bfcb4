"""The draft of the campaign form: what was chosen stays, what was not follows its default."""

from __future__ import annotations

from typing import Any

import pytest

from dashboard.session import campaign_draft
from dashboard.session.campaign_draft import fill_draft, restore_draft


@pytest.fixture
def state(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """What the session's widgets hold, in the place of Streamlit's."""
    held: dict[str, Any] = {}
    monkeypatch.setattr(campaign_draft.st, "session_state", held)
    return held


def test_a_value_that_was_not_chosen_follows_its_default(state: dict[str, Any]) -> None:
    assert restore_draft("segments", 30) == 30
    assert restore_draft("segments", 12) == 12
    assert state["segments"] == 12


def test_a_chosen_value_stays_though_it_is_the_default_for_a_while(state: dict[str, Any]) -> None:
    restore_draft("segments", 30)
    state["segments"] = 12
    for default in (30, 12, 30, 50):
        assert restore_draft("segments", default) == 12
        del state["segments"]  # as Streamlit does where a page does not draw the widget
    fill_draft({})
    assert restore_draft("segments", 50) == 50


def test_a_chosen_value_that_is_not_possible_returns_once_it_is(state: dict[str, Any]) -> None:
    restore_draft("segments", 30)
    state["segments"] = 25
    for limit, expected in ((40, 25), (20, 10), (40, 25)):
        assert restore_draft("segments", 10, lambda value, limit=limit: value <= limit) == expected


def test_a_form_that_was_filled_in_keeps_its_values(state: dict[str, Any]) -> None:
    restore_draft("segments", 30)
    fill_draft({"segments": 12})
    assert restore_draft("segments", 12) == 12
    assert restore_draft("segments", 30) == 12
    assert state["segments"] == 12
