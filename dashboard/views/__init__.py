"""The pages, one folder each, whose `page.py` exports its PAGE. Views do not compute."""

from collections.abc import Mapping, Sequence
from importlib import import_module

from dashboard.session import Page

#: The folders of the pages, in the order of the navigation.
FOLDERS = (
    "data",
    "overview",
    "test_sets",
    "ranking",
    "two_systems",
    "segments",
    "precision",
    "blocks",
    "paper",
    "agreement",
    "metrics",
    "judges",
    "campaign",
    "report",
)

#: The pages, in the order of the navigation.
PAGES: Sequence[Page] = tuple(import_module(f"dashboard.views.{folder}.page").PAGE for folder in FOLDERS)

#: The page on which files are uploaded.
DATA = PAGES[0]

#: URL path of earlier versions -> value of the parameter "show", empty if absent -> title of the page, or part of a
#: page, that shows the same.
FORMER_ADDRESSES: Mapping[str, Mapping[str, str]] = {
    "scores": {"": "Scores"},
    "significance": {"": "Pairs of systems"},
    "references": {"": "By reference"},
    "counts": {"": "Counts files"},
    "slices": {"": "Slices"},
    "ngrams": {"": "N-grams"},
    "system-agreement": {"": "By system"},
    "segment-agreement": {"": "By segment"},
    "agreement-by-class": {"": "By class"},
    "score-differences": {"": "Meaning of a difference"},
    "rater-differences": {"": "Human ranking"},
    "human": {
        "": "By system",
        "Systems": "By system",
        "Segments": "By segment",
        "Metrics": "Best agreement",
        "Judges": "Agreement and severity",
        "Differences": "Human ranking",
    },
}
