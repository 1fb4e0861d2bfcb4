"""Two systems: the segments that decide the lead, in a sentence and on the page Segments."""

from __future__ import annotations

import re
from pathlib import Path

import sacrebleu
from conftest import Opener
from pages import said

import sample_data

FOLDER = Path(sample_data.__file__).parent


def lines(path: str) -> list[str]:
    return (FOLDER / path).read_text(encoding="utf-8").split("\n")[:-1]  # as segments end


def test_without_the_segments_named_the_order_is_reversed(opened: Opener) -> None:
    app = opened("two-systems", pair_system="S3", pair_baseline="S2")
    found = re.search(r"Without (\d+) of the 500 segments \(([\d.]+)%\), S3 and S2 change places\.", said(app))
    assert found
    assert float(found[2]) == int(found[1]) / 5
    assert re.search(r"Usual for this p: \d+\.\d%", said(app))
    app.button(key="read-deciding").click().run()
    assert not app.exception
    left_out = {int(number) for number in re.findall(r"\d+", app.session_state["segments_within"])}
    assert len(left_out) == int(found[1])
    assert f"({len(left_out)} of 500)" in said(app)
    texts = {name: lines(f"systems/{name}.txt") for name in ("S3", "S2")}
    references = [lines(f"references/R{n}.txt") for n in range(1, 5)]
    kept = [n for n in range(500) if n + 1 not in left_out]
    whole, rest = (
        [
            sacrebleu.corpus_bleu(
                [texts[name][n] for n in rows], [[text[n] for n in rows] for text in references]
            ).score
            for name in ("S3", "S2")
        ]
        for rows in (range(500), kept)
    )
    assert whole[0] > whole[1]
    assert rest[0] < rest[1]


def test_beyond_a_tenth_of_the_segments_no_set_is_named(opened: Opener) -> None:
    app = opened("two-systems", pair_system="H2", pair_baseline="S1")
    assert "No set of up to 10% of the segments was found without which H2 and S1 change places" in said(app)
    assert not [button for button in app.button if button.key == "read-deciding"]
