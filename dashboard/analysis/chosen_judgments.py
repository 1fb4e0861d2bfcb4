"""The ratings of the judges in use, by the selection of the pages about judges."""

from __future__ import annotations

from bleu_core.dataset import Judge, Judgments
from bleu_core.errors import AlignmentError
from bleu_core.judges import standardised
from bleu_core.progress import Progress
from bleu_core.uploads import Workspace
from dashboard import session
from dashboard.session import Selection, judge_labels

NOTHING_TO_STANDARDISE = (
    "no judge gave two or more ratings, so ratings cannot be standardised; switch off “Standardise judges”"
)
NO_JUDGE_LEFT = "no judge is selected; select one under “Judges” or “Groups” on this page"


def chosen_judgments(workspace: Workspace, selection: Selection) -> Judgments:
    """Return the ratings without the excluded judges; standardised if that is switched on.

    Raises:
        AlignmentError: there are no ratings, or all judges are excluded.
    """
    judgments = workspace.judgments
    if judgments is None:
        raise AlignmentError("no judgments are loaded")
    labels = judge_labels(workspace)
    judges = tuple(labels[name] for name in selection.without_judges if name in labels)
    groups = tuple(name for name in selection.without_groups if name in judgments.groups)
    chosen = _chosen(workspace.scope, judgments, judges, groups, zscore=selection.standardised)
    if not len(chosen.rated):
        left = len(judgments.without(judges=judges, groups=groups).rated)
        raise AlignmentError(NOTHING_TO_STANDARDISE if left else NO_JUDGE_LEFT)
    return chosen


@session.cached("Selecting ratings", "ratings")
def _chosen(
    _: Progress, judgments: Judgments, judges: tuple[Judge, ...], groups: tuple[str, ...], *, zscore: bool
) -> Judgments:
    chosen = judgments.without(judges=judges, groups=groups) if judges or groups else judgments
    return standardised(chosen) if zscore else chosen
