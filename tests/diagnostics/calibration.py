"""How often are warnings raised without cause, and how often is a planted cause found? Slow, on real test sets.

    BLEU_CONFORMANCE_DATA=/path/to/the/folder uv run --extra test python -m tests.diagnostics.calibration

prints the tables of docs/warnings.md: shares and names of systems, and nothing of the texts. Halves of a set are drawn
at random; a finding of a half is a false alarm unless the whole set has a finding of that warning about the same
systems and references. Counts are those of the whole set, taken for the half. Thresholds were chosen on halves drawn
with another seed.
"""

from __future__ import annotations

import argparse
import os
import random
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
from tabulate import tabulate

from bleu_core.dataset import Corpus
from bleu_core.diagnostics import DiagnosticInput, Finding, all_warnings, find_warning
from bleu_core.scoring import evaluate

from .planted import Cause, causes, made_from, with_system

SETS = ("ted-zhen", "newstest2020-ruen-2sys", "wmt23-ende-3raters")
#: A set in the script of the references of each set, and in another language.
FOREIGN = {
    "ted-zhen": "wmt23-ende-3raters",
    "newstest2020-ruen-2sys": "wmt23-ende-3raters",
    "wmt23-ende-3raters": "ted-zhen",
}
HALVES, PLANTS, SEED = 1000, 20, 20261123
#: Shares of a reference that are unchanged from a system, and numbers of systems among which it is looked for.
UNCHANGED, AMONG = (0.15, 0.2, 0.3, 0.6), (1, 2, 3, 5, 12)
#: Warnings about the contents of whole texts, sizes of random samples, and shares of random words in a system.
CONTENT = ("wrong-language", "misplaced", "unrelated-references")
SAMPLE_SEGMENTS, DAMAGE = (12, 30, 100), (0.0, 0.5, 0.8)
#: References that were put together from outputs of systems: they are no human translations.
SYNTHETIC = ("synthetic_ref",)
INFERRED = tuple(warning.key for warning in all_warnings() if warning.inferred)


def lines(path: Path) -> tuple[str, ...]:
    """The segments of a file."""
    return tuple(path.read_text(encoding="utf-8").removesuffix("\n").split("\n"))


def real_set(folder: Path) -> Corpus:
    """A test set, with all its systems and references."""
    systems, references = (
        {path.stem: lines(path) for path in sorted((folder / role).glob("*.txt"))} for role in ("systems", "refs")
    )
    documents = folder / "docs.txt"
    return Corpus(systems, references, lines(folder / "source.txt"), lines(documents) if documents.exists() else None)


def is_true_of(whole: Sequence[Finding], found: Finding) -> bool:
    """Whether the whole set has a finding about the same systems and references, or more of them."""
    return any(
        one.key == found.key and set(found.systems) <= set(one.systems) and set(found.references) <= set(one.references)
        for one in whole
    )


