"""All exhibits, by name."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from dashboard.exhibits import (
    blocks,
    judges,
    metrics,
    ngrams,
    precision,
    rater_differences,
    references,
    score_differences,
    scores,
    segment_agreement,
    segments,
    significance,
    slices,
    system_agreement,
    two_systems,
)
from dashboard.exhibits.declaration import AnyExhibit, Exhibit

_MODULES = (
    scores,
    precision,
    blocks,
    significance,
    two_systems,
    slices,
    references,
    ngrams,
    segments,
    system_agreement,
    segment_agreement,
    metrics,
    judges,
    rater_differences,
    score_differences,
)

#: Name -> exhibit, in the order of the pages and, of a module, of its declarations.
EXHIBITS: Mapping[str, AnyExhibit] = MappingProxyType(
    {exhibit.name: exhibit for module in _MODULES for exhibit in vars(module).values() if isinstance(exhibit, Exhibit)}
)
