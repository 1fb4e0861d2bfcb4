"""What BLEU cannot see, on the Paper page: the numbers of the command, computed when they are asked for."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from conftest import Runner
from pages import load, said, visit, with_parameters
from streamlit.testing.v1 import AppTest

import sample_data
from dashboard.analysis import probes
from dashboard.session.cache import Results
from dashboard.views.paper import page as paper_page

HOSTILE = "<img src=x onerror=alert(1)> **b** $x$ [l](javascript:alert(1)) not now."


def unfold(app: AppTest) -> AppTest:
    """The page with its last section open."""
    vars(app)["_session_state"]["section-what-bleu-cannot-see"] = True
    return visit(app, "paper")


@pytest.fixture
def page(app: AppTest) -> AppTest:
    """A session that scores by BLEU and WER alone, which takes less time."""
    return with_parameters(app, probe_metrics="WER")


def overview(app: AppTest) -> Any:
    """The table of probes and metrics."""
    return next(d.value for d in app.dataframe if "probe" in d.value.columns and "bleu" in d.value.columns)


def all_scores(app: AppTest) -> Any:
    """The table of all scores."""
    return next(d.value for d in app.dataframe if "delta_changed" in d.value.columns)


@pytest.fixture
def fresh(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The systems that were probed since, without results from before."""
    monkeypatch.setattr("dashboard.session.work.RESULTS", Results(2**30, 600))
    probed: list[str] = []
    original = probes.probe_system

    def note(material: Any, system: str, **options: Any) -> Any:
        probed.append(system)
        return original(material, system, **options)

    monkeypatch.setattr(probes, "probe_system", note)
    return probed


def test_nothing_is_computed_before_the_section_is_unfolded(page: AppTest, fresh: list[str]) -> None:
    app = visit(page, "paper")
    assert "What BLEU cannot see" in [header.value for header in app.header]
    assert fresh == []
    unfold(app)
    assert fresh[0] == "H2"  # the leader
    again = len(fresh)
    app.number_input(key="probe_position").set_value(2).run()
    assert len(fresh) == again
    assert not app.exception


def test_scores_are_those_of_the_command(page: AppTest, run: Runner) -> None:
    app = unfold(page)
    folder = sample_data.references()[0].parent.parent
    call = [
        "--metric",
        "bleu",
        "--metric",
        "wer",
        "--preset",
        "paper",
        "--ref",
        folder / "references" / "R1.txt",
        "--ref",
        folder / "references" / "R2.txt",
    ]
    report = run("probe", *call, folder / "systems" / "H2.txt", "--format", "json").json["probes"]
    assert overview(app)["changed"].tolist() == [one["changed"] for one in report]
    assert overview(app)["bleu"].tolist() == [one["scores"][0]["delta"] for one in report]
    found = all_scores(app)
    scores = [score for one in report for score in one["scores"]]
    for name in ("before", "after", "before_changed", "after_changed"):
        assert found[name].tolist() == [score[name] for score in scores]
    assert "Dropping a negation in 127 of 500 segments lowers BLEU by" in said(app)
    assert "the human translation R1 has" in said(app)


def test_another_system_metric_or_seed_is_chosen_and_goes_into_the_address(app: AppTest) -> None:
    unfold(with_parameters(app, probed_system="S2", probe_metrics="WER", probe_seed="7"))
    assert app.selectbox(key="probed_system").value == "S2"
    assert overview(app).columns.tolist() == ["probe", "changed", "bleu", "wer"]
    before = overview(app)["bleu"].tolist()
    app.number_input(key="probe_seed").set_value(8).run()
    assert overview(app)["bleu"].tolist() != before
    assert "8" in app.query_params["probe_seed"]
    assert "S2" in app.query_params["probed_system"]


def test_each_change_is_read_segment_by_segment(page: AppTest) -> None:
    app = unfold(page)
    assert "orders of the chunks of this segment, none has a lower BLEU than the output." in said(app)
    app.selectbox(key="probe").select("A number changed").run()
    app.number_input(key="probe_position").set_value(3).run()
    assert not app.exception
    marked = [block.proto.body for block in app.get("html") if 'class="different"' in block.proto.body]
    assert len([body for body in marked if "segment-text" in body]) == 2
    app.selectbox(key="probe").select("A sentence cut").run()
    assert not app.exception


def test_text_of_users_is_shown_as_it_is(app: AppTest) -> None:
    lines = "".join(f"{HOSTILE} It was {n}.\n" for n in range(3)).encode()
    load(app, ("ref.txt", lines.replace(b"not", b"never")), ("**b**.txt", lines), ("s.txt", lines[1:]))
    unfold(app)
    assert not app.exception
    shown = "".join(block.proto.body for block in app.get("html"))
    assert "<img" not in shown
    assert "&lt;img" in shown
    assert "there is one reference, and two are needed" in said(app)


def test_the_printed_page_has_the_section(page: AppTest, monkeypatch: pytest.MonkeyPatch) -> None:
    found: dict[str, Callable[[], bytes]] = {}

    def offer(_title: str, content: Callable[[], bytes], file_name: str, *, key: str) -> None:  # noqa: ARG001
        found[file_name] = content

    monkeypatch.setattr(paper_page, "file_download", offer)
    visit(page, "paper")
    printed = found["paper.html"]().decode()
    _, _, section = printed.partition('<section id="what-bleu-cannot-see">')
    for text in (
        "What BLEU cannot see",
        "The output is that of H2.",
        "A negation dropped. Dropping a negation in",
        "DEMETR",
    ):
        assert text in section
    assert json.loads(found["paper.json"]())["tool"] == "bleu-core"
