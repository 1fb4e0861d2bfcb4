"""What the sentence above a figure names stands out in it and is labelled, however many systems there are."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import pytest
import sample

from bleu_core.dataset import Corpus
from bleu_core.scoring import evaluate
from bleu_core.uploads import Workspace
from dashboard import analysis, words
from dashboard.analysis import View
from dashboard.exhibits import EXHIBITS, Data
from dashboard.plots import theme
from dashboard.views.ranking.words import most_favoured, rankings_verdict

#: Of the text.
SEGMENTS = 60


@pytest.fixture(scope="module")
def data() -> Data:
    """Fifteen systems: those of the sample data, and each of them with words left out or doubled here and there."""
    corpus = sample.corpus()
    systems: dict[str, tuple[str, ...]] = {}
    for n, (name, text) in enumerate(corpus.systems.items()):
        lines = text[:SEGMENTS]
        systems[name] = lines
        systems[f"{name}cut"] = tuple(cut(line, n + 4) for line in lines)
        systems[f"{name}dup"] = tuple(doubled(line, n + 5) for line in lines)
    references = {name: lines[:SEGMENTS] for name, lines in list(corpus.references.items())[:3]}
    workspace = Workspace.of_data(Corpus(systems, references), None, (), ())
    return Data(View(workspace, evaluate(workspace.corpus)))


def cut(line: str, every: int) -> str:
    return " ".join(word for i, word in enumerate(line.split(" ")) if i % every)


def doubled(line: str, every: int) -> str:
    return " ".join(f"{word} {word}" if not i % every else word for i, word in enumerate(line.split(" ")))


def bare(label: str) -> str:
    return re.sub("<[^>]*>", "", label).replace("■ ", "")


def sentences(data: Data) -> Mapping[str, str]:
    """Exhibit -> what the page says above it."""
    compared = data.view.compared
    kept = words.precision_kept(compared.systems, compared.scores, analysis.fitted_decays(data.view))
    rankings = data.reference_rankings
    return {
        "precision": kept,
        "precision-bars": kept,
        "reference-ranks": f"{rankings_verdict(rankings)} {most_favoured(rankings)}",
    }


@pytest.mark.parametrize("name", ["precision", "precision-bars", "reference-ranks"])
def test_systems_of_the_sentence_have_a_colour_and_a_label(data: Data, name: str) -> None:
    systems = data.view.compared.systems
    assert len(systems) > theme.MAX_COLORS
    said = sentences(data)[name]
    named = [system for system in systems if re.search(rf"\b{system}\b", said)]
    assert len(named) >= (1 if name == "reference-ranks" else 2)
    exhibit = EXHIBITS[name]
    styles = theme.with_named(data.styles, exhibit.named(exhibit.compute(data)))
    assert not any(styles[system].muted for system in named)
    assert len({styles[system].color for system in named}) == len(named)
    figure: Any = exhibit.draw(data)
    notes = [note.text for note in figure.layout.annotations]
    labels = " ".join([*notes, *(str(trace.name) for trace in figure.data if trace.showlegend is not False)])
    assert all(re.search(rf"\b{system}\b", labels) for system in named)
    colors = {str(trace.marker.color) for trace in figure.data}
    assert {styles[system].color for system in named} <= colors


def test_ranks_are_named_at_both_ends_and_the_named_lines_lie_over_the_others(data: Data) -> None:
    rankings = data.reference_rankings
    figure: Any = EXHIBITS["reference-ranks"].draw(data)
    left = [bare(text) for text in figure.layout.yaxis.ticktext]
    assert left == [f"{name} {rank}" for name, rank in zip(rankings.systems, rankings.rankings[0].ranks, strict=True)]
    right = [bare(note.text) for note in figure.layout.annotations]
    assert sorted(right) == sorted(
        f"{rank} {name}" for name, rank in zip(rankings.systems, rankings.together.ranks, strict=True)
    )
    widths = [trace.line.width for trace in figure.data]
    assert widths == sorted(widths)
    assert [note.name for note in figure.layout.annotations] == [trace.legendgroup for trace in figure.data]
