"""The results of the Paper page in plain words. Pure functions."""

from __future__ import annotations

from collections.abc import Sequence

from bleu_core.dataset import plural
from bleu_core.paper import Claim, CombinationAgreement, Experiment, WorkedExample
from bleu_core.scoring import Evaluation

PAPER_TITLE = "Papineni et al. (2002), repeated"
PAPER_SOURCE = (
    "Papineni, Roukos, Ward and Zhu (2002), BLEU: a Method for Automatic Evaluation of Machine Translation, P02-1040."
)


def settings_of_paper_page(used: Evaluation, loaded: int, preset: str, *, as_in_paper: bool) -> str:
    """Under which settings the page computes, and what to change where.

    Args:
        used: the systems under these settings.
        loaded: how many references are loaded.
        preset: the settings' name.
        as_in_paper: whether the settings are the paper's, not the sidebar's.
    """
    chosen = f"{len(used.references)} of {loaded} {plural(loaded, 'reference')} ({', '.join(used.references)})"
    if as_in_paper:
        return (
            f"Computed as in the paper: preset {preset} (lower-case, tokeniser none, no smoothing), {chosen}; "
            "for other settings, choose “As in the sidebar” and change them there."
        )
    return f"Computed as in the sidebar: preset {preset}, {chosen}; change them there, or choose “As in the paper”."


def claims_outcome(claims: Sequence[Claim]) -> str:
    """How many claims hold here."""
    holding = sum(claim.holds is True for claim in claims)
    failing = sum(claim.holds is False for claim in claims)
    open_ = len(claims) - holding - failing
    text = f"Of {len(claims)} claims of the paper {holding} hold on these data"
    if failing:
        text += f", {failing} {'does' if failing == 1 else 'do'} not"
    if open_:
        text += f", and {open_} cannot be tested with them"
    return f"{text}."


def failing_claims(claims: Sequence[Claim]) -> str:
    """The claims that do not hold; empty where all do."""
    failing = [f"{claim.said} ({claim.place})" for claim in claims if claim.holds is False]
    return f"Not seen here: {'; '.join(failing)}." if failing else ""


def data_of_steps(experiment: Experiment) -> str:
    """The data behind the steps."""
    full, used = experiment.full, experiment.evaluation
    text = (
        f"{len(used.systems)} {plural(len(used.systems), 'system')}, {used.segments:,} "
        f"{plural(used.segments, 'segment')}, {len(used.references)} {plural(len(used.references), 'reference')} "
        f"({', '.join(used.references)})."
    )
    if used.references != full.references:
        text += (
            f" Figure 1 and the steps on the number of references take all {len(full.references)}: "
            f"{', '.join(full.references)}."
        )
    return text


def systems_without_bleu(experiment: Experiment) -> str:
    """The systems that are compared by their ratings only, each with the reason; empty where there is none."""
    systems = [f"{one.system} ({one.reason})" for one in experiment.left_out]
    return f"Only their ratings are compared: {'; '.join(systems)}." if systems else ""


def example_counts(worked: WorkedExample, order: int) -> str:
    """How many of a candidate's n-grams of an order match, and how many count after clipping."""
    counts = worked.orders[order - 1]
    if not counts.total:
        return f"The candidate is too short for n-grams of {order} words."
    return (
        f"Order {order}: {counts.standard_matches} of {counts.total} n-grams occur in a reference (standard precision "
        f"{counts.standard_precision:.3f}); after clipping {counts.matches} count (modified precision "
        f"{counts.modified_precision:.3f})."
    )


def naive_recall(worked: WorkedExample) -> str:
    """The naive recall, and why it is not used."""
    known, missed = len(worked.recall.recalled), len(worked.recall.missed)
    return (
        f"Naive recall: {known} of the references' {known + missed} distinct words. It rewards a candidate that "
        "strings all their synonyms together, so BLEU has a brevity penalty instead."
    )


def example_brevity(worked: WorkedExample) -> str:
    """The brevity penalty of the candidate."""
    lengths = ", ".join(map(str, worked.brevity.reference_lengths))
    return (
        f"{worked.brevity.hypothesis_length} words against references of {lengths}: the length that counts is "
        f"{worked.brevity.effective:g}, the brevity penalty {worked.brevity.penalty:.3f}, BLEU "
        f"{worked.score / 100:.4f}."
    )


def agreement_by_hand(results: Sequence[CombinationAgreement]) -> str:
    """How well one's own weights follow the judges."""
    parts = [
        f"{r.combination.mean} mean, {r.group or 'all judges'}: r = {r.pearson.coefficient:.4f}"
        for r in results
        if not r.pearson.reason
    ]
    return "; ".join(parts) + "." if parts else "There is no correlation with people to compare."
