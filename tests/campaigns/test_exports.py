"""Exports of a campaign: what is read back is what was given."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from campaigned import corpus, plan

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
from bleu_core.formats import read


def gathered(path: Path, group: str = "people") -> Judgments:
    """Ratings of a campaign with a skip and a judge who has given nothing."""
    asked = plan(scale=Scale(0, 1, 0.1), groups=(JudgeGroup(group, 3),))
    create_store(path, design_campaign(asked, corpus()), corpus())
    with CampaignStore(path) as store:
        store.add_event("opened")
        for judge in store.judges[:-1]:
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
