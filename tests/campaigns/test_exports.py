"""Exports of a campaign: what is read back is what was given."""

from __future__ import annotations

import csv
import io
import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from campaigned import corpus, plan
from hypothesis import given
from hypothesis.strategies import text

from bleu_core.campaigns import (
    CampaignStore,
    JudgeGroup,
    Scale,
    create_store,
    design_campaign,
    ratings_csv,
    segment_scores,
)
from bleu_core.dataset import Judgments
from bleu_core.errors import SettingsError
from bleu_core.formats import escape_cell, read, unescape_cell


def gathered(path: Path, group: str = "people") -> Judgments:
    """Ratings of a campaign with a skip and a judge who has given nothing."""
    asked = plan(scale=Scale(0, 1, 0.1), groups=(JudgeGroup(group, 3),))
    create_store(path, design_campaign(asked, corpus()), corpus())
    with CampaignStore(path) as store:
        store.add_event("opened")
        for judge in store.judges[:-1]:
            with store.transaction():
                for n, slot in enumerate(store.slots(judge)):
                    item = slot.items[0].item
                    times = {"client": f"{judge} {n}", "shown": 1.0, "given": 2.0}
                    if n == 3:
                        store.add_skip(judge, slot.place, item, "no idea", **times)
                    else:
                        store.add_rating(judge, slot.place, item, (n * 7 % 11) * 0.1, **times)
        judgments = store.judgments()
    assert judgments is not None
    return judgments


NASTY = [
    *("=cmd|'/c calc'!A1", "-5", "'quoted", "''twice", "'=quoted", "+1", "@x", '"=1"', "a\tb", "a\nb", "a\x1b[31mb"),
    *("\x1b[31m", "\\x1b", "\\x5cx1b", "\\", "\uff1dfullwidth", "\x9b", "-", "5", "1e5", "=", "'"),
]


@pytest.mark.parametrize("group", ["bilingual", "=1+1", 'a, "b"', "\u202eعربي", "<b>x</b>"])
def test_ratings_come_back_byte_for_byte(tmp_path: Path, group: str) -> None:
    judgments = gathered(tmp_path / "c.db", group)
    content = ratings_csv(judgments)
    back = read(content, "ratings.csv", "judgments").judgments
    assert back is not None
    assert ratings_csv(back) == content
    columns = ["segment", "system", "judge", "group", "score", "document"]
    pd.testing.assert_frame_equal(
        back.table[columns].astype(object), judgments.table[columns].astype(object), check_index_type=False
    )
    assert content.decode().count("\n") == len(judgments.table) + 1


@pytest.mark.parametrize("name", NASTY)
def test_every_name_comes_back_and_no_cell_is_run(name: str) -> None:
    judgments = Judgments.from_ratings(
        [name, "A"],
        [-1.5, 2],
        [1, 2],
        "x",
        segments=[1, 2],
        judges=[name, "B"],
        groups=[name, "C"],
        documents=[name, "D"],
        format="x",
    )
    content = ratings_csv(judgments)
    cells = [cell for row in csv.reader(io.StringIO(content.decode(), newline="")) for cell in row]
    assert not [cell for cell in cells if cell != "-1.5" and re.match(r'[\s"]*[=+\-@\uff1d]', cell)]
    assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]", content.decode())
    back = read(content, "ratings.csv", "judgments").judgments
    assert back is not None
    columns = ["system", "judge", "group", "score", "document"]
    assert back.table[columns].to_numpy().tolist() == judgments.table[columns].to_numpy().tolist()
    assert ratings_csv(back) == content


@pytest.mark.parametrize("last", ["", ",escaped_by", ",origin"])
def test_names_in_tables_of_others_are_read_as_they_are(last: str) -> None:
    content = f"segment,system,judge,group,score,document{last}\n1,'A','=B,'C,2,'D{last and ',excel'}\n"
    found = read(content.encode(), "ratings.csv", "judgments").judgments
    assert found is not None
    assert found.table[["system", "judge", "group", "document"]].to_numpy().tolist() == [["'A'", "'=B", "'C", "'D"]]


@given(text())
def test_a_text_that_was_made_safe_for_spreadsheets_comes_back(text: str) -> None:
    cell = escape_cell(text)
    assert unescape_cell(cell) == text
    assert not re.match(r'[\s\u200b\ufeff"]*[=+\-@\uff1d\uff0b\uff0d\uff20]|[\t\r\n]', cell)
    assert not re.search(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]", cell)


def test_scores_per_segment_are_means_in_the_form_of_mt_metrics_eval(tmp_path: Path) -> None:
    judgments = gathered(tmp_path / "c.db")
    systems = ("S0", "S1", "S2", "S3")
    lines = segment_scores(judgments, systems, 40).decode().splitlines()
    assert len(lines) == 4 * 40
    table = judgments.table
    for n, line in enumerate(lines):
        system, score = line.split("\t")
        assert system == f"S{n // 40}"
        rated = table[(table.system == system) & (table.segment == n % 40 + 1)].score
        if rated.empty:
            assert score == "None"
        else:
            assert float(score) == pytest.approx(np.mean(rated), abs=1e-12)


def test_a_name_that_such_a_file_cannot_hold_is_refused(tmp_path: Path) -> None:
    judgments = gathered(tmp_path / "c.db")
    for name in ("a\tb", "a\nb", "a\u2028b"):
        with pytest.raises(SettingsError, match="without tabs and line breaks expected"):
            segment_scores(judgments, (name,), 40)
    for name in ("=1+1", "-5", "@x", "a\x1b"):
        with pytest.raises(SettingsError, match="a name expected that begins with none of"):
            segment_scores(judgments, (name,), 40)
