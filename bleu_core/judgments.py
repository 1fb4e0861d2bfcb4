"""Human judgments: ratings by judge, segment and system, and the means taken of them."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from bleu_core.errors import AlignmentError

if TYPE_CHECKING:
    import pandas as pd

COLUMNS = ("segment", "system", "judge", "score", "group", "document", "origin", "line")


@dataclass(frozen=True, slots=True)
class Judgments:
    """Ratings in long form, one row each.

    Attributes:
        table: columns segment (1-based; missing for system-level scores), system, judge, score (missing where
            the file has none), group, document, and origin and line, the file and its line (1-based).
        first_segment: the number that the file gives the first segment, for messages; the table counts from 1.
        digest: blake2b of the content, whatever the order of the rows.
    """

    table: pd.DataFrame
    first_segment: int = 1
    digest: str = field(init=False)

    def __post_init__(self) -> None:
        import pandas as pd  # loaded when first needed: scoring does without

        content = self.table[["segment", "system", "judge", "score", "group"]]
        hashes = pd.util.hash_pandas_object(content.astype("string"), index=False).sort_values()
        object.__setattr__(self, "digest", hashlib.blake2b(hashes.to_numpy().tobytes(), digest_size=16).hexdigest())

    @property
    def systems(self) -> tuple[str, ...]:
        """The systems with at least one rating, in the order of their first row."""
        return tuple(self.rated["system"].drop_duplicates())

    @property
    def groups(self) -> tuple[str, ...]:
        """The groups of judges, in the order of their first row; none where the files name none."""
        return tuple(self.rated["group"].dropna().drop_duplicates())

    @property
    def rated(self) -> pd.DataFrame:
        """The rows that hold a score."""
        return self.table[self.table["score"].notna()]

    @property
    def judge_count(self) -> int:
        """How many judges gave a rating; judges of one name in two groups are two."""
        return int(self.rated[["group", "judge"]].drop_duplicates().shape[0])

    def of_group(self, group: str) -> Judgments:
        """The ratings of one group of judges."""
        return Judgments(self.table[self.table["group"] == group], self.first_segment)

    def check_segments(self, segments: int) -> None:
        """See that every rating is of a segment of a corpus of that many.

        Raises:
            AlignmentError: a segment number is larger; names the first such line and how many there are.
        """
        beyond = self.table[self.table["segment"].gt(segments).fillna(value=False)]
        if len(beyond):
            first = beyond.iloc[0]
            shift = self.first_segment - 1
            rest = "" if len(beyond) == 1 else f" ({len(beyond)} such lines)"
            raise AlignmentError(
                f"{first['origin']}, line {first['line']}: segment {first['segment'] + shift} found, "
                f"{1 + shift} to {segments + shift} expected as in the texts{rest}"
            )

    def system_means(self) -> Mapping[str, float]:
        """The mean over a system's rated segments of the mean over judges.

        A judge's repeated ratings of an item are averaged first. System-level scores have no segment and count
        as one.
        """
        by_judge = self.rated.groupby(["system", "segment", "group", "judge"], dropna=False, sort=False)["score"].mean()
        by_segment = by_judge.groupby(["system", "segment"], dropna=False, sort=False).mean()
        means = by_segment.groupby("system", sort=False).mean()
        return {str(system): float(mean) for system, mean in means.items()}


def merge(parts: Iterable[Judgments]) -> Judgments | None:
    """Put several files of judgments together; files that name no groups become a group each.

    Returns:
        None when there is no part.
    """
    import pandas as pd

    parts = tuple(parts)
    if not parts[1:]:
        return next(iter(parts), None)
    tables = [p.table if p.groups else p.table.assign(group=p.table["origin"]) for p in parts]
    return Judgments(pd.concat(tables, ignore_index=True), parts[0].first_segment)
