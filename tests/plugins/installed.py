"""Packages of other people, installed for one test."""

from __future__ import annotations

import shutil
import sys
import tomllib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType

import pytest

from bleu_core.scoring.metrics import register

HERE = Path(__file__).parent


@contextmanager
def installed(site: Path, monkeypatch: pytest.MonkeyPatch, packages: Mapping[str, Mapping[str, str]]) -> Iterator[None]:
    """Make packages importable, with the metadata that an installation writes.

    Args:
        site: an empty folder.
        monkeypatch: of the test.
        packages: distribution -> its entry points of metrics, name -> object.
    """
    for package, entry_points in packages.items():
        metadata = site / f"{package.replace('-', '_')}-1.0.dist-info"
        metadata.mkdir()
        (metadata / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n")
        lines = [f"{name} = {target}" for name, target in entry_points.items()]
        (metadata / "entry_points.txt").write_text("\n".join(["[bleu_core.metrics]", *lines, ""]))
    monkeypatch.syspath_prepend(site)
    _forget()
    try:
        yield
    finally:
        monkeypatch.undo()
        for name in [name for name, module in sys.modules.items() if _lies_in(module, site)]:
            del sys.modules[name]  # another test may have a module of that name
        _forget()


@contextmanager
def shared_words_installed(site: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Install the package `shared_words` of this folder."""
    shutil.copy(HERE / "shared_words" / "shared_words.py", site)
    project = tomllib.loads((HERE / "shared_words" / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    with installed(site, monkeypatch, {project["name"]: project["entry-points"]["bleu_core.metrics"]}):
        yield


def _lies_in(module: ModuleType, folder: Path) -> bool:
    file = getattr(module, "__file__", None)
    return file is not None and folder in Path(file).parents


def _forget() -> None:
    """Let entry points be read anew."""
    for cached in (register._entry_points, register._all):  # noqa: SLF001
        cached.cache_clear()
