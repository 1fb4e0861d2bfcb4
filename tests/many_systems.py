"""Systems of one test set that are so many that not all pairs of them are shown, and the most that are."""

from __future__ import annotations

from functools import cache

from bleu_core.dataset import Corpus
from tests.benchmarks.inputs import outputs

#: 300 pairs and 325 pairs.
MAX_WITH_ALL_PAIRS, MANY = 25, 26
SEGMENTS = 40


@cache
def many_systems(count: int = MANY) -> Corpus:
    """A corpus with one reference."""
    systems, reference = outputs(systems=count, segments=SEGMENTS)
    return Corpus({name: tuple(lines) for name, lines in systems.items()}, {"ref": tuple(reference)})


def files_of(corpus: Corpus) -> dict[str, str]:
    """The texts of the files of a corpus, by their names."""
    texts = {**corpus.systems, **corpus.references}
    return {f"{name}.txt": "".join(f"{line}\n" for line in lines) for name, lines in texts.items()}
