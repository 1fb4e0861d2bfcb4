"""Texts counted in parts, for tests that compare them with one pass."""

from __future__ import annotations

import random
from collections.abc import Mapping
from pathlib import Path

from bleu_core.counts import (
    Counts,
    LineRange,
    Part,
    Source,
    count_texts,
    decode_counts,
    encode_counts,
    merge,
    scan_files,
)
from bleu_core.scoring import BYTE_TOKENIZERS, Counting, NgramStats, count_ngrams

#: sacreBLEU's plain tokenisers.
PLAIN = tuple(BYTE_TOKENIZERS)


def whole(systems: Mapping[str, Path], references: Mapping[str, Path], counting: Counting) -> NgramStats:
    """All files counted in one pass."""
    texts = [
        {name: path.read_text(encoding="utf-8-sig").removesuffix("\n").split("\n") for name, path in files.items()}
        for files in (systems, references)
    ]
    return count_ngrams(texts[0], texts[1], counting=counting)


def division(segments: int, chance: random.Random) -> list[LineRange]:
    """All lines in some ranges of random lengths."""
    cuts = sorted(chance.sample(range(1, segments), min(chance.randint(1, 8), segments - 1)))
    ends = zip([0, *cuts], [*cuts, segments], strict=True)
    return [LineRange(first, behind - first) for first, behind in ends]


def merged_from_files(
    systems: Mapping[str, Path], references: Mapping[str, Path], counting: Counting, of: int, chance: random.Random
) -> Counts:
    """Files counted in parts, each written as a counts file and read again, and merged in random order."""
    sources = [{name: Source(str(path)) for name, path in files.items()} for files in (systems, references)]
    texts = scan_files(*sources)
    parts = [encode_counts(count_texts(texts, counting=counting, part=Part(i, of))) for i in range(1, of + 1)]
    chance.shuffle(parts)
    return merge([(str(i), decode_counts(part, str(i))) for i, part in enumerate(parts)])
