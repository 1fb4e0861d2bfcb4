"""What the Paper page shows: the experiment repeated on the loaded data, its claims, the examples."""

from __future__ import annotations

from dataclasses import dataclass, replace

from bleu_core.bleu import HIGHEST_ORDER
from bleu_core.claims import Claim, claims
from bleu_core.combining import Combination, Following, combinations, following
from bleu_core.errors import AlignmentError, SettingsError
from bleu_core.experiment import Experiment, experiment
from bleu_core.worked_example import WorkedExample, paper_examples
from dashboard import people, state
from dashboard.results import View


@dataclass(frozen=True, slots=True)
class Walk:
    """The paper, repeated.

    Attributes:
        found: the experiment.
        examples: the paper's, worked; a tuple of candidates each.
        tested: the paper's claims.
    """

    found: Experiment
    examples: tuple[tuple[WorkedExample, ...], ...]
    tested: tuple[Claim, ...]


def walk(view: View) -> Walk:
    """Repeat the experiment under the sidebar's settings; where there are no judgments, without its steps on them.

    Figure 1 and the steps on the number of references take all references, as the paper does; the sidebar says which
    of them the other steps take.

    Raises:
        BleuCoreError: the data do not allow it.
    """
    workspace, evaluation = view.workspace, view.evaluation
    corpus = workspace.corpus
    corpus = replace(corpus, systems={name: corpus.systems[name] for name in evaluation.systems})
    humans = tuple(name for name in workspace.human_systems if name in corpus.systems)
    judgments = None
    if workspace.judgments is not None:
        try:
            judgments = people.require(view).judgments
        except AlignmentError:  # all judges are left out
            judgments = None
    key = (
        *(workspace.digest, evaluation.references, evaluation.settings, evaluation.systems),
        judgments.digest if judgments is not None else "",
    )

    def compute(progress: object) -> Walk:
        found = experiment(
            corpus,
            evaluation.settings,
            judgments,
            humans=humans,
            references=evaluation.references,
            progress=progress,  # type: ignore[arg-type]
        )
        return Walk(found, paper_examples(evaluation.settings), claims(found))

    return state.remember("paper", key, compute, doing="Repeating the experiment", what="steps")


def by_hand(found: Experiment, weights: tuple[float, ...]) -> tuple[tuple[Combination, ...], tuple[Following, ...]]:
    """Both means with one's own weights, and how they follow the judges.

    Raises:
        SettingsError: the weights do not fit.
    """
    if len(weights) > HIGHEST_ORDER:
        raise SettingsError(f"{len(weights)} weights found, 1 to {HIGHEST_ORDER} expected, one an order")
    own = tuple(one for one in combinations(found.evaluation, [weights], highest=1) if one.weights is not None)
    if found.ratings is None:
        return own, ()
    means = {
        one.group: dict(zip(one.everyone.systems, one.everyone.human.tolist(), strict=True))
        for one in found.ratings.agreements
    }
    return own, following(own, means)
