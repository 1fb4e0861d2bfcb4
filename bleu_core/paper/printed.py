"""Values printed by Papineni et al. (2002), with their locations in the paper.

BLEU and its standard deviations are in points, as everywhere in the library: 5.27 for 0.0527 in the paper. Only values
stated in the text are included: the bars and points of the figures have no printed values.

Source: Papineni, Roukos, Ward and Zhu (2002), P02-1040.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from bleu_core.fields import Field, field, result
from bleu_core.paper.shared import POINTS

#: Systems, from worst to best: three machines and two humans.
SYSTEMS = ("S1", "S2", "S3", "H1", "H2")
HUMANS = ("H1", "H2")

#: The groups of judges, of ten judges each.
MONOLINGUAL, BILINGUAL = "monolingual", "bilingual"
GROUPS = (MONOLINGUAL, BILINGUAL)

#: Sizes of the experiment: sections 2.1.2, 3 and 4.
SEGMENTS, DOCUMENTS, FIGURE_1_SEGMENTS = 500, 40, 127
REFERENCES, TABLE_REFERENCES = 4, 2
BLOCKS, BLOCK_SIZE = 20, 25
JUDGES, RATED_PAIRS = 10, 250
#: Smallest and largest number of pairs of a comparison of ratings: footnote 7.
MIN_N, MAX_N = 350, 470
#: "a paired t-statistic of 1.7 or above is 95% significant": section 3.
CRITICAL_T = 1.7
#: The n-gram order with the best correlation, and comparable ones: section 2.1.3.
BEST_ORDER, COMPARABLE_ORDERS = 4, (3, 5)

#: Table 1: BLEU on 500 sentences, two references, points.
TABLE_1: Mapping[str, float] = MappingProxyType({"S1": 5.27, "S2": 8.29, "S3": 9.30, "H1": 19.34, "H2": 25.71})

#: Table 2: mean and standard deviation of BLEU on 20 blocks, points, and t against the left neighbour.
TABLE_2_MEANS: Mapping[str, float] = MappingProxyType({"S1": 5.1, "S2": 8.1, "S3": 9.0, "H1": 19.2, "H2": 25.6})
TABLE_2_DEVIATIONS: Mapping[str, float] = MappingProxyType({"S1": 1.7, "S2": 2.5, "S3": 2.0, "H1": 3.0, "H2": 3.9})
TABLE_2_T: Mapping[str, float] = MappingProxyType({"S2": 6.0, "S3": 3.4, "H1": 24.0, "H2": 11.0})

#: Section 3: the only system for which BLEU is printed by number of references, points.
PRINTED_SYSTEM = "H2"
H2_BY_REFERENCES: Mapping[int, float] = MappingProxyType({4: 34.68, 2: 25.71})

#: Section 4.1: differences between systems in the monolingual group's ratings, on a scale from 1 to 5.
MONOLINGUAL_DIFFERENCES: Mapping[tuple[str, str], float] = MappingProxyType({("S2", "S1"): 0.326, ("S3", "S2"): 0.114})

#: Section 5: Pearson's r of BLEU with the mean ratings of a group.
CORRELATIONS: Mapping[str, float] = MappingProxyType({MONOLINGUAL: 0.99, BILINGUAL: 0.96})

#: Section 2.2.2: words of a candidate and of its references, and the required brevity penalty.
CANDIDATE_LENGTH, REFERENCE_LENGTHS, WANTED_PENALTY = 12, (12, 15, 17), 1.0


EXAMPLE = Field("count", "Number of the example.")
CANDIDATE = Field("count", "Number of the candidate within the example.")
ORDER = Field("count", "Length of the n-grams, in words.")


@result
class PrintedPrecision:
    """A precision of an example's candidate."""

    example: int = field(EXAMPLE)
    candidate: int = field(CANDIDATE)
    order: int = field(ORDER)
    matches: int = field("count", "Numerator of the precision.")
    total: int | None = field(
        "count", "Denominator of the precision; null where the paper prints 0 without one.", null=True
    )
    modified: bool = field("text", "Whether matches are clipped.")

    @property
    def fraction(self) -> str:
        """The precision as printed."""
        return str(self.matches) if self.total is None else f"{self.matches}/{self.total}"


