"""The expected width of the interval of two systems' difference in a campaign, and what a narrower one takes."""

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

#: Default standard deviations, as shares of the width of the scale: between segments, between judges, and residual. On
#: a scale from 1 to 5 they are 0.6, 0.2 and 1.
DEFAULT_DEVIATIONS = (0.15, 0.05, 0.25)


@dataclass(frozen=True, slots=True)
class Spread:
    """The variation of the difference of two systems.

    Attributes:
        components: the standard deviations.
        basis: their origin.
    """

    components: DifferenceComponents
    basis: WidthBasis


def spread_of_ratings(judgments: Judgments | None, plan: CampaignPlan) -> Spread | None:
    """Return the spread in ratings on the plan's scale; None where there are none, or too few."""
    if judgments is None or judgments.table["segment"].isna().all():
        return None
    scores = judgments.table["score"]
    if scores.min() < plan.scale.lowest or scores.max() > plan.scale.highest:
        return None
    components = _components(session.scope(), judgments)
    return None if math.isnan(components.residual_deviation) else Spread(components, "the ratings that are loaded")


@session.cached("Comparing the loaded ratings", "", can_stop=False)
def _components(_: Progress, judgments: Judgments) -> DifferenceComponents:
    return difference_components(judgments)


def assumed_spread(plan: CampaignPlan, given: tuple[float, float, float] | None = None) -> Spread:
    """Return an assumed spread.

    Args:
        plan: its scale determines the defaults.
        given: standard deviations between segments, between judges, and residual; None for the defaults.

    Raises:
        SettingsError: a number is invalid.
    """
    range_ = plan.scale.highest - plan.scale.lowest
    values = given or tuple(round(share * range_, 3) for share in DEFAULT_DEVIATIONS)
    return Spread(assumed_components(*values), "assumptions")


def width_of_design(design: Design, spread: Spread, wanted: float | None = None) -> ExpectedWidth:
    """Return the expected width of the interval of a design, and what reaches a wanted width.

    Raises:
        SettingsError: the wanted width is invalid.
    """
    return expected_width(design.plan, spread.components, segments=len(design.sample.segments), wanted=wanted)
