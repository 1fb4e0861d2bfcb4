"""How narrow the interval of two systems' difference will be in a campaign, and what a narrower one takes."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

from bleu_core.campaigns import (
    CampaignPlan,
    Design,
    DifferenceComponents,
    ExpectedWidth,
    assumed_components,
    difference_components,
    expected_width,
)
from bleu_core.dataset import Judgments
from bleu_core.progress import Progress
from dashboard import session

WidthBasis = Literal["the ratings that are loaded", "assumptions"]

#: Standard deviations that are assumed at first, as shares of the width of the scale: between segments, between judges,
#: and what is left. On a scale from 1 to 5 they are 0.6, 0.2 and 1.
SHARES = (0.15, 0.05, 0.25)


@dataclass(frozen=True, slots=True)
class Spread:
    """How much the difference of two systems varies.

    Attributes:
        components: the standard deviations.
        basis: where they are from.
    """

    components: DifferenceComponents
    basis: WidthBasis


def spread_of_ratings(judgments: Judgments | None, plan: CampaignPlan) -> Spread | None:
    """The spread in ratings on the plan's scale; None where there are none, or too few."""
    if judgments is None or judgments.table["segment"].isna().all():
        return None
    scores = judgments.table["score"]
    if scores.min() < plan.scale.lowest or scores.max() > plan.scale.highest:
        return None
    found = _components(session.scope(), judgments)
    return None if math.isnan(found.residual_deviation) else Spread(found, "the ratings that are loaded")


@session.cached("Comparing the loaded ratings", "", can_stop=False)
def _components(_: Progress, judgments: Judgments) -> DifferenceComponents:
    return difference_components(judgments)


def assumed_spread(plan: CampaignPlan, given: tuple[float, float, float] | None = None) -> Spread:
    """A spread that is assumed.

    Args:
        plan: whose scale decides what is assumed at first.
        given: standard deviations between segments, between judges, and what is left; None for the usual ones.

    Raises:
        SettingsError: a number means nothing.
    """
    wide = plan.scale.highest - plan.scale.lowest
    values = given or tuple(round(share * wide, 3) for share in SHARES)
    return Spread(assumed_components(*values), "assumptions")


def width_of_design(design: Design, spread: Spread, wanted: float | None = None) -> ExpectedWidth:
    """The width of the interval that a design can expect, and what reaches a width that is wanted.

    Raises:
        SettingsError: the width that is wanted means nothing.
    """
    return expected_width(design.plan, spread.components, segments=len(design.sample.segments), wanted=wanted)
