"""Several test sets in a session: all pages and the URL show the chosen one, and switching computes nothing again."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from conftest import Downloads, Holder, Opener, Runner
from nightly import nightly
from pages import load, said, upload, visit
from streamlit.testing.v1 import AppTest

from bleu_core.diagnostics import WARNINGS
from bleu_core.uploads import File
from dashboard import session
from dashboard.session import work
from dashboard.session.cache import SessionState


def lines(*texts: str) -> bytes:
    return "".join(f"{text}\n" for text in texts).encode()


NEWS = [f"the minister spoke {n} times about taxes in the {n + 3} rooms" for n in range(12)]
CHAT = [f"hi there friend number {n} how are you on day {n + 1}" for n in range(8)]


def file(name: str, texts: list[str], role: Any, test_set: str) -> File:
    return File(name, lines(*texts), role, test_set=test_set)


def altered(texts: list[str], old: str, new: str) -> list[str]:
    return [text.replace(old, new) for text in texts]


def two_sets() -> tuple[File, ...]:
    """Two test sets with files of the same names; the system C is in the first one only."""
    return (
        file("ref.txt", NEWS, "reference", "news"),
        file("A.txt", altered(NEWS, "spoke", "talked"), "system", "news"),
        file("B.txt", altered(NEWS, "the", "a"), "system", "news"),
        file("C.txt", altered(NEWS, "taxes", "tax"), "system", "news"),
        file("ref.txt", CHAT, "reference", "chat"),
        file("A.txt", altered(CHAT, "friend", "mate"), "system", "chat"),
        file("B.txt", altered(CHAT, "how are", "how were"), "system", "chat"),
    )


@pytest.fixture
def app(holding: Holder) -> AppTest:
    return visit(holding(two_sets()), "data")


def choose(app: AppTest, name: str) -> AppTest:
    return app.selectbox(key="shown_set").select(name).run()


def in_use(app: AppTest) -> str:
    return next(caption.value for caption in app.caption if caption.value.startswith("In use"))


def test_the_chosen_set_is_shown_and_named_in_the_url(app: AppTest) -> None:
    assert app.selectbox(key="shown_set").label == "Test set"
    assert app.selectbox(key="shown_set").value == "news"
    assert app.query_params["set"] == "news"
    assert "3 systems, 1 reference, 12 segments" in in_use(app)
    first = app.query_params["data"]
    choose(app, "chat")
    assert app.query_params["set"] == "chat"
    assert app.query_params["data"] != first
    assert app.query_params["files"] == "ref.txt, A.txt, B.txt"
    assert "2 systems, 1 reference, 8 segments" in in_use(app)
    choose(app, "news")
    assert app.query_params["data"] == first


def test_one_set_has_no_box_and_no_parameter_whatever_its_name(holding: Holder) -> None:
    plain = holding(tuple(file for file in two_sets() if file.test_set == "chat"))
    assert "set" not in plain.query_params
    assert not [box for box in plain.selectbox if box.key == "shown_set"]


def test_the_url_of_one_set_is_that_of_the_same_files_without_a_name(
    app: AppTest, opened: Opener, holding: Holder
) -> None:
    named = holding(tuple(file for file in two_sets() if file.test_set == "chat"))
    unnamed = upload(opened("data"), *((f.name, f.data) for f in two_sets() if f.test_set == "chat"))
    assert dict(named.query_params) == dict(unnamed.query_params)
    choose(app, "chat")
    assert app.query_params["data"] == unnamed.query_params["data"]


def test_a_link_shows_its_set_to_people_with_the_same_files(app: AppTest, opened: Opener) -> None:
    choose(app, "chat")
    app.session_state["without_systems"] = ["B"]
    app.run()
    link = dict(app.query_params)
    other = opened("data", **link)
    assert "The data of this address are not loaded" in said(other)
    load(other, *two_sets()).run()
    assert other.selectbox(key="shown_set").value == "chat"
    assert other.session_state["without_systems"] == ["B"]
    assert dict(other.query_params) == link


def test_a_link_to_a_set_of_another_name_shows_the_same_data(app: AppTest, opened: Opener) -> None:
    choose(app, "chat")
    link = dict(app.query_params)
    other = load(opened("data", **link | {"set": "Chat 2024"}), *two_sets()).run()
    assert other.selectbox(key="shown_set").value == "chat"
    assert other.query_params["set"] == "chat"
    alone = upload(opened("data", **link), *((f.name, f.data) for f in two_sets() if f.test_set == "chat"))
    assert session_link(alone) is None
    assert "set" not in alone.query_params


def session_link(app: AppTest) -> Any:
    return app.session_state["url"].link


def test_a_link_without_a_set_opens_the_set_with_its_data(opened: Opener) -> None:
    alone = upload(opened("data"), *((f.name, f.data) for f in two_sets() if f.test_set == "chat"))
    link = dict(alone.query_params)
    other = load(opened("data", **link), *two_sets()).run()
    assert other.selectbox(key="shown_set").value == "chat"


def test_a_choice_holds_in_each_set_that_has_the_name(app: AppTest) -> None:
    app.session_state["without_systems"] = ["A", "C"]
    app.run()
    visit(app, "ranking")
    choose(app, "chat")
    assert not app.exception
    assert app.session_state["without_systems"] == ["A"]
    assert app.query_params["without_systems"] == "A"
    assert "gnored" not in said(app)
    app.session_state["without_systems"] = ["B"]
    app.run()
    choose(app, "news")
    assert app.session_state["without_systems"] == ["B", "C"]


def test_resetting_a_choice_resets_it_for_all_sets(app: AppTest) -> None:
    app.session_state["without_systems"] = ["C", "A"]
    app.run()
    choose(app, "chat")
    app.button(key="reset-all").click().run()
    choose(app, "news")
    assert app.session_state["without_systems"] == []


def test_a_warning_is_dismissed_for_one_set(app: AppTest) -> None:
    warning = next(iter(WARNINGS))
    app.session_state["dismissed"] = [warning]
    app.run()
    choose(app, "chat")
    assert app.session_state["dismissed"] == []
    assert "dismissed" not in app.query_params
    choose(app, "news")
    assert app.session_state["dismissed"] == [warning]


def test_a_slice_that_a_set_does_not_support_is_set_aside_there(app: AppTest) -> None:
    app.session_state["slice"] = "segment > 9"
    visit(app, "ranking")
    assert app.query_params["slice"] == "segment > 9"
    choose(app, "chat")
    assert not app.error
    assert "slice" not in app.query_params
    assert "All segments are shown: the slice “segment > 9” cannot be used in the test set chat." in said(app)
    choose(app, "news")
    assert app.query_params["slice"] == "segment > 9"
    assert "cannot be used" not in said(app)


def test_a_slice_that_all_sets_support_stays(app: AppTest) -> None:
    app.session_state["slice"] = "segment > 4"
    app.run()
    visit(app, "ranking")
    choose(app, "chat")
    assert app.query_params["slice"] == "segment > 4"


def test_an_unknown_set_in_the_url_is_ignored_with_a_message(opened: Opener) -> None:
    assert "Ignored unknown values in the URL: set=nowhere." in said(opened("ranking", set="nowhere"))


def test_switching_back_reads_and_computes_nothing_again(app: AppTest, monkeypatch: pytest.MonkeyPatch) -> None:
    visit(app, "ranking")
    choose(app, "chat")
    choose(app, "news")
    computed: list[str] = []
    once: Callable[..., Any] = work.ComputedOnce._once  # noqa: SLF001 # pyright: ignore[reportPrivateUsage]

    def counted(self: Any, key: Any, *args: Any, **kwargs: Any) -> Any:
        if work.RESULTS.get(key) is None:
            computed.append(key.kind)
        return once(self, key, *args, **kwargs)

    monkeypatch.setattr(work.ComputedOnce, "_once", counted)
    choose(app, "chat")
    choose(app, "news")
    assert computed == []


def code_of(app: AppTest, language: str) -> str:
    return "\n".join(block.value for block in app.code if block.language == language)


def test_the_code_names_the_files_of_the_chosen_set_only(app: AppTest, downloads: Downloads) -> None:
    choose(app, "chat")
    app.session_state["section-code"] = True
    visit(app, "ranking")
    assert "A.txt" in code_of(app, "python")
    assert "C.txt" not in code_of(app, "python") + code_of(app, "bash")
    scores = downloads["tsv-scores"]().decode()
    for texts in two_sets():
        if texts.test_set == "chat":
            Path(texts.name).write_bytes(texts.data)
    names: dict[str, Any] = {}
    exec(code_of(app, "python"), names)  # noqa: S102 # this is what people do with it
    assert tuple(names["evaluation"].systems) == ("A", "B")
    assert f"{names['evaluation'].scores.score[0]:.6f}"[:7] in scores


def test_a_saved_workspace_gives_commands_and_code_the_chosen_set(
    app: AppTest, downloads: Downloads, run: Runner
) -> None:
    choose(app, "chat")
    files = list(app.session_state["held"].files)
    files[5] = replace(files[5], renamed="Ours")  # so that the code needs the workspace
    app.session_state["held"].files = tuple(files)
    app.session_state["section-code"] = True
    visit(app, "ranking")
    Path("workspace.bleu.zip").write_bytes(downloads["save-workspace"]())
    names: dict[str, Any] = {}
    exec(code_of(app, "python"), names)  # noqa: S102
    assert list(names["corpus"].systems) == ["Ours", "B"]
    result = run("score", "--workspace", "workspace.bleu.zip", "--format", "json")
    assert [system["system"] for system in result.json["systems"]] == ["Ours", "B"]
    note = "the workspace has 2 test sets; chat is used, which was shown when it was saved"
    assert any(note in warning for warning in result.json["warnings"])
    assert note in result.err


def test_results_of_sets_are_kept_apart_and_a_name_does_not_count() -> None:
    state = SessionState()
    state.files = two_sets()
    scopes = {name: state.scope_of(name) for name in state.test_sets}
    assert len(set(scopes.values())) == 2
    state.files = tuple(File(f.name, f.data, f.role, test_set=f"{f.test_set} 2024") for f in state.files)
    assert [state.scope_of(f"{name} 2024") for name in scopes] == list(scopes.values())


def test_files_of_the_server_have_no_owner_set_by_set_as_long_as_the_names_are_its_own() -> None:
    state = SessionState()
    state.files = state.opened = two_sets()
    assert {state.scope_of(name).owner for name in state.test_sets} == {""}
    state.files = state.files[:-1]
    assert [state.scope_of(name).owner for name in state.test_sets] == ["", state.key]
    state.files = tuple(File(f.name, f.data, f.role, test_set="secret") for f in state.files if f.test_set == "news")
    assert state.scope_of("secret").owner == state.key


def test_without_files_there_is_one_set_without_a_name() -> None:
    assert SessionState().test_sets == ("",)
    assert SessionState().scope.owner == ""
    assert session.set_label("") == "Unnamed"


RATED = [
    "segment,system,judge,score",
    *(f"{n + 1},{name},J{j},{n % 5 + j}" for n in range(12) for name in "AB" for j in (0, 1)),
]


@pytest.mark.parametrize(
    "page",
    ["ranking/pairs", "agreement/by-system", *nightly(["two-systems/difference", "segments", "campaign/design"])],
)
def test_pages_follow_the_chosen_set_also_to_one_without_ratings(holding: Holder, page: str) -> None:
    app = holding((*two_sets(), File("human.csv", lines(*RATED), "judgments", test_set="news")))
    app.session_state["without_judges"] = ["J1"]
    visit(app, page)
    for name in ("chat", "news"):
        choose(app, name)
        assert not app.exception
        assert not app.error
        assert "gnored unknown" not in said(app)
    assert app.session_state["without_judges"] == ["J1"]
