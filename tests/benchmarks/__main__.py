"""Time counting beside other scorers, in one run, so that a busy machine disturbs all alike.

    uv run --extra benchmarks python -m tests.benchmarks [--pairs 3000 10000 100000] [--repeats 5]

The texts are the sample data with words exchanged at random, every line different. sacreBLEU gets a fresh object each
time, since its tokeniser remembers lines, and cached references. Times are of the processor, in microseconds a segment
pair, medians over repeats; the floor is str.split on both sides with the tokens thrown away. Counting for chrF and TER
is timed beside sacreBLEU's, too. With --scaling, how counting scales is measured instead.
"""

from __future__ import annotations

import argparse
import importlib.util
import os
import platform
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import product
from pathlib import Path
from typing import Any

from tabulate import tabulate

import sample_data
from tests.benchmarks import scaling
from tests.benchmarks.start import compiling

Lines = list[str]
Scorer = Callable[[Lines, Lines], object]

#: Slower scorers are left out above so many pairs.
LIMITS = {"NLTK corpus_bleu, split": 100_000, "sacreBLEU, references cached": 100_000, "bleuscore": 100_000}


def main() -> None:
    """Print a table of in-process times, and one of whole processes."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks", description="Time counting beside others.")
    parser.add_argument("--pairs", type=int, nargs="+", default=[3_000, 10_000, 100_000])
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--processes", action="store_true", help="whole processes too")
    parser.add_argument("--scaling", action="store_true", help="processes, Dask and long texts in place of all else")
    parser.add_argument("--shared", type=int, default=1_000_000, help="pairs that processes share, with --scaling")
    parser.add_argument("--largest", type=int, default=10_000_000, help="pairs of the longest text, with --scaling")
    parser.add_argument("--data", type=Path, help="a folder of test sets, whose TER is timed, too")
    options = parser.parse_args()
    print(machine())
    if options.scaling:
        print(tabulate(scaling.processes(options.shared, texts), headers="keys", floatfmt=".2f"))
        print()
        print(tabulate(scaling.streamed(options.largest, texts), headers="keys", floatfmt=".2f"))
        return
    print(tabulate(list(in_process(options.pairs, options.repeats)), headers="keys", floatfmt=".2f", missingval="-"))
    print()
    print(tabulate(systems_together(options.repeats), headers="keys", floatfmt=".3f"))
    print()
    print(tabulate(by_chrf(options.repeats), headers="keys", floatfmt=".1f"))
    print()
    print(tabulate(by_ter(options.repeats, data_sets(options.data)), headers="keys", floatfmt=".0f"))
    if options.processes:
        print()
        print(tabulate(whole_processes(options.pairs, options.repeats), headers="keys", floatfmt=".2f"))


def machine() -> str:
    """What the times were taken on."""
    import numpy as np

    system = f"{platform.machine()}, {os.cpu_count()} cores, {platform.system()}"
    return f"{system}, Python {platform.python_version()}, NumPy {np.__version__}\n"


def texts(pairs: int, seed: int = 1) -> tuple[Lines, Lines]:
    """Hypotheses and references of that many pairs, every line different."""
    chance = random.Random(seed)
    lines = [line for path in sample_data.references() for line in path.read_text(encoding="utf-8").split("\n")[:-1]]
    words = [word for line in lines for word in line.split()]

    def exchanged(line: str) -> str:
        tokens = line.split()
        for _ in range(1 + len(tokens) // 6):
            tokens[chance.randrange(len(tokens))] = chance.choice(words)
        return " ".join(tokens)

    references = [exchanged(chance.choice(lines)) for _ in range(pairs)]
    return [exchanged(line) for line in references], references


def scorers() -> dict[str, Scorer]:
    """What is compared, the floor first."""
    found: dict[str, Scorer] = {"str.split": split_only, "bleu_core": ours, "sacreBLEU, references cached": sacrebleu}
    if importlib.util.find_spec("nltk"):
        found["NLTK corpus_bleu, split"] = nltk
    if importlib.util.find_spec("bleuscore"):
        found["bleuscore"] = bleuscore
    return found


def in_process(sizes: Sequence[int], repeats: int) -> list[dict[str, object]]:
    """Processor time a pair of each scorer, at each size; the scorers take turns."""
    rows: list[dict[str, object]] = [{"µs a pair": name} for name in scorers()]
    for pairs in sizes:
        hypotheses, references = texts(pairs)
        times: dict[str, list[float]] = {}
        for _ in range(repeats):
            for name, score in scorers().items():
                if pairs <= LIMITS.get(name, pairs):
                    times.setdefault(name, []).append(processor_time(score, hypotheses, references))
        for row in rows:
            if str(row["µs a pair"]) in times:
                row[f"{pairs:,}"] = 1e6 * statistics.median(times[str(row["µs a pair"])]) / pairs
    ours_row = next(row for row in rows if row["µs a pair"] == "bleu_core")
    for row in rows:
        largest = [key for key in row if key != "µs a pair"][-1]
        row["times bleu_core"] = float(str(row[largest])) / float(str(ours_row[largest]))
    return rows


def systems_together(repeats: int) -> list[dict[str, object]]:
    """Ten systems of 3,000 segments against one reference, then 1,000 resamples of all ten."""
    from bleu_core.inference.resampling import bootstrap_scores
    from bleu_core.scoring import BleuSettings, bleu_statistics, count_ngrams

    _, references = texts(3_000)
    systems = {str(k): texts(3_000, seed=k + 2)[0] for k in range(10)}
    times: dict[str, list[float]] = {"bleu_core": [], "sacreBLEU, references cached": [], "1,000 resamples": []}
    for _ in range(repeats):
        begun = time.process_time()
        counted = count_ngrams(systems, {"R": references})
        times["bleu_core"].append(time.process_time() - begun)
        begun = time.process_time()
        sums = bleu_statistics(counted, BleuSettings())
        bootstrap_scores(sums, 1000)
        times["1,000 resamples"].append(time.process_time() - begun)
        times["sacreBLEU, references cached"].append(
            sum(processor_time(sacrebleu, hypotheses, references) for hypotheses in systems.values())
        )
    return [{"10 systems, 3,000 segments": name, "s": statistics.median(taken)} for name, taken in times.items()]


def by_chrf(repeats: int) -> list[dict[str, object]]:
    """chrF2 and chrF2++ of one and of ten systems of 3,000 segments, with one reference: processor time a pair."""
    from sacrebleu.metrics.chrf import CHRF

    from bleu_core.scoring import count_chrf

    _, references = texts(3_000)
    systems = [texts(3_000, seed=k + 2)[0] for k in range(10)]
    rows: list[dict[str, object]] = []
    for (label, word_order), number in product({"chrF2": 0, "chrF2++": 2}.items(), (1, 10)):
        metric = CHRF(word_order=word_order)
        counters: dict[str, Callable[[], object]] = {
            "bleu_core": partial(count_chrf, systems[:number], [references], word_order=word_order, lowercase=False),
            "sacreBLEU": partial(chrf_by_sacrebleu, metric, systems[:number], references),
        }
        times: dict[str, list[float]] = {name: [] for name in counters}
        for _ in range(repeats):
            for name, count in counters.items():
                begun = time.process_time()
                count()
                times[name].append(time.process_time() - begun)
        taken = {name: 1e6 * statistics.median(of) / 3_000 / number for name, of in times.items()}
        ratio = taken["sacreBLEU"] / taken["bleu_core"]
        rows.append({"µs a pair": label, "systems": number, **taken, "times bleu_core": ratio})
    return rows


def by_ter(repeats: int, sets: Mapping[str, tuple[Sequence[Lines], Lines]]) -> list[dict[str, object]]:
    """TER with one reference, all systems of a set together: processor time a pair."""
    from bleu_core.dataset import Corpus
    from bleu_core.processes import use_workers
    from bleu_core.scoring import evaluate, score_metric

    rows: list[dict[str, object]] = []
    for name, (systems, references) in sets.items():
        evaluation = evaluate(
            corpus := Corpus({str(k): tuple(of) for k, of in enumerate(systems)}, {"R": tuple(references)})
        )
        counters: dict[str, Callable[[], object]] = {
            "bleu_core": partial(score_metric, corpus, evaluation, "ter"),
            "sacreBLEU": partial(ter_by_sacrebleu, systems, references),
        }
        times: dict[str, list[float]] = {counter: [] for counter in counters}
        with use_workers(1):
            for _ in range(repeats):
                for counter, count in counters.items():
                    begun = time.process_time()
                    count()
                    times[counter].append(time.process_time() - begun)
        pairs = len(systems) * len(references)
        taken = {counter: 1e6 * statistics.median(of) / pairs for counter, of in times.items()}
        ratio = taken["sacreBLEU"] / taken["bleu_core"]
        rows.append({"TER, µs a pair": name, "systems": len(systems), **taken, "times bleu_core": ratio})
    return rows


def ter_by_sacrebleu(systems: Sequence[Lines], references: Lines) -> None:
    """Count as sacreBLEU does with cached references."""
    from sacrebleu.metrics.ter import TER

    scorer = TER(references=[references])
    for hypotheses in systems:
        scorer.corpus_score(hypotheses, None)


def data_sets(folder: Path | None) -> Mapping[str, tuple[Sequence[Lines], Lines]]:
    """The sample data, and the sets in a folder: systems, and the first of the references."""
    found = {"sample data": (list(sample_data.systems()), list(sample_data.references()))}
    for each in sorted(folder.glob("*/systems")) if folder else ():
        found[each.parent.name] = (sorted(each.glob("*.txt")), sorted((each.parent / "refs").glob("*.txt")))
    return {name: ([lines_of(path) for path in systems], lines_of(of[0])) for name, (systems, of) in found.items()}


def lines_of(path: Path) -> Lines:
    """The lines of a file."""
    return path.read_text(encoding="utf-8").removesuffix("\n").split("\n")


def chrf_by_sacrebleu(metric: Any, systems: Sequence[Lines], references: Lines) -> None:
    """Count as sacreBLEU does, the references' n-grams once for all systems."""
    cache = metric._cache_references([references])  # noqa: SLF001 # what CHRF(references=...) does
    for hypotheses in systems:
        for hypothesis, of_reference in zip(hypotheses, cache, strict=True):
            metric._compute_segment_statistics(hypothesis, of_reference)  # noqa: SLF001


