"""The steps of the Paper page: a text, figures and tables for each section, whatever the data lack."""

from __future__ import annotations

from typing import Any

import pytest
import sample

from bleu_core.dataset import Corpus
from bleu_core.paper import PaperInput, agreement_from_0_to_1, all_steps, compute_steps, repeat_experiment
from bleu_core.results.paper import sections
from bleu_core.scoring import PRESETS, BleuSettings
from dashboard.export.steps import PaperStep, paper_steps
from dashboard.plots import theme

PAPER = PRESETS["paper"]
OF_JUDGMENTS = ("agreement_by_reference", "figure_7", "figures_3_4", "figures_5_6")
TEXTS = {
    "one": ("a b c d e", "f g h i j", "k l m n o"),
    "two": ("a b c d x", "f g h i j", "k l x n o"),
    "three": ("a b x d e", "x g h y j", "k l m z o"),
}
REFERENCES = {"R": ("a b c d e", "f g h i y", "k l m n z"), "Q": ("a b c d z", "f g h i j", "k l m n p")}


LOOK = {step.key: step.look for step in all_steps() if step.look}


def steps_of(data: PaperInput) -> dict[str, PaperStep]:
    found = data.results
    styles = theme.styles(found.full.systems + tuple(e.system for e in found.left_out))
    return {s.key: s for s in paper_steps(found, compute_steps(data, all_steps()), styles)}


def data_of(corpus: Corpus, settings: BleuSettings = PAPER) -> PaperInput:
    return PaperInput(corpus=corpus, judgments=None, results=repeat_experiment(corpus, settings))


@pytest.fixture(scope="module")
def of_sample() -> dict[str, PaperStep]:
    return steps_of(sample.data())


@pytest.fixture(scope="module")
def unjudged() -> dict[str, PaperStep]:
    return steps_of(data_of(Corpus(TEXTS, REFERENCES)))


def values(figure: Any) -> int:
    """How many values a figure shows."""
    return sum(y is not None for trace in figure.data for y in (trace.y if trace.y is not None else ()))


def test_every_section_of_the_report_has_its_step_and_text_and_no_text_is_left_over(
    of_sample: dict[str, PaperStep], unjudged: dict[str, PaperStep]
) -> None:
    assert list(of_sample) == [s.key for s in sections(compute_steps(sample.data(), all_steps()))]
    assert of_sample.keys() | unjudged.keys() == LOOK.keys()
    assert all(step.look == LOOK[step.key] for step in of_sample.values())


def test_headings_are_short_and_different_in_the_list_of_contents(
    of_sample: dict[str, PaperStep], unjudged: dict[str, PaperStep]
) -> None:
    for found in (of_sample, unjudged):
        names = [step.short for step in found.values()]
        assert len(set(names)) == len(names)
        assert all(name[0].isupper() and len(name) <= 40 for name in names)


def test_every_figure_and_table_of_the_paper_is_drawn(of_sample: dict[str, PaperStep]) -> None:
    drawn = {key: len(step.drawings) for key, step in of_sample.items() if step.drawings}
    assert drawn == {
        "figure_1": 1,
        "figure_2": 1,
        "combining": 1,
        "table_1": 1,
        "table_2": 1,
        "block_sizes": 1,
        "references_by_number": 1,
        "single_reference": 1,
        "figures_3_4": 1,
        "figures_5_6": 2,  # a group each
        "figure_7": 1,
        "agreement_by_reference": 1,
    }
    assert [drawing.title for drawing in of_sample["figures_5_6"].drawings] == ["monolingual", "bilingual"]
    assert all(values(drawing.figure) for step in of_sample.values() for drawing in step.drawings)
    assert all(step.tables for step in of_sample.values())


def test_published_numbers_stand_apart_where_the_systems_are_the_papers_own(
    of_sample: dict[str, PaperStep], unjudged: dict[str, PaperStep]
) -> None:
    assert "published" not in of_sample
    columns = {key for key, step in of_sample.items() for table in step.tables if "published" in " ".join(table.kinds)}
    assert columns == {
        "examples",
        "table_1",
        "table_2",
        "references_by_number",
        "figures_3_4",
        "figures_5_6",
    }
    assert "The paper's values are for its own systems" in unjudged["published"].remarks
    columns = {key for key, step in unjudged.items() for table in step.tables if "published" in " ".join(table.kinds)}
    assert columns == {"examples"}


def test_without_judgments_the_steps_on_them_say_so(unjudged: dict[str, PaperStep]) -> None:
    for key in OF_JUDGMENTS:
        assert (unjudged[key].tables, unjudged[key].drawings) == ((), ())
        assert unjudged[key].remarks == "Left out: no judgments."
    assert not unjudged["combining"].drawings
    assert "Correlations left out: no judgments." in unjudged["combining"].remarks
    assert len(unjudged["table_1"].drawings) == 1


def test_one_system_draws_no_figure_of_neighbours() -> None:
    found = steps_of(data_of(Corpus({"one": TEXTS["one"]}, REFERENCES)))
    assert not found["block_sizes"].drawings
    assert values(found["table_1"].drawings[0].figure) == 1


def test_counts_of_the_examples_need_lower_case_and_the_step_says_so() -> None:
    found = steps_of(data_of(Corpus(TEXTS, REFERENCES), PRESETS["sacrebleu"]))
    assert "lower-casing" in found["examples"].remarks
    assert "lower-casing" not in steps_of(sample.data())["examples"].remarks


def test_agreement_from_0_to_1_keeps_everything_but_the_scale() -> None:
    ratings = sample.repeated().ratings
    assert ratings is not None
    points = ratings.agreements[0].everyone
    units = agreement_from_0_to_1(points)
    assert units.systems == points.systems
    assert units.oriented_scores * 100 == pytest.approx(points.oriented_scores)
    assert units.human == pytest.approx(points.human)
    assert units.pearson.coefficient == pytest.approx(points.pearson.coefficient)
    assert units.regression.slope == pytest.approx(100 * points.regression.slope)
    assert units.regression.intercept == pytest.approx(points.regression.intercept)
