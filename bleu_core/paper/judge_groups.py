"""BLEU and groups of judges: Figures 3 to 7 of Papineni et al. (2002), sections 4 and 5."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np

from bleu_core.agreement import Agreement, agreement_of_scores, correlate, normalised_by_range
from bleu_core.arrays import Floats, worst_first
from bleu_core.dataset import Corpus, Judgments
from bleu_core.errors import AlignmentError
from bleu_core.fields import P_VALUE, REASON, Field, bounds, derived, field, inline, result, rows_of
from bleu_core.inference import CONFIDENCE, DECIMALS, Interval
from bleu_core.judges import RatingDifference, directed_differences
from bleu_core.paper.combining import SystemCorrelation
from bleu_core.paper.shared import GROUP, POINTS, SystemBleu
from bleu_core.scoring import BleuEvaluation


@result
class GroupDifferences:
    """Rating differences between neighbouring systems by a group of judges.

    Attributes:
        systems: K names in the order of all judges' means, lowest first.
        pairs: K - 1 neighbours, minuend first as all judges order them; a single group may prefer the other one.
    """

    group: str | None = field(GROUP)
    judges: int = field("count", "Number of judges.")
    systems: tuple[str, ...] = field("object", "The systems by mean rating of all judges, lowest first.")
    pairs: tuple[RatingDifference, ...] = field("object", "Pairs of neighbouring systems.")


@result
class RatedSystem(SystemBleu):
    """BLEU and mean rating of a system."""

    human: float = field("number", "Mean rating, in the unit of the ratings.")


@result
class AgreementNumbers:
    """Agreement of BLEU with mean ratings."""

    agreement: Agreement = inline(
        {
            "excluded": Field("object", "Systems left out, with the reason."),
            "regression": Field("object", "The least-squares line."),
        }
    )

    @derived("object", "The systems that have both.")
    def systems(self) -> tuple[RatedSystem, ...]:
        """BLEU and mean rating of each system."""
        a = self.agreement
        return rows_of(RatedSystem, system=a.systems, bleu=a.oriented_scores, human=a.human)

    @derived("object", "Pearson's correlation.")
    def pearson(self) -> SystemCorrelation:
        """Pearson's r, with the number of systems."""
        return SystemCorrelation.of(self.agreement.pearson)

    @derived("object", "Spearman's rank correlation.")
    def spearman(self) -> SystemCorrelation:
        """Spearman's rho, with the number of systems."""
        return SystemCorrelation.of(self.agreement.spearman)


@result
class BleuAgreement:
    """Agreement of BLEU with mean ratings, with and without human translators.

    Attributes:
        everyone: over all systems that have both, including human translators, as in Figures 5 and 6.
        machines: without human translators; None if none is named, or if no system remains.
    """

    everyone: Agreement
    machines: Agreement | None

    @derived("object", "All systems.")
    def all_systems(self) -> AgreementNumbers:
        """The agreement over all systems."""
        return AgreementNumbers(agreement=self.everyone)

    @derived("object", "Without the human translators; null if none is named.", null=True)
    def machines_only(self) -> AgreementNumbers | None:
        """The agreement without human translators, if any is named."""
        return AgreementNumbers(agreement=self.machines) if self.machines else None

    @property
    def mean_ratings(self) -> Mapping[str, float]:
        """The mean rating of each system."""
        return dict(zip(self.everyone.systems, self.everyone.human.tolist(), strict=True))


@result
class GroupAgreement(BleuAgreement):
    """Agreement of BLEU with a group's mean ratings."""

    group: str | None = field(GROUP)


@result
class ReferenceAgreement(BleuAgreement):
    """Agreement of BLEU against some references with all judges' mean ratings."""

    references: tuple[str, ...] = field("object", "Names of the references.")

    @property
    def label(self) -> str:
        """The references, as shown on the page."""
        return " + ".join(self.references)


