"""The page References: what `bleu-core references` finds, and what to do with one reference."""

from __future__ import annotations

import json
from collections.abc import Mapping

import pytest
from calls import SAMPLE, SEGMENTS
from conftest import Opener, Runner, Writer
from pages import load, said, visit
from streamlit.testing.v1 import AppTest

import sample_data

SYSTEMS = ("S1", "S2", "S3")
REFERENCES = {path.stem: path.read_text(encoding="utf-8").split("\n")[:SEGMENTS] for path in sample_data.references()}


def texts(*references: str) -> dict[str, str]:
    """Three systems and some references, by the names of their files."""
    found = {f"{name}.txt": "\n".join(SAMPLE[name]) + "\n" for name in SYSTEMS}
    return found | {f"ref.{name}.txt": "\n".join(REFERENCES[name]) + "\n" for name in references}


def page(opened: Opener, files: Mapping[str, str], **parameters: str) -> AppTest:
    app = opened("", **parameters)
    load(app, *((name, text.encode()) for name, text in files.items()))
    return visit(app, "ranking/by-reference")


@pytest.mark.parametrize("metric", [("BLEU", "bleu"), pytest.param(("chrF2", "chrf2"), marks=pytest.mark.slow)])
def test_tables_are_those_of_the_command(opened: Opener, run: Runner, write: Writer, metric: tuple[str, str]) -> None:
    files = texts("R1", "R2")
    app = page(opened, files, metric=metric[0])
    assert not app.exception
    paths = {name: write(name, text) for name, text in files.items()}
    refs = [part for name, path in paths.items() if name.startswith("ref") for part in ("--ref", path)]
    call = ["references", *refs, "--metric", metric[1], "--format", "json"]
    printed = json.loads(run(*call, *(paths[f"{name}.txt"] for name in SYSTEMS)).out)
    scores, advantages, pairs = (frame.value for frame in app.dataframe)
    together = {one["system"]: one["score"] for one in printed["rankings"][-1]["systems"]}
    assert dict(zip(scores["system"], scores["score_all_references"], strict=True)) == pytest.approx(together)
    first = [one["advantage"] for one in printed["advantages"] if one["reference"] == printed["references"][0]]
    expected = sorted(first, reverse=True)  # those with the other of two references have the opposite sign only
    assert "the same with the opposite sign" in said(app)
    assert advantages["advantage"].tolist() == pytest.approx(expected)
    assert pairs["tau"].tolist() == pytest.approx([one["tau"] for one in printed["pairs"]])


def test_one_reference_is_not_enough_and_the_page_says_what_to_do(opened: Opener) -> None:
    app = page(opened, texts("R1"))
    assert not app.exception
    assert "needs two: 1 reference in use, at least 2 expected; add another reference" in said(app)
    assert not app.dataframe