def false_alarms(corpus: Corpus, halves: int, seed: int = SEED) -> Mapping[str, float]:
    """Key of each inferred warning -> the share of random halves with a false alarm."""
    whole = DiagnosticInput(corpus, evaluate(corpus))
    true = {key: find_warning(key).find(whole) for key in INFERRED}
    generator = np.random.default_rng(seed)
    raised: Counter[str] = Counter()
    for _ in range(halves):
        half = whole.subset(np.sort(generator.permutation(corpus.segments)[: corpus.segments // 2]).tolist())
        for key in INFERRED:
            raised[key] += any(not is_true_of(true[key], found) for found in find_warning(key).find(half))
    return {key: raised[key] / halves for key in INFERRED}


def found_plants(corpus: Corpus, cause: Cause, share: float, plants: int, seed: int = SEED) -> tuple[int, int, int]:
    """How many of so many plants are found where they are, how many as an alarm, and how many elsewhere.

    Elsewhere are other systems, about which the set without a plant has no finding of that warning.
    """
    before = DiagnosticInput(corpus, evaluate(corpus))
    corpus = replace(corpus, systems={name: corpus.systems[name] for name in before.distinct_systems})
    before = DiagnosticInput(corpus, evaluate(corpus))
    true = find_warning(cause.key).find(before)
    hits = alarms = elsewhere = 0
    for number in range(plants):
        generator = random.Random(seed + number)
        system, reference = generator.choice(before.distinct_systems), generator.choice(before.full_references)
        planted = cause.plant(corpus, system, reference, share, generator)
        found = find_warning(cause.key).find(DiagnosticInput(planted.corpus, evaluate(planted.corpus)))
        right = [
            one
            for one in found
            if one not in true
            and (planted.system in one.systems if planted.system else planted.reference in one.references)
        ]
        hits += bool(right)
        alarms += any(one.strength == "alarm" for one in right)
        elsewhere += any(one not in right and not is_true_of(true, one) for one in found)
    return hits, alarms, elsewhere


def human_set(corpus: Corpus) -> Corpus:
    """A test set with its human references, and its systems that are no human translations and differ."""
    whole = DiagnosticInput(corpus, evaluate(corpus))
    references = {name: text for name, text in corpus.references.items() if name not in SYNTHETIC}
    return replace(
        corpus, systems={name: corpus.systems[name] for name in whole.distinct_systems}, references=references
    )


def post_edited_found(
    corpus: Corpus,
    among: int,
    share: float,
    plants: int,
    seed: int = SEED,
    *,
    typography: bool = False,
    excluded: bool = False,
) -> tuple[int, int, int]:
    """How many references that were post-edited from one of some systems are found, see found_plants.

    Args:
        corpus: of human_set.
        among: the number of systems, which are drawn at random with the reference.
        share: of the reference's segments that are unchanged.
        plants: how many are made.
        seed: of the draws.
        typography: whether the reference is written with other marks.
        excluded: whether the system is loaded and not ranked.
    """
    hits = alarms = elsewhere = 0
    for number in range(plants):
        generator = random.Random(seed + number)
        systems = generator.sample(sorted(corpus.systems), among)
        reference = generator.choice(sorted(corpus.references))
        some = replace(
            corpus,
            systems={name: corpus.systems[name] for name in systems},
            references={reference: corpus.references[reference]},
        )
        made = made_from(some, systems[0], reference, share, generator, typography=typography)
        ranked = made.corpus
        if excluded:
            ranked = replace(ranked, systems={name: ranked.systems[name] for name in systems[1:]})
        others = {name: text for name, text in made.corpus.systems.items() if name not in ranked.systems}
        data = DiagnosticInput(ranked, evaluate(ranked), others=others)
        found = find_warning("close-reference").find(data)
        right = [one for one in found if f"equal {systems[0]}'s output" in one.message]
        hits += bool(right)
        alarms += any(one.strength == "alarm" for one in right)
        elsewhere += any(one not in right or set(one.systems) - {systems[0]} for one in found)
    return hits, alarms, elsewhere


def few_systems_false_alarms(corpus: Corpus, among: int, halves: int, seed: int = SEED) -> float:
    """The share of random halves of a few systems in which a human reference is called close to one of them.

    Args:
        corpus: of human_set.
        among: the number of systems, which are drawn at random with the reference.
        halves: how many are drawn.
        seed: of the draws.
    """
    alone = {name: evaluate(corpus, references=[name]) for name in sorted(corpus.references)}
    generator = np.random.default_rng(seed)
    raised = 0
    for _ in range(halves):
        systems = sorted(generator.choice(sorted(corpus.systems), among, replace=False).tolist())
        reference = str(generator.choice(list(alone)))
        some = replace(
            corpus,
            systems={name: corpus.systems[name] for name in systems},
            references={reference: corpus.references[reference]},
        )
        whole = DiagnosticInput(some, alone[reference].select(systems))
        rows = np.sort(generator.permutation(corpus.segments)[: corpus.segments // 2]).tolist()
        raised += bool(find_warning("close-reference").find(whole.subset(rows)))
    return raised / halves


def post_edited_rows(corpora: Mapping[str, Corpus], plants: int) -> Iterator[tuple[object, ...]]:
    """A row for each number of systems and share: how many references made from a system are found in each set."""
    for among in AMONG:
        for share in UNCHANGED:
            cells: list[str] = []
            for corpus in corpora.values():
                if among > len(corpus.systems):
                    cells.append("")
                    continue
                hits, alarms, elsewhere = post_edited_found(corpus, among, share, plants)
                cells.append(f"{hits} ({alarms})" + (f" +{elsewhere}" if elsewhere else ""))
            yield among, f"{100 * share:g}%", *cells


def excluded_rows(corpora: Mapping[str, Corpus], plants: int) -> Iterator[tuple[object, ...]]:
    """A row for each number of systems and share: references made from a system that is loaded and not ranked."""
    for among in AMONG[1:]:
        for share in UNCHANGED[1:3]:
            cells: list[str] = []
            for corpus in corpora.values():
                enough = among <= len(corpus.systems)
                found = post_edited_found(corpus, among, share, plants, excluded=True) if enough else None
                cells.append("" if found is None else f"{found[0]} ({found[1]})")
            yield among - 1, f"{100 * share:g}%", *cells


def content_false_alarms(corpus: Corpus, segments: int, damage: float, samples: int, seed: int = SEED) -> float:
    """The share of random samples in which a system or a reference is said not to correspond or to be foreign.

    Args:
        corpus: of human_set.
        segments: of each sample.
        damage: the share of the words of one system, drawn at random, in whose place are random words of a reference.
        samples: how many are drawn.
        seed: of the draws.
    """
    raised = 0
    words = " ".join(filter(None, next(iter(corpus.references.values())))).split(" ")
    for number in range(samples):
        generator = random.Random(seed + number)
        rows = sorted(generator.sample(range(corpus.segments), min(segments, corpus.segments)))
        system, sample = generator.choice(sorted(corpus.systems)), corpus.subset(rows)
        text = [_damaged(line, words, damage, generator) for line in sample.systems[system]]
        data = DiagnosticInput(with_system(sample, system, text), evaluate(with_system(sample, system, text)))
        found = (one for key in CONTENT for one in find_warning(key).find(data))
        raised += any(one.strength == "alarm" and not one.segments for one in found)
    return raised / samples


def _damaged(line: str, words: Sequence[str], damage: float, generator: random.Random) -> str:
    return " ".join(generator.choice(words) if generator.random() < damage else word for word in line.split(" "))


def content_rows(corpora: Mapping[str, Corpus], samples: int) -> Iterator[tuple[object, ...]]:
    """A row for each size of samples and share of random words: false alarms about content in each set."""
    for segments in SAMPLE_SEGMENTS:
        for damage in DAMAGE:
            rates = (f"{100 * content_false_alarms(one, segments, damage, samples):.1f}%" for one in corpora.values())
            yield segments, f"{100 * damage:g}%", *rates


def few_systems_rows(corpora: Mapping[str, Corpus], halves: int) -> Iterator[tuple[object, ...]]:
    """A row for each number of systems: false alarms of close-reference in each set."""
    for among in AMONG:
        rates = (
            f"{100 * few_systems_false_alarms(corpus, among, halves):.1f}%" if among <= len(corpus.systems) else ""
            for corpus in corpora.values()
        )
        yield among, *rates


def plant_rows(corpora: Mapping[str, Corpus], plants: int) -> Iterator[tuple[object, ...]]:
    """A row for each cause and share: how many of the plants are found in each set."""
    names = list(corpora)
    by_set = {name: causes(_foreign(corpora, name)) for name in names}
    for title, cause in by_set[names[0]].items():
        for share in cause.shares:
            cells: list[str] = []
            for name in names:
                enough = len(corpora[name].systems) >= cause.systems
                found = found_plants(corpora[name], by_set[name][title], share, plants) if enough else None
                cells.append("" if found is None else f"{found[0]} ({found[1]})")
                if found is not None and found[2]:
                    cells[-1] += f" +{found[2]}"
            yield title, f"`{cause.key}`", f"{100 * share:g}%", *cells


def _foreign(corpora: Mapping[str, Corpus], name: str) -> Sequence[str]:
    (first, *_) = corpora[FOREIGN[name]].references.values()
    return [line for line in first if line]


def main() -> None:
    """Print all tables."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.diagnostics.calibration", description="Calibrate the warnings."
    )
    parser.add_argument("--halves", type=int, default=HALVES, help="random halves of each set (default: %(default)s)")
    parser.add_argument("--plants", type=int, default=PLANTS, help="plants of each cause (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=SEED, help="seed of the halves (default: %(default)s)")
    options = parser.parse_args()
    folder = Path(os.environ["BLEU_CONFORMANCE_DATA"]) / "data"
    corpora = {name: real_set(folder / name) for name in SETS}
    rates = {name: false_alarms(corpus, options.halves, options.seed) for name, corpus in corpora.items()}
    rows = [(f"`{key}`", *(f"{100 * rates[name][key]:.1f}%" for name in SETS)) for key in INFERRED]
    print(tabulate(rows, ["warning", *SETS], tablefmt="github"), end="\n\n", flush=True)  # noqa: T201 # for people
    table = tabulate(plant_rows(corpora, options.plants), ["cause", "found by", "share", *SETS], tablefmt="github")
    print(table, end="\n\n", flush=True)  # noqa: T201 # for people
    human = {name: human_set(corpus) for name, corpus in corpora.items()}
    made = tabulate(post_edited_rows(human, options.plants), ["systems", "unchanged", *SETS], tablefmt="github")
    print(made, end="\n\n", flush=True)  # noqa: T201 # for people
    few = tabulate(few_systems_rows(human, options.halves), ["systems", *SETS], tablefmt="github")
    print(few, end="\n\n", flush=True)  # noqa: T201 # for people
    excluded = tabulate(excluded_rows(human, options.plants), ["ranked systems", "unchanged", *SETS], tablefmt="github")
    print(excluded, end="\n\n", flush=True)  # noqa: T201 # for people
    content = content_rows(human, options.halves // 10)
    print(tabulate(content, ["segments", "random words", *SETS], tablefmt="github"))  # noqa: T201 # for people


if __name__ == "__main__":
    main()
