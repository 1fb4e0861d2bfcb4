"""Sentences about the results of the page of the 2002 paper. Pure functions."""

from __future__ import annotations

import math
from collections.abc import Sequence

from bleu_core.dataset import plural
from bleu_core.fields import decimal
from bleu_core.paper import Claim, CombinationAgreement, PaperResults
from bleu_core.scoring import BleuEvaluation
from bleu_core.segments import WorkedExample
from dashboard.words import coefficient

PAPER_TITLE = "Papineni et al. (2002), repeated"
PAPER_SOURCE = (
    "Papineni, Roukos, Ward and Zhu (2002), BLEU: a Method for Automatic Evaluation of Machine Translation, P02-1040."
)


def settings_of_paper_page(used: BleuEvaluation, loaded: int, preset: str, *, as_in_paper: bool) -> str:
    """Describe the settings that the page uses, and where to change them.

    Args:
        used: the systems under these settings.
        loaded: number of loaded references.
        preset: name of the settings.
        as_in_paper: whether the settings are the paper's, not the sidebar's.
    """
    references = f"{len(used.references)} of {loaded} {plural(loaded, 'reference')} ({', '.join(used.references)})"
    if as_in_paper:
        return (
            f"Computed as in the paper: preset {preset} (lower-cased, no tokeniser, no smoothing), {references}. "
            "For other settings, select “As in the sidebar” and change them there."
        )
    return f"Computed as in the sidebar: preset {preset}, {references}. Change them there, or select “As in the paper”."


def claims_outcome(claims: Sequence[Claim]) -> str:
    """State how many of the paper's claims hold on these data."""
    holding = sum(claim.holds is True for claim in claims)
    failing = sum(claim.holds is False for claim in claims)
    open_ = len(claims) - holding - failing
    text = f"{holding} of the paper's {len(claims)} claims {'holds' if holding == 1 else 'hold'} on these data"
    if failing:
        text += f", {failing} {'does' if failing == 1 else 'do'} not"
    if open_:
        text += f", and {open_} cannot be tested"
    return f"{text}."


#: Heading of the claims that do not hold.
FAILING = "Claims that do not hold"


def failing_claims(claims: Sequence[Claim]) -> list[str]:
    """Return the claims that do not hold, with their places in the paper."""
    return [f"{claim.said} ({claim.place})" for claim in claims if claim.holds is False]


def data_of_steps(experiment: PaperResults) -> str:
    """Describe the data that the steps use."""
    full, used = experiment.full, experiment.evaluation
    text = (
        f"{len(used.systems)} {plural(len(used.systems), 'system')}, {used.segments:,} "
        f"{plural(used.segments, 'segment')}, {len(used.references)} {plural(len(used.references), 'reference')} "
        f"({', '.join(used.references)})."
    )
    if used.references != full.references:
        text += (
            f" Figure 1 and the steps on the number of references use all {len(full.references)}: "
            f"{', '.join(full.references)}."
        )
    return text


def systems_without_bleu(experiment: PaperResults) -> str:
    """Name systems whose ratings but not BLEU scores are compared, each with the reason; empty if there are none."""
    systems = [f"{excluded.system} ({excluded.reason})" for excluded in experiment.left_out]
    return f"Compared by ratings only: {'; '.join(systems)}." if systems else ""


def example_counts(worked: WorkedExample, order: int) -> str:
    """State how many of a candidate's n-grams of an order match, and how many count after clipping."""
    counts = worked.orders[order - 1]
    if not counts.total:
        return f"The candidate has no n-grams of order {order}: it is too short."
    return (
        f"Order {order}: {counts.standard_matches} of {counts.total} n-grams occur in a reference (standard precision "
        f"{counts.standard_precision:.3f}); after clipping, {counts.matches} count (modified precision "
        f"{counts.modified_precision:.3f})."
    )


def naive_recall(worked: WorkedExample) -> str:
    """Describe the naive recall, and why it is not used."""
    known, missed = len(worked.recall.recalled), len(worked.recall.missed)
    return (
        f"Naive recall: the candidate has {known} of the references' {known + missed} distinct words. Recall would "
        "reward a candidate that lists the synonyms of all references, so BLEU uses a brevity penalty instead."
    )


def example_brevity(worked: WorkedExample) -> str:
    """Describe the brevity penalty of the candidate."""
    lengths = ", ".join(map(str, worked.brevity.reference_lengths))
    return (
        f"The candidate has {worked.brevity.hypothesis_length} words, the references {lengths}. Reference length: "
        f"{worked.brevity.effective:g}; brevity penalty: {worked.brevity.penalty:.3f}; BLEU: {worked.score / 100:.4f}."
    )


def agreement_by_hand(results: Sequence[CombinationAgreement]) -> str:
    """Describe how well BLEU with these weights correlates with the judges."""
    parts = [
        f"{r.combination.mean} mean, {r.group or 'all judges'}: Pearson's r = {coefficient(r.pearson.coefficient)}"
        for r in results
        if not r.pearson.reason
    ]
    return "; ".join(parts) + "." if parts else "The correlation with the judges is undefined."


def score_of_text(name: str, score: float) -> str:
    """Return a text's BLEU as a heading."""
    return f"{name}: BLEU undefined" if math.isnan(score) else f"{name}: {decimal(score)} BLEU"
