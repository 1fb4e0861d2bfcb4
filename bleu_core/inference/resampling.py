"""The matrices W: how often each segment counts, and the sums that follow.

Scores of resamples are functions of W @ T. Products are done in batches that bound memory, in float32 while every
possible sum is an integer below 2**24, which float32 holds exactly, else in float64. BLAS is kept to one thread: on a
busy machine more give nothing but trouble.
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

#: Of a type that holds every sum exactly.
Matrix = npt.NDArray[np.float32 | np.float64]

#: The seed that sacreBLEU uses unless told otherwise.
SEED = 12345

#: Integers up to this are exact in float32.
EXACT_IN_FLOAT32 = 2**24

#: More draws than these sharpen no interval, and their results would not fit into memory.
MAX_DRAWS = 10_000_000

#: About as many cells of W are made at once: 64 rows of 3,000 segments, 2 of 100,000.
BATCH_CELLS = 200_000

#: Rows of fewer segments are counted together, as calls cost more than counting; the counts of longer rows, one row at
#: a time, stay in the processor's cache, which takes a third of the time.
MIN_SEGMENTS_ROW_BY_ROW = 500

#: NumPy draws so many booleans at once and drops the rest: batches of a multiple draw what one call would.
DRAW_BITS = 32

#: About as many sums are handed over at once, if the sums of a single batch are not more: of few systems several
#: batches together, as scoring them one by one takes longer than making them.
BATCH_SUMS = 200_000


def check_draws(seed: int, **draws: int | None) -> None:
    """Check that the seed and numbers of draws are in their range.

    Args:
        seed: of the draws.
        draws: what is drawn, "resamples" for example -> how many; None where nobody chose.

    Raises:
        SettingsError: they are not.
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
    drawn: int | None = None,
    progress: Progress | None = None,
) -> Iterator[Integers]:
    """Draw segments with replacement and count them: multinomial weights.

    The draws are those of sacreBLEU with the same seed, whatever the batch.

    Args:
        segments: S.
        resamples: how many times is drawn.
        seed: of NumPy's default generator.
        drawn: how many segments each time; S if None.
        progress: told how many resamples of how many are done, each time the next ones are asked for.

    Yields:
        W, (rows, S); the rows of all batches are the resamples, each summing to the number drawn.

    Source:
        Koehn (2004), W04-3250.
    """
    yield from _weights(segments, resamples, seed, np.int64, drawn=drawn, progress=progress)


def _weights(
    segments: int,
    resamples: int,
    seed: int,
    kind: npt.DTypeLike,
    *,
    drawn: int | None = None,
    progress: Progress | None = None,
) -> Iterator[npt.NDArray[Any]]:
    """What bootstrap_weights yields, in a type of its own."""
    generator = np.random.default_rng(seed)
    drawn = segments if drawn is None else drawn
    for rows in _batches(resamples, max(segments, drawn), progress):
        yield _counted(generator.integers(0, segments, size=(rows, drawn)), segments, kind)


def bootstrap_batches(
    statistics: SegmentStatistics,
    resamples: int,
    seed: int = SEED,
    *,
    drawn: int | None = None,
    progress: Progress | None = None,
) -> Iterator[Floats]:
    """Sums of resamples, the same draws for all systems, a batch at a time.

    Args:
        statistics: T.
        resamples: how many.
        seed: as in bootstrap_weights.
        drawn: segments in a resample; S if None.
        progress: as in bootstrap_weights.

    Yields:
        (K, rows, columns).
    """
    # A resample sums that many values, each at most the table's largest.
    layout = _layout(statistics.values, _largest(statistics.values) * (drawn or statistics.segments))
    weights = _weights(statistics.segments, resamples, seed, layout.dtype, drawn=drawn, progress=progress)
    for products in _products(weights, layout):
        yield _by_system(products, len(statistics.systems))


def bootstrap_scores(
    statistics: SegmentStatistics,
    resamples: int,
    seed: int = SEED,
    *,
    drawn: int | None = None,
    progress: Progress | None = None,
) -> Floats:
    """The scores of all resamples, (K, resamples), points; the arguments are those of bootstrap_batches."""
    batches = bootstrap_batches(statistics, resamples, seed, drawn=drawn, progress=progress)
    return np.concatenate([statistics.score(sums) for sums in batches], axis=1)


