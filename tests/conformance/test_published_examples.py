"""The worked examples of Papineni et al. (2002), under six ways to split the text."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

SPLITS = {
    "words only (final period removed)": ("none", True),
    "13a (period is a token)": ("13a", False),
    "whitespace (period glued)": ("none", False),
}


@pytest.mark.parametrize("split", SPLITS)
@pytest.mark.parametrize("lowercase", [False, True])
def test_counts_of_the_worked_examples(
    tmp_path: Path, command: Callable[..., Any], expected: Callable[[str], Any], split: str, *, lowercase: bool
) -> None:
    values = expected("papineni_examples")
    texts = values["texts"]
    three = texts["references_ex1_ex3"]
    examples = {
        "ex1.cand1": (texts["cand1"], three),
        "ex1.cand2": (texts["cand2"], three),
        "ex2": texts["ex2"],
        "ex3.of_the": ("of the", three),
        "ex4.cand1": (texts["ex4"][0], texts["ex4"][2]),
        "ex4.cand2": (texts["ex4"][1], texts["ex4"][2]),
    }
    wanted = values["computed"][f"{split} | lowercase={lowercase}"]
    assert set(wanted) == set(examples)
    tokenizer, without_period = SPLITS[split]
    for name, (candidate, references) in examples.items():
        paths: list[Path] = []
        for position, text in enumerate([candidate, *references]):
            path = tmp_path / f"{name}.{position}.txt"
            path.write_text(text.removesuffix(".") if without_period else text, encoding="utf-8")
            paths.append(path)
        options = ["--tokenizer", tokenizer, "--lowercase" if lowercase else "--no-lowercase"]
        found = command("score", *(part for p in paths[1:] for part in ("--ref", p)), *options, paths[0])
        (system,) = found["systems"]
        counts = [f"{m}/{t}" for m, t in zip(system["matches"], system["totals"], strict=True)]
        assert counts == wanted[name]["counts"]
        assert system["hypothesis_length"] == wanted[name]["lens"][0]
