"""The sample, divided into test sets."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import sample_data
from bleu_core.collection import TestSet
from bleu_core.formats import FileRole
from bleu_core.uploads import File


def part_of_sample(name: str, segments: range, *, lacking: Sequence[str] = ()) -> TestSet:
    """Segments of the sample as a test set, without some of the texts."""
    files: list[File] = []
    given: tuple[tuple[FileRole, Sequence[Path]], ...] = (
        ("system", sample_data.systems()),
        ("reference", sample_data.references()),
    )
    for role, paths in given:
        for path in paths:
            if path.stem not in lacking:
                lines = path.read_text(encoding="utf-8").split("\n")[segments.start : segments.stop]
                files.append(File(path.name, ("\n".join(lines) + "\n").encode(), role))
    return TestSet(name=name, files=tuple(files), languages="zh-en")


def divided_sample() -> list[TestSet]:
    """Three sets of 200, 200 and 100 segments; the second lacks a system."""
    return [
        part_of_sample("first", range(200)),
        part_of_sample("second", range(200, 400), lacking=["S3"]),
        part_of_sample("third", range(400, 500)),
    ]
