"""The pages: a folder for each, whose `page.py` exports its PAGE. No number is computed here."""

from collections.abc import Mapping, Sequence
from importlib import import_module

from dashboard.session import Page

#: The folders of the pages, in the order of the navigation; the first opens first.
FOLDERS = (
    "overview",
    "scores",
    "significance",
    "two_systems",
    "slices",
    "references",
    "precision",
    "blocks",
    "segments",
    "ngrams",
    "system_agreement",
    "segment_agreement",
    "agreement_by_class",
    "metrics",
    "judges",
    "rater_differences",
    "score_differences",
    "campaign",
    "paper",
    "report",
    "counts",
    "data",
)


#: Folder -> page.
_OF_FOLDER: Mapping[str, Page] = {folder: import_module(f"dashboard.views.{folder}.page").PAGE for folder in FOLDERS}

#: In that order.
PAGES: Sequence[Page] = tuple(_OF_FOLDER.values())

#: Where files are uploaded.
DATA = _OF_FOLDER["data"]

#: Addresses of earlier versions: a path, and the title of the page by the value of the parameter "show", if any.
FORMER_ADDRESSES: Mapping[str, Mapping[str, str]] = {
    "human": {
        "": _OF_FOLDER["system_agreement"].title,
        "Systems": _OF_FOLDER["system_agreement"].title,
        "Segments": _OF_FOLDER["segment_agreement"].title,
        "Metrics": _OF_FOLDER["metrics"].title,
        "Judges": _OF_FOLDER["judges"].title,
        "Differences": _OF_FOLDER["rater_differences"].title,
    }
}
