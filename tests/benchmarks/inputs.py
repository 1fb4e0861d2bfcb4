"""Invented system outputs of any number and length, for the benchmarks."""

from __future__ import annotations

import random

import sample_data

Lines = list[str]


def outputs(systems: int, segments: int, seed: int = 1) -> tuple[dict[str, Lines], Lines]:
    """System outputs of rising quality, and their reference; nearly every line is different.

    Args:
        systems: the number of systems.
        segments: lines per file.
        seed: of the random words.

    Returns:
        System name -> lines, and the reference's lines.
    """
    chance = random.Random(seed)
    paths = sample_data.references()
    lines = [line for path in paths for line in path.read_text(encoding="utf-8").split("\n")[:-1]]
    words = [word for line in lines for word in line.split()]

    def exchanged(line: str, share: float) -> str:
        return " ".join(chance.choice(words) if chance.random() < share else word for word in line.split())

    reference = [exchanged(chance.choice(lines), 1 / 6) for _ in range(segments)]
    shares = [0.3 + 0.2 * k / max(systems - 1, 1) for k in range(systems)]
    return {
        f"System-{k + 1}": [exchanged(line, share) for line in reference] for k, share in enumerate(shares)
    }, reference


def as_file(lines: Lines) -> bytes:
    """The bytes of a text file with those lines."""
    return "".join(line + "\n" for line in lines).encode()