@result
class PearsonRow:
    """Pearson's r of BLEU and the mean ratings, in the row of a table."""

    systems: int = field("count", "Systems that have BLEU and ratings.")
    r: float = field("number", "Pearson's r of BLEU and the mean ratings.")
    interval: Interval = inline(bounds("number", f"{100 * CONFIDENCE:g}% interval of r"))
    p_value: float = field(P_VALUE)
    reason: str = field(REASON, default="")

    @classmethod
    def of(cls, agreement: Agreement) -> PearsonRow:
        """Return the row of an agreement."""
        r = agreement.pearson
        return cls(systems=r.pairs, r=r.coefficient, interval=r.interval, p_value=r.p_value, reason=r.note)


@result
class Scaled:
    """Scores of K systems, (K,), scaled to their range: the lowest is 0 and the highest is 1."""

    values: Floats = field(
        "fraction", "Position in the range from 0 to 1, by system.", undefined="all values are the same"
    )


@result
class ScaledRatings(Scaled):
    """Mean ratings by a group, scaled to their range."""

    group: str | None = field(GROUP)


@result
class Normalised:
    """BLEU and mean ratings of the systems that every group rated, scaled to their ranges: Figure 7."""

    systems: tuple[str, ...] = field("object", "The systems, lowest BLEU first.")
    bleu: Scaled = field("object", "BLEU.")
    groups: tuple[ScaledRatings, ...] = field("object", "Mean ratings by group of judges.")


def judge_groups(judgments: Judgments) -> Mapping[str | None, Judgments]:
    """Return the ratings of all judges (None), then of each named group; only the former if there is one judge."""
    groups = judgments.groups if judgments.judge_count > 1 else ()
    return {None: judgments, **{name: judgments.of_group(name) for name in groups}}


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
    order = tuple(rated[k] for k in worst_first(rated, [round(means[name], DECIMALS) for name in rated]))
    pairs = [(higher, lower) for lower, higher in pairwise(order)]
    return tuple(
        GroupDifferences(
            group=group,
            judges=ratings.judge_count,
            systems=order,
            pairs=directed_differences(ratings.table, pairs).pairs,
        )
        for group, ratings in judge_groups(judgments).items()
    )


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
    agreements: list[GroupAgreement] = []
    for group, ratings in judge_groups(judgments).items():
        everyone = correlate(corpus, evaluation, ratings) if group is None else _agreement(corpus, evaluation, ratings)
        if everyone is not None:
            machines = _agreement(corpus, evaluation, ratings, humans=humans) if humans else None
            agreements.append(GroupAgreement(group=group, everyone=everyone, machines=machines))
    return tuple(agreements)


def agreement_from_0_to_1(agreement: Agreement) -> Agreement:
    """Return the agreement with BLEU from 0 to 1, as in the paper's figures."""
    scores: Mapping[str, float]
    means: Mapping[str, float]
    scores, means = (
        dict(zip(agreement.systems, values.tolist(), strict=True))
        for values in (agreement.oriented_scores / POINTS, agreement.human)
    )
    return replace(
        agreement_of_scores(scores, means, metric=agreement.metric, signature=agreement.signature),
        excluded=agreement.excluded,
    )


def normalised(agreements: Sequence[GroupAgreement]) -> Normalised:
    """Scale BLEU and each group's means to their ranges, over the systems that all groups rated."""
    first = agreements[0].everyone
    scores = dict(zip(first.systems, first.oriented_scores.tolist(), strict=True))
    common = [name for name in first.systems if all(name in a.mean_ratings for a in agreements)]
    systems = tuple(common[k] for k in worst_first(common, [scores[name] for name in common]))

    def scaled(values: Mapping[str, float]) -> Floats:
        return normalised_by_range(np.array([values[name] for name in systems]))

    groups = (ScaledRatings(group=a.group, values=scaled(a.mean_ratings)) for a in agreements)
    return Normalised(systems=systems, bleu=Scaled(values=scaled(scores)), groups=tuple(groups))


def _agreement(
    corpus: Corpus, evaluation: BleuEvaluation, judgments: Judgments, *, humans: Collection[str] = ()
) -> Agreement | None:
    try:
        return correlate(corpus, evaluation, judgments, without=humans)
    except AlignmentError:  # no system has both
        return None
