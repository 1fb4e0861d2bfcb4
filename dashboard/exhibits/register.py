"""All exhibits, by name."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from types import MappingProxyType

from dashboard.exhibits.declaration import AnyExhibit, Exhibit

#: Modules that declare exhibits, in the order of the pages.
MODULES = (
    "scores",
    "precision",
    "blocks",
    "significance",
    "two_systems",
    "slices",
    "references",
    "ngrams",
    "segments",
    "system_agreement",
    "segment_agreement",
    "metrics",
    "judges",
    "human_ranking",
    "rater_differences",
    "score_differences",
    "review_thresholds",
    "error_rates",
)


def _declared(module: str) -> list[AnyExhibit]:
    objects = vars(import_module(f"dashboard.exhibits.{module}")).values()
    return [exhibit for exhibit in objects if isinstance(exhibit, Exhibit)]


#: Name -> exhibit, in the order of the modules and of the declarations in each.
EXHIBITS: Mapping[str, AnyExhibit] = MappingProxyType(
    {exhibit.name: exhibit for module in MODULES for exhibit in _declared(module)}
)

#: Former name, which commands still accept -> name.
RENAMED: Mapping[str, str] = MappingProxyType({"tiers": "score-intervals"})
