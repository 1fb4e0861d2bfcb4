"""The state of the URL: what controls take from it, and what it says of them."""

from __future__ import annotations

from typing import Any

import pytest

from dashboard.session.url import ABSENT, Link, UrlState, renewed, written

OPTIONS = ("bleu", "chrf", "ter")


def restore(url: UrlState, controls: dict[str, Any], key: str = "metric", default: str = "bleu") -> Any:
    def fit(value: str) -> Any:
        return value if value in OPTIONS else ABSENT

    url.restore(key, default, read=lambda given: given[0], fit=fit, controls=controls)
    return controls[key]


@pytest.mark.unknown_choices
def test_a_control_begins_with_its_parameter_or_its_default() -> None:
    controls: dict[str, Any] = {}
    arrived = {"metric": ["ter"], "score": ["comet"]}
    url = UrlState(arrived=arrived, opened=arrived)
    assert restore(url, controls) == "ter"
    assert restore(url, controls, "segment_metric") == "bleu"
    assert restore(url, controls, "score") == "bleu"
    assert url.ignored == {"score": ["comet"]}


def test_a_control_keeps_its_value_while_it_is_not_drawn() -> None:
    controls: dict[str, Any] = {}
    url = UrlState()
    restore(url, controls)
    controls["metric"] = "chrf"
    url.keep(controls)
    del controls["metric"]  # as Streamlit does where a page does not draw the widget
    url.begin_run()
    assert url.parameters(controls) == {"metric": ["chrf"]}
    assert restore(url, controls) == "chrf"


def test_a_control_is_restored_once_in_a_run() -> None:
    controls: dict[str, Any] = {}
    url = UrlState(arrived={"metric": ["ter"]})
    restore(url, controls)
    controls["metric"] = "chrf"  # by the widget, which has been drawn
    assert restore(url, controls) == "chrf"


def test_a_new_default_replaces_the_old_one_where_nothing_was_chosen() -> None:
    controls: dict[str, Any] = {}
    url = UrlState()
    restore(url, controls)
    url.begin_run()
    assert restore(url, controls, default="ter") == "ter"
    controls["metric"] = "chrf"
    url.begin_run()
    assert restore(url, controls, default="bleu") == "chrf"


def test_parameters_of_pages_not_opened_yet_stay() -> None:
    controls: dict[str, Any] = {}
    url = UrlState(arrived={"metric": ["ter"], "seed": ["1"], "data": ["digest"]})
    restore(url, controls)
    url.keep(controls)
    assert url.parameters(controls) == {"metric": ["ter"], "seed": ["1"]}
    url.begin_with({"seed": ["2"]}, controls)
    assert "metric" not in controls
    url.begin_run()
    assert restore(url, controls) == "bleu"
    url.keep(controls)
    assert url.parameters(controls) == {"seed": ["2"]}


def test_the_url_is_written_once_for_each_change_by_hand() -> None:
    url = UrlState(following=False)
    assert url.must_write({}, {"data": ["d"], "metric": ["ter"]}, of_other_data=False)
    same = {"data": ["d"], "metric": ["ter"]}
    assert not url.must_write(same, same, of_other_data=False)


@pytest.mark.parametrize("of", ["these data", "a link", "other data"])
def test_a_url_that_was_followed_is_replaced_only_for_other_data(of: str) -> None:
    url, other = UrlState(link=Link("d", "", {}) if of == "a link" else None), of == "other data"
    found, wanted = {"metric": ["TER"]}, {"data": ["d"], "metric": ["ter"]}
    assert url.must_write(found, wanted, of_other_data=other) == (of != "these data")
    url.following = False
    assert url.must_write(found, wanted, of_other_data=other) == (of != "these data")
    assert url.must_write(found, {**wanted, "level": ["0.01"]}, of_other_data=other)


def test_values_keep_all_their_digits() -> None:
    assert written(0.1234567) == ["0.1234567"]
    assert written(1e-9) == ["1e-09"]
    assert written([]) == [""]
    assert [written(value) for value in (True, False)] == [["true"], ["false"]]
    assert written(("a", "b, c")) == ["a", "b, c"]


def test_names_that_a_test_set_lacks_return_with_one_that_has_them() -> None:
    controls: dict[str, Any] = {"without": ["A", "C"]}
    url = UrlState(names={"without": ["A", "B", "C"]})
    url.change_set(controls)
    assert controls["without"] == ["A", "C"]
    controls["without"], url.names["without"] = ["B"], ["A", "B"]  # what the next set has, as chosen there
    url.change_set(controls)
    assert controls["without"] == ["B", "C"]
    url.defaults["without"] = []
    url.reset(["without"], controls)
    url.change_set(controls)
    assert controls["without"] == []


# --- choices that equal a default ------------------------------------------------------------------------------


def test_a_chosen_value_stays_when_the_default_changes_to_it_and_back() -> None:
    controls: dict[str, Any] = {}
    url = UrlState()
    restore(url, controls)
    controls["metric"] = "chrf"
    for default in ("bleu", "chrf", "ter"):
        url.begin_run()
        assert restore(url, controls, default=default) == "chrf"
        assert url.parameters(controls) == {"metric": ["chrf"]}
    controls["metric"] = "ter"  # the default
    url.keep(controls)
    assert url.parameters(controls) == {"metric": ["ter"]}
    assert "metric" not in url.changed(controls)


def test_a_choice_that_is_not_possible_is_used_again_once_it_is() -> None:
    controls: dict[str, Any] = {}
    url = UrlState(arrived={"metric": ["human"]})
    assert restore(url, controls) == "bleu"
    assert url.parameters(controls) == {}
    url.begin_run()
    url.restore("metric", "bleu", read=lambda given: given[0], fit=lambda value: value, controls=controls)
    assert controls["metric"] == "human"
    url.begin_run()
    assert restore(url, controls) == "bleu"
    url.reset(["metric"], controls)
    url.begin_run()
    url.restore("metric", "bleu", read=lambda given: given[0], fit=lambda value: value, controls=controls)
    assert controls["metric"] == "bleu"


@pytest.mark.unknown_choices
def test_unknown_values_are_named_only_for_the_url_that_was_opened_and_until_something_is_chosen() -> None:
    controls: dict[str, Any] = {}
    url = UrlState(defaults={"metric": "bleu"})
    url.begin_with({"metric": ["human"]}, controls, opened=True)
    restore(url, controls)
    assert url.ignored == {"metric": ["human"]}
    controls["metric"] = "chrf"
    url.keep(controls)
    assert url.ignored == {}
    url.begin_run()
    url.begin_with({"metric": ["human"]}, controls)  # as Back does
    restore(url, controls)
    assert url.ignored == {}


def test_a_url_keeps_only_known_parameters() -> None:
    found = {"utm_source": ["x"], "fbclid": ["y"], "metric": ["TER"], "data": ["d"], "set": ["s"]}
    assert renewed(found) == {"metric": ["TER"], "data": ["d"], "set": ["s"]}


def test_an_url_that_asks_for_tokenisers_by_language_has_the_default() -> None:
    assert renewed({"tokenizer_by_language": ["true"], "tokenizer": ["char"], "metric": ["BLEU"]}) == {
        "metric": ["BLEU"]
    }
    assert renewed({"tokenizer_by_language": ["false"], "tokenizer": ["char"]}) == {"tokenizer": ["char"]}
