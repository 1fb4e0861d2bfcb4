"""Bundles of segments: a fixed number of sums of counts, however long the text is.

The bundle of a segment is a fixed hash of its line number, or of the name of its document, so that each part of a text
can be bundled separately. Resampling bundles in place of segments gives the same variance if segments are independent;
with bundles of whole documents, only documents must be independent.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Literal, NamedTuple

import numpy as np

from bleu_core.arrays import Integers

#: Default number of bundles: the standard error of a score is then known to within 1%.
BUNDLES = 5_000

BundledBy = Literal["lines", "documents"]


class Bundling(NamedTuple):
    """The method by which segments are bundled.

    Attributes:
        by: what is hashed.
        number: number of bundles.
    """

    by: BundledBy
    number: int = BUNDLES


def bundles_of_lines(first: int, lines: int, bundles: int) -> Integers:
    """Return the bundles, from 0, of consecutive lines: the hashed line number (splitmix64) modulo `bundles`."""
    mixed = np.arange(first, first + lines, dtype=np.uint64) + np.uint64(1)
    mixed *= np.uint64(0x9E3779B97F4A7C15)
    mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    mixed ^= mixed >> np.uint64(31)
    return (mixed % np.uint64(bundles)).astype(np.int64)


def bundles_of_documents(documents: Sequence[str], bundles: int) -> Integers:
    """Return the bundle, from 0, of each segment: a digest of its document's name modulo `bundles`."""
    bundle_of_name = {name: _bundle_of(name, bundles) for name in set(documents)}
    return np.array([bundle_of_name[name] for name in documents], np.int64)


def _bundle_of(name: str, bundles: int) -> int:
    digest = hashlib.blake2b(name.encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest, "big") % bundles
