"""What happens before anything is counted."""

from __future__ import annotations

import importlib.metadata
import importlib.util
import subprocess
import sys
from collections.abc import Iterator

import pytest

from bleu_core import BleuSettings, evaluation
from bleu_core.evaluation import signature


@pytest.fixture(autouse=True)
def _read_anew() -> Iterator[None]:
    read = evaluation._sacrebleu_version  # noqa: SLF001 # pyright: ignore[reportPrivateUsage]
    read.cache_clear()
    yield
    read.cache_clear()


@pytest.mark.parametrize("found", [True, False])
def test_the_signature_has_the_version_of_sacrebleu_installed(
    monkeypatch: pytest.MonkeyPatch,
    found: bool,  # noqa: FBT001
) -> None:
    if not found:
        monkeypatch.setattr(importlib.util, "find_spec", lambda _: None)
    assert signature(BleuSettings(), 1).endswith(f"|version:{importlib.metadata.version('sacrebleu')}")


@pytest.mark.parametrize(("program", "threads"), [("bleu-core", "1"), ("other", "None")])
def test_only_the_command_keeps_blas_at_one_thread(program: str, threads: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENBLAS_NUM_THREADS", raising=False)
    script = "import os, sys; sys.argv = [sys.argv[1]]; import bleu_core; print(os.environ.get('OPENBLAS_NUM_THREADS'))"
    run = subprocess.run([sys.executable, "-c", script, program], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == threads
