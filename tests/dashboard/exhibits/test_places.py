"""Every figure of version 0.2 has a page, or a part of a page, that exists."""

from __future__ import annotations

import pytest

from dashboard.exhibits import EXHIBITS, RENAMED
from dashboard.views import PAGES

#: Names of figures at version 0.2, as `bleu-core figure` takes them -> the page, and the part, that have them.
FORMER = {
    "scores": ("Ranking", "Scores"),
    "precision": ("Precision", ""),
    "precision-bars": ("Precision", ""),
    "blocks": ("Blocks", ""),
    "same-blocks": ("Blocks", ""),
    "pairs": ("Ranking", "Pairs of systems"),
    "tiers": ("Ranking", "Pairs of systems"),
    "baseline": ("Ranking", "Pairs of systems"),
    "resampled": ("Two systems", "Difference"),
    "block-differences": ("Two systems", "Difference"),
    "causes": ("Two systems", "Difference"),
    "interval-width": ("Two systems", "How much text"),
    "block-sizes": ("Two systems", "How much text"),
    "slices": ("Two systems", "Slices"),
    "reference-ranks": ("Ranking", "By reference"),
    "reference-advantages": ("Ranking", "By reference"),
    "ngrams": ("Two systems", "N-grams"),
    "influence": ("Segments", ""),
    "agreement": ("Agreement", "By system"),
    "without-each": ("Agreement", "By system"),
    "normalised": ("Agreement", "By system"),
    "segment-agreement": ("Agreement", "By segment"),
    "agreement-by-class": ("Agreement", "By class"),
    "metrics": ("Metrics", "Best agreement"),
    "metric-pairs": ("Metrics", "Best agreement"),
    "judges": ("Judges", "Agreement and severity"),
    "alphas": ("Judges", "Agreement and severity"),
    "judge-pairs": ("Judges", "Agreement and severity"),
    "variance": ("Judges", "Agreement and severity"),
    "judge-groups": ("Judges", "Agreement and severity"),
    "rater-differences": ("Judges", "Human ranking"),
    "score-differences": ("Metrics", "Meaning of a difference"),
}


@pytest.mark.parametrize("name", FORMER)
def test_a_former_figure_is_on_a_page(name: str) -> None:
    exhibit = EXHIBITS[RENAMED.get(name, name)]
    assert (exhibit.page, exhibit.part) == FORMER[name]
    assert (exhibit.page, exhibit.part) in {(page.title, part.title) for page in PAGES for part in page.parts}


def test_there_are_fourteen_pages() -> None:
    assert len(PAGES) == 14
