"""BLEU and groups of judges: Figures 3 to 7 of Papineni et al. (2002), sections 4 and 5."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from bleu_core.agreement import Agreement, agreement_of_scores, correlate, normalised_by_range
from bleu_core.arrays import Floats, worst_first
from bleu_core.dataset import Corpus, Judgments
from bleu_core.errors import AlignmentError
from bleu_core.inference import DECIMALS
from bleu_core.judges import RatingDifference, directed_differences
from bleu_core.scoring import BleuEvaluation


@dataclass(frozen=True, slots=True)
class JudgeGroup:
    """A group of judges with its ratings; the group of all judges has no name."""

    name: str | None
    judgments: Judgments

    @property
    def label(self) -> str:
        """The name of the group on the page."""
        return "all judges" if self.name is None else self.name


@dataclass(frozen=True, slots=True)
class GroupDifferences:
    """Rating differences between neighbouring systems by a group of judges.

    Attributes:
        group: its name; None for all judges.
        judges: number of judges.
        systems: K names in the order of all judges' means, lowest first.
        pairs: K - 1 neighbours, minuend first as all judges order them; a single group may prefer the other one.
    """

    group: str | None
    judges: int
    systems: tuple[str, ...]
    pairs: tuple[RatingDifference, ...]


@dataclass(frozen=True, slots=True)
class GroupAgreement:
    """Agreement of BLEU with a group's mean ratings.

    Attributes:
        group: its name; None for all judges.
        everyone: over all systems, including human translators, as in Figures 5 and 6.
        machines: without human translators; None if none is named, or if no system remains.
    """

    group: str | None
    everyone: Agreement
    machines: Agreement | None


@dataclass(frozen=True, slots=True, eq=False)
class Normalised:
    """Scores scaled to their range, the lowest 0 and the highest 1: Figure 7.

    Attributes:
        systems: K names of the systems that every group rated, by BLEU, lowest first.
        bleu: (K,) fractions; NaN if all scores are equal.
        groups: group -> (K,) fractions; None for all judges.
    """

    systems: tuple[str, ...]
    bleu: Floats
    groups: Mapping[str | None, Floats]


def judge_groups(judgments: Judgments) -> tuple[JudgeGroup, ...]:
    """Return the group of all judges, then each named group; only the former if there is one judge."""
    everyone = JudgeGroup(None, judgments)
    if judgments.judge_count <= 1:
        return (everyone,)
    return (everyone, *(JudgeGroup(name, judgments.of_group(name)) for name in judgments.groups))


def group_differences(judgments: Judgments, systems: Collection[str]) -> tuple[GroupDifferences, ...]:
    """Compare neighbouring systems, for all judges and by group; neighbours are the same for every group.

    Args:
        judgments: the ratings.
        systems: systems to compare; ratings of others are ignored.

    Source:
        Papineni et al. (2002), section 4: systems "as ordered by their aggregate average score".
    """
    judgments = judgments.of_systems(systems)
    means = judgments.system_means()
    rated = tuple(means)
    order = [rated[k] for k in worst_first(rated, [round(means[name], DECIMALS) for name in rated])]
    return tuple(_differences(group, order) for group in judge_groups(judgments))


def group_agreements(
    corpus: Corpus, evaluation: BleuEvaluation, judgments: Judgments, *, humans: Collection[str] = ()
) -> tuple[GroupAgreement, ...]:
    """Regress mean ratings on BLEU, for all judges and by group.

    As in the paper, the systems include human translators, also those whose text is a reference that is not in use. A
    group that rated none of the comparable systems is omitted.

    Args:
        corpus: the texts.
        evaluation: of the systems with BLEU.
        judgments: the ratings.
        humans: human translators among the systems.

    Raises:
        AlignmentError: no system has text and ratings, or a rating refers to a segment that the texts do not have.
    """
    corpus = replace(corpus, references={name: corpus.references[name] for name in evaluation.references})
    agreements = [GroupAgreement(None, correlate(corpus, evaluation, judgments), None)]
    for group in judge_groups(judgments)[1:]:
        everyone = _agreement(corpus, evaluation, group.judgments)
        if everyone is not None:
            agreements.append(GroupAgreement(group.name, everyone, None))
    if not humans:
        return tuple(agreements)
    ratings = {group.name: group.judgments for group in judge_groups(judgments)}
    return tuple(
        replace(agreement, machines=_agreement(corpus, evaluation, ratings[agreement.group], humans=humans))
        for agreement in agreements
    )


def agreement_from_0_to_1(agreement: Agreement) -> Agreement:
    """Return the agreement with BLEU from 0 to 1, as in the paper's figures."""
    scores: Mapping[str, float]
    means: Mapping[str, float]
    scores, means = (
        dict(zip(agreement.systems, values.tolist(), strict=True))
        for values in (agreement.oriented_scores / 100, agreement.human)
    )
    return replace(
        agreement_of_scores(scores, means, metric=agreement.metric, signature=agreement.signature),
        excluded=agreement.excluded,
    )


def normalised(agreements: Sequence[GroupAgreement]) -> Normalised:
    """Scale BLEU and each group's means to their ranges, over the systems that all groups rated."""
    means = {a.group: dict(zip(a.everyone.systems, a.everyone.human.tolist(), strict=True)) for a in agreements}
    first = agreements[0].everyone
    scores = dict(zip(first.systems, first.oriented_scores.tolist(), strict=True))
    common = [name for name in first.systems if all(name in group_means for group_means in means.values())]
    systems = tuple(common[k] for k in worst_first(common, [scores[name] for name in common]))
    return Normalised(
        systems,
        normalised_by_range(np.array([scores[name] for name in systems])),
        {group: normalised_by_range(np.array([m[name] for name in systems])) for group, m in means.items()},
    )


def _agreement(
    corpus: Corpus, evaluation: BleuEvaluation, judgments: Judgments, *, humans: Collection[str] = ()
) -> Agreement | None:
    try:
        return correlate(corpus, evaluation, judgments, without=humans)
    except AlignmentError:  # no system has both
        return None


def _differences(group: JudgeGroup, order: Sequence[str]) -> GroupDifferences:
    pairs = [(higher, lower) for lower, higher in pairwise(order)]
    differences = directed_differences(group.judgments.table, pairs)
    return GroupDifferences(group.name, group.judgments.judge_count, tuple(order), differences.pairs)
