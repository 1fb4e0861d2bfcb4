"""The register of parts, in the order of the report."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from dashboard.export.parts import (
    blocks,
    human,
    marked_errors,
    method,
    precision,
    scores,
    significance,
    slices,
    starred,
    summary,
    test_sets,
    trust,
)
from dashboard.export.parts.declaration import Part

#: Key -> part.
PARTS: Mapping[str, Part] = MappingProxyType(
    {
        part.key: part
        for part in (
            summary.PART,
            trust.PART,
            scores.PART,
            precision.PART,
            blocks.PART,
            significance.PART,
            test_sets.PART,
            human.PART,
            marked_errors.PART,
            slices.PART,
            starred.PART,
            method.PART,
        )
    }
)
