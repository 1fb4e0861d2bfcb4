"""Resampling: weight matrices W of segments, and the sums of statistics that follow.

Scores of resamples are functions of W @ T, where T are the statistics of segments. Products are computed in batches
that bound memory, in float32 if every possible sum is an integer below 2**24, which float32 represents exactly, else in
float64. BLAS is limited to one thread: more threads slow it down on a busy machine.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from bleu_core.arrays import Floats, Integers
from bleu_core.errors import SettingsError
from bleu_core.progress import Progress
from bleu_core.scoring import Numbers, SegmentStatistics

if TYPE_CHECKING:
    from threadpoolctl import ThreadpoolController  # pyright: ignore[reportMissingTypeStubs] # it has none

Pair = tuple[int, int]

#: Matrix of a type that represents every sum exactly.
Matrix = npt.NDArray[np.float32 | np.float64]

#: sacreBLEU's default seed.
SEED = 12345

#: Integers up to this are exact in float32.
EXACT_IN_FLOAT32 = 2**24

#: Maximum number of draws: more do not improve intervals, and their results would not fit into memory.
MAX_DRAWS = 10_000_000

#: Approximate number of cells of W per batch: 64 rows of 3,000 segments, 2 of 100,000.
BATCH_CELLS = 200_000

#: Number of segments from which on rows are counted one by one. Shorter rows are counted together, as calls cost more
#: than counting; the counts of a longer row fit into the processor's cache, which takes a third of the time.
MIN_SEGMENTS_ROW_BY_ROW = 500

#: NumPy draws this many booleans at once and discards unused ones: batches of a multiple have the draws of one call.
DRAW_BITS = 32

#: Approximate number of sums that are scored together, unless a single batch has more: with few systems several batches
#: are joined, as scoring them one by one takes longer than computing them.
BATCH_SUMS = 200_000


def check_draws(seed: int, **draws: int | None) -> None:
    """Check that the seed and numbers of draws are in their range.

    Args:
        seed: of the draws.
        draws: name, "resamples" for example -> number of draws; None for the default.

    Raises:
        SettingsError: a number is out of its range.
    """
    for name, number in draws.items():
        if number is not None and not 1 <= number <= MAX_DRAWS:
            expected = "at least 1" if number < 1 else f"at most {MAX_DRAWS:,}"
            raise SettingsError(f"{number} {name} found, {expected} expected")
    if seed < 0:
        raise SettingsError(f"seed {seed} found, 0 or more expected")


def bootstrap_weights(
    segments: int,
    resamples: int,
    seed: int = SEED,
    *,
    sample_size: int | None = None,
    progress: Progress | None = None,
) -> Iterator[Integers]:
    """Draw segments with replacement and count them: multinomial weights.

    The draws are those of sacreBLEU with the same seed, whatever the batch.

    Args:
        segments: S.
        resamples: number of resamples.
        seed: of NumPy's default generator.
        sample_size: segments per resample; S if None.
        progress: called before each batch but the first with the resamples done and their total.

    Yields:
        W, (rows, S); the rows of all batches are the resamples, each with the sum sample_size.

    Source:
        Koehn (2004), W04-3250.
    """
    yield from _weights(segments, resamples, seed, np.int64, sample_size=sample_size, progress=progress)


def _weights(
    segments: int,
    resamples: int,
    seed: int,
    kind: npt.DTypeLike,
    *,
    sample_size: int | None = None,
    progress: Progress | None = None,
) -> Iterator[npt.NDArray[Any]]:
    """Yield the weights of bootstrap_weights, in a given type."""
    generator = np.random.default_rng(seed)
    sample_size = segments if sample_size is None else sample_size
    for rows in _batches(resamples, max(segments, sample_size), progress):
        yield _counted(generator.integers(0, segments, size=(rows, sample_size)), segments, kind)


def bootstrap_batches(
    statistics: SegmentStatistics,
    resamples: int,
    seed: int = SEED,
    *,
    sample_size: int | None = None,
    progress: Progress | None = None,
) -> Iterator[Floats]:
    """Yield the sums of resamples in batches, with the same draws for all systems.

    Args:
        statistics: of K systems.
        resamples: number of resamples.
        seed: as in bootstrap_weights.
        sample_size: segments per resample; S if None.
        progress: as in bootstrap_weights.

    Yields:
        (K, rows, columns).
    """
    # A resample sums sample_size values, each at most the largest value.
    layout = _layout(statistics.values, _largest(statistics.values) * (sample_size or statistics.segments))
    weights = _weights(statistics.segments, resamples, seed, layout.dtype, sample_size=sample_size, progress=progress)
    for products in _products(weights, layout):
        yield _by_system(products, len(statistics.systems))


def bootstrap_scores(
    statistics: SegmentStatistics,
    resamples: int,
    seed: int = SEED,
    *,
    sample_size: int | None = None,
    progress: Progress | None = None,
) -> Floats:
    """Return the scores of all resamples, (K, resamples), points; the arguments are those of bootstrap_batches."""
    batches = bootstrap_batches(statistics, resamples, seed, sample_size=sample_size, progress=progress)
    return np.concatenate([statistics.score(sums) for sums in batches], axis=1)


def swap_batches(
    statistics: SegmentStatistics,
    pairs: Sequence[Pair],
    trials: int,
    seed: int = SEED,
    *,
    progress: Progress | None = None,
) -> Iterator[tuple[Floats, Floats]]:
    """Yield sums of shuffled systems, whose segments are swapped at random in pairs, in batches of trials.

    The same segments are swapped in all pairs, so that one product of the boolean swaps M with T serves all of them:
    M @ T_system is moved from the system to the baseline, and M @ T_baseline from the baseline to the system.

    Args:
        statistics: of K systems.
        pairs: P pairs of a system's and its baseline's index.
        trials: number of shuffles.
        seed: of NumPy's default generator; the swaps are those of sacreBLEU with the same seed.
        progress: called before each batch but the first with the shuffles done and their total.

    Yields:
        Sums of the shuffled systems and of the shuffled baselines, each (P, rows, columns).

    Source:
        Riezler and Maxwell (2005), W05-0908.
    """
    systems, baselines = (np.array(side, np.intp) for side in zip(*pairs, strict=True))
    layout = _layout(statistics.values, _largest(statistics.values) * statistics.segments)
    sums = statistics.sums()[:, None]
    swaps = _swaps(statistics.segments, trials, seed=seed, kind=layout.dtype, progress=progress)
    for products in _products(
        swaps, layout, min_cells=BATCH_SUMS * layout.shape[1] // (len(pairs) * statistics.values.shape[2])
    ):
        swapped = _by_system(products, len(statistics.systems))
        moved = swapped[baselines] - swapped[systems]
        yield sums[systems] + moved, sums[baselines] - moved


def _swaps(segments: int, trials: int, seed: int, kind: npt.DTypeLike, progress: Progress | None) -> Iterator[Matrix]:
    """Yield batches of swaps, (rows, S): 1 where a segment is swapped, else 0.

    They equal the booleans of the generator's integers(2, dtype=bool), which are the bits of the 32-bit numbers that it
    draws, the lowest first; unpacking all bits at once takes a fifth of the time.
    """
    generator = np.random.default_rng(seed)
    for rows in _batches(trials, segments, progress, multiple=DRAW_BITS):
        cells = rows * segments
        drawn = generator.integers(0, 2**DRAW_BITS, size=-(-cells // DRAW_BITS), dtype=np.uint32)
        bits = np.unpackbits(drawn.astype("<u4", copy=False).view(np.uint8), count=cells, bitorder="little")
        yield bits.reshape(rows, segments).astype(kind)


def _products(batches: Iterator[Matrix], layout: Matrix, *, min_cells: int = BATCH_SUMS) -> Iterator[Matrix]:
    """Yield the products of batches with the layout, joined up to about at_once cells."""
    while True:
        products: list[Matrix] = []
        cells = 0
        with _one_thread():
            for batch in batches:
                products.append(batch @ layout)
                cells += products[-1].size
                if cells >= min_cells:
                    break
        if not products:
            return
        yield np.concatenate(products)


@cache
def _controller() -> ThreadpoolController:
    from threadpoolctl import ThreadpoolController  # pyright: ignore[reportMissingTypeStubs] # scoring does without

    return ThreadpoolController()  # searches all loaded libraries, which takes a millisecond


def _one_thread() -> AbstractContextManager[object]:
    """Limit BLAS to one thread in a context."""
    return _controller().limit(limits=1, user_api="blas")  # pyright: ignore[reportUnknownMemberType] # no types


def _batches(rows: int, segments: int, progress: Progress | None, *, multiple: int = 1) -> Iterator[int]:
    """Yield sizes of batches with the given total of rows, all but the last a multiple of a number."""
    size = max(multiple, BATCH_CELLS // max(segments, 1) // multiple * multiple)
    for start in range(0, rows, size):
        yield min(size, rows - start)
        if progress:
            progress(min(start + size, rows), rows)


def _counted(drawn: Integers, segments: int, kind: npt.DTypeLike) -> npt.NDArray[Any]:
    """Return how often each segment is in each row, (rows, S)."""
    rows = len(drawn)
    if segments < MIN_SEGMENTS_ROW_BY_ROW:
        cells = drawn + np.arange(rows)[:, None] * segments  # distinct for each row
        return np.bincount(cells.ravel(), minlength=rows * segments).reshape(rows, segments).astype(kind)
    counts = np.empty((rows, segments), kind)
    for row, segments_of_row in zip(counts, drawn, strict=True):
        row[:] = np.bincount(segments_of_row, minlength=segments)
    return counts


def _largest(values: Numbers) -> float:
    return float(np.abs(values).max(initial=0))


def _layout(values: Numbers, largest_sum: float) -> Matrix:
    """Reshape (K, S, columns) to (S, K * columns), in the smallest type that represents every sum exactly."""
    exact = np.issubdtype(values.dtype, np.integer) and largest_sum < EXACT_IN_FLOAT32
    matrix = values.transpose(1, 0, 2).reshape(values.shape[1], -1)
    return np.ascontiguousarray(matrix, np.float32 if exact else np.float64)


def _by_system(products: Matrix, systems: int) -> Floats:
    """Reshape (rows, K * columns) to (K, rows, columns)."""
    return products.reshape(len(products), systems, -1).swapaxes(0, 1).astype(np.float64)
