"""A cluster that is stopped leaves nothing behind; apart from tests whose own cluster replaces workers meanwhile."""

from __future__ import annotations

import tempfile
from pathlib import Path

import psutil
import pytest
from cluster_tasks import StoppedError, process

from bleu_core.counts import run_on_cluster


@pytest.mark.slow
def test_a_callback_is_called_while_no_task_ends_and_nothing_is_left_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))

    def stop(_done: int, _total: int) -> None:
        raise StoppedError

    def processes() -> set[int]:
        children = psutil.Process().children(recursive=True)
        return {child.pid for child in children if "resource_tracker" not in " ".join(child.cmdline())}

    before = processes()
    with pytest.raises(StoppedError):
        list(run_on_cluster(process, [600.0] * 2, cluster="local:1", total=2, progress=stop))
    assert processes() == before
    assert list(tmp_path.iterdir()) == []
