"""Commands in messages work in the shell in which the program was started."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from bleu_core import invocation as module
from bleu_core.cli.commands import main
from bleu_core.invocation import STARTED_BY_UV, install_extra, invocation


def executable(path: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("#!/bin/sh\n")
    path.chmod(0o755)
    return path


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the project with a virtual environment in it, which is not activated, as the working folder."""
    if sys.platform == "win32":
        pytest.skip("programs have other names there")
    scripts = tmp_path / "copy" / ".venv" / "bin"
    executable(scripts / "bleu-core")
    monkeypatch.setattr(module.sysconfig, "get_path", lambda _: str(scripts))
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    monkeypatch.chdir(tmp_path / "copy")
    return tmp_path / "copy"


@pytest.fixture
def started_by_uv(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As `uv run` starts programs."""
    executable(project.parent / "bin" / "uv")
    monkeypatch.setenv(STARTED_BY_UV, "1")
    monkeypatch.setenv("PATH", f"{project / '.venv' / 'bin'}:{project.parent / 'bin'}")


@pytest.mark.usefixtures("project")
def test_a_program_of_an_environment_that_is_not_activated_is_named_by_its_path() -> None:
    assert invocation("bleu-core") == ".venv/bin/bleu-core"


def test_a_program_on_the_path_is_named_alone(project: Path) -> None:
    executable(project.parent / "bin" / "bleu-core")
    assert invocation("bleu-core") == "bleu-core"
    assert "pip install" in install_extra("figures")


@pytest.mark.usefixtures("started_by_uv")
def test_after_uv_run_it_is_named_again(capsys: pytest.CaptureFixture[str]) -> None:
    assert invocation("bleu-core") == "uv run bleu-core"
    assert install_extra("cluster", "s3fs") == "start the program with uv run --extra cluster --with s3fs"
    with pytest.raises(SystemExit):
        main(["score"])
    assert capsys.readouterr().err.endswith("; see uv run bleu-core score --help\n")


@pytest.mark.usefixtures("started_by_uv")
def test_no_absolute_path_is_named(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Pages show commands to people who should not learn where the server's files are."""
    monkeypatch.chdir(project.parent)
    assert invocation("bleu-core") == "copy/.venv/bin/bleu-core"
    (project.parent / "elsewhere").mkdir()
    monkeypatch.chdir(project.parent / "elsewhere")
    assert invocation("bleu-core") == "bleu-core"


@pytest.mark.usefixtures("started_by_uv")
def test_without_uv_on_the_path_the_environment_is_named(project: Path) -> None:
    (project.parent / "bin" / "uv").unlink()
    assert invocation("bleu-core") == ".venv/bin/bleu-core"
