"""Bundles of segments: sums of counts that stay as few however long the text is.

The bundle of a segment follows from its line number, or from its document, by a fixed hash, so that any part of a text
is bundled by itself in the same way. Resampling bundles in place of segments gives the same variance where segments
are independent of each other; bundles of whole documents need that of documents only.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Literal, NamedTuple

import numpy as np

from bleu_core.arrays import Integers

#: Bundles of a text: the standard error of a score is then known to within 1 %.
BUNDLES = 5_000

BundledBy = Literal["lines", "documents"]


class Bundling(NamedTuple):
    """How segments are bundled.

    Attributes:
        by: what the hash is of.
        number: of bundles.
    """

    by: BundledBy
    number: int = BUNDLES


def bundles_of_lines(first: int, lines: int, bundles: int) -> Integers:
    """The bundles, from 0, of so many lines from a line on: a mixed line number (splitmix64), modulo their number."""
    mixed = np.arange(first, first + lines, dtype=np.uint64) + np.uint64(1)
    mixed *= np.uint64(0x9E3779B97F4A7C15)
    mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    mixed ^= mixed >> np.uint64(31)
    return (mixed % np.uint64(bundles)).astype(np.int64)


def bundles_of_documents(documents: Sequence[str], bundles: int) -> Integers:
    """The bundles, from 0, of segments of these documents: a digest of the document's name, modulo their number."""
    of_document = {name: _bundle_of(name, bundles) for name in set(documents)}
    return np.array([of_document[name] for name in documents], np.int64)


def _bundle_of(name: str, bundles: int) -> int:
    digest = hashlib.blake2b(name.encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest, "big") % bundles
