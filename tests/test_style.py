"""Texts for people keep to docs/style.md: no form that it excludes stands in the program or the documentation."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from sentences import collect

ROOT = Path(__file__).parents[1]

#: Form -> what docs/style.md wants instead.
BANNED = {
    r"\d [%]": "no space before the per cent sign",
    r"[τρα]": "the coefficient's name in words",
    r"\bPearson r\b|\bKendall tau\b": "Pearson's r, Kendall's tau",
    r"\b(?<!-)(?<!_)tokenizers?\b(?![_=:`'\"\]])": "tokeniser",
    r"\b(standardiz|normaliz|recogniz|randomiz|summariz)\w*": "British spelling",
    r"\bcolors?\b": "colour",
    r"\b(told|tells?|telling) [\w ,]*\bapart\b|\btells? \w+ from\b": "a difference is significant or not",
    r"\bshown to be\b|\bnot shown\b|differences? (?:is |are )?real\b": "significant",
    r"\beach against each\b|\bevery two\b|\beach two\b": "pairwise, pairs of",
    r"\bas it is set\b|\bas it lies\b": "with the current settings",
    r"\b(?:segment|system|pair|module|row|document|id|column|weight)s? an? (?:line|row|order|page|block)\b": "per",
    r"\bgive or take\b|\bcould as well\b|\bits? kin\b": "plain English",
    r"\bleave out\b.*\bnone\b": "no double negatives",
    r"\bheld against\b|\bsays nothing\b|\bnothing can be said\b": "compared with, not informative, undefined",
    r"(?<=[ (])-\d+(?:\.\d+)?(?= to |\)|,? and )": "U+2212 for minus",
}

#: Of programs: signatures, options, keys and code, in which identifiers stand as they are.
CODE = re.compile(r"`[^`]*`|--[\w-]+(?:[ =][\w|,.-]+)?|nrefs:\S+|%\{.*?\}|\{[^{}]*\}|<[^<>]*>|[\w.]+_[\w.]+|\"[\w-]+\"")


def _offences(text: str) -> list[str]:
    """What a text does that docs/style.md excludes."""
    prose = CODE.sub("…", text)
    return [
        f"{match[0]!r}: {wanted}"
        for form, wanted in BANNED.items()
        for match in re.finditer(form, prose, re.IGNORECASE if form.startswith(r"\b") else 0)
    ]


def test_texts_of_the_program_keep_to_the_style() -> None:
    found = {f"{place}: {text[:160]}": _offences(text) for text, place in collect().items()}
    assert {text: offences for text, offences in found.items() if offences} == {}


@pytest.mark.parametrize(
    "page", [*ROOT.glob("docs/*.md"), *ROOT.glob("docs/recipes/*.md"), ROOT / "README.md"], ids=lambda page: page.name
)
def test_the_documentation_keeps_to_the_style(page: Path) -> None:
    prose = re.sub(r"```.*?```|^    .*?$", "", page.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE)
    lines = [line for line in prose.split("\n") if not (line.startswith("| ") and page.name == "style.md")]
    assert {line: _offences(line) for line in lines if _offences(line)} == {}


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
    assert bool(_offences(text)) is offending
