"""The fuzzer of counting: that it compares, and that it finds and shortens what differs."""

from __future__ import annotations

import pytest

from bleu_core.scoring import bytetokens
from fuzz import counting

LINES = 400


def test_no_count_differs_from_sacrebleu() -> None:
    found = counting.fuzz("smoke", LINES, 0)
    assert not isinstance(found, counting.Case), counting.explain(found)
    assert found >= LINES


def test_a_fault_is_found_and_its_case_is_short(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bytetokens, "ENTITIES", {**bytetokens.ENTITIES, b"&lt;": b"less"})
    found = counting.fuzz("fault", 100_000, 0)
    assert isinstance(found, counting.Case)
    assert counting.differs(found)
    assert len(found.hypotheses) == len(found.references) == 1
    texts = found.hypotheses[0] + str(found.references[0][0])
    assert "&lt;" in texts
    assert len(texts) <= 12
