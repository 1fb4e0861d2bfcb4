"""The paper's tables as tables and JSON."""

from __future__ import annotations

import json
import math
from typing import Any

import pytest
import sample

from bleu_core.fields import Table
from bleu_core.paper import all_steps, compute_steps, ngram_table
from bleu_core.paper import printed as paper
from bleu_core.paper.steps.table_2 import published_t
from bleu_core.results.encoding import to_json
from bleu_core.results.paper import Section, paper_report, sections
from bleu_core.results.table import formatted
from bleu_core.segments import work_example


def sample_sections() -> dict[str, Section]:
    return {section.key: section for section in sections(compute_steps(sample.data(), all_steps()))}


def only(section: Section) -> Table:
    (table,) = section.tables
    return table


def column(table: Table, name: str) -> list[Any]:
    place = list(table.kinds).index(name)
    return [row[place] for row in table.rows]


def sample_json() -> Any:
    found = sample.data()
    report = paper_report(found, compute_steps(found, all_steps()))
    return json.loads(json.dumps(to_json(report), allow_nan=False))


# --- tables -----------------------------------------------------------------------------------------------------


def test_printed_values_stand_beside_computed_ones_of_the_papers_systems() -> None:
    found = sample_sections()
    assert "published" not in found
    table = only(found["table_1"])
    assert column(table, "published_bleu") == pytest.approx([0.0527, 0.0829, 0.0930, 0.1934, 0.2571])
    assert column(table, "bleu") == pytest.approx([b / 100 for b in sample.repeated().table_2.corpus_scores])
    table = only(found["table_2"])
    assert column(table, "published_mean") == pytest.approx([0.051, 0.081, 0.090, 0.192, 0.256])
    assert column(table, "published_deviation") == pytest.approx([0.017, 0.025, 0.020, 0.030, 0.039])
    assert column(table, "published_t")[1:] == [6, 3.4, 24, 11]
    assert list(table.kinds)[-1] == "reason"
    table = only(found["references_by_number"])
    printed = [row for row in table.rows if not math.isnan(float(row[-1]))]
    assert [(row[0], row[1], row[-1]) for row in printed] == [("H2", 2, 0.2571), ("H2", 4, 0.3468)]
    table = only(found["figures_3_4"])
    printed = [row for row in table.rows if not math.isnan(float(row[-2]))]
    assert [(*row[:4], row[-2]) for row in printed] == [
        ("monolingual", "S2", "S1", "judge and segment", 0.326),
        ("monolingual", "S3", "S2", "judge and segment", 0.114),
    ]
    table = only(found["figures_5_6"])
    assert dict(zip(column(table, "group"), column(table, "published_r"), strict=True))["bilingual"] == 0.96


def test_every_number_is_shown_as_the_paper_writes_it() -> None:
    table = only(sample_sections()["table_1"])
    assert formatted(table)[0] == ["S1", "0.0517", "0.0527"]


def test_the_examples_show_what_is_printed_beside_what_is_counted() -> None:
    table = sample_sections()["examples"].tables[0]
    for which in ("standard", "modified"):
        found = zip(column(table, which), column(table, f"published_{which}"), strict=True)
        assert {(own, printed) for own, printed in found if printed and own != printed} <= {("0/6", "0")}
    assert "brevity penalty 1, as required by section 2.2.2 (1)" in sample_sections()["examples"].notes[0]


def test_t_is_printed_for_the_papers_own_neighbours_only() -> None:
    assert published_t("S2", "S1") == 6
    assert math.isnan(published_t("S3", "S1"))
    assert math.isnan(published_t("X", "S1"))


def test_n_grams_are_listed_with_their_counts() -> None:
    table = ngram_table(work_example("the the the", ["the cat the", "the"]))
    assert list(table.kinds) == [
        "order",
        "ngram",
        "count",
        "reference_1",
        "reference_2",
        "most",
        "clipped",
        "exhausted",
    ]
    assert table.rows == (
        (1, "the", 3, 2, 1, 2, 2, 1),
        (2, "the the", 2, 0, 0, 0, 0, 0),
        (3, "the the the", 1, *[0] * 5),
    )


# --- JSON -------------------------------------------------------------------------------------------------------


def test_json_is_in_points_and_keeps_printed_values_apart() -> None:
    found = sample_json()
    assert found["published_corresponds"]
    assert {s["system"]: s["bleu"] for s in found["table_1"]["published"]} == dict(paper.TABLE_1)
    assert [s["bleu"] for s in found["table_1"]["computed"]] == sample.repeated().table_2.corpus_scores.tolist()
    assert [p["t"] for p in found["table_2"]["published"]["pairs"]] == [6, 3.4, 24, 11]
    assert found["references_by_number"]["published"] == [
        {"system": "H2", "references": 2, "bleu": 25.71},
        {"system": "H2", "references": 4, "bleu": 34.68},
    ]
    assert [p["mean_difference"] for p in found["figures_3_4"]["published"]] == [0.326, 0.114]
    assert found["figures_5_6"]["published"] == [
        {"group": "monolingual", "r": 0.99},
        {"group": "bilingual", "r": 0.96},
    ]
    assert [g["group"] for g in found["figures_3_4"]["computed"]] == [None, "monolingual", "bilingual"]
    assert found["length"]["computed"]["penalty"] == found["length"]["published"]["penalty"] == 1
    assert found["definitions"]["computed"][0]["ranking"] == list(paper.SYSTEMS)
    assert all(claim["holds"] in (True, False) for claim in found["claims"])
