"""What follows from the scores of the leading systems, in plain words. Pure functions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from bleu_core.agreement import Agreement, difference_curve
from bleu_core.inference import Comparisons, detectable_difference, systems_beaten
from dashboard.words.difference_sentences import meaning_to_raters
from dashboard.words.judge_sentences import confounded_judges
from dashboard.words.sentences import agreement_with_people, share_rated
from dashboard.words.verdicts import detectable_difference as detectable
from dashboard.words.verdicts import meaning_of_p, wins_verdict

if TYPE_CHECKING:
    from dashboard.analysis import SystemScores


def verdicts_of_leaders(
    scores: SystemScores,
    comparisons: Comparisons | None,
    agreement: Agreement | None,
    *,
    adjusted: Agreement | None = None,
) -> list[str]:
    """What else is known of the leading systems, cautions, and whether judges agree with such a lead.

    Args:
        scores: of all systems.
        comparisons: of all pairs, that of the two best systems first; None where they are not tested.
        agreement: of the metric and the judges; None where there are no ratings.
        adjusted: the agreement with ratings adjusted for judges, where raw ones are not comparable.
    """
    sentences: list[str] = []
    if comparisons is not None:
        leaders, label = comparisons.pairs[0], scores.metric.label
        others = len(comparisons.systems) - 1
        if others > 1:
            sentences.append(wins_verdict(systems_beaten(comparisons), others))
        else:
            sentences.append(meaning_of_p(comparisons, leaders))
        least = detectable_difference(leaders.standard_error)
        if least > 0:  # NaN where nothing is known of the spread
            sentences.append(detectable(scores.view.evaluation.segments, least, label))
        sentences += [f"Caution: {warning}." for warning in comparisons.warnings]
    if agreement is not None and adjusted is not None:
        sentences.append(confounded_judges(adjusted, agreement))
    elif agreement is not None:
        basis = share_rated(agreement.rated, scores.view.workspace.corpus.segments)
        sentences.append(f"{agreement_with_people(agreement)} {basis}".rstrip())
    if comparisons is not None:
        comparable = agreement is not None and adjusted is None
        curve = difference_curve(agreement) if agreement is not None and comparable else None
        sentences.append(meaning_to_raters(comparisons.pairs[0].delta, scores.metric.label, curve))
    return [sentence for sentence in sentences if sentence]


def examples_chosen(pair: Sequence[str], count: int, starred: int) -> str:
    """How the examples of a report were chosen.

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
