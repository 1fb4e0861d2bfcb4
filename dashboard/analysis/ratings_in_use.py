"""The ratings in use, and how BLEU agrees with them.

Nothing is computed twice. Judges and groups that are not ticked are out of everything here.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from bleu_core.agreement import Agreement, correlate, normalised_by_range, segment_ratings
from bleu_core.arrays import Floats, worst_first
from bleu_core.dataset import Judgments
from bleu_core.errors import AlignmentError
from bleu_core.judges import adjusted_for_judges
from bleu_core.progress import Progress
from bleu_core.scoring import BleuEvaluation
from dashboard import session
from dashboard.analysis.chosen_judgments import chosen_judgments
from dashboard.analysis.view import View


@dataclass(frozen=True)  # without slots, which leave no place for what is computed once
class RatingsInUse:
    """The ratings in use and the systems they are compared on.

    Attributes:
        view: the data and settings of the page.
        judgments: without the judges left out; standardised and adjusted for judges if that is switched on.
        standardised: whether ratings are z-scores.
        given: the ratings before they were adjusted for judges; None where they are not adjusted.
    """

    view: View
    judgments: Judgments
    standardised: bool
    given: Judgments | None = None

    @property
    def scope(self) -> Hashable:
        """Of the data."""
        return self.view.scope

    @cached_property
    def fingerprint(self) -> tuple[Hashable, ...]:
        """Stands for the ratings and what they are compared with in caches; nothing else is read of the view."""
        view = self.view
        of_view = view.evaluation.fingerprint, view.workspace.fingerprint, view.slice and view.slice.fingerprint
        given = None if self.given is None else self.given.fingerprint
        return (*of_view, self.judgments.fingerprint, given, self.standardised, self.view.humans)

    @property
    def adjusted(self) -> bool:
        """Whether ratings are adjusted for judges."""
        return bool(self.judgments.adjusted_means)

    @property
    def without(self) -> Mapping[str, str]:
        """Human translations that are not ranked, and so left out -> the reason."""
        return {each.system: each.reason for each in self.view.humans}

    @cached_property
    def agreement(self) -> Agreement:
        """BLEU beside mean ratings.

        Raises:
            AlignmentError: no system has both.
        """
        return self.agreement_of(self.judgments)

    def agreement_of(self, judgments: Judgments) -> Agreement:
        """BLEU beside the mean ratings of some of the judges."""
        return correlate(self.view.workspace.corpus, self.view.evaluation, judgments, without=self.without)

    @property
    def systems(self) -> tuple[str, ...]:
        """The systems with both a score and ratings."""
        return self.agreement.systems

    @property
    def humans(self) -> tuple[str, ...]:
        """Human translators among them."""
        return tuple(name for name in self.view.workspace.human_systems if name in self.systems)

    @cached_property
    def evaluation(self) -> BleuEvaluation:
        """The scores of those systems."""
        return self.view.evaluation.select(self.systems)

    @cached_property
    def segment_means(self) -> Floats:
        """(K, S) mean ratings of the systems' segments; NaN where nobody rated one."""
        return segment_ratings(self.judgments, self.systems, self.view.workspace.corpus.segments)


def choose_ratings(view: View) -> RatingsInUse:
    """The ratings in use, by the view's selection.

    Raises:
        AlignmentError: there are no ratings, or all judges are left out.
    """
    selection = view.selection
    judgments = chosen_judgments(view.workspace, selection)
    ratings = RatingsInUse(view, judgments, selection.standardised)
    return adjust_ratings(ratings) if selection.adjusted else ratings


def adjust_ratings(ratings: RatingsInUse) -> RatingsInUse:
    """The same ratings, adjusted for judges by those of the systems that are compared.

    Raises:
        AlignmentError: they cannot be adjusted.
    """
    documents = ratings.view.workspace.corpus.documents
    found = _adjusted(ratings.scope, ratings.judgments, ratings.systems, documents)
    if isinstance(found, str):
        raise AlignmentError(f"{found}; switch off “Adjust for judges”")
    return replace(ratings, judgments=found, given=ratings.judgments)


@session.cached("Adjusting ratings for judges", "ratings")
def _adjusted(
    _: Progress, judgments: Judgments, systems: tuple[str, ...], documents: tuple[str, ...] | None
) -> Judgments | str:
    try:
        return adjusted_for_judges(judgments, systems, documents)
    except AlignmentError as error:  # which is kept, too
        return str(error)


def ratings_or_none(view: View) -> RatingsInUse | None:
    """The ratings in use; None where there are none, or all judges are left out."""
    try:
        return choose_ratings(view)
    except AlignmentError:
        return None


def normalised_scores(ratings: RatingsInUse) -> tuple[tuple[str, ...], dict[str, Sequence[float]]]:
    """BLEU and each group's ratings, all where there are no groups, scaled to their range, lowest BLEU first.

    Returns:
        The systems, and label -> one value per system.
    """
    result = ratings.agreement
    order = list(worst_first(result.systems, result.oriented_scores))
    systems = tuple(result.systems[k] for k in order)
    lines: dict[str, Sequence[float]] = {"BLEU": normalised_by_range(result.oriented_scores)[order].tolist()}
    groups = ratings.judgments.groups
    if not groups[1:]:  # one group is all judges
        lines["mean rating"] = normalised_by_range(result.human)[order].tolist()
        return systems, lines
    for group in groups:
        try:
            of_group = ratings.agreement_of(ratings.judgments.of_group(group))
        except AlignmentError:  # it rated none of these systems
            continue
        scaled = dict(zip(of_group.systems, normalised_by_range(of_group.human), strict=True))
        lines[f"mean rating, {group}"] = [float(scaled.get(name, math.nan)) for name in systems]
    return systems, lines
