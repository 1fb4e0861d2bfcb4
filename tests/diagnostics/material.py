"""Material for tests of warnings: small texts, and a test set made up of clauses that are drawn at random."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence

from bleu_core.dataset import Corpus, Judgments
from bleu_core.diagnostics import DiagnosticInput, Finding, find_warning
from bleu_core.scoring import BleuSettings, evaluate

WORDS = [
    "river",
    "stone",
    "garden",
    "letter",
    "window",
    "captain",
    "market",
    "silver",
    "winter",
    "bridge",
    "doctor",
    "forest",
    "music",
    "paper",
    "summer",
    "island",
    "engine",
    "teacher",
    "village",
    "morning",
    "bottle",
    "castle",
    "driver",
    "farmer",
    "golden",
    "hammer",
    "jacket",
    "kitchen",
    "ladder",
    "mirror",
    "needle",
    "orange",
]
LINK = ("and the", "with a", "of the", "for a", "to the", "but not the", "which was in the", "on a")


def sentence(generator: random.Random, words: int = 8) -> str:
    """An English sentence, at least by its function words."""
    chosen = [f"{generator.choice(LINK)} {generator.choice(WORDS)}" for _ in range(words)]
    return f"The {generator.choice(WORDS)} {' '.join(chosen)}, he said."


def reworded(line: str, generator: random.Random, share: float) -> str:
    """The sentence with a share of its words replaced by others."""
    return " ".join(
        generator.choice(WORDS) if word in WORDS and generator.random() < share else word for word in line.split(" ")
    )


def drawn_set(systems: int = 6, segments: int = 200, seed: int = 1) -> tuple[dict[str, list[str]], list[str]]:
    """Systems that are more or less like the reference, and the reference."""
    generator = random.Random(seed)
    reference = [sentence(generator, 5 + generator.randrange(6)) for _ in range(segments)]
    hardness = [generator.uniform(0.4, 1.0) for _ in range(segments)]
    outputs = {
        f"S{k}": [
            reworded(line, generator, min(1.0, hard * (0.7 + 0.1 * k)))
            for line, hard in zip(reference, hardness, strict=True)
        ]
        for k in range(systems)
    }
    return outputs, reference


def material(
    systems: Mapping[str, Sequence[str]],
    references: Mapping[str, Sequence[str | None]],
    *,
    source: Sequence[str] | None = None,
    documents: Sequence[str] | None = None,
    judgments: Judgments | None = None,
    settings: BleuSettings | None = None,
) -> DiagnosticInput:
    """The texts, counted."""
    corpus = Corpus(
        {name: tuple(text) for name, text in systems.items()},
        {name: tuple(text) for name, text in references.items()},
        None if source is None else tuple(source),
        None if documents is None else tuple(documents),
    )
    return DiagnosticInput(corpus, evaluate(corpus, settings), judgments)


def found(key: str, of: DiagnosticInput) -> list[Finding]:
    """What one warning finds."""
    return list(find_warning(key).find(of))
