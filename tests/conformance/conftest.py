"""Where the evaluation data is, and the command run on it."""

from __future__ import annotations

import contextlib
import functools
import io
import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from bleu_core.cli.commands import main

VARIABLE = "BLEU_CONFORMANCE_DATA"


@pytest.fixture(scope="session")
def folder() -> Path:
    """The folder with data/ and expected/; without it nothing here runs."""
    named = os.environ.get(VARIABLE)
    if not named:
        pytest.skip(f"{VARIABLE} names no folder with evaluation data; see tests/conformance/README.md")
    return Path(named)


@functools.cache
def _command(*arguments: str) -> str:
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        status = main(arguments)
    assert status == 0, err.getvalue()
    return out.getvalue()


@pytest.fixture(scope="session")
def output() -> Callable[..., str]:
    """What the command prints; equal calls are made once."""
    return lambda *arguments: _command(*map(str, arguments))


@pytest.fixture(scope="session")
def command(output: Callable[..., str]) -> Callable[..., Any]:
    """The command's JSON."""
    return lambda *arguments: json.loads(output(*arguments, "--format", "json"))


@pytest.fixture(scope="session")
def expected(folder: Path) -> Callable[[str], Any]:
    """What other programs found, by the name of the set."""
    return lambda name: json.loads((folder / "expected" / f"{name}.json").read_text(encoding="utf-8"))
