"""The ratings in use, and their agreement with BLEU.

Results are cached. Judges and groups that are not ticked are excluded from all results.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from bleu_core.agreement import Agreement, correlate, normalised_by_range, segment_ratings
from bleu_core.arrays import Floats, worst_first
from bleu_core.dataset import Judgments
from bleu_core.errors import AlignmentError
from bleu_core.judges import Adjustment, RatingsPolicy, adjusted_for_judges, ratings_policy
from bleu_core.progress import Progress
from bleu_core.scoring import Basis, BleuEvaluation
from dashboard import session
from dashboard.analysis.chosen_judgments import chosen_judgments
from dashboard.analysis.view import View


@dataclass(frozen=True)  # without slots, which would exclude cached properties
class RatingsInUse:
    """The ratings in use and the systems they are compared on.

    Attributes:
        view: the data and settings of the page.
        judgments: without the excluded judges; standardised and adjusted for judges if that is switched on.
        standardised: whether ratings are z-scores.
        given: the ratings before they were adjusted for judges; None where they are not adjusted.
        policy: how mean ratings are compared, by all ratings of the data.
    """

    view: View
    judgments: Judgments
    standardised: bool
    given: Judgments | None = None
    policy: RatingsPolicy = field(default_factory=RatingsPolicy)

    @property
    def scope(self) -> Hashable:
        """The scope of the data."""
        return self.view.scope

    @cached_property
    def fingerprint(self) -> tuple[Hashable, ...]:
        """The fingerprint for caches of the ratings and the scores; nothing else of the view is read."""
        view = self.view
        view_fingerprints = (
            view.evaluation.fingerprint,
            view.workspace.fingerprint,
            view.slice and view.slice.fingerprint,
        )
        given = None if self.given is None else self.given.fingerprint
        return (*view_fingerprints, self.judgments.fingerprint, given, self.standardised, view.humans, view.optimised)

    @property
    def adjusted(self) -> bool:
        """Return whether ratings are adjusted for judges."""
        return bool(self.judgments.adjusted_means)

    @property
    def basis(self) -> Basis:
        """What statements about the ratings rest on."""
        return "adjusted ratings" if self.adjusted else "raw ratings"

    @property
    def without(self) -> Mapping[str, str]:
        """Human translations that are not ranked, and so excluded -> the reason."""
        return {human.system: human.reason for human in self.view.humans}

    @cached_property
    def agreement(self) -> Agreement:
        """The agreement of BLEU with mean ratings.

        Raises:
            AlignmentError: no system has both.
        """
        return self.agreement_of(self.judgments)

    def agreement_of(self, judgments: Judgments) -> Agreement:
        """Return the agreement of BLEU with the mean ratings of some of the judges."""
        return correlate(self.view.workspace.corpus, self.view.evaluation, judgments, without=self.without)

    @property
    def systems(self) -> tuple[str, ...]:
        """The systems with both a score and ratings."""
        return self.agreement.systems

    @property
    def humans(self) -> tuple[str, ...]:
        """The human translators among these systems."""
        return tuple(name for name in self.view.human_systems if name in self.systems)

    @cached_property
    def evaluation(self) -> BleuEvaluation:
        """The scores of these systems."""
        return self.view.evaluation.select(self.systems)

    @cached_property
    def segment_means(self) -> Floats:
        """(K, S) mean ratings of the systems' segments; NaN for unrated segments."""
        return segment_ratings(self.judgments, self.systems, self.view.workspace.corpus.segments)


def choose_ratings(view: View) -> RatingsInUse:
    """Return the ratings in use, by the view's selection.

    Raises:
        AlignmentError: there are no ratings, or all judges are excluded.
    """
    selection = view.selection
    judgments = chosen_judgments(view.workspace, selection)
    return in_force(RatingsInUse(view, judgments, selection.standardised))


