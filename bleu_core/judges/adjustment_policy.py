"""The policy for ratings by judges who are confounded with systems: which means of systems may be compared."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from bleu_core.dataset import Judgments
from bleu_core.errors import AlignmentError
from bleu_core.inference import SEED
from bleu_core.judges.ranked_systems import CONFOUNDED, Adjustment
from bleu_core.judges.roster_balance import is_confounded
from bleu_core.judges.system_means import adjusted_for_judges, why_not_connected


@dataclass(frozen=True, slots=True, kw_only=True)
class RatingsPolicy:
    """How the mean ratings of systems are compared.

    Attributes:
        adjusted: whether they are adjusted for judges.
        confounded: whether judges are confounded with systems, so that raw means mislead.
        obstacle: why the means may not be compared; empty if they may.
    """

    adjusted: bool = False
    confounded: bool = False
    obstacle: str = ""

    @property
    def raw_though_confounded(self) -> bool:
        """Whether raw means are in use though judges are confounded with systems."""
        return self.confounded and not self.adjusted


def ratings_policy(
    judgments: Judgments,
    systems: Sequence[str] = (),
    documents: Sequence[str] | None = None,
    *,
    adjustment: Adjustment = "auto",
    seed: int = SEED,
) -> RatingsPolicy:
    """Return how mean ratings are compared: adjusted where judges are confounded with systems, otherwise raw.

    Raw means of confounded judges, and means of systems that no judges and segments connect, may not be compared.

    Args:
        judgments: all ratings of the data, as two of the systems alone may have too few to show confounded judges.
        systems: names, without human translations that are not compared; all rated systems by default.
        documents: the document of each line of the texts, if they are known.
        adjustment: "raw" or "adjusted" if the user chose one of them.
        seed: of the test for confounding.
    """
    if judgments.adjusted_means:
        return RatingsPolicy(adjusted=True)
    obstacle = why_not_connected(judgments, systems)
    if obstacle:
        return RatingsPolicy(adjusted=adjustment == "adjusted", obstacle=obstacle)
    confounded = is_confounded(judgments, systems, documents, seed=seed)
    adjusted = adjustment == "adjusted" or (adjustment == "auto" and confounded)
    return RatingsPolicy(
        adjusted=adjusted, confounded=confounded, obstacle=CONFOUNDED if confounded and not adjusted else ""
    )


def ratings_in_force(
    judgments: Judgments,
    policy: RatingsPolicy,
    systems: Sequence[str],
    documents: Sequence[str] | None = None,
    *,
    adjustment: Adjustment = "auto",
) -> tuple[Judgments, RatingsPolicy]:
    """Return ratings, adjusted for judges if the policy says so, and the policy that holds for them.

    Ratings that cannot be adjusted stay raw, and their means may not be compared.

    Args:
        judgments: the ratings, of all segments or of a slice.
        policy: of all ratings of the data.
        systems: those whose ratings the severities of judges are estimated from.
        documents: (S,) the document of each segment, if they are known.
        adjustment: the user's choice.

    Raises:
        AlignmentError: the user chose adjusted ratings, and they cannot be adjusted.
    """
    if not policy.adjusted or judgments.adjusted_means:
        return judgments, policy
    try:
        return adjusted_for_judges(judgments, systems, documents), policy
    except AlignmentError as error:
        if adjustment == "adjusted":
            raise
        return judgments, replace(policy, adjusted=False, obstacle=str(error))
