"""Types of arrays: the size of NumPy's indices."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest

from bleu_core.arrays import check_index_size

SENTENCE = "bleu_core counts with indices of 64 bits, and those of this Python have 32; use a 64-bit Python"


def test_indices_of_32_bits_are_refused_by_one_sentence() -> None:
    check_index_size(np.int64)
    with pytest.raises(ImportError) as raised:
        check_index_size(np.int32)
    assert str(raised.value) == SENTENCE


@pytest.mark.parametrize("module", ["scoring", "counts", "segments", "inference", "dataset"])
def test_what_counts_cannot_be_imported_where_indices_have_32_bits(module: str) -> None:
    script = f"import numpy; numpy.intp = numpy.int32; import bleu_core.{module}"
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert run.stderr.endswith(f"ImportError: {SENTENCE}\n")