def in_force(ratings: RatingsInUse) -> RatingsInUse:
    """Return the same ratings, adjusted for judges if the view's selection says so, or judges are confounded.

    Whether judges are confounded with systems is decided from all ratings of the data, also of excluded systems and of
    segments beyond the slice. Severities are those of the ratings of the compared systems.

    Raises:
        AlignmentError: the user chose adjusted ratings, and they cannot be adjusted.
    """
    view, adjustment = ratings.view, ratings.view.selection.adjustment
    whole = view.whole or view
    all_ratings = ratings.judgments if view.whole is None else chosen_judgments(whole.workspace, view.selection)
    humans = {human.system for human in whole.workspace.human_translations} - {h.system for h in view.ranked_humans}
    systems = tuple(name for name in all_ratings.systems if name not in humans and name not in ratings.without)
    policy = _policy(ratings.scope, all_ratings, systems, whole.workspace.corpus.documents, adjustment=adjustment)
    ratings = replace(ratings, policy=policy)
    if not policy.adjusted:
        return ratings
    try:
        documents = view.workspace.corpus.documents
        result = _adjusted(ratings.scope, ratings.judgments, ratings.systems, documents)
    except AlignmentError:  # no system has both a score and ratings, which pages say
        return ratings
    if not isinstance(result, str):
        return replace(ratings, judgments=result, given=ratings.judgments)
    if adjustment == "adjusted":
        raise AlignmentError(f"{result}; choose “raw” or “automatic” under “Adjust for judges”")
    return replace(ratings, policy=replace(policy, adjusted=False, obstacle=result))


def raw_ratings(ratings: RatingsInUse) -> RatingsInUse | None:
    """Return the ratings before they were adjusted for judges; None if they are not adjusted."""
    if ratings.given is None:
        return None
    return replace(ratings, judgments=ratings.given, given=None, policy=replace(ratings.policy, adjusted=False))


@session.cached("Looking for confounded judges", "ratings")
def _policy(
    _: Progress,
    judgments: Judgments,
    systems: tuple[str, ...],
    documents: tuple[str, ...] | None,
    *,
    adjustment: Adjustment,
) -> RatingsPolicy:
    return ratings_policy(judgments, systems, documents, adjustment=adjustment)


@session.cached("Adjusting ratings for judges", "ratings")
def _adjusted(
    _: Progress, judgments: Judgments, systems: tuple[str, ...], documents: tuple[str, ...] | None
) -> Judgments | str:
    try:
        return adjusted_for_judges(judgments, systems, documents)
    except AlignmentError as error:  # cached, too
        return str(error)


def ratings_or_none(view: View) -> RatingsInUse | None:
    """Return the ratings in use; None where there are none, or all judges are excluded."""
    try:
        return choose_ratings(view)
    except AlignmentError:
        return None


def normalised_scores(ratings: RatingsInUse) -> tuple[tuple[str, ...], dict[str, Sequence[float]]]:
    """Return BLEU and each group's ratings, or all without groups, scaled to their range, lowest BLEU first.

    Returns:
        The systems, and label -> one value per system.
    """
    result = ratings.agreement
    order = list(worst_first(result.systems, result.oriented_scores))
    systems = tuple(result.systems[k] for k in order)
    lines: dict[str, Sequence[float]] = {"BLEU": normalised_by_range(result.oriented_scores)[order].tolist()}
    groups = ratings.judgments.groups
    if not groups[1:]:  # a single group has all judges
        lines["mean rating"] = normalised_by_range(result.human)[order].tolist()
        return systems, lines
    for group in groups:
        try:
            agreement = ratings.agreement_of(ratings.judgments.of_group(group))
        except AlignmentError:  # the group rated none of these systems
            continue
        scaled = dict(zip(agreement.systems, normalised_by_range(agreement.human), strict=True))
        lines[f"mean rating, {group}"] = [float(scaled.get(name, math.nan)) for name in systems]
    return systems, lines
