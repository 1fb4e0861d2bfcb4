"""The curve of influence shows the differences it is given; names in it stay literal."""

from __future__ import annotations

from typing import Any

import numpy as np

from bleu_core.segments import Replacement
from dashboard.exhibits.segments import influence_curve

NAMES = ("<b>ours</b>", "$x$ theirs")


def curve(*, swapped: bool = False, higher_is_better: bool = True) -> Replacement:
    scores = np.array([10.0, 13.0, 14.0, 13.0, 9.0 if swapped else 11.0])
    order = np.array([2, 3, 0, 1])
    return Replacement(
        system=NAMES[0], baseline=NAMES[1], order=order, scores=scores, higher_is_better=higher_is_better
    )


def drawn(found: Replacement, stretch: tuple[int, int] | None = None, label: str = "BLEU") -> dict[str, Any]:
    return influence_curve(found, np.array([11, 12, 17, 18]), label, stretch).to_dict()


def test_each_point_has_its_segment_and_the_half_is_marked_at_the_leaders_end() -> None:
    line, mark = drawn(curve())["data"]
    assert (list(line["x"]), list(line["y"])) == ([0, 1, 2, 3, 4], [0.0, 3.0, 4.0, 3.0, 1.0])
    assert list(line["customdata"]) == [0, 17, 18, 11, 12]
    assert (mark["x"], mark["y"]) == ([1], [3.0])
    assert drawn(curve(swapped=True))["data"][1]["x"] == [3]


def test_a_stretch_is_shaded_where_its_segments_are() -> None:
    assert [shape["type"] for shape in drawn(curve())["layout"]["shapes"]] == ["line"]
    band = drawn(curve(), (2, 3))["layout"]["shapes"][1]
    assert (band["x0"], band["x1"]) == (1, 3)


def test_titles_are_literal_and_say_when_lower_is_better() -> None:
    layout = drawn(curve(higher_is_better=False), label="TER")["layout"]
    titles = [layout[axis]["title"]["text"] for axis in ("xaxis", "yaxis")]
    assert "&lt;b&gt;ours&lt;/b&gt;" in titles[0]
    assert "$x$ theirs<br>(TER, lower is better)" in titles[1]


def test_a_long_text_is_drawn_by_few_points_with_both_ends() -> None:
    many = 100_000
    differences = np.concatenate([np.linspace(0, 5, many // 2), np.linspace(5, 1, many // 2 + 1)])
    line = influence_curve(
        Replacement(system="A", baseline="B", order=np.arange(many), scores=differences), np.arange(1, many + 1), "BLEU"
    ).to_dict()["data"][0]
    assert len(line["x"]) < 1000
    assert line["x"][:3] == [0, 1, 2]
    assert line["x"][-1] == many
    assert list(line["y"]) == differences[list(line["x"])].tolist()