def whole_processes(sizes: Sequence[int], repeats: int) -> list[dict[str, object]]:
    """Wall time of the command lines, files to BLEU, after a first start that leaves compiled modules behind."""
    rows: list[dict[str, object]] = []
    with tempfile.TemporaryDirectory() as folder:
        for pairs in sizes:
            files = [Path(folder) / "hypotheses.txt", Path(folder) / "references.txt"]
            for path, lines in zip(files, texts(pairs), strict=True):
                path.write_text("".join(line + "\n" for line in lines), encoding="utf-8")
            here = Path(sys.executable).parent
            commands = {
                "bleu-core score": [here / "bleu-core", "score", "--ref", files[1], files[0]],
                "sacrebleu": [here / "sacrebleu", files[1], "-i", files[0], "-b"],
            }
            times: dict[str, list[float]] = {}
            for started in range(-1, repeats):
                for name, command in commands.items():
                    begun = time.monotonic()
                    subprocess.run([str(part) for part in command], check=True, capture_output=True, env=compiling())
                    if started >= 0:
                        times.setdefault(name, []).append(time.monotonic() - begun)
            medians = {name: statistics.median(taken) for name, taken in times.items()}
            ratio = medians["sacrebleu"] / medians["bleu-core score"]
            rows.append({"pairs": f"{pairs:,}", **{f"{n}, s": t for n, t in medians.items()}, "ratio": ratio})
    return rows


