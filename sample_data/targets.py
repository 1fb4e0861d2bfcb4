"""What the sample data is to look like, and what it reaches.

The sizes are those of the experiment of Papineni et al. (2002): Tables 1 and 2, Figures 3 to 6.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from sample_data.checks import bleu, block_scores, paired_t, pearson
from sample_data.judges import GROUPS, Rating

BLOCK_SIZE = 25
BLEU = {"S1": 0.0527, "S2": 0.0829, "S3": 0.0930, "H1": 0.1934, "H2": 0.2571}  # on R1 and R2
BLEU_TOLERANCE = 0.01
FOUR_REFERENCES = 0.3468  # H2 on R1 to R4
FOUR_REFERENCES_TOLERANCE = 0.02
BLOCK_T = 1.7
RATING_T = 1.97  # two-sided, 5 %, about 400 degrees of freedom
MEAN_DIFFERENCES = {("S1", "S2"): 0.326, ("S2", "S3"): 0.114}  # monolingual
MEAN_DIFFERENCE_TOLERANCE = 0.05
CORRELATIONS = {"monolingual": 0.99, "bilingual": 0.96}
CORRELATION_TOLERANCE = 0.02
PAIRS = (350, 470)
INFINITE = float("inf")


@dataclass(frozen=True, slots=True)
class Target:
    """One number of the data, the range that it has to lie in, and the value that it was modelled on."""

    what: str
    low: float
    high: float
    reached: float
    model: float | None = None

    @property
    def met(self) -> bool:
        """Whether the number lies in its range."""
        return self.low <= self.reached <= self.high

    def __str__(self) -> str:
        """Say it in a line."""
        if self.model is not None:
            wanted = f"{self.model:g} ± {self.high - self.model:g}"
        elif self.high == INFINITE:
            wanted = f"at least {self.low:g}"
        else:
            wanted = f"{self.low:g} to {self.high:g}"
        return f"{'ok  ' if self.met else 'MISS'} {self.what:<46} {wanted:>18} {self.reached:>9.4f}"


def near(what: str, model: float, tolerance: float, reached: float) -> Target:
    """Return a target around a model value."""
    return Target(what=what, low=model - tolerance, high=model + tolerance, reached=reached, model=model)


def targets(
    systems: Mapping[str, Sequence[str]], references: Mapping[str, Sequence[str]], ratings: Sequence[Rating]
) -> tuple[Target, ...]:
    """Return every target with the value that the data reaches."""
    return (
        *_bleu_targets(systems, references),
        *(target for group in GROUPS for target in _rating_targets(group.name, systems, references, ratings)),
    )


def neighbours(names: Sequence[str]) -> tuple[tuple[str, str], ...]:
    """Return each system with its right neighbour."""
    return tuple(pairwise(names))


def _bleu_targets(systems: Mapping[str, Sequence[str]], references: Mapping[str, Sequence[str]]) -> list[Target]:
    every = list(references.values())
    targets = [
        near(f"BLEU of {name} on R1 and R2", model, BLEU_TOLERANCE, bleu(systems[name], every[:2]))
        for name, model in BLEU.items()
    ]
    four = bleu(systems["H2"], every)
    targets.append(near("BLEU of H2 on R1 to R4", FOUR_REFERENCES, FOUR_REFERENCES_TOLERANCE, four))
    blocks = {name: block_scores(lines, every[:2], BLOCK_SIZE) for name, lines in systems.items()}
    for left, right in neighbours(list(systems)):
        differences = [later - earlier for earlier, later in zip(blocks[left], blocks[right], strict=True)]
        targets.append(Target(f"t of {right} - {left} on blocks", BLOCK_T, INFINITE, paired_t(differences)))
    zeros = sum(score == 0 for scores in blocks.values() for score in scores)
    targets.append(Target("blocks with a vanished precision", 0, 0, zeros))
    copied = sum(line in others for lines in systems.values() for line, *others in zip(lines, *every, strict=True))
    targets.append(Target("lines identical to a reference", 0, len(every[0]) // 50, copied))
    return targets


def _rating_targets(
    group: str,
    systems: Mapping[str, Sequence[str]],
    references: Mapping[str, Sequence[str]],
    ratings: Sequence[Rating],
) -> list[Target]:
    scores: dict[str, dict[tuple[str, int], int]] = {name: {} for name in systems}
    for rating in ratings:
        if rating.group == group:
            scores[rating.system][rating.judge, rating.segment] = rating.score
    found: list[Target] = []
    means: dict[tuple[str, str], float] = {}
    for left, right in neighbours(list(systems)):
        pairs = scores[left].keys() & scores[right].keys()
        differences = [scores[right][pair] - scores[left][pair] for pair in sorted(pairs)]
        means[left, right] = sum(differences) / len(differences)
        what = f"{right} - {left}, {group}"
        found.append(Target(f"pairs of {what}", *PAIRS, len(pairs)))
        if group == "monolingual" and (left, right) in MEAN_DIFFERENCES:
            model = MEAN_DIFFERENCES[left, right]
            found.append(near(f"mean of {what}", model, MEAN_DIFFERENCE_TOLERANCE, means[left, right]))
        if group == "bilingual" and right == "H2":
            found.append(Target(f"t of {what}", -RATING_T, RATING_T, paired_t(differences)))
        else:
            found.append(Target(f"t of {what}", RATING_T, INFINITE, paired_t(differences)))
    largest = means.pop(("S3", "H1"))
    found.append(Target(f"lead of H1 - S3, {group}", 0, INFINITE, largest - max(means.values())))
    r = pearson(
        [bleu(lines, list(references.values())[:2]) for lines in systems.values()],
        [_mean_score(scores[name]) for name in systems],
    )
    found.append(near(f"Pearson r with BLEU, {group}", CORRELATIONS[group], CORRELATION_TOLERANCE, r))
    return found


def _mean_score(scores: Mapping[tuple[str, int], int]) -> float:
    """Return the mean over segments of the mean over judges."""
    by_segment: defaultdict[int, list[int]] = defaultdict(list)
    for (_, segment), score in scores.items():
        by_segment[segment].append(score)
    return sum(sum(of_one) / len(of_one) for of_one in by_segment.values()) / len(by_segment)