@dataclass(frozen=True, slots=True)
class Example:
    """A worked example; texts have no final period, as in the paper's counts."""

    number: int
    section: str
    candidates: tuple[str, ...]
    references: tuple[str, ...]

    @property
    def place(self) -> str:
        """The name of the example in the paper."""
        return f"Example {self.number}"


_GUIDES = (
    "It is a guide to action that ensures that the military will forever heed Party commands",
    "It is the guiding principle which guarantees the military forces always being under the command of the Party",
    "It is the practical guide for the army always to heed the directions of the party",
)

EXAMPLES = (
    Example(
        1,
        "2.1",
        (
            "It is a guide to action which ensures that the military always obeys the commands of the party",
            "It is to insure the troops forever hearing the activity guidebook that party direct",
        ),
        _GUIDES,
    ),
    Example(2, "2.1", ("the the the the the the the",), ("The cat is on the mat", "There is a cat on the mat")),
    Example(3, "2.2", ("of the",), _GUIDES),
    Example(
        4,
        "2.2.1",
        ("I always invariably perpetually do", "I always do"),
        ("I always do", "I invariably do", "I perpetually do"),
    ),
)

#: Precisions of the candidates of the examples: sections 2.1 and 2.2.
PRECISIONS = tuple(
    PrintedPrecision(example=example, candidate=candidate, order=order, matches=matches, total=total, modified=modified)
    for example, candidate, order, matches, total, modified in (
        (1, 1, 1, 17, 18, True),
        (1, 1, 2, 10, 17, True),
        (1, 2, 1, 8, 14, True),
        (1, 2, 2, 1, 13, True),
        (2, 1, 1, 7, 7, False),
        (2, 1, 1, 2, 7, True),
        (2, 1, 2, 0, None, True),
        (3, 1, 1, 2, 2, True),
        (3, 1, 2, 1, 1, True),
    )
)


@result
class Published:
    """A number that the paper prints for its own data."""

    place: str = field("text", "Location in the paper.")
    what: str = field("text", "Quantity.")
    value: str = field("text", "Value; BLEU from 0 to 1.")


def _published(place: str, what: str, value: float) -> Published:
    return Published(place=place, what=what, value=f"{value:.6g}")


PUBLISHED = (
    *(_published("Table 1", f"BLEU of {name}, two references", value / POINTS) for name, value in TABLE_1.items()),
    *(_published("Table 2", f"mean of {name} on 20 blocks", value / POINTS) for name, value in TABLE_2_MEANS.items()),
    *(
        _published("Table 2", f"standard deviation of {name} on 20 blocks", value / POINTS)
        for name, value in TABLE_2_DEVIATIONS.items()
    ),
    *(
        _published("Table 2", f"t of {name} against {SYSTEMS[SYSTEMS.index(name) - 1]}", value)
        for name, value in TABLE_2_T.items()
    ),
    *(
        _published("section 3", f"BLEU of {PRINTED_SYSTEM}, {number} references", value / POINTS)
        for number, value in H2_BY_REFERENCES.items()
    ),
    *(
        _published("section 4.1", f"mean difference of {better} and {worse}, monolingual group", value)
        for (better, worse), value in MONOLINGUAL_DIFFERENCES.items()
    ),
    *(_published("section 5", f"correlation with the {group} group", value) for group, value in CORRELATIONS.items()),
)


def corresponds(systems: Iterable[str]) -> bool:
    """Return whether printed values can be shown for these systems: all five of the paper are among them."""
    return set(SYSTEMS) <= set(systems)


def published_of(systems: Iterable[str], printed: Mapping[str, float]) -> list[float]:
    """Return the printed value of each system; NaN for systems that are not the paper's."""
    return [printed.get(name, math.nan) for name in systems]
