"""Conclusions from the scores of the leading systems, in plain language. Pure functions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from bleu_core.agreement import Agreement, difference_curve
from bleu_core.inference import Comparisons, detectable_difference, systems_beaten
from dashboard.words.difference_sentences import meaning_to_raters
from dashboard.words.formatting import INTERVAL
from dashboard.words.judge_sentences import adjustment, raw_correlation
from dashboard.words.sentences import agreement_with_people, share_rated
from dashboard.words.verdicts import detectable_difference as detectable
from dashboard.words.verdicts import meaning_of_p, wins_verdict

if TYPE_CHECKING:
    from dashboard.analysis import RatingsInUse, SystemScores


def verdicts_of_leaders(
    scores: SystemScores,
    comparisons: Comparisons | None,
    agreement: Agreement | None,
    ratings: RatingsInUse | None,
) -> list[str]:
    """Return further findings on the leading systems, cautions, and whether judges agree with such a lead.

    Args:
        scores: of all systems.
        comparisons: of all pairs, that of the two best systems first; None where they are not tested.
        agreement: of the metric and the judges; None where there are no ratings.
        ratings: in use; None where there are none.
    """
    if agreement is None or ratings is None:
        return [] if comparisons is None else strength_of_lead(scores, comparisons, None)
    judges = agreement_verdict(agreement, ratings)
    if comparisons is None:
        return [judges]
    return [*strength_of_lead(scores, comparisons, None if ratings.policy.obstacle else agreement), judges]


def strength_of_lead(scores: SystemScores, comparisons: Comparisons, agreement: Agreement | None) -> list[str]:
    """Return how many others the best systems beat, the detectable difference, cautions, and the judges' view of it.

    Args:
        scores: of all systems.
        comparisons: of all pairs, that of the two best systems first.
        agreement: of the metric and the judges; None where there are no ratings, or they are not comparable.
    """
    sentences: list[str] = []
    leaders, label = comparisons.pairs[0], scores.metric.label
    others = len(comparisons.systems) - 1
    if comparisons.tested and others > 1:
        sentences.append(wins_verdict(systems_beaten(comparisons), others))
    elif comparisons.tested:
        sentences.append(meaning_of_p(comparisons, leaders))
    min_difference = detectable_difference(leaders.standard_error)
    if min_difference > 0:  # NaN where nothing is known of the spread
        sentences.append(
            detectable(scores.view.evaluation.segments, min_difference, label, decimals=comparisons.decimals)
        )
    sentences += [f"Caution: {warning}." for warning in comparisons.warnings]
    curve = difference_curve(agreement) if agreement is not None else None
    sentences.append(meaning_to_raters(leaders.delta, label, curve))
    return [sentence for sentence in sentences if sentence]


def agreement_verdict(agreement: Agreement, ratings: RatingsInUse) -> str:
    """Describe how well a metric agrees with the judges, or why it is not known.

    Args:
        agreement: of the metric and the judges.
        ratings: in use.
    """
    adjusted = adjustment(ratings, raw_correlation(agreement))
    if ratings.policy.obstacle:
        return adjusted
    rated = share_rated(agreement.rated, ratings.view.workspace.corpus.segments)
    return " ".join(filter(None, [agreement_with_people(agreement), rated, adjusted]))


def ranking_shown(leading: Sequence[str], tiers: int, *, intervals: bool) -> str:
    """Explain the marks in the ranking.

    Args:
        leading: the systems whose rows are shaded, the best one first; empty where differences are not tested.
        tiers: how many there are.
        intervals: whether the intervals of the scores are drawn.
    """
    sentences: list[str] = []
    if len(leading) == 1:
        sentences.append(f"Shaded: {leading[0]}, significantly better than all others.")
    elif leading:
        sentences.append(f"Shaded: {leading[0]} and the systems that do not differ significantly from it.")
    if tiers > 1:
        sentences.append(f"Dashed: between {tiers} tiers, each significantly better than the next.")
    if intervals:
        sentences.append(f"Lines: {INTERVAL}s.")
    return " ".join(sentences)


def examples_chosen(pair: Sequence[str], count: int, starred: int) -> str:
    """Explain how the examples of a report were chosen.

    Args:
        pair: the two systems whose outputs are shown; empty where there is only one.
        count: how many examples there are.
        starred: how many of them were starred.
    """
    if not pair:
        others = "the segments with the lowest scores"
    else:
        others = f"in turn the segments most in favour of {pair[0]} and of {pair[1]}"
    if starred == count:
        return f"{count} starred segments, chosen by hand."
    if starred:
        return f"{count} segments: {starred} starred, chosen by hand, then {others}."
    return f"{count} segments: {others}."
