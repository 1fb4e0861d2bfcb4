"""People and metrics in a browser: a whole test set, a judge left out, a metric added, and the table re-orders.

The archive is that of tests/conformance; without BLEU_CONFORMANCE_DATA that test is skipped.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from pathlib import Path

import pytest
from test_archive import packed
from visitor import Visitor

DATA = os.environ.get("BLEU_CONFORMANCE_DATA")


def order(visitor: Visitor) -> list[str]:
    """The metrics as they are ranked."""
    return visitor.column("metric-ranking", "metric")


def pearson(visitor: Visitor) -> dict[str, float]:
    return dict(zip(order(visitor), map(float, visitor.column("metric-ranking", "pearson")), strict=True))


@pytest.mark.slow
@pytest.mark.skipif(not DATA, reason="BLEU_CONFORMANCE_DATA is unset; see tests/conformance/README.md")
def test_a_judge_left_out_and_a_metric_added_reorder_the_table(visitor: Visitor, tmp_path: Path) -> None:
    folder = Path(DATA or "") / "data" / "formats" / "mt-metrics-eval" / "wmt23"
    archive = packed(folder, tmp_path / "wmt23.zip")
    visitor.goto("/data")
    visitor.upload([archive])
    visitor.open_page("By system")
    alone = visitor.table("correlations")[1]

    # A second judge, in a file of its own, who likes what the archive's judges dislike, and more strongly.
    seen: Counter[str] = Counter()
    rows = ["segment,system,judge,score"]
    for line in (folder / "human-scores" / "en-de.mqm.seg.score").read_text(encoding="utf-8").split("\n")[:-1]:
        system, score = line.split("\t")
        seen[system] += 1
        if score != "None":
            rows.append(f"{seen[system]},{system},Contrary,{-3 * float(score)}")
    (tmp_path / "contrary.csv").write_text("\n".join(rows) + "\n", encoding="utf-8")
    visitor.open_page("Data")
    visitor.upload([tmp_path / "contrary.csv"], role="Judgments")
    visitor.open_page("By system")
    assert visitor.table("correlations")[1] != alone

    visitor.open_page("Best agreement")
    before = pearson(visitor)
    assert "BLEU-refA" in before
    visitor.unfold("options")
    visitor.tick("judges", "Contrary")
    visitor.page.keyboard.press("Escape")
    visitor.eventually(lambda: pearson(visitor) != before, expected=True)
    assert "Judges: 1 of 2" in visitor.text()
    after = pearson(visitor)
    assert order(visitor) == sorted(after, key=lambda name: -after[name])
    assert list(after) != list(before)

    visitor.choose("Compare BLEU with", "WER")
    visitor.page.keyboard.press("Escape")
    visitor.eventually(lambda: "WER" in order(visitor), expected=True)
    assert len(order(visitor)) == len(after) + 1
    assert re.search(r"metrics=[^&]*WER", visitor.page.url)