def processor_time(score: Scorer, hypotheses: Lines, references: Lines) -> float:
    """Seconds of the processor; what a scorer prepares before it starts is given as its first result."""
    prepared = score(hypotheses, references)
    begun = time.process_time()
    if callable(prepared):
        prepared()
    return time.process_time() - begun


def split_only(hypotheses: Lines, references: Lines) -> Callable[[], None]:
    """The floor: both sides split at white space, the tokens thrown away."""

    def run() -> None:
        for line in hypotheses:
            line.split()
        for line in references:
            line.split()

    return run


def ours(hypotheses: Lines, references: Lines) -> Callable[[], object]:
    """All of it: both sides tokenised, joined and counted."""
    from bleu_core.scoring import count_ngrams

    return lambda: count_ngrams({"A": hypotheses}, {"R": references})


def sacrebleu(hypotheses: Lines, references: Lines) -> Callable[[], object]:
    """A fresh object with its references cached before the clock starts."""
    from sacrebleu.metrics.bleu import BLEU
    from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a
    from sacrebleu.tokenizers.tokenizer_re import TokenizerRegexp

    for remembers in (Tokenizer13a, TokenizerRegexp):
        vars(remembers)["__call__"].cache_clear()
    metric = BLEU(references=[references])
    for remembers in (Tokenizer13a, TokenizerRegexp):
        vars(remembers)["__call__"].cache_clear()
    return lambda: metric.corpus_score(hypotheses, None)


def nltk(hypotheses: Lines, references: Lines) -> Callable[[], object]:
    """On tokens split before the clock starts."""
    from nltk.translate.bleu_score import corpus_bleu  # pyright: ignore[reportMissingImports]

    split = [line.split() for line in hypotheses]
    targets = [[line.split()] for line in references]
    return lambda: corpus_bleu(targets, split)


def bleuscore(hypotheses: Lines, references: Lines) -> Callable[[], object]:
    """In Rust, on all cores."""
    from bleuscore import compute  # pyright: ignore[reportMissingImports]

    targets = [[line] for line in references]
    return lambda: compute(references=targets, predictions=hypotheses, max_order=4)


if __name__ == "__main__":
    main()
