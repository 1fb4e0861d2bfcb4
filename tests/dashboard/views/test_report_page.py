"""The Report page in a session without a browser: it follows settings, slice, stars and notes."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Any

import pytest
from conftest import Runner
from pages import said, untick, upload, visit, with_parameters
from streamlit.testing.v1 import AppTest

from dashboard.views.report import printed as report_page

REFERENCE = b"the cat sat on the mat\nit rains today\na dog barks\nhello world again my friend\n"
GOOD = b"the cat sat on the mat\nit rains today\na dog barks loud\nhello world again my dear\n"
FAIR = b"the cat sat on a mat\nit rains now\na dog bark\nhello world again my man\n"
POOR = b"cat sat on the rug\nrain today\ndog barks\nhello world my friend\n"


@pytest.fixture
def app(app: AppTest) -> AppTest:
    """A session on the sample data, of which all five systems are ranked."""
    return with_parameters(app, rank_humans="true")


@pytest.fixture
def offered(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """The file that the page offers, by name."""
    found: dict[str, Any] = {}

    def offer(_title: str, content: Any, file_name: str, *, key: str) -> None:  # noqa: ARG001
        found[file_name] = content

    monkeypatch.setattr(report_page, "file_download", offer)
    return found


def test_the_report_follows_settings_systems_slice_and_stars(app: AppTest, offered: dict[str, Any]) -> None:
    visit(app, "segments")
    app.button(key="reader-star").click().run()
    visit(app, "report")
    assert not app.exception
    whole = offered["report.html"]().decode()
    assert "H2 scores significantly higher than all others (38.80 BLEU)" in whole
    untick(app, "systems", "H2", "H1")
    app.session_state["slice"] = "segment in 1-100"
    visit(app, "report")
    assert not app.exception
    sliced = offered["report-segment-in-1-100.html"]().decode()
    assert "H2 scores significantly higher" not in sliced
    assert "Only 100 of 500 segments (segment in 1-100) were used." in sliced
    assert "--slice" in sliced
    assert "--exclude-system H1" in sliced
    app.session_state["report_parts"] = ["Scores"]
    app.text_input(key="report_heading").set_value("<b>For</b> the board")
    app.text_area(key="report_introduction").set_value("One.\n\nTwo.").run()
    chosen = offered["report-segment-in-1-100.html"]().decode()
    assert "<h1>&lt;b&gt;For&lt;/b&gt; the board</h1>\n<p>One.</p>\n<p>Two.</p>" in chosen
    assert "<h2>Scores</h2>" in chosen
    assert chosen.count("<h2>") == 1
    app.session_state["report_form"] = "short"
    app.run()
    assert "10 segments: " in said(app)
    assert '<body class="short lines-' in offered["report-segment-in-1-100.html"]().decode()


def test_the_commands_of_a_report_compute_its_numbers(
    app: AppTest, offered: dict[str, Any], run: Runner, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = {"ref.txt": REFERENCE, "good.txt": GOOD, "fair.txt": FAIR, "my poor.txt": POOR}
    upload(app, *files.items())
    for name, content in files.items():
        (tmp_path / name).write_bytes(content)
    monkeypatch.chdir(tmp_path)
    app.session_state["lowercase"] = True
    app.session_state["max_order"] = 2
    untick(app, "systems", "fair")
    visit(app, "report")
    assert not app.exception
    text = offered["report.html"]().decode().replace("&#39;", "'")
    calls = [
        line.partition("<code>")[2].removesuffix("</code></pre>") for line in text.split("\n") if "bleu-core " in line
    ]
    score = next(shlex.split(call) for call in calls if call.startswith("bleu-core score"))
    found = run(*score[1:], "--format", "json").json
    assert found["signature"] in text
    assert [system["system"] for system in found["systems"]] == ["good", "my poor"]
    for system in found["systems"]:
        assert f'<td class="right">{system["bleu"]:.2f}</td>' in text
    compare = next(shlex.split(call) for call in calls if call.startswith("bleu-core compare"))
    (pair,) = run(*compare[1:], "--format", "json").json["pairs"]
    assert (pair["system"], pair["baseline"]) == ("good", "my poor")
    assert f'<td class="right">+{pair["delta"]:.2f}</td>' in text
