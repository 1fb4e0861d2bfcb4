"""A run of these tests that is interrupted, or killed, leaves no server and no browser behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest
from visitor import CHROMIUM, PATIENCE

HERE = Path(__file__).parent

#: A test that never ends, with a server and a browser.
ENDLESS = """
import time
from pathlib import Path
from conftest import browser, server, visitor

def test_endless(visitor):
    visitor.goto("/ranking?ranking_part=counts-files")
    Path("ready").touch()
    time.sleep(600)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells a process of its parent's end")
@pytest.mark.skipif(not CHROMIUM, reason="no Chromium")
@pytest.mark.slow
@pytest.mark.parametrize("sent", [signal.SIGKILL, signal.SIGINT, signal.SIGTERM])
def test_nothing_is_left_of_an_interrupted_run(tmp_path: Path, sent: signal.Signals) -> None:
    (tmp_path / "test_endless.py").write_text(ENDLESS, encoding="utf-8")
    call = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--rootdir", str(tmp_path)]
    path = os.pathsep.join(map(str, (HERE, HERE.parent, HERE.parents[1])))
    environment = {**os.environ, "PYTHONPATH": path, "PYTEST_ADDOPTS": ""}
    environment.pop("PYTEST_XDIST_WORKER", None)
    with (tmp_path / "log").open("wb") as log:
        run = subprocess.Popen([*call, "test_endless.py"], cwd=tmp_path, env=environment, stdout=log, stderr=log)
    try:
        deadline = time.monotonic() + 2 * PATIENCE
        while not (tmp_path / "ready").exists():
            assert run.poll() is None, (tmp_path / "log").read_text()
            assert time.monotonic() < deadline, (tmp_path / "log").read_text()
            time.sleep(0.05)
        below = psutil.Process(run.pid).children(recursive=True)
        commands = [" ".join(each.cmdline()) for each in below]
        assert any("-m dashboard" in command for command in commands)
        assert any("chrom" in command for command in commands)
        run.send_signal(sent)
        run.wait(PATIENCE)
        _, left = psutil.wait_procs(below, timeout=PATIENCE)
        for each in left:
            each.kill()
        assert [each.pid for each in left] == [], commands
    finally:
        run.kill()
        run.wait()
