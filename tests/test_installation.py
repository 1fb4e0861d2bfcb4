"""sdist and wheel hold what users and packagers need, and the wheel works in an environment that has nothing else."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import tarfile
import urllib.request
import zipfile
from dataclasses import dataclass
from pathlib import Path

import pytest

import sample_data
from bleu_core.cli.commands import main

ROOT = Path(__file__).parents[1]
UV = shutil.which("uv")
#: Set where these tests may not be skipped.
REQUIRED = bool(os.environ.get("BLEU_REQUIRE_UV"))
SCORE = ("score", "--ref", *map(str, sample_data.references()[:1]), *map(str, sample_data.systems()[:2]))

#: Draws the first page without a browser, and prints the systems' names that it shows.
FIRST_PAGE = """
from pathlib import Path
import dashboard
from streamlit.testing.v1 import AppTest
assert "site-packages" in dashboard.__file__
app = AppTest.from_file(str(Path(dashboard.__file__).parent / "app.py"), default_timeout=300).run()
assert not app.exception, app.exception
print(*(text.value for text in (*app.title, *app.header, *app.subheader, *app.markdown)), sep="\\n")
"""


@dataclass(frozen=True, slots=True)
class Installed:
    """What was built, and an environment with the wheel.

    Attributes:
        sdist, wheel: the files.
        bin: the folder of the environment's programs.
        folder: an empty folder to work in.
    """

    sdist: Path
    wheel: Path
    bin: Path
    folder: Path

    def run(self, program: str, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Run a program of the environment to its end."""
        command = [str(self.bin / program), *arguments]
        return subprocess.run(command, capture_output=True, text=True, check=True, cwd=self.folder, env=environment())


def environment() -> dict[str, str]:
    """The environment's variables without those that lead to the copy of the project."""
    return {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "VIRTUAL_ENV")}


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Installed:
    """The wheel, built from the sdist, in a new environment with the versions that the project was checked with."""
    if UV is None or sys.platform == "win32":
        if REQUIRED:
            pytest.fail("no uv, and BLEU_REQUIRE_UV is set; install it with pip install uv")
        pytest.skip("no uv; install it with pip install uv")
    program: str = UV
    dist, venv, folder = (tmp_path_factory.mktemp(name) for name in ("dist", "venv", "folder"))
    python = venv / "bin" / "python"

    def uv(*arguments: str) -> None:
        done = subprocess.run([program, *arguments], cwd=ROOT, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr

    uv("build", "--out-dir", str(dist))
    (sdist,), (wheel,) = dist.glob("*.tar.gz"), dist.glob("*.whl")
    uv("venv", "--clear", "--python", sys.executable, str(venv))
    uv("pip", "install", "--python", str(python), str(wheel))
    return Installed(sdist, wheel, venv / "bin", folder)


def test_the_wheel_has_the_programs_and_the_sample_data_and_no_tests(installed: Installed) -> None:
    names = zipfile.ZipFile(installed.wheel).namelist()
    assert {name.partition("/")[0] for name in names if ".dist-info/" not in name} == {
        "bleu_core",
        "dashboard",
        "sample_data",
    }
    files = (*sample_data.systems(), *sample_data.references(), sample_data.DOCUMENTS, sample_data.JUDGMENTS)
    assert {path.relative_to(ROOT).as_posix() for path in files} <= set(names)


def test_the_sdist_has_what_the_tests_and_the_documentation_need(installed: Installed) -> None:
    with tarfile.open(installed.sdist) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    assert {"README.md", "LICENSE", "pyproject.toml", "CHANGELOG.md", "docs/files.md", "tests/conftest.py"} <= names


def test_the_wheel_scores_files_as_this_copy_does(installed: Installed, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(SCORE) == 0
    assert installed.run("bleu-core", *SCORE).stdout == capsys.readouterr().out


def test_the_wheels_help_names_all_commands(installed: Installed) -> None:
    found = installed.run("bleu-core", "--help").stdout
    assert all(
        re.search(rf"^ +{command}\b", found, re.MULTILINE) for command in ("score", "campaign", "figure", "report")
    )


def test_the_wheels_dashboard_serves_and_draws_its_first_page(installed: Installed) -> None:
    command = [str(installed.bin / "bleu-dashboard"), "--no-browser", "--port", "0"]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, cwd=installed.folder, env=environment()
    ) as server:
        try:
            assert server.stdout
            found = re.search(rb"http://\S+", server.stdout.readline())
            assert found
            with urllib.request.urlopen(found[0].decode(), timeout=60) as answer:
                assert answer.status == 200
            server.send_signal(signal.SIGINT)
            assert server.wait(60) == 0
        finally:
            server.kill()
    shown = installed.run("python", "-c", FIRST_PAGE).stdout
    assert "S3" in shown  # the best system of the sample data