def swap_batches(
    statistics: SegmentStatistics,
    pairs: Sequence[Pair],
    trials: int,
    seed: int = SEED,
    *,
    progress: Progress | None = None,
) -> Iterator[tuple[Floats, Floats]]:
    """Sums of pseudo-systems that swap segments at random between two systems, a batch of trials at a time.

    The same segments are swapped in all pairs, so that one product of the boolean swaps with T serves them all: what
    a system gives, M @ T_system, its baseline gets, and the other way round.

    Args:
        statistics: T.
        pairs: P pairs of a system's and its baseline's index.
        trials: how many shuffles.
        seed: of NumPy's default generator; the swaps are those of sacreBLEU with the same seed.
        progress: told how many shuffles of how many are done, each time the next ones are asked for.

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
        swaps, layout, at_once=BATCH_SUMS * layout.shape[1] // (len(pairs) * statistics.values.shape[2])
    ):
        given = _by_system(products, len(statistics.systems))
        moved = given[baselines] - given[systems]
        yield sums[systems] + moved, sums[baselines] - moved


def _swaps(segments: int, trials: int, seed: int, kind: npt.DTypeLike, progress: Progress | None) -> Iterator[Matrix]:
    """Batches of swaps, (rows, S): 1 where a segment is swapped, else 0.

    They are the booleans of the generator's own integers(2, dtype=bool), which are the bits of the 32-bit numbers that
    it draws, the lowest first; taken all at once they cost a fifth.
    """
    generator = np.random.default_rng(seed)
    for rows in _batches(trials, segments, progress, multiple=DRAW_BITS):
        cells = rows * segments
        drawn = generator.integers(0, 2**DRAW_BITS, size=-(-cells // DRAW_BITS), dtype=np.uint32)
        bits = np.unpackbits(drawn.astype("<u4", copy=False).view(np.uint8), count=cells, bitorder="little")
        yield bits.reshape(rows, segments).astype(kind)


def _products(batches: Iterator[Matrix], layout: Matrix, *, at_once: int = BATCH_SUMS) -> Iterator[Matrix]:
    """The products of batches with the layout, as many together as have about so many cells, at least one."""
    while True:
        together: list[Matrix] = []
        cells = 0
        with _one_thread():
            for batch in batches:
                together.append(batch @ layout)
                cells += together[-1].size
                if cells >= at_once:
                    break
        if not together:
            return
        yield np.concatenate(together)


@cache
def _controller() -> ThreadpoolController:
    from threadpoolctl import ThreadpoolController  # pyright: ignore[reportMissingTypeStubs] # scoring does without

    return ThreadpoolController()  # looks through all loaded libraries, which takes a millisecond


def _one_thread() -> AbstractContextManager[object]:
    """Keep BLAS to one thread for a while."""
    return _controller().limit(limits=1, user_api="blas")  # pyright: ignore[reportUnknownMemberType] # no types


def _batches(rows: int, segments: int, progress: Progress | None, *, multiple: int = 1) -> Iterator[int]:
    """Sizes of batches that together have that many rows, all but the last a multiple."""
    size = max(multiple, BATCH_CELLS // max(segments, 1) // multiple * multiple)
    for start in range(0, rows, size):
        yield min(size, rows - start)
        if progress:
            progress(min(start + size, rows), rows)


def _counted(drawn: Integers, segments: int, kind: npt.DTypeLike) -> npt.NDArray[Any]:
    """How often each segment is in each row, (rows, S)."""
    rows = len(drawn)
    if segments < MIN_SEGMENTS_ROW_BY_ROW:
        apart = drawn + np.arange(rows)[:, None] * segments  # a row's segments from the next row's
        return np.bincount(apart.ravel(), minlength=rows * segments).reshape(rows, segments).astype(kind)
    counts = np.empty((rows, segments), kind)
    for row, of_row in zip(counts, drawn, strict=True):
        row[:] = np.bincount(of_row, minlength=segments)
    return counts


def _largest(table: Numbers) -> float:
    return float(np.abs(table).max(initial=0))


def _layout(table: Numbers, largest_sum: float) -> Matrix:
    """(K, S, columns) as a matrix (S, K * columns), in the smallest type that holds every sum exactly."""
    exact = np.issubdtype(table.dtype, np.integer) and largest_sum < EXACT_IN_FLOAT32
    matrix = table.transpose(1, 0, 2).reshape(table.shape[1], -1)
    return np.ascontiguousarray(matrix, np.float32 if exact else np.float64)


def _by_system(products: Matrix, systems: int) -> Floats:
    """(rows, K * columns) as (K, rows, columns)."""
    return products.reshape(len(products), systems, -1).swapaxes(0, 1).astype(np.float64)
