"""Texts for people keep to docs/style.md: no form that it excludes stands in the program or the documentation."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from sentences import collect
from style import offences

ROOT = Path(__file__).parents[1]


@pytest.mark.parametrize(
    "pages",
    [False, pytest.param(True, marks=pytest.mark.slow)],  # what pages open with is checked where they are opened
    ids=["in the code", "on the pages, with all choices"],
)
def test_texts_of_the_program_keep_to_the_style(*, pages: bool) -> None:
    of_texts = {f"{place}: {text[:160]}": offences(text) for text, place in collect(pages=pages).items()}
    assert {text: forms for text, forms in of_texts.items() if forms} == {}


@pytest.mark.parametrize(
    "page", [*ROOT.glob("docs/*.md"), *ROOT.glob("docs/recipes/*.md"), ROOT / "README.md"], ids=lambda page: page.name
)
def test_the_documentation_keeps_to_the_style(page: Path) -> None:
    prose = re.sub(r"```.*?```|^    .*?$", "", page.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE)
    lines = [line for line in prose.split("\n") if not (line.startswith("| ") and page.name == "style.md")]
    assert {line: offences(line) for line in lines if offences(line)} == {}


@pytest.mark.parametrize(
    ("text", "offending"),
    [
        ("95 % interval", True),
        ("95% interval", False),
        ("Kendall's τ is 0.2", True),
        ("one segment a line", True),
        ("one segment per line", False),
        ("Unknown tokenizer", True),
        ("--tokenizer char", False),
        ("(-0.2 to 0.8)", True),
        ("(−0.2 to 0.8)", False),
        ("Each against each", True),
    ],
)
def test_banned_forms_are_found(text: str, *, offending: bool) -> None:
    assert bool(offences(text)) is offending
