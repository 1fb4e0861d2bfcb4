"""What holds for every control of every page: a choice is kept, shared, saved and reset, also one of the default."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import pytest
from conftest import Opener
from nightly import nightly
from pages import said, upload, visit
from places import PLACES
from streamlit.testing.v1 import AppTest

from dashboard.session import url as url_module
from dashboard.session.url import ABSENT, KNOWN, PAPER, UrlState

#: Pages that have most kinds of controls.
BY_DAY = ["ranking/pairs", "segments", "report/printed", "metrics/best-agreement"]


@pytest.fixture
def declared(monkeypatch: pytest.MonkeyPatch) -> dict[str, dict[str, Any]]:
    """The controls that pages restore from now on, by key: their default and how they are read."""
    found: dict[str, dict[str, Any]] = {}
    original = UrlState.restore

    def restore(self: UrlState, key: str, default: Any, **given: Any) -> None:
        found[key] = given | {"default": default}
        original(self, key, default, **given)

    monkeypatch.setattr(UrlState, "restore", restore)
    return found


def restored(url: UrlState, key: str, control: Mapping[str, Any], controls: dict[str, Any], default: Any) -> Any:
    """The value of a control in a run, with a default that may differ from its own."""
    url.begin_run()
    given = {name: control[name] for name in ("read", "fit")}
    url.restore(key, default, **given, fixed=control.get("fixed", False), controls=controls)
    return controls[key]


def parameters(url: UrlState, key: str, controls: dict[str, Any]) -> dict[str, list[str]]:
    """The parameters of a link or a workspace; the session adds that of the paper's page, which it may also infer."""
    return url.parameters(controls) | ({key: url_module.written(controls[key])} if key == PAPER else {})


@pytest.mark.parametrize("paths", [BY_DAY, *nightly([[path for path in PLACES if path not in BY_DAY]])])
def test_every_choice_of_a_default_stays_when_the_default_changes(
    app: AppTest, declared: dict[str, dict[str, Any]], paths: Iterable[str]
) -> None:
    for path in paths:
        visit(app, path)
    assert not app.exception
    assert len(declared) > 40
    swallowed: list[object] = []
    for key, control in declared.copy().items():
        default, controls = control["default"], dict[str, Any]()
        if default is None:  # an empty box is never a choice
            continue
        url = UrlState()
        restored(url, key, control, controls, "another default")
        controls[key] = default  # chosen by a click
        url.keep(controls)
        kept = [restored(url, key, control, controls, new) for new in (default, "a third")]
        link = parameters(url, key, controls)
        opened = UrlState(arrived=link)
        there = dict[str, Any]()
        kept.append(restored(opened, key, control, there, "another default"))
        saved = parameters(opened, key, there)
        url.reset([key], controls)
        kept_after_reset = restored(url, key, control, controls, "a fourth")
        if not (kept == [default] * 3 and link == saved == {key: url_module.written(default)}):
            swallowed.append((key, kept, link))
        if kept_after_reset != "a fourth" or url.parameters(controls):
            swallowed.append((key, "reset", kept_after_reset))
    assert swallowed == []


def test_a_default_that_is_the_same_for_all_data_is_no_choice(
    app: AppTest, declared: dict[str, dict[str, Any]]
) -> None:
    visit(app, "ranking/pairs")
    app.toggle(key="lowercase").set_value(True).run()
    app.toggle(key="lowercase").set_value(False).run()
    assert "lowercase" not in app.query_params
    fixed = {key: control["default"] for key, control in declared.items() if control.get("fixed")}
    assert {"intervals": True, "lowercase": False, "slice": "", "without_systems": []}.items() <= fixed.items()
    lines = b"the cat sat on the mat\nit was a sunny day in the park\nwe all went home at night\n"
    declared.clear()
    upload(
        app, ("ref.txt", lines), ("a.txt", lines.replace(b"cat", b"dog")), ("b.txt", lines.replace(b"day", b"night"))
    )
    visit(app, "ranking/pairs")
    assert {key: control["default"] for key, control in declared.items() if key in fixed}.items() <= fixed.items()


def test_every_control_is_a_known_parameter(declared: dict[str, dict[str, Any]], app: AppTest) -> None:
    for path in BY_DAY:
        visit(app, path)
    assert declared.keys() <= KNOWN
    with pytest.raises(KeyError, match="control_keys"):
        UrlState().restore("unknown", "", read=len, fit=lambda value: value, controls={})


# --- on pages ----------------------------------------------------------------------------------------------------


def test_a_pair_that_is_the_default_of_another_metric_stays(app: AppTest) -> None:
    visit(app, "two-systems/difference")
    first = app.selectbox(key="pair_system").value
    other = next(name for name in app.selectbox(key="pair_system").options if name not in (first, "H1"))
    app.selectbox(key="pair_system").set_value(other).run()
    app.selectbox(key="pair_system").set_value(first).run()
    assert app.query_params["pair_system"] == first
    app.selectbox(key="metric").set_value("TER").run()
    assert app.selectbox(key="pair_system").value == first
    assert ABSENT not in app.session_state["url"].chosen.values()


def test_an_emptied_list_stays_empty_in_links(app: AppTest, opened: Opener) -> None:
    visit(app, "ranking/by-metric")
    app.multiselect(key="metrics_shown").set_value([]).run()
    assert "Choose at least one metric." in said(app)
    assert app.query_params["metrics_shown"] == ""
    other = opened("ranking/by-metric", metrics_shown="")
    assert other.multiselect(key="metrics_shown").value == []
    assert "Ignored" not in said(other)


@pytest.mark.parametrize(
    "value",
    ["inf", "-inf", "nan", "1e400", "-1", "٣", "1_0", " 1", "0x1", "", *nightly(["1e", "+1", "9" * 5000, "１"])],
)
@pytest.mark.parametrize("key", ["smoothing_value", "max_order"])
@pytest.mark.unknown_choices
def test_what_is_no_number_in_a_url_is_named(opened: Opener, key: str, value: str) -> None:
    app = opened("data", **{"smoothing": "add-k", key: value})
    assert not app.exception
    assert not app.error
    assert f"Ignored unknown values in the URL: {key}={value}".rstrip() in said(app)


@pytest.mark.parametrize("value", ["1e-3", "0.5", ".5", "2."])
def test_numbers_in_a_url_may_have_an_exponent(opened: Opener, value: str) -> None:
    app = opened("data", smoothing="add-k", smoothing_value=value)
    assert app.number_input(key="smoothing_value").value == float(value)
    assert "Ignored" not in said(app)


@pytest.mark.unknown_choices
def test_unknown_parameters_are_in_no_link_and_no_workspace(opened: Opener) -> None:
    app = opened("ranking/scores", utm_source="newsletter", level="0.01")
    assert not [code.value for code in app.code if "utm_source" in code.value]
    app.toggle(key="intervals").set_value(False).run()
    assert "utm_source" not in app.query_params
    assert app.query_params["level"] == "0.01"
