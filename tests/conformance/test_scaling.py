"""Counts of real test sets in random parts, in any order and process, are the integers of one pass."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import pytest
from nightly import nightly
from scaled import PLAIN, division, merged_from_files, whole

from bleu_core.counts import LineRange, Part, SegmentCounts, Source, Texts, count_texts, merge, scan_files
from bleu_core.counts.counting import count_range, counted_of, range_task
from bleu_core.processes import Processes
from bleu_core.scoring import Counting, NgramStats, count_ngrams

SETS = ("ted-zhen", "wmt23-ende-3raters", "newstest2020-ruen-2sys", "formats/mt-metrics-eval/wmt23")
#: Systems of a set, so that the whole takes seconds.
SYSTEMS = 3


def files(data: Path) -> tuple[dict[str, Path], dict[str, Path]]:
    """Systems and references of a set."""
    named = (("systems", "refs"), ("system-outputs/en-de", "references"))
    systems, references = next(pair for pair in named if (data / pair[0]).is_dir())
    found = [{path.stem: path for path in sorted((data / kind).glob("*.txt"))} for kind in (systems, references)]
    return dict(list(found[0].items())[:SYSTEMS]), found[1]


def lines(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8-sig").removesuffix("\n").split("\n")


def same(found: object, expected: NgramStats) -> bool:
    assert isinstance(found, SegmentCounts)
    stats = found.stats(expected.systems)
    names = ("matches", "hypothesis_lengths", "reference_lengths")
    return all(np.array_equal(getattr(stats, name), getattr(expected, name)) for name in names)


@pytest.mark.parametrize("name", [SETS[0], *nightly(SETS[1:])])
@pytest.mark.parametrize("tokenizer", PLAIN)
def test_random_parts_of_files_add_up_to_one_pass(folder: Path, name: str, tokenizer: str) -> None:
    chance = random.Random(name + tokenizer)
    systems, references = files(folder / "data" / name)
    counting = Counting(tokenizer=tokenizer, lowercase=chance.random() < 0.5)
    expected = whole(systems, references, counting)
    of = chance.randint(2, 9)
    assert same(merged_from_files(systems, references, counting=counting, of=of, chance=chance).data, expected)


@pytest.mark.parametrize("name", [SETS[0], *nightly(SETS[1:])])
@pytest.mark.parametrize("tokenizer", PLAIN)
def test_any_ranges_of_lines_with_absent_references_add_up_to_one_pass(folder: Path, name: str, tokenizer: str) -> None:
    chance = random.Random(tokenizer + name)
    system_files, reference_files = files(folder / "data" / name)
    systems: Mapping[str, Sequence[str]] = {key: lines(path) for key, path in system_files.items()}
    references: dict[str, list[str | None]] = {key: [*lines(path)] for key, path in reference_files.items()}
    for texts in list(references.values())[1:]:
        for i in range(len(texts)):
            if chance.random() < 0.3:
                texts[i] = None
    counting = Counting(tokenizer=tokenizer, lowercase=chance.random() < 0.5)
    texts = Texts(systems, references)
    counted = counted_of(texts, counting=counting, max_order=4, bundling=None)
    ranges = division(counted.segments, chance)
    parts = [(str(each), count_range(range_task(texts, counted, each))) for each in ranges]
    chance.shuffle(parts)
    expected = count_ngrams(systems, references, counting=counting)
    assert same(merge(parts).data, expected)


@pytest.mark.parametrize("name", [*nightly(SETS[:-1]), SETS[-1]])
def test_processes_give_the_integers_of_one_pass(folder: Path, name: str) -> None:
    systems, references = files(folder / "data" / name)
    expected = whole(systems, references, Counting())
    with Processes(2) as run:
        texts = scan_files(
            *({key: Source(str(path)) for key, path in paths.items()} for paths in (systems, references)), run=run
        )
        parts = [
            (str(i), count_texts(texts, counting=Counting(), part=Part(i, 4), run=run, workers=2)) for i in (3, 1, 4, 2)
        ]
    assert same(merge(parts).data, expected)
    assert merge(parts).range == LineRange(0, expected.matches.shape[1])
