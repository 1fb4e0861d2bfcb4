"""The fuzzer of counting: that it compares, and that it finds and shortens what differs."""

from __future__ import annotations

import numpy as np
import pytest

from bleu_core.scoring import bytetokens, chrf_counts
from fuzz import counting

LINES = 400


@pytest.mark.parametrize("metric", counting.METRICS)
def test_no_count_differs_from_sacrebleu(metric: str) -> None:
    found = counting.fuzz("smoke", LINES, 0, [metric])
    assert not isinstance(found, counting.Case), counting.explain(found)
    assert found >= LINES


def test_a_fault_is_found_and_its_case_is_short(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bytetokens, "ENTITIES", {**bytetokens.ENTITIES, b"&lt;": b"less"})
    found = counting.fuzz("fault", 100_000, 0, ["bleu"])
    assert isinstance(found, counting.Case)
    assert counting.differs(found)
    assert len(found.hypotheses) == len(found.references) == 1
    texts = found.hypotheses[0] + str(found.references[0][0])
    assert "&lt;" in texts
    assert len(texts) <= 12


def test_a_fault_of_chrf_is_found_and_its_case_is_short(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chrf_counts, "IS_PUNCTUATION", chrf_counts.IS_PUNCTUATION & (np.arange(256) != ord("(")))
    found = counting.fuzz("fault", 100_000, 0, ["chrf"])
    assert isinstance(found, counting.Case)
    assert len(found.hypotheses) == len(found.references) == 1
    texts = found.hypotheses[0] + str(found.references[0][0])
    assert "(" in texts
    assert len(texts) <= 12
