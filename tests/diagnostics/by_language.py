"""How often do warnings about content and tokenisation contradict human references of many languages? Slow.

    uv run --extra test python -m tests.diagnostics.by_language FOLDER

FOLDER is a copy of wmt-conference/wmt21-news-systems, or of a later release in the same layout (folder `txt`). For each
pair of languages the table has the numbers of systems and references, the systems and references that a warning names
in the whole set, and the share of random samples in which one is named that is not named in the whole set.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping
from pathlib import Path

import numpy as np
from tabulate import tabulate

from bleu_core.dataset import Corpus
from bleu_core.diagnostics import DiagnosticInput, Finding, find_warning
from bleu_core.scoring import BleuSettings, evaluate

from .calibration import SEED, lines

#: The warnings of the table.
KEYS = ("misplaced", "wrong-language", "unrelated-references", "escape-sequences", "tokenization")
#: Random samples of a set, and their segments.
SAMPLES, SEGMENTS = 50, 50


def released_sets(folder: Path) -> Iterator[tuple[str, Corpus]]:
    """The test sets of a release, by their names; files of another number of lines are ignored."""
    by_set: dict[str, dict[str, dict[str, tuple[str, ...]]]] = {}
    for role in ("references", "system-outputs"):
        for path in sorted((folder / "txt" / role).glob("*.*")):
            test_set, pair, _, *name, _ = path.name.split(".")
            by_set.setdefault(f"{test_set}.{pair}", {}).setdefault(role, {})[".".join(name)] = lines(path)
    for name, texts in sorted(by_set.items()):
        references = texts["references"]
        segments = len(next(iter(references.values())))
        systems = {system: text for system, text in texts["system-outputs"].items() if len(text) == segments}
        yield name, Corpus(systems, references)


def named(found: list[Finding]) -> dict[str, str]:
    """Each system and reference that an alarm names, or a finding on traces of tokenisers -> the message."""
    about = (one for one in found if one.strength == "alarm" or "traces" in one.message or one.key == KEYS[3])
    return {f"{one.key} {name}": one.message for one in about for name in (*one.systems, *one.references)}


def rates(corpus: Corpus, samples: int) -> tuple[Mapping[str, str], float]:
    """The messages on the whole set, and the share of random samples that name another text."""
    settings = BleuSettings(tokenizer="char")
    whole = DiagnosticInput(corpus, evaluate(corpus, settings))
    true = named([one for key in KEYS for one in find_warning(key).find(whole)])
    generator = np.random.default_rng(SEED)
    raised = 0
    for _ in range(samples):
        rows = np.sort(generator.permutation(corpus.segments)[:SEGMENTS]).tolist()
        sample = whole.subset(rows)
        raised += not set(named([one for key in KEYS for one in find_warning(key).find(sample)])) <= set(true)
    return true, raised / samples


def main() -> None:
    """Print the table, and the messages on whole sets."""
    parser = argparse.ArgumentParser(prog="python -m tests.diagnostics.by_language", description=__doc__)
    parser.add_argument("folder", type=Path, help="a copy of a release")
    parser.add_argument("--samples", type=int, default=SAMPLES, help="random samples (default: %(default)s)")
    options = parser.parse_args()
    rows: list[tuple[object, ...]] = []
    for name, corpus in released_sets(options.folder):
        true, rate = rates(corpus, options.samples)
        rows.append((name, len(corpus.systems), len(corpus.references), len(true), f"{100 * rate:.1f}%"))
        for message in true.values():
            print(f"{name}: {message}", flush=True)  # noqa: T201 # for people
    headers = ["set", "systems", "references", "named in the whole set", f"samples of {SEGMENTS} segments"]
    print(tabulate(rows, headers, tablefmt="github"))  # noqa: T201 # for people


if __name__ == "__main__":
    main()
