"""The pages: a folder for each, whose `page.py` exports its PAGE. No number is computed here."""

from collections.abc import Mapping, Sequence
from importlib import import_module

from dashboard.session import Page

#: The folders of the pages, in the order of the navigation.
FOLDERS = (
    "data",
    "overview",
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

#: In that order.
PAGES: Sequence[Page] = tuple(import_module(f"dashboard.views.{folder}.page").PAGE for folder in FOLDERS)

#: Where files are uploaded.
DATA = PAGES[0]

#: Paths of addresses that earlier versions had -> the title of the page, or part of a page, that shows the same by the
#: value of the parameter "show", if any.
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
