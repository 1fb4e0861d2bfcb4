"""The step of the recipe in docs/recipes, once it is registered: in the JSON, on the page and on the printed page."""

from __future__ import annotations
import __future__

import json
import re
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
import sample
from conftest import Runner
from jsonschema import Draft202012Validator
from pages import said, visit
from streamlit.testing.v1 import AppTest

import sample_data
from bleu_core.paper import Step
from bleu_core.paper.steps import register
from bleu_core.results.paper import paper_report_type
from bleu_core.results.schema import json_schema
from dashboard.exhibits import paper_figures
from dashboard.session.cache import Results
from dashboard.views.paper import page as paper_page

RECIPE = (Path(__file__).parents[2] / "docs" / "recipes" / "add-a-step-of-the-paper.md").read_text(encoding="utf-8")
NAME = "length_ratios"


@pytest.fixture
def step(monkeypatch: pytest.MonkeyPatch) -> Step:
    """The recipe's step, registered in its place."""
    code, figure, entry = re.findall(r"```python\n(.*?)```", RECIPE, re.DOTALL)
    place, before = re.findall(r'^ +"(\w+)",\n\+    "(\w+)",$', RECIPE, re.MULTILINE)[0]
    assert before == NAME
    full = f"{register.__package__}.{NAME}"
    module = ModuleType(full)
    monkeypatch.setitem(sys.modules, full, module)
    exec(compile(code, f"{NAME}.py", "exec"), vars(module))  # noqa: S102 # the recipe
    modules = list(register.MODULES)
    modules.insert(modules.index(place) + 1, NAME)
    monkeypatch.setattr(register, "MODULES", tuple(modules))
    draws = dict(vars(paper_figures))
    exec(compile(figure, "paper_figures.py", "exec", flags=__future__.annotations.compiler_flag), draws)  # noqa: S102
    added = eval(f"{{{entry}}}", draws)  # noqa: S307 # the recipe
    monkeypatch.setattr("dashboard.export.steps.STEP_FIGURES", {**paper_figures.STEP_FIGURES, **added})
    monkeypatch.setattr("dashboard.session.work.RESULTS", Results(2**30, 600))  # without results of other steps
    return vars(module)["STEP"]


@pytest.fixture
def offered(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """The files that the page offers, by name."""
    found: dict[str, Any] = {}

    def offer(_title: str, content: Any, file_name: str, *, key: str) -> None:  # noqa: ARG001
        found[file_name] = content

    monkeypatch.setattr(paper_page, "file_download", offer)
    return found


def call() -> list[object]:
    references = [option for path in sample_data.references() for option in ("--ref", path)]
    return ["paper", *references, *sample_data.systems(), "--draws", 10]


def ratios() -> dict[str, float]:
    evaluation = sample.repeated().evaluation
    lengths = evaluation.scores.hypothesis_length / evaluation.scores.reference_length
    return dict(zip(evaluation.systems, lengths.tolist(), strict=True))


def test_a_registered_step_is_in_every_format_of_the_command(run: Runner, step: Step) -> None:
    found = json.loads(run(*call(), "--format", "json").out)
    computed = {row["system"]: row["length_ratio"] for row in found[NAME]["computed"]}
    assert computed == pytest.approx(ratios())
    keys = list(found)
    assert keys.index("penalties") + 1 == keys.index(NAME)
    Draft202012Validator(json_schema("paper", paper_report_type())).validate(found)
    for form, comment in (("table", ""), ("tsv", "# "), ("latex", "% ")):
        lines = run(*call(), "--format", form).out.split("\n")
        assert comment + step.heading in lines


@pytest.mark.slow
def test_a_registered_step_is_on_the_page_and_on_the_printed_page(
    app: AppTest, step: Step, offered: dict[str, Any]
) -> None:
    visit(app, "paper")
    assert not app.exception
    assert step.heading in [block.value for block in app.header]
    contents = next(part.proto for part in app.get("bidi_component") if part.proto.component_name == "contents")
    assert {"anchor": NAME.replace("_", "-"), "title": "Length of the texts"} in json.loads(contents.json)["sections"]
    app.button(key="open-sections").click().run()
    assert step.look in said(app)
    (table,) = [d.value for d in app.dataframe if "length_ratio" in d.value.columns]
    assert dict(zip(table["system"], table["length_ratio"], strict=True)) == pytest.approx(ratios())
    (chart,) = [json.loads(c.proto.spec) for c in app.get("plotly_chart") if step.heading in c.proto.alt]
    assert dict(zip(chart["data"][0]["x"], chart["data"][0]["y"], strict=True)) == pytest.approx(ratios())
    assert json.loads(offered["paper.json"]())[NAME]["computed"]
    printed = offered["paper.html"]().decode()
    section = printed.split(f'<section id="{NAME}">')[1].split("</section>")[0]
    assert step.heading in section
    assert step.look in section
    assert "<figure>" in section
    assert f"{ratios()['S1']:.3f}" in section
