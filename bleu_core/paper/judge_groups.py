"""BLEU and groups of judges: Figures 3 to 7 of Papineni et al. (2002), sections 4 and 5."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from bleu_core.agreement import Agreement, correlate, normalised_by_range
from bleu_core.arrays import Floats, worst_first
from bleu_core.dataset import Corpus, Judgments
from bleu_core.errors import AlignmentError
from bleu_core.inference import DECIMALS
from bleu_core.judges import RaterDifference, directed_differences
from bleu_core.scoring import BleuEvaluation


@dataclass(frozen=True, slots=True)
class JudgeGroup:
    """Judges and their ratings; all of them together have no name."""

    name: str | None
    judgments: Judgments

    @property
    def label(self) -> str:
        """The name for people."""
        return "all judges" if self.name is None else self.name


@dataclass(frozen=True, slots=True)
class GroupDifferences:
    """Differences of neighbours as a group of judges sees them.

    Attributes:
        group: its name; None for all judges.
        judges: how many.
        systems: K names in the order of all judges' means, lowest first.
        pairs: K - 1 neighbours, the one that all judges prefer less the other; a group may well prefer the other.
    """

    group: str | None
    judges: int
    systems: tuple[str, ...]
    pairs: tuple[RaterDifference, ...]


@dataclass(frozen=True, slots=True)
class GroupAgreement:
    """BLEU beside a group's mean ratings.

    Attributes:
        group: its name; None for all judges.
        everyone: over all systems, human translators among them, as in Figures 5 and 6.
        machines: without the human translators; None where none is named, or nothing is left without them.
    """

    group: str | None
    everyone: Agreement
    machines: Agreement | None


@dataclass(frozen=True, slots=True)
class Normalised:
    """Scores scaled to their range, the lowest 0 and the highest 1: Figure 7.

    Attributes:
        systems: K names of those that every group rated, by BLEU, lowest first.
        bleu: (K,) fractions; NaN where all are the same.
        groups: group -> (K,) fractions; None is all judges.
    """

    systems: tuple[str, ...]
    bleu: Floats
    groups: Mapping[str | None, Floats]


def judge_groups(judgments: Judgments) -> tuple[JudgeGroup, ...]:
    """All judges together, then each group in the files; only all judges if there is one judge."""
    everyone = JudgeGroup(None, judgments)
    if judgments.judge_count <= 1:
        return (everyone,)
    return (everyone, *(JudgeGroup(name, judgments.of_group(name)) for name in judgments.groups))


def group_differences(judgments: Judgments, systems: Collection[str]) -> tuple[GroupDifferences, ...]:
    """Compare neighbouring systems, for all judges and by group; neighbours are the same for every group.

    Args:
        judgments: the ratings.
        systems: those to compare; ratings of others do not count.

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

    As in the paper, human translators are among the systems, also those whose text is a reference that is not in use.
    A group that rated no system that can be compared is left out.

    Args:
        corpus: the texts.
        evaluation: what BLEU is of.
        judgments: the ratings.
        humans: human translators among the systems.

    Raises:
        AlignmentError: no system has text and ratings, or a rating is of a segment that the texts do not have.
    """
    corpus = replace(corpus, references={name: corpus.references[name] for name in evaluation.references})
    found = [GroupAgreement(None, correlate(corpus, evaluation, judgments), None)]
    for group in judge_groups(judgments)[1:]:
        everyone = _agreement(corpus, evaluation, group.judgments)
        if everyone is not None:
            found.append(GroupAgreement(group.name, everyone, None))
    if not humans:
        return tuple(found)
    ratings = {group.name: group.judgments for group in judge_groups(judgments)}
    return tuple(
        replace(one, machines=_agreement(corpus, evaluation, ratings[one.group], humans=humans)) for one in found
    )


def normalised(agreements: Sequence[GroupAgreement]) -> Normalised:
    """Scale BLEU and each group's means to their ranges, over the systems that all groups rated."""
    means = {a.group: dict(zip(a.everyone.systems, a.everyone.human.tolist(), strict=True)) for a in agreements}
    first = agreements[0].everyone
    scores = dict(zip(first.systems, first.oriented_scores.tolist(), strict=True))
    common = [name for name in first.systems if all(name in of_group for of_group in means.values())]
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
    wanted = [(higher, lower) for lower, higher in pairwise(order)]
    found = directed_differences(group.judgments.table, wanted)
    return GroupDifferences(group.name, group.judgments.judge_count, tuple(order), found.pairs)
