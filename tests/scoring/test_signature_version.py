"""The version of sacreBLEU in signatures, which is looked up without importing it."""

from __future__ import annotations

import importlib.metadata
import importlib.util
from collections.abc import Iterator

import pytest

from bleu_core import BleuSettings
from bleu_core.scoring import evaluation, signature


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
