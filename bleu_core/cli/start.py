"""Starts `bleu-core`, before NumPy has loaded."""

import os
from collections.abc import Sequence


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; returns its exit status."""
    # BLAS, which counting has no use for, would start a thread per core as NumPy loads, and that takes longer than to
    # score thousands of segments.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    from bleu_core.cli.commands import main as run

    return run(arguments)
