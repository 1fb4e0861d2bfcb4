"""Several test sets in a session, for tests of pages: texts made from a seed, with systems of known quality."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence

from bleu_core.formats import FileRole
from bleu_core.uploads import File

WORDS = [
    f"{first}{second}" for first in ("mar", "sel", "tor", "wen", "dal", "kir") for second in ("an", "o", "ess", "im")
]

#: Share of words that a system has wrong.
ERRORS: Mapping[str, float] = {"A": 0.25, "B": 0.35, "C": 0.55}


def text_file(name: str, texts: Sequence[str], role: FileRole, test_set: str) -> File:
    """A file with one segment per line."""
    return File(name, "".join(f"{text}\n" for text in texts).encode(), role, test_set=test_set)


def made_set(name: str, *, systems: Mapping[str, float] = ERRORS, segments: int = 120, seed: int = 1) -> list[File]:
    """A test set of random words, in which each system has a share of the words of the reference wrong."""
    draw = random.Random(f"{name}-{seed}")
    reference = [" ".join(draw.choices(WORDS, k=12)) for _ in range(segments)]
    files = [text_file("ref.txt", reference, "reference", name)]
    for system, share in systems.items():
        output = [
            " ".join(draw.choice(WORDS) if draw.random() < share else word for word in line.split())
            for line in reference
        ]
        files.append(text_file(f"{system}.txt", output, "system", name))
    return files


def ratings(name: str, systems: Mapping[str, float] = ERRORS, segments: int = 120) -> File:
    """Ratings of a test set, better for systems with fewer errors."""
    draw = random.Random(f"{name}-ratings")
    rows = [
        f"{system},{segment},J1,{100 - 100 * share - 20 * draw.random():.1f}"
        for system, share in systems.items()
        for segment in range(1, segments + 1)
    ]
    return text_file("ratings.csv", ["system,segment,judge,score", *rows], "judgments", name)


def several(names: Sequence[str] = ("en-de", "en-fr", "en-cs", "en-ja", "en-uk")) -> tuple[File, ...]:
    """Test sets with the systems A, B and C; the last one lacks C if there are more than two."""
    files = [file for name in names[:-1] for file in made_set(name)]
    lacking = {name: share for name, share in ERRORS.items() if name != "C" or len(names) < 3}
    return (*files, *made_set(names[-1], systems=lacking))
