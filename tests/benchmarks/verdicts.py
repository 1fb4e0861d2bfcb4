"""Compare the verdicts of the usual number of draws with those of 200,000, on every test set of a folder.

    BLEU_CONFORMANCE_DATA=… uv run --extra test python -m tests.benchmarks.verdicts [--draws 200000]

Each two systems of a set are compared by BLEU, against all references. Where the corrected p of many draws lies outside
0.02 to 0.1, the verdicts must agree, or the program ends with status 1; the pairs in between are listed.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator
from pathlib import Path

from tabulate import tabulate

from bleu_core.dataset import Corpus
from bleu_core.inference import ALPHA, Blocks, Test, all_pairs, compare, document_blocks
from bleu_core.scoring import SegmentStatistics, evaluate

#: Corrected p-values at which few draws may decide otherwise than many.
CLOSE = (0.02, 0.1)

#: Of the many draws, so that the few are not among them.
MANY_SEED = 1

TESTS: tuple[Test, ...] = ("bootstrap", "randomization")


def main() -> int:
    """Print a row per test, and the pairs that are close; 1 where verdicts differ that should not."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.verdicts", description="Few draws beside many.")
    parser.add_argument("--draws", type=int, default=200_000)
    options = parser.parse_args()
    rows: list[dict[str, object]] = []
    close: list[dict[str, object]] = []
    for name, table, groups in _test_sets(Path(os.environ["BLEU_CONFORMANCE_DATA"]) / "data"):
        for test in TESTS:
            for unit in (None, groups) if groups else (None,):
                row, near = _compared(name, table, groups=unit, test=test, draws=options.draws)
                rows.append(row)
                close += near
    print(tabulate(rows, headers="keys"))
    print()
    print(tabulate(close, headers="keys", floatfmt=".4f"))
    return int(any(row["differ, but should not"] for row in rows))


def _compared(
    name: str, table: SegmentStatistics, groups: Blocks | None, test: Test, draws: int
) -> tuple[dict[str, object], list[dict[str, object]]]:
    """A row of counts, and a row for each pair that is close or differs."""
    pairs = all_pairs(table.systems)
    usual = compare(table, pairs, test=test, groups=groups)
    many = compare(table, pairs, test=test, groups=groups, resamples=draws, trials=draws, seed=MANY_SEED)
    near: list[dict[str, object]] = []
    differ = wrong = 0
    for few, other in zip(usual.pairs, many.pairs, strict=True):
        verdicts = usual.verdict(few), many.verdict(other)
        is_close = CLOSE[0] <= other.p_value_adjusted <= CLOSE[1]
        differ += verdicts[0] != verdicts[1]
        wrong += verdicts[0] != verdicts[1] and not is_close
        if is_close or verdicts[0] != verdicts[1]:
            near.append(
                {
                    "set": name,
                    "test": test,
                    "unit": usual.unit,
                    "system": few.system,
                    "baseline": few.baseline,
                    "corrected p": few.p_value_adjusted,
                    f"with {draws:,}": other.p_value_adjusted,
                    "same verdict": verdicts[0] == verdicts[1],
                }
            )
    row = {
        "set": name,
        "test": test,
        "unit": usual.unit,
        "draws": usual.trials or usual.resamples,
        "pairs": len(pairs),
        f"significant at {ALPHA:g}": sum(map(bool, map(usual.verdict, usual.pairs))),
        "close": sum(CLOSE[0] <= pair.p_value_adjusted <= CLOSE[1] for pair in many.pairs),
        "differ": differ,
        "differ, but should not": wrong,
    }
    return row, near


def _test_sets(folder: Path) -> Iterator[tuple[str, SegmentStatistics, Blocks | None]]:
    """The name, the sums and the documents of each test set, whose texts are in folders systems and refs."""
    for path in sorted(folder.iterdir()):
        systems, references = (
            {text.stem: _lines(text) for text in sorted((path / kind).glob("*.txt"))} for kind in ("systems", "refs")
        )
        if not systems or not references:
            continue
        copies = {name for name, lines in systems.items() if lines in references.values()}
        kept = {name: lines for name, lines in systems.items() if name not in copies}
        documents = path / "docs.txt"
        groups = document_blocks(_lines(documents)) if documents.exists() else None
        yield path.name, evaluate(Corpus(kept, references)).statistics, groups


def _lines(path: Path) -> tuple[str, ...]:
    return tuple(path.read_text(encoding="utf-8").removesuffix("\n").split("\n"))


if __name__ == "__main__":
    sys.exit(main())
