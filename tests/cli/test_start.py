"""What happens before anything is counted."""

from __future__ import annotations

import subprocess
import sys

import pytest


@pytest.mark.parametrize(
    ("what", "threads"),
    [("import bleu_core.cli; bleu_core.cli.main(['score'])", "1"), ("import bleu_core.scoring", "None")],
)
def test_only_the_command_keeps_blas_at_one_thread(what: str, threads: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENBLAS_NUM_THREADS", raising=False)
    script = f"import os\ntry:\n    {what}\nexcept SystemExit:\n    pass\nprint(os.environ.get('OPENBLAS_NUM_THREADS'))"
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == threads
