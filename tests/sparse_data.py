"""Small data sets for each of which some result is undefined, and one for which all are defined."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from bleu_core.uploads import File
from dashboard.session import Selection

SEGMENTS = 40
WORDS = ["the", "a", "cat", "dog", "sat", "ran", "on", "in", "mat", "park", "late", "now", "very", "it", "is", "was"]


@dataclass(frozen=True, slots=True, kw_only=True)
class SparseData:
    """Files, the selection in force, and the same selection as parameters of an address."""

    files: tuple[File, ...]
    selection: Selection
    parameters: Mapping[str, str | list[str]]


def _text(seed: int, segments: int, changed: float) -> bytes:
    base, generator = random.Random(7), random.Random(seed)
    lines: list[str] = []
    for _ in range(segments):
        words = [base.choice(WORDS) for _ in range(base.randint(5, 9))]
        lines.append(" ".join(generator.choice(WORDS) if generator.random() < changed else word for word in words))
    return "".join(f"{line}\n" for line in lines).encode()


def sparse(
    systems: Sequence[str] = "ABC",
    rated: Sequence[str] = (),
    *,
    segments: int = SEGMENTS,
    documents: int = 0,
    rating: str = "",
    same: bool = False,
    first_rated: int = SEGMENTS,
    scored: str = "",
    **selection: str | Sequence[str],
) -> SparseData:
    """Make data.

    Args:
        systems: names.
        rated: systems with ratings by two judges.
        segments: their number.
        documents: number of segments of a document; no documents if 0.
        rating: of all segments; ratings vary if empty.
        same: whether all outputs are equal.
        first_rated: number of segments with ratings.
        scored: systems whose segments have scores by COMET in a file.
        selection: fields of the selection, which are the parameters of the address, too.
    """
    seeds = [0 if same else k for k in range(len(systems))]
    files = [
        File(f"{name}.txt", _text(seed, segments, 0.2 + 0.1 * seed), "system")
        for name, seed in zip(systems, seeds, strict=True)
    ]
    files += [File(f"ref{n}.txt", _text(90 + n, segments, 0.05 * n), "reference") for n in (1, 2)]
    if documents:
        content = "".join(f"d{n // documents}\n" for n in range(segments))
        files.append(File("docs.txt", content.encode(), "document"))
    if rated:
        rows = [
            f"{n + 1},{name},{judge},{rating or (n * (k + 3) + len(judge) - k) % 6}\n"
            for k, name in enumerate(rated)
            for n in range(min(first_rated, segments))
            for judge in ("x", "yy")
        ]
        files.append(File("ratings.csv", ("segment,system,judge,score\n" + "".join(rows)).encode(), "judgments"))
    if scored:
        rows = [f"{name},{n + 1},COMET,0.{5 + (n + k) % 4}\n" for k, name in enumerate(scored) for n in range(segments)]
        files.append(File("scores.csv", ("system,segment,metric,score\n" + "".join(rows)).encode(), "scores"))
    fields = {key: value if isinstance(value, str) else tuple(value) for key, value in selection.items()}
    parameters = {key: value if isinstance(value, str) else [*value] for key, value in selection.items()}
    return SparseData(files=tuple(files), selection=Selection(**fields), parameters=parameters)  # pyright: ignore[reportArgumentType]


SPARSE: Mapping[str, SparseData] = {
    "everything": sparse("ABCDE", "ABCDE", documents=4),
    "one system": sparse("A"),
    "one system with ratings": sparse("A", "A"),
    "no ratings": sparse("ABC"),
    "ratings of an excluded system only": sparse("ABC", "A", without_systems=["A"]),
    "scores of an excluded system only": sparse("ABC", scored="A", without_systems=["A"]),
    "ratings of one system": sparse("ABC", "A"),
    "ratings of two systems": sparse("ABC", "AB"),
    "no judge": sparse("ABC", "ABC", without_judges=["x", "yy"]),
    "one segment": sparse("ABC", "ABC", segments=1),
    "two segments": sparse("ABC", "ABC", segments=2),
    "one document": sparse("ABC", "ABC", documents=SEGMENTS),
    "one rated segment": sparse("ABC", "ABC", first_rated=1),
    "constant ratings": sparse("ABC", "ABC", rating="3"),
    "equal outputs": sparse("ABC", "ABC", same=True),
    "one system left": sparse("ABC", "ABC", without_systems=["A", "B"]),
    "a slice of one segment": sparse("ABC", "ABC", slice="segment = 3"),
    "a slice without ratings": sparse("ABC", "ABC", first_rated=10, slice="segment > 20"),
    "one reference left": sparse("ABC", "ABC", without_references=["ref1"]),
}
