"""The nightly run resumes, and a test that hangs fails with the stacks of all threads."""

from __future__ import annotations

import re
from pathlib import Path

import nightly

TESTS = """
import threading
import pytest

def test_passes():
    pass

@pytest.mark.timeout(1)
def test_hangs():
    threading.Thread(target=threading.Event().wait, name="a thread that waits", daemon=True).start()
    threading.Event().wait()
"""


def test_a_test_that_hangs_fails_with_all_stacks_and_a_resumed_run_leaves_out_what_passed(tmp_path: Path) -> None:
    file = tmp_path / "test_two.py"
    file.write_text(TESTS)
    step = nightly.Step((str(file),))
    assert not nightly.run_step("two", step, tmp_path)
    log = tmp_path / "two.log"
    assert "1 failed, 1 passed" in log.read_text()
    assert "FAILED" in log.read_text()
    assert "Timeout (>1.0s)" in log.read_text()
    assert "Stack of a thread that waits" in log.read_text()
    assert [line.rpartition("::")[2] for line in (tmp_path / "two.passed").read_text().split()[1:]] == ["test_passes"]

    log.unlink()
    file.write_text(TESTS.replace("    threading.Event().wait()\n", "    pass\n"))
    assert nightly.run_step("two", step, tmp_path)
    assert re.search(r"\b1 passed\b", log.read_text())
    log.unlink()
    assert nightly.run_step("two", step, tmp_path)
    assert "passed" not in log.read_text()


def test_a_program_that_has_passed_is_not_run_again_and_one_that_failed_is(tmp_path: Path) -> None:
    for arguments, expected in ((("this", "--version"), True), (("no_such_module",), False)):
        step = nightly.Step(arguments, pytest=False)
        assert [nightly.run_step(arguments[0], step, tmp_path) for _ in range(2)] == [expected, expected]
    runs = (tmp_path / "runs.jsonl").read_text()
    assert runs.count('"this"') == 1
    assert runs.count('"no_such_module"') == 2


def test_the_summary_names_the_state_of_each_step_and_the_commit_of_what_passed(tmp_path: Path) -> None:
    assert nightly.summarise(tmp_path).count("not run") == len(nightly.steps())
    (tmp_path / "runs.jsonl").write_text('{"step": "slow", "status": 1, "seconds": 90, "commit": "abc"}\n')
    (tmp_path / "slow.passed").write_text("abc\ta\nabc\tb\ndef\tc\n")
    (tmp_path / "slow.log").write_text("...\n1 failed, 2 passed\n")
    summary = nightly.summarise(tmp_path)
    assert "slow: FAILED, 1.5 minutes in 1 runs; passed: 2 at abc, 1 at def\n  1 failed, 2 passed\n" in summary


def test_tests_with_a_limit_on_the_time_of_a_call_are_found() -> None:
    assert "tests/formats/test_pathological.py" in nightly.steps()["time-limits"].arguments
